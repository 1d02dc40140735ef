"""gui-v0 and gui-site-v0 on a phone: taps, swipes and keys in AgentCPM-GUI's format."""

from __future__ import annotations

import json
from typing import Any

import pytest

import envhub
from envhub.core.errors import InvalidParameters
from envhub.envs.tools.gui.oracle import targets, touched
from envhub.envs.tools.gui.site import KINDS
from envhub.envs.tools.gui_site.site import APPS
from envhub.gymnasium.env import Env
from tests.support.browsers import needed

FORMAT = {"tool_format": "agentcpm-gui"}


def begun(id: str, seed: int = 1, **more: Any) -> Env:
    env = envhub.make(id, **FORMAT, **more)
    env.reset(seed=seed)
    return env


def did(env: Env, **action: Any) -> str:
    return str(env.step(json.dumps(action))[0])


def solved(env: Env) -> bool:
    while not env.episode.over:
        _, reward, *_, info = env.step(env.solve())
    assert info.get("error") is None, info["error"]
    return reward == 1.0


def test_it_is_the_same_task_on_a_smaller_screen() -> None:
    phone, desktop = begun("gui-v0"), envhub.make("gui-v0")
    desktop.reset(seed=1)
    assert phone.task.fingerprint == desktop.task.fingerprint
    assert "400 pixels wide and 800 pixels high" in phone.task.prompt
    assert "640 pixels wide" in desktop.task.prompt
    desktop = envhub.make("gui-v0", tool_format="ui-tars")
    desktop.reset(seed=1)
    with pytest.raises(InvalidParameters, match="not ui-tars"):
        desktop.solve()


def test_what_a_box_hides_is_swiped_into_view_in_that_box() -> None:
    step = ("click", "button", "lamp")
    for side, way in (("below", -1), ("above", 1)):
        action, ends = touched(step, f'  [3] {side} in the box at (200, 400) button "lamp" focused')
        assert not ends
        (x, y), (to_x, to_y) = action["POINT"], action["to"]
        assert x == to_x == 500
        assert (to_y > y) == (way > 0)
    assert touched(step, '  [3] at (200, 400) button "lamp"') == ({"POINT": [500, 500]}, True)


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["date", "select", "multi-select", "slider", "popup", "drag-order", "scroll-list", "shape"]
)
def test_the_oracle_solves_kinds_by_touch(name: str) -> None:
    needed()
    assert solved(begun("gui-v0", kinds=(name,), parts=1, size=4))


@pytest.mark.nightly
@pytest.mark.parametrize("name", KINDS)
def test_the_oracle_solves_every_kind_by_touch(name: str) -> None:
    needed()
    assert solved(begun("gui-v0", 2, kinds=(name,), parts=1, size=7))


@pytest.mark.slow
@pytest.mark.parametrize("site", APPS)
def test_the_oracle_reaches_goals_by_touch(site: str) -> None:
    needed()
    assert solved(begun("gui-site-v0", sites=(site,), difficulty=6))


@pytest.mark.slow
def test_swipes_move_the_page_always_as_far_and_back_sends_no_form_again() -> None:
    needed()
    moved = set()
    for _ in range(2):
        env = begun("gui-site-v0", sites=("calendar",), size=10)
        before = {each.name: each.place for each in targets(did(env, duration=1))}
        after = {each.name: each.place for each in targets(did(env, POINT=[500, 700], to="left"))}
        both = [name for name in before if before[name] and after.get(name)]
        moved.add(tuple((name, before[name], after[name]) for name in both))
        assert any(before[name] != after[name] for name in both)
        env.close()
    assert len(moved) == 1
    env = begun("gui-v0", kinds=("tabs",), parts=1, size=2)
    while env.episode.state.steps < len(env.episode.instance.key["plan"]):
        env.step(env.solve())
    saved = env.episode.state.site
    for key in ("BACK", "BACK", "BACK", "HOME"):
        seen = did(env, PRESS=key)
    assert "Start" in seen
    assert env.episode.state.site == saved
    assert env.step(json.dumps({"STATUS": "finish"}))[1] == 1.0
