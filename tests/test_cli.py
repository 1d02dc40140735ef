"""The command line: every command, what it says to people and to machines, and the exit codes."""

from __future__ import annotations

import json
import os
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from typer.testing import CliRunner, Result

import envhub
from envhub.cli import app, configuration, serving
from envhub.cli.catalogue import values
from envhub.cli.terminal import plain
from envhub.demo import serving as a_server
from envhub.errors import InvalidParameters
from envhub.playing import Action, Command, read_params, read_script
from envhub.registry import builtin_ids, list_envs, register, self_contained, unregister
from envhub.settings import ServerSettings

PATIENCE_S = 60.0
"""After so long a process that says nothing is a failure, not a hang."""


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No envhub.toml and no ENVHUB_* of whoever runs the tests; no terminal width either."""
    monkeypatch.chdir(tmp_path)
    for name in [*filter(lambda name: name.upper().startswith("ENVHUB_"), os.environ), "COLUMNS"]:
        monkeypatch.delenv(name, raising=False)


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with a_server() as address:
        yield address


def run(*arguments: str, said: str | bytes = "") -> Result:
    return CliRunner().invoke(app, arguments, input=said)


def refused(result: Result) -> str:
    """What a command that ended with 2 said: a message on standard error, no traceback, nothing else."""
    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    assert "Traceback" not in result.stderr
    return result.stderr


_MAIN = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored in what a shell has put into the background
from envhub.cli import main
main()
"""


class Process:
    """A command in a process of its own; whatever is awaited has a limit."""

    def __init__(self, *arguments: str, **environment: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", _MAIN, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, **environment},
        )
        self._seen = {"stdout": b"", "stderr": b""}

    def read_until(self, mark: str, name: str = "stdout") -> str:
        """What standard output (or error) holds, as soon as it holds ``mark``."""
        stream = getattr(self._process, name)
        deadline = time.monotonic() + PATIENCE_S
        while mark.encode() not in self._seen[name]:
            ready, _, _ = select.select([stream], [], [], max(0.0, deadline - time.monotonic()))
            assert ready, f"{mark!r} has not come; there is {self._seen[name]!r}"
            read = os.read(stream.fileno(), 65_536)
            assert read, f"the process ended without {mark!r}: {self.end()}"
            self._seen[name] += read
        return self._seen[name].decode()

    def url(self) -> str:
        return self.read_until("docs at").partition("\n")[0].removeprefix("listening on ")

    def type(self, text: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(text.encode())
        self._process.stdin.flush()

    def signal(self, number: int) -> None:
        self._process.send_signal(number)

    def end(self) -> tuple[int, str, str]:
        """Close its input, wait; exit code, standard output and standard error."""
        out, err = self._process.communicate(timeout=PATIENCE_S)
        return self._process.returncode, (self._seen["stdout"] + out).decode(), (self._seen["stderr"] + err).decode()

    def wait(self) -> int:
        """Wait, with its input left open."""
        return self._process.wait(PATIENCE_S)

    @property
    def pid(self) -> int:
        return self._process.pid

    def kill(self) -> None:
        if self._process.poll() is None:
            self._process.kill()
        self._process.communicate()


@contextmanager
def process(*arguments: str, **environment: str) -> Iterator[Process]:
    started = Process(*arguments, **environment)
    try:
        yield started
    finally:
        started.kill()


# -- the frame -------------------------------------------------------------------------------------------------------


def test_help_names_every_command_and_loads_nothing_heavy() -> None:
    code = """
import sys
from envhub.cli import main
sys.argv = ["envhub", "--help"]
try:
    main()
except SystemExit as end:
    assert end.code == 0
heavy = {"gymnasium", "numpy", "pydantic", "fastapi", "uvicorn", "httpx", "yaml", "rich.console"} & set(sys.modules)
assert not heavy, heavy
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=PATIENCE_S)
    assert done.returncode == 0, done.stderr
    for command in ("list", "info", "play", "generate", "verify", "new", "serve", "export", "demo"):
        assert f"\n  {command} " in done.stdout
        assert run(command, "--help").exit_code == 0


def test_version_and_module() -> None:
    for command in ([str(Path(sys.executable).with_name("envhub"))], [sys.executable, "-m", "envhub"]):
        done = subprocess.run([*command, "--version"], capture_output=True, text=True, timeout=PATIENCE_S)
        assert (done.returncode, done.stdout, done.stderr) == (0, f"envhub {envhub.__version__}\n", "")


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        (["lst"], "'list'"),
        (["list", "--categry", "games"], "--category"),
        (["info"], "ID"),
        (["info", "sudko-v0"], "Did you mean 'sudoku-v0'?"),
        (["info", "sudoku-v0", "--difficulty", "11"], "1..10"),
        (["list", "--category", "gmes"], "Did you mean 'games'?"),
        (["play", "sudko-v0"], "Did you mean 'sudoku-v0'?"),
        (["play", "sudoku-v0", "--param", "sise=4"], "Did you mean 'size'?"),
        (["play", "sudoku-v0", "--param", "size=5"], "4, 6 or 9, got 5"),
        (["play", "sudoku-v0", "--param", "size"], "name=value, got 'size'"),
        (["play", "sudoku-v0", "--param", "split=test"], "'split' is an option"),
        (["play", "sudoku-v0", "--param", "size=4", "--param", "size=6"], "given twice"),
        (["play", "sudoku-v0", "--split", "tran"], "Did you mean 'train'?"),
        (["play", "sudoku-v0", "--seed", "-1"], "0..2**63-1, got -1"),
        (["play", "sudoku-v0", "--answer-format", "tags"], "Did you mean 'tag'?"),
        (["play", "sudoku-v0", "--script", "none.txt"], "'none.txt' cannot be read: No such file"),
        (["play", "sudoku-v0", "--url", "http://127.0.0.1:port"], "is not a URL"),
        (["demo", "--episodes", "0"], "greater than or equal to 1"),
        (["serve", "--host", "0.0.0.0"], "beyond loopback"),
        (["serve", "--port", "65536"], "--port: Input should be less than or equal to 65535, got 65536"),
        (["serve", "--max-batch", "0"], "--max-batch: "),
    ],
)
def test_bad_usage_says_what_is_wrong_and_what_is_near(arguments: Sequence[str], hint: str) -> None:
    assert hint in refused(run(*arguments))


def test_text_of_others_does_not_steer_the_terminal() -> None:
    assert plain("a\x1b[2J\r\tb\n\x9b\u202e\udc80") == "a\\x1b[2J\\r\tb\n\\x9b\\u202e\\udc80"
    assert plain("\u00e9 \u2550 [bold]") == "\u00e9 \u2550 [bold]"


# -- list and info ---------------------------------------------------------------------------------------------------


def test_list() -> None:
    shown = run("list")
    assert shown.exit_code == 0
    lines = shown.stdout.splitlines()
    for id in builtin_ids():
        assert [line for line in lines if line.split()[:1] == [id]], id  # one line each, also when piped
    assert json.loads(run("list", "--json").stdout)[0].keys() == {
        "id",
        "category",
        "source",
        "extras",
        "description",
        "error",
    }
    assert [line["id"] for line in json.loads(run("list", "--json").stdout)] == list_envs()
    assert [line["id"] for line in json.loads(run("list", "--category", "logic", "--json").stdout)] == list_envs(
        "logic"
    )


def test_an_environment_that_cannot_be_loaded_hides_no_other() -> None:
    register("broken-v0", "envhub_has_no_such_module:Broken", extras=("docker",))
    try:
        shown, listed = run("list"), json.loads(run("list", "--json").stdout)
    finally:
        unregister("broken-v0")
    assert shown.exit_code == 0
    assert "cannot be used: broken-v0 needs more: pip install 'envhub[docker]'" in shown.stdout
    assert "sudoku-v0" in shown.stdout
    assert [line["id"] for line in listed if line["error"]] == ["broken-v0"]


@pytest.mark.parametrize("id", list(filter(self_contained, builtin_ids())))
def test_info(id: str) -> None:
    about = json.loads(run("info", id, "--difficulty", "7", "--seed", "5", "--json").stdout)
    env = envhub.make(id, difficulty=7)
    prompt, _ = env.reset(seed=5)
    assert about["sample"] == {"difficulty": 7, "split": "train", "seed": 5, "prompt": prompt}
    assert list(about["difficulties"]) == [str(level) for level in range(1, 11)]
    shown = run("info", id, "--difficulty", "7", "--seed", "5")
    assert shown.exit_code == 0
    assert prompt in shown.stdout
    assert about["rules"] in shown.stdout
    for param in about["params"]:
        assert param["description"] in shown.stdout
        assert all(param["name"] in level for level in about["difficulties"].values())
    for level in about["difficulties"]:
        assert [line for line in shown.stdout.splitlines() if line.split()[:1] == [level]]


def test_info_without_a_file_that_is_needed_has_no_sample_and_says_why() -> None:
    shown = run("info", "dataset-v0")
    assert shown.exit_code == 0
    assert 'make("dataset-v0", path="questions.jsonl")' in shown.stdout.partition("A prompt")[2]
    about = json.loads(run("info", "dataset-v0", "--json").stdout)
    assert about["sample"] is None
    assert "path=" in about["no_sample"]
    assert "no_sample" not in json.loads(run("info", "arithmetic-v0", "--json").stdout)


@pytest.mark.parametrize(
    ("schema", "said"),
    [
        ({"type": "integer", "minimum": 1, "maximum": 9}, "integer 1..9"),
        ({"type": "integer", "minimum": 1}, "integer 1.."),
        ({"type": "number", "exclusiveMinimum": 0}, "number above 0.."),
        ({"enum": [4, 6, 9], "type": "integer"}, "4, 6, 9"),
        ({"const": "any", "type": "string"}, "any"),
        ({"anyOf": [{"type": "integer"}, {"type": "null"}]}, "integer or null"),
        ({"type": "array", "items": {"type": "string"}}, "list of string"),
        ({"type": "string", "pattern": "^[ab]$"}, "string ^[ab]$"),
        ({"$ref": "#/$defs/Colour"}, "Colour"),
        ({}, "any"),
    ],
)
def test_values_of_a_parameter(schema: dict[str, Any], said: str) -> None:
    assert values(schema) == said


# -- play ------------------------------------------------------------------------------------------------------------


def solution(id: str, **settings: Any) -> list[str]:
    """The oracle's actions."""
    env = envhub.make(id, **{key: value for key, value in settings.items() if key != "seed"})
    env.reset(seed=settings["seed"])
    actions: list[str] = []
    over = False
    while not over:
        actions.append(env.solve())
        _, _, terminated, truncated, _ = env.step(actions[-1])
        over = terminated or truncated
    return actions


def script_of(actions: Sequence[str]) -> str:
    return "".join(f"{json.dumps(action)}\n" for action in actions)


@pytest.mark.parametrize("id", list(filter(self_contained, builtin_ids())))
def test_a_script_plays_the_same_here_and_on_a_server(id: str, url: str, tmp_path: Path) -> None:
    script = tmp_path / "script.txt"
    for lines, code in ((script_of(solution(id, difficulty=2, seed=4)), 0), ("17\n\nnothing to read\n", 1)):
        script.write_text(lines)
        command = ["play", id, "--difficulty", "2", "--seed", "4", "--script", str(script)]
        here, there = run(*command), run(*command, "--url", url)
        assert (here.exit_code, there.exit_code) == (code, code), here.output + there.output
        assert here.stdout.partition("The same task again")[0] == there.stdout.partition("The same task again")[0]
        assert ("Solved: score 1.000, status graded" in here.stdout) == (code == 0)
        here, there = run(*command, "--json"), run(*command, "--json", "--url", url)
        assert here.stderr == there.stderr == ""
        transcript = json.loads(here.stdout)
        assert transcript == json.loads(there.stdout)
        assert transcript["solved"] == (code == 0)
        assert transcript["task"]["seed"] == 4
    assert httpx.get(f"{url}/ready").json()["episodes"] == 0  # whoever leaves cleans up


def test_the_options_of_play_arrive(url: str) -> None:
    options = ["--split", "test", "--param", "terms=2", "--param", "operators=+", "--answer-format", "boxed"]
    expected = envhub.make("arithmetic-v0", split="test", terms=2, operators="+", answer_format="boxed").reset(seed=1)[
        0
    ]
    for more in ([], ["--url", url]):
        shown = run("play", "arithmetic-v0", "--seed", "1", *options, *more, said="/quit\n")
        assert expected in shown.stdout


def test_standard_input_is_a_script_too() -> None:
    said = "/solve\n" + script_of(solution("guess-number-v0", difficulty=1, seed=3))
    shown = run("play", "guess-number-v0", "--difficulty", "1", "--seed", "3", "--script", "-", said=said)
    assert shown.exit_code == 0
    assert "The oracle would say:\n<answer>100</answer>" in shown.stdout


def test_the_oracle_stays_at_home(url: str) -> None:
    shown = run("play", "sudoku-v0", "--difficulty", "1", "--seed", "0", "--url", url, "--script", "-", said="/solve\n")
    assert shown.exit_code == 1
    assert "The oracle is not available over --url: a server never sends solutions." in shown.stdout
    (answer,) = solution("sudoku-v0", difficulty=1, seed=0)
    assert answer not in shown.stdout


def test_a_person_types_lines_and_finishes_with_an_empty_one() -> None:
    (answer,) = solution("sudoku-v0", difficulty=1, seed=2)
    command = ["play", "sudoku-v0", "--difficulty", "1", "--seed", "2"]
    assert "finish it with an empty line" in run(*command).stdout
    for end in ("\n\n", "\n.\n", ""):  # an empty line, a dot, the end of the input
        shown = run(*command, said=f"\n.\n/hlep\n/help\n{answer}{end}")
        assert shown.exit_code == 0, shown.output
        assert "No command '/hlep'; there are /help, /solve, /quit. Did you mean '/help'?" in shown.stdout
        assert "show the oracle's next action" in shown.stdout
        assert "[reward 1]" in shown.stdout


def test_json_of_a_person_stands_alone_on_standard_output() -> None:
    shown = run("play", "arithmetic-v0", "--seed", "1", "--json", said="5\n\n")
    assert json.loads(shown.stdout)["turns"][0]["action"] == "5"
    assert "Compute the value" in shown.stderr


def test_who_leaves_can_come_back() -> None:
    shown = run("play", "guess-number-v0", "--param", "high=50", said="/quit\n")
    assert shown.exit_code == 1
    again = shown.stdout.rpartition("The same task again: envhub ")[2].split()
    assert run(*again, said="/quit\n").stdout == shown.stdout


def test_any_bytes_are_an_action() -> None:
    shown = run("play", "arithmetic-v0", "--seed", "1", "--script", "-", said=b"\xff\x1b[2J\x00\n")
    assert shown.exit_code == 1
    assert "> \ufffd\\x1b[2J\\x00" in shown.stdout
    assert "Not solved: score 0.000, status no_answer, reason unreadable, 1 turn." in shown.stdout


def test_ctrl_c_loses_no_turn() -> None:
    with process("play", "guess-number-v0", "--seed", "1", "--json") as started:
        started.type("50\n\n")
        started.read_until("[reward 0]\n", "stderr")
        started.signal(signal.SIGINT)
        code = started.wait()
        _, out, err = started.end()
    assert code == 130
    assert [turn["action"] for turn in json.loads(out)["turns"]] == ["50"]
    assert "Stopped. The same task again: envhub play guess-number-v0" in err
    assert "Traceback" not in err


def test_a_server_that_is_not_there() -> None:
    with socket.socket() as taken:  # bound and not listening: nobody else gets the port
        taken.bind(("127.0.0.1", 0))
        result = run("play", "sudoku-v0", "--url", f"http://127.0.0.1:{taken.getsockname()[1]}")
    assert "The server cannot be reached" in refused(result)


def test_scripts() -> None:
    lines = ["50\r\n", "\n", '"1 2\\n3 4"\n', "/solve \n", '"/solve"\n', "  7", "\u2028"]
    assert list(read_script(lines)) == [
        Action("50"),
        Action("1 2\n3 4"),
        Command("solve"),
        Action("/solve"),
        Action("  7"),
    ]
    with pytest.raises(InvalidParameters, match="Line 2 of the script begins with a quotation mark"):
        list(read_script(["1\n", '"open\n']))


def test_params() -> None:
    given = ["a=1", "b=x=y", 'c="1"', "d=[1, 2]", "e=", "f=true"]
    assert read_params(given) == {"a": 1, "b": "x=y", "c": "1", "d": [1, 2], "e": "", "f": True}


# -- serve -----------------------------------------------------------------------------------------------------------


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
    assert f"Port {port} of 127.0.0.1 cannot be bound: Address already in use. Choose another with --port" in err
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
        told = help.partition(f"--{name.replace('_', '-')} ")[2].partition(" --")[0]
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
