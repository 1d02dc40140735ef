"""envhub's environments under Gymnasium's own ``make``.

``gymnasium.make("envhub/sudoku-v0", difficulty=5)`` works without importing envhub first: Gymnasium 1.x reads no entry
points, so the wheel installs one line for ``site``, which waits for Gymnasium to be imported (see ``_gymnasium_hook``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from envhub.core.errors import InvalidParameters
from envhub.registry.registry import list_envs

if TYPE_CHECKING:
    from envhub.gymnasium.env import Env
    from envhub.gymnasium.vector import TextVectorEnv

NAMESPACE: Final = "envhub"


def register_envs(plugins: bool = True) -> None:
    """Register all environments with Gymnasium under ``envhub/``; existing registrations are kept.

    Args:
        plugins: Whether to look for plug-ins as well, which reads the metadata of all installed distributions.
    """
    from gymnasium.envs.registration import register, registry

    from envhub.registry.registry import builtin_ids

    for id in list_envs() if plugins else builtin_ids():
        name = gymnasium_id(id)
        if name not in registry:
            register(
                id=name,
                entry_point="envhub.gymnasium.registration:make_env",
                vector_entry_point="envhub.gymnasium.registration:make_vector_env",
                disable_env_checker=True,  # envhub's own registry suite runs check_env on every environment
                order_enforce=False,  # Env checks itself that reset comes first
                kwargs={"env_id": id},  # not id, which Gymnasium uses for the name
            )


def gymnasium_id(id: str) -> str:
    """Gymnasium's id of an environment.

    One slash, and no colon, which means a module.
    """
    return f"{NAMESPACE}/{id.replace('/', '.')}"


def make_env(env_id: str, render_mode: str | None = "ansi", **settings: Any) -> Env:
    """Gymnasium's entry point for one environment.

    Raises:
        InvalidParameters: The render mode is not ``ansi``.
    """
    from envhub.making import make

    if render_mode not in ("ansi", None):
        raise InvalidParameters(f"The render mode is 'ansi', got {render_mode!r}.")
    return make(env_id, **settings)


def make_vector_env(env_id: str, num_envs: int, render_mode: str | None = "ansi", **settings: Any) -> TextVectorEnv:
    """Gymnasium's entry point for ``gymnasium.make_vec``."""
    from envhub.making import make_vec

    return make_vec(env_id, num_envs, **settings)
