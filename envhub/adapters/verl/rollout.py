"""A multi-turn episode as tokens, for :mod:`envhub.adapters.verl.agent_loop`.

Tokens are only appended: sampled tokens are kept and never tokenized again; between turns, verl's builder for the model
family adds the chat template's tokens for the observation. Sampled tokens have mask 1, all others mask 0 and a
log-probability of 0::

    rolled = await Rollout(loop, row, sampling_params).play(Episodes())
    rolled.response_ids, rolled.response_mask, rolled.reward

The episode ends when the environment ends it, or when there is no room for another turn; the reward is the sum until
then. An episode that could not be judged, or that the engine aborted, raises :class:`JudgementError`.

Source: verl 0.9.1 ``experimental/agent_loop/agent_loop.py`` (``ct_merge_assistant_token``, ``ct_merge_context_msg``) and
``tool_agent_loop.py``; ``workers/rollout/replica.py`` (``TokenOutput``).
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Final
from uuid import uuid4

from envhub.adapters.shared.episodes import Episodes, RowEpisode, images_of, with_images
from envhub.core.errors import InvalidParameters, JudgementError

_GIVEN_UP: Final = frozenset({"aborted", "abort"})


@dataclass(frozen=True, slots=True)
class Rolled:
    """An episode in verl's training format.

    Attributes:
        prompt_ids: Tokens of the prompt.
        response_ids: Everything after it, at most verl's ``response_length``.
        response_mask: 1 for sampled tokens.
        log_probs: Log-probabilities of sampled tokens, 0 elsewhere; None if not requested.
        reward: Reward of the episode.
        told: ``score``, ``acc``, ``format`` and ``no_answer``: the names that our reward function returns for
            single-turn rows.
        turns: Number of messages including the prompt, as verl counts them.
        metrics: Seconds spent in the engine and in the environment; ``num_preempted``.
        extra: Other outputs of the engine.
        routed_experts: Routed experts of the engine's last response, if provided.
        images: The pictures of the episode as PIL images, in the order of their tokens.
    """

    prompt_ids: list[int]
    response_ids: list[int]
    response_mask: list[int]
    log_probs: list[float] | None
    reward: float
    told: dict[str, float]
    turns: int
    metrics: dict[str, Any]
    extra: dict[str, Any]
    routed_experts: Any
    images: list[Any]


@dataclass
class Rollout:
    """An episode in progress.

    Args:
        loop: An ``AgentLoopBase`` of verl.
        row: Columns of the row, with ``raw_prompt``.
        sampling_params: Engine parameters.
    """

    loop: Any
    row: Mapping[str, Any]
    sampling_params: Mapping[str, Any]
    _ids: list[int] = field(default_factory=list)
    _mask: list[int] = field(default_factory=list)
    _log_probs: list[float] | None = None
    _metrics: dict[str, Any] = field(default_factory=lambda: {"generate_sequences": 0.0, "tool_calls": 0.0})
    _extra: dict[str, Any] = field(default_factory=dict)
    _experts: Any = None
    _images: list[Any] = field(default_factory=list)

    async def play(self, episodes: Episodes) -> Rolled:
        """Play the episode to its end.

        Raises:
            InvalidParameters: The row has no valid ground truth, the ground truth draws a different problem than the
                prompt's, or verl would cut the prompt.
            JudgementError: The episode could not be judged, or the engine aborted it.
        """
        facts = self.row.get("extra_info") or {}
        if "reward_model" not in self.row:
            raise InvalidParameters(
                "A row of envhub has a ground truth in 'reward_model', as `envhub generate --format verl` writes it; "
                f"got the columns {', '.join(sorted(self.row)) or 'none'}."
            )
        truth = self.row["reward_model"]["ground_truth"]
        with self._timed("tool_calls"):
            episode = await asyncio.to_thread(
                episodes.begin, truth, facts.get("answer_format"), facts.get("fingerprint"), facts.get("wording")
            )
        try:
            return await self._played(episode)
        finally:
            await asyncio.to_thread(episode.close)

    async def _played(self, episode: RowEpisode) -> Rolled:
        messages = [dict(message) for message in self.row["raw_prompt"]]
        if episode.opening not in map(_text, messages):
            raise InvalidParameters("The row's ground truth draws another problem than its prompt asks.")
        await self._see(messages, len(episode.pictures))
        asked = len(messages)
        self._ids = await self._opening(messages)
        self._log_probs = [] if self.sampling_params.get("logprobs") else None
        request = uuid4().hex  # one id for all turns: verl routes an episode to the engine that caches its prefix
        while self._room() > 0:
            said = await self._sampled(request)
            with self._timed("tool_calls"):
                observation = await asyncio.to_thread(episode.step, said)
            messages.append({"role": "assistant", "content": said})
            heard = {"role": "user", "content": with_images(observation, episode.pictures)}
            if episode.over or not await self._observed(messages, heard):
                break
            messages.append(heard)
            self._images += images_of(episode.pictures)
        return self._rolled(episode, len(messages) - asked + 1)

    def _room(self) -> int:
        return int(self.loop.rollout_config.response_length) - len(self._mask)

    async def _see(self, messages: list[dict[str, Any]], pictures: int) -> None:
        """Take the pictures of the prompt as verl prepares them.

        Raises:
            InvalidParameters: They are not as many as the observation has.
        """
        if any(not isinstance(message["content"], str) for message in messages):
            self._images = list((await self.loop.process_multi_modal_info(messages)).get("images") or ())
        if len(self._images) != pictures:
            raise InvalidParameters(
                f"The row's prompt has {len(self._images)} pictures, and the observation {pictures}: set `observation` of the "
                "agent loop to that of `envhub generate --format verl --observation ...`."
            )
        if pictures:
            self.loop._assert_mm_supported(True)  # verl's own error for a model that does not see

    def _seen(self, name: str) -> dict[str, list[Any]]:
        """An argument of verl with the pictures so far; without any, none."""
        return {name: list(self._images)} if self._images else {}

    async def _opening(self, messages: list[dict[str, Any]]) -> list[int]:
        """The tokens of the prompt, never cut.

        Part of a prompt is a different task.

        Raises:
            InvalidParameters: They exceed verl's limit.
        """
        prompt: list[int] = list(
            await asyncio.to_thread(
                self.loop.continuous_token_builder.build_initial_tokens, messages, **self._seen("images")
            )
        )
        most = int(self.loop.rollout_config.prompt_length)
        if len(prompt) > most:
            raise InvalidParameters(
                f"The prompt has {len(prompt)} tokens and verl would cut it to {most}: raise data.max_prompt_length, or "
                "leave such rows out with data.filter_overlong_prompts=True."
            )
        return prompt

    async def _sampled(self, request: str) -> str:
        """The engine's next message as text; its tokens are kept.

        Raises:
            JudgementError: The engine aborted the episode.
        """
        room = self._room()
        with self._timed("generate_sequences"):
            output = await self.loop.server_manager.generate(
                request_id=request,
                prompt_ids=self._ids,
                sampling_params={**self.sampling_params, "max_tokens": room},
                **self._seen("image_data"),
            )
        if output.stop_reason in _GIVEN_UP:
            raise JudgementError("verl's engine gave the episode up in the middle: there is nothing to judge.")
        self._noted(output)
        tokens = list(output.token_ids)[:room]
        merged, self._mask, self._log_probs = await self.loop.ct_merge_assistant_token(
            self._ids,
            tokens,
            self._mask,
            self._log_probs,
            assistant_logprobs=None if self._log_probs is None else list(output.log_probs or [])[:room],
        )
        self._ids = merged.token_ids
        text: str = await asyncio.to_thread(self.loop.tokenizer.decode, tokens, skip_special_tokens=True)
        return text

    async def _observed(self, before: list[dict[str, Any]], heard: dict[str, Any]) -> bool:
        """Append the environment's observation.

        False if no room is left for a response.
        """
        after = [*before, heard]
        merged, mask, log_probs = await self.loop.ct_merge_context_msg(
            before, after, self._ids, self._mask, self._log_probs
        )
        if len(mask) >= int(self.loop.rollout_config.response_length):
            return False
        self._ids, self._mask, self._log_probs = merged.token_ids, mask, log_probs
        return True

    def _noted(self, output: Any) -> None:
        """Other outputs of the engine.

        From its first response, except the last weight version.
        """
        latest = output.extra_fields.get("max_global_steps")
        self._extra = self._extra or dict(output.extra_fields)
        if latest is not None:
            self._extra["max_global_steps"] = latest
        if output.routed_experts is not None:
            self._experts = output.routed_experts
        if output.num_preempted is not None:
            self._metrics["num_preempted"] = self._metrics.get("num_preempted", 0) + output.num_preempted

    @contextmanager
    def _timed(self, name: str) -> Iterator[None]:
        begun = time.perf_counter()
        try:
            yield
        finally:
            self._metrics[name] += time.perf_counter() - begun

    def _rolled(self, episode: RowEpisode, turns: int) -> Rolled:
        ahead = len(self._ids) - len(self._mask)
        reward = episode.require_reward()
        told = {
            "score": reward,
            "acc": float(episode.solved),
            "format": float(episode.formatted),
            "no_answer": float(episode.no_answer),
        }
        return Rolled(
            prompt_ids=self._ids[:ahead],
            response_ids=self._ids[ahead:],
            response_mask=self._mask,
            log_probs=self._log_probs,
            reward=reward,
            told=told,
            turns=turns,
            metrics=self._metrics,
            extra=self._extra,
            routed_experts=self._experts,
            images=self._images,
        )


def _text(message: Mapping[str, Any]) -> str:
    """The text of a message, without line breaks before its pictures."""
    content = message["content"]
    if isinstance(content, str):
        return content
    texts = [part["text"] for part in content if part["type"] == "text"]
    return "".join(texts).removesuffix("\n" * (len(content) - len(texts)))
