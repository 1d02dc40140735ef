"""Checks on settings and batches before an algorithm computes.

``within("Clip", "low", 0.2, 0, 1)`` passes or raises ValueError; ``required(batch, "ref")`` returns the tensor or raises.
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from math import inf

from torch import Tensor

from envhub_trainer.batch import Batch

_ORIGIN = {
    "budget": "collate it from episodes with a budget",
    "gain": "collate it from episodes with credit from forks",
    "greedy": "collate the batch with the returns of greedy episodes",
    "ref": "compute log-probabilities under the reference policy before the update",
    "value": "run the critic over the batch before the update",
    "advantage": "call the algorithm's `advantage` on the batch first",
    "process": "let the process reward model score the batch before the update",
    "baseline": "let the tracker score the batch before the update",
    "entropy": "compute the entropy of each token before the optimiser step",
    "returns": "call the algorithm's `advantage` on the batch first",
    "weight": "call the algorithm's `weighed` on the whole optimiser step first",
    "chosen": "call the algorithm's `weighed` on the whole optimiser step first",
    "focus": "call the algorithm's `weighed` on the whole optimiser step first",
    "imitation": "call the algorithm's `weighed` on the whole optimiser step first",
}


def required(batch: Batch, name: str) -> Tensor:
    """Return an optional tensor of the batch; ValueError without it."""
    tensor: Tensor | None = getattr(batch, name)
    if tensor is None:
        raise ValueError(f"The algorithm needs batch.{name}, which is None: {_ORIGIN[name]}.")
    return tensor


def within(owner: str, name: str, value: float, low: float, high: float = inf, *, whole: bool = False) -> None:
    """Raise ValueError unless a number is within bounds and, if required, whole."""
    if isinstance(value, bool) or not isinstance(value, int if whole else int | float) or not low <= value <= high:
        bound = "" if low == -inf else f" at least {low:g}" if high == inf else f" from {low:g} to {high:g}"
        raise ValueError(f"{owner}: {name} is a {'whole ' * whole}number{bound}, got {value!r}.")


def flag(owner: str, name: str, value: object) -> None:
    """Raise ValueError unless ``value`` is True or False."""
    if not isinstance(value, bool):
        raise ValueError(f"{owner}: {name} is True or False, got {value!r}.")


def one_of(owner: str, name: str, value: object, known: Iterable[str]) -> None:
    """Raise ValueError unless ``value`` is one of ``known``; suggests the closest one."""
    names = list(known)
    if value not in names:
        raise ValueError(f"{owner}: {name} is one of {', '.join(names)}; got {value!r}.{nearest(value, names)}")


def nearest(name: object, known: Iterable[str]) -> str:
    """``" Did you mean 'grpo'?"``, or an empty string if nothing is close."""
    close = get_close_matches(str(name), list(known), n=1)
    return f" Did you mean {close[0]!r}?" if close else ""
