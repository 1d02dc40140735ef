"""Blind policies: the share solvable without seeing observations.

Constants, fixed cycles, the first, last or a random legal answer, another task's actions. Candidates are screened on a
few problems, and the best is judged on fresh ones, so that the selection does not inflate its share.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain, combinations, permutations
from typing import Final, NamedTuple

from envhub.audit.spread import easiest
from envhub.audit.subject import Subject, oracle_actions, oracle_scripts, play, require
from envhub.authoring import Environment, SingleTurn
from envhub.core.difficulty import LEVELS
from envhub.core.seeding import Stream
from envhub.core.statistics import NORMAL_999, wilson
from envhub.gymnasium.env import Env

_COMMON: Final = ("0", "1", "2", "-1", "10", "100", "yes", "no", "true", "false", "A", "B", "none", "infeasible", "42")
_OFTEN: Final = 8
_CYCLED: Final = 4
_ORACLES: Final = 60
_EASY: Final = 3
_DEFAULT: Final = 0.05
_FRESH: Final = 1_500_000
_EASY_PROBLEMS: Final = 100
"""Fresh problems of level 1, which are cheap, for an answer that repeats."""
_NUMBER: Final = re.compile(
    r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve|half|third|quarter|both|every|all)\b", re.I
)

Playing = Callable[[Env, Stream], Iterator[str]]


class Policy(NamedTuple):
    """A policy that sees no observation.

    Attributes:
        name: ``always <answer>yes</answer>``, ``cycle of 2: left, down``, ``first legal answer``.
        actions: Its endless actions in an episode.
    """

    name: str
    actions: Playing


class Blind(NamedTuple):
    """The best blind policy of a level, measured on fresh problems."""

    policy: str
    solved: int
    tried: int

    @property
    def share(self) -> float:
        """Share of problems it solves."""
        return self.solved / self.tried if self.tried else 0.0


def blind_policies(subject: Subject, level: int) -> list[Policy]:
    """The blind policies tried at a level, most promising kinds first."""
    environment = subject.environment
    wrap = environment.answer.wrap if hasattr(environment, "answer") else str
    most = max(min(10, subject.depth.constants), min(subject.depth.constants // 4, _ORACLES))
    scripts = [oracle_actions(subject.started(level, seed)) for seed in range(most)]
    frequent = [text for text, _ in Counter(chain.from_iterable(scripts)).most_common(_OFTEN)]
    env = subject.started(level, 0)
    legal = [wrap(text) for text in environment.legal_answers(env.episode.instance, env.episode.state)]
    found = [Policy("random answer", _random), *(_legal() if legal else ())]
    if not isinstance(environment, SingleTurn):
        found += [_cycle([wrap(text) for text in texts]) for texts in environment.cycles]
        found += [_cycle(script) for script in scripts[: subject.depth.others] if len(set(script)) > 1]
    found += [_cycle([text]) for text in frequent]
    if not isinstance(environment, SingleTurn):
        few = list(dict.fromkeys([*frequent, *legal]))[:_CYCLED]
        found += [_cycle(texts) for texts in _short_cycles(few)]
    if hasattr(environment, "answer"):
        found += [_cycle([wrap(text)]) for text in _COMMON]
    named = {policy.name: policy for policy in found}
    return list(named.values())[: subject.depth.policies]


def _cycle(texts: Sequence[str]) -> Policy:
    name = f"always {texts[0]}" if len(texts) == 1 else f"cycle of {len(texts)}: {', '.join(texts)}"

    def actions(env: Env, rng: Stream) -> Iterator[str]:
        while True:
            yield from texts

    return Policy(name, actions)


def _short_cycles(texts: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Distinct cycles of two to four steps.

    Includes those that return to a middle step.
    """
    yield from combinations(texts, 2)
    for middle in texts:
        for one, other in combinations([text for text in texts if text != middle], 2):
            yield one, middle, other, middle
    for size in range(3, len(texts) + 1):
        for chosen in combinations(texts, size):
            yield from ((chosen[0], *rest) for rest in permutations(chosen[1:]))


def _random(env: Env, rng: Stream) -> Iterator[str]:
    while True:
        yield env.random_action(rng)


def _legal() -> Iterator[Policy]:
    picks: dict[str, Callable[[Sequence[str], Stream], str]] = {
        "first legal answer": lambda legal, rng: legal[0],
        "last legal answer": lambda legal, rng: legal[-1],
        "random legal answer": lambda legal, rng: rng.choice(legal),
    }
    for name, pick in picks.items():

        def actions(env: Env, rng: Stream, pick: Callable[[Sequence[str], Stream], str] = pick) -> Iterator[str]:
            environment = env.environment
            while True:
                legal = environment.legal_answers(env.episode.instance, env.episode.state)
                yield environment.answer.wrap(pick(legal, rng)) if legal else env.random_action(rng)

        yield Policy(name, actions)


def best_blind(subject: Subject, level: int) -> Blind:
    """The best blind policy of a level, chosen and measured once.

    All candidates play a few problems, the better ones some more, and the best ``depth.constants`` fresh problems.
    """
    return subject.once(("best blind", level), lambda: _measured(subject, level))


def _measured(subject: Subject, level: int) -> Blind:
    count = subject.depth.constants
    left = blind_policies(subject, level)
    env = subject.env(level)
    solved = Counter[str]()
    seed = 1_000_000
    for problems, kept in ((max(1, count // 8), max(4, len(left) // 4)), (max(1, count // 3), 1)):
        for at in range(seed, seed + problems):
            _play_all(env, at, left, solved)
        seed += problems
        left = sorted(left, key=lambda policy: -solved[policy.name])[:kept]
    return _on_fresh_problems(subject, level, left[0], count)


def _on_fresh_problems(subject: Subject, level: int, policy: Policy, count: int) -> Blind:
    """The share of fresh problems that one policy solves.

    A share above its bound is measured on four times as many problems, to make a breach certain.
    """
    env, hits = subject.env(level), Counter[str]()
    for at in range(_FRESH, _FRESH + count):
        _play_all(env, at, [policy], hits)
    if hits[policy.name] / count <= blind_bound(subject.environment, level):
        return Blind(policy.name, hits[policy.name], count)
    for at in range(_FRESH + count, _FRESH + 4 * count):
        _play_all(env, at, [policy], hits)
    return Blind(policy.name, hits[policy.name], 4 * count)


def repeated_answer(subject: Subject, level: int) -> Blind | None:
    """The most common right answer, measured on fresh problems.

    Other checks draw problems of level 1 and play the oracle at all levels, so it costs nothing to see that answers
    repeat. None if they do not, if an episode has many turns, or if an answer takes a job to judge.
    """
    if not isinstance(subject.environment, SingleTurn) or subject.environment.resources:
        return None
    first = level == 1
    seen = [text for _, text in easiest(subject)] if first else [text for [text] in oracle_scripts(subject, level)]
    [(text, count)] = Counter(seen).most_common(1)
    if count == 1 or wilson(count, len(seen))[0] <= blind_bound(subject.environment, level):
        return None
    fresh = max(_EASY_PROBLEMS if first else 0, subject.depth.constants)
    return _on_fresh_problems(subject, level, _cycle([text]), fresh)


def _play_all(env: Env, seed: int, policies: Sequence[Policy], solved: Counter[str]) -> None:
    env.reset(seed=seed)
    for policy in policies:
        rng = Stream(seed.to_bytes(8, "little"), "audit", "blind")
        twin = env.fork()
        solved[policy.name] += bool(play(twin, policy.actions(twin, rng)).solved)


def guess_bound(environment: Environment, level: int) -> tuple[float, str]:
    """Allowed share for a blind policy at a level, and its derivation."""
    declared = environment.guessable
    return declared.get(level, (_DEFAULT, "")) if isinstance(declared, Mapping) else declared


def blind_bound(environment: Environment, level: int) -> float:
    """What a blind policy may reach at a level.

    It is the guessable share, or an exact ceiling below it.
    """
    bound, _ = guess_bound(environment, level)
    return bound if environment.ceiling is None else min(bound, environment.ceiling.solved[level - 1])


def check_guessable(subject: Subject) -> None:
    """The declared guessable share is valid.

    Above 0.05 it must be derived from the answer space. Above level 3 the derivation must state its number: two
    actions, 1 of 4 choices.
    """
    for level in LEVELS:
        bound, reason = guess_bound(subject.environment, level)
        where = f"{subject.id} at {level}: `guessable` {bound}"
        require(0 <= bound <= 1, f"{where} is no share.")
        require(bound <= _DEFAULT or bool(reason.strip()), f"{where} has no derivation.")
        derived = level <= _EASY or bound <= _DEFAULT or _NUMBER.search(reason) is not None
        require(derived, f"{where} is above {_DEFAULT}, and its derivation names no number of answers: {reason!r}.")


def check_blind_policies(subject: Subject) -> None:
    """No blind policy exceeds the declared share (0.05 unless more is derived).

    A fast audit tries all of them at three levels, and the most common answer at every level.
    """
    check_guessable(subject)
    found = []
    tried = [(level, best_blind(subject, level)) for level in subject.levels]
    for level, best in (*tried, *((level, repeated_answer(subject, level)) for level in LEVELS)):
        bound = blind_bound(subject.environment, level)
        if best is not None and wilson(best.solved, best.tried, NORMAL_999)[0] > bound:
            found.append(
                f"at {level} the policy {best.policy[:120]!r} sees nothing and solves {best.solved} of {best.tried} problems; "
                f"{bound:.3g} is the bound"
            )
    require(not found, f"{subject.id}: {'; '.join(found)}.")
