"""Log-probabilities of given tokens under a model, in chunks.

The language-model head is applied only to positions on the mask and in chunks, so that logits of ``(tokens, vocabulary)`` are
never in memory as a whole, neither forward nor backward.
"""

from __future__ import annotations

import math
from typing import Any, Final, NamedTuple

import torch
from torch import Tensor, nn
from torch.utils.checkpoint import checkpoint

from envhub_trainer import vision

_NEUTRAL: Final = {"final_logit_softcapping": None, "logits_scaling": 1.0, "logit_scale": 1.0}
"""Settings by which a model changes its logits after the head, with their neutral values. Any other value: use its own
logits."""


class Scored(NamedTuple):
    """A model's scores of given tokens; all ``(B, T)``, 0 off the mask.

    Attributes:
        logp: Natural log-probability of each predicted token at the temperature.
        entropy: Entropy of the token's distribution, in nats.
        value: The critic's value of the context before it; None without a critic.
        computed: Number of positions that went through the model, padding included.
    """

    logp: Tensor
    entropy: Tensor
    value: Tensor | None
    computed: int = 0


def score(
    model: Any,
    ids: Tensor,
    mask: Tensor,
    *,
    temperature: float = 1.0,
    critic: nn.Module | None = None,
    chunk: int = 4096,
    entropy_grad: bool = False,
    positions: Tensor | None = None,
) -> Scored:
    """Compute log-probabilities, entropies and values of rows.

    Args:
        model: A Hugging Face causal language model.
        ids: ``(B, T + 1)`` token ids, padded on the right with any id.
        mask: ``(B, T)``; position ``t`` selects token ``t + 1``.
        temperature: Logits are divided by it.
        critic: Maps hidden states ``(N, d)`` to values ``(N, 1)``.
        chunk: Maximum number of positions per pass through the head.
        entropy_grad: Keep the gradient of the entropy.
        positions: ``(B, T)`` position of each token in its sequence; by default its column. Where it is 0
            again, a new sequence starts.
    """
    wanted = mask > 0
    hidden, logits = _hidden(model, ids[:, :-1], positions)  # causal: padding on the right affects nothing before it
    targets: Any = ids[:, 1:][wanted]  # a tensor; torch's split() is untyped
    head = model.get_output_embeddings()
    picked: Any = hidden[wanted] if logits is None else logits[wanted]

    def read(states: Tensor, tokens: Tensor) -> tuple[Tensor, Tensor]:
        out = _wide(head(states) if logits is None else states) / temperature
        logp = out.log_softmax(-1)
        with torch.set_grad_enabled(entropy_grad and torch.is_grad_enabled()):
            entropy = -(logp.exp() * logp).sum(-1)
        return logp.gather(-1, tokens[:, None])[:, 0], entropy

    parts = []
    for states, tokens in zip(picked.split(chunk), targets.split(chunk), strict=True):
        again = torch.is_grad_enabled() and len(targets) > chunk
        parts.append(checkpoint(read, states, tokens, use_reentrant=False) if again else read(states, tokens))
    logp, entropy = (torch.cat(each) for each in zip(*parts, strict=True))
    blank = torch.zeros(mask.shape, dtype=logp.dtype, device=ids.device)
    value = None if critic is None else _at_head(hidden, mask, critic)
    return Scored(blank.masked_scatter(wanted, logp), blank.masked_scatter(wanted, entropy), value, ids.numel())


def values(model: Any, ids: Tensor, mask: Tensor, head: nn.Module, *, trunk_grad: bool = True) -> Tensor:
    """``(B, T)`` outputs of a value head; 0 off the mask.

    Args:
        model: A Hugging Face causal language model.
        ids: ``(B, T + 1)`` token ids, padded on the right with any id.
        mask: ``(B, T)``; position ``t`` is the context before token ``t + 1``.
        head: Maps hidden states ``(N, d)`` to values ``(N, 1)``.
        trunk_grad: Keep the gradient of the model.
    """
    with torch.set_grad_enabled(trunk_grad and torch.is_grad_enabled()):
        hidden, _ = _hidden(model, ids[:, :-1])
    return _at_head(hidden, mask, head)


def _at_head(hidden: Tensor, mask: Tensor, head: nn.Module) -> Tensor:
    wanted = mask > 0
    found = _wide(head(_wide(hidden[wanted])))[:, 0]
    return torch.zeros(mask.shape, dtype=found.dtype, device=mask.device).masked_scatter(wanted, found)


def spread(model: Any, ids: Tensor, mask: Tensor, chunk: int = 4096) -> tuple[Tensor, Tensor]:
    """Self-certainty and entropy at sampled tokens, at temperature 1.

    Args:
        model: A Hugging Face causal language model.
        ids: ``(B, T + 1)`` token ids, padded on the right with any id.
        mask: ``(B, T)``; position ``t`` selects token ``t + 1``.
        chunk: Maximum number of positions per pass through the head.

    Returns:
        Two tensors ``(N,)`` over the selected tokens: the divergence from the uniform distribution to the model's, and the
        entropy of the model's, in nats.
    """
    wanted = mask > 0
    hidden, logits = _hidden(model, ids[:, :-1])
    picked: Any = hidden[wanted] if logits is None else logits[wanted]
    parts = []
    for states in picked.split(chunk):
        out = model.get_output_embeddings()(states) if logits is None else states
        logp = out.float().log_softmax(-1)
        parts.append((-math.log(logp.shape[-1]) - logp.mean(-1), -(logp.exp() * logp).sum(-1)))
    certainty, entropy = (torch.cat(each) for each in zip(*parts, strict=True))
    return certainty, entropy


def _wide(values: Tensor) -> Tensor:
    """At least float32."""
    return values if values.dtype == torch.float64 else values.float()


def _hidden(model: Any, ids: Tensor, positions: Tensor | None = None) -> tuple[Tensor, Tensor | None]:
    """Last hidden states ``(B, T, d)``, and logits if the model post-processes them."""
    inputs = {"input_ids": ids, "position_ids": positions, "use_cache": False}
    if vision.sees(model):
        inputs |= vision.inputs(model, ids, positions)
    config = model.config.get_text_config()
    if any(getattr(config, name, None) not in (None, neutral) for name, neutral in _NEUTRAL.items()):
        out = model(**inputs, output_hidden_states=True)
        return out.hidden_states[-1], out.logits
    body = model.base_model if vision.sees(model) else model.get_decoder()
    return body(**inputs).last_hidden_state, None
