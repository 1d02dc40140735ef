"""A cook's plan: one message's steps as words, letters or numbers.

::

    Steps().read("<answer>up up left wait</answer>").value      # the indices in STEPS
    padded(read_plan("uul"), 4)                                 # the same plan
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import ClassVar, Final

from envhub.core.seeding import Stream
from envhub.envs.games.kitchen.rules import STEPS, WAIT
from envhub.verifiers.answers.listed import words
from envhub.verifiers.answers.types import AnswerType, Unreadable

Plan = tuple[int, ...]
LETTERS: Final = "uldrw"


@dataclass(frozen=True)
class Steps(AnswerType):
    """Steps in a row: ``up up left wait``, ``u, u, l, w``.

    Its value is a tuple of ``int``, as in ``STEPS``.
    """

    noun: ClassVar[str] = "your plan (its steps, separated by spaces)"
    example: ClassVar[str] = "up up wait left"
    alike: ClassVar[Sequence[Sequence[str]]] = (
        ("up up left", "u, u, l", "UP up Left.", "['up', 'up', 'left']", "up -> up -> left", "1. up\n2. up\n3. left"),
        *(("up left up",), ("up up left wait",), ("wait",)),
    )
    refused: ClassVar[Sequence[str]] = ("up 2", "north", "uul", "up or left", "not up", "up " * 65, "\u0075\u0440", "")

    def parse(self, text: str) -> Plan:
        """The steps of a span."""
        found = words(text, _STEP, 64)
        if found is None:
            raise Unreadable("write one to four of the words up, left, down, right and wait.")
        return found

    def random(self, rng: Stream) -> str:
        """Three steps anywhere."""
        return " ".join(rng.choice(STEPS) for _ in range(3))


_STEP: Final = {spelt: action for action, word in enumerate(STEPS) for spelt in (word, word[0])}


@lru_cache(maxsize=8)
def every_plan(steps: int) -> tuple[Plan, ...]:
    """All plans of this length."""
    return tuple(product(range(len(STEPS)), repeat=steps))


def padded(plan: Plan, steps: int) -> Plan:
    """A plan with missing steps as waits."""
    return plan + (WAIT,) * (steps - len(plan))


def read_plan(letters: str) -> Plan:
    """The plan behind the first letters of its steps."""
    return tuple(map(LETTERS.index, letters))
