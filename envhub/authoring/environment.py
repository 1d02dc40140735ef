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
from collections.abc import Generator, Mapping, Sequence
from functools import cached_property
from typing import Any, ClassVar, Literal

from envhub.core.difficulty import BaseParams
from envhub.core.effects import Effect, Outcome, Resource
from envhub.core.seeding import Stream
from envhub.core.tools import Tool
from envhub.core.types import JSON, Instance, Rates, Turn, Verdict
from envhub.verifiers.answers.types import AnswerType

Staged = Generator[JSON, None, Instance | None]
Sampled = Instance | Staged | None
Acting = Turn | Generator[Effect, Outcome, Turn]


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
