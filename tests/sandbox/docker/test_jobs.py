"""What jobs and sessions do in a container is what they do in any jail: the same tests, in a slot of Docker."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from envhub.sandbox.backend import Setting, Slot
from envhub.sandbox.docker.backend import DockerBackend
from tests.sandbox.inside.test_calls import *  # noqa: F403
from tests.sandbox.jails import run
from tests.sandbox.slots.test_session import *  # noqa: F403
from tests.sandbox.test_limits import *  # noqa: F403
from tests.sandbox.test_programs import *  # noqa: F403


@pytest.fixture(scope="module")
def slot(docker_backend: DockerBackend) -> Iterator[Slot]:
    """A warm slot in a container."""
    made = docker_backend.slot(0)
    made.start()
    yield made
    made.close()


def test_nothing_of_a_session_is_left_for_the_next_job(slot: Slot) -> None:
    """There are two trusted processes to be seen, not one."""
    with slot.open(Setting("bash")) as session:
        session.run("sleep 1000 & touch /tmp/mark")
        session.run("cd /; mark=1; cat <(echo 1) > /dev/shm/mark")
    look = "import os; print(os.listdir('/tmp'), os.listdir('/dev/shm'), len([n for n in os.listdir('/proc') if n.isdigit()]))"
    assert run(slot, look).text == "[] [] 3\n"
