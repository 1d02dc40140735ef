"""KeptStatement: tabulated wordings are those that a statement composes."""

from __future__ import annotations

from typing import Any

import pytest

import envhub
from envhub.authoring.wording import (
    FRAMES,
    GAME_FRAMES,
    HELD_OUT,
    PLAIN,
    WORDINGS,
    KeptStatement,
    Parts,
    Phrase,
    Statement,
    Variants,
    Wording,
    kept as module,
)
from envhub.authoring.wording.wording import choices

NUMBERS = [*range(0, WORDINGS, 7), WORDINGS - 1]
ONE = Phrase("Add {a}.", "Take the sum with {a}, 100%.", "Plus {a}.", held_out="Let x grow by {a}.")
TWO = Phrase("Halve it.", "Divide it by two.", "Take one half of it.", held_out="x := x / 2")
MAYBE = Phrase("{b}", "{b} ", " {b}", held_out="  {b}")
DATA = Variants(lambda p: f"x is {p['x']}", lambda p: f"\0{p['x']}\0", held_out=lambda p: f"x={p['x']};", name="data")
SEEN = Variants(lambda p: "x is in the picture", held_out=lambda p: "see x", name="seen")
PICTURED = Variants(lambda p: f"x is {p['x']}", held_out=lambda p: "", name="pictured", seen=SEEN)


def shouted(parts: Parts) -> str:
    return "\n".join(parts.texts()).upper()


def statement(**changes: Any) -> Statement:
    given = {"task": ONE, "data": DATA, "problem": {"x": 3}, "rules": (TWO, ONE), "values": {"a": 7, "b": "now"}}
    return Statement(**{**given, **changes})


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MANY", 1)


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"note": TWO},
        {"rules": ()},
        {"rules": (), "note": ONE, "frames": GAME_FRAMES},
        {"frames": GAME_FRAMES, "note": TWO, "rules": (TWO,) * 12},
        {"note": MAYBE},
        {"note": MAYBE, "values": {"a": 7, "b": ""}},
        {"rules": (ONE.bound({"a": 8}), ONE.bound({"a": 9}))},
        {"data": PICTURED, "seen": True},
        {"data": Variants(lambda p: "", lambda p: "x", held_out=lambda p: "y", name="empty")},
        {"frames": Variants(shouted, *FRAMES.options, held_out=shouted, name="own")},
    ],
    ids=lambda changes: "-".join(changes) or "plain",
)
def test_tabulated_wordings_are_those_that_the_statement_composes(changes: dict[str, Any]) -> None:
    kept, fresh = KeptStatement(statement(**changes)), statement(**changes)
    for wording in (*map(Wording, NUMBERS), PLAIN, HELD_OUT):
        assert kept.worded(wording) == fresh.worded(wording)
    assert len({kept.worded(Wording(number)) for number in NUMBERS}) >= 9


def test_the_table_of_choices_is_what_wordings_pick() -> None:
    for variants in (ONE, DATA, FRAMES, Variants(*range(300), held_out=-1, name="many")):
        places = choices(variants)
        picked = [Wording(number).pick(variants) for number in range(WORDINGS)]
        assert [variants.options[place] for place in places] == picked
        assert choices(variants) is places


@pytest.mark.parametrize("name", ["guess-number-v0", "kuhn-poker-v0", "tic-tac-toe-v0"])
def test_prompts_are_the_same_after_many_tasks(name: str) -> None:
    env = envhub.make(name, difficulty=1, split="test")
    task, _ = env.source.draw(3)
    for number in NUMBERS[:40]:
        fresh = type(env.environment)().opening(task.problem, Wording(number))
        assert env.environment.opening(task.problem, Wording(number)) == fresh
