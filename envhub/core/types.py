"""Data types shared by all of envhub.

Instance, Task, Verdict, Turn, Rates, EnvSpec.

Types that may leave the process have ``to_json``. The key of an :class:`Instance` may not, and is not even part of its
``repr``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from envhub.core.frozen import quick
from envhub.core.seeding import TaskKey

JSON = Any
Status = Literal["graded", "no_answer", "error"]
OUR_FAILURE: Final = "The episode ended because of an internal error. It is not scored."


def encodable(text: str) -> str:
    """The text with each lone surrogate replaced by a question mark.

    UTF-8 cannot encode lone surrogates.
    """
    return text if text.isascii() else text.encode("utf-8", "replace").decode()


@dataclass(frozen=True, slots=True)
class Instance:
    """One problem with its answer key.

    Attributes:
        problem: Public part as JSON values; the prompt is made from it.
        key: Secret part: anything that the verifier or the oracle needs. Hidden from ``repr``.
    """

    problem: JSON
    key: Any = field(default=None, repr=False)


@quick
@dataclass(frozen=True, slots=True)
class Task:
    """The public form of one problem. Round-trips through JSON exactly.

    Attributes:
        key: Identifies the task; equal keys give equal tasks.
        difficulty: Level from 1 to 10 that chose the parameters; None if they were set by name.
        prompt: The text that opens the episode.
        problem: The structured problem behind the prompt.
        fingerprint: Identity of the content (see :func:`envhub.core.seeding.fingerprint`).
        tools: OpenAI function schemas; empty for environments without tools.
        wording: The number of the wording of the prompt, or ``"held-out"``; None if unknown.
    """

    key: TaskKey
    difficulty: int | None
    prompt: str
    problem: JSON
    fingerprint: str
    tools: tuple[JSON, ...] = ()
    wording: int | str | None = None

    @property
    def env_id(self) -> str:
        """The environment with its version, ``sudoku-v0``."""
        return self.key.env_id

    @property
    def version(self) -> int:
        """The number after ``-v``."""
        return int(self.env_id.rpartition("-v")[2])

    @property
    def params(self) -> Mapping[str, JSON]:
        """Every parameter by name."""
        return self.key.params

    @property
    def split(self) -> str:
        """``train``, ``validation`` or ``test``."""
        return self.key.split

    @property
    def seed(self) -> int:
        """The seed this task was drawn with."""
        return self.key.seed

    @property
    def draw(self) -> int | None:
        """Number of the accepted attempt of the seed."""
        return self.key.draw

    def opening_info(self) -> dict[str, JSON]:
        """The info of ``reset``: difficulty, split and, in games, the seat.

        The seat is the one to move.
        """
        info: dict[str, JSON] = {"difficulty": self.difficulty, "split": self.key.split}
        if isinstance(self.problem, dict) and "player" in self.problem:
            info["player"] = self.problem["player"]
        return info

    def opening_for(self, observation: str) -> str:
        """The prompt of a seat that moves later.

        In a game where the policy plays every seat. It has the same rules, but the view of the first seat, which may be
        hidden from this one, is replaced by this seat's.

        Args:
            observation: The environment's observation at this seat's first turn.
        """
        view = self.problem.get("view") if isinstance(self.problem, dict) else None
        before, found, after = self.prompt.rpartition(view) if view else ("", "", "")
        return f"{before}{observation}{after}" if found else observation

    def to_json(self) -> dict[str, JSON]:
        """The task as one flat JSON object, including its key's fields."""
        return {
            **self.key.to_json(),
            "difficulty": self.difficulty,
            "prompt": self.prompt,
            "problem": self.problem,
            "fingerprint": self.fingerprint,
            "tools": list(self.tools),
            "wording": self.wording,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, JSON]) -> Task:
        """Read what :meth:`to_json` wrote.

        Raises:
            InvalidParameters: The key is not one.
            KeyError: Another field is missing.
        """
        return cls(
            key=TaskKey.from_json(data),
            difficulty=data["difficulty"],
            prompt=data["prompt"],
            problem=data["problem"],
            fingerprint=data["fingerprint"],
            tools=tuple(data["tools"]),
            wording=data.get("wording"),
        )


@dataclass(frozen=True, slots=True)
class Fault:
    """Why something could not be judged.

    A code for machines, a reason for people.
    """

    code: str
    reason: str

    def to_json(self) -> dict[str, JSON]:
        """``{"code": ..., "reason": ...}``."""
        return {"code": self.code, "reason": self.reason}


CHECKER_FAILED: Final = "checker_failed_on_answer"
"""Reason of a verdict: a user-supplied checker failed on the answer but works on the right output."""
BROKEN_SHARE: Final = 0.01
"""Share of failed answers above which a checker is reported as broken."""


@quick
@dataclass(frozen=True, slots=True)
class Verdict:
    """The judgement of an answer, or why it could not be judged.

    Attributes:
        score: In [0, 1]; None when ``status`` is ``error``.
        status: ``graded``; ``no_answer`` (nothing gradable: score 0 and a ``reason``); ``error`` (we could not judge).
        solved: Whether the problem is solved; None when ``status`` is ``error``.
        components: Named parts of the judgement, such as ``format``.
        payoff: Payoff of a game, in any range.
        answer: The extracted answer, for logs.
        feedback: Text for the policy; never contains the solution.
        reason: Why there is no answer: ``empty``, ``ambiguous``, ``unreadable``, ``too_long``, ``turn_limit``,
            ``checker_failed_on_answer`` (:data:`CHECKER_FAILED`).
        error: The internal failure, when ``status`` is ``error``.
    """

    score: float | None
    status: Status = "graded"
    solved: bool | None = None
    components: Mapping[str, float] = field(default_factory=dict)
    payoff: float | None = None
    answer: str | None = None
    feedback: str = ""
    reason: str | None = None
    error: Fault | None = None

    @classmethod
    def exact(cls, solved: bool, feedback: str = "") -> Verdict:
        """All or nothing: score 1.0 when solved, else 0.0."""
        return cls(1.0 if solved else 0.0, "graded", solved, {}, None, None, feedback)

    @classmethod
    def no_answer(cls, reason: str, feedback: str) -> Verdict:
        """Nothing to grade: score 0.0, not solved."""
        return cls(score=0.0, status="no_answer", solved=False, feedback=feedback, reason=reason)

    @classmethod
    def failed(cls, code: str, reason: str) -> Verdict:
        """Could not be judged: no score.

        Never for a failure that the answer itself causes.
        """
        return cls(score=None, status="error", error=Fault(code, reason))

    def noting(self, answer: str | None, **components: float) -> Verdict:
        """This verdict with the extracted answer and more components."""
        return Verdict(
            self.score,
            self.status,
            self.solved,
            {**self.components, **components} if self.components else components,
            self.payoff,
            answer,
            self.feedback,
            self.reason,
            self.error,
        )

    def to_json(self) -> dict[str, JSON]:
        """All fields by name, as JSON values."""
        return {
            "score": self.score,
            "status": self.status,
            "solved": self.solved,
            "components": dict(self.components),
            "payoff": self.payoff,
            "answer": self.answer,
            "feedback": self.feedback,
            "reason": self.reason,
            "error": self.error.to_json() if self.error else None,
        }


@dataclass(slots=True)
class Turn:
    """The result of one action.

    Attributes:
        state: The environment's state after it; never changed in place.
        observation: What the policy sees.
        verdict: The judgement; present exactly when the episode has ended.
        terminated: The episode ended by its own rules.
        truncated: The episode was cut off: out of turns, or an ``error``.
        info: More for the trainer; contains nothing that a policy should not see. If the action could not be read or was
            not a legal move, ``rejected`` holds the reason.
        pictures: Screenshots of this turn as PNG files. They are not recorded, so a replayed turn has none.
    """

    state: Any
    observation: str
    verdict: Verdict | None = None
    terminated: bool = False
    truncated: bool = False
    info: dict[str, JSON] = field(default_factory=dict)
    pictures: tuple[bytes, ...] = field(default=(), compare=False, repr=False)

    @classmethod
    def end(cls, state: Any, verdict: Verdict, observation: str | None = None) -> Turn:
        """The last turn of an episode.

        The observation defaults to the verdict's feedback. An ``error`` truncates the episode; every other verdict
        terminates it.
        """
        failed = verdict.error is not None
        if observation is None:
            observation = verdict.feedback or (OUR_FAILURE if failed else "")
        return cls(state, observation, verdict, not failed, failed)


@dataclass(frozen=True, slots=True)
class Rates:
    """Solve rates by level, and where they come from.

    Attributes:
        policy: Name of the policy that was measured, or of the computation.
        solved: Share of problems solved at levels 1 to 10, in this order.
        episodes: Episodes played per level; 0 where the rates are computed exactly.
    """

    policy: str
    solved: tuple[float, ...]
    episodes: int = 0

    def __post_init__(self) -> None:
        if len(self.solved) != 10 or not all(0 <= rate <= 1 for rate in self.solved):
            raise ValueError(f"`solved` must hold ten shares, one per level; got {self.solved}.")

    def to_json(self) -> dict[str, JSON]:
        """``{"policy": ..., "solved": {"1": ..., ...}, "episodes": ...}``."""
        solved = {str(level): rate for level, rate in enumerate(self.solved, 1)}
        return {"policy": self.policy, "solved": solved, "episodes": self.episodes}


@dataclass(frozen=True, slots=True)
class EnvSpec:
    """A registry entry.

    Attributes:
        id: Name and version, ``sudoku-v0``.
        entry: The class as ``module:Class``.
        category: ``rule_based``, ``logic``, ``games`` ...
        extras: Extras of envhub that it requires.
        covers: Tasks of public catalogues that it asks, as ``source/task`` (:mod:`envhub.registry.coverage`).
        params: Parameters that override the defaults of the class.
        source: ``envhub``, ``registered``, or the distribution that provides it.
        audit_cost: Why a fast audit of it may exceed the budget of CPU seconds; empty if it may not.
    """

    id: str
    entry: str
    category: str = "other"
    extras: tuple[str, ...] = ()
    covers: tuple[str, ...] = ()
    params: Mapping[str, JSON] = field(default_factory=dict)
    source: str = "envhub"
    audit_cost: str = ""

    @property
    def name(self) -> str:
        """The id without its version."""
        return self.id.rpartition("-v")[0]

    @property
    def version(self) -> int:
        """The number after ``-v``."""
        return int(self.id.rpartition("-v")[2])
