"""Grids as answers: what is read as one, and above all what is not."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from envhub.verifiers.answers.extraction import FORMS
from envhub.verifiers.answers.grids import Grid
from tests.verifiers.answers.reading import refused, tag, value_of

SQUARE = ((1, 2), (3, 4))


@pytest.mark.parametrize(
    "text",
    [
        "1 2\n3 4", "12\n34", "1,2\n3,4", "1, 2\n3, 4", "1;2\n3;4", "|1|2|\n|3|4|", "| 1 | 2 |\n|---|---|\n| 3 | 4 |",
        "[[1,2],[3,4]]", "[[1, 2], [3, 4]]", "[[1, 2],\n [3, 4]]", "[1, 2]\n[3, 4]", "((1,2),\n(3,4))", "{1,2}\n{3,4}",
        "1 2\n\n3 4", "+---+\n|1|2|\n+---+\n|3|4|\n+---+", "1\t2\r\n3\t4", "```\n1 2\n3 4\n```", "```text\n1 2\n3 4\n```",
        "1 & 2 \\\\\n3 & 4", "  1 2  \n  3 4  ", "\u2502 1 2 \u2502\n\u251c\u2500\u2524\n\u2502 3 4 \u2502", "1 2\n3 4.",
        "$1 2\n3 4$",
        "\n1 2\n3 4\n", "Answer:\n1 2\n3 4",
    ],
)  # fmt: skip
def test_grids_are_read_in_every_usual_dress(text: str) -> None:
    assert value_of(Grid(), tag(text)) == SQUARE


@pytest.mark.parametrize(
    "text",
    [
        "1 2\n3",
        "1\n2 3",
        "12\n345",
        "1 2\n3 x",
        "1 2\n3 .",
        "1 2\n3 _ ",
        "1 2\n3 -4",
        "1 2\n3 4.5",
        "1 2 or 2 1",
        "",
        "---",
        "[[]]",
        "1 2\n3 4\nor\n4 3",
        "1 2 ... 9",
        "1 2\n3 ?",
        "a b\nc d",
        "1 12345",
        "\u0661 \u0662",
        "```\n```",
        "1 2\nSo the grid is done",
        "\n".join(["1"] * 65),
        "1 " * 65,
        "1 \u00b2",
        "row 1: 1 2",
        "[[1,2],[3]]",
    ],
)
def test_nothing_but_one_grid_is_a_grid(text: str) -> None:
    assert refused(Grid(), tag(text)) in ("unreadable", "empty")


def test_a_grid_at_the_end_needs_no_tags_and_ends_where_its_rows_end() -> None:
    assert value_of(Grid(), "Here it is:\n\n1 2\n3 4") == SQUARE
    assert value_of(Grid(), "Here it is:\n```\n1 2\n3 4\n```\n") == SQUARE
    assert value_of(Grid(), "9 9\n\n1 2\n3 4") == SQUARE  # a blank line ends it
    assert refused(Grid(), "1 2\n3 4\nI hope this helps.") == "empty"
    assert refused(Grid(), "5 6 7\n1 2\n3 4") == "unreadable"  # it runs on into what precedes


@given(
    st.integers(1, 10).flatmap(
        lambda w: st.lists(st.lists(st.integers(0, 9999), min_size=w, max_size=w), min_size=1, max_size=10)
    ),
    st.sampled_from(FORMS),
    st.sampled_from([" ", ", ", " | ", "\t"]),
)
def test_every_grid_is_read_back(rows: list[list[int]], form: str, gap: str) -> None:
    kind = Grid().asking(form)
    value = tuple(map(tuple, rows))
    if len(rows[0]) > 1:
        assert value_of(kind, kind.wrap("\n".join(gap.join(map(str, row)) for row in rows))) == value
        assert value_of(kind, kind.wrap(str(rows))) == value


@given(st.lists(st.text("0123456789", min_size=3, max_size=3), min_size=1, max_size=5))
def test_digits_without_gaps_are_cells(rows: list[str]) -> None:
    assert value_of(Grid(), tag("\n".join(rows))) == tuple(tuple(map(int, row)) for row in rows)


def test_a_transposed_or_turned_grid_is_another_answer() -> None:
    assert refused(Grid(), tag("1 2\n3 4") + tag("1 3\n2 4")) == "ambiguous"
    assert value_of(Grid(), tag("1 2\n3 4") + tag("[[1,2],[3,4]]")) == SQUARE
