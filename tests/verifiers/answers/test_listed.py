"""Lists of moves and actions: one reader for all of them, and what it must not make of other texts."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from envhub.core.seeding import Stream
from envhub.envs.games.kitchen.plans import Steps as KitchenSteps
from envhub.envs.games.rewrite_puzzle.moves import Moves as GameMoves, WholePlan
from envhub.envs.games.snake.environment import Steps as SnakeSteps
from envhub.envs.puzzles.moves.paint_lines import Strokes
from envhub.envs.worlds.crafting.actions import Actions
from envhub.envs.worlds.crafting.plans import Steps as CraftingSteps
from envhub.families.moves import Directions, Numbers, Pours, Presses, Slides
from envhub.verifiers.answers.listed import parts, plain_list, words
from envhub.verifiers.answers.types import AnswerType, Unreadable
from tests.verifiers.answers.reading import ANYTHING, tag, value_of

SEVERAL: list[AnswerType] = [
    *(Pours(), Presses(), Numbers(), Directions(), Slides(), Strokes()),
    *(SnakeSteps(), GameMoves(), WholePlan(), KitchenSteps(), Actions(), CraftingSteps()),
]
several = pytest.mark.parametrize("kind", SEVERAL, ids=lambda kind: f"{type(kind).__module__}.{type(kind).__name__}")
WRITTEN = {
    "numbered": lambda moves: "\n".join(f"{at}. {move}" for at, move in enumerate(moves, 1)),
    "numbered from 0": lambda moves: "\n".join(f"{at}) {move}" for at, move in enumerate(moves)),
    "all numbers are 1": lambda moves: "\n".join(f"1. {move}" for move in moves),
    "steps": lambda moves: "\n".join(f"Step {at}: {move}" for at, move in enumerate(moves, 1)),
    "dashes": lambda moves: "\n".join(f"- {move}" for move in moves),
    "stars": lambda moves: "\n".join(f"* {move}" for move in moves),
    "dots": lambda moves: "\n".join(f"\u2022 {move}" for move in moves),
    "brackets": lambda moves: f"[{', '.join(moves)}]",
    "JSON": lambda moves: "[" + ", ".join(f'"{move}"' for move in moves) + "]",
    "parentheses": lambda moves: " ".join(f"({move})" for move in moves),
    "arrows": lambda moves: " \u2192 ".join(moves),
    "semicolons": lambda moves: "; ".join(moves),
    "a fence": lambda moves: "```text\n" + "\n".join(moves) + "\n```",
    "a fence with bullets": lambda moves: "```\n" + "\n".join(f"- {move}" for move in moves) + "\n```",
    "bold": lambda moves: "\n".join(f"- **{move}**" for move in moves),
    "capitals": lambda moves: ", ".join(moves).upper(),
    "Answer:": lambda moves: "Answer: " + ", ".join(moves),
}


def moves_of(kind: AnswerType, seed: int) -> list[str]:
    """Two to four moves as the type shows them."""
    shown = kind.random(Stream(bytes([seed]))) + ", " + kind.example
    found = shown.split(", ")
    if isinstance(kind, (SnakeSteps, GameMoves, WholePlan, KitchenSteps)):
        found = [word for word in shown.replace(",", " ").split() if word not in ("undo", "restart")]
    return found[:4]


@several
@pytest.mark.parametrize("way", WRITTEN)
def test_a_list_is_read_however_it_is_written(kind: AnswerType, way: str) -> None:
    for seed in range(3):
        moves = moves_of(kind, seed)
        if way == "arrows" and isinstance(kind, Pours):
            continue  # its moves are arrows themselves
        assert value_of(kind, tag(WRITTEN[way](moves))) == value_of(kind, tag(", ".join(moves))), moves


@several
def test_the_order_and_every_move_matter(kind: AnswerType) -> None:
    for seed in range(3):
        moves = list(dict.fromkeys(moves_of(kind, seed)))
        for way in WRITTEN.values():
            if len(moves) > 1 and not (way is WRITTEN["arrows"] and isinstance(kind, Pours)):
                assert kind.read(tag(way(moves[::-1]))).value != value_of(kind, tag(", ".join(moves)))
                assert kind.read(tag(way(moves[:-1]))).value != value_of(kind, tag(", ".join(moves)))


@several
def test_numbers_in_another_order_are_ambiguous(kind: AnswerType) -> None:
    one, other, *_ = moves_of(kind, 0)
    for numbers in ((2, 1), (1, 3), (1, 2, 2)):
        moves = [one, other, one][: len(numbers)]
        text = "\n".join(f"{number}. {move}" for number, move in zip(numbers, moves, strict=True))
        assert kind.read(tag(text)).reason == "unreadable", text


@several
@pytest.mark.parametrize(
    "text",
    [
        *("{0} or {1}", "{0}, not {1}", "{0}, ...", "either {0}", "{0}?", "~~{0}~~", "1. {0} 2. {1}", "- {0} - {1}"),
        *("{0}, {1} (or {0})", "{0} / {1}", "{0} and {1}", "{0} | {1}", "1. {0}\n2.", "-{0}", "--{0}", "{0}.{1}"),
    ],
)
def test_what_is_no_plain_list_is_refused(kind: AnswerType, text: str) -> None:
    one, other, *_ = moves_of(kind, 1)
    assert kind.read(tag(text.format(one, other))).reason == "unreadable"


@several
def test_the_types_read_what_they_promise(kind: AnswerType) -> None:
    values = [[value_of(kind, tag(text)) for text in group] for group in kind.alike]
    for at, group in enumerate(values):
        assert all(value == group[0] for value in group), kind.alike[at]
        assert all(group[0] != other[0] for other in values[:at])
    for text in kind.refused:
        assert kind.read(tag(text)).reason is not None, text


@given(text=ANYTHING)
def test_no_text_makes_the_reader_fail(text: str) -> None:
    for read in (plain_list, parts):
        try:
            read(text, 60)
        except Unreadable:
            continue
    try:
        words(text, {"up": 1}, 3)
    except Unreadable:
        return


@given(st.lists(st.sampled_from(["15", "3", "4"]), min_size=1, max_size=4), st.integers(2, 20))
def test_bare_numbers_are_never_taken_for_numbers_of_lines(tiles: list[str], start: int) -> None:
    text = "\n".join(f"{at}. {tile}" for at, tile in enumerate(tiles, start))
    assert Numbers().read(tag(text)).reason == "unreadable"


def test_long_texts_take_little_time() -> None:
    for text in ("a. " * 6000, "1." * 9000, "- " * 9000, "(" * 19_000, "1. a\n" * 3999, " " * 19_999):
        plain_list(text, 20_000)
    with pytest.raises(Unreadable):
        plain_list("a" * 20_001, 20_000)
