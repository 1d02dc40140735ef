"""A parsed game: objects, names, layers, rules, win conditions, levels.

All names are lower case. A ``Term`` is an object with an optional movement, as in ``> crate`` or ``no wall``::

    game = parse(text)
    game.rules[0].left        # ((( Term(">", "player"), ), ( Term("", "crate"), )), )
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

ABSOLUTE: Final = ("up", "down", "left", "right")
GROUPS: Final = {
    "horizontal": ("left", "right"),
    "vertical": ("up", "down"),
    "orthogonal": ("up", "down", "left", "right"),
    "moving": ("up", "down", "left", "right", "action"),
}
"""Words that stand for several directions; the last one only inside cells."""
RELATIVE: Final = ("<", ">", "^", "v", "parallel", "perpendicular")
MOVEMENTS: Final = frozenset((*ABSOLUTE, *GROUPS, *RELATIVE, "action", "stationary", "no"))
"""Words that may stand before an object in a cell."""
COMMANDS: Final = ("again", "cancel", "win", "message")
ELLIPSIS: Final = "..."


class PuzzleError(ValueError):
    """A text is not a game of the supported subset.

    The message names line and word.
    """

    def __init__(self, line: int, message: str) -> None:
        super().__init__(f"Line {line}: {message}")
        self.line = line


class Term(NamedTuple):
    """An object in a cell of a rule.

    Attributes:
        how: Its movement, ``no``, or nothing.
        name: Its name, or :data:`ELLIPSIS`, which stands alone in its cell.
    """

    how: str
    name: str


Cell = tuple[Term, ...]
Row = tuple[Cell, ...]
GAP: Final[Cell] = (Term("", ELLIPSIS),)
"""The cell that stands for any number of cells."""


class Rule(NamedTuple):
    """A line of the rules.

    Attributes:
        line: Its number in the file.
        group: The number of the line that begins its group.
        late: Whether it is applied after the movements.
        directions: The directions in which its rows are read.
        left: The rows that must match.
        right: What replaces them; empty if the rule only has commands.
        commands: Its commands, without messages and sounds.
        message: The text that is shown, or nothing.
        source: The line without comments.
    """

    line: int
    group: int
    late: bool
    directions: tuple[str, ...]
    left: tuple[Row, ...]
    right: tuple[Row, ...]
    commands: tuple[str, ...]
    message: str
    source: str


class Condition(NamedTuple):
    """A win condition: ``all crate on target``, ``some a``, ``no a on b``."""

    kind: str
    what: str
    on: str | None


@dataclass(frozen=True)
class Game:
    """A game.

    Attributes:
        title: Its title, or nothing.
        settings: The words of the prelude that change how it is played.
        objects: The names of its objects, in order.
        signs: The glyphs of levels, each with the objects of the cell.
        either: Names defined with ``or``, each with its objects.
        both: Names defined with ``and``, each with its objects.
        same: Names that stand for one object.
        layers: The objects of each collision layer.
        rules: The rules, in order.
        loops: The first and last line of each loop.
        wins: The win conditions.
        levels: The levels as rows of glyphs, each with its line in the file.
    """

    title: str
    settings: frozenset[str]
    objects: tuple[str, ...]
    signs: dict[str, tuple[str, ...]]
    either: dict[str, tuple[str, ...]]
    both: dict[str, tuple[str, ...]]
    same: dict[str, str]
    layers: tuple[tuple[str, ...], ...]
    rules: tuple[Rule, ...]
    loops: tuple[tuple[int, int], ...]
    wins: tuple[Condition, ...]
    levels: tuple[tuple[int, tuple[str, ...]], ...]

    def members(self, name: str) -> tuple[str, ...]:
        """The objects that a name may stand for."""
        return self.either.get(name) or self.both.get(name) or (self.same.get(name, name),)

    def layer(self, name: str) -> int:
        """The number of an object's layer."""
        return next(at for at, objects in enumerate(self.layers) if name in objects)

    def knows(self, name: str) -> bool:
        """Whether a name is defined."""
        return name in self.objects or name in self.either or name in self.both or name in self.same

    def single_layer(self, name: str) -> int | None:
        """The common layer of the objects of an ``or`` name."""
        found = {self.layer(each) for each in self.either[name]}
        return found.pop() if len(found) == 1 else None
