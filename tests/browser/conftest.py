"""One pool of browsers for the tests of a module, and a site that records what it is sent."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from html import escape
from typing import Any

import pytest

from envhub.browser.page import Page
from envhub.browser.pool import Pool
from envhub.browser.site import Request, Site, page
from tests.support.browsers import needed


class Notebook(Site):
    """A form with one field and a choice; the state lists what was saved."""

    def start(self, problem: Any) -> Any:
        return []

    def handle(self, problem: Any, state: Any, request: Request) -> tuple[Any, str]:
        size = request.value("size")
        if request.method == "POST" and request.path == "/save" and size in ("small", "large"):
            state = [*state, [request.value("text"), size]]
        saved = "".join(f"<li>{escape(text)}</li>" for text, _ in state)
        form = (
            '<form method="post" action="/save"><label>Text <input name="text" autocomplete="off"></label><label>Size '
            '<select name="size"><option>small</option><option>large</option></select></label><button>Save</button></form>'
        )
        return state, page("Notebook", f"<h1>Notebook</h1><ul>{saved}</ul>{form}")


@pytest.fixture(scope="module")
def pool() -> Iterator[Pool]:
    """Browsers that give up a call after five seconds."""
    needed()
    made = Pool(patience_s=10)
    yield made
    made.close()


@pytest.fixture
def open_page(pool: Pool) -> Iterator[Callable[[], Page]]:
    """Opens pages of the notebook."""
    with ExitStack() as stack:

        def open_() -> Page:
            process, page = pool.open(Notebook(), None)
            stack.callback(pool.close_page, process, page)
            return page

        yield open_
