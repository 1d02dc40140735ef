"""Calls of tools over NeMo Gym's routes: each is a turn, whatever its arguments are; one that never became a turn is noticed.

NeMo Gym's agent hands whatever a tool's route answers to the model, an error of the server too, and goes on. Then the policy
was told of a failure that was not its own, and lacks a turn. So a rollout in which a call was lost has no reward::

    action_of("back", {})
    lost_call(output, whole)              # the first call that the episode knows nothing of; None where all of them were turns

Source: nemo-gym 0.7.0 ``responses_api_agents/simple_agent/app.py``.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Sequence
from typing import Any, Final

from envhub.core.types import JSON
from envhub.episodes.episode import admitted
from envhub.registry.registry import load, spec
from envhub.server.http.requests import shallow
from envhub.server.protocols.nemo_gym.messages import FunctionCall, PolicyOutput
from envhub.server.protocols.rows import tool_calls_action

ROUTES: Final = frozenset(
    {"seed_session", "verify", "close_session", "aggregate_metrics", "reverify_mode", "reset", "step", "close"}
)
"""Names that a tool cannot have, for something else is at that path."""
_ENDING: Final = frozenset({"close", "close_session"})
_NAME: Final = re.compile(r"[A-Za-z0-9_-]+")  # of which a path is made as it is


def action_of(name: str, arguments: JSON) -> str:
    """The turn that a call is; what is no object of arguments, or is nested too deeply to be read, is answered as such."""
    try:
        return tool_calls_action([(name, shallow(arguments))])
    except ValueError:
        return tool_calls_action([(name, None)])


def lost_call(output: PolicyOutput, whole: JSON) -> FunctionCall | None:
    """The first call of a response that was made before the end and became no turn; None where there is none.

    Nothing is said of an episode with turns that the response does not explain: it was played in another way.

    Args:
        output: All that the policy said and called in the rollout.
        whole: The episode, as ``GET /v1/episodes`` gives it.
    """
    limit = load(spec(whole["task"]["env_id"])).max_action_chars
    taken = [record["action"] for record in whole["snapshot"]["journal"]]
    made = [(call, admitted(action, limit)) for call in output.calls if (action := _sent(call)) is not None]
    missed, place = _unmatched(made, taken)
    explained = place == len(taken) or (place == len(taken) - 1 and taken[place] == admitted(output.last, limit))
    if not explained:
        return None
    if whole["over"] and place == len(taken):  # what was called after the end was told so
        missed = [(call, at) for call, at in missed if at < place]
    return missed[0][0] if missed else None


def closed_by_policy(output: PolicyOutput) -> bool:
    """Whether the policy itself ended its session, by calling for a tool what is a route: that is no failure of ours."""
    return any(call.name in _ENDING for call in output.calls)


def _unmatched(
    made: Sequence[tuple[FunctionCall, str]], taken: Sequence[str]
) -> tuple[list[tuple[FunctionCall, int]], int]:
    """The calls that are no turn, each with how many turns there were by then, and how many turns were calls."""
    missed: list[tuple[FunctionCall, int]] = []
    place = 0
    for call, action in made:
        if place < len(taken) and taken[place] == action:
            place += 1
        else:
            missed.append((call, place))
    return missed, place


def _sent(call: FunctionCall) -> str | None:
    """The turn that a call should have become; None where the agent could not send it, which is the policy's doing."""
    if not _NAME.fullmatch(call.name) or call.name in ROUTES:
        return None
    try:
        arguments = json.loads(call.arguments, parse_constant=lambda name: None, parse_float=_finite)
        return action_of(call.name, arguments)
    except (ValueError, RecursionError):
        return None


def _finite(text: str) -> Any:
    """A number as it comes through JSON; null, if it has no form there."""
    value = float(text)
    return value if math.isfinite(value) else None
