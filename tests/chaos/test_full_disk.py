"""A disk that is full: what cannot be recorded is refused and was not taken, the rest stands, and with the room it goes on."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import httpx
import pytest

import envhub
from tests.chaos.disk import Disk
from tests.chaos.players import Table
from tests.chaos.record import assert_recorded_once, assert_whole
from tests.chaos.scripts import Line, Taken, answers_in, scripts, told
from tests.chaos.servers import Server
from tests.server.serving import problem

SEED: Final = 20_261_123
PATIENCE_S: Final = 60.0
NAME: Final = "journal.sqlite"
BEGINNING: Final = {"env_id": "guess-number-v0", "difficulty": 3, "seed": SEED}


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Disk]:
    with Disk(tmp_path) as disk:
        yield disk


@pytest.fixture
def server(tmp_path: Path, disk: Disk) -> Iterator[Server]:
    journal = f"sqlite:///{disk.folder / NAME}"
    with Server(tmp_path, journal, "--workers", "2", inside=disk.inside) as server:
        yield server


def assert_intact(server: Server, disk: Disk, folder: Path, lines: dict[str, Line]) -> None:
    """Nothing in the file is damaged, lost or doubled."""
    server.stop()
    copy = disk.copy(NAME, folder)
    assert_whole(copy)
    assert_recorded_once(f"sqlite:///{copy}", folder, lines)


class Player:
    """One episode, request by request, beside the same one in this process."""

    def __init__(self, url: str) -> None:
        self._http = httpx.Client(base_url=url, timeout=PATIENCE_S)
        self.env = envhub.make("guess-number-v0", difficulty=3)
        self.opening = told(self.env.reset(seed=SEED))
        self.turns: list[Taken] = []

    def send(self, method: str, path: str, body: Any = None) -> httpx.Response:
        """An answer; asked for again where the connection belonged to somebody who is dead."""
        try:
            return self._http.request(method, path, json=body)
        except httpx.TransportError:
            return self._http.request(method, path, json=body)

    def begin(self, episode_id: str) -> httpx.Response:
        return self.send("POST", "/v1/episodes", {**BEGINNING, "episode_id": episode_id})

    def step(self, turn: int, action: str) -> httpx.Response:
        return self.send("POST", "/v1/episodes/e/step", {"turn": turn, "action": action})

    def next(self, action: str) -> httpx.Response:
        """The next turn; if it is taken it is what it would have been here."""
        answer = self.step(len(self.turns), action)
        if answer.status_code == 200:
            taken = self.env.step(action)
            said = answer.json()
            five = [said[name] for name in ("observation", "reward", "terminated", "truncated", "info")]
            assert told(five) == told(taken)
            self.turns.append(Taken(action, told(taken)))
        return answer

    def line(self) -> Line:
        return Line(0, self.opening, tuple(self.turns), told(self.env.messages))

    def close(self) -> None:
        self._http.close()


@pytest.fixture
def player(server: Server) -> Iterator[Player]:
    player = Player(server.url)
    yield player
    player.close()


def test_it_is_said_and_survived(tmp_path: Path, disk: Disk, server: Server, player: Player) -> None:
    assert player.begin("e").status_code == 201
    for number in (1, 2, 3):
        assert player.next(f"<answer>{number}</answer>").status_code == 200
    disk.fill()
    while (refused := player.next("<answer>4</answer>")).status_code == 200:
        pass  # there may be a page that was made before
    assert not player.env.episode.over
    for answer in (refused, player.begin("other")):
        assert problem(answer)[:2] == (503, "JournalUnavailable")
        assert int(answer.headers["retry-after"]) > 0
        assert str(disk.folder) not in answer.text
    for _ in range(2):  # the second time by workers that have never seen room
        seen = player.send("GET", "/v1/episodes/e").json()
        assert told(seen["messages"]) == told(player.env.messages)
        assert player.step(2, "<answer>3</answer>").json() == seen["steps"][2]
        assert player.step(2, "<answer>4</answer>").status_code == 409
        assert player.next(player.env.solve()).status_code == 503
        for pid in server.workers(disk.folder / NAME):
            os.kill(pid, signal.SIGKILL)
    disk.free()
    turn, action = len(player.turns), player.env.solve()
    first = player.next(action)
    assert first.status_code == 200
    assert player.step(turn, action).json() == first.json()
    while not player.env.episode.over:
        assert player.next(player.env.solve()).status_code == 200
    assert_intact(server, disk, tmp_path, {"e": player.line()})


def test_who_plays_meanwhile_notices_nothing_but_the_time(tmp_path: Path, disk: Disk, server: Server) -> None:
    schedule = scripts(40, SEED)
    enough = 3 * len(schedule)  # refusals: everybody's, and again
    answers = refusals = 0

    async def answered() -> None:
        nonlocal answers
        answers += 1
        if answers == answers_in(schedule) // 2:
            disk.fill()

    async def pause(seconds: float) -> None:
        nonlocal refusals
        refusals += 1
        if refusals == enough:
            disk.free()
        await asyncio.sleep(0)

    async def play() -> Table:
        table = Table(server.url, answered, pause)
        async with asyncio.timeout(PATIENCE_S):
            await table.play(schedule)
        return table

    table = asyncio.run(play())
    assert not table.failures, table.failures[0]
    assert answers == answers_in(schedule)
    assert refusals >= enough
    assert_intact(server, disk, tmp_path, table.lines)
