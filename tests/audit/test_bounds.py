"""The check ``bounds``: settings that crash are found, settings that are refused are not."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import Field

from envhub.audit import Breach, Subject
from envhub.audit.bounds import check_bounds, corners
from envhub.core.difficulty import BaseParams
from envhub.core.errors import InvalidParameters
from envhub.core.seeding import Stream
from envhub.core.types import Instance
from envhub.envs.rule_based.arithmetic import Arithmetic
from envhub.registry.registry import register, unregister


class Params(BaseParams):
    """How many of how many."""

    chosen: int = Field(2, ge=1, le=5)
    items: int = Field(6, ge=3, le=9)
    twice: bool = False


class Sample(Arithmetic):
    """Chooses some of the items; five of three crash."""

    Params = Params

    def sample(self, rng: Stream, p: Any) -> Instance:
        return Instance({"chosen": rng.sample(range(p.items), p.chosen)}, key=0)


class Refused(Sample):
    """Says so."""

    def check(self, p: Any) -> None:
        if p.chosen > p.items:
            raise InvalidParameters("`chosen` must be at most `items`.")


class Endless(Refused):
    """Draws for ever where numbers are doubled."""

    def sample(self, rng: Stream, p: Any) -> Instance:
        while p.twice:
            rng.below(2)
        return super().sample(rng, p)


@pytest.mark.parametrize(("rules", "found"), [(Sample, True), (Refused, False), (Endless, False)])
def test_only_what_crashes_is_a_breach(rules: type[Sample], found: bool) -> None:
    register("bounds-v0", rules)
    try:
        if found:
            with pytest.raises(Breach, match=r"'chosen': 5, 'items': 3.*ValueError"):
                check_bounds(Subject("bounds-v0"))
        else:
            check_bounds(Subject("bounds-v0"))
    finally:
        unregister("bounds-v0")


def test_all_combinations_if_they_are_few() -> None:
    found = list(corners(Params, {}, 8))
    assert len(found) == 8
    assert {"chosen": 5, "items": 3, "twice": True} in found
    assert list(corners(Params, {"items": 4, "twice": False}, 8)) == [{"chosen": 1}, {"chosen": 5}]


def test_one_parameter_at_its_other_end_if_they_are_many() -> None:
    found = list(corners(Params, {}, 7))
    assert len(found) == 8
    assert {"chosen": 5, "items": 3, "twice": False} in found
    assert {"chosen": 1, "items": 9, "twice": True} in found
