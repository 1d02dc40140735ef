"""Hidden cases of planned functions: plausible wrong programs fail, and hardly any mutant survives."""

from __future__ import annotations

import ast
import random
from functools import cache
from inspect import getsource
from typing import Any

import pytest

from envhub.core.difficulty import LEVELS
from envhub.core.seeding import Stream
from envhub.envs.code.synthesis import Params
from envhub.generators.programs.kind import Args
from envhub.generators.programs.kinds import FAR, INT, ITEMS
from envhub.generators.programs.mistakes import MISTAKES
from envhub.generators.programs.mutate import compiled, run
from envhub.generators.programs.pipeline import NAME, PARTS, Pipeline, draw_cases, draw_pipeline
from envhub.generators.programs.walk_kinds import GRAPH
from envhub.generators.programs.wrong import SLIPS, wrong_programs
from tests.envs.code import survival as measuring
from tests.envs.code.survival import Survival, outcome, survival

GREEDY = """
def solve(numbers):
    gains = [x - 2 + (x if x % 4 == 0 else 0) for x in numbers]
    taken = []
    for at in sorted(range(len(gains)), key=lambda at: -gains[at]):
        if gains[at] > 0 and all(abs(at - other) >= 2 for other in taken):
            taken.append(at)
    return sum(gains[at] for at in taken)
"""
SHORT_BLOCK = """
def solve(numbers):
    found = []
    for at in range(0, len(numbers), 5):
        block = numbers[at:at + 5]
        if len(block) == 5:
            block = block[4:] + block[:4]
        found += block[::-1]
    return found
"""
BACK_TO_START = """
def solve(count, edges, start):
    seen = [start]
    at = start
    while len(seen) <= 4:
        ways = {b for a, b in edges if a == at} | {a for a, b in edges if b == at}
        ways -= set(seen)
        if ways:
            at = min(ways)
            seen.append(at)
        elif at != start:
            at = start
        else:
            break
    return seen
"""
BOUND = """
def solve(numbers):
    total, found = 0, []
    for x in numbers:
        total = max(total + x, -15)
        if total >= 12:
            total = 0
        found.append(total)
    return found
"""
REPORTED: dict[str, tuple[list[Any], str]] = {
    "greedy for dynamic programming": ([["choose", {"apart": 2, "cost": 2, "twice": 4}]], GREEDY),
    "a short last block is not rotated": ([["rotate", {"by": 4, "block": 5, "flip": True}]], SHORT_BLOCK),
    "a walk goes back to the start": ([["walk", {"most": 4, "back": True}]], BACK_TO_START),
    "a bound is off by one": ([["totals", {"limit": 12, "floor": -15}]], BOUND),
}


@cache
def drawn(level: int, number: int) -> tuple[Pipeline, list[Args]]:
    p = Params.at(level)
    tries = (draw_pipeline(Stream(b"cases", level, number, t), p.steps, p.rules, p.least, p.most) for t in range(20))
    return next(found for found in tries if found is not None)


def passes(source: str, pipeline: Pipeline, cases: list[Args]) -> bool:
    """Whether a program is right for all of the cases."""
    space: dict[str, Any] = {}
    exec(source, space)
    return all(outcome(space[NAME], args) == repr(pipeline.run(args)) for args in cases)


@pytest.mark.parametrize("name", REPORTED)
def test_the_wrong_programs_that_once_passed_fail_whatever_is_drawn(name: str) -> None:
    content, wrong = REPORTED[name]
    pipeline = Pipeline.from_json(content)
    for number in range(6):
        cases = draw_cases(Stream(b"reported", name, number), pipeline)
        assert cases is not None
        assert not passes(wrong, pipeline, cases)
        assert passes(pipeline.source(), pipeline, cases)


def test_the_reported_inputs_tell_greedy_from_right() -> None:
    pipeline = Pipeline.from_json(REPORTED["greedy for dynamic programming"][0])
    assert pipeline.run(([33, 42, 42],)) == 71
    assert not passes(GREEDY, pipeline, [([33, 42, 42],)])


@pytest.mark.parametrize("level", [1, 2, 6])
def test_a_program_that_fails_for_one_size_or_character_fails(level: int) -> None:
    for number in range(8):
        pipeline, cases = drawn(level, number)
        values = [args[0] for args in cases]
        if pipeline.takes is GRAPH:
            assert set(range(1, 11)) <= set(values)
            assert set(range(23)) <= {len(edges) for _, edges, _ in cases}
            continue
        if pipeline.takes is INT:
            assert {0, 1, -1, FAR, -FAR} <= set(values)
            assert {(value < 0, len(str(abs(value)))) for value in values if abs(value) < FAR} >= {
                (negative, digits) for negative in (False, True) for digits in range(1, 6)
            }
            continue
        sizes = [1 + value.count(",") for value in values] if pipeline.takes is ITEMS else list(map(len, values))
        full = {"numbers": 14, "words": 10, "spans": 9, "grid": 6, "commands": 14, "text": 40}[pipeline.takes.names[0]]
        full = 9 if pipeline.takes is ITEMS else full
        assert set(range(2, full + 1)) <= set(sizes)
        assert sizes.count(full) >= 2
        assert sizes.count(1) >= 2
        if pipeline.takes.names == ("text",) and pipeline.takes is not ITEMS:
            for char in "azAZ09 ,.-:":
                assert sum(char in value for value in values) >= 2


@pytest.mark.parametrize("level", [1, 4, 8])
def test_at_least_five_plausible_wrong_programs_fail_at_every_step(level: int) -> None:
    for number in range(3):
        pipeline, cases = drawn(level, number)
        traces = [pipeline.trace(args) for args in cases]
        for at, (part, params) in enumerate(pipeline.steps):
            given = cases if at == 0 else [(trace[at - 1],) for trace in traces]
            noticed = 0
            for wrong in wrong_programs(Stream(b"wrong", level, number), part, params):
                fails = any(wrong.differs(args, trace[at]) for args, trace in zip(given, traces, strict=True))
                noticed += wrong.plausible and fails
            assert noticed >= 5, part.name


@pytest.mark.parametrize("name", PARTS)
def test_every_mistake_is_a_change_of_its_part_that_shows(name: str) -> None:
    """A mistake whose text is not in the part any more would be one that nobody looks for."""
    part = PARTS[name]
    source = getsource(part.run)
    assert len(MISTAKES[name]) >= 4
    assert len(SLIPS[part.takes]) >= 5
    for mistake in MISTAKES[name]:
        text = mistake if isinstance(mistake, str) else source.replace(*mistake)
        assert ast.dump(ast.parse(text)) != ast.dump(ast.parse(source)), mistake
        wrong = _loaded(text, name)
        shows = 0
        for number in range(24):
            rng = Stream(b"mistakes", name, number)
            params = part.draw(rng, number % 4)
            for at in range(0, len(part.takes.edges) + 20, 2):
                args = part.takes.arguments(rng, at, Pipeline(((part, params),)).hints)
                shows += repr(run(wrong, args, params)) != repr(part.run(*args, **params))
            if shows:
                break
        assert shows, mistake


def _loaded(text: str, name: str) -> Any:
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.arg):
            node.annotation = None
        elif isinstance(node, ast.FunctionDef):
            node.returns = None
    return compiled(tree, name)


# -- survival ----------------------------------------------------------------------------------------------------------


def measured(level: int, number: int, inputs: int) -> Survival:
    """50 mutants of the reference of a task, on its hidden cases."""
    pipeline, cases = drawn(level, number)
    rng = random.Random(f"{level} {number}")
    name = "items" if pipeline.takes is ITEMS else pipeline.takes.names[0]
    return survival(pipeline.source(), NAME, cases, measuring.arguments(name, rng, inputs), rng)


def test_hardly_any_mutant_survives() -> None:
    found = Survival()
    for level in (1, 2, 5):
        for number in range(4):
            found += measured(level, number, 400)
    assert found.failed + found.equal + len(found.survived) == 600
    assert found.equal <= 90
    assert found.share <= 0.01, found.survived


def test_the_measurement_sees_cases_that_are_too_few() -> None:
    found = Survival()
    for number in range(6):
        pipeline, cases = drawn(2, number)
        rng = random.Random(number)
        name = "items" if pipeline.takes is ITEMS else pipeline.takes.names[0]
        found += survival(pipeline.source(), NAME, cases[:6], measuring.arguments(name, rng, 400), rng)
    assert found.share > 0.05


@pytest.mark.nightly
@pytest.mark.parametrize("level", LEVELS)
def test_at_most_one_mutant_of_a_hundred_survives(level: int) -> None:
    found = Survival()
    for number in range(20):
        found += measured(level, number, 4_000)
    assert found.share <= 0.01, found.survived
