"""A policy learns to read a digit from rewards alone; with permuted rewards it does not. Each run is a process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.places import ROOT

CHANCE, LEARNED = 0.1, 0.9


def learned(folder: Path, *changes: str) -> tuple[float, float, float]:
    """Held-out success before and after, and the CPU seconds."""
    command = [sys.executable, "-m", "tests.trainer.seeing", str(folder), *changes]
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "ENVHUB_CACHE": "off"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    told = json.loads(done.stdout.splitlines()[-1])
    assert told["probe"] < 1e-4
    return told["before"], told["after"], told["cpu"]


@pytest.mark.slow
def test_reading_a_digit_is_learned_from_rewards(tmp_path: Path) -> None:
    before, after, _ = learned(tmp_path)
    assert before < 3 * CHANCE
    assert after > LEARNED


@pytest.mark.nightly
def test_permuted_rewards_teach_nothing(tmp_path: Path) -> None:
    before, after, _ = learned(tmp_path, "permuted")
    assert before < 3 * CHANCE
    assert after < before + CHANCE


@pytest.mark.nightly
def test_swapped_pictures_teach_nothing(tmp_path: Path) -> None:
    before, after, _ = learned(tmp_path, "swapped")
    assert before < 2 * CHANCE
    assert after < 2 * CHANCE
