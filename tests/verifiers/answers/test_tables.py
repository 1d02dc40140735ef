"""Table: what people write is read, what contradicts itself is not, and nothing raises."""

from __future__ import annotations

import pytest
from hypothesis import given, settings, strategies as st

from envhub.audit.controls import NASTY
from envhub.verifiers.answers.tables import Table

TABLE = Table()
ROWS = {1: {"ann", "red", "tea"}, 2: {"bob", "blue", "milk"}}


def rows(text: str) -> dict[int, set[str]] | None:
    value = TABLE.read(text).value
    return None if value is None else {number: set(row) for number, row in value.items()}


@pytest.mark.parametrize(
    "text",
    [
        "1: Ann, red, tea\n2: Bob, blue, milk",
        "2: milk, BLUE, bob\n1: tea, red, ann.",
        "House 1: Ann, red, tea\nHouse 2: Bob, blue, milk",
        "house 1 - Ann, red, tea; house 2 - Bob, blue, milk",
        "1. Ann red tea\n2. Bob blue milk",
        "1: Ann, red, tea 2: Bob, blue, milk",
        "1, Ann, red, tea\n2, Bob, blue, milk",
        "- **House 1**: Ann | red | tea\n- **House 2**: Bob | blue | milk",
        "House 1: Name = Ann, Colour = red, Drink = tea\nHouse 2: Name = Bob, Colour = blue, Drink = milk",
        "House 1:\n- name: Ann\n- colour: red\n- drink: tea\n\nHouse 2:\n- name: Bob\n- colour: blue\n- drink: milk",
        "1: name is Ann, colour is red, drink is tea\n2: name is Bob, colour is blue, drink is milk",
        "| House | Name | Colour | Drink |\n|---|:-:|---|---|\n| 1 | Ann | red | tea |\n| 2 | Bob | blue | milk |",
        "House, Name, Colour, Drink\n1, Ann, red, tea\n2, Bob, blue, milk",
        "|  | Name | Colour | Drink |\n|---|---|---|---|\n| House 1 | Ann | red | tea |\n| House 2 | Bob | blue | milk |",
        '{"1": ["Ann", "red", "tea"], "2": ["Bob", "blue", "milk"]}',
        '{"1": {"name": "Ann", "colour": "red", "drink": "tea"}, "2": {"name": "Bob", "colour": "blue", "drink": "milk"}}',
        '[{"house": 1, "name": "Ann", "colour": "red", "drink": "tea"}, '
        '{"house": 2, "name": "Bob", "colour": "blue", "drink": "milk"}]',
        "```\n1: Ann, red, tea\n2: Bob, blue, milk\n```",
        "1: Ann, red, tea\n2: Bob, blue, milk\n1: Ann, tea, red",
        "1. House 1: Ann, red, tea\n2. House 2: Bob, blue, milk",
    ],
)
def test_ways_to_write_a_table(text: str) -> None:
    assert rows(f"<answer>{text}</answer>") == ROWS
    assert rows(f"<answer>\n{text}\n</answer>") == ROWS


@pytest.mark.parametrize(
    "text",
    [
        "1: Ann, red, tea\n2: Bob, blue, milk",
        "House 1: Ann, red, tea\nHouse 2: Bob, blue, milk",
        "**House 1**: Ann, red, tea\n**House 2**: Bob, blue, milk",
        "| House | A | B | C |\n|---|---|---|---|\n| 1 | Ann | red | tea |\n| 2 | Bob | blue | milk |",
        "1: Ann, red, tea; 2: Bob, blue, milk",
    ],
)
def test_tables_at_the_end_of_a_text(text: str) -> None:
    assert rows(f"Ann cannot live in house 2, so here it is.\n\n{text}") == ROWS


def test_labels_stay_with_their_words() -> None:
    assert TABLE.parse("1: name = Ann, tea") == {1: {"ann": "name", "tea": ""}}
    assert TABLE.parse("House | Name | Drink\n1 | Ann | tea") == {1: {"ann": "name", "tea": "drink"}}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{}",
        "Ann, red, tea",
        "Ann: 1, Bob: 2",
        "not 1: Ann, red\n2: Bob, blue",
        "anything but 1: Ann, red",
        "1: Ann, red\n1: Bob, blue",
        "1: Ann, red\n2: Bob, blue\n1: Ann, blue",
        "1: Ann, Ann",
        "1: Ann/Bob, red",
        "1: Ann & Bob",
        "1: Ann?",
        "1: name = Ann Bob",
        "1: name =\n2: Ann",
        "1: name: drink: tea",
        "1\n2: Ann",
        "1: Ann\n2:",
        "| | House 1 | House 2 |\n| name | Ann | Bob |",
        "| House | Name |\n| 1 | Ann | red |",
        "| House | Name | Colour |\n| 1 | | Ann |",
        '[{"drink": "tea", "house": 1}, {"drink": "milk", "house": 2}]',
        "999: Ann",
        "1: " + "a " * 5000,
    ],
)
def test_what_is_no_table_is_refused(text: str) -> None:
    assert TABLE.read(f"<answer>{text}</answer>").value is None


@pytest.mark.parametrize(
    "text", ["1: Ann or Bob, red", "1: not Ann, red", "1: Ann, red (or blue)", "1: Ann, red, blue"]
)
def test_a_hedge_leaves_words_that_do_not_belong(text: str) -> None:
    assert rows(f"<answer>{text}</answer>") not in (None, {1: {"ann", "red"}})


def test_two_tables_that_differ_are_ambiguous_and_two_that_agree_are_not() -> None:
    one, other = "<answer>1: Ann, red</answer>", "<answer>1: Bob, red</answer>"
    assert TABLE.read(one + other).reason == "ambiguous"
    assert rows(one + "<answer>House 1: colour = red, name = Ann</answer>") == {1: {"ann", "red"}}


@pytest.mark.parametrize("text", NASTY)
def test_nasty_texts_are_read_as_nothing(text: str) -> None:
    assert TABLE.read(text).value is None


@given(st.text(st.sampled_from('Anbhouse12:=,;\n- is{}[]<>|*."/'), max_size=80))
@settings(max_examples=200, deadline=None)
def test_any_text_is_read_or_refused(text: str) -> None:
    for wrapped in (text, f"<answer>{text}</answer>"):
        reading = TABLE.read(wrapped)
        assert (reading.value is None) == (reading.reason is not None)
        if reading.value is not None:
            assert all(reading.value.values())


WORD = st.text(st.sampled_from("abcdefgh"), min_size=3, max_size=6)


@given(st.lists(st.lists(WORD, min_size=1, max_size=4, unique=True), min_size=1, max_size=6), st.data())
@settings(max_examples=100, deadline=None)
def test_what_is_written_is_read_whatever_parts_the_words(table: list[list[str]], data: st.DataObject) -> None:
    between = data.draw(st.sampled_from([", ", " ", " | ", "; ", "\t", " - ", "\n  "]))
    after = data.draw(st.sampled_from([": ", ". ", " ", ") ", " = ", " | "]))
    text = "\n".join(f"{n}{after}{between.join(row)}" for n, row in enumerate(table, 1))
    assert rows(f"<answer>{text}</answer>") == {n: set(row) for n, row in enumerate(table, 1)}
