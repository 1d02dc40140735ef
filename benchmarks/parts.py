"""Where the time of a step and of a reset goes: ``python -m benchmarks.parts``.

Prints microseconds of CPU per call of each part, nested parts below the one that calls them. Every call is repeated in short
windows; the smallest window counts, because load on the machine can only add to it.
"""

from __future__ import annotations

import timeit
from collections.abc import Callable
from time import process_time
from typing import Any, Final

import envhub
from envhub.authoring.wording import Wording
from envhub.authoring.wording.kept import MANY
from envhub.core.seeding import Stream
from envhub.episodes.episode import Episode

_CALLS, _WINDOWS = 20, 1_000
_LONG: Final = f"<think>{'The number may be anything up to ten. ' * 27}</think>\nMy guess is\n"
_GAMES: Final[dict[str, tuple[dict[str, Any], str]]] = {
    "tic-tac-toe-v0": ({"boards": 1, "plies": 0, "luck": [0, 30], "rule": [0, 1.01]}, "5"),
    "connect-four-v0": ({"win_in": 0, "plies": 0}, "4"),
    "kuhn-poker-v0": ({"hands": 3}, "check"),
}


def microseconds(call: Callable[[], object]) -> float:
    """CPU microseconds of a call in the best window."""
    windows = timeit.repeat(call, timer=process_time, number=_CALLS, repeat=_WINDOWS)
    return min(windows) / _CALLS * 1e6


def guess_number() -> list[tuple[int, str, Callable[[], object]]]:
    """The parts of a step and of a reset: depth, name, call."""
    env = envhub.make("guess-number-v0", low=1, high=10, guesses=4)
    for _ in range(2 * MANY):  # so many prompts that the choices of wordings are tabulated
        env.reset(seed=5)
    episode, source, environment = env.episode, env.source.of(None), env.environment
    task, instance, state = episode.task, episode.instance, episode.state
    wrong = "<answer>8</answer>" if instance.key != 8 else "<answer>7</answer>"
    right = environment.answer.wrap(str(instance.key))
    rng, value, wording = task.key.stream("turn", 0, 0), 8 if instance.key != 8 else 7, Wording(1234)
    params = source.params(source.difficulty)  # type: ignore[arg-type]
    return [
        (0, "step", lambda: _again(episode, lambda: env.step(wrong))),
        (1, "the episode's step: limits, randomness, journal", lambda: _again(episode, lambda: episode.step(wrong))),
        (2, "the environment's advance", lambda: environment.advance(instance, state, wrong, rng)),
        (3, "reading the bare answer", lambda: environment.answer.glance(wrong)),
        (3, "the rules: act", lambda: environment.act(instance, state, value, rng)),  # type: ignore[attr-defined]
        (
            0,
            "reading an answer after a thousand characters of thoughts",
            lambda: environment.answer.read(_LONG + wrong),
        ),
        (0, "last step, with verdict and reward", lambda: _again(episode, lambda: env.step(right))),
        (0, "reset", lambda: env.reset(seed=5)),
        (1, "drawing the task", lambda: source.draw(5)),
        (2, "sample: one stream, two hashes", lambda: environment.sample(Stream(task.key.root, "sample", 0), params)),
        (2, "drawing the wording: one stream, two hashes", lambda: Wording.of(task.key)),
        (2, "the prompt in its wording", lambda: environment.opening(instance.problem, wording)),
        (1, "the episode", lambda: Episode(environment, task, instance)),
    ]


def game(id: str, params: dict[str, Any], move: str) -> list[tuple[int, str, Callable[[], object]]]:
    """A step and a reset of a game in which the policy plays both seats."""
    env = envhub.make(id, opponent="self", **params)
    env.reset(seed=1)
    action, episode = f"<answer>{move}</answer>", env.episode
    step = (0, f"{id}: step", lambda: _again(episode, lambda: env.step(action)))
    again = envhub.make(id, opponent="self", **params)
    return [step, (0, f"{id}: reset", lambda: again.reset(seed=1))]


def _again(episode: Episode, step: Callable[[], object]) -> None:
    """Take the first turn once more."""
    episode.turns.clear()
    episode._records.clear()
    step()


if __name__ == "__main__":
    rows = [*guess_number(), *(row for id, (params, move) in _GAMES.items() for row in game(id, params, move))]
    for depth, name, call in rows:
        print(f"{microseconds(call):6.2f}  {'  ' * depth}{name}", flush=True)
