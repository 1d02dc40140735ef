"""MiniWoB++ as an environment: trusts the page.

::

    from envhub.adapters.miniwob.environments import register
    register()
    env = envhub.make("miniwob/pages-v0", difficulty=3)          # or page="click-button"

MiniWoB++ (MIT, 1.9 MB) is a set of small pages, each with a goal, whose scripts compute the reward. **It trusts the page**: the
verdict is what the page reports. So no action runs a script, addresses that run scripts are refused, and a text that is
typed never runs, even if the page writes it into its HTML. Source: Liu et al. 2018, arXiv 1802.08802. Differences:

* **Reward**: the page's raw reward, without the decay by time. A task is solved if the page pays in full, or from 0.9 on
  where it pays by distance (``success="positive"``: anything above 0, as in BrowserGym). Other rewards above 0 are the
  component ``partial``.
* **Time** stands still between actions: an action takes 200 ms of the page's time, ``wait`` up to ten seconds. There is no
  time limit, but a limit on messages.
* **State** is in the page. A lost page is rebuilt by the same actions, with the same seed and clock; a browser that fails
  again and again is an ``error``.
* **Observations and actions** are those of gui-v0; the page as text lists the elements with their places.
* **Oracle**: scripts that read only the observation (:mod:`envhub.adapters.miniwob.scripts`); not every page has one.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Final, Literal, Self

from pydantic import Field, field_validator

from envhub.adapters.miniwob.pages import RELEASE, MiniWobSite
from envhub.adapters.miniwob.scripts import next_action
from envhub.adapters.miniwob.scripts.view import GOAL
from envhub.adapters.miniwob.tables import BY_DISTANCE, FULL_FROM, LEVELS, MESSAGES, MORE_MESSAGES, PAGES, REFUSED
from envhub.authoring import BaseParams, tool, write_call
from envhub.authoring.wording import Phrase, Rendering, Statement, Variants
from envhub.browser.actions import PHONE
from envhub.browser.resource import Seen
from envhub.browser.scripted import ScriptedPages
from envhub.browser.site import Site
from envhub.core.effects import Resource
from envhub.core.errors import nearest
from envhub.core.seeding import Stream
from envhub.core.types import JSON, EnvSpec, Instance, Turn, Verdict
from envhub.envs.tools.gui.conversation import Across, Browsing, Down, Number, Result, State
from envhub.registry import registry

__all__ = ["MiniWob", "register"]

EXTRA: Final = "miniwob"
ID: Final = "miniwob/pages-v0"
_LONGEST_MS: Final = 10_000
_WIDE, _HIGH = 160, 210
_SCRIPTS: Final = ("javascript:", "data:", "vbscript:")
_TASK: Final = Phrase(
    "You operate a small web page in a browser with mouse and keyboard. Reach the goal that the page shows.",
    "A web page shows a goal. Reach it, with mouse and keyboard.",
    "Use mouse and keyboard on a web page to reach the goal that is shown there.",
    held_out="Environment: one small web page in a browser. Objective: reach its stated goal by mouse and keyboard.",
)
_START: Final = Phrase(
    "You see the page and its goal after your first action, so begin by waiting.",
    "Begin with the action that waits: it shows you the page and its goal.",
    "The page and the goal are shown as soon as you have acted once. Waiting is an action.",
    held_out="The page and the goal are first observed after one action; waiting suffices.",
)
_END: Final = Phrase(
    "The page ends the task by itself when it has a result. The first result counts.",
    "As soon as the page has a result, good or bad, the task is over.",
    "The page decides when the task is over, and its first result counts.",
    held_out="The page terminates the task; its first result is final.",
)
_TIME: Final = Phrase(
    "The page's clock stands still between your actions. Each action takes 0.2 seconds of it, and a wait as long as you say.",
    "Time passes on the page only while you act: 0.2 seconds for an action, or the time that you wait.",
    "An action takes 0.2 seconds of the page's time, a wait the time that you name; otherwise no time passes.",
    held_out="Page time advances by 0.2 seconds per action, or by the duration of a wait, and not otherwise.",
)


_DATA: Final[Variants[Rendering]] = Variants(
    lambda problem: f"Page: {problem['page']}.",
    lambda problem: f"This is the page {problem['page']} of MiniWoB++.",
    lambda problem: f"The page is called {problem['page']}.",
    held_out=lambda problem: f"Page name: {problem['page']}",
    name="data",
)


class Params(BaseParams):
    """The page, and what counts as success."""

    page: str = Field("", max_length=80, description="name of one page; empty: drawn from `pages`")
    pages: list[str] = Field(list(PAGES), description="names of the pages to draw from")
    success: Literal["full", "positive"] = Field("full", description="solved by a full reward, or by any above 0")
    release: Literal["1.1.0"] = Field(RELEASE, description="of MiniWoB++, which must be the installed one")

    @field_validator("page")
    @classmethod
    def _exists(cls, page: str) -> str:
        if page in REFUSED:
            raise ValueError(f"{page} of MiniWoB++ makes no task: {REFUSED[page]}.")
        if page and page not in PAGES:
            raise ValueError(f"MiniWoB++ has no page {page!r}.{nearest(page, PAGES)}")
        return page

    @field_validator("pages")
    @classmethod
    def _exist(cls, pages: list[str]) -> list[str]:
        if not pages:
            raise ValueError("`pages` must name at least one page.")
        return [name for name in map(cls._exists, pages) if name]

    @classmethod
    def at(cls, difficulty: int) -> Self:
        """The pages of a level."""
        return cls(pages=list(LEVELS[difficulty - 1]))


class MiniWob(Browsing):
    """Reach the goal of a MiniWoB++ page; trusts the page."""

    Params = Params
    category = EXTRA
    components: ClassVar[frozenset[str]] = frozenset({"partial"})
    split_by: ClassVar[Literal["content", "seed", "none"]] = "seed"
    guessable = (1.0, "The pages are MiniWoB++'s: some have a few possible goals, or only one.")
    site: ClassVar[Site] = MiniWobSite()
    resources: ClassVar[Mapping[str, Resource]] = {
        "browser": ScriptedPages(site),
        "phone": ScriptedPages(site, PHONE),
    }
    unfinished: ClassVar[str] = " If the page has no result within these messages, the score is 0."

    def sample(self, rng: Stream, p: Any) -> Instance:
        """A page and a seed."""
        page = p.page or rng.choice(p.pages)
        content = {"page": page, "seed": rng.bits(40)}
        return Instance({**content, "success": p.success, "messages": MORE_MESSAGES.get(page, MESSAGES)}, key={})

    def canonical(self, content: JSON) -> JSON:
        """The page and the seed."""
        return [content["page"], content["seed"]]

    def form(self, problem: JSON) -> str:
        """The page."""
        return str(problem["page"])

    def prompt(self, problem: JSON) -> Statement:
        """The rules; the goal is on the page."""
        return Statement(task=_TASK, data=_DATA, problem=problem, rules=(_START, _END, _TIME))

    def begin(self, inst: Instance, rng: Stream) -> State:
        """Nothing was seen yet."""
        return State(())

    def folded(self, inst: Instance, state: State, seen: Seen) -> Any:
        """The observations so far, which the scripts read."""
        return (*state.site, f"{GOAL}{seen.report['goal']}\n{seen.tree}")

    def shown(self, seen: Seen) -> str:
        """The goal, and the page if it is seen as text."""
        return f"{GOAL}{seen.report['goal']}\n\n{super().shown(seen)}"

    def judged(self, inst: Instance, seen: Seen) -> Verdict | None:
        """The page's own result, once it has one."""
        if not seen.report["done"]:
            return None
        raw, page = seen.report["raw"], inst.problem["page"]
        if not isinstance(raw, int | float) or not math.isfinite(raw):
            return Verdict.failed("page_failed", "The page reported a reward that is not a number.")
        least = FULL_FROM if page in BY_DISTANCE else 1.0 - 1e-9
        solved = raw > 0 if inst.problem["success"] == "positive" else raw >= least
        words = "The page reports success." if solved else "The page reports failure."
        return Verdict.exact(solved, words).noting(None, partial=min(1.0, max(0.0, float(raw))))

    def noted(self, inst: Instance, state: State) -> dict[str, float]:
        """Without a result there is no reward."""
        return {"partial": 0.0}

    def _message(self, inst: Instance, state: State, calls: Any) -> Any:
        turn: Turn = yield from super()._message(inst, state, calls)
        turn.info["trusts_page"] = True
        return turn

    @tool
    def wait(  # noqa: D417
        self,
        inst: Instance,
        state: State,
        milliseconds: Annotated[int, Field(ge=1, le=_LONGEST_MS)] = 200,
    ) -> Result:
        """Do nothing while time passes on the page, and look at it.

        Args:
            milliseconds: how much time passes
        """
        return self._act(inst, state, "wait", {"ms": milliseconds})

    @tool
    def hover(  # noqa: D417
        self, inst: Instance, state: State, id: Number | None = None, x: Across | None = None, y: Down | None = None
    ) -> Result:
        """Move the mouse to an element or a point, without a click.

        Args:
            id: the id of the element
            x: pixels from the left, if no id is given
            y: pixels from the top, if no id is given
        """
        return self._act(inst, state, "hover", {"id": id, "x": x, "y": y})

    @tool
    def done(self, inst: Instance, state: State, answer: str | int = "") -> tuple[State, Verdict]:  # noqa: D417
        """Give up. The page ends a task by itself.

        Args:
            answer: ignored
        """
        return state, Verdict.exact(False, "The page has no result yet.").noting(None, partial=0.0)

    def _act(self, inst: Instance, state: State, tool: str, arguments: Mapping[str, Any]) -> Result:
        """Carry out an action; refuse addresses that run scripts."""
        if str(arguments.get("text", "")).strip().lower().startswith(_SCRIPTS):
            return _refused(state)
        return super()._act(inst, state, tool, arguments)

    def solve(self, inst: Instance, state: State) -> str:
        """The next action of the page's script."""
        name, arguments = next_action(inst.problem["page"], state.site)
        return write_call(name, **arguments)

    def _planned(self, inst: Instance, state: State) -> None:
        return None

    def random_action(self, inst: Instance, state: State, rng: Stream) -> str:
        """Click somewhere on the page."""
        return write_call("click", x=rng.below(_WIDE), y=rng.below(_HIGH))

    def effort(self, inst: Instance) -> float:
        """The level that draws the page."""
        page = inst.problem["page"]
        return float(next((at for at, level in enumerate(LEVELS, 1) if page in level), len(LEVELS)))


def _refused(state: State) -> Result:
    yield from ()
    return state, "Not carried out: addresses that run scripts are refused. Write the text that the goal asks for."


def register() -> EnvSpec:
    """Register ``miniwob/pages-v0`` in this process; repeating is harmless."""
    entry = f"{__name__}:{MiniWob.__name__}"
    there = next((spec for spec in registry.registered() if spec.id == ID and spec.entry == entry), None)
    return there or registry.register(ID, entry, category=EXTRA, extras=(EXTRA,), source=EXTRA)
