"""Describes environments: rules, parameters, difficulty table, sample prompt."""

from __future__ import annotations

import inspect
import json
from functools import cache
from pathlib import Path
from typing import Any, Final

from envhub.authoring import Environment
from envhub.core.difficulty import LEVELS
from envhub.core.errors import EnvhubError
from envhub.core.types import JSON, Rates
from envhub.registry.registry import category as category_of, list_envs, load, spec

_PROBLEMS: Final = Path(__file__).parent / "problems.json"


def summary(id: str) -> dict[str, JSON]:
    """Summary of an environment: id, category, source, first sentence of its rules."""
    found = spec(id)
    cls = load(found)
    return {
        "id": id,
        "category": category_of(found),
        "source": found.source,
        "extras": list(found.extras),
        "description": rules(cls).partition("\n")[0].removeprefix(f"{id}: "),
    }


def summaries(category: str | None = None) -> list[dict[str, JSON]]:
    """Summary of every environment; loading errors are reported under ``error``."""
    return [_summary_or_error(id) for id in list_envs(category)]


def _summary_or_error(id: str) -> dict[str, JSON]:
    try:
        return {**summary(id), "error": None}
    except EnvhubError as error:
        found = spec(id)
        known = {"id": id, "category": found.category, "source": found.source, "extras": list(found.extras)}
        return {**known, "description": "", "error": str(error)}


def describe(id: str) -> dict[str, JSON]:
    """Full description of an environment, without solutions."""
    found = spec(id)
    cls = load(found)
    return {
        **summary(id),
        "covers": list(found.covers),
        "rules": rules(cls),
        "split_by": cls.split_by,
        "max_turns": cls.max_turns,
        "max_action_chars": cls.max_action_chars,
        "max_observation_chars": cls.max_observation_chars,
        "pictured": cls.pictured,
        "tools": [tool.schema() for tool in cls.tools.values()],
        "reference": cls.reference.to_json() if cls.reference else None,
        "ceiling": cls.ceiling.to_json() if cls.ceiling else None,
        "problems": problems().get(id),
        "params": [_param(name, field) for name, field in cls.Params.model_json_schema()["properties"].items()]
        if cls.Params.model_fields
        else [],
        "difficulties": {
            str(level): {**cls.Params.at(level).model_dump(mode="json"), **found.params} for level in LEVELS
        },
    }


@cache
def problems() -> dict[str, dict[str, JSON]]:
    """Number of distinct problems per split and level, by environment (``docs/problems.py``).

    ``{"sudoku-v0": {"drawn": 300, "train": [...], "validation": [...], "test": [...]}}``: ten counts a split. Problems that
    differ only in names or by a symmetry count as one.
    """
    found: dict[str, dict[str, JSON]] = json.loads(_PROBLEMS.read_text(encoding="utf-8"))
    return found


def reference_of(id: str) -> Rates | None:
    """Published rates of the best named policy without hidden knowledge.

    None if unknown.
    """
    try:
        return load(spec(id)).reference
    except EnvhubError:
        return None


def rules(cls: type[Environment]) -> str:
    """The rules: docstring of the environment's module, else its class.

    The module's must be about the environment.
    """
    module = inspect.getmodule(cls)
    text = (inspect.getdoc(module) if module is not None else None) or ""
    head, separator, _ = text.partition(":")
    if separator and "-v" in head.partition("\n")[0]:
        return text
    return inspect.getdoc(cls) or cls.__name__


def _param(name: str, schema: dict[str, Any]) -> dict[str, JSON]:
    kept = {k: v for k, v in schema.items() if k not in ("title",)}
    return {"name": name, **kept}
