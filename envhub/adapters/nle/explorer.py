"""A script that explores NetHack's levels by what they show.

It walks to the nearest place from which something new may be seen, opens and kicks doors, searches where nothing is left, and
does what its task asks for on the way. It knows nothing of the seeds::

    Explorer("gold").next(glyphs, stats, message, [False, False, False])     # "far east"
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from typing import Any, Final

from nle import nethack

from envhub.adapters.nle.actions import MOVES

Cell = tuple[int, int]
_STEPS: Final[dict[str, Cell]] = dict(
    zip(MOVES, ((-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1)), strict=True)
)
_ROWS, _COLUMNS = nethack.DUNGEON_SHAPE
_STONE, _DOORWAY, _OPEN, _CLOSED = 0, 12, (13, 14), (15, 16)
_FLOOR: Final = frozenset({12, 13, 14, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 33})
_WALLS: Final = range(1, 12)
_DOWN: Final = (24, 26)
_IN_THE_WAY: Final = ("diagonal", "solid", "squeez", "vain", "can't", "a wall", "Perhaps", "no room", "not enough")


def _objects(letter: str) -> frozenset[int]:
    """The glyphs of a class of objects."""
    found = set()
    for number in range(nethack.NUM_OBJECTS):
        if nethack.objclass(number).oc_class == letter:
            found.add(nethack.GLYPH_OBJ_OFF + number)
    return frozenset(found)


_COIN_CLASS, _BOULDER_CLASS = chr(12), chr(14)
_COINS: Final = _objects(_COIN_CLASS)
_BOULDERS: Final = _objects(_BOULDER_CLASS)


class Explorer:
    """The script, with what it remembers.

    Args:
        task: Name of the task.
    """

    def __init__(self, task: str) -> None:
        self.task = task
        self._level: tuple[int, int] = (-1, -1)
        self._visited: set[Cell] = set()
        self._searched: dict[Cell, int] = {}
        self._locked: set[Cell] = set()
        self._blocked: dict[tuple[Cell, Cell], int] = {}
        self._last: tuple[Cell, str] | None = None
        self._kicking: str | None = None
        self._stairs: Cell | None = None
        self._heading: Cell | None = None

    def next(self, glyphs: Any, stats: Any, message: str, asked: Sequence[bool]) -> str:
        """The next action.

        Args:
            glyphs: NLE's glyphs.
            stats: NLE's bottom line.
            message: The game's message.
            asked: Whether it asks a question, asks for a line, and waits for a key.
        """
        question, line, waiting = asked
        if waiting and not question:
            return "more"
        if question or line:
            return self._answer(message)
        at = (int(stats[1]), int(stats[0]))
        level = (int(stats[nethack.NLE_BL_DNUM]), int(stats[nethack.NLE_BL_DLEVEL]))
        if level != self._level:
            self.__init__(self.task)  # type: ignore[misc]
            self._level = level
        self._visited.add(at)
        self._note(at, message)
        self._map = glyphs
        if self.task == "eat":
            return "eat"
        return self._step(at, glyphs)

    def _answer(self, message: str) -> str:
        if self._kicking is not None and "direction" in message:
            return self._kicking
        if self.task == "eat" and "want to eat" in message and "[" in message:
            letters = [sign for sign in message.partition("[")[2].partition(" or")[0] if sign.isalpha()]
            if letters:
                return letters[0]
        if "eat" in message and self.task == "eat" and "here" in message:
            return "n"
        return "esc"

    def _note(self, at: Cell, message: str) -> None:
        """Learn from what the last action led to."""
        last, self._last = self._last, None
        kicked, self._kicking = self._kicking, None
        if last is not None:
            ahead = _moved(last[0], last[1])
            if "locked" in message:
                self._locked.add(ahead)
            elif last[0] == at and kicked is None and any(words in message for words in _IN_THE_WAY):
                self._blocked[at, ahead] = self._blocked.get((at, ahead), 0) + 1
        if "WHAMM" not in message and kicked is not None:
            self._locked.discard(_moved(at, kicked))

    def _step(self, at: Cell, glyphs: Any) -> str:
        if self.task == "score" and self._stairs == at:
            return "down"
        for door in self._locked:
            direction = next((name for name in MOVES[::2] if _moved(at, name) == door), None)
            if direction is not None:
                self._kicking, self._last = direction, (at, direction)
                return "kick"
        ways = self._ways(at)
        self._heading = goal = self._goal(ways)
        if goal is None or goal == at:
            self._searched[at] = self._searched.get(at, 0) + 1
            return "search 10"
        path = [goal]
        while (before := ways[path[-1]]) is not None:
            path.append(before)
        direction = next(name for name in MOVES if _moved(at, name) == path[-2])
        self._last = (at, direction)
        return direction

    def _goal(self, ways: dict[Cell, Cell | None]) -> Cell | None:
        """The nearest cell that is worth going to.

        Cells come in the order of their distance.
        """
        cells = list(ways)[1:]
        if self.task in ("staircase", "score"):
            for cell in cells:
                if self._kind(cell) in _DOWN:
                    self._stairs = cell
                    return cell
        if self.task in ("gold", "score"):
            for cell in cells:
                if int(self._map[cell]) in _COINS:
                    return cell
        kept = self._heading
        if kept in ways and kept not in self._visited and kept is not None and self._promising(kept):
            return kept
        for cell in cells:
            if cell not in self._visited and self._promising(cell):
                return cell
        reachable = [cell for cell in ways if self._searchable(cell)]
        return min(reachable, key=lambda cell: self._searched.get(cell, 0), default=None)

    def _promising(self, cell: Cell) -> bool:
        """Whether going there may show something."""
        kind = self._kind(cell)
        if kind in _CLOSED or cell in self._locked:
            return True
        blank = sum(self._kind(near) == _STONE for near in _around(cell))
        return blank > 0 if kind in (*_OPEN, _DOORWAY, 21, 22) else blank > 2 or (kind == -1 and blank > 0)

    def _searchable(self, cell: Cell) -> bool:
        """Whether a hidden way may begin there.

        That is the end of a corridor, or beside a wall.
        """
        near = [self._kind(other) for other in _around(cell)]
        if self._kind(cell) in (21, 22):
            return sum(kind != _STONE for kind in near) <= 1
        return any(kind in _WALLS for kind in near) and (cell[0] + cell[1]) % 3 == 0

    def _ways(self, at: Cell) -> dict[Cell, Cell | None]:
        """Each reachable cell, nearest first, with the cell before it."""
        found: dict[Cell, Cell | None] = {at: None}
        waiting = deque([at])
        while waiting:
            cell = waiting.popleft()
            for down, right in _STEPS.values():
                other = (cell[0] + down, cell[1] + right)
                if other in found or not self._passable(other) or self._blocked.get((cell, other), 0) > 1:
                    continue
                if down and right and (self._door(cell) or self._door(other)):
                    continue
                if down and right and int(self._map[other]) in _BOULDERS:
                    continue
                found[other] = cell
                if self._kind(other) not in _CLOSED and other not in self._locked:
                    waiting.append(other)
        return found

    def _passable(self, cell: Cell) -> bool:
        if not (0 <= cell[0] < _ROWS and 0 <= cell[1] < _COLUMNS):
            return False
        kind = self._kind(cell)
        return kind in _FLOOR or kind in _CLOSED or kind == -1

    def _door(self, cell: Cell) -> bool:
        return self._kind(cell) in (*_OPEN, *_CLOSED, _DOORWAY)

    def _kind(self, cell: Cell) -> int:
        """The kind of terrain; -1 where something stands or lies."""
        if not (0 <= cell[0] < _ROWS and 0 <= cell[1] < _COLUMNS):
            return _STONE + 1  # the border of the map
        glyph = int(self._map[cell])
        if nethack.glyph_is_cmap(glyph):
            return glyph - int(nethack.GLYPH_CMAP_OFF)
        return -1


def _moved(cell: Cell, direction: str) -> Cell:
    down, right = _STEPS[direction]
    return cell[0] + down, cell[1] + right


def _around(cell: Cell) -> Iterator[Cell]:
    for down, right in _STEPS.values():
        yield cell[0] + down, cell[1] + right
