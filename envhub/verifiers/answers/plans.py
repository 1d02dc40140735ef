r"""Answer types for plans: actions with their objects, in order.

    Plan().read("<answer>(pick-up a)\n(stack a b)</answer>").value    # (("pick-up", "a"), ("stack", "a", "b"))

The verifier checks whether the actions exist and are possible; this module knows no domain.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

from envhub.core.seeding import Stream
from envhub.verifiers.answers.types import AnswerType, Unreadable

Step = tuple[str, ...]
_WORD: Final = r"[a-z][a-z0-9_-]{0,30}"
_STEP: Final = re.compile(rf"(?:[0-9]{{1,3}} ?[.:)] ?|[-*] )?(\( ?)?(?P<words>{_WORD}(?: {_WORD}){{1,8}})(?(1) ?\)),?")
_FACT: Final = re.compile(rf"(?:[0-9]{{1,3}} ?[.:)] ?|[-*] )?\( ?(?P<words>{_WORD}(?: {_WORD}){{0,8}}) ?\),?")
_SEVERAL: Final = re.compile(r"\)[ ,]{0,4}\(")
_LONGEST: Final = 20_000


@dataclass(frozen=True)
class Plan(AnswerType):
    """Actions, one per line, each with its objects: ``(stack a b)``.

    Its value is a tuple of tuples of words, in lower case. Parentheses, numbers before the lines and commas after them may
    be left out or added.

    Attributes:
        most: Maximum number of actions.
    """

    most: int = 500
    shape: ClassVar[re.Pattern[str]] = _STEP
    noun: ClassVar[str] = "your plan, one action per line,"
    example: ClassVar[str] = "(example-action first second)\n(example-action second first)"
    alike: ClassVar[Sequence[Sequence[str]]] = (
        (
            "(go a b)\n(take c)",
            "go a b\ntake c",
            "1. (GO a b)\n2. (take c)",
            "(go a b) (take c)",
            "0: (go a b),\n1: ( take c )",
        ),
        *(("(take c)\n(go a b)",), ("(go a b)",), ("(go b a)", "- go b a", "go  b\ta"), ("(go-a b)",)),
    )
    refused: ClassVar[Sequence[str]] = (
        *(
            "()",
            "(go a b",
            "go a b)",
            "((go a b))",
            "(go a b); (take c)",
            "(go \u0430 b)",
            "(ta\u212ae c)",
            "(go a b)\n\u2026",
            "(go a, b)",
        ),
        *("perhaps", "(perhaps)", "I would go from a to b, then take c.", "(not (go a b))", "1.", "[go a b]"),
    )

    def parse(self, text: str) -> tuple[Step, ...]:
        """The actions in a span."""
        if len(text) > _LONGEST:
            raise Unreadable("it is too long.")
        if not text.isascii():  # before it is lowered: the lower case of the Kelvin sign is a plain k
            raise Unreadable("write plain letters, digits and parentheses only.")
        lines = [" ".join(line.split()) for line in _SEVERAL.sub(")\n(", text.lower()).split("\n")]
        found = tuple(self._step(line) for line in lines if line)
        if len(found) > self.most:
            raise Unreadable(
                f"it has more than {self.most} actions." if self.most > 1 else "it has more than one action."
            )
        return found

    def _step(self, line: str) -> Step:
        match = self.shape.fullmatch(line)
        if match is None:
            raise Unreadable(f"write each line as (name first second), got {line[:60]!r}.")
        return tuple(match["words"].split())

    def tail(self, text: str) -> str:
        """The last lines that are actions in parentheses; else the last block."""
        kept: list[str] = []
        for line in reversed(text.rstrip().splitlines()):
            if "(" not in line or self.shape.fullmatch(" ".join(line.lower().split())) is None:
                break
            kept.append(line)
        return "\n".join(reversed(kept)) if kept else super().tail(text)

    def random(self, rng: Stream) -> str:
        """Two actions of no domain."""
        return "\n".join(f"(move {rng.choice('abc')} {rng.choice('abc')})" for _ in range(2))


@dataclass(frozen=True)
class Action(Plan):
    """One action: ``(stack a b)``.

    Its value is that of a plan of one action.
    """

    most: int = 1
    noun: ClassVar[str] = "one action"
    example: ClassVar[str] = "(example-action first second)"
    alike: ClassVar[Sequence[Sequence[str]]] = (
        ("(go a b)", "go a b", "(GO  A B)", "1. (go a b)"),
        *(("(go b a)",), ("(go-a b)",)),
    )
    refused: ClassVar[Sequence[str]] = (*Plan.refused, "(go a b)\n(take c)", "(go a b) (take c)")

    def random(self, rng: Stream) -> str:
        """An action of no domain."""
        return f"(move {rng.choice('abc')} {rng.choice('abc')})"


@dataclass(frozen=True)
class Facts(Plan):
    """Facts in any order, each in parentheses: ``(on a b)``, ``(hand-empty)``.

    Its value is a set of tuples of words.
    """

    shape: ClassVar[re.Pattern[str]] = _FACT
    noun: ClassVar[str] = "all facts, one per line,"
    example: ClassVar[str] = "(example-fact first second)\n(example-fact second)"
    alike: ClassVar[Sequence[Sequence[str]]] = (
        ("(on a b)\n(free)", "(FREE)\n(on a b)", "(free) (on  a b)", "1. (free)\n2. (on a b)\n3. (free)"),
        *(("(on b a)\n(free)",), ("(on a b)",), ("(free)",)),
    )
    refused: ClassVar[Sequence[str]] = (
        *("()", "free", "on a b", "(on a b", "((on a b))", "(on a, b)", "(on a b); (free)", "(not (on a b))"),
        *("(on \u0430 b)", "None of them.", "(on a b) and (free)"),
    )

    def parse(self, text: str) -> frozenset[Step]:  # type: ignore[override]
        """The facts in a span."""
        return frozenset(super().parse(text))

    def random(self, rng: Stream) -> str:
        """A fact of no domain."""
        return f"(placed {rng.choice('abc')} {rng.choice('abc')})"
