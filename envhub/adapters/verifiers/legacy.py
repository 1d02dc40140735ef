"""verifiers before 0.4: ``load_environment``, for code that still uses it.

verifiers loads it from the module named by an id::

    vf-eval envhub-verifiers -a '{"environment": "guess-number-v0", "difficulty": 3}' -n 20 -m my-model
    env = vf.load_environment("envhub-verifiers", environment="sudoku-v0", num_tasks=1000)

Training and evaluation tasks are of different splits. If an answer could not be judged, or the model's endpoint failed,
the rollout has ``state["error"]``, which verifiers retries if configured, a reward of NaN and an advantage of 0.
verifiers itself would score such a rollout, and turn an exception in a reward function into 0; so this rubric has no
reward functions.

Source: verifiers 0.3.1, ``legacy/envs/multiturn_env.py`` (``rollout``), ``legacy/rubrics/rubric.py`` (``score_rollout``,
``score_group``) and ``legacy/utils/env_utils.py``; :mod:`envhub.adapters.verifiers.taskset` is for the versions since.
"""

from __future__ import annotations

import asyncio
import json
import math
from collections.abc import Mapping, Sequence
from itertools import count, islice
from typing import Any, Final

from envhub.core.errors import MissingExtra

try:
    import verifiers as vf

    vf.MultiTurnEnv  # noqa: B018
except (ImportError, AttributeError) as error:
    raise MissingExtra("load_environment needs verifiers before 0.4: pip install 'verifiers<0.4'.") from error

from envhub.adapters.shared.episodes import Episodes, RowEpisode, check_text_suffices
from envhub.core.errors import EnvhubError, InvalidParameters, UnknownEnvironment
from envhub.dataset import truth
from envhub.making import make

EPISODE: Final = "envhub"
"""Key of the episode in a rollout's state."""


def load_environment(
    environment: str = "sudoku-v0",
    difficulty: int = 3,
    *,
    split: str = "train",
    eval_split: str = "test",
    seed: int = 0,
    num_tasks: int = 1000,
    num_eval_tasks: int = 200,
    params: Mapping[str, Any] | None = None,
    reward: Mapping[str, float] | None = None,
    url: str | None = None,
    **settings: Any,
) -> Any:
    """Create a verifiers environment from an envhub environment.

    Args:
        environment: Environment id.
        difficulty: Difficulty of its tasks.
        split: Split of the training tasks.
        eval_split: Split of the evaluation tasks.
        seed: Seed of the first task; later tasks use the following seeds.
        num_tasks: Number of training tasks.
        num_eval_tasks: Number of evaluation tasks.
        params: Parameters of the environment; they override the difficulty.
        reward: Weights by name; accuracy alone by default.
        url: Address of a server; without it episodes run in this process.
        settings: Settings of verifiers' ``MultiTurnEnv``.

    Raises:
        UnknownEnvironment: The environment does not exist.
        InvalidParameters: A parameter is invalid.
    """
    check_text_suffices(params or {})
    env = make(environment, difficulty=difficulty, split=split, reward=reward, **dict(params or {}))
    drawn = make(environment, difficulty=difficulty, split=eval_split, **dict(params or {}))
    return EnvhubEnv(
        Episodes(url, reward=reward),
        dataset=lambda: _rows(env, seed, num_tasks),
        eval_dataset=lambda: _rows(drawn, seed, num_eval_tasks),
        **settings,
    )


def _rows(env: Any, seed: int, number: int) -> Any:
    """The tasks of some seeds in verifiers' format."""
    from datasets import Dataset  # type: ignore[import-untyped, import-not-found, unused-ignore]

    rows = []
    for each in islice(count(seed), number):
        env.reset(seed=each)
        facts = {"env_id": env.task.env_id, "fingerprint": env.task.fingerprint}
        prompt = [{"role": "user", "content": env.task.prompt}]
        rows.append({"prompt": prompt, "answer": truth.write(env.task.key), "info": json.dumps(facts)})
    return Dataset.from_list(rows)


class EnvhubEnv(vf.MultiTurnEnv):  # type: ignore[misc, unused-ignore]
    """Plays episodes: policy messages alternate with observations until the end."""

    def __init__(self, episodes: Episodes, **settings: Any) -> None:
        super().__init__(**settings)
        self._begun_by = episodes
        self.rubric = EnvhubRubric()  # used alone: a group of rubrics would add up their values for a failure

    async def setup_state(self, state: Any) -> Any:
        """Begin the episode of a row.

        Raises:
            InvalidParameters: The row's ground truth draws a different problem.
            Error: A server could not be reached.
        """
        try:
            state[EPISODE] = await asyncio.to_thread(
                self._begun_by.begin, state["answer"], None, state["info"]["fingerprint"]
            )
        except (InvalidParameters, UnknownEnvironment):
            raise
        except EnvhubError as error:
            raise _failure(f"{type(error).__name__}: {error}") from error
        return state

    async def env_response(self, messages: Any, state: Any, **_: Any) -> Any:
        """The observation after the policy's last message.

        Raises:
            Error: The action could not be judged.
        """
        episode: RowEpisode = state[EPISODE]
        observation = await asyncio.to_thread(episode.step, _said(state))
        if episode.error is not None:
            raise _failure(episode.error)
        answer = [{"role": "user", "content": observation}]
        if episode.over:
            state["final_env_response"] = answer
        return answer


class EnvhubRubric(vf.Rubric):  # type: ignore[misc, unused-ignore]
    """Rewards of episodes."""

    async def score_rollout(self, state: Any) -> None:
        """The reward of a rollout; NaN without a verdict.

        Judges the last message here if verifiers did not pass it on because it reached a limit.
        """
        episode: RowEpisode | None = state.get(EPISODE)
        if state.get("error") is None and episode is not None and not episode.over:
            if len(state["trajectory"]) > episode.turns:
                await asyncio.to_thread(episode.step, _said(state))
            if episode.error is not None:
                state["error"] = _failure(episode.error)
        if episode is None or state.get("error") is not None:
            state["reward"], state["metrics"] = math.nan, {}
            return
        state["reward"] = episode.require_reward()
        state["metrics"] = {
            "envhub": episode.require_reward(),
            "solved": float(episode.solved),
            "no_answer": float(episode.no_answer),
            "num_turns": float(episode.turns),
        }

    async def score_group(self, states: Sequence[Any]) -> None:
        """Rewards of a group, and advantages over the mean of valid rewards."""
        await asyncio.gather(*map(self.score_rollout, states))
        rewards = [state["reward"] for state in states]
        known = [reward for reward in rewards if not math.isnan(reward)]
        mean = sum(known) / len(known) if known else math.nan
        for state, reward in zip(states, rewards, strict=True):
            state["advantage"] = 0.0 if math.isnan(reward) else reward - mean
            for step in state["trajectory"]:
                step["reward"], step["advantage"] = reward, state["advantage"]

    async def cleanup(self, state: Any) -> None:
        """Close the episode."""
        await super().cleanup(state)
        episode: RowEpisode | None = state.get(EPISODE)
        if episode is not None:
            await asyncio.to_thread(episode.close)


def _said(state: Any) -> str:
    """The policy's last message, as text."""
    message = state["trajectory"][-1]["completion"][-1]
    content = message["content"] if isinstance(message, Mapping) else message.content
    if isinstance(content, str) or content is None:
        return content or ""
    parts = [part if isinstance(part, Mapping) else part.model_dump() for part in content]
    return "".join(part.get("text", "") for part in parts)


def _failure(reason: str) -> Exception:
    """An error that verifiers treats as an infrastructure failure and may retry."""
    failure: Exception = getattr(vf, "InfraError", vf.Error)(reason)
    return failure
