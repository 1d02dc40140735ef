"""The kinds of values that parts take and return.

With descriptions and draws.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Final

from envhub.core.seeding import Stream
from envhub.generators.programs.kind import NO_HINTS, Args, Hints, Kind, always_given, within

LOW: Final = -30
HIGH: Final = 60
FAR: Final = 100_000
MOST_INTS: Final = 14
MOST_CHARS: Final = 40
MOST_WORDS: Final = 10
MOST_LETTERS: Final = 8
MOST_SPANS: Final = 9
LAST_END: Final = 120
MOST_SIDE: Final = 6
MOST_ITEMS: Final = 9

_ALPHABET: Final = "abcdefghijklmnopqrstuvwxyz"
_USUAL: Final = _ALPHABET[:10]
_FEW: Final = _ALPHABET[:5]
_SIGNS: Final = "  ,.-:"
_SIZES: Final = (0, 1, 2, 3, 5, 8, 13)

# -- lists of integers -------------------------------------------------------------------------------------------------


def _some(rng: Stream, count: int, low: int = LOW, high: int = HIGH) -> list[int]:
    return [rng.between(low, high) for _ in range(count)]


def _ints(rng: Stream, number: int, hints: Hints) -> Args:
    low, high = rng.choice([(LOW, HIGH), (LOW, HIGH), (0, 9), (-4, 4), (LOW, 0), (20, HIGH)])
    found = _some(rng, number % MOST_INTS + 1, low, high)
    if hints.numbers and number % 2:
        for at in range(len(found)):
            if rng.below(3) == 0:
                found[at] = within(LOW, rng.choice(hints.numbers) + rng.between(-1, 1), HIGH)
    if number % 5 == 4 and len(found) > 1:  # equal numbers that are not adjacent
        found[-1] = found[0]
    return (found,)


def _stairs(rng: Stream) -> Args:
    return (sorted(_some(rng, MOST_INTS)),)


def _down(rng: Stream) -> Args:
    return (sorted(_some(rng, 8), reverse=True),)


_INTS_EDGES: Final = (
    always_given([]),
    always_given([0]),
    always_given([HIGH]),
    always_given([LOW]),
    lambda rng: (_some(rng, 1, 1, 9),),
    lambda rng: (_some(rng, 1, -9, -1),),
    lambda rng: (_some(rng, 1, 10, HIGH - 1),),
    lambda rng: (_some(rng, 1) * MOST_INTS,),
    lambda rng: (_some(rng, 1) * rng.between(3, 8),),
    lambda rng: (_some(rng, 1) * 2,),
    always_given([LOW] * 3),
    always_given([HIGH] * 5),
    _stairs,
    _down,
    lambda rng: ([LOW, HIGH] * (MOST_INTS // 2),),
    lambda rng: (_some(rng, MOST_INTS),),
)


# -- integers ----------------------------------------------------------------------------------------------------------


def _int(rng: Stream, number: int, hints: Hints) -> Args:
    sign = -1 if number % 3 == 2 else 1
    if hints.numbers and number % 2:  # near multiples of the specification's numbers
        value = rng.between(1, 9)
        for factor in rng.sample(hints.numbers, rng.between(1, min(3, len(hints.numbers)))):
            value *= max(1, abs(factor))
        return (within(-FAR, sign * value + rng.between(-1, 1), FAR),)
    digits = number // 2 % 5
    return (sign * rng.between(10**digits, 10 ** (digits + 1) - 1),)


_INT_EDGES: Final = tuple(map(always_given, (0, 1, -1, FAR, -FAR, 2, 9, 10, -10, FAR - 1)))


# -- strings -----------------------------------------------------------------------------------------------------------


def _text(rng: Stream, number: int, hints: Hints) -> Args:
    size = number * 7 % MOST_CHARS + 1
    few = [
        *rng.sample(_USUAL, rng.between(2, 5)),
        rng.choice(_USUAL).upper(),
        rng.choice("0123456789"),
        *"zZ"[: number % 3],
    ]
    if hints.characters:
        few += rng.sample(hints.characters, min(3, len(hints.characters)))
    signs = " " if number % 3 == 1 else _SIGNS
    lengths = [1, 1, 1, 1, 2, 2, 3, rng.between(1, 12), *(value for value in hints.numbers if 1 < value <= 20)]
    found = ""
    while len(found) < size:
        found += rng.choice(signs) if rng.below(4) == 0 else rng.choice(few) * rng.choice(lengths)
    return (found[:size],)


def _letters(rng: Stream) -> Args:
    return ("".join(rng.sample(_ALPHABET + _ALPHABET.upper() + "0123456789", MOST_CHARS)),)


_TEXT_EDGES: Final = (
    *map(always_given, ("", "a", "z", "A", "Z", "0", "9", " ", ",", ".", "-", ":", "zZ", "aA9", "   ", " ,.-:")),
    lambda rng: (rng.choice(_USUAL),),
    lambda rng: (" " + rng.choice(_USUAL.upper()) * rng.between(2, 13) + "  ",),
    lambda rng: (rng.choice(_USUAL) * MOST_CHARS,),
    _letters,
    _letters,
    lambda rng: (_ALPHABET + "0123456789",),
    lambda rng: (_ALPHABET[::-1].upper() + " ,.-:",),
)


# -- lists of strings --------------------------------------------------------------------------------------------------


def _word(rng: Stream, hints: Hints = NO_HINTS, most: int = 6) -> str:
    rare = "z" + "".join(char for char in hints.characters if char in _ALPHABET)
    letters = (rng.choice(_FEW) if rng.below(6) else rng.choice(rare + _ALPHABET) for _ in range(rng.between(1, most)))
    return "".join(letters)


def _words(rng: Stream, number: int, hints: Hints) -> Args:
    stock = [_word(rng, hints, MOST_LETTERS if number % 4 == 3 else 6) for _ in range(rng.between(1, 8))]
    return ([rng.choice(stock) for _ in range(number % MOST_WORDS + 1)],)


def _different_words(rng: Stream) -> Args:
    return ([_word(rng) for _ in range(MOST_WORDS)],)


_WORDS_EDGES: Final = (
    always_given([]),
    always_given(["a"]),
    always_given(["z"]),
    always_given(["zz"]),
    lambda rng: ([_word(rng)],),
    lambda rng: (["".join(rng.choice(_ALPHABET) for _ in range(MOST_LETTERS))],),
    lambda rng: ([_word(rng)] * MOST_WORDS,),
    lambda rng: ([_word(rng)] * 2,),
    _different_words,
    lambda rng: (sorted(_different_words(rng)[0], reverse=True),),
    lambda rng: ([rng.choice(_FEW + "z") for _ in range(MOST_WORDS)],),
)


# -- intervals ---------------------------------------------------------------------------------------------------------


def _spans(rng: Stream, number: int, hints: Hints) -> Args:
    reach = rng.choice([20, 40, 100])
    near = [value for value in hints.numbers if 0 <= value <= LAST_END] or [0]
    found: list[list[int]] = []
    for _ in range(number % MOST_SPANS + 1):
        start, size = rng.below(reach), rng.choice(_SIZES)
        way = rng.below(8)
        if way == 0 and found:
            start = rng.choice(found)[1] + rng.choice(near)
        elif way == 1:
            start = rng.choice(near) + rng.between(-1, 1)
        elif way == 2:
            size = rng.choice(near) + rng.between(-1, 1)
        elif way == 3 and found:
            start = rng.choice(found)[rng.below(2)]
        elif way == 4:
            size = rng.below(40)
        elif way == 5 and found:
            start = max(0, rng.choice(found)[1] - size)
        start = within(0, start, LAST_END)
        found.append([start, within(start, start + size, LAST_END)])
    return (found,)


def _one_end(rng: Stream) -> Args:
    end = rng.between(20, LAST_END)
    return ([[end - size, end] for size in rng.sample(range(20), MOST_SPANS)],)


def _one_start(rng: Stream) -> Args:
    start = rng.below(100)
    return ([[start, start + size] for size in rng.sample(range(20), MOST_SPANS)],)


def _chain(rng: Stream) -> Args:
    at = [rng.below(6)]
    for _ in range(6):
        at.append(at[-1] + rng.between(1, 6))
    return ([[start, end] for start, end in pairwise(at)][::-1],)


_SPANS_EDGES: Final = (
    always_given([]),
    always_given([[0, 0]]),
    always_given([[0, LAST_END]]),
    always_given([[LAST_END, LAST_END]]),
    always_given([[3, 3]]),
    lambda rng: (_spans(rng, 0, NO_HINTS)[0],),
    lambda rng: (_spans(rng, 0, NO_HINTS)[0] * rng.between(2, MOST_SPANS),),
    lambda rng: (_spans(rng, MOST_SPANS - 1, NO_HINTS)[0],),
    lambda rng: (sorted(_spans(rng, MOST_SPANS - 1, NO_HINTS)[0], reverse=True),),
    _one_end,
    _one_start,
    _chain,
)


# -- grids -------------------------------------------------------------------------------------------------------------


def _cells(rng: Stream, rows: int, columns: int, low: int = 0, high: int = 9) -> Args:
    return ([_some(rng, columns, low, high) for _ in range(rows)],)


def _grid(rng: Stream, number: int, hints: Hints) -> Args:
    high = 9 if number % 4 else 3
    return _cells(
        rng, (number * 5 + 1) % MOST_SIDE + 1, (number // MOST_SIDE * 5 + number + 2) % MOST_SIDE + 1, 0, high
    )


_GRID_EDGES: Final = (
    always_given([[0]]),
    always_given([[9]]),
    lambda rng: _cells(rng, 1, 1, 1, 8),
    lambda rng: _cells(rng, 1, 2),
    lambda rng: _cells(rng, 2, 1),
    lambda rng: _cells(rng, 1, MOST_SIDE),
    lambda rng: _cells(rng, MOST_SIDE, 1),
    lambda rng: _cells(rng, MOST_SIDE, MOST_SIDE),
    lambda rng: _cells(rng, MOST_SIDE, MOST_SIDE, 9),
    lambda rng: _cells(rng, 3, 3, 0, 0),
    lambda rng: _cells(rng, 2, 2),
    lambda rng: _cells(rng, 2, MOST_SIDE),
    lambda rng: _cells(rng, MOST_SIDE, 2),
)


# -- items in a string -------------------------------------------------------------------------------------------------


_MALFORMED: Final = ("", "x", "4*", "1..b", "-", "-2..3", "*3", "..5")


def _item(rng: Stream, hints: Hints) -> str:
    value, low, high = rng.between(-9, 40), rng.below(12), rng.below(16)
    if hints.numbers and rng.below(3) == 0:
        value = within(-9, rng.choice(hints.numbers) + rng.between(-1, 1), 40)
    repeated, span = f"{value}*{rng.below(6)}", f"{low}..{high}"
    others = (f" {value} ", f"{low}..{low}", f"{high}..{low}", rng.choice(_MALFORMED))
    return rng.choice((str(value), str(value), repeated, repeated, span, span, *others))


def _items(rng: Stream, number: int, hints: Hints) -> Args:
    return (",".join(_item(rng, hints) for _ in range(number % MOST_ITEMS + 1)),)


_ITEMS_EDGES: Final = (
    *map(always_given, ("", "0", "-1", ",", " 7 ", "3..3", "2..6", "6..2", "5*0", "5*1", "5*5", "-2*3", "x", "0..15")),
    lambda rng: _items(rng, MOST_ITEMS - 1, NO_HINTS),
)


INTS: Final = Kind(
    "list[int]",
    "a list of integers",
    ("numbers",),
    f"up to {MOST_INTS} integers from {LOW} to {HIGH}; it may be empty",
    _INTS_EDGES,
    _ints,
)
INT: Final = Kind("int", "an integer", ("number",), f"from {-FAR} to {FAR}", _INT_EDGES, _int)
TEXT: Final = Kind(
    "str",
    "a string",
    ("text",),
    f"up to {MOST_CHARS} characters out of the letters a to z and A to Z, the digits, space, comma, full stop, minus and "
    "colon; it may be empty",
    _TEXT_EDGES,
    _text,
)
WORDS: Final = Kind(
    "list[str]",
    "a list of strings",
    ("words",),
    f"up to {MOST_WORDS} words of 1 to {MOST_LETTERS} lower-case letters from a to z; it may be empty",
    _WORDS_EDGES,
    _words,
)
SPANS: Final = Kind(
    "list[list[int]]",
    "a list of pairs [start, end]",
    ("spans",),
    f"up to {MOST_SPANS} lists of two integers [start, end] with 0 <= start <= end <= {LAST_END}, in any order; it may be "
    "empty",
    _SPANS_EDGES,
    _spans,
)
GRID: Final = Kind(
    "list[list[int]]",
    "a grid",
    ("grid",),
    f"1 to {MOST_SIDE} rows of equal length, each with 1 to {MOST_SIDE} digits from 0 to 9, as a list of rows",
    _GRID_EDGES,
    _grid,
)
ITEMS: Final = Kind(
    "str",
    "a list of items in a string",
    ("text",),
    f"up to {MOST_ITEMS} items separated by commas, which may be malformed; it may be empty",
    _ITEMS_EDGES,
    _items,
)
