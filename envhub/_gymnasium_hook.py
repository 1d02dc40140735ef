"""Registers envhub's environments at the moment Gymnasium is imported.

Imported at start-up by ``envhub.pth``: Gymnasium has had no plug-in entry point since 1.0, and
``gymnasium.make("envhub/sudoku-v0")`` is to work without importing envhub. All it does at start-up is to put a finder in
front of ``sys.meta_path`` that steps aside once ``gymnasium.envs`` has been found. Set ``ENVHUB_NO_GYMNASIUM_HOOK=1`` to
leave it out.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False  # what typing would say, without its 8 ms at the start of every process

if TYPE_CHECKING:
    from collections.abc import Sequence
    from importlib.machinery import ModuleSpec
    from types import ModuleType

_AWAITED = "gymnasium.envs"


class _Finder:
    """Finds ``gymnasium.envs`` once, and registers our environments after it has run."""

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if name != _AWAITED:
            return None
        sys.meta_path.remove(self)
        from importlib.util import find_spec

        spec = find_spec(name)
        if spec is not None and spec.loader is not None:
            execute = spec.loader.exec_module

            def execute_and_register(module: ModuleType) -> None:
                execute(module)
                from envhub.gymnasium.registration import register_envs

                register_envs(plugins=False)

            spec.loader.exec_module = execute_and_register  # type: ignore[method-assign]
        return spec


if _AWAITED not in sys.modules and not os.environ.get("ENVHUB_NO_GYMNASIUM_HOOK"):
    sys.meta_path.insert(0, _Finder())
