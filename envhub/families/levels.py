"""Level tables: the parameters of an environment as one line each.

::

    Params = levels(
        size=knob("side of the grid", 4, 4, 5, 5, 6, 6, 7, 7, 8, 9),
        diagonal=knob("whether the diagonals count as well", *[False] * 5, *[True] * 5),
        variant=knob("kind of rule", *["plain"] * 10, choices=("plain", "diagonal")),
    )

Each knob has a note for ``envhub info`` and one value per level. A whole number may take any value between the
smallest and the largest of the table; ``at_least`` and ``at_most`` widen these bounds.
"""

from __future__ import annotations

from typing import Any, ClassVar, Literal, NamedTuple, Self

from pydantic import Field, create_model

from envhub.core.difficulty import DEFAULT_LEVEL, LEVELS, BaseParams

Setting = int | bool | str


class Knob(NamedTuple):
    """One parameter of a level table.

    Attributes:
        note: What it is, for ``envhub info``.
        values: Its value at each of the ten levels.
        at_least: Smallest value that may be set by name; None for the table's smallest.
        at_most: Largest value that may be set by name; None for the table's largest.
        choices: For text: the allowed values; empty for those of the table.
    """

    note: str
    values: tuple[Setting, ...]
    at_least: int | None
    at_most: int | None
    choices: tuple[str, ...]


def knob(
    note: str,
    *values: Setting,
    at_least: int | None = None,
    at_most: int | None = None,
    choices: tuple[str, ...] = (),
) -> Knob:
    """A parameter with its ten values, or one value for all levels.

    Raises:
        ValueError: There are neither one nor ten values, or their types differ.
    """
    table = values * len(LEVELS) if len(values) == 1 else values
    if len(table) != len(LEVELS):
        raise ValueError(f"{note!r} needs 1 value or {len(LEVELS)}, one per level; got {len(values)}")
    if len({type(value) for value in table}) != 1:
        raise ValueError(f"the values of {note!r} must have one type, got {table}")
    return Knob(note, table, at_least, at_most, choices)


def levels(**knobs: Knob) -> type[BaseParams]:
    """The parameters class of a table.

    The default of a parameter is its value at the default level.
    """
    fields: dict[str, Any] = {name: _field(one) for name, one in knobs.items()}
    made = create_model("Params", __base__=_Table, **fields)
    made._rows = tuple({name: one.values[level - 1] for name, one in knobs.items()} for level in LEVELS)
    return made


class _Table(BaseParams):
    """Parameters of a level table."""

    _rows: ClassVar[tuple[dict[str, Setting], ...]] = ()

    @classmethod
    def at(cls, difficulty: int) -> Self:
        """The parameters of a level."""
        return cls(**cls._rows[difficulty - 1])


def _field(one: Knob) -> tuple[Any, Any]:
    default = one.values[DEFAULT_LEVEL - 1]
    if isinstance(default, bool):
        return bool, Field(default, description=one.note)
    if isinstance(default, str):
        allowed = one.choices or tuple(dict.fromkeys(map(str, one.values)))
        return Literal[allowed], Field(default, description=one.note)
    low = min(one.values) if one.at_least is None else one.at_least
    high = max(one.values) if one.at_most is None else one.at_most
    return int, Field(default, ge=low, le=high, description=one.note)
