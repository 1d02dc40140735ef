"""Pages of others, whose own scripts decide what happens.

Unlike a site of ours, such a page holds its state in the browser and judges itself. Its files are served through the same
interception, and its clock stands still between actions: timers, dates and animations of scripts follow a clock that each
action advances by a fixed time. So the same actions lead to the same page, and a lost page is rebuilt by them::

    class Puzzles(ScriptedSite):
        def document(self, problem): return "<html>..."
        def file(self, problem, path): return File(b"...", "text/javascript")
        def begin(self, problem): return "start()"
        report = "{done: over, raw: reward}"

    resources = {"browser": ScriptedPages(Puzzles())}

The scripts of the page run only with a number that is new for each page. A text that a policy types never runs, even if
the page writes it into its HTML.
"""

from __future__ import annotations

import base64
import json
import re
import secrets
from abc import abstractmethod
from typing import Any, ClassVar, Final, NamedTuple
from urllib.parse import urlsplit

from envhub.browser.actions import DESKTOP, Screen
from envhub.browser.devtools import BrowserLost, CommandFailed
from envhub.browser.dom import STYLES, read_dom
from envhub.browser.page import Page
from envhub.browser.process import BrowserProcess
from envhub.browser.resource import Pages
from envhub.browser.site import ORIGIN, Request, Site
from envhub.core.types import JSON

STEP_MS: Final = 200
"""The page's time that an action takes, in milliseconds."""
_CLOCK: Final = """(() => {
  const start = 1767225600000, most = 20000;
  let now = 0, serial = 0;
  const due = new Map();
  const Real = Date;
  globalThis.Date = class extends Real {
    constructor(...given) { given.length ? super(...given) : super(start + now); }
    static now() { return start + now; }
  };
  performance.now = () => now;
  Math.random = () => 0.5;
  const add = (call, at, every) => { due.set(++serial, {call, at, every}); return serial; };
  const later = every => (call, ms, ...given) => {
    const wait = Math.max(1, Math.floor(+ms || 0));
    return add(() => typeof call === 'function' && call(...given), now + wait, every ? wait : 0);
  };
  globalThis.setTimeout = later(false);
  globalThis.setInterval = later(true);
  globalThis.requestAnimationFrame = call => add(() => call(now), Math.floor(now / 16 + 1) * 16, 0);
  globalThis.clearTimeout = globalThis.clearInterval = globalThis.cancelAnimationFrame = id => { due.delete(id); };
  const advance = ms => {
    const until = now + ms;
    for (let count = 0; count < most; count++) {
      let next = 0, at = until + 1;
      for (const [id, one] of due) if (one.at < at) { next = id; at = one.at; }
      if (!next) break;
      const one = due.get(next);
      now = Math.max(now, one.at);
      if (one.every) one.at = now + one.every; else due.delete(next);
      try { one.call(); } catch (error) { console.error(error); }
    }
    now = until;
  };
  Object.defineProperty(globalThis, 'advanceOfEnvhub', {value: advance});
})()"""
_STYLE: Final = "*{animation:none!important;transition:none!important;caret-color:transparent!important}"
_QUIET: Final = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))"
_SCRIPT: Final = re.compile(r"<script\b", re.IGNORECASE)
_HEAD: Final = re.compile(r"<head[^>]*>", re.IGNORECASE)
_RULES: Final = (
    "default-src 'none'; script-src 'nonce-{}'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


class File(NamedTuple):
    """A file of a site.

    Attributes:
        content: Its bytes.
        kind: Its media type.
    """

    content: bytes
    kind: str


class ScriptedSite(Site):
    """One document with its files.

    All methods are pure functions of the problem.

    Attributes:
        report: A JavaScript expression whose JSON value is reported after each action.
        hidden: Values of ``id`` of elements that are not shown.
        untold: Values of ``id`` of elements whose texts are left out of the page as text.
    """

    report: ClassVar[str]
    hidden: ClassVar[frozenset[str]] = frozenset()
    untold: ClassVar[frozenset[str]] = frozenset()

    @abstractmethod
    def document(self, problem: JSON) -> str:
        """The HTML of the document."""

    @abstractmethod
    def file(self, problem: JSON, path: str) -> File | None:
        """The file at a path; None if it does not exist."""

    @abstractmethod
    def begin(self, problem: JSON) -> str:
        """JavaScript that starts the task once the document has loaded."""

    def start(self, problem: JSON) -> JSON:
        """Nothing: the state is in the page."""
        return None

    def handle(self, problem: JSON, state: JSON, request: Request) -> tuple[JSON, str]:
        """The document, whatever is requested."""
        return state, self.document(problem)


class ScriptedPage(Page):
    """A page of a :class:`ScriptedSite`."""

    more_commands: ClassVar[tuple[tuple[str, dict[str, Any]], ...]] = (("Network.enable", {}),)
    _site: ScriptedSite

    def __init__(self, process: BrowserProcess, site: Site, problem: JSON, screen: Screen = DESKTOP) -> None:
        if not isinstance(site, ScriptedSite):
            raise TypeError(f"A scripted page shows a ScriptedSite, got {type(site).__name__}.")
        self._nonce = secrets.token_hex(16)
        self._world = 0
        self._due = 0
        self._begun = False
        self._loading: set[str] = set()
        super().__init__(process, site, problem, screen)

    @property
    def prelude(self) -> str:
        """The clock that stands still."""
        return _CLOCK

    def idle(self, ms: int) -> None:
        """Let some of the page's time pass instead of a step's."""
        self._due = ms

    def settle(self) -> None:
        """Let the page handle events, pass time, and draw."""
        super().settle()
        if self._begun:
            self.evaluate(f"advanceOfEnvhub({self._due or STEP_MS})")
            self._due = 0
            super().settle()

    def notice(self) -> None:
        """Let the page show other images below the mouse."""
        super().settle()

    def report(self) -> JSON:
        """What the page says about itself."""
        said = self.evaluate(f"JSON.stringify({self._site.report})")
        return json.loads(said) if isinstance(said, str) else None

    def write(self, text: str) -> None:
        """Type a text key by key."""
        for sign in text:
            typed = "\r" if sign == "\n" else sign
            self.call("Input.dispatchKeyEvent", type="keyDown", text=typed, key="Enter" if sign == "\n" else sign,
                      windowsVirtualKeyCode=_code(sign))  # fmt: skip
            self.call("Input.dispatchKeyEvent", type="keyUp", key="Enter" if sign == "\n" else sign,
                      windowsVirtualKeyCode=_code(sign))  # fmt: skip

    def observe(self, *, places: bool = False) -> str:
        """The elements as text, always with places; sets the ids of elements."""
        focused = 0
        try:
            at = self.call("Runtime.evaluate", expression="document.activeElement", contextId=self._inside())["result"]
            if "objectId" in at:
                focused = self.call("DOM.describeNode", objectId=at["objectId"])["node"]["backendNodeId"]
        except CommandFailed:
            pass  # nothing has the focus
        snapshot = self.call("DOMSnapshot.captureSnapshot", computedStyles=list(STYLES))
        text, self.elements = read_dom(snapshot, focused, self.screen, self._site.hidden, self._site.untold)
        return text

    def _open(self) -> None:
        super()._open()
        begun = self.call("Runtime.evaluate", expression=self._site.begin(self._problem))
        if "exceptionDetails" in begun:
            raise BrowserLost(f"The page did not start: {begun['result'].get('description', '')[:300]}")
        self._begun = True
        super().settle()

    def _event(self, name: str, params: dict[str, Any]) -> None:
        if name in ("Network.loadingFinished", "Network.loadingFailed"):
            self._loading.discard(params["requestId"])
        super()._event(name, params)

    def _busy(self) -> bool:
        return super()._busy() or bool(self._loading)

    def _quiet(self) -> bool:
        try:
            self.call("Runtime.evaluate", expression=_QUIET, awaitPromise=True, contextId=self._inside())
        except CommandFailed:
            self._world = 0
            return False
        return True

    def _inside(self) -> int:
        """A world of its own, in which timers are the browser's."""
        if not self._world:
            frame = self.call("Page.getFrameTree")["frameTree"]["frame"]["id"]
            self._world = self.call("Page.createIsolatedWorld", frameId=frame)["executionContextId"]
        return self._world

    def _answer(self, paused: dict[str, Any]) -> None:
        """Answer with the document, once, and with its files."""
        asked, document = paused["request"], paused.get("resourceType") == "Document"
        parts = urlsplit(asked["url"])
        ours = asked["method"] == "GET" and f"{parts.scheme}://{parts.netloc}" == ORIGIN
        if document:
            self._expected = False
            if self._asked or not ours:
                self._fulfill(paused, 204)
                return
            self._asked += 1
            nonced = _SCRIPT.sub(f'<script nonce="{self._nonce}"', self._site.document(self._problem))
            style = (
                f"<style>{_STYLE}{''.join(f'#{name}{{display:none!important}}' for name in self._site.hidden)}</style>"
            )
            html = _HEAD.sub(lambda found: found[0] + style, nonced, count=1)
            rules = ("content-security-policy", _RULES.format(self._nonce))
            self._fulfill(paused, 200, File(html.encode(), "text/html; charset=utf-8"), rules)
            return
        found = self._site.file(self._problem, parts.path) if ours else None
        if found is None:
            self._process.devtools.post(
                "Fetch.failRequest", self._session, requestId=paused["requestId"], errorReason="BlockedByClient"
            )
        else:
            if "networkId" in paused:
                self._loading.add(paused["networkId"])
            self._fulfill(paused, 200, found)

    def _fulfill(self, paused: dict[str, Any], code: int, file: File | None = None, *headers: tuple[str, str]) -> None:
        given: dict[str, Any] = {}
        if file is not None:
            named = [("content-type", file.kind), *headers]
            given = {
                "responseHeaders": [{"name": name, "value": value} for name, value in named],
                "body": base64.b64encode(file.content).decode(),
            }
        self._process.devtools.post(
            "Fetch.fulfillRequest", self._session, requestId=paused["requestId"], responseCode=code, **given
        )


class ScriptedPages(Pages):
    """A page of a :class:`ScriptedSite` per episode.

    A lost page is rebuilt by the same actions.
    """

    kind: ClassVar[type[Page]] = ScriptedPage


def _code(sign: str) -> int:
    """The virtual key code of a character; 0 for most signs."""
    if sign == "\n":
        return 13
    return ord(sign.upper()) if sign.isascii() and (sign.isalnum() or sign == " ") else 0
