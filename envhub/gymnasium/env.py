"""Gymnasium environment for one episode at a time.

::

    env = envhub.make("countdown-v0", difficulty=4)
    observation, info = env.reset(seed=1)
    observation, reward, terminated, truncated, info = env.step("<answer>3 * 8</answer>")
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any, Self

import gymnasium
import numpy as np

from envhub.authoring import Environment
from envhub.core.errors import EpisodeOver, InvalidParameters, JudgementError
from envhub.core.seeding import MAX_SEED, Stream, check_seed, check_turn_seed
from envhub.core.types import JSON, Task, Turn
from envhub.episodes.episode import Episode
from envhub.episodes.outcomes import Step, five_tuple
from envhub.episodes.rerun import CHECKER
from envhub.episodes.snapshots import snapshot_key
from envhub.gymnasium.space import TextSpace
from envhub.scenes import Scene
from envhub.scenes.picture import plain
from envhub.tasks.options import Options
from envhub.tasks.sampling import Source


class BaseEnv(gymnasium.Env[str, str]):
    """Base class of local and remote environments: spaces, seeds and step results."""

    metadata: dict[str, Any] = {"render_modes": ["ansi"], "render_fps": 1}  # noqa: RUF012 (Gymnasium's own declaration)

    def __init__(self, options: Options, max_action_chars: int, max_observation_chars: int) -> None:
        self.options = options
        self.render_mode = "ansi"
        self._limit(max_action_chars, max_observation_chars)
        self._seeds: Stream | None = None
        self._seeded: int | None = None
        self._generator: np.random.Generator | None = None
        self._textual = options.observation == "text"

    def _limit(self, max_action_chars: int, max_observation_chars: int) -> None:
        self.action_space = TextSpace(max_action_chars)
        pictures = int(self.options.observation != "text")
        self.observation_space = TextSpace(
            max_observation_chars + 64, pictures=pictures
        )  # room for the note that it was cut

    @property
    def _np_random(self) -> np.random.Generator | None:
        """Gymnasium's generator, created on first access; envhub does not draw from it."""
        if self._generator is None and self._seeded is not None:
            self._generator = np.random.default_rng(self._seeded)
        return self._generator

    @_np_random.setter
    def _np_random(self, value: np.random.Generator | None) -> None:
        self._generator = value

    def _next_seed(self, seed: int | None) -> int:
        """The given seed, or the next of the last given seed's sequence."""
        if seed is None:
            if self._seeds is None:
                first = self._seeded
                if first is None:
                    self._seeded = self._np_random_seed = first = secrets.randbelow(MAX_SEED + 1)
                self._seeds = Stream(first.to_bytes(8, "little"), "resets")
            return self._seeds.bits(63)
        if type(seed) is not int or not 0 <= seed <= MAX_SEED:
            seed = check_seed(seed)
        self._seeds = self._generator = None  # made when they are asked for
        self._seeded = self._np_random_seed = seed
        return seed

    def _result(self, turn: Turn) -> Step:
        """The five-tuple of a turn."""
        if turn.verdict is None:
            return turn.observation, 0.0, False, False, turn.info
        error = turn.verdict.error
        if error is not None and self.options.on_error == "raise":
            raise JudgementError(f"{error.code}: {error.reason}")
        return five_tuple(turn, self.options.reward)


class Env(BaseEnv):
    """An environment in this process, made by :func:`envhub.make`.

    Args:
        source: Draws the tasks.
        options: Answer format, system message, reward and error handling.
        turn_seed: Seed of per-turn randomness; override it for one episode with ``reset(options={"turn_seed": k})``.
    """

    def __init__(self, source: Source, options: Options, turn_seed: int = 0) -> None:
        super().__init__(options, *source.limits)
        self.source = source
        self._turn_seed = check_turn_seed(turn_seed)
        self._episode: Episode | None = None

    def __repr__(self) -> str:
        state = "before reset" if self._episode is None else f"seed {self.task.seed}, turn {len(self._episode.turns)}"
        return f"<Env {self.source!r}, {state}>"

    @property
    def environment(self) -> Environment:
        """The environment being played.

        Raises:
            EpisodeOver: Before the first reset, which selects the environment of a mixture.
        """
        return self.source.of(None if self._episode is None else self._episode.task.env_id).environment

    @property
    def episode(self) -> Episode:
        """The episode in progress.

        Raises:
            EpisodeOver: Before the first reset.
        """
        if self._episode is None:
            raise EpisodeOver("No episode has begun. Call reset() first.")
        return self._episode

    @property
    def task(self) -> Task:
        """The task of the current episode."""
        return self.episode.task

    @property
    def messages(self) -> list[dict[str, JSON]]:
        """The conversation as chat messages, ending with the one to answer."""
        return self.episode.messages(self.options.system)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[str, dict[str, Any]]:
        """Begin an episode.

        Args:
            seed: Seed of the task, 0 .. 2**63 - 1; None continues the sequence that the last given seed started.
            options: ``{"turn_seed": k}`` overrides the seed of per-turn randomness for this episode.

        Returns:
            The observation (the prompt) and an info with ``difficulty`` and ``split``, and with ``images`` if pictures
            belong to the observation (:class:`envhub.scenes.picture.Picture`).

        Raises:
            InvalidParameters: The seed or an option is invalid.
            SplitExhausted: No problem of the split was found for this seed.
        """
        source, turn_seed = self.source, self._turn_seed
        task, instance = source.draw(self._next_seed(seed))
        if options:
            for name in options:
                if name != "turn_seed":
                    raise InvalidParameters(f"reset() takes the option 'turn_seed', got {name!r}.")
            turn_seed = check_turn_seed(options["turn_seed"])
        if self._episode is not None:
            self._episode.close()
        self._episode = Episode(source.of(task.key.env_id).environment, task, instance, turn_seed, CHECKER)
        return task.prompt, self._with_images(task.opening_info())

    def step(self, action: str) -> Step:
        """Take one turn.

        Args:
            action: Text written by the policy; any string.

        Returns:
            Observation, reward (0.0 before the end; NaN if the answer could not be judged), terminated, truncated, and info
            (with ``verdict`` at the end, and ``error`` if judging failed).

        Raises:
            EpisodeOver: The episode has ended or not begun.
            InvalidAction: ``action`` is not a ``str``.
            JudgementError: The answer could not be judged, and ``on_error="raise"``.
        """
        episode = self._episode or self.episode
        turn = episode.step(action)
        if turn.verdict is None:
            info = turn.info if self._textual else self._with_images(turn.info)
            return turn.observation, 0.0, False, False, info
        self.source.report(episode.task, turn.verdict.solved)
        ended = self._result(turn)
        return ended if self._textual else (*ended[:4], self._with_images(ended[4]))

    def _with_images(self, info: dict[str, Any]) -> dict[str, Any]:
        """The info, with the pictures of the current observation."""
        return {**info, "images": self.episode.pictures()} if self.options.observation != "text" else info

    def scene(self) -> Scene | None:
        """The current state as a scene; None without a picture.

        Raises:
            EpisodeOver: Before the first reset.
        """
        return self.episode.scene()

    def render(self) -> str:
        """The conversation so far as text."""
        return "\n\n".join(f"[{message['role']}]\n{plain(message['content'])}" for message in self.messages)

    def solve(self) -> str:
        """The oracle's next action. Not available over a network.

        Raises:
            EpisodeOver: The episode has ended or not begun.
        """
        return self.episode.oracle()

    def random_action(self, rng: Stream) -> str:
        """A random well-formed action."""
        return self.environment.random_action(self.episode.instance, self.episode.state, rng)

    def greedy_action(self, rng: Stream) -> str | None:
        """The action of a simple heuristic.

        It sees only what a policy sees.
        """
        return self.environment.greedy_action(self.episode.instance, self.episode.state, rng)

    def snapshot(self) -> dict[str, JSON]:
        """The episode as JSON values: task key, journal and turn seed.

        No answer key.

        Raises:
            EpisodeOver: Before the first reset.
        """
        return self.episode.snapshot()

    def restore(self, snapshot: Mapping[str, JSON]) -> Self:
        """Continue from a snapshot of this environment with any parameters.

        Performs no effect.

        Raises:
            SnapshotMismatch: It is of another environment or answer format, or its journal does not match.
            InvalidParameters: Its task key is invalid.
        """
        source = self.source.of(snapshot_key(snapshot).env_id)
        restored = Episode.restore(source.spec, source.environment, snapshot, CHECKER)
        self.close()
        self._episode = restored
        return self

    def fork(self, turn_seed: int | None = None) -> Env:
        """A copy of this environment with the same past.

        Args:
            turn_seed: Turn seed of later turns; None keeps this one's.

        Raises:
            ForkRefused: A live resource can be neither replayed nor copied.
            EpisodeOver: Before the first reset.
        """
        twin = Env(self.source, self.options, self._turn_seed)
        twin._episode = self.episode.fork(None if turn_seed is None else check_turn_seed(turn_seed))
        return twin

    def close(self) -> None:
        """Release live resources."""
        if self._episode is not None:
            self._episode.close()
