"""Parts on lists of integers that return lists."""

from __future__ import annotations

from typing import Any, Final

from envhub.generators.programs.kinds import INTS
from envhub.generators.programs.part import Part, always, between, counted, one_of


def keep(xs: list[int], m: int, r: int, above: int | None = None, most: int | None = None) -> list[int]:
    kept = []
    for x in xs:
        if x % m == r or (above is not None and x > above):
            kept.append(x)
    if most is not None:
        kept = kept[:most]
    return kept


def _keep(p: Any) -> str:
    also = f", and also every number greater than {p.above}" if p.above is not None else ""
    first = f" Of these keep only the first {p.most}." if p.most else ""
    return f"Keep, in their order, the numbers that leave the remainder {p.r} when divided by {p.m}{also}.{first}"


def scale(xs: list[int], a: int, b: int, below: int | None = None, wrap: int | None = None) -> list[int]:
    scaled = []
    for x in xs:
        if below is None or x < below:
            x = a * x + b
            if wrap is not None:
                x = x % wrap
        scaled.append(x)
    return scaled


def _scale(p: Any) -> str:
    which = f"number x that is less than {p.below}" if p.below is not None else "number x"
    value = f"{p.a} * x {'+' if p.b >= 0 else '-'} {abs(p.b)}"
    value = f"the remainder of {value} when divided by {p.wrap}" if p.wrap else value
    rest = " Leave the other numbers as they are." if p.below is not None else ""
    return f"Replace every {which} by {value}.{rest}"


def rotate(xs: list[int], by: int, block: int | None = None, flip: bool = False) -> list[int]:
    turned = []
    at = 0
    while at < len(xs):
        piece = xs if block is None else xs[at : at + block]
        cut = by % len(piece)
        at += len(piece)
        piece = piece[cut:] + piece[:cut]
        if flip:
            piece = piece[::-1]
        turned += piece
    return turned


def _rotate(p: Any) -> str:
    what = "the list"
    head = ""
    if p.block:
        what = "every block"
        head = f"Cut the list into blocks of {p.block} numbers (the last may be shorter). "
    flip = f", then reverse {what}" if p.flip else ""
    join = " Join the blocks again." if p.block else ""
    turn = (
        f"Rotate {what} to the left by {counted(p.by, 'place')} (what leaves at the front comes back at the end){flip}."
    )
    return f"{head}{turn}{join}"


def order(xs: list[int], m: int, down: bool = False, once: bool = False, last: int | None = None) -> list[int]:
    if once:
        xs = list(set(xs))
    ordered = sorted(xs, key=lambda x: (x % m, -x if down else x))
    if last is not None:
        ordered = [x for x in ordered if x % m != last] + [x for x in ordered if x % m == last]
    return ordered


def _order(p: Any) -> str:
    once = "Remove repeated numbers, so that each number occurs once. " if p.once else ""
    ties = "the larger" if p.down else "the smaller"
    last = (
        f" Then move the numbers that leave the remainder {p.last} to the end, keeping their order."
        if p.last is not None
        else ""
    )
    return (
        f"{once}Sort the numbers by the remainder that they leave when divided by {p.m}, smallest "
        "remainder first; of "
        f"equal remainders {ties} number comes first.{last}"
    )


def windows(xs: list[int], width: int, what: str, step: int = 1, partial: bool = False) -> list[int]:
    found = []
    at = 0
    while at < len(xs):
        window = xs[at : at + width]
        if len(window) == width or partial:
            if what == "sum":
                found.append(sum(window))
            elif what == "spread":
                found.append(max(window) - min(window))
            else:
                found.append(max(window))
        at += step
    return found


def _windows(p: Any) -> str:
    what = {
        "sum": "the sum",
        "spread": "the difference of the largest and the smallest number",
        "max": "the largest number",
    }
    step = p.step or 1
    where = "at every position" if step == 1 else f"at the positions 0, {step}, {2 * step} and so on"
    short = (
        "A window that goes beyond the end of the list has only the numbers that are there."
        if p.partial
        else "A window that would go beyond the end of the list is left out."
    )
    return (
        f"A window starts {where} of the list and has {p.width} consecutive numbers. {short} Replace the list by "
        f"{what[p.what]} of each "
        "window, in their order."
    )


def runs(xs: list[int], least: int | None = None, cap: int | None = None, near: int = 0) -> list[int]:
    found: list[list[int]] = []
    for x in xs:
        if found and abs(x - found[-1][0]) <= near and (cap is None or found[-1][1] < cap):
            found[-1][1] += 1
        else:
            found.append([x, 1])
    flat = []
    for value, count in found:
        if least is None or count >= least:
            flat.append(value)
            flat.append(count)
    return flat


def _runs(p: Any) -> str:
    same = f"numbers that differ by at most {p.near} from the first number of the run" if p.near else "equal numbers"
    cap = f" A run has at most {p.cap} numbers; the next number then begins a new run." if p.cap else ""
    least = f" Leave out the runs of fewer than {p.least} numbers." if p.least else ""
    first = "its first number" if p.near else "its number"
    return (
        f"Going from left to right, divide the list into runs of consecutive {same}, each as long as "
        f"possible.{cap}{least} Replace the list "
        f"by {first} and its length for every run, one after the other in one flat list."
    )


def deltas(xs: list[int], lag: int, size: bool = False, circle: bool = False) -> list[int]:
    found = []
    for at in range(len(xs)):
        if at + lag < len(xs) or circle:
            delta = xs[(at + lag) % len(xs)] - xs[at]
            if size and delta < 0:
                delta = -delta
            found.append(delta)
    return found


def _deltas(p: Any) -> str:
    value = f"the number at position i + {p.lag} minus the number at position i"
    value = f"the absolute value of {value}" if p.size else value
    ends = (
        "The list is a circle: after its last number comes its first again, so every position gives a difference."
        if p.circle
        else f"Leave out the positions i for which i + {p.lag} is beyond the end of the list."
    )
    return f"For every position i, from left to right, compute {value}. {ends} Replace the list by these differences."


def totals(xs: list[int], limit: int, floor: int | None = None, carry: bool = False) -> list[int]:
    total = 0
    found = []
    for x in xs:
        total += x
        if floor is not None and total < floor:
            total = floor
        if total > limit:
            if carry:
                total -= limit
            else:
                total = 0
        found.append(total)
    return found


def _totals(p: Any) -> str:
    floor = f" If the total is then less than {p.floor}, it becomes {p.floor}." if p.floor is not None else ""
    reset = f"{p.limit} is subtracted from it once" if p.carry else "it becomes 0"
    return (
        f"Keep a running total that starts at 0. For every number, add it to the total.{floor} If the total is then "
        f"greater than {p.limit}, "
        f"{reset}. Replace the number by the total after this."
    )


def collapse(xs: list[int], cap: int, gap: int = 0, once: bool = False) -> list[int]:
    stack: list[int] = []
    for x in xs:
        merging = True
        while merging and stack and abs(stack[-1] - x) <= gap and abs(x) < cap:
            x += stack.pop()
            if once:
                merging = False
        stack.append(x)
    return stack


def _collapse(p: Any) -> str:
    alike = f"differs from x by at most {p.gap}" if p.gap else "equals x"
    how = "Do this at most once for each x." if p.once else "Repeat this with the new x as long as all of that holds."
    return (
        "Go through the numbers from left to right, with a stack that is empty at first; call the current number x. If the "
        f"stack is not empty, the number t on its top {alike}, and the absolute value of x is less than {p.cap}, remove t "
        f"from the stack and add t to x. {how} Then put x on the stack. The result is the stack from bottom to top."
    )


def bits(xs: list[int], mask: int, width: int, turn: int = 0, count: bool = False) -> list[int]:
    found = []
    for x in xs:
        x = (x ^ mask) % 2**width
        if turn:
            x = (x << turn) % 2**width | x >> (width - turn)
        if count:
            x = bin(x).count("1")
        found.append(x)
    return found


def _bits(p: Any) -> str:
    turn = (
        f" Rotate these {p.width} bits to the left by {counted(p.turn, 'place')} (bits that leave at the top come back at the "
        "bottom)."
        if p.turn
        else ""
    )
    count = " Replace the result by the number of its bits that are 1." if p.count else ""
    return (
        f"For every number: take the exclusive or with {p.mask} (negative numbers in two's complement, as Python's ^ "
        "does it), and of this "
        f"the lowest {p.width} bits as a number from 0 to {2**p.width - 1}.{turn}{count}"
    )


PARTS: Final = (
    Part(
        keep,
        INTS,
        INTS,
        _keep,
        {"m": between(2, 5), "r": lambda rng, p: rng.below(p["m"])},
        {"above": between(5, 30), "most": between(2, 5)},
    ),
    Part(
        scale,
        INTS,
        INTS,
        _scale,
        {"a": one_of(-3, -2, 2, 3, 4, 5), "b": between(-9, 9)},
        {"below": between(0, 20), "wrap": between(7, 60)},
    ),
    Part(rotate, INTS, INTS, _rotate, {"by": between(1, 4)}, {"block": between(3, 5), "flip": always}),
    Part(
        order,
        INTS,
        INTS,
        _order,
        {"m": between(2, 12)},
        {"down": always, "once": always, "last": lambda rng, p: rng.below(p["m"] - 1)},
    ),
    Part(
        windows,
        INTS,
        INTS,
        _windows,
        {"width": between(2, 5), "what": one_of("sum", "spread", "max")},
        {"step": between(2, 4), "partial": always},
    ),
    Part(runs, INTS, INTS, _runs, {}, {"least": between(2, 3), "cap": between(2, 4), "near": between(1, 9)}),
    Part(deltas, INTS, INTS, _deltas, {"lag": between(1, 4)}, {"size": always, "circle": always}),
    Part(totals, INTS, INTS, _totals, {"limit": between(10, 80)}, {"floor": between(-15, 5), "carry": always}),
    Part(collapse, INTS, INTS, _collapse, {"cap": between(20, 90)}, {"gap": between(1, 9), "once": always}),
    Part(
        bits,
        INTS,
        INTS,
        _bits,
        {"mask": between(1, 63), "width": between(4, 7)},
        {"turn": lambda rng, p: rng.between(1, p["width"] - 1), "count": always},
    ),
)
