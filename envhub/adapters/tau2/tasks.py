"""The tasks of a domain, read from the user's checkout of tau2-bench.

::

    digest = bundle_digest("tau2-bench", chosen)
    tasks("tau2-bench", digest, "retail", "tasks.json", "base")[0].description

A task whose reward depends on a model as a judge (``NL_ASSERTION`` with assertions) is left out, and counted in a warning.
"""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from envhub.core.errors import InvalidParameters, nearest
from envhub.core.types import JSON, encodable
from envhub.generators.user_files.bundles import Bundle, bundle_at

_log = logging.getLogger(__name__)

BASES: Final = ("DB", "ENV_ASSERTION", "COMMUNICATE", "ACTION", "NL_ASSERTION")
_USUAL: Final = ("DB", "COMMUNICATE")
_DATA: Final = re.compile(r"(?:src/)?data/tau2/domains/(\w+)/((?:\w*tasks\w*|db|user_db)\.(?:json|toml)|\w+\.md)")
_TASKS: Final = re.compile(r"\w+/tasks\w*\.json")
_CODE: Final = re.compile(r"src/tau2/(?:domains|environment|data_model|utils)/[\w/]+\.py")


@dataclass(frozen=True, slots=True)
class Task:
    """A task of a domain.

    Attributes:
        id: Its id in the file.
        description: What the customer wants and knows, as stated to the one who plays the customer.
        start: The initial state, as in the file; None for the domain's usual one.
        actions: The actions that lead to the right end state.
        assertions: What must hold of the end state.
        told: What the customer must be told.
        basis: Which of these decide: some of :data:`BASES`.
        user_tools: Names of the customer's tools; None for all of the domain.
        persona: How the customer talks; may be empty.
    """

    id: str
    description: str
    start: JSON
    actions: tuple[JSON, ...]
    assertions: tuple[JSON, ...]
    told: tuple[str, ...]
    basis: tuple[str, ...]
    user_tools: tuple[str, ...] | None
    persona: str = ""

    @property
    def steps(self) -> int:
        """Actions, and things to say and to reach."""
        return len(self.actions) + len(self.assertions) + len(self.told)


def chosen(paths: Sequence[str]) -> Mapping[str, str]:
    """The domains' data, and the code that plays it."""
    found: dict[str, str] = {}
    for path in paths:
        data = _DATA.fullmatch(path)
        if data and "voice" not in data[2]:
            found[f"{data[1]}/{data[2]}"] = path
        elif _CODE.fullmatch(path):
            found[path] = path
    return found if any(_TASKS.fullmatch(name) for name in found) else {}


def domains(bundle: Bundle) -> list[str]:
    """The domains with tasks."""
    return sorted({name.partition("/")[0] for name in bundle.files if _TASKS.fullmatch(name)})


def checkout_at(path: str, digest: str) -> str:
    """The path of the checkout with a digest.

    Raises:
        InvalidParameters: It is nowhere.
    """
    return bundle_at(path, digest, chosen).place


def tasks(path: str, digest: str, domain: str, file: str, subset: str) -> Sequence[Task]:
    """The tasks of a file of a domain.

    Args:
        path: The checkout.
        digest: SHA-256 of its chosen files.
        domain: Name of the domain.
        file: Name of the file, such as ``tasks.json``.
        subset: One of tau2's own divisions, such as ``base``; empty for all tasks.

    Raises:
        InvalidParameters: The file has no tasks, or is of another form.
    """
    bundle = bundle_at(path, digest, chosen)
    known = domains(bundle)
    if domain not in known:
        raise InvalidParameters(f"There is no domain {domain!r}; there are {', '.join(known)}.{nearest(domain, known)}")
    return _tasks(bundle.place, tuple(sorted(bundle.files.items())), digest, f"{domain}/{file}", subset)


@lru_cache(maxsize=16)
def _tasks(place: str, files: tuple[tuple[str, str], ...], digest: str, name: str, subset: str) -> Sequence[Task]:
    bundle = Bundle(place, dict(files))
    rows = _json(bundle, name)
    if not isinstance(rows, list):
        raise InvalidParameters(f"{name} must be a list of tasks.")
    kept, judged = list[Task](), list[str]()
    for number, row in enumerate(rows, 1):
        try:
            found = _task(row)
        except ValueError as error:
            raise InvalidParameters(f"{name}, task {number}: {error}") from None
        if found is None:
            judged.append(str(row.get("id")))
        else:
            kept.append(found)
    if judged:
        _log.warning("%s: %d tasks that need a model as a judge are left out: %.200s", name, len(judged), judged)
    if subset:
        kept = _of_subset(bundle, name, kept, subset)
    if not kept:
        raise InvalidParameters(f"There are no tasks in {name} of {place!r}.")
    return kept


def _of_subset(bundle: Bundle, name: str, found: list[Task], subset: str) -> list[Task]:
    domain, _, file = name.partition("/")
    divided = _json(bundle, f"{domain}/split_{file}")
    if not isinstance(divided, dict) or subset not in divided:
        there = ", ".join(divided) if isinstance(divided, dict) else "none"
        raise InvalidParameters(f"{name} has no subset {subset!r}; there are {there}.")
    ids = {str(id) for id in divided[subset]}
    return [each for each in found if each.id in ids]


def _json(bundle: Bundle, name: str) -> Any:
    try:
        return json.loads(bundle.read(name))
    except ValueError as error:
        if isinstance(error, InvalidParameters):
            raise
        raise InvalidParameters(f"{name} is not JSON: {error}") from None


def _task(row: Any) -> Task | None:
    """A task; None if a model would have to judge it."""
    if not isinstance(row, dict) or not isinstance(row.get("id"), str):
        raise ValueError("expected an object with an id.")
    criteria = row.get("evaluation_criteria")
    if criteria is not None and not isinstance(criteria, dict):
        raise ValueError("evaluation_criteria: expected an object.")
    criteria = criteria or {}
    basis = tuple(criteria.get("reward_basis") or _USUAL)
    if unknown := {*basis} - {*BASES}:
        raise ValueError(f"reward_basis: unknown {sorted(unknown)}; known are {', '.join(BASES)}.")
    if "NL_ASSERTION" in basis and criteria.get("nl_assertions"):
        return None
    actions, assertions = criteria.get("actions") or [], criteria.get("env_assertions") or []
    for action in actions:
        if not isinstance(action.get("name"), str) or not isinstance(action.get("arguments"), dict):
            raise ValueError("actions: each must have a name and arguments.")
    told = tuple(str(each) for each in criteria.get("communicate_info") or ())
    return Task(
        row["id"],
        encodable(_description(row)),
        row.get("initial_state"),
        tuple(actions),
        tuple(assertions),
        told,
        basis,
        None if row.get("user_tools") is None else tuple(row["user_tools"]),
        encodable(str(row["user_scenario"].get("persona") or "").strip()),
    )


def _description(row: Mapping[str, Any]) -> str:
    """What is stated to the one who plays the customer."""
    scenario = row.get("user_scenario")
    given = scenario.get("instructions") if isinstance(scenario, dict) else None
    if isinstance(given, str) and given.strip():
        return given.strip()
    if not isinstance(given, dict):
        raise ValueError("user_scenario: expected instructions.")
    parts = [given.get(name) for name in ("reason_for_call", "known_info", "unknown_info", "task_instructions")]
    said = "\n".join(str(part).strip() for part in parts if part)
    if not said:
        raise ValueError("user_scenario: the instructions are empty.")
    return said
