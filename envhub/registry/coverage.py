"""Coverage: which tasks of public catalogues ours ask.

``covers`` in ``registry.yaml`` names tasks as ``source/task``. ``catalogues.toml`` lists every task of each source, those that
ours only resemble, those that an adapter plays, and those left out on purpose. Everything else is missing. ``differs`` states
how ours differ from a task that they ask::

    coverage("synlogic").native     # {"sudoku": ["sudoku-v0"], ...}
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from envhub.core.errors import InvalidParameters, nearest
from envhub.core.types import JSON
from envhub.registry.registry import builtin_ids, spec

_FILE: Final = Path(__file__).parent / "catalogues.toml"


@dataclass(frozen=True)
class Coverage:
    """The tasks of one source, each in one group.

    Attributes:
        source: Name of the source, such as ``synlogic``.
        title: Its full name.
        native: Ids of the environments that ask a task, by task.
        kin: What resembles a task, by task.
        adapter: What plays a task, by task.
        left_out: Reason why a task is left out, by task.
        missing: All other tasks.
        differs: How ours differ from a native task, in a sentence, where they do.
    """

    source: str
    title: str
    native: Mapping[str, Sequence[str]]
    kin: Mapping[str, str]
    adapter: Mapping[str, str]
    left_out: Mapping[str, str]
    missing: Sequence[str]
    differs: Mapping[str, str]

    @property
    def total(self) -> int:
        """Number of tasks of the source."""
        return sum(map(len, (self.native, self.kin, self.adapter, self.left_out, self.missing)))

    def to_json(self) -> dict[str, JSON]:
        """All groups by name."""
        native = {task: list(ids) for task, ids in self.native.items()}
        groups = {"kin": dict(self.kin), "adapter": dict(self.adapter), "left_out": dict(self.left_out)}
        groups |= {"differs": dict(self.differs)}
        return {"source": self.source, "title": self.title, "native": native, **groups, "missing": list(self.missing)}


def sources() -> list[str]:
    """Names of all sources."""
    return list(_catalogues())


def coverage(source: str) -> Coverage:
    """The tasks of a source.

    Raises:
        InvalidParameters: There is no such source.
    """
    known = _catalogues()
    if source not in known:
        raise InvalidParameters(f"No source {source!r}; there are {', '.join(known)}.{nearest(source, known)}")
    found, ours = known[source], _covered()
    native = {task: ours[f"{source}/{task}"] for task in found["tasks"] if f"{source}/{task}" in ours}
    seen = set(native)
    groups: dict[str, dict[str, str]] = {}
    for name in ("kin", "adapter", "left_out"):
        groups[name] = {task: why for task, why in found.get(name, {}).items() if task not in seen}
        seen |= set(groups[name])
    missing = [task for task in found["tasks"] if task not in seen]
    differs = {task: how for task, how in found.get("differs", {}).items() if task in native}
    return Coverage(source, found["title"], native, **groups, missing=missing, differs=differs)


def unknown_tasks() -> list[str]:
    """Names in ``covers`` that no catalogue lists."""
    listed = {f"{source}/{task}" for source, found in _catalogues().items() for task in found["tasks"]}
    return sorted(_covered().keys() - listed)


def _covered() -> dict[str, list[str]]:
    """Ids of our environments by the task that they cover."""
    found: dict[str, list[str]] = {}
    for env_id in builtin_ids():
        for task in spec(env_id).covers:
            found.setdefault(task, []).append(env_id)
    return found


@cache
def _catalogues() -> dict[str, dict[str, Any]]:
    return tomllib.loads(_FILE.read_text(encoding="utf-8"))
