"""The module by which verifiers finds envhub: it looks for tasksets by a top-level name (:mod:`envhub.adapters.verifiers`).

Versions before 0.4 look for ``load_environment`` there (:mod:`envhub.adapters.verifiers_legacy`).
"""

from typing import Any

from envhub.errors import MissingExtra

try:
    from envhub.adapters.verifiers import EnvhubEnv, EnvhubTaskset
except (MissingExtra, AttributeError):  # a version that has no v1 yet, or not all of it
    __all__ = ["load_environment"]
else:
    __all__ = ["EnvhubEnv", "EnvhubTaskset"]


def __getattr__(name: str) -> Any:
    if name == "load_environment":
        from envhub.adapters.verifiers_legacy import load_environment

        return load_environment
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
