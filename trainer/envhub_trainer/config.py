"""A run as a TOML file with typed, described settings.

::

    config = load("addition", ["optimizer.learning_rate=3e-4"])       # a recipe, or the path of a TOML file

Precedence: ``--set``, then the file, then the defaults below. An unknown setting is an error that suggests the closest name.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from itertools import takewhile
from pathlib import Path
from typing import Any, Final, Literal

from pydantic import ConfigDict, Field, ValidationError

from envhub_trainer.section import Section
from envhub_trainer.techniques import DemonstrationsConfig, LeagueConfig, ReplayConfig, SelectionConfig, StageConfig

RECIPES: Final = Path(__file__).parent / "recipes"
"""Folder of the bundled TOML files; each is found by its name."""
HUB: Final = "hub:"
"""Prefix of a model on the Hugging Face hub; any other model is a folder."""


class ConfigError(ValueError):
    """The configuration is invalid."""


class RunConfig(Section):
    """General settings of the run."""

    folder: Path = Field(Path("runs/run"), description="folder of the log, checkpoints and report")
    steps: int = Field(100, ge=1, description="number of training steps")
    seed: int = Field(0, ge=0, lt=2**63, description="seed of all randomness")
    save_every: int = Field(50, ge=1, description="steps between checkpoints")
    keep: int = Field(2, ge=1, description="number of most recent checkpoints to keep")
    max_skipped: int = Field(20, ge=0, description="stop after so many steps in a row without an update; 0 never")
    threads: int = Field(0, ge=0, description="CPU threads of torch; 0 keeps torch's default")


class ModelConfig(Section):
    """The model to train."""

    path: str = Field(description="folder of a Hugging Face model, or hub:OWNER/NAME to download one")
    device: str = Field("auto", description="cpu, cuda or cuda:1; auto uses a GPU if available")
    dtype: Literal["float32", "bfloat16"] = Field(
        "float32", description="data type of the weights; bfloat16 weights have float32 copies in the optimiser"
    )
    gradient_checkpointing: bool = Field(False, description="save memory at the cost of time")
    attention: Literal["sdpa", "eager"] = Field("sdpa", description="attention implementation")


class ChatConfig(Section):
    """How the model's chat template is used."""

    template_kwargs: dict[str, Any] = Field(
        {}, description="arguments of the template (chat_template_kwargs), such as enable_thinking = false"
    )
    tool_role: Literal["user", "tool"] = Field("user", description="role of the results of a task's tools")


PLAIN: Final = ChatConfig()
"""The template without further arguments."""


class LoraConfig(Section):
    """Low-rank adapters instead of training all weights."""

    rank: int = Field(16, ge=1, description="rank of the update of each layer")
    alpha: float = Field(32.0, gt=0, description="scale of the update, times rank")
    targets: tuple[str, ...] | None = Field(
        None, description="names of adapted layers, such as q_proj; by default all linear ones but the head"
    )
    sync: Literal["adapter", "merged"] | None = Field(
        None, description="what the sampler receives; by default adapters, merged weights for vllm"
    )


class PolicyConfig(Section):
    """The sampler."""

    kind: Literal["hf", "vllm"] = Field("hf", description="transformers in this process, or vLLM's server")
    slots: int = Field(512, ge=1, description="hf: number of episodes whose keys and values are cached")
    url: str | None = Field(None, description="vllm: address of a running server; by default one is started")
    python: str | None = Field(None, description="vllm: Python interpreter with vLLM; by default this one")
    options: tuple[str, ...] = Field((), description="vllm: extra options for the started server")
    environment: dict[str, str] = Field({}, description="vllm: environment variables of the started server")
    in_flight: Literal["wait", "keep"] = Field(
        "wait", description="vllm: a sync waits for requests in flight, or they continue with the new weights"
    )
    tolerance: float | None = Field(
        None,
        gt=0,
        description="allowed sampler-trainer difference in nats; by default 1e-4 in float32, 0.2 in bfloat16",
    )
    probe_every: int = Field(1, ge=1, description="number of syncs between two such checks")


class TasksConfig(Section):
    """The tasks to train on."""

    environments: dict[str, Any] = Field(description="weight, or settings with a weight, by environment id")
    hub: str | None = Field(None, description="address of a hub; by default episodes run in this process")
    websocket: bool = Field(True, description="use the hub's WebSocket, if available, instead of HTTP")
    difficulty: int | tuple[int, int] | None = Field(3, description="level from 1 to 10, or a range")
    curriculum: dict[str, Any] | None = Field(
        None, description="arguments of envhub.Curriculum, instead of a difficulty"
    )
    split: str = Field("train", description="train, validation or test")
    pool: int = Field(0, ge=0, description="train on so many tasks, drawn again and again; 0 draws a new one each time")
    answer_format: str | None = Field(None, description="tag, boxed or last")
    wording: int | str | None = Field(
        None, description="held-out, or the number of one wording; by default each task has its own"
    )
    observation: Literal["text", "both", "image", "marks"] = Field(
        "text", description="pictures need a model that sees, and an environment that has them"
    )
    system: str | None = Field(None, description="system message of every conversation")
    reward: dict[str, float] | None = Field(
        None, description="weights of verdict components; by default accuracy alone; self-play uses payoffs"
    )


class RewardConfig(Section):
    """A ``[[reward]]`` entry; every other key is an argument of the reward."""

    model_config = ConfigDict(extra="allow", frozen=True)

    name: str = Field(description="see envhub_trainer.rewards")
    weight: float = Field(1.0, allow_inf_nan=False, description="factor in the sum of all entries")
    gate: float | None = Field(None, description="pay it only if the verdict's score is at least this")
    each: Literal["episode", "turn"] = Field(
        "episode", description="apply a reward of one sample to the whole or to turns"
    )

    @property
    def arguments(self) -> dict[str, Any]:
        """The arguments of the reward."""
        return dict(self.model_extra or {})


class RolloutConfig(Section):
    """How episodes are sampled."""

    groups: int = Field(32, ge=1, description="tasks per step")
    size: int = Field(16, ge=1, description="episodes per task")
    max_tokens: int = Field(512, ge=1, description="maximum number of tokens per action")
    context: int = Field(2048, ge=2, description="maximum number of tokens per row")
    temperature: float = Field(1.0, gt=0, description="sampling temperature")
    turn_seed: Literal["shared", "varied"] = Field("shared", description="whether a group shares its turn seed")
    staleness: int = Field(0, ge=0, description="versions by which sampling may run ahead; 0 is synchronous")
    refills: int = Field(
        128, ge=0, description="maximum number of uninformative groups replaced per step, if the algorithm refills"
    )
    permute_rewards: bool = Field(False, description="control experiment: shuffle rewards between episodes")


class AlgorithmConfig(Section):
    """A row of envhub_trainer.algorithms and its overrides."""

    model_config = ConfigDict(extra="allow", frozen=True)

    name: str = Field("grpo", description="see envhub_trainer.algorithms.ALGORITHMS; or module:NAME, a row of your own")

    @property
    def overrides(self) -> dict[str, Any]:
        """All settings except the name."""
        return dict(self.model_extra or {})


class OptimizerConfig(Section):
    """Settings of the optimiser (AdamW)."""

    kind: Literal["adamw", "adamw8bit"] = Field("adamw", description="adamw8bit has 8-bit states (bitsandbytes)")
    learning_rate: float = Field(1e-6, gt=0)
    betas: tuple[float, float] = (0.9, 0.99)
    weight_decay: float = Field(0.0, ge=0)
    clip_norm: float = Field(1.0, ge=0, description="maximum gradient norm; 0 does not clip")
    warmup: int = Field(0, ge=0, description="steps of linear warm-up")
    schedule: Literal["constant", "linear", "cosine"] = "constant"
    minibatches: int = Field(1, ge=1, description="optimiser steps per batch")
    epochs: int = Field(1, ge=1, description="passes over a batch")
    reference_reset: int = Field(
        0, ge=0, description="steps between resets of the reference model to the policy and of the optimiser; 0 never"
    )
    micro_tokens: int = Field(16_384, ge=1, description="padded tokens per forward pass")
    pack: bool = Field(False, description="pack several short rows into one, so that less padding is computed")
    head_chunk: int = Field(4096, ge=1, description="positions per pass through the language-model head")
    bf16: bool = Field(False, description="bfloat16 autocast")
    recompute_old: bool = Field(False, description="let the trainer recompute the log-probabilities before the update")


class EvaluateConfig(Section):
    """Evaluation on held-out tasks."""

    every: int = Field(0, ge=0, description="steps between evaluations; 0 disables them")
    environments: dict[str, Any] | None = Field(
        None,
        description="replaces tasks.environments; for self-play, the same games against a fixed opponent",
    )
    episodes: int = Field(256, ge=1, description="number of tasks")
    k: int = Field(1, ge=1, description="sampled attempts at each task, for pass@k and avg@k")
    split: str = Field("test", description="validation or test")
    difficulty: tuple[int, int] | None = Field(
        None, description="range of levels; by default that of the tasks, or all of their curriculum"
    )
    seed: int = Field(1_000_000, ge=0, description="seed of the tasks")
    greedy: bool = Field(True, description="evaluate greedy as well as sampled actions")


class TrackConfig(Section):
    """Loggers. JSON lines are always written."""

    tensorboard: bool = False
    trackio: str | None = Field(None, description="trackio project name")
    wandb: str | None = Field(None, description="Weights & Biases project name; WANDB_MODE=offline needs no account")
    live: bool | None = Field(None, description="live view of the run; by default if standard output is a terminal")
    samples: int = Field(4, ge=0, description="episodes per step kept for the report")


class TinyConfig(Section):
    """A new Llama (with ``pixels`` a Qwen2-VL), built before the warm start."""

    digits: Literal["single", "whole"] = Field("single", description="one token per digit, or per number")
    width: int = Field(96, ge=8)
    layers: int = Field(3, ge=1)
    heads: int = Field(4, ge=1)
    vocabulary: int = Field(384, ge=259)
    pixels: int = Field(0, ge=0, description="side of the square to whose area a picture is scaled; 0: sees none")
    patch: int = Field(14, ge=2, description="side of a patch in pixels; each patch is a token")
    vision_layers: int = Field(1, ge=1, description="layers of the part that sees")


class WarmStartConfig(Section):
    """Supervised learning before reinforcement, on demonstrations or chats."""

    base: str | None = Field(
        None, description="initial model if there is no [tiny] section: a folder or hub:OWNER/NAME"
    )
    data: Path | None = Field(None, description="JSON lines of chats to learn from, instead of demonstrations")
    demonstrator: str = Field("oracle", description="oracle, greedy, random, mixed:SHARE or slips:SHARE")
    steps: int = Field(500, ge=1, description="maximum number of steps")
    batch: int = Field(128, ge=1, description="demonstrations or rows of chats per step")
    learning_rate: float = Field(2e-3, gt=0)
    warmup: int = Field(50, ge=0)
    weight_decay: float = Field(0.01, ge=0)
    stop: float | None = Field(None, gt=0, le=1, description="stop at this share of solved training tasks, sampled")
    every: int = Field(10, ge=1, description="steps between two measurements of it")
    episodes: int = Field(512, ge=0, description="episodes per measurement; 0 never measures")
    save_every: int = Field(50, ge=1, description="steps between checkpoints, from which a warm start is resumed")


class Config(Section):
    """All settings of a run."""

    run: RunConfig = RunConfig()
    model: ModelConfig
    chat: ChatConfig = ChatConfig()
    lora: LoraConfig | None = None
    policy: PolicyConfig = PolicyConfig()
    tasks: TasksConfig
    reward: tuple[RewardConfig, ...] = ()
    selection: SelectionConfig = SelectionConfig()
    demonstrations: DemonstrationsConfig = DemonstrationsConfig()
    replay: ReplayConfig = ReplayConfig()
    league: LeagueConfig = LeagueConfig()
    rollout: RolloutConfig = RolloutConfig()
    stage: tuple[StageConfig, ...] = ()
    algorithm: AlgorithmConfig = AlgorithmConfig()
    optimizer: OptimizerConfig = OptimizerConfig()
    evaluate: EvaluateConfig = EvaluateConfig()
    track: TrackConfig = TrackConfig()
    tiny: TinyConfig | None = None
    warmstart: WarmStartConfig = WarmStartConfig()

    @property
    def low_precision(self) -> bool:
        """Whether the update computes in bfloat16."""
        return self.optimizer.bf16 or self.model.dtype == "bfloat16"


def load(path: Path | str, changes: Sequence[str] = ()) -> Config:
    """Read a run's file.

    Args:
        path: A TOML file, or the name of a recipe; a file of that name takes precedence.
        changes: ``section.name=value`` with TOML values; a bare word is a string.

    Raises:
        ConfigError: The file cannot be read, or a setting is unknown or invalid.
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
    """Descriptions of the recipes by name."""
    return {path.stem: _first_comment(path) for path in sorted(RECIPES.glob("*.toml"))}


def _first_comment(path: Path) -> str:
    """The first sentence or clause of a recipe's opening comment."""
    lines = takewhile(lambda line: line.startswith("#"), path.read_text("utf-8").splitlines())
    return re.split(r"[.:](?: |$)", " ".join(line.removeprefix("#").strip() for line in lines))[0]


def found(path: Path | str) -> Path:
    """The path itself, or the recipe of that name; ConfigError without either."""
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
    """Build a configuration from plain values; ConfigError names each wrong setting."""
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
    """Split a dotted name; a quoted part may contain dots."""
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
