"""The registry suite: every environment, plug-ins included, keeps the whole contract."""

from __future__ import annotations

import fcntl
import json
import os
import subprocess
import sys
from contextlib import ExitStack
from functools import cache

import pytest
from hypothesis import given, settings, strategies as st

import envhub
from envhub.audit import CHECKS, Subject, digests, judgements, play
from envhub.registry.registry import builtin_ids
from tests.support.kernels import needed
from tests.support.places import TESTS

Digests = dict[str, dict[str, dict[str, list[str]]]]  # by environment, part and level
GOLDEN = TESTS / "golden" / "digests.json"
JUDGEMENTS = GOLDEN.with_name("judgements.json")
DRAWN_ANEW = ("key_is_the_task",)
"""Checks that draw one task twice and compare: of two from a cache the second would be the first."""
DIGEST = "import json, sys; from envhub.audit import digests; print(json.dumps({i: digests(i) for i in sys.argv[1:]}))"


@pytest.fixture(autouse=True)
def _kernel(env_id: str) -> None:
    """The kernel that judges it, if one does."""
    needed(env_id)


@pytest.fixture(scope="session")
def elsewhere(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> list[Digests]:
    """The digests of the environments of this run, computed in two fresh processes with different hash seeds.

    Once for all processes that run tests: the first of them computes, and the others wait.
    """
    asking = test_gives_the_same_tasks_in_every_process.__name__
    items = (item for item in request.session.items if isinstance(item, pytest.Function))
    ids = [item.callspec.params["env_id"] for item in items if item.originalname == asking]
    own = tmp_path_factory.getbasetemp()
    shared = own.parent if hasattr(request.config, "workerinput") else own  # of one run, whoever started it
    with (shared / "digests.json").open("a+") as file:
        fcntl.flock(file, fcntl.LOCK_EX)  # let go when the file is closed
        file.seek(0)
        if not (known := file.read()):
            known = json.dumps(computed(ids))
            file.write(known)
    found: list[Digests] = json.loads(known)
    return found


def computed(ids: list[str]) -> list[Digests]:
    """The digests that two processes find, side by side."""
    with ExitStack() as stack:
        running = [
            stack.enter_context(
                subprocess.Popen(
                    [sys.executable, "-c", DIGEST, *ids],
                    env={**os.environ, "PYTHONHASHSEED": hash_seed},
                    stdout=subprocess.PIPE,
                    text=True,
                )
            )
            for hash_seed in ("0", "4242")
        ]
        said = [process.communicate()[0] for process in running]
    assert [process.returncode for process in running] == [0, 0]
    return [json.loads(text) for text in said]


@cache
def here(env_id: str) -> dict[str, dict[str, list[str]]]:
    """Its digests, computed in this process."""
    return digests(env_id)


@pytest.mark.parametrize("name", CHECKS)
def test_keeps_the_contract(env_id: str, name: str, request: pytest.FixtureRequest) -> None:
    if name not in DRAWN_ANEW:
        request.getfixturevalue("drawn_once")
    CHECKS[name](Subject(env_id))


@pytest.mark.slow
def test_gives_the_same_tasks_in_every_process(env_id: str, elsewhere: list[Digests]) -> None:
    assert elsewhere[0][env_id] == elsewhere[1][env_id] == here(env_id)


@pytest.mark.parametrize(
    ("part", "change"),
    [
        ("problem", "its problems have changed, which takes a new version"),
        ("prompt", "its prompts have changed: read them, then record them anew"),
    ],
)
def test_gives_the_tasks_that_are_on_record(env_id: str, part: str, change: str) -> None:
    if env_id not in builtin_ids():
        pytest.skip(f"{env_id} is a plug-in: its golden digests are its own affair")
    golden = json.loads(GOLDEN.read_text())
    assert env_id in golden, f"record its digests: python {TESTS}/golden/record.py {env_id}"
    assert here(env_id)[part] == golden[env_id][part], change


@pytest.mark.usefixtures("drawn_once")
def test_judges_as_it_is_on_record(env_id: str) -> None:
    if env_id not in builtin_ids():
        pytest.skip(f"{env_id} is a plug-in: its golden digests are its own affair")
    golden = json.loads(JUDGEMENTS.read_text())
    assert judgements(env_id) == golden[env_id], "its rules, feedback or verifier have changed: record them anew"


@pytest.mark.usefixtures("drawn_once")
@settings(max_examples=40)
@given(data=st.data())
def test_never_fails_on_any_action(env_id: str, data: st.DataObject) -> None:
    text = st.text() | st.text(alphabet="0123456789 +-*/()=.,<>answer{}\\boxed\n[]\"'$|") | st.binary().map(repr)
    actions = data.draw(st.lists(text, min_size=1, max_size=4))
    wrapped = st.sampled_from(["{}", "<answer>{}</answer>", "\\boxed{{{}}}", "<tool_call>{}</tool_call>"])
    shaped = [data.draw(wrapped).format(action) for action in actions]
    env = envhub.make(env_id, difficulty=2)
    env.reset(seed=data.draw(st.integers(0, 50)))
    verdict = play(env, (shaped[i % len(shaped)] for i in range(env.environment.max_turns)))
    assert verdict.status in ("graded", "no_answer")
