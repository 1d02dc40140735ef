"""The shipped configuration of nginx in front of a real server: what is let in, handed on, refused, and asked again."""

from __future__ import annotations

import asyncio
import getpass
import json
import os
import shutil
import socket
import subprocess
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path

import httpx
import pytest
from websockets.asyncio.client import unix_connect
from websockets.exceptions import InvalidStatus

from envhub.server.auth.keys import KeyFile
from envhub.server.http.app import create_app
from envhub.settings import ServerSettings
from tests.server.serving import GUESS, PATIENCE_S, patiently, problem, serving
from tests.support.places import ROOT

pytestmark = pytest.mark.slow

DEPLOY = ROOT / "deploy"
MAIN = """
user {user};
daemon off;
worker_processes 1;
pid {folder}/pid;
error_log stderr notice;
events {{ worker_connections 64; }}
http {{
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    include {folder}/conf.d/*.conf;
}}
"""


@contextmanager
def nginx(upstream: str, servers: dict[str, str]) -> Iterator[Path]:
    """nginx with the shipped files, on a socket in a folder; the addresses of servers are replaced by others."""
    program = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin")
    if program is None:
        if os.environ.get("CI"):
            pytest.fail("nginx is not installed: CI needs it")
        pytest.skip("nginx is not installed")
    with tempfile.TemporaryDirectory(prefix="nginx-") as name:  # a socket's path must be short
        folder = Path(name)
        (folder / "conf.d").mkdir()
        where = (DEPLOY / upstream).read_text()
        for shipped, real in servers.items():
            assert shipped in where
            where = where.replace(shipped, real)
        (folder / "conf.d" / "upstream.conf").write_text(where)
        site = (DEPLOY / "nginx.conf").read_text()
        for shipped, real in (("listen 127.0.0.1:8080", f"listen unix:{name}/socket"), ("/var/log/nginx/", f"{name}/")):
            assert site.count(shipped) == 1
            site = site.replace(shipped, real)
        (folder / "conf.d" / "envhub.conf").write_text(site)
        (folder / "nginx.conf").write_text(MAIN.format(folder=folder, user=getpass.getuser()))
        command = [program, "-p", name, "-c", f"{name}/nginx.conf", "-e", "stderr"]
        process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        assert process.stderr is not None
        try:
            said = []
            for line in process.stderr:
                said.append(line)
                if "start worker processes" in line:  # it listens already
                    break
            else:
                pytest.fail(f"nginx did not start: {''.join(said)}")
            yield folder
        finally:
            process.terminate()
            process.communicate(timeout=PATIENCE_S)


def client(folder: Path, **headers: str) -> httpx.Client:
    transport = httpx.HTTPTransport(uds=f"{folder}/socket")
    return httpx.Client(transport=transport, base_url="http://envhub.example", headers=headers, timeout=PATIENCE_S)


@contextmanager
def nobody() -> Iterator[str]:
    """An address at which every connection is refused, for as long as it is held."""
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))  # and does not listen
        yield f"127.0.0.1:{held.getsockname()[1]}"


@contextmanager
def rude() -> Iterator[str]:
    """The address of a server that takes every request and dies over it."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            with suppress(OSError):
                while True:
                    taken, _ = server.accept()
                    with taken:
                        taken.recv(65_536)

        thread = threading.Thread(target=serve)
        thread.start()
        try:
            yield f"127.0.0.1:{server.getsockname()[1]}"
        finally:
            server.shutdown(socket.SHUT_RDWR)
            thread.join(PATIENCE_S)


@pytest.fixture(scope="module")
def key() -> Iterator[str]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "keys.json"
        text, _ = KeyFile(path).create("k", ["play", "verify"])
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("ENVHUB_KEYS", str(path))
            yield text


@pytest.fixture(scope="module")
def address(key: str) -> Iterator[str]:
    with serving(create_app(ServerSettings())) as url:
        yield url.removeprefix("http://")


@pytest.fixture(scope="module")
def proxy(address: str) -> Iterator[Path]:
    with nginx("nginx-upstream.conf", {"127.0.0.1:8420": address}) as folder:
        yield folder


def test_over_http(proxy: Path, key: str) -> None:
    with client(proxy) as http:
        assert http.get("/health").status_code == 200
        assert problem(http.get("/v1/environments"))[:2] == (401, "Unauthorized")
    with client(proxy, authorization=f"Bearer {key}") as http:
        made = http.post(
            "/v1/episodes", json={"env_id": GUESS, "episode_id": "h", "seed": 1}, headers={"x-request-id": "mine-1"}
        )
        assert made.status_code == 201
        assert made.headers["x-request-id"] == "mine-1"
        step = http.post("/v1/episodes/h/step", json={"turn": 0, "action": "<answer>1</answer>"})
        assert step.json()["turn"] == 1
        assert len(step.headers["x-request-id"]) == 32  # nginx's own
        http.get("/v1/environments?secret-word=1")
    log = (proxy / "access.log").read_text()
    assert '"POST /v1/episodes/h/step" 200' in log
    assert "mine-1" in log
    assert key not in log
    assert "secret-word" not in log


def test_over_a_websocket(proxy: Path, key: str) -> None:
    async def talk() -> None:
        uri = "ws://envhub.example/v1/ws"
        with pytest.raises(InvalidStatus, match="401"):
            await unix_connect(f"{proxy}/socket", uri).__aenter__()
        headers = {"authorization": f"Bearer {key}"}
        async with unix_connect(f"{proxy}/socket", uri, additional_headers=headers) as ws:
            body = {"env_id": GUESS, "episode_id": "w", "seed": 1}
            await ws.send(json.dumps({"id": 1, "op": "create", "body": body}))
            assert json.loads(await ws.recv())["status"] == 201
            body = {"turn": 0, "action": "<answer>1</answer>"}
            await ws.send(json.dumps({"id": 2, "op": "step", "episode_id": "w", "body": body}))
            assert json.loads(await ws.recv())["body"]["turn"] == 1

    asyncio.run(patiently(talk()))


def test_the_longest_body_passes_and_a_longer_one_does_not(proxy: Path, key: str) -> None:
    longest = ServerSettings().max_body_bytes
    with client(proxy, authorization=f"Bearer {key}") as http:
        assert problem(http.post("/v1/verify", content=b" " * longest))[0] == 422  # the server's own word
        code, name, detail = problem(http.post("/v1/verify", content=b" " * (longest + 1)))
    assert (code, name) == (413, "BodyTooLong")
    assert str(longest) in detail


def test_whoever_has_no_key_is_not_answered_for_ever(proxy: Path) -> None:
    with client(proxy) as http:
        answers = [http.get("/health") for _ in range(400)]
    refused = [answer for answer in answers if answer.status_code != 200]
    assert refused, "more than a burst was let in"
    assert problem(refused[0])[:2] == (429, "TooBusy")
    assert refused[0].headers["retry-after"] == "1"


@pytest.mark.parametrize("lost", [nobody, rude])
def test_what_one_server_did_not_answer_is_asked_of_the_other(
    lost: Callable[[], AbstractContextManager[str]], address: str, key: str
) -> None:
    with lost() as gone:
        servers = {"127.0.0.1:8420": gone, "127.0.0.1:8421": address}
        with nginx("nginx-upstream-compose.conf", servers) as folder:
            with client(folder, authorization=f"Bearer {key}") as http:
                bodies = [{"env_id": GUESS, "episode_id": f"{lost.__name__}{n}", "seed": 1} for n in range(4)]
                assert [http.post("/v1/episodes", json=body).status_code for body in bodies] == [201] * 4
            assert gone in (folder / "access.log").read_text()  # it was asked


def test_no_server_at_all_is_said_so(key: str) -> None:
    with nobody() as gone, nginx("nginx-upstream.conf", {"127.0.0.1:8420": gone}) as folder:
        with client(folder, authorization=f"Bearer {key}") as http:
            answer = http.get("/v1/environments")
        assert problem(answer)[:2] == (503, "ServerUnavailable")
        assert answer.headers["retry-after"] == "1"
