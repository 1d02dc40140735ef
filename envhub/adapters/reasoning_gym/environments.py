"""reasoning-gym datasets as environments, with envhub's seeds, answer formats and workers.

::

    from envhub.adapters.reasoning_gym.environments import register
    register("chain_sum")                          # or register_all()
    env = envhub.make("reasoning-gym/chain_sum-v0", difficulty=4, split="test")

The extra ``reasoning-gym`` (Apache-2.0) installs about 340 MB of packages, so it is optional and nothing is registered
by default; this module requires it. Differences from using the library directly:

* **Seeds.** Item ``i`` of its seed ``s`` is item ``i + 1`` of its seed ``s - 1``. Here every attempt is a dataset of one item
  whose seed is drawn from the attempt's own stream, so neighbouring seeds share nothing, and splits are by the
  question's text. A task depends on the library's release, which is one of its parameters; other releases reject it.
* **Answers** are read as everywhere in envhub, whatever the question says about tags; conflicting final answers count
  as no answer.
* **Scoring** is all or nothing: solved means a score of at least 0.99 from the dataset's own scorer, and also the
  stored answer if that scorer is known to accept wrong ones. The score itself is the component ``partial``. Scorers run
  confined, in worker processes with a time limit; see :mod:`envhub.adapters.reasoning_gym.scoring`.
* **Difficulty** 1..10 is spread over the levels of the dataset's curriculum, if it has one.

``docs/audit_peers.md`` has measurements of the datasets. The share of tasks that one constant answer solves is not
bounded here. Drawing runs in the calling process; a dataset that searches for long cannot be interrupted.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar, Final, Self

from pydantic import Field, field_validator

from envhub.adapters.reasoning_gym import scoring
from envhub.authoring import BaseParams, Grading, SingleTurn
from envhub.core.errors import InvalidParameters, nearest
from envhub.core.seeding import Stream
from envhub.core.types import JSON, EnvSpec, Instance
from envhub.registry import registry
from envhub.verifiers.answers.types import AnswerType, Reading
from envhub.verifiers.answers.unwrapping import undecorated
from envhub.workers.grader import Grader, judged_by
from envhub.workers.pool import Pool

__all__ = ["Dataset", "FreeText", "register", "register_all"]

EXTRA: Final = "reasoning-gym"
POOL: Final = Pool(workers=2, deadline_s=10.0, max_memory_mb=2048)
"""Separate workers: they load the library, which takes seconds, and start with the first answer."""


@dataclass(frozen=True)
class FreeText(AnswerType):
    """Any text.

    Its value is the text and, if different, the text without decoration.
    """

    several_lines: bool = False
    noun: ClassVar[str] = "the answer alone"
    example: ClassVar[str] = "this is the answer"

    def parse(self, text: str) -> tuple[str, ...]:
        """The text."""
        return (text,)

    def same(self, one: Any, other: Any) -> bool:
        """Whether two texts are equal apart from decoration."""
        return bool(one[-1] == other[-1])

    def tail(self, text: str) -> str:
        """The last line; for multi-line answers, the last paragraph."""
        if not self.several_lines:
            return super().tail(text)
        lines = text.rstrip().splitlines()
        blank = max((place for place, line in enumerate(lines) if not line.strip()), default=-1)
        return "\n".join(lines[blank + 1 :])

    def wrap(self, text: str) -> str:
        """The text, on separate lines if it has several."""
        return super().wrap(f"\n{text}\n" if self.several_lines and self.form == "tag" else text)

    def random(self, rng: Stream) -> str:
        """A random number or some random letters."""
        if rng.below(2):
            return str(rng.below(100))
        return "".join(rng.choice("abcdefghijklmnopqrstuvwxyz") for _ in range(rng.between(1, 8)))

    def _parse_span(self, span: str) -> Reading:
        """Text with and without decoration.

        Some stored answers end in a full stop or are quoted, and some are only decoration.
        """
        reading = super()._parse_span(span)
        if reading.reason is None:
            reading.value = tuple(dict.fromkeys((span.strip(), undecorated(span) or span.strip())))
        return reading


class Params(BaseParams):
    """The parameters of a dataset.

    Attributes:
        levels: Levels of its curriculum.
    """

    levels: ClassVar[tuple[int, ...]] = ()
    level: int | None = Field(None, description="level of its curriculum; none means its default configuration")
    release: str = Field(
        default_factory=scoring.release, description="of reasoning-gym, which must be the installed one"
    )

    @classmethod
    def at(cls, difficulty: int) -> Self:
        """The curriculum level at this position."""
        if not cls.levels:
            return cls()
        return cls(level=cls.levels[(2 * (difficulty - 1) * (len(cls.levels) - 1) + 9) // 18])

    @field_validator("level")
    @classmethod
    def _is_level(cls, level: int | None) -> int | None:
        if level is not None and level not in cls.levels:
            raise ValueError(f"the levels are {', '.join(map(str, cls.levels)) or 'none'}")
        return level

    @field_validator("release")
    @classmethod
    def _is_installed(cls, release: str) -> str:
        if release != scoring.release():
            raise ValueError(f"reasoning-gym {scoring.release()} is installed and may draw other items")
        return release


class Dataset(SingleTurn):
    """One of its datasets; :attr:`name` says which."""

    name: ClassVar[str]
    category = "reasoning_gym"
    components = frozenset({"format", "partial"})
    guessable = (1.0, "The questions are reasoning-gym's; docs/audit_peers.md has the shares of constant answers.")
    resources: ClassVar = {"scorer": Grader(f"{scoring.__name__}:judge", pool=POOL)}

    def sample(self, rng: Stream, p: Params) -> Instance | None:
        """One item with its own seed.

        None if its own scorer rejects the parsed answer.
        """
        seed = rng.bits(scoring.seed_bits(self.name))
        item = scoring.item(self.name, p.level, seed)
        if not isinstance(item.entry["answer"], str):
            return None
        reading = self.answer.read(self.answer.wrap(item.answer))
        if reading.reason is not None or max(map(item.score, reading.value)) < scoring.FULL:
            return None
        key = {"answer": item.answer, "level": p.level, "item": scoring.packed(item.entry)}
        return Instance({"question": item.entry["question"]}, key)

    def prompt(self, problem: JSON) -> str:
        """The item's question."""
        return str(problem["question"])

    def grade(self, inst: Instance, value: Any) -> Grading:
        """Grade the answer in a worker."""
        which = {"dataset": self.name, "level": inst.key["level"], "item": inst.key["item"]}
        return judged_by("scorer", {**which, "texts": list(value)})

    def solve(self, inst: Instance) -> str:
        """The stored answer."""
        return str(inst.key["answer"])


def register(name: str) -> EnvSpec:
    """Register a dataset in this process as ``reasoning-gym/NAME-v0``; repeating is harmless.

    Args:
        name: Dataset name, ``chain_sum``.

    Raises:
        InvalidParameters: The dataset does not exist, or its reward cannot be trusted; the message says why.
    """
    known = scoring.names()
    if name not in known:
        raise InvalidParameters(f"reasoning-gym has no dataset {name!r}.{nearest(name, known)}")
    reason = scoring.refusal(name)
    if reason is not None:
        raise InvalidParameters(f"{name!r} of reasoning-gym makes no environment: {reason}.")
    id = f"reasoning-gym/{name}-v0"
    there = next((spec for spec in registry.registered() if spec.id == id), None)
    return there or registry.register(
        id, f"{__name__}:{name}", category=Dataset.category, extras=(EXTRA,), source=EXTRA
    )


def register_all() -> list[EnvSpec]:
    """:func:`register` every supported dataset."""
    return [register(name) for name in scoring.names() if scoring.refusal(name) is None]


def __getattr__(name: str) -> type[Dataset]:
    """The class of a dataset, importable by name in other processes."""
    if name.startswith("_") or name not in scoring.names():
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return _class(name)


@cache
def _class(dataset: str) -> type[Dataset]:
    class Settings(Params):
        levels = scoring.levels(dataset)

    class Named(Dataset):
        __doc__ = f"The dataset {dataset} of reasoning-gym."
        name = dataset
        Params = Settings
        answer = FreeText(several_lines="\n" in scoring.item(dataset, None, 0).answer.strip())

    Named.__name__ = Named.__qualname__ = dataset
    return Named
