"""A picture task small enough to be learned in a test: read the digit on a board."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import process_time
from typing import Any

from envhub.authoring import BaseParams, SingleTurn
from envhub.core.seeding import Stream
from envhub.core.types import Instance, Verdict
from envhub.registry.registry import register, unregister
from envhub.scenes.grid import CELL
from envhub.scenes.shapes import Rect, Scene, Text
from envhub.verifiers.answers.types import Integer
from envhub_trainer.config import Config, read
from envhub_trainer.loop import train
from envhub_trainer.warmstart import warm_start
from envhub_trainer.watch import track

ID = "read-digit-v0"
DIGITS, TINTS, MARGIN = 10, ("paper", "tint0", "tint1", "tint2", "tint3", "tint4", "tint5"), 12


class ReadDigit(SingleTurn):
    """A board with a digit in one of its cells, which is tinted. Action: the digit. Difficulty: the side of the board."""

    class Params(BaseParams):
        """The side of the board in cells."""

        side: int = 2

    answer = Integer()
    pictured = separable = True

    def sample(self, rng: Stream, p: Any) -> Instance:
        at, tint, digit = rng.below(p.side**2), rng.choice(TINTS), rng.below(DIGITS)
        return Instance({"side": p.side, "at": at, "tint": tint, "digit": digit})

    def canonical(self, content: Any) -> Any:
        return [content["side"], content["at"], content["tint"], content["digit"]]

    def prompt(self, problem: Any) -> str:
        shown = "" if self.observation == "image" else f" It is {problem['digit']}."
        return f"Which digit is on the board?{shown}"

    def scene(self, inst: Instance, state: Any) -> Scene:
        side, (row, column) = inst.problem["side"], divmod(inst.problem["at"], inst.problem["side"])
        x, y = MARGIN + CELL * column, MARGIN + CELL * row
        cell = Rect(x, y, CELL, CELL, inst.problem["tint"])
        digit = Text(x + CELL // 2, y + CELL // 2, str(inst.problem["digit"]), 36)
        whole = 2 * MARGIN + side * CELL
        return Scene(whole, whole, (cell, digit))

    def grade(self, inst: Instance, value: Any) -> Verdict:
        return Verdict.exact(value == inst.problem["digit"])

    def accepts(self, inst: Instance) -> bool:
        return True

    def solve(self, inst: Instance) -> str:
        return str(inst.problem["digit"])

    def random_action(self, inst: Instance, state: Any, rng: Stream) -> str:
        return str(rng.below(DIGITS))


@contextmanager
def reading() -> Iterator[str]:
    """The environment in the registry."""
    register(ID, ReadDigit)
    try:
        yield ID
    finally:
        unregister(ID)


def digits(folder: Path = Path("nowhere"), **sections: Any) -> Config:
    """Reading digits, learned from rewards by a policy that begins near chance."""
    data: dict[str, Any] = {
        "run": {"folder": folder / "run", "threads": 1, "steps": 125, "save_every": 1000},
        "model": {"path": str(folder / "model"), "device": "cpu"},
        "tasks": {
            "environments": {ID: {"weight": 1, "side": 2}},
            "difficulty": None,
            "answer_format": "last",
            "wording": 0,
            "observation": "image",
        },
        "rollout": {"groups": 32, "size": 16, "max_tokens": 2, "context": 64},
        "algorithm": {"name": "grpo"},  # dapo's penalty of long answers would teach one token
        "optimizer": {"learning_rate": 1.5e-3, "warmup": 5},
        "evaluate": {"every": 125, "episodes": 300, "greedy": False},
        "tiny": {"width": 64, "layers": 1, "heads": 4, "pixels": 28, "patch": 14},
        "warmstart": {  # ends near chance, once answers are digits
            "demonstrator": "oracle",
            "steps": 200,
            "stop": 0.15,
            "every": 5,
            "episodes": 100,
            "batch": 32,
            "learning_rate": 1e-3,
            "warmup": 0,
        },
    }
    for name, values in sections.items():
        data[name] = None if values is None else {**data.get(name, {}), **values}
    return read(data)


class Swapped(ReadDigit):
    """The control: a picture of another digit, which says nothing about the answer."""

    def scene(self, inst: Instance, state: Any) -> Scene:
        shown = Stream(b"swapped", str(sorted(inst.problem.items()))).below(DIGITS)
        return super().scene(Instance({**inst.problem, "digit": shown}), state)


def main(folder: str, control: str = "") -> None:
    """Warm start, train, and tell what was learned as JSON."""
    register(ID, Swapped if control == "swapped" else ReadDigit)
    config = digits(Path(folder), rollout={"permute_rewards": control == "permuted"})
    asyncio.run(warm_start(config))
    asyncio.run(train(config))
    log = track.read(config.run.folder)
    told = {"before": log[0]["test/sampled"], "after": log[-1]["test/sampled"], "cpu": process_time()}
    print("\n" + json.dumps({**told, "probe": max(line.get("probe", 0.0) for line in log)}))


if __name__ == "__main__":
    main(*sys.argv[1:])
