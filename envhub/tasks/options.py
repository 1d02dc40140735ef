"""Prompt and reward options of ``make``."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeVar

from envhub.authoring import Environment
from envhub.authoring.observation import check_name
from envhub.authoring.wording import read_wording
from envhub.core.errors import InvalidParameters, nearest
from envhub.core.types import Verdict
from envhub.rewards import Reward, WeightedReward

E = TypeVar("E", bound=Environment)


@dataclass(frozen=True, slots=True)
class Options:
    """Prompt and reward options of an episode.

    They never change the task's identity.

    Attributes:
        answer_format: ``tag``, ``boxed`` or ``last``; None for the environment's own.
        tool_format: For environments with tools: the only format of :data:`envhub.core.tools.FORMATS` that is accepted, or
            another format of actions that the environment has; None accepts all formats of tool calls.
        wording: ``"held-out"``, or the number of a training wording; None lets every task choose its own.
        observation: ``text``, ``both`` (text and a picture), ``image`` (the text leaves out what the picture shows), or
            ``marks`` (for screenshots: ``image`` with the ids of elements).
        system: A system message to open the conversation with.
        reward: From verdict to reward: weights by name, or any callable.
        on_error: What ``step`` does when an answer could not be judged: return NaN, or raise.
    """

    answer_format: str | None = None
    tool_format: str | None = None
    wording: int | str | None = None
    observation: str = "text"
    system: str | None = None
    reward: Callable[[Verdict], float] = field(default_factory=WeightedReward)
    on_error: Literal["nan", "raise"] = "nan"

    @property
    def form(self) -> str | None:
        """The answer format or tool format that the environment is made with."""
        return self.answer_format if self.tool_format is None else self.tool_format

    def environment(self, cls: type[E]) -> E:
        """An environment with these options of its prompts."""
        return cls(self.form, read_wording(self.wording), self.observation)

    def check(self, components: Iterable[str]) -> None:
        """Reject a reward that the environment's verdicts cannot provide.

        Raises:
            InvalidParameters: The reward weighs an unknown component, or needs more than a verdict.
        """
        if isinstance(self.reward, Reward):
            self.reward.check(components)

    @classmethod
    def read(cls, given: Mapping[str, Any]) -> Options:
        """Options from keyword arguments; ``reward`` may be a mapping of weights.

        Raises:
            InvalidParameters: An option is unknown or invalid.
        """
        for name in given:
            if name not in cls.__slots__:
                raise InvalidParameters(f"No option {name!r}.{nearest(name, cls.__slots__)}")
        values = {name: value for name, value in given.items() if value is not None}
        if isinstance(values.get("reward"), Mapping):
            values["reward"] = WeightedReward(dict(values["reward"]))
        options = cls(**values)
        if options.on_error not in ("nan", "raise"):
            raise InvalidParameters(f"on_error is 'nan' or 'raise', got {options.on_error!r}.")
        if not callable(options.reward):
            raise InvalidParameters(f"reward is a mapping of weights or a callable, got {options.reward!r}.")
        if options.tool_format is not None and options.answer_format not in (None, options.tool_format):
            raise InvalidParameters("Give answer_format or tool_format, not both.")
        read_wording(options.wording)
        check_name(options.observation)
        if options.system is not None and not isinstance(options.system, str):
            raise InvalidParameters(f"system is text, got {type(options.system).__name__}.")
        return options
