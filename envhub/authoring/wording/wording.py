"""Wording: a number that chooses among all ways to state a problem."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, Self

from envhub.authoring.wording.variants import T, Variants
from envhub.core.errors import InvalidParameters
from envhub.core.frozen import quick
from envhub.core.seeding import TaskKey, below

WORDINGS: Final = 10_000
"""Number of training wordings. Two of them may state a short problem in the same words."""
_ODD: Final = 0x9E3779B97F4A7C15  # 2**64 divided by the golden ratio: spreads consecutive numbers over the high bits


@quick
@dataclass(frozen=True, slots=True)
class Wording:
    """One way to state problems.

    Attributes:
        number: From 0 to ``WORDINGS - 1``, or ``"held-out"``. Number 0 takes the first phrasing of everything.
    """

    number: int | Literal["held-out"]

    def pick(self, variants: Variants[T]) -> T:
        """One of the variants, chosen independently of other sets."""
        number, options = self.number, variants.options
        if not number:
            return options[0]
        if number == "held-out":
            return variants.held_out
        mixed = (number ^ variants.salt) * _ODD & 0xFFFF_FFFF_FFFF_FFFF
        return options[((mixed ^ mixed >> 29) * _ODD >> 40 & 0xFFFFFF) % len(options)]

    @classmethod
    def of(cls, key: TaskKey) -> Self:
        """The training wording of a task, from a stream of its own."""
        return cls(below(WORDINGS, key.root, "wording"))


def choices(variants: Variants[Any]) -> Sequence[int]:
    """For each training wording, the place of the option it picks.

    It is tabulated once for these variants.
    """
    if variants.places is None:
        import numpy as np  # a table takes 0.2 ms with it, and 3 ms without

        odd = np.uint64(_ODD)
        mixed = (np.arange(WORDINGS, dtype=np.uint64) ^ np.uint64(variants.salt)) * odd  # modulo 2**64
        mixed = (mixed ^ mixed >> np.uint64(29)) * odd >> np.uint64(40)
        places = mixed % np.uint64(len(variants.options))
        places[0] = 0  # the first phrasing of everything
        variants.places = places.astype(np.uint8).tobytes() if len(variants.options) < 256 else places.tolist()
    return variants.places


PLAIN: Final = Wording(0)
HELD_OUT: Final = Wording("held-out")


def read_wording(given: Any) -> Wording | None:
    """The wording that an option names; None if the task chooses.

    Raises:
        InvalidParameters: It is neither None, a number below ``WORDINGS``, nor ``"held-out"``.
    """
    if given is None:
        return None
    if given == HELD_OUT.number or (type(given) is int and 0 <= given < WORDINGS):
        return Wording(given)
    raise InvalidParameters(f"`wording` must be 'held-out' or an integer from 0 to {WORDINGS - 1}, got {given!r:.80}.")


def wording_number(text: str | None) -> int | str | None:
    """The wording that a command line or a row names as text.

    :func:`read_wording` validates it.
    """
    return int(text) if text is not None and text.isascii() and text.isdigit() else text
