"""What is known without the package and without a browser: pages, levels, parameters, prompts, and what scripts read."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import envhub
from envhub.adapters.miniwob.environments import ID, MiniWob, register
from envhub.adapters.miniwob.scripts import SCRIPTS, next_action
from envhub.adapters.miniwob.scripts.view import Lost, View, click
from envhub.adapters.miniwob.tables import BY_DISTANCE, LEVELS, MORE_MESSAGES, PAGES, REFUSED
from envhub.core.errors import InvalidParameters
from envhub.core.seeding import Stream
from envhub.core.types import Instance
from envhub.envs.tools.gui.conversation import MOST_MESSAGES
from envhub.registry.registry import unregister

SEEN = """Goal: Click on the "ok" button.
[1] at (19, 106) button "Ok" clickable size=28x21
[2] at (68, 106) button "ok" id="the-button" class="a b" clickable size=28x21
[3] at (40, 120) input type=text value="a \\"b\\"\\n c" focused clickable size=60x20
text at (10, 140) "plain text"
[4] below the view circle fill="rgb(255, 0, 3)" size=7x9
[5] at (77, 66) select value="Ann" options=["Ann", "Bob [b]"] id=options size=60x20"""


@pytest.fixture(autouse=True)
def registered() -> Iterator[None]:
    register()
    yield
    unregister(ID)


def test_every_page_is_in_one_level() -> None:
    assert len(LEVELS) == 10
    assert len(PAGES) == len(set(PAGES)) == 129
    assert not REFUSED.keys() & set(PAGES)
    assert {*BY_DISTANCE, *MORE_MESSAGES, *SCRIPTS} <= set(PAGES)
    assert max(MORE_MESSAGES.values()) <= MOST_MESSAGES
    assert len(SCRIPTS) >= 100


def test_tasks_are_drawn_without_the_package() -> None:
    seeds = set()
    for level in (1, 10):
        for seed in range(5):
            env = envhub.make(ID, difficulty=level)
            env.reset(seed=seed)
            assert env.task.problem["page"] in LEVELS[level - 1]
            assert env.task.problem["page"] in env.task.prompt
            assert str(env.task.problem["seed"]) not in env.task.prompt
            seeds.add(env.task.problem["seed"])
    assert len(seeds) == 10
    assert "trusts the page" in (MiniWob.__doc__ or "")


def test_unknown_and_refused_pages_are_named() -> None:
    with pytest.raises(InvalidParameters, match="Did you mean 'click-button'"):
        envhub.make(ID, page="click-buton")
    with pytest.raises(InvalidParameters, match="never reports a reward"):
        envhub.make(ID, page="hover-shape")
    with pytest.raises(InvalidParameters, match="at least one page"):
        envhub.make(ID, pages=[])


def test_a_view_reads_its_lines() -> None:
    view = View(SEEN)
    assert view.goal == 'Click on the "ok" button.'
    assert view.quoted == ["ok"]
    assert view.one("button", "ok").id == 2
    assert view.one("button").text == "Ok"
    assert view.one("button", ident="the-button").classes == ["a", "b"]
    field = view.fields[0]
    assert (field.has["value"], "focused" in field.flags, field.size) == ('a "b"\n c', True, (60, 20))
    assert view.one("circle").colour == (255, 0, 3)
    assert view.one("circle").x == -1
    assert view.one("select").has["options"] == ["Ann", "Bob [b]"]
    assert click(view.one("text")) == ("click", {"x": 10, "y": 140})
    with pytest.raises(Lost):
        view.one("textarea")


def test_a_script_that_is_lost_waits() -> None:
    assert next_action("click-button", [SEEN]) == ("click", {"x": 68, "y": 106})
    assert next_action("click-button", [SEEN, SEEN])[0] == "wait"
    assert next_action("click-link", [SEEN])[0] == "wait"
    assert next_action("draw-circle", [SEEN])[0] == "wait"
    assert next_action("click-button", [])[0] == "wait"


def test_no_other_key_is_held() -> None:
    inst: Instance = MiniWob().sample(Stream(b"test"), MiniWob.Params.at(1))
    assert inst.key == {}
