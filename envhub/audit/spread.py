"""Contract on variety: seeds are unrelated, and problems rarely repeat.

``count_distinct`` is a measure as well: the report gives it for every level.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Final

from envhub.audit.applicability import applies_if
from envhub.audit.subject import Breach, Subject, require
from envhub.authoring import SingleTurn
from envhub.core.errors import EnvhubError, SplitExhausted
from envhub.core.seeding import SPLITS

_FEW: Final = 0.5
_EASIEST: Final = 200


def count_distinct(subject: Subject, level: int, most: int | None = None) -> tuple[int, int]:
    """Numbers of distinct problems and seeds drawn; fewer seeds where few exist."""
    env = subject.env(level)
    wanted = subject.depth.distinct if most is None else most
    fingerprints: set[str] = set()
    for seed in range(wanted):
        try:
            env.reset(seed=seed)
        except SplitExhausted:
            return len(fingerprints), seed
        fingerprints.add(env.task.fingerprint)
    return len(fingerprints), wanted


def check_draws(subject: Subject) -> None:
    """Every seed of every split and level gives a task."""
    for level in subject.levels:
        for split in SPLITS:
            env = subject.env(level, split=split)
            for seed in range(subject.depth.draws):
                try:
                    env.reset(seed=seed)
                except EnvhubError as error:
                    raise Breach(
                        f"{subject.id} at {level}, {split}, seed {seed}: {type(error).__name__}: {error}"
                    ) from error


@applies_if(lambda subject: subject.environment.split_by != "none")
def check_seeds_are_unrelated(subject: Subject) -> None:
    """At most a few of 60 consecutive seeds give the same content."""
    fingerprints = [subject.started(6, seed).task.fingerprint for seed in range(60)]
    require(
        all(a != b for a, b in pairwise(fingerprints)),
        f"{subject.id}: neighbouring seeds gave the same content.",
    )
    require(
        len(set(fingerprints)) >= 57, f"{subject.id}: only {len(set(fingerprints))} of 60 seeds gave different content."
    )


@applies_if(lambda subject: subject.environment.split_by != "none")
def check_variety(subject: Subject) -> None:
    """At the easiest level, at least half of the problems are distinct."""
    found = easiest(subject)
    distinct = len({fingerprint for fingerprint, _ in found})
    require(
        distinct >= _FEW * len(found), f"{subject.id} at 1: {distinct} different problems among {len(found)} seeds."
    )


def easiest(subject: Subject) -> list[tuple[str, str]]:
    """Fingerprints and answers of problems of level 1, drawn once.

    The answer is empty if an episode has many turns.
    """
    return subject.once(("easiest",), lambda: _drawn_at_1(subject))


def _drawn_at_1(subject: Subject) -> list[tuple[str, str]]:
    env, single = subject.env(1), isinstance(subject.environment, SingleTurn)
    found: list[tuple[str, str]] = []
    for seed in range(min(subject.depth.distinct, _EASIEST)):
        try:
            env.reset(seed=seed)
        except SplitExhausted:
            break
        found.append((env.task.fingerprint, env.solve() if single else ""))
    return found
