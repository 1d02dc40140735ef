"""Requests, pages and the tree, without a browser."""

from __future__ import annotations

from pathlib import Path

import pytest

from envhub.browser.actions import DESKTOP, Refused, key_named, point
from envhub.browser.executable import BROWSER_VARIABLE, find_browser, missing
from envhub.browser.site import Request, page, read_request
from envhub.browser.tree import read_tree
from envhub.core.errors import InvalidParameters, MissingExtra


def test_requests_of_the_site_are_read() -> None:
    assert read_request("GET", "http://site.test/a?x=1&y=", "") == Request("GET", "/a", (("x", "1"), ("y", "")))
    sent = read_request("POST", "http://site.test/a?x=1", "t=two%0D%0Alines&t=b")
    assert sent is not None
    assert (sent.value("t"), sent.values("t"), sent.value("x")) == ("two\nlines", ["two\nlines", "b"], "")
    assert Request.from_json(sent.to_json()) == sent


@pytest.mark.parametrize(
    ("method", "url", "body"),
    [
        ("GET", "https://site.test/", ""),
        ("GET", "http://site.test:80/", ""),
        ("GET", "http://user@site.test/", ""),
        ("GET", "http://site.test.example/", ""),
        ("GET", "file:///etc/passwd", ""),
        ("PUT", "http://site.test/", ""),
        ("GET", "http://[site.test/", ""),
        ("POST", "http://site.test/", "&".join("a=1" for _ in range(300))),
    ],
)
def test_other_requests_are_none(method: str, url: str, body: str) -> None:
    assert read_request(method, url, body) is None


def test_a_title_is_escaped() -> None:
    assert "<title>&lt;b&gt;</title>" in page("<b>", "")


def test_keys_are_read_leniently_and_others_are_refused() -> None:
    assert [key_named(name) for name in ("enter", "Return", "ctrl a", "PAGEDOWN")] == [
        "Enter",
        "Enter",
        "Control+A",
        "PageDown",
    ]
    for name in ("Control+T", "F12", "Alt+ArrowLeft", "Control+Shift+I", ""):
        if name:
            with pytest.raises(Refused, match="Available"):
                key_named(name)
    with pytest.raises(Refused):
        point(DESKTOP, -1, 0)


def test_the_tree_numbers_what_can_be_acted_on() -> None:
    nodes = [
        {"nodeId": "1", "role": {"value": "RootWebArea"}, "name": {"value": "T"}, "childIds": ["2", "3", "4"]},
        {"nodeId": "2", "role": {"value": "button"}, "name": {"value": 'a "b"'}, "backendDOMNodeId": 7, "childIds": []},
        {"nodeId": "3", "role": {"value": "heading"}, "name": {"value": "H"}},
        {"nodeId": "4", "role": {"value": "checkbox"}, "name": {"value": "c"}, "backendDOMNodeId": 8,
         "properties": [{"name": "checked", "value": {"value": "true"}}]},
    ]  # fmt: skip
    text, elements = read_tree(nodes)
    assert text.splitlines() == ['[1] button "a \\"b\\""', 'heading "H"', '[2] checkbox "c" checked']
    assert [element.node for element in elements] == [7, 8]
    assert read_tree([])[0] == "(The page is empty.)"


def test_a_missing_browser_is_an_error_with_the_remedy(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv(BROWSER_VARIABLE, raising=False)
    with pytest.raises(MissingExtra, match="apt install chromium-headless-shell"):
        find_browser()
    monkeypatch.setenv(BROWSER_VARIABLE, "/nowhere/shell")
    with pytest.raises(InvalidParameters, match="/nowhere/shell"):
        find_browser()
    assert "/nowhere/shell" in (missing() or "")


def test_a_script_is_followed_to_the_program_that_it_starts(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    script, program = tmp_path / "shell", tmp_path / "real"
    program.write_bytes(b"\x7fELF")
    script.write_text(f'#!/bin/sh -e\n{program} "$@"\n')
    script.chmod(0o755)
    monkeypatch.setenv(BROWSER_VARIABLE, str(script))
    assert find_browser() == program
