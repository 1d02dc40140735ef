"""Base classes for writing an environment.

======================= ===========================================================
:class:`SingleTurn`     one question, one answer
:class:`World`          many turns, each with one action
:class:`ToolEnv`        many turns, each with calls of tools
:class:`Game`           a game with seats, opponents and payoffs
======================= ===========================================================

Each name is loaded when first used::

    from envhub.authoring import BaseParams, SingleTurn
"""

from __future__ import annotations

TYPE_CHECKING = False

_HOMES = {
    "Acting": "envhub.authoring.environment",
    "BaseParams": "envhub.core.difficulty",
    "Environment": "envhub.authoring.environment",
    "Game": "envhub.authoring.game.base",
    "GameParams": "envhub.authoring.game.rules",
    "Grading": "envhub.authoring.single_turn",
    "Sampled": "envhub.authoring.environment",
    "SingleTurn": "envhub.authoring.single_turn",
    "Staged": "envhub.authoring.environment",
    "ToolEnv": "envhub.authoring.tool_env",
    "World": "envhub.authoring.world",
    "rejected": "envhub.authoring.environment",
    "tool": "envhub.core.tools",
    "write_call": "envhub.core.tools",
}

__all__ = [
    "Acting",
    "BaseParams",
    "Environment",
    "Game",
    "GameParams",
    "Grading",
    "Sampled",
    "SingleTurn",
    "Staged",
    "ToolEnv",
    "World",
    "rejected",
    "tool",
    "write_call",
]

if TYPE_CHECKING:
    from typing import Any

    from envhub.authoring.environment import (
        Acting as Acting,
        Environment as Environment,
        Sampled as Sampled,
        Staged as Staged,
        rejected as rejected,
    )
    from envhub.authoring.game.base import Game as Game
    from envhub.authoring.game.rules import GameParams as GameParams
    from envhub.authoring.single_turn import Grading as Grading, SingleTurn as SingleTurn
    from envhub.authoring.tool_env import ToolEnv as ToolEnv
    from envhub.authoring.world import World as World
    from envhub.core.difficulty import BaseParams as BaseParams
    from envhub.core.tools import tool as tool, write_call as write_call


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'envhub.authoring' has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value
