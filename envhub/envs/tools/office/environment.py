"""apps-v1: reach goals in office apps and answer questions about them.

Action: tool calls, up to eight in a message. ``done`` ends the task, with the answer if a question is asked. Then the apps
are compared with their initial state: score 1 if exactly the wanted changes were made and the answer is right, else 0.
Reading is free and comes in pages. A refused call is answered with the reason and changes nothing. When the messages are
used up, the score is 0.

A task says what shall be so, not which calls make it so: seventeen kinds of goals and ten kinds of questions with names,
days and amounts. The component ``right`` is the share of wanted things and changes that are both, where a right answer is
one of the wanted things; ``extra`` counts the changes that nobody asked for. Difficulty: more goals over more apps, among
more rows; effort is the calls of a plan and the number of rows. Two tasks with the same goals are the same, whatever their
order and the other content of the apps. ``apps-code-v0`` has the same tasks for programs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar, Final

from envhub.authoring import tool, write_call
from envhub.core.seeding import Stream
from envhub.core.tools import MAX_CALLS
from envhub.core.types import JSON, Instance, Verdict
from envhub.envs.tools.office.actions import READS
from envhub.envs.tools.office.drawing import Errands, State, components, finish, missing, verdict
from envhub.envs.tools.office.tools import OfficeTools

_MOST_MESSAGES: Final = 64
_SPARE: Final = 8


class Office(Errands, OfficeTools):
    """Reach goals in six apps with tools, and change nothing else."""

    components: ClassVar[frozenset[str]] = frozenset({"right", "extra"})
    max_turns: ClassVar[int] = _MOST_MESSAGES

    def messages(self, problem: JSON) -> int:
        """Three for each stage of the plan, and some to spare."""
        return min(_MOST_MESSAGES, 3 * int(problem["stages"]) + _SPARE)

    @tool
    def done(self, inst: Instance, state: Any, answer: str | int | float = "") -> tuple[State, Verdict]:  # noqa: D417
        """Finish the task.

        Args:
            answer: the answer, if a question is asked
        """
        return state, verdict(inst, state, str(answer))

    def exhausted(self, inst: Instance, state: Any) -> Verdict:
        """The task was not ended with ``done``."""
        return super().exhausted(inst, state).noting(None, **components(inst, state, None))

    def solve(self, inst: Instance, state: Any) -> str:
        """The missing calls of the first unfinished stage, or the end."""
        left = missing(inst, state)
        if left:
            return "".join(write_call(name, **arguments) for name, arguments in left[:MAX_CALLS])
        return finish(inst)

    def alternatives(self, inst: Instance) -> Iterator[Sequence[str]]:
        """Only the calls that change something, each in its own message."""
        plan = [step for stage in inst.key["plan"] for step in stage if step[0] not in READS]
        calls = [write_call(name, **arguments) for name, arguments in plan]
        if len(calls) < self.messages(inst.problem):
            yield [*calls, finish(inst)]

    def mistakes(self, inst: Instance) -> Iterator[Sequence[str]]:
        """One change too few, one too many, a wrong answer, none."""
        calls = [
            write_call(name, **arguments)
            for stage in inst.key["plan"]
            for name, arguments in stage
            if name not in READS
        ]
        together = ["".join(calls[at : at + MAX_CALLS]) for at in range(0, len(calls), MAX_CALLS)]
        extra = write_call("files_write", path="notes/new.txt", text="")
        if calls:
            yield ["".join(calls[1 : 1 + MAX_CALLS]), finish(inst)]
        if inst.key["answer"] is not None:
            yield [*together, write_call("done")]
            yield [*together, write_call("done", answer=f"{inst.key['answer']}1")]
        yield [*together, extra, finish(inst)]

    def random_action(self, inst: Instance, state: Any, rng: Stream) -> str:
        """Read something, sometimes change something, then end the task."""
        if rng.below(3) == 0:
            return write_call("done", answer=str(rng.below(10)))
        if rng.below(4) == 0:
            return write_call("files_delete", path=rng.choice(list(inst.key["tables"]["files"])))
        return write_call(rng.choice(("bank_accounts", "shop_orders", "files_list", "mail_list")))
