"""Collects accepted proposals of ``proposer-v0`` into a file that ``proposed-v0`` asks.

::

    kept = collect(infos, "proposed.jsonl")          # infos of finished episodes
    envhub.make("proposed-v0", path="proposed.jsonl", kind="deduction")

Each program is run again in the sandbox for the values of its calls, which no info contains. A proposal is kept once, and
only if its solve rate is inside the bounds.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from envhub.core.effects import EffectFailed, drive, pump
from envhub.core.errors import InvalidParameters, ResourceError
from envhub.core.resources import Resources
from envhub.core.types import JSON
from envhub.envs.code.proposer.judging import Unusable, values_of
from envhub.envs.code.proposer.proposals import level_of
from envhub.sandbox.resource import Jobs


def collect(infos: Iterable[Mapping[str, Any]], path: str | Path, least: float = 0.05, most: float = 0.95) -> int:
    """Append new proposals to a file, and return their number.

    Args:
        infos: Infos of last turns; those without a valid proposal are skipped.
        path: The file, created if needed.
        least: Lowest solve rate that is kept.
        most: Highest one.

    Raises:
        InvalidParameters: A bound is not a share, or a proposal does not run as it did.
        ResourceError: The sandbox failed.
    """
    if not 0.0 <= least <= most <= 1.0:
        raise InvalidParameters(f"`least` and `most` must be shares with least <= most, got {least} and {most}.")
    file = Path(path)
    known = set(map(_identity, _read(file)))
    kept = 0
    for info in infos:
        proposal = info.get("proposal")
        if not proposal or not least <= proposal["rate"] <= most or _identity(proposal) in known:
            continue
        known.add(_identity(proposal))
        row = {**proposal, "values": _values(proposal), "difficulty": level_of(proposal["rate"])}
        with file.open("a", encoding="utf-8") as opened:  # at once: a later proposal may fail
            opened.write(json.dumps(row) + "\n")
        kept += 1
    return kept


def _read(file: Path) -> list[JSON]:
    return [json.loads(line) for line in file.read_text("utf-8").splitlines() if line] if file.exists() else []


def _identity(row: Mapping[str, Any]) -> str:
    return json.dumps([row["kind"], row["source"], row["calls"]])


def _values(proposal: Mapping[str, Any]) -> list[Any]:
    try:
        values = drive(pump(values_of("jobs", proposal), []), Resources({"jobs": Jobs()}, None).perform)
    except EffectFailed as failed:
        raise ResourceError(failed.fault.reason) from None
    except Unusable as failed:
        raise InvalidParameters(f"A proposal could not be run again: {failed}.") from None
    return values
