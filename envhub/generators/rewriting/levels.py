"""Levels of our games, with an exact shortest solution.

The objects are scattered, all boards that can be reached are explored, and the start is one of them from which the
shortest solution has the wanted length. If there are too many boards, the start is taken from a shortest solution. Both
are exact::

    level = draw(rng, GAMES["boxes"], Wanted(6, 5, 0, 8, 9, 400), source)
    level.board, level.plan
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

from envhub.core.seeding import Stream
from envhub.generators.rewriting.compiling import Program, compile_game
from envhub.generators.rewriting.exploring import Reach, explore
from envhub.generators.rewriting.games import Recipe
from envhub.generators.rewriting.machine import Board, Machine
from envhub.generators.rewriting.parsing import parse


class Wanted(NamedTuple):
    """What a level must be like.

    Attributes:
        width: Cells per row.
        height: Number of rows.
        stage: 0 for few objects, 1 or 2 for more.
        shortest: The least length of the shortest solution.
        longest: The greatest one.
        most_boards: Boards that are explored.
    """

    width: int
    height: int
    stage: int
    shortest: int
    longest: int
    most_boards: int


class Level(NamedTuple):
    """A drawn level: its board, and a shortest solution."""

    board: Board
    plan: tuple[str, ...]


@lru_cache(maxsize=64)
def program_of(source: str) -> Program:
    """The compiled game of a text."""
    return compile_game(parse(source))


@lru_cache(maxsize=256)
def machine_of(source: str, width: int, height: int) -> Machine:
    """The machine of a text and a size."""
    return Machine(program_of(source), width, height)


def scatter(rng: Stream, recipe: Recipe, wanted: Wanted) -> list[str] | None:
    """Rows of glyphs, without goals; None if there is not enough room."""
    if recipe.shape == "path":
        return _walk(rng, wanted)
    width, height = wanted.width, wanted.height
    cells = [(row, column) for row in range(height) for column in range(width)]
    signs = dict.fromkeys(cells, ".")
    free = cells
    if recipe.shape == "split":
        across = rng.between(2, width - 2)
        wall = [(row, across) for row in range(height)]
        signs |= dict.fromkeys(wall, "#")
        signs[rng.choice(wall)] = recipe.gap
        free = [cell for cell in cells if cell[1] < across]
    things = [sign for sign, counts in recipe.things for _ in range(counts[wanted.stage])]
    if len(things) > len(free):
        return None
    placed = rng.sample(free, len(things))
    signs |= dict(zip(placed, things, strict=True))
    left = [cell for cell in cells if signs[cell] == "."]
    share = min(45, recipe.walls + max(0, wanted.shortest - 4))  # narrow ways make long solutions
    signs |= dict.fromkeys(rng.sample(left, len(left) * share // 100), "#")
    return ["".join(signs[row, column] for column in range(width)) for row in range(height)]


def _walk(rng: Stream, wanted: Wanted) -> list[str] | None:
    """A walk without crossings; its cells are soil, and all others walls."""
    width, height = wanted.width, wanted.height
    at = rng.below(height), rng.below(width)
    walk = [at]
    while len(walk) <= wanted.longest:
        row, column = walk[-1]
        near = [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]
        free = [(r, c) for r, c in near if 0 <= r < height and 0 <= c < width and (r, c) not in walk]
        if not free:
            break
        walk.append(rng.choice(free))
    if len(walk) <= wanted.shortest:
        return None
    signs = dict.fromkeys(walk, "s") | {at: "p"}
    return ["".join(signs.get((row, column), "#") for column in range(width)) for row in range(height)]


def draw(rng: Stream, recipe: Recipe, wanted: Wanted, source: str) -> Level | None:
    """A level, or None if these objects make none."""
    rows = scatter(rng, recipe, wanted)
    if rows is None:
        return None
    machine = machine_of(source, wanted.width, wanted.height)
    begun = machine.play(machine.read(rows), None)
    if begun.capped:
        return None
    reach: Reach | None = explore(machine, begun.board, wanted.most_boards, not recipe.goals, wanted.shortest)
    if reach is not None and recipe.goals and not reach.capped:
        reach = _with_goals(rng, machine, recipe, reach, wanted, rows)
    if reach is None or reach.capped or reach.depth is None or (reach.depth < wanted.shortest and not reach.closed):
        return None
    far = reach.distances()
    if reach.closed:
        fit = [at for at, turns in enumerate(far) if turns is not None and wanted.shortest <= turns <= wanted.longest]
        fit = [at for at in fit if not machine.won(reach.boards[at])]
        if not fit:
            return None
        most = max(far[at] or 0 for at in fit)
        start = rng.choice([at for at in fit if far[at] == most])
    else:
        start = 0
        for action in _plan(machine, reach, far, 0)[: max(0, reach.depth - wanted.longest)]:
            start = reach.nexts[start][machine.actions.index(action)]
    return Level(reach.boards[start], _plan(machine, reach, far, start))


def _with_goals(
    rng: Stream, machine: Machine, recipe: Recipe, reach: Reach, wanted: Wanted, rows: list[str]
) -> Reach | None:
    """The same boards with goals where things are in a far one.

    Goals are in no rule, so the boards follow each other as before; only what wins is new. Where a turn may be won in the
    middle of a chain, they do not, and are explored again.
    """
    names = machine.program.game.objects
    depths = _depths(reach)
    least = wanted.shortest if not reach.closed else min(wanted.shortest, max(depths))
    ends = [at for at, depth in enumerate(depths) if depth >= least]
    if recipe.shape == "split":
        across = next(line.index(recipe.gap) for line in rows if recipe.gap in line) + 1
        near = (1 << across * machine.height) - 1
        ends = [at for at in ends if not reach.boards[at][names.index("player")] & near]
    if not ends:
        return None
    end = reach.boards[rng.choice(ends)]
    planes = list(reach.boards[0])
    changed = {}
    for goal, thing in recipe.goals:
        at = names.index(thing.lower())
        plane = end[at] if thing.lower() in _FIXED else _some(rng, end[at] & ~planes[at], wanted.stage + 1)
        if not plane:
            return None
        changed[names.index(goal.lower())] = plane
    boards = [tuple(changed.get(at, plane) for at, plane in enumerate(board)) for board in reach.boards]
    wins = [machine.won(board) for board in boards]
    if wins[0]:
        return None
    if machine.chains:
        return explore(machine, boards[0], wanted.most_boards, True, wanted.shortest)
    nexts = [[-1 if wins[after] else after for after in found] for found in reach.nexts]
    depth = next((depths[at] for at, won in enumerate(wins) if won), None)  # boards come in the order of their depth
    return reach._replace(boards=boards, nexts=nexts, depth=depth)


_FIXED: Final = frozenset({"player", "crate", "block", "ironbar", "ann", "ben", "shade", "boulder", "crystal", "slime"})
"""Things whose number never grows: each one has its goal."""


def _some(rng: Stream, plane: int, count: int) -> int:
    """Some cells of a set."""
    cells = [at for at in range(plane.bit_length()) if plane >> at & 1]
    return sum(1 << at for at in rng.sample(cells, min(count, len(cells))))


def _depths(reach: Reach) -> list[int]:
    """Fewest turns to each board."""
    depths = [0] * len(reach.boards)
    known = 1
    for at, found in enumerate(reach.nexts):
        for after in found:
            if after >= known:
                depths[after] = depths[at] + 1
                known = after + 1
    return depths


def _plan(machine: Machine, reach: Reach, far: list[int | None], at: int) -> tuple[str, ...]:
    """The first shortest solution from a board, in the order of actions."""
    plan = []
    while at >= 0:
        left = (far[at] or 0) - 1
        for action, after in zip(machine.actions, reach.nexts[at], strict=True):
            if (after < 0 and left == 0) or (after >= 0 and left > 0 and far[after] == left):
                plan.append(action)
                at = after
                break
    return tuple(plan)
