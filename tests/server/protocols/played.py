"""What the tests of the protocols share: tasks with what a policy says to them, and what it earns when it is played here."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import envhub
from envhub.core.types import Task
from envhub.dataset.formats import FORMATS, Sample
from envhub.registry.registry import load, spec


@dataclass(frozen=True)
class Play:
    """A task, what is said in each turn, and the rewards of each when it is played in this process."""

    task: Task
    actions: tuple[str, ...]
    rewards: tuple[float | None, ...]
    observations: tuple[str, ...]
    over: bool

    @property
    def reward(self) -> float | None:
        """Of the whole."""
        return None if None in self.rewards else sum(reward for reward in self.rewards if reward is not None)

    def row(self, format: str) -> dict[str, Any]:
        """As ``envhub generate`` writes it."""
        ability, turns = "logic", load(spec(self.task.env_id)).max_turns
        level = self.task.difficulty or 3
        return FORMATS[format].row(Sample(self.task, ability, 0, level, turns > 1))

    @property
    def ground_truth(self) -> str:
        """The label of its row."""
        return FORMATS["openrlhf"].read(self.row("openrlhf")).truth


def play(env_id: str, seed: int, *actions: str, **settings: Any) -> Play:
    """Play actions in this process, as far as the episode goes. ``None`` stands for a reward that could not be given.

    Where an action is ``oracle``, it is the right one.
    """
    env = envhub.make(env_id, **{"difficulty": 1, **settings})
    observation, _ = env.reset(seed=seed)
    said: list[str] = []
    seen = [observation]
    rewards: list[float | None] = []
    over = False
    for wanted in actions:
        said.append(env.solve() if wanted == "oracle" else wanted)
        observation, reward, terminated, truncated, _ = env.step(said[-1])
        rewards.append(None if math.isnan(reward) else reward)
        seen.append(observation)
        over = terminated or truncated
        if over:
            break
    task = env.task
    assert task is not None
    return Play(task, tuple(said), tuple(rewards), tuple(seen), over)


def solved(env_id: str, seed: int, **settings: Any) -> Play:
    """What the oracle does."""
    return play(env_id, seed, *["oracle"] * load(spec(env_id)).max_turns, **settings)


def message(text: str) -> dict[str, Any]:
    """An item of a response: what the assistant said."""
    part = {"type": "output_text", "text": text, "annotations": []}
    return {"type": "message", "id": "m", "role": "assistant", "status": "completed", "content": [part]}


def call(name: str, arguments: str, call_id: str = "c") -> dict[str, Any]:
    """An item of a response: a function that was called."""
    fixed = {"type": "function_call", "id": "f", "status": "completed"}
    return {**fixed, "call_id": call_id, "name": name, "arguments": arguments}


def response(*output: dict[str, Any]) -> dict[str, Any]:
    """A response as a model server gives it."""
    fixed = {"id": "r", "created_at": 0, "model": "m", "object": "response", "parallel_tool_calls": True}
    return {**fixed, "output": list(output), "tool_choice": "auto", "tools": []}
