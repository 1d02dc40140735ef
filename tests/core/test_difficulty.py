"""Difficulty: levels, ranges and schedules, and parameters that take nothing for anything else."""

from __future__ import annotations

import json
from typing import Any, ClassVar, Literal, Self

import pytest
from hypothesis import given, strategies as st
from pydantic import Field, model_validator

from envhub.core.difficulty import BaseParams, check_difficulty, dump, pick_level, rebuild, resolve
from envhub.core.errors import InvalidParameters
from envhub.core.seeding import Stream


class Params(BaseParams):
    size: int = Field(4, ge=1, le=50)
    ratio: float = 0.5
    shape: tuple[int, int] = (1, 2)
    mode: Literal["a", "b"] = "a"
    wild: bool = False
    name: str = ""

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        if self.shape[0] > self.shape[1]:
            raise ValueError("shape goes up")
        return self

    @classmethod
    def at(cls, difficulty: int) -> Self:
        return cls(size=difficulty * 2)


@pytest.mark.parametrize("good", [*range(1, 11), (1, 10), (3, 3), [2, 6]])
def test_levels_and_ranges_are_difficulties(good: Any) -> None:
    assert check_difficulty(good) == (tuple(good) if isinstance(good, list) else good)


BAD = [
    0,
    11,
    -1,
    3.0,
    float("nan"),
    "3",
    True,
    False,
    None,
    (1,),
    (1, 2, 3),
    (6, 2),
    (0, 5),
    (5, 11),
    (1.0, 2),
    (True, 3),
]


@pytest.mark.parametrize("bad", [*BAD, ("1", "2"), b"3", {}, {3}])
def test_nothing_else_is_a_difficulty(bad: Any) -> None:
    with pytest.raises(InvalidParameters, match=r"integer from 1 to 10, or a pair"):
        check_difficulty(bad)


def test_a_level_draws_nothing_and_a_range_draws_every_level() -> None:
    rng = Stream(b"levels")
    assert [pick_level(4, rng) for _ in range(5)] == [4] * 5
    assert rng.bits(64) == Stream(b"levels").bits(64)
    assert {pick_level((2, 5), rng) for _ in range(100)} == {2, 3, 4, 5}


@pytest.mark.parametrize("level", [0, 11, 3.0, True, None, "3"])
def test_a_schedule_is_held_to_the_same(level: Any) -> None:
    class Ramp:
        def pick(self, rng: Stream) -> Any:
            return level

    assert check_difficulty(Ramp()) is not None
    with pytest.raises(InvalidParameters, match=r"Ramp\.pick gave"):
        pick_level(check_difficulty(Ramp()), Stream(b""))


def test_a_schedule_may_draw() -> None:
    class Any_:
        def pick(self, rng: Stream) -> int:
            return rng.between(1, 10)

    assert len({pick_level(Any_(), Stream(b"s", i)) for i in range(50)}) > 7


def test_a_level_gives_parameters_and_names_override_it() -> None:
    assert resolve(Params, 3, {}) == Params(size=6)
    assert resolve(Params, None, {}) == Params()
    assert resolve(Params, 3, {"mode": "b"}) == Params(size=6, mode="b")
    assert resolve(Params, 3, {"size": 9}) == Params(size=9)
    assert (
        resolve(Params, 3, {"shape": [3, 4]}) == resolve(Params, 3, {"shape": (3, 4)}) == Params(size=6, shape=(3, 4))
    )
    assert resolve(Params, 3, {"ratio": 1}).ratio == 1.0


@pytest.mark.parametrize(
    ("overrides", "says"),
    [
        ({"sise": 3}, "No parameter 'sise'; there are: size, ratio.*Did you mean 'size'"),
        ({"size": "9"}, "size: .*got '9'"),
        ({"size": 3.0}, "size: "),
        ({"size": True}, "size: .*got True"),
        ({"size": None}, "size: .*got None"),
        ({"size": [3]}, "size: "),
        ({"size": 0}, "size: .*greater than or equal to 1.*got 0"),
        ({"size": 51}, "size: .*less than or equal to 50"),
        ({"ratio": "0.5"}, "ratio: "),
        ({"ratio": True}, "ratio: "),
        ({"ratio": float("nan")}, "not a JSON value"),
        ({"ratio": float("inf")}, "not a JSON value"),
        ({"ratio": object()}, "not a JSON value"),
        ({"name": "\ud800"}, "not a JSON value"),
        ({"name": 5}, "name: "),
        ({"name": b"x"}, "not a JSON value"),
        ({"mode": "c"}, "mode: .*'a' or 'b'"),
        ({"wild": 1}, "wild: "),
        ({"wild": "true"}, "wild: "),
        ({"shape": [1]}, "shape"),
        ({"shape": [1, 2, 3]}, "shape"),
        ({"shape": [2, 1]}, "shape goes up"),
    ],
)
def test_a_parameter_is_taken_for_nothing_else(overrides: dict[str, Any], says: str) -> None:
    with pytest.raises(InvalidParameters, match=says) as caught:
        resolve(Params, 3, overrides)
    assert "pydantic" not in str(caught.value)
    assert str(caught.value).endswith((".", "?"))


def test_every_problem_is_named_at_once() -> None:
    with pytest.raises(InvalidParameters, match=r"size: .*; ratio: "):
        resolve(Params, 3, {"size": "1", "ratio": "2"})


def test_parameters_are_frozen() -> None:
    with pytest.raises(ValueError, match="frozen"):
        Params().size = 3  # type: ignore[misc]


@given(
    st.builds(
        Params,
        size=st.integers(1, 50),
        ratio=st.floats(allow_nan=False, allow_infinity=False),
        shape=st.tuples(st.integers(), st.integers()).map(lambda t: (min(t), max(t))),
        mode=st.sampled_from(["a", "b"]),
        wild=st.booleans(),
        name=st.text(),
    )
)
def test_parameters_survive_a_key(params: Params) -> None:
    assert rebuild(Params, json.loads(json.dumps(dump(params)))) == params


def test_a_key_names_every_parameter() -> None:
    whole = dump(Params())
    with pytest.raises(InvalidParameters, match="lacks the parameters size, wild"):
        rebuild(Params, {k: v for k, v in whole.items() if k not in ("size", "wild")})
    with pytest.raises(InvalidParameters, match="Did you mean 'size'"):
        rebuild(Params, {**whole, "sise": 1})
    assert rebuild(BaseParams, {}) == BaseParams.at(5) == BaseParams()


class Grown(Params):
    later: ClassVar[frozenset[str]] = frozenset({"extra"})
    extra: str = "none"


def test_a_later_parameter_is_in_a_key_only_with_another_value() -> None:
    assert dump(Grown()) == dump(Params())
    assert rebuild(Grown, dump(Params())) == Grown()
    assert dump(Grown(extra="some")) == {**dump(Params()), "extra": "some"}
    assert rebuild(Grown, dump(Grown(extra="some"))).extra == "some"
    with pytest.raises(InvalidParameters, match="lacks"):
        rebuild(Params, {})
