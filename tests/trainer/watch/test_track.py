"""What is written, what survives, what is cut when a run is taken up again."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from math import inf, isnan, nan
from pathlib import Path
from typing import Any

import pytest
import torch

from envhub_trainer.batch import collate
from envhub_trainer.config import ConfigError, TrackConfig
from envhub_trainer.watch.track import EPISODES, LOG, Track, lines, read
from tests.trainer.hand_made import Letters, episode, group


def ticking() -> Callable[[], float]:
    """A clock that says 1, 2, 3 ..."""
    times = iter(range(1, 1000))
    return lambda: float(next(times))


def track(folder: Path, done: int = 0, samples: int = 4, **more: Any) -> Track:
    return Track(folder, TrackConfig(samples=samples), done, clock=ticking(), **more)


def fill(folder: Path, steps: int) -> None:
    with track(folder) as log:
        for step in range(1, steps + 1):
            log.log(step, {"reward": step / 8})
            log.episodes(step, [group(step, episode(1.0), episode(0.0))], None)


def test_a_step_that_is_logged_twice_is_one(tmp_path: Path) -> None:
    with track(tmp_path / "a" / "run") as log:
        log.log(1, {"reward": 0.5, "solved": 0.25})
        log.log(0, {"test/sampled": 1})
        log.log(1, {"test/sampled": 0.75, "solved": 0.5})
    assert read(tmp_path / "a" / "run") == [
        {"step": 0, "time": 2.0, "test/sampled": 1.0},
        {"step": 1, "time": 3.0, "reward": 0.5, "solved": 0.5, "test/sampled": 0.75},
    ]


def test_every_line_is_there_at_once_and_strict_json(tmp_path: Path) -> None:
    def strict(word: str) -> float:
        raise AssertionError(word)

    log = track(tmp_path)
    log.log(1, {"kl": nan, "ratio_max": inf, "tokens": 3})
    (line,) = (tmp_path / LOG).read_text().splitlines()  # before it is closed
    assert json.loads(line, parse_constant=strict) == {
        "step": 1,
        "time": 1.0,
        "kl": None,
        "ratio_max": None,
        "tokens": 3,
    }
    assert isnan(read(tmp_path)[0]["kl"])
    log.close()
    log.close()


def test_a_killed_process_loses_nothing_that_it_logged(tmp_path: Path) -> None:
    code = (
        "import os, signal, sys; from pathlib import Path\n"
        "from envhub_trainer.config import TrackConfig; from envhub_trainer.watch.track import Track\n"
        "log = Track(Path(sys.argv[1]), TrackConfig(), 0)\n"
        "for step in range(5): log.log(step, {'reward': 1.0})\n"
        "os.kill(os.getpid(), signal.SIGKILL)"
    )
    ended = subprocess.run([sys.executable, "-c", code, str(tmp_path)], check=False)
    assert ended.returncode == -9
    assert [each["step"] for each in read(tmp_path)] == [0, 1, 2, 3, 4]


def test_taking_a_run_up_again_cuts_what_came_after_the_checkpoint(tmp_path: Path) -> None:
    fill(tmp_path, 4)
    before = (tmp_path / LOG).read_bytes().splitlines(keepends=True)
    with track(tmp_path, done=2) as log:
        assert (tmp_path / LOG).read_bytes() == b"".join(before[:2])
        log.log(3, {"reward": 0.9})
        log.episodes(3, [group(3, episode(0.5))], None)
    assert [(each["step"], each["reward"]) for each in read(tmp_path)] == [(1, 0.125), (2, 0.25), (3, 0.9)]
    assert [(each["step"], each["reward"]) for each in lines(tmp_path / EPISODES)] == [
        *[(1, 1.0), (1, 0.0), (2, 1.0), (2, 0.0)],
        (3, 0.5),
    ]
    assert sorted(path.name for path in tmp_path.iterdir()) == [EPISODES, LOG]


@pytest.mark.parametrize(
    "torn",
    [b'{"step": 3, "rew', b'{"step": 3, "reward": 1}'[:-1], b'{"step": 3, "a": "\xe2', b"{", b"\0\0\0", b"3", b"{}"],
)
@pytest.mark.parametrize("name", [LOG, EPISODES])
def test_a_torn_last_line_is_passed_over_and_then_cut(tmp_path: Path, torn: bytes, name: str) -> None:
    fill(tmp_path, 2)
    whole = (tmp_path / name).read_bytes()
    with open(tmp_path / name, "ab") as file:
        file.write(torn)
    assert {each["step"] for each in lines(tmp_path / name)} == {1, 2}
    with track(tmp_path, done=10) as log:
        assert (tmp_path / name).read_bytes() == whole
        log.log(3, {"reward": 0.5})
    assert [each["step"] for each in read(tmp_path)] == [1, 2, 3]


def test_a_last_line_that_lacks_only_its_end_is_kept(tmp_path: Path) -> None:
    fill(tmp_path, 2)
    whole = (tmp_path / LOG).read_bytes()
    (tmp_path / LOG).write_bytes(whole[:-1])
    with track(tmp_path, done=2) as log:
        log.log(3, {})
    assert (tmp_path / LOG).read_bytes().startswith(whole)
    assert [each["step"] for each in read(tmp_path)] == [1, 2, 3]


def test_damage_elsewhere_is_an_error_that_says_where_and_harms_nothing(tmp_path: Path) -> None:
    fill(tmp_path, 3)
    good = (tmp_path / LOG).read_bytes().splitlines(keepends=True)
    (tmp_path / LOG).write_bytes(b"".join([good[0], b"oops\n", good[2]]))
    with pytest.raises(ValueError, match=r"log.jsonl, line 2: .* got 'oops'"):
        read(tmp_path)
    with pytest.raises(ValueError, match="line 2"):
        track(tmp_path, done=3)
    assert (tmp_path / LOG).read_bytes() == b"".join([good[0], b"oops\n", good[2]])


def test_a_folder_without_a_log_has_no_numbers(tmp_path: Path) -> None:
    assert read(tmp_path) == []


def test_kept_episodes_have_their_tokens_and_advantages(tmp_path: Path) -> None:
    played = [episode(1.0, answer="ab"), episode(0.0, answer="\ud800c"), episode(0.5)]
    batch = collate(played)
    batch = batch.having(advantage=torch.arange(batch.mask.numel()).reshape(batch.mask.shape) * 1.0)
    with track(tmp_path, samples=2, tokenizer=Letters()) as log:
        log.episodes(1, [group(0, *played)], batch)
    best, worst = lines(tmp_path / EPISODES)
    assert best["rows"][0][1] == {"end": 3, "pieces": ["a", "b"], "logps": [-0.5, -0.5], "advantages": [1.0, 2.0]}
    assert worst["rows"][0][1] == {"end": 3, "pieces": ["\ud800", "c"], "logps": [-0.5, -0.5], "advantages": [4.0, 5.0]}


def test_no_episodes_are_kept_where_none_are_wanted(tmp_path: Path) -> None:
    with track(tmp_path, samples=0) as log:
        log.episodes(1, [group(0, episode(1.0))], None)
    assert (tmp_path / EPISODES).read_bytes() == b""


def test_only_the_kept_episodes_are_decoded(tmp_path: Path) -> None:
    seen: list[str] = []

    class Watched(Letters):
        def decode(self, tokens: Sequence[int], *options: bool, **named: bool) -> str:
            seen.append(super().decode(tokens, *options, **named))
            return seen[-1]

    with track(tmp_path, samples=1, tokenizer=Watched()) as log:
        log.episodes(1, [group(0, episode(1.0, answer="yes"), episode(0.0, answer="no"))], None)
    assert any("y" in text for text in seen)
    assert not any("n" in text for text in seen)


def test_tensorboard_has_the_same_numbers(tmp_path: Path) -> None:
    with Track(tmp_path, TrackConfig(tensorboard=True), 0) as log:
        log.log(1, {"env/a-v0/reward": 0.5})
        log.log(2, {"env/a-v0/reward": 0.75, "kl": nan})
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    events = EventAccumulator(str(tmp_path / "tensorboard")).Reload()
    assert [(each.step, each.value) for each in events.Scalars("env/a-v0/reward")] == [(1, 0.5), (2, 0.75)]


@pytest.mark.parametrize(
    ("config", "module", "told"),
    [
        (TrackConfig(trackio="x"), "trackio", "pip install trackio"),
        (TrackConfig(wandb="x"), "wandb", "pip install wandb"),
        (TrackConfig(tensorboard=True), "torch.utils.tensorboard", "pip install tensorboard"),
    ],
)
def test_what_is_not_installed_is_an_error_that_says_what_to_install_and_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, config: TrackConfig, module: str, told: str
) -> None:
    fill(tmp_path, 3)
    before = (tmp_path / LOG).read_bytes()
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(ConfigError, match=told):
        Track(tmp_path, config, 1)
    assert (tmp_path / LOG).read_bytes() == before


def test_the_view_is_told_what_is_logged(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with Track(tmp_path, TrackConfig(live=True), 0, steps=3) as log:
        log.log(1, {"reward": 0.5, "seconds": 1.0})
    with Track(tmp_path, TrackConfig(), 1, steps=3) as log:
        log.log(2, {"reward": 0.5})
    with Track(tmp_path, TrackConfig(live=True), 2, steps=4) as log:
        log.log(3, {"reward": 0.75, "seconds": 3.0})
    assert capsys.readouterr().out.splitlines() == [
        "step 1/3  2 s left  reward 0.500",
        "step 3/4  2 s left  reward 0.750",
    ]
