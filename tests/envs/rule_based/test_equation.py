"""equation-v0: every solution counts, nothing else does."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import Any

import pytest

import envhub
from envhub.audit.controls import NASTY
from envhub.core.difficulty import LEVELS
from envhub.core.errors import InvalidParameters
from envhub.core.seeding import Stream
from envhub.core.types import JSON, Instance, Verdict
from envhub.envs.rule_based.equation.environment import Equation, Params
from envhub.envs.rule_based.equation.equations import solve


def instance(kind: str, unknowns: str, *equations: JSON) -> Instance:
    return Instance({"kind": kind, "unknowns": list(unknowns), "equations": list(equations)}, key="not consulted")


X: JSON = ["x"]
ONE: JSON = []
# 4*x = 3;  3*x^2 - 5*x - 2 = 0;  x^2 + 9 = 6*x;  x + y = 1 and 2*x - y = 1/2
LINEAR = instance("linear", "x", [[[4, 1, X]], [[3, 1, ONE]]])
QUADRATIC = instance("quadratic", "x", [[[3, 1, ["x", "x"]], [-5, 1, X], [-2, 1, ONE]], []])
DOUBLE = instance("quadratic", "x", [[[1, 1, ["x", "x"]], [9, 1, ONE]], [[6, 1, X]]])
SYSTEM = instance(
    "system", "xy", [[[1, 1, X], [1, 1, ["y"]]], [[1, 1, ONE]]], [[[2, 1, X], [-1, 1, ["y"]]], [[1, 2, ONE]]]
)


def verdict(text: str, inst: Instance) -> Verdict:
    turn: Any = Equation().advance(inst, None, f"<answer>{text}</answer>", None)  # type: ignore[arg-type]
    return turn.verdict  # type: ignore[no-any-return]


@pytest.mark.parametrize(
    ("inst", "text"),
    [
        (LINEAR, "x = 3/4"),
        (LINEAR, "0.75"),
        (LINEAR, "x = 6/8 = 3/4"),
        (QUADRATIC, "x = 2, x = -1/3"),
        (QUADRATIC, "x = -1/3 or x = 2"),
        (QUADRATIC, "-1/3, 2"),
        (QUADRATIC, "x_1 = 2, x_2 = -1/3"),
        (DOUBLE, "x = 3"),
        (DOUBLE, "x = 3, x = 3"),
        (SYSTEM, "x = 1/2, y = 1/2"),
        (SYSTEM, "(x, y) = (0.5, 1/2)"),
    ],
)
def test_all_solutions_in_any_form_solve(inst: Instance, text: str) -> None:
    assert verdict(text, inst).solved


@pytest.mark.parametrize(
    ("inst", "text"),
    [
        (LINEAR, "x = 4/3"),
        (LINEAR, "x = -3/4"),
        (LINEAR, "y = 3/4"),
        (LINEAR, "x = 3/4, y = 3/4"),
        (LINEAR, "x = 3/4, x = 4/3"),
        (LINEAR, "x = 3/4 or x = 4/3"),
        (LINEAR, "3/4, 4/3"),
        (LINEAR, "x = 0.7500001"),
        (QUADRATIC, "x = 2"),
        (QUADRATIC, "x = -1/3"),
        (QUADRATIC, "x = 2, x = -0.333333333333"),
        (QUADRATIC, "x = 2, x = 1/3"),
        (QUADRATIC, "x = 2, x = -1/3, x = 5"),
        (QUADRATIC, "y = 2, y = -1/3"),
        (DOUBLE, "x = 3, x = -3"),
        (DOUBLE, "x = \u00b13"),
        (SYSTEM, "x = 1/2"),
        (SYSTEM, "1/2"),
        (SYSTEM, "x = 1/2, y = 3/2"),
        (SYSTEM, "x = 1, y = 0"),
        (SYSTEM, "x = 0, y = -1/2"),
        (SYSTEM, "x = 1/2, y = 1/2, z = 1/2"),
        (SYSTEM, "x = 1/2, y = 1/2, y = 1"),
    ],
)
def test_what_is_wrong_lacking_or_too_much_does_not(inst: Instance, text: str) -> None:
    assert (verdict(text, inst).solved, verdict(text, inst).status) == (False, "graded")


@pytest.mark.parametrize("text", NASTY)
def test_nasty_texts_solve_nothing(text: str) -> None:
    for inst in (LINEAR, QUADRATIC, SYSTEM):
        assert (verdict(text, inst).solved, verdict(text, inst).score) == (False, 0.0)


@pytest.mark.parametrize("level", LEVELS)
def test_the_solutions_are_those_of_the_equations_that_are_shown(level: int) -> None:
    env = envhub.make("equation-v0", difficulty=level)
    for seed in range(8):
        env.reset(seed=seed)
        problem, params = env.task.problem, Params.at(level)
        solutions = solve(problem["equations"], problem["unknowns"]).solutions
        key = [tuple(Fraction(*pair) for pair in solution) for solution in env.episode.instance.key]
        assert key == solutions
        assert len(problem["unknowns"]) == len(problem["equations"]) == params.unknowns
        assert all(name in env.environment.worded(problem).partition("\n\n")[0] for name in problem["unknowns"])
        values = [f"{n} = {v}" for solution in solutions for n, v in zip(problem["unknowns"], solution, strict=True)]
        missing = values[:-1] or [f"{problem['unknowns'][0]} = 1/97"]
        assert not env.fork().step(f"<answer>{', '.join(missing)}</answer>")[4]["verdict"]["solved"]
        assert env.step(f"<answer>{', '.join(reversed(values))}</answer>")[1] == 1.0


def test_no_constant_answer_is_right_too_often() -> None:
    environment, params = Equation(), Params.at(1)
    made = [environment.sample(Stream(b"test", seed), params) for seed in range(1500)]
    found = Counter(str(inst.key) for inst in made if inst)
    assert max(found.values()) < 0.025 * len(made)  # 1/121 with some room for chance


def test_the_prompt_shows_the_equations_and_says_how_many_solutions_to_give() -> None:
    prompts = [Equation().worded(inst.problem) for inst in (LINEAR, QUADRATIC, SYSTEM)]
    assert "\n4*x = 3\n" in prompts[0]
    assert "\n3*x^2 - 5*x - 2 = 0\n" in prompts[1]
    assert "\nx + y = 1\n2*x - y = 1/2\n" in prompts[2]
    assert ["one or two solutions" in prompt for prompt in prompts] == [False, True, False]
    assert "equations for x and y" in prompts[2]


@pytest.mark.parametrize(
    "params",
    [
        {"kind": "linear", "unknowns": 2},
        {"kind": "quadratic", "unknowns": 2},
        {"kind": "system", "unknowns": 1},
        {"kind": "system", "unknowns": 5},
        {"kind": "cubic"},
        {"size": 1},
        {"nesting": 0},
    ],
)
def test_parameters_that_make_no_problem_are_refused(params: dict[str, Any]) -> None:
    with pytest.raises(InvalidParameters):
        envhub.make("equation-v0", **params)


def test_parameters_at_their_edges_give_problems() -> None:
    for params in (
        {"kind": "system", "unknowns": 4, "brackets": 6, "nesting": 4, "divisor": 100, "both_sides": True},
        {"kind": "quadratic", "size": 2, "denominator": 1000, "reach": 10_000, "brackets": 6, "nesting": 4},
        {"size": 2, "reach": 5},
    ):
        env = envhub.make("equation-v0", **params)
        for seed in range(3):
            env.reset(seed=seed)
            action = env.solve()
            assert env.step(action)[1] == 1.0


def test_higher_levels_are_more_work() -> None:
    def effort(level: int) -> float:
        environment, total = Equation(), 0.0
        for seed in range(20):
            inst = environment.sample(Stream(b"test", level, seed), Params.at(level))
            total += environment.effort(inst) if inst else 0.0
        return total

    efforts = [effort(level) for level in LEVELS]
    assert efforts == sorted(efforts)
