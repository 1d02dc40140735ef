"""ball-sort-v0: sort coloured balls into tubes.

Action: all moves, ``A>B, C>A``; ball-sort-steps-v0 takes one move per message. A move takes the top ball of a tube to the top
of another one, which must be empty, or have room and the same colour on top. Right if every ball lies in a tube that is full
and has one colour. Difficulty: more colours, fewer spare moves; effort is the length of the shortest solution, proved by
search. Other names of colours and another order of tubes are the same problem.
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
    Steps,
    Stream,
    Variants,
    counted,
    in_picture,
    knob,
    levels,
)
from envhub.scenes.palette import HUES
from envhub.scenes.vessels import tubes

State = tuple[tuple[int, ...], ...]

_NAMES: Final = "ABCDEFGHIJKL"


def _held(problem: JSON, state: Sequence[Sequence[int]]) -> list[list[str]]:
    return [[problem["colours"][ball] for ball in tube] for tube in state]


def _line(problem: JSON, state: Sequence[Sequence[int]]) -> str:
    held = _held(problem, state)
    return "\n".join(f"{name}: {', '.join(tube) or '(empty)'}" for name, tube in zip(_NAMES, held, strict=False))


def _listed(problem: JSON) -> str:
    return f"The tubes; the first colour of a line is the ball at the bottom:\n\n{_line(problem, problem['tubes'])}"


def _as_json(problem: JSON) -> str:
    held = dict(zip(_NAMES, _held(problem, problem["tubes"]), strict=False))
    return f"The balls of each tube from bottom to top as JSON:\n\n{json.dumps(held)}"


def _sentences(problem: JSON) -> str:
    held = zip(_NAMES, _held(problem, problem["tubes"]), strict=False)
    return " ".join(
        f"Tube {name} holds, from bottom to top, {', '.join(tube)}." if tube else f"Tube {name} is empty."
        for name, tube in held
    )


def _stacked(problem: JSON) -> str:
    held, high = _held(problem, problem["tubes"]), problem["capacity"]
    rows = [
        "| " + " | ".join(tube[at] if at < len(tube) else "-" for tube in held) + " |" for at in reversed(range(high))
    ]
    head = "| " + " | ".join(_NAMES[: len(held)]) + " |"
    return "\n".join(["Tubes drawn upright, '-' is a free place:", "", head, "|---" * len(held) + "|", *rows])


class BallSort(StatePuzzle):
    """Plan how to sort coloured balls into tubes."""

    family = "ball-sort"
    Params = levels(
        colours=knob("number of colours", 4, 3, 3, 4, 4, 4, 5, 5, 6, 6, at_least=2, at_most=7),
        capacity=knob("balls of a colour, and places of a tube", 3, 4, 4, 4, 4, 4, 4, 4, 4, 4, at_least=3, at_most=5),
        empty=knob("number of empty tubes", 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, at_least=1, at_most=3),
        least=knob("shortest solution, in moves", 6, 8, 10, 11, 13, 14, 15, 17, 19, 21, at_most=60),
        spare=knob("moves that may be wasted", 4, 4, 4, 3, 3, 2, 2, 1, 1, 0, at_most=40),
    )
    answer = Pours()
    task = Phrase(
        "Sort the balls in these {tubes}: find moves after which each colour has a tube of its own.",
        "You have {tubes} with coloured balls. Find a sequence of moves that sorts them by colour.",
        "Plan how to sort these balls, which lie in {tubes}, so that no tube holds two colours.",
        held_out="Determine a sequence of moves that sorts the balls in the {tubes} by colour.",
    )
    rules = (
        Phrase(
            "A tube has room for {capacity}. Only its top ball can be moved.",
            "Each tube holds {capacity} at most, and you can only take the ball on top.",
            "No tube has room for more than {capacity}. Of each tube, only the top ball is within reach.",
            held_out="Tubes have a capacity of {capacity} and are accessed from the top only.",
        ),
        Phrase(
            "A move takes the top ball of one tube to another tube, which must be empty, or have free room and a ball of the "
            "same colour on top.",
            "Move one ball at a time: from the top of a tube into an empty tube, or on a ball of the same colour in a tube "
            "that is not full.",
            "In one move, one top ball goes to another tube. That tube is empty, or its top ball has the same colour and it "
            "is not full.",
            held_out="A move transfers a single top ball to a different tube that is empty or, if it is not full, has a top "
            "ball of equal colour.",
        ),
        Phrase(
            "The puzzle is solved when each tube is either empty or full of {capacity} of the same colour.",
            "It is solved as soon as every tube is empty or holds {capacity} of one colour.",
            "You are done when all tubes that are not empty hold {capacity} of a single colour.",
            held_out="Solved states are those in which each tube is empty or contains {capacity} of one colour.",
        ),
    )
    moves_rule = Phrase(
        "Write a move as the tube that the ball leaves, the sign >, and the tube that it enters: A>B.",
        "A move is written with the names of two tubes: A>B takes the top ball of A to B.",
        "Name the two tubes of a move with > between them; A>B means from A to B.",
        held_out="Notation: X>Y denotes the move of the top ball of tube X to tube Y.",
    )
    data = Variants(
        _listed,
        _as_json,
        _sentences,
        held_out=_stacked,
        name="tubes",
        seen=in_picture(
            "The picture shows the tubes with their names.",
            "See the picture for the tubes, which are named by letters.",
            "The tubes and their names are drawn in the picture.",
            held_out="The attached figure depicts the named tubes.",
        ),
    )

    def draw(self, rng: Stream, p: Any) -> JSON:
        """Balls in random order."""
        balls = [colour for colour in range(p.colours) for _ in range(p.capacity)]
        rng.shuffle(balls)
        filled = [balls[at : at + p.capacity] for at in range(0, len(balls), p.capacity)]
        if any(len(set(tube)) == 1 for tube in filled):
            return None
        held = filled + [[] for _ in range(p.empty)]
        return {"tubes": held, "capacity": p.capacity, "colours": rng.sample(HUES, p.colours)}

    def canonical(self, content: JSON) -> JSON:
        """The least list of tubes over all orders and names.

        It is built tube by tube; all ways that give the least list so far are kept.
        """
        ways: list[tuple[tuple[int, ...], dict[int, int]]] = [((), {})]
        made = []
        for _ in content["tubes"]:
            found = []
            for used, names in ways:
                for at in (at for at in range(len(content["tubes"])) if at not in used):
                    more = dict(names)
                    tube = [more.setdefault(ball, len(more)) for ball in content["tubes"][at]]
                    found.append((tube, (*used, at), more))
            least = min(tube for tube, _, _ in found)
            made.append(least)
            kept = ((used, more) for tube, used, more in found if tube == least)
            ways = list({(*sorted(used), *sorted(more.items())): (used, more) for used, more in kept}.values())
        return [content["capacity"], made]

    def values(self, problem: JSON) -> dict[str, Any]:
        """Tubes and places in words."""
        tubes_, places = counted(len(problem["tubes"]), "tube"), counted(problem["capacity"], "ball")
        return {**super().values(problem), "tubes": tubes_, "capacity": places}

    def start(self, problem: JSON) -> State:
        """The tubes, each from bottom to top."""
        return tuple(map(tuple, problem["tubes"]))

    def moves(self, problem: JSON, state: State) -> list[tuple[Move, State]]:
        """Every top ball to every tube that takes it."""
        found: list[tuple[Move, State]] = []
        for at, tube in enumerate(state):
            for to, other in enumerate(state):
                if tube and to != at and len(other) < problem["capacity"] and (not other or other[-1] == tube[-1]):
                    made = list(state)
                    made[at], made[to] = tube[:-1], (*other, tube[-1])
                    found.append(((_NAMES[at].lower(), _NAMES[to].lower()), tuple(made)))
        return found

    def fault(self, problem: JSON, state: State, move: Move) -> str:
        """What keeps a ball from moving."""
        names = _NAMES[: len(state)].lower()
        if not all(name in names for name in move):
            return f"the tubes are A to {names[-1].upper()}."
        at, to = map(names.index, move)
        if at == to:
            return "a ball must move to another tube."
        if not state[at]:
            return f"tube {move[0].upper()} is empty."
        if len(state[to]) == problem["capacity"]:
            return f"tube {move[1].upper()} is full."
        return "the top balls of the two tubes have different colours."

    def done(self, problem: JSON, state: State) -> bool:
        """Every tube is empty, or full of one colour."""
        return all(not tube or (len(tube) == problem["capacity"] and len(set(tube)) == 1) for tube in state)

    def bound(self, problem: JSON, state: State) -> int:
        """Balls that do not lie on the bottom among their own colour.

        Of each colour, the largest such group may stay; all other balls must move.
        """
        stays: dict[int, int] = {}
        for tube in state:
            if tube:
                same = next((at for at, ball in enumerate(tube) if ball != tube[0]), len(tube))
                stays[tube[0]] = max(stays.get(tube[0], 0), same)
        return sum(map(len, state)) - sum(stays.values())

    def same(self, problem: JSON, state: State) -> State:
        """The tubes in any order."""
        return tuple(sorted(state))

    def lines(self, problem: JSON, state: State) -> str:
        """A line for each tube."""
        return _line(problem, state)

    def look(self, problem: JSON, state: State) -> Scene:
        """The tubes side by side."""
        return tubes(_held(problem, state), problem["capacity"], _NAMES[: len(state)])

    def write(self, move: Move) -> str:
        """From one tube to another."""
        return ">".join(move).upper()


class BallSortSteps(Steps):
    """Sort coloured balls into tubes, one move per message."""

    puzzle = BallSort()
