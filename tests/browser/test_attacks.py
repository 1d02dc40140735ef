"""What a hostile page could try: the network, files, other pages, the judge.

Our pages hold no foreign script, so the attacks run as a page that was taken over would: with the debugger's rights in the
page, without the content security policy. A server on this machine's loopback sees whether anything gets out.
"""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from envhub.browser import process as browser_process
from envhub.browser.acting import act
from envhub.browser.devtools import BrowserLost, CommandFailed
from envhub.browser.page import Page
from envhub.browser.pool import Pool
from tests.browser.conftest import Notebook
from tests.support.browsers import needed

pytestmark = pytest.mark.slow

Open = Callable[[], Page]
_WAIT = "await new Promise(done => setTimeout(done, 150));"


class Ears:
    """A TCP and a UDP socket on loopback, on one port."""

    def __init__(self) -> None:
        self.tcp = socket.create_server(("127.0.0.1", 0))
        self.port: int = self.tcp.getsockname()[1]
        self.udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.udp.bind(("127.0.0.1", self.port))
        self.tcp.setblocking(False)
        self.udp.setblocking(False)

    def heard(self) -> bool:
        """Whether anything has arrived."""
        with suppress(BlockingIOError):
            self.tcp.accept()[0].close()
            return True
        with suppress(BlockingIOError):
            self.udp.recv(1)
            return True
        return False


@pytest.fixture
def ears() -> Iterator[Ears]:
    made = Ears()
    yield made
    made.tcp.close()
    made.udp.close()


@pytest.fixture
def hostile(open_page: Open) -> Page:
    """A page without its content security policy."""
    page = open_page()
    page.call("Page.setBypassCSP", enabled=True)
    page.call("Page.navigate", url="http://site.test/")
    page.settle()
    return page


def test_the_server_would_hear(ears: Ears) -> None:
    with socket.create_connection(("127.0.0.1", ears.port)):
        assert ears.heard()
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as udp:
        udp.sendto(b"x", ("127.0.0.1", ears.port))
    assert ears.heard()


CALLS = {
    "fetch": "await fetch('http://127.0.0.1:PORT/').catch(() => 0)",
    "image": "await new Promise(r => { const i = new Image(); i.onerror = i.onload = r; i.src = 'http://127.0.0.1:PORT/'; })",
    "websocket": "await new Promise(r => { const w = new WebSocket('ws://127.0.0.1:PORT/'); w.onerror = w.onopen = r; })",
    "event source": "await new Promise(r => { const e = new EventSource('http://127.0.0.1:PORT/'); e.onerror = r; })",
    "beacon": f"navigator.sendBeacon('http://127.0.0.1:PORT/', 'x'); {_WAIT}",
    "dns prefetch": (
        "for (const rel of ['dns-prefetch', 'preconnect', 'prefetch']) { const l = document.createElement('link'); "
        "l.rel = rel; "
        f"l.href = 'http://127.0.0.1:PORT/'; document.head.append(l); }} {_WAIT}"
    ),
    "webrtc": (
        "const p = new RTCPeerConnection({iceServers: [{urls: 'stun:127.0.0.1:PORT'}]}); p.createDataChannel('x'); "
        f"await p.setLocalDescription(await p.createOffer()); {_WAIT} p.close();"
    ),
    "frame": (
        "await new Promise(r => { const f = document.createElement('iframe'); f.onload = r; f.src = 'http://127.0.0.1:PORT/'; "
        "document.body.append(f); setTimeout(r, 300); })"
    ),
    "worker": (
        "const code = `fetch('http://127.0.0.1:PORT/').finally(() => postMessage(1))`; "
        "const w = new Worker(URL.createObjectURL(new Blob([code]))); "
        "await new Promise(r => { w.onmessage = w.onerror = r; setTimeout(r, 300); })"
    ),
}


@pytest.mark.parametrize("name", CALLS)
def test_nothing_reaches_the_network(name: str, hostile: Page, ears: Ears) -> None:
    code = CALLS[name].replace("PORT", str(ears.port))
    with suppress(CommandFailed):
        hostile.evaluate(f"(async () => {{ {code} }})()", wait=True)
    assert not ears.heard()


def test_the_network_namespace_is_a_wall_of_its_own(monkeypatch: pytest.MonkeyPatch, ears: Ears) -> None:
    needed()
    walls = ("--host-resolver-rules", "--force-webrtc", "--dns-prefetch-disable")
    monkeypatch.setattr(
        browser_process, "FLAGS", tuple(flag for flag in browser_process.FLAGS if not flag.startswith(walls))
    )
    pool = Pool(patience_s=10)
    try:
        _, page = pool.open(Notebook(), None)
        page.call("Page.setBypassCSP", enabled=True)
        page.call("Fetch.disable")
        page.call("Page.navigate", url="about:blank")
        for name in ("fetch", "image", "websocket", "webrtc"):
            page.evaluate(f"(async () => {{ {CALLS[name].replace('PORT', str(ears.port))} }})()", wait=True)
        assert not ears.heard()
        devices = Path(f"/proc/{inside(pool)}/net/dev").read_text().splitlines()[2:]
        assert [line.split(":")[0].strip() for line in devices] == ["lo"]
    finally:
        pool.close()


def inside(pool: Pool) -> str:
    """Id of the first process in a browser's jail."""
    pid = pool.running[0].pid
    (found,) = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return found


ADDRESSES = (
    "file:///etc/passwd",
    "view-source:file:///etc/passwd",
    "view-source:http://site.test/",
    "chrome://version/",
    "devtools://devtools/bundled/inspector.html",
    "filesystem:http://site.test/temporary/x",
    "ftp://127.0.0.1/",
)


@pytest.mark.parametrize("url", ADDRESSES)
def test_other_addresses_show_nothing(url: str, hostile: Page) -> None:
    hostile.evaluate(f"location.href = {url!r}")
    hostile.settle()
    assert "Notebook" in hostile.observe()
    assert hostile.evaluate("location.href") == "http://site.test/"


def test_the_machines_files_are_not_there(open_page: Open) -> None:
    page = open_page()
    page.call("Fetch.disable")
    page.call("Page.navigate", url="file:///")
    listed = str(page.evaluate("new Promise(r => setTimeout(() => r(document.body.innerText), 200))", wait=True))
    assert not {"home", "root", "work", "var"} & set(listed.split())
    page.call("Page.navigate", url=Path(__file__).as_uri())
    assert "heard" not in str(page.evaluate("document.body.innerText"))


def test_the_browser_listens_on_no_port(pool: Pool, open_page: Open) -> None:
    open_page()
    for name in ("tcp", "tcp6"):
        rows = [line.split() for line in Path(f"/proc/{inside(pool)}/net/{name}").read_text().splitlines()]
        assert [row for row in rows if row[3] == "0A"] == []


def test_a_link_to_elsewhere_leaves_the_page_as_it_is(hostile: Page, ears: Ears) -> None:
    hostile.evaluate(f"location.href = 'http://127.0.0.1:{ears.port}/'")
    hostile.settle()
    assert "Notebook" in hostile.observe()
    hostile.evaluate(
        f"document.head.innerHTML = '<meta http-equiv=refresh content=\"0;url=http://127.0.0.1:{ears.port}/\">'"
    )
    hostile.settle()
    assert not ears.heard()


def test_a_form_sent_elsewhere_is_not_sent(hostile: Page, ears: Ears) -> None:
    hostile.evaluate(f"const f = document.forms[0]; f.action = 'http://127.0.0.1:{ears.port}/'; f.submit()")
    hostile.settle()
    assert (hostile.state, ears.heard()) == ([], False)


def test_forged_posts_change_only_what_a_form_could(hostile: Page) -> None:
    for body in ("text=x&size=huge", "size=__proto__", "%00=%ff", "text=a&" * 500):
        hostile.evaluate(f"fetch('/save', {{method: 'POST', body: {body!r}}}).catch(() => 0)", wait=True)
        hostile.evaluate(
            "{const f = document.createElement('form'); f.method = 'post'; f.action = '/save'; f.enctype = 'text/plain'; "
            "f.innerHTML = '<input name=size value=huge>'; document.body.append(f); f.submit()}"
        )
        hostile.settle()
    assert hostile.state == []


def test_a_windows_opens_nothing(pool: Pool, hostile: Page) -> None:
    hostile.evaluate("window.open('http://site.test/'); window.open('file:///etc/passwd', 'x', 'popup')")
    hostile.settle()
    found = pool.running[0].devtools.call("Target.getTargets")["targetInfos"]
    assert [
        target["url"] for target in found if target["type"] == "page" and target["url"] != "http://site.test/"
    ] == []


def test_a_download_writes_no_file(pool: Pool, hostile: Page) -> None:
    hostile.evaluate(
        "const a = document.createElement('a'); a.href = 'data:text/plain,stolen'; a.download = 'x.txt'; a.click()"
    )
    hostile.settle()
    assert list(Path(f"/proc/{inside(pool)}/root/box").rglob("x.txt")) == []
    assert "Notebook" in hostile.observe()


def test_there_are_no_service_workers(hostile: Page) -> None:
    assert hostile.evaluate("'serviceWorker' in navigator && navigator.serviceWorker !== undefined") is False


def test_pages_do_not_see_each_other(open_page: Open) -> None:
    first, second = open_page(), open_page()
    second.evaluate(
        "globalThis.heard = 0; globalThis.channel = new BroadcastChannel('x'); channel.onmessage = () => heard++"
    )
    first.evaluate("localStorage.setItem('x', '1'); document.cookie = 'x=1'; new BroadcastChannel('x').postMessage(1)")
    assert second.evaluate(
        f"(async () => {{ {_WAIT} return [localStorage.getItem('x'), document.cookie, heard] }})()", wait=True
    ) == [
        None,
        "",
        0,
    ]


def test_dialogs_are_dismissed(hostile: Page) -> None:
    assert hostile.evaluate("alert('x'); confirm('x')") is False


def test_a_javascript_address_changes_no_state(hostile: Page) -> None:
    hostile.evaluate("location.href = 'javascript:document.title = 1'")
    hostile.settle()
    assert hostile.state == []


def test_typed_markup_stays_text(open_page: Open) -> None:
    page = open_page()
    page.observe()
    text = "<script>document.title='owned'</script><img src=x onerror=\"document.title='owned'\">"
    act(page, {"do": "type", "id": 1, "text": text})
    act(page, {"do": "click", "id": 3})
    page.settle()
    assert page.state == [[text, "small"]]
    assert page.evaluate("document.title") == "Notebook"


@pytest.mark.nightly
def test_a_page_that_hangs_or_crashes_is_lost_and_the_next_one_opens() -> None:
    needed()
    pool = Pool(patience_s=3)
    try:
        for code in ("while (true);", "const a = []; while (true) a.push(new Array(1e6).fill(Math.PI * a.length));"):
            process, page = pool.open(Notebook(), None)
            with pytest.raises(BrowserLost), pool.using(process):
                page.evaluate(code)
            pool.close_page(process, page)
        process, page = pool.open(Notebook(), None)
        assert "Notebook" in page.observe()
    finally:
        pool.close()
