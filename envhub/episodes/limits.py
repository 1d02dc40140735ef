"""An environment's limits on a turn.

The number of turns, the length of an observation, the count of messages left.
"""

from __future__ import annotations

from envhub.authoring import Environment
from envhub.core.types import Instance, Turn, encodable
from envhub.episodes.outcomes import check_verdict


def apply_limits(environment: Environment, inst: Instance, turn: Turn, number: int) -> None:
    """Apply the environment's limits to a turn, in place.

    Args:
        environment: The environment.
        inst: The problem.
        turn: The turn as the environment returned it.
        number: Number of turns taken, this one included.

    Raises:
        TypeError: The verdict is invalid.
    """
    _, most_turns, most_chars, counted = environment.turn_limits
    left = environment.messages(inst.problem) - number if counted else most_turns - number
    if turn.verdict is None and (left <= 0 or number >= most_turns):
        turn.verdict = environment.exhausted(inst, turn.state)
        turn.truncated = True
    if turn.verdict is not None:
        check_verdict(turn.verdict)
    shown = turn.observation
    if not shown.isascii():
        shown = turn.observation = encodable(shown)
    if len(shown) > most_chars:
        turn.observation = f"{shown[:most_chars]}\n[cut: {len(shown)} characters in all]"
    if counted:
        turn.observation += _countdown(turn, left)


def _countdown(turn: Turn, left: int) -> str:
    """The sentence on the messages left, of a counted environment."""
    if turn.truncated:
        return "\n\nThat was the last message."
    return "" if turn.verdict is not None else f"\n\nMessages left: {left}."
