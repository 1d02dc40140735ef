"""slime reward and rollout for ``envhub generate --format openrlhf`` (``--input-key input``).

Single-turn tasks need the reward; others need the rollout, which plays the episode and sets the reward itself::

    --custom-rm-path envhub.adapters.slime.custom_rm
    --custom-generate-function-path envhub.adapters.slime.generate

The rollout appends to the sampled tokens and never tokenizes them again; the chat template's tokens for observations
are masked from the loss. With ``ENVHUB_URL`` set, a server plays and judges. An answer that could not be judged raises
:class:`JudgementError`. A rollout aborted by the engine has the reward None.

Source: slime ``rollout/rm_hub/__init__.py`` (``async_rm``), ``rollout/sglang_rollout.py`` (``generate``) and ``utils/types.py``
(``Sample``); SGLang's ``/generate`` response.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable, Mapping
from functools import lru_cache
from typing import Any, Final, NamedTuple

from envhub.adapters.shared.episodes import Episodes, RowEpisode
from envhub.adapters.shared.scoring import RowResponse, Scorer

_PLACEHOLDER: Final = "\x00"


async def custom_rm(args: Any, sample: Any, **_: Any) -> float | list[float]:
    """The reward of a sample, or of each in a group.

    slime sends groups with ``--group-rm``.

    Args:
        args: slime's arguments.
        sample: With ``response`` and ``label``, the row's ground truth; or a list of such.

    Raises:
        InvalidParameters: A label is not a valid ground truth, or its task has several turns.
        JudgementError: A response could not be judged.
    """
    samples = sample if isinstance(sample, list) else [sample]
    answered = [RowResponse(each.label, each.response) for each in samples]
    rewards = [each.require_reward() for each in await asyncio.to_thread(_scorer(), answered)]
    return rewards if isinstance(sample, list) else rewards[0]


async def generate(args: Any, sample: Any, sampling_params: dict[str, Any]) -> Any:
    """Play the episode of a sample's label.

    Args:
        args: slime's arguments; ``sglang_router_ip`` and ``sglang_router_port`` locate the engine.
        sample: Its ``prompt`` is the chat, or its text rendered by the template; its ``label`` is the row's ground
            truth.
        sampling_params: Engine parameters; ``max_new_tokens`` limits the episode.

    Returns:
        The sample with ``tokens``, ``response``, ``response_length``, ``loss_mask``, ``rollout_log_probs``, ``status`` and
        ``reward``: None if the engine aborted the rollout.

    Raises:
        JudgementError: An answer could not be judged.
    """
    from slime.rollout.sglang_rollout import GenerateState
    from slime.utils.http_utils import post

    engine = _Engine(post, f"http://{args.sglang_router_ip}:{args.sglang_router_port}/generate", sampling_params)
    episode = await asyncio.to_thread(_episodes().begin, sample.label)
    try:
        await _play(GenerateState(args).tokenizer, engine, episode, sample)
    finally:
        await asyncio.to_thread(episode.close)
    # aborted rollouts are not judged: slime runs them again
    sample.reward = None if sample.status is sample.Status.ABORTED else episode.require_reward()
    return sample


class _Engine(NamedTuple):
    """Sampling endpoint and parameters."""

    post: Callable[[str, dict[str, Any]], Awaitable[Any]]
    url: str
    sampling: Mapping[str, Any]

    async def sample(self, tokens: list[int], room: int) -> dict[str, Any]:
        """SGLang's response."""
        asked = {**self.sampling, "max_new_tokens": room}
        answer: dict[str, Any] = await self.post(
            self.url, {"input_ids": tokens, "sampling_params": asked, "return_logprob": True}
        )
        return answer


async def _play(tokenizer: Any, engine: _Engine, episode: RowEpisode, sample: Any) -> None:
    """Fill a sample with the tokens and the result of its episode."""
    prompt: list[int] = _opening(tokenizer, sample.prompt)
    said: list[int] = []
    mask: list[int] = []
    log_probs: list[float] = []
    room: int = engine.sampling["max_new_tokens"]
    sample.status = sample.Status.TRUNCATED
    while len(said) < room:
        output = await engine.sample(prompt + said, room - len(said))
        sampled = output["meta_info"]["output_token_logprobs"]
        said += [token for _, token, *_ in sampled]
        log_probs += [float(log_prob) for log_prob, *_ in sampled]
        mask += [1] * len(sampled)
        if output["meta_info"]["finish_reason"]["type"] == "abort":
            sample.status = sample.Status.ABORTED
            break
        observation = await asyncio.to_thread(episode.step, output["text"])
        if episode.over:
            sample.status = sample.Status.COMPLETED
            break
        between = _between(tokenizer, observation, said[-1:])
        said += between
        log_probs += [0.0] * len(between)
        mask += [0] * len(between)
    sample.tokens = prompt + said[:room]
    sample.response = tokenizer.decode(said[:room])
    sample.response_length = len(said[:room])
    sample.loss_mask, sample.rollout_log_probs = mask[:room], log_probs[:room]


def _opening(tokenizer: Any, prompt: Any) -> list[int]:
    """The tokens of a prompt, possibly rendered by slime already."""
    if not isinstance(prompt, str):
        prompt = tokenizer.apply_chat_template(prompt, add_generation_prompt=True, tokenize=False)
    tokens: list[int] = tokenizer(prompt, add_special_tokens=False)["input_ids"]
    return tokens


def _between(tokenizer: Any, observation: str, last: list[int]) -> list[int]:
    """The template's tokens between two policy messages.

    Without an end token that was already sampled.
    """
    opened = [{"role": "user", "content": _PLACEHOLDER}, {"role": "assistant", "content": _PLACEHOLDER}]
    ahead = tokenizer.apply_chat_template(opened, tokenize=False)
    text = tokenizer.apply_chat_template(
        [*opened, {"role": "user", "content": observation}], add_generation_prompt=True, tokenize=False
    )
    end = ahead[ahead.rindex(_PLACEHOLDER) + len(_PLACEHOLDER) :]  # the end of the policy's message
    tokens: list[int] = tokenizer(end + text[len(ahead) :], add_special_tokens=False)["input_ids"]
    return tokens[1:] if last and tokens[:1] == last else tokens


@lru_cache(maxsize=1)
def _episodes() -> Episodes:
    return Episodes(os.environ.get("ENVHUB_URL"))


@lru_cache(maxsize=1)
def _scorer() -> Scorer:
    return Scorer(url=os.environ.get("ENVHUB_URL"))
