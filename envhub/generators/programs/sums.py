"""Parts that reduce a list of integers to one value."""

from __future__ import annotations

from typing import Any, Final

from envhub.generators.programs.kinds import INT, INTS, TEXT
from envhub.generators.programs.part import Part, always, between, one_of


def choose(xs: list[int], apart: int, cost: int = 0, twice: int | None = None) -> int:
    best = [0]
    for at in range(len(xs)):
        gain = xs[at] - cost
        if twice is not None and xs[at] % twice == 0:
            gain += xs[at]
        before = best[max(0, at + 1 - apart)]
        best.append(max(best[at], before + gain))
    return best[-1]


def _choose(p: Any) -> str:
    cost = f", less {p.cost} for every chosen number" if p.cost else ""
    twice = f" Chosen numbers that are divisible by {p.twice} count twice in the sum." if p.twice else ""
    return (
        "Choose any of the numbers (none is allowed), such that the positions of any two chosen ones differ by at "
        f"least {p.apart}. The "
        f"result is the largest possible sum of the chosen numbers{cost}; choosing none gives 0.{twice}"
    )


def climb(xs: list[int], rise: int, most: int | None = None, reach: int | None = None) -> int:
    best: list[int] = []
    for at in range(len(xs)):
        longest = 1
        for back in range(at):
            step = xs[at] - xs[back]
            if step >= rise and (most is None or step <= most) and (reach is None or at - back <= reach):
                longest = max(longest, best[back] + 1)
        best.append(longest)
    return max(best, default=0)


def _climb(p: Any) -> str:
    most = f" and at most {p.most}" if p.most is not None else ""
    less = " (a negative excess means that it is smaller)" if p.rise < 0 else ""
    reach = f" Consecutive chosen numbers may be at most {p.reach} positions apart in the list." if p.reach else ""
    return (
        "Choose numbers from the list, keeping their order, such that every chosen number exceeds the chosen one before it "
        f"by at least {p.rise}{most}{less}.{reach} The result is the largest possible count of chosen numbers; 0 for an "
        "empty list."
    )


def pairs(xs: list[int], m: int, r: int, near: int | None = None, up: bool = False) -> int:
    count = 0
    for i in range(len(xs)):
        for j in range(i + 1, len(xs)):
            if (xs[i] + xs[j]) % m == r and (near is None or j - i <= near) and (not up or xs[i] < xs[j]):
                count += 1
    return count


def _pairs(p: Any) -> str:
    rules = [f"the sum of the two numbers leaves the remainder {p.r} when divided by {p.m}"]
    if p.near:
        rules.append(f"j - i is at most {p.near}")
    if p.up:
        rules.append("the number at i is less than the number at j")
    return f"Count the pairs of positions i < j for which {', and '.join(rules)}. The result is this count."


def checksum(xs: list[int], start: int, base: int, m: int, skip: int | None = None, place: bool = False) -> int:
    check = start
    for at, x in enumerate(xs):
        if skip is not None and x % skip == 0:
            continue
        if place:
            x = x * (at + 1)
        check = (check * base + x) % m
    return check


def _checksum(p: Any) -> str:
    skip = f" that is not divisible by {p.skip}" if p.skip else ""
    keep = "; numbers left out keep their places" if p.skip else ""
    value = f"x times its place in the list (the first number has place 1{keep})" if p.place else "x"
    return (
        f"Compute a checksum c that starts at {p.start}: for every number x{skip}, in order, c becomes the remainder of "
        f"{p.base} * c + {'y' if p.place else 'x'} when divided by {p.m}{f', where y is {value}' if p.place else ''}. The "
        "result is c."
    )


def listed(xs: list[int], mark: str, plus: bool = False, group: int | None = None) -> str:
    pieces = []
    for at, x in enumerate(xs):
        piece = str(x)
        if plus and x > 0:
            piece = "+" + piece
        if at > 0:
            piece = ("|" if group is not None and at % group == 0 else mark) + piece
        pieces.append(piece)
    return "".join(pieces)


def _listed(p: Any) -> str:
    group = f" After every {p.group} numbers, except at the end, write '|' instead of {p.mark!r}." if p.group else ""
    plus = " Write a '+' before every number greater than 0." if p.plus else ""
    return f"Write the numbers in decimal (negative ones with '-') with {p.mark!r} between them, as one string.{group}{plus}"


PARTS: Final = (
    Part(choose, INTS, INT, _choose, {"apart": between(2, 4)}, {"cost": between(1, 9), "twice": between(2, 5)}),
    Part(
        climb,
        INTS,
        INT,
        _climb,
        {"rise": between(-6, 9)},
        {"most": lambda rng, p: p["rise"] + rng.between(4, 20), "reach": between(2, 4)},
    ),
    Part(
        pairs,
        INTS,
        INT,
        _pairs,
        {"m": between(2, 9), "r": lambda rng, p: rng.below(p["m"])},
        {"near": between(2, 5), "up": always},
    ),
    Part(
        checksum,
        INTS,
        INT,
        _checksum,
        {"start": between(1, 50), "base": between(2, 30), "m": between(90, 999)},
        {"skip": between(2, 5), "place": always},
    ),
    Part(
        listed,
        INTS,
        TEXT,
        _listed,
        {"mark": one_of(",", " ", ";", "/", "-", ":")},
        {"plus": always, "group": between(2, 4)},
    ),
)
