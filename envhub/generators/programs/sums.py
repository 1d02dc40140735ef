"""Parts that make one thing of a list of integers."""

from __future__ import annotations

from typing import Any, Final

from envhub.generators.programs.part import INT, INTS, TEXT, Part, always, between, modulo, one_of


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
    reach = f" Consecutive chosen numbers may be at most {p.reach} positions apart in the list." if p.reach else ""
    return (
        "Choose numbers from the list, keeping their order, such that every chosen number exceeds the chosen one "
        "before it by at least "
        f"{p.rise}{most} (a negative excess means it is smaller).{reach} The result is how many can be chosen at "
        "most; 0 for an empty list."
    )


def pairs(xs: list[int], m: int, r: int, near: int | None = None, up: bool = False) -> int:
    count = 0
    for i in range(len(xs)):
        for j in range(i + 1, len(xs)):
            if (xs[i] + xs[j]) % m == r and (near is None or j - i <= near) and (not up or xs[i] < xs[j]):
                count += 1
    return count


def _pairs(p: Any) -> str:
    near = f", j - i is at most {p.near}" if p.near else ""
    up = ", the number at i is less than the number at j" if p.up else ""
    return (
        f"Count the pairs of positions i < j for which the sum of the two numbers leaves the remainder {p.r} when "
        f"divided by {p.m}"
        f"{modulo(p.m)}{near}{up}. The result is this count."
    )


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
    value = (
        "x times its place in the list (the first number has place 1; numbers left out keep their places)"
        if p.place
        else "x"
    )
    return (
        f"Compute a checksum c that starts at {p.start}: for every number x{skip}, in order, c becomes the remainder "
        f"of {p.base} * c + y "
        f"when divided by {p.m}{modulo(p.m)}, where y is {value}. The result is c."
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
    plus = " Write a '+' before every number greater than 0." if p.plus else ""
    group = f" Instead of that, '|' stands after every {p.group} numbers, but not at the end." if p.group else ""
    return f"Write the numbers in decimal (negative ones with '-') with {p.mark!r} between them, as one string.{plus}{group}"


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
