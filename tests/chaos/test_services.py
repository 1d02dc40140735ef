"""Episodes of shops, services and archives while their workers are killed: each is answered as though nothing had been."""

from __future__ import annotations

import asyncio
from pathlib import Path
from random import Random

import pytest

import envhub
from tests.chaos.players import Table
from tests.chaos.record import assert_recorded_once, assert_whole
from tests.chaos.scripts import Line, Script, Taken, answers_in, told
from tests.chaos.servers import Killer, Server
from tests.envs.tools.chatty import chatty
from tests.evaluation.endpoint import Model, serving

LEAST_ANSWERS = 400
WORLDS = ("webshop-v0", "customer-service-v0", "browse-v1", "deep-research-v1", "preference-v1")
WITH_A_SESSION = ("apps-code-v0", "terminal-v0")
ODD = ("", "no idea", "<answer>click[Buy Now] click[Buy Now]</answer>", 'ünï\u0000\u2028 "\\ 🎲', "x" * 70_000)


def script(env_id: str, number: int, **params: str) -> Script:
    """An episode that its oracle plays, with a message now and then that is no action."""
    rng = Random(f"{env_id} {number}")
    level = 1 + number % 10
    env = envhub.make(env_id, difficulty=level, **params)
    seed, turn_seed = rng.randrange(2**62), rng.randrange(2**40)
    begun = env.reset(seed=seed, options={"turn_seed": turn_seed})
    turns: list[Taken] = []
    while not env.episode.over:
        action = rng.choice(ODD) if rng.random() < 0.2 else env.solve()
        turns.append(Taken(action, told(env.step(action))))
    return Script(
        env_id, seed, {"difficulty": level, **params}, Line(turn_seed, told(begun), tuple(turns), told(env.messages))
    )


def survives(folder: Path, schedule: list[Script], kills: int, *options: str) -> None:
    """Play all of it at once while a worker is killed again and again."""
    file = folder / "journal.sqlite"
    journal = f"sqlite:///{file}"
    with Server(folder, journal, "--workers", "2", *options) as server:
        every = answers_in(schedule) // (2 * kills + 1)
        killer = Killer(every, lambda: len(server.workers(file)) == 2, lambda: server.kill_worker(file))
        table = Table(server.url, killer)
        asyncio.run(table.play(schedule))
        server.stop()
    assert not table.failures, table.failures[0]
    assert len(killer.struck) >= kills
    assert killer.struck[0] < killer.answers
    assert server.log().count("ended with signal 9") >= kills
    assert_recorded_once(journal, folder, table.lines)
    assert_whole(file)


def test_workers_are_killed_in_the_middle(tmp_path: Path) -> None:
    survives(tmp_path, [script(env_id, number) for number in range(3) for env_id in WORLDS], 1)


@pytest.mark.nightly
@pytest.mark.parametrize("world", [*WORLDS, *WITH_A_SESSION])
def test_workers_are_killed_in_the_middle_of_twenty(world: str, tmp_path: Path) -> None:
    schedule = [script(world, number) for number in range(20)]
    while answers_in(schedule) < LEAST_ANSWERS:  # episodes of some worlds are short
        schedule.append(script(world, len(schedule)))
    survives(tmp_path, schedule, 3)


@pytest.mark.parametrize("count", [3, pytest.param(20, marks=pytest.mark.nightly)])
def test_workers_are_killed_while_a_model_speaks_for_the_user(count: int, tmp_path: Path) -> None:
    model = Model(chatty)
    with serving(model) as url:
        schedule = [script("customer-service-v0", number, user=f"{url}#chatty") for number in range(count)]
        before = model.asked
        survives(tmp_path, schedule, 1, "--opponents", url)
    assert model.asked - before <= before + count  # each once, but for those that a killed worker lost
    assert before >= 2 * count
