"""Tables: measurements, a category, and a target.

The target depends on sums, products and thresholds of the others. The dependence is an integer, so the same on every
machine. A yes-or-no target is drawn with a probability that grows with it; a number is the dependence plus noise. So
the best prediction is known for every row.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from envhub.core.seeding import Stream
from envhub.envs.code.ml_experiment.data import NO, YES, Column, Drawn, MetricName, Row, Size, chance

_PER_QUERY: Final = 12
_SLOPE: Final = 7
_STEPS: Final = 1 << 20
_NAMES: Final = (
    ("age", "age of the machine in months"),
    ("load", "average load in percent"),
    ("heat", "temperature of the housing, scaled to 0..99"),
    ("noise", "noise level, scaled to 0..99"),
    ("wear", "wear of the tool, scaled to 0..99"),
    ("speed", "speed, scaled to 0..99"),
    ("draft", "draft of the air in the hall, scaled to 0..99"),
    ("humid", "humidity of the air in percent"),
    ("stock", "filling level of the stock in percent"),
    ("shift", "share of night shifts in percent"),
    ("pause", "length of the pauses, scaled to 0..99"),
    ("grip", "force of the grip, scaled to 0..99"),
)
_SITES: Final = ("aspen", "birch", "cedar", "dogwood")
Dependence = Callable[[Sequence[int], int], int]


def draw(rng: Stream, metric: MetricName, size: Size) -> Drawn:
    """Rows of a table, with a target that fits the metric."""
    names = rng.sample(_NAMES, 3 + size.complexity)
    depends = _dependence(rng, len(names), size.complexity)
    queries = metric == "map"
    count = size.train + size.test
    inputs = [_inputs(rng, len(names)) for _ in range(count)]
    if queries:  # the first measurement belongs to the query
        inputs = [((inputs[at - at % _PER_QUERY][0][0], *x[1:]), site) for at, (x, site) in enumerate(inputs)]
    strengths = [depends(x, site) for x, site in inputs]
    ranked = sorted(strengths)
    middle = ranked[len(ranked) * (7 if metric in ("f1", "map") else 5) // 10]
    scale = max(1, sum(abs(each - middle) for each in strengths) // count)
    rows = []
    for at, ((x, site), strength) in enumerate(zip(inputs, strengths, strict=True)):
        group = at // _PER_QUERY if queries else 0
        cells = ((f"q{group + 1}",) if queries else ()) + (*x, _SITES[site])
        target, belief = _target(rng, metric, strength - middle, scale)
        rows.append(Row(cells, target, belief, group))
    split = size.train - size.train % _PER_QUERY if queries else size.train
    columns = [Column(name, note) for name, note in names] + [Column("site", "site of the machine")]
    if queries:
        columns.insert(0, Column("query", "the request that the machine is a candidate for"))
    return Drawn("a machine of a factory", tuple(columns), _asked(metric), rows[:split], rows[split:], _labels(metric))


def _asked(metric: MetricName) -> Column:
    if metric == "rmse":
        return Column("cost", "cost of the repair, a number")
    if metric == "map":
        return Column("fits", "whether the machine fits the request, yes or no")
    return Column("fails", "whether the machine fails within a month, yes or no")


def _labels(metric: MetricName) -> tuple[str, ...]:
    return () if metric == "rmse" else (NO, YES)


def _inputs(rng: Stream, count: int) -> tuple[tuple[int, ...], int]:
    return tuple(rng.below(100) for _ in range(count)), rng.below(len(_SITES))


def _dependence(rng: Stream, count: int, complexity: int) -> Dependence:
    """A random dependence on measurements and site.

    Higher complexity: less of it is linear.
    """
    straight = [(at, _weight(rng)) for at in rng.sample(range(count), 3)]
    products = [(*rng.sample(range(count), 2), 3 * _weight(rng)) for _ in range(complexity)]
    steps = [(rng.below(count), rng.between(25, 75), 50 * _weight(rng)) for _ in range(complexity - 1)]
    sites = [rng.between(-150, 150) for _ in _SITES]
    turned = rng.below(len(_SITES)) if complexity >= 4 else None  # the site where the first effect is reversed

    def depends(x: Sequence[int], site: int) -> int:
        z = [2 * each - 99 for each in x]
        total = 50 * sites[site]
        for number, (at, weight) in enumerate(straight):
            total += 100 * weight * z[at] * (-1 if number == 0 and site == turned else 1)
        total += sum(weight * z[one] * z[two] for one, two, weight in products)
        return total + sum(100 * weight * (1 if x[at] > least else -1) for at, least, weight in steps)

    return depends


def _weight(rng: Stream) -> int:
    return rng.between(2, 5) * rng.choice((-1, 1))


def _target(rng: Stream, metric: MetricName, strength: int, scale: int) -> tuple[str, float]:
    if metric == "rmse":
        mean = 500 + 100 * strength // scale
        return str(mean + sum(rng.between(-40, 40) for _ in range(3))), float(mean)
    probability = chance(_SLOPE * strength, scale)
    return (YES if rng.below(_STEPS) < int(probability * _STEPS) else NO), probability
