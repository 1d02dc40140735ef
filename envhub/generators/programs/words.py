"""Parts on lists of strings, and between numbers and strings."""

from __future__ import annotations

from typing import Any, Final

from envhub.generators.programs.kinds import INT, INTS, ITEMS, TEXT, WORDS
from envhub.generators.programs.part import Part, always, between, one_of


def swap(words: list[str], every: int, tail: int | None = None, double: bool = False) -> list[str]:
    found = []
    for at, word in enumerate(words):
        if at % every == 0:
            word = word[::-1]
        elif tail is not None:
            word = word[tail:] + word[:tail]
        found.append(word)
        if double and len(word) % 2 == 1:
            found.append(word[len(word) // 2])
    return found


def _swap(p: Any) -> str:
    others = (
        f" In every other string move the first {'character' if p.tail == 1 else f'{p.tail} characters'} to the end (a shorter "
        "string stays as it is)."
        if p.tail
        else ""
    )
    double = (
        " After this, put behind every string of odd length one more string: its middle character." if p.double else ""
    )
    return f"Reverse the strings at the positions 0, {p.every}, {2 * p.every} and so on.{others}{double}"


def ranked(words: list[str], down: bool = False, last: str | None = None, most: int | None = None) -> list[str]:
    counts: dict[str, int] = {}
    for word in words:
        if last is not None and word.endswith(last):
            counts[word] = counts.get(word, 0) + 2
        else:
            counts[word] = counts.get(word, 0) + 1
    ordered = sorted(counts, key=lambda word: (-counts[word], -len(word) if down else len(word), word))
    if most is not None:
        ordered = ordered[:most]
    return [word + str(counts[word]) for word in ordered]


def _ranked(p: Any) -> str:
    last = f" A string that ends with {p.last!r} scores 2 each time it occurs." if p.last else ""
    size = "longer" if p.down else "shorter"
    most = f" Only the first {p.most} of them are kept." if p.most else ""
    return (
        f"Every different string scores 1 for each time that it occurs in the list.{last} Replace the list by the "
        "different strings, ordered by "
        f"score, the highest first; of equal scores the {size} one first; of equal lengths in alphabetical order (as "
        "Python compares strings)."
        f"{most} Each is followed by its score in decimal, in the same string."
    )


def split(text: str, at: str, empty: bool = False, lower: bool = False) -> list[str]:
    if lower:
        text = text.lower()
    pieces = text.split(at)
    if not empty:
        pieces = [piece for piece in pieces if piece != ""]
    return pieces


def _split(p: Any) -> str:
    lower = "Change all letters to lower case. " if p.lower else ""
    empty = (
        "Pieces that are empty are kept (an empty text is one empty piece)."
        if p.empty
        else "Pieces that are empty are left out."
    )
    return f"{lower}Cut the text into a list of strings at every {p.at!r}, which is in none of them. {empty}"


def codes(text: str, base: int, digits: int | None = None, m: int | None = None) -> list[int]:
    found = []
    for char in text:
        if char.isdigit():
            if digits is not None:
                found.append(int(char) * digits)
        elif char.isalpha():
            code = ord(char.lower()) - 97 + base
            if m is not None:
                code = code * code % m
            found.append(code)
        else:
            found.append(-1)
    return found


def _codes(p: Any) -> str:
    digits = f"every digit gives its value times {p.digits}" if p.digits else "digits are left out"
    square = f", and this code is replaced by the remainder of its square when divided by {p.m}" if p.m else ""
    return (
        "Replace the text by a list of integers, one for each character in its order: a letter (in either case) "
        f"gives {p.base} for a, "
        f"{p.base + 1} for b and so on{square}; {digits}; any other character gives -1."
    )


def sizes(words: list[str], weight: int, first: bool = False) -> list[int]:
    found = []
    for word in words:
        size = len(word) * weight
        if first and word != "":
            size += ord(word[0])
        found.append(size)
    return found


def _sizes(p: Any) -> str:
    first = ", plus the character code (ord) of its first character, if it has one" if p.first else ""
    return f"Replace every string by its length times {p.weight}{first}. The result is a list of integers."


def joined(words: list[str], mark: str, wide: int | None = None, number: bool = False) -> str:
    pieces = []
    for at, word in enumerate(words):
        if wide is not None:
            word = word[:wide] + "." * (wide - len(word))
        if number:
            word = str(at + 1) + ":" + word
        pieces.append(word)
    return mark.join(pieces)


def _joined(p: Any) -> str:
    wide = (
        f"Cut every string after {p.wide} characters, or fill it up to that length with full stops on the right. "
        if p.wide
        else ""
    )
    number = "Write before every string its number in the list, from 1, and a colon. " if p.number else ""
    return f"{wide}{number}Join the strings with {p.mark!r} between them into one string."


def spread(text: str, least: int, most: int, times: int | None = None, skip: bool = False) -> list[int]:
    found: list[int] = []
    for item in text.split(","):
        item = item.strip()
        left, mark, right = item.partition("..")
        if mark and left.isdigit() and right.isdigit():
            low = int(left)
            high = int(right)
            if low > high and skip:
                continue
            for value in range(min(low, high), max(low, high) + 1):
                found.append(value)
            continue
        left, mark, right = item.partition("*")
        if mark and times is not None and left.lstrip("-").isdigit() and right.isdigit():
            found += [int(left)] * min(int(right), times)
        elif not mark and item.lstrip("-").isdigit():
            found.append(int(item))
    return [value for value in found if least <= value <= most]


def _spread(p: Any) -> str:
    rows = [
        "an integer in decimal, which may have '-' before it, gives that integer",
        "a..b, where a and b are integers without sign, gives all integers from a to b in increasing order"
        + (
            ", but nothing if a is greater than b"
            if p.skip
            else ", or from b to a in increasing order if a is greater than b"
        ),
    ]
    if p.times:
        rows.append(
            "v*n, where v is an integer that may have '-' before it and n one without sign, gives v n times, but at "
            f"most {p.times} times"
        )
    return (
        "The text is a list of items between commas; spaces around an item do not count. "
        + "; ".join(rows).capitalize()
        + "; any other item gives "
        "nothing. The result is the list of all these integers in the order of the items, without those less than "
        f"{p.least} or greater "
        f"than {p.most}."
    )


def digits(number: int, base: int, symbols: str, width: int | None = None, mirror: bool = False) -> str:
    rest = abs(number)
    written = ""
    while rest > 0 or written == "":
        written = symbols[rest % base] + written
        rest = rest // base
    if width is not None:
        while len(written) % width != 0:
            written = symbols[0] + written
    if mirror:
        written = written[::-1]
    if number < 0:
        written = "-" + written
    return written


def _digits(p: Any) -> str:
    digits = ", ".join(f"{char} for {value}" for value, char in enumerate(p.symbols))
    width = f" Put {p.symbols[0]!r} in front until the number of digits is a multiple of {p.width}." if p.width else ""
    mirror = " Reverse the digits." if p.mirror else ""
    return (
        f"Write the absolute value of the number in base {p.base}, the highest place first, with the digits "
        f"{digits}; 0 is written as one digit."
        f"{width}{mirror} If the number is negative, '-' stands in front of all."
    )


def clock(number: int, big: int, small: int, whole: bool = False, pad: bool = False) -> str:
    sign = "-" if number < 0 else ""
    rest = abs(number)
    low = rest % small
    middle = rest // small % big
    high = rest // small // big
    pieces = []
    if high > 0 or whole:
        pieces.append(str(high) + "x")
    if middle > 0 or high > 0 or whole:
        pieces.append((str(middle).zfill(2) if pad else str(middle)) + "y")
    pieces.append((str(low).zfill(2) if pad else str(low)) + "z")
    return sign + " ".join(pieces)


def _clock(p: Any) -> str:
    pad = " The numbers of y and z have at least two digits, with a 0 in front where needed." if p.pad else ""
    lead = (
        "All three parts are always written."
        if p.whole
        else "Parts in front that are 0 are left out, but the part z is always written."
    )
    return (
        f"One y is {p.small} z, and one x is {p.big} y. Write the absolute value of the number, which counts z, as "
        "x, y and z, such that there are "
        f"fewer than {p.big} y and fewer than {p.small} z: each part as a number and its letter, with a space between "
        "the parts, such as 5x 1y 3z. "
        f"{lead}{pad} If the number is negative, '-' stands in front of all."
    )


_SYMBOLS: Final = ("abcdefghi", "0123456789", "XYZABCDEF", "987654321", "qwertzuio")

PARTS: Final = (
    Part(swap, WORDS, WORDS, _swap, {"every": between(2, 4)}, {"tail": between(1, 3), "double": always}),
    Part(ranked, WORDS, WORDS, _ranked, {}, {"down": always, "last": one_of(*"abcde"), "most": between(2, 6)}),
    Part(split, TEXT, WORDS, _split, {"at": one_of(*" ,.-:")}, {"empty": always, "lower": always}),
    Part(codes, TEXT, INTS, _codes, {"base": between(0, 40)}, {"digits": between(2, 9), "m": between(11, 60)}),
    Part(sizes, WORDS, INTS, _sizes, {"weight": between(1, 9)}, {"first": always}),
    Part(
        joined,
        WORDS,
        TEXT,
        _joined,
        {"mark": one_of(",", " ", "-", "/", "--")},
        {"wide": between(2, 5), "number": always},
    ),
    Part(
        spread,
        ITEMS,
        INTS,
        _spread,
        {"least": between(-6, 2), "most": between(9, 35)},
        {"times": between(2, 4), "skip": always},
    ),
    Part(
        digits,
        INT,
        TEXT,
        _digits,
        {"base": between(2, 9), "symbols": lambda rng, p: rng.choice(_SYMBOLS)[: p["base"]]},
        {"width": between(2, 5), "mirror": always},
    ),
    Part(clock, INT, TEXT, _clock, {"big": between(5, 40), "small": between(5, 90)}, {"whole": always, "pad": always}),
)
