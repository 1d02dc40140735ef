"""``envhub play``: by a script, by a person, here and on a server."""

from __future__ import annotations

import json
import signal
import socket
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import httpx
import pytest

import envhub
from envhub.core.errors import InvalidParameters
from envhub.episodes.transcript import Action, Command, read_params, read_script
from tests.cli.commands import process, refused, run
from tests.support.chosen import everything, marks

pytestmark = pytest.mark.usefixtures("elsewhere")


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


@pytest.mark.slow
@pytest.mark.parametrize("id", [pytest.param(id, marks=marks(id)) for id in everything()])
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


@pytest.mark.slow
def test_the_options_of_play_arrive(url: str) -> None:
    options = ["--split", "test", "--param", "terms=2", "--param", "operators=+", "--answer-format", "boxed"]
    expected = envhub.make("arithmetic-v0", split="test", terms=2, operators="+", answer_format="boxed").reset(seed=1)[
        0
    ]
    for more in ([], ["--url", url]):
        shown = run("play", "arithmetic-v0", "--seed", "1", *options, *more, said="/quit\n")
        assert expected in shown.stdout


@pytest.mark.slow
def test_the_format_of_tool_calls_can_be_pinned(url: str) -> None:
    expected = envhub.make("browse-v0", difficulty=1, tool_format="harmony").reset(seed=1)[0]
    command = ["play", "browse-v0", "--difficulty", "1", "--seed", "1", "--tool-format", "harmony"]
    for more in ([], ["--url", url]):
        shown = run(*command, *more, said='<tool_call>{"name": "back"}</tool_call>\n.\n/quit\n')
        assert expected in shown.stdout
        assert "holds a call in the format hermes" in shown.stdout
        assert "--tool-format harmony" in shown.stdout  # how to play the same again
    refused = run("play", "sudoku-v0", "--tool-format", "hermes")
    assert refused.exit_code == 2
    assert "has no tools" in refused.stderr


def test_standard_input_is_a_script_too() -> None:
    said = "/solve\n" + script_of(solution("guess-number-v0", difficulty=1, seed=3))
    shown = run("play", "guess-number-v0", "--difficulty", "1", "--seed", "3", "--script", "-", said=said)
    assert shown.exit_code == 0
    assert "The oracle would say:\n<answer>100</answer>" in shown.stdout


@pytest.mark.slow
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


def test_an_action_of_one_line_is_played_at_once() -> None:
    shown = run("play", "guess-number-v0", "--difficulty", "1", "--seed", "1", said="5\n/help\n6\n\n.\n7\n")
    assert shown.stdout.count("[reward 0]") == 3
    assert "Type an action and press Enter." in shown.stdout


def test_json_of_a_person_stands_alone_on_standard_output() -> None:
    shown = run("play", "arithmetic-v0", "--seed", "1", "--wording", "0", "--json", said="5\n\n")
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


@pytest.mark.slow
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


def test_an_agent_can_be_watched() -> None:
    command = ["play", "guess-number-v0", "--difficulty", "1", "--seed", "3", "--watch"]
    shown = run(*command, "oracle")
    assert shown.exit_code == 0
    for action in solution("guess-number-v0", difficulty=1, seed=3):
        assert f"\n> {action}\n" in shown.stdout
    told = json.loads(run(*command, "random", "--json").stdout)
    assert told == json.loads(run(*command, "random", "--json").stdout)
    assert told["over"]


@pytest.mark.parametrize(
    ("given", "says"),
    [
        (["--watch", "orcle"], "Did you mean 'oracle'?"),
        (["--watch", "oracle", "--script", "-"], "--watch cannot be combined with --script."),
        (["--watch", "oracle", "--url", "http://127.0.0.1:1"], "a server never sends solutions"),
    ],
)
def test_watching_needs_an_agent_and_nothing_else(given: list[str], says: str) -> None:
    assert says in refused(run("play", "sudoku-v0", *given))
