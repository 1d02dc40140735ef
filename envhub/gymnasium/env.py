"""The Gymnasium face of an episode: reset, step, snapshot, restore, fork, solve.

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
from envhub.episodes.snapshots import snapshot_key
from envhub.gymnasium.space import TextSpace
from envhub.tasks.options import Options
from envhub.tasks.sampling import Source


class BaseEnv(gymnasium.Env[str, str]):
    """What a local and a remote environment share: spaces, seeds, and the five-tuple of a turn."""

    metadata: dict[str, Any] = {"render_modes": ["ansi"], "render_fps": 1}  # noqa: RUF012 (Gymnasium's own declaration)

    def __init__(self, options: Options, max_action_chars: int, max_observation_chars: int) -> None:
        self.options = options
        self.render_mode = "ansi"
        self._limit(max_action_chars, max_observation_chars)
        self._seeds: Stream | None = None
        self._seeded: int | None = None
        self._generator: np.random.Generator | None = None

    def _limit(self, max_action_chars: int, max_observation_chars: int) -> None:
        self.action_space = TextSpace(max_action_chars)
        self.observation_space = TextSpace(max_observation_chars + 64)  # the note that it was cut comes on top

    @property
    def _np_random(self) -> np.random.Generator | None:
        """Gymnasium's generator; nothing here draws from it, so it is made only when somebody looks."""
        if self._generator is None and self._seeded is not None:
            self._generator = np.random.default_rng(self._seeded)
        return self._generator

    @_np_random.setter
    def _np_random(self, value: np.random.Generator | None) -> None:
        self._generator = value

    def _next_seed(self, seed: int | None) -> int:
        """The seed of the next task: the one given, or the next of the sequence that the last given one began."""
        if seed is None:
            if self._seeds is None:
                self._begin_sequence(secrets.randbelow(MAX_SEED + 1))
            assert self._seeds is not None
            return self._seeds.bits(63)
        seed = check_seed(seed)
        self._begin_sequence(seed)
        return seed

    def _begin_sequence(self, seed: int) -> None:
        self._seeds = Stream(seed.to_bytes(8, "little"), "resets")
        self._seeded = seed
        self._np_random_seed = seed
        self._generator = None

    def _result(self, turn: Turn) -> Step:
        """The five-tuple of a turn."""
        if turn.verdict is None:
            return turn.observation, 0.0, False, False, turn.info
        error = turn.verdict.error
        if error is not None and self.options.on_error == "raise":
            raise JudgementError(f"{error.code}: {error.reason}")
        return five_tuple(turn, self.options.reward)


class Env(BaseEnv):
    """One environment in this process; made by :func:`envhub.make`.

    Args:
        source: What draws its tasks.
        options: Wording and reward.
        turn_seed: Seed of per-turn randomness; override it for one episode with ``reset(options={"turn_seed": k})``.
    """

    def __init__(self, source: Source, options: Options, turn_seed: int = 0) -> None:
        super().__init__(options, *source.limits)
        self.source = source
        self._chance = check_turn_seed(turn_seed)
        self._episode: Episode | None = None

    def __repr__(self) -> str:
        state = "before reset" if self._episode is None else f"seed {self.task.seed}, turn {len(self._episode.journal)}"
        return f"<Env {self.source!r}, {state}>"

    @property
    def environment(self) -> Environment:
        """The rules of what is played.

        Raises:
            EpisodeOver: There has been no reset yet, which decides what a mixture plays.
        """
        return self.source.of(None if self._episode is None else self._episode.task.env_id).environment

    @property
    def episode(self) -> Episode:
        """The episode in progress.

        Raises:
            EpisodeOver: There has been no reset yet.
        """
        if self._episode is None:
            raise EpisodeOver("No episode has begun. Call reset() first.")
        return self._episode

    @property
    def task(self) -> Task:
        """The task of the current episode."""
        return self.episode.task

    @property
    def messages(self) -> list[dict[str, str]]:
        """The conversation so far as chat messages, ending with what the policy is to answer."""
        return self.episode.messages(self.options.system)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[str, dict[str, Any]]:
        """Begin an episode.

        Args:
            seed: Which task, 0 .. 2**63 - 1; None draws the next of the sequence that the last given seed began.
            options: ``{"turn_seed": k}``: other per-turn randomness with the same task.

        Returns:
            The observation (the prompt) and an info with ``difficulty`` and ``split``.

        Raises:
            InvalidParameters: The seed or an option is not one.
            SplitExhausted: The split holds no problem for this seed.
        """
        task, instance = self.source.draw(self._next_seed(seed))
        turn_seed = self._chance
        if options:
            for name in options:
                if name != "turn_seed":
                    raise InvalidParameters(f"reset() takes the option 'turn_seed', got {name!r}.")
            turn_seed = check_turn_seed(options["turn_seed"])
        self.close()
        self._episode = Episode(self.source.of(task.env_id).environment, task, instance, turn_seed)
        return task.prompt, task.opening_info()

    def step(self, action: str) -> Step:
        """Take one turn.

        Args:
            action: What the policy wrote; any text.

        Returns:
            Observation, reward (0.0 until the end; NaN if the answer could not be judged), terminated, truncated, info
            (with ``verdict`` at the end, and ``error`` if there was one).

        Raises:
            EpisodeOver: The episode has ended or not begun.
            InvalidAction: ``action`` is not a ``str``.
            JudgementError: It could not be judged, and ``on_error="raise"``.
        """
        episode = self._episode or self.episode
        turn = episode.step(action)
        if turn.verdict is None:
            return turn.observation, 0.0, False, False, turn.info
        self.source.report(episode.task, turn.verdict.solved)
        return self._result(turn)

    def render(self) -> str:
        """The conversation so far as text."""
        return "\n\n".join(f"[{message['role']}]\n{message['content']}" for message in self.messages)

    def solve(self) -> str:
        """The oracle: the next right action. Only here, never over a network.

        Raises:
            EpisodeOver: The episode has ended or not begun.
        """
        return self.episode.oracle()

    def random_action(self, rng: Stream) -> str:
        """A well-formed action that knows nothing of the solution."""
        return self.environment.random_action(self.episode.instance, self.episode.state, rng)

    def greedy_action(self, rng: Stream) -> str | None:
        """What a rule of thumb would do that sees what a policy sees; None where the environment has none."""
        return self.environment.greedy_action(self.episode.instance, self.episode.state, rng)

    def snapshot(self) -> dict[str, JSON]:
        """The episode as JSON values: task key, journal and turn seed; no answer key.

        Raises:
            EpisodeOver: There has been no reset yet.
        """
        return self.episode.snapshot()

    def restore(self, snapshot: Mapping[str, JSON]) -> Self:
        """Go on from a snapshot of this environment, whatever its parameters were. Performs no effect.

        Raises:
            SnapshotMismatch: It is of another environment or another format, or its journal does not fit.
            InvalidParameters: Its task key is not one.
        """
        source = self.source.of(snapshot_key(snapshot).env_id)
        restored = Episode.restore(source.spec, source.environment, snapshot)
        self.close()
        self._episode = restored
        return self

    def fork(self, turn_seed: int | None = None) -> Env:
        """A second environment with the same past.

        Args:
            turn_seed: Turn seed of later turns; None keeps this one's.

        Raises:
            ForkRefused: A live resource can be neither replayed nor copied.
            EpisodeOver: There has been no reset yet.
        """
        twin = Env(self.source, self.options, self._chance)
        twin._episode = self.episode.fork(None if turn_seed is None else check_turn_seed(turn_seed))
        return twin

    def close(self) -> None:
        """Give back live resources."""
        if self._episode is not None:
            self._episode.close()
