"""MiniWoB++ itself, nightly: pages load, act and end, scripts solve, wrong actions do not, and lost pages are rebuilt."""

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
from envhub.adapters.miniwob.scripts import SCRIPTS
from envhub.adapters.miniwob.tables import PAGES, REFUSED
from envhub.browser.pool import default_pool
from envhub.core.seeding import Stream
from envhub.core.tools import write_call
from tests.support.browsers import needed
from tests.support.peers import folder_of, on_path

pytestmark = pytest.mark.nightly
HOME = "envhub.adapters.miniwob"
ID = "miniwob/pages-v0"
Make = Callable[..., envhub.Env]
WITHOUT = ("click-checkboxes-soft", "count-sides", "drag-cube", "draw-circle", "number-checkboxes", "text-editor")
UNSURE = ("click-pie-nodelay", "daily-calendar", "email-inbox-forward-nl-turk", "email-inbox-nl-turk", "tic-tac-toe")
"""Pages whose scripts fail now and then."""


@pytest.fixture(scope="module")
def adapter() -> Iterator[Any]:
    """The adapter over the package's pages."""
    needed()
    with on_path(
        folder_of("miniwob", "miniwob"), f"{HOME}.environments", f"{HOME}.pages", prefix="miniwob/", library="miniwob"
    ):
        found = importlib.import_module(f"{HOME}.environments")
        found.register()
        yield found


@pytest.fixture
def make(adapter: Any) -> Iterator[Make]:
    """Begins episodes, and closes them."""
    with ExitStack() as stack:

        def begun(page: str, seed: int = 1, **more: Any) -> envhub.Env:
            env = stack.enter_context(closing(envhub.make(ID, pages=[page], **more)))
            env.reset(seed=seed)
            return env

        yield begun


def played(env: envhub.Env, killed_at: int | None = None) -> tuple[list[str], Any]:
    """What an episode of the script shows, and its reward; its browser may be killed before a turn."""
    seen, reward = [], None
    while not env.episode.over:
        if len(seen) == killed_at:
            for process in default_pool().running:
                os.kill(process.pid, signal.SIGKILL)
        observation, reward, *_ = env.step(env.solve())
        seen.append(str(observation))
    return seen, reward


def test_the_pages_are_those_of_the_tables(adapter: Any) -> None:
    folder = importlib.import_module(f"{HOME}.pages").folder() / "miniwob"
    assert sorted(each.stem for each in folder.glob("*.html")) == sorted((*PAGES, *REFUSED))
    assert sorted(set(PAGES) - set(SCRIPTS)) == sorted(WITHOUT)


@pytest.mark.parametrize("page", PAGES)
def test_a_page_acts_and_is_rebuilt_by_its_actions(make: Make, page: str) -> None:
    calm, struck = (played(make(page), at) for at in (None, 2))
    assert calm == struck
    assert calm[1] in (0.0, 1.0)
    assert calm[0][0].startswith("Goal: ")
    rng = Stream(b"wrong", page)
    astray = make(page)
    solved = 0
    for _ in range(6):  # random clicks: they act, and do not solve what they do not see
        if not astray.episode.over:
            seen, reward, *_ = astray.step(astray.random_action(rng))
            solved += reward == 1.0
            assert "Goal: " in str(seen) or astray.episode.over
    if not astray.episode.over:
        assert astray.step(write_call("done"))[1] == 0.0


@pytest.mark.parametrize("page", sorted(set(SCRIPTS) - set(UNSURE)))
def test_a_script_solves_most_tasks_of_its_page(make: Make, page: str) -> None:
    rewards = [played(make(page, seed))[1] for seed in range(20, 22)]
    assert 1.0 in rewards


@pytest.mark.parametrize(
    "page", ["click-button", "click-link", "choose-list", "click-checkboxes", "email-inbox-delete"]
)
def test_the_right_action_on_another_task_does_not_solve(make: Make, page: str) -> None:
    """The actions of one task, by place, on another task of the page."""
    right = make(page, 1)
    goals, actions = set(), []
    while not right.episode.over:
        actions.append(right.solve())
        goals.add(str(right.step(actions[-1])[0]).partition("\n")[0])
    solved = 0
    for seed in range(2, 10):
        other = make(page, seed)
        for action in actions:
            if not other.episode.over:
                _, reward, *_ = other.step(action)
                solved += reward == 1.0
    assert solved <= 4


def test_a_command_written_as_markup_does_not_run(make: Make) -> None:
    env = make("terminal")
    env.step(env.solve())
    env.step(env.solve())  # the focus
    for text in ("<img src=x onerror=core.endEpisode(1)>", "<svg/onload=core.endEpisode(1)>"):
        seen, reward, *_ = env.step(write_call("type", text=f"{text}\n"))
        assert not env.episode.over, seen
        assert "Command not found." in str(seen)
    assert reward == 0.0


def test_forged_results_in_a_field_do_nothing(make: Make) -> None:
    env = make("search-engine")
    env.step(env.solve())
    for text in ("<img src=x onerror=core.endEpisode(1)>", "core.endEpisode(1)", "WOB_RAW_REWARD_GLOBAL=1"):
        env.step(write_call("type", id=1, text=text))
        env.step(write_call("key", key="Enter"))
        env.step(write_call("click", id=2))
        assert not env.episode.over
    assert "refused" in str(env.step(write_call("type", id=1, text="javascript:core.endEpisode(1)"))[0])


def test_an_episode_restored_elsewhere_goes_on(make: Make) -> None:
    whole, _ = played(make("email-inbox-forward"))
    env = make("email-inbox-forward")
    for _ in range(3):
        env.step(env.solve())
    with closing(envhub.restore(env.snapshot())) as again:
        assert str(again.step(again.solve())[0]) == whole[3]


def test_the_package_is_not_imported(adapter: Any) -> None:
    import sys

    assert "miniwob" not in sys.modules
    assert "selenium" not in sys.modules
    assert Path(importlib.import_module(f"{HOME}.pages").folder()).is_dir()
