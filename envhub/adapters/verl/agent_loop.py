"""verl agent loop: plays the episodes of ``envhub generate --format verl`` rows.

Configure it in the file ``actor_rollout_ref.rollout.agent.agent_loop_config_path``, and select it for every row with
``actor_rollout_ref.rollout.agent.default_agent_loop=envhub`` (or for some rows with a column ``agent_name``)::

    - name: envhub
      _target_: envhub.adapters.verl.agent_loop.EnvhubAgentLoop
      url: http://127.0.0.1:8420                          # a server; without it verl's worker plays
      reward: {accuracy: 1.0, format: 0.1}                # accuracy alone by default
      observation: image                                  # that of the rows; text by default

The reward is the environment's; verl calls no reward manager. :mod:`envhub.adapters.verl.rollout` describes tokens and
masks. An episode that could not be judged raises :class:`JudgementError`: verl's older trainers end; with
``trainer.use_v1`` the rollout is left out of the batch and the run continues.

Source: verl 0.9.1 ``experimental/agent_loop/agent_loop.py`` (``AgentLoopBase``, ``AgentLoopOutput``) and
``trainer/ppo/v1/agent_loop_tq.py`` (failed rollouts).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

try:
    from verl.experimental.agent_loop.agent_loop import AgentLoopBase, AgentLoopOutput
except ImportError as error:
    from envhub.core.errors import MissingExtra

    raise MissingExtra(f"The agent loop needs verl: pip install verl ({error}).") from error

from envhub.adapters.shared.episodes import Episodes
from envhub.adapters.verl.rollout import Rollout


# Not under verl's ``register``: verl imports this module at the first episode, and the decorator would then replace
# the configured class by the bare one. All later episodes would be played without its ``url`` and its ``reward``.
class EnvhubAgentLoop(AgentLoopBase):  # type: ignore[misc, unused-ignore]
    """Plays one episode; verl creates a new one for each.

    Args:
        url: Address of a server; ``ENVHUB_API_KEY`` contains its key.
        reward: Weights by name; accuracy alone by default.
        observation: ``text``, ``both`` or ``image``, as the rows were generated.
    """

    def __init__(
        self,
        *args: Any,
        url: str | None = None,
        reward: Mapping[str, float] | None = None,
        observation: str = "text",
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self._episodes = _episodes(url, json.dumps(dict(reward)) if reward else None, observation)

    async def run(self, sampling_params: dict[str, Any], **row: Any) -> Any:
        """The tokens, the mask and the reward of an episode.

        Raises:
            InvalidParameters: The row has no valid ground truth, or its prompt does not match it.
            JudgementError: The episode could not be judged, or the engine aborted it.
        """
        rolled = await Rollout(self, row, sampling_params).play(self._episodes)
        return AgentLoopOutput(
            prompt_ids=rolled.prompt_ids,
            response_ids=rolled.response_ids,
            response_mask=rolled.response_mask,
            response_logprobs=rolled.log_probs,
            multi_modal_data={"images": rolled.images} if rolled.images else None,
            routed_experts=rolled.routed_experts,
            reward_score=rolled.reward,
            num_turns=rolled.turns,
            metrics=rolled.metrics,
            extra_fields={**rolled.extra, "turn_scores": [], "tool_rewards": [], "reward_extra_info": rolled.told},
        )


@lru_cache(maxsize=8)
def _episodes(url: str | None, reward: str | None, observation: str) -> Episodes:
    """Shared by all episodes of a process, with its connections."""
    weights = json.loads(reward) if reward else None
    return Episodes(url, pictured=True, reward=weights, observation=observation)
