"""Random models of a few thousand parameters."""

from __future__ import annotations

from typing import Any

import torch


def tiny_llama(
    seed: int = 0, vocabulary: int = 300, width: int = 32, layers: int = 2, tied: bool = True, **more: Any
) -> Any:
    """A random Llama; large enough weights that its distributions are not flat. ``more`` is of its configuration."""
    from transformers import LlamaConfig, LlamaForCausalLM

    torch.manual_seed(seed)
    settings: dict[str, Any] = {
        "intermediate_size": 2 * width,
        "num_attention_heads": 4,
        "num_key_value_heads": 2,
        "max_position_embeddings": 4096,
        "initializer_range": 0.2,
    }
    sizes = {"vocab_size": vocabulary, "hidden_size": width, "num_hidden_layers": layers, "tie_word_embeddings": tied}
    return LlamaForCausalLM(LlamaConfig(**settings | sizes | more))


def tiny_gemma(seed: int = 0) -> Any:
    """A random Gemma 2, which changes its logits after the head."""
    from transformers import Gemma2Config, Gemma2ForCausalLM

    torch.manual_seed(seed)
    config = Gemma2Config(
        vocab_size=300,
        hidden_size=32,
        intermediate_size=64,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=2,
        head_dim=8,
        final_logit_softcapping=1.0,
        initializer_range=0.2,
    )
    return Gemma2ForCausalLM(config)
