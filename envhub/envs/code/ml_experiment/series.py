"""Time series: sales of shops.

They have a level, a trend, a weekly pattern, campaigns and noise that persists. The last days are to be predicted.
The best prediction continues level, trend, week and campaigns, and lets the last deviation fade.
"""

from __future__ import annotations

from typing import Final

from envhub.core.seeding import Stream
from envhub.envs.code.ml_experiment.data import Column, Drawn, MetricName, Row, Size

_WEEK: Final = 7
_HORIZON: Final = 14
_COLUMNS: Final = (
    Column("shop", "name of the shop"),
    Column("day", "number of the day; a week has 7 days"),
    Column("campaign", "whether there is a campaign on this day, 0 or 1; known in advance"),
)


def draw(rng: Stream, metric: MetricName, size: Size) -> Drawn:
    """Days of several shops; the last ones are the test rows."""
    shops = max(6, size.test // (2 * _HORIZON))
    days = max(3 * _WEEK, size.train // shops)
    week = [rng.between(-60, 60) for _ in range(_WEEK)]
    train: list[Row] = []
    test: list[Row] = []
    for shop in range(shops):
        rows = _shop(rng, shop, days, week, size.complexity)
        train += rows[:days]
        test += rows[days:]
    rng.shuffle(test)
    about = "a day of a shop"
    return Drawn(about, _COLUMNS, Column("sales", "sales of the day, a number"), train, test, ())


def _shop(rng: Stream, shop: int, days: int, week: list[int], complexity: int) -> list[Row]:
    """All days of a shop. Higher complexity: shops differ in more ways."""
    level, trend = rng.between(300, 600), rng.between(-2, 3) if complexity >= 2 else 0
    lift = rng.between(60, 140) if complexity >= 3 else 80
    size = rng.between(4, 12) if complexity >= 4 else 8
    own = [value * size // 8 for value in week]
    if complexity >= 5:
        own = own[shop % _WEEK :] + own[: shop % _WEEK]  # its week starts on another day
    rows, deviation, believed = [], 0, 0
    for day in range(1, days + _HORIZON + 1):
        campaign = int(rng.below(5) == 0)
        expected = level + trend * day + own[day % _WEEK] + lift * campaign
        deviation = _faded(deviation) + _shock(rng)
        believed = deviation if day <= days else _faded(believed)
        rows.append(
            Row((f"s{shop + 1:02d}", day, campaign), str(expected + deviation), float(expected + believed), shop)
        )
    return rows


def _faded(deviation: int) -> int:
    """What is left of a deviation on the next day.

    Six tenths, rounded.
    """
    return (6 * deviation + 5) // 10


def _shock(rng: Stream) -> int:
    return rng.between(-15, 15) + rng.between(-15, 15)
