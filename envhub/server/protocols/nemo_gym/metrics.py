"""NeMo Gym's metrics at the end of a run.

Rollouts aggregated over all tasks and per task. Aggregates every number at the top level of a rollout and in its
``usage``. Masked rollouts are excluded and counted separately. ::

    aggregate_metrics([{"_ng_task_index": 0, "reward": 1.0}, {"_ng_task_index": 0, "reward": 0.0, "mask_sample": True}])

Source: nemo-gym 0.7.0 ``reward_profile.py`` (``compute_aggregate_metrics``).
"""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from typing import Any, Final

from envhub.core.types import JSON

TASK: Final = "_ng_task_index"
ROLLOUT: Final = "_ng_rollout_index"
MASK: Final = "mask_sample"
Rollout = Mapping[str, Any]


def aggregate_metrics(rollouts: Sequence[Rollout]) -> JSON:
    """Aggregate the metrics of verified rollouts."""
    empty: JSON = {"group_level_metrics": [], "agent_metrics": {}, "key_metrics": {}, "repeat_level_metrics": []}
    if not rollouts:
        return empty
    scored = [rollout for rollout in rollouts if not rollout.get(MASK)]
    coverage = _coverage(rollouts, scored)
    if not scored:
        return {**empty, "agent_metrics": coverage, "key_metrics": coverage}
    groups: dict[Any, list[Rollout]] = {}
    for rollout in scored:
        groups.setdefault(_task(rollout), []).append(rollout)
    overall = {**_stats(scored), **coverage, "num_repeats": len({_number(each, ROLLOUT) for each in rollouts})}
    return {
        **empty,
        "group_level_metrics": [
            {TASK: task, "num_rollouts": len(group), **_stats(group)} for task, group in sorted(groups.items())
        ],
        "agent_metrics": overall,
        "key_metrics": {name: value for name, value in overall.items() if name.startswith("mean/")} | coverage,
    }


def _stats(rollouts: Sequence[Rollout]) -> dict[str, float]:
    columns: dict[str, list[float]] = {}
    for rollout in rollouts:
        for name, value in _numbers(rollout).items():
            columns.setdefault(name, []).append(value)
    found: dict[str, float] = {}
    for name, values in columns.items():
        found[f"mean/{name}"] = statistics.fmean(values)
        found[f"max/{name}"], found[f"min/{name}"] = max(values), min(values)
        found[f"median/{name}"] = statistics.median(values)
        if len(values) > 1:
            found[f"std/{name}"] = statistics.stdev(values)
        elif len(rollouts) == 1:
            found[f"std/{name}"] = 0.0
    return found


def _numbers(rollout: Rollout) -> dict[str, float]:
    response = rollout.get("response")
    usage = response.get("usage") if isinstance(response, dict) else None
    whole = {**rollout, **(usage if isinstance(usage, dict) else {})}
    return {
        name: float(value)
        for name, value in whole.items()
        if isinstance(value, (bool, int, float)) and name != MASK and not name.startswith("_") and abs(value) < 1e300
    }


def _coverage(rollouts: Sequence[Rollout], scored: Sequence[Rollout]) -> dict[str, int]:
    if len(scored) == len(rollouts):
        return {}
    measured = {_task(rollout) for rollout in scored}
    return {
        "coverage/measured_rollouts": len(scored),
        "coverage/masked_rollouts": len(rollouts) - len(scored),
        "coverage/measured_tasks": len(measured),
        "coverage/fully_masked_tasks": len({_task(rollout) for rollout in rollouts} - measured),
    }


def _task(rollout: Rollout) -> int:
    return _number(rollout, TASK)


def _number(rollout: Rollout, name: str) -> int:
    value = rollout.get(name, 0)
    return value if type(value) is int else 0
