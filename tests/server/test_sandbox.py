"""Environments that run programs, over HTTP: whatever is killed in mid-episode, it goes on as if nothing had been."""

from __future__ import annotations

import os
import re
import signal
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from envhub.authoring import write_call
from tests.chaos.servers import Server
from tests.sandbox.jails import backend
from tests.server.families import brokers, family, gone, running, slots, until
from tests.server.programs import BENCH, ENTRY

pytestmark = pytest.mark.slow

SLEEP = "sleep 3.8642"
"""Long enough to be found among the processes on a busy machine."""
LONG = "sleep 30.8642"
"""What is killed before its end."""


def shell(command: str) -> str:
    return write_call("shell", command=command)


def python(code: str) -> str:
    return write_call("python", code=code)


SCRIPT = [
    shell("cd ..; x=5; cd -; echo one >> lines; wc -l < lines"),
    python("y = 4\ndef f(n): return n * y"),
    shell(f"echo two >> lines; {SLEEP}; echo three >> lines; wc -l < lines"),
    python("open('found', 'w').write(str(f(3))); f(3)"),
    shell("x=$((x + 1)); echo $x; ls; cat lines; false"),
    python("y = 7; print(f(3), open('found').read())"),
    write_call("submit", program="print(f'{5 + 5}')"),
]
MIDDLE = 2
Answers = list[dict[str, Any]]


class Player:
    """One episode, played by whoever sends every request again until it is answered."""

    def __init__(self, server: Server, episode: str = "e") -> None:
        self._http = httpx.Client(base_url=server.url, timeout=60)
        self.episode = episode
        self.statuses: list[int] = []
        self.post("/v1/episodes", {"env_id": BENCH, "episode_id": episode, "seed": 1})

    def post(self, path: str, body: Any) -> Any:
        def sent() -> httpx.Response | None:
            try:
                response = self._http.post(path, json=body)
            except httpx.TransportError:
                return None
            self.statuses.append(response.status_code)
            return response if response.status_code in (200, 201) else None

        return until(sent).json()

    def step(self, turn: int, action: str) -> dict[str, Any]:
        found: dict[str, Any] = self.post(f"/v1/episodes/{self.episode}/step", {"turn": turn, "action": action})
        return found

    def __enter__(self) -> Player:
        return self

    def __exit__(self, *_: object) -> None:
        self._http.close()


@contextmanager
def serving(folder: Path, *options: str) -> Iterator[tuple[Server, Path]]:
    backend()  # skips where there are no jails
    journal = folder / "journal.sqlite"
    with Server(folder, f"sqlite:///{journal}", *options, plays=(BENCH, ENTRY)) as server:
        yield server, journal


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Answers:
    with serving(tmp_path_factory.mktemp("undisturbed")) as (server, _), Player(server) as player:
        answers = [player.step(turn, action) for turn, action in enumerate(SCRIPT)]
        server.stop()
    assert [answer["observation"] for answer in answers[2:5]] == [
        "3\n[0]",
        "12\n[0]",
        "6\nlines\none\ntwo\nthree\n[1]",
    ]
    assert answers[-1]["reward"] == 1.0
    assert not answers[-1]["info"].get("error")
    return answers


def victims(server: Server, journal: Path, kind: str) -> list[int]:
    found = {
        "slots": lambda: slots(server.pid),
        "broker": lambda: brokers(server.pid),
        "workers": lambda: server.workers(journal),
    }
    return found[kind]()


@pytest.mark.parametrize("kind", ["slots", "broker", pytest.param("workers", marks=pytest.mark.nightly)])
def test_what_is_killed_between_two_turns_is_not_missed(tmp_path: Path, undisturbed: Answers, kind: str) -> None:
    with serving(tmp_path, "--workers", "2") as (server, journal), Player(server) as player:
        answers = []
        for turn, action in enumerate(SCRIPT):
            if turn in (1, 4):
                for pid in until(lambda: victims(server, journal, kind)):
                    os.kill(pid, signal.SIGKILL)
            answers.append(player.step(turn, action))
        server.stop()
    assert answers == undisturbed


@pytest.mark.parametrize("kind", ["slots", "broker", "workers"])
def test_what_is_killed_in_the_middle_of_a_command_is_not_missed(
    tmp_path: Path, undisturbed: Answers, kind: str
) -> None:
    with serving(tmp_path, "--workers", "2") as (server, journal), Player(server) as player:
        answers = [player.step(turn, action) for turn, action in enumerate(SCRIPT[:MIDDLE])]
        with ThreadPoolExecutor(1) as thread:
            under_way = thread.submit(player.step, MIDDLE, SCRIPT[MIDDLE])
            until(lambda: running(server.pid, SLEEP))
            for pid in victims(server, journal, kind):
                os.kill(pid, signal.SIGKILL)
            answers.append(under_way.result())
        answers += [player.step(turn, action) for turn, action in enumerate(SCRIPT) if turn > MIDDLE]
        server.stop()
    assert answers == undisturbed


def test_a_broker_that_is_killed_again_and_again_takes_no_blame_for_a_command(tmp_path: Path) -> None:
    """Two losses over one command are the command's doing only where its own slot was lost."""
    with serving(tmp_path) as (server, _), Player(server) as player, ThreadPoolExecutor(1) as thread:
        under_way = thread.submit(player.step, 0, shell(f"{SLEEP}; echo done"))
        for _ in range(2):
            until(lambda: running(server.pid, SLEEP))
            killed = brokers(server.pid)
            for pid in killed:
                os.kill(pid, signal.SIGKILL)
            until(lambda killed=killed: all(map(gone, killed)))
        assert under_way.result()["observation"] == "done\n[0]"
        server.stop()


def test_a_command_that_takes_its_slot_down_every_time_is_to_blame(tmp_path: Path) -> None:
    with serving(tmp_path) as (server, _), Player(server) as player, ThreadPoolExecutor(1) as thread:
        player.step(0, shell("x=1"))
        under_way = thread.submit(player.step, 1, shell(f"x=2; {LONG}; echo done"))
        for _ in range(2):
            until(lambda: running(server.pid, LONG))
            for pid in slots(server.pid):
                os.kill(pid, signal.SIGKILL)
            until(lambda: not running(server.pid, LONG))
        assert under_way.result()["observation"] == "[crashed]"
        assert player.step(2, shell("echo $x"))["observation"] == "1\n[0]"
        server.stop()


def test_who_takes_over_goes_on_with_the_live_session_and_replays_nothing(tmp_path: Path) -> None:
    """A number that only the live session knows is still there for another worker; with the broker it is gone."""
    with serving(tmp_path, "--workers", "2") as (server, journal), Player(server) as player:
        player.step(0, shell("r=$RANDOM$RANDOM$RANDOM"))
        drawn = player.step(1, shell("echo $r"))["observation"]
        for pid in server.workers(journal):
            os.kill(pid, signal.SIGKILL)
        assert player.step(2, shell("echo $r"))["observation"] == drawn
        for pid in brokers(server.pid):
            os.kill(pid, signal.SIGKILL)
        assert player.step(3, shell("echo $r"))["observation"] not in (drawn, "\n[0]")
        server.stop()


def test_jobs_that_find_no_room_are_told_to_come_again_and_lose_nothing(tmp_path: Path) -> None:
    options = ("--sandbox-slots", "1", "--sandbox-waiting", "0")
    with serving(tmp_path, *options) as (server, _), Player(server, "a") as a, Player(server, "b") as b:
        slow = f"import os; os.system('{SLEEP}'); print(10)"
        with ThreadPoolExecutor(1) as thread:
            under_way = thread.submit(a.step, 0, write_call("submit", program=slow))
            until(lambda: running(server.pid, SLEEP))
            refused = httpx.post(
                f"{server.url}/v1/episodes/b/step",
                json={"turn": 0, "action": write_call("submit", program="print(10)")},
            )
            assert under_way.result()["reward"] == 1.0
        assert (refused.status_code, refused.json()["code"]) == (429, "TooBusy")
        assert int(refused.headers["retry-after"]) >= 1
        assert b.step(0, write_call("submit", program="print(10)"))["reward"] == 1.0
        server.stop()


def test_sessions_that_find_no_room_are_told_to_come_again_and_those_ended_for_others_come_back(tmp_path: Path) -> None:
    with (
        serving(tmp_path, "--sandbox-sessions", "1") as (server, _),
        Player(server, "a") as a,
        Player(server, "b") as b,
    ):
        with ThreadPoolExecutor(1) as thread:
            under_way = thread.submit(a.step, 0, shell(f"x=1; {SLEEP}; echo $x"))
            until(lambda: running(server.pid, SLEEP))
            assert b.step(0, shell("x=2; echo $x"))["observation"] == "2\n[0]"  # sent again until there is room
            assert under_way.result()["observation"] == "1\n[0]"
        assert 429 in b.statuses
        assert a.step(1, shell("x=$((x + 10)); echo $x"))["observation"] == "11\n[0]"
        assert b.step(1, shell("echo $x"))["observation"] == "2\n[0]"
        server.stop()


def test_nothing_is_started_before_a_program_is_to_be_run_and_nothing_is_left_in_the_end(tmp_path: Path) -> None:
    with serving(tmp_path, "--workers", "2") as (server, journal), Player(server) as player:
        (worker, *_) = server.workers(journal)
        place = re.search(rb"ENVHUB_SANDBOX=unix:([^\0]+)", Path(f"/proc/{worker}/environ").read_bytes())
        assert place is not None
        socket = Path(place[1].decode())
        assert socket.is_socket()
        assert brokers(server.pid) == []
        assert httpx.get(f"{server.url}/ready").json()["sandbox"] == {"broker": "asleep", "ended": 0, "reason": None}
        assert "envhub_sandbox_up 0.0" in httpx.get(f"{server.url}/metrics").text
        player.step(0, shell("echo"))
        player.step(1, python("1"))
        told = httpx.get(f"{server.url}/metrics").text
        assert "envhub_sandbox_up 1.0" in told
        assert "envhub_sandbox_sessions 2.0" in told
        assert len(brokers(server.pid)) == 1
        until(lambda: httpx.get(f"{server.url}/ready").json()["sandbox"].get("sessions") == {"most": 64, "open": 2})
        everybody = family(server.pid)
        server.stop()
        until(lambda: all(map(gone, everybody)))  # what was killed a moment ago takes a moment
        assert not socket.parent.exists()


def test_nothing_outlives_a_server_that_is_killed(tmp_path: Path) -> None:
    with serving(tmp_path, "--workers", "2") as (server, _), Player(server) as player:
        begun = "sleep 1000 & until grep -qa sleep /proc/$!/cmdline; do :; done"  # after the command it stands still
        player.step(0, shell(begun))
        everybody = family(server.pid)
        assert running(server.pid, "sleep 1000")
        os.kill(server.pid, signal.SIGKILL)
        until(lambda: all(map(gone, everybody)))
