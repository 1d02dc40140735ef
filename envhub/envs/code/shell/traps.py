"""Files that expose the slips of :mod:`envhub.envs.code.shell.slips`.

A *trap* is a file that makes a careless step end in a different tree::

    for trap in TRAPS["gather"](rng, values): ...      # lay it where trap.place says
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Literal, NamedTuple

from envhub.core.seeding import Stream
from envhub.envs.code.shell.slips import other_case
from envhub.envs.code.shell.steps import Values

Place = Literal["direct", "inner", "outside"]


class Trap(NamedTuple):
    """A file to add before the first step.

    Attributes:
        suffix: Suffix of its name, without the first dot.
        lines: Its lines.
        place: In the step's directory, in a subdirectory of it, or in another directory.
    """

    suffix: str
    lines: list[str]
    place: Place = "direct"


_LONGER: Final = {"ann": "anna", "bob": "bobby", "slow": "slower", "full": "fuller"}
_NAMES: Final = ("ida", "jon", "kim", "leo", "mia", "ned", "ole")
_CASES: Final = ("ready", "Closed", "late", "Open")


def longer(word: str) -> str:
    """A longer word that contains this one."""
    return _LONGER.get(word, word + ("S" if word.isupper() else "s"))


def _prose(rng: Stream, word: str, people: tuple[str, ...] = ("Zoe", "eve", "Max", "cal")) -> list[str]:
    """Lines that contain a word, not in byte order."""
    lines = [f"{name} saw {word} {state}" for name, state in zip(people, rng.sample(_CASES, len(_CASES)), strict=True)]
    return rng.sample([*lines, rng.choice(lines)], len(lines) + 1)


def _plain(rng: Stream, count: int, suffix: str = "txt") -> list[str]:
    """Different lines without any word that a step looks for.

    Csv lines are a name and a number.
    """
    return [f"{'pat,' if suffix == 'csv' else 'note '}{number}" for number in rng.sample(range(10, 99), count)]


def _named(rng: Stream, numbers: list[int]) -> list[str]:
    names = rng.sample(_NAMES, len(numbers))
    return [f"{name},{number}" for name, number in zip(names, numbers, strict=True)]


def _repeats(rng: Stream, suffix: str) -> list[str]:
    b, a, c, d = _plain(rng, 4, suffix)
    return [b, a, b, c, c, a, d]


def _other(rng: Stream, suffix: str) -> str:
    return rng.choice([other for other in ("log", "txt", "cfg") if other != suffix])


def _rename_traps(rng: Stream, v: Values) -> list[Trap]:
    double = Trap(f"{v['old']}.bak", _plain(rng, 2))
    return [double, *(Trap(v["old"], _plain(rng, 3, v["old"]), place) for place in ("inner", "outside"))]


def _gather_traps(rng: Stream, v: Values) -> list[Trap]:
    word = v["word"]
    late = [*_plain(rng, 1), f"{word} again"]
    found: list[Trap] = [Trap("txt", late, place) for place in ("direct", "inner", "outside")]
    return [*found, Trap("log", [f"about {other_case(word)}"]), Trap("cfg", [f"about {longer(word)}"])]


def _extract_traps(rng: Stream, v: Values) -> list[Trap]:
    word, suffix = v["word"], v["suffix"]
    return [
        Trap(suffix, [*_prose(rng, word), f"{other_case(word)} too", f"{longer(word)} as well"]),
        Trap(suffix, [f"{word} far below"], "inner"),
        Trap(suffix, [f"{word} far away"], "outside"),
        Trap(_other(rng, suffix), [f"{word} in another file"]),
    ]


def _report_traps(suffix: str) -> Callable[[Stream, Values], list[Trap]]:
    def traps(rng: Stream, v: Values) -> list[Trap]:
        a, b = rng.sample(range(10, 40), 2)
        one, two, three = _named(rng, [a, b, a])
        again = f"{one.partition(',')[0]},{b}"
        return [
            Trap(suffix, [one, two, again, one, three]),
            Trap(suffix, [two], "inner"),
            Trap(suffix, [three], "outside"),
        ]

    return traps


def _dedupe_traps(rng: Stream, v: Values) -> list[Trap]:
    suffix, other = v["suffix"], _other(rng, v["suffix"])
    placed: list[Trap] = [Trap(suffix, _repeats(rng, suffix), place) for place in ("direct", "inner", "outside")]
    return [*placed, Trap(other, _repeats(rng, other))]


def _rank_traps(rng: Stream, v: Values) -> list[Trap]:
    small, large = rng.between(3, 9), rng.between(12, 29)
    rows = sorted(_named(rng, [large, large, small, 10 * small]))
    mixed = [rows[1], rows[3], rows[0], rows[2], rows[0]]
    return [Trap("csv", mixed, "direct"), Trap("csv", mixed[1:], "inner"), Trap("csv", mixed[:3], "outside")]


def _tail_traps(rng: Stream, v: Values) -> list[Trap]:
    count = v["most"] + 2
    placed: list[Trap] = [Trap(v["suffix"], _plain(rng, count), place) for place in ("direct", "inner", "outside")]
    return [*placed, Trap(_other(rng, v["suffix"]), _plain(rng, count))]


def _remove_traps(rng: Stream, v: Values) -> list[Trap]:
    least = v["least"]
    lines = _plain(rng, least - 1)
    exact = Trap("txt", [*lines, lines[0]])
    return [
        exact,
        Trap("log", _plain(rng, least - 1)),
        Trap("txt", lines[:2], "inner"),
        Trap("log", lines[:1], "outside"),
    ]


def _replace_traps(rng: Stream, v: Values) -> list[Trap]:
    old, suffix = v["old"], v["suffix"]
    lines = [f"{old} or {old}", f"two {longer(old)}", f"{other_case(old)} first"]
    placed: list[Trap] = [Trap(suffix, lines[:1], place) for place in ("inner", "outside")]
    return [Trap(suffix, lines), *placed, Trap(_other(rng, suffix), lines[:2])]


def _link_traps(rng: Stream, v: Values) -> list[Trap]:
    placed: list[Trap] = [
        Trap(v["suffix"], _plain(rng, 2, v["suffix"]), place) for place in ("direct", "inner", "outside")
    ]
    return [*placed, Trap(_other(rng, v["suffix"]), _plain(rng, 2))]


def _modes_traps(rng: Stream, v: Values) -> list[Trap]:
    head = "#!/bin/sh"
    return [
        Trap("sh", ["echo plain"]),
        Trap("txt", [head, "echo run"], "inner"),
        Trap("sh", ["echo late", head]),
        Trap("cfg", [f"first line: {head}"]),
    ]


TRAPS: Final[dict[str, Callable[[Stream, Values], list[Trap]]]] = {
    "rename": _rename_traps,
    "number": _report_traps("txt"),
    "gather": _gather_traps,
    "extract": _extract_traps,
    "count": _report_traps("txt"),
    "totals": _report_traps("csv"),
    "dedupe": _dedupe_traps,
    "rank": _rank_traps,
    "tail": _tail_traps,
    "remove": _remove_traps,
    "replace": _replace_traps,
    "link": _link_traps,
    "modes": _modes_traps,
}
"""Files that expose slips, by step."""
