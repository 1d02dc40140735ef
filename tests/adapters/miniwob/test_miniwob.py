"""The adapter's own rules, on two pages of ours under MiniWoB++'s names, in a real browser."""

from __future__ import annotations

import importlib
import os
import signal
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import pytest

import envhub
from envhub.browser.pool import default_pool
from envhub.core.tools import write_call
from tests.support.browsers import needed
from tests.support.peers import on_path

pytestmark = pytest.mark.slow
HOME = "envhub.adapters.miniwob"
FOLDER = Path(__file__).parents[1] / "stand_in_pages"
ID = "miniwob/pages-v0"
Make = Callable[..., envhub.Env]


@pytest.fixture(scope="module")
def adapter() -> Iterator[Any]:
    """The adapter over our pages."""
    needed()
    with on_path(str(FOLDER), f"{HOME}.environments", f"{HOME}.pages", prefix="miniwob/", library="miniwob"):
        found = importlib.import_module(f"{HOME}.environments")
        found.register()
        yield found


@pytest.fixture
def make(adapter: Any) -> Iterator[Make]:
    """Begins episodes, and closes them."""
    with ExitStack() as stack:

        def begun(page: str, **more: Any) -> envhub.Env:
            env = stack.enter_context(closing(envhub.make(ID, page=page, **more)))
            env.reset(seed=1)
            return env

        yield begun


def did(env: envhub.Env, tool: str, **given: Any) -> str:
    return str(env.step(write_call(tool, **given))[0])


def numbered(seen: str, name: str) -> int:
    """The id of the element with a text."""
    line = next(line for line in seen.splitlines() if line.startswith("[") and f' "{name}"' in line)
    return int(line.split("]")[0].strip("["))


def pressed(env: envhub.Env, name: str) -> tuple[Any, Any]:
    """The reward and the verdict after the button with a name was pressed."""
    number = numbered(did(env, "wait"), name)
    _, reward, _, _, info = env.step(write_call("click", id=number))
    return reward, info.get("verdict")


def test_the_pages_raw_reward_is_the_verdict(make: Make) -> None:
    reward, verdict = pressed(make("click-button"), "okay")
    assert (reward, verdict["solved"], verdict["components"]) == (1.0, True, {"partial": 1.0})
    for name, partial in (("wrong", 0.0), ("half", 0.5)):
        reward, verdict = pressed(make("click-button"), name)
        assert (reward, verdict["solved"], verdict["components"]) == (0.0, False, {"partial": partial})
    assert pressed(make("click-button", success="positive"), "half")[0] == 1.0
    assert pressed(make("click-button", success="positive"), "wrong")[0] == 0.0
    reward, verdict = pressed(make("click-button"), "odd")
    assert (reward != reward, verdict["status"]) == (True, "error")


def test_the_page_neither_ends_by_its_clock_nor_begins_again(make: Make) -> None:
    env = make("click-button")
    seen = did(env, "wait", milliseconds=2500)
    assert '"2 of 2' in seen.replace('"2 of 02', '"2 of 2')
    assert "Goal: Click on the" in seen
    assert '"0"' in did(make("click-button"), "wait")
    for link in ("script", "again", "away"):
        reward, verdict = pressed(env, link)
        assert (reward, verdict) == (0.0, None), link
        assert "okay" in did(env, "wait")
    assert did(env, "click", x=630, y=470)
    assert not env.episode.over
    assert env.step(write_call("done"))[1:3] == (0.0, True)


def test_the_same_seed_draws_the_same_task_and_another_one_another(make: Make, adapter: Any) -> None:
    def drawn(seed: int) -> str:
        env = make("click-button")
        env.reset(seed=seed)
        return did(env, "wait")

    assert drawn(1) == drawn(1) != drawn(2)


def test_typed_text_never_runs(make: Make) -> None:
    env = make("enter-text")
    did(env, "wait")
    for text in (
        "<img src=x onerror=core.endEpisode(1)>",
        "<script>core.endEpisode(1)</script>",
        "<svg onload=core.endEpisode(1)>",
        "<a href='javascript:core.endEpisode(1)'>x</a>",
        "<iframe srcdoc='<script>parent.core.endEpisode(1)</script>'></iframe>",
        "');core.endEpisode(1);//",
    ):
        did(env, "type", id=1, text=text)
        seen = did(env, "click", id=2)
        assert not env.episode.over, text
        for line in [line for line in seen.splitlines() if '"x"' in line]:
            did(env, "click", id=int(line.split("]")[0].strip("[")))
    assert "refused" in did(env, "type", id=1, text=" JavaScript:core.endEpisode(1)")
    for language, action in (
        ("ui-tars", "Action: type(content='javascript:core.endEpisode(1)')"),
        ("agentcpm-gui", '{"TYPE":"javascript:core.endEpisode(1)"}'),
        ("browsergym", "keyboard_type('javascript:core.endEpisode(1)')"),
    ):
        assert "refused" in str(make("enter-text", tool_format=language).step(action)[0]), language
    assert "Unknown key" in did(env, "key", key="F12")
    assert "Unknown key" in did(env, "key", key="Control+Shift+I")
    assert not env.episode.over
    did(env, "type", id=1, text="Ann")
    assert "success" in did(env, "click", id=2)


def test_texts_are_typed_key_by_key(make: Make) -> None:
    env = make("enter-text")
    did(env, "wait")
    assert '".Ann"' in did(env, "type", id=1, text="Ann")


def test_a_browser_that_is_killed_loses_nothing(make: Make) -> None:
    calm, struck = make("click-button"), make("click-button")
    for turn in range(4):
        if turn == 2:
            for process in default_pool().running:
                os.kill(process.pid, signal.SIGKILL)
        assert did(struck, "wait", milliseconds=700) == did(calm, "wait", milliseconds=700)
    assert pressed(struck, "okay")[0] == 1.0
    assert struck.snapshot()["task"] == calm.snapshot()["task"]
    again = envhub.restore(struck.snapshot())
    assert again.episode.over
    assert again.messages == struck.messages


def test_pictures_marks_and_other_languages(make: Make) -> None:
    for observation in ("image", "marks", "both"):
        env = make("click-button", observation=observation)
        seen, _, _, _, info = env.step(write_call("wait"))
        assert (len(info["images"]), "Goal: " in seen, "button" in seen.partition("\n")[2]) == (
            1,
            True,
            observation == "both",
        )
        assert info["trusts_page"] is True
    env = make("click-button", tool_format="browsergym")
    seen = str(env.step("noop()")[0])
    assert env.step(f"click('{numbered(seen, 'okay')}')")[1] == 1.0
    env = make("click-button", tool_format="ui-tars")
    seen = str(env.step("Action: wait()")[0])
    x, y = next(line for line in seen.splitlines() if 'button "okay"' in line).split("(")[1].split(")")[0].split(", ")
    assert env.step(f"Action: click(start_box='({x},{y})')")[1] == 1.0


def test_too_many_messages_score_0(make: Make) -> None:
    env = make("click-button")
    for _ in range(env.task.problem["messages"]):
        _, reward, terminated, *_ = env.step("no call")
    assert (reward, terminated) == (0.0, True)
