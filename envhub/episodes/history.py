"""The past of an episode: its turns, state, journal and messages.

:class:`envhub.episodes.episode.Episode` takes the turns. Nothing here changes an episode::

    episode.state               # the environment's state now
    episode.journal             # the records of all turns
    episode.snapshot()          # JSON values from which any process can continue
    episode.messages()          # the conversation as chat messages
"""

from __future__ import annotations

from typing import Any

from envhub.authoring import Environment
from envhub.core.effects import Performed
from envhub.core.errors import InvalidParameters
from envhub.core.types import JSON, Instance, Task, Turn
from envhub.episodes.record import Record
from envhub.episodes.snapshots import opening
from envhub.scenes import Scene
from envhub.scenes.picture import Drawn, Pictures, Received, content

_new = tuple.__new__  # skips NamedTuple's own constructor, at a third of the cost


class History:
    """The turns of an episode.

    The constructor of its subclass sets all attributes; a second call would slow down every reset.

    Attributes:
        environment: The environment.
        task: The task.
        instance: The task's problem with its answer key.
        turn_seed: Turn seed of later turns.
        first_turn_seed: Turn seed at the beginning.
        turns: All turns taken.
    """

    __slots__ = (
        "_records",
        "_start",
        "environment",
        "first_turn_seed",
        "instance",
        "task",
        "turn_seed",
        "turns",
    )
    environment: Environment
    task: Task
    instance: Instance
    turn_seed: int
    first_turn_seed: int
    turns: list[Turn]
    _records: list[tuple[str, int, tuple[Performed, ...]]]  # the fields of the journal's records
    _start: Any  # the state before the first turn

    @property
    def journal(self) -> list[Record]:
        """The records of all turns, as a new list."""
        return [_new(Record, fields) for fields in self._records]

    @property
    def last_record(self) -> Record:
        """The record of the last turn."""
        return _new(Record, self._records[-1])

    @property
    def state(self) -> Any:
        """The environment's state now."""
        return self.turns[-1].state if self.turns else self._start

    @property
    def over(self) -> bool:
        """Whether the episode has ended."""
        return bool(self.turns) and self.turns[-1].verdict is not None

    def snapshot(self) -> dict[str, JSON]:
        """The episode as JSON values: task key, journal and turn seed.

        No answer key.
        """
        return {
            **opening(
                self.task.key,
                self.task.difficulty,
                self.environment.answer_format,
                self.task.wording,
                self.environment.observation,
            ),
            "first_turn_seed": self.first_turn_seed,
            "turn_seed": self.turn_seed,
            "journal": [record.to_json() for record in self.journal],
        }

    def messages(self, system: str | None = None) -> list[dict[str, JSON]]:
        """The conversation as chat messages: system (if any), user, assistant, user, ...

        Each observation with pictures is a list of parts.
        """
        messages = [{"role": "system", "content": system}] if system is not None else []
        messages.append({"role": "user", "content": content(self.task.prompt, self.pictures(0))})
        for number, (record, turn) in enumerate(zip(self.journal, self.turns, strict=True), 1):
            messages.append({"role": "assistant", "content": record.action})
            messages.append({"role": "user", "content": content(turn.observation, self.pictures(number))})
        return messages

    def scene(self) -> Scene | None:
        """The current state as a scene; None without a picture."""
        return self.environment.scene(self.instance, self.state)

    def pictures(self, turn: int | None = None) -> Pictures:
        """The pictures that belong to the observation after a number of turns.

        Empty if the observation is text alone, if the state has no picture, and at the end, where nothing is left to do.
        Screenshots are not recorded, so a turn that was replayed has none.

        Args:
            turn: Number of turns taken; 0 is the prompt. None is now.

        Raises:
            InvalidParameters: The episode has fewer turns.
        """
        if self.environment.observation == "text":
            return ()
        at = len(self.turns) if turn is None else turn
        if not 0 <= at <= len(self.turns):
            raise InvalidParameters(f"`turn` must be from 0 to {len(self.turns)}, got {at}.")
        if at and self.turns[at - 1].verdict is not None:
            return ()
        if at and self.turns[at - 1].pictures:
            return tuple(map(Received, self.turns[at - 1].pictures))
        scene = self.environment.scene(self.instance, self.turns[at - 1].state if at else self._start)
        return () if scene is None else (Drawn(scene),)
