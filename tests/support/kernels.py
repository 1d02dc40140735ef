"""A Lean for tests: the one that was set up here, or one that is built once. Without it tests are skipped; in CI they fail."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

import pytest

from envhub.core.errors import EnvhubError
from envhub.registry.registry import load, spec
from envhub.sandbox import lean
from envhub.sandbox.lean.setup import is_current, setup
from envhub.verifiers.proofs.checker import Proofs
from envhub.verifiers.proofs.lean import LeanKernel


def toolchain() -> lean.Toolchain:
    """What there is, set up if it is not."""
    known = lean.find_toolchain()
    if known is not None and is_current(known):
        return known
    folder = lean.toolchain_home()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with Path(folder, "lock").open("w") as lock:  # several processes of a test run get here at the same time
            fcntl.flock(lock, fcntl.LOCK_EX)
            return setup(folder=folder)
    except (EnvhubError, OSError) as error:
        if os.environ.get("CI"):
            raise
        pytest.skip(f"no Lean here: {error}")


def lean_kernel() -> LeanKernel:
    """A kernel in the sandbox of this process."""
    toolchain()
    return LeanKernel()


def needed(env_id: str) -> None:
    """The kernels that an environment asks: set up, or the test is skipped; in CI it fails."""
    for resource in load(spec(env_id)).resources.values():
        if isinstance(resource, Proofs) and resource.name == "lean":
            toolchain()
        elif (lacks := resource.absent()) is not None:
            if os.environ.get("CI"):
                pytest.fail(lacks)
            pytest.skip(lacks)
