"""Cards of the gallery: one summary per environment.

Those of built-in environments are on file (``docs/cards.py``), so that the first view need not import every environment. ::

    cards()[0]["id"]
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Final

from envhub.core.errors import EnvhubError
from envhub.core.types import JSON
from envhub.registry.audits import audited
from envhub.registry.describe import summary
from envhub.registry.registry import list_envs, load, spec

FILE: Final = Path(__file__).parent / "cards.json"


@cache
def cards() -> list[dict[str, JSON]]:
    """One card per environment, in the order of the registry.

    A card has the fields of :func:`card`, ``error`` (why an environment cannot be loaded, or null) and ``audit`` (its
    recorded audit, or null).
    """
    return [_shown(id) for id in list_envs()]


def card(id: str) -> dict[str, JSON]:
    """The card of an environment.

    It has the fields of ``envhub list --json`` and ``turns`` (maximum number of turns), ``tools`` (number of tools),
    ``files`` (whether it needs a file of the user), ``picture`` (whether its states have one), ``covers`` (tasks of
    other catalogues that it covers) and ``rates`` (published solve rates by level, or null).

    Raises:
        EnvhubError: The environment cannot be loaded.
    """
    found = spec(id)
    environment = load(found)
    rates = environment.ceiling or environment.reference
    return {
        **summary(id),
        "turns": environment.max_turns,
        "tools": len(environment.tools),
        "files": bool(environment.files),
        "picture": environment.pictured,
        "covers": list(found.covers),
        "rates": None if rates is None else {"policy": rates.policy, "solved": list(rates.solved)},
    }


def _shown(id: str) -> dict[str, JSON]:
    record, found = audited(id), spec(id)
    on_file = recorded().get(id) if found.source == "envhub" else None
    audit = None if record is None or found.source != "envhub" else record.to_json()
    try:
        return {**(on_file or card(id)), "error": None, "audit": audit}
    except EnvhubError as error:
        known = {"id": id, "category": found.category, "source": found.source, "extras": list(found.extras)}
        empty = {"description": "", "turns": 0, "tools": 0, "files": False, "picture": False, "covers": []}
        return {**known, **empty, "rates": None, "error": str(error), "audit": audit}


@cache
def recorded() -> dict[str, dict[str, JSON]]:
    """The cards on file, by id."""
    found: dict[str, dict[str, JSON]] = json.loads(FILE.read_text(encoding="utf-8"))
    return found
