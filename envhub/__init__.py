"""envhub: environments and verifiers for reinforcement learning of language models.

::

    import envhub
    env = envhub.make("sudoku-v0", difficulty=3)
    observation, info = env.reset(seed=1)
    observation, reward, terminated, truncated, info = env.step(env.solve())

Importing this package loads nothing but the standard library; every public name is loaded when first used.
"""

from __future__ import annotations

TYPE_CHECKING = False  # what typing would say; importing it costs every process that merely starts 8 ms

__version__ = "0.1.0"

_HOMES = {
    "make": "envhub.making",
    "make_mixture": "envhub.making",
    "make_vec": "envhub.making",
    "begin": "envhub.making",
    "restore": "envhub.making",
    "verify": "envhub.making",
    "spec": "envhub.registry.registry",
    "list_envs": "envhub.registry.registry",
    "register": "envhub.registry.registry",
    "Curriculum": "envhub.tasks.curriculum",
    "TaskStream": "envhub.tasks.stream",
    "connect": "envhub.client.hub",
    "aconnect": "envhub.client.hub",
    "Env": "envhub.gymnasium.env",
    "Task": "envhub.core.types",
    "Instance": "envhub.core.types",
    "Verdict": "envhub.core.types",
    "EnvSpec": "envhub.core.types",
    "EnvhubError": "envhub.core.errors",
}

__all__ = [
    "Curriculum",
    "Env",
    "EnvSpec",
    "EnvhubError",
    "Instance",
    "Task",
    "TaskStream",
    "Verdict",
    "aconnect",
    "begin",
    "connect",
    "list_envs",
    "make",
    "make_mixture",
    "make_vec",
    "register",
    "restore",
    "spec",
    "verify",
]

if TYPE_CHECKING:
    from typing import Any

    from envhub.client.hub import aconnect as aconnect, connect as connect
    from envhub.core.errors import EnvhubError as EnvhubError
    from envhub.core.types import EnvSpec as EnvSpec, Instance as Instance, Task as Task, Verdict as Verdict
    from envhub.gymnasium.env import Env as Env
    from envhub.making import (
        begin as begin,
        make as make,
        make_mixture as make_mixture,
        make_vec as make_vec,
        restore as restore,
        verify as verify,
    )
    from envhub.registry.registry import list_envs as list_envs, register as register, spec as spec
    from envhub.tasks.curriculum import Curriculum as Curriculum
    from envhub.tasks.stream import TaskStream as TaskStream


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'envhub' has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
