"""Contract on near misses: no verifier may accept a nearly right answer.

If one answer is right (``unique``), every other value is wrong. A number is also assumed to be the only right one,
unless the environment lists others in ``alternatives``. The environment lists further known wrong answers in
``mistakes``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from itertools import chain, islice
from typing import Any, Final

from envhub.audit.applicability import applies_if
from envhub.audit.subject import Subject, oracle_actions, play, require, where
from envhub.authoring import SingleTurn, ToolEnv
from envhub.core.difficulty import LEVELS
from envhub.core.seeding import Stream
from envhub.gymnasium.env import Env
from envhub.verifiers.answers.types import Integer, Rational

_NEAR: Final = 16
_NUMBERS: Final = 96
_LONG: Final = 400
_NUMBER = re.compile(r"(?<![\w.])-?[0-9]+(?![\w.])")
_WORD = re.compile(r"[^\W\d_]{2,}")
_PART = re.compile(r"\n|, ")
_MODULI: Final = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 16, 20, 60, 64, 100, 1000, 10**6)


def _is_probed(subject: Subject) -> bool:
    """Whether wrong answers are known without asking the verifier."""
    environment = subject.environment
    if not isinstance(environment, SingleTurn):
        return isinstance(environment, ToolEnv) and environment.unique
    says = type(environment).mistakes is not SingleTurn.mistakes
    return environment.unique or says or isinstance(environment.answer, (Integer, Rational))


@applies_if(_is_probed)
def check_leniency(subject: Subject) -> None:
    """No near miss is right: changed numbers, structures, words, and usual mistakes."""
    environment = subject.environment
    for level in LEVELS:
        env = subject.env(level)
        for seed in range(70, 70 + subject.depth.controls):
            env.reset(seed=seed)
            if isinstance(environment, SingleTurn):
                _check_answer(env, environment, Stream(b"audit", "near", level, seed))
            else:
                _check_last_call(env, Stream(b"audit", "near", level, seed))


def _check_answer(env: Env, environment: SingleTurn, rng: Stream) -> None:
    answer, instance = environment.answer, env.episode.instance
    inner = environment.solve(instance)
    for text in environment.mistakes(instance):
        _refuse(env, [answer.wrap(text)], text, inner)
    number = isinstance(answer, (Integer, Rational))
    if not environment.unique and not number:
        return
    right = [
        answer.read(answer.wrap(text)).value
        for text in (inner, *([] if environment.unique else environment.alternatives(instance)))
    ]
    told = [int(found) for found in _NUMBER.findall(env.task.prompt) if len(found) < _LONG]
    near = [answer.near(inner, rng) for _ in range(5 * _NEAR)]
    kinds = [list(changed_numbers(inner, told, rng)), near, list(changed_words(inner, rng)), list(changed_parts(inner))]
    for kind, most in zip(kinds, (_NUMBERS, _NEAR, _NEAR, _NEAR), strict=True):
        texts = dict.fromkeys(kind)
        readings = ((text, answer.read(answer.wrap(text))) for text in texts)
        others = (
            text
            for text, reading in readings
            if reading.reason is None and not any(answer.same(reading.value, value) for value in right)
        )
        for text in islice(others, most):
            _refuse(env, [answer.wrap(text)], text, inner)


def _check_last_call(env: Env, rng: Stream) -> None:
    """Change one leaf of the arguments that end the episode."""
    script = oracle_actions(env.fork())
    match = re.search(r"\{.*\}", script[-1], re.DOTALL)
    if match is None:
        return
    call = json.loads(match[0])
    for name, value in call.get("arguments", {}).items():
        text = str(value)
        if isinstance(value, bool) or not isinstance(value, (int, str)):
            continue
        changed = chain(changed_numbers(text, [], rng), changed_words(text, rng))
        for other in islice(dict.fromkeys(changed), _NEAR):
            given = int(other) if isinstance(value, int) else other
            arguments = {**call["arguments"], name: given}
            action = script[-1].replace(match[0], json.dumps({**call, "arguments": arguments}))
            _refuse(env, [*script[:-1], action], other, text)


def _refuse(env: Env, actions: Sequence[str], wrong: str, right: str) -> None:
    twin = env.fork()
    passed = play(twin, chain(actions, iter(lambda: "", None))).solved
    require(not passed, f"{wrong[:80]!r} passes, and {right[:80]!r} is right: {where(env)}.")


def changed_numbers(text: str, told: Sequence[int], rng: Stream) -> Iterator[str]:
    """The text with one number changed.

    One off, congruent, a number from the prompt more or less, a multiple, cut.
    """
    places = [match for match in _NUMBER.finditer(text) if len(match[0]) < _LONG]
    if len(places) > 1:
        rng.shuffle(places)
    steps = dict.fromkeys(step for step in (*_MODULI, *told[:16]) if step)
    for match in places[:8]:
        number = int(match[0])
        others: list[Any] = [number + sign * step for step in steps for sign in (1, -1)]
        others += [-number, 2 * number, 3 * number, 10 * number, number * number, number // 2, *told[:16]]
        digits = match[0].lstrip("-")
        others += [digits[:-1], digits[1:], digits[::-1]] if len(digits) > 1 else [0]
        if len(places) > 1:
            rng.shuffle(others)
        for other in others:
            yield text[: match.start()] + str(other) + text[match.end() :]


def changed_words(text: str, rng: Stream) -> Iterator[str]:
    """The text with one word misspelt or omitted."""
    places = list(_WORD.finditer(text))
    rng.shuffle(places)
    for match in places[:4]:
        word, before, after = match[0], text[: match.start()], text[match.end() :]
        at = 1 + rng.below(len(word) - 1)
        letter = "e" if word[at].casefold() != "e" else "o"
        for other in (word[:at] + letter + word[at + 1 :], word[:-1], word[:at] + word[at:] + word[-1], word[::-1]):
            yield before + other + after
        if len(places) > 1 and word.casefold() != "the":  # names may be omitted
            yield " ".join((before + after).split())


def changed_parts(text: str) -> Iterator[str]:
    """The text with one part omitted, repeated, or swapped with the next.

    Parts are lines, or separated by commas.
    """
    parts = _PART.split(text)
    if len(parts) < 2:
        return
    between = "\n" if "\n" in text else ", "
    for at in range(min(len(parts), _NEAR)):
        yield between.join(parts[:at] + parts[at + 1 :])
        yield between.join([*parts[: at + 1], *parts[at:]])
        if at + 1 < len(parts):
            yield between.join([*parts[:at], parts[at + 1], parts[at], *parts[at + 2 :]])
