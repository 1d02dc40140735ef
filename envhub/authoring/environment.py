"""The contract between an environment and the code that runs episodes.

An environment is stateless: its rules are methods, and everything about an episode is passed as an argument. Subclass
SingleTurn, World, ToolEnv or Game, which implement this contract with a few methods of yours::

    class Sum(SingleTurn):
        answer = Integer()
        def sample(self, rng, p): ...          # Params -> Instance
        def canonical(self, content): ...      # equal for problems that are the same
        def prompt(self, problem): ...
        def grade(self, inst, value): ...      # -> Verdict
        def solve(self, inst): ...             # the oracle

``sample`` may be a generator that yields once: the part of the content that decides the split. The slow work after the
``yield`` (proving uniqueness, removing clues, searching) is then done only for content of the requested split.
"""

from __future__ import annotations

import marshal
from abc import ABC, abstractmethod
from collections.abc import Generator, Mapping, Sequence
from copy import deepcopy
from functools import cached_property
from typing import Any, ClassVar, Final, Literal

from envhub.authoring.board import Board
from envhub.authoring.observation import IN_PICTURE
from envhub.authoring.wording import PLAIN, KeptStatement, Statement, Wording
from envhub.core.difficulty import BaseParams
from envhub.core.effects import Effect, Outcome, Resource
from envhub.core.seeding import Stream
from envhub.core.tools import Tool
from envhub.core.types import JSON, Instance, Rates, Turn, Verdict
from envhub.scenes import Scene
from envhub.verifiers.answers.types import AnswerType

Staged = Generator[JSON, None, Instance | None]
Sampled = Instance | Staged | None
_KEPT: Final = 16
"""Maximum number of problems whose statements are kept."""
Acting = Turn | Generator[Effect, Outcome, Turn]


class Environment(ABC):
    """The contract between an environment and the driver.

    Subclass SingleTurn, World, ToolEnv or Game instead.

    Attributes:
        Params: The parameters; ``Params.at(difficulty)`` returns those of a level.
        answer: The type of answer that the policy must give.
        category: Category of a plug-in in the catalogue. For built-in environments the registry sets it.
        split_by: ``content`` (each problem belongs to one split), ``seed`` (hidden state or chance: each split has its own
            seeds), or ``none`` (all splits share one problem).
        family: Name used in content fingerprints; defaults to the environment's name. Environments that share problems
            must share the family.
        components: The components of its verdicts, which a reward may weigh besides ``accuracy``.
        max_turns: Maximum number of turns; then the episode is truncated.
        counted: Each observation ends with the number of messages left.
        max_action_chars: Maximum length of an action. A longer one is rejected unread.
        max_observation_chars: Maximum length of an observation. A longer one is cut.
        unique: Exactly one answer is right, in any form. The audit then reports any other solved answer as a false positive.
        guessable: Largest share of problems that a policy may solve without reading them, and, where it exceeds 0.05, how
            it follows from the answer space. May be a mapping from level; missing levels have 0.05.
        reference: Solve rates by level of the best named policy without hidden knowledge; None where a right answer can
            always be found. A lower bound on what good play reaches.
        ceiling: Solve rates by level that no policy can exceed, where they are computed exactly; never a heuristic's.
        cycles: Fixed sequences of answers, without tags. The audit plays them in a loop as blind policies.
        slow: Drawing takes about ten milliseconds or more. Instances are then cached on disk (:mod:`envhub.tasks.cache`), so
            problem and key must consist of None, bool, int, str, list, tuple, and dict with text keys.
        resources: The resources that its effects use, by name.
        files: Names of the parameters that are paths of files on this machine. They are required.
        pictured: Whether there is a picture of its states (:meth:`scene`).
        screenshots: Whether its turns hold pictures of their own (``Turn.pictures``), instead of scenes.
        separable: Whether its text can leave out what the picture shows (``observation="image"``).
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
    pictured: ClassVar[bool] = False
    screenshots: ClassVar[bool] = False
    separable: ClassVar[bool] = False
    tools: ClassVar[Mapping[str, Tool]] = {}

    def __init__(
        self, answer_format: str | None = None, wording: Wording | None = None, observation: str = "text"
    ) -> None:
        self.answer_format = answer_format
        self.wording = wording
        self.observation = observation
        if answer_format is not None:
            self.answer = self.answer.asking(answer_format)

    @classmethod
    def required(cls) -> Mapping[str, Resource]:
        """The resources that its episodes use whatever their parameters are."""
        return {name: resource for name, resource in cls.resources.items() if not resource.optional}

    def acts_outside(self, inst: Instance) -> bool:
        """Whether the episodes of an instance may use resources."""
        return bool(self.resources)

    # -- the problem -------------------------------------------------------------------------------------------------

    def check(self, p: Any) -> None:
        """Reject parameters that are each valid but make no sense together.

        Raises:
            InvalidParameters: The parameters do not fit.
        """

    @abstractmethod
    def sample(self, rng: Stream, p: Any) -> Sampled:
        """Draw a problem with its key, using only ``rng`` for randomness.

        May be a generator (see the module). Return None, at any stage, to reject this draw; another one follows.
        """

    def canonical(self, content: JSON) -> JSON:
        """The canonical form of a problem, or of what ``sample`` yielded.

        Equal problems have equal forms.
        """
        return content

    @abstractmethod
    def prompt(self, problem: JSON) -> str | Statement:
        """The problem without the answer format.

        A text, or a statement that can be worded in many ways.
        """

    def worded(self, problem: JSON, wording: Wording = PLAIN) -> str:
        """:meth:`prompt` in one wording."""
        stated = self._beside(problem) if self.split_by == "content" else self._kept(problem)[0]
        return stated if isinstance(stated, str) else stated.worded(wording)

    def drawable(self, problem: JSON) -> bool:
        """Whether there is a picture of a problem.

        Only then does the prompt leave out what it shows.
        """
        return True

    def _kept(self, problem: JSON) -> tuple[str | KeptStatement, str]:
        """:meth:`prompt` and :meth:`directions`, kept for problems that were stated before.

        Where state is hidden, most tasks have equal problems. A copy is kept, found by its text, because the problem itself
        belongs to the caller, who may change it.
        """
        try:
            text: bytes | str = marshal.dumps(problem, 2)  # a third of the time of `repr`; version 2 has no references
        except ValueError:  # a value that is not plain JSON
            text = repr(problem)
        kept = self._statements.get(text)
        if kept is None:
            copied = deepcopy(problem)
            stated = self._beside(copied)
            kept = stated if isinstance(stated, str) else KeptStatement(stated), self.directions(copied)
            if len(self._statements) >= _KEPT:
                self._statements.clear()
            self._statements[text] = kept
        return kept

    def _beside(self, problem: JSON) -> str | Statement:
        """:meth:`prompt`, without what a picture replaces."""
        stated = self.prompt(problem)
        if self.observation == "image" and isinstance(stated, Statement):
            stated.seen = self.drawable(problem)
        return stated

    @cached_property
    def _statements(self) -> dict[bytes | str, tuple[str | KeptStatement, str]]:
        """Statements and directions by the text of their problem."""
        return {}

    def opening(self, problem: JSON, wording: Wording = PLAIN) -> str:
        """The whole prompt: the problem in one wording, then how to answer."""
        if self.split_by == "content":
            return f"{self.worded(problem, wording)}\n\n{self.directions(problem)}"
        stated, directions = self._kept(problem)
        return f"{stated if isinstance(stated, str) else stated.worded(wording)}\n\n{directions}"

    def drawn(self, board: str) -> str:
        """A board in the text of a turn.

        With ``observation="image"`` a reference to the picture.
        """
        return IN_PICTURE if self.observation == "image" else board

    def example(self, problem: JSON) -> str:
        """The example of the answer format, without tags.

        It has the shape and size of a right answer, and is wrong.
        """
        return self.answer.example

    def board(self, problem: JSON) -> Board | None:
        """The grid that an answer fills in; None without one."""
        return None

    def scene(self, inst: Instance, state: Any) -> Scene | None:
        """What there is to see in a state, as a picture.

        A pure function. It shows nothing that the policy may not know. None if there is nothing to see in this state, or
        too much to be read.
        """
        return None

    def instruction(self) -> str:
        """The sentence that states the answer format."""
        return self.answer.instruction()

    @cached_property
    def format_sentence(self) -> str:
        """:meth:`instruction`, made once."""
        return self.instruction()

    def directions(self, problem: JSON) -> str:
        """The end of the prompt: how to answer."""
        example = self.example(problem)
        return self.format_sentence if example == self.answer.example else self.answer.instruction(example=example)

    @cached_property
    def turn_limits(self) -> tuple[int, int, int, bool]:
        """``max_action_chars``, ``max_turns``, ``max_observation_chars`` and ``counted``, looked up once."""
        return self.max_action_chars, self.max_turns, self.max_observation_chars, self.counted

    def messages(self, problem: JSON) -> int:
        """Number of messages the policy has for a problem; at most ``max_turns``."""
        return self.max_turns

    @cached_property
    def tool_schemas(self) -> tuple[JSON, ...]:
        """The schemas of the tools, cached."""
        return tuple(tool.schema() for tool in self.tools.values())

    def tools_for(self, problem: JSON) -> tuple[JSON, ...]:
        """The schemas of a task's tools.

        By default those that all tasks share. Must depend on the problem alone: golden digests cover the problem, not
        this result.
        """
        return self.tool_schemas

    def accepts(self, inst: Instance) -> bool:
        """Whether a sampled instance may be used."""
        return True

    def searches(self, p: Any) -> bool:
        """Whether drawing with these parameters is :attr:`slow`.

        Override it if some parameters need no search.
        """
        return self.slow

    def form(self, problem: JSON) -> str | None:
        """Returns the kind of question, for environments that compose questions; None otherwise.

        Names, numbers and wordings must not change it.
        """
        return None

    # -- the conversation --------------------------------------------------------------------------------------------

    def begin(self, inst: Instance, rng: Stream) -> Any:
        """The initial state of an episode."""
        return None

    def begin_worded(self, inst: Instance, rng: Stream, wording: int | str | None) -> Any:
        """:meth:`begin` for a prompt in a wording.

        Override it where later messages must be worded like the prompt.
        """
        return self.begin(inst, rng)

    @abstractmethod
    def advance(self, inst: Instance, state: Any, action: str, rng: Stream) -> Acting:
        """Play one turn.

        A pure function, or a generator that yields effects and returns the turn.
        """

    def reject(self, inst: Instance, state: Any, reason: str, feedback: str) -> Turn:
        """The turn after an action that cannot be read."""
        return Turn(state, feedback)

    def exhausted(self, inst: Instance, state: Any) -> Verdict:
        """The verdict on an episode that ran out of turns."""
        return Verdict.no_answer("turn_limit", "The turns are used up.")

    # -- baselines ---------------------------------------------------------------------------------------------------

    @abstractmethod
    def oracle(self, inst: Instance, state: Any) -> str:
        """The next correct action, as a policy would write it."""

    def random_action(self, inst: Instance, state: Any, rng: Stream) -> str:
        """A random well-formed action, as a baseline."""
        return self.answer.wrap(self.answer.random(rng))

    def legal_answers(self, inst: Instance, state: Any) -> Sequence[str]:
        """Every legal answer in this state, without tags, in a fixed order.

        Empty if they cannot be listed. The audit plays the first, the last and a random one as blind policies.
        """
        return ()

    def illegal_answers(self, inst: Instance) -> Sequence[str]:
        """Answers that can be read and are never legal, without tags.

        The audit requires that they are :func:`rejected`.
        """
        return ()

    def greedy_action(self, inst: Instance, state: Any, rng: Stream) -> str | None:
        """The action of a simple heuristic, or None.

        It sees only what a policy sees.
        """
        return None

    def reference_action(self, inst: Instance, state: Any, rng: Stream) -> str | None:
        """The action of the policy behind :attr:`reference`, or None.

        It sees only what a policy sees.
        """
        return None

    def effort(self, inst: Instance) -> float:
        """Cost of solving for a reference solver, in any unit.

        By default the length of the prompt.
        """
        return float(len(self.worded(inst.problem)))


def rejected(turn: Turn, reason: str) -> Turn:
    """Mark a turn as following a rejected action, with the reason.

    The mark is in the turn's info; trainers may count such turns.
    """
    turn.info["rejected"] = reason
    return turn
