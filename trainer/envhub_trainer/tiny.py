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
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

from envhub_trainer.config import TinyConfig
from envhub_trainer.phrases import Conversation, numbers, phrases
from envhub_trainer.policy.weights import without_progress_bar

PAD: Final = "<|pad|>"
SAY: Final = "<|say|>"
END: Final = "<|end|>"

TEMPLATE: Final = (
    "{% for message in messages %}"
    "{% if message['role'] == 'assistant' %}"
    "{{ '<|say|>' }}{% generation %}{{ message['content'] }}{{ '<|end|>' }}{% endgeneration %}"
    "{% else %}"
    "{{ message['content'] }}{% if message['role'] == 'system' %}{{ '\\n\\n' }}{% endif %}"
    "{% endif %}"
    "{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|say|>' }}{% endif %}"
)
"""One token before an answer and one after it; tools are not rendered."""

_THETA: Final = 10_000.0
"""Base of the rotary angles; with 100, three-digit addition took much longer to learn, although rows are short."""

_EMBEDDING_STD: Final = 0.3
"""More than Llama's 0.02, with which three-digit addition took 50 % more steps to learn."""


def build_tokenizer(conversations: Sequence[Conversation], tiny: TinyConfig, context: int = 512) -> Any:
    """Build a tokenizer with a chat template from some conversations.

    Args:
        conversations: Chat messages as played, including some failures; otherwise error messages are spelled in bytes.
        tiny: ``digits`` and ``vocabulary``, the maximum number of tokens; phrases come before numbers, frequent ones first.
        context: The longest row, in tokens.
    """
    specials = [AddedToken(text, special=True, normalized=False) for text in (PAD, SAY, END)]
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    room = tiny.vocabulary - len(alphabet) - len(specials)
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
        additional_special_tokens=[SAY],
        model_max_length=context,
        clean_up_tokenization_spaces=False,
    )
    tokenizer.chat_template = TEMPLATE
    return tokenizer


def build_model(tokenizer: Any, tiny: TinyConfig, seed: int, context: int = 512) -> LlamaForCausalLM:
    """Build a Llama with random float32 weights.

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
    config = LlamaConfig(
        vocab_size=len(tokenizer),
        hidden_size=tiny.width,
        intermediate_size=8 * tiny.width // 3 // 8 * 8,
        num_hidden_layers=tiny.layers,
        num_attention_heads=tiny.heads,
        num_key_value_heads=tiny.heads,
        max_position_embeddings=context,
        rope_parameters={"rope_type": "default", "rope_theta": _THETA},
        tie_word_embeddings=True,
        bos_token_id=None,
        eos_token_id=tokenizer.eos_token_id,
        pad_token_id=tokenizer.pad_token_id,
    )
    with torch.random.fork_rng(devices=[]):  # its random weights are overwritten below
        model = LlamaForCausalLM(config)
    generator = torch.Generator().manual_seed(seed)
    embedding = model.get_input_embeddings().weight
    for weight in model.parameters():
        if weight.dim() > 1:
            std = _EMBEDDING_STD if weight is embedding else (2 * tiny.layers * weight.shape[1]) ** -0.5
            nn.init.normal_(weight, std=std, generator=generator)
    return model


def save(folder: Path, model: Any, tokenizer: Any) -> None:
    """Write a checkpoint folder that transformers can load."""
    with without_progress_bar():
        model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)


def _decodes(phrase: str) -> bool:
    """Whether a phrase can be one token.

    The byte decoder reads a phrase that consists only of byte letters as bytes.
    """
    return phrase.isascii() or any(letter not in _LETTERS for letter in phrase)


_LETTERS: Final = frozenset(pre_tokenizers.ByteLevel.alphabet())
