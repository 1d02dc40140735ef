"""nullify-steps-v0: combine numbers and operations until nothing is left.

Action: one move, ``C>A``. It uses unit C on the number A: a number is added to it, an operation is applied to it. C is gone,
and A keeps the result, or is gone as well if it is 0. Right if no unit is left. Every task is made from a way to solve it.
Difficulty: more units, and harder operations; effort is the number of units. All values are exact fractions. Names and the
order of units are not content.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from fractions import Fraction
from math import ceil, floor, isqrt
from typing import Any, Final

from envhub.families.state_puzzle_kit import (
    JSON,
    Instance,
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
from envhub.generators.optimum import Optimum
from envhub.scenes import Rect, Shape, Text

State = tuple[Fraction | str | None, ...]
"""What each unit is: a number, an operation, or gone."""

_NAMES: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_LARGEST: Final = 10**9
_PLAIN: Final = ("*2", "*3", "/2", "/3", "*5")
_HARDER: Final = ("square", "floor", "ceil", "reciprocal", "sqrt")


def applied(value: Fraction, unit: Fraction | str) -> Fraction | None:
    """A number after a unit was used on it; None if impossible."""
    made: Fraction | None
    if isinstance(unit, Fraction):
        made = value + unit
    elif unit[0] in "*/":
        factor = Fraction(int(unit[1:]))
        made = value * factor if unit[0] == "*" else value / factor
    else:
        made = _FUNCTIONS[unit](value)
    small = made is not None and max(abs(made.numerator), made.denominator) <= _LARGEST
    return made if small else None


def _root(value: Fraction) -> Fraction | None:
    if value < 0:
        return None
    made = Fraction(isqrt(value.numerator), isqrt(value.denominator))
    return made if made**2 == value else None


_FUNCTIONS: Final[dict[str, Callable[[Fraction], Fraction | None]]] = {
    "square": lambda value: value**2,
    "sqrt": _root,
    "reciprocal": lambda value: 1 / value if value else None,
    "floor": lambda value: Fraction(floor(value)),
    "ceil": lambda value: Fraction(ceil(value)),
}


def _unit(text: str) -> Fraction | str:
    return Fraction(text) if text[0] in "+-" else text


def _text(unit: Fraction | str) -> str:
    return unit if isinstance(unit, str) else f"{'+' if unit > 0 else ''}{unit}"


def _named(units: Sequence[Fraction | str | None]) -> list[tuple[str, str]]:
    return [(name, _text(unit)) for name, unit in zip(_NAMES, units, strict=False) if unit is not None]


def _first(problem: JSON) -> list[tuple[str, str]]:
    return _named([_unit(text) for text in problem["units"]])


def _listed(problem: JSON) -> str:
    return "The units:\n\n" + "\n".join(f"{name}: {text}" for name, text in _first(problem))


def _as_json(problem: JSON) -> str:
    return f"The units as JSON:\n\n{json.dumps(dict(_first(problem)))}"


def _on_a_line(problem: JSON) -> str:
    return "Units: " + "; ".join(f"{name} is {text}" for name, text in _first(problem)) + "."


def _table(problem: JSON) -> str:
    return "\n".join(["| unit | content |", "|---|---|", *(f"| {name} | {text} |" for name, text in _first(problem))])


class Nullify(StatePuzzle):
    """Combine numbers and operations until nothing is left."""

    family = "nullify"
    Params = levels(
        numbers=knob("number of numbers", 4, 4, 4, 5, 5, 5, 5, 6, 6, 6, at_least=2, at_most=12),
        operations=knob("number of operations", 3, 3, 4, 4, 4, 5, 6, 6, 7, 8, at_least=1, at_most=13),
        largest=knob("largest number", 9, 9, 12, 12, 15, 15, 20, 20, 25, 30, at_least=5, at_most=99),
        harder=knob("whether there are functions besides factors", *[False] * 3, *[True] * 7),
    )
    answer = Pours()
    slow = False
    task = Phrase(
        "Combine these {units} so that nothing is left.",
        "Make all {units} disappear by using them on each other.",
        "Use the {units} on each other in an order in which everything cancels out.",
        held_out="Determine a sequence of combinations that eliminates all {units}.",
    )
    rules = (
        Phrase(
            "Units with a sign, such as +8 or -10, are numbers. The other units are operations.",
            "A unit is a number if it has a sign (+8, -10), and an operation otherwise.",
            "There are numbers, which have a sign, such as +8 and -10, and operations, which have none.",
            held_out="Signed units (+8, -10) are numbers; all others are operations.",
        ),
        Phrase(
            "In one move you use a unit on a number. A number is added to it, with its sign. An operation is applied to it.",
            "A move uses one unit on a number: if the unit is a number, the two are added; if it is an operation, it changes "
            "the number.",
            "Each move takes one unit and a number. The unit is added to the number, or, if it is an operation, applied to it.",
            held_out="A move applies one unit to a number: numbers are added, operations are evaluated.",
        ),
        Phrase(
            "The unit that was used is gone. The number keeps its name and has the new value. If this is 0, the number is "
            "gone, too.",
            "After that the used unit disappears, and the number holds the result under its old name. A result of 0 "
            "disappears as well.",
            "The used unit vanishes, the number keeps its name and gets the result, and a number that becomes 0 vanishes, too.",
            held_out="The used unit is removed; the number is replaced by the result, or removed if that is 0.",
        ),
        Phrase(
            "*2 multiplies by 2, and /3 divides by 3, exactly. The operation square gives x*x, sqrt the root of x, and "
            "reciprocal 1/x. The operations floor and ceil round down and up to a whole number.",
            "*2 means times 2, and /3 means divided by 3 without rounding. The operation square means x*x, sqrt the square "
            "root, reciprocal 1/x, floor rounding down and ceil rounding up to a whole number.",
            "Factors are written *2, divisors /3, and results are exact fractions. The functions are square (x*x), sqrt "
            "(square root), reciprocal (1/x), floor (round down) and ceil (round up).",
            held_out="*n and /n denote exact multiplication and division; square, sqrt, reciprocal, floor and ceil have their "
            "usual meaning.",
        ),
        Phrase(
            "The operation sqrt is only possible if the root is an exact fraction. No numerator or denominator may exceed "
            "1000000000.",
            "A root must be exact, or sqrt is not possible. Results with a numerator or denominator of more than 1000000000 "
            "are not possible either.",
            "You cannot use sqrt where the root is not an exact fraction. Numerators and denominators go up to 1000000000.",
            held_out="The operation sqrt requires a rational root; numerators and denominators are limited to 1000000000.",
        ),
    )
    moves_rule = Phrase(
        "Write a move as the used unit, the sign >, and the number: C>A uses C on A.",
        "A move is written with two names: C>A means that C is used on the number A.",
        "Name the unit that is used and the number, with > between them, as in C>A.",
        held_out="Notation: X>Y denotes the use of unit X on number Y.",
    )
    data = Variants(
        _listed,
        _as_json,
        _on_a_line,
        held_out=_table,
        name="units",
        seen=in_picture(
            "The picture shows the units, each under its name.",
            "See the picture for the units and their names.",
            "The units are drawn in the picture as cards with names.",
            held_out="The attached figure depicts the named units.",
        ),
    )

    def draw(self, rng: Stream, p: Any) -> JSON:
        """Random units that are used up in a random order.

        The last number makes the sum 0.
        """
        kinds = (*_PLAIN, *(_HARDER if p.harder else ()))
        numbers = [Fraction(rng.between(1, p.largest) * (1 if rng.below(2) else -1)) for _ in range(p.numbers - 1)]
        units: list[Fraction | str] = [*numbers, Fraction(0)]
        values, made = list(numbers), list[list[int]]()
        for _ in range(p.operations):
            for _ in range(8):
                name, at = rng.choice(kinds), rng.below(len(values))
                after = applied(values[at], name)
                if after and after != values[at] and after.denominator <= 12 and abs(after) <= 200:
                    break
            else:
                return None
            values[at] = after
            made.append([len(units), at])
            units.append(name)
        total = sum(values, Fraction())
        if not total or total.denominator != 1 or abs(total) > 400 or not all(_sums(values)):
            return None
        units[p.numbers - 1] = -total
        made += [[at, 0] for at in range(1, p.numbers)]
        order = rng.sample(range(len(units)), len(units))
        place = {old: new for new, old in enumerate(order)}
        moves = [[_NAMES[place[a]].lower(), _NAMES[place[b]].lower()] for a, b in made]
        texts = [_text(units[old]) for old in order]
        return {"units": texts, "limit": len(moves), "made": moves} if not self._easy(units) else None

    def sample(self, rng: Stream, p: Any) -> Any:
        """Units, and the order in which they were used up."""
        problem = self.draw(rng, p)
        return None if problem is None else Instance(problem, key={"moves": problem.pop("made"), "steps": 0})

    def best(self, problem: JSON, state: Any) -> Optimum | None:
        """Not searched: the order of the draw is the solution."""
        return None

    def canonical(self, content: JSON) -> JSON:
        """The units in alphabetical order."""
        return sorted(content["units"])

    def values(self, problem: JSON) -> dict[str, Any]:
        """Units and moves in words."""
        return {**super().values(problem), "units": counted(len(problem["units"]), "unit")}

    def start(self, problem: JSON) -> State:
        """All units."""
        return tuple(_unit(text) for text in problem["units"])

    def moves(self, problem: JSON, state: State) -> list[tuple[Move, State]]:
        """Every unit on every number."""
        found: list[tuple[Move, State]] = []
        for at, unit in enumerate(state):
            for to, value in enumerate(state):
                if at != to and unit is not None and isinstance(value, Fraction):
                    made = applied(value, unit)
                    if made is not None:
                        after = list(state)
                        after[at], after[to] = None, made or None
                        found.append(((_NAMES[at].lower(), _NAMES[to].lower()), tuple(after)))
        return found

    def fault(self, problem: JSON, state: State, move: Move) -> str:
        """What keeps a unit from being used."""
        at, to = (_NAMES.lower().index(name) for name in move)
        if at == to:
            return "a unit cannot be used on itself."
        for place, name in ((at, move[0]), (to, move[1])):
            if place >= len(state) or state[place] is None:
                return f"there is no unit {name.upper()}."
        if isinstance(state[to], str):
            return f"{move[1].upper()} is an operation, not a number."
        return "the result is not an exact fraction that is small enough."

    def done(self, problem: JSON, state: State) -> bool:
        """Nothing is left."""
        return not any(unit is not None for unit in state)

    def lines(self, problem: JSON, state: State) -> str:
        """A line for each unit that is left."""
        return "\n".join(f"{name}: {text}" for name, text in _named(state)) or "Nothing is left."

    def look(self, problem: JSON, state: State) -> Scene:
        """Cards side by side, each under its name."""
        shapes: list[Shape] = []
        for at, (name, text) in enumerate(_named(state)):
            x, y = 14 + at % 6 * 116, 14 + at // 6 * 92
            shapes += (Text(x + 50, y + 8, name, 15, "faint"), Rect(x, y + 20, 100, 54, "shade", "ink", 2))
            shapes.append(Text(x + 50, y + 47, text, 18))
        rows = max(1, -(-len(state) // 6))
        return Scene(14 + 6 * 116, 14 + rows * 92, tuple(shapes))

    def write(self, move: Move) -> str:
        """The used unit and the number."""
        return ">".join(move).upper()

    def _easy(self, units: Sequence[Fraction | str]) -> bool:
        """Whether the numbers cancel out without the operations."""
        return not sum((unit for unit in units if isinstance(unit, Fraction)), Fraction())


def _sums(values: Sequence[Fraction]) -> list[Fraction]:
    """The sums of the first two values, three, and so on."""
    return [sum(values[: at + 1], Fraction()) for at in range(1, len(values))]


class NullifySteps(Steps):
    """Combine numbers and operations until nothing is left, one move per message."""

    puzzle = Nullify()
