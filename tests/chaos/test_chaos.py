"""200 episodes at once while everything fails that can: each is answered as though nothing had, and is recorded once."""

from __future__ import annotations

import asyncio
from contextlib import ExitStack
from pathlib import Path
from random import Random
from typing import Final

import pytest

from tests.chaos.players import Table
from tests.chaos.proxy import HTTP_FAULTS, SOCKET_FAULTS, Proxy, least
from tests.chaos.record import assert_recorded_once, assert_whole
from tests.chaos.scripts import Line, Script, answers_in, scripts
from tests.chaos.servers import Killer, Server
from tests.server.journal.kinds import RedisServer, redis_server

EPISODES: Final = 200
SEED: Final = 20_261_121
KILLS: Final = 5
"""So many processes are killed at least."""
FAULTS: Final = 5
"""So often every fault happens at least."""
EVERY: Final = 110
REFUSALS: Final = 20
PATIENCE_S: Final = 600.0


async def played(proxy: Proxy, schedule: list[Script], killer: Killer) -> dict[str, Line]:
    """Have everybody play through the proxy; every line by its episode id."""
    table = Table(proxy.url, killer)
    try:
        async with asyncio.timeout(PATIENCE_S):
            await table.play(schedule)
    except TimeoutError:
        raise AssertionError(f"{killer.answers} answers, {killer.struck}, {proxy.done}, {proxy.statuses}") from None
    assert not table.failures, f"{len(table.failures)} of {len(schedule)} failed; the first: {table.failures[0]}"
    assert table.open == len(schedule)
    assert len(table.lines) == len(schedule) + sum(script.branch is not None for script in schedule)
    assert not proxy.disagreements, proxy.disagreements[0]
    assert killer.answers == answers_in(schedule)
    # and now that it was no undisturbed run either
    for faults in (HTTP_FAULTS, SOCKET_FAULTS):
        assert not least(faults, proxy.done, FAULTS), proxy.done
    assert len(killer.struck) >= KILLS
    assert killer.struck[KILLS - 1] < killer.answers  # it went on after so many
    return table.lines


def test_workers_are_killed_and_the_network_fails(tmp_path: Path) -> None:
    schedule = scripts(EPISODES, SEED)
    file = tmp_path / "journal.sqlite"
    journal = f"sqlite:///{file}"

    async def chaos(server: Server) -> dict[str, Line]:
        async with Proxy(SEED, lambda: [server.address]) as proxy:
            killer = Killer(EVERY, lambda: len(server.workers(file)) == 2, lambda: server.kill_worker(file))
            lines = await played(proxy, schedule, killer)
            assert set(proxy.statuses) == {200, 201, 409}, proxy.statuses
            return lines

    with Server(tmp_path, journal, "--workers", "2") as server:
        lines = asyncio.run(chaos(server))
        server.stop()
    assert server.log().count("ended with signal 9") >= KILLS
    assert_recorded_once(journal, tmp_path, lines)
    assert_whole(file)


@pytest.mark.nightly
def test_two_servers_and_their_redis_are_killed(tmp_path: Path) -> None:
    schedule = scripts(EPISODES, SEED + 1)

    async def chaos(redis: RedisServer, servers: list[Server]) -> dict[str, Line]:
        outage = Outage(redis, answers_in(schedule) // 2)
        restarting = Restarting(servers)

        def strike() -> None:
            if not outage.strike(killer.answers):
                restarting.strike()

        killer = Killer(EVERY, restarting.complete, strike)
        async with Proxy(SEED, lambda: [server.address for server in servers], outage.noticed) as proxy:
            lines = await played(proxy, schedule, killer)
            await restarting.done()
            assert set(proxy.statuses) == {200, 201, 409, 503}, proxy.statuses
        assert outage.refusals >= REFUSALS
        assert set(restarting.killed) == set(servers)
        return lines

    with redis_server("--appendonly", "yes", "--appendfsync", "always") as redis, ExitStack() as stack:
        servers = []
        for name in "ab":
            (folder := tmp_path / name).mkdir()
            servers.append(stack.enter_context(Server(folder, redis.url)))
        lines = asyncio.run(chaos(redis, servers))
        for server in servers:
            server.stop()
        assert_recorded_once(redis.url, tmp_path, lines)


class Restarting:
    """Servers of which one is killed now and then, whichever runs, and started again at once."""

    def __init__(self, servers: list[Server]) -> None:
        self._servers, self._rng = servers, Random(SEED)
        self._starting: set[asyncio.Task[None]] = set()
        self.killed: list[Server] = []

    def complete(self) -> bool:
        """Whether all of them run."""
        return all(server.runs for server in self._servers)

    def strike(self) -> None:
        """Kill one."""
        victim = self._rng.choice(self._servers)
        victim.kill()
        self.killed.append(victim)
        self._starting.add(asyncio.create_task(asyncio.to_thread(victim.start)))

    async def done(self) -> None:
        """Wait until all of them run."""
        await asyncio.gather(*self._starting)


class Outage:
    """A Redis that is killed once, and is back when so many requests have been refused for it."""

    def __init__(self, redis: RedisServer, after: int) -> None:
        self._redis, self._after = redis, after
        self.lasts = self._was = False
        self.refusals = 0

    def strike(self, answers: int) -> bool:
        """Kill it, if it is time."""
        if self._was or answers < self._after:
            return False
        self._redis.kill()
        self.lasts = self._was = True
        return True

    def noticed(self, status: int) -> None:
        """Another answer."""
        self.refusals += status == 503
        if self.lasts and self.refusals >= REFUSALS:
            self.lasts = False
            self._redis.start()
