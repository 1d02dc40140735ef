"""What the tests of the sampler share: tiny models with random weights, and plain forward passes of them."""

import asyncio
import random
from collections.abc import Coroutine
from typing import Any, TypeVar

import torch
from transformers import (
    Gemma2Config,
    Gemma2ForCausalLM,
    GPT2Config,
    GPT2LMHeadModel,
    LlamaConfig,
    LlamaForCausalLM,
    PreTrainedModel,
    Qwen3Config,
    Qwen3ForCausalLM,
)

from envhub_trainer.policy import Completion, Sampling
from envhub_trainer.policy.forward import evaluating
from envhub_trainer.policy.hf import HfPolicy

T = TypeVar("T")
END = 2
TOKENS = 40
CONTEXT = 160
SIZES: dict[str, Any] = {
    "vocab_size": TOKENS,
    "hidden_size": 32,
    "intermediate_size": 48,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "max_position_embeddings": CONTEXT,
}
EAGER: dict[str, Any] = {**SIZES, "head_dim": 8, "attn_implementation": "eager"}


def model_of(kind: str = "llama", seed: int = 0, **config: Any) -> PreTrainedModel:
    """A tiny model with random weights, large enough that attention to the wrong token shows."""
    torch.manual_seed(seed)
    model: PreTrainedModel
    if kind == "gpt2":  # learned absolute positions: rotary ones do not notice when all of a row are shifted
        model = GPT2LMHeadModel(GPT2Config(vocab_size=TOKENS, n_positions=CONTEXT, n_embd=32, n_layer=2, n_head=4))
    elif kind == "qwen3":
        model = Qwen3ForCausalLM(Qwen3Config(**EAGER))
    elif kind == "gemma2":  # scales its logits after the head
        model = Gemma2ForCausalLM(Gemma2Config(**EAGER, sliding_window=CONTEXT, final_logit_softcapping=5.0))
    else:
        model = LlamaForCausalLM(LlamaConfig(**SIZES, **config))
    with torch.no_grad():
        for parameter in model.parameters():
            if parameter.dim() > 1:
                parameter.mul_(12)
    model.train(False)
    return model


def sampler(model: PreTrainedModel, **options: Any) -> HfPolicy:
    return HfPolicy(model, **{"end_ids": frozenset({END}), "context": CONTEXT, "slots": 16, **options})


def plain(model: PreTrainedModel, ids: list[int], completion: Completion, temperature: float = 1.0) -> torch.Tensor:
    """Log-probabilities of every token where a completion's tokens were sampled, by a plain forward pass."""
    with evaluating(model):
        logits: torch.Tensor = model(torch.tensor([ids + completion.ids])).logits[0].float() / (temperature or 1.0)
    return logits.log_softmax(-1)[len(ids) - 1 : -1]


def agrees(model: PreTrainedModel, ids: list[int], completion: Completion, temperature: float = 1.0) -> bool:
    expected = plain(model, ids, completion, temperature).gather(1, torch.tensor(completion.ids)[:, None])[:, 0]
    return torch.allclose(torch.tensor(completion.logps), expected, rtol=0, atol=1e-4)


def run(work: Coroutine[Any, Any, T]) -> T:
    """Run it; a request that hangs fails the test instead of stopping all."""

    async def limited() -> T:
        return await asyncio.wait_for(work, 60)

    return asyncio.run(limited())


async def settle(policy: HfPolicy, sampled: int) -> None:
    """Let the sampler go on until it has sampled so many tokens."""
    while policy.stats.sampled < sampled:
        await asyncio.sleep(0)


async def episode(policy: HfPolicy, model: PreTrainedModel, seed: int) -> list[bool]:
    """Turns of random lengths on a growing context, sometimes cut back; whether each agrees with a plain forward pass."""
    turn_seed = random.Random(seed)
    ids = [1, 5, 6, 7] if seed % 2 else [turn_seed.randrange(3, TOKENS) for _ in range(turn_seed.choice([1, 3, 40]))]
    temperature = (1.0, 0.7, 0.0)[seed % 3]
    agreed = []
    for _ in range(5):
        completion = await policy.generate(
            ids, Sampling(turn_seed.randrange(1, 12), temperature), turn_seed.randrange(2**63)
        )
        agreed.append(agrees(model, ids, completion, temperature))
        ids = ids + completion.ids + [turn_seed.randrange(3, TOKENS) for _ in range(turn_seed.randrange(4))]
        for _ in range(turn_seed.randrange(4)):
            await asyncio.sleep(0)
        if turn_seed.random() < 0.15:
            ids = ids[: 1 + len(ids) // 2]
    return agreed
