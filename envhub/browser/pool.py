"""The browsers of this process, shared by its episodes.

A page is opened in the running browser with the fewest pages. A browser that is full, or has opened many pages, gets no
more of them, and ends with its last one. Before a page is opened, its browser is asked for a sign of life.
"""

from __future__ import annotations

import atexit
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from envhub.browser.actions import DESKTOP, Screen
from envhub.browser.devtools import BrowserLost, CommandFailed
from envhub.browser.page import Page
from envhub.browser.process import PATIENCE_S, BrowserProcess
from envhub.browser.site import Site
from envhub.core.errors import TooBusy
from envhub.core.types import JSON

PAGES: Final = 30
"""Maximum number of open pages per browser."""
RECYCLED: Final = 300
"""Number of pages after which a browser is replaced."""
BROWSERS: Final = 4
"""Maximum number of browsers per process of envhub."""


class Pool:
    """Browsers that are started when they are needed.

    Args:
        pages: Maximum number of open pages per browser.
        recycled: Number of pages after which a browser is replaced.
        browsers: Maximum number of running browsers.
        patience_s: Seconds until a browser that does not answer is lost.
    """

    def __init__(
        self, pages: int = PAGES, recycled: int = RECYCLED, browsers: int = BROWSERS, patience_s: float = PATIENCE_S
    ) -> None:
        self._pages, self._recycled, self._browsers, self._patience_s = pages, recycled, browsers, patience_s
        self._running: list[BrowserProcess] = []
        self._lock = threading.Lock()

    @property
    def running(self) -> tuple[BrowserProcess, ...]:
        """The running browsers."""
        return tuple(self._running)

    def open(
        self, site: Site, problem: JSON, screen: Screen = DESKTOP, kind: type[Page] = Page
    ) -> tuple[BrowserProcess, Page]:
        """A new page, and its browser.

        Raises:
            TooBusy: All browsers are full.
            MissingExtra: There is no browser here.
            BrowserLost: The browser was lost meanwhile.
        """
        with self._lock:
            process = self._choose()
            with self.using(process):
                return process, kind(process, site, problem, screen)

    def close_page(self, process: BrowserProcess, page: Page) -> None:
        """Close a page; end its browser if lost or spent."""
        with self._lock:
            with process.lock:
                page.close()
            self._tidy()

    @contextmanager
    def using(self, process: BrowserProcess) -> Iterator[None]:
        """Hold a browser; one that is lost meanwhile is given up.

        Raises:
            BrowserLost: It was given up.
        """
        with process.lock:
            if process.lost:
                earlier = BrowserLost(process.lost)
                earlier.during = False
                raise earlier
            try:
                yield
            except (BrowserLost, CommandFailed) as error:
                process.give_up(str(error))
                raise BrowserLost(str(error)) from error

    def close(self) -> None:
        """End all browsers."""
        with self._lock:
            for process in self._running:
                process.close()
            self._running.clear()

    def _choose(self) -> BrowserProcess:
        self._tidy()
        fitting = [each for each in self._running if each.pages < self._pages and each.opened < self._recycled]
        for process in sorted(fitting, key=lambda each: each.pages):
            with process.lock:
                if process.healthy():
                    return process
                process.give_up("The browser does not answer.")
        self._tidy()
        if len(self._running) >= self._browsers:
            raise TooBusy(f"All {self._browsers} browsers are full. Close episodes, or try again later.")
        process = BrowserProcess(self._patience_s)
        self._running.append(process)
        return process

    def _tidy(self) -> None:
        """End browsers that are lost, and spent ones without pages."""
        for process in [*self._running]:
            if process.lost or (process.opened >= self._recycled and not process.pages):
                self._running.remove(process)
                process.close()


def default_pool() -> Pool:
    """The browsers of this process."""
    global _default
    with _default_lock:
        if _default is None:
            _default = Pool()
            atexit.register(_default.close)
        return _default


_default: Pool | None = None
_default_lock = threading.Lock()


def _after_fork() -> None:
    """A forked child uses no browser of its parent."""
    global _default, _default_lock
    _default, _default_lock = None, threading.Lock()


os.register_at_fork(after_in_child=_after_fork)
