"""A process of the browser, in a jail without a network.

It needs Linux and namespaces, like the sandbox's default backend. Where control groups can be used, memory and processes
are limited by them; a browser over its limit is killed by the kernel, which is an infrastructure failure.
"""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from importlib import resources
from itertools import count
from typing import Any, Final

from envhub.browser.devtools import BrowserLost, CommandFailed, DevTools
from envhub.browser.executable import find_browser
from envhub.core.errors import ResourceError
from envhub.sandbox.linux import cgroups
from envhub.sandbox.linux.namespace import NamespaceBackend
from envhub.sandbox.slots import bundle

MEMORY_MB: Final = 1536
PROCESSES: Final = 1024
"""Processes and threads of a browser with some thirty pages."""
PATIENCE_S: Final = 30.0
_FILES_MB: Final = 128
_SERIAL: Final = count(0x4000)  # the sandbox's own groups have smaller numbers
_SHOWN: Final = ("/etc/fonts", "/etc/alternatives")
FLAGS: Final = (
    "--remote-debugging-pipe",
    "--no-sandbox",  # it would need privileges that the jail does not grant
    "--user-data-dir=/box/profile",
    "--disable-gpu",
    "--disable-3d-apis",
    "--disable-background-networking",
    "--disable-breakpad",
    "--disable-client-side-phishing-detection",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-extensions",
    "--disable-features=Translate,MediaRouter,OptimizationHints,DialMediaRouteProvider,WebUSB,WebBluetooth",
    "--disable-lcd-text",
    "--disable-smooth-scrolling",
    "--disable-sync",
    "--block-new-web-contents",
    "--deny-permission-prompts",
    "--dns-prefetch-disable",
    "--font-render-hinting=none",
    "--force-color-profile=srgb",
    "--force-device-scale-factor=1",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--hide-scrollbars",
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--js-flags=--max-old-space-size=64",
    "--lang=en-US",
    "--mute-audio",
    "--no-first-run",
    "--no-default-browser-check",
)
_log = logging.getLogger(__name__)


class BrowserProcess:
    """A running browser. Use it under its ``lock``.

    Attributes:
        lock: Held while a page is used, since all pages share one pipe.
        pages: Number of open pages.
        opened: Number of pages ever opened.
        version: Product and version, such as ``HeadlessChrome/156.0.1.2``.

    Raises:
        MissingExtra: There is no browser here, or no namespaces.
        ResourceError: It does not start.
    """

    def __init__(self, patience_s: float = PATIENCE_S) -> None:
        self.lock = threading.RLock()
        self.pages = self.opened = 0
        self.lost = ""
        self._listeners: dict[str, Callable[[str, dict[str, Any]], None]] = {}
        self._group: cgroups.Group | None = None
        self._start(patience_s)
        try:
            self.version: str = self.devtools.call("Browser.getVersion")["product"]
        except (BrowserLost, CommandFailed) as error:
            self.close()
            raise ResourceError(f"The browser did not start: {error}") from error

    @property
    def pid(self) -> int:
        """Id of the process that supervises the jail.

        Killing it ends the browser.
        """
        return self._process.pid

    def listen(self, session: str, on_event: Callable[[str, dict[str, Any]], None]) -> None:
        """Send the events of a session to a function."""
        self._listeners[session] = on_event

    def forget(self, session: str) -> None:
        """No longer send the events of a session."""
        self._listeners.pop(session, None)

    def healthy(self) -> bool:
        """Whether the browser answers."""
        if self.lost or self._process.poll() is not None:
            return False
        try:
            self.devtools.call("Browser.getVersion")
        except (BrowserLost, CommandFailed):
            return False
        return True

    def give_up(self, reason: str) -> None:
        """Mark it as lost: its state is unknown."""
        self.lost = self.lost or reason

    def close(self) -> None:
        """End the browser and all of its processes. Never raises."""
        self.lost = self.lost or "closed"
        with suppress(OSError):
            os.close(self._control)
        self._process.kill()
        self._process.wait()
        if self._group is not None:
            self._group.remove()
        with suppress(OSError):
            self.devtools.close()

    def _start(self, patience_s: float) -> None:
        tree = cgroups.find()
        (their_reads, our_writes), (our_reads, their_writes) = os.pipe(), os.pipe()
        control, self._control = os.pipe()
        theirs = (control, their_reads, their_writes)
        try:
            self._process = subprocess.Popen(
                [sys.executable, *bundle.FLAGS, "-c", _program(self._settings(control, their_reads, their_writes))],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env=bundle.ENVIRONMENT,
                cwd="/",
                start_new_session=True,
                pass_fds=theirs,
            )
        finally:
            for end in theirs:
                os.close(end)
        self.devtools = DevTools(our_reads, our_writes, self._event, patience_s)
        if isinstance(tree, cgroups.Tree):
            self._group = tree.make(next(_SERIAL))
            self._group.add(self._process.pid)
            self._group.begin(MEMORY_MB, PROCESSES)
        os.write(self._control, b"g")  # it waits for its limits

    @staticmethod
    def _settings(control: int, reads: int, writes: int) -> dict[str, Any]:
        program = find_browser()
        jail = NamespaceBackend().jail_settings()
        lent = {path: path for path in _SHOWN if os.path.isdir(path)}
        folder = str(program.parent)
        if not folder.startswith("/usr/"):
            lent[folder] = folder
        return jail | {
            "lent": jail["lent"] | lent,
            "control": control,
            "pipe": [reads, writes],
            "command": [str(program), *FLAGS],
            "files_mb": _FILES_MB,
        }

    def _event(self, session: str, name: str, params: dict[str, Any]) -> None:
        listener = self._listeners.get(session)
        if listener is not None:
            listener(name, params)


def _program(settings: dict[str, Any]) -> str:
    """The source of the process that becomes the jail."""
    needed = ("linux", "jail")
    own = bundle.as_inside((resources.files("envhub.browser") / "inside.py").read_text("utf-8"))
    modules = [(name, text) for name, text in bundle.modules() if name in needed] + [("browser", own)]
    return f"{bundle.LOAD}import json\nload({modules!r}).browser.main(json.loads({json.dumps(settings)!r}))\n"
