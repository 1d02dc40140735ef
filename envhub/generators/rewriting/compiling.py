"""Rules, compiled to tests and changes of single cells.

A rule is expanded into one rule per direction, movement (where it names several, as ``moving``) and object (where a name
defined with ``or`` must be resolved); then each cell becomes a :class:`Pattern` over *planes*: one per object, and five
per layer for its movements. A rule that is read upwards or to the left without ``...`` is turned round, as PuzzleScript
does, since this decides the order of matches. ::

    program = compile_game(parse(text))
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product
from typing import Final, NamedTuple

from envhub.generators.rewriting.directions import (
    MovementChoice,
    ObjectChoice,
    absolute,
    group_of,
    mapped,
    places,
    turned_round,
)
from envhub.generators.rewriting.syntax import GAP, GROUPS, Cell, Game, PuzzleError, Row, Rule, Term

WAYS: Final = ("up", "down", "left", "right", "action")
_MOST_EXPANDED: Final = 5000


class Change(NamedTuple):
    """Planes that are cleared and set at a cell."""

    clear: tuple[int, ...]
    set: tuple[int, ...]


class Pattern(NamedTuple):
    """The test of a cell, and its change.

    Attributes:
        need: Planes that must be set, movements first.
        ban: Planes that must not be set.
        either: Sets of planes of which one must be set.
        change: What is changed, or None.
    """

    need: tuple[int, ...]
    ban: tuple[int, ...]
    either: tuple[tuple[int, ...], ...]
    change: Change | None


class Line(NamedTuple):
    """Cells in a row.

    Attributes:
        cells: The cells.
        gap: The number of cells before ``...``, or None.
    """

    cells: tuple[Pattern, ...]
    gap: int | None


class Compiled(NamedTuple):
    """An expanded rule.

    Attributes:
        direction: Where its rows are read to.
        lines: Its rows.
        changes: Whether it has a right side.
        commands: Its commands.
        message: The text that it shows.
    """

    direction: str
    lines: tuple[Line, ...]
    changes: bool
    commands: tuple[str, ...]
    message: str


class Phase(NamedTuple):
    """Groups of rules with their loops.

    Attributes:
        groups: The groups, in order.
        loops: By the last group of a loop, its first group.
    """

    groups: tuple[tuple[Compiled, ...], ...]
    loops: dict[int, int]


class Goal(NamedTuple):
    """A win condition over planes.

    Attributes:
        kind: ``all``, ``some`` or ``no``.
        what: The planes before ``on``.
        what_all: Whether all of them must be set, instead of one.
        on: The planes after ``on``, or None.
        on_all: As ``what_all``, for these.
    """

    kind: str
    what: tuple[int, ...]
    what_all: bool
    on: tuple[int, ...] | None
    on_all: bool


class Program(NamedTuple):
    """A compiled game.

    Attributes:
        game: The game.
        first: The rules before the movements.
        late: The rules after them.
        goals: The win conditions.
        layers: The objects of each layer, by number.
        player: The objects that the input moves.
        player_all: Whether all of them must be in a cell.
    """

    game: Game
    first: Phase
    late: Phase
    goals: tuple[Goal, ...]
    layers: tuple[tuple[int, ...], ...]
    player: tuple[int, ...]
    player_all: bool


class _Expanded(NamedTuple):
    rule: Rule
    direction: str
    left: tuple[Row, ...]
    right: tuple[Row, ...]


def compile_game(game: Game) -> Program:
    """Compile a game.

    Raises:
        PuzzleError: A rule is ambiguous, or can never be applied.
    """
    compiler = _Compiler(game)
    expanded: dict[bool, dict[int, list[Compiled]]] = {False: {}, True: {}}
    for rule in game.rules:
        found = compiler.expand(rule)
        if not found:
            raise PuzzleError(rule.line, "the rule can never match, because two of its objects share a layer.")
        expanded[rule.late].setdefault(rule.group, []).extend(found)
    goals = tuple(
        Goal(
            win.kind,
            compiler.planes(win.what),
            win.what in game.both,
            None if win.on is None else compiler.planes(win.on),
            win.on is not None and win.on in game.both,
        )
        for win in game.wins
    )
    return Program(
        game,
        _phase(game, expanded[False]),
        _phase(game, expanded[True]),
        goals,
        tuple(tuple(compiler.number[name] for name in layer) for layer in game.layers),
        compiler.planes("player"),
        "player" in game.both,
    )


def _phase(game: Game, groups: dict[int, list[Compiled]]) -> Phase:
    lines = sorted(groups)
    loops: dict[int, int] = {}
    for start, end in game.loops:
        inside = [at for at, line in enumerate(lines) if start <= line <= end]
        if inside:
            loops[inside[-1]] = inside[0]
    return Phase(tuple(tuple(groups[line]) for line in lines), loops)


class _Compiler:
    def __init__(self, game: Game) -> None:
        self.game = game
        self.number = {name: at for at, name in enumerate(game.objects)}
        self.layer = {name: game.layer(name) for name in game.objects}

    def planes(self, name: str) -> tuple[int, ...]:
        """The planes of the objects of a name."""
        return tuple(self.number[each] for each in self.game.members(name))

    def expand(self, rule: Rule) -> list[Compiled]:
        """All rules that a line stands for, in order."""
        found = []
        for direction in rule.directions:
            left, right = (self._plain(rule, side, direction) for side in (rule.left, rule.right))
            turned, left, right = turned_round(direction, left, right)
            for moved in self._movements(_Expanded(rule, turned, left, right)):
                found += list(self._objects(moved))
                if len(found) > _MOST_EXPANDED:
                    raise PuzzleError(rule.line, f"the rule stands for more than {_MOST_EXPANDED} rules.")
        compiled = (self._compiled(each) for each in found)
        return list(dict.fromkeys(each for each in compiled if each is not None))

    def _plain(self, rule: Rule, rows: tuple[Row, ...], direction: str) -> tuple[Row, ...]:
        """Absolute directions; single names for names defined with ``and``."""

        def terms(cell: Cell) -> Iterator[Term]:
            for how, name in cell:
                how_now = absolute(how, direction)
                if name in self.game.both:
                    if how == "no":
                        raise PuzzleError(rule.line, f"'no' cannot stand before {name!r}, which is defined with 'and'.")
                    yield from (Term(how_now, each) for each in self.game.both[name])
                elif how == "no" and name in self.game.either:
                    yield from (Term(how, each) for each in self.game.either[name])
                else:
                    yield Term(how_now, self.game.same.get(name, name))

        return tuple(tuple(tuple(terms(cell)) for cell in row) for row in rows)

    def _movements(self, each: _Expanded) -> Iterator[_Expanded]:
        """One rule for each choice of the movements that name several."""
        open_terms = [
            (at, term) for at, term in places(each.left) if group_of(term.how) is not None
        ]  # a place is (row, cell, term)
        for chosen in product(*(GROUPS[group_of(term.how) or ""] for _, term in open_terms)):
            meant = MovementChoice(
                each.rule.line, {(*at[:2], term): how for (at, term), how in zip(open_terms, chosen, strict=True)}
            )
            yield each._replace(left=mapped(each.left, meant), right=mapped(each.right, meant))

    def _objects(self, each: _Expanded) -> Iterator[_Expanded]:
        """One rule for each choice of the objects that must be resolved."""
        either = self.game.either
        loose = {
            term.name
            for (row, cell, _), term in places(each.right)
            if term.name in either and all(term.name != other.name for other in each.left[row][cell])
        }
        open_terms = [
            (at, term)
            for at, term in places(each.left)
            if term.name in either and (term.name in loose or self.game.single_layer(term.name) is None)
        ]
        for chosen in product(*(either[term.name] for _, term in open_terms)):
            here = {(*at[:2], term.name): name for (at, term), name in zip(open_terms, chosen, strict=True)}
            meant = ObjectChoice(each.rule.line, here, loose)
            yield each._replace(left=mapped(each.left, meant), right=mapped(each.right, meant))

    def _layer_of(self, name: str) -> int | None:
        return self.layer[name] if name in self.layer else self.game.single_layer(name)

    def _possible(self, cell: Cell) -> set[str]:
        return {each for term in cell for each in self.game.members(term.name)}

    def _compiled(self, each: _Expanded) -> Compiled | None:
        lines = []
        for at, row in enumerate(each.left):
            cells = []
            for cell, before in enumerate(row):
                if before == GAP:
                    continue
                after = each.right[at][cell] if each.right else None
                pattern = self._pattern(each.rule, before, after)
                if pattern is None:
                    return None
                cells.append(pattern)
            lines.append(Line(tuple(cells), row.index(GAP) if GAP in row else None))
        rule = each.rule
        return Compiled(each.direction, tuple(lines), bool(each.right), rule.commands, rule.message)

    def _pattern(self, rule: Rule, before: Cell, after: Cell | None) -> Pattern | None:
        """A cell; None if no cell can match."""
        present, missing, moving, still = set[int](), set[int](), set[int](), set[int]()
        either: list[tuple[int, ...]] = []
        used: dict[int, str] = {}
        for how, name in before:
            layer = self._layer_of(name)
            if layer is None:
                raise PuzzleError(rule.line, f"{name!r} has objects of several layers and cannot be resolved here.")
            if how == "no":
                missing.update(self.planes(name))
                continue
            if layer in used:
                return None
            used[layer] = name
            if name in self.number:
                present.add(self.number[name])
            else:
                either.append(self.planes(name))
            if how == "stationary":
                still.update(self._moves(layer))
            elif how:
                moving.add(self._move(layer, how))
        if present & missing:
            return None
        change = None
        if after is not None:
            change = self._change(rule, before, after, used, present, moving)
        return Pattern((*sorted(moving), *sorted(present)), tuple(sorted(missing | still)), tuple(either), change)

    def _change(
        self, rule: Rule, before: Cell, after: Cell, used: dict[int, str], present: set[int], moving: set[int]
    ) -> Change | None:
        clear, put, objects_right = set[int](), set[int](), set[int]()
        later: dict[int, str] = {}
        possible = self._possible(before)
        layers_before = {self.layer[name] for name in possible}
        for how, name in after:
            layer = self._layer_of(name)
            if layer is None:
                raise PuzzleError(
                    rule.line, f"{name!r} has objects of several layers and does not follow from the left."
                )
            if how == "no":
                clear.update(self.planes(name))
                continue
            if layer in later:
                raise PuzzleError(rule.line, f"{name!r} and {later[layer]!r} share a layer and cannot be in one cell.")
            later[layer] = name
            if (
                not how
                and not rule.late
                and name in self.number
                and name not in possible
                and layer not in layers_before
            ):
                how = "stationary"  # what appears does not move
            if how:
                clear.update(self._moves(layer))
            if name in self.number:
                put.add(self.number[name])
                clear.update(self._layer_planes(layer))
                objects_right.add(layer)
            if how and how != "stationary":
                put.add(self._move(layer, how))
        if not present <= put:
            clear |= present
        if not moving <= put:
            clear |= moving
        for layer in used:
            if layer not in later:
                clear.update(self._layer_planes(layer))
                clear.update(self._moves(layer))
        for name in (name for layer, name in used.items() if name in self.number and layer not in objects_right):
            clear.update(self._moves(self.layer[name]))
        clear -= put
        return Change(tuple(sorted(clear)), tuple(sorted(put))) if clear or put else None

    def _layer_planes(self, layer: int) -> Iterable[int]:
        return (self.number[name] for name in self.game.layers[layer])

    def _move(self, layer: int, how: str) -> int:
        return len(self.number) + 5 * layer + WAYS.index(how)

    def _moves(self, layer: int) -> range:
        first = len(self.number) + 5 * layer
        return range(first, first + 5)
