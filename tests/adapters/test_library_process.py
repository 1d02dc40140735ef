"""A library's process answers, is reused, and is reported as lost when it dies."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator

import pytest

from envhub.adapters.shared.library_process import LibraryProcess, LibraryProcesses
from envhub.core.errors import ResourceError, ResourceLost

pytestmark = pytest.mark.slow  # they start processes

MODULE = "envhub.adapters.alfworld.grammar"


@pytest.fixture
def processes() -> Iterator[LibraryProcesses]:
    found = LibraryProcesses(MODULE)
    yield found
    found.end_all()


def kill(process: LibraryProcess) -> None:
    os.kill(process.pid, signal.SIGKILL)


def test_a_process_is_reused_until_a_call_fails(processes: LibraryProcesses) -> None:
    with processes.lent() as process:
        assert process.call("fault", "plain") is None
    with processes.lent() as same:
        assert same is process
        with pytest.raises(ResourceLost, match="fault failed"):
            same.call("fault", 1)
    with processes.lent() as other:
        assert other is not process
        assert other.call("evaluated", "'text'", {}) == "text"


@pytest.mark.parametrize("name", ["fault", "evaluated"])
def test_a_killed_process_is_lost_even_before_a_function_is_loaded(processes: LibraryProcesses, name: str) -> None:
    with processes.lent() as process:
        process.call("fault", "plain")
        kill(process)
        with pytest.raises(ResourceLost, match="failed"):
            process.call(name, "plain")


def test_a_missing_function_is_an_error_but_not_a_lost_process(processes: LibraryProcesses) -> None:
    with processes.lent() as process:
        with pytest.raises(ResourceError) as raised:
            process.call("missing")
        assert not isinstance(raised.value, ResourceLost)
        assert process.call("fault", "plain") is None
