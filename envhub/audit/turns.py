"""Contract on messages: an episode ends after exactly the stated number.

Checked only where each message counts whatever its content; such environments override ``messages``. Games accept legal
moves only.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Final, cast

from envhub.audit.applicability import applies_if
from envhub.audit.subject import Subject, oracle_actions, play, require, where
from envhub.authoring import Environment, SingleTurn, ToolEnv
from envhub.authoring.game import Game
from envhub.core.seeding import Stream
from envhub.gymnasium.env import Env

_SEED: Final = 65
_DECISIONS: Final = 8
_TRIED: Final = 4
_WORDS: Final = 64
_FAR: Final = ("-1000000007", "1000000007", "zzzzz")


def _counts_messages(subject: Subject) -> bool:
    environment = subject.environment
    if isinstance(environment, SingleTurn) or (environment.required() and not environment.counted):
        return False
    return type(environment).messages is not Environment.messages


@applies_if(_counts_messages)
def check_messages(subject: Subject) -> None:
    """Idle episodes last as stated.

    A solution ending with the last message counts.
    """
    environment = subject.environment
    for level in (1, 5, 10):
        env = subject.started(level, _SEED)
        stated = environment.messages(env.task.problem)
        for action in _idle(env):
            twin = env.fork()
            verdict, sent = None, 0
            while verdict is None and sent < stated:
                verdict, sent = twin.episode.step(action).verdict, sent + 1
            if verdict is not None and verdict.solved:
                continue  # it was the answer
            what = f"{stated} messages are stated, and {action[:40]!r}"
            require(verdict is not None, f"{what} can be sent more often: {where(env)}.")
            require(sent == stated, f"{what} ends the episode after {sent}: {where(env)}.")
        if not isinstance(environment, ToolEnv):
            continue  # randomness may depend on the number of messages left
        late = env.fork()
        script = oracle_actions(env.fork())
        for _ in range(stated - len(script)):
            late.episode.step("")
        require(
            bool(play(late, iter(script)).solved), f"A solution that ends with the last message fails: {where(env)}."
        )


def _idle(env: Env) -> Iterator[str]:
    """Actions that solve nothing, except by chance."""
    environment = env.environment
    yield from ("", "x" * (environment.max_action_chars + 1))
    if not isinstance(environment, ToolEnv):
        yield from map(environment.answer.wrap, (environment.answer.example, *_FAR))


def _is_game(subject: Subject) -> bool:
    return isinstance(subject.environment, Game)


def _lists_illegal_answers(subject: Subject) -> bool:
    return type(subject.environment).illegal_answers is not Environment.illegal_answers


@applies_if(lambda subject: _is_game(subject) or _lists_illegal_answers(subject))
def check_legal_moves(subject: Subject) -> None:
    """A game accepts exactly the listed legal answers; never-legal answers are marked."""
    environment = subject.environment
    if _lists_illegal_answers(subject):
        _check_illegal(subject)
    if not isinstance(environment, Game):
        return
    for level in (1, 5, 10):
        env, rng = subject.started(level, _SEED), Stream(b"audit", "legal", level)
        for _ in range(_DECISIONS):
            instance, state = env.episode.instance, env.episode.state
            legal = list(environment.legal_answers(instance, state))
            for text in dict.fromkeys((legal[0], legal[-1], *rng.sample(legal, min(_TRIED, len(legal))))):
                require(_is_taken(env, text), f"{text!r} is listed as legal, and refused: {where(env)}.")
            for text in dict.fromkeys(_others(env, rng.choice(legal), rng)):
                reading = environment.answer.read(environment.answer.wrap(text))
                if reading.reason is None and _is_taken(env, text):
                    move = environment.write_move(environment.read_move(instance, state.s, reading.value))
                    require(move in legal, f"{text!r} is not legal, and taken: {where(env)}.")
            if env.episode.step(environment.answer.wrap(rng.choice(legal))).verdict is not None:
                break


def _check_illegal(subject: Subject) -> None:
    for level in (1, 5, 10):
        env = subject.started(level, _SEED)
        environment = env.environment
        for text in environment.illegal_answers(env.episode.instance):
            info = env.fork().episode.step(environment.answer.wrap(text)).info
            require(info.get("rejected") == "illegal", f"{text!r} is not legal, and taken: {where(env)}.")
        right = env.solve()
        require(
            "rejected" not in env.fork().episode.step(right).info, f"{right!r} is legal, and refused: {where(env)}."
        )


@applies_if(_is_game)
def check_payoffs(subject: Subject) -> None:
    """The least payoff of a game scores 0."""
    environment = cast(Game, subject.environment)
    for level in (1, 5, 10):
        inst = subject.started(level, _SEED).episode.instance
        worst = environment.score(inst, environment.stakes(inst)[0])
        require(worst <= 0, f"{subject.id} at {level}: the least payoff scores {worst}.")


def _is_taken(env: Env, text: str) -> bool:
    return "rejected" not in env.fork().episode.step(env.environment.answer.wrap(text)).info


def _others(env: Env, text: str, rng: Stream) -> Iterator[str]:
    """Texts near a legal answer, and actions of oracle and heuristic."""
    environment = env.environment
    yield from (f"{text} 0", f"0 {text}", f"{text} 1", text[:-1], text[1:])
    for _ in range(_TRIED):
        yield environment.answer.near(text, rng)
        yield environment.answer.random(rng)
    words = getattr(environment.answer, "words", {})
    yield from islice(words, _WORDS)
    instance, state = env.episode.instance, env.episode.state
    for action in (environment.oracle(instance, state), environment.greedy_action(instance, state, rng)):
        if action is not None:
            yield str(environment.answer.read(action).text)
