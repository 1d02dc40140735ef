"""geometry-v0: which answers are read, and which count."""

from __future__ import annotations

from fractions import Fraction

import pytest

from envhub.envs.pictures.geometry.environment import Geometry
from envhub.envs.pictures.geometry.surds import Surd
from envhub.gymnasium.env import Env
from tests.envs.pictures.geometry_by_newton import value_of
from tests.envs.pictures.test_geometry import begun, instance


def solves(env: Env, text: str) -> bool:
    return bool(env.fork().step(f"<answer>{text}</answer>")[4]["verdict"]["solved"])


def with_answer(kind: str, key: str) -> Env:
    """An episode whose answer has this form."""
    for seed in range(200):
        env = begun(4, seed)
        if env.task.problem["asked"]["kind"] == kind and (key in instance(env).key) == bool(key == "sqrt"):
            return env
    raise AssertionError(f"no {kind}")


def test_an_angle_is_read_in_every_usual_form() -> None:
    env = with_answer("angle", "other")
    key = instance(env).key
    name = "".join(env.task.problem["asked"]["of"])
    for text in (
        key,
        f"{key}\u00b0",
        f"{key} degrees",
        f"{key}^\\circ",
        f"\\angle {name} = {key}^{{\\circ}}",
        f"x = {key}",
        f"\\theta = {key}\u02da",
        f"\u03b8 = {key}",
    ):
        assert solves(env, text), text
    for text in (
        f"{key}1",
        f"{key} + 1",
        f"-{key}",
        f"{key} radians",
        f"{key} units",
        f"{key} square units",
        f"{key}% ",
        f"{key} or 90",
        "",
        "angle",
        f"2*{key}",
    ):
        assert not solves(env, text), text


def test_a_root_is_read_in_every_usual_form_but_not_rounded() -> None:
    env = with_answer("length", "sqrt")
    key = instance(env).key
    value = value_of(key)
    name = "".join(env.task.problem["asked"]["of"])
    latex = key.replace("sqrt(", "\\sqrt{").replace(")", "}")
    for text in (key, latex, f"{name} = {key}", f"{key} units", f"sqrt(({key})^2)"):
        assert solves(env, text), text
    for text in (
        f"{value:.4f}",
        f"{value!r}",
        f"{key}\u00b0",
        f"{key} square units",
        f"{key} units^2",
        f"{key} cm",
        f"-({key})",
        f"{key} + 0.0000001",
        f"{key} = {value:.3f}",
    ):
        assert not solves(env, text), text


def test_an_area_may_be_given_in_square_units() -> None:
    env = with_answer("area", "other")
    key = instance(env).key
    for text in (key, f"{key} square units", f"{key} units^2", f"{key} sq. units"):
        assert solves(env, text), text
    for text in (f"{key} degrees", f"{key} square degrees", f"{key} cm^2", f"{key}^2 units"):
        assert not solves(env, text), text


def test_a_refusal_names_what_to_change() -> None:
    env = with_answer("length", "sqrt")
    key = instance(env).key
    for text, word in (
        (f"{key} cm", "units"),
        ("about 7", "words"),
        ("7 1/2", "sum"),
        (f"{key} \u2248 8.66", "\u2248"),
    ):
        assert word in env.fork().step(f"<answer>{text}</answer>")[0], text


def test_a_quantity_may_be_named_in_words() -> None:
    env = with_answer("length", "sqrt")
    key, name = instance(env).key, "".join(env.task.problem["asked"]["of"])
    for text in ("length", f"The length of {name}", f"length of segment {name}", f"\\text{{Length}} {name}"):
        assert solves(env, f"{text} = {key}"), text
    for text in (f"2{name}", f"{name}^2", f"{name} + 1", "perimeter", "5"):
        assert not solves(env, f"{text} = {key}"), text


def test_nested_roots_are_decided() -> None:
    env = with_answer("length", "sqrt")
    key = instance(env).key
    zero = "sqrt(3+2*sqrt(2)) - 1 - sqrt(2)"
    for text in (f"{key} + {zero}", f"sqrt(({key})^2 + {zero})", f"({key})*sqrt(3+2*sqrt(2))*(sqrt(2)-1)"):
        assert solves(env, text), text
    for text in (f"{key} + {zero} + 10^(-900)", f"{key} + 10^(-3900)", f"({key})/({zero})", f"1/({zero})"):
        verdict = env.fork().step(f"<answer>{text}</answer>")[4]["verdict"]
        assert (verdict["status"], verdict["score"]) == ("graded", 0.0), text


def test_an_answer_that_cannot_be_decided_does_not_escape_the_verdict() -> None:
    env = with_answer("length", "sqrt")
    roots = "+".join(f"sqrt({p})" for p in (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61))
    out = env.fork().step(f"<answer>1/(sqrt(({roots})^2)-({roots}))</answer>")
    assert out[4]["verdict"]["status"] == "graded"
    assert out[1] == 0.0
    assert "fewer roots" in out[0]


@pytest.mark.parametrize("head", ["angle ", "m angle ", "the ", "\\text{", "( ", "S_", "a ", "|", "of "])
def test_a_long_name_is_read_in_linear_time(head: str) -> None:
    """A backtracking pattern would take years."""
    assert Geometry.answer.named(f"{head * (20_000 // len(head))}! = 5")[0] == ""


def test_no_function_but_the_root_is_read() -> None:
    env = with_answer("angle", "other")
    for text in ("arccos(1/2)", "180/pi*acos(0.5)", "30 + i", "x", "1/0", "oo", "10^10^10", "sqrt(-1)"):
        assert not env.fork().step(f"<answer>{text}</answer>")[4]["verdict"]["solved"], text


def test_surds() -> None:
    two = Surd.root(Fraction(2))
    assert two is not None
    one_and_two = Surd.of(1).plus(two)
    inverse = one_and_two.inverse()
    assert inverse is not None
    assert one_and_two.times(inverse) == Surd.of(1)
    assert inverse.text() == "-1 + sqrt(2)"
    assert two.times(two) == Surd.of(2)
    assert one_and_two.squared_root() is None
    assert Surd.root(Fraction(-1)) is None
    half = Surd.root(Fraction(147, 4))
    assert half is not None
    assert half.text() == "7sqrt(3)/2"
    assert abs(float(half) ** 2 - 36.75) < 1e-12
