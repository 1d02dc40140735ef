"""The contract on variety: seeds are unrelated, splits share nothing, problems do not repeat, no one answer fits many.

``count_distinct`` and ``best_constant`` are measures as well: the report gives them for every level.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import chain, pairwise, repeat
from typing import Final, NamedTuple

from envhub.audit.subject import Breach, Subject, oracle_actions, play, require
from envhub.author import Environment, SingleTurn
from envhub.errors import SplitExhausted
from envhub.statistics import NORMAL_999, wilson

_COMMON: Final = ("0", "1", "2", "-1", "10", "100", "yes", "no", "true", "false", "A", "B", "none", "infeasible", "42")
_OFTEN: Final = 8
_FEW: Final = 0.5


class Constant(NamedTuple):
    """The best of the constant answers that were tried."""

    answer: str
    solved: int
    tried: int

    @property
    def share(self) -> float:
        """How often it is right."""
        return self.solved / self.tried if self.tried else 0.0


def count_distinct(subject: Subject, level: int, most: int | None = None) -> tuple[int, int]:
    """How many different problems there are among how many seeds; fewer seeds are taken than asked for where few exist."""
    env = subject.env(level)
    wanted = subject.depth.distinct if most is None else most
    marks: set[str] = set()
    for seed in range(wanted):
        try:
            env.reset(seed=seed)
        except SplitExhausted:
            return len(marks), seed
        marks.add(env.task.fingerprint)
    return len(marks), wanted


def best_constant(subject: Subject, level: int, problems: int | None = None) -> Constant:
    """The answer that is right most often when it is always given: of common ones, and of other problems' solutions.

    Candidates come from other seeds than those they are tried on. Where an episode has several turns, a candidate is one
    action, repeated.
    """
    count = subject.depth.constants if problems is None else problems
    single = isinstance(subject.author, SingleTurn)
    candidates = _candidates(subject, level, count)[: 2 * _OFTEN if single else _OFTEN // 2]
    solved = Counter[str]()
    env = subject.env(level)
    for seed in range(1_000_000, 1_000_000 + count):
        env.reset(seed=seed)
        for text in candidates:
            solved[text] += bool(play(env.fork(), repeat(text)).solved)
    [(text, best)] = solved.most_common(1) or [("", 0)]
    return Constant(text, best, count)


def _candidates(subject: Subject, level: int, count: int) -> list[str]:
    """The actions of oracles, most frequent first, and common answers in the form asked for."""
    actions = Counter(
        chain.from_iterable(
            oracle_actions(subject.begun(level, seed)) for seed in range(max(min(10, count), min(count // 4, 60)))
        )
    )
    frequent = [text for text, _ in actions.most_common(_OFTEN)]
    common = [subject.author.answer.wrap(text) for text in _COMMON] if hasattr(subject.author, "answer") else []
    return list(dict.fromkeys([*frequent, *common]))


def check_seeds_are_unrelated(subject: Subject) -> None:
    """Neighbouring seeds share nothing: hardly two of 60 consecutive seeds give the same content."""
    if subject.author.split_by == "none":
        return
    marks = [subject.begun(6, seed).task.fingerprint for seed in range(60)]
    require(
        all(a != b for a, b in pairwise(marks)),
        f"{subject.id}: neighbouring seeds gave the same content.",
    )
    require(len(set(marks)) >= 57, f"{subject.id}: only {len(set(marks))} of 60 seeds gave different content.")


def check_variety(subject: Subject) -> None:
    """At the easiest level half of the problems differ at least; what repeats more is no training set."""
    if subject.author.split_by == "none":
        return
    distinct, drawn = count_distinct(subject, 1, min(subject.depth.distinct, 200))
    require(distinct >= _FEW * drawn, f"{subject.id} at 1: {distinct} different problems among {drawn} seeds.")


def guess_bound(author: Environment, level: int) -> tuple[float, str]:
    """The share that a policy which reads nothing may solve at a level, and its derivation."""
    declared = author.guessable
    return declared.get(level, (0.05, "")) if isinstance(declared, Mapping) else declared


def check_constants(subject: Subject) -> None:
    """No constant answer is right more often than the environment says it may be (0.05 unless it gives a reason)."""
    for level in (1, 5, 10):
        bound, reason = guess_bound(subject.author, level)
        if not 0 <= bound <= 1 or (bound > 0.05 and not reason.strip()):
            raise Breach(f"{subject.id} at {level} gives `guessable` {bound} without its derivation.")
        best = best_constant(subject, level)
        require(
            wilson(best.solved, best.tried, NORMAL_999)[0] <= bound,
            f"{subject.id} at {level}: {best.answer[:60]!r} is right for {best.solved} of {best.tried} problems, and "
            f"{bound} is the bound.",
        )
