"""Settings of runs small enough for tests, and what is said in their environments."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from envhub_trainer.config import Config, read

ADDITION = {"arithmetic-v0": {"weight": 1, "terms": 2, "digits": 3, "operators": "+"}}
GUESS = {"guess-number-v0": {"weight": 1, "low": 1, "high": 16, "guesses": 4}}


def addition(folder: Path = Path("nowhere"), **sections: Any) -> Config:
    """Three-digit addition, a token a digit."""
    return _config(folder, ADDITION, {"digits": "single"}, {"demonstrator": "oracle"}, sections)


def guess(folder: Path = Path("nowhere"), **sections: Any) -> Config:
    """A number from 1 to 16 in four guesses, a token a number."""
    return _config(folder, GUESS, {"digits": "whole"}, {"demonstrator": "greedy"}, sections)


def _config(folder: Path, environments: Any, tiny: Any, warmstart: Any, sections: dict[str, Any]) -> Config:
    data: dict[str, Any] = {
        "run": {"folder": folder / "run", "threads": 1},
        "model": {"path": str(folder / "model"), "device": "cpu"},
        "tasks": {"environments": environments, "difficulty": None, "answer_format": "last", "wording": 0},
        "rollout": {"max_tokens": 6, "context": 64},
        "tiny": {"width": 32, "layers": 1, "heads": 2, **tiny},
        "warmstart": {"batch": 16, "steps": 2, "warmup": 0, "episodes": 16, **warmstart},
    }
    for name, values in sections.items():
        data[name] = None if values is None else {**data.get(name, {}), **values}
    return read(data)
