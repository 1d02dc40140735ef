"""A tiny Llama and tokenizer from scratch, for use without downloads.

::

    tokenizer = build_tokenizer(conversations, TinyConfig(digits="single"))
    model = build_model(tokenizer, TinyConfig(digits="single"), seed=0)
    save(folder, model, tokenizer)      # loads with AutoModelForCausalLM and AutoTokenizer

Model and tokenizer have standard formats (``LlamaForCausalLM``, ``tokenizer.json``). The tokenizer works on bytes, so that
any text round-trips; each phrase that nearly all conversations share is one token (:mod:`envhub_trainer.phrases`), so that a
prompt is only a few tokens. The same conversations, settings and seed give the same checkpoint.

A conversation is rendered as: observation, ``<|say|>``, action, ``<|end|>``, next observation, and so on.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import torch
from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, pre_tokenizers
from torch import nn
from transformers import (
    LlamaConfig,
    LlamaForCausalLM,
    PreTrainedTokenizerFast,
    Qwen2VLConfig,
    Qwen2VLForConditionalGeneration,
)
from transformers.models.qwen2_vl.image_processing_pil_qwen2_vl import Qwen2VLImageProcessorPil

from envhub_trainer.config import TinyConfig
from envhub_trainer.models import save_tokenizer
from envhub_trainer.phrases import Conversation, numbers, phrases
from envhub_trainer.policy.weights import without_progress_bar
from envhub_trainer.vision import Vision

PAD: Final = "<|pad|>"
SAY: Final = "<|say|>"
END: Final = "<|end|>"
IMAGE: Final = ("<|image|>", "<|video|>", "<|vision|>")
"""Only a model that sees has these; the second and the third are never written."""

TEMPLATE: Final = (
    "{% for message in messages %}"
    "{% if message['role'] == 'assistant' %}"
    "{{ '<|say|>' }}{% generation %}{{ message['content'] }}{{ '<|end|>' }}{% endgeneration %}"
    "{% else %}"
    "{% if message['content'] is string %}{{ message['content'] }}{% else %}{% for part in message['content'] %}"
    "{{ part['text'] if part['type'] == 'text' else '<|image|>' }}{% endfor %}{% endif %}"
    "{% if message['role'] == 'system' %}{{ '\\n\\n' }}{% endif %}"
    "{% endif %}"
    "{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|say|>' }}{% endif %}"
)
"""One token before an answer and one after it; tools are not rendered."""

_THETA: Final = 10_000.0
"""Base of the rotary angles; with 100, three-digit addition took much longer to learn, although rows are short."""

_EMBEDDING_STD: Final = 0.3
"""More than Llama's 0.02, with which three-digit addition took 50 % more steps to learn."""
_SEEING_STD: Final = 0.02
"""The same if the model sees: with 0.3 words drown pictures, and rewards did not teach it to read a digit."""


def build_tokenizer(conversations: Sequence[Conversation], tiny: TinyConfig, context: int = 512) -> Any:
    """Build a tokenizer with a chat template from some conversations.

    Args:
        conversations: Chat messages as played, including some failures; otherwise error messages are spelled in bytes.
        tiny: ``digits`` and ``vocabulary``, the maximum number of tokens; phrases come before numbers, frequent ones first.
        context: The longest row, in tokens.
    """
    named = (PAD, SAY, END, *(IMAGE if tiny.pixels else ()))
    specials = [AddedToken(text, special=True, normalized=False) for text in named]
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    room = max(0, tiny.vocabulary - len(alphabet) - len(specials))
    whole = [text for text in phrases(conversations, tiny.digits) if _decodes(text)][:room]
    words = [*alphabet, *(numbers(conversations)[: room - len(whole)] if tiny.digits == "whole" else ())]
    vocabulary = {word: id for id, word in enumerate(dict.fromkeys(words))}  # digits are part of the byte alphabet
    core = Tokenizer(
        models.BPE(vocab=vocabulary, merges=[], ignore_merges=True)
    )  # a number that is a word is one token
    core.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex("[0-9]" if tiny.digits == "single" else "[0-9]+"), "isolated"),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )
    core.decoder = decoders.ByteLevel()
    core.add_special_tokens(specials)
    core.add_tokens([AddedToken(text, special=False, normalized=False) for text in whole])
    wrap: Any = PreTrainedTokenizerFast  # which has no types
    tokenizer = wrap(
        tokenizer_object=core,
        pad_token=PAD,
        eos_token=END,
        additional_special_tokens=[SAY, *(IMAGE if tiny.pixels else ())],
        model_max_length=context,
        clean_up_tokenization_spaces=False,
    )
    tokenizer.chat_template = TEMPLATE
    if tiny.pixels:
        size: Any = {"shortest_edge": tiny.pixels**2, "longest_edge": tiny.pixels**2}
        paper: dict[str, Any] = {"image_mean": [1.0] * 3, "image_std": [0.25] * 3}  # white is 0
        grid: dict[str, Any] = {"patch_size": tiny.patch, "temporal_patch_size": 1, "merge_size": 1}
        eye = Qwen2VLImageProcessorPil(size=size, **grid, **paper)
        tokenizer.vision = Vision(eye, tokenizer.convert_tokens_to_ids(IMAGE[0]))
    return tokenizer


def build_model(tokenizer: Any, tiny: TinyConfig, seed: int, context: int = 512) -> Any:
    """Build a Llama, or a Qwen2-VL that sees, with random float32 weights.

    Matrices are drawn with a variance of ``1 / (2 * layers * inputs)``, which keeps the residual stream near unit size
    at any width; the embedding, which is also the head, has standard deviation :data:`_EMBEDDING_STD`.

    Args:
        tokenizer: Tokenizer of the model.
        tiny: ``width``, ``layers``, ``heads``.
        seed: Seed of the weights.
        context: The longest row, in tokens.

    Raises:
        ValueError: The width is not a multiple of twice the heads (rotary positions rotate pairs).
    """
    if tiny.width % (2 * tiny.heads):
        near = max(1, round(tiny.width / (2 * tiny.heads))) * 2 * tiny.heads
        raise ValueError(
            f"The width is a multiple of twice the heads ({2 * tiny.heads}), got {tiny.width}; {near} is one."
        )
    text = {
        "vocab_size": len(tokenizer),
        "hidden_size": tiny.width,
        "intermediate_size": 8 * tiny.width // 3 // 8 * 8,
        "num_hidden_layers": tiny.layers,
        "num_attention_heads": tiny.heads,
        "num_key_value_heads": tiny.heads,
        "max_position_embeddings": context,
        "rope_parameters": {"rope_type": "default", "rope_theta": _THETA},
        "tie_word_embeddings": True,
        "bos_token_id": None,
        "eos_token_id": tokenizer.eos_token_id,
        "pad_token_id": tokenizer.pad_token_id,
    }
    with torch.random.fork_rng(devices=[]):  # its random weights are overwritten below
        model = _seeing(tokenizer, tiny, text) if tiny.pixels else LlamaForCausalLM(LlamaConfig(**text))
    generator = torch.Generator().manual_seed(seed)
    embedding = model.get_input_embeddings().weight
    for weight in model.parameters():
        if weight.dim() > 1:
            words = _SEEING_STD if tiny.pixels else _EMBEDDING_STD
            std = words if weight is embedding else (2 * tiny.layers * weight[0].numel()) ** -0.5
            nn.init.normal_(weight, std=std, generator=generator)
    return model


def _seeing(tokenizer: Any, tiny: TinyConfig, text: dict[str, Any]) -> Any:
    """A Qwen2-VL whose patches are tokens, with equal rotary sections."""
    pairs = tiny.width // tiny.heads // 2
    sections = [pairs - 2 * (pairs // 3), pairs // 3, pairs // 3]
    text["rope_parameters"] |= {"mrope_section": sections}
    image, video, vision = tokenizer.convert_tokens_to_ids(list(IMAGE))
    config = Qwen2VLConfig(
        text_config=text,
        vision_config={
            "depth": tiny.vision_layers,
            "embed_dim": tiny.width,
            "hidden_size": tiny.width,
            "num_heads": tiny.heads,
            "mlp_ratio": 2,
            "patch_size": tiny.patch,
            "spatial_merge_size": 1,
            "temporal_patch_size": 1,
        },
        image_token_id=image,
        video_token_id=video,
        vision_start_token_id=vision,
        vision_end_token_id=vision,
        tie_word_embeddings=True,
    )
    return Qwen2VLForConditionalGeneration(config)


def save(folder: Path, model: Any, tokenizer: Any) -> None:
    """Write a checkpoint folder that transformers can load."""
    with without_progress_bar():
        model.save_pretrained(folder)
    save_tokenizer(tokenizer, folder)


def _decodes(phrase: str) -> bool:
    """Whether a phrase can be one token.

    The byte decoder reads a phrase that consists only of byte letters as bytes.
    """
    return phrase.isascii() or any(letter not in _LETTERS for letter in phrase)


_LETTERS: Final = frozenset(pre_tokenizers.ByteLevel.alphabet())
