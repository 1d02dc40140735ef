"""The twelve families of :mod:`envhub.envs.code.python_tool.questions`: wording, value and a naive program."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta
from math import gcd
from typing import Final

from envhub.core.seeding import Stream

Numbers = dict[str, int]


@dataclass(frozen=True, slots=True)
class Family:
    """One kind of part.

    Attributes:
        draw: Draws the numbers of a part from a stream and a number of steps; ``steps`` (about as many) is one of them.
        words: The question, with placeholders for the numbers.
        value: The answer, from the numbers and ``x``.
        program: The body of a Python function of ``x``, with placeholders for the numbers.
        least: Minimum number of steps; below it there are too few answers.
    """

    draw: Callable[[Stream, int], Numbers]
    words: str
    value: Callable[[Numbers, int], int]
    program: str
    least: int = 0


def _near(rng: Stream, work: int) -> int:
    return max(12, work + rng.between(-work // 10, work // 10))


def _orbit_draw(rng: Stream, work: int) -> Numbers:
    n, k = _near(rng, work), rng.between(3, 6)
    m = rng.choice((1009, 2003, 3001, 4001, 5003, 6007, 7001, 8009, 9001))  # prime: no orbit falls into a fixed point
    return {"n": n, "steps": n, "a": rng.between(11, 99), "c": rng.between(3, 999), "m": m, "k": k, "r": rng.below(k)}


def _orbit(p: Numbers, x: int) -> int:
    total = 0
    for _ in range(p["n"]):
        x = (p["a"] * x + p["c"]) % p["m"]
        if x % p["k"] == p["r"]:
            total += x
    return total


def _digits_draw(rng: Stream, work: int) -> Numbers:
    n = _near(rng, work)
    return {"n": n, "steps": n, "low": rng.between(2000, 900_000), "k": rng.between(3, 7)}


def _digits(p: Numbers, x: int) -> int:
    first = p["low"] + x
    return sum(number for number in range(first, first + p["n"]) if _digit_sum(number) % p["k"] == 0)


def _digit_sum(number: int) -> int:
    total = 0
    while number:
        number, digit = divmod(number, 10)
        total += digit
    return total


def _circle_draw(rng: Stream, work: int) -> Numbers:
    n = _near(rng, work)
    return {"n": n, "steps": n, "k": rng.between(3, 40)}


def _circle(p: Numbers, x: int) -> int:
    """Positions of the last three, found backwards by undoing each removal."""
    product, k = 1, p["k"] + x % 10
    for left in (3, 2, 1):  # people left before the removal being undone
        place = (k - 1) % left
        for people in range(left + 1, p["n"] + 1):
            place = (place + k) % people
        product *= place + 1
    return product


def _recurrence_draw(rng: Stream, work: int) -> Numbers:
    n = _near(rng, work)
    a, b, c = (rng.between(2, 30) for _ in range(3))
    return {"n": n, "steps": n, "first": rng.between(1, 99), "a": a, "b": b, "c": c, "m": rng.between(10_000, 999_999)}


def _recurrence(p: Numbers, x: int) -> int:
    last, this = x % p["m"], p["first"]
    for k in range(2, p["n"] + 1):
        last, this = this, (p["a"] * this + p["b"] * last + p["c"] * k) % p["m"]
    return this


def _primes_draw(rng: Stream, work: int) -> Numbers:
    n = _near(rng, work)
    return {"n": n, "steps": n, "low": rng.between(1000, 9000)}


def _primes(p: Numbers, x: int) -> int:
    low, high = p["low"] + x, p["low"] + x + p["n"]
    composite = bytearray(high)
    for number in range(2, int(high**0.5) + 1):
        if not composite[number]:
            composite[number * number :: number] = b"\1" * len(range(number * number, high, number))
    return sum(number for number in range(low, high) if not composite[number])


def _coins_draw(rng: Stream, work: int) -> Numbers:
    a, b, c = sorted(rng.sample(range(1, 11), 3))
    n = _near(rng, work) // 4
    return {"n": n, "steps": 4 * n, "a": a, "b": b, "c": c}


def _coins(p: Numbers, x: int) -> int:
    ways = [1] + [0] * p["n"]
    for coin in (p["a"], p["b"], p["c"], 11 + x % 7):
        for amount in range(coin, p["n"] + 1):
            ways[amount] += ways[amount - coin]
    return ways[p["n"]]


def _path_draw(rng: Stream, work: int) -> Numbers:
    h = max(4, int(work**0.5) - rng.below(3))
    w = max(4, round(work / h))
    a, b, m = rng.between(3, 50), rng.between(3, 50), rng.between(29, 99)
    return {"h": h, "w": w, "steps": h * w, "a": a, "b": b, "m": m}


def _path(p: Numbers, x: int) -> int:
    best: list[int] = []
    for i in range(p["h"]):
        row: list[int] = []
        for j in range(p["w"]):
            before = row[-1:] + best[j : j + 1]
            row.append((p["a"] * i * i + p["b"] * j + x * i * j) % p["m"] + min(before, default=0))
        best = row
    return best[-1]


def _determinant_draw(rng: Stream, work: int) -> Numbers:
    n = max(3, round(work ** (1 / 3)))
    a, b, c = (rng.between(2, 60) for _ in range(3))
    return {"n": n, "steps": n**3, "a": a, "b": b, "c": c, "m": rng.choice((23, 29, 31, 37, 41, 43, 47))}


def _determinant(p: Numbers, x: int) -> int:
    """By the Bareiss algorithm: every division is exact."""
    n = p["n"]
    rows = [
        [(p["a"] * i**3 + p["b"] * i * j + p["c"] * j**3 + x) % p["m"] for j in range(1, n + 1)]
        for i in range(1, n + 1)
    ]
    sign, before = 1, 1
    for k in range(n - 1):
        pivot = next((i for i in range(k, n) if rows[i][k]), None)
        if pivot is None:
            return 0
        if pivot != k:
            rows[k], rows[pivot], sign = rows[pivot], rows[k], -sign
        for i in range(k + 1, n):
            for j in range(k + 1, n):
                rows[i][j] = (rows[i][j] * rows[k][k] - rows[i][k] * rows[k][j]) // before
        before = rows[k][k]
    return sign * rows[-1][-1]


def _dates_draw(rng: Stream, work: int) -> Numbers:
    n = _near(rng, work)
    return {"n": n, "steps": n, "gap": 7 * rng.between(1, 13) + rng.between(1, 6), "weekday": rng.below(3)}


def _dates(p: Numbers, x: int) -> int:
    days = (date(1901, 1, 1) + timedelta(days=x + i * p["gap"]) for i in range(p["n"]))
    return sum(day.day * day.month for day in days if day.weekday() in (p["weekday"], p["weekday"] + 4))


def _coprime_draw(rng: Stream, work: int) -> Numbers:
    n = max(6, round(_near(rng, 2 * work) ** 0.5))
    return {"n": n, "steps": n * (n - 1) // 2, "shift": rng.below(5000)}


def _coprime(p: Numbers, x: int) -> int:
    shift = p["shift"] + x
    return sum(i * j for j in range(1, p["n"] + 1) for i in range(1, j) if gcd(i, j + shift) == 1)


def _swaps_draw(rng: Stream, work: int) -> Numbers:
    n = max(6, _near(rng, work) // 2)
    return {"n": n, "steps": 2 * n, "a": rng.between(2, 99), "b": rng.between(2, 99)}


def _swaps(p: Numbers, x: int) -> int:
    n = p["n"]
    row = list(range(1, n + 1))
    for k in range(1, n + 1):
        i, j = (p["a"] * k + x) % n, (p["b"] * k * k) % n
        row[i], row[j] = row[j], row[i]
    return sum(at * number for at, number in enumerate(row, 1))


def _subsets_draw(rng: Stream, work: int) -> Numbers:
    s = rng.between(5, 9)
    n = max(8, _near(rng, work) // s)
    return {"n": n, "steps": n * s, "s": s, "r": rng.below(s), "a": rng.between(2, 40), "m": rng.between(50, 99)}


def _subsets(p: Numbers, x: int) -> int:
    counts = [1] + [0] * (p["s"] - 1)
    for i in range(1, p["n"] + 1):
        number = (p["a"] * i * i + x) % p["m"]
        counts = [counts[at] + counts[(at - number) % p["s"]] for at in range(p["s"])]
    return counts[p["r"]]


FAMILIES: Final[dict[str, Family]] = {
    "orbit": Family(
        _orbit_draw,
        "Start with v = x. Then {n} times, replace v by the remainder of {a} * v + {c} divided by {m}. What is the sum of "
        "those of the {n} new values that leave remainder {r} when divided by {k}?",
        _orbit,
        """
seen = [x]
while len(seen) <= {n}:
    seen.append(({a} * seen[-1] + {c}) % {m})
return sum(v for v in seen[1:] if v % {k} == {r})
""",
    ),
    "digits": Family(
        _digits_draw,
        "Consider the {n} consecutive integers that begin with {low} + x. What is the sum of those whose decimal digits add "
        "up to a multiple of {k}?",
        _digits,
        """
return sum(v for v in range({low} + x, {low} + x + {n}) if sum(map(int, str(v))) % {k} == 0)
""",
    ),
    "circle": Family(
        _circle_draw,
        "{n} people, numbered from 1 to {n}, stand in a circle. Let k be {k} plus the last decimal digit of x. Starting with "
        "person 1, people are counted in ascending order around the circle. The k-th is removed, and counting starts again "
        "with the next one, until nobody is left. What is the product of the numbers of the last three people removed?",
        _circle,
        """
people, at, gone, k = list(range(1, {n} + 1)), 0, [], {k} + x % 10
while people:
    at = (at + k - 1) % len(people)
    gone.append(people.pop(at))
return gone[-1] * gone[-2] * gone[-3]
""",
    ),
    "recurrence": Family(
        _recurrence_draw,
        "Let u(0) = x, u(1) = {first}, and for k from 2 on let u(k) be the remainder of {a} * u(k-1) + {b} * u(k-2) + {c} * k "
        "divided by {m}. What is u({n})?",
        _recurrence,
        """
u = [x, {first}]
for k in range(2, {n} + 1):
    u.append(({a} * u[-1] + {b} * u[-2] + {c} * k) % {m})
return u[{n}]
""",
    ),
    "primes": Family(
        _primes_draw,
        "What is the sum of the prime numbers among the {n} consecutive integers that begin with {low} + x?",
        _primes,
        """
return sum(v for v in range({low} + x, {low} + x + {n}) if all(v % d for d in range(2, int(v**0.5) + 1)))
""",
    ),
    "coins": Family(
        _coins_draw,
        "Let d be 11 plus the remainder of x divided by 7. In how many ways can an amount of {n} be paid with coins of {a}, "
        "{b}, {c} and d? Any number of coins of each kind may be used, and the order of the coins does not matter.",
        _coins,
        """
d = 11 + x % 7
ways = {{0: 1}}
for coin in ({a}, {b}, {c}, d):
    ways = {{v: sum(ways.get(v - coin * t, 0) for t in range(v // coin + 1)) for v in range({n} + 1)}}
return ways[{n}]
""",
        least=150,
    ),
    "path": Family(
        _path_draw,
        "A grid has {h} rows and {w} columns, both counted from 0. The cell in row i and column j costs the remainder of {a} "
        "* i * i + {b} * j + x * i * j divided by {m}. A path leads from row 0, column 0 to the last cell of the last row, "
        "and each step adds 1 to i or j. What is the lowest total cost of the cells of a path, including both ends?",
        _path,
        """
best = {{}}
for i in range({h} - 1, -1, -1):
    for j in range({w} - 1, -1, -1):
        after = [best[at] for at in ((i + 1, j), (i, j + 1)) if at in best]
        best[i, j] = ({a} * i * i + {b} * j + x * i * j) % {m} + (min(after) if after else 0)
return best[0, 0]
""",
    ),
    "determinant": Family(
        _determinant_draw,
        "A matrix has {n} rows and {n} columns, both counted from 1. The entry in row i and column j is the remainder of {a} "
        "* i**3 + {b} * i * j + {c} * j**3 + x divided by {m}. What is its determinant?",
        _determinant,
        """
from fractions import Fraction
side = range(1, {n} + 1)
rows = [[Fraction(({a} * i**3 + {b} * i * j + {c} * j**3 + x) % {m}) for j in side] for i in side]
result = Fraction(1)
while rows:
    at = next((k for k, row in enumerate(rows) if row[0]), None)
    if at is None:
        return 0
    top = rows.pop(at)
    result *= top[0] * (-1) ** at
    rows = [[v - row[0] / top[0] * t for v, t in zip(row[1:], top[1:])] for row in rows]
return int(result)
""",
    ),
    "dates": Family(
        _dates_draw,
        "Take {n} dates of the Gregorian calendar. The first is x days after 1 January 1901, and each later one is {gap} days "
        "after the one before it. For each of these dates that is {days}, multiply the day of the month by the number of the "
        "month (1 to 12). What is the sum of these products?",
        _dates,
        """
total = 0
year, month, day, weekday = 1901, 1, 1, 1
taken, wait = 0, x
while taken < {n}:
    if wait == 0:
        taken, wait = taken + 1, {gap}
        if weekday in ({weekday}, {weekday} + 4):
            total += day * month
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    wait, day, weekday = wait - 1, day + 1, (weekday + 1) % 7
    if day > (31, 28 + leap, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)[month - 1]:
        day, month = 1, month + 1
    if month > 12:
        year, month = year + 1, 1
return total
""",
    ),
    "coprime": Family(
        _coprime_draw,
        "Consider all pairs of integers i and j with 1 <= i < j <= {n} such that i and j + {shift} + x have no common divisor "
        "except 1. What is the sum of the products i * j over these pairs?",
        _coprime,
        """
total = 0
for j in range(1, {n} + 1):
    for i in range(1, j):
        a, b = i, j + {shift} + x
        while b:
            a, b = b, a % b
        total += i * j * (a == 1)
return total
""",
    ),
    "swaps": Family(
        _swaps_draw,
        "A list contains the numbers 1 to {n} in this order; its positions are numbered from 0. For k = 1, 2, ..., {n}, in "
        "this order, swap the numbers at positions i and j, where i is the remainder of {a} * k + x divided by {n}, and j is "
        "the remainder of {b} * k * k divided by {n}. If i = j, nothing changes. At the end, multiply each number by its "
        "position plus 1. What is the sum of these products?",
        _swaps,
        """
at = {{place: place + 1 for place in range({n})}}
for k in range(1, {n} + 1):
    i, j = ({a} * k + x) % {n}, {b} * k**2 % {n}
    at.update({{i: at[j], j: at[i]}})
return sum((place + 1) * number for place, number in at.items())
""",
    ),
    "subsets": Family(
        _subsets_draw,
        "There are {n} cards. Card number i, from 1 to {n}, shows the remainder of {a} * i * i + x divided by {m}. How many "
        "sets of these cards have a sum that leaves remainder {r} when divided by {s}? Include the empty set, whose sum is 0. "
        "Cards that show the same number are different cards.",
        _subsets,
        """
from collections import Counter
sums = Counter([0])
for i in range(1, {n} + 1):
    card = ({a} * i * i + x) % {m}
    more = Counter(sums)
    for v, count in sums.items():
        more[(v + card) % {s}] += count
    sums = more
return sums[{r}]
""",
    ),
}
