"""OpenRLHF reward function and agent for ``envhub generate --format openrlhf``.

OpenRLHF loads both from your own file by its path; a row's label identifies its task::

    from envhub.adapters.openrlhf import reward_func                  # --reward.remote_url rewards.py

    from envhub.adapters.openrlhf import CHATML, agent_executor
    AgentExecutor = agent_executor(CHATML)                            # --train.agent_func_path agent.py

The agent plays tasks of several turns; it writes the chat template's text between two turns of the policy itself, so
pass that template. An answer that could not be judged raises :class:`JudgementError`.

Source: OpenRLHF 0.11.2 ``utils/agent.py`` (``AgentInstanceBase``, ``MultiTurnAgentExecutor``, ``reward_func``).
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from envhub.adapters.shared.episodes import Episodes, RowEpisode
from envhub.adapters.shared.scoring import RowResponse, Scorer
from envhub.core.errors import InvalidParameters, MissingExtra


class Template(NamedTuple):
    """The chat template's text around an observation.

    Attributes:
        before: Text between the policy's message and the observation.
        after: Text between the observation and the policy's next message.
    """

    before: str
    after: str


CHATML: Final = Template("<|im_end|>\n<|im_start|>user\n", "<|im_end|>\n<|im_start|>assistant\n")
LLAMA3: Final = Template(
    "<|eot_id|><|start_header_id|>user<|end_header_id|>\n\n",
    "<|eot_id|><|start_header_id|>assistant<|end_header_id|>\n\n",
)


def reward_func(queries: Sequence[str], prompts: Sequence[str], labels: Sequence[str], **_: Any) -> dict[str, Any]:
    """Rewards for a batch of single-turn tasks.

    Args:
        queries: Prompts followed by responses.
        prompts: The prompts.
        labels: The rows' ground truths.

    Returns:
        ``rewards`` and ``scores``, float tensors of the batch's length, and ``extra_logs`` with tensors ``solved``,
        ``formatted`` and ``no_answer``.

    Raises:
        InvalidParameters: A label is not a valid ground truth, or a query does not begin with its prompt.
        JudgementError: A response could not be judged.
    """
    import torch

    for query, prompt in zip(queries, prompts, strict=True):
        if not query.startswith(prompt):
            raise InvalidParameters("A query is its prompt with the response behind it; this one begins otherwise.")
    responses = [query[len(prompt) :] for query, prompt in zip(queries, prompts, strict=True)]
    scored = Scorer()([RowResponse(label, text) for label, text in zip(labels, responses, strict=True)])
    rewards = torch.tensor([each.require_reward() for each in scored], dtype=torch.float32)
    logs = {
        name: torch.tensor([float(getattr(each, name)) for each in scored])
        for name in ("solved", "formatted", "no_answer")
    }
    return {"rewards": rewards, "scores": rewards.clone(), "extra_logs": logs}


def agent_executor(template: Template, *, url: str | None = None, api_key: str | None = None, **options: Any) -> type:
    """Create the class that OpenRLHF loads as ``AgentExecutor``.

    Args:
        template: The policy's template: :data:`CHATML`, :data:`LLAMA3` or your own.
        url: Address of a server; without it episodes run in the rollout's process.
        api_key: Key for a server that needs one.
        options: Options of :func:`envhub.make`, such as ``reward``.

    Raises:
        MissingExtra: OpenRLHF is not installed.
    """
    try:
        from openrlhf.utils.agent import AgentInstanceBase, MultiTurnAgentExecutor
    except ImportError as error:
        raise MissingExtra("The agent needs OpenRLHF: pip install openrlhf.") from error
    played = agent_instance(AgentInstanceBase, template, Episodes(url, api_key=api_key, **options))

    class AgentExecutor(MultiTurnAgentExecutor):  # type: ignore[misc, unused-ignore]
        def __init__(self) -> None:
            super().__init__(played)

    return AgentExecutor


def agent_instance(base: type, template: Template, episodes: Episodes) -> type:
    """The class of one rollout, derived from OpenRLHF's ``AgentInstanceBase``."""

    class AgentInstance(base):  # type: ignore[misc, unused-ignore]
        def __init__(self, *_: Any, **__: Any) -> None:
            self._episode: RowEpisode | None = None

        async def reset(self, states: dict[str, Any], **_: Any) -> dict[str, Any]:
            self._episode = await asyncio.to_thread(episodes.begin, states["label"])
            return {"observation": states["observation"]}  # the prompt as rendered by the policy's chat template

        async def step(self, states: dict[str, Any], **_: Any) -> dict[str, Any]:
            import torch

            episode = self._episode
            assert episode is not None, "OpenRLHF resets before it steps"
            before = episode.require_reward()
            observation = await asyncio.to_thread(episode.step, states["action_text"])
            reward = torch.tensor(episode.require_reward() - before)
            return {
                "rewards": reward,
                "scores": torch.tensor(episode.require_reward()),
                "environment_feedback": "" if episode.over else f"{template.before}{observation}{template.after}",
                "done": episode.over,
                "sampling_params": states.get("sampling_params"),
                "extra_logs": {
                    "solved": torch.tensor(float(episode.solved)),
                    "turns": torch.tensor(float(episode.turns)),
                },
            }

    return AgentInstance
