"""Accepted proposals as a file: the rows that ``proposed-v0`` asks.

A row is a challenge with the values of its calls, one JSON object per line::

    {"kind": "deduction", "argument": "int", "source": "def f(v1): ...", "calls": [[3]], "values": [7], "difficulty": 5}

:func:`envhub.dataset.proposals.collect` writes them from ``info["proposal"]``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from envhub.core.errors import InvalidParameters
from envhub.core.types import JSON
from envhub.envs.code.proposer.arguments import CALLS, NAMES, domain
from envhub.envs.code.proposer.execution import text_of
from envhub.generators.user_files.files import UserRows, each_of, place_of, rows_at

KINDS: Final = ("deduction", "abduction", "induction")
_MOST_CHARS: Final = 4_000


@dataclass(frozen=True, slots=True)
class Proposed:
    """A row.

    Attributes:
        challenge: The task: kind, argument, source and calls.
        values: The values of the calls.
        level: Its difficulty, if given.
    """

    challenge: Mapping[str, JSON]
    values: Sequence[Any]
    level: int | None


def proposals(path: str, digest: str, kind: str, level: int | None) -> Sequence[Proposed]:
    """The rows of a kind in a file.

    All, or those of the level that is nearest to the requested one.

    Raises:
        InvalidParameters: There is no such file, a row is not a proposal, or no row has the kind.
    """
    rows = [row for row in _rows(place_of(path, digest), digest).rows if row.challenge["kind"] == kind]
    if not rows:
        raise InvalidParameters(f"There are no {kind} tasks in {path!r}. Set `kind` to one that the file has.")
    levels = {row.level for row in rows if row.level is not None}
    if level is None or not levels:
        return rows
    nearest = min(levels, key=lambda found: (abs(found - level), found))
    return [row for row in rows if row.level == nearest]


@lru_cache(maxsize=8)
def _rows(place: str, digest: str) -> UserRows[Proposed]:
    return UserRows.of(place, "proposal", each_of(place, rows_at(place, digest), _read))


def _read(number: int, row: Mapping[str, Any]) -> Proposed:
    kind, argument, source = row.get("kind"), row.get("argument"), row.get("source")
    calls, values, level = row.get("calls"), row.get("values"), row.get("difficulty")
    if kind not in KINDS:
        raise ValueError(f"kind must be one of {', '.join(KINDS)}, got {kind!r}.")
    if argument not in NAMES:
        raise ValueError(f"argument must be one of {', '.join(NAMES)}, got {argument!r}.")
    if not isinstance(source, str) or not source.strip() or len(source) > _MOST_CHARS:
        raise ValueError(f"source must be a program of at most {_MOST_CHARS} characters.")
    count = CALLS if kind == "induction" else 1
    if not isinstance(calls, list) or not isinstance(values, list) or not len(calls) == len(values) == count:
        raise ValueError(f"calls and values must be lists of length {count}.")
    everything = set(map(text_of, domain(argument)))
    if not all(isinstance(given, list) and text_of(given) in everything for given in calls):
        raise ValueError(f"each call must be a list of arguments of the domain {argument!r}.")
    if level is not None and (isinstance(level, bool) or level not in range(1, 11)):
        raise ValueError(f"difficulty must be an integer from 1 to 10, got {level!r}.")
    return Proposed({"kind": kind, "argument": argument, "source": source, "calls": calls}, values, level)


def level_of(rate: float) -> int:
    """The difficulty of a task by its solve rate.

    1 for the easiest tenth of rates, 10 for the hardest.
    """
    if not 0.0 <= rate <= 1.0:
        raise InvalidParameters(f"A solve rate must be from 0 to 1, got {rate}.")
    return max(1, 10 - int(10 * rate))
