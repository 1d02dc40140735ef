"""quick: the constructor of a frozen dataclass assigns its fields, and nothing else changes."""

from __future__ import annotations

import copy
import pickle
from dataclasses import FrozenInstanceError, asdict, dataclass, field, fields, replace
from inspect import signature
from typing import Any

import pytest

from envhub.authoring.wording import Wording
from envhub.core.frozen import quick
from envhub.core.seeding import TaskKey
from envhub.core.types import Task, Verdict


@dataclass(frozen=True, slots=True)
class Slow:
    a: Any
    b: int = 2
    c: dict[str, int] = field(default_factory=dict)
    d: Any = field(default=None, repr=False, compare=False)


Quick = quick(dataclass(frozen=True, slots=True)(type("Slow", (), {"__module__": __name__,
    "__annotations__": Slow.__annotations__, "b": 2, "c": field(default_factory=dict),
    "d": field(default=None, repr=False, compare=False)
})))  # fmt: skip
CALLS: list[tuple[tuple[Any, ...], dict[str, Any]]] = [
    ((1,), {}),
    ((1, 3), {"d": 4}),
    ((), {"a": None, "c": {"x": 1}}),
    ((1, 2, {}, 5), {}),
]


@pytest.mark.parametrize(("args", "named"), CALLS)
def test_it_makes_what_the_constructor_of_dataclasses_makes(args: Any, named: Any) -> None:
    ours, theirs = Quick(*args, **named), Slow(*args, **named)
    assert [getattr(ours, each.name) for each in fields(ours)] == [
        getattr(theirs, each.name) for each in fields(theirs)
    ]
    assert (type(ours), repr(ours), asdict(ours)) == (Quick, repr(theirs), asdict(theirs))
    assert ours == Quick(*args, **named)
    assert Quick(1).c is not Quick(1).c


@pytest.mark.parametrize(("args", "named"), [((), {}), ((1, 2, {}, 4, 5), {}), ((1,), {"a": 2}), ((1,), {"e": 2})])
def test_what_does_not_fit_the_fields_is_an_error_as_before(args: Any, named: Any) -> None:
    for cls in (Slow, Quick):
        with pytest.raises(TypeError):
            cls(*args, **named)


KEY = TaskKey("a-v0", {"n": 1}, "train", 3)
MADE = [Verdict(1.0, solved=True), Task(KEY, 1, "p", {}, "f"), KEY, Wording(7)]


@pytest.mark.parametrize("made", MADE, ids=lambda made: type(made).__name__)
def test_an_instance_cannot_be_changed_and_can_be_copied(made: Any) -> None:
    name = fields(made)[0].name
    with pytest.raises(FrozenInstanceError):
        setattr(made, name, None)
    with pytest.raises(FrozenInstanceError):
        delattr(made, name)
    for twin in (copy.copy(made), copy.deepcopy(made), pickle.loads(pickle.dumps(made)), replace(made)):
        assert twin == made
        assert type(twin) is type(made)
    assert replace(made, **{name: "other"}) != made
    assert list(signature(type(made)).parameters) == [each.name for each in fields(made)]


def test_an_instance_of_a_subclass_stays_one() -> None:
    class Mine(Verdict):
        pass

    mine = Mine(0.5)
    assert (type(mine), mine.score, mine.components) == (Mine, 0.5, {})
    with pytest.raises(FrozenInstanceError):
        mine.score = 1.0  # type: ignore[misc]


def test_what_it_could_not_make_is_refused() -> None:
    @dataclass(frozen=True, slots=True)
    class Checked:
        a: int

        def __post_init__(self) -> None:
            raise AssertionError

    @dataclass(frozen=True, slots=True)
    class Inherited(Slow):
        e: int = 0

    @dataclass(frozen=True, slots=True, kw_only=True)
    class Named:
        a: int

    for cls in (Checked, Inherited, Named):
        with pytest.raises(TypeError, match="must be a dataclass without bases"):
            quick(cls)
