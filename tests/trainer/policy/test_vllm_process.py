"""The server as a child process: with stand-ins for the Python that runs it; nightly tests start the real one."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path

import httpx
import pytest

from envhub_trainer.policy import PolicyError
from envhub_trainer.policy.vllm_process import Server


def stand_in(place: Path, script: str) -> Path:
    """A program in place of the Python that has vLLM."""
    program = place / "python"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    return program


def runs(pid: int) -> bool:
    """Whether a process is there, other than one that has ended and has not been asked how."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_a_server_that_ends_is_an_error_with_its_last_words(tmp_path: Path) -> None:
    program = stand_in(tmp_path, 'echo "no memory for $4 here" >&2; exit 3')
    with (
        pytest.raises(PolicyError, match=r"(?s)vLLM ended with 3 before it was ready.*no memory for --port here"),
        Server("model", python=program),
    ):
        pass


def test_a_server_that_does_not_get_ready_is_an_error(tmp_path: Path) -> None:
    with (
        pytest.raises(PolicyError, match="not ready within 0 s"),
        Server("model", python=stand_in(tmp_path, "exec sleep 600"), start_s=0.0),
    ):
        pass


READY = """#!{python}
import os, signal, subprocess, sys
from http.server import BaseHTTPRequestHandler, HTTPServer

class Well(BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.end_headers()

if {stubborn}:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
worker = subprocess.Popen(["sleep", "600"])
with open({pids!r}, "w") as file:
    print(os.getpid(), worker.pid, file=file)
HTTPServer(("127.0.0.1", int(sys.argv[sys.argv.index("--port") + 1])), Well).serve_forever()
"""


@pytest.mark.parametrize("stubborn", [False, True])
@pytest.mark.parametrize("error", [None, KeyError])
def test_it_ends_with_its_block_and_so_does_all_it_started(
    stubborn: bool, error: type[Exception] | None, tmp_path: Path
) -> None:
    pids = tmp_path / "pids"
    program = tmp_path / "python"
    program.write_text(READY.format(python=sys.executable, stubborn=stubborn, pids=str(pids)))
    program.chmod(0o755)
    with suppress(KeyError), Server("model", python=program, stop_s=0.1 if stubborn else 60.0) as server:
        assert httpx.get(f"{server.url}/health").is_success
        started = [int(each) for each in pids.read_text().split()]
        assert all(runs(pid) for pid in started)
        if error is not None:
            raise error
    assert not runs(started[0])
    # SIGKILL has been sent; that the kernel has carried it out is waited for
    while runs(started[1]):
        os.sched_yield()


def test_what_it_is_started_with(tmp_path: Path) -> None:
    program = stand_in(tmp_path, 'echo "$@"; echo "offline: $HF_HUB_OFFLINE"; exit 1')
    log = tmp_path / "log"
    server = Server(
        "some/model",
        python=program,
        context=64,
        options=("--dtype", "float32"),
        environment={"HF_HUB_OFFLINE": "1"},
        log=log,
    )
    with pytest.raises(PolicyError), server:
        pass
    first, second = log.read_text().splitlines()
    port = server.url.rpartition(":")[2]
    assert first.split()[0] == "-P"
    assert first.endswith(f"vllm_server.py some/model --port {port} --stop-on-eof --max-model-len 64 --dtype float32")
    assert second == "offline: 1"


def test_the_interpreter_must_be_there(tmp_path: Path) -> None:
    with (
        pytest.raises(PolicyError, match=r"The Python for vLLM cannot be started: .*nobody"),
        Server("model", python=tmp_path / "nobody"),
    ):
        pass


@pytest.mark.skipif(find_spec("vllm") is not None, reason="vLLM is installed in this Python")
def test_a_python_without_vllm_says_so() -> None:
    with (
        pytest.raises(PolicyError, match=r"(?s)ended with 1 .*There is no vLLM in .*Install vllm there"),
        Server("model"),
    ):
        pass
