"""Small quests: houses that are written out, and episodes in houses that are drawn."""

from __future__ import annotations

from typing import Any

import envhub
from envhub.core.seeding import canonical_json
from envhub.envs.worlds.quest.rules import House, house_of

SMALL: dict[str, Any] = {
    "difficulty": None, "rooms": 3, "doors": 1, "locks": 1, "furniture": 4, "parts": 1, "clutter": 2, "patience": 150
}  # fmt: skip


def started(task: str = "any", seed: int = 3, **settings: Any) -> Any:
    env = envhub.make("quest-v0", **{**SMALL, "task": task, **settings})
    env.reset(seed=seed)
    return env


def content_of(env: Any) -> Any:
    return env.episode.instance.key["content"]


def act(env: Any, text: str) -> Any:
    return env.step(f"<answer>{text}</answer>")


def built(kind: str, **parts: Any) -> House:
    """A small house; everything that is not given is empty."""
    empty: dict[str, Any] = {"ways": [], "shut": {}, "holders": {}, "keys": {}, "things": {}, "done": {}, "goals": []}
    return house_of(canonical_json({"kind": kind, **empty, **parts}))


HOUSES: dict[str, dict[str, Any]] = {
    "a locked door": {
        "kind": "treasure",
        "rooms": ["study", "shed"],
        "start": "study",
        "ways": [["study", "north", "shed", "oak door"]],
        "shut": {"oak door": True, "desk drawer": False},
        "holders": {"desk drawer": "study"},
        "keys": {"oak key": "oak door"},
        "things": {"oak key": "desk drawer", "jade statue": "shed"},
        "goals": [["jade statue"]],
    },
    "two deliveries": {
        "kind": "delivery",
        "rooms": ["study", "shed", "garden", "bedroom"],
        "start": "study",
        "ways": [
            ["study", "north", "shed", "way 0"], ["study", "east", "garden", "way 1"],
            ["garden", "north", "bedroom", "way 2"], ["shed", "east", "bedroom", "way 3"],
        ],
        "shut": {"bin": False},
        "holders": {"desk": "study", "bin": "garden"},
        "things": {"lamp": "bedroom", "vase": "shed"},
        "goals": [["lamp", "bin"], ["vase", "desk"]],
    },
    "a meal": {
        "kind": "cooking",
        "rooms": ["kitchen", "pantry"],
        "start": "kitchen",
        "ways": [["kitchen", "west", "pantry", "brass door"]],
        "shut": {"brass door": False},
        "holders": {"stove": "kitchen", "oven": "kitchen"},
        "things": {"carrot": "kitchen", "knife": "pantry"},
        "goals": [["carrot", "sliced", "fried"]],
    },
}  # fmt: skip
