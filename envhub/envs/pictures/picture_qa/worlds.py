"""Sources: Sokoban, mazes, minefields, codes and maps."""

from __future__ import annotations

from typing import ClassVar, Final

from envhub.authoring.wording import Phrase
from envhub.core.seeding import Stream
from envhub.core.types import JSON
from envhub.envs.games.maze import grid as mazes
from envhub.envs.games.maze.picture import view as maze_scene
from envhub.envs.games.minesweeper import minefield
from envhub.envs.games.sokoban import rooms
from envhub.envs.pictures.picture_qa import wording
from envhub.envs.pictures.picture_qa.source import Played, Source, View, board, plain_board
from envhub.families.pieces import EMPTY, Facts
from envhub.generators.graphs.graph import components
from envhub.generators.graphs.maps import land
from envhub.scenes.grid import Tile, counted, grid


class SokobanRoom(Played):
    """Sokoban: the drawn room is the state."""

    name = "a room of Sokoban"
    rules: ClassVar[tuple[Phrase, ...]] = wording.SOKOBAN
    written = wording.WAYS
    _words: Final = {
        "#": "wall",
        "$": "box",
        "*": "placed box",
        ".": "goal",
        "@": "player",
        "+": "player on a goal",
    }
    _codes: Final = {"#": "W", "$": "B", "*": "D", ".": "G", "@": "P", "+": "Q", "-": EMPTY}
    _tiles: Final = {
        "W": Tile(fill="dark"),
        "B": Tile("B", "tint1"),
        "D": Tile("D", "tint2"),
        "G": Tile("G", ink="faint"),
        "P": Tile("P", disc="tint0"),
        "Q": Tile("Q", disc="tint0"),
    }

    def draw(self, rng: Stream, level: int) -> JSON | None:
        """A room whose boxes and player are not on goals."""
        size = 4 + level // 3
        room = rooms.carve(rng, size, size, 15 + level)
        if room is None:
            return None
        floor = rooms.cells(room.floor)
        count = 2 + level // 4
        goals = sum(1 << cell for cell in rng.sample(floor, count))
        off = [cell for cell in floor if not goals >> cell & 1]
        if len(off) <= count:
            return None
        boxes = sum(1 << cell for cell in rng.sample(off, count))
        free = [cell for cell in off if not boxes >> cell & 1]
        return {"room": rooms.draw(room, goals, boxes, rng.choice(free))}

    def view(self, state: JSON) -> View:
        """The room."""
        shown = [[self._codes[sign] for sign in row] for row in state["room"]]
        words = {self._codes[sign]: word for sign, word in self._words.items()}
        scene = plain_board(["".join(row) for row in shown], {EMPTY: Tile(), **self._tiles})
        piece = board(shown, words)._replace(looks={"W": "A dark grey cell"})
        return View(shown, words, [piece], scene)

    def legal(self, state: JSON) -> list[str]:
        """The directions in which the player moves."""
        return [move for move in rooms.MOVES if self.play(state, move) != state]

    def candidates(self, state: JSON) -> list[str]:
        """All directions."""
        return list(rooms.MOVES)

    def play(self, state: JSON, move: str) -> JSON:
        """A step or a push."""
        room, goals, boxes, player = rooms.read(state["room"])
        return {"room": rooms.draw(room, goals, *rooms.moved(room, boxes, player, move))}


class Maze(Played):
    """A whole maze, with a player and an exit."""

    name = "a maze"
    walled = True
    rules: ClassVar[tuple[Phrase, ...]] = wording.MAZE
    goal = wording.MAZE_BEST
    written = wording.COMPASS

    def draw(self, rng: Stream, level: int) -> JSON | None:
        """A maze with few loops."""
        size = 5 + level // 2
        cells = mazes.carve(rng, size, size, 5)
        at, goal = rng.sample(range(size**2), 2)
        return {"size": size, "cells": cells, "at": at, "exit": goal}

    def view(self, state: JSON) -> View:
        """The player, the exit, and the walls."""
        size = state["size"]
        signs = {state["exit"]: "E", state["at"]: "A"}
        shown = [[signs.get(r * size + c, EMPTY) for c in range(size)] for r in range(size)]
        words = {"A": "player", "E": "exit"}
        walls = Facts(
            "Ways out of each cell (N, E, S, W), row by row",
            [" ".join(_ways(one) for one in state["cells"][at : at + size]) for at in range(0, size**2, size)],
            located=False,
            seen="Thick lines are walls.",
        )
        scene = maze_scene(size, state["cells"], state["at"], state["exit"], size)
        return View(shown, words, [board(shown, words), walls], scene)

    def legal(self, state: JSON) -> list[str]:
        """The directions without a wall."""
        return [w for w in mazes.DIRECTIONS if mazes.step(state["size"], state["cells"], state["at"], w) is not None]

    def candidates(self, state: JSON) -> list[str]:
        """All directions."""
        return list(mazes.DIRECTIONS)

    def play(self, state: JSON, move: str) -> JSON:
        """A step."""
        return {**state, "at": mazes.step(state["size"], state["cells"], state["at"], move)}

    def best(self, state: JSON) -> tuple[str, str] | None:
        """The only first step of a shortest way to the exit.

        Its length.
        """
        far = mazes.distances(state["size"], state["cells"], state["exit"])
        found = [move for move in self.legal(state) if far[self.play(state, move)["at"]] < far[state["at"]]]
        return (found[0], str(far[state["at"]])) if len(found) == 1 else None


class Minefield(Source):
    """Minesweeper: what is open is the state."""

    name = "a board of Minesweeper"

    def draw(self, rng: Stream, level: int) -> JSON | None:
        """A field after its first cell was opened."""
        size = 5 + level // 2
        field = "".join("*" if rng.below(100) < 16 else "." for _ in range(size**2))
        safe = [at for at in range(size**2) if field[at] == "."]
        seen = minefield.CLOSED * size**2
        for _ in range(3):
            seen = minefield.opened(size, field, seen, rng.choice(safe))
        return {"size": size, "seen": seen}

    def view(self, state: JSON) -> View:
        """Closed cells are shaded."""
        size = state["size"]
        codes = {minefield.CLOSED: "C", "0": "0"}
        seen = "".join(codes.get(sign, sign) for sign in state["seen"])
        shown = [seen[at : at + size] for at in range(0, size**2, size)]
        words = {"C": "closed cell"}
        piece = board(shown, words)._replace(looks={"C": "A light grey cell"})
        return View(shown, words, [piece], plain_board(shown, {"C": Tile(fill="shade")}))


class Code(Source):
    """Mastermind: guesses with their answers."""

    name = "guesses of Mastermind, one per row"

    def draw(self, rng: Stream, level: int) -> JSON | None:
        """Random guesses."""
        pegs, colours = 4 + level // 4, 6 + level // 4
        return {"guesses": [[rng.between(1, colours) for _ in range(pegs)] for _ in range(4 + level // 2)]}

    def view(self, state: JSON) -> View:
        """The guesses."""
        shown = [list(map(str, guess)) for guess in state["guesses"]]
        names = counted(len(shown[0]))
        return View(shown, {}, [board(shown, {})], grid(shown, columns=names, lines=counted(len(shown))))


class Islands(Source):
    """A map of land and water."""

    name = "a map of islands"

    def draw(self, rng: Stream, level: int) -> JSON | None:
        """Random land with several islands."""
        height, width = 5 + level // 2, 5 + level // 2 + rng.below(3)
        made = ["".join("#" if rng.below(100) < 52 else "~" for _ in range(width)) for _ in range(height)]
        return {"map": made} if len(components(land([row.replace("~", ".") for row in made]))) > 1 else None

    def view(self, state: JSON) -> View:
        """Land is tinted."""
        shown = [[{"#": "L", "~": "~"}[sign] for sign in row] for row in state["map"]]
        words = {"L": "land cell", "~": "water cell"}
        scene = plain_board(["".join(row) for row in shown], {"L": Tile("L", "tint5"), "~": Tile("~", "tint0")})
        return View(shown, words, [board(shown, words)], scene)


def worlds() -> dict[str, Source]:
    """The sources by their short names."""
    return {
        "sokoban": SokobanRoom(),
        "maze": Maze(),
        "minesweeper": Minefield(),
        "mastermind": Code(),
        "islands": Islands(),
    }


def _ways(digit: str) -> str:
    return "".join(letter for bit, letter in enumerate("NESW") if int(digit, 16) >> bit & 1) or "-"
