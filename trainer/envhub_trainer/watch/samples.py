"""Sample episodes of a step, kept as JSON values for people.

:func:`choose` selects the best, the worst, one that failed, and some in between; :func:`record` converts one::

    {"step": 7, "why": "best", "env_id": ..., "difficulty": ..., "group": ..., "task": {...}, "reward": 1.0, "solved": true,
     "components": {...}, "truncated": false, "overlong": false, "error": null,
     "turns": [{"observation": ..., "action": ..., "reward": 1.0, "row": 0}],
     "rows": [[{"given": 30, "text": ...}, {"end": 41, "pieces": [...], "logps": [...], "advantages": [...]}]]}

A row is a list of segments: given text with its number of tokens, or the policy's tokens of one turn. Without a tokenizer
``text`` is null and ``pieces`` are empty; ``advantages`` are null if the row was not learned from; a number that is not
finite is null.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from math import inf, isfinite
from typing import TYPE_CHECKING, Any, Final

from envhub_trainer.episode import Episode, Row
from envhub_trainer.watch.pieces import Pieces

if TYPE_CHECKING:
    from envhub_trainer.batch import Batch
    from envhub_trainer.group import Group

_DIGITS: Final = 5
"""Digits: enough for a tooltip, and a third of the bytes."""


def choose(episodes: Sequence[Episode], count: int) -> list[tuple[str, Episode]]:
    """Choose episodes, each as ``best``, ``worst``, ``failed`` or ``between``.

    Args:
        episodes: Episodes of a step.
        count: Maximum number of episodes.

    Returns:
        The best and the worst by return, the first one that failed, then others evenly spread over the order by return; the
        first among equals. The same episodes give the same choice.
    """
    sound = [episode for episode in episodes if episode.error is None]
    order = sorted(sound, key=_return, reverse=True)  # stable
    chosen: list[tuple[str, Episode]] = []
    if order:
        chosen.append(("best", order.pop(0)))
    if order:
        chosen.append(("worst", order.pop(order.index(min(order, key=_return)))))
    chosen += [("failed", episode) for episode in episodes if episode.error is not None][:1]
    room = min(count - len(chosen), len(order))
    chosen += [("between", order[(2 * i + 1) * len(order) // (2 * room)]) for i in range(room)]
    return chosen[:count]


def advantages(
    groups: Sequence[Group], batch: Batch | None, wanted: Sequence[Episode]
) -> dict[int, list[list[float] | None]]:
    """Return the advantages of some episodes' tokens.

    Args:
        groups: Groups of a step.
        batch: The batch made from them: their learned episodes in order, group by group, without uninformative groups and rows.
        wanted: Some of their episodes; only these are read from the batch.

    Returns:
        By ``id()`` of the episode, for each of its rows: one advantage per token, 0 for the first token; None if the row was
        not learned from.

    Raises:
        ValueError: The batch was made from other groups.
    """
    found: dict[int, list[list[float] | None]] = {id(episode): [None] * len(episode.rows) for episode in wanted}
    if batch is None or batch.advantage is None:
        return found
    numbers = set(batch.group.tolist())
    learned = [episode for group in groups for episode in group.learned if episode.peers in numbers]
    if len(learned) != len(batch.score):
        raise ValueError(
            f"The batch holds {len(batch.score)} episodes and the groups that it names {len(learned)}; "
            "it was made from other groups."
        )
    for at, owner in enumerate(batch.episode.tolist()):
        episode = learned[owner]
        if id(episode) not in found:
            continue
        length = int(batch.length[at])
        ids = batch.ids[at, :length].tolist()
        rows = found[id(episode)]
        row = next((i for i, row in enumerate(episode.rows) if rows[i] is None and row.ids == ids), None)
        if row is None:
            raise ValueError(f"Row {at} of the batch does not match its episode; it was made from other groups.")
        rows[row] = [0.0, *batch.advantage[at, : length - 1].tolist()]
    return found


def record(
    step: int, why: str, episode: Episode, pieces: Pieces | None, advantage: Sequence[Sequence[float] | None]
) -> dict[str, Any]:
    """An episode as JSON values.

    Args:
        step: Step of the episode.
        why: Why it was chosen.
        episode: The episode.
        pieces: Decodes its tokens.
        advantage: Advantages of its rows, as in :func:`advantages`.
    """
    turns = [
        {"observation": turn.observation, "action": turn.action, "reward": finite(turn.reward), "row": turn.row}
        for turn in episode.turns
    ]
    return {
        "step": step,
        "why": why,
        "env_id": episode.env_id,
        "difficulty": episode.difficulty,
        "group": episode.group,
        "seat": episode.seat,
        "task": dict(episode.task),
        "reward": finite(episode.reward),
        "solved": episode.solved,
        "components": finite_only(episode.components),
        "truncated": episode.truncated,
        "overlong": episode.overlong,
        "error": episode.error,
        "turns": turns,
        "rows": [_segments(row, pieces, each) for row, each in zip(episode.rows, advantage, strict=True)],
    }


def _return(episode: Episode) -> float:
    return episode.reward if isfinite(episode.reward) else -inf


def _segments(row: Row, pieces: Pieces | None, advantage: Sequence[float] | None) -> list[dict[str, Any]]:
    """The given and the sampled segments, turn by turn."""
    turn = 0
    keys = []
    for at, sampled in enumerate(row.mask):
        keys.append((bool(sampled), turn))
        turn += at in row.ends[turn : turn + 1]
    segments: list[dict[str, Any]] = []
    for (sampled, _), places in groupby(range(len(keys)), key=keys.__getitem__):
        part = list(places)
        ids = row.ids[part[0] : part[-1] + 1]
        if not sampled:
            segments.append({"given": len(ids), "text": pieces.text(ids) if pieces else None})
            continue
        segments.append(
            {
                "end": part[-1],
                "pieces": pieces(ids) if pieces else [],
                "logps": [_rounded(row.logps[at]) for at in part],
                "advantages": None if advantage is None else [_rounded(advantage[at]) for at in part],
            }
        )
    return segments


def finite(value: float) -> float | None:
    """The value, or None for NaN and infinities, which JSON cannot represent."""
    return float(value) if isfinite(value) else None


def finite_only(values: Mapping[str, float]) -> dict[str, float | None]:
    """The values, each as in :func:`finite`."""
    return {name: finite(value) for name, value in values.items()}


def _rounded(value: float) -> float | None:
    return round(value, _DIGITS) if isfinite(value) else None
