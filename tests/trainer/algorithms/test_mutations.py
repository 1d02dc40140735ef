"""The golden comparison can fail: every algorithm with one thing wrong is told from the recorded values."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace

import pytest
import torch
from torch import Tensor

from envhub_trainer.algorithms import ALGORITHMS, Algorithm, algorithm
from envhub_trainer.algorithms.weights import AGGREGATIONS
from envhub_trainer.batch import Batch
from tests.trainer.algorithms.cases import SEEDS, case
from tests.trainer.algorithms.record import ENTRIES, GOLDEN, apart, plain
from tests.trainer.algorithms.reference import REFERENCES, Outcome
from tests.trainer.algorithms.tensors import as_batch, outcome

VALUES = json.loads(GOLDEN.read_text())
CASE = case(SEEDS[0])
BOUNDS = {"clip_low": 0.1, "clip_high": 0.3}
SWAPPED = {"clip_low": 0.3, "clip_high": 0.1}
CLIPPED = [name for name in REFERENCES if name not in ("rloo", "remax", "kl_cov")]


def row(name: str) -> Algorithm:
    """The algorithm with the settings of its recorded values."""
    of, overrides = ENTRIES[name]
    return algorithm(of, **overrides)


def holes_filled() -> Tensor:
    """A mask with 1 everywhere in a row: what a trainer has that learns from observations as well."""
    batch = as_batch(CASE)
    return (torch.arange(batch.mask.shape[1]) < batch.length.unsqueeze(1) - 1).to(batch.mask.dtype)


def differs(made: Outcome, name: str) -> bool:
    """Whether the golden comparison fails, at a thousand times its tolerance."""
    return max(apart(plain(made), VALUES[f"{name}/{SEEDS[0]}"]).values()) > 1e-6


@pytest.mark.parametrize("name", REFERENCES)
def test_unchanged_it_does_not_differ(name: str) -> None:
    assert not differs(outcome(row(name), CASE), name)


@pytest.mark.parametrize("name", REFERENCES)
def test_a_flipped_sign_of_the_surrogate(name: str) -> None:
    right = row(name)
    assert differs(outcome(replace(right, surrogate=lambda *given: -right.surrogate(*given)), CASE), name)


@pytest.mark.parametrize("name", REFERENCES)
def test_a_flipped_sign_of_the_advantage(name: str) -> None:
    right = row(name)

    def flipped(batch: Batch) -> Batch:
        made = right.advantage(batch)
        assert made.advantage is not None
        return made.having(advantage=-made.advantage)

    assert differs(outcome(replace(right, advantage=flipped), CASE), name)


@pytest.mark.parametrize("name", REFERENCES)
def test_a_mask_of_ones(name: str) -> None:
    assert differs(outcome(row(name), CASE, mask=holes_filled()), name)


WEIGHED_ALIKE = ("dr_grpo", "spiral", "rloo", "remax", "gmpo", "spo_segment")


@pytest.mark.parametrize("name", [name for name in REFERENCES if name not in WEIGHED_ALIKE])
def test_a_mask_of_ones_in_the_weights_alone(name: str) -> None:
    # Not the six for which it is right as well: nothing is divided by a number of tokens, and the loss in holes is 0 anyway;
    # or (gmpo) a row has one loss, and the weights of a row add up to the same; or (spo_segment) unlikely tokens were sampled.
    right = row(name)
    wrong = replace(right, weigh=lambda batch: right.weigh(batch.having(mask=holes_filled())))
    assert differs(outcome(wrong, CASE), name)


@pytest.mark.parametrize(
    ("name", "other"),
    [(name, other) for name in REFERENCES for other in AGGREGATIONS if row(name).weigh is not AGGREGATIONS[other]],
)
def test_another_normaliser(name: str, other: str) -> None:
    assert differs(outcome(replace(row(name), weigh=AGGREGATIONS[other]), CASE), name)


def test_the_algorithms_with_bounds_are_those_that_take_them() -> None:
    for name in ALGORITHMS:
        if name in CLIPPED:
            algorithm(name, **BOUNDS)
        else:
            with pytest.raises(ValueError, match="does not apply"):
                algorithm(name, **BOUNDS)


@pytest.mark.parametrize("name", CLIPPED)
def test_swapped_bounds(name: str) -> None:
    # The bounds of many papers are the same below and above, so both sides of this comparison have them apart.
    wanted = plain(REFERENCES[name](CASE, **BOUNDS))
    assert max(apart(plain(outcome(algorithm(name, **BOUNDS), CASE)), wanted).values()) < 1e-9
    assert max(apart(plain(outcome(algorithm(name, **SWAPPED), CASE)), wanted).values()) > 1e-6


REMOVED: dict[str, tuple[str, Callable[[Algorithm], Algorithm]]] = {
    "the divergence of grpo": ("grpo", lambda right: replace(right, regularisers=())),
    "the divergence of reinforce++-baseline": ("reinforce++-baseline", lambda right: replace(right, regularisers=())),
    "the correction of flashrl": ("flashrl", lambda right: replace(right, correct=None)),
    "the filter of gfpo": ("gfpo", lambda right: replace(right, include=None)),
    "the group's expectation of gepo": ("gepo", lambda right: replace(right, ratio=ALGORITHMS["gspo"].ratio)),
    "the sequences of gspo": ("gspo", lambda right: replace(right, ratio=ALGORITHMS["grpo"].ratio)),
    "the standard deviation of grpo": ("grpo", lambda right: replace(right, advantage=ALGORITHMS["dr_grpo"].advantage)),
    "the batch of liteppo": ("liteppo", lambda right: replace(right, advantage=ALGORITHMS["grpo"].advantage)),
    "the others of rloo": ("rloo", lambda right: replace(right, advantage=ALGORITHMS["dr_grpo"].advantage)),
    "the tokens held back by clip_cov": (
        "clip_cov",
        lambda right: replace(right, surrogate=ALGORITHMS["grpo"].surrogate),
    ),
    "the length in the lambda of vapo": (
        "vapo",
        lambda right: replace(right, advantage=replace(right.advantage, alpha=None)),  # type: ignore[type-var]
    ),
    "the critic's own lambda of vapo": (
        "vapo",
        lambda right: replace(right, advantage=replace(right.advantage, critic_lam=None)),  # type: ignore[type-var]
    ),
    "the right answers of vapo": ("vapo", lambda right: replace(right, imitate=None)),
    "the process rewards of prime": ("prime", lambda right: replace(right, advantage=ALGORITHMS["rloo"].advantage)),
    "the tracker of spo": ("spo", lambda right: replace(right, advantage=ALGORITHMS["liteppo"].advantage)),
    "the mask": ("mask by token", lambda right: replace(right, correct=None)),
    "the sequences of tis": ("tis by sequence", lambda right: replace(right, correct=ALGORITHMS["flashrl"].correct)),
    "the entropy": ("top entropy", lambda right: replace(right, focus=None)),
    "the value clip of ppo": (
        "ppo",
        lambda right: right if right.critic is None else replace(right, critic=replace(right.critic, clip=None)),
    ),
}


@pytest.mark.parametrize("what", REMOVED)
def test_what_makes_an_algorithm_itself_taken_out(what: str) -> None:
    name, change = REMOVED[what]
    assert differs(outcome(change(row(name)), CASE), name)
