"""Environments of the catalogue: tic-tac-toe against a perfect opponent, and a mixture of twelve environments.

The demonstrators know the right actions, but often take others. So the initial model knows more than its samples show, and
rewards can select what it knows.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from benchmarks.learning.chats import conversations, warm_start_on
from benchmarks.learning.experiment import HERE, Experiment
from envhub_trainer.config import Config
from envhub_trainer.demonstrations import demonstrator

_BOARD_ROW: Final = re.compile(r"[XO.] [XO.] [XO.]")


@dataclass(frozen=True)
class Demonstrated(Experiment):
    """A warm start on a fixed set of demonstrations, then reinforcement learning.

    Attributes:
        demonstrations: Their number.
    """

    demonstrations: int = 4000

    def prepare(self, config: Config) -> None:
        """Learn from a demonstrator that errs."""
        says = demonstrator(config.warmstart.demonstrator)
        chats = list(conversations(config.tasks, says, self.demonstrations, config.run.seed))
        warm_start_on(config, [chats], wording=_without_boards)


def _without_boards(text: str) -> str:
    """The text without the marks of its boards, so that no phrase of the tokenizer contains a part of a board."""
    return _BOARD_ROW.sub("0", text)


TICTACTOE: Final = Demonstrated("tictactoe", str(HERE / "tictactoe.toml"), "Tic-tac-toe against a perfect opponent")
MIXTURE: Final = Demonstrated(
    "mixture", str(HERE / "mixture.toml"), "A mixture of twelve environments", demonstrations=8_000
)
