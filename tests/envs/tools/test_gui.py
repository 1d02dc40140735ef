"""gui-v0: tasks of every kind, solved and failed in a real browser."""

from __future__ import annotations

import json
from typing import Any
from unittest.mock import patch

import pytest

import envhub
from envhub.browser.site import Request
from envhub.core.errors import InvalidParameters
from envhub.core.resources import Resources
from envhub.core.seeding import Stream
from envhub.core.tools import write_call
from envhub.envs.tools.gui.oracle import targets
from envhub.envs.tools.gui.site import KINDS, GuiSite
from envhub.gymnasium.env import Env
from tests.support.browsers import needed


@pytest.mark.parametrize("name", KINDS)
def test_a_kind_draws_tasks_that_are_not_done_yet(name: str) -> None:
    kind, tasks = KINDS[name], set()
    for size in range(1, 11):
        drawn = kind.draw(Stream(b"test", name, size), size, kind.titles[0])
        start = kind.start(drawn.data)
        assert (drawn.wanted != start) or drawn.answer is not None
        assert kind.titles[0] in drawn.goal
        assert json.loads(json.dumps([drawn.data, drawn.wanted])) == [drawn.data, drawn.wanted]
        assert kind.body(drawn.data, start, Request("GET", "/"))
        tasks.add(json.dumps([drawn.data, drawn.goal]))
    assert len(tasks) == 10
    assert len(set(kind.titles)) == 3


@pytest.mark.parametrize("name", KINDS)
def test_no_forged_request_breaks_a_kind(name: str) -> None:
    kind = KINDS[name]
    data = kind.draw(Stream(b"test", name), 3, kind.titles[0]).data
    site, problem = GuiSite(), {"parts": [[name, data]]}
    state = site.start(problem)
    keys = (
        "group",
        "thing",
        "row",
        "mail",
        "act",
        "name",
        "flight",
        "shape",
        "page",
        "Room",
        "Hour",
        "order",
        "tick",
        "reply",
    )
    for path in (
        "/0/",
        "/0/save",
        "/0/press",
        "/0/pick",
        "/0/act",
        "/0/book",
        "/0/add",
        "/0/order",
        "/0/click",
        "/1/",
        "/0/list",
    ):
        for value in ("", "-1", "9" * 50, "<b>", "__proto__", "\u0660"):
            fields = tuple((key, value) for key in keys)
            for method in ("GET", "POST"):
                after, html = site.handle(problem, state, Request(method, path, fields))
                assert "<b>" not in html
                assert after == state or path == "/0/save"


def test_levels_have_more_tasks_and_parameters_are_checked() -> None:
    counts = []
    for level in (1, 5, 10):
        env = envhub.make("gui-v0", difficulty=level)
        env.reset(seed=3)
        counts.append(len(env.task.problem["goals"]))
    assert counts == [1, 2, 4]
    with pytest.raises(InvalidParameters, match="kinds must be among"):
        envhub.make("gui-v0", kinds=("taps",))
    with pytest.raises(InvalidParameters, match="Did you mean 'ui-tars'"):
        envhub.make("gui-v0", tool_format="ui-tar")
    with pytest.raises(InvalidParameters, match="no screenshots with marks"):
        envhub.make("sudoku-v0", observation="marks")
    with pytest.raises(InvalidParameters, match="number of kinds"):
        envhub.make("gui-v0", kinds=("tabs",), parts=2)


def test_how_it_is_seen_and_acted_on_is_no_other_task() -> None:
    prints, prompts = set(), set()
    shown = (
        {},
        {"observation": "both"},
        {"observation": "marks"},
        {"tool_format": "ui-tars"},
        {"tool_format": "browsergym"},
    )
    for more in shown:
        env = envhub.make("gui-v0", kinds=("tabs",), parts=1, size=2, **more)
        env.reset(seed=0)
        assert env.task.problem["goals"]
        prints.add((env.task.fingerprint, json.dumps(env.task.problem)))
        prompts.add(env.task.prompt)
    assert (len(prints), len(prompts)) == (1, 5)


# -- in the browser ----------------------------------------------------------------------------------------------------


@pytest.fixture
def browser() -> None:
    """A headless shell."""
    needed()


def begun(seed: int = 1, **more: Any) -> Env:
    env = envhub.make("gui-v0", **{"parts": 1, "size": 2, **more})
    env.reset(seed=seed)
    return env


def solved(env: Env) -> bool:
    for _ in range(60):
        _, reward, terminated, truncated, _ = env.step(env.solve())
        if terminated or truncated:
            return reward == 1.0
    return False


@pytest.mark.slow
@pytest.mark.parametrize("name", KINDS)
def test_the_oracle_solves_every_kind_in_the_browser(name: str, browser: None) -> None:
    env = begun(kinds=(name,))
    assert solved(env.fork())
    untouched = env.step(write_call("done"))
    assert untouched[1] == 0.0


@pytest.mark.slow
def test_anything_more_than_what_is_asked_fails(browser: None) -> None:
    env = begun(kinds=("tabs",))
    env.step(env.solve())
    env.step(env.solve())
    shown = env.step(env.solve())[0]
    for target in targets(shown):
        if target.role == "button":
            twin = env.fork()
            twin.step(write_call("click", id=target.id))
            twin.step(write_call("done"))
            assert twin.episode.turns[-1].verdict is not None
            expected = env.episode.instance.key["wanted"] == twin.episode.state.site
            assert (twin.episode.turns[-1].verdict.score == 1.0) == expected
    again = env.fork()
    for _ in range(2):  # pressed twice
        pressed = next(each for each in targets(shown) if each.role == "button")
        again.step(write_call("click", id=pressed.id))
    assert again.step(write_call("done"))[1] == 0.0


@pytest.mark.slow
def test_an_unsaved_form_and_a_wrong_answer_fail(browser: None) -> None:
    env = begun(kinds=("text",))
    for _ in range(len(env.episode.instance.key["plan"])):  # all but the last step, which saves
        env.step(env.solve())
    assert env.step(write_call("done"))[1] == 0.0
    count = begun(kinds=("answer",))
    right = count.episode.instance.key["answer"]
    for text in (f" {right}. ", f"**{right}**", f"\\boxed{{{right}}}", int(right)):
        assert count.fork().step(write_call("done", answer=text))[1] == 1.0, text
    for wrong in ("", str(int(right) + 1), f"{right} {right}", f"not {right}"):
        assert count.fork().step(write_call("done", answer=wrong))[1] == 0.0


@pytest.mark.slow
def test_a_replay_has_the_same_state_without_a_browser(browser: None) -> None:
    env = begun(kinds=("basket",))
    for _ in range(4):
        env.step(env.solve())
    snapshot = json.loads(json.dumps(env.snapshot()))
    with patch.object(Resources, "perform", side_effect=AssertionError):
        twin = envhub.restore(snapshot)
    assert (
        twin.episode.state.site
        == env.episode.state.site
        != env.environment.begin(env.episode.instance, Stream(b"x")).site
    )
    assert solved(twin)


@pytest.mark.slow
def test_text_image_and_both_show_what_they_say(browser: None) -> None:
    for observation, text, pictures in (("text", True, 0), ("image", False, 1), ("marks", False, 1), ("both", True, 1)):
        env = begun(kinds=("tabs",), observation=observation)
        assert env.observation_space.pictures == min(1, pictures)
        seen, _, _, _, info = env.step(write_call("wait"))
        assert ("link" in seen, len(info.get("images", ()))) == (text, pictures)
        fork = env.fork()
        assert [each.png() for each in fork.episode.pictures()] == [each.png() for each in info.get("images", ())]


@pytest.mark.slow
def test_screenshots_are_shown_and_not_journaled(browser: None) -> None:
    plain, marked = (begun(kinds=("tabs",), observation=seen) for seen in ("image", "marks"))
    seen, _, _, _, info = plain.step(write_call("wait"))
    _, _, _, _, other = marked.step(write_call("wait"))
    (picture,) = info["images"]
    assert picture.png().startswith(b"\x89PNG")
    assert picture.png() != other["images"][0].png()
    assert plain.messages[-1]["content"][1] == picture.part()
    assert "link" not in seen
    assert info["browser"].startswith("HeadlessChrome/")
    assert "image/png" not in json.dumps(plain.snapshot())
    assert plain.episode.pictures(0) == ()
    assert envhub.restore(plain.snapshot()).episode.pictures() == ()
    assert solved(plain)


@pytest.mark.slow
def test_the_same_task_in_three_languages(browser: None) -> None:
    env = begun(kinds=("text",), tool_format="browsergym")
    env.step("noop()")
    (title,) = (data["title"] for _, data in env.task.problem["parts"])
    seen = env.step("click('1')")[0]
    plan = env.episode.instance.key["plan"]
    found = {target.name: target.id for target in targets(seen)}
    for _, _, name, text in plan[1:-1]:
        seen = env.step(f"fill('{found[name]}', {json.dumps(text)})")[0]
    env.step(f"click('{found['Save']}')")
    assert env.step("send_msg_to_user('')")[1] == 1.0
    assert title
    for language in ("ui-tars", "agentcpm-gui"):
        env = begun(kinds=("text",), tool_format=language)
        act = _tars if language == "ui-tars" else _cpm
        env.step(act("wait"))
        seen = env.step(act("click", *_at(env.step(act("wait"))[0], "Go to")))[0]
        for _, _, name, text in env.episode.instance.key["plan"][1:-1]:
            env.step(act("click", *_at(seen, name)))
            if language == "ui-tars":
                env.step("Action: hotkey(key='ctrl a')")
            env.step(act("type", text))
        env.step(act("click", *_at(seen, "Save")))
        assert env.step(act("done"))[1] == 1.0, language


def _at(tree: str, name: str) -> tuple[int, int]:
    line = next(line for line in tree.splitlines() if " at (" in line and f'"{name}' in line)
    x, y = line.split(" at (")[1].split(")")[0].split(", ")
    return int(x), int(y)


def _tars(do: str, *given: Any) -> str:
    written = {
        "wait": "wait()",
        "click": "click(start_box='({},{})')",
        "type": "type(content='{}')",
        "done": "finished(content='')",
    }
    return f"Action: {written[do].format(*given)}"


def _cpm(do: str, *given: Any) -> str:
    if do == "click":
        x, y = given
        return json.dumps({"POINT": [round(x * 1000 / 400), round(y * 1000 / 800)]})
    return json.dumps(
        {"wait": {"duration": 100}, "type": {"TYPE": given and given[0]}, "done": {"STATUS": "finish"}}[do]
    )
