"""picture-qa-v0: questions that follow from rules, answered by small engines of our own that read only the prompt."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import cast

import pytest

from envhub.authoring.wording import PLAIN
from envhub.core.types import Instance
from tests.envs.pictures.test_picture_qa import ENV, board_of, drawn

Grid = tuple[tuple[str, ...], ...]
State = tuple[Grid, str]
"""A board and what else matters: the side to move, or the ways out of the cells."""
Moves = Callable[[State], dict[str, State]]
COMPASS = {"north": (-1, 0), "south": (1, 0), "west": (0, -1), "east": (0, 1)}
WAYS = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}
EIGHT = [(a, b) for a in (-1, 0, 1) for b in (-1, 0, 1) if (a, b) != (0, 0)]


def cell(grid: Grid, r: int, c: int) -> str:
    """What is in a cell; nothing outside."""
    return grid[r][c] if 0 <= r < len(grid) and 0 <= c < len(grid[0]) else ""


def changed(grid: Grid, new: dict[tuple[int, int], str]) -> Grid:
    """A board with other contents."""
    return tuple(tuple(new.get((r, c), old) for c, old in enumerate(row)) for r, row in enumerate(grid))


def places(grid: Grid) -> Iterator[tuple[int, int]]:
    """All cells."""
    yield from ((r, c) for r in range(len(grid)) for c in range(len(grid[0])))


def four(grid: Grid) -> bool:
    """Whether four equal discs are in a row."""
    return any(
        all(cell(grid, r + k * a, c + k * b) == grid[r][c] for k in range(4))
        for r, c in places(grid)
        for a, b in ((0, 1), (1, 0), (1, 1), (1, -1))
        if grid[r][c] != "."
    )


def drop(state: State) -> dict[str, State]:
    """Connect Four."""
    grid, side = state
    if four(grid):
        return {}
    found = {}
    for c in range(len(grid[0])):
        free = [r for r in range(len(grid)) if grid[r][c] == "."]
        if free:
            found[str(c + 1)] = changed(grid, {(max(free), c): side}), "XO"[side == "X"]
    return found


def flips(grid: Grid, side: str, r: int, c: int) -> list[tuple[int, int]]:
    """The discs that a disc turns over."""
    found = []
    for a, b in EIGHT if grid[r][c] == "." else ():
        line, k = [], 1
        while cell(grid, r + k * a, c + k * b) == "XO"[side == "X"]:
            line.append((r + k * a, c + k * b))
            k += 1
        found += line if cell(grid, r + k * a, c + k * b) == side else []
    return found


def place(state: State) -> dict[str, State]:
    """Othello."""
    grid, side = state
    found = {}
    for r, c in places(grid):
        turned = flips(grid, side, r, c)
        if turned:
            after, other = changed(grid, dict.fromkeys([(r, c), *turned], side)), "XO"[side == "X"]
            stuck = not any(flips(after, other, a, b) for a, b in places(after))
            found[f"r{r + 1}c{c + 1}"] = after, side if stuck else other
    return found


def merged(row: list[str]) -> list[str]:
    """A row of 2048 that slides to the left."""
    tiles, done = [tile for tile in row if tile != "."], []
    while tiles:
        tile = tiles.pop(0)
        if tiles and tiles[0] == tile:
            tile = str(int(tiles.pop(0)) * 2)
        done.append(tile)
    return done + ["."] * (len(row) - len(done))


def slide(state: State) -> dict[str, State]:
    """2048 without new tiles."""
    rows = [list(row) for row in state[0]]
    columns = [list(column) for column in zip(*rows, strict=True)]
    after = {
        "left": [merged(row) for row in rows],
        "right": [merged(row[::-1])[::-1] for row in rows],
        "up": list(zip(*[merged(column) for column in columns], strict=True)),
        "down": list(zip(*[merged(column[::-1])[::-1] for column in columns], strict=True)),
    }
    found = {way: (tuple(map(tuple, grid)), "") for way, grid in after.items()}
    return {way: cast(State, new) for way, new in found.items() if new[0] != state[0]}


def push(state: State) -> dict[str, State]:
    """Sokoban: P and p are the player, B and b a box; the small letters are on a goal."""
    grid, _ = state
    r, c = next((r, c) for r, c in places(grid) if grid[r][c] in "Pp")
    found = {}
    for way, (a, b) in WAYS.items():
        ahead, behind = cell(grid, r + a, c + b), cell(grid, r + 2 * a, c + 2 * b)
        new = {(r, c): ".G"[grid[r][c] == "p"], (r + a, c + b): "pP"[ahead in ".B"]}
        if ahead in ("B", "b") and behind in (".", "G"):
            found[way] = changed(grid, {**new, (r + 2 * a, c + 2 * b): "Bb"[behind == "G"]}), ""
        elif ahead in (".", "G"):
            found[way] = changed(grid, new), ""
    return found


def step(state: State) -> dict[str, State]:
    """A maze; the ways out stand behind the board, row by row."""
    grid, ways = state
    rows = [row.split() for row in ways.splitlines()]
    r, c = next((r, c) for r, c in places(grid) if grid[r][c] in "Aa")
    found = {}
    for way, (a, b) in COMPASS.items():
        if way[0].upper() in rows[r][c]:
            there = grid[r + a][c + b]
            found[way] = changed(grid, {(r, c): ".E"[grid[r][c] == "a"], (r + a, c + b): "Aa"[there == "E"]}), ways
    return found


GAMES: dict[str, Moves] = {"connect-four": drop, "othello": place, "2048": slide, "sokoban": push, "maze": step}


def start(source: str, text: str) -> State:
    """The position that a prompt shows."""
    rows = board_of(text)
    if source == "sokoban":  # its signs differ between prompts; their names do not
        letters = {"a wall": "W", "a box": "B", "a goal": "G", "a player": "P"}
        letters |= {"a placed box": "b", "a player on a goal": "p"}
        meant = {sign: letters[name] for sign, name in re.findall(r"(\S+) is (a [a-z ]+?)\.", text) if name in letters}
        rows = [[meant.get(sign, sign) for sign in row] for row in rows]
    grid = tuple(map(tuple, rows))
    discs = [sign for row in rows for sign in row]
    if source == "connect-four":
        return grid, "X" if discs.count("X") == discs.count("O") else "O"
    if source == "othello":
        side = re.search(r"To move:\n- (\w)", text)
        assert side, text
        return grid, side[1]
    return grid, "\n".join(re.findall(r"^- ((?:[NESW]+ ?)+)$", text, re.MULTILINE)) if source == "maze" else ""


def made(source: str, text: str) -> State:
    """The position after the moves that a question names."""
    state = start(source, text)
    said = re.search(r"made, one after the other: ([^.]+)\.", text)
    for move in said[1].split(", ") if said else []:
        state = GAMES[source](state)[move]
    return state


def contents(source: str, sign: str) -> str:
    """The name of what is in a cell."""
    named = {"W": "wall", "B": "box", "G": "goal", "P": "player", "b": "placed box", "p": "player on a goal"}
    if source == "maze":
        named = {"A": "player", "E": "exit", "a": "player"}
    return "empty" if sign == "." else named.get(sign, sign) if source in ("sokoban", "maze") else sign


def wins(state: State, moves: int) -> list[str]:
    """The columns after which the mover completes four within a number of its own moves."""
    found = []
    for move, after in drop(state).items():
        answers = drop(after)
        if four(after[0]) or (moves > 1 and answers and all(wins(reply, moves - 1) for reply in answers.values())):
            found.append(move)
    return found


def distance(state: State) -> int:
    """Steps to the exit of a maze."""
    front, steps, seen = {state}, 0, {state}
    while not any("a" in row for grid, _ in front for row in grid):
        front = {after for one in front for after in step(one).values()} - seen
        seen |= front
        steps += 1
    return steps


def best(source: str, state: State) -> list[str]:
    """The best move and its measure."""
    if source == "connect-four":
        number = next(moves for moves in range(1, 6) if wins(state, moves))
        [move] = wins(state, number)
        return [move, str(number)]
    if source == "othello":
        turned = {(r, c): len(flips(*state, r, c)) for r, c in places(state[0])}
        most = max(turned, key=lambda at: turned[at])
        return [f"r{most[0] + 1}c{most[1] + 1}", str(turned[most])]
    near = {way: distance(after) for way, after in step(state).items()}
    way = min(near, key=lambda one: near[one])
    return [way, str(near[way] + 1)]


def solved(kind: str, source: str, text: str) -> list[str]:
    """The answer, from the text alone."""
    question = text.split("\n\n")[0]
    if kind == "best":
        return best(source, start(source, text))
    state = made(source, text)
    if kind == "options":
        return sorted(GAMES[source](state))
    if kind == "legal":
        listed = re.search(r"now: ([^?]+)\?", question)
        assert listed, text
        return [move for move in listed[1].split(", ") if move in GAMES[source](state)]
    asked = re.search(r"the cells? ([rc0-9, ]+) contain", question)
    assert asked, text
    return [contents(source, state[0][int(r) - 1][int(c) - 1]) for r, c in re.findall(r"r(\d+)c(\d+)", asked[1])]


def drawn_of(kind: str, source: str, seeds: range, levels: tuple[int, ...]) -> list[Instance]:
    found = [drawn(kind, source, level, seed) for level in levels for seed in seeds]
    return [one for one in found if one is not None]


def agreed(kind: str, source: str, seeds: range, levels: tuple[int, ...]) -> int:
    """How many questions were answered; each answer is that of the environment."""
    asked = drawn_of(kind, source, seeds, levels)
    for inst in asked:
        text = ENV.worded(inst.problem, PLAIN)
        assert solved(kind, source, text) == inst.key, (text, inst.key)
    return len(asked)


PAIRS = [("legal", "connect-four"), ("legal", "othello")]
PAIRS += [(kind, source) for kind in ("after", "options") for source in GAMES]
BEST = [("best", source) for source in ("connect-four", "othello", "maze")]


@pytest.mark.parametrize(("kind", "source"), [*PAIRS, *BEST])
def test_engines_of_our_own_agree(kind: str, source: str) -> None:
    assert agreed(kind, source, range(6), (5,) if kind != "best" else (3,))


@pytest.mark.nightly
@pytest.mark.parametrize(("kind", "source"), [*PAIRS, *BEST])
def test_engines_of_our_own_agree_on_many_questions(kind: str, source: str) -> None:
    assert agreed(kind, source, range(60), (2, 5, 8) if kind != "best" else (2, 4)) > 5


# -- puzzles -----------------------------------------------------------------------------------------------------------


def kept(source: str, grid: Grid, box: tuple[int, int]) -> bool:
    """Whether no rule is broken; empty cells break none."""
    lines = [*grid, *zip(*grid, strict=True)]
    if source == "binario":
        half = len(grid) // 2
        return all(
            line.count("0") <= half and line.count("1") <= half and not re.search("000|111", "".join(line))
            for line in lines
        )
    high, wide = box
    boxes = [
        [grid[r + a][c + b] for a in range(high) for b in range(wide)]
        for r in range(0, len(grid), high)
        for c in range(0, len(grid), wide)
    ]
    filled = [[value for value in line if value != "."] for line in (*lines, *boxes)]
    return all(len(set(line)) == len(line) for line in filled)


def filled(source: str, grid: Grid, box: tuple[int, int], values: list[str]) -> list[Grid]:
    """All ways to fill the empty cells."""
    empty = next(((r, c) for r, c in places(grid) if grid[r][c] == "."), None)
    if empty is None:
        return [grid]
    found = []
    for value in values:
        new = changed(grid, {empty: value})
        if kept(source, new, box):
            found += filled(source, new, box, values)
    return found


def puzzle(kind: str, source: str, text: str) -> list[str]:
    """The answer to a question about a puzzle."""
    grid = tuple(map(tuple, board_of(text)))
    said = re.search(r"boxes of (\d+) rows? and (\d+) columns?", text)
    box = (int(said[1]), int(said[2])) if said else (1, 1)
    values = ["0", "1"] if source == "binario" else [str(k + 1) for k in range(len(grid))]
    if kind == "missing":
        [whole] = filled(source, grid, box, values)
        return [whole[int(r) - 1][int(c) - 1] for r, c in re.findall(r"r(\d+)c(\d+)", text.split("\n\n")[0])]
    repaired = [
        [f"r{r + 1}c{c + 1}", value]
        for r, c in places(grid)
        for value in values
        if value != grid[r][c] and kept(source, changed(grid, {(r, c): value}), box)
    ]
    [answer] = repaired
    return answer


@pytest.mark.parametrize("source", ["sudoku", "binario"])
@pytest.mark.parametrize("kind", ["wrong", "missing"])
def test_puzzles_are_solved_again(kind: str, source: str) -> None:
    asked = drawn_of(kind, source, range(3), (2, 4))
    assert asked
    for inst in asked:
        text = ENV.worded(inst.problem, PLAIN)
        assert puzzle(kind, source, text) == inst.key, (text, inst.key)


def test_a_changed_board_changes_the_answer() -> None:
    other = 0
    for inst in drawn_of("legal", "othello", range(6), (3,)):
        text = ENV.worded(inst.problem, PLAIN)
        assert solved("legal", "othello", text) == inst.key
        side = "XO"["To move:\n- X" in text]
        other += solved("legal", "othello", re.sub(r"To move:\n- \w", f"To move:\n- {side}", text)) != inst.key
    assert other
