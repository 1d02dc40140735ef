"""The browser as a resource of environments: one page per episode.

Actions are ``Exec`` effects. Their outcome is journaled: the accessibility tree as text, the requests that the page made,
and what was refused. The environment folds its site over the requests, so its state is the state of the site, and a
replay gives the same state without a browser. A lost page is rebuilt by the same actions::

    class Forms(ToolEnv):
        resources = {"browser": Pages(MySite())}
        @tool
        def click(self, inst, state, id: int): seen = yield from act("browser", {"do": "click", "id": id}); ...

Pictures are shown with a turn but not journaled, so a replayed turn has none.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from dataclasses import asdict, dataclass
from typing import Any, ClassVar

from envhub.browser.acting import act as carry_out
from envhub.browser.actions import DESKTOP, Refused, Screen
from envhub.browser.executable import missing
from envhub.browser.page import Page
from envhub.browser.pool import Pool, default_pool
from envhub.browser.process import BrowserProcess
from envhub.browser.site import Request, Site
from envhub.core.effects import Effect, Exec, Live, Outcome, Resource
from envhub.core.errors import ResourceError
from envhub.core.types import JSON


class Pages(Resource):
    """A page of a site per episode.

    Args:
        site: The site, which shows the problem.
        screen: What it is shown on.
        pool: The browsers to use. Defaults to those of the process.

    Attributes:
        kind: The class of its pages.
    """

    kind: ClassVar[type[Page]] = Page

    def __init__(self, site: Site, screen: Screen = DESKTOP, pool: Pool | None = None) -> None:
        super().__init__("replay")
        self._screen = screen
        self._site = site
        self._pool = pool

    def open(self, problem: JSON, token: JSON = None) -> Live:
        """Open the site's first page."""
        pool = self._pool or default_pool()
        return _Open(pool, *pool.open(self._site, problem, self._screen, self.kind))

    def absent(self) -> str | None:
        """How to install a browser; None if there is one."""
        return missing()


class _Open(Live):
    def __init__(self, pool: Pool, process: BrowserProcess, page: Page) -> None:
        self._pool, self._process, self._page = pool, process, page

    def perform(self, effect: Effect) -> Outcome:
        """Carry out an action and observe the page."""
        if not isinstance(effect, Exec):
            raise ResourceError(f"A page accepts Exec effects, got {type(effect).__name__}.")
        action, view = effect.payload
        with self._pool.using(self._process):
            refused = self._act(action)
            tree = self._page.observe(places=view["places"])
            report = self._page.report()
            pictures = (self._page.picture(marks=view["marks"]),) if view["picture"] else ()
        requests = [request.to_json() for request in self._page.requests]
        self._page.requests.clear()
        data = {"requests": requests, "refused": refused, "browser": self._process.version}
        return Outcome(tree, data if report is None else {**data, "report": report}, pictures)

    def close(self) -> None:
        """Close the page."""
        self._pool.close_page(self._process, self._page)

    def _act(self, action: Mapping[str, Any]) -> str | None:
        try:
            carry_out(self._page, action)
        except Refused as refused:
            return str(refused)
        self._page.settle()
        return None


@dataclass(frozen=True, slots=True)
class Seen:
    """What an action led to.

    Attributes:
        tree: The accessibility tree as text.
        requests: The requests that the page made, in order.
        refused: Why the action was not carried out; None if it was.
        pictures: A screenshot as PNG, if one was requested and the turn is not a replay.
        browser: Name and version of the browser.
        report: What the page says about itself, if it is believed.
    """

    tree: str
    requests: tuple[Request, ...]
    refused: str | None
    pictures: tuple[bytes, ...]
    browser: str
    report: Any = None


@dataclass(frozen=True, slots=True)
class View:
    """What is observed besides the tree.

    Attributes:
        picture: A screenshot.
        marks: The ids of elements, drawn in the screenshot.
        places: The middle of each element with an id, in the tree.
    """

    picture: bool = False
    marks: bool = False
    places: bool = False


def act(resource: str, action: Mapping[str, JSON], view: View) -> Generator[Effect, Outcome, Seen]:
    """Carry out an action on the page and observe it.

    Args:
        resource: The name under which the environment declares its :class:`Pages`.
        action: See :func:`envhub.browser.acting.act`.
        view: What is observed.
    """
    outcome = yield Exec(resource, [dict(action), asdict(view)])
    requests = tuple(map(Request.from_json, outcome.data["requests"]))
    data = outcome.data
    return Seen(outcome.text, requests, data["refused"], outcome.pictures, data["browser"], data.get("report"))
