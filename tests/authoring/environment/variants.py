"""Authors that differ in a few attributes, and one whose sampling has stages."""

from __future__ import annotations

from collections import Counter
from typing import Any, ClassVar

from envhub.authoring import SingleTurn
from envhub.core.seeding import Stream
from envhub.core.types import Instance, Verdict
from envhub.verifiers.answers.types import AnswerType, Integer


def variant(base: type, **attributes: Any) -> Any:
    """A subclass with some attributes changed, made into an environment."""
    return type(base.__name__, (base,), attributes)()


class Staged(SingleTurn):
    """Content is one number; what follows the yield is counted."""

    answer: AnswerType = Integer()
    work: ClassVar[Counter[str]] = Counter()

    def sample(self, rng: Stream, p: Any) -> Any:
        n = rng.below(10_000)
        self.work["cheap"] += 1
        yield {"n": n}
        self.work["dear"] += 1
        return self.finish(n, rng)

    def finish(self, n: int, rng: Stream) -> Instance | None:
        return Instance({"n": n, "extra": rng.below(100)}, key=-n - 1)

    def canonical(self, content: Any) -> Any:
        return content["n"]

    def prompt(self, problem: Any) -> str:
        return f"{problem}"

    def grade(self, inst: Instance, value: Any) -> Verdict:
        return Verdict.exact(value == inst.key)

    def solve(self, inst: Instance) -> str:
        return str(inst.key)
