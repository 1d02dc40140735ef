"""What the server's tests share."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest

from envhub.server.http.app import create_app
from envhub.settings import ServerSettings
from tests.server.serving import Api, serving


@pytest.fixture
def make_api() -> Iterator[Callable[..., Api]]:
    """Makes applications in this process; arguments as for ``Api``."""
    with ExitStack() as stack:

        def make(journal: Any = None, **settings: Any) -> Api:
            api = Api(journal, **settings)
            stack.callback(api.close)
            return api

        yield make


@pytest.fixture
def api(make_api: Callable[..., Api]) -> Api:
    """The application in this process, with its default settings."""
    return make_api()


@pytest.fixture(scope="session")
def real_server() -> Iterator[str]:
    """The address of a real server whose bodies end at 4,096 bytes."""
    with serving(create_app(ServerSettings(max_body_bytes=4096))) as url:
        yield url


@pytest.fixture(autouse=True)
def _drawn_once(drawn_once: None) -> None:
    """What is served was drawn at home as well."""
