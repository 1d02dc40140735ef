"""One episode: a task, a state and the journal of its turns.

``step`` performs the effects of a turn and records their outcomes; ``replay`` repeats recorded turns and performs nothing. So a
snapshot is the task key and the journal, and any process can continue an episode::

    episode = Episode(environment, task, instance)
    turn = episode.step("<answer>5</answer>")
    again = Episode.replay(environment, task, instance, episode.journal)

A turn in which the environment raises ends the episode. Its ``checker`` determines why: an answer that is to blame
scores 0 with ``abuse``, everything else is an ``error``. Code that makes episodes for users passes
:data:`envhub.episodes.rerun.CHECKER`.
"""

from __future__ import annotations

import logging
import traceback
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from envhub.authoring import Acting, Environment, rejected
from envhub.core.effects import Check, Effect, EffectFailed, Performed, adrive, drive, pump
from envhub.core.errors import EpisodeOver, InvalidAction, SnapshotMismatch, TooBusy
from envhub.core.resources import Resources
from envhub.core.seeding import Stream
from envhub.core.types import JSON, EnvSpec, Fault, Instance, Task, Turn
from envhub.episodes.blame import AGAIN, BLAMED, FailureChecker, entry_of, settled
from envhub.episodes.history import History
from envhub.episodes.limits import apply_limits
from envhub.episodes.record import JournalMismatch, Record, admitted
from envhub.episodes.snapshots import read_snapshot
from envhub.tasks.sampling import rebuild

Perform = Callable[[Effect], Performed]

_log = logging.getLogger(__name__)


class Episode(History):
    """An episode in progress.

    Args:
        environment: The environment.
        task: The task.
        instance: The task's problem with its answer key.
        turn_seed: Seed of per-turn randomness: turns with the same task, turn seed and number draw the same.
        checker: Determines why a turn raised. Without one, every turn that raises is an ``error``.
    """

    __slots__ = ("_checker", "_resources", "_root")

    def __init__(
        self,
        environment: Environment,
        task: Task,
        instance: Instance,
        turn_seed: int = 0,
        checker: FailureChecker | None = None,
    ) -> None:
        self.environment = environment
        self.task = task
        self.instance = instance
        self.turn_seed = self.first_turn_seed = turn_seed
        self.turns = []
        self._records = []
        self._checker = checker
        self._resources: Resources | None = None
        self._root = root = task.key.root
        self._start = environment.begin_worded(instance, Stream(root, "begin", turn_seed), task.wording)

    @classmethod
    def replay(
        cls,
        environment: Environment,
        task: Task,
        instance: Instance,
        journal: Sequence[Record],
        turn_seed: int = 0,
        checker: FailureChecker | None = None,
    ) -> Episode:
        """Rebuild an episode from its journal without performing effects.

        Args:
            environment: The environment.
            task: The task.
            instance: The task's problem with its answer key.
            journal: The recorded turns.
            turn_seed: The turn seed the episode *began* with; each record holds its turn's own.
            checker: Checker of later turns; not used for recorded ones.

        Raises:
            SnapshotMismatch: The journal lacks an effect, has one too many, or continues after the end.
        """
        episode = cls(environment, task, instance, turn_seed, checker)
        for record in journal:
            if episode.over:
                raise SnapshotMismatch("The journal continues after the episode has ended.")
            episode.turn_seed = record.turn_seed
            if record.effects and record.effects[-1].digest == AGAIN:  # it raised, and might not do so again
                episode._commit(record.action, episode._ended(record.effects[-1]), [*record.effects])
                continue
            answers = iter(record.effects)
            episode._fold(record.action, partial(episode._recall, answers))
            if next(answers, None) is not None:
                raise SnapshotMismatch("The journal does not fit: it holds answers that nobody asked for.")
        return episode

    @classmethod
    def restore(
        cls,
        spec: EnvSpec,
        environment: Environment,
        snapshot: Mapping[str, JSON],
        checker: FailureChecker | None = None,
    ) -> Episode:
        """Restore an episode from a snapshot; performs no effect.

        Args:
            spec: Registry entry of the environment.
            environment: The environment.
            snapshot: Result of :meth:`snapshot`.
            checker: Checker of later turns.

        Raises:
            SnapshotMismatch: The snapshot is damaged, of another environment or answer format, or its journal does not
                match.
            InvalidParameters: Its task key is invalid.
        """
        found = read_snapshot(snapshot)
        found.check(spec.id, environment.answer_format)
        task, instance = rebuild(spec, environment, found.key, found.difficulty)
        found.check_shown(task.wording, environment.observation)
        episode = cls.replay(environment, task, instance, found.journal, found.first_turn_seed, checker)
        episode.turn_seed = found.turn_seed
        return episode

    def step(self, action: str) -> Turn:
        """Take one turn.

        Raises:
            EpisodeOver: The episode has ended.
            InvalidAction: ``action`` is not a ``str``.
        """
        # what `_admit`, `_advance`, `apply_limits` and `_commit` do, without their calls
        environment, turns = self.environment, self.turns
        most_chars, most_turns, most_shown, counted = environment.turn_limits
        state = self._start
        plain = action.__class__ is str and len(action) <= most_chars and action.isascii()
        if turns:
            state, plain = turns[-1].state, plain and turns[-1].verdict is None
        if not plain:
            action = self._admit(action)
        records: list[Performed] = []
        try:
            if plain:
                rng = Stream(self._root, "turn", self.turn_seed, len(turns))
                acting = environment.advance(self.instance, state, action, rng)
            else:
                acting = self._advance(action)
            turn = acting if isinstance(acting, Turn) else drive(pump(acting, records), self._perform)
            shown, number = turn.observation, len(turns) + 1
            plain = turn.verdict is None and number < most_turns and not counted
            if not (plain and len(shown) <= most_shown and shown.isascii()):
                apply_limits(environment, self.instance, turn, number)
        except Exception as error:
            turn = drive(self._failed(action, records, error), self._check)
        self._records.append((action, self.turn_seed, tuple(records) if records else ()))
        turns.append(turn)
        if self._resources is not None and turn.verdict is not None:
            self.close()
        return turn

    async def astep(self, action: str) -> Turn:
        """:meth:`step` on an event loop: effects are awaited.

        Raises:
            EpisodeOver: The episode has ended.
            InvalidAction: ``action`` is not a ``str``.
            TooBusy: A resource is at capacity; the turn was not taken and can be retried.
        """
        action = self._admit(action)
        records: list[Performed] = []
        held = self._held() if self.environment.acts_outside(self.instance) else None
        savepoint = held.savepoint() if held else {}
        try:
            try:
                acting = self._advance(action)
                turn = acting if isinstance(acting, Turn) else await adrive(pump(acting, records), self._aperform)
                apply_limits(self.environment, self.instance, turn, len(self.turns) + 1)
            except TooBusy:
                raise
            except Exception as error:
                turn = await adrive(self._failed(action, records, error), self._acheck)
        except BaseException:  # cancelled, or no room: the turn was never taken, and its effects never happened
            if held is not None:
                held.roll_back(savepoint)
            raise
        return self._commit(action, turn, records)

    def step_now(self, action: str) -> Turn | None:
        """:meth:`step` if it needs nothing outside the environment, else None.

        None also if the environment raises. Nothing has happened then; call :meth:`astep`, which finds out why.
        """
        action = self._admit(action)
        try:
            turn = self._advance(action)
            if not isinstance(turn, Turn):
                return None
            apply_limits(self.environment, self.instance, turn, len(self.turns) + 1)
        except Exception:
            return None
        return self._commit(action, turn, [])

    def take(self, action: str, perform: Perform, records: list[Performed]) -> Turn:
        """Compute the turn of an action without committing it; exceptions are raised.

        Args:
            action: The action as it is recorded.
            perform: Performs one effect.
            records: The outcome of each effect is appended here.

        Raises:
            Exception: Whatever the environment or ``perform`` raises.
        """
        acting = self._advance(action)
        turn = acting if isinstance(acting, Turn) else drive(pump(acting, records), perform)
        apply_limits(self.environment, self.instance, turn, len(self.turns) + 1)
        return turn

    def fork(self, turn_seed: int | None = None) -> Episode:
        """A copy of this episode with the same past.

        Args:
            turn_seed: Turn seed of later turns; None keeps this episode's.

        Raises:
            ForkRefused: A live resource can be neither replayed nor copied.
        """
        twin = object.__new__(Episode)
        twin.environment, twin.task, twin.instance = self.environment, self.task, self.instance
        twin._checker = self._checker
        twin.first_turn_seed, twin.turn_seed = self.first_turn_seed, self.turn_seed if turn_seed is None else turn_seed
        twin.turns, twin._records, twin._start = list(self.turns), list(self._records), self._start
        twin._root = self._root
        twin._resources = self._resources.fork() if self._resources else None
        return twin

    def oracle(self) -> str:
        """The oracle's next action.

        Raises:
            EpisodeOver: The episode has ended.
        """
        if self.over:
            raise EpisodeOver("The episode has ended: there is nothing left to solve. Call reset().")
        return self.environment.oracle(self.instance, self.state)

    def close(self) -> None:
        """Release live resources. The episode can continue and rebuilds them."""
        if self._resources is not None:
            self._resources.close()

    # -- one turn ----------------------------------------------------------------------------------------------------

    def _admit(self, action: Any) -> str:
        """The action as encodable text, cut just above the limit."""
        if self.over:
            raise EpisodeOver("The episode has ended. Call reset() before the next step().")
        if not isinstance(action, str):
            raise InvalidAction(f"An action is a str, got {type(action).__name__}.")
        if action.__class__ is str and len(action) <= self.environment.max_action_chars and action.isascii():
            return action  # the common case
        return admitted(action, self.environment.max_action_chars)

    def _fold(self, action: str, perform: Perform) -> Turn:
        """Repeat a recorded turn and commit it.

        An exception is not checked again.
        """
        records: list[Performed] = []
        try:
            turn = self.take(action, perform, records)
        except JournalMismatch:
            raise
        except Exception as error:
            turn = self._ended(self._fault(error))
        return self._commit(action, turn, records)

    def _failed(self, action: str, records: list[Performed], error: Exception) -> Generator[Effect, Performed, Turn]:
        """The turn after an exception; the checker's finding, if any, is recorded."""
        record = self._fault(error)
        if isinstance(error, EffectFailed):
            return self._ended(record)
        entry = None if self._checker is None else entry_of(type(self.environment))
        if entry:
            effects = [performed.to_json() for performed in records]
            asked = {"entry": entry, "snapshot": self.snapshot(), "action": action, "effects": effects}
            found = yield Check(AGAIN, asked)
            _log.warning("%s failed; taken again: %s", self.task.env_id, found.outcome or found.fault)
            if found.outcome == BLAMED:
                record = found
        records.append(record)
        return self._ended(record)

    def _ended(self, record: Performed) -> Turn:
        return Turn.end(self.state, settled(record))

    def _advance(self, action: str) -> Acting:
        environment = self.environment
        if len(action) > environment.max_action_chars:
            feedback = f"The action is longer than {environment.max_action_chars} characters and was not read."
            return rejected(environment.reject(self.instance, self.state, "too_long", feedback), "too_long")
        turns = self.turns
        rng = Stream(self._root, "turn", self.turn_seed, len(turns))
        return environment.advance(self.instance, turns[-1].state if turns else self._start, action, rng)

    def _commit(self, action: str, turn: Turn, records: list[Performed]) -> Turn:
        self._records.append((action, self.turn_seed, tuple(records) if records else ()))
        self.turns.append(turn)
        if turn.verdict is not None and self._resources is not None:
            self.close()
        return turn

    def _fault(self, error: Exception) -> Performed:
        """The record of an exception that no answer caused."""
        if isinstance(error, EffectFailed):
            return Performed(AGAIN, fault=error.fault)
        # Neither the message nor the arguments are logged: they may hold the solution.
        where = traceback.extract_tb(error.__traceback__)[-1]
        name = type(error).__name__
        _log.error("%s failed: %s at %s:%s", self.task.env_id, name, where.filename, where.lineno)
        return Performed(AGAIN, fault=Fault("environment_failed", f"{self.task.env_id} raised {name}."))

    def _check(self, effect: Effect) -> Performed:
        assert self._checker is not None
        return self._checker.check(effect)

    async def _acheck(self, effect: Effect) -> Performed:
        assert self._checker is not None
        return await self._checker.acheck(effect)

    # -- effects -----------------------------------------------------------------------------------------------------

    def _held(self) -> Resources:
        if self._resources is None:
            self._resources = Resources(self.environment.resources, self.instance.problem)
        return self._resources

    def _perform(self, effect: Effect) -> Performed:
        return self._held().perform(effect)

    async def _aperform(self, effect: Effect) -> Performed:
        return await self._held().aperform(effect)

    def _recall(self, answers: Iterator[Performed], effect: Effect) -> Performed:
        record = next(answers, None)
        if record is None:
            raise JournalMismatch(f"The journal does not fit: it holds no answer to {type(effect).__name__}.")
        try:
            return self._held().recall(effect, record)
        except SnapshotMismatch as error:
            raise JournalMismatch(str(error)) from None
