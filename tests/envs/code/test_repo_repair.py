"""repo-repair-v0: the tools, what the verdict is about, and what becomes of an episode whose session is taken away."""

from __future__ import annotations

from typing import Any

import pytest

import envhub
from envhub.authoring import write_call
from envhub.envs.code.repo_repair.environment import RepoRepair
from envhub.gymnasium.env import Env
from tests.envs.code.lives import jailed, survives

pytestmark = pytest.mark.usefixtures("jailed")
__all__ = ["jailed"]
SUBMIT = write_call("submit")


def begun(level: int = 3, seed: int = 4) -> Env:
    env = envhub.make("repo-repair-v0", difficulty=level)
    env.reset(seed=seed)
    return env


def mended(env: Env) -> Env:
    """The same episode with every fault mended."""
    twin = env.fork()
    for path, wrong, right in env.episode.instance.key["repairs"]:
        twin.step(write_call("edit_file", path=path, old=wrong, new=right))
    return twin


def uncounted(observation: str) -> str:
    """An observation without the number of messages left."""
    return observation.rpartition("\n\nMessages left: ")[0]


def edit(env: Env, path: str, old: str, new: str) -> str:
    return uncounted(env.step(write_call("edit_file", path=path, old=old, new=new))[0])


def write(env: Env, path: str, text: str) -> str:
    return uncounted(env.step(write_call("write_file", path=path, text=text))[0])


def submitted(env: Env) -> dict[str, Any]:
    _, reward, terminated, _, info = env.step(SUBMIT)
    verdict: dict[str, Any] = info["verdict"]
    assert terminated
    assert reward == verdict["score"]
    return verdict


def faulty(env: Env) -> str:
    return str(env.episode.instance.key["repairs"][0][0])


@pytest.mark.parametrize("level", [1, 10])
def test_what_is_mended_is_right_and_what_is_not_is_not(level: int) -> None:
    env = begun(level)
    as_it_is = submitted(env.fork())
    assert (as_it_is["score"], as_it_is["status"], as_it_is["components"]["regressions"]) == (0.0, "graded", 0.0)
    assert 0 < as_it_is["components"]["passed"] < 1
    assert submitted(mended(env))["components"] == {"passed": 1.0, "regressions": 0.0}


def test_half_of_the_faults_mended_is_not_enough() -> None:
    env = begun(7)
    path, wrong, right = env.episode.instance.key["repairs"][0]
    before = submitted(env.fork())["components"]["passed"]
    edit(env, path, wrong, right)
    verdict = submitted(env)
    assert verdict["score"] == 0.0
    assert before < verdict["components"]["passed"] < 1.0


def test_the_tools() -> None:
    env = begun()
    listed = env.step(write_call("list_files"))[0]
    assert all(path in listed for path in env.task.problem["files"])
    path = faulty(env)
    text = env.task.problem["files"][path]
    shown = uncounted(env.step(write_call("read_file", path=path, start=2, lines=2))[0])
    assert shown == "\n".join(f"{n:4}  {row}" for n, row in enumerate(text.split("\n"), 1) if n in (2, 3))
    assert "has" in env.step(write_call("read_file", path=path, start=5000))[0]
    assert "occurs 0 times" in edit(env, path, "no such text", "x")
    assert "occurs 0 times" in edit(env, path, "", "x")
    assert "Nothing was changed" in edit(env, path, "\n", "x")
    assert edit(env, path, text.split("\n")[0], '"""Another."""') == f"{path} was changed."
    assert uncounted(env.step(write_call("read_file", path=path, lines=1))[0]) == '   1  """Another."""'
    assert write(env, "notes/a.txt", "x") == "notes/a.txt was written."
    assert "notes/a.txt (1)" in env.step(write_call("list_files"))[0]
    name = env.task.problem["name"]
    assert uncounted(env.step(write_call("search", text="def run(", below=name))[0]).count("def run(") == 1
    assert "No line" in env.step(write_call("search", text="$(touch x)' ; touch y"))[0]
    assert "notes/a.txt (1)" in env.step(write_call("list_files"))[0]


@pytest.mark.parametrize("path", ["", "/etc/passwd", "../x", "a\x00b", "a" * 300, "no/such", "tests", "a//b", "\u202e"])
def test_paths_that_lead_nowhere_are_answered(path: str) -> None:
    env = begun()
    assert "There is no file" in env.step(write_call("read_file", path=path))[0]
    assert "There is no file" in edit(env, path, "a", "b")
    assert env.step(write_call("write_file", path=path, text="x"))[2:4] == (False, False)


def test_tests_show_what_the_package_does_and_no_times() -> None:
    env = begun()
    for twin in (env, mended(env)):
        shown = twin.step(write_call("run", command="python3 -B -m unittest"))[0]
        assert "\nRan " in shown
        assert uncounted(shown) == uncounted(twin.step(write_call("run", command="python3 -B -m unittest"))[0])
    assert uncounted(shown).endswith("OK")


def test_the_report_is_what_the_command_prints() -> None:
    """The user's words are true, and after the repair the program prints what the user expected."""
    for seed in range(6):
        env = begun(1, seed)
        (told,) = env.task.problem["issues"]
        if told["kind"] != "line" or told["saves"]:
            continue
        before = env.step(write_call("run", command=told["command"]))[0]
        after = mended(env).step(write_call("run", command=told["command"]))[0]
        assert told["got"].strip() in before
        assert told["want"].strip() in after
        assert told["want"].strip() not in before
        return
    raise AssertionError("no report of a line among six tasks")


def attacks(env: Env) -> dict[str, dict[str, str]]:
    name, path = env.task.problem["name"], faulty(env)
    text = env.task.problem["files"][path]
    way, (arguments, _) = env.episode.instance.key["calls"][0]
    entry = way.removesuffix(".run").replace(".", "/") + ".py"
    known = env.episode.instance.key["expected"][0]
    program = env.task.problem["files"][entry]
    first = next(p for p in env.task.problem["files"] if p.startswith("tests/"))
    equal = "class E:\n    __eq__ = lambda s, o: True\n    __hash__ = None\n"
    return {
        "tests that always pass": {first: "import unittest\n"},
        "start-up files": dict.fromkeys(("sitecustomize.py", "conftest.py", "x.pth"), f"import {name}\n"),
        "another main module": {"main.py": "def call(way, args): return None\n"},
        "a module of the library": {"importlib.py": "def import_module(name): raise SystemExit(0)\n"},
        "a second package": {f"{name}.py": "x = 1\n", f"{name}/extra.py": "x = 1\n"},
        "an end at once": {path: "import os; os._exit(0)\n"},
        "an exit": {path: "raise SystemExit(0)\n"},
        "an endless loop": {path: "while True: pass\n"},
        "what equals everything": {
            path: text + equal + "for k in list(globals()):\n    if k[0] != '_': globals()[k] = E()\n"
        },
        "answers on the way out": {path: "import sys\nsys.stdout.write('[]' * 1000)\nsys.stderr.write('ok')\n" + text},
        "a hole in the files": {path: ""},
        "no Python": {path: "\x00\x01 not python"},
        "one answer by heart": {
            entry: f"{program}\n_run = run\n\n\ndef run(a, t):\n    return {known!r} if a == {arguments!r} else _run(a, t)\n"
        },
        "errors silenced": {
            entry: f"{program}\n_run = run\n\n\ndef run(a, t):\n    try:\n        return _run(a, t)\n"
            "    except Exception:\n        return [0, '', t]\n"
        },
    }


ATTACKS = (
    "tests that always pass",
    "start-up files",
    "another main module",
    "a module of the library",
    "a second package",
    "an end at once",
    "an exit",
    "an endless loop",
    "what equals everything",
    "answers on the way out",
    "a hole in the files",
    "no Python",
    "one answer by heart",
    "errors silenced",
)


@pytest.mark.parametrize("what", ATTACKS)
def test_nothing_but_mending_helps(what: str) -> None:
    env = begun(1)
    for path, text in attacks(env)[what].items():
        write(env, path, text)
    verdict = submitted(env)
    assert (verdict["score"], verdict["solved"], verdict["status"]) == (0.0, False, "graded")


def test_what_does_not_count_does_no_harm_either() -> None:
    env = mended(begun(1))
    for what in ("tests that always pass", "start-up files", "another main module", "a module of the library"):
        for path, text in attacks(env)[what].items():
            write(env, path, text)
    assert submitted(env)["solved"]


def test_what_is_broken_on_the_way_is_a_regression() -> None:
    env = mended(begun(3))
    files = env.task.problem["files"]
    path = next(path for path in env.task.problem["modules"] if "def aligned(" in files[path])
    edit(env, path, "def aligned(", "def aligned_(")
    verdict = submitted(env)
    assert verdict["score"] == 0.0
    assert verdict["components"]["regressions"] > 0


def test_code_that_stands_in_the_way_of_files_is_answered() -> None:
    env = begun(1)
    first = next(p for p in env.task.problem["files"] if p.startswith("tests/"))
    hostile = "import os, shutil\nshutil.rmtree('tests')\nopen('tests', 'w').close()\nos.makedirs('d')\n"
    write(env, first, hostile)
    env.step(write_call("run", command="python3 -m unittest"))
    assert "cannot be written" in write(env, first, "x")
    assert "cannot be written" in write(env, "d", "x")
    assert submitted(env)["status"] == "graded"


def test_the_turns_run_out() -> None:
    env = begun(1)
    for _ in range(RepoRepair.max_turns):
        _, reward, _, truncated, info = env.step(write_call("list_files"))
    assert (reward, truncated, info["verdict"]["reason"]) == (0.0, True, "turn_limit")


def test_an_episode_outlives_its_session() -> None:
    def actions(env: Env) -> list[str]:
        path, wrong, right = env.episode.instance.key["repairs"][0]
        return [
            write_call("list_files"),
            write_call("run", command="python3 -B -m unittest"),
            write_call("edit_file", path=path, old=wrong, new=right),
            write_call("read_file", path=path),
            write_call("write_file", path="more/x.txt", text="x"),
            write_call("list_files") + write_call("run", command="python3 -B -m unittest"),
            SUBMIT,
        ]

    seen = survives("repo-repair-v0", actions)
    assert seen[-1][1] == 1.0
    assert "more/x.txt" in seen[5][0]
