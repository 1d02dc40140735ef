"""The contract on the number of messages: an episode ends after as many as the environment states, neither sooner nor later.

Only where each message counts, whatever is in it: there the environment overrides ``messages``. In games the legal moves, and
no others, are taken.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Final

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


def check_messages(subject: Subject) -> None:
    """Idle episodes last as long as stated, and a solution that ends with the last message counts."""
    environment = subject.environment
    if (
        type(environment).messages is Environment.messages
        or isinstance(environment, SingleTurn)
        or environment.resources
    ):
        return
    for level in (1, 5, 10):
        env = subject.begun(level, _SEED)
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
            continue  # chance may depend on the number of messages left
        late = env.fork()
        script = oracle_actions(env.fork())
        for _ in range(stated - len(script)):
            late.episode.step("")
        require(
            bool(play(late, iter(script)).solved), f"A solution that ends with the last message fails: {where(env)}."
        )


def _idle(env: Env) -> Iterator[str]:
    """Actions that solve nothing, but by luck."""
    environment = env.environment
    yield from ("", "x" * (environment.max_action_chars + 1))
    if not isinstance(environment, ToolEnv):
        yield from map(environment.answer.wrap, (environment.answer.example, *_FAR))


def check_legal_moves(subject: Subject) -> None:
    """A game takes every legal answer that it lists, and no other."""
    environment = subject.environment
    if not isinstance(environment, Game):
        return
    for level in (1, 5, 10):
        env, rng = subject.begun(level, _SEED), Stream(b"audit", "legal", level)
        for _ in range(_DECISIONS):
            instance, state = env.episode.instance, env.episode.state
            legal = list(environment.legal_answers(instance, state))
            for text in rng.sample(legal, min(_TRIED, len(legal))):
                require(_is_taken(env, text), f"{text!r} is listed as legal, and refused: {where(env)}.")
            for text in dict.fromkeys(_others(env, rng.choice(legal), rng)):
                reading = environment.answer.read(environment.answer.wrap(text))
                if reading.reason is None and _is_taken(env, text):
                    move = environment.write_move(environment.read_move(instance, state.s, reading.value))
                    require(move in legal, f"{text!r} is not legal, and taken: {where(env)}.")
            if env.episode.step(environment.answer.wrap(rng.choice(legal))).verdict is not None:
                break


def _is_taken(env: Env, text: str) -> bool:
    return "rejected" not in env.fork().episode.step(env.environment.answer.wrap(text)).info


def _others(env: Env, text: str, rng: Stream) -> Iterator[str]:
    """Texts near a legal answer, and what the oracle and a rule of thumb do."""
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
