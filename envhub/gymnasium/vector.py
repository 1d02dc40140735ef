"""Vector environment: several copies of an environment with one reset and step.

Observations are tuples of ``num_envs`` texts, rewards float64 ``(num_envs,)``, terminations and truncations bool
``(num_envs,)``, infos an array of ``num_envs`` dictionaries under ``infos["envs"]``. A copy whose episode has ended is
reset in the same step (Gymnasium's ``SAME_STEP``): its observation is the next episode's, the last one is in its info as
``final_observation``, and where Gymnasium's wrappers look for it: ``infos["final_obs"]`` with ``infos["_final_obs"]``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv

from envhub.core.errors import InvalidAction, InvalidParameters
from envhub.core.seeding import Stream, check_seed
from envhub.gymnasium.env import Env

FINAL: Final = "final_observation"
Texts = tuple[str, ...]


class TextVectorEnv(VectorEnv[Texts, Sequence[str], Any]):
    """``num_envs`` environments in this process, stepped one after the other.

    Args:
        maker: Makes one environment.
        num_envs: Number of copies.

    Raises:
        InvalidParameters: ``num_envs`` is not a positive integer.
    """

    def __init__(self, maker: Callable[[], Env], num_envs: int) -> None:
        if isinstance(num_envs, bool) or not isinstance(num_envs, int) or num_envs < 1:
            raise InvalidParameters(f"`num_envs` must be a positive integer, got {num_envs!r}.")
        self.metadata = {"autoreset_mode": AutoresetMode.SAME_STEP, "render_modes": ["ansi"], "render_fps": 1}
        self.num_envs = num_envs
        self.envs = [maker() for _ in range(num_envs)]
        self.single_action_space = self.envs[0].action_space
        self.single_observation_space = self.envs[0].observation_space
        self.action_space = gymnasium.spaces.Tuple([env.action_space for env in self.envs])
        self.observation_space = gymnasium.spaces.Tuple([env.observation_space for env in self.envs])

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Texts, dict[str, Any]]:
        """Begin an episode in every copy.

        Args:
            seed: One seed per copy, or one from which independent seeds are derived, or None for random seeds.
            options: As for :meth:`envhub.gymnasium.env.Env.reset`.
        """
        results = [env.reset(seed=s, options=options) for env, s in zip(self.envs, self._spread(seed), strict=True)]
        return tuple(result[0] for result in results), _told([result[1] for result in results])

    def step(self, actions: Sequence[str]) -> tuple[Texts, Any, Any, Any, dict[str, Any]]:
        """Take one turn in every copy; the module describes the shapes.

        Raises:
            InvalidParameters: The number of actions is not the number of copies.
        """
        if len(actions) != self.num_envs:
            raise InvalidParameters(f"Expected one action per copy, {self.num_envs}; got {len(actions)}.")
        for action in actions:
            if not isinstance(action, str):  # checked before any copy takes a turn
                raise InvalidAction(f"Every action is a str, got {type(action).__name__}.")
        observations: list[str] = []
        rewards = np.zeros(self.num_envs, dtype=np.float64)
        terminations = np.zeros(self.num_envs, dtype=np.bool_)
        truncations = np.zeros(self.num_envs, dtype=np.bool_)
        infos: list[dict[str, Any]] = []
        for i, env in enumerate(self.envs):
            observation, reward, terminated, truncated, info = env.step(actions[i])
            if terminated or truncated:  # the rare case: only ended episodes have rewards
                rewards[i], terminations[i], truncations[i] = reward, terminated, truncated
                info[FINAL] = observation
                observation, _ = env.reset()
            observations.append(observation)
            infos.append(info)
        return tuple(observations), rewards, terminations, truncations, _told(infos)

    def close_extras(self, **kwargs: Any) -> None:
        """Close every copy."""
        for env in self.envs:
            env.close()

    def _spread(self, seed: int | Sequence[int | None] | None) -> Sequence[int | None]:
        if seed is None:
            return [None] * self.num_envs
        if isinstance(seed, Sequence):
            if len(seed) != self.num_envs:
                raise InvalidParameters(f"Expected one seed per copy, {self.num_envs}; got {len(seed)}.")
            return seed
        stream = Stream(check_seed(seed).to_bytes(8, "little"), "vector")
        return [stream.bits(63) for _ in range(self.num_envs)]


def _told(infos: list[dict[str, Any]]) -> dict[str, Any]:
    """Infos in Gymnasium's vector form.

    An array, and a mask under its name with an underscore.
    """
    told = {"envs": _array(infos), "_envs": np.ones(len(infos), dtype=np.bool_)}
    final = [info.get(FINAL) for info in infos]
    if any(text is not None for text in final):
        told["final_obs"] = _array(final)
        told["_final_obs"] = np.array([text is not None for text in final])
    return told


def _array(values: list[Any]) -> Any:
    """An object array; NumPy would otherwise convert nested values."""
    return np.fromiter(values, dtype=object, count=len(values))
