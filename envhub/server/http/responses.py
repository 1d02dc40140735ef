"""Models of the answers.

Used to generate and to test the OpenAPI document. Answers are plain JSON and are not validated against these models at
run time. Fields that may be missing have a default. ::

    @router.get("/health", responses={200: {"model": Health}})
"""

from __future__ import annotations

from typing import Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field

from envhub.core.types import Status


def _missing() -> Any:
    """Default of a field that may be missing.

    This is not the same as null; never used as a value.
    """


_IMAGES: Final = "if the request asked for them: the pictures of this observation, as base64 of PNG files"


class Answer(BaseModel):
    """Base of all answers."""


class Problem(Answer):
    """An error, with the expected and the closest valid value (RFC 9457)."""

    type: str = Field(description="/problems/ and the code")
    title: str = Field(description="the code in words")
    status: int = Field(ge=400, le=599, description="the HTTP status")
    code: str = Field(pattern="^[A-Za-z]+$", description="for machines; it does not change")
    detail: str = Field(min_length=1, description="for people")


class TaskAnswer(Answer):
    """A task: its key and public content, without the answer key."""

    env_id: str
    params: dict[str, Any] = Field(description="every parameter of the environment")
    split: Literal["train", "validation", "test"]
    seed: int = Field(ge=0)
    draw: int | None = Field(description="which attempt of the seed was accepted")
    difficulty: int | None = Field(description="the level that chose the parameters; null when they were given by name")
    prompt: str
    problem: Any = Field(description="the structured problem behind the prompt")
    fingerprint: str = Field(description="identity of the content")
    tools: list[dict[str, Any]] = Field(description="function schemas as OpenAI has them")
    wording: int | str | None = Field(description="the number of the prompt's wording, or held-out")


class OpeningInfo(Answer):
    """Info of Gymnasium's reset."""

    difficulty: int | None
    split: Literal["train", "validation", "test"]


class Opening(Answer):
    """An episode that was begun or forked."""

    episode_id: str
    turn: int = Field(ge=0, description="how many turns it begins with; 0 unless it was forked")
    observation: str = Field(description="what the policy sees; the prompt in the beginning")
    info: OpeningInfo
    over: bool
    task: TaskAnswer
    max_action_chars: int
    max_observation_chars: int
    images: list[str] = Field(default_factory=_missing, description=_IMAGES)


class Fault(Answer):
    """Why something could not be judged."""

    code: str
    reason: str


class VerdictAnswer(Answer):
    """The judgement of an answer, or why it could not be judged."""

    score: float | None = Field(ge=0, le=1, description="null when status is error")
    status: Status
    solved: bool | None
    components: dict[str, float]
    payoff: float | None = Field(description="what a game pays")
    answer: str | None = Field(description="as it was extracted")
    feedback: str
    reason: str | None = Field(description="why there is no answer")
    error: Fault | None


class StepInfo(Answer):
    """Info of a turn; environments may add fields."""

    model_config = ConfigDict(extra="allow")

    verdict: VerdictAnswer = Field(default_factory=_missing, description="once the episode has ended")
    error: Fault = Field(default_factory=_missing, description="where it could not be judged")


class StepAnswer(Answer):
    """A turn: Gymnasium's five-tuple."""

    episode_id: str
    turn: int = Field(ge=1, description="how many turns have been taken")
    observation: str
    reward: float | None = Field(description="null where it could not be judged")
    terminated: bool
    truncated: bool
    info: StepInfo
    images: list[str] = Field(default_factory=_missing, description=_IMAGES)


class Whole(Answer):
    """Everything about an episode."""

    episode_id: str
    turn: int = Field(ge=0)
    over: bool
    task: TaskAnswer
    messages: list[dict[str, Any]] = Field(description="ready for a chat template")
    steps: list[StepAnswer]
    snapshot: dict[str, Any] = Field(description="from which envhub.restore goes on")


class Result(Answer):
    """The answer to one item of a batch."""

    status: int = Field(ge=200, le=599, description="that the item's route would have answered")
    body: Any = Field(description="that the item's route would have answered; null with 204")
    retry_after: int = Field(
        default_factory=_missing, ge=0, description="seconds after which the item should be sent again"
    )


class Results(Answer):
    """The answers to a batch, in the order of its items."""

    results: list[Result]


class Tasks(Answer):
    """One task per seed, in order."""

    tasks: list[TaskAnswer]


class JudgedVerdict(VerdictAnswer):
    """A verdict with its reward."""

    reward: float | None = Field(description="null where it could not be judged")


class ItemError(Answer):
    """Why an item could not be judged."""

    code: str
    detail: str


class JudgedItem(Answer):
    """Verdicts on the responses of one item, in order.

    Null beside an error.
    """

    verdicts: list[JudgedVerdict] | None
    error: ItemError = Field(default_factory=_missing)


class Judged(Answer):
    """Verdicts on every item, in order."""

    results: list[JudgedItem]


class Summary(Answer):
    """Summary of an environment."""

    id: str
    category: str
    source: str
    extras: list[str]
    description: str
    error: str | None = Field(description="why it cannot be used here")


class Summaries(Answer):
    """All environments."""

    environments: list[Summary]


class About(Answer):
    """Description of an environment, without its problems."""

    id: str
    category: str
    source: str
    extras: list[str]
    description: str
    covers: list[str]
    rules: str
    split_by: str
    max_turns: int
    max_action_chars: int
    max_observation_chars: int
    tools: list[dict[str, Any]]
    params: list[dict[str, Any]] = Field(description="name, default and JSON schema of every parameter")
    difficulties: dict[str, dict[str, Any]] = Field(description="the parameters of every level")


class Health(Answer):
    """The process is running."""

    status: Literal["ok"]
    version: str


class JournalState(Answer):
    """Whether the journal responds."""

    ok: bool
    reason: str | None


class Playable(Answer):
    """Environments that can be played, and why the others cannot."""

    usable: list[str]
    unusable: dict[str, str]


class Ready(Answer):
    """Whether episodes can be played.

    Details beyond the status may need a key.
    """

    status: Literal["ready", "not ready"]
    journal: JournalState = Field(default_factory=_missing)
    sandbox: dict[str, Any] | None = Field(
        default_factory=_missing,
        description="the broker that runs programs, its slots and sessions; only where there is one",
    )
    environments: Playable = Field(default_factory=_missing)
    episodes: int | None = Field(
        default_factory=_missing, description="how many the journal holds; null when it does not answer"
    )
