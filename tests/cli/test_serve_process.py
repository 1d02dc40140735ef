"""``envhub serve`` as a process: signals, settings and what it prints."""

from __future__ import annotations

import re
import signal
import socket
from pathlib import Path

import httpx
import pytest

import envhub
from envhub.cli import configuration, serving
from envhub.core.errors import InvalidParameters
from envhub.settings import ServerSettings
from tests.cli.commands import process, run

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("elsewhere")]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_serve_until_a_signal(number: int, tmp_path: Path) -> None:
    ready = tmp_path / "ready"
    ready.write_text("http://of.a.server.that.was.killed\n")
    with process("serve", "--port", "0", "--ready-file", str(ready)) as server:
        address = server.url()
        assert f"docs at {address}/docs" in server.read_until("/docs")
        assert ready.read_text() == f"{address}\n"
        with httpx.Client(base_url=address) as client:
            assert client.get("/health").json()["status"] == "ok"
            assert client.get("/docs").status_code == 200
            server.signal(number)  # with a connection kept open
            assert server.wait() == 0
        code, out, err = server.end()
    assert (code, err) == (0, "")
    assert out.count("\n") == 2  # no access log
    assert not ready.exists()


def test_serve_ends_with_the_program_that_started_it() -> None:
    with process("serve", "--port", "0", "--stop-on-eof") as server:
        server.url()
        assert server.end()[::2] == (0, "")  # closes its input


def test_the_access_log_is_there_when_asked_for() -> None:
    with process("serve", "--port", "0", "--access-log") as server:
        httpx.get(f"{server.url()}/health")
        server.signal(signal.SIGTERM)
        assert server.wait() == 0
        _, out, err = server.end()
    assert '"GET /health HTTP/1.1" 200' in out + err


def test_serve_refuses_a_port_that_is_taken() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with process("serve", "--port", str(port)) as server:
            code, out, err = server.end()
    assert (code, out) == (2, "")
    assert f"Cannot bind port {port} on 127.0.0.1: Address already in use. Choose another with --port" in err
    assert "Traceback" not in err


def test_settings_come_from_flags_then_the_environment_then_the_file_then_the_defaults(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("envhub.toml").write_text("port = 1\nmax_batch = 1\nmax_live = 1\n")
    monkeypatch.setenv("ENVHUB_PORT", "2")
    monkeypatch.setenv("envhub_max_batch", "2")
    settings = configuration.read_settings({"port": 3})
    assert (settings.port, settings.max_batch, settings.max_live) == (3, 2, 1)
    assert settings.max_episodes == ServerSettings.model_fields["max_episodes"].default


@pytest.mark.parametrize(
    ("toml", "environment", "said"),
    [
        ("prot = 1", {}, "envhub.toml: no setting 'prot'; there are host, port, .* Did you mean 'port'?"),
        ("port = ", {}, "envhub.toml is not TOML"),
        ('port = "x"', {}, "port in envhub.toml: Input should be a valid integer.*, got 'x'"),
        ("", {"ENVHUB_PORT": "x"}, "ENVHUB_PORT: Input should be a valid integer.*, got 'x'"),
        ("", {"ENVHUB_HOST": "192.168.0.1"}, "host '192.168.0.1' is beyond loopback"),
    ],
)
def test_a_bad_setting_says_where_it_comes_from(
    toml: str, environment: dict[str, str], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("envhub.toml").write_text(toml)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(InvalidParameters, match=said):
        configuration.read_settings({})


def test_every_setting_has_a_flag_that_tells_its_default() -> None:
    help = " ".join(run("serve", "--help").stdout.split())
    for name, field in ServerSettings.model_fields.items():
        default = f"{field.default:g}" if isinstance(field.default, float) else field.default
        flag = name.replace("_", "-")
        shown = re.sub(rf"--{flag} *[/|] *--no-{flag} ", f"--{flag} ", help)
        told = shown.partition(f"--{flag} ")[2].partition(" --")[0]
        assert told.endswith(f"[{default}]"), name


@pytest.mark.parametrize("host", ["127.0.0.1", "::1"])
def test_answers_are_not_held_back(host: str) -> None:
    # asyncio sets TCP_NODELAY only on sockets that name their protocol; without it a request takes 40 ms
    try:
        bound = serving._bind(ServerSettings(host=host, port=0))
    except envhub.EnvhubError:
        if host == "::1":
            pytest.skip("this machine has no IPv6")
        raise
    with bound:
        assert bound.proto == socket.IPPROTO_TCP
