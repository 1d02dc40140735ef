"""The learning experiments of docs/learning.md: their parts, their page, and nightly the runs themselves."""

from __future__ import annotations

import os
import re
import shlex
from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest

import envhub
from benchmarks.learning import kuhn, transfer
from benchmarks.learning.experiments import EXPERIMENTS
from benchmarks.learning.page import PAGE, section
from benchmarks.learning.records import Record, Records
from benchmarks.learning.tool import TOOL
from benchmarks.trainer import RECIPES
from envhub.authoring import write_call
from envhub_trainer.config import load
from envhub_trainer.setup import task_stream
from tests.support.places import ROOT

RECORD = Record("1", 0, False, {"sampled": 0.25}, {"sampled": 0.75}, 512, 100, 1.5)


def test_a_record_survives_the_process_and_is_not_run_again(tmp_path: Path) -> None:
    Records("one", tmp_path).add(RECORD)
    Records("one", tmp_path).add(replace(RECORD, permuted=True))
    found = Records("one", tmp_path)
    assert found.of("1") == [RECORD]
    assert [record.permuted for record in found.of("1", permuted=True)] == [True]
    assert ("1", 0, True) in found
    assert ("1", 1, False) not in found
    assert RECORD.rise("sampled") == 0.5


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_the_page_shows_what_is_recorded(name: str) -> None:
    assert section(EXPERIMENTS[name], Records(name)) in PAGE.read_text("utf-8"), "python -m benchmarks.learning --page"


def test_the_benchmark_s_recipes_exist() -> None:
    assert all(recipe.is_file() for recipe in RECIPES)


def test_the_command_for_a_gpu_is_valid() -> None:
    (command,) = re.findall(r"^trainer/envhub_trainer/recipes/smollm\.sh .*$", PAGE.read_text("utf-8"), re.MULTILINE)
    script, *words = shlex.split(command)
    assert os.access(ROOT / script, os.X_OK)
    config = load("smollm", words[1::2])
    assert words[::2] == ["--set"] * len(words[1::2])
    assert (config.run.steps, len(config.tasks.environments)) == (200, 3)
    drawn = {task.env_id for task in islice(task_stream(config.tasks, "train", 0), 20)}
    assert drawn == set(config.tasks.environments)


# -- transfer ----------------------------------------------------------------------------------------------------------


def test_arms_are_nested_and_never_train_on_what_is_held_out() -> None:
    for seed in range(5):
        one, four, sixteen = (transfer.chosen(number, seed) for number in (1, 4, 16))
        assert set(one) < set(four) < set(sixteen)
        assert set(sixteen) == set(transfer.LOWS) - set(transfer.HELD_OUT)


def test_an_arm_trains_on_its_environments_alone(tmp_path: Path) -> None:
    config = EXPERIMENTS["transfer"].config("4", 1, tmp_path)
    assert set(config.tasks.environments) == {transfer.environment(low) for low in transfer.chosen(4, 1)}
    assert config.tasks.wording == 0
    permuted = EXPERIMENTS["transfer"].config("4", 1, tmp_path, permuted=True)
    assert permuted.rollout.permute_rewards
    assert permuted.run.folder != config.run.folder
    assert permuted.model == config.model, "the same start"


# -- Kuhn poker --------------------------------------------------------------------------------------------------------


def test_situations_show_the_card_of_the_seat_that_decides(tmp_path: Path) -> None:
    found = kuhn.situations(EXPERIMENTS["kuhn"].config("", 0, tmp_path))
    assert len(found) == 12
    for (card, seen), messages in found.items():
        last = messages[-1]["content"]
        assert f"Your card: {card}" in last
        assert ("bets. You may call or fold" in last) is seen.endswith("r")
        assert len(messages) == (3 if seen == "cr" else 1), "a seat sees its own words only"


def test_an_equilibrium_is_not_exploitable_and_random_play_is() -> None:
    bold = {"": (1, 0, 3), "c": (1, 0, 3), "r": (0, 1, 3), "cr": (0, 2, 3)}  # bets or calls out of three, with J, Q, K
    nash, even = ({}, {})
    for seen, shares in bold.items():
        words = kuhn.GAME.words(seen)
        for card, share in zip("JQK", shares, strict=True):
            strong = words["c"] if seen.endswith("r") else words["r"]
            nash[card, seen] = {word: share if word == strong else 3 - share for word in words.values()}
            even[card, seen] = dict.fromkeys(words.values(), 0.5)
    assert kuhn.exploited(nash) == pytest.approx(0, abs=1e-9)
    assert kuhn.exploited(even) == pytest.approx(0.4583, abs=1e-4)


# -- the tool task -----------------------------------------------------------------------------------------------------


def test_a_shelf_must_be_looked_up(tmp_path: Path) -> None:
    TOOL.config("", 0, tmp_path)
    env = envhub.make("box-on-shelf-v0", difficulty=1)
    env.reset(seed=4)
    told, *_ = env.fork().step(env.solve())
    shelf = int(told.split()[1].rstrip("."))
    assert env.fork().step(write_call("submit", shelf=shelf))[1] == 0.0, "right, but guessed"
    env.step(env.solve())
    assert env.fork().step(write_call("submit", shelf=shelf + 1))[1] == 0.0
    assert env.step(write_call("submit", shelf=shelf))[1] == 1.0


# -- environments of the catalogue -------------------------------------------------------------------------------------


def test_the_mixture_has_twelve_environments(tmp_path: Path) -> None:
    config = EXPERIMENTS["mixture"].config("", 0, tmp_path)
    assert len(config.tasks.environments) == 12
    drawn = {task.env_id for task in islice(task_stream(config.tasks, "train", 0), 200)}
    assert drawn == set(config.tasks.environments)


def test_the_opponent_of_tic_tac_toe_is_perfect(tmp_path: Path) -> None:
    (settings,) = EXPERIMENTS["tictactoe"].config("", 0, tmp_path).tasks.environments.values()
    assert settings["opponent"] == "optimal"


# -- the runs ----------------------------------------------------------------------------------------------------------

LEARNS = {
    "transfer": ("1", "trained/sampled", 0.2),
    "kuhn": ("", "exploitability", -0.1),
    "tool": ("", "sampled", 0.2),
    "tictactoe": ("", "sampled", 0.3),
    "mixture": ("", "sampled", 0.01),
}
"""Arm, measure, and the least change of its mean over three seeds."""


@pytest.mark.nightly
@pytest.mark.parametrize("name", LEARNS)
def test_it_learns_from_its_own_rewards_alone(name: str, tmp_path: Path) -> None:
    arm, measure, least = LEARNS[name]
    experiment, records = replace(EXPERIMENTS[name], arms=(arm,)), Records(name, tmp_path)
    experiment.complete(records, (0, 1, 2), tmp_path)
    rises, controls = (
        [record.rise(measure) / least for record in records.of(arm, permuted)] for permuted in (False, True)
    )
    assert sum(rises) / 3 > 1
    assert sum(controls) / 3 < 0.5
