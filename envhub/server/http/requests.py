"""Pydantic models of the requests of the ``/v1`` API.

An unknown field is an error that suggests the closest known one. Answers are described in docs/api.md.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, Self

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    StringConstraints,
    WithJsonSchema,
    model_validator,
)

from envhub.authoring.observation import OBSERVATIONS
from envhub.authoring.wording import WORDINGS
from envhub.core.errors import nearest
from envhub.core.seeding import MAX_SEED, SPLITS
from envhub.core.tools import FORMATS as TOOL_FORMATS
from envhub.verifiers.answers.extraction import FORMS

MAX_NESTING = 32


def shallow(value: Any) -> Any:
    """Check that a value is not nested too deeply to be processed.

    Raises:
        ValueError: It is nested too deeply.
    """
    level = [value]
    for _ in range(MAX_NESTING):
        level = [
            inner
            for outer in level
            if isinstance(outer, (dict, list))
            for inner in (outer.values() if isinstance(outer, dict) else outer)
        ]
        if not level:
            return value
    raise ValueError(f"nested more than {MAX_NESTING} levels deep")


AnyObject = Annotated[dict[str, Any], AfterValidator(shallow)]
EpisodeId = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9._-]{1,128}$")]
Seed = Annotated[int, Field(ge=0, le=MAX_SEED)]
_LEVEL = {"type": "integer", "minimum": 1, "maximum": 10}
_LEVELS = {"type": "array", "items": _LEVEL, "minItems": 2, "maxItems": 2}
# checked where they are used, so that the wording is the same as in Python
Difficulty = Annotated[Any, AfterValidator(shallow), WithJsonSchema({"anyOf": [_LEVEL, _LEVELS, {"type": "null"}]})]
Form = Annotated[str, WithJsonSchema({"type": "string", "enum": list(FORMS)})]
ToolFormat = Annotated[str, WithJsonSchema({"type": "string", "enum": list(TOOL_FORMATS)})]
WordingNumber = Annotated[
    Any, WithJsonSchema({"anyOf": [{"type": "integer", "minimum": 0, "maximum": WORDINGS - 1}, {"const": "held-out"}]})
]
Observation = Annotated[str, WithJsonSchema({"type": "string", "enum": list(OBSERVATIONS)})]
_IMAGES: Final = "whether the answer holds the pictures of its observation, as base64 of PNG files"
WordingText = Annotated[str, StringConstraints(pattern=r"^(held-out|[0-9]{1,4})$")]
Split = Annotated[str, WithJsonSchema({"type": "string", "enum": list(SPLITS)})]


_NULL = {"type": "null"}
_WITH_A_TASK: dict[str, Any] = {
    "required": ["task"],
    "properties": {"task": {"type": "object"}, "gold": _NULL, "kind": _NULL, "options": _NULL},
}
_WITH_A_GOLD_ANSWER: dict[str, Any] = {
    "required": ["gold"],
    "properties": {
        "gold": {"type": "string"},
        "task": _NULL,
        "fingerprint": _NULL,
        "responses": {"items": {"type": "string"}},
    },
}


class Wire(BaseModel):
    """Base of all requests."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    @model_validator(mode="before")
    @classmethod
    def _name_the_nearest(cls, data: Any) -> Any:
        if isinstance(data, dict):
            for name in data:
                if name not in cls.model_fields:
                    known = ", ".join(cls.model_fields)
                    raise ValueError(
                        f"no field {str(name)[:60]!r}; there are {known}.{nearest(name, cls.model_fields)}"
                    )
        return data


class EpisodeOptions(Wire):
    """How an episode is worded and rewarded."""

    answer_format: Form | None = Field(None, description="the form the prompt asks for")
    tool_format: ToolFormat | None = Field(
        None, description="for an environment with tools: the one format in which calls are read; null for all"
    )
    wording: WordingNumber | None = Field(
        None, description="a wording's number, or held-out; null: each task has its own"
    )
    observation: Observation | None = Field(
        None, description="text, both (text and a picture) or image (the text leaves out what the picture shows)"
    )
    system: str | None = Field(None, max_length=65_536, description="a system message that opens the conversation")
    reward: dict[str, float] | None = Field(
        None, description="weights by part of the verdict; accuracy alone by default"
    )


class CreateEpisode(Wire):
    """Begin an episode."""

    episode_id: EpisodeId | None = Field(None, description="chosen by the client, which makes the request repeatable")
    env_id: str = Field(description="such as sudoku-v0")
    difficulty: Difficulty = Field(3, description="1..10, or [low, high]; null starts from the parameters' defaults")
    split: Split = Field("train", description="train, validation or test")
    seed: Seed | None = Field(None, description="which task; null for a random one")
    params: AnyObject = Field(default_factory=dict, description="parameters set by name")
    options: EpisodeOptions = Field(default_factory=EpisodeOptions)
    turn_seed: Seed = Field(0, description="seed of per-turn randomness")
    images: bool = Field(False, description=_IMAGES)


class StepEpisode(Wire):
    """Take a turn."""

    turn: int = Field(ge=0, description="how many turns have been taken before this one")
    action: str = Field(description="what the policy wrote")
    images: bool = Field(False, description=_IMAGES)


class ForkEpisode(Wire):
    """Begin an episode with the past of another."""

    episode_id: EpisodeId | None = Field(None, description="of the new episode, chosen by the client")
    turn: int | None = Field(None, ge=0, description="how many turns to keep; null keeps all")
    turn_seed: Seed | None = Field(None, description="turn seed of later turns; null keeps it")
    images: bool = Field(False, description=_IMAGES)


class VerifyItem(Wire):
    """Responses to one task, or to the client's own question.

    Such a question comes with its gold answer.
    """

    model_config = ConfigDict(json_schema_extra={"oneOf": [_WITH_A_TASK, _WITH_A_GOLD_ANSWER]})

    task: AnyObject | None = Field(None, description="a task or its key; the problem is rebuilt from the key")
    gold: str | None = Field(None, description="instead of a task: the right answer")
    kind: str | None = Field(
        None, description="what the gold is; auto if not given; tests: a problem with tests, as JSON"
    )
    options: AnyObject | None = Field(None, description="of the kind")
    responses: list[str | list[str]] = Field(description="each a text, or the actions of a whole episode")
    answer_format: str | None = Field(
        None,
        description=f"which form is well formatted: {', '.join(FORMS)}, or with a gold answer auto for the form that each "
        "response uses; another is an error in the item's place",
    )
    fingerprint: str | None = Field(
        None,
        description="of the problem that was asked; where the task draws another, that is an error in the item's place",
    )

    @model_validator(mode="after")
    def _a_task_or_a_gold_answer(self) -> Self:
        if (self.task is None) == (self.gold is None):
            raise ValueError("an item has either a task or a gold answer")
        if self.gold is None and (self.kind is not None or self.options is not None):
            raise ValueError("kind and options belong to a gold answer; a task knows its own")
        if self.gold is not None and self.fingerprint is not None:
            raise ValueError("a fingerprint belongs to a task; a gold answer has none")
        if self.gold is not None and not all(isinstance(response, str) for response in self.responses):
            raise ValueError("a response to a question with a gold answer is one text")
        return self


class Verify(Wire):
    """Judge responses."""

    items: list[VerifyItem]
    reward: dict[str, float] | None = Field(None, description="weights by part of the verdict")


class DrawTasks(Wire):
    """Draw tasks."""

    env_id: str
    difficulty: Difficulty = Field(3, description="1..10, or [low, high]; null starts from the parameters' defaults")
    split: Split = "train"
    seeds: list[Seed] = Field(description="one task a seed")
    params: AnyObject = Field(default_factory=dict)
    answer_format: Form | None = None
    tool_format: ToolFormat | None = Field(
        None, description="for an environment with tools: the one format in which calls are read; null for all"
    )
    wording: WordingNumber | None = Field(
        None, description="a wording's number, or held-out; null: each task has its own"
    )
    observation: Observation | None = Field(None, description="text, both or image; the prompt depends on it")


class Batch(Wire):
    """Many operations at once."""

    items: list[Any] = Field(
        description="each an object with op (create, step, fork, get, delete, tasks, verify), episode_id and body, as the "
        "route of that name has them"
    )
