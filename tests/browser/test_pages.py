"""Pages: actions, pictures, recycling, and lost browsers."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from typing import Any

import pytest

from envhub.browser.acting import act
from envhub.browser.actions import Refused
from envhub.browser.page import Page
from envhub.browser.pool import Pool
from envhub.browser.resource import Pages, View
from envhub.core.effects import Effect, Exec
from envhub.core.errors import TooBusy
from envhub.core.resources import Resources
from tests.browser.conftest import Notebook
from tests.support.browsers import needed

pytestmark = pytest.mark.slow

Open = Callable[[], Page]
_VIEW = {"picture": False, "marks": False, "places": False}


def did(page: Page, **action: Any) -> str:
    act(page, action)
    page.settle()
    return page.observe()


def test_a_form_is_filled_in_and_sent(open_page: Open) -> None:
    page = open_page()
    assert '[1] textbox "Text"' in page.observe()
    assert 'value="two words"' in did(page, do="type", id=1, text="two words")
    assert 'value="new"' in did(page, do="type", id=1, text="new")
    did(page, do="select", id=2, option="large")
    assert "new" in did(page, do="click", id=3)
    assert page.state == [["new", "large"]]


def test_keys_and_points_do_the_same(open_page: Open) -> None:
    page = open_page()
    page.observe()
    for action in (
        {"do": "key", "key": "Tab"},
        {"do": "type", "text": "a word"},
        {"do": "key", "key": "ctrl a"},
        {"do": "type", "text": "b"},
        {"do": "key", "key": "enter"},
    ):
        did(page, **action)
    assert page.state == [["b", "small"]]
    box = page.box(page.elements[2])
    assert box is not None
    did(page, do="click", x=int(box[0] + 5), y=int(box[1] + 5))
    assert page.state == [["b", "small"], ["", "small"]]


@pytest.mark.parametrize(
    ("action", "said"),
    [
        ({"do": "click", "id": 9}, "ids are 1 to 3"),
        ({"do": "click", "x": 640, "y": 0}, "outside the page"),
        ({"do": "key", "key": "Entr"}, "Did you mean 'Enter'"),
        ({"do": "type", "id": 3, "text": "x"}, "No text can be typed here"),
        ({"do": "select", "id": 2, "option": "huge"}, "Options: small, large"),
        ({"do": "select", "id": 1, "option": "small"}, "not a list"),
    ],
)
def test_what_cannot_be_done_is_refused(action: dict[str, Any], said: str, open_page: Open) -> None:
    page = open_page()
    page.observe()
    with pytest.raises(Refused, match=said):
        act(page, action)
    assert page.state == []


def test_pictures_are_the_same_in_every_browser_and_marks_leave_no_trace(open_page: Open) -> None:
    page = open_page()
    page.observe()
    plain = page.picture()
    assert page.picture(marks=True) != plain
    assert page.picture() == plain
    other = Pool(patience_s=10)
    try:
        process, twin = other.open(Notebook(), None)
        with other.using(process):
            assert twin.picture() == plain
    finally:
        other.close()


def test_browsers_are_recycled_and_limited() -> None:
    needed()
    pool = Pool(pages=1, recycled=2, browsers=2, patience_s=10)
    try:
        held = [pool.open(Notebook(), None) for _ in range(2)]
        assert len(pool.running) == 2
        with pytest.raises(TooBusy, match="2 browsers are full"):
            pool.open(Notebook(), None)
        first = held[0][0]
        pool.close_page(*held[0])
        again = pool.open(Notebook(), None)
        assert again[0] is first
        pool.close_page(*again)
        assert first not in pool.running
    finally:
        pool.close()


def effect(**action: Any) -> Effect:
    return Exec("browser", [action, _VIEW])


def test_a_killed_browser_loses_no_episode() -> None:
    needed()
    pool = Pool(patience_s=10)
    try:
        held = [Resources({"browser": Pages(Notebook(), pool=pool)}, None) for _ in range(2)]
        for each in held:
            each.perform(effect(do="wait"))
            each.perform(effect(do="type", id=1, text="kept"))
        os.kill(pool.running[0].pid, signal.SIGKILL)
        for each in held:
            sent = each.perform(effect(do="click", id=3))
            assert sent.fault is None
            assert sent.outcome is not None
            assert sent.outcome.data["requests"] == [["POST", "/save", [["text", "kept"], ["size", "small"]]]]
    finally:
        pool.close()


def test_a_browser_that_is_lost_again_and_again_is_an_error_and_no_outcome(monkeypatch: pytest.MonkeyPatch) -> None:
    needed()
    pool = Pool(patience_s=10)
    try:
        resources = Resources({"browser": Pages(Notebook(), pool=pool)}, None)

        def kill(page: Page, **_: Any) -> str:
            os.kill(pool.running[0].pid, signal.SIGKILL)
            while True:  # until its processes are gone
                page.evaluate("1")

        monkeypatch.setattr(Page, "observe", kill)
        record = resources.perform(effect(do="wait"))
        assert record.outcome is None
        assert record.fault is not None
        assert record.fault.code == "resource_failed"
    finally:
        pool.close()


def test_a_view_of_places_says_where_elements_are(open_page: Open) -> None:
    page = open_page()
    assert "[1] at (" in page.observe(places=True)
    page.evaluate("document.body.style.marginTop = '900px'")
    assert "[1] below the view" in page.observe(places=True)
    assert View().places is False
