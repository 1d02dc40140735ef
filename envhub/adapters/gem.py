"""GEM environments by id and seed, also for ROLL's agentic pipeline.

::

    gem.register("envhub", entry_point="envhub.adapters.gem:GemEnvironment")
    env = gem.make("envhub", id="guess-number-v0", difficulty=3)
    observation, info = env.reset(seed=7)
    observation, reward, terminated, truncated, info = env.step("<answer>50</answer>")

ROLL ends an episode on ``terminated`` alone, so it is true at every end; ``truncated`` distinguishes the two. The seed
changes no random state but the episode's own. An answer that could not be judged raises :class:`JudgementError`.

Source: ``gem-llm`` 0.1.0 (``gem/core.py``, ``gem/envs/registration.py``) and ROLL
``roll/pipeline/agentic/env_manager/traj_env_manager.py`` and ``step_env_manager.py`` (``suffix``, ``metrics``).
"""

from __future__ import annotations

import math
import weakref
from collections.abc import Sequence
from typing import Any

from envhub.adapters.shared.episodes import check_text_suffices
from envhub.client.hub import RemoteEnv, connect
from envhub.core.difficulty import DEFAULT_LEVEL
from envhub.core.errors import JudgementError
from envhub.gymnasium.env import Env
from envhub.making import make

Step = tuple[str, float, bool, bool, dict[str, Any]]


class GemEnvironment:
    """Episodes of one environment, one per seed.

    Args:
        id: Environment id, such as ``guess-number-v0``.
        difficulty: 1..10, or a range of two numbers.
        split: ``train``, ``validation`` or ``test``.
        url: Address of a server; without it episodes run in this process.
        api_key: Key for a server that needs one.
        settings: Options of :func:`envhub.make`.

    Attributes:
        solved: Whether the episode has ended and its problem is solved.
        rejected: Whether the last action was rejected: unreadable, or not a legal move.

    Raises:
        UnknownEnvironment: The environment does not exist.
        InvalidParameters: A setting is invalid.
        EnvhubError: The server could not be reached.
    """

    def __init__(
        self,
        id: str,
        *,
        difficulty: int | Sequence[int] = DEFAULT_LEVEL,
        split: str = "train",
        url: str | None = None,
        api_key: str | None = None,
        **settings: Any,
    ) -> None:
        check_text_suffices(settings)
        low_high = difficulty if isinstance(difficulty, int) else (difficulty[0], difficulty[1])
        self._env: Env | RemoteEnv
        if url is None:
            self._env = make(id, difficulty=low_high, split=split, **settings)
        else:
            hub = connect(url, api_key=api_key)
            weakref.finalize(self, hub.close)  # trainers do not close it
            self._env = hub.make(id, difficulty=low_high, split=split, **settings)
        self.solved = False
        self.rejected = False

    def reset(self, seed: int | None = None) -> tuple[str, dict[str, Any]]:
        """Begin the episode of a seed, or the next episode."""
        self.solved = self.rejected = False
        observation, _ = self._env.reset(seed=seed)
        return observation, {"suffix": ""}

    def step(self, action: str) -> Step:
        """Take one turn.

        Raises:
            JudgementError: The action could not be judged.
            EpisodeOver: The episode has ended, or has not begun.
        """
        observation, reward, terminated, truncated, info = self._env.step(action)
        if math.isnan(reward):
            raise JudgementError(f"{info['error']['code']}: {info['error']['reason']}")
        over = terminated or truncated
        self.rejected = "rejected" in info
        self.solved = bool(over and info.get("verdict", {}).get("solved"))
        told = {"metrics": {"success": self.solved}, "metrics_agg_mode": {"success": "last"}, "suffix": ""}
        return observation, reward, over, truncated, told

    def close(self) -> None:
        """Close the episode."""
        self._env.close()
