"""Our judge of ALFWorld's goals, what a grammar may evaluate, and the user's folders; without ALFWorld."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path
from types import SimpleNamespace

import pytest

from envhub.adapters.alfworld.files import games_at, read_game
from envhub.adapters.alfworld.goals import Goal, read
from envhub.adapters.alfworld.grammar import evaluated, fault
from envhub.adapters.shared.user_games import digest_of_games
from envhub.core.errors import InvalidParameters
from envhub.core.seeding import Stream
from tests.adapters.alfworld.instances import APPLE, MUGS, heating, two_mugs, write

FRIDGE, CABINET = "fridge_bar__minus_02_dot_48", "cabinet_bar__plus_00_dot_50"
PYTHON = [
    "__import__('os').system('id')",
    "o.__class__",
    "o.name.upper()",
    "[r for r in o]",
    "(lambda: 1)()",
    "o.name if r else 1",
    "open('/etc/passwd')",
    "1 + 1",
]


def heated(*more: tuple[str, ...]) -> set[tuple[str, ...]]:
    apple = APPLE.lower()
    return {("heatable", apple), ("objecttype", apple, "appletype"), ("receptacletype", FRIDGE, "fridgetype"), *more}


def test_a_goal_holds_where_all_its_parts_do() -> None:
    goal, apple = Goal(heating()), APPLE.lower()
    hot, put = ("ishot", apple), ("inreceptacle", apple, FRIDGE)
    assert goal.holds(heated(hot, put))
    assert not goal.holds(heated(hot))
    assert not goal.holds(heated(put))
    assert not goal.holds(heated(hot, ("inreceptacle", apple, CABINET)))


def test_two_things_must_be_two() -> None:
    goal, (one, other) = Goal(two_mugs()), [mug.lower() for mug in MUGS]
    kinds = {("objecttype", mug, "mugtype") for mug in (one, other)} | {("receptacletype", CABINET, "cabinettype")}
    assert not goal.holds(kinds | {("inreceptacle", one, CABINET)})
    assert goal.holds(kinds | {("inreceptacle", one, CABINET), ("inreceptacle", other, CABINET)})
    assert not goal.holds(kinds | {("inreceptacle", one, CABINET), ("inreceptacle", other, FRIDGE)})


def plain(formula: object, objects: dict[str, list[str]], facts: set[tuple[str, ...]], bound: dict[str, str]) -> bool:
    """The same semantics, written the plain way: every variable runs through all its objects."""
    assert isinstance(formula, list)
    head, *rest = formula
    if head in ("exists", "forall"):
        (name, _, kind), body = rest
        found = (plain(body, objects, facts, {**bound, name: value}) for value in objects[kind])
        return any(found) if head == "exists" else all(found)
    if head in ("and", "or"):
        return (all if head == "and" else any)(plain(part, objects, facts, bound) for part in rest)
    if head == "not":
        return not plain(rest[0], objects, facts, bound)
    terms = [bound.get(term, term) for term in rest]
    return terms[0] == terms[1] if head == "=" else (head, *terms) in facts


def formula(rng: Stream, depth: int, bound: list[str]) -> str:
    """A random formula over two types."""
    if depth == 0 or (bound and rng.below(4) == 0):
        terms = [rng.choice([*bound, "a1", "b1"]) for _ in range(2)]
        return rng.choice((f"(p {terms[0]})", f"(q {terms[0]} {terms[1]})", f"(= {terms[0]} {terms[1]})"))
    kind = rng.choice(("exists", "exists", "forall", "and", "or", "not"))
    if kind in ("exists", "forall"):
        name = rng.choice(("?x", "?y", "?z"))
        return f"({kind} ({name} - {rng.choice('ab')}) {formula(rng, depth - 1, [*bound, name])})"
    parts = [formula(rng, depth - 1, bound) for _ in range(1 if kind == "not" else 2)]
    return f"({kind} {' '.join(parts)})"


def test_random_goals_hold_as_the_plain_way_says() -> None:
    rng, objects, held = Stream(b"", "goals"), {"a": ["a1", "a2"], "b": ["b1", "b2"]}, 0
    names = [name for group in objects.values() for name in group]
    for _ in range(600):
        text = formula(rng, 5, [])
        goal = Goal(f"(define (problem x) (:objects a1 a2 - a b1 b2 - b) (:goal {text}))")
        facts = {("p", name) for name in names if rng.below(2)}
        facts |= {("q", one, other) for one, other in product(names, names) if rng.below(3) == 0}
        expected = plain(read(text), objects, facts, {})
        assert goal.holds(facts) == expected, text
        held += expected
    assert 100 < held < 500


@pytest.mark.parametrize(
    "text",
    [
        "",
        "(define",
        "(define))",
        "(define (:goal))",
        "(define (:goal (p ?x)))",
        "(define (:goal (not (p) (q))))",
        "(" * 99,
    ],
)
def test_other_texts_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        Goal(text)


def test_expressions_of_names_are_evaluated() -> None:
    apple = SimpleNamespace(name="apple 1", id="apple_bar_1", indefinite="an", definite="the")
    nameless = SimpleNamespace(name="", id="loc_1", indefinite="", definite="")
    assert evaluated("o.indefinite + ' ' + o.name", {"o": apple}) == "an apple 1"
    assert evaluated("r.name or r.id", {"r": nameless}) == "loc_1"
    assert evaluated("o", {"o": apple}) == "apple 1"
    with pytest.raises(ValueError, match="not a variable"):
        evaluated("x.name", {"o": apple})


@pytest.mark.parametrize("expression", PYTHON)
def test_python_is_not(expression: str) -> None:
    assert fault(f'"rhs": "You see {{{expression}}}."') is not None
    with pytest.raises(ValueError, match="not of names"):
        evaluated(expression, {"o": SimpleNamespace(name="x"), "r": 1})


def test_a_users_folder_is_read_as_alfworld_reads_it(tmp_path: Path) -> None:
    folder = write(tmp_path)
    games = games_at(str(folder))
    assert [game.task for game in games] == ["pick_heat_then_place_in_recep", "pick_two_obj_and_place"]
    assert read_game({"path": str(folder), **games[0]._asdict()})[0] == heating()
    before = digest_of_games(str(folder), games_at)
    [place] = folder.glob("*heat*/trial_1")
    (place / "game.tw-pddl").write_text(json.dumps({"solvable": False}))
    assert [game.task for game in games_at(str(folder))] == ["pick_two_obj_and_place"]
    (place / "game.tw-pddl").write_text(json.dumps({"solvable": True}))
    assert games_at(str(folder))[0].file == "game.tw-pddl"
    assert digest_of_games(str(folder), games_at) != before
    place.parent.rename(folder / "pick_and_place_with_movable_recep-Cup-1")
    assert len(games_at(str(folder))) == 1


def test_what_is_not_a_folder_of_games_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidParameters, match="holds no game"):
        games_at(str(tmp_path))
    with pytest.raises(InvalidParameters, match="must be a folder"):
        games_at(str(tmp_path / "none"))
    (tmp_path / "traj_data.json").write_text("[")
    with pytest.raises(InvalidParameters, match="as JSON"):
        games_at(str(tmp_path))
