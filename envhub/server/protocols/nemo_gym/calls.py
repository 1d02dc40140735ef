"""Tool calls over NeMo Gym's routes.

Every call is a turn, and calls that never became one are detected. NeMo Gym's agent passes any answer of a tool's route
to the model, even a server error, and continues. The policy then saw a failure that it did not cause, and misses a
turn. So a rollout with a lost call gets no reward::

    action_of("back", {})
    lost_call(output, whole)              # first call that is not a turn of the episode, or None

Source: nemo-gym 0.7.0 ``responses_api_agents/simple_agent/app.py``.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Sequence
from typing import Any, Final

from envhub.core.types import JSON
from envhub.episodes.record import admitted
from envhub.registry.registry import load, spec
from envhub.server.http.requests import shallow
from envhub.server.protocols.nemo_gym.messages import FunctionCall, PolicyOutput
from envhub.server.protocols.rows import tool_calls_action

ROUTES: Final = frozenset(
    {"seed_session", "verify", "close_session", "aggregate_metrics", "reverify_mode", "reset", "step", "close"}
)
"""Names that a tool cannot have, because another route has that path."""
_ENDING: Final = frozenset({"close", "close_session"})
_NAME: Final = re.compile(r"[A-Za-z0-9_-]+")  # can be a path segment without escaping


def action_of(name: str, arguments: JSON) -> str:
    """The action of a call.

    Arguments that are not an object or too deeply nested become an invalid call.
    """
    try:
        return tool_calls_action([(name, shallow(arguments))])
    except ValueError:
        return tool_calls_action([(name, None)])


def lost_call(output: PolicyOutput, whole: JSON) -> FunctionCall | None:
    """The first lost call of a response, or None.

    It was made before the end but is not a turn.

    Returns None, too, if the episode has turns that the response does not explain: it was played in another way.

    Args:
        output: The policy's output in the rollout.
        whole: The episode, as ``GET /v1/episodes`` returns it.
    """
    limit = load(spec(whole["task"]["env_id"])).max_action_chars
    taken = [record["action"] for record in whole["snapshot"]["journal"]]
    made = [(call, admitted(action, limit)) for call in output.calls if (action := _sent(call)) is not None]
    missed, place = _unmatched(made, taken)
    explained = place == len(taken) or (place == len(taken) - 1 and taken[place] == admitted(output.last, limit))
    if not explained:
        return None
    if whole["over"] and place == len(taken):  # calls after the end were answered as such
        missed = [(call, at) for call, at in missed if at < place]
    return missed[0][0] if missed else None


def closed_by_policy(output: PolicyOutput) -> bool:
    """Whether the policy itself ended its session.

    By calling a tool named like a closing route.
    """
    return any(call.name in _ENDING for call in output.calls)


def _unmatched(
    made: Sequence[tuple[FunctionCall, str]], taken: Sequence[str]
) -> tuple[list[tuple[FunctionCall, int]], int]:
    """The calls that are not turns, and the number that are.

    Each with the number of turns before it.
    """
    missed: list[tuple[FunctionCall, int]] = []
    place = 0
    for call, action in made:
        if place < len(taken) and taken[place] == action:
            place += 1
        else:
            missed.append((call, place))
    return missed, place


def _sent(call: FunctionCall) -> str | None:
    """The action that a call should have become.

    None if the agent could not send it, which is the policy's fault.
    """
    if not _NAME.fullmatch(call.name) or call.name in ROUTES:
        return None
    try:
        arguments = json.loads(call.arguments, parse_constant=lambda name: None, parse_float=_finite)
        return action_of(call.name, arguments)
    except (ValueError, RecursionError):
        return None


def _finite(text: str) -> Any:
    """Parse a number as JSON would transmit it.

    Null if it is not finite.
    """
    value = float(text)
    return value if math.isfinite(value) else None
