"""swe-dataset-v0 on images of a real daemon: four formats, the tools, the verdict, and what a policy may try."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from envhub.authoring import write_call
from envhub.gymnasium.env import Env
from tests.envs.code.swe.images import SLUG

pytestmark = pytest.mark.slow
Begin = Callable[..., Env]
SUBMIT = write_call("submit")
FIXED = SLUG["slug/text.py"].replace('text.split(" ")', "text.lower().split()")


def submitted(env: Env) -> dict[str, Any]:
    _, _, terminated, truncated, info = env.step(SUBMIT)
    assert terminated or truncated  # an error truncates
    verdict: dict[str, Any] = info["verdict"]
    env.close()
    return verdict


def write(env: Env, path: str, text: str) -> str:
    return str(env.step(write_call("write_file", path=path, text=text))[0])


@pytest.mark.parametrize("number", range(4))
def test_the_repair_of_each_format_solves_it_and_nothing_else_does(begun: Begin, number: int) -> None:
    idle = submitted(begun(number))
    assert (idle["score"], idle["status"]) == (0.0, "graded"), idle["error"]
    env = begun(number)
    while not env.episode.over:
        _, reward, *_, info = env.step(env.solve())
    env.close()
    assert reward == 1.0, info["verdict"]


def test_tools(begun: Begin) -> None:
    env = begun(0)
    assert "./slug/text.py" in env.step(write_call("list_files"))[0]
    assert "2      return" in env.step(write_call("read_file", path="slug/text.py"))[0]
    assert "slug/text.py:1: " not in env.step(write_call("search", text="no such text"))[0]
    assert "slug/text.py:1:def slug(text):" in env.step(write_call("search", text="def slug"))[0]
    assert "2 passed" in env.step(write_call("run", command="python3 -m pytest tests"))[0]
    assert "does not apply" in env.step(write_call("apply_patch", patch="--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n"))[0]
    assert "[exit status 3]" in env.step(write_call("run", command="exit 3"))[0]
    assert "was changed" in env.step(write_call("edit_file", path="slug/text.py", old='split(" ")', new="split()"))[0]
    assert "was written" in write(env, "slug/text.py", FIXED)
    assert submitted(env)["score"] == 1.0


def test_the_hidden_tests_in_images_of_r2e_gym_are_not_seen(begun: Begin) -> None:
    env = begun(3)
    shown = env.step(write_call("run", command="ls; cat run_tests.sh r2e_tests/test_1.py"))[0]
    assert "ring" in shown
    assert "secret" not in shown
    assert shown.count("No such file") == 2
    env.close()


FORGER = "import _pytest.reports as r\nr.TestReport.outcome = property(lambda s: 'passed', lambda s, v: None)\n"
HOOKS = (
    "import pytest\n\n\n@pytest.hookimpl(hookwrapper=True)\ndef pytest_runtest_makereport():\n"
    "    got = yield\n    got.get_result().outcome = 'passed'\n"
)
ATTACKS: dict[str, dict[str, str]] = {
    "tests that pass": {"tests/test_slug.py": "def test_case():\n    pass\n\n\ndef test_words():\n    pass\n"},
    "a conftest": {"conftest.py": HOOKS, "tests/conftest.py": HOOKS},
    "settings": {
        "pytest.ini": "[pytest]\naddopts = --collect-only\n",
        "setup.cfg": "[tool:pytest]\naddopts = -p forge\n",
    },
    "a start-up file": {"sitecustomize.py": FORGER, "usercustomize.py": FORGER},
    "another pytest": {"pytest.py": "import sys\nsys.exit(0)\n", "_pytest/__init__.py": ""},
    "another module of the library": {"json.py": "raise SystemExit(0)\n"},
    "an exit": {"slug/__init__.py": "import os\nos._exit(0)\n"},
    "forged reports": {"slug/__init__.py": FORGER + "from slug.text import slug\n"},
    "no tests": {"slug/__init__.py": "import pytest\npytest.skip(allow_module_level=True)\n"},
    "what equals everything": {
        "slug/text.py": "class E(str):\n    __eq__ = None\n\n\ndef slug(text):\n    return E()\n"
    },
}


@pytest.mark.parametrize("name", ATTACKS)
def test_attacks_gain_nothing(begun: Begin, name: str) -> None:
    env = begun(0)
    for path, text in ATTACKS[name].items():
        write(env, path, text)
    verdict = submitted(env)
    assert (verdict["score"], verdict["status"]) == (0.0, "graded"), verdict
    assert ("abuse" in verdict["components"]) == (name == "forged reports")


@pytest.mark.parametrize(
    "command",
    [
        "printf '#!/bin/sh\\nexit 0\\n' > /usr/local/bin/python3; chmod +x /usr/local/bin/python3",
        "echo 'import os; os._exit(0)' > /opt/site/pytest/__init__.py",
        "rm -rf tests; ln -s /dev/null tests",
    ],
)
def test_what_is_done_outside_of_the_repository_stays_there(begun: Begin, command: str) -> None:
    env = begun(0)
    write(env, "slug/text.py", FIXED)
    env.step(write_call("run", command=command))
    assert submitted(env)["score"] == 1.0


def test_tests_that_do_not_end_are_an_error(begun: Begin) -> None:
    env = begun(0, seconds=2.0)
    write(env, "slug/text.py", "def slug(text):\n    while True:\n        pass\n")
    verdict = submitted(env)
    assert (verdict["score"], verdict["status"]) == (None, "error")


def test_an_image_that_is_not_there_is_an_error_and_names_the_command(begun: Begin, instances: Any) -> None:
    row = json.loads((instances / "0.jsonl").read_text())
    (instances / "9.jsonl").write_text(json.dumps({**row, "image_name": "no-such:1"}) + "\n")
    env = begun(9)
    *_, truncated, info = env.step(write_call("list_files"))
    assert truncated
    assert info["verdict"]["status"] == "error"
    assert "docker pull no-such:1" in info["verdict"]["error"]["reason"]


def test_an_episode_is_replayed_in_a_new_container(begun: Begin) -> None:
    env = begun(2)
    env.step(env.solve())
    env.episode.close()  # the container is lost
    assert "[-self.size :]" in env.step(write_call("read_file", path="ring/buffer.py"))[0]
    assert submitted(env)["score"] == 1.0
