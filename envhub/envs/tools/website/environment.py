"""browse-v1: carry out tasks on the pages of a company.

Action: tool calls, up to eight in a message. Pages are shown as an accessibility tree or as HTML, with numbered controls:
``click``, ``type_text`` and ``select_option`` use them, ``back`` goes to the page before, ``finish`` ends the task. The site
has a directory of people, a catalogue with search, filters, sorting and pages, a basket and a checkout whose form is
validated, orders that can be cancelled, and the user's own details.

Verdict: the records at the end are compared with those at the beginning. Score 1 if the changes are exactly those that
the tasks ask for, else 0. Components: ``done``, the share of tasks whose changes were all made, and ``extra``, the number of
changes that nobody asked for. The oracle, which knows the records, reaches the maximum of 1 in every task; its number
of calls is an upper bound of the fewest. Difficulty: larger catalogues and directories, deputies of deputies instead of names,
up to three tasks at once. Effort is the oracle's calls and the records to look through. Two problems with the same
tasks are the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, Any, ClassVar, Final, Literal, Self

from pydantic import Field

from envhub.authoring import BaseParams, Staged, ToolEnv, tool, write_call
from envhub.authoring.wording import Statement
from envhub.core.seeding import Stream
from envhub.core.types import JSON, Instance, Verdict
from envhub.envs.tools.website import wording
from envhub.envs.tools.website.browser import clicked, control
from envhub.envs.tools.website.company import Company, company_of
from envhub.envs.tools.website.goals import difference, draw_goals
from envhub.envs.tools.website.nodes import shown
from envhub.envs.tools.website.pages import page
from envhub.envs.tools.website.state import State
from envhub.envs.tools.website.steps import Step, next_step

_MOST_TYPED: Final = 120
_MOST_STEPS: Final = 200
Number = Annotated[int, Field(ge=1)]
# people, goods, orders, tasks, hops
_LEVELS: Final = (
    (8, 24, 5, 1, 0),
    (14, 44, 8, 1, 0),
    (20, 66, 11, 1, 1),
    (28, 92, 15, 1, 1),
    (38, 122, 19, 2, 1),
    (50, 156, 24, 2, 1),
    (64, 194, 29, 2, 2),
    (80, 236, 35, 3, 2),
    (98, 276, 41, 3, 2),
    (118, 320, 48, 3, 3),
)


class Params(BaseParams):
    """The size of the site, the tasks, and how pages are shown."""

    people: int = Field(20, ge=4, le=120, description="people in the directory")
    goods: int = Field(66, ge=16, le=400, description="articles in the catalogue")
    orders: int = Field(11, ge=2, le=80, description="orders at the beginning")
    tasks: int = Field(1, ge=1, le=3, description="tasks to carry out")
    hops: int = Field(0, ge=0, le=3, description="deputies from a person who is named to the one who is meant")
    pages: Literal["any", "tree", "html"] = Field("any", description="pages as an accessibility tree or as HTML")

    @classmethod
    def at(cls, difficulty: int) -> Self:
        """The parameters of a level."""
        people, goods, orders, tasks, hops = _LEVELS[difficulty - 1]
        return cls(people=people, goods=goods, orders=orders, tasks=tasks, hops=hops)


class Website(ToolEnv):
    """Carry out tasks in a browser, on a company's site."""

    Params = Params
    components: ClassVar[frozenset[str]] = frozenset({"done", "extra"})
    max_turns: ClassVar[int] = 64

    def sample(self, rng: Stream, p: Any) -> Staged:
        """A company and tasks on its site.

        The recipe of the records and the tasks are the key.
        """
        recipe = [rng.below(1 << 48), p.people, p.goods, p.orders]
        company = company_of(*recipe)
        goals = draw_goals(rng, company, p.tasks, p.hops)
        if goals is None:
            return None
        pages = rng.choice(("tree", "html")) if p.pages == "any" else p.pages
        yield sorted(goal["text"] for goal in goals)
        first = shown(page(company, State()), pages)
        problem = {"tasks": [goal["text"] for goal in goals], "pages": pages, "page": first}
        form = " + ".join(sorted(f"{goal['kind']} {goal['form']}" for goal in goals))
        return Instance({**problem, "form": form}, {"company": recipe, "goals": goals})

    def form(self, problem: JSON) -> str:
        """The kind of each task and of its descriptions."""
        return str(problem["form"])

    def prompt(self, problem: JSON) -> Statement:
        """The tasks, and the first page."""
        return Statement(wording.TASK, wording.DATA, problem, rules=wording.RULES)

    def begin(self, inst: Instance, rng: Stream) -> State:
        """On the first page."""
        return State()

    @tool
    def click(self, inst: Instance, state: State, id: Number) -> tuple[State, str]:  # noqa: D417
        """Click a link, button or checkbox of the page. Returns the page after it.

        Args:
            id: the number of the control
        """
        company = _company(inst)
        node = control(company, state, id)
        if node is None or node.role in ("textbox", "combobox"):
            return state, _no_control(id, "link, button or checkbox")
        after = clicked(company, state, node)
        return after, _shown(inst, after)

    @tool
    def type_text(self, inst: Instance, state: State, id: Number, text: str) -> tuple[State, str]:  # noqa: D417
        """Enter a text in a text box of the page, in place of its value.

        Args:
            id: the number of the text box
            text: the new value, one line
        """
        node = control(_company(inst), state, id)
        if node is None or node.role != "textbox":
            return state, _no_control(id, "text box")
        value = " ".join(text.encode("utf-8", "replace").decode().split())[:_MOST_TYPED]
        return state.enter(node.leads, value), f'{node.name}: "{value}"'

    @tool
    def select_option(self, inst: Instance, state: State, id: Number, option: str) -> tuple[State, str]:  # noqa: D417
        """Select an option of a combobox of the page.

        Args:
            id: the number of the combobox
            option: one of its options
        """
        node = control(_company(inst), state, id)
        if node is None or node.role != "combobox":
            return state, _no_control(id, "combobox")
        if option not in node.options:
            return state, f"{node.name} has the options {', '.join(node.options)}, got {option[:60]!r}."
        return state.enter(node.leads, option), f'{node.name}: "{option}"'

    @tool
    def back(self, inst: Instance, state: State) -> tuple[State, str]:
        """Go back to the page before this one. Records and basket stay as they are."""
        *before, last = state.before or ("/",)
        after = state._replace(path=last, before=tuple(before), typed=(), alert="")
        return after, _shown(inst, after)

    @tool
    def finish(self, inst: Instance, state: State) -> tuple[State, Verdict]:
        """End the episode. All tasks must be done."""
        found = difference(_company(inst), inst.key["goals"], state)
        solved = not found.missing and not found.extra
        words = f"Changes that are missing: {found.missing}. Changes that were not asked for: {found.extra}."
        return state, Verdict.exact(solved, words).noting(None, **_parts(inst, state))

    def exhausted(self, inst: Instance, state: State) -> Verdict:
        """The episode was not finished."""
        return super().exhausted(inst, state).noting(None, **_parts(inst, state))

    def solve(self, inst: Instance, state: State) -> str:
        """The next step towards the first task that is not done."""
        return _call(next_step(_company(inst), inst.key["goals"], state))

    def alternatives(self, inst: Instance) -> Iterator[Sequence[str]]:
        """The tasks in another order, and after a corrected mistake."""
        goals = inst.key["goals"]
        yield self._played(inst, goals[::-1])
        order = next((goal for goal in goals if goal["kind"] == "order"), None)
        if order is not None:
            wrong = {**order, "lines": [[good, quantity + 1] for good, quantity in order["lines"]]}
            yield self._played(inst, [wrong], goals)

    def mistakes(self, inst: Instance) -> Iterator[Sequence[str]]:
        """Right but for one part.

        Nothing, all tasks but one, another quantity, day, recipient or cost centre, another cancellation, another detail.
        """
        goals = inst.key["goals"]
        yield [write_call("finish")]
        for at, goal in enumerate(goals):
            others = [*goals[:at], *goals[at + 1 :]]
            if others:
                yield self._played(inst, others)
            for wrong in _spoilt(_company(inst), goal):
                yield self._played(inst, [*others, wrong])

    def random_action(self, inst: Instance, state: State, rng: Stream) -> str:
        """Click anything on the page, go back or finish."""
        calls = [("click", {"id": rng.between(1, 12)}), ("back", {}), ("finish", {})]
        return _call(calls[min(2, rng.below(6) // 2)])

    def effort(self, inst: Instance) -> float:
        """The oracle's calls, and the records to look through."""
        company = _company(inst)
        records = len(company.people) + len(company.goods) + len(company.orders)
        return len(self._played(inst, inst.key["goals"])) + records / 4

    def _played(self, inst: Instance, *stages: Sequence[Any]) -> list[str]:
        """The calls of one who pursues other goals, then others, and finishes."""
        state, calls = State(), list[str]()
        for number, goals in enumerate(stages, 1):
            step = next_step(_company(inst), goals, state)
            while step[0] != "finish" and len(calls) < _MOST_STEPS:
                calls.append(_call(step))
                state, _ = getattr(self, step[0])(inst, state, **step[1])
                step = next_step(_company(inst), goals, state)
            if number == len(stages):
                calls.append(_call(step))
        return _in_messages(calls)


def _in_messages(calls: Sequence[str]) -> list[str]:
    """The calls in few messages: entries, with the click that sends them."""
    messages = [""]
    for call in calls:
        messages[-1] += call + "\n"
        if '"type_text"' not in call and '"select_option"' not in call:
            messages.append("")
    return [message for message in messages if message]


def _spoilt(company: Company, goal: Any) -> Iterator[Any]:
    """A goal with one part changed."""
    if goal["kind"] == "order":
        (good, quantity), *rest = goal["lines"]
        yield {**goal, "lines": [[good, quantity + 1], *rest]}
        other = next(number for number in range(len(company.goods)) if number not in {n for n, _ in goal["lines"]})
        yield {**goal, "lines": [[other, quantity], *rest]}
        yield {**goal, "express": not goal["express"]}
        yield {**goal, "person": (goal["person"] + 1) % len(company.people)}
    elif goal["kind"] == "cancel":
        waiting = {number for number, order in company.orders.items() if order.status == "open"}
        for number in sorted(waiting - set(goal["orders"]))[:1]:
            yield {**goal, "orders": [*goal["orders"], number]}
    else:
        ((name, value),) = goal["values"].items()
        more = {"phone": "0000"} if name != "phone" else {"office": "6.99"}
        yield {**goal, "values": {name: value, **more}}
        if name != "deputy":
            yield {**goal, "values": {name: value[:-1] + str((int(value[-1]) + 1) % 10)}}


def _company(inst: Instance) -> Company:
    return company_of(*inst.key["company"])


def _shown(inst: Instance, state: State) -> str:
    return shown(page(_company(inst), state), inst.problem["pages"])


def _no_control(number: int, kind: str) -> str:
    return f"This page has no {kind} with the number {str(number)[:20]}."


def _parts(inst: Instance, state: State) -> dict[str, float]:
    found = difference(_company(inst), inst.key["goals"], state)
    return {"done": sum(found.goals) / len(found.goals), "extra": float(found.extra)}


def _call(step: Step) -> str:
    name, arguments = step
    return write_call(name, **arguments)
