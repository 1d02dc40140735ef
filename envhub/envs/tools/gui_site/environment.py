"""gui-site-v0: reach goals on a whole website in a real browser.

Action: tool calls, or the actions of AgentCPM-GUI, UI-TARS or BrowserGym (the option ``tool_format``). The policy sees the
accessibility tree, a screenshot, or both (the option ``observation``). ``done`` ends the task. Then the records of the site are
compared with those that the goals lead to: score 1 if they are equal, and the answer is right where one is asked for; else 0.
Anything changed besides fails the task. When the messages are used up, the score is 0.

Six sites: mail, a calendar, a shop, flight booking, an admin panel and a wiki (:mod:`envhub.envs.tools.gui_site.site`), with
lists over several pages, searches, filters, forms, dates, and windows that confirm. Difficulty: one to four goals of different
kinds, and more records; effort is the steps of the oracle and the records.

Playing needs a headless browser (:mod:`envhub.browser`); listing and drawing tasks do not.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, Final

from envhub.authoring import Staged, write_call
from envhub.authoring.wording import Statement
from envhub.browser.site import Site
from envhub.core.effects import Resource
from envhub.core.seeding import Stream
from envhub.core.types import JSON, Instance
from envhub.envs.tools.gui.conversation import MOST_MESSAGES, Browsing, budget, pages
from envhub.envs.tools.gui_site import wording
from envhub.envs.tools.gui_site.app import App, Goal, Scene
from envhub.envs.tools.gui_site.params import Params
from envhub.envs.tools.gui_site.site import APPS, WholeSite

_LONGEST_PLAN: Final = (MOST_MESSAGES - 8) // 2


class GuiSite(Browsing):
    """Reach goals on a whole website in a browser."""

    Params = Params
    site: ClassVar[Site] = WholeSite()
    resources: ClassVar[Mapping[str, Resource]] = pages(site)

    def sample(self, rng: Stream, p: Any) -> Staged:
        """A site and its goals. The records they want are the key."""
        app = APPS[rng.choice(sorted(set(p.sites)) or list(APPS))]
        data = app.build(rng, p.size)
        found = _goals(rng, app, data, p.goals)
        if found is None:
            return None
        kinds, goals = list(found), list(found.values())
        content = {"site": app.name, "data": data, "kinds": kinds, "goals": [goal.words for goal in goals]}
        yield content
        plan = [list(step) for goal in goals for step in goal.plan]
        answers = [goal.answer for goal in goals if goal.answer is not None]
        key = {
            "wanted": goals[-1].state,
            "answer": answers[0] if answers else None,
            "plan": plan,
            "items": sum(len(each) for each in data.values() if isinstance(each, list | dict)),
        }
        return Instance({**content, "messages": budget(plan)}, key=key)

    def canonical(self, content: JSON) -> JSON:
        """The site, its records and the goals."""
        return [content["site"], content["data"], content["goals"]]

    def form(self, problem: JSON) -> str:
        """The site, and the kinds of the goals."""
        return f"{problem['site']}: {'+'.join(sorted(problem['kinds']))}"

    def prompt(self, problem: JSON) -> Statement:
        """The goals and the rules."""
        return Statement(task=wording.TASK, data=wording.DATA, problem=problem, rules=wording.RULES)

    def mistakes(self, inst: Instance) -> Iterator[Sequence[str]]:
        """Ending at once, without an answer and with a wrong one."""
        yield [write_call("done")]
        yield [write_call("done", answer="0")]

    def effort(self, inst: Instance) -> float:
        """Steps of the plan, and records to look through."""
        return float(len(inst.key["plan"]) + inst.key["items"] / 4)


def _goals(rng: Stream, app: App, data: Any, count: int) -> dict[str, Goal] | None:
    """Goals of different kinds, each drawn after the previous ones' effects.

    None if one of them finds nothing to ask for.
    """
    kinds = rng.sample(list(app.goals), len(app.goals))
    goals: dict[str, Goal] = {}
    state, taken = app.start(data), frozenset[str]()
    chosen = sorted(kinds[:count], key=lambda kind: kind == app.last)
    for kind in chosen:
        goal = app.goals[kind](Scene(rng, data, state, taken))
        if goal is None or (goal.state == state and goal.answer is None):
            return None
        goals[kind] = goal
        state, taken = goal.state, taken | goal.touched
    return goals if sum(len(goal.plan) for goal in goals.values()) <= _LONGEST_PLAN else None
