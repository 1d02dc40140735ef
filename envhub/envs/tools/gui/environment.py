"""gui-v0: use a website in a real browser by mouse and keyboard.

Action: tool calls, or the actions of AgentCPM-GUI, UI-TARS or BrowserGym (the option ``tool_format``). The policy sees the
accessibility tree, a screenshot, or both (the option ``observation``). ``done`` ends the task. Then the state of the site is
compared with what was asked for: score 1 if it is exactly that, and the answer is right where one is asked for; else 0.
The component ``right`` is the share of tasks that were done; it is not part of the reward. When the messages are used up,
the score is 0.

Thirty-one kinds of tasks: forms, tabs, menus, trees, windows, tables, mail, bookings, a shop, flights, dragging and shapes
(:mod:`envhub.envs.tools.gui.site`). Difficulty: one to four of them, among more distractors; effort is the steps of the
oracle and the things on the pages.

Playing needs a headless browser (:mod:`envhub.browser`); listing and drawing tasks do not.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from envhub.authoring import Staged
from envhub.authoring.wording import Statement
from envhub.browser.site import Site
from envhub.core.effects import Resource
from envhub.core.seeding import Stream
from envhub.core.types import JSON, Instance
from envhub.envs.tools.gui import wording
from envhub.envs.tools.gui.conversation import Browsing, State, budget, pages
from envhub.envs.tools.gui.kind import Draft
from envhub.envs.tools.gui.params import Params
from envhub.envs.tools.gui.site import KINDS, GuiSite


class Gui(Browsing):
    """Use a website in a browser."""

    Params = Params
    components: ClassVar[frozenset[str]] = frozenset({"right"})
    site: ClassVar[Site] = GuiSite()
    resources: ClassVar[Mapping[str, Resource]] = pages(site)

    def sample(self, rng: Stream, p: Any) -> Staged:
        """Tasks of different kinds. The states that are wanted are the key."""
        drafts = _drafts(rng, p)
        content = {
            "parts": [[name, draft.data] for name, draft in drafts],
            "goals": [draft.goal for _, draft in drafts],
        }
        yield content
        plan = [list(step) for _, draft in drafts for step in (("click", "link", _entry(draft)), *draft.plan)]
        answers = [draft.answer for _, draft in drafts if draft.answer is not None]
        key = {
            "wanted": [draft.wanted for _, draft in drafts],
            "answer": answers[0] if answers else None,
            "plan": plan,
            "items": sum(draft.items for _, draft in drafts),
        }
        return Instance({**content, "messages": budget(plan)}, key=key)

    def canonical(self, content: JSON) -> JSON:
        """The pages and the goals."""
        return [content["parts"], content["goals"]]

    def form(self, problem: JSON) -> str:
        """The kinds of the tasks."""
        return "+".join(sorted(name for name, _ in problem["parts"]))

    def prompt(self, problem: JSON) -> Statement:
        """The goals and the rules."""
        return Statement(task=wording.TASK, data=wording.DATA, problem=problem, rules=wording.RULES)

    def noted(self, inst: Instance, state: State) -> dict[str, float]:
        """The share of tasks that are done."""
        wanted = inst.key["wanted"]
        return {"right": sum(now == then for now, then in zip(state.site, wanted, strict=True)) / len(wanted)}

    def effort(self, inst: Instance) -> float:
        """Steps of the plan, and things to look through."""
        return float(len(inst.key["plan"]) + inst.key["items"] / 4)


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
