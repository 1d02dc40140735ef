"""A faster constructor for frozen dataclasses.

The constructor that ``dataclass(frozen=True)`` writes passes every field through ``object.__setattr__``, which takes three
times as long as an assignment. :func:`quick` replaces it. Nothing else changes: signature, defaults, equality, hash,
pickling, and that an instance cannot be changed::

    @quick
    @dataclass(frozen=True, slots=True)
    class Verdict: ...

An instance with slots is of a twin class that is not frozen while its fields are assigned. Only classes with instances in
every turn or task need it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, Field, fields
from typing import Any, TypeVar

T = TypeVar("T")


def quick(cls: type[T]) -> type[T]:
    """Give a frozen dataclass a constructor that assigns its fields.

    Raises:
        TypeError: It has a base class, code that runs after the constructor, or a field that is not a positional argument.
    """
    made: tuple[Field[Any], ...] = fields(cls)  # type: ignore[arg-type]
    positional = all(each.init and not each.kw_only for each in made)
    if cls.__bases__ != (object,) or hasattr(cls, "__post_init__") or not positional:
        raise TypeError(f"{cls.__name__} must be a dataclass without bases and __post_init__, with positional fields")
    slots = cls.__dict__.get("__slots__")
    space: dict[str, Any] = {"_Class": cls, "_set": object.__setattr__, "_slow": cls.__init__, "_MISSING": MISSING}
    if slots is not None:
        space["_Twin"] = type(f"_Open{cls.__name__}", (), {"__slots__": slots})
    exec(compile(_source(made, slots is not None, space), f"<{cls.__name__}>", "exec"), space)  # as dataclasses does
    init: Callable[..., None] = space["__init__"]
    init.__qualname__, init.__module__ = f"{cls.__qualname__}.__init__", cls.__module__
    init.__annotations__ = cls.__init__.__annotations__
    cls.__init__ = init  # type: ignore[method-assign]
    return cls


def _source(made: tuple[Field[Any], ...], slots: bool, space: dict[str, Any]) -> str:
    """The text of the constructor; its names are put into ``space``."""
    arguments, values = [], []
    for each in made:
        name, value, argument = each.name, each.name, each.name
        if each.default is not MISSING:
            space[f"_default_{name}"] = each.default
            argument = f"{name}=_default_{name}"
        elif each.default_factory is not MISSING:
            space[f"_make_{name}"] = each.default_factory
            argument = f"{name}=_MISSING"
            value = f"_make_{name}() if {name} is _MISSING else {name}"
        arguments.append(argument)
        values.append((name, value))
    head = f"def __init__(self, {', '.join(arguments)}):"
    if not slots:
        return "\n".join([head, " _own = self.__dict__", *(f" _own[{name!r}] = {value}" for name, value in values)])
    return "\n".join(
        [
            head,
            " if self.__class__ is not _Class:",  # an instance of a subclass has another layout
            f"  return _slow(self, {', '.join(value for _, value in values)})",
            " _set(self, '__class__', _Twin)",
            *(f" self.{name} = {value}" for name, value in values),
            " self.__class__ = _Class",
        ]
    )
