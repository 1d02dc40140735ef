"""What the author of an environment subclasses: SingleTurn, World, ToolEnv.

An environment is stateless: rules as methods, everything about an episode in arguments. Each base class turns a few
methods into the same contract, :class:`Environment`, which is all that the driver knows::

    class Sum(SingleTurn):
        answer = Integer()
        def sample(self, rng, p): ...          # Params -> Instance
        def canonical(self, content): ...      # what makes two problems the same
        def prompt(self, problem): ...
        def grade(self, inst, value): ...      # -> Verdict
        def solve(self, inst): ...             # the oracle

``sample`` may be a generator that yields once: the part of the content on which the split is decided. What follows the
``yield`` (proving uniqueness, carving, searching) is then done only for content of the wanted split.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, ClassVar, Final, Literal

from envhub.core.difficulty import BaseParams
from envhub.core.effects import Effect, Outcome, Resource, is_process
from envhub.core.errors import InvalidParameters, nearest
from envhub.core.seeding import Stream
from envhub.core.tools import (
    FORMATS,
    MAX_CALLS,
    Call,
    Malformed,
    Tool,
    read_calls,
    tool,
    tools_of,
    usage,
    write_call,
)
from envhub.core.tools.reading import example, rewrite
from envhub.core.types import JSON, Instance, Rates, Turn, Verdict
from envhub.verifiers.answers.extraction import drop_end_tokens, drop_thinking
from envhub.verifiers.answers.types import AnswerType, Reading

__all__ = ["BaseParams", "Environment", "SingleTurn", "Staged", "ToolEnv", "World", "tool", "write_call"]

Staged = Generator[JSON, None, Instance | None]
Sampled = Instance | Staged | None
Acting = Turn | Generator[Effect, Outcome, Turn]
Grading = Verdict | Generator[Effect, Outcome, Verdict]

_CORRECT: Final = "Correct."
_WRONG: Final = "That is not correct."


class Environment(ABC):
    """The contract between an environment and the driver. Subclass one of the bases below instead.

    Attributes:
        Params: The parameters; ``Params.at(difficulty)`` gives a level's.
        answer: What the policy is asked for.
        category: Where a plug-in stands in the catalogue; of ours the registry says it.
        split_by: ``content`` (problems are divided), ``seed`` (hidden state or chance: every split has its own seeds),
            ``none`` (one problem for all).
        family: The name under which content is fingerprinted; the environment's name unless given. Sister environments
            whose problems are the same give the same.
        components: What a reward may weigh besides ``accuracy``: the components its verdicts have.
        max_turns: After so many turns the episode is cut.
        counted: Each observation ends with the number of messages left.
        max_action_chars: A longer action is answered, not read.
        max_observation_chars: A longer observation is cut.
        unique: One answer is right and no other, in whatever form; the audit then takes any other for a false positive.
        guessable: Largest share of problems that a policy which reads nothing may solve, with the derivation of the value
            from the answer space where it exceeds 0.05. A mapping gives it per level; levels not named keep 0.05.
        reference: Solve rates by level of the best named policy without hidden knowledge; None where a right answer can
            always be found. A lower bound on what good play reaches.
        ceiling: Solve rates by level that no policy can exceed, where they are computed exactly; never a heuristic's.
        cycles: Fixed sequences of answers, without tags, that the audit repeats as blind policies.
        slow: Drawing takes some ten milliseconds or more: instances are kept on disk (:mod:`envhub.tasks.cache`), which needs
            a problem and a key of plain values (None, bool, int, str, list, tuple, dict with text keys).
        resources: What its effects may be addressed to, by name.
        files: Parameters that name files of this machine; they must be given.
    """

    Params: ClassVar[type[BaseParams]] = BaseParams
    answer: AnswerType
    category: ClassVar[str] = "other"
    split_by: ClassVar[Literal["content", "seed", "none"]] = "content"
    family: ClassVar[str | None] = None
    unique: ClassVar[bool] = False
    guessable: ClassVar[tuple[float, str] | Mapping[int, tuple[float, str]]] = (0.05, "")
    reference: ClassVar[Rates | None] = None
    ceiling: ClassVar[Rates | None] = None
    cycles: ClassVar[tuple[tuple[str, ...], ...]] = ()
    slow: ClassVar[bool] = False
    components: ClassVar[frozenset[str]] = frozenset({"format"})
    max_turns: ClassVar[int] = 1
    counted: ClassVar[bool] = False
    max_action_chars: ClassVar[int] = 65_536
    max_observation_chars: ClassVar[int] = 65_536
    resources: ClassVar[Mapping[str, Resource]] = {}
    files: ClassVar[tuple[str, ...]] = ()
    tools: ClassVar[Mapping[str, Tool]] = {}

    def __init__(self, answer_format: str | None = None) -> None:
        self.answer_format = answer_format
        if answer_format is not None:
            self.answer = self.answer.asking(answer_format)

    # -- the problem -------------------------------------------------------------------------------------------------

    def check(self, p: Any) -> None:
        """Refuse parameters that are valid by themselves and make no sense here.

        Raises:
            InvalidParameters: They do not.
        """

    @abstractmethod
    def sample(self, rng: Stream, p: Any) -> Sampled:
        """Draw a problem with its key; all randomness from ``rng``. At once, or staged as a generator (see above).

        None, returned at any stage, gives this attempt up; the next one is drawn.
        """

    def canonical(self, content: JSON) -> JSON:
        """The content in the form that equal problems share; ``content`` is the problem, or what ``sample`` yielded."""
        return content

    @abstractmethod
    def prompt(self, problem: JSON) -> str:
        """The text of the problem, without the format sentence."""

    def instruction(self) -> str:
        """The sentence that states the format."""
        return self.answer.instruction()

    @cached_property
    def format_sentence(self) -> str:
        """:meth:`instruction`, made once."""
        return self.instruction()

    def directions(self, problem: JSON) -> str:
        """What follows the problem in the prompt: how to answer it."""
        return self.format_sentence

    def messages(self, problem: JSON) -> int:
        """How many messages the policy has for a problem: ``max_turns``, or fewer where the environment ends it earlier."""
        return self.max_turns

    @cached_property
    def tool_schemas(self) -> tuple[JSON, ...]:
        """The schemas of the tools, made once."""
        return tuple(tool.schema() for tool in self.tools.values())

    def tools_for(self, problem: JSON) -> tuple[JSON, ...]:
        """The schemas that a task has: of the tools that all tasks share, unless each problem brings its own.

        Must follow from the problem alone: the golden digests hold the problem, and not what is made of it here.
        """
        return self.tool_schemas

    def accepts(self, inst: Instance) -> bool:
        """Whether a sampled instance may be used."""
        return True

    def searches(self, p: Any) -> bool:
        """Whether drawing with these parameters is :attr:`slow`; override it where some of them leave nothing to search."""
        return self.slow

    def form(self, problem: JSON) -> str | None:
        """The kind of question, for an environment that composes questions; None where every problem follows one law.

        Names, numbers and wordings never make another form.
        """
        return None

    # -- the conversation --------------------------------------------------------------------------------------------

    def begin(self, inst: Instance, rng: Stream) -> Any:
        """The state in which an episode starts."""
        return None

    @abstractmethod
    def advance(self, inst: Instance, state: Any, action: str, rng: Stream) -> Acting:
        """One turn: a pure function of its arguments, or a generator that yields effects and returns the turn."""

    def reject(self, inst: Instance, state: Any, reason: str, feedback: str) -> Turn:
        """The turn that follows an action which cannot be read."""
        return Turn(state, feedback)

    def exhausted(self, inst: Instance, state: Any) -> Verdict:
        """The verdict on an episode that ran out of turns."""
        return Verdict.no_answer("turn_limit", "The turns are used up.")

    # -- baselines ---------------------------------------------------------------------------------------------------

    @abstractmethod
    def oracle(self, inst: Instance, state: Any) -> str:
        """The next right action, as a policy would write it."""

    def random_action(self, inst: Instance, state: Any, rng: Stream) -> str:
        """A well-formed action that knows nothing: the floor of every comparison."""
        return self.answer.wrap(self.answer.random(rng))

    def legal_answers(self, inst: Instance, state: Any) -> Sequence[str]:
        """Every legal answer in this state, without tags and in a fixed order; empty where they cannot be enumerated.

        The audit plays the first, the last and a random one as blind policies.
        """
        return ()

    def illegal_answers(self, inst: Instance) -> Sequence[str]:
        """Answers that can be read and are never legal, without tags: the audit requires that they are :func:`rejected`."""
        return ()

    def greedy_action(self, inst: Instance, state: Any, rng: Stream) -> str | None:
        """What a simple rule of thumb would do that sees what a policy sees; None where there is none."""
        return None

    def reference_action(self, inst: Instance, state: Any, rng: Stream) -> str | None:
        """The action of the policy that :attr:`reference` names: it sees what a policy sees; None where there is none."""
        return None

    def effort(self, inst: Instance) -> float:
        """What solving costs a reference solver, in any unit; by default the length of the prompt."""
        return float(len(self.prompt(inst.problem)))


def rejected(turn: Turn, reason: str) -> Turn:
    """The turn that follows an action which was not taken: its info says why, for a trainer that counts such actions."""
    turn.info["rejected"] = reason
    return turn


class SingleTurn(Environment):
    """One question, one answer."""

    @abstractmethod
    def grade(self, inst: Instance, value: Any) -> Grading:
        """Judge a parsed answer by the problem's own constraints."""

    @abstractmethod
    def solve(self, inst: Instance) -> str:
        """The text of a right answer, without tags."""

    def alternatives(self, inst: Instance) -> Iterator[str]:
        """Other right answers, or the same in another form, without tags: the audit sees to it that they count."""
        return iter(())

    def mistakes(self, inst: Instance) -> Iterator[str]:
        """Usual wrong answers to this problem, without tags: the audit requires that none of them counts."""
        return iter(())

    def __init__(self, answer_format: str | None = None) -> None:
        super().__init__(answer_format)
        self._example = self.answer.parse(self.answer.example)

    def accepts(self, inst: Instance) -> bool:
        """Refuse an instance that the prompt's own example would solve."""
        verdict = self.grade(inst, self._example)
        return not (isinstance(verdict, Verdict) and verdict.solved)

    def advance(self, inst: Instance, state: Any, action: str, rng: Stream) -> Acting:
        """Read the answer and grade it."""
        reading = self.answer.read(action)
        if reading.reason is not None:
            return rejected(self.reject(inst, state, reading.reason, reading.feedback), reading.reason)
        graded = self.grade(inst, reading.value)
        return _finish(graded, reading) if isinstance(graded, Verdict) else _await_grade(graded, reading)

    def reject(self, inst: Instance, state: Any, reason: str, feedback: str) -> Turn:
        """No answer: score 0, and the episode is over."""
        return Turn.end(state, Verdict.no_answer(reason, feedback))

    def oracle(self, inst: Instance, state: Any) -> str:
        """The right answer in the form asked for."""
        return self.answer.wrap(self.solve(inst))


def _await_grade(grading: Generator[Effect, Outcome, Verdict], reading: Reading) -> Generator[Effect, Outcome, Turn]:
    return _finish((yield from grading), reading)


def _finish(verdict: Verdict, reading: Reading) -> Turn:
    if verdict.error is not None:
        return Turn.end(None, replace(verdict, answer=reading.text))
    feedback = verdict.feedback or (_CORRECT if verdict.solved else _WRONG)
    noted = replace(
        verdict,
        answer=reading.text,
        feedback=feedback,
        components={**verdict.components, "format": float(reading.formatted)},
    )
    return Turn.end(None, noted)


class World(Environment):
    """Many turns: every action is read as an answer and acted upon. Base of games and simulated worlds."""

    max_turns: ClassVar[int] = 64

    @abstractmethod
    def act(self, inst: Instance, state: Any, value: Any, rng: Stream) -> Acting:
        """One turn with a parsed action. ``rng`` is keyed by the task, the turn seed and the turn."""

    @abstractmethod
    def solve(self, inst: Instance, state: Any) -> str:
        """The text of the next right action, without tags."""

    def instruction(self) -> str:
        """The sentence that states the format of every action."""
        return self.answer.instruction("In each message give")

    def advance(self, inst: Instance, state: Any, action: str, rng: Stream) -> Acting:
        """Read the action and act; one that cannot be read costs the turn."""
        reading = self.answer.read(action)
        if reading.reason is not None:
            return rejected(self.reject(inst, state, reading.reason, reading.feedback), reading.reason)
        acted = self.act(inst, state, reading.value, rng)
        if isinstance(acted, Turn):
            return _noted(acted, reading) if acted.verdict is not None else acted
        return _await_act(acted, reading)

    def oracle(self, inst: Instance, state: Any) -> str:
        """The next right action in the form asked for."""
        return self.answer.wrap(self.solve(inst, state))


def _noted(turn: Turn, reading: Reading) -> Turn:
    if turn.verdict is not None:
        turn.verdict = turn.verdict.noting(reading.text, format=float(reading.formatted))
    return turn


def _await_act(acting: Generator[Effect, Outcome, Turn], reading: Reading) -> Generator[Effect, Outcome, Turn]:
    return _noted((yield from acting), reading)


class ToolEnv(Environment):
    """Many turns with tools: every action is one or more calls of methods marked ``@tool``.

    A tool returns ``(state, result)``; a text result is what the policy sees, a :class:`Verdict` ends the episode. A tool
    that needs the world is a generator of effects.

    Attributes:
        unfinished: The sentence of the prompt on an episode whose messages are used up, with a space before it.
    """

    max_turns: ClassVar[int] = 16
    counted: ClassVar[bool] = True
    unfinished: ClassVar[str] = " If the messages are used up before you end the task, the score is 0."
    tools: ClassVar[Mapping[str, Tool]] = {}

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        cls.tools = tools_of(cls)

    def __init__(self, answer_format: str | None = None) -> None:
        if answer_format is not None and answer_format not in FORMATS:
            raise InvalidParameters(
                f"An environment with tools takes no answer_format: its actions are tool calls. tool_format must be one of "
                f"{', '.join(FORMATS)}, got {answer_format!r}.{nearest(answer_format, FORMATS)}"
            )
        self.answer_format = answer_format

    @abstractmethod
    def solve(self, inst: Instance, state: Any) -> str:
        """The text of the next right call (:func:`envhub.core.tools.write_call`)."""

    def alternatives(self, inst: Instance) -> Iterator[Sequence[str]]:
        """Other right episodes, each as its messages in order: the audit requires that all of them solve the task."""
        return iter(())

    def mistakes(self, inst: Instance) -> Iterator[Sequence[str]]:
        """Usual wrong episodes, each as its messages in order: the audit requires that none of them solves the task."""
        return iter(())

    def instruction(self) -> str:
        """How a call is written, and the tools with their arguments."""
        return f"{self.how_to_call()} The tools are:\n" + "\n".join(map(usage, self.tools.values()))

    def how_to_call(self) -> str:
        """How a call is written."""
        return f"Act by calling tools. Write each call as {example(self.answer_format)}."

    def directions(self, problem: JSON) -> str:
        """How a call is written, the tools, and how many messages and calls there are."""
        if not self.counted:
            return self.format_sentence
        count = self.messages(problem)
        return (
            f"{self.format_sentence}\n\nYou have {count} messages. Each message may contain up to {MAX_CALLS} calls, which "
            f"are carried out in order. Each reply ends with the number of messages left.{self.unfinished}"
        )

    def read(self, action: str, tools: Mapping[str, Tool] | None = None) -> list[Call | Malformed]:
        """The calls of a message."""
        text = drop_thinking(drop_end_tokens(action))
        return read_calls(text, self.tools if tools is None else tools, self.answer_format)

    def advance(self, inst: Instance, state: Any, action: str, rng: Stream) -> Acting:
        """Carry out the calls of one message in order; the first verdict ends the episode."""
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
        """The next right call, in the format of this environment."""
        text = self.solve(inst, state)
        return text if self.answer_format is None else rewrite(text, self.tools, self.answer_format)

    def random_action(self, inst: Instance, state: Any, rng: Stream) -> str:
        """A call of a random tool with nothing in it."""
        return write_call(rng.choice(list(self.tools)))
