"""The solver of weak-spot-v0: its true rate on tasks of this hub.

``efforts.json`` has the efforts of twelve real tasks of each environment, options and level (``python -m
benchmarks.weak_spots``). The solver of a task makes no mistake on a unit of effort with a fixed probability, drawn for each
row. So its rate is exact::

    rows()[3].rate(0.7, 5)         # its rate at level 5, if it solves 70 % of usual tasks of level 5
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from math import fsum
from struct import unpack
from typing import Any, Final

from envhub.core.seeding import Stream

LEVELS: Final = range(1, 11)


@dataclass(frozen=True)
class Row:
    """Tasks of one environment with some options.

    Attributes:
        environment: Its id.
        options: Its parameters besides the level.
        efforts: The efforts of tasks at levels 1 to 10.
    """

    environment: str
    options: dict[str, Any]
    efforts: tuple[tuple[float, ...], ...]

    def rate(self, skill: float, level: int) -> float:
        """The share of solved tasks of a level, to four digits.

        Args:
            skill: The rate on a task whose effort is the mean of level 5.
            level: From 1 to 10.
        """
        usual = fsum(self.efforts[4]) / len(self.efforts[4])
        efforts = self.efforts[level - 1]
        return round(fsum(skill ** (effort / usual) for effort in efforts) / len(efforts), 4)


@cache
def rows() -> tuple[Row, ...]:
    """All recorded rows."""
    text = files("envhub.envs.rule_based.weak_spots").joinpath("efforts.json").read_text("utf-8")
    return tuple(Row(row["environment"], row["options"], tuple(map(tuple, row["efforts"]))) for row in json.loads(text))


def solved_of(rng: Stream, rate: float, attempts: int) -> int:
    """Number of attempts that succeed, each with probability ``rate``."""
    drawn = unpack(f"<{attempts}H", rng.bits(16 * attempts).to_bytes(2 * attempts, "little"))
    limit = round(rate * (1 << 16))
    return sum(each < limit for each in drawn)
