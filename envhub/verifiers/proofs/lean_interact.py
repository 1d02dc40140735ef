"""``lean-interact``: judges proofs in the Lean projects that this library fetches and builds, such as Mathlib.

It brings a Lean of any version, a REPL built for it, and projects (a folder, a git repository, a list of requirements)::

    from lean_interact import LeanREPLConfig, TempRequireProject

    config = LeanREPLConfig(project=TempRequireProject(lean_version="v4.19.0", require="mathlib"))
    kernel = interact_kernel(config, servers=2)                    # a Kernel: envhub.verifiers.proofs.lean_repl
    use_kernel("lean", kernel)                                     # envhub.verifiers.proofs.checker: what environments ask

The REPL is no jail. With ``lean_setup(config)`` the same project is remembered as that of this machine, and the kernel
of the sandbox judges by its modules; that is what a server takes, and what ``second=LeanKernel()`` may be.

Only ``LeanServer`` is used, not ``AutoLeanServer``: that one starts again by itself, and its environments then begin again
from number 0, so a number may suddenly name what somebody else has left. Nor are the REPL's two short cuts asked for,
parallel elaboration (a proof may be checked after the answer) and going on from a common beginning.
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
"""The variable that names the folder of the project that ``Proofs("lean-interact")`` is about."""
TIMEOUT_S: Final = 120.0


class _Interact(Repl):
    """A REPL of the library's."""

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
        except (OSError, ValueError, AssertionError, RecursionError) as error:  # it ended, or what it said is not JSON
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
        config: A ``LeanREPLConfig``; by default that of the latest Lean alone, which is downloaded if it is not there.
        servers: How many REPLs there may be; each has the whole project in memory.
        timeout_s: How long one may take for a command.
        second: A kernel that has to accept what this one accepts.

    Raises:
        MissingExtra: The library is not here, or could not get or build its REPL.
        InvalidParameters: What is given is no configuration of a REPL.
    """
    library = _library()
    if config is None:
        config = _made(library, None)
    if not isinstance(config, library.LeanREPLConfig):
        raise InvalidParameters(f"Expected a lean_interact.LeanREPLConfig, got {type(config).__name__}.")
    return ReplKernel(lambda: _Interact(config, timeout_s), servers=servers, second=second)


def lean_setup(config: Any, folder: Path | None = None) -> Toolchain:
    """Remember the project of a configuration as that of this machine, as ``envhub lean setup --project`` does.

    Args:
        config: A ``LeanREPLConfig`` with a project that has been built, in a folder that other users may enter.
        folder: Where to keep it; the usual one by default.

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
    except Exception as error:  # whatever git, lake and the network raise
        raise MissingExtra(
            f"lean-interact could not make a REPL ready: {str(error).strip()[-500:]}. It needs lake on the PATH and the "
            "network, once; with a REPL that is built pass LeanREPLConfig(local_repl_path=..., build_repl=False)"
        ) from error


def _library() -> Any:
    try:
        return import_module("lean_interact")
    except ImportError as error:
        raise MissingExtra("lean-interact is not installed. Install it with: pip install 'envhub[lean]'") from error
