"""A run as a TOML file: every setting typed, described, and refused with the nearest name when it is not one.

::

    config = load("addition", ["optimizer.learning_rate=3e-4"])       # a recipe, or the path of a TOML file

Precedence: ``--set`` over the file over the defaults below.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from itertools import takewhile
from pathlib import Path
from typing import Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

RECIPES: Final = Path(__file__).parent / "recipes"
"""The TOML files that come with the trainer; each is found by its name."""
HUB: Final = "hub:"
"""Before the name of a model on the Hugging Face hub; any other model is a folder."""


class ConfigError(ValueError):
    """A configuration does not fit."""


class Section(BaseModel):
    """Base of the sections: frozen, unknown names refused."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    @model_validator(mode="before")
    @classmethod
    def _known(cls, data: Any) -> Any:
        if isinstance(data, Mapping) and cls.model_config.get("extra") == "forbid":
            for name in data:
                if name not in cls.model_fields:
                    near = get_close_matches(str(name), cls.model_fields, 1)
                    hint = f" Did you mean {near[0]!r}?" if near else f" There are {', '.join(cls.model_fields)}."
                    raise ValueError(f"There is no setting {name!r}.{hint}")
        return data


class RunConfig(Section):
    """The run as a whole."""

    folder: Path = Field(Path("runs/run"), description="where log, checkpoints and report go")
    steps: int = Field(100, ge=1, description="steps of training")
    seed: int = Field(0, ge=0, lt=2**63, description="of everything that is drawn")
    save_every: int = Field(50, ge=1, description="steps between checkpoints")
    keep: int = Field(2, ge=1, description="checkpoints to keep, the last ones")
    threads: int = Field(0, ge=0, description="threads of torch on the CPU; 0 leaves torch's own choice")


class ModelConfig(Section):
    """What is trained."""

    path: str = Field(description="folder of a Hugging Face model, or hub:OWNER/NAME to download one")
    device: str = Field("auto", description="cpu, cuda, cuda:1; auto takes a GPU if there is one")
    gradient_checkpointing: bool = Field(False, description="trade time for memory")
    attention: Literal["sdpa", "eager"] = Field("sdpa", description="implementation of attention")


class PolicyConfig(Section):
    """What samples."""

    kind: Literal["hf", "vllm"] = Field("hf", description="transformers in this process, or vLLM's server")
    slots: int = Field(512, ge=1, description="hf: episodes whose keys and values are held at once")
    url: str | None = Field(None, description="vllm: address of a server that runs; none starts one here")
    python: str | None = Field(None, description="vllm: the interpreter that has vLLM; none is this one")
    options: tuple[str, ...] = Field((), description="vllm: further options of the server started here")
    environment: dict[str, str] = Field({}, description="vllm: environment variables of the server started here")
    in_flight: Literal["wait", "keep"] = Field(
        "wait", description="vllm: a sync waits for completions under way, or they go on with the new weights"
    )
    tolerance: float | None = Field(
        None,
        gt=0,
        description="nats by which sampler and trainer may differ; by default 1e-4 in float32, 0.2 in bfloat16",
    )
    probe_every: int = Field(1, ge=1, description="syncs between two probes of that")


class TasksConfig(Section):
    """What is played."""

    environments: dict[str, Any] = Field(description="weights, or settings with a weight, by environment id")
    hub: str | None = Field(None, description="address of a hub; none plays in this process")
    websocket: bool = Field(True, description="play over the hub's WebSocket, where there is one, instead of HTTP")
    difficulty: int | tuple[int, int] | None = Field(3, description="1..10, or a range")
    curriculum: dict[str, Any] | None = Field(
        None, description="arguments of envhub.Curriculum, instead of a difficulty"
    )
    split: str = Field("train", description="train, validation or test")
    answer_format: str | None = Field(None, description="tag, boxed or last")
    system: str | None = Field(None, description="a system message that opens every conversation")
    reward: dict[str, float] | None = Field(
        None, description="weights by part of the verdict; accuracy alone by default; in self-play seats earn payoffs"
    )


class RolloutConfig(Section):
    """How it is played."""

    groups: int = Field(32, ge=1, description="tasks a step")
    size: int = Field(16, ge=1, description="episodes a task")
    max_tokens: int = Field(512, ge=1, description="tokens an action")
    context: int = Field(2048, ge=2, description="tokens a row")
    temperature: float = Field(1.0, gt=0, description="of sampling")
    turn_seed: Literal["shared", "varied"] = Field("shared", description="whether a group shares its turn seed")
    staleness: int = Field(0, ge=0, description="versions that sampling may run ahead; 0 is synchronous")
    refills: int = Field(
        128, ge=0, description="groups a step may replace because they teach nothing, where the algorithm refills"
    )
    permute_rewards: bool = Field(False, description="a control: hand the rewards to the wrong episodes")


class AlgorithmConfig(Section):
    """A row of envhub_trainer.algorithms and what to change in it."""

    model_config = ConfigDict(extra="allow", frozen=True)

    name: str = Field("grpo", description="see envhub_trainer.algorithms.ALGORITHMS")

    @property
    def overrides(self) -> dict[str, Any]:
        """Everything but the name."""
        return dict(self.model_extra or {})


class OptimizerConfig(Section):
    """How the weights follow the gradient (AdamW)."""

    learning_rate: float = Field(1e-6, gt=0)
    betas: tuple[float, float] = (0.9, 0.99)
    weight_decay: float = Field(0.0, ge=0)
    clip_norm: float = Field(1.0, ge=0, description="of the gradient; 0 does not clip")
    warmup: int = Field(0, ge=0, description="steps of linear warm-up")
    schedule: Literal["constant", "linear", "cosine"] = "constant"
    minibatches: int = Field(1, ge=1, description="steps of the optimiser a batch")
    epochs: int = Field(1, ge=1, description="passes over a batch")
    micro_tokens: int = Field(16_384, ge=1, description="padded tokens that go through the model at once")
    head_chunk: int = Field(4096, ge=1, description="positions that go through the language-model head at once")
    bf16: bool = Field(False, description="bfloat16 autocast; weights stay float32")
    recompute_old: bool = Field(
        False, description="log-probabilities before the update by the trainer, not the sampler"
    )


class EvaluateConfig(Section):
    """How the policy is measured on held-out tasks."""

    every: int = Field(0, ge=0, description="steps between two evaluations; 0 only where asked for")
    environments: dict[str, Any] | None = Field(
        None,
        description="what is played instead of tasks.environments: in self-play the same games against somebody else",
    )
    episodes: int = Field(256, ge=1, description="tasks, each played once")
    split: str = Field("test", description="validation or test")
    difficulty: tuple[int, int] | None = Field(
        None, description="a range; by default that of the tasks, or all levels of their curriculum"
    )
    seed: int = Field(1_000_000, ge=0, description="of the tasks")
    greedy: bool = Field(True, description="measure greedy play as well as sampled")


class TrackConfig(Section):
    """What watches. JSON lines are always written."""

    tensorboard: bool = False
    trackio: str | None = Field(None, description="name of a trackio project")
    live: bool | None = Field(None, description="a view of the run; by default where standard output is a terminal")
    samples: int = Field(4, ge=0, description="episodes a step that are kept for the report")


class TinyConfig(Section):
    """A Llama from scratch instead of model.path, made before the warm start."""

    digits: Literal["single", "whole"] = Field("single", description="a token for each digit, or for each number")
    width: int = Field(96, ge=8)
    layers: int = Field(3, ge=1)
    heads: int = Field(4, ge=1)
    vocabulary: int = Field(384, ge=259)


class WarmStartConfig(Section):
    """Supervised learning on demonstrations before reinforcement."""

    base: str | None = Field(
        None, description="without a section tiny: the model to begin with, a folder or hub:OWNER/NAME"
    )
    demonstrator: str = Field("oracle", description="oracle, greedy, random, mixed:SHARE or slips:SHARE")
    steps: int = Field(500, ge=1, description="at most so many steps")
    batch: int = Field(128, ge=1, description="demonstrations a step")
    learning_rate: float = Field(2e-3, gt=0)
    warmup: int = Field(50, ge=0)
    weight_decay: float = Field(0.01, ge=0)
    stop: float | None = Field(None, gt=0, le=1, description="stop at this share solved on train tasks, sampled")
    every: int = Field(10, ge=1, description="steps between two looks at that")
    episodes: int = Field(512, ge=1, description="episodes of such a look")


class Config(Section):
    """Everything."""

    run: RunConfig = RunConfig()
    model: ModelConfig
    policy: PolicyConfig = PolicyConfig()
    tasks: TasksConfig
    rollout: RolloutConfig = RolloutConfig()
    algorithm: AlgorithmConfig = AlgorithmConfig()
    optimizer: OptimizerConfig = OptimizerConfig()
    evaluate: EvaluateConfig = EvaluateConfig()
    track: TrackConfig = TrackConfig()
    tiny: TinyConfig | None = None
    warmstart: WarmStartConfig = WarmStartConfig()


def load(path: Path | str, changes: Sequence[str] = ()) -> Config:
    """Read a run's file.

    Args:
        path: A TOML file, or the name of a recipe; a file of that name comes first.
        changes: ``section.name=value`` with values as in TOML; a bare word is a string.

    Raises:
        ConfigError: The file cannot be read, or a setting is unknown or does not fit.
    """
    path = found(path)
    try:
        with open(path, "rb") as file:
            data = tomllib.load(file)
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}.") from None
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{path} is no TOML: {error}.") from None
    for change in changes:
        _change(data, change)
    return read(data)


def recipes() -> dict[str, str]:
    """What each recipe trains, by the recipe's name."""
    return {path.stem: _first_comment(path) for path in sorted(RECIPES.glob("*.toml"))}


def _first_comment(path: Path) -> str:
    """The first sentence or clause of the comment that a recipe begins with."""
    lines = takewhile(lambda line: line.startswith("#"), path.read_text("utf-8").splitlines())
    return re.split(r"[.:](?: |$)", " ".join(line.removeprefix("#").strip() for line in lines))[0]


def found(path: Path | str) -> Path:
    """The file of a run: the path itself, or the recipe of that name.

    Raises:
        ConfigError: A bare name that is neither a file nor a recipe.
    """
    file = Path(path)
    if file.is_file() or file.suffix or file.parent != Path():
        return file
    known = RECIPES / f"{file.name}.toml"
    if known.is_file():
        return known
    names = list(recipes())
    near = get_close_matches(file.name, names, 1)
    hint = f" Did you mean {near[0]!r}?" if near else f" The recipes are {', '.join(names)}."
    raise ConfigError(f"There is no recipe and no file {str(path)!r}.{hint}")


def read(data: Mapping[str, Any]) -> Config:
    """A configuration from plain values.

    Raises:
        ConfigError: A setting is unknown or does not fit; the message names each.
    """
    try:
        return Config.model_validate(data)
    except ValidationError as error:
        told = "; ".join(f"{'.'.join(map(str, each['loc'])) or 'run file'}: {each['msg']}" for each in error.errors())
        raise ConfigError(told.replace("Value error, ", "")) from None


def _change(data: dict[str, Any], change: str) -> None:
    name, given, value = change.partition("=")
    if not given or not name:
        raise ConfigError(f"A change is section.name=value, got {change!r}.")
    try:
        parsed = tomllib.loads(f"value = {value}")["value"]
    except tomllib.TOMLDecodeError:
        parsed = value  # a bare word
    *sections, last = _path(name)
    for section in sections:
        data = data.setdefault(section, {})
        if not isinstance(data, dict):
            raise ConfigError(f"{name}: {section} is a setting, not a section.")
    data[last] = parsed


def _path(name: str) -> list[str]:
    """The parts of a dotted name; a part in quotes may hold dots."""
    table: Any
    try:
        table = tomllib.loads(f"{name} = 0")
    except tomllib.TOMLDecodeError:
        raise ConfigError(f"{name!r} is no name of a setting, such as optimizer.learning_rate.") from None
    parts = []
    while isinstance(table, dict):
        part, table = next(iter(table.items()))
        parts.append(part)
    return parts
