"""SkyRL environment class for the rows of ``envhub generate --format verl``.

Importing this module registers the class as ``envhub``. SkyRL creates environments in a Ray process, so import it there
(in the entry point that SkyRL runs remotely)::

    import envhub.adapters.skyrl                           # rows name it: env_class="envhub"
    skyrl_gym.make("envhub", env_config={"url": None}, extras=row)

``extras`` is the row: its ground truth identifies the task. SkyRL has no missing rewards, and a 0 would train the
policy on an internal failure, so an answer that could not be judged raises :class:`JudgementError`.

Source: ``skyrl_gym`` 0.4.0, ``envs/base_text_env.py`` (``init`` gives messages, ``step`` a dictionary) and
``envs/registration.py``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

try:
    import skyrl_gym
    from skyrl_gym.envs.base_text_env import BaseTextEnv
except ImportError as error:
    from envhub.core.errors import MissingExtra

    raise MissingExtra("The adapter for SkyRL needs it: pip install skyrl-gym.") from error

from envhub.adapters.shared.episodes import Episodes
from envhub.core.errors import InvalidParameters
from envhub.core.types import JSON

NAME: Final = "envhub"
Messages = list[dict[str, str]]


class EnvhubTextEnv(BaseTextEnv):  # type: ignore[misc, unused-ignore]
    """The episode of a row.

    Args:
        env_config: ``url`` and ``api_key`` of a server, and options of :func:`envhub.make`; may be empty.
        extras: The row; its ``reward_model``, or ``reward_spec``, holds the ground truth.

    Raises:
        InvalidParameters: The row has no valid ground truth, or one that draws a different problem.
    """

    def __init__(self, env_config: Mapping[str, Any] | None = None, extras: Mapping[str, Any] | None = None) -> None:
        super().__init__()
        row = extras or {}
        spec = row.get("reward_model") or row.get("reward_spec")
        if not isinstance(spec, Mapping) or "ground_truth" not in spec:
            raise InvalidParameters(
                "A row of envhub has a ground truth in 'reward_model', as `envhub generate` writes it."
            )
        facts = row.get("extra_info") or {}
        self._episode = Episodes(**dict(env_config or {})).begin(
            spec["ground_truth"], facts.get("answer_format"), facts.get("fingerprint"), facts.get("wording")
        )

    def init(self, prompt: Messages) -> tuple[Messages, dict[str, JSON]]:
        """The row's prompt, or the first observation if it has none."""
        return prompt or [{"role": "user", "content": self._episode.opening}], {}

    def step(self, action: str) -> dict[str, Any]:
        """Take one turn.

        Raises:
            JudgementError: The action could not be judged.
        """
        before = self._episode.require_reward()
        observation = self._episode.step(action)
        reward = self._episode.require_reward() - before
        self.turns += 1
        done = self._episode.over
        said = [] if done else [{"role": "user", "content": observation}]
        return {"observations": said, "reward": reward, "done": done, "metadata": {}, "postprocessed_action": None}

    def get_metrics(self) -> dict[str, float]:
        """Whether the problem was solved, and the number of turns."""
        return {"solved": float(self._episode.solved), "turns": float(self._episode.turns)}

    def close(self) -> None:
        """Close the episode."""
        self._episode.close()


if NAME not in skyrl_gym.envs.registration.registry:
    skyrl_gym.register(id=NAME, entry_point=f"{__name__}:EnvhubTextEnv")
