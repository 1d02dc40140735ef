"""Contract on answers.

Wrong answers never score, and no text crashes an environment.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import cycle
from typing import Final, cast

from envhub.audit.applicability import applies_if
from envhub.audit.controls import NASTY, perturbed, soup
from envhub.audit.subject import Subject, oracle_actions, play, require, where
from envhub.authoring import SingleTurn
from envhub.core.seeding import Stream
from envhub.gymnasium.env import Env
from envhub.verifiers.code.answer import Code

_PERTURBED_SHARE: Final = 0.05
_LUCKY_SHARE: Final = 0.2


def _lists_alternatives(subject: Subject) -> bool:
    environment = subject.environment
    return isinstance(environment, SingleTurn) and type(environment).alternatives is not SingleTurn.alternatives


@applies_if(_lists_alternatives)
def check_alternatives(subject: Subject) -> None:
    """Every right answer that the environment lists scores, in each form."""
    environment = cast(SingleTurn, subject.environment)
    for level in (1, 4, 7, 10):
        env = subject.env(level)
        for seed in range(40, 40 + 2 * subject.depth.controls):
            env.reset(seed=seed)
            for text in environment.alternatives(env.episode.instance):
                verdict = play(env.fork(), iter([environment.answer.wrap(text)]))
                require(bool(verdict.solved), f"{text[:60]!r} is right and is refused: {where(env)}: {verdict}.")


def check_fuzz(subject: Subject) -> None:
    """Any text gives an observation or a verdict.

    Well-formed random answers are judged.
    """
    for level in (1, 6):
        rng = Stream(b"audit", "fuzz", subject.id, level)
        for number in range(subject.depth.fuzzed):
            env = subject.started(level, number)
            actions = [soup(rng) for _ in range(3)]
            verdict = play(env, (actions[turn % 3] for turn in range(env.environment.max_turns)))
            require(verdict.status in ("graded", "no_answer"), f"Random text cannot be judged: {where(env)}.")
            if isinstance(env.environment, SingleTurn) and not env.environment.resources:
                env = subject.started(level, number)
                verdict = play(env, iter([env.random_action(rng)]))
                require(verdict.status == "graded", f"A well-formed answer is not judged: {where(env)}: {verdict}.")


def check_wrong_answers(subject: Subject) -> None:
    """Non-solutions score as not solved."""
    for level in (1, 4, 7, 10):
        others = [oracle_actions(subject.started(level, seed)) for seed in range(100, 100 + subject.depth.others)]
        lucky = 0
        for seed in range(subject.depth.controls):
            env = subject.started(level, seed)
            right = oracle_actions(env.fork())
            if isinstance(env.environment, SingleTurn) or (level, seed) == (1, 0):
                for text in NASTY:
                    _refuse(env, iter([text] * env.environment.max_turns), f"{text[:40]!r}")
            else:  # if an episode has many turns, all texts go into one episode of the other problems
                _refuse(env, cycle(NASTY), "garbage")
            hidden = not isinstance(env.environment, SingleTurn) or isinstance(env.environment.answer, Code)
            if hidden:  # a hidden answer may be found by chance, and two small programs may be equivalent
                lucky += sum(_passes(env, _then(other, "")) for other in others if other[-1] != right[-1])
            if isinstance(env.environment, SingleTurn):
                for other in () if hidden else others:
                    if other[-1] != right[-1]:
                        _refuse(env, _then(other, ""), "the solution of another problem")
                inner = env.environment.solve(env.episode.instance)
                _check_single(env, right[0], inner, [other[0] for other in others])
        tried = subject.depth.controls * len(others)
        require(
            lucky <= _LUCKY_SHARE * tried,
            f"{subject.id} at {level}: the actions that solve another problem solve {lucky} of {tried}.",
        )


def _check_single(env: Env, right: str, inner: str, others: Sequence[str]) -> None:
    """Controls derived from a right answer: hidden, hedged, listed, negated, perturbed, buried."""
    answer = env.environment.answer
    value = answer.read(right).value
    wrong = [other for other in others if answer.read(other).value != value]
    _refuse(env, iter([f"<think>{right}</think>"]), "a right answer that was only thought")
    _refuse(env, iter([env.task.prompt]), "the prompt echoed")
    _refuse(env, iter([right + "x" * env.environment.max_action_chars]), "a right answer in too long a text")
    for other in wrong:
        hedges = [f"{right}\n{other}", f"{right} or {other}", f"{other}\n{right}"]
        for hedge in hedges[: 2 if answer.last_counts else 3]:
            _refuse(env, iter([hedge]), "a hedge")
    if wrong:
        listed = [right, *wrong] if answer.last_counts else [*wrong, right]
        _refuse(env, iter(["\n".join(listed)]), "a list that holds the right answer")
    if answer.refused and not env.environment.resources:  # the environment rejects what it cannot read
        for remark in (
            f"perhaps {inner}",
            f"the old {inner} there",
            f"{inner} unless it rains",
            "perhaps",
            "some thing " * 7,
        ):
            verdict = play(env.fork(), iter([answer.wrap(remark)]))
            require(
                verdict.status == "no_answer", f"{remark[:40]!r} is judged, not unreadable: {where(env)}: {verdict}."
            )
    if not answer.prose:
        _check_changed(env, inner, value)


def _check_changed(env: Env, inner: str, value: object) -> None:
    """A right answer negated, or with one letter or digit changed."""
    answer = env.environment.answer
    for negated in (f"not {inner}", f"-{inner}", f"anything but {inner}"):
        if answer.read(answer.wrap(negated)).value != value:
            _refuse(env, iter([answer.wrap(negated)]), "a right answer negated")
    solved = tried = 0
    for changed in perturbed(inner):
        reading = answer.read(answer.wrap(changed))
        if reading.reason is None and reading.value != value:
            tried += 1
            solved += bool(play(env.fork(), iter([answer.wrap(changed)])).solved)
    # a program may be equivalent with a letter changed
    allowed = 0 if env.environment.unique else max(_PERTURBED_SHARE * tried, float(answer.last_counts))
    allowed = tried if answer.tolerant else allowed
    require(solved <= allowed, f"{solved} of {tried} perturbed answers pass: {where(env)}.")


def _refuse(env: Env, actions: Iterator[str], what: str) -> None:
    require(not _passes(env, actions), f"{what} passes as solved: {where(env)}.")


def _passes(env: Env, actions: Iterator[str]) -> bool:
    verdict = play(env.fork(), actions)
    return bool(verdict.solved) or verdict.score == 1.0


def _then(actions: Sequence[str], rest: str) -> Iterator[str]:
    yield from actions
    while True:
        yield rest
