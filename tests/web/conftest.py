"""A real browser on real pages: what it complains about fails the test."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import pytest

from envhub.server.http.app import create_app
from envhub.settings import ServerSettings
from tests.server.serving import Api, serving

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

SHELL = "chromium-headless-shell"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A headless browser.

    While it is open, its event loop is this thread's, so tests in other modules could not run theirs.
    """
    found = shutil.which(SHELL)
    if found is None:
        if os.environ.get("CI"):
            pytest.fail(f"{SHELL} is not installed")
        pytest.skip(f"needs {SHELL} (apt install {SHELL})")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
        yield launched
        launched.close()


@pytest.fixture
def open_page(browser: Browser) -> Iterator[Callable[[str], Page]]:
    """Opens pages of one origin; an error in the console or a request elsewhere fails the test."""
    complaints: list[str] = []
    contexts = []

    def open_(url: str) -> Page:
        context = browser.new_context(viewport={"width": 1200, "height": 900})
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        origin = "/".join(url.split("/")[:3]) + "/"
        page.on("request", lambda request: None if request.url.startswith(origin) else complaints.append(request.url))
        page.goto(url)
        return page

    yield open_
    for context in contexts:
        context.close()
    assert complaints == []


@pytest.fixture(scope="session")
def pages() -> Iterator[str]:
    """The address of a server without keys."""
    with serving(create_app(ServerSettings(journal="memory:"))) as url:
        yield url


@pytest.fixture
def make_api() -> Iterator[Callable[..., Api]]:
    """Makes applications in this process; arguments as settings."""
    with ExitStack() as stack:

        def make(**settings: Any) -> Api:
            api = Api(**settings)
            stack.callback(api.close)
            return api

        yield make
