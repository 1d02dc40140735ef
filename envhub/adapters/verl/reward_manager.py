"""verl reward manager: judges a worker's batch, locally or on a server.

In verl's configuration, with rows of ``envhub generate --format verl``::

    reward:
      reward_manager: {source: importlib, name: EnvhubRewardManager, module: {path: pkg://envhub.adapters.verl.reward_manager}}
      reward_kwargs: {url: "http://127.0.0.1:8420", reward: {accuracy: 1.0, format: 0.1}}       # all optional

verl requests all responses of a batch at once, one by one; here they are one call again. ``tries`` (3) is the maximum
number of attempts to judge a response. Set a server's key in ``ENVHUB_API_KEY``, because verl prints its configuration.

An answer that could not be judged raises :class:`envhub.core.errors.JudgementError`, because verl's reward managers
cannot mask, and one NaN or 0 would change the baseline of its whole group. This ends the run of verl's older trainers;
with ``trainer.use_v1`` the rollout is left out of the batch and the run continues.

Source: verl 0.9.1 ``experimental/reward_loop/reward_loop.py`` (``compute_score_batch``), ``reward_manager/base.py`` and
``naive.py`` (``run_single``), ``trainer/ppo/reward.py`` (``load_reward_manager``), ``trainer/ppo/v1/agent_loop_tq.py``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

try:
    from verl.experimental.reward_loop.reward_manager.base import RewardManagerBase
except ImportError as error:
    from envhub.core.errors import MissingExtra

    raise MissingExtra(f"The reward manager needs verl: pip install verl ({error}).") from error

from envhub.adapters.shared.batching import Batcher
from envhub.adapters.shared.scoring import Scored, Scorer
from envhub.adapters.verl.reward import answered, names
from envhub.core.errors import InvalidParameters, UnknownEnvironment, nearest

_SETTINGS: Final = ("reward", "url", "tries")


class _Response(NamedTuple):
    """A response in verl's form: tokens, and the columns of its row."""

    tokens: Any
    data_source: str
    ground_truth: str
    facts: Mapping[str, Any]


class EnvhubRewardManager(RewardManagerBase):  # type: ignore[misc, unused-ignore]
    """Rewards of responses to envhub rows.

    Args:
        config: verl's configuration; ``reward.reward_kwargs`` may contain ``reward`` (weights by name), ``url`` and
            ``tries``.
        tokenizer: The policy's tokenizer.
        compute_score: Not used.

    Raises:
        InvalidParameters: A setting is invalid.
    """

    def __init__(self, config: Any, tokenizer: Any, compute_score: Any = None, **_: Any) -> None:
        super().__init__(config, tokenizer, compute_score)
        self._score = Scorer(**{"tries": 3, **_settings(config.reward.get("reward_kwargs"))})
        self._judged = Batcher(self._judge, alone=(InvalidParameters, UnknownEnvironment))

    async def run_single(self, data: Any) -> dict[str, Any]:
        """The reward of a response, or of a split rollout's last sequence.

        Raises:
            InvalidParameters: The row has no valid ground truth, or its environment has several turns.
            JudgementError: The answer could not be judged.
        """
        item = data[-1:][0]
        tokens = item.batch["responses"]
        length = int(item.batch["attention_mask"][-tokens.shape[-1] :].sum())
        row = item.non_tensor_batch
        asked = _Response(
            tokens[:length], row["data_source"], row["reward_model"]["ground_truth"], row.get("extra_info", {})
        )
        told = names(await self._judged(asked))
        return {"reward_score": told["score"], "reward_extra_info": told}

    def _judge(self, batch: Sequence[_Response]) -> list[Scored]:
        texts = [self.tokenizer.decode(each.tokens, skip_special_tokens=True) for each in batch]
        return self._score(
            [
                answered(each.data_source, text, each.ground_truth, each.facts)
                for each, text in zip(batch, texts, strict=True)
            ]
        )


def _settings(given: Any) -> dict[str, Any]:
    """The validated ``reward_kwargs``.

    Raises:
        InvalidParameters: A value is invalid.
    """
    found = {name: dict(value) if name == "reward" and value else value for name, value in dict(given or {}).items()}
    for name in found:
        if name not in _SETTINGS:
            raise InvalidParameters(
                f"The reward manager takes {', '.join(_SETTINGS)}; got {name!r}.{nearest(name, _SETTINGS)}"
            )
    return found
