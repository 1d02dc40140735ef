"""slime: a reward and a rollout, over the rows of ``envhub generate --format openrlhf`` (with ``--input-key input``).

Tasks of one turn need the reward, the others the rollout, which plays the episode and sets the reward itself::

    --custom-rm-path envhub.adapters.slime.custom_rm
    --custom-generate-function-path envhub.adapters.slime.generate

The rollout grows the tokens that the engine sampled and never tokenizes them again; between two turns stand the tokens that the
chat template adds for the observation, which are masked from the loss. With ``ENVHUB_URL`` set, a server judges and plays. What
is handed on where an answer could not be judged: nothing; :class:`JudgementError` is raised. A rollout that the engine aborted
has the reward None.

Source: slime ``rollout/rm_hub/__init__.py`` (``async_rm``), ``rollout/sglang_rollout.py`` (``generate``) and ``utils/types.py``
(``Sample``); what SGLang's ``/generate`` answers.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable, Mapping
from functools import lru_cache
from typing import Any, Final, NamedTuple

from envhub.adapters.shared.episodes import Episodes, RowEpisode
from envhub.adapters.shared.scoring import RowResponse, Scorer

_MARK: Final = "\x00"


async def custom_rm(args: Any, sample: Any, **_: Any) -> float | list[float]:
    """The reward of a sample, or of each one of a group (``--group-rm``).

    Args:
        args: slime's.
        sample: With ``response`` and ``label``, the row's ground truth; or a list of such.

    Raises:
        InvalidParameters: A label is no ground truth of envhub, or its task has several turns.
        JudgementError: A response could not be judged.
    """
    samples = sample if isinstance(sample, list) else [sample]
    answered = [RowResponse(each.label, each.response) for each in samples]
    rewards = [each.require_reward() for each in await asyncio.to_thread(_scorer(), answered)]
    return rewards if isinstance(sample, list) else rewards[0]


async def generate(args: Any, sample: Any, sampling_params: dict[str, Any]) -> Any:
    """Play the episode of a sample's label.

    Args:
        args: slime's; ``sglang_router_ip`` and ``sglang_router_port`` say where the engine is.
        sample: Its ``prompt`` is the chat, or the text that the template made of it; its ``label`` the row's ground truth.
        sampling_params: Of the engine; ``max_new_tokens`` bounds the episode.

    Returns:
        The sample with ``tokens``, ``response``, ``response_length``, ``loss_mask``, ``rollout_log_probs``, ``status`` and
        ``reward``: None where the engine gave the rollout up.

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
    # what was given up in the middle was not judged: slime rolls it out once more
    sample.reward = None if sample.status is sample.Status.ABORTED else episode.require_reward()
    return sample


class _Engine(NamedTuple):
    """Where tokens are sampled, and how."""

    post: Callable[[str, dict[str, Any]], Awaitable[Any]]
    url: str
    sampling: Mapping[str, Any]

    async def sample(self, tokens: list[int], room: int) -> dict[str, Any]:
        """What SGLang answers."""
        asked = {**self.sampling, "max_new_tokens": room}
        answer: dict[str, Any] = await self.post(
            self.url, {"input_ids": tokens, "sampling_params": asked, "return_logprob": True}
        )
        return answer


async def _play(tokenizer: Any, engine: _Engine, episode: RowEpisode, sample: Any) -> None:
    """Fill a sample with the tokens of its episode, and with what became of it."""
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
    """The tokens of a prompt, which slime may have rendered already."""
    if not isinstance(prompt, str):
        prompt = tokenizer.apply_chat_template(prompt, add_generation_prompt=True, tokenize=False)
    tokens: list[int] = tokenizer(prompt, add_special_tokens=False)["input_ids"]
    return tokens


def _between(tokenizer: Any, observation: str, last: list[int]) -> list[int]:
    """What the template adds behind a message of the policy, up to its next one; an end that was sampled is not said twice."""
    opened = [{"role": "user", "content": _MARK}, {"role": "assistant", "content": _MARK}]
    ahead = tokenizer.apply_chat_template(opened, tokenize=False)
    text = tokenizer.apply_chat_template(
        [*opened, {"role": "user", "content": observation}], add_generation_prompt=True, tokenize=False
    )
    end = ahead[ahead.rindex(_MARK) + len(_MARK) :]  # what closes the policy's message
    tokens: list[int] = tokenizer(end + text[len(ahead) :], add_special_tokens=False)["input_ids"]
    return tokens[1:] if last and tokens[:1] == last else tokens


@lru_cache(maxsize=1)
def _episodes() -> Episodes:
    return Episodes(os.environ.get("ENVHUB_URL"))


@lru_cache(maxsize=1)
def _scorer() -> Scorer:
    return Scorer(url=os.environ.get("ENVHUB_URL"))
