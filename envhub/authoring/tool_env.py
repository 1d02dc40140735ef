"""ToolEnv: many turns, each with calls of tools."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Generator, Iterator, Mapping, Sequence
from typing import Any, ClassVar

from envhub.authoring.environment import Acting, Environment, rejected
from envhub.authoring.wording import Wording
from envhub.core.effects import Effect, Outcome, is_process
from envhub.core.errors import InvalidParameters, nearest
from envhub.core.seeding import Stream
from envhub.core.tools import FORMATS, MAX_CALLS, Call, Malformed, Tool, read_calls, tools_of, usage, write_call
from envhub.core.tools.reading import example, rewrite
from envhub.core.types import JSON, Instance, Turn, Verdict
from envhub.verifiers.answers.extraction import drop_end_tokens, drop_thinking


class ToolEnv(Environment):
    """Many turns with tools.

    Each action is one or more calls of methods marked ``@tool``. A tool returns ``(state, result)``. A text result is
    shown to the policy; a :class:`Verdict` ends the episode. A tool that needs a resource is a generator of effects.

    Attributes:
        formats: The formats of actions that ``tool_format`` may name.
        unfinished: Sentence of the prompt about running out of messages, with a leading space.
    """

    max_turns: ClassVar[int] = 16
    counted: ClassVar[bool] = True
    formats: ClassVar[tuple[str, ...]] = tuple(FORMATS)
    unfinished: ClassVar[str] = " If you do not end the task within these messages, the score is 0."
    tools: ClassVar[Mapping[str, Tool]] = {}

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        cls.tools = tools_of(cls)

    def __init__(
        self, answer_format: str | None = None, wording: Wording | None = None, observation: str = "text"
    ) -> None:
        if answer_format is not None and answer_format not in self.formats:
            raise InvalidParameters(
                f"An environment with tools takes no answer_format: its actions are tool calls. tool_format must be one of "
                f"{', '.join(self.formats)}, got {answer_format!r}.{nearest(answer_format, self.formats)}"
            )
        self.answer_format = answer_format
        self.wording = wording
        self.observation = observation

    @abstractmethod
    def solve(self, inst: Instance, state: Any) -> str:
        """The next correct call, written by :func:`envhub.core.tools.write_call`."""

    def alternatives(self, inst: Instance) -> Iterator[Sequence[str]]:
        """Other correct episodes, each a list of messages.

        The audit requires that all of them solve the task.
        """
        return iter(())

    def mistakes(self, inst: Instance) -> Iterator[Sequence[str]]:
        """Typical wrong episodes, each a list of messages.

        The audit requires that none solves the task.
        """
        return iter(())

    def instruction(self) -> str:
        """The call format, and the tools with their arguments."""
        return f"{self.how_to_call()} Available tools:\n" + "\n".join(map(usage, self.tools.values()))

    def how_to_call(self) -> str:
        """The call format."""
        return f"Call a tool by writing: {example(self.answer_format)}."

    def directions(self, problem: JSON) -> str:
        """The call format, the tools, and the limits on messages and calls."""
        if not self.counted:
            return self.format_sentence
        count = self.messages(problem)
        return (
            f"{self.format_sentence}\n\nYou may send at most {count} messages with at most {MAX_CALLS} tool calls each. The "
            "calls of a message are carried out in order; if there are more, none is carried out. A message without a "
            f"valid call still counts. Each reply ends with the number of messages left.{self.unfinished}"
        )

    def read(self, action: str, tools: Mapping[str, Tool] | None = None) -> list[Call | Malformed]:
        """The calls in a message."""
        text = drop_thinking(drop_end_tokens(action))
        return read_calls(text, self.tools if tools is None else tools, self.answer_format)

    def advance(self, inst: Instance, state: Any, action: str, rng: Stream) -> Acting:
        """Carry out the calls of a message in order.

        The first verdict ends the episode.
        """
        return self._carry_out(inst, state, self.read(action))

    def _carry_out(self, inst: Instance, state: Any, calls: list[Call | Malformed]) -> Generator[Effect, Outcome, Turn]:
        seen: list[str] = []
        for call in calls:
            if isinstance(call, Malformed):
                seen.append(call.feedback)
                continue
            result = getattr(self, call.name)(inst, state, **call.arguments)
            state, shown = (yield from result) if is_process(result) else result
            if isinstance(shown, Verdict):
                return Turn.end(state, shown)
            seen.append(shown)
        turn = Turn(state, "\n\n".join(seen))
        return rejected(turn, "malformed") if any(isinstance(call, Malformed) for call in calls) else turn

    def oracle(self, inst: Instance, state: Any) -> str:
        """The next correct call, in the format of this environment."""
        text = self.solve(inst, state)
        return text if self.answer_format is None else rewrite(text, self.tools, self.answer_format)

    def random_action(self, inst: Instance, state: Any, rng: Stream) -> str:
        """A call of a random tool without arguments."""
        return write_call(rng.choice(list(self.tools)))
