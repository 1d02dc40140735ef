"""Parts on strings."""

from __future__ import annotations

from typing import Any, Final

from envhub.generators.programs.kinds import TEXT
from envhub.generators.programs.part import Part, always, between, counted, one_of

_VOWELS: Final = "the letters a, e, i, o, u in either case"


def shift(text: str, by: int, grow: int = 0, vowels: bool = False) -> str:
    shifted = ""
    step = by
    for char in text:
        if "a" <= char <= "z" and not (vowels and char in "aeiou"):
            char = chr((ord(char) - 97 + step) % 26 + 97)
            step += grow
        elif "A" <= char <= "Z" and not (vowels and char in "AEIOU"):
            char = chr((ord(char) - 65 + step) % 26 + 65)
            step += grow
        shifted += char
    return shifted


def _shift(p: Any) -> str:
    but = f" other than {_VOWELS}," if p.vowels else ""
    grow = (
        f" For the first letter that is replaced the distance is {counted(p.by, 'place')}; it grows by {p.grow} after every "
        "letter that was replaced."
        if p.grow
        else ""
    )
    far = "some places" if p.grow else counted(p.by, "place")
    return (
        f"Replace every letter from a to z or A to Z{but} by the letter {far} further in the alphabet, in the same case; "
        f"after z comes a again.{grow} All other characters stay."
    )


def lengths(text: str, least: int, most: int | None = None, after: bool = False) -> str:
    packed = ""
    at = 0
    while at < len(text):
        end = at
        while end < len(text) and text[end] == text[at] and (most is None or end - at < most):
            end += 1
        count = end - at
        if count < least:
            packed += text[at] * count
        elif after:
            packed += text[at] + str(count)
        else:
            packed += str(count) + text[at]
        at = end
    return packed


def _lengths(p: Any) -> str:
    most = f" A run has at most {p.most} characters; the next equal character begins a new run." if p.most else ""
    form = "its character followed by its length" if p.after else "its length followed by its character"
    return (
        "Going from left to right, divide the text into runs of consecutive equal characters, each as long as "
        f"possible.{most} Replace every run of {p.least} or more characters by {form}, with the length in decimal; shorter "
        "runs stay as they are."
    )


def wrap(text: str, width: int, fill: str, right: bool = False, middle: int | None = None) -> str:
    lines: list[str] = []
    for word in text.split():
        if lines and len(lines[-1]) + 1 + len(word) <= width:
            lines[-1] += " " + word
        else:
            lines.append(word)
    laid = []
    for at, line in enumerate(lines):
        room = max(0, width - len(line))
        if middle is not None and at % middle == middle - 1:
            left = room // 2
            line = fill * left + line + fill * (room - left)
        elif right:
            line = fill * room + line
        else:
            line = line + fill * room
        laid.append(line)
    return "\n".join(laid)


def _wrap(p: Any) -> str:
    side = "left" if p.right else "right"
    middle = (
        f" But lines number {p.middle}, {2 * p.middle}, {3 * p.middle} and so on (the first line is number 1) are "
        "centred: half of what they "
        f"lack, rounded down, is put on the left and the rest on the right."
        if p.middle
        else ""
    )
    return (
        "Divide the text into words at white space, which is not kept, and put the words into lines: a word goes to "
        "the current line behind one "
        f"space if the line is then at most {p.width} characters long, and otherwise begins a new line, however long "
        "it is. Fill every line that "
        f"is shorter than {p.width} characters up to that length with {p.fill!r} on the {side}.{middle} The result "
        "is the lines joined with "
        "newline characters (none at the end); an empty string if there are no words."
    )


def inside(text: str, opens: str, closes: str, keep: bool = False, deep: int | None = None, upper: bool = False) -> str:
    found = ""
    depth = 0
    for char in text:
        if char == opens:
            if deep is None or depth < deep:
                depth += 1
        elif char == closes and depth > 0:
            depth -= 1
        elif depth == 0:
            found += char
        elif keep:
            if upper:
                char = char.upper()
            found += str(depth) + char
        elif upper and char.isalpha():
            found += char.upper()
    return found


def _inside(p: Any) -> str:
    deep = f"increases the depth by 1, unless the depth is {p.deep} already" if p.deep else "increases the depth by 1"
    if p.keep:
        upper = ", changed to upper case" if p.upper else ""
        rest = (
            "Any other character is kept; if the depth is not 0, the depth in decimal is written before it, and the "
            f"character follows{upper}."
        )
    else:
        upper = " if it is a letter, in upper case; what is no letter is dropped" if p.upper else ""
        rest = "Any other character is kept if the depth is 0; otherwise it is " + (
            f"kept{upper}." if p.upper else "dropped."
        )
    return (
        f"Read the text from left to right with a depth that starts at 0. The character {p.opens!r} {deep}, and is "
        "dropped in any case. The "
        f"character {p.closes!r} decreases the depth by 1 and is dropped if the depth is greater than 0; if the "
        "depth is 0 it is like any "
        f"other character. {rest}"
    )


def censor(text: str, marks: str, after: int, upto: str | None = None, fresh: bool = False) -> str:
    found = ""
    seen = 0
    for char in text:
        if upto is not None and char == upto:
            seen = 0
        if char in marks:
            seen += 1
            if seen >= after:
                found += "*"
                if fresh:
                    seen = 0
                continue
        found += char
    return found


def _censor(p: Any) -> str:
    marks = ", ".join(repr(char) for char in p.marks)
    upto = f" The character {p.upto!r} sets the count to 0." if p.upto else ""
    fresh = " When one is replaced, the count becomes 0 again." if p.fresh else ""
    return (
        f"Read the text from left to right and count the characters out of {marks}. Each one that brings the count "
        f"to {p.after} or more is "
        f"replaced by '*'.{upto}{fresh} All other characters stay."
    )


PARTS: Final = (
    Part(shift, TEXT, TEXT, _shift, {"by": between(1, 25)}, {"grow": between(1, 4), "vowels": always}),
    Part(lengths, TEXT, TEXT, _lengths, {"least": between(2, 3)}, {"most": between(3, 9), "after": always}),
    Part(
        wrap,
        TEXT,
        TEXT,
        _wrap,
        {"width": between(6, 20), "fill": one_of(".", "_", "#", "~")},
        {"right": always, "middle": between(2, 3)},
    ),
    Part(
        inside,
        TEXT,
        TEXT,
        _inside,
        {"opens": one_of(*"abc"), "closes": one_of(*"def")},
        {"keep": always, "deep": between(1, 2), "upper": always},
    ),
    Part(
        censor,
        TEXT,
        TEXT,
        _censor,
        {"marks": lambda rng, _: "".join(sorted(rng.sample("abcdefghij", 4))), "after": between(2, 4)},
        {"upto": one_of(*" ,.-:"), "fresh": always},
    ),
)
