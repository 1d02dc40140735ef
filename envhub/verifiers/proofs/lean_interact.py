"""``lean-interact``: judges proofs in Lean projects, such as Mathlib.

The library builds these projects. It provides any version of Lean, a REPL built for it, and projects (a folder, a git
repository, a list of requirements)::

    from lean_interact import LeanREPLConfig, TempRequireProject

    config = LeanREPLConfig(project=TempRequireProject(lean_version="v4.19.0", require="mathlib"))
    kernel = interact_kernel(config, servers=2)                    # a Kernel: envhub.verifiers.proofs.lean_repl
    use_kernel("lean", kernel)                                     # envhub.verifiers.proofs.checker: what environments ask

The REPL is not a jail. ``lean_setup(config)`` registers the same project for this machine, and the sandboxed kernel
judges by its modules; servers use that kernel, and it can be the ``second=LeanKernel()``.

Only ``LeanServer`` is used, not ``AutoLeanServer``: the latter restarts by itself and numbers its environments from 0
again, so a number may suddenly refer to another client's environment. The REPL's two shortcuts are off too: parallel
elaboration (a proof may be checked after the answer) and reuse of common prefixes.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from envhub.core.errors import InvalidParameters, MissingExtra
from envhub.sandbox.lean import Toolchain
from envhub.sandbox.lean.setup import setup
from envhub.verifiers.proofs.lean_repl import Repl, ReplKernel, ReplLate, ReplLost
from envhub.verifiers.proofs.proof import Kernel

PROJECT: Final = "ENVHUB_LEAN_PROJECT"
"""Environment variable with the project folder of ``Proofs("lean-interact")``."""
TIMEOUT_S: Final = 120.0


class _Interact(Repl):
    """A REPL of the library."""

    def __init__(self, config: Any, timeout_s: float) -> None:
        library = _library()
        self._timeout_s = timeout_s
        try:
            self._server = library.LeanServer(config)
        except (OSError, ValueError, AssertionError) as error:
            raise ReplLost(f"the REPL does not start: {str(error)[:300]}") from error

    def ask(self, command: str, env: int | None) -> Mapping[str, Any]:
        request = {"cmd": command} if env is None else {"cmd": command, "env": env}
        try:
            answer: Any = self._server.run_dict(request, timeout=self._timeout_s)
        except TimeoutError as error:
            raise ReplLate(f"the REPL did not answer within {self._timeout_s:g} seconds") from error
        except (OSError, ValueError, AssertionError, RecursionError) as error:  # it ended, or its output is not JSON
            raise ReplLost(f"the REPL gave no answer: {str(error)[:300]}") from error
        if not isinstance(answer, dict):
            raise ReplLost("the REPL gave no answer")
        return answer

    def close(self) -> None:
        self._server.kill()


def interact_kernel(
    config: Any = None, *, servers: int = 1, timeout_s: float = TIMEOUT_S, second: Kernel | None = None
) -> ReplKernel:
    """A kernel over REPLs of ``lean-interact``.

    Args:
        config: A ``LeanREPLConfig``; by default the latest Lean alone, downloaded if missing.
        servers: Maximum number of REPLs; each loads the whole project.
        timeout_s: Time limit of a command.
        second: A kernel that must also accept each proof.

    Raises:
        MissingExtra: The library is not here, or could not get or build its REPL.
        InvalidParameters: ``config`` is not a REPL configuration.
    """
    library = _library()
    if config is None:
        config = _made(library, None)
    if not isinstance(config, library.LeanREPLConfig):
        raise InvalidParameters(f"Expected a lean_interact.LeanREPLConfig, got {type(config).__name__}.")
    return ReplKernel(lambda: _Interact(config, timeout_s), servers=servers, second=second)


def lean_setup(config: Any, folder: Path | None = None) -> Toolchain:
    """Register the project of a configuration, as ``envhub lean setup --project`` does.

    Args:
        config: A ``LeanREPLConfig`` with a project that has been built, in a folder that other users may enter.
        folder: Target folder; by default the usual one.

    Raises:
        InvalidParameters: It has no project, or Lean does not run there.
    """
    if getattr(config, "project", None) is None:
        raise InvalidParameters("The configuration names no project; for Lean alone use: envhub lean setup --lean PATH")
    return setup(project=str(config.working_dir), lake=str(config.lake_path), again=True, folder=folder)


def shared() -> ReplKernel:
    """The kernel of ``Proofs("lean-interact")``: the project that ``ENVHUB_LEAN_PROJECT`` names, else Lean alone.

    Raises:
        MissingExtra: The library is not here, or could not get or build its REPL.
    """
    library = _library()
    folder = os.environ.get(PROJECT)
    project = library.LocalProject(directory=folder, auto_build=False) if folder else None
    return interact_kernel(_made(library, project))


def _made(library: Any, project: Any) -> Any:
    try:
        return library.LeanREPLConfig(project=project)
    except Exception as error:  # any exception of git, lake or the network
        raise MissingExtra(
            f"lean-interact could not make a REPL ready: {str(error).strip()[-500:]}. It needs lake on the PATH and the "
            "network, once; with a REPL that is built pass LeanREPLConfig(local_repl_path=..., build_repl=False)"
        ) from error


def _library() -> Any:
    try:
        return import_module("lean_interact")
    except ImportError as error:
        raise MissingExtra("lean-interact is not installed. Install it with: pip install 'envhub[lean]'") from error
