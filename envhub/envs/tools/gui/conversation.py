"""The conversation of environments that are played in a browser.

Actions are tool calls, or those of AgentCPM-GUI, UI-TARS or BrowserGym (the option ``tool_format``). The policy sees the
accessibility tree, a screenshot, or both (the option ``observation``). A subclass draws problems for its site::

    class Gui(Browsing):
        site = GuiSite()
        resources = pages(site)
        def sample(self, rng, p): ...    # the key holds wanted, answer and plan

Neither option is part of the problem. All state is in Python: the pages are rendered from it, every request of the browser
is answered by a pure function, and the page is never believed.
"""

from __future__ import annotations

import json
from collections.abc import Generator, Mapping
from functools import reduce
from typing import Annotated, Any, ClassVar, Final, Literal, NamedTuple

from pydantic import Field

from envhub.authoring import Acting, ToolEnv, tool, write_call
from envhub.browser.actions import DESKTOP, LONGEST_TEXT, PHONE, Screen
from envhub.browser.resource import Pages, Seen, View, act
from envhub.browser.site import Site
from envhub.core.effects import Effect, Outcome, Resource
from envhub.core.errors import InvalidParameters
from envhub.core.seeding import Stream
from envhub.core.tools import FORMATS, Call, Malformed
from envhub.core.types import JSON, Instance, Turn, Verdict
from envhub.envs.tools.gui.languages import LANGUAGES, AgentCpm, Language
from envhub.envs.tools.gui.oracle import aimed, touched
from envhub.verifiers.answers.extraction import drop_end_tokens, drop_thinking
from envhub.verifiers.answers.phrases import is_one_of

MOST_MESSAGES: Final = 96
_SPARE: Final = 8
Across = Annotated[int, Field(ge=0, le=DESKTOP.width - 1)]
Down = Annotated[int, Field(ge=0, le=DESKTOP.height - 1)]
Number = Annotated[int, Field(ge=1, le=9999)]
Text = Annotated[str, Field(max_length=LONGEST_TEXT)]


class State(NamedTuple):
    """The site, and what the oracle needs.

    Attributes:
        site: The site's state.
        tree: The accessibility tree as it was last seen; empty before the first action.
        steps: Steps of the oracle's plan that were carried out.
        messages: Messages read.
        browser: Name and version of the browser, after an action.
        pictures: Screenshots of the last action.
    """

    site: Any
    tree: str = ""
    steps: int = 0
    messages: int = 0
    browser: str = ""
    pictures: tuple[bytes, ...] = ()


Result = Generator[Effect, Outcome, tuple[State, str | Verdict]]
Attempt = Generator[Effect, Outcome, tuple[State, str | Verdict, bool]]


def pages(site: Site) -> Mapping[str, Resource]:
    """The desktop's and the phone's pages of an environment's site."""
    return {"browser": Pages(site), "phone": Pages(site, PHONE)}


def budget(plan: list[Any]) -> int:
    """The message budget of a task: two per planned step, plus spares."""
    return min(MOST_MESSAGES, 2 * len(plan) + _SPARE)


class Browsing(ToolEnv):
    """Use a website in a browser.

    A problem holds ``messages``; its key holds ``wanted``, the site's state that is asked for, ``answer``, what the policy
    has to report (None if nothing), and ``plan``, the oracle's steps.

    Attributes:
        site: The site.
    """

    site: ClassVar[Site]
    components: ClassVar[frozenset[str]] = frozenset()
    max_turns: ClassVar[int] = MOST_MESSAGES
    screenshots: ClassVar[bool] = True
    separable: ClassVar[bool] = True
    formats: ClassVar[tuple[str, ...]] = (*FORMATS, *LANGUAGES)

    @property
    def language(self) -> Language | None:
        """The language of actions; None for tool calls."""
        return LANGUAGES.get(self.answer_format or "")

    @property
    def screen(self) -> Screen:
        """What the pages are shown on: AgentCPM-GUI's agents use a phone."""
        return DESKTOP if self.language is None else self.language.screen

    def directions(self, problem: JSON) -> str:
        """How to write actions, what is seen, and the limit on messages."""
        seen = (
            f"The {'phone' if self.screen.touch else 'page'} is {self.screen.width} pixels wide and {self.screen.height} "
            f"pixels high. After each action you see {_SEEN[self.observation]}."
        )
        if self.language is None:
            return f"{super().directions(problem)} {seen}"
        count = problem["messages"]
        limit = (
            f"You may send at most {count} messages. Each reply ends with the number of messages left.{self.unfinished}"
        )
        return f"{self.language.instruction} {seen}\n\n{limit}"

    def tools_for(self, problem: JSON) -> tuple[JSON, ...]:
        """The schemas of the tools; none in another language."""
        return self.tool_schemas if self.language is None else ()

    def messages(self, problem: JSON) -> int:
        """Two for each step of a plan, and some to spare."""
        return int(problem["messages"])

    def begin(self, inst: Instance, rng: Stream) -> State:
        """The site at its beginning, unseen."""
        return State(self.site.start(inst.problem))

    def noted(self, inst: Instance, state: State) -> dict[str, float]:
        """Components of the verdict on a state."""
        return {}

    # -- the conversation --------------------------------------------------------------------------------------------

    def advance(self, inst: Instance, state: State, action: str, rng: Stream) -> Acting:
        """Carry out the actions of a message."""
        language = self.language
        calls = self.read(action) if language is None else [language.read(drop_thinking(drop_end_tokens(action)))]
        return self._message(inst, state._replace(messages=state.messages + 1), calls)

    def _message(self, inst: Instance, state: State, calls: list[Call | Malformed]) -> Generator[Effect, Outcome, Turn]:
        turn = yield from self._carry_out(inst, state, calls)
        after: State = turn.state
        info, pictures = ({"browser": after.browser} if after.browser else {}), after.pictures
        turn.state = after._replace(browser="", pictures=())
        if turn.verdict is None and state.messages >= inst.problem["messages"]:
            turn = Turn.end(
                turn.state, self.exhausted(inst, turn.state), f"{turn.observation}\n\nThat was the last message."
            )
        turn.info |= info
        turn.pictures = pictures
        return turn

    def reject(self, inst: Instance, state: State, reason: str, feedback: str) -> Turn:
        """A message too long to be read still counts."""
        after = state._replace(messages=state.messages + 1)
        if after.messages >= inst.problem["messages"]:
            return Turn.end(after, self.exhausted(inst, after), f"{feedback}\n\nThat was the last message.")
        return Turn(after, feedback)

    def exhausted(self, inst: Instance, state: State) -> Verdict:
        """The task was not ended."""
        return super().exhausted(inst, state).noting(None, **self.noted(inst, state))

    def _act(self, inst: Instance, state: State, tool: str, arguments: Mapping[str, Any]) -> Result:
        """Carry out an action, and fold the site over its requests."""
        after, said, _ = yield from self._attempted(inst, state, tool, arguments)
        return after, said

    def _attempted(self, inst: Instance, state: State, tool: str, arguments: Mapping[str, Any]) -> Attempt:
        """The result of an action, and whether it was carried out."""
        given = {name: value for name, value in arguments.items() if value is not None}
        missing = _missing(tool, given)
        if missing:
            return state, f"Not carried out: {missing}", False
        points = self.language is not None and self.language.points
        view = View(self.observation != "text", self.observation == "marks", points)
        seen = yield from act("phone" if self.screen.touch else "browser", {"do": tool, **given}, view)
        site = self.folded(inst, state, seen)
        done = seen.refused is None and self._planned(inst, state) == (tool, given)
        after = state._replace(
            site=site, tree=seen.tree, steps=state.steps + done, browser=seen.browser, pictures=seen.pictures
        )
        parts = [f"Not carried out: {seen.refused}"] if seen.refused is not None else []
        said = self.judged(inst, seen) or "\n\n".join([*parts, self.shown(seen)])
        return after, said, seen.refused is None

    def folded(self, inst: Instance, state: State, seen: Seen) -> Any:
        """The site's state after the requests of an action."""
        return reduce(lambda now, each: self.site.handle(inst.problem, now, each)[0], seen.requests, state.site)

    def judged(self, inst: Instance, seen: Seen) -> Verdict | None:
        """A verdict that ends the task after an action, if any."""
        return None

    def shown(self, seen: Seen) -> str:
        """What the policy reads after an action."""
        return seen.tree if self.observation in ("text", "both") else "The screenshot shows the page."

    @tool
    def click(  # noqa: D417
        self, inst: Instance, state: State, id: Number | None = None, x: Across | None = None, y: Down | None = None
    ) -> Result:
        """Click an element, or a point of the page.

        Args:
            id: the id of the element
            x: pixels from the left, if no id is given
            y: pixels from the top, if no id is given
        """
        return self._act(inst, state, "click", {"id": id, "x": x, "y": y})

    @tool
    def type(self, inst: Instance, state: State, text: Text, id: Number | None = None) -> Result:  # noqa: D417
        """Write a text into a field. Dates are written as 2026-03-31, times as 17:05, colours as #ff8800.

        Args:
            text: the text
            id: the id of the field, whose content is replaced; without an id, the text is inserted in the focused field
        """
        return self._act(inst, state, "type", {"text": text, "id": id})

    @tool
    def key(self, inst: Instance, state: State, key: Annotated[str, Field(max_length=40)]) -> Result:  # noqa: D417
        """Press a key.

        Args:
            key: a key such as Enter, Tab, Escape, ArrowDown, PageDown or Control+A
        """
        return self._act(inst, state, "key", {"key": key})

    @tool
    def scroll(  # noqa: D417
        self,
        inst: Instance,
        state: State,
        direction: Literal["up", "down", "left", "right"],
        x: Across | None = None,
        y: Down | None = None,
    ) -> Result:
        """Turn the mouse wheel.

        Args:
            direction: where to
            x: pixels from the left; by default the middle of the page
            y: pixels from the top
        """
        return self._act(inst, state, "scroll", {"direction": direction, "x": x, "y": y})

    @tool
    def drag(  # noqa: D417
        self,
        inst: Instance,
        state: State,
        id: Number | None = None,
        to_id: Number | None = None,
        x: Across | None = None,
        y: Down | None = None,
        to_x: Across | None = None,
        to_y: Down | None = None,
    ) -> Result:
        """Press the mouse button on an element or a point, and release it on another one.

        Args:
            id: the id of the element to drag
            to_id: the id of the element to drop it on
            x: pixels from the left of the start, if no id is given
            y: pixels from the top of the start
            to_x: pixels from the left of the end, if no to_id is given
            to_y: pixels from the top of the end
        """
        given = {"id": id, "to_id": to_id, "x": x, "y": y, "to_x": to_x, "to_y": to_y}
        return self._act(inst, state, "drag", given)

    @tool
    def select(self, inst: Instance, state: State, id: Number, option: Text) -> Result:  # noqa: D417
        """Choose an option of a list. In a list of several choices, choosing again removes it.

        Args:
            id: the id of the list
            option: the text of the option
        """
        return self._act(inst, state, "select", {"id": id, "option": option})

    @tool
    def wait(self, inst: Instance, state: State) -> Result:
        """Do nothing, and look at the page."""
        return self._act(inst, state, "wait", {})

    @tool
    def done(self, inst: Instance, state: State, answer: str | int = "") -> tuple[State, Verdict]:  # noqa: D417
        """End the task.

        Args:
            answer: the answer, if the task asks for one
        """
        wanted = inst.key["answer"]
        answered = wanted is None or is_one_of(str(answer), [wanted])
        solved = answered and state.site == inst.key["wanted"]
        words = "Everything is as asked for." if solved else "Not everything is as asked for."
        return state, Verdict.exact(solved, words).noting(None, **self.noted(inst, state))

    def retype(self, inst: Instance, state: State, text: str) -> Result:
        """Replace the text of the focused field (AgentCPM-GUI)."""
        return self._act(inst, state, "retype", {"text": text})

    def swipe(self, inst: Instance, state: State, direction: str, x: int, y: int) -> Result:
        """Move a finger over the screen (AgentCPM-GUI)."""
        return self._act(inst, state, "swipe", {"direction": direction, "x": x, "y": y})

    def back(self, inst: Instance, state: State) -> Result:
        """Open the page before again (AgentCPM-GUI)."""
        return self._act(inst, state, "back", {})

    def home(self, inst: Instance, state: State) -> Result:
        """Open the start page (AgentCPM-GUI)."""
        return self._act(inst, state, "home", {})

    def submit_text(self, inst: Instance, state: State, text: str) -> Result:
        """Write a text and press Enter (UI-TARS).

        Enter is not pressed if the text is refused.
        """
        after, said, done = yield from self._attempted(inst, state, "type", {"text": text})
        if isinstance(said, Verdict) or not done:
            return after, said
        return (yield from self._act(inst, after, "key", {"key": "Enter"}))

    def press_in(self, inst: Instance, state: State, id: int, key: str) -> Result:
        """Press a key in an element (BrowserGym)."""
        return self._act(inst, state, "key", {"key": key, "id": id})

    # -- baselines ---------------------------------------------------------------------------------------------------

    def oracle(self, inst: Instance, state: State) -> str:
        """The next correct call or action, in the format of this environment."""
        return super().oracle(inst, state) if self.language is None else self.solve(inst, state)

    def solve(self, inst: Instance, state: State) -> str:
        """The next step of the plan, or the end.

        Raises:
            InvalidParameters: The oracle does not write this language.
        """
        plan, answer = inst.key["plan"], inst.key["answer"]
        ended = state.steps >= len(plan)
        if self.screen.touch:
            action = {"STATUS": "finish"} | ({} if answer is None else {"TYPE": answer})
            return json.dumps(action if ended else touched(tuple(plan[state.steps]), state.tree)[0])
        if self.language is not None:
            raise InvalidParameters(f"The oracle writes calls of tools and {AgentCpm.name}, not {self.language.name}.")
        if ended:
            return write_call("done", **({} if answer is None else {"answer": answer}))
        name, arguments = aimed(tuple(plan[state.steps]), state.tree) or ("wait", {})
        return write_call(name, **arguments)

    def _planned(self, inst: Instance, state: State) -> tuple[str, dict[str, Any]] | None:
        """The action of the plan's next step, if its element is visible."""
        plan = inst.key["plan"]
        if state.steps >= len(plan):
            return None
        if not self.screen.touch:
            return aimed(tuple(plan[state.steps]), state.tree)
        action, completes = touched(tuple(plan[state.steps]), state.tree)
        call = AgentCpm().parse(json.dumps(action))
        return (call.name, dict(call.arguments)) if completes else None

    def random_action(self, inst: Instance, state: State, rng: Stream) -> str:
        """Click somewhere, look, or end the task."""
        drawn = rng.below(4)
        if drawn == 0:
            return write_call("done")
        return (
            write_call("wait")
            if drawn == 1
            else write_call("click", x=rng.below(DESKTOP.width), y=rng.below(DESKTOP.height))
        )


_SEEN: Final = {
    "text": "the page as text, with the id of each element that you can act on",
    "image": "a screenshot of the page",
    "marks": "a screenshot of the page, in which the id of each element that you can act on is drawn",
    "both": "a screenshot of the page, and the page as text, with the id of each element that you can act on",
}


def _missing(tool: str, given: Mapping[str, Any]) -> str:
    """What an action lacks; empty if nothing."""
    for start in {"click": ("",), "hover": ("",), "drag": ("", "to_")}.get(tool, ()):
        if f"{start}id" not in given and not {f"{start}x", f"{start}y"} <= given.keys():
            return f"{tool} needs {start}id, or {start}x and {start}y."
    if tool == "scroll" and ("x" in given) != ("y" in given):
        return "scroll needs both x and y, or neither."
    return ""
