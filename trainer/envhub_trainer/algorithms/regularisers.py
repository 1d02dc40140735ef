"""Regularisers: terms added to the loss of every token.

Independent of its advantage. Each is called
``(logp (B, T) with gradient, entropy (B, T) with gradient or None, batch) -> (B, T)`` and is weighted like the
surrogate.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch import Tensor

from envhub_trainer.algorithms.checks import one_of, required, within
from envhub_trainer.algorithms.masked import LIMIT, on_mask
from envhub_trainer.batch import Batch

KINDS = ("k2", "k3")


@dataclass(frozen=True)
class Kl:
    """The divergence from the reference policy, estimated on the sampled token.

    With d = log pi_ref - log pi:

    - ``k2`` = d^2 / 2. Slightly biased, never negative. Its gradient, -d times that of log pi, has on-policy the expectation
      of the gradient of KL(pi || pi_ref): use this one as a loss.
    - ``k3`` = e^d - d - 1. Unbiased, never negative, low variance. Its gradient, (1 - e^d) times that of log pi, has on-policy
      the expectation of the gradient of the *other* divergence, KL(pi_ref || pi). d is clamped to +-20.

    The estimate k1 = -d is not offered: as a loss it does nothing, because its gradient, that of log pi, has expectation 0
    under the policy itself.

    Source: Schulman 2020, "Approximating KL Divergence" (joschu.net/blog/kl-approx.html), for the estimators; Shao et al. 2024,
    GRPO (2402.03300), equation 4, for k3 in the loss; the gradients follow from E[grad log pi] = 0.

    Worked example: log pi = -1.0, log pi_ref = -1.5, d = -0.5, coefficient 1: k2 = 0.125, k3 = 0.1065.

    Attributes:
        kind: ``k2`` or ``k3``.
        coefficient: Weight of the term.
    """

    kind: str = "k3"
    coefficient: float = 0.04
    needs: ClassVar[frozenset[str]] = frozenset({"ref"})

    def __post_init__(self) -> None:
        one_of("Kl", "kind", self.kind, KINDS)
        within("Kl", "coefficient", self.coefficient, 0)

    def __call__(self, logp: Tensor, entropy: Tensor | None, batch: Batch) -> Tensor:
        """``(B, T)``, 0 off the mask; ValueError without reference log-probabilities."""
        d = on_mask(required(batch, "ref") - logp, batch)
        if self.kind == "k2":
            return self.coefficient * d.square() / 2
        # Clamping only the exponential would leave the gradient of -d, which has the wrong sign.
        d = d.clamp(-LIMIT, LIMIT)
        return self.coefficient * (d.exp() - d - 1)


@dataclass(frozen=True)
class Entropy:
    """Entropy bonus: -coefficient * H.

    H is the entropy of the next token's distribution in nats.

    Source: Williams and Peng 1991; in PPO, Schulman et al. 2017 (1707.06347), equation 9.

    Worked example: coefficient 0.01 and a fair choice of two, H = 0.6931: -0.006931.

    Attributes:
        coefficient: Weight of the bonus; a negative one penalises entropy.
    """

    coefficient: float
    needs: ClassVar[frozenset[str]] = frozenset({"entropy"})

    def __post_init__(self) -> None:
        within("Entropy", "coefficient", self.coefficient, -float("inf"))

    def __call__(self, logp: Tensor, entropy: Tensor | None, batch: Batch) -> Tensor:
        """``(B, T)``, 0 off the mask; ValueError without an entropy."""
        if entropy is None:
            raise ValueError("An entropy bonus needs the entropy of each token, got None: `needs_entropy` says so.")
        return on_mask(-self.coefficient * entropy, batch)
