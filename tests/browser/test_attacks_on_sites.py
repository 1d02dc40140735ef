"""The same attacks on a page of gui-site-v0: nothing gets out, and the records stay as they were.

Each page is taken over as in ``test_attacks.py``: scripts run in it with the debugger's rights, without the content security
policy.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

import envhub
from envhub.browser.acting import act
from envhub.browser.devtools import CommandFailed
from envhub.browser.page import Page
from envhub.browser.pool import Pool
from envhub.envs.tools.gui_site.site import APPS, WholeSite
from tests.browser.conftest import Notebook
from tests.browser.test_attacks import ADDRESSES, CALLS, Ears, inside

pytestmark = pytest.mark.slow
HOME = "http://site.test/"
FORGED = ("id=-1", "id=__proto__&name=x", "title=%00&Action=%ff", "code=a&seat=99&Passenger=x", "tick=a&" * 500)


@pytest.fixture(scope="module", params=["mail", "calendar"])
def taken(request: pytest.FixtureRequest, pool: Pool) -> Iterator[Page]:
    """A page of a whole site, taken over."""
    env = envhub.make("gui-site-v0", difficulty=3, sites=(request.param,))
    env.reset(seed=1)
    process, page = pool.open(WholeSite(), env.task.problem)
    page.call("Page.setBypassCSP", enabled=True)
    page.go(HOME)
    page.settle()
    yield page
    pool.close_page(process, page)


@pytest.fixture
def unharmed(taken: Page) -> Iterator[Page]:
    """The page; its records and its address are the same after the test."""
    before = json.dumps(taken.state)
    taken.go(HOME)
    taken.settle()
    yield taken
    taken.settle()
    assert json.dumps(taken.state) == before
    assert taken.evaluate("location.origin") == HOME.rstrip("/")
    assert "navigation" in taken.observe()


def test_nothing_reaches_the_network(unharmed: Page) -> None:
    ears = Ears()
    try:
        for code in CALLS.values():
            with suppress(CommandFailed):
                unharmed.evaluate(f"(async () => {{ {code.replace('PORT', str(ears.port))} }})()", wait=True)
            assert not ears.heard(), code
        for code in (
            f"location.href = 'http://127.0.0.1:{ears.port}/'",
            f"document.head.innerHTML = '<meta http-equiv=refresh content=\"0;url=http://127.0.0.1:{ears.port}/\">'",
            f"{{const f = document.createElement('form'); f.method = 'post'; f.action = 'http://127.0.0.1:{ears.port}/'; "
            "document.body.append(f); f.submit()}",
        ):
            unharmed.evaluate(code)
            unharmed.settle()
            assert not ears.heard(), code
    finally:
        ears.tcp.close()
        ears.udp.close()


def test_other_addresses_show_nothing(unharmed: Page) -> None:
    shown = unharmed.observe()
    for url in (*ADDRESSES, "javascript:document.title = 1"):
        unharmed.evaluate(f"location.href = {url!r}")
        unharmed.settle()
        assert unharmed.observe() == shown, url


def test_forged_posts_change_no_records(unharmed: Page) -> None:
    paths = (
        "/star",
        "/delete",
        "/move",
        "/sent",
        "/added",
        "/ordered",
        "/wished",
        "/saved",
        "/booked",
        "/applied",
        "/x",
    )
    for path in paths:
        for body in FORGED:
            post = f"fetch('{path}', {{method: 'POST', body: {body!r}}}).catch(() => 0)"
            unharmed.evaluate(post, wait=True)
    for path in paths[:3]:
        unharmed.evaluate(
            f"{{const f = document.createElement('form'); f.method = 'post'; f.action = '{path}'; f.enctype = 'text/plain'; "
            "f.innerHTML = '<input name=id value=0>'; document.body.append(f); f.submit()}"
        )
        unharmed.settle()


def test_windows_downloads_workers_and_dialogs(pool: Pool, unharmed: Page) -> None:
    unharmed.evaluate("window.open('/'); window.open('file:///etc/passwd', 'x', 'popup')")
    unharmed.evaluate(
        "const a = document.createElement('a'); a.href = 'data:text/plain,stolen'; a.download = 'x.txt'; a.click()"
    )
    unharmed.settle()
    found = pool.running[0].devtools.call("Target.getTargets")["targetInfos"]
    assert all(target["url"].startswith(HOME) for target in found if target["type"] == "page")
    assert list(Path(f"/proc/{inside(pool)}/root/box").rglob("x.txt")) == []
    assert unharmed.evaluate("'serviceWorker' in navigator && navigator.serviceWorker !== undefined") is False
    assert unharmed.evaluate("confirm('x')") is False


def test_another_episode_is_not_seen(pool: Pool, unharmed: Page) -> None:
    process, other = pool.open(Notebook(), None)
    try:
        unharmed.evaluate("localStorage.setItem('x', '1'); document.cookie = 'x=1'")
        assert other.evaluate("localStorage.getItem('x')") is None
        assert other.evaluate("document.cookie") == ""
    finally:
        pool.close_page(process, other)


def test_typed_markup_stays_text(taken: Page) -> None:
    text = "<img src=x onerror=\"document.title='owned'\"><script>document.title='owned'</script>"
    taken.go(f"{HOME}new?date=2026-06-01")
    taken.settle()
    boxes = [line for line in taken.observe().splitlines() if "textbox" in line or "searchbox" in line]
    act(taken, {"do": "type", "id": int(boxes[0].split("]")[0].strip(" [")), "text": text})
    act(taken, {"do": "key", "key": "Enter"})
    taken.settle()
    assert taken.evaluate("document.title") != "owned"
    assert taken.evaluate("document.querySelectorAll('img').length") == 0


def test_the_attacks_are_on_sites_of_the_environment() -> None:
    assert {"mail", "calendar"} <= set(APPS)
