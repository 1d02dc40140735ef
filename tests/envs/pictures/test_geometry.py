"""geometry-v0: answers by Newton's method, theorems in other figures, drawings, and answers that must not count."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from functools import cache
from math import hypot, prod
from random import Random
from typing import Any

import pytest

import envhub
from envhub.authoring.wording import PLAIN
from envhub.core.seeding import Stream
from envhub.core.types import Instance
from envhub.envs.pictures.geometry import construct, figure as figure_module, growing, problem as problem_module
from envhub.envs.pictures.geometry.construct import built
from envhub.envs.pictures.geometry.deduction import Deduction
from envhub.envs.pictures.geometry.environment import Geometry
from envhub.envs.pictures.geometry.figure import Figure, Impossible
from envhub.envs.pictures.geometry.growing import grown
from envhub.envs.pictures.geometry.picture import drawn
from envhub.envs.pictures.geometry.posing import is_clear, posed, right_angles, theory
from envhub.envs.pictures.geometry.statements import Statement
from envhub.envs.pictures.geometry.surds import Surd
from envhub.gymnasium.env import Env
from envhub.scenes import Oval, Text
from tests.envs.pictures.geometry_by_newton import Solution, measured, read, similar, solved, value_of

STARTS = ((0, 0), (3, 1), (8, 2), (5, 3), (3, 4), (10, 5), (2, 6), (6, 7))
"""How far in pixels the start is from the drawing, and the seed of it."""


@cache
def begun(level: int, seed: int) -> Env:
    """An episode that tests share; they step in forks of it."""
    env = envhub.make("geometry-v0", difficulty=level)
    env.reset(seed=seed)
    return env


def instance(env: Env) -> Instance:
    return env.episode.instance


def stated(env: Env) -> Any:
    """What the prompt states, and where the drawing is."""
    return read(env.environment.worded(env.task.problem, PLAIN), env.task.problem)


def met(problem: Any, count: int, skip: int | None = None) -> list[Solution]:
    """Figures of different shapes with the same givens; none if there are fewer.

    If the givens leave one shape only, as many starts must lead to figures, and each shape is listed once.
    """
    shapes: list[Solution] = []
    starts = 0
    for shake, seed in STARTS:
        one = solved(problem, shake, seed, skip)
        if one is None:
            continue
        starts += 1
        if not any(similar(one.at, other.at) for other in shapes):
            shapes.append(one)
        if len(shapes) == count or (one.fixed and starts == count):
            return shapes
    return []


def found(problem: Any, count: int, skip: int | None = None) -> list[float]:
    """The asked value in figures with the same givens."""
    asked = problem["asked"]
    return [measured(one.at, asked["kind"], asked["of"]) for one in met(problem, count, skip)]


def agree(level: int, seed: int) -> bool | None:
    """Whether figures with the givens have the answer; None if too few were found."""
    env = begun(level, seed)
    key = value_of(instance(env).key)
    values = found(stated(env), 2)
    return all(abs(value - key) < 1e-5 * max(1.0, key) for value in values) if values else None


def test_figures_are_of_different_shapes_unless_the_givens_leave_one() -> None:
    sizes: Counter[int] = Counter()
    for seed in range(12):
        figures = met(stated(begun(2, seed)), 2)
        sizes[len(figures)] += 1
        assert len(figures) != 1 or figures[0].fixed
        assert len(figures) != 2 or not similar(figures[0].at, figures[1].at)
    assert sizes[1] >= 2
    assert sizes[2] >= 2


def test_a_turned_figure_is_similar_and_a_stretched_one_is_not() -> None:
    at = {"A": (0.0, 0.0), "B": (3.0, 0.0), "C": (1.0, 2.0)}
    assert similar(at, {name: (5 - 2 * y, 1 + 2 * x) for name, (x, y) in at.items()})
    assert not similar(at, {name: (1.01 * x, y) for name, (x, y) in at.items()})


def test_figures_that_were_found_numerically_have_the_answer() -> None:
    verdicts = [agree(level, seed) for level, seed in ((1, 0), (2, 1), (4, 2), (4, 3))]
    assert False not in verdicts
    assert verdicts.count(True) >= 3


@pytest.mark.nightly
@pytest.mark.parametrize("level", range(1, 11))
def test_many_figures_that_were_found_numerically_have_the_answer(level: int) -> None:
    verdicts = [agree(level, seed) for seed in range(60)]
    assert False not in verdicts
    assert verdicts.count(True) >= 54


def test_the_prompt_states_what_the_problem_says() -> None:
    for seed in range(16):
        env = begun(4, seed)
        problem, said = env.task.problem, stated(env)
        for name in ("lines", "right", "halves", "regular", "givens"):
            assert said[name] == problem[name]
        assert [*map(list, said["parallel"])] == problem["parallel"]
        assert [*map(list, said["tangents"])] == problem["tangents"]
        assert [[list(pair) for pair in group] for group in said["equal"]] == problem["equal"]
        assert [(one["centre"], one["points"]) for one in said["circles"]] == [
            (one["centre"], one["points"]) for one in problem["circles"]
        ]
        assert said["asked"]["kind"] == problem["asked"]["kind"]
        assert said["asked"]["of"] == problem["asked"]["of"]


def test_without_one_of_the_givens_the_answer_varies() -> None:
    checked = 0
    for seed in range(8):
        problem = stated(begun(2, seed))
        if all(one["kind"] == "angle" for one in problem["givens"]) and problem["asked"]["kind"] == "angle":
            values = found(problem, 3, skip=0)
            checked += len(values) == 3
            assert len(values) < 3 or max(values) - min(values) > 1e-3
    assert checked


# -- theorems ----------------------------------------------------------------------------------------------------------


def holds(figure: Figure, one: Statement) -> bool:
    """Whether a statement is true of measured values."""
    values = [(figure.measure(quantity), factor) for quantity, factor in one.terms]
    if one.form == "product":
        return abs(prod(value**power for value, power in values) / float(one.constant) - 1) < 1e-6
    power = 2 if one.form == "squares" else 1
    size = max(1.0, *(value**power for value, _ in values))
    return abs(sum(factor * value**power for value, factor in values) - float(one.constant)) < 1e-6 * size


def applies(figure: Figure, one: Statement) -> bool:
    """Whether the premises of a statement are true of measured values."""
    return all(abs(figure.measure(quantity) - float(value)) < 1e-7 for quantity, value in one.known) and all(
        abs(figure.measure(a) - figure.measure(b)) < 1e-7 for a, b in one.same
    )


def others(rng: Stream, steps: Any, figure: Figure) -> list[Figure]:
    """Figures of the same construction with other numbers, in the same order."""
    order, made = figure.order(), []
    for _ in range(4):
        changed = [s._replace(numbers=tuple(n * (1 + rng.between(-25, 25) / 100) for n in s.numbers)) for s in steps]
        try:
            other = built(changed)
        except Impossible:
            continue
        other.forget()
        if other.lines == figure.lines and is_clear(other) and other.order() == order:
            made.append(other)
    return made


def checked(count: int) -> Counter[str]:
    """How often each theorem was true; it must always be."""
    seen: Counter[str] = Counter()
    for at in range(count):
        rng = Stream(at.to_bytes(4, "big"), "theorems")
        growth = grown(rng, at % 5)
        if growth is None or not is_clear(growth.figure):
            continue
        statements, _ = theory(growth.figure)
        for figure in (growth.figure, *others(rng, growth.steps, growth.figure)):
            for one in statements:
                if applies(figure, one):
                    assert holds(figure, one), (one, growth.steps)
                    seen[one.theorem] += 1
    return seen


def test_theorems_hold_in_every_figure_of_a_construction() -> None:
    assert len(checked(40)) >= 25


@pytest.mark.nightly
def test_theorems_hold_in_many_figures() -> None:
    assert len(checked(3000)) >= 38


def test_a_wrong_theorem_would_be_seen() -> None:
    growth = grown(Stream(b"\3", "theorems"), 0)
    assert growth is not None
    statements, _ = theory(growth.figure)
    one = next(one for one in statements if one.theorem == "angle sum of a triangle")
    assert holds(growth.figure, one)
    assert not holds(growth.figure, one._replace(constant=Surd.of(181)))


def test_levels_ask_by_many_theorems() -> None:
    last: Counter[str] = Counter()
    every: Counter[str] = Counter()
    for at in range(90):
        question = posed(Stream(at.to_bytes(4, "big"), "many"), 2, at % 2)
        if question is not None:
            last[question.theorems[0]] += 1
            every.update(question.theorems)
    assert len(last) >= 8
    assert len(every) >= 12
    assert max(last.values()) <= sum(last.values()) / 3


def test_every_given_value_is_needed_and_the_number_of_steps_is_as_asked() -> None:
    asked = 0
    for at in range(25):
        question = posed(Stream(at.to_bytes(4, "big"), "needed"), 2, 2)
        if question is None:
            continue
        statements, equalities = theory(question.figure)
        right = {angle: Surd.of(90) for angle in right_angles(question.figure)}
        for left_out in (None, *question.givens):
            deduction = Deduction(statements, equalities)
            deduction.run({**right, **{one: value for one, value in question.givens.items() if one != left_out}})
            assert (question.asked in deduction.values) == (left_out is None)
        assert len(question.theorems) == 2
        asked += 1
    assert asked >= 5


# -- other machines ----------------------------------------------------------------------------------------------------


def inexact(function: Callable[..., Any], rng: Random) -> Callable[..., Any]:
    """A function whose last digits are wrong, as in another mathematics library."""

    def wrong(value: float) -> float:
        return value * (1 + rng.choice((-2, -1, 0, 1, 2)) * 1.1e-16) + rng.choice((-1, 0, 1)) * 1e-17

    def replaced(*arguments: Any) -> Any:
        value = function(*arguments)
        return complex(wrong(value.real), wrong(value.imag)) if isinstance(value, complex) else wrong(value)

    return replaced


def tasks(levels: tuple[int, ...], count: int) -> list[str]:
    """Problems and answers, drawn from streams."""
    rules, made = Geometry(), []
    for level in levels:
        params = Geometry.Params.at(level)
        made += [json.dumps(rules.draw(Stream(bytes([k]), "digits", level), params)) for k in range(count)]
    return made


@pytest.mark.parametrize("count", [6, pytest.param(60, marks=pytest.mark.nightly)])
def test_tasks_do_not_depend_on_the_last_digits_of_floats(count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    levels = (1, 4) if count < 10 else (1, 3, 5, 6, 8)
    before, rng = tasks(levels, count), Random(5)
    for name in ("cos", "sin", "tan", "hypot", "atan2", "phase", "degrees", "radians", "unit"):
        monkeypatch.setattr(construct, name, inexact(getattr(construct, name), rng))
    for module, name in ((problem_module, "unit"), (figure_module, "degrees"), (growing, "phase"), (growing, "tan")):
        monkeypatch.setattr(module, name, inexact(getattr(module, name), rng))
    monkeypatch.setattr(figure_module.cmath, "phase", inexact(figure_module.cmath.phase, rng))
    assert tasks(levels, count) == before


# -- prompts and drawings ----------------------------------------------------------------------------------------------


def test_the_text_beside_a_picture_states_no_givens() -> None:
    for seed in range(6):
        env = envhub.make("geometry-v0", difficulty=4, observation="image")
        prompt, info = env.reset(seed=seed)
        assert info["images"]
        problem = env.task.problem
        for one in problem["givens"]:
            assert f"{''.join(one['of'])} = " not in prompt
        assert not any("-".join(line) in prompt for line in problem["lines"])
        assert "not to scale" in prompt or "not drawn to scale" in prompt


def test_every_given_value_is_in_the_picture_once() -> None:
    for seed in range(12):
        problem = begun(4, seed).task.problem
        texts = Counter(shape.text for shape in drawn(problem).shapes if isinstance(shape, Text))
        wanted = Counter(
            one["value"].replace("sqrt(", "\u221a").replace(")", "") + ("\u00b0" if one["kind"] == "angle" else "")
            for one in problem["givens"]
        )
        assert all(texts[value] == count for value, count in wanted.items())
        assert all(texts[name] == 1 for name in problem["points"])


def test_labels_are_apart() -> None:
    for seed in range(12):
        labels = [shape for shape in drawn(begun(4, seed).task.problem).shapes if isinstance(shape, Text)]
        for at, one in enumerate(labels):
            assert all(hypot(one.x - other.x, one.y - other.y) > 12 for other in labels[:at])


def test_measuring_the_drawing_gives_wrong_answers() -> None:
    right = 0
    for seed in range(30):
        env = begun(4, seed)
        problem = env.task.problem
        at = {name: (float(x), float(y)) for name, (x, y) in problem["points"].items()}
        asked = measured(at, problem["asked"]["kind"], problem["asked"]["of"])
        if problem["asked"]["kind"] != "angle":
            known = next((one for one in problem["givens"] if one["kind"] == "length"), None)
            scale = value_of(known["value"]) / measured(at, "length", known["of"]) if known else 1.0
            asked *= scale ** (2 if problem["asked"]["kind"] == "area" else 1)
        right += abs(asked / value_of(instance(env).key) - 1) < 0.01
    assert right == 0


def test_the_answer_is_no_given_value() -> None:
    for seed in range(30):
        env = begun(4, seed)
        assert instance(env).key not in [one["value"] for one in env.task.problem["givens"]]


def test_circles_go_through_their_points() -> None:
    seen = 0
    for seed in range(30):
        problem = begun(4, seed).task.problem
        for one in problem["circles"]:
            x, y = one["middle"]
            assert any(isinstance(s, Oval) and (s.x, s.y, s.rx) == (x, y, one["radius"]) for s in drawn(problem).shapes)
            for name in one["points"]:
                p, q = problem["points"][name]
                assert abs(hypot(p - x, q - y) - one["radius"]) < 2
                seen += 1
    assert seen


def test_all_renderings_state_the_same() -> None:
    problem = begun(5, 2).task.problem
    env = begun(5, 2)
    stated: Any = env.environment.prompt(problem)
    texts = [render(problem) for render in stated.data]
    for one in problem["givens"]:
        assert all(f"{''.join(one['of'])} = {one['value']}" in text for text in texts)
    for line in problem["lines"]:
        assert all("-".join(line) in text or json.dumps(line) in text for text in texts)
