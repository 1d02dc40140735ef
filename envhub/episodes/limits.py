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
    if turn.verdict is None and number >= environment.max_turns:
        turn.verdict = environment.exhausted(inst, turn.state)
        turn.truncated = True
    if turn.verdict is not None:
        check_verdict(turn.verdict)
    if not turn.observation.isascii():
        turn.observation = encodable(turn.observation)
    if len(turn.observation) > environment.max_observation_chars:
        cut = turn.observation[: environment.max_observation_chars]
        turn.observation = f"{cut}\n[cut: {len(turn.observation)} characters in all]"
    if environment.counted and turn.truncated:
        turn.observation += "\n\nThat was the last message."
    elif environment.counted and turn.verdict is None:
        turn.observation += f"\n\nMessages left: {environment.messages(inst.problem) - number}."
