"""hanoi-v0: bring the disks of a tower puzzle to another position.

Action: all moves, ``A>C, A>B``. A move takes the top disk of a peg to another peg, on which no smaller disk may lie. Right if
the disks lie as requested. Positions are drawn at random, so a solution is no known recursion. Difficulty: more disks, fewer
spare moves; the shortest solution is proved by search, and effort is the number of states it visits.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Final

from envhub.families.state_puzzle_kit import (
    JSON,
    Move,
    Phrase,
    Pours,
    Scene,
    StatePuzzle,
    Stream,
    Variants,
    counted,
    in_picture,
    knob,
    levels,
)
from envhub.scenes.shapes import stacked
from envhub.scenes.vessels import pegs

State = tuple[int, ...]
"""The peg of each disk, the smallest disk first."""

_NAMES: Final = "ABCDE"


def _stacks(pegs_: int, state: Sequence[int]) -> list[list[int]]:
    """The disks of each peg, the lowest first."""
    return [[disk for disk in range(len(state), 0, -1) if state[disk - 1] == peg] for peg in range(pegs_)]


def _line(pegs_: int, state: Sequence[int]) -> str:
    held = _stacks(pegs_, state)
    return "\n".join(
        f"{name}: {' '.join(map(str, disks)) or '(empty)'}" for name, disks in zip(_NAMES, held, strict=False)
    )


def _listed(problem: JSON) -> str:
    now, then = (_line(problem["pegs"], problem[name]) for name in ("from", "to"))
    return f"The disks of each peg from bottom to top.\n\nNow:\n{now}\n\nWanted:\n{then}"


def _as_json(problem: JSON) -> str:
    both = {
        name: dict(zip(_NAMES, _stacks(problem["pegs"], problem[field]), strict=False))
        for name, field in (("start", "from"), ("goal", "to"))
    }
    return f"The disks of each peg from bottom to top as JSON:\n\n{json.dumps(both)}"


def _by_disk(problem: JSON) -> str:
    rows = "\n".join(
        f"| {disk} | {_NAMES[a]} | {_NAMES[b]} |"
        for disk, (a, b) in enumerate(zip(problem["from"], problem["to"], strict=True), 1)
    )
    names = ", ".join(_NAMES[: problem["pegs"]])
    return f"The pegs are {names}.\n\n| disk | is on peg | must get to peg |\n|---|---|---|\n{rows}"


def _in_words(problem: JSON) -> str:
    def said(field: str) -> str:
        held = zip(_NAMES, _stacks(problem["pegs"], problem[field]), strict=False)
        return "; ".join(f"{name} = [{', '.join(map(str, disks))}]" for name, disks in held)

    return f"Stacks are written from bottom to top. Start: {said('from')}. Goal: {said('to')}."


class Hanoi(StatePuzzle):
    """Plan how to move the disks of a tower puzzle."""

    Params = levels(
        disks=knob("number of disks", 4, 4, 4, 5, 5, 5, 6, 6, 7, 7, at_least=2, at_most=8),
        pegs=knob("number of pegs", 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, at_least=3, at_most=5),
        least=knob("shortest solution, in moves", 4, 6, 9, 11, 15, 19, 26, 34, 46, 60, at_least=1, at_most=200),
        most=knob("longest shortest solution", 6, 9, 13, 15, 20, 28, 38, 50, 70, 110, at_least=1, at_most=300),
        spare=knob("moves that may be wasted", 3, 3, 3, 3, 3, 2, 2, 1, 1, 0, at_most=40),
    )
    answer = Pours()
    task = Phrase(
        "Solve this tower puzzle with {disks} on {pegs}: bring the disks from where they are to where they should be.",
        "Find moves that take the {disks} on these {pegs} to the wanted position, as in the Tower of Hanoi.",
        "Plan the moves of a Tower of Hanoi with {disks} and {pegs} between the two given positions.",
        held_out="Determine a sequence of moves that transforms one position of {disks} on {pegs} into the other.",
    )
    rules = (
        Phrase(
            "The number of a disk is its size. Disk 1 is the smallest.",
            "Disks are numbered by size, from 1, the smallest one.",
            "A larger number is a larger disk; disk 1 is the smallest of all.",
            held_out="Disk labels increase with size, starting at 1.",
        ),
        Phrase(
            "A move takes the top disk of a peg to another peg. It may not be placed on a smaller disk.",
            "In one move, the top disk of a peg goes on top of another peg, but never on a smaller disk.",
            "Only the top disk of a peg can be moved, one at a time, and no disk may lie on a smaller one.",
            held_out="A move transfers the top disk of one peg to a different peg that is empty or has a larger top disk.",
        ),
    )
    moves_rule = Phrase(
        "Write a move as the peg that the disk leaves, the sign >, and the peg that it is placed on: A>B.",
        "A move is written with the names of two pegs: A>B takes the top disk of A to B.",
        "Name the two pegs of a move with > between them; A>B means from A to B.",
        held_out="Notation: X>Y denotes the move of the top disk of peg X to peg Y.",
    )
    data = Variants(
        _listed,
        _as_json,
        _by_disk,
        held_out=_in_words,
        name="towers",
        seen=in_picture(
            "The picture shows where the disks are (Now) and where they should be (Wanted).",
            "See the picture for both positions: Now is the first one, and Wanted is the last one.",
            "Both positions, Now and Wanted, are drawn in the picture.",
            held_out="The attached figure depicts the initial position (top) and the goal position (bottom).",
        ),
    )

    def draw(self, rng: Stream, p: Any) -> JSON:
        """Two random positions."""
        before, then = ([rng.below(p.pegs) for _ in range(p.disks)] for _ in range(2))
        return {"pegs": p.pegs, "from": before, "to": then}

    def canonical(self, content: JSON) -> JSON:
        """The pegs numbered in the order in which they are met."""
        names: dict[int, int] = {}
        both = list(zip(reversed(content["from"]), reversed(content["to"]), strict=True))
        return [content["pegs"], [[names.setdefault(peg, len(names)) for peg in pair] for pair in both]]

    def values(self, problem: JSON) -> dict[str, Any]:
        """Disks and pegs in words."""
        disks, pegs_ = counted(len(problem["from"]), "disk"), counted(problem["pegs"], "peg")
        return {**super().values(problem), "disks": disks, "pegs": pegs_}

    def start(self, problem: JSON) -> State:
        """The first position."""
        return tuple(problem["from"])

    def moves(self, problem: JSON, state: State) -> list[tuple[Move, State]]:
        """The top disks, to pegs without a smaller one."""
        top = {peg: disk for disk, peg in reversed(list(enumerate(state)))}
        return [
            ((_NAMES[peg].lower(), _NAMES[to].lower()), (*state[:disk], to, *state[disk + 1 :]))
            for peg, disk in sorted(top.items())
            for to in range(problem["pegs"])
            if to != peg and top.get(to, len(state)) > disk
        ]

    def fault(self, problem: JSON, state: State, move: Move) -> str:
        """What keeps a disk from moving."""
        names = _NAMES[: problem["pegs"]].lower()
        if not all(name in names for name in move):
            return f"the pegs are A to {names[-1].upper()}."
        at, to = map(names.index, move)
        if at == to:
            return "a disk must move to another peg."
        return "the disk below would be smaller." if at in state else f"peg {move[0].upper()} is empty."

    def done(self, problem: JSON, state: State) -> bool:
        """The wanted position."""
        return bool(list(state) == problem["to"])

    def lines(self, problem: JSON, state: State) -> str:
        """A line for each peg."""
        return _line(problem["pegs"], state)

    def look(self, problem: JSON, state: State) -> Scene:
        """The position over the wanted one."""
        names, count = _NAMES[: problem["pegs"]], len(state)
        both = ((state, "Now"), (problem["to"], "Wanted"))
        return stacked(pegs(_stacks(problem["pegs"], at), count, names, title) for at, title in both)

    def write(self, move: Move) -> str:
        """From one peg to another."""
        return ">".join(move).upper()
