"""Questions about invented units of length and time, given a few conversions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from math import ceil
from typing import Any, Final, NamedTuple

from envhub.core.seeding import Stream
from envhub.generators.numbers.english import counted, plural

_NAMES: Final = (
    "blem crat dorn fisk glot hask jund kell lurn mip nard orb plank quill rond skell tarn umber vesk wint yarr zill "
    "brack crumb drell flane grint holt"
)
NAMES: Final = _NAMES.split(" ")

Fact = list[Any]
"""A conversion ``[count, unit, other_count, other_unit]``: ``count`` of the one are ``other_count`` of the other."""


class Kind(NamedTuple):
    """A kind of question.

    Attributes:
        lengths: How many quantities of length it names.
        times: How many quantities of time it names, or times that a rate refers to.
        quantity: What is converted, with the quantities as ``{0}``, ``{1}`` and single units as ``{u0}``, ``{u1}``.
        target: The unit of the answer, with the units as ``{length}`` and ``{time}``, in the plural, and ``{per}``.
        value: The value from the quantities in base units, the first number, and the target units' sizes.
    """

    lengths: int
    times: int
    quantity: str
    target: str
    value: Callable[[Sequence[Fraction], Fraction, Fraction], Fraction]


KINDS: Final[Mapping[str, Kind]] = {
    "length": Kind(1, 0, "{0}", "{length}", lambda q, length, _: q[0] / length),
    "sum": Kind(2, 0, "the sum of {0} and {1}", "{length}", lambda q, length, _: (q[0] + q[1]) / length),
    "difference": Kind(
        2, 0, "the difference between {0} and {1}", "{length}", lambda q, length, _: abs(q[0] - q[1]) / length
    ),
    "multiple": Kind(1, 0, "seven times {0}", "{length}", lambda q, length, _: 7 * q[0] / length),
    "part": Kind(1, 0, "a fifth of {0}", "{length}", lambda q, length, _: q[0] / 5 / length),
    "perimeter": Kind(
        2,
        0,
        "the perimeter of a rectangle with sides of {0} and {1}",
        "{length}",
        lambda q, length, _: 2 * (q[0] + q[1]) / length,
    ),
    "square": Kind(
        1, 0, "the area of a square with sides of {0}", "square {length}", lambda q, length, _: q[0] ** 2 / length**2
    ),
    "rectangle": Kind(
        2,
        0,
        "the area of a rectangle with sides of {0} and {1}",
        "square {length}",
        lambda q, length, _: q[0] * q[1] / length**2,
    ),
    "cube": Kind(
        1, 0, "the volume of a cube with edges of {0}", "cubic {length}", lambda q, length, _: q[0] ** 3 / length**3
    ),
    "speed": Kind(
        1, 1, "a speed of {0} per {u1}", "{length} per {per}", lambda q, length, time: q[0] / q[1] * time / length
    ),
    "distance": Kind(
        1,
        2,
        "the distance covered in {2} at a speed of {0} per {u1}",
        "{length}",
        lambda q, length, _: q[0] / q[1] * q[2] / length,
    ),
    "duration": Kind(
        2,
        1,
        "the time that it takes to cover {0} at a speed of {1} per {u2}",
        "{time}",
        lambda q, _, time: q[0] / q[1] * q[2] / time,
    ),
}
"""All kinds of questions."""


def draw(rng: Stream, kind: str, links: int, largest: int, fractions: bool, spare: int) -> dict[str, Any]:
    """A question whose answer takes ``links`` conversions.

    Another ``spare`` conversions are not needed.
    """
    lengths, times = KINDS[kind].lengths, KINDS[kind].times
    names = rng.sample(NAMES, links + spare + 3)
    split = links if not times else ceil(links / 2)
    chains = [names[: split + 1], names[split + 1 : links + 2] if times else []]
    facts = [_fact(rng, one, other, fractions) for chain in chains for one, other in pairwise(chain)]
    known = [name for chain in chains for name in chain]
    facts += [_fact(rng, rng.choice(known), names[-1 - at], fractions) for at in range(spare)]
    rng.shuffle(facts)
    ends = [chains[0][0], *(rng.choice(chains[0][1:]) for _ in range(lengths - 1))]
    ends += [chains[1][-at] for at in range(times)]
    target = [chains[0][-1], chains[1][-1] if times else ""]
    numbers = [rng.between(2, largest) for _ in ends]
    return {"facts": facts, "kind": kind, "numbers": numbers, "units": ends, "target": target}


def _fact(rng: Stream, one: str, other: str, fractions: bool) -> Fact:
    ratio = Fraction(rng.between(2, 12), rng.between(2, 9) if fractions and rng.below(2) else 1)
    fact = [ratio.denominator, one, ratio.numerator + (ratio == 1), other]
    return fact if rng.below(2) else [*fact[2:], *fact[:2]]


def sizes(facts: Sequence[Fact], start: str) -> dict[str, tuple[Fraction, int]]:
    """The size of each unit, and the number of conversions to it."""
    found = {start: (Fraction(1), 0)}
    queue = [start]
    for unit in queue:
        size, steps = found[unit]
        for count, one, other_count, other in facts:
            for near, far, ratio in (
                (one, other, Fraction(count, other_count)),
                (other, one, Fraction(other_count, count)),
            ):
                if near == unit and far not in found:
                    found[far] = (size * ratio, steps + 1)
                    queue.append(far)
    return found


def value(problem: Mapping[str, Any]) -> Fraction:
    """The answer to a question."""
    kind, [length, time] = KINDS[problem["kind"]], problem["target"]
    lengths = sizes(problem["facts"], length)
    times = sizes(problem["facts"], time) if time else {}
    one = Fraction(1)
    pairs = enumerate(zip(problem["numbers"], problem["units"], strict=True))
    found = [
        (1 if f"{{u{at}}}" in kind.quantity else number) * (lengths if at < kind.lengths else times)[unit][0]
        for at, (number, unit) in pairs
    ]
    return kind.value(found, one, one)


def conversions(problem: Mapping[str, Any]) -> int:
    """The number of conversions that the answer takes."""
    known = {**sizes(problem["facts"], problem["target"][0]), **sizes(problem["facts"], problem["target"][1] or "")}
    return sum(known[unit][1] for unit in dict.fromkeys(problem["units"]))


def quantity(problem: Mapping[str, Any]) -> str:
    """What is converted, in words."""
    units = {f"u{at}": unit for at, unit in enumerate(problem["units"])}
    counts = [counted(number, unit) for number, unit in zip(problem["numbers"], problem["units"], strict=True)]
    return KINDS[problem["kind"]].quantity.format(*counts, **units)


def target(problem: Mapping[str, Any]) -> str:
    """The unit of the answer, in words."""
    length, time = problem["target"]
    return KINDS[problem["kind"]].target.format(length=plural(length), time=plural(time or "x"), per=time)


def sentence(fact: Fact) -> str:
    """A conversion as a sentence: ``"1 blem is 12 crats."``."""
    count, unit, other_count, other = fact
    return f"{counted(count, unit)} {'is' if count == 1 else 'are'} {counted(other_count, other)}."
