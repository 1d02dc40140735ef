"""A visitor of a site without a browser: reads HTML, follows links, and sends forms."""

from __future__ import annotations

from html.parser import HTMLParser
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from envhub.browser.site import Request, Site


class _Form:
    def __init__(self, action: str, method: str) -> None:
        self.action, self.method, self.button = action, method.upper(), ""
        self.fields: list[list[str]] = []  # name, value, and what kind of field it is
        self.options: dict[str, list[str]] = {}


class _Reader(HTMLParser):
    """The links, forms and table rows of a page, and its text."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.links: dict[str, str] = {}
        self.forms: list[_Form] = []
        self.rows: list[list[str]] = []
        self.text = ""
        self._href = self._caption = self._option = None  # type: ignore[var-annotated]
        self._cell = self._within = False
        self._select: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        given = dict(attrs)
        if tag == "a":
            self._href, self._caption = given["href"], ""
        elif tag == "form":
            self.forms.append(_Form(given["action"], given.get("method", "get")))
            self._within = True
        elif tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th"):
            self.rows[-1].append("")
            self._cell = True
        elif tag == "button":
            self._caption = ""
        elif tag == "input" and self._within:
            kind = given.get("type", "text")
            self.forms[-1].fields.append([given["name"], given.get("value", ""), kind, given.get("aria-label", "")])
        elif tag == "select":
            self._select = [given["name"], "", "select", ""]
            self.forms[-1].fields.append(self._select)
            self.forms[-1].options[given["name"]] = []
        elif tag == "option":
            self._option = ("", "selected" in given)

    def handle_data(self, data: str) -> None:
        self.text += data
        if self._caption is not None:
            self._caption += data
        if self._option is not None:
            self._option = (self._option[0] + data, self._option[1])
        elif self._cell:
            self.rows[-1][-1] += data

    def handle_endtag(self, tag: str) -> None:
        if tag == "a":
            self.links.setdefault(self._caption or "", self._href or "")
            self._caption = self._href = None
        elif tag == "button":
            self.forms[-1].button, self._caption = self._caption or "", None
        elif tag == "form":
            self._within = False
        elif tag in ("td", "th"):
            self._cell = False
        elif tag == "option" and self._option is not None:
            if self._select:
                text, selected = self._option
                self.forms[-1].options[self._select[0]].append(text)
                if selected or not self._select[1]:
                    self._select[1] = text
            self._option = None
        elif tag == "select":
            self._select = []


class Visitor:
    """Visits a site.

    Attributes:
        state: The site's state.
        rows: The rows of the tables of the current page, as texts.
        text: The text of the page.
    """

    def __init__(self, site: Site, problem: Any) -> None:
        self._site, self._problem = site, problem
        self.state = site.start(problem)
        self._go(Request("GET", "/"))

    def links(self) -> list[str]:
        """The texts of all links."""
        return list(self._page.links)

    def follow(self, *texts: str) -> None:
        """Follow links one after the other."""
        for text in texts:
            parts = urlsplit(self._page.links[text])
            self._go(Request("GET", "/" + parts.path.lstrip("./"), tuple(parse_qsl(parts.query))))

    def send(self, button: str, ticked: tuple[str, ...] = (), **values: str) -> None:
        """Fill in the form with a button, and send it."""
        form = next(each for each in self._page.forms if each.button == button)
        fields = []
        for name, value, kind, label in form.fields:
            key = name.replace(" ", "_")
            if kind == "checkbox":
                fields += [(name, value)] if label in ticked else []
                continue
            if kind == "select" and key in values:
                assert values[key] in form.options[name], (name, values[key])
            fields.append((name, values.pop(key, value)))
        assert not values, values
        self._go(Request(form.method, "/" + form.action.lstrip("./"), tuple(fields)))

    def list(self) -> list[list[str]]:
        """The rows of all pages of a list, beginning here."""
        found = self.rows[1:]
        while "Next page" in self.links():
            self.follow("Next page")
            found += self.rows[1:]
        return found

    def turn_to(self, link: str) -> None:
        """Follow a link on this page or a later one."""
        while link not in self.links():
            self.follow("Next page")
        self.follow(link)

    def _go(self, request: Request) -> None:
        self.state, html = self._site.handle(self._problem, self.state, request)
        self._page = _Reader(html)
        self.rows, self.text = self._page.rows, self._page.text
