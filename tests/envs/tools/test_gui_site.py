"""gui-site-v0: goals reached by their words alone, side effects, forged requests, and the real browser."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Iterator
from typing import Any

import pytest

import envhub
from envhub.browser.pool import default_pool
from envhub.browser.site import Request
from envhub.core.errors import InvalidParameters
from envhub.core.tools import write_call
from envhub.envs.tools.gui_site.site import APPS, WholeSite
from envhub.gymnasium.env import Env
from envhub.verifiers.answers.phrases import is_one_of
from tests.envs.tools.sites import SOLVERS, reach
from tests.support.browsers import needed
from tests.support.visitor import Visitor

SITE = WholeSite()


def begun(site: str, seed: int, level: int, **more: Any) -> Env:
    env = envhub.make("gui-site-v0", difficulty=level, sites=(site,), **more)
    env.reset(seed=seed)
    return env


def tasks(site: str, level: int, count: int) -> Iterator[tuple[Any, Any]]:
    """Problems with their keys."""
    for seed in range(count):
        env = begun(site, seed, level)
        yield env.task.problem, env.episode.instance.key


def reached(visitor: Visitor, goals: list[str]) -> str | None:
    answers = [answer for answer in [reach(visitor, goal) for goal in goals] if answer is not None]
    return answers[0] if answers else None


@pytest.mark.parametrize("level", [1, 5, 10])
@pytest.mark.parametrize("site", APPS)
def test_the_words_and_the_pages_lead_to_the_records_that_are_wanted(site: str, level: int) -> None:
    for problem, key in tasks(site, level, 4):
        visitor = Visitor(SITE, problem)
        answer = reached(visitor, problem["goals"])
        assert visitor.state == key["wanted"], problem["goals"]
        assert key["answer"] is None or is_one_of(answer or "", [key["answer"]]), problem["goals"]


def test_every_kind_of_goal_is_drawn_and_none_is_left_out() -> None:
    assert len(SOLVERS) == sum(len(app.goals) for app in APPS.values()) == 31


@pytest.mark.parametrize("site", APPS)
def test_a_goal_left_out_or_reached_twice_leads_elsewhere(site: str) -> None:
    different = 0
    for problem, key in tasks(site, 9, 3):
        for number, goal in enumerate(problem["goals"]):
            visitor = Visitor(SITE, problem)
            before = reached(visitor, problem["goals"][:number])
            if goal.startswith("Report"):
                continue
            assert before is None or key["answer"] is not None
            for other in problem["goals"][number + 1 :]:
                if not other.startswith("Finally"):
                    reach(visitor, other)
            assert visitor.state != key["wanted"], goal
            different += 1
    assert different


@pytest.mark.parametrize("site", APPS)
def test_no_forged_request_breaks_a_site_or_writes_markup(site: str) -> None:
    ((problem, _),) = tasks(site, 3, 1)
    state = SITE.start(problem)
    records = json.dumps(problem["data"])
    assert "<" not in records
    names = (
        "id", "title", "code", "seat", "version", "name", "folder", "date", "month", "page", "tick", "Action", "Folder", "Text",
        "To", "Subject", "Search", "Title", "Date", "Start", "Hours", "Guest", "Colour", "Quantity", "Address", "Delivery",
        "Category", "Sort by", "Department", "Role", "Status", "Quota", "Summary", "Population", "Passenger", "Bags", "From",
        "text", "path", "__class__",
    )  # fmt: skip
    paths = (
        "/", "/message", "/sent", "/move", "/star", "/delete", "/answered", "/new", "/reply", "/ask", "/day", "/event",
        "/created", "/saved", "/invite", "/remove", "/product", "/added", "/removed", "/wished", "/basket", "/checkout",
        "/ordered", "/orders", "/wishes", "/flight", "/passenger", "/check", "/booked", "/bookings", "/booking",
        "/moved", "/packed", "/cancelled", "/user", "/applied", "/category", "/article", "/edit", "/history",
        "/restored", "/watch", "/watched", "//", "/x/../y",
    )  # fmt: skip
    for path in paths:
        for value in ("", "-1", "9" * 50, "<b>", "__proto__", "\u0660", "0"):
            fields = tuple((name, value) for name in names)
            for method in ("GET", "POST"):
                after, html = SITE.handle(problem, state, Request(method, path, fields))
                assert "<b>" not in html
                assert method == "POST" or after == state
                assert value == "0" or after == state


def test_parameters_and_levels() -> None:
    counts = [len(next(tasks("mail", level, 1))[0]["goals"]) for level in (1, 5, 10)]
    assert counts == [1, 2, 4]
    with pytest.raises(InvalidParameters, match="sites must be among mail"):
        envhub.make("gui-site-v0", sites=("male",))


# -- in the browser ------------------------------------------------------------------------------------------------------


def solved(env: Env) -> bool:
    while not env.episode.over:
        _, reward, *_ = env.step(env.solve())
    return reward == 1.0


@pytest.mark.slow
@pytest.mark.parametrize("site", APPS)
def test_the_oracle_reaches_the_goals_in_the_browser(site: str) -> None:
    needed()
    for level in (2, 6):
        assert solved(begun(site, 1, level))
    assert begun(site, 1, 2).step(write_call("done"))[1] == 0.0


@pytest.mark.slow
def test_anything_changed_besides_costs_success() -> None:
    needed()
    env = begun("wiki", 4, 2)
    while env.episode.state.steps < len(env.episode.instance.key["plan"]):
        env.step(env.solve())
    assert env.fork().step(env.solve())[1] == 1.0
    seen = env.step(write_call("wait"))[0]
    number = next(line for line in seen.splitlines() if '"Rivers"' in line).split("]")[0].strip(" [")
    seen = env.step(write_call("click", id=int(number)))[0]
    rows = [line for line in seen.splitlines() if " link " in line][4:]
    seen = env.step(write_call("click", id=int(rows[0].split("]")[0].strip(" ["))))[0]
    watch = next(line for line in seen.splitlines() if 'button "Watch"' in line)
    env.step(write_call("click", id=int(watch.split("]")[0].strip(" ["))))
    assert env.step(env.solve())[1] == 0.0


@pytest.mark.slow
def test_a_browser_killed_in_the_middle_of_an_episode_loses_nothing() -> None:
    needed()
    env, calm = begun("admin", 2, 5), begun("admin", 2, 5)
    turns = 0
    while not env.episode.over:
        turns += 1
        if turns in (3, 9):
            for process in default_pool().running:
                os.kill(process.pid, signal.SIGKILL)
        action = env.solve()
        assert action == calm.solve()
        seen, reward, *_ = env.step(action)
        assert (seen, reward) == calm.step(action)[:2]
    assert reward == 1.0
    assert turns > 9
