"""The top-level module by which verifiers finds envhub's tasksets (:mod:`envhub.adapters.verifiers.taskset`).

Versions before 0.4 look for ``load_environment`` there (:mod:`envhub.adapters.verifiers.legacy`).
"""

from typing import Any

from envhub.core.errors import MissingExtra

try:
    from envhub.adapters.verifiers.taskset import EnvhubEnv, EnvhubTaskset
except (MissingExtra, AttributeError):  # a version that has no v1 yet, or not all of it
    __all__ = ["load_environment"]
else:
    __all__ = ["EnvhubEnv", "EnvhubTaskset"]


def __getattr__(name: str) -> Any:
    if name == "load_environment":
        from envhub.adapters.verifiers.legacy import load_environment

        return load_environment
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
