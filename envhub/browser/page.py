"""One page in a browser context of its own, showing a site.

Every request is intercepted and answered by the site; there is nothing else that a page could load. Pages are the same
each time: clock, random numbers, animations, time zone and language are fixed.
"""

from __future__ import annotations

import base64
import re
from typing import Any, ClassVar, Final

from envhub.browser.actions import DESKTOP, Refused, Screen
from envhub.browser.devtools import BrowserLost, CommandFailed
from envhub.browser.process import PATIENCE_S, BrowserProcess
from envhub.browser.site import ORIGIN, POLICY, Request, Site, read_request
from envhub.browser.tree import Element, read_tree
from envhub.core.types import JSON

_FROZEN: Final = """(() => {
  const Real = Date, now = 1767225600000;
  globalThis.Date = class extends Real {
    constructor(...given) { given.length ? super(...given) : super(now); }
    static now() { return now; }
  };
  Math.random = () => 0.5;
  performance.now = () => 0;
})()"""
_QUIET: Final = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))"
_MARK: Final = """(boxes => {
  const layer = document.createElement('div');
  layer.id = 'marks-of-envhub';
  layer.style.cssText = 'position:fixed;inset:0;z-index:2147483647;pointer-events:none';
  for (const [id, x, y, w, h] of boxes) {
    const box = document.createElement('div');
    box.style.cssText = `position:fixed;left:${x}px;top:${y}px;width:${w}px;height:${h}px;outline:2px solid #d00`;
    const tag = document.createElement('span');
    tag.textContent = id;
    tag.style.cssText = 'position:absolute;left:0;top:-2px;background:#d00;color:#fff;font:bold 11px sans-serif;padding:0 3px';
    box.append(tag);
    layer.append(box);
  }
  (document.querySelector('dialog:modal') || document.body).append(layer);
})"""
_REACHED: Final = """function(x, y) {
  const top = document.elementFromPoint(x, y);
  return !!top && (this.contains(top) || top.contains(this));
}"""
_CLIPPED: Final = """function(x, y) {
  for (let box = this.parentElement; box && box !== document.body; box = box.parentElement) {
    const {overflowX, overflowY} = getComputedStyle(box);
    if (overflowX === 'visible' && overflowY === 'visible') continue;
    const {left, right, top, bottom} = box.getBoundingClientRect();
    const side = y < top ? 'above' : y >= bottom ? 'below' : x < left ? 'left' : x >= right ? 'right' : '';
    if (side) return [side, Math.round((left + right) / 2), Math.round((top + bottom) / 2)];
  }
  return null;
}"""
_ID: Final = re.compile(r"^ *\[(\d+)\]", re.MULTILINE)
_UNMARK: Final = "document.getElementById('marks-of-envhub')?.remove()"
_ROUNDS: Final = 20
_ANNOUNCED_S: Final = 10.0
"""Seconds until a navigation that was announced and asks for nothing counts as refused by the browser."""


class Page:
    """A page of a site.

    Use it under the lock of its process.

    Args:
        process: The browser.
        site: The site.
        problem: The problem that the site shows.
        screen: What it is shown on.

    Attributes:
        screen: What it is shown on.
        touched: Time of the last touch, in seconds on a clock of its own.
        visited: Addresses of the pages that were opened by links, the current one last.
        state: The site's state.
        requests: The requests since they were last taken.
        elements: The elements with ids, as they were last observed.
    """

    def __init__(self, process: BrowserProcess, site: Site, problem: JSON, screen: Screen = DESKTOP) -> None:
        self._process, self._site, self._problem = process, site, problem
        self.screen = screen
        self.visited: list[str] = []
        self.touched = 0.0
        self.state = site.start(problem)
        self.requests: list[Request] = []
        self.elements: list[Element] = []
        self._session = ""
        self._lost = ""
        self._expected = False  # a navigation was announced, and its request has not arrived
        self._started = False  # it has started; before that, what stops is an earlier one
        self._asked = self._loaded = 0
        process.pages += 1
        process.opened += 1
        browser = process.devtools
        self._context: str = browser.call("Target.createBrowserContext", disposeOnDetach=True)["browserContextId"]
        try:
            browser.call("Browser.setDownloadBehavior", behavior="deny", browserContextId=self._context)
            self._open()
        except CommandFailed as error:
            raise BrowserLost(f"The browser opens no page: {error}") from error

    def call(self, method: str, **params: Any) -> dict[str, Any]:
        """Send a command to the page.

        Raises:
            BrowserLost: The page is gone.
            CommandFailed: It refused the command.
        """
        if self._lost:
            raise BrowserLost(self._lost)
        return self._process.devtools.call(method, self._session, **params)

    def evaluate(self, expression: str, *, wait: bool = False) -> Any:
        """The value of an expression in the page."""
        done = self.call("Runtime.evaluate", expression=expression, awaitPromise=wait, returnByValue=True)
        return done["result"].get("value")

    def call_on(self, element: Element, function: str, *arguments: JSON) -> Any:
        """Call a function with an element as ``this``.

        Raises:
            Refused: The element is gone.
        """
        try:
            found = self.call("DOM.resolveNode", backendNodeId=element.node)["object"]["objectId"]
        except CommandFailed:
            raise Refused("This element is no longer on the page.") from None
        values = [{"value": value} for value in arguments]
        done = self.call(
            "Runtime.callFunctionOn", functionDeclaration=function, objectId=found, arguments=values, returnByValue=True
        )
        return done["result"].get("value")

    def element(self, number: int) -> Element:
        """The element with an id.

        Raises:
            Refused: No element has this id.
        """
        if not 1 <= number <= len(self.elements):
            known = f"ids are 1 to {len(self.elements)}" if self.elements else "no element has an id yet"
            raise Refused(f"There is no element {number}: {known}.")
        return self.elements[number - 1]

    def box(self, element: Element) -> tuple[float, float, float, float] | None:
        """Left, top, width and height of an element in the viewport.

        None if it is not shown.
        """
        try:
            quads = self.call("DOM.getContentQuads", backendNodeId=element.node)["quads"]
        except CommandFailed:
            return None
        if not quads:
            return None
        xs, ys = quads[0][::2], quads[0][1::2]
        return min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys)

    def settle(self) -> None:
        """Wait until what an action began has ended: events, navigation, drawing.

        Raises:
            BrowserLost: It does not end.
        """
        for _ in range(_ROUNDS):
            quiet = self._quiet()
            if quiet and not self._busy():
                return
            loading = self._loaded < self._asked
            most = PATIENCE_S if loading else _ANNOUNCED_S
            if self._busy() and not self._process.devtools.wait(lambda: bool(self._lost) or not self._busy(), most):
                if loading:
                    raise BrowserLost(f"A page did not load within {PATIENCE_S:g} seconds.")
                self._expected = False  # announced, but refused by the browser
            if self._lost:
                raise BrowserLost(self._lost)
        raise BrowserLost(f"The page was still navigating after {_ROUNDS} rounds.")

    more_commands: ClassVar[tuple[tuple[str, dict[str, Any]], ...]] = ()
    """Commands that prepare a page of this class."""

    @property
    def prelude(self) -> str:
        """A script that runs before those of any document."""
        return _FROZEN

    def idle(self, ms: int) -> None:
        """Wait. Nothing happens on a page of ours, whose clock is frozen."""

    def notice(self) -> None:
        """Let the page react to the mouse before it is pressed.

        Pages of ours do not.
        """

    def report(self) -> JSON:
        """What the page says about itself: nothing, for it is not believed."""
        return None

    def write(self, text: str) -> None:
        """Insert a text in the focused field."""
        self.call("Input.insertText", text=text)

    def _busy(self) -> bool:
        return self._expected or self._loaded < self._asked

    def _quiet(self) -> bool:
        """Let the page handle its events and draw twice.

        False if it was left meanwhile.
        """
        try:
            self.evaluate(_QUIET, wait=True)
        except CommandFailed:
            return False
        return True

    def back(self) -> None:
        """Open the previous page again, if any. Forms are never sent again."""
        if len(self.visited) > 1:
            self.visited.pop()
            self.go(self.visited[-1])

    def go(self, url: str) -> None:
        """Open an address of the site."""
        self._expected, self._started = True, False
        self.call("Page.navigate", url=url)

    def observe(self, *, places: bool = False) -> str:
        """The accessibility tree as text; sets the ids of elements.

        Args:
            places: Whether to show the middle of each element with an id that is in the viewport.
        """
        text, self.elements = read_tree(self.call("Accessibility.getFullAXTree")["nodes"])
        return _ID.sub(self._with_place, text) if places else text

    def _with_place(self, found: re.Match[str]) -> str:
        box = self.box(self.elements[int(found[1]) - 1])
        if box is None:
            return found[0]
        x, y = round(box[0] + box[2] / 2), round(box[1] + box[3] / 2)
        clipped = self.call_on(self.elements[int(found[1]) - 1], _CLIPPED, x, y)
        if clipped is not None:
            return f"{found[0]} {clipped[0]} in the box at ({clipped[1]}, {clipped[2]})"
        if not 0 <= y < self.screen.height:
            return f"{found[0]} {'above' if y < 0 else 'below'} the view"
        if not 0 <= x < self.screen.width:
            return f"{found[0]} {'left' if x < 0 else 'right'} of the view"
        reached = self.call_on(self.elements[int(found[1]) - 1], _REACHED, x, y)
        return f"{found[0]} at ({x}, {y})" if reached else f"{found[0]} hidden"

    def picture(self, *, marks: bool = False) -> bytes:
        """A screenshot of the viewport as PNG.

        Args:
            marks: Whether to draw the id of each element with one.
        """
        if marks:
            found = ((number, self.box(element)) for number, element in enumerate(self.elements, 1))
            boxes = [[number, *box] for number, box in found if box is not None]
            self.evaluate(f"{_MARK}({boxes!r})")
        try:
            shot = self.call("Page.captureScreenshot", format="png", optimizeForSpeed=False)
        finally:
            if marks:
                self.evaluate(_UNMARK)
        return base64.b64decode(shot["data"])

    def close(self) -> None:
        """Dispose of the context. Never raises."""
        self._process.forget(self._session)
        self._process.pages -= 1
        if not self._process.lost:
            try:
                self._process.devtools.call("Target.disposeBrowserContext", browserContextId=self._context)
            except (BrowserLost, CommandFailed) as error:
                self._process.give_up(str(error))

    def _open(self) -> None:
        browser = self._process.devtools
        target = browser.call("Target.createTarget", url="about:blank", browserContextId=self._context)["targetId"]
        self._session = browser.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self._process.listen(self._session, self._event)
        size = {"width": self.screen.width, "height": self.screen.height, "deviceScaleFactor": 1, "mobile": False}
        commands: tuple[tuple[str, dict[str, Any]], ...] = (
            ("Page.enable", {}),
            ("Fetch.enable", {"patterns": [{"urlPattern": "*"}]}),
            ("Target.setAutoAttach", {"autoAttach": True, "waitForDebuggerOnStart": True, "flatten": True}),
            ("Emulation.setDeviceMetricsOverride", size),
            ("Emulation.setTouchEmulationEnabled", {"enabled": self.screen.touch}),
            ("Emulation.setTimezoneOverride", {"timezoneId": "UTC"}),
            ("Emulation.setFocusEmulationEnabled", {"enabled": True}),
            ("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-reduced-motion", "value": "reduce"}]}),
            ("Page.setInterceptFileChooserDialog", {"enabled": True}),
            ("Page.addScriptToEvaluateOnNewDocument", {"source": self.prelude}),
        )
        for method, params in (*commands, *self.more_commands):
            self.call(method, **params)
        self.call("Page.navigate", url=f"{ORIGIN}/")
        self._process.devtools.wait(lambda: bool(self._lost) or self._loaded > 0, PATIENCE_S)
        self.settle()
        self.requests.clear()

    def _event(self, name: str, params: dict[str, Any]) -> None:
        if name == "Fetch.requestPaused":
            self._answer(params)
        elif name == "Page.loadEventFired":
            self._loaded += 1
        elif name == "Page.frameRequestedNavigation":
            self._expected, self._started = True, False
        elif name == "Page.frameStartedLoading":
            self._started = True
        elif name == "Page.navigatedWithinDocument" or (name == "Page.frameStoppedLoading" and self._started):
            self._expected = False
        elif name == "Page.javascriptDialogOpening":
            self._process.devtools.post("Page.handleJavaScriptDialog", self._session, accept=False)
        elif name == "Target.attachedToTarget":  # a page opens nothing beside itself
            self._process.devtools.post("Target.closeTarget", targetId=params["targetInfo"]["targetId"])
        elif name in ("Inspector.targetCrashed", "Inspector.detached"):
            self._lost = "The page has crashed."

    def _answer(self, paused: dict[str, Any]) -> None:
        """Answer a request by the site; refuse all others."""
        asked, document = paused["request"], paused.get("resourceType") == "Document"
        self._expected = self._expected and not document
        request = read_request(asked["method"], asked["url"], _body(asked)) if document else None
        post, session = self._process.devtools.post, self._session
        if request is None and document:  # no content: the page stays
            post("Fetch.fulfillRequest", session, requestId=paused["requestId"], responseCode=204)
        elif request is None:
            post("Fetch.failRequest", session, requestId=paused["requestId"], errorReason="BlockedByClient")
        else:
            self.state, html = self._site.handle(self._problem, self.state, request)
            self.requests.append(request)
            if request.method == "GET" and self.visited[-1:] != [asked["url"]]:
                self.visited.append(asked["url"])
            self._asked += 1
            headers = [("content-type", "text/html; charset=utf-8"), ("content-security-policy", POLICY)]
            post(
                "Fetch.fulfillRequest",
                session,
                requestId=paused["requestId"],
                responseCode=200,
                responseHeaders=[{"name": name, "value": value} for name, value in headers],
                body=base64.b64encode(html.encode()).decode(),
            )


def _body(asked: dict[str, Any]) -> str:
    """The body of a request as text; empty without one."""
    entries = asked.get("postDataEntries") or ()
    raw = b"".join(base64.b64decode(entry.get("bytes", "")) for entry in entries)
    return raw.decode("utf-8", "replace") if raw else str(asked.get("postData") or "")
