"""Pages that stand alone, whatever they are called."""

from __future__ import annotations

from html.parser import HTMLParser

from envhub.reports.html import standalone


class Tags(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.seen: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))


def test_a_title_is_text_and_nothing_else() -> None:
    text = standalone("</title><script>alert(1)</script>", "<p>body</p>")
    assert [tag for tag, _ in Tags(text).seen] == ["html", "head", "meta", "meta", "title", "style", "body", "h1", "p"]
    assert text.count("&lt;script&gt;") == 2


def test_its_head_forbids_scripts_and_what_comes_from_elsewhere() -> None:
    policies = [values for tag, values in Tags(standalone("A report", "")).seen if tag == "meta"]
    assert policies[1]["http-equiv"] == "Content-Security-Policy"
    assert policies[1]["content"] == "default-src 'none'; style-src 'unsafe-inline'"


def test_a_report_s_rules_stand_behind_those_of_every_page() -> None:
    text = standalone("A report", "", "p { color: red; }")
    assert text.index("body {") < text.index("p { color: red; }") < text.index("</style>")
