"""Cards of the gallery: one summary per environment."""

from __future__ import annotations

from functools import cache

from envhub.core.types import JSON
from envhub.registry.describe import summaries
from envhub.registry.registry import load, spec


@cache
def cards() -> list[JSON]:
    """One card per environment, in the order of the registry.

    A card has the fields of ``envhub list --json`` and ``turns`` (maximum number of turns), ``tools`` (number of tools),
    ``files`` (whether it needs a file of the user), ``picture`` (whether its states have one) and ``covers`` (tasks of
    other catalogues that it covers).
    """
    return [_card(summary) for summary in summaries()]


def _card(summary: dict[str, JSON]) -> JSON:
    if summary["error"] is not None:
        return {**summary, "turns": 0, "tools": 0, "files": False, "picture": False, "covers": []}
    found = spec(summary["id"])
    environment = load(found)
    return {
        **summary,
        "turns": environment.max_turns,
        "tools": len(environment.tools),
        "files": bool(environment.files),
        "picture": environment.pictured,
        "covers": list(found.covers),
    }
