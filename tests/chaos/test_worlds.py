"""Episodes of worlds go on after all workers were killed in the middle, as though nothing had happened."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import pytest

import envhub
from envhub.core.seeding import Stream
from tests.chaos.record import assert_whole
from tests.chaos.scripts import told
from tests.chaos.servers import Server

HELD: Final[dict[str, Any]] = {"difficulty": 4, "split": "test", "wording": "held-out"}
WORLDS: Final = (
    "household-v0",
    "blocksworld-v0",
    "repo-repair-v0",
    "science-lab-v0",
    "gridworld-v0",
    "quest-v0",
    "crafting-v0",
)
OTHERS: Final = (
    "extract-v0",
    "geometry-v0",
    "terminal-v0",
    "apps-v1",
    "apps-code-v0",
    "weak-spot-v0",
    "circle-the-cat-v0",
)
WORKERS: Final = 2
RETRIES: Final = 40
SPOILT: Final = "look; inventory"


def script(env_id: str, seed: int) -> list[str]:
    """The actions of an episode: those of the oracle, with some that are none and some that lead nowhere."""
    env, actions, rng = envhub.make(env_id, **HELD), [], Stream(b"chaos", env_id, seed)
    env.reset(seed=seed)
    while not env.episode.over:
        number = len(actions)
        actions.append(SPOILT if number % 5 == 1 else env.random_action(rng) if number % 7 == 3 else env.solve())
        env.step(actions[-1])
    return actions


def replays_after_a_kill(
    env_id: str,
    episodes: int,
    folder: Path,
    write: Callable[[str, int], list[str]] = script,
    settings: Mapping[str, Any] = HELD,
    options: Sequence[str] = (),
) -> None:
    """Play half of every episode, kill every worker, and play on; each answer is that of an undisturbed run."""
    scripts = [write(env_id, seed) for seed in range(episodes)]
    file = folder / "journal.sqlite"
    with Server(folder, f"sqlite:///{file}", "--workers", str(WORKERS), *options) as server:
        hub = envhub.connect(server.url, retries=RETRIES)
        with hub:
            pairs = [(hub.make(env_id, **settings), envhub.make(env_id, **settings)) for _ in scripts]
            for seed, pair in enumerate(pairs):
                remote, local = (told(env.reset(seed=seed)[0]) for env in pair)
                assert remote == local
            for half in (0, 1):
                for actions, (remote, local) in zip(scripts, pairs, strict=True):
                    middle = len(actions) // 2
                    for action in actions[middle:] if half else actions[:middle]:
                        assert told(remote.step(action)) == told(local.step(action)), (env_id, action)
                if not half:
                    server.kill_workers(file)
            assert all(local.episode.over for _, local in pairs)
            assert [remote.messages for remote, _ in pairs] == [local.messages for _, local in pairs]
        server.stop()
    assert server.log().count("ended with signal 9") == WORKERS
    assert_whole(file)


@pytest.mark.parametrize("world", WORLDS)
def test_a_few_episodes_go_on(world: str, tmp_path: Path) -> None:
    replays_after_a_kill(world, 3, tmp_path)


@pytest.mark.nightly
@pytest.mark.parametrize("world", WORLDS)
def test_twenty_episodes_go_on(world: str, tmp_path: Path) -> None:
    replays_after_a_kill(world, 20, tmp_path)


@pytest.mark.nightly
@pytest.mark.parametrize("name", OTHERS)
def test_episodes_of_other_environments_go_on(name: str, tmp_path: Path) -> None:
    replays_after_a_kill(name, 2, tmp_path)
