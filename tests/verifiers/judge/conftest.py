"""A scripted model behind a real server, started once for each file."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from envhub.verifiers.judge.judge import Endpoint
from tests.server.serving import serving
from tests.verifiers.proofs.scripted import Model, Server


@pytest.fixture(scope="module")
def running() -> Iterator[tuple[Server, str]]:
    server = Server()
    with serving(server.app) as url:
        yield server, url


@pytest.fixture
def server(running: tuple[Server, str]) -> Server:
    running[0].run(Model())
    return running[0]


@pytest.fixture
def endpoint(running: tuple[Server, str], server: Server) -> Endpoint:
    return Endpoint(running[1], "scripted", timeout_s=10.0)
