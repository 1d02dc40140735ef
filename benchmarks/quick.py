"""The most important measures beside the peers, in three minutes: ``python -m benchmarks quick``.

Each measure is a ratio of two sides that do the same work, and has a limit that it should keep. With ``--markdown`` the
table is written to the top of docs/benchmarks.md, the pictures of :mod:`benchmarks.growth` are drawn, and the results are
appended to :data:`benchmarks.history.FILE`. Nothing fails if a limit is missed; the table shows it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Final

from benchmarks import growth, history
from benchmarks.games import NAMES, SHARED, sides
from benchmarks.harness import OURS, Pair, Side, pair, workload
from benchmarks.report import Section, figures, ratio, table
from benchmarks.server import turns
from benchmarks.server_sides import openenv, ours
from benchmarks.venvs import peer

_PAIRS: Final = 3
_LARGEST: Final = 100_000
"""Largest size of growing work: a million rows take minutes."""
_SECONDS: Final = 1.0
"""Duration of one load of a server."""
_GEM: Final = "GEM"
_REASONING_GYM: Final = "Reasoning Gym"
_NOTE: Final = (
    "Rates are items per CPU second; the turns of a server are microseconds of its CPU. The sections below describe the work. "
    "Written by `python -m benchmarks quick --markdown docs/benchmarks.md`, which appends every run to "
    "[benchmarks.jsonl](benchmarks.jsonl)."
)


@dataclass(frozen=True)
class Measure:
    """Two sides that do the same work.

    Attributes:
        what: Name and unit.
        peer: Name of the other side.
        ours: One run of ours.
        theirs: One run of theirs.
        limit: The ratio that ours should reach.
        less: Whether a smaller ratio is better, as of costs.
    """

    what: str
    peer: str
    ours: Callable[[], float]
    theirs: Callable[[], float]
    limit: float
    less: bool = False

    def row(self, found: Pair) -> tuple[str, ...]:
        """Its row in the table."""
        kept = found.ratio.median <= self.limit if self.less else found.ratio.median >= self.limit
        limit = f"at {'most' if self.less else 'least'} {self.limit:g}{'' if kept else ', missed'}"
        mine, theirs = (figures(side.median) for side in (found.ours, found.theirs))
        return self.what, mine, f"{theirs} ({self.peer})", ratio(found.ratio), limit


def quick(repeats: int) -> Section:
    """Measure everything in at most three pairs, and the growth once."""
    with ExitStack() as stack:
        found = [(each, pair(each.ours, each.theirs, min(repeats, _PAIRS))) for each in _measures(stack)]
    grown = growth.measure(_LARGEST)
    ratios = {each.what: (pair.ratio.median, each.less) for each, pair in found}
    now = history.entry(ratios, {each.kind.name: each.slope for each in grown}, history.commit())
    before, plots = history.lines(), growth.section(grown)
    return Section(
        "At a glance",
        table(("measure", "ours", "peer", "ratio", "limit"), [each.row(pair) for each, pair in found]),
        f"{_NOTE} {history.compared(before, now)}\n\n{plots.table}\n\n{plots.note}",
        files={**plots.files, history.FILE: "\n".join([*before, json.dumps(now), ""])},
    )


def _measures(stack: ExitStack) -> Iterator[Measure]:
    gem = peer("gem")
    for level, high, guesses in (("easy", 10, 4), ("hard", 50, 7)):
        what = f"1..{high} in {guesses}"
        steps = workload(OURS, "ours.guess_number", 5_000, high, guesses, "seeded")
        their_steps = workload(gem, "peers.gem_guess_number", 15_000, level, "seeded")
        yield _rates(f"guess-number steps, {what}", _GEM, steps, their_steps, 0.75)
        many = workload(OURS, "ours.guess_number_vec", 500, high, guesses)
        their_many = workload(gem, "peers.gem_guess_number_vec", 1_500, level)
        yield _rates(f"guess-number steps, {what}, `make_vec` of 32", _GEM, many, their_many, 1)
    for shared in SHARED:
        if shared.side == "textarena" and shared.what in ("tic-tac-toe", "connect four", "Kuhn poker, 3 hands"):
            yield _rates(f"{shared.what} steps", NAMES[shared.side], *sides(shared, share=4), 1)
    items = peer("reasoning-gym")
    their_grids = workload(items, "peers.reasoning_gym_items", 42, "sudoku", "{}")
    yield _rates("sudoku puzzles", _REASONING_GYM, workload(OURS, "ours.sudoku", 210), their_grids, 3)
    their_sums = workload(items, "peers.reasoning_gym_items", 60, "countdown", "{}")
    yield _rates("countdown problems", _REASONING_GYM, workload(OURS, "ours.countdown", 2_000, 2), their_sums, 10)
    hub, sessions = stack.enter_context(ours()), stack.enter_context(openenv())
    for clients, limit in ((1, 0.8), (32, 0.5)):
        mine, theirs = turns(clients, hub, sessions, _SECONDS)
        yield Measure(f"WebSocket turn, clients: {clients}", "OpenEnv", mine, theirs, limit, less=True)


def _rates(what: str, name: str, mine: Side, theirs: Side, limit: float) -> Measure:
    return Measure(what, name, mine.rate, theirs.rate, limit)
