"""Selects episodes of an index by their facts and their text."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np

from envhub.core.errors import InvalidParameters, nearest
from envhub.viewer.index import Index
from envhub.viewer.trajectories import OUTCOMES

ORDERS: Final = ("file", "reward", "turns", "chars")
MOST_READ: Final = 64 * 2**20
"""Bytes that one search for a text reads; the client asks again for the rest."""


@dataclass(frozen=True, slots=True)
class Filter:
    """What is looked for; an empty text and None select everything.

    Attributes:
        env: Environment id.
        level: Difficulty level.
        outcome: One of :data:`envhub.viewer.trajectories.OUTCOMES`.
        least: Smallest reward.
        most: Largest reward.
        shortest: Smallest number of characters.
        longest: Largest number of characters.
        reason: Reason of the failure, as in ``Index.reasons``.
        abuse: Only episodes whose last message caused a failure of the environment.
        order: ``file`` or a fact; descending for facts.
    """

    env: str = ""
    level: int | None = None
    outcome: str = ""
    least: float | None = None
    most: float | None = None
    shortest: int | None = None
    longest: int | None = None
    reason: str = ""
    abuse: bool = False
    order: str = "file"


def selected(index: Index, wanted: Filter) -> np.ndarray:
    """Numbers of the episodes that fit, in the wanted order.

    Raises:
        InvalidParameters: There is no such environment, outcome, reason or order.
    """
    columns = index.columns
    fits = np.ones(len(columns), np.bool_)
    if wanted.env:
        fits &= columns["env"] == _position("environment", wanted.env, index.envs)
    if wanted.outcome:
        fits &= columns["outcome"] == _position("outcome", wanted.outcome, OUTCOMES)
    if wanted.level is not None:
        fits &= columns["level"] == wanted.level
    if wanted.least is not None:
        fits &= columns["reward"] >= wanted.least
    if wanted.most is not None:
        fits &= columns["reward"] <= wanted.most
    if wanted.shortest is not None:
        fits &= columns["chars"] >= wanted.shortest
    if wanted.longest is not None:
        fits &= columns["chars"] <= wanted.longest
    if wanted.reason:
        fits &= columns["why"] == _position("reason", wanted.reason, index.reasons)
    if wanted.abuse:
        fits &= columns["abuse"]
    numbers = np.flatnonzero(fits)
    _position("order", wanted.order, ORDERS)
    if wanted.order == "file":
        return numbers
    keys = columns[wanted.order][numbers].astype(np.float64)
    return numbers[np.argsort(-np.nan_to_num(keys, nan=-np.inf), kind="stable")]


@dataclass(frozen=True, slots=True)
class Hits:
    """Part of a search for a text.

    Attributes:
        numbers: Episodes that contain the text.
        next: Position in the selection from which to go on, or None at its end.
    """

    numbers: list[int]
    next: int | None


def containing(index: Index, numbers: np.ndarray, text: str, start: int = 0, most: int = 200) -> Hits:
    """Episodes of a selection that contain a text; case is ignored.

    Args:
        index: The index.
        numbers: The selection.
        text: What is looked for; not empty.
        start: Position in the selection at which to begin.
        most: Maximum number of episodes to return.
    """
    needles = {json.dumps(text, ensure_ascii=ascii)[1:-1].lower().encode() for ascii in (True, False)}
    found: list[int] = []
    read = 0
    for position in range(start, len(numbers)):
        if len(found) >= most or read >= MOST_READ:
            return Hits(found, position)
        number = int(numbers[position])
        line = index.line(number).lower()
        read += len(line)
        if any(needle in line for needle in needles):
            found.append(number)
    return Hits(found, None)


def peers(index: Index, number: int) -> list[int]:
    """All attempts at the task of an episode, by descending reward."""
    group = index.columns[number]["group"]
    if not group:
        return [number]
    numbers = np.flatnonzero(index.columns["group"] == group)
    rewards = np.nan_to_num(index.columns["reward"][numbers], nan=-np.inf)
    return [int(at) for at in numbers[np.argsort(-rewards, kind="stable")]]


def counts(index: Index, column: Literal["env", "outcome", "level", "why"]) -> Iterator[tuple[int, int]]:
    """How many episodes have each value of a column."""
    values, numbers = np.unique(index.columns[column], return_counts=True)
    yield from zip(map(int, values), map(int, numbers), strict=True)


def _position(noun: str, name: str, known: tuple[str, ...] | list[str]) -> int:
    if name not in known:
        raise InvalidParameters(
            f"No {noun} {name[:60]!r} here.{nearest(name[:60], known)} There are: {', '.join(known)}."
        )
    return known.index(name)
