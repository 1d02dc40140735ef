"""Tasks of both environments: how they are drawn and judged."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from decimal import Decimal, InvalidOperation
from typing import Any, Final, NamedTuple, Self

from pydantic import Field, model_validator

from envhub.authoring import BaseParams, Environment, Staged, write_call
from envhub.authoring.wording import Statement
from envhub.core.seeding import Stream, canonical_json
from envhub.core.types import JSON, Instance, Verdict
from envhub.envs.tools.apps.draft import Draft, resolved
from envhub.envs.tools.apps.tables import TODAY, Refused, Tables, difference
from envhub.envs.tools.office import wording
from envhub.envs.tools.office.actions import PAGE, READS, act
from envhub.envs.tools.office.goals import GOALS
from envhub.envs.tools.office.questions import QUESTIONS

_NO_PAGES: Final = frozenset({"mail_read", "files_read", "bank_accounts"})
_MOST_GOALS: Final = 6
# goals, the most apps of a goal, rows about something else
_LEVELS: Final = (
    (1, 1, 4),
    (1, 2, 8),
    (1, 3, 14),
    (1, 3, 20),
    (2, 3, 20),
    (2, 3, 26),
    (3, 3, 30),
    (3, 3, 34),
    (4, 3, 38),
    (5, 3, 42),
)


class Params(BaseParams):
    """The goals, the question, and rows about something else."""

    goals: int = Field(1, ge=0, le=_MOST_GOALS, description="how many things shall be so in the end")
    question: bool | None = Field(None, description="whether something is asked as well; null draws it")
    most: int = Field(3, ge=1, le=3, description="over how many apps a goal goes at most")
    noise: int = Field(8, ge=0, le=50, description="rows of every app that are about something else")

    @model_validator(mode="after")
    def _possible(self) -> Self:
        fitting = sum(goal.apps <= self.most for goal in GOALS.values())
        if self.goals > fitting:
            raise ValueError(f"there are {fitting} kinds of goals over at most {self.most} apps")
        if not self.goals and not self.question:
            raise ValueError("without a goal there must be a question: set question=true or goals=1")
        return self

    @classmethod
    def at(cls, difficulty: int) -> Self:
        """The parameters of a level."""
        goals, most, noise = _LEVELS[difficulty - 1]
        return cls(goals=goals, most=most, noise=noise)


class State(NamedTuple):
    """A moment of an episode.

    Attributes:
        tables: The apps.
        made: Calls of the oracle's plan that were made, as canonical JSON.
        calls: Number of calls that programs made.
    """

    tables: Tables
    made: frozenset[str] = frozenset()
    calls: int = 0


class Errands(Environment):
    """Goals and questions, however the apps are used."""

    Params = Params

    def sample(self, rng: Stream, p: Any) -> Staged:
        """Goals and a question, then everything else.

        The apps as they are, the plan and the answer are the key.
        """
        draft = Draft(rng)
        asked = bool(rng.below(2)) if p.question is None else p.question
        goals = p.goals - (asked and p.question is None and (p.goals > 1 or bool(rng.below(2))))
        names = [name for name, goal in GOALS.items() if goal.apps <= p.most]
        chosen = rng.sample(names, max(0, goals))
        errands = [GOALS[name].make(draft) for name in chosen]
        plans, texts, answer = [errand.plan for errand in errands], [errand.text for errand in errands], None
        if asked:
            chosen.append(rng.choice(list(QUESTIONS)))
            question = QUESTIONS[chosen[-1]](draft)
            plans.append(question.plan)
            texts.append(question.text)
            answer = question.answer
        yield texts
        before, numbers = draft.finish(p.noise)
        plan = [[_paged(resolved(step, numbers)) for step in stage] for made in plans for stage in made]
        after = before
        for name, arguments in (step for stage in plan for step in stage):
            after, _ = act(after, name, arguments)
        key = {
            "tables": before,
            "plan": plan,
            "calls": sorted(canonical_json(step).decode() for stage in plan for step in stage),
            "wanted": sorted(difference(before, after).elements()),
            "answer": answer,
            "rows": sum(map(len, before.values())),
        }
        return Instance({"errands": texts, "kinds": sorted(chosen), "stages": len(plan), "asked": asked}, key=key)

    def canonical(self, content: JSON) -> JSON:
        """The goals and the question, in canonical order."""
        return sorted(content["errands"] if isinstance(content, dict) else content)

    def form(self, problem: JSON) -> str:
        """The kinds of goals and questions."""
        return ", ".join(problem["kinds"])

    def prompt(self, problem: JSON) -> Statement:
        """What is wanted, and the rules."""
        values = {"today": TODAY, "page": PAGE}
        return Statement(task=wording.TASK, data=wording.DATA, problem=problem, rules=wording.RULES, values=values)

    def begin(self, inst: Instance, rng: Stream) -> State:
        """The apps as they are."""
        return State(inst.key["tables"])

    def effort(self, inst: Instance) -> float:
        """Calls of the plan, and rows to look through."""
        return float(sum(map(len, inst.key["plan"])) + inst.key["rows"] / 20)


def perform(inst: Instance, state: State, name: str, arguments: Mapping[str, Any]) -> tuple[State, JSON]:
    """Perform an action.

    Returns what it tells, or why it is refused; a refused one changes nothing.
    """
    given = {key: [] if value is None else value for key, value in arguments.items()}
    try:
        tables, told = act(state.tables, name, given)
    except Refused as refused:
        return state, {"refused": str(refused)}
    text = canonical_json([name, given]).decode()
    made = state.made | {text} if text in inst.key["calls"] else state.made
    return state._replace(tables=tables, made=made), {"value": told}


def missing(inst: Instance, state: State) -> list[tuple[str, dict[str, Any]]]:
    """The next calls of the oracle's plan; none if all are made."""
    for stage in inst.key["plan"]:
        left = [step for step in stage if canonical_json(step).decode() not in state.made]
        if left:
            return left
    return []


def finish(inst: Instance) -> str:
    """The last call, with the answer if there is a question."""
    answer = inst.key["answer"]
    return write_call("done") if answer is None else write_call("done", answer=answer)


def verdict(inst: Instance, state: State, answer: str) -> Verdict:
    """Judge the apps and the answer.

    A task is solved if exactly the wanted changes were made and the answer is right.
    """
    parts = components(inst, state, answer)
    solved = difference(inst.key["tables"], state.tables) == Counter(inst.key["wanted"])
    right = inst.key["answer"] is None or same(answer, inst.key["answer"])
    words = "Everything is as it should be." if solved and right else _words(parts, answered=right, changed=solved)
    return Verdict.exact(solved and right, words).noting(answer[:200] or None, **parts)


def components(inst: Instance, state: State, answer: str | None) -> dict[str, float]:
    """The overlap of wanted and made changes, and the number of others.

    A right answer counts as one of the things that were wanted.
    """
    wanted: Counter[str] = Counter(inst.key["wanted"])
    found = difference(inst.key["tables"], state.tables)
    asked = inst.key["answer"] is not None
    right = asked and answer is not None and same(answer, inst.key["answer"])
    share = ((wanted & found).total() + right) / ((wanted | found).total() + asked)
    return {"right": share, "extra": float((found - wanted).total())}


def same(given: str, wanted: str) -> bool:
    """Whether an answer is the right one.

    Letter case and spaces do not matter, nor does the currency beside an amount.
    """
    given, wanted = (re.sub(r"\s+", " ", text.strip().strip("\"'`.")).casefold() for text in (given, wanted))
    if given == wanted or (" " in wanted and given.replace(" ", "") == wanted.replace(" ", "")):
        return True
    if not re.fullmatch(r"\d+(\.\d\d)?", wanted):
        return False
    amount = re.sub(r"^(€|eur|euros?) ?| ?(€|eur|euros?)$", "", given)
    if re.fullmatch(r"\d{1,3}(,\d{3})+(\.\d+)?", amount):
        amount = amount.replace(",", "")
    try:
        return bool(re.fullmatch(r"\d{1,12}(\.\d{1,6})?", amount)) and Decimal(amount) == Decimal(wanted)
    except InvalidOperation:
        return False


def _words(parts: dict[str, float], *, answered: bool, changed: bool) -> str:
    told = []
    if not changed:
        told.append("something was changed that should stay" if parts["extra"] else "something is missing")
    if not answered:
        told.append("the answer is wrong")
    return f"Not everything is as it should be: {' and '.join(told)}."


def _paged(step: JSON) -> JSON:
    """A step of apps-v0 as it is called here."""
    name, arguments = step
    if name in READS and name not in _NO_PAGES:
        arguments = {**({"folder": ""} if name == "files_list" else {}), "page": 1, **arguments}
    return [name, arguments]
