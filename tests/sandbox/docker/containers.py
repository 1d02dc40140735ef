"""What the tests of containers share."""

from __future__ import annotations

from envhub.sandbox.docker.backend import DockerBackend, DockerSlot
from envhub.sandbox.docker.daemon import OWNER, Daemon
from envhub.sandbox.jobs import Returned
from tests.sandbox.jails import call

ADD_ONE = "def f(a): return a + 1"


def started(backend: DockerBackend, number: int) -> DockerSlot:
    made = backend.slot(number)
    assert isinstance(made, DockerSlot)
    made.start()
    return made


def works(slot: DockerSlot) -> bool:
    return call(slot, ADD_ONE, (1,)).values == (Returned(2),)


def there(daemon: Daemon, key: str | None) -> bool:
    return daemon.ask("GET", f"/containers/{key}/json", {404}).status_code == 200


def ours(daemon: Daemon) -> list[str]:
    return [row["Id"] for row in daemon.api.containers(all=True, filters={"label": OWNER})]
