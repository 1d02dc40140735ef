"""Files of recorded episodes, as their writers write them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any


def attempt(number: int = 0, tried: int = 0, *, level: int = 3, solved: bool = False, **fields: Any) -> dict[str, Any]:
    """A line of ``attempts.jsonl``."""
    messages = [
        {"role": "user", "content": f"What is {number} + 1?"},
        {"role": "assistant", "content": f"<think>Add one.</think><answer>{number + solved}</answer>"},
    ]
    line = {
        "job": ["arithmetic-v0", level, number, tried],
        "outcome": "graded",
        "solved": solved,
        "score": float(solved),
    }
    return {**line, "turns": 1, "messages": messages, "why": "", **fields}


EXPORTED = {
    "episode_id": "e1",
    "task": {"env_id": "guess-number-v0", "difficulty": 2, "split": "train", "seed": 5},
    "messages": None,
    "actions": ["<answer>5</answer>"],
    "rewards": [0.5],
    "reward": 0.5,
    "verdict": {"status": "graded", "solved": False, "score": 0.5, "reason": None},
}
TRAINED = {
    "step": 7,
    "why": "best",
    "env_id": "tic-tac-toe-v0",
    "difficulty": 1,
    "group": 4,
    "reward": 1.0,
    "solved": True,
    "error": None,
    "turns": [{"observation": "Your move.", "action": "5", "reward": 1.0, "row": 0}],
    "rows": [[{"given": 2, "text": "Your move."}, {"end": 3, "pieces": ["5"], "logps": [-0.1], "advantages": [0.7]}]],
}
ROLLOUT = {
    "example_id": 3,
    "prompt": [{"role": "user", "content": "2 + 2?"}],
    "completion": [{"role": "assistant", "content": "4"}],
    "reward": 1.0,
}
CHAT = {
    "messages": [
        {"role": "user", "content": [{"type": "text", "text": "Look:"}, {"type": "image_url", "image_url": {}}]},
        {"role": "assistant", "content": None, "reasoning_content": "A cat.", "tool_calls": [{"id": "1"}]},
    ]
}


def write(path: Path, *lines: Any) -> Path:
    """A file with one JSON value per line."""
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path
