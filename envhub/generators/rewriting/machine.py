"""Plays turns of a compiled game on boards of one size.

A board is a tuple of integers, one per object: bit ``column * height + row`` is set where the object is. A turn follows
PuzzleScript: the input moves the player, the rules are applied group by group until nothing changes, movements are
carried out layer by layer, late rules follow, then commands and win conditions. A group is applied at most 200 times in a
row, a loop 200 times, and at most 200 turns follow by ``again``; ``capped`` says that such a limit was met. ::

    machine = Machine(program, width=6, height=5)
    turn = machine.play(machine.read(rows), "right")
    turn.board, turn.won
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Final, NamedTuple

from envhub.generators.rewriting.compiling import WAYS, Compiled, Goal, Phase, Program
from envhub.generators.rewriting.matching import Rows, SizedRow, change, change_from, fits, fits_from, starts

Board = tuple[int, ...]
_MOST_LOOPS: Final = 200


class Turn(NamedTuple):
    """What a turn led to.

    Attributes:
        board: The board after it.
        won: Whether the game is won.
        messages: The texts that rules showed.
        capped: Whether a limit on repetitions was met.
    """

    board: Board
    won: bool
    messages: tuple[str, ...]
    capped: bool


class _Sized(NamedTuple):
    key: int  # a plane that must not be empty, or -1
    rows: tuple[SizedRow, ...]
    changes: bool
    commands: tuple[str, ...]
    message: str


_Phase = tuple[tuple[tuple[_Sized, ...], ...], dict[int, int]]


class _Turn:
    """What happens during a turn."""

    __slots__ = ("capped", "commands", "messages", "planes")

    def __init__(self, planes: list[int]) -> None:
        self.planes = planes
        self.commands: set[str] = set()
        self.messages: list[str] = []
        self.capped = False


class Machine:
    """Plays a game on boards of one size.

    Args:
        program: The compiled game.
        width: Cells per row.
        height: Number of rows.

    Attributes:
        chains: Whether a turn may be followed by others without an input (``again``), and be won in the middle.
    """

    def __init__(self, program: Program, width: int, height: int) -> None:
        self.program, self.width, self.height = program, width, height
        self.cells = width * height
        self.full = (1 << self.cells) - 1
        self.actions: tuple[str, ...] = ("up", "left", "down", "right")
        if "noaction" not in program.game.settings:
            self.actions += ("action",)
        self._objects = len(program.game.objects)
        self._rows = Rows(width, height)
        self._still = [0] * (5 * len(program.layers))
        self._first, self._late = (self._sized(phase) for phase in (program.first, program.late))
        top = sum(1 << column * height for column in range(width))
        self._edges = (top, top << height - 1, (1 << height) - 1, ((1 << height) - 1) << (width - 1) * height)
        self._steps = (-1, 1, -height, height)
        phases = (program.first, program.late)
        self.chains = any("again" in rule.commands for each in phases for group in each.groups for rule in group)
        self._must_move = "require_player_movement" in program.game.settings
        self._moved_by_input = [
            (at, self._objects + 5 * layer)
            for at in program.player
            for layer, objects in enumerate(program.layers)
            if at in objects
        ]

    # -- boards ------------------------------------------------------------------------------------------------------

    def read(self, rows: Sequence[str]) -> Board:
        """The board of a level, before any rule is applied."""
        game = self.program.game
        number = {name: at for at, name in enumerate(game.objects)}
        planes = [0] * self._objects
        for row, line in enumerate(rows):
            for column, sign in enumerate(line):
                for name in game.signs[sign]:
                    planes[number[name]] |= 1 << column * self.height + row
        grounds = [number[name] for name in game.members("background")]
        layer = next(objects for objects in self.program.layers if grounds[0] in objects)
        filled = 0
        for at in layer:
            filled |= planes[at]
        used = next((at for at in grounds if planes[at]), grounds[0])
        planes[used] |= self.full & ~filled
        return tuple(planes)

    def begin(self, rows: Sequence[str]) -> Board:
        """The board of a level when the first input is awaited."""
        board = self.read(rows)
        return self.play(board, None).board if "run_rules_on_level_start" in self.program.game.settings else board

    def cell(self, board: Board, row: int, column: int) -> tuple[str, ...]:
        """The objects of a cell, in the order of their layers."""
        bit = 1 << column * self.height + row
        names = self.program.game.objects
        return tuple(names[at] for layer in self.program.layers for at in layer if board[at] & bit)

    def won(self, board: Board) -> bool:
        """Whether all win conditions hold."""
        goals = self.program.goals
        return bool(goals) and all(self._holds(goal, board) for goal in goals)

    def _holds(self, goal: Goal, board: Board) -> bool:
        what = self._where(goal.what, goal.what_all, board)
        on = self.full if goal.on is None else self._where(goal.on, goal.on_all, board)
        if goal.kind == "all":
            return not what & ~on
        return bool(what & on) == (goal.kind == "some")

    def _where(self, planes: tuple[int, ...], every: bool, board: Sequence[int]) -> int:
        found = self.full if every else 0
        for at in planes:
            found = found & board[at] if every else found | board[at]
        return found

    # -- turns -------------------------------------------------------------------------------------------------------

    def play(self, board: Board, action: str | None, judged: bool = True) -> Turn:
        """A turn, with the turns that follow by ``again``.

        Unless ``judged``, the win conditions are left out, so a chain of turns is not stopped by a win within it.
        """
        messages: list[str] = []
        capped = False
        for count in range(_MOST_LOOPS + 1):
            turn, after, cancelled = self._tick(board, action if count == 0 else None)
            capped |= turn.capped
            changed = after != board
            if count and not changed and "win" not in turn.commands:
                break
            messages += turn.messages
            if cancelled:
                break
            board = after
            if "win" in turn.commands or (judged and action is not None and self.won(board)):
                return Turn(board, action is not None, tuple(messages), capped)
            if "again" not in turn.commands or not changed:
                break
        else:
            capped = True
        return Turn(board, False, tuple(messages), capped)

    def _tick(self, board: Board, action: str | None) -> tuple[_Turn, Board, bool]:
        """One pass of all rules; whether it was cancelled."""
        turn = _Turn([*board, *self._still])
        planes = turn.planes
        players = 0
        if action is not None:
            way = WAYS.index(action)
            players = self._where(self.program.player, self.program.player_all, board)
            for at, move in self._moved_by_input:
                moved = planes[at] & players
                planes[move + way] |= moved
        self._apply(self._first, turn)
        self._move(planes)
        self._apply(self._late, turn)
        after = tuple(planes[: self._objects])
        if "cancel" in turn.commands:
            return turn, board, True
        if self._must_move and players:
            now = self._where(self.program.player, False, after)
            if players & now == players:
                turn.messages.clear()
                return turn, board, True
        return turn, after, False

    def _move(self, planes: list[int]) -> None:
        """Carry out the movements; blocked ones are forgotten."""
        first = self._objects
        for objects in self.program.layers:
            moves = planes[first : first + 4]
            if moves[0] or moves[1] or moves[2] or moves[3]:
                self._move_layer(planes, objects, moves)
            first += 5
        planes[self._objects :] = self._still

    def _move_layer(self, planes: list[int], objects: tuple[int, ...], moves: list[int]) -> None:
        taken = 0
        for at in objects:
            taken |= planes[at]
        again = True
        while again:
            again = False
            waiting = moves[0] | moves[1] | moves[2] | moves[3]
            while waiting:
                bit = waiting & -waiting
                waiting ^= bit
                for way in range(4):
                    if moves[way] & bit:
                        step = self._steps[way]
                        if not self._edges[way] & bit:
                            target = bit << step if step > 0 else bit >> -step
                            if not taken & target:
                                moves[way] ^= bit
                                again = True
                                if taken & bit:
                                    taken ^= bit | target
                                    for at in objects:
                                        if planes[at] & bit:
                                            planes[at] ^= bit | target
                        break

    # -- rules -------------------------------------------------------------------------------------------------------

    def _apply(self, phase: _Phase, turn: _Turn) -> None:
        groups, loops = phase
        at = count = 0
        looped = False
        while at < len(groups):
            looped |= self._apply_group(groups[at], turn)
            if looped and at in loops:
                looped = False
                count += 1
                if count > _MOST_LOOPS:
                    turn.capped = True
                    return
                at = loops[at]
                continue
            at += 1

    def _apply_group(self, group: tuple[_Sized, ...], turn: _Turn) -> bool:
        changed_ever, planes = False, turn.planes
        for _ in range(_MOST_LOOPS):
            changed = False
            for rule in group:
                if (rule.key < 0 or planes[rule.key]) and self._apply_rule(rule, turn):
                    changed = True
            if not changed:
                return changed_ever
            changed_ever = True
        turn.capped = True
        return changed_ever

    def _apply_rule(self, rule: _Sized, turn: _Turn) -> bool:
        planes = turn.planes
        row = rule.rows[0]
        changed = False
        if len(rule.rows) == 1 and row.gap is None:  # the usual case
            found = starts(row, planes)
            if not found:
                return False
            if rule.changes:
                if not found & (found - 1):
                    changed = change_from(row, found, planes)
                else:
                    for number, bit in enumerate(self._rows.ordered(found, row.direction)):
                        if number == 0 or fits_from(row, bit, planes):
                            changed |= change_from(row, bit, planes)
        else:
            begins = [starts(row, planes) for row in rule.rows]
            if not all(begins):
                return False
            matches = [self._rows.matches(row, bits, planes) for row, bits in zip(rule.rows, begins, strict=True)]
            if not all(matches):
                return False
            if rule.changes:
                for number, places in enumerate(product(*reversed(matches))):  # the first row varies fastest
                    chosen = list(zip(rule.rows, reversed(places), strict=True))
                    if number == 0 or all(fits(row, match, planes) for row, match in chosen):
                        for row, match in chosen:
                            changed |= change(row, match, planes)
        if rule.commands:
            turn.commands.update(rule.commands)
        if rule.message and rule.message not in turn.messages:
            turn.messages.append(rule.message)
        return changed

    def _sized(self, phase: Phase) -> _Phase:
        return tuple(tuple(map(self._sized_rule, group)) for group in phase.groups), phase.loops

    def _sized_rule(self, rule: Compiled) -> _Sized:
        rows = tuple(self._rows.sized(line, rule.direction) for line in rule.lines)
        key = max((plane for line in rule.lines for cell in line.cells for plane in cell.need), default=-1)
        return _Sized(key, rows, rule.changes, rule.commands, rule.message)
