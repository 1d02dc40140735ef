"""What is said in a game, as chat messages: one conversation, or one for each seat where the policy plays against itself.

::

    talk = Talk(task, system="Be brief.")
    while not over:
        action = answer(talk.messages)          # of the seat that is asked; holds nothing that others were told
        told, _, terminated, truncated, info = env.step(action)
        talk.say(action)
        over = terminated or truncated
        if not over:
            talk.hear(told, info)
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from envhub.core.types import Task

Message = dict[str, str]


def self_play(task: Task) -> bool:
    """Whether the policy has every seat."""
    return task.params.get("opponent") == "self"


class Talk:
    """The conversations of a game in progress.

    Args:
        task: What is played.
        system: A system message that opens every conversation.

    Attributes:
        at: The seat that is asked now; None where there is but one.
    """

    def __init__(self, task: Task, system: str | None = None) -> None:
        self._task, self._system = task, system
        self._alone = self_play(task)
        self.at: int | None = task.opening_info().get("player") if self._alone else None
        self._said = {self.at: self._opening(task.prompt)}

    @property
    def messages(self) -> list[Message]:
        """The conversation of the seat that is asked, ending with what it is to answer."""
        return self._said[self.at]

    @property
    def conversations(self) -> list[list[Message]]:
        """All of them, in the order in which they began."""
        return list(self._said.values())

    def say(self, action: str) -> None:
        """Note what the seat answered."""
        self.messages.append({"role": "assistant", "content": action})

    def hear(self, told: str, info: Mapping[str, Any]) -> None:
        """Note what the environment said, to the seat that it asks.

        Args:
            told: The observation.
            info: Which says whose turn it is.
        """
        self.at = info.get("player") if self._alone else None
        if self.at in self._said:
            self.messages.append({"role": "user", "content": told})
        else:
            self._said[self.at] = self._opening(self._task.opening_for(told))

    def _opening(self, told: str) -> list[Message]:
        system = [{"role": "system", "content": self._system}] if self._system is not None else []
        return [*system, {"role": "user", "content": told}]
