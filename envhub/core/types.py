"""The nouns everything else speaks: Instance, Task, Verdict, Turn, Rates, EnvSpec.

Plain data without behaviour. What may leave the process has ``to_json``; what may not (an :class:`Instance`'s key) has no
way out, not even through ``repr``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from envhub.core.seeding import TaskKey

JSON = Any
Status = Literal["graded", "no_answer", "error"]
OUR_FAILURE: Final = "The episode was ended by a failure that is not yours."


def encodable(text: str) -> str:
    """The text with a question mark for every lone surrogate, which UTF-8 has no form for."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode()


@dataclass(frozen=True, slots=True)
class Instance:
    """One problem with its answer key.

    Attributes:
        problem: What may travel: JSON values, from which prompt and verdict are made.
        key: What may not: anything the verifier or the oracle needs to know. Hidden from ``repr``.
    """

    problem: JSON
    key: Any = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Task:
    """One problem as everybody may see it. JSON round-trips exactly.

    Attributes:
        key: What the task is made from.
        difficulty: The 1..10 that chose the parameters; None when they were given by name.
        prompt: The text that opens the episode.
        problem: The structured problem behind the prompt.
        fingerprint: Identity of the content (see :func:`envhub.core.seeding.fingerprint`).
        tools: OpenAI function schemas; empty for environments without tools.
    """

    key: TaskKey
    difficulty: int | None
    prompt: str
    problem: JSON
    fingerprint: str
    tools: tuple[JSON, ...] = ()

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
        """Which attempt of the seed was accepted."""
        return self.key.draw

    def opening_info(self) -> dict[str, JSON]:
        """What ``reset`` tells beside the prompt: difficulty, split, and in a game which seat is to move."""
        info: dict[str, JSON] = {"difficulty": self.difficulty, "split": self.split}
        if isinstance(self.problem, Mapping) and "player" in self.problem:
            info["player"] = self.problem["player"]
        return info

    def opening_for(self, observation: str) -> str:
        """The prompt of a seat that moves later, in a game where the policy has every seat.

        The rules are the same; what the seat saw that begins, which may be hidden from this one, makes room for what this
        one sees.

        Args:
            observation: What the environment said when it was first this seat's turn.
        """
        view = self.problem.get("view") if isinstance(self.problem, Mapping) else None
        before, found, after = self.prompt.rpartition(view) if view else ("", "", "")
        return f"{before}{observation}{after}" if found else observation

    def to_json(self) -> dict[str, JSON]:
        """The task as one flat JSON object; the fields of its key stand among the others."""
        return {
            **self.key.to_json(),
            "difficulty": self.difficulty,
            "prompt": self.prompt,
            "problem": self.problem,
            "fingerprint": self.fingerprint,
            "tools": list(self.tools),
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
        )


@dataclass(frozen=True, slots=True)
class Fault:
    """Why something could not be judged: a code for machines, a reason for people."""

    code: str
    reason: str

    def to_json(self) -> dict[str, JSON]:
        """``{"code": ..., "reason": ...}``."""
        return {"code": self.code, "reason": self.reason}


CHECKER_FAILED: Final = "checker_failed_on_answer"
"""The reason of a verdict on an answer that makes a user's checker fail, which works on the right output."""
BROKEN_SHARE: Final = 0.01
"""A checker that fails on a larger share of answers is reported as broken."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """How good an answer is, or why that could not be said.

    Attributes:
        score: In [0, 1]; None when ``status`` is ``error``.
        status: ``graded``; ``no_answer`` (nothing gradable: score 0 and a ``reason``); ``error`` (we could not judge).
        solved: Whether the problem is solved; None when ``status`` is ``error``.
        components: Named parts of the judgement, such as ``format``.
        payoff: What a game pays, in any range.
        answer: The answer as it was extracted, for logs and people.
        feedback: What the policy may be told; never holds the solution.
        reason: Why there is no answer: ``empty``, ``ambiguous``, ``unreadable``, ``too_long``, ``turn_limit``,
            ``checker_failed_on_answer`` (:data:`CHECKER_FAILED`).
        error: What went wrong on our side, when ``status`` is ``error``.
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
        return cls(score=1.0 if solved else 0.0, solved=solved, feedback=feedback)

    @classmethod
    def no_answer(cls, reason: str, feedback: str) -> Verdict:
        """There is nothing to grade: score 0.0, not solved."""
        return cls(score=0.0, status="no_answer", solved=False, feedback=feedback, reason=reason)

    @classmethod
    def failed(cls, code: str, reason: str) -> Verdict:
        """We could not judge: no score at all. Never for a failure that the answer itself causes."""
        return cls(score=None, status="error", error=Fault(code, reason))

    def noting(self, answer: str | None, **components: float) -> Verdict:
        """This verdict with the extracted answer and more components."""
        return Verdict(
            self.score,
            self.status,
            self.solved,
            {**self.components, **components},
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
    """What one action led to.

    Attributes:
        state: The environment's state after it; never changed in place.
        observation: What the policy sees.
        verdict: The judgement; present exactly when the episode has ended.
        terminated: The episode ended by its own rules.
        truncated: The episode was cut: out of turns, or an ``error``.
        info: More for the trainer; holds nothing a policy should not see. ``rejected`` stands there, with the reason, where
            the action was not taken: it could not be read, or was no legal move.
    """

    state: Any
    observation: str
    verdict: Verdict | None = None
    terminated: bool = False
    truncated: bool = False
    info: dict[str, JSON] = field(default_factory=dict)

    @classmethod
    def end(cls, state: Any, verdict: Verdict, observation: str | None = None) -> Turn:
        """The last turn of an episode; the observation is the verdict's feedback unless another is given.

        An ``error`` cuts the episode; every other verdict ends it by its rules.
        """
        failed = verdict.error is not None
        if observation is None:
            observation = verdict.feedback or (OUR_FAILURE if failed else "")
        return cls(state, observation, verdict, terminated=not failed, truncated=failed)


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
    """One line of the registry.

    Attributes:
        id: Name and version, ``sudoku-v0``.
        entry: Where the class is, ``module:Class``.
        category: ``rule_based``, ``logic``, ``games`` ...
        extras: Extras of envhub that it needs.
        covers: Systems of the survey that have this task.
        params: Parameters that differ from the class's own.
        source: ``envhub``, ``registered``, or the distribution that brought it.
    """

    id: str
    entry: str
    category: str = "other"
    extras: tuple[str, ...] = ()
    covers: tuple[str, ...] = ()
    params: Mapping[str, JSON] = field(default_factory=dict)
    source: str = "envhub"

    @property
    def name(self) -> str:
        """The id without its version."""
        return self.id.rpartition("-v")[0]

    @property
    def version(self) -> int:
        """The number after ``-v``."""
        return int(self.id.rpartition("-v")[2])
