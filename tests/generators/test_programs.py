"""Programs of pipelines: words, our functions and the program's text say the same, and the cases tell it from what is near."""

from __future__ import annotations

import ast
import copy
import re
from typing import Any

import pytest

from envhub.core.seeding import Stream
from envhub.generators.programs.bugs import plant
from envhub.generators.programs.kind import draw_inputs
from envhub.generators.programs.kinds import INTS
from envhub.generators.programs.mutate import ENDLESS, Raised, changed, compiled, places, run
from envhub.generators.programs.pipeline import NAME, PARTS, Pipeline, draw_pipeline
from envhub.generators.programs.specialise import specialise


def one(name: str, rules: int, number: int) -> Pipeline:
    part = PARTS[name]
    return Pipeline(((part, part.draw(Stream(b"tests", name, rules, number), rules)),))


def inputs(pipeline: Pipeline, name: str, rng: Stream, count: int = 30) -> list[Any]:
    """Inputs of a part; those of a part that takes what another makes are like the inputs of that kind."""
    return draw_inputs(rng, pipeline.takes, count)


def drawn(steps: int, rules: int, number: int) -> tuple[Pipeline, list[Any]]:
    tries = (draw_pipeline(Stream(b"tests", steps, rules, number, t), steps, rules, 1, 2_000) for t in range(5))
    return next(found for found in tries if found is not None)


# -- parts -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", range(4))
@pytest.mark.parametrize("name", PARTS)
def test_the_program_of_a_part_does_what_our_function_does_and_spoils_nothing(name: str, rules: int) -> None:
    for number in range(8):
        pipeline = one(name, rules, number)
        space: dict[str, Any] = {}
        exec(pipeline.source(), space)
        bounded = compiled(pipeline.tree, NAME)
        for args in inputs(pipeline, name, Stream(b"tests", "inputs", number)):
            before = copy.deepcopy(args)
            right = pipeline.run(args)
            assert args == before
            assert repr(space[NAME](*copy.deepcopy(args))) == repr(right) == repr(run(bounded, args))


@pytest.mark.parametrize("name", PARTS)
def test_every_parameter_is_in_the_words_of_a_part(name: str) -> None:
    part = PARTS[name]
    for number in range(20):
        params = part.draw(Stream(b"words", name, number), 3)
        words = part.spec(params)
        assert "None" not in words
        assert "  " not in words
        for key, value in params.items():
            if type(value) is int:
                told = (
                    {value, abs(value), 2 * value, value - 1, 2**value - 1}
                    if key in ("width", "turn")
                    else {value, abs(value)}
                )
                one = value == 1 and "the first character" in words
                assert one or any(re.search(rf"(?<![0-9]){number}(?![0-9])", words) for number in told), (
                    key,
                    value,
                    words,
                )
        params = part.draw(Stream(b"rule", name, number), 1)
        for rule in part.rules.keys() & params.keys():
            rest = {key: value for key, value in params.items() if key != rule}
            assert part.spec(rest) != part.spec(params), f"{rule} is not in the words"


def test_there_are_many_families_and_each_kind_of_input_has_some() -> None:
    assert len(PARTS) >= 40
    assert len({id(part.takes) for part in PARTS.values()}) >= 8


def example(xs: list[int], m: int, most: int | None = None, odd: bool = False) -> list[int]:
    kept: list[int] = []
    for x in xs:
        if x % m == 0 and (not odd or x % 2 == 1):
            kept.append(x)
    if most is not None:
        kept = kept[: most - 1]
    elif m:
        kept = kept[1:]
    return kept if odd else kept[::-1]


def text(**params: Any) -> str:
    return ast.unparse(specialise(example, params, "f"))


def test_what_can_never_run_is_dropped() -> None:
    assert text(m=3) == (
        "def f(xs):\n    kept = []\n    for x in xs:\n        if x % 3 == 0:\n            kept.append(x)\n"
        "    kept = kept[1:]\n    return kept[::-1]"
    )
    assert text(m=-3, most=5, odd=True) == (
        "def f(xs):\n    kept = []\n    for x in xs:\n        if x % -3 == 0 and x % 2 == 1:\n            kept.append(x)\n"
        "    kept = kept[:4]\n    return kept"
    )
    assert text(m=2) == text(m=2, most=None, odd=False) != text(m=2, odd=True)  # and the function itself is as it was


# -- pipelines -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("steps", "rules"), [(1, 0), (1, 2), (2, 1), (3, 2), (5, 3)])
def test_a_pipeline_does_what_its_program_does(steps: int, rules: int) -> None:
    for number in range(6):
        pipeline, cases = drawn(steps, rules, number)
        assert len(pipeline.steps) == steps
        space: dict[str, Any] = {}
        exec(pipeline.source(), space)
        assert len(set(map(repr, cases))) == len(cases) >= 16
        for args in cases:
            assert repr(space[NAME](*copy.deepcopy(args))) == repr(pipeline.run(args))
        assert Pipeline.from_json(pipeline.to_json()) == pipeline
        assert steps == 1 or len(pipeline.run(cases[0])) == steps


@pytest.mark.parametrize("steps", [1, 3])
def test_no_rule_can_be_left_out_and_no_number_be_another_unnoticed(steps: int) -> None:
    for number in range(6):
        pipeline, cases = drawn(steps, 2, number)
        right = [pipeline.run(args) for args in cases]
        for at, (part, params) in enumerate(pipeline.steps):
            for rule in part.rules:
                if rule in params:
                    less = {key: value for key, value in params.items() if key != rule}
                    other = Pipeline((*pipeline.steps[:at], (part, less), *pipeline.steps[at + 1 :]))
                    assert sum(trial(other, args) != value for args, value in zip(cases, right, strict=True)) >= 2
            for key, value in params.items():
                if type(value) is int and value > 2:
                    more = Pipeline(
                        (*pipeline.steps[:at], (part, {**params, key: value + 1}), *pipeline.steps[at + 1 :])
                    )
                    assert any(trial(more, args) != told for args, told in zip(cases, right, strict=True))


def trial(pipeline: Pipeline, args: Any) -> Any:
    try:
        return pipeline.run(args)
    except (IndexError, ValueError):
        return None


def test_a_constant_is_right_for_few_cases() -> None:
    for number in range(20):
        pipeline, cases = drawn(1 + number % 3, 1, number)
        results = [repr(pipeline.run(args)) for args in cases]
        assert max(map(results.count, results)) <= len(results) // 2


def test_nearly_every_change_of_a_program_is_noticed() -> None:
    noticed = tried = 0
    for number in range(12):
        pipeline, cases = drawn(1 + number % 2, 2, number)
        right = [pipeline.run(args) for args in cases]
        rng = Stream(b"tests", "changes", number)
        sites = places(pipeline.tree)
        for site in rng.sample(sites, min(20, len(sites))):
            function = compiled(changed(pipeline.tree, [site]), NAME)
            tried += 1
            noticed += any(repr(run(function, args)) != repr(value) for args, value in zip(cases, right, strict=True))
    assert noticed >= 0.9 * tried  # the others hardly change what the program does


def test_inputs_differ_and_none_is_one_that_is_not_wanted() -> None:
    first = draw_inputs(Stream(b"a"), INTS, 20)
    assert first[0] == ([],)
    second = draw_inputs(Stream(b"a"), INTS, 20, without=first[:10])
    assert not [args for args in second if args in first[:10]]


# -- bugs --------------------------------------------------------------------------------------------------------------


def program(body: str) -> ast.Module:
    return ast.parse(f"def solve(x):\n    {body}")


@pytest.mark.parametrize(
    ("body", "gives"),
    [
        ("return x + 1", 4),
        ("while True:\n        x = x", ENDLESS),
        ("while True:\n        x = x * x", ENDLESS),
        ("for y in range(10 ** 9):\n        x = y", ENDLESS),
        ("s = 'ab'\n    while True:\n        s += s", ENDLESS),
        ("return x // 0", Raised("ZeroDivisionError")),
        ("return y", Raised("NameError")),
        ("return [][x]", Raised("IndexError")),
        ("return open('x')", Raised("NameError")),
        ("return __import__('os')", Raised("NameError")),
    ],
)
def test_a_run_always_ends_and_knows_little(body: str, gives: Any) -> None:
    assert run(compiled(program(body), "solve"), (3,)) == gives


def test_every_way_of_changing_changes_one_place_and_not_the_program_itself() -> None:
    pipeline, _ = drawn(3, 3, 5)
    before = pipeline.source()
    kinds = set()
    for site in places(pipeline.tree):
        after = ast.unparse(changed(pipeline.tree, [site]))
        kinds.add(site[1])
        assert after != before
        assert abs(len(after.splitlines()) - len(before.splitlines())) <= 3
        compile(after, "<changed>", "exec")
    assert pipeline.source() == before
    assert len(kinds) >= 5


@pytest.mark.parametrize("bugs", [1, 2, 3])
def test_planted_bugs_are_noticed_and_not_everywhere(bugs: int) -> None:
    planted = 0
    for number in range(8):
        pipeline, cases = drawn(1 + bugs, 2, number)
        bugged = plant(Stream(b"tests", "bugs", number), pipeline, cases, bugs)
        if bugged is None:
            continue
        planted += 1
        space: dict[str, Any] = {}
        exec(bugged.source, space)
        function = compiled(ast.parse(bugged.source), NAME)
        wrong = [repr(run(function, args)) != repr(pipeline.run(args)) for args in cases]
        assert 2 <= sum(wrong) < len(cases)
        assert tuple(bugged.args) not in cases
        assert bugged.expected == pipeline.run(tuple(bugged.args))
        found = run(function, bugged.args)
        assert found == (Raised(bugged.gives) if bugged.raises else bugged.gives) != bugged.expected
    assert planted >= 6
