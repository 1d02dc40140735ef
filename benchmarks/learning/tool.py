"""A tool task of two turns: look up the shelf of a box, then submit it.

Problems are split by content, so no test pair of box and shelf is ever trained on. The demonstrator calls a random tool with a
random argument in four of ten turns: it knows more than its samples show.
"""

from __future__ import annotations

from typing import Any, ClassVar, Final, Self

from pydantic import Field

import envhub
from benchmarks.learning.chats import conversations, warm_start_on
from benchmarks.learning.experiment import HERE, Experiment
from envhub.authoring import BaseParams, Staged, ToolEnv, tool, write_call
from envhub.core.seeding import Stream
from envhub.core.types import JSON, Instance, Verdict
from envhub.registry.registry import registered
from envhub_trainer.config import Config
from envhub_trainer.demonstrations import demonstrator

ENVIRONMENT: Final = "box-on-shelf-v0"
_COLOURS: Final = ("red", "blue", "green", "white", "black", "brown", "grey", "pink")


class Params(BaseParams):
    """How many shelves there are."""

    shelves: int = Field(40, ge=2, le=900, description="number of shelves")

    @classmethod
    def at(cls, difficulty: int) -> Self:
        """The parameters of a level."""
        return cls(shelves=40 * difficulty)


class BoxOnShelf(ToolEnv):
    """Find out on which shelf a box is."""

    Params = Params
    category: ClassVar[str] = "tools"
    max_turns: ClassVar[int] = 2

    def sample(self, rng: Stream, p: Any) -> Staged:
        """A box and its shelf."""
        box, shelf = rng.choice(_COLOURS), rng.between(1, p.shelves)
        yield {"box": box, "shelf": shelf}
        return Instance({"box": box, "shelves": p.shelves}, key=shelf)

    def prompt(self, problem: JSON) -> str:
        """The question."""
        return f"The shelves have the numbers 1 to {problem['shelves']}. On which shelf is the {problem['box']} box?"

    def begin(self, inst: Instance, rng: Stream) -> bool:
        """Whether the shelf was looked up."""
        return False

    @tool
    def find(self, inst: Instance, state: bool, box: str) -> tuple[bool, str]:  # noqa: D417
        """Show the shelf of a box.

        Args:
            box: the color of the box
        """
        return (True, f"Shelf {inst.key}.") if box == inst.problem["box"] else (state, "There is no such box.")

    @tool
    def submit(self, inst: Instance, state: bool, shelf: int) -> tuple[bool, Verdict]:  # noqa: D417
        """Submit the shelf. This ends the task.

        Args:
            shelf: the number of the shelf
        """
        right = state and shelf == inst.key
        return state, Verdict.exact(right, "Correct." if right else "Incorrect.")

    def solve(self, inst: Instance, state: bool) -> str:
        """Look it up, then submit it."""
        return write_call("submit", shelf=inst.key) if state else write_call("find", box=inst.problem["box"])

    def random_action(self, inst: Instance, state: bool, rng: Stream) -> str:
        """Any tool with any argument."""
        submitted = write_call("submit", shelf=rng.between(1, inst.problem["shelves"]))
        return rng.choice((submitted, write_call("find", box=rng.choice(_COLOURS))))

    def effort(self, inst: Instance) -> float:
        """Two calls."""
        return 2.0


class Tool(Experiment):
    """A look-up and an answer."""

    def config(self, arm: str, seed: int, folder: Any, permuted: bool = False) -> Config:
        """The settings of a run, with the environment registered."""
        if ENVIRONMENT not in {spec.id for spec in registered()}:
            envhub.register(ENVIRONMENT, BoxOnShelf)
        return super().config(arm, seed, folder, permuted)

    def prepare(self, config: Config) -> None:
        """Learn from a demonstrator that errs."""
        says = demonstrator(config.warmstart.demonstrator)
        warm_start_on(config, [list(conversations(config.tasks, says, 3000, config.run.seed))])


TOOL: Final = Tool("tool", str(HERE / "tool.toml"), "A tool task of two turns")
