"""Transfer to environments, levels and wordings that were not trained on.

The family has twenty environments: ``guess-number-v0`` with twenty different ranges of eight numbers and three guesses. Four of
them are never trained on. An arm trains on 1, 4 or 16 of the others, drawn by the seed, with the same number of episodes, at
level 1 and in wording 0. The warm start is the same for all arms of a seed. Its demonstrator guesses at random among the
numbers that are still possible, in all twenty environments, at both levels and in both wordings: so the initial model can read
everything that it is asked later, as a pretrained model could, and halving the range is left to be learned from rewards.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any, Final

import envhub
from benchmarks.learning.chats import conversations, warm_start_on
from benchmarks.learning.experiment import HERE, Experiment, changed, solved
from benchmarks.learning.records import Measures
from envhub.registry.registry import registered
from envhub_trainer.config import Config
from envhub_trainer.demonstrations import demonstrator

LOWS: Final = tuple(range(1, 60, 3))
"""The lower ends of the ranges, one per environment."""

HELD_OUT: Final = (10, 25, 34, 49)
"""Those of the environments that are never trained on."""

LEVELS: Final = ((8, 3), (12, 4))
"""Numbers and guesses of the level that is trained and of the one that is held out."""

_SHARES: Final = ((1, 0, 3000), (2, 0, 1000), (1, "held-out", 1000))
"""Level, wording and number of demonstrations of the warm start."""


def environment(low: int) -> str:
    """The id of an environment."""
    return f"guess-from-{low}-v0"


def register() -> None:
    """Add the environments of the family to this process."""
    known = {spec.id for spec in registered()}
    for low in LOWS:
        if environment(low) not in known:
            envhub.register(environment(low), "envhub.envs.games.guess_number:GuessNumber", category="games")


def environments(lows: Sequence[int], level: int = 1) -> dict[str, Any]:
    """Entries of a mixture, at a level of the family."""
    width, guesses = LEVELS[level - 1]
    return {
        environment(low): {"weight": 1, "low": low, "high": low + width - 1, "guesses": guesses, "difficulty": None}
        for low in lows
    }


def chosen(number: int, seed: int) -> list[int]:
    """The environments of an arm. Those of a narrower arm are among those of a wider one."""
    order = [low for low in LOWS if low not in HELD_OUT]
    Random(seed).shuffle(order)
    return order[:number]


class Transfer(Experiment):
    """Training on 1, 4 or 16 environments of a family."""

    def changes(self, arm: str, seed: int) -> Mapping[str, Mapping[str, Any]]:
        """The trained environments."""
        register()
        return {"tasks": {"environments": environments(chosen(int(arm), seed))}}

    def prepare(self, config: Config) -> None:
        """Demonstrations of the whole family, a model that can read them, and the warm start."""
        says = demonstrator(config.warmstart.demonstrator)
        kinds = []
        for level, wording, number in _SHARES:
            family = {"environments": environments(LOWS, level), "wording": wording}
            kinds.append(list(conversations(changed(config, {"tasks": family}).tasks, says, number, config.run.seed)))
        warm_start_on(config, kinds, {"tasks": {"environments": environments(LOWS)}})

    def measured(self, config: Config, model: Path) -> Measures:
        """Success on what was trained, and with one thing that was not."""
        lows = [int(each.split("-")[2]) for each in config.tasks.environments]
        own, level = environments(lows), environments(lows, level=2)
        others = environments(HELD_OUT)
        return {
            **solved(changed(config, {"evaluate": {"environments": own}}), model, "trained/"),
            **solved(changed(config, {"evaluate": {"environments": others}}), model, "environments/"),
            **solved(changed(config, {"evaluate": {"environments": level}}), model, "level/"),
            **solved(changed(config, {"tasks": {"wording": "held-out"}}), model, "wording/"),
        }


TRANSFER: Final = Transfer(
    "transfer", str(HERE / "transfer.toml"), "Transfer from 1, 4 and 16 environments", ("1", "4", "16"), "environments"
)
