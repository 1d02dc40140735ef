"""Runs TRL's GRPOTrainer with the settings of one of our runs.

Initial model, tasks, batches, rewards, loss and optimiser are the same. Arguments: output folder of the model, the run's
file, changes to it. Prints samples, CPU and wall-clock seconds of ``GRPOTrainer.train`` between its callbacks
``on_train_begin`` and ``on_train_end``, excluding imports and loading.

Single-turn tasks use TRL's standard path: it samples, and a reward function calls the environment. Multi-turn tasks use a
``rollout_func`` that works like TRL's own tool loop: all episodes in lock-step, with each turn's contexts sampled from
scratch by TRL's ``_generate_single_turn``.
"""

from __future__ import annotations

import json
import sys
import time
import warnings
from collections.abc import Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import torch
from datasets import Dataset
from transformers import PrinterCallback, TrainerCallback
from trl import GRPOConfig, GRPOTrainer

import envhub
from envhub.core.types import Task
from envhub.making import Judge
from envhub_trainer.algorithms import Algorithm
from envhub_trainer.algorithms.advantages import GroupRelative
from envhub_trainer.algorithms.ratios import token
from envhub_trainer.algorithms.shaping import SoftOverlong
from envhub_trainer.algorithms.surrogates import Clip
from envhub_trainer.algorithms.weights import token_mean
from envhub_trainer.config import Config, load
from envhub_trainer.episode import Row
from envhub_trainer.models import load_model, load_tokenizer
from envhub_trainer.render import Renderer
from envhub_trainer.setup import chosen, task_stream

Said = list[dict[str, str]]


class Stopwatch(TrainerCallback):
    """CPU and wall-clock seconds of the training, and the wall-clock seconds of each step of the optimiser."""

    def on_train_begin(self, *_: Any, **__: Any) -> None:
        self._began = time.perf_counter(), time.process_time()
        self._ended = self._began[0]
        self.seconds: list[float] = []

    def on_step_end(self, *_: Any, **__: Any) -> None:
        ended = time.perf_counter()
        self.seconds.append(ended - self._ended)
        self._ended = ended

    def on_train_end(self, *_: Any, **__: Any) -> None:
        wall, cpu = self._began
        self.spent = {"wall_s": time.perf_counter() - wall, "cpu_s": time.process_time() - cpu}


class Environments:
    """The episodes of TRL's batches, in the order of the tasks."""

    def __init__(self, config: Config, renderer: Renderer) -> None:
        self.config, self.renderer = config, renderer
        self.size = config.rollout.size
        stream = task_stream(config.tasks, config.tasks.split, config.run.seed)
        self.tasks: list[Task] = list(islice(stream, config.run.steps * config.rollout.groups))
        self.begun = 0

    def prompts(self) -> Dataset:
        return Dataset.from_list([{"prompt": opening(self.config, task)} for task in self.tasks])

    def check(self, trainer: GRPOTrainer) -> None:
        """Raise RuntimeError if TRL's prompt or end tokens differ from ours."""
        prompts = [opening(self.config, task) for task in self.tasks[: self.config.rollout.groups]]
        theirs, *_ = trainer._tokenize_prompts(prompts)
        if theirs != [self.renderer.opening(prompt) for prompt in prompts]:
            raise RuntimeError("TRL's prompts are other tokens than ours.")
        if set(trainer.eos_token_ids) != self.renderer.end_ids:
            raise RuntimeError(f"TRL ends an answer at {trainer.eos_token_ids}, we at {sorted(self.renderer.end_ids)}.")

    def episodes(self, prompts: Sequence[Said]) -> list[envhub.Env]:
        """Start an episode for each prompt of the next batch, ``size`` per task."""
        groups = len(prompts) // self.size
        tasks = self.tasks[self.begun : self.begun + groups]
        self.begun += groups
        if [opening(self.config, task) for task in tasks for _ in range(self.size)] != list(prompts):
            raise RuntimeError("TRL's prompts are not in the order of the tasks.")
        options = {name: told for name in ("answer_format", "reward") if (told := getattr(self.config.tasks, name))}
        firsts = [envhub.begin(task, **options) for task in tasks]
        return [first.fork(0) for first in firsts for _ in range(self.size)]

    def reward(self, prompts: Sequence[Said], completions: Sequence[Said], **_: Any) -> list[float]:
        """Return the reward of the only action of each episode."""
        episodes = self.episodes(prompts)
        return [env.step(said[-1]["content"])[1] for env, said in zip(episodes, completions, strict=True)]

    def rollout(self, prompts: Sequence[Said], trainer: GRPOTrainer) -> dict[str, Any]:
        """Play whole multi-turn episodes in lock-step."""
        envs = self.episodes(prompts)
        rows = [Row() for _ in envs]
        for row, said in zip(rows, prompts, strict=True):
            row.give(self.renderer.opening(said))
        starts = [len(row.ids) for row in rows]
        rewards = [0.0] * len(envs)
        playing = list(range(len(envs)))
        while playing:
            sampled, _ = trainer._generate_single_turn([rows[i].ids for i in playing], None, {}, self.size)
            going = []
            for i, ids in zip(playing, sampled, strict=True):
                row = rows[i]
                row.take(ids, [0.0] * len(ids), [0] * len(ids))
                told, reward, terminated, truncated, _ = envs[i].step(self.renderer.text(ids))
                rewards[i] += reward
                if not (terminated or truncated):
                    row.give(self.renderer.between(row.ids[-1], told))
                    going.append(i)
            playing = going
        cut = list(zip(rows, starts, strict=True))
        return {
            "prompt_ids": [row.ids[:start] for row, start in cut],
            "completion_ids": [row.ids[start:] for row, start in cut],
            "env_mask": [row.mask[start:] for row, start in cut],
            "logprobs": None,  # TRL recomputes them before the update
            "earned": rewards,
        }


def earned(earned: list[float], **_: Any) -> list[float]:
    """The rewards of episodes played by :meth:`Environments.rollout`."""
    return earned


def opening(config: Config, task: Task) -> Said:
    system = [{"role": "system", "content": config.tasks.system}] if config.tasks.system else []
    return [*system, {"role": "user", "content": task.prompt}]


def arguments(config: Config, folder: str) -> GRPOConfig:
    """Convert our settings to TRL's.

    Raises:
        ValueError: The run has a setting that cannot be converted.
    """
    settings, rollout = config.optimizer, config.rollout
    if settings.schedule != "constant" or rollout.staleness or rollout.turn_seed != "shared":
        raise ValueError("Only synchronous runs at a constant rate with shared chance are carried over to TRL.")
    low, high = clip(chosen(config))
    vllm = {"use_vllm": True, "vllm_mode": "colocate", "vllm_max_model_length": rollout.context}
    return GRPOConfig(
        output_dir=folder,
        seed=config.run.seed,
        max_steps=config.run.steps * steps_per_batch(config),
        per_device_train_batch_size=rollout.groups * rollout.size // settings.minibatches,
        steps_per_generation=settings.minibatches,
        gradient_accumulation_steps=1,
        num_iterations=settings.epochs,
        num_generations=rollout.size,
        max_completion_length=rollout.max_tokens,
        temperature=rollout.temperature,
        loss_type="dapo",
        epsilon=low,
        epsilon_high=high,
        beta=0.0,
        scale_rewards="group",
        max_grad_norm=settings.clip_norm,
        shuffle_dataset=False,
        use_cpu=config.model.device == "cpu",
        bf16=settings.bf16,
        gradient_checkpointing=False,
        save_strategy="no",
        report_to=[],
        logging_steps=steps_per_batch(config),
        disable_tqdm=True,
        **(vllm if config.policy.kind == "vllm" else {}),
    )


def clip(row: Algorithm) -> tuple[float, float]:
    """The bounds of DAPO's loss.

    Raises:
        ValueError: The algorithm is not DAPO's loss without penalties, filters and refills.
    """
    told = row.surrogate
    penalties = [each for each in row.shape if not isinstance(each, SoftOverlong) or each.penalty]
    same = replace(row, shape=()) == Algorithm(GroupRelative(), token, told, token_mean)
    if not same or penalties or not isinstance(told, Clip) or told.dual is not None:
        raise ValueError(f"TRL is run with DAPO's loss, no penalty, no groups dropped or refilled, got {row!r}.")
    return told.low, told.high


def steps_per_batch(config: Config) -> int:
    return config.optimizer.minibatches * config.optimizer.epochs


def batched(values: Sequence[float], size: int) -> list[Sequence[float]]:
    return [values[start : start + size] for start in range(0, len(values), size)]


def optimizers(config: Config, model: Any) -> tuple[Any, Any]:
    """Our optimiser and schedule; TRL's own warm-up starts at 0 and counts optimiser steps."""
    settings = config.optimizer
    adam = torch.optim.AdamW(
        model.parameters(), lr=settings.learning_rate, betas=settings.betas, weight_decay=settings.weight_decay
    )
    steps = steps_per_batch(config)
    return adam, torch.optim.lr_scheduler.LambdaLR(
        adam, lambda step: min(1.0, (step // steps + 1) / settings.warmup) if settings.warmup else 1.0
    )


def train(config: Config, folder: Path) -> dict[str, float]:
    torch.set_num_threads(config.run.threads)
    model, tokenizer = load_model(config.model.path, config.model), load_tokenizer(config.model.path)
    environments = Environments(config, Renderer(tokenizer))
    turns = max(Judge(task.key, None).max_turns for task in environments.tasks[: config.rollout.groups])
    watch = Stopwatch()
    with TemporaryDirectory() as unused:
        trainer = GRPOTrainer(
            model=model,
            reward_funcs=environments.reward if turns == 1 else earned,
            args=arguments(config, unused),
            train_dataset=environments.prompts(),
            processing_class=tokenizer,
            callbacks=[watch],
            optimizers=optimizers(config, model),
            rollout_func=None if turns == 1 else environments.rollout,
        )
        trainer.remove_callback(PrinterCallback)
        environments.check(trainer)
        trainer.train()
    trainer.model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    history = [told for told in trainer.state.log_history if "reward" in told]
    return {
        "items": len(environments.tasks) * environments.size,
        **watch.spent,
        "first": history[0]["reward"],
        "last": history[-1]["reward"],
        "seconds": [sum(batch) for batch in batched(watch.seconds, steps_per_batch(config))],
        "tokens": [told["completions/mean_length"] * config.rollout.groups * config.rollout.size for told in history],
    }


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    print(json.dumps(train(load(sys.argv[2], sys.argv[3:]), Path(sys.argv[1]))))
