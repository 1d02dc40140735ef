"""What tasks on programs are made of: kinds of values, and parts that turn a value of one kind into one of another.

A part is a plain function of ours with parameters that are drawn. Those with a default are rules, which a task may have or not;
the specification says in words what the function does with the parameters it has::

    Part(rotate, INTS, INTS, _rotate, {"by": between(1, 4)}, {"flip": always})
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any, Final

from envhub.seeding import Stream
from envhub.types import JSON

Params = dict[str, JSON]
Drawer = Callable[[Stream, Params], JSON]

_LETTERS: Final = "abcdefghij"
_SIGNS: Final = "  ,.-:"


@dataclass(frozen=True)
class Kind:
    """What kind of value a part takes or gives.

    Attributes:
        type: As Python writes it.
        words: What it is, in words.
        names: Of the arguments that it makes when it is the input of a task.
        limits: What inputs there are, in words.
        draw: The arguments of an input; the number says which, and the first few are edge cases.
    """

    type: str
    words: str
    names: tuple[str, ...] = ("value",)
    limits: str = ""
    draw: Callable[[Stream, int], tuple[Any, ...]] | None = field(default=None, repr=False)


@dataclass(frozen=True)
class Part:
    """A step of a program.

    Attributes:
        run: What it does, in plain Python; parameters behind its values are drawn, those with a default are rules.
        takes: The kind of its values.
        gives: The kind of its result.
        say: What it does in words, from its parameters by attribute.
        needs: How the parameters are drawn that it always has.
        rules: How those are drawn that it may have.
    """

    run: Callable[..., Any]
    takes: Kind
    gives: Kind
    say: Callable[[Any], str]
    needs: Mapping[str, Drawer]
    rules: Mapping[str, Drawer]

    @property
    def name(self) -> str:
        """The name of the function."""
        return self.run.__name__

    def draw(self, rng: Stream, rules: int) -> Params:
        """Parameters, with so many rules, or all there are."""
        chosen = set(rng.sample(list(self.rules), min(rules, len(self.rules))))
        found: Params = {}
        for name, drawn in [*self.needs.items(), *self.rules.items()]:
            if name in self.needs or name in chosen:
                found[name] = drawn(rng, found)
        return found

    def spec(self, params: Params) -> str:
        """What it does in words."""
        return self.say(SimpleNamespace(**{**dict.fromkeys(self.rules), **params}))


def between(low: int, high: int) -> Drawer:
    """An integer from ``low`` to ``high``."""
    return lambda rng, _: rng.between(low, high)


def one_of(*items: JSON) -> Drawer:
    """One of these."""
    return lambda rng, _: rng.choice(items)


def always(rng: Stream, params: Params) -> JSON:
    """True: the rule is there."""
    return True


def modulo(m: int) -> str:
    """What a remainder is."""
    return f" (remainders are never negative: -1 leaves {m - 1})"


# -- inputs ------------------------------------------------------------------------------------------------------------


def _ints(rng: Stream, number: int) -> tuple[list[int]]:
    if number == 0:
        return ([],)
    if number == 1:
        return ([rng.between(-30, 60)],)
    if number == 2:
        return ([rng.between(-30, 60)] * rng.between(3, 8),)
    low, high = rng.choice([(-30, 60), (-30, 60), (0, 9), (-4, 4), (-30, 0), (20, 60)])
    return ([rng.between(low, high) for _ in range(rng.between(4, 14))],)


def _int(rng: Stream, number: int) -> tuple[int]:
    if number < 3:
        return ((0, 1, 100_000)[number],)
    return (rng.below(10 ** rng.between(1, 5)),)


def _text(rng: Stream, number: int) -> tuple[str]:
    if number == 0:
        return ("",)
    if number == 1:
        return (rng.choice(_LETTERS),)
    if number == 2:
        return (" " + rng.choice(_LETTERS.upper()) * rng.between(2, 13) + "  ",)
    few = [*rng.sample(_LETTERS, rng.between(2, 6)), rng.choice(_LETTERS).upper(), rng.choice("0123456789")]
    pieces = [
        rng.choice(_SIGNS) if rng.below(4) == 0 else rng.choice(few) * rng.choice([1, 1, 1, 2, 3])
        for _ in range(rng.between(6, 22))
    ]
    return ("".join(pieces),)


def _words(rng: Stream, number: int) -> tuple[list[str]]:
    def word() -> str:
        return "".join(rng.choice("abcde") for _ in range(rng.between(1, 6)))

    if number < 2:
        return ([word()] * number,)
    stock = [word() for _ in range(rng.between(1 if number == 2 else 3, 8))]
    return ([rng.choice(stock) for _ in range(rng.between(3, 10))],)


def _spans(rng: Stream, number: int) -> tuple[list[list[int]]]:
    if number == 0:
        return ([],)
    reach = rng.choice([20, 40, 100])
    found = []
    for _ in range(1 if number == 1 else rng.between(3, 9)):
        start = rng.below(reach)
        found.append([start, start + rng.choice([0, 1, 2, 3, 5, 8, 13])])
    return (found,)


def _grid(rng: Stream, number: int) -> tuple[list[list[int]]]:
    rows, columns = (1, 1) if number == 0 else (1, rng.between(2, 5)) if number == 1 else (rng.between(2, 5), 1)
    if number > 2:
        rows, columns = rng.between(2, 6), rng.between(2, 6)
    return ([[rng.below(10) for _ in range(columns)] for _ in range(rows)],)


def _graph(rng: Stream, number: int) -> tuple[int, list[list[int]], int]:
    count = 1 if number == 0 else rng.between(2, 10)
    found = [
        [rng.below(count), rng.below(count)] for _ in range(0 if number < 2 else rng.between(count, 2 * count + 2))
    ]
    return count, found, rng.below(count)


def _moves(rng: Stream, number: int) -> tuple[list[str]]:
    steps = 0 if number == 0 else 1 if number == 1 else rng.between(4, 14)
    return ([rng.choice(["L", "R", *(f"F{n}" for n in range(1, 7))]) for _ in range(steps)],)


def _items(rng: Stream, number: int) -> tuple[str]:
    def item() -> str:
        first = str(rng.between(-9, 40))
        return rng.choice(
            [
                first,
                first,
                f"{first}*{rng.below(5)}",
                f"{rng.below(12)}..{rng.below(16)}",
                "x",
                "",
                f" {first} ",
                "4*",
                "1..b",
            ]
        )

    return (",".join(item() for _ in range(number if number < 2 else rng.between(2, 9))),)


INTS: Final = Kind(
    "list[int]", "a list of integers", ("numbers",), "up to 14 integers from -30 to 60; it may be empty", _ints
)
INT: Final = Kind("int", "an integer", ("number",), "from 0 to 100000", _int)
TEXT: Final = Kind(
    "str",
    "a string",
    ("text",),
    "up to 70 characters out of the letters a to z and A to Z, the digits, space, comma, full stop, minus and colon; "
    "it may be "
    "empty",
    _text,
)
WORDS: Final = Kind(
    "list[str]",
    "a list of strings",
    ("words",),
    "up to 10 words of lower case letters, none empty; it may be empty",
    _words,
)
SPANS: Final = Kind(
    "list[list[int]]",
    "a list of pairs [start, end]",
    ("spans",),
    "up to 9 lists of two integers [start, end] with 0 <= start <= end <= 120, in any order; it may be empty",
    _spans,
)
GRID: Final = Kind(
    "list[list[int]]",
    "a grid",
    ("grid",),
    "1 to 6 rows of equal length, each with 1 to 6 digits from 0 to 9, as a list of rows",
    _grid,
)
GRAPH: Final = Kind(
    "int, list[list[int]], int",
    "a graph",
    ("count", "edges", "start"),
    "count nodes (1 to 10), numbered from 0 to count - 1; edges is a list of up to 22 pairs [a, b] of nodes (a may "
    "equal b, "
    "pairs may repeat, there may be none); start is a node",
    _graph,
)
MOVES: Final = Kind(
    "list[str]",
    "a list of commands",
    ("commands",),
    "up to 14 commands: 'L', 'R', or 'F' followed by a digit from 1 to 6; it may be empty",
    _moves,
)
ITEMS: Final = Kind(
    "str",
    "a list of items in a string",
    ("text",),
    "up to 9 items separated by commas, which may be malformed; it may be empty",
    _items,
)
