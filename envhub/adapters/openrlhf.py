"""OpenRLHF: a reward function and an agent, over the rows of ``envhub generate --format openrlhf``.

OpenRLHF loads both from a file of yours by its path; the label of a row says which task it is::

    from envhub.adapters.openrlhf import reward_func                  # --reward.remote_url rewards.py

    from envhub.adapters.openrlhf import CHATML, agent_executor
    AgentExecutor = agent_executor(CHATML)                            # --train.agent_func_path agent.py

The agent plays tasks of several turns; it writes what stands between two turns of the policy's chat template itself, so it has
to be told. What is handed on where an answer could not be judged: nothing; :class:`JudgementError` is raised.

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
    """What a chat template writes around an observation.

    Attributes:
        before: Behind the policy's message and ahead of the observation.
        after: Behind the observation and ahead of the policy's next message.
    """

    before: str
    after: str


CHATML: Final = Template("<|im_end|>\n<|im_start|>user\n", "<|im_end|>\n<|im_start|>assistant\n")
LLAMA3: Final = Template(
    "<|eot_id|><|start_header_id|>user<|end_header_id|>\n\n",
    "<|eot_id|><|start_header_id|>assistant<|end_header_id|>\n\n",
)


def reward_func(queries: Sequence[str], prompts: Sequence[str], labels: Sequence[str], **_: Any) -> dict[str, Any]:
    """The rewards of a batch of tasks of one turn.

    Args:
        queries: Prompts with responses behind them.
        prompts: The prompts.
        labels: The rows' ground truths.

    Returns:
        ``rewards`` and ``scores``, float tensors of the batch's length, and ``extra_logs`` with tensors ``solved``,
        ``formatted`` and ``no_answer``.

    Raises:
        InvalidParameters: A label is no ground truth of envhub, or a query does not begin with its prompt.
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
    """The class that OpenRLHF looks for under the name ``AgentExecutor``.

    Args:
        template: Of the policy: :data:`CHATML`, :data:`LLAMA3` or your own.
        url: Of a server that plays; without it the rollout's process does.
        api_key: For a server that needs one.
        options: As for :func:`envhub.make`: ``reward``.

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
    """The class of one rollout, on OpenRLHF's ``AgentInstanceBase``."""

    class AgentInstance(base):  # type: ignore[misc, unused-ignore]
        def __init__(self, *_: Any, **__: Any) -> None:
            self._episode: RowEpisode | None = None

        async def reset(self, states: dict[str, Any], **_: Any) -> dict[str, Any]:
            self._episode = await asyncio.to_thread(episodes.begin, states["label"])
            return {"observation": states["observation"]}  # the prompt, as the policy's chat template has rendered it

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
