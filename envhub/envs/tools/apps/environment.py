"""apps-v0: run errands in office apps without changing anything else.

Action: tool calls, up to eight in a message. ``done`` ends the task. Then the apps are compared with their initial
state: score 1 if exactly the requested changes were made; 0 for anything missing, wrong or extra. Reading is free. A
refused call is answered with the reason and changes nothing. When the messages are used up, the score is 0.

The component ``right`` is the share of changes requested or made that are both, and ``extra`` the number of unrequested
changes. They are not part of the reward, and extra calls never raise ``right`` above the value of the right ones. White
space at the ends of lines of mails and files and the order of addresses are ignored. Difficulty: more errands over more
apps, among more distractor rows; effort is the calls of a plan and the number of rows.

The apps are generated: every errand is one of twenty-three templates with names, days and amounts. Two tasks with the
same errands are the same, whatever their order and the other content of the apps.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator
from typing import Any, ClassVar, Final, Self

from pydantic import Field, model_validator

from envhub.authoring import Acting, BaseParams, Staged, tool, write_call
from envhub.authoring.wording import Statement
from envhub.core.effects import Effect, Outcome
from envhub.core.seeding import Stream, canonical_json
from envhub.core.tools import MAX_CALLS
from envhub.core.types import JSON, Instance, Turn, Verdict
from envhub.envs.tools.apps import wording
from envhub.envs.tools.apps.draft import Draft, resolved
from envhub.envs.tools.apps.tables import TODAY, act, difference
from envhub.envs.tools.apps.tasks import TEMPLATES
from envhub.envs.tools.apps.tools import AppTools, State

_MOST_MESSAGES: Final = 64
_SPARE: Final = 6
# errands, fewest and most apps of each, noise; the easier kinds of errands occur at every level, among more rows
_LEVELS: Final = (
    (1, 1, 1, 2),
    (1, 1, 2, 6),
    (1, 1, 3, 10),
    (2, 1, 2, 12),
    (2, 1, 3, 14),
    (3, 1, 3, 16),
    (4, 1, 3, 19),
    (5, 1, 3, 22),
    (6, 1, 3, 26),
    (7, 1, 3, 30),
)


class Params(BaseParams):
    """The errands, and the distractor rows."""

    errands: int = Field(1, ge=1, le=8, description="how many things are asked for")
    fewest: int = Field(1, ge=1, le=3, description="over how many apps an errand goes at least")
    most: int = Field(2, ge=1, le=3, description="over how many it goes at most")
    noise: int = Field(8, ge=0, le=40, description="rows of every app that are about something else")

    @model_validator(mode="after")
    def _possible(self) -> Self:
        fitting = sum(self.fewest <= template.apps <= self.most for template in TEMPLATES.values())
        if self.errands > fitting:
            raise ValueError(f"there are {fitting} kinds of errands over {self.fewest} to {self.most} apps")
        return self

    @classmethod
    def at(cls, difficulty: int) -> Self:
        """The parameters of a level."""
        errands, fewest, most, noise = _LEVELS[difficulty - 1]
        return cls(errands=errands, fewest=fewest, most=most, noise=noise)


class Apps(AppTools):
    """Run errands with six apps, and change nothing else."""

    Params = Params
    components: ClassVar[frozenset[str]] = frozenset({"right", "extra"})
    max_turns: ClassVar[int] = _MOST_MESSAGES

    def sample(self, rng: Stream, p: Any) -> Staged:
        """Errands, then everything else.

        The apps as they are and the plan are the key.
        """
        draft = Draft(rng)
        names = [name for name, template in TEMPLATES.items() if p.fewest <= template.apps <= p.most]
        chosen = rng.sample(names, p.errands)
        errands = [TEMPLATES[name].make(draft) for name in chosen]
        texts = [errand.text for errand in errands]
        yield texts
        before, numbers = draft.finish(p.noise)
        plan = [[resolved(step, numbers) for step in stage] for errand in errands for stage in errand.plan]
        after = before
        for name, arguments in (step for stage in plan for step in stage):
            after, _ = act(after, name, arguments)
        key = {
            "tables": before,
            "plan": plan,
            "calls": sorted(canonical_json(step).decode() for stage in plan for step in stage),
            "wanted": sorted(difference(before, after).elements()),
            "rows": sum(map(len, before.values())),
        }
        return Instance(
            {"errands": texts, "kinds": sorted(chosen), "messages": min(_MOST_MESSAGES, 2 * len(plan) + _SPARE)},
            key=key,
        )

    def canonical(self, content: JSON) -> JSON:
        """The errands, in canonical order."""
        return sorted(content["errands"] if isinstance(content, dict) else content)

    def form(self, problem: JSON) -> str:
        """The kinds of errands."""
        return ", ".join(problem["kinds"])

    def prompt(self, problem: JSON) -> Statement:
        """The errands and the rules."""
        values = {"today": TODAY}
        return Statement(task=wording.TASK, data=wording.DATA, problem=problem, rules=wording.RULES, values=values)

    def messages(self, problem: JSON) -> int:
        """Two for each stage of the plan, and some to spare."""
        return int(problem["messages"])

    def begin(self, inst: Instance, rng: Stream) -> State:
        """The apps as they are."""
        return State(inst.key["tables"])

    def advance(self, inst: Instance, state: State, action: str, rng: Stream) -> Acting:
        """The calls of a message, in order."""
        return self._message(inst, state._replace(messages=state.messages + 1), action, rng)

    def _message(self, inst: Instance, state: State, action: str, rng: Stream) -> Generator[Effect, Outcome, Turn]:
        acted = super().advance(inst, state, action, rng)
        turn: Turn = acted if isinstance(acted, Turn) else (yield from acted)
        if turn.verdict is not None:
            return turn
        after = self._next(inst, turn.state, turn.observation)
        after.info |= turn.info
        return after

    def _next(self, inst: Instance, state: State, seen: str) -> Turn:
        left = inst.problem["messages"] - state.messages
        if left <= 0:
            return Turn.end(state, self.exhausted(inst, state), f"{seen}\n\nThat was the last message.")
        return Turn(state, seen)

    def reject(self, inst: Instance, state: State, reason: str, feedback: str) -> Turn:
        """A message too long to be read still counts."""
        return self._next(inst, state._replace(messages=state.messages + 1), feedback)

    def exhausted(self, inst: Instance, state: State) -> Verdict:
        """The task was not ended with ``done``."""
        return super().exhausted(inst, state).noting(None, **_parts(inst, state))

    @tool
    def done(self, inst: Instance, state: State) -> tuple[State, Verdict]:
        """Finish the task."""
        parts = _parts(inst, state)
        solved = difference(inst.key["tables"], state.tables) == Counter(inst.key["wanted"])
        words = "Everything asked for was done, and nothing else." if solved else _words(parts)
        return state, Verdict.exact(solved, words).noting(None, **parts)

    def solve(self, inst: Instance, state: State) -> str:
        """The missing calls of the first unfinished stage, or the end.

        The stages are those of the oracle's plan.
        """
        for stage in inst.key["plan"]:
            missing = [step for step in stage if canonical_json(step).decode() not in state.made]
            if missing:
                return "".join(write_call(name, **arguments) for name, arguments in missing[:MAX_CALLS])
        return write_call("done")

    def random_action(self, inst: Instance, state: State, rng: Stream) -> str:
        """Read something, sometimes change something, then end the task."""
        look = ("bank_accounts", "shop_orders", "files_list", "mail_list")
        if rng.below(3) == 0:
            return write_call("done")
        if rng.below(4) == 0:
            return write_call("files_delete", path=rng.choice(list(inst.key["tables"]["files"])))
        return write_call(rng.choice(look))

    def effort(self, inst: Instance) -> float:
        """Calls of the plan, and rows to look through."""
        return float(sum(map(len, inst.key["plan"])) + inst.key["rows"] / 20)


def _parts(inst: Instance, state: State) -> dict[str, float]:
    """The overlap of changes, and the number of unrequested ones.

    The overlap is the share of changes requested or made that are both.
    """
    wanted: Counter[str] = Counter(inst.key["wanted"])
    found = difference(inst.key["tables"], state.tables)
    share = (wanted & found).total() / (wanted | found).total()
    return {"right": share, "extra": float((found - wanted).total())}


def _words(parts: dict[str, float]) -> str:
    extra = "something was changed that was not asked for" if parts["extra"] else "something is missing"
    return f"Not everything is as asked for: {extra}."
