"""Pages of others: their clock, their scripts, what they load, and what they cannot do."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from typing import Any, ClassVar

import pytest

from envhub.browser.acting import act
from envhub.browser.devtools import BrowserLost, CommandFailed
from envhub.browser.pool import Pool
from envhub.browser.scripted import STEP_MS, File, ScriptedPage, ScriptedSite
from tests.browser.conftest import Notebook
from tests.browser.test_attacks import ADDRESSES, CALLS, Ears

pytestmark = pytest.mark.slow
Open = Callable[..., ScriptedPage]
PAGE = """<!doctype html><html><head><title>Foreign</title><script src="/page.js"></script></head><body>
<h1>Foreign</h1><button id="go" onclick="said.push('inline')">go</button><p id="clock">-</p><input id="field"></body></html>"""
SCRIPT = """var said = [];
function begin() {
  const log = text => { said.push(`${text} ${performance.now()} ${Date.now() % 1000}`); };
  setTimeout(() => log('late'), 150);
  setTimeout((one, two) => log(one + two), 50, 'ear', 'ly');
  const every = setInterval(() => log('tick'), 90);
  setTimeout(() => clearInterval(every), 400);
  clearTimeout(setTimeout(() => log('never'), 10));
  requestAnimationFrame(now => log(`frame ${now}`));
  setTimeout(() => { throw new Error('broken'); }, 20);
  document.getElementById('field').addEventListener('keydown', event => said.push(event.key));
  const pictured = document.createElement('img');
  pictured.onload = () => { said.push('loaded'); };
  const shown = () => { document.body.append(pictured); pictured.src = '/dot.png'; };
  document.getElementById('go').addEventListener('mousemove', shown, {once: true});
}"""
DOT = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010806000000"
    "1f15c4890000000d49444154789c6360606060000000050001a5f645400000000049454e44ae426082"
)


class Foreign(ScriptedSite):
    """One page with a clock."""

    report: ClassVar[str] = "said"

    def document(self, problem: Any) -> str:
        return PAGE

    def file(self, problem: Any, path: str) -> File | None:
        files = {"/page.js": File(SCRIPT.encode(), "text/javascript"), "/dot.png": File(DOT, "image/png")}
        return files.get(path)

    def begin(self, problem: Any) -> str:
        return str(problem or "begin()")


@pytest.fixture
def foreign(pool: Pool) -> Iterator[Open]:
    """Opens pages of the site."""
    with ExitStack() as stack:

        def opened(problem: Any = None) -> ScriptedPage:
            process, page = pool.open(Foreign(), problem, kind=ScriptedPage)
            stack.callback(pool.close_page, process, page)
            assert isinstance(page, ScriptedPage)
            return page

        yield opened


def did(page: ScriptedPage, **action: Any) -> Any:
    act(page, action)
    page.settle()
    return page.report()


def test_time_passes_only_with_actions(foreign: Open) -> None:
    page = foreign()
    assert page.report() == []
    page.settle()
    first = page.report()
    assert first == ["frame 16 16 16", "early 50 50", "tick 90 90", "late 150 150", "tick 180 180"]
    assert STEP_MS == 200
    assert did(page, do="wait", ms=1)[len(first) :] == []
    assert did(page, do="wait", ms=1000)[len(first) :] == ["tick 270 270", "tick 360 360"]


def test_the_same_actions_lead_to_the_same_page(foreign: Open) -> None:
    def seen() -> tuple[str, Any, bytes]:
        page = foreign()
        page.observe()
        did(page, do="click", id=2)
        did(page, do="type", id=4, text="aB 1")
        return page.observe(), page.report(), page.picture()

    one, other = seen(), seen()
    assert one == other
    assert [each for each in one[1] if len(each) == 1] == ["a", "B", " ", "1"]
    (field,) = [line for line in one[0].splitlines() if "id=field" in line]
    assert 'value="aB 1"' in field
    assert " focused " in field


def test_a_picture_that_the_mouse_brings_is_there_before_the_click(foreign: Open) -> None:
    page = foreign()
    page.observe()
    assert "loaded" in did(page, do="hover", id=2)
    assert "img" in page.observe()


def test_scripts_without_the_pages_number_do_not_run(foreign: Open) -> None:
    page = foreign()
    page.observe()
    assert "inline" not in did(page, do="click", id=2)
    image, link = "<img src=x onerror=said.push(1)>", "<a href=javascript:said.push(1)>a link</a>"
    page.evaluate(f"document.body.insertAdjacentHTML('beforeend', '{image}{link}')")
    page.settle()
    lines = page.observe().splitlines()
    number = next(line for line in lines if '"a link"' in line).split("]")[0].strip("[")
    assert 1 not in did(page, do="click", id=int(number))
    assert page.evaluate("said.push(1); said.at(-1)") == 1  # the debugger may


def test_the_document_is_opened_once_and_no_other(foreign: Open) -> None:
    page = foreign()
    page.evaluate("globalThis.kept = true")
    for url in (*ADDRESSES, "http://site.test/", "http://site.test/page.js", "http://127.0.0.1:9/"):
        page.evaluate(f"location.href = {url!r}")
        page.settle()
        assert page.evaluate("kept") is True, url
    page.evaluate("location.reload()")
    page.settle()
    assert page.evaluate("kept") is True


def test_nothing_reaches_the_network_or_another_page(pool: Pool, foreign: Open) -> None:
    page = foreign()
    page.call("Page.setBypassCSP", enabled=True)
    process, other = pool.open(Notebook(), None)
    ears = Ears()
    try:
        for code in CALLS.values():
            told = code.replace("PORT", str(ears.port)).replace("setTimeout", "queueMicrotask")
            with suppress(CommandFailed, BrowserLost):
                page.evaluate(f"(async () => {{ {told} }})(); 0")
            page.settle()
            assert not ears.heard(), code
        page.evaluate("localStorage.setItem('x', '1'); document.cookie = 'x=1'")
        assert (other.evaluate("localStorage.getItem('x')"), other.evaluate("document.cookie")) == (None, "")
    finally:
        pool.close_page(process, other)
        ears.tcp.close()
        ears.udp.close()


def test_a_page_that_does_not_start_is_lost(foreign: Open, pool: Pool) -> None:
    with pytest.raises(BrowserLost, match="did not start"):
        foreign("nothing()")
    with pytest.raises(TypeError, match="ScriptedSite"):
        pool.open(Notebook(), None, kind=ScriptedPage)
