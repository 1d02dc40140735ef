"""Configuration of a dataset: rows, strata, and candidate seeds, before drawing.

A dataset has one stratum per environment and level; row ``i`` belongs to stratum ``i`` modulo their number, so every
environment and level has its share at any length, and a longer dataset begins with the shorter one. A stratum's
candidates are the tasks of its own endless sequence of seeds, which depends only on the dataset's seed: datasets of
different seeds share rows only by chance::

    config = DatasetConfig(("sudoku-v0", "countdown-v0"), {"train": 10_000, "test": 500}, levels=(1, 5), seed=0)
    config.stratum_of(7)                               # Stratum(env_id="countdown-v0", level=4)
    config.seed_of(stratum, "train", 0)                # the seed of its first candidate
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import Any, NamedTuple, Self

import envhub
from envhub.authoring import Environment
from envhub.core.difficulty import check_difficulty
from envhub.core.errors import InvalidParameters, nearest
from envhub.core.seeding import SPLITS, SeedHash, check_seed, check_split, seed_of
from envhub.core.types import encodable
from envhub.dataset.formats import FORMATS
from envhub.registry.registry import category, load, spec
from envhub.tasks.options import Options
from envhub.tasks.sampling import TaskSource
from envhub.tasks.sources import prepare


class Stratum(NamedTuple):
    """The part of a dataset with one environment and one level."""

    env_id: str
    level: int


@dataclass(frozen=True)
class DatasetConfig:
    """Everything that determines the bytes of a dataset.

    Attributes:
        environments: Environment ids.
        splits: Number of rows per split.
        levels: Lowest and highest difficulty; every level in between has its share.
        seed: Seed of the dataset.
        params: Parameters set by name, for a single environment.
        format: Row format: one of :data:`envhub.dataset.formats.FORMATS`.
        answer_format: ``tag``, ``boxed`` or ``last``; None for the environment's own.
        tool_format: The only format in which tool calls are requested and accepted; every environment must have tools.
        wording: ``"held-out"``, or the number of one wording for all prompts; None lets every task choose its own.
        observation: ``text``, ``both`` or ``image``; the last two add the column ``images``.
        system: A system message to open every prompt with.
        with_solutions: Whether rows contain the oracle's actions.
        allow_fewer: Whether a stratum may have too few problems.
        exclude: Digests of the excluded content (see :mod:`envhub.dataset.exclusion`).
        version: Version of envhub.

    Raises:
        InvalidParameters: A value is invalid.
        UnknownEnvironment: An environment does not exist.
    """

    environments: tuple[str, ...]
    splits: Mapping[str, int]
    levels: tuple[int, int] = (3, 3)
    seed: int = 0
    params: Mapping[str, Any] = field(default_factory=dict)
    format: str = "verl"
    answer_format: str | None = None
    tool_format: str | None = None
    wording: int | str | None = None
    observation: str = "text"
    system: str | None = None
    with_solutions: bool = False
    allow_fewer: bool = False
    exclude: str | None = None
    version: str = envhub.__version__

    def __post_init__(self) -> None:
        if not self.environments:
            raise InvalidParameters("A dataset needs at least one environment.")
        if len(set(self.environments)) != len(self.environments):
            raise InvalidParameters(f"An environment is named twice: {', '.join(self.environments)}.")
        if self.params and len(self.environments) > 1:
            raise InvalidParameters("Parameters by name are for one environment; write a dataset for each.")
        if not self.splits:
            raise InvalidParameters("A dataset needs at least one split.")
        for split, rows in self.splits.items():
            check_split(split)
            if type(rows) is not int or rows < 1:
                raise InvalidParameters(f"The rows of {split} are a positive integer, got {rows!r}.")
        object.__setattr__(self, "splits", {name: self.splits[name] for name in SPLITS if name in self.splits})
        object.__setattr__(self, "params", dict(sorted(self.params.items())))  # equal configurations have equal cards
        check_seed(self.seed)
        if not isinstance(self.levels, tuple):
            raise InvalidParameters(f"levels are the lowest and the highest, as a tuple; got {self.levels!r}.")
        check_difficulty(self.levels)
        if self.format not in FORMATS:
            known = ", ".join(FORMATS)
            raise InvalidParameters(f"No format {self.format!r}; there are {known}.{nearest(self.format, FORMATS)}")
        if self.observation != "text" and not FORMATS[self.format].pictured:
            known = " or ".join(name for name, layout in FORMATS.items() if layout.pictured)
            raise InvalidParameters(
                f"Rows of the format {self.format!r} have no pictures: `observation` must be 'text', got {self.observation!r}. "
                f"Use the format {known}."
            )
        Options.read({"system": self.system})
        if self.system is not None and encodable(self.system) != self.system:
            raise InvalidParameters("The system message holds what UTF-8 has no form for.")
        for stratum in self.strata:
            source = self.source(stratum, next(iter(self.splits)))  # report invalid values now
            if source.environment.split_by == "none" and len(self.splits) > 1:
                raise InvalidParameters(f"{stratum.env_id} has one problem for all splits: it can be in one only.")

    @cached_property
    def strata(self) -> list[Stratum]:
        """All strata; neighbours have different environments."""
        low, high = self.levels
        return [Stratum(id, level) for level in range(low, high + 1) for id in self.environments]

    def stratum_of(self, row: int) -> Stratum:
        """The stratum of a row."""
        return self.strata[row % len(self.strata)]

    def rows_of(self, stratum: Stratum, split: str) -> int:
        """Number of rows of a split in a stratum."""
        return (self.splits[split] - self.strata.index(stratum) - 1) // len(self.strata) + 1

    def seed_of(self, stratum: Stratum, split: str, position: int) -> int:
        """The seed of a stratum's candidate number ``position``."""
        return seed_of(SeedHash(["dataset", self.seed, stratum.env_id, stratum.level, split]), position)

    def source(self, stratum: Stratum, split: str) -> TaskSource:
        """The task source of a stratum's candidates."""
        options = {name: getattr(self, name) for name in ("answer_format", "tool_format", "wording", "observation")}
        return prepare(stratum.env_id, stratum.level, split, self.params, options)[0]

    @property
    def form(self) -> str | None:
        """The format that the prompts request, of answers or tool calls.

        The rows state it as ``answer_format``.
        """
        return self.answer_format if self.tool_format is None else self.tool_format

    def environment(self, env_id: str) -> type[Environment]:
        """The class of one of the environments."""
        return load(spec(env_id))

    def ability(self, env_id: str) -> str:
        """The category of one of the environments."""
        return category(spec(env_id))

    def to_json(self) -> dict[str, Any]:
        """The configuration as JSON values; equal configurations give equal values.

        The observation is among them only if it is not text.
        """
        fields = {**asdict(self), "environments": list(self.environments), "levels": list(self.levels)}
        return fields if self.observation != "text" else {k: v for k, v in fields.items() if k != "observation"}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Restore a configuration from :meth:`to_json`."""
        return cls(**{**data, "environments": tuple(data["environments"]), "levels": tuple(data["levels"])})
