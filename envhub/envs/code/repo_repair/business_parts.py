"""Parts of packages about stock, money, time and points (:mod:`envhub.envs.code.repo_repair.part`)."""

from __future__ import annotations

from typing import Any, Final

from envhub.core.seeding import Stream
from envhub.envs.code.repo_repair.part import Constants, Part

_ITEMS: Final = ("bolt", "gear", "lamp", "nail", "pipe", "rope", "tile")
_NAMES: Final = ("ann", "bob", "cy", "dee", "eli", "fay")


def _inventory_case(rng: Stream, c: Constants) -> tuple[Any, ...]:
    items = rng.sample(_ITEMS, 3)
    moves = []
    for _ in range(rng.between(5, 9)):
        kind = rng.choice(("in", "in", "out", "lost"))
        around = c["bulk"] + rng.between(-2, 2)
        moves.append([kind, rng.choice(items), around if rng.below(2) else rng.between(1, 12)])
    return moves, {item: rng.between(3, 90) for item in items}


def _ledger_case(rng: Stream, c: Constants) -> tuple[Any, ...]:
    entries = []
    for _ in range(rng.between(4, 8)):
        giver, taker = rng.sample(_NAMES[:4], 2)
        whole = rng.choice((rng.between(0, 9), c["free"] - 1, c["free"], c["free"] + 1, rng.between(40, 900)))
        amounts = (f"{whole}", f"{whole}.{rng.between(0, 99):02}", f"{whole}.{rng.below(10)}")
        entries.append([giver, taker, rng.choice(amounts)])
    if rng.below(3) == 0:  # an account owes about as much as the limit
        entries.append(["gil", rng.choice(_NAMES), _owing(c, 100 * c["limit"] + rng.between(-1, 1))])
    return (entries,)


def _owing(c: Constants, cents: int) -> str:
    """The amount whose transfer costs this many cents, fee included."""
    near = range(max(100 * c["free"], cents - c["high"]), cents)
    fees = ((at, min(max((2 * at * c["percent"] + 100) // 200, c["low"]), c["high"])) for at in near)
    amount = next((at for at, fee in fees if at + fee == cents), cents)
    return f"{amount // 100}.{amount % 100:02}"


def _schedule_case(rng: Stream, c: Constants) -> tuple[Any, ...]:
    busy = [[start := rng.between(0, 40), start + rng.between(1, 6)] for _ in range(rng.between(2, 6))]
    tasks = [[name, rng.between(1, 7), rng.between(0, 3)] for name in rng.sample(_NAMES, rng.between(2, 5))]
    return tasks, busy, rng.between(35, 60)


def _league_case(rng: Stream, constants: Constants) -> tuple[Any, ...]:
    teams = rng.sample(_NAMES, 4)
    matches = []
    for _ in range(rng.between(5, 9)):
        home, away = rng.sample(teams, 2)
        matches.append([home, away, rng.below(4), rng.choice((rng.below(4), constants["many"] + rng.below(2)))])
    if rng.below(3) == 0:  # two sides that differ only in where they scored
        a, b, c, d = teams
        goals = rng.between(1, 3)
        matches = [[a, c, goals, 0], [d, a, 0, 0], [c, b, 0, goals], [b, d, 0, 0]]
    return matches, {rng.choice(teams): rng.between(1, 4)} if rng.below(2) else {}


BUSINESS: Final[dict[str, Part]] = {
    "inventory": Part(
        {
            "stock": '''"""How many of every item there are."""


def moved(stock, kind, item, count):
    """The stock after one movement; the stock that is given stays as it is.

    "in" adds to the item; "out" takes away, but never more than there are; "lost" takes away half of the count, rounded up, and
    never more than there are.
    """
    after = dict(stock)
    there = after.get(item, 0)
    if kind == "in":
        after[item] = there + count
    elif kind == "out":
        after[item] = there - min(there, count)
    else:
        after[item] = there - min(there, (count + 1) // 2)
    return after


def history(moves):
    """The stock after every movement, beginning with none."""
    stock, seen = {}, []
    for kind, item, count in moves:
        stock = moved(stock, kind, item, count)
        seen.append(stock)
    return seen
''',
            "pricing": '''"""What a number of items is worth."""

from $pkg.common import share


def worth(count, price):
    """The price of a count of items: $off per cent less (of the whole) for $bulk or more, twice that for more than
    $huge.
    """
    whole = count * price
    if count > $huge:
        return whole - share(whole, 2 * $off)
    if count >= $bulk:
        return whole - share(whole, $off)
    return whole
''',
            "inventory": '''"""Reports on the stock."""

from $pkg.common import ranked
from $pkg.pricing import worth
from $pkg.stock import history


def report(moves, prices):
    """What is there after all movements: rows [item, count, worth], the most worth first, and the most there ever was of each.

    Items of which there are none have no row, but count among what there ever was.
    """
    seen = history(moves)
    last = seen[-1] if seen else {}
    peaks = {}
    for stock in seen:
        for item, count in stock.items():
            peaks[item] = max(count, peaks.get(item, 0))
    value = {item: worth(count, prices[item]) for item, count in last.items() if count > 0}
    rows = [[item, last[item], value[item]] for item in ranked(value, value.get)]
    return {"rows": rows, "peaks": sorted(peaks.items()), "total": sum(value.values())}
''',
        },
        ("inventory", "report"),
        {"bulk": (6, 10), "huge": (14, 20), "off": (3, 15)},
        _inventory_case,
    ),
    "ledger": Part(
        {
            "money": '''"""Amounts of money in cents."""


def cents(text):
    """The cents of an amount such as 12, 12.5 or 12.50."""
    whole, _, rest = text.partition(".")
    return 100 * int(whole) + int((rest + "00")[:2])


def shown(amount):
    """An amount of cents as text: two digits after the point, a minus sign before it if it is below 0."""
    sign = "-" if amount < 0 else ""
    return sign + str(abs(amount) // 100) + "." + str(abs(amount) % 100).zfill(2)
''',
            "accounts": '''"""Transfers between accounts, and what they cost."""

from $pkg.common import clamp, share
from $pkg.money import cents


def fee(amount):
    """What a transfer of so many cents costs: nothing below $free.00, else $percent per cent, at least $low and at
    most $high cents.
    """
    if amount < 100 * $free:
        return 0
    return clamp(share(amount, $percent), $low, $high)


def balances(entries):
    """The cents of every account after transfers [from, to, amount]: who gives pays the fee too, which goes to
    "bank".
    """
    found = {"bank": 0}
    for giver, taker, text in entries:
        amount = cents(text)
        cost = fee(amount)
        found[giver] = found.get(giver, 0) - amount - cost
        found[taker] = found.get(taker, 0) + amount
        found["bank"] += cost
    return found
''',
            "ledger": '''"""Statements of all accounts."""

from $pkg.accounts import balances, fee
from $pkg.common import ranked
from $pkg.money import cents, shown


def statement(entries):
    """Lines "name: balance", the largest balance first; then who owes more than $limit.00, and the largest fee of
    all.
    """
    found = balances(entries)
    lines = [name + ": " + shown(found[name]) for name in ranked(found, found.get)]
    owing = sorted(name for name, amount in found.items() if amount < -100 * $limit)
    largest = max([fee(cents(text)) for _, _, text in entries], default=0)
    return {"lines": lines, "owing": owing, "largest": shown(largest)}
''',
        },
        ("ledger", "statement"),
        {"free": (5, 20), "percent": (2, 7), "low": (40, 90), "high": (300, 900), "limit": (50, 200)},
        _ledger_case,
    ),
    "schedule": Part(
        {
            "intervals": '''"""Intervals [start, end] of hours: the start is included, the end is not."""


def merged(intervals):
    """The same hours as few intervals in order; those that overlap or touch become one."""
    found = []
    for start, end in sorted(intervals):
        if found and start <= found[-1][1]:
            found[-1][1] = max(found[-1][1], end)
        else:
            found.append([start, end])
    return found


def gaps(intervals, end):
    """The intervals between 0 and the end that are in none of the intervals."""
    found, at = [], 0
    for start, stop in merged(intervals):
        if start > at and at < end:
            found.append([at, min(start, end)])
        at = max(at, stop)
    if at < end:
        found.append([at, end])
    return found
''',
            "urgency": '''"""Which tasks come first."""

from $pkg.common import clamp


def weight(hours, level):
    """How urgent a task is: $step for every level (levels above $top count as $top), less one for every hour it
    takes.
    """
    return $step * clamp(level, 0, $top) - hours


def ordered(tasks):
    """Tasks [name, hours, level], the most urgent first; equally urgent ones: the shorter first, then by name."""
    return sorted(tasks, key=lambda task: (-weight(task[1], task[2]), task[1], task[0]))
''',
            "schedule": '''"""Plans: when is which task done?"""

from $pkg.intervals import gaps, merged
from $pkg.urgency import ordered


def plan(tasks, busy, end):
    """Put every task, the most urgent first, into the first gap that it fits into with $rest hours to spare behind it.

    The result has the rows [name, start, end] in the order of their starts, the names of tasks without a place in the order in
    which they were tried, and the hours that are taken at the end, by tasks or otherwise, before the end.
    """
    taken, rows, left = merged(busy), [], []
    for name, hours, _ in ordered(tasks):
        fitting = [start for start, stop in gaps(taken, end) if stop - start >= hours + $rest]
        if fitting:
            rows.append([name, fitting[0], fitting[0] + hours])
            taken = merged(taken + [[fitting[0], fitting[0] + hours]])
        else:
            left.append(name)
    used = sum(min(stop, end) - start for start, stop in taken if start < end)
    return {"rows": sorted(rows, key=lambda row: row[1]), "left": left, "used": used}
''',
        },
        ("schedule", "plan"),
        {"step": (2, 6), "top": (1, 2), "rest": (0, 2)},
        _schedule_case,
    ),
    "league": Part(
        {
            "points": '''"""What a result is worth."""


def points(scored, taken):
    """The points of a side: $win for a win, $draw for a draw, none for a defeat; and one more for $many goals or
    more.
    """
    extra = 1 if scored >= $many else 0
    if scored > taken:
        return $win + extra
    if scored == taken:
        return $draw + extra
    return extra
''',
            "sides": '''"""What the matches mean for every side."""

from $pkg.common import grouped


def sides(matches):
    """A dict from every team to its results [scored, taken, at home] in order, of matches [home, away, goals,
    goals].
    """
    found = []
    for home, away, ours, theirs in matches:
        found.append((home, [ours, theirs, True]))
        found.append((away, [theirs, ours, False]))
    return grouped(found)


def streak(results):
    """The length of the longest run of results without a defeat."""
    best = run = 0
    for scored, taken, _ in results:
        run = run + 1 if scored >= taken else 0
        best = max(best, run)
    return best
''',
            "league": '''"""Tables."""

from $pkg.points import points
from $pkg.sides import sides, streak


def table(matches, penalties):
    """Rows [team, points, goals scored less goals taken, goals scored, longest run without a defeat], the best first.

    Penalties are taken from the points, of which none has fewer than 0. Of teams with the same points the one with the better
    difference comes first, then with more goals scored, then with more goals scored away from home, then by name.
    """
    rows = []
    for team, results in sides(matches).items():
        total = max(0, sum(points(scored, taken) for scored, taken, _ in results) - penalties.get(team, 0))
        scored = sum(result[0] for result in results)
        taken = sum(result[1] for result in results)
        away = sum(result[0] for result in results if not result[2])
        rows.append([-total, taken - scored, -scored, -away, team, streak(results)])
    return [[team, -total, -less, -scored, run] for total, less, scored, _, team, run in sorted(rows)]
''',
        },
        ("league", "table"),
        {"win": (2, 4), "draw": (1, 1), "many": (4, 5)},
        _league_case,
    ),
}
