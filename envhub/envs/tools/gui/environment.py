"""gui-v0: use a website in a real browser by mouse and keyboard.

Action: tool calls, or the actions of AgentCPM-GUI, UI-TARS or BrowserGym (``language``). The policy sees the
accessibility tree, a screenshot, or both (``view``), on request with the ids of elements drawn (``marks``). ``done``
ends the task. Then the state of the site is compared with what was asked for: score 1 if it is exactly that, and the
answer is right where one is asked for; else 0. The component ``right`` is the share of tasks that were done; it is not
part of the reward. When the messages are used up, the score is 0.

Thirty-one kinds of tasks: forms, tabs, menus, trees, windows, tables, mail, bookings, a shop, flights, dragging and shapes
(:mod:`envhub.envs.tools.gui.site`). Difficulty: one to four of them, among more distractors; effort is the steps of the
oracle and the things on the pages. Two tasks with the same pages and goals are the same, whatever is seen of them and in
whichever language.

All state is in Python: the pages are rendered from it, every request of the browser is answered by a pure function, and
the page is never believed. Playing needs a headless browser (:mod:`envhub.browser`); listing and drawing tasks do not.
"""

from __future__ import annotations

import base64
from collections.abc import Generator, Mapping, Sequence
from functools import reduce
from typing import Annotated, Any, ClassVar, Final, Literal, NamedTuple

from pydantic import Field

from envhub.authoring import Acting, Staged, ToolEnv, tool, write_call
from envhub.authoring.wording import Statement
from envhub.browser.actions import HEIGHT, LONGEST_TEXT, WIDTH
from envhub.browser.resource import Pages, View, act
from envhub.core.effects import Effect, Outcome, Resource
from envhub.core.seeding import Stream
from envhub.core.tools import Call, Malformed
from envhub.core.types import JSON, Instance, Turn, Verdict
from envhub.envs.tools.gui import wording
from envhub.envs.tools.gui.kind import Draft
from envhub.envs.tools.gui.languages import LANGUAGES
from envhub.envs.tools.gui.oracle import aimed
from envhub.envs.tools.gui.params import Params
from envhub.envs.tools.gui.site import KINDS, GuiSite
from envhub.verifiers.answers.extraction import drop_end_tokens, drop_thinking
from envhub.verifiers.answers.phrases import is_one_of

_SITE: Final = GuiSite()
_MOST_MESSAGES: Final = 96
_SPARE: Final = 8
_X = Annotated[int, Field(ge=0, le=WIDTH - 1)]
_Y = Annotated[int, Field(ge=0, le=HEIGHT - 1)]
_Id = Annotated[int, Field(ge=1, le=9999)]
_Text = Annotated[str, Field(max_length=LONGEST_TEXT)]


class State(NamedTuple):
    """The site, and what the oracle needs.

    Attributes:
        site: The site's state.
        tree: The accessibility tree as it was last seen; empty before the first action.
        steps: Steps of the oracle's plan that were carried out.
        messages: Messages read.
        info: Pictures and the browser's version, of the last action.
    """

    site: Any
    tree: str = ""
    steps: int = 0
    messages: int = 0
    info: Mapping[str, Any] = {}


Result = Generator[Effect, Outcome, tuple[State, str]]


class Gui(ToolEnv):
    """Use a website in a browser."""

    Params = Params
    components: ClassVar[frozenset[str]] = frozenset({"right"})
    max_turns: ClassVar[int] = _MOST_MESSAGES
    resources: ClassVar[Mapping[str, Resource]] = {"browser": Pages(_SITE)}

    def sample(self, rng: Stream, p: Any) -> Staged:
        """Tasks of different kinds. The states that are wanted are the key."""
        drafts = _drafts(rng, p)
        content = {
            "parts": [[name, draft.data] for name, draft in drafts],
            "goals": [draft.goal for _, draft in drafts],
        }
        yield content
        plan = [list(step) for _, draft in drafts for step in (("click", "link", _entry(draft)), *draft.plan)]
        problem = {
            **content,
            "view": p.view,
            "marks": p.marks,
            "language": p.language,
            "messages": min(_MOST_MESSAGES, 2 * len(plan) + _SPARE),
        }
        answers = [draft.answer for _, draft in drafts if draft.answer is not None]
        key = {
            "wanted": [draft.wanted for _, draft in drafts],
            "answer": answers[0] if answers else None,
            "plan": plan,
            "items": sum(draft.items for _, draft in drafts),
        }
        return Instance(problem, key=key)

    def canonical(self, content: JSON) -> JSON:
        """The pages and the goals."""
        return [content["parts"], content["goals"]]

    def form(self, problem: JSON) -> str:
        """The kinds of the tasks."""
        return "+".join(sorted(name for name, _ in problem["parts"]))

    def prompt(self, problem: JSON) -> Statement:
        """The goals and the rules."""
        return Statement(task=wording.TASK, data=wording.DATA, problem=problem, rules=wording.RULES)

    def directions(self, problem: JSON) -> str:
        """How to write actions, what is seen, and the limit on messages."""
        seen = f"The page is {WIDTH} pixels wide and {HEIGHT} pixels high. After each action you see {_SEEN[problem['view']]}."
        if problem["language"] == "tools":
            return f"{super().directions(problem)} {seen}"
        count = problem["messages"]
        limit = (
            f"You may send at most {count} messages. Each reply ends with the number of messages left.{self.unfinished}"
        )
        return f"{LANGUAGES[problem['language']].instruction} {seen}\n\n{limit}"

    def tools_for(self, problem: JSON) -> tuple[JSON, ...]:
        """The schemas of the tools; none in another language."""
        return self.tool_schemas if problem["language"] == "tools" else ()

    def messages(self, problem: JSON) -> int:
        """Two for each step of a plan, and some to spare."""
        return int(problem["messages"])

    def begin(self, inst: Instance, rng: Stream) -> State:
        """The site at its beginning, unseen."""
        return State(_SITE.start(inst.problem))

    # -- the conversation --------------------------------------------------------------------------------------------

    def advance(self, inst: Instance, state: State, action: str, rng: Stream) -> Acting:
        """Carry out the actions of a message."""
        text, name = drop_thinking(drop_end_tokens(action)), inst.problem["language"]
        calls = self.read(action) if name == "tools" else [LANGUAGES[name].read(text)]
        return self._message(inst, state._replace(messages=state.messages + 1, info={}), calls)

    def _message(self, inst: Instance, state: State, calls: list[Call | Malformed]) -> Generator[Effect, Outcome, Turn]:
        turn = yield from self._carry_out(inst, state, calls)
        after: State = turn.state
        turn.info |= after.info
        turn.state = after._replace(info={})
        if turn.verdict is None and state.messages >= inst.problem["messages"]:
            ended = Turn.end(
                turn.state, self.exhausted(inst, turn.state), f"{turn.observation}\n\nThat was the last message."
            )
            ended.info |= turn.info
            return ended
        return turn

    def reject(self, inst: Instance, state: State, reason: str, feedback: str) -> Turn:
        """A message too long to be read still counts."""
        after = state._replace(messages=state.messages + 1)
        if after.messages >= inst.problem["messages"]:
            return Turn.end(after, self.exhausted(inst, after), f"{feedback}\n\nThat was the last message.")
        return Turn(after, feedback)

    def exhausted(self, inst: Instance, state: State) -> Verdict:
        """The task was not ended."""
        return super().exhausted(inst, state).noting(None, right=_right(inst, state))

    def _act(self, inst: Instance, state: State, tool: str, arguments: Mapping[str, Any]) -> Result:
        """Carry out an action, and fold the site over its requests."""
        problem = inst.problem
        given = {name: value for name, value in arguments.items() if value is not None}
        missing = _missing(tool, given)
        if missing:
            return state, f"Not carried out: {missing}"
        pictured = problem["view"] != "tree"
        points = problem["language"] != "tools" and LANGUAGES[problem["language"]].points
        seen = yield from act("browser", {"do": tool, **given}, View(pictured, problem["marks"], points))
        site = reduce(lambda now, request: _SITE.handle(problem, now, request)[0], seen.requests, state.site)
        done = seen.refused is None and _planned(inst, state) == (tool, given)
        info: dict[str, Any] = {"browser": seen.browser}
        if seen.pictures:
            info["images"] = [f"data:image/png;base64,{base64.b64encode(png).decode()}" for png in seen.pictures]
        after = state._replace(site=site, tree=seen.tree, steps=state.steps + done, info=info)
        parts = [f"Not carried out: {seen.refused}"] if seen.refused is not None else []
        parts.append("The screenshot shows the page." if problem["view"] == "screenshot" else seen.tree)
        return after, "\n\n".join(parts)

    @tool
    def click(  # noqa: D417
        self, inst: Instance, state: State, id: _Id | None = None, x: _X | None = None, y: _Y | None = None
    ) -> Result:
        """Click an element, or a point of the page.

        Args:
            id: the id of the element
            x: pixels from the left, if no id is given
            y: pixels from the top, if no id is given
        """
        return self._act(inst, state, "click", {"id": id, "x": x, "y": y})

    @tool
    def type(self, inst: Instance, state: State, text: _Text, id: _Id | None = None) -> Result:  # noqa: D417
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
        x: _X | None = None,
        y: _Y | None = None,
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
        id: _Id | None = None,
        to_id: _Id | None = None,
        x: _X | None = None,
        y: _Y | None = None,
        to_x: _X | None = None,
        to_y: _Y | None = None,
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
    def select(self, inst: Instance, state: State, id: _Id, option: _Text) -> Result:  # noqa: D417
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
        return state, Verdict.exact(solved, words).noting(None, right=_right(inst, state))

    def retype(self, inst: Instance, state: State, text: str) -> Result:
        """Replace the text of the focused field (AgentCPM-GUI)."""
        return self._act(inst, state, "retype", {"text": text})

    def submit_text(self, inst: Instance, state: State, text: str) -> Result:
        """Write a text and press Enter (UI-TARS)."""
        after, _ = yield from self._act(inst, state, "type", {"text": text})
        return (yield from self._act(inst, after, "key", {"key": "Enter"}))

    def press_in(self, inst: Instance, state: State, id: int, key: str) -> Result:
        """Press a key in an element (BrowserGym)."""
        return self._act(inst, state, "key", {"key": key, "id": id})

    # -- baselines ---------------------------------------------------------------------------------------------------

    def solve(self, inst: Instance, state: State) -> str:
        """The next step of the plan, or the end."""
        name, arguments = _next(inst, state)
        return write_call(name, **arguments)

    def random_action(self, inst: Instance, state: State, rng: Stream) -> str:
        """Click somewhere, look, or end the task."""
        drawn = rng.below(4)
        if drawn == 0:
            return write_call("done")
        return write_call("wait") if drawn == 1 else write_call("click", x=rng.below(WIDTH), y=rng.below(HEIGHT))

    def effort(self, inst: Instance) -> float:
        """Steps of the plan, and things to look through."""
        return float(len(inst.key["plan"]) + inst.key["items"] / 4)


_SEEN: Final = {
    "tree": "the page as text, with the id of each element that you can act on",
    "screenshot": "a screenshot of the page",
    "both": "a screenshot of the page, and the page as text, with the id of each element that you can act on",
}


def _drafts(rng: Stream, p: Any) -> list[tuple[str, Draft]]:
    """Parts of different kinds, with different titles."""
    names: Sequence[str] = rng.sample(sorted(set(p.kinds) or KINDS), p.parts)
    drafts: list[tuple[str, Draft]] = []
    for name in names:
        taken = [draft.data["title"] for _, draft in drafts]
        title = rng.choice([each for each in KINDS[name].titles if each not in taken])
        drafts.append((name, KINDS[name].draw(rng, p.size, title)))
    return drafts


def _entry(draft: Draft) -> str:
    """The link to a part."""
    return f"Go to {draft.data['title']}"


def _right(inst: Instance, state: State) -> float:
    wanted = inst.key["wanted"]
    return float(sum(now == then for now, then in zip(state.site, wanted, strict=True)) / len(wanted))


def _next(inst: Instance, state: State) -> tuple[str, dict[str, Any]]:
    """The oracle's next call."""
    if state.steps < len(inst.key["plan"]):
        return _planned(inst, state) or ("wait", {})
    answer = inst.key["answer"]
    return "done", {} if answer is None else {"answer": answer}


def _planned(inst: Instance, state: State) -> tuple[str, dict[str, Any]] | None:
    """The next step of the plan, if its element is in sight."""
    plan = inst.key["plan"]
    return aimed(tuple(plan[state.steps]), state.tree) if state.steps < len(plan) else None


def _missing(tool: str, given: Mapping[str, Any]) -> str:
    """What an action lacks; empty if nothing."""
    for start in {"click": ("",), "drag": ("", "to_")}.get(tool, ()):
        if f"{start}id" not in given and not {f"{start}x", f"{start}y"} <= given.keys():
            return f"{tool} needs {start}id, or {start}x and {start}y."
    if tool == "scroll" and ("x" in given) != ("y" in given):
        return "scroll needs both x and y, or neither."
    return ""
