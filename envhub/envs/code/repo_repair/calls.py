"""Arguments for the documented inner functions of a package's parts.

A fault is fixed only if every function does what its docstring says, not only the entry points::

    CALLS["ledger"]["money.shown"](rng, constants)      # arguments of one call
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from envhub.core.seeding import Stream
from envhub.envs.code.repo_repair.part import Constants

Arguments = Callable[[Stream, Constants], tuple[Any, ...]]
_NAMES: Final = ("ann", "bob", "cy", "dee", "eli")
_PATHS: Final = ("/", "/docs", "/docs/a", "/docs/a/b", "/docsx", "/img", "docs//a/", "")


def _near(rng: Stream, *values: int) -> int:
    """A number at or beside one of the values, at least 0."""
    return max(0, rng.choice(values) + rng.between(-1, 1))


def _clamp(rng: Stream, c: Constants) -> tuple[Any, ...]:
    low = rng.between(-9, 9)
    high = low + rng.below(8)
    return rng.choice((low - rng.between(1, 5), low, rng.between(low, high), high, high + rng.between(1, 5))), low, high


def _moved(rng: Stream, c: Constants) -> tuple[Any, ...]:
    stock = {name: rng.between(0, 12) for name in rng.sample(("bolt", "gear", "lamp"), rng.between(0, 3))}
    return stock, rng.choice(("in", "out", "lost")), rng.choice(("bolt", "gear")), rng.between(0, 15)


def _transfers(rng: Stream, c: Constants) -> tuple[Any, ...]:
    entries = []
    for _ in range(rng.between(0, 5)):
        giver, taker = rng.sample(_NAMES, 2)
        entries.append([giver, taker, f"{_near(rng, 0, c['free'], 90)}.{rng.below(100):02}"])
    return (entries,)


def _intervals(rng: Stream) -> list[list[int]]:
    return [[start := rng.between(0, 25), start + rng.between(1, 6)] for _ in range(rng.below(6))]


def _results(rng: Stream) -> list[list[Any]]:
    return [[rng.below(4), rng.below(4), bool(rng.below(2))] for _ in range(rng.below(9))]


def _text(rng: Stream) -> str:
    words = ("the", "Trees", "bus", "grass", "apples", "is", "Reds", "old-tree", "of", "a1s", "gas")
    return " ".join(rng.choice(words) for _ in range(rng.below(8)))


def _line(rng: Stream) -> str:
    pieces = ("port", " = ", "7", "'", "#", " ", "x # y", "=", "'a # b'", "[dev : base]", "[base]")
    return "".join(rng.choice(pieces) for _ in range(rng.between(0, 5)))


def _value(rng: Stream, c: Constants) -> tuple[Any, ...]:
    number = str(rng.between(-99, 99))
    words = rng.choice(("yes", "on", "no", "off", "", "on off", "'7'"))
    return (rng.choice((words, number, f"{number}k", "'", "''", rng.choice(("k", "7kk", "xk")))),)


def _roles(rng: Stream) -> dict[str, list[str]]:
    return {
        "guest": [],
        "member": ["guest"],
        "editor": rng.choice((["member"], ["guest", "member"])),
        "owner": ["editor"],
    }


def _rules(rng: Stream) -> list[list[Any]]:
    roles = ("guest", "member", "editor", "owner")
    paths = _PATHS[1:5] if rng.below(2) else ("/docs",)
    return [
        [rng.choice(roles), rng.choice(("read", "write")), rng.choice(paths), bool(rng.below(2))]
        for _ in range(rng.between(0, 5))
    ]


def _asked(rng: Stream) -> list[Any]:
    return [rng.choice(("guest", "member", "editor", "owner")), rng.choice(("read", "write")), rng.choice(_PATHS[1:6])]


def _moves(rng: Stream) -> list[list[Any]]:
    kinds = ("in", "out", "lost")
    return [[rng.choice(kinds), rng.choice(("bolt", "gear")), rng.between(0, 9)] for _ in range(rng.below(6))]


def _settings(rng: Stream) -> str:
    return "\n".join(_line(rng) for _ in range(rng.below(6)))


def _gaps(rng: Stream, c: Constants) -> tuple[Any, ...]:
    """Ends at or between the bounds of intervals."""
    intervals = _intervals(rng)
    return intervals, rng.choice([rng.between(0, 30), *(end for interval in intervals for end in interval)])


def _tasks(rng: Stream, c: Constants) -> tuple[Any, ...]:
    """Tasks, many of them equally urgent."""
    levels = [rng.below(c["top"] + 2) for _ in range(rng.between(2, 6))]
    return ([[rng.choice(_NAMES), 1 + rng.below(2) + c["step"] * min(level, c["top"]), level] for level in levels],)


def _tally(rng: Stream) -> list[str]:
    return rng.sample(_NAMES, rng.below(5))


COMMON_CALLS: Final[Mapping[str, Arguments]] = {
    "common.share": lambda rng, c: rng.choice(
        ((rng.between(0, 400), rng.between(0, 120)), (2 * rng.below(90) + 1, 50))
    ),
    "common.clamp": _clamp,
    "common.grouped": lambda rng, c: ([[rng.choice(_NAMES), rng.below(5)] for _ in range(rng.below(8))],),
}
CALLS: Final[Mapping[str, Mapping[str, Arguments]]] = {
    "inventory": {
        "stock.moved": _moved,
        "stock.history": lambda rng, c: (_moves(rng),),
        "pricing.worth": lambda rng, c: (_near(rng, c["bulk"], c["huge"], 3), rng.between(1, 99)),
    },
    "ledger": {
        "money.cents": lambda rng, c: (
            f"{rng.below(300)}" + rng.choice(("", f".{rng.below(10)}", f".{rng.below(100):02}")),
        ),
        "money.shown": lambda rng, c: (
            rng.choice((-1, 1)) * rng.choice((0, rng.below(10), rng.below(100), rng.below(99999))),
        ),
        "accounts.fee": lambda rng, c: (
            _near(
                rng, 100 * c["free"], 100 * c["low"] // c["percent"], 100 * c["high"] // c["percent"], rng.below(9000)
            ),
        ),
        "accounts.balances": _transfers,
    },
    "schedule": {
        "intervals.merged": lambda rng, c: (_intervals(rng),),
        "intervals.gaps": _gaps,
        "urgency.weight": lambda rng, c: (rng.between(1, 9), rng.below(c["top"] + 3)),
        "urgency.ordered": _tasks,
    },
    "league": {
        "points.points": lambda rng, c: (_near(rng, 0, c["many"]), _near(rng, 0, c["many"])),
        "sides.sides": lambda rng, c: (
            [[*rng.sample(_NAMES, 2), rng.below(5), rng.below(5)] for _ in range(rng.below(6))],
        ),
        "sides.streak": lambda rng, c: (_results(rng),),
    },
    "config": {
        "lines.bare": lambda rng, c: (_line(rng),),
        "lines.pairs": lambda rng, c: (_settings(rng),),
        "values.read": _value,
    },
    "search": {
        "terms.stem": lambda rng, c: (
            rng.choice(("s", "is", "gas", "bus", "boss", "trees", "tree", "gods", "cats", "as")),
        ),
        "terms.terms": lambda rng, c: (_text(rng),),
        "index.index": lambda rng, c: ({name: _text(rng) for name in rng.sample(_NAMES, rng.below(4))},),
        "search.score": lambda rng, c: (
            {name: sorted(rng.sample(range(6), rng.between(1, 5))) for name in rng.sample(_NAMES, rng.between(1, 4))},
            rng.choice(_NAMES),
            rng.between(4, 9),
        ),
    },
    "access": {
        "roles.included": lambda rng, c: (rng.choice(("guest", "member", "editor", "owner")), _roles(rng)),
        "paths.parts": lambda rng, c: (rng.choice(_PATHS),),
        "paths.covers": lambda rng, c: (rng.choice(_PATHS), rng.choice(_PATHS)),
        "access.decide": lambda rng, c: (*_asked(rng), _roles(rng), _rules(rng)),
    },
    "voting": {
        "ballots.choice": lambda rng, c: (_tally(rng), sorted(_tally(rng))),
        "ballots.tally": lambda rng, c: ([_tally(rng) for _ in range(rng.below(6))], sorted(_tally(rng))),
        "rounds.last": lambda rng, c: ({name: rng.below(3) for name in rng.sample(_NAMES, rng.between(1, 4))},),
        "rounds.enough": lambda rng, c: (_near(rng, c["most"]), rng.choice((100, 100, 99, 101))),
    },
    "billing": {
        "tariff.units": lambda rng, c: (_near(rng, c["short"], c["unit"], 2 * c["unit"], rng.below(500)),),
        "tariff.rate": lambda rng, c: (_near(rng, c["open"], c["close"], 12) % 24,),
        "tariff.factor": lambda rng, c: (rng.choice(("0800", "08001", "00800", "080", "0049", "0", "555", "10800")),),
    },
    "layout": {
        "wrapping.broken": lambda rng, c: (rng.choice(("", "a", "red", "window", "mountains")), rng.between(1, 7)),
        "wrapping.wrapped": lambda rng, c: (_text(rng), rng.between(2, 12)),
        "alignment.aligned": lambda rng, c: (
            rng.choice(("", "a", "red")),
            rng.between(3, 8),
            rng.choice(("left", "right", "center")),
        ),
    },
}
"""Argument generators by part, then by module and function."""
