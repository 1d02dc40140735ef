"""tau2's criteria: what a conversation must contain, besides the end state.

An action counts as made if a call has its name, and those of the compared arguments that the call gives are the same; a piece
of information counts as told if a message contains it, ignoring case and the message's commas. These rules are tau2's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from envhub.core.types import JSON, Verdict


def is_told(information: str, message: str) -> bool:
    """Whether a message contains a piece of information."""
    return information.lower() in message.lower().replace(",", "")


def is_made(action: JSON, name: str, arguments: Mapping[str, Any]) -> bool:
    """Whether a call is an action."""
    if action["name"] != name:
        return False
    compared = action.get("compare_args")
    keys = set(arguments if compared is None else compared)
    wanted = {key: value for key, value in action["arguments"].items() if key in keys}
    return {key: value for key, value in arguments.items() if key in keys} == wanted


def verdict(basis: Sequence[str], database: bool, assertions: Sequence[bool], told: float, actions: float) -> Verdict:
    """All criteria of a basis.

    Args:
        basis: The criteria that decide.
        database: Whether the records are as they must be.
        assertions: Which assertions hold.
        told: The share of the information that was told.
        actions: The share of the actions that were made.
    """
    held = sum(assertions) / len(assertions) if assertions else 1.0
    met = {"DB": float(database), "ENV_ASSERTION": held, "COMMUNICATE": told, "ACTION": actions}
    solved = all(met.get(each, 1.0) == 1.0 for each in basis)
    words = "The case was served as required." if solved else "The case was not served as required."
    components = {"records": float(database), "assertions": held, "told": told, "actions": actions}
    return Verdict.exact(solved, words).noting(None, **components)
