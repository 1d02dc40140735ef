"""JSON answers about an episode: its opening and its turns.

Answers are recorded without the episode's id, because a fork inherits its turns. ::

    answer = turn_json(turn + 1, taken, reward_of)
    with_id(episode_id, answer)
"""

from __future__ import annotations

import math
from collections.abc import Callable

from envhub.core.errors import Conflict
from envhub.core.types import JSON, Task, Turn, Verdict
from envhub.episodes.episode import Episode
from envhub.episodes.outcomes import five_tuple
from envhub.server.journal import Header, StoredEpisode


def key_json(task: Task) -> dict[str, JSON]:
    """The key of a task, as stored in its episode's header."""
    return {**task.key.to_json(), "difficulty": task.difficulty}


def recorded_answer(stored: StoredEpisode, turn: int, action: str) -> JSON:
    """The recorded answer of a turn.

    If it was taken with the same action.

    Raises:
        Conflict: It was taken with another action, or not at all.
    """
    if turn < len(stored.entries) and stored.entries[turn].record.action == action:
        return stored.entries[turn].answer
    raise Conflict(
        f"Turn {turn} of {stored.header.episode_id!r} was taken with another action; "
        f"the next turn is {len(stored.entries)}. Fork the episode to try something else."
    )


def opening_json(header: Header, episode: Episode) -> JSON:
    """The answer to the request that created an episode.

    The same at any later time.
    """
    task, turn = episode.task, header.inherited
    before = episode.turns[turn - 1].info if turn else {}
    return {
        "episode_id": header.episode_id,
        "turn": turn,
        "observation": episode.turns[turn - 1].observation if turn else task.prompt,
        "info": {**task.opening_info(), **{name: before[name] for name in ("player",) if name in before}},
        "over": turn > 0 and episode.turns[turn - 1].verdict is not None,
        "task": task.to_json(),
        "max_action_chars": episode.environment.max_action_chars,
        "max_observation_chars": episode.environment.max_observation_chars,
    }


def with_id(episode_id: str, answer: JSON) -> JSON:
    """A recorded answer as it is sent."""
    return {"episode_id": episode_id, **answer}


def turn_json(turn: int, taken: Turn, reward_of: Callable[[Verdict], float]) -> JSON:
    """A turn as JSON: the five-tuple.

    The reward is null if it could not be judged.
    """
    observation, reward, terminated, truncated, info = five_tuple(taken, reward_of)
    return {
        "turn": turn,
        "observation": observation,
        "reward": None if math.isnan(reward) else reward,
        "terminated": terminated,
        "truncated": truncated,
        "info": info,
    }
