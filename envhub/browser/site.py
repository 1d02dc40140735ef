"""A site: pages that Python renders from a state that Python holds.

The browser requests pages and sends forms; every request is answered by :meth:`Site.handle`, a pure function. So the
requests determine the state, and the page cannot change it in any other way::

    class Counter(Site):
        def start(self, problem): return 0
        def handle(self, problem, state, request): return state + (request.method == "POST"), page("Counter", FORM)
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from html import escape
from typing import Any, Final
from urllib.parse import parse_qsl, urlsplit

from envhub.core.types import JSON

ORIGIN: Final = "http://site.test"
MOST_FIELDS: Final = 200
POLICY: Final = (
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'nonce-site'; img-src data:; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'"
)
"""The content security policy of every page: nothing but its own inline style and script."""


@dataclass(frozen=True, slots=True)
class Request:
    """A request of a page.

    Attributes:
        method: ``GET`` or ``POST``.
        path: The path, without the query.
        fields: Names and values of the form, or of the query, in order.
    """

    method: str
    path: str
    fields: tuple[tuple[str, str], ...] = ()

    def value(self, name: str) -> str:
        """The value of a field; empty if it was not sent."""
        return next((value for key, value in self.fields if key == name), "")

    def values(self, name: str) -> list[str]:
        """All values of a field."""
        return [value for key, value in self.fields if key == name]

    def to_json(self) -> list[JSON]:
        """The request as JSON values."""
        return [self.method, self.path, [list(field) for field in self.fields]]

    @classmethod
    def from_json(cls, data: Any) -> Request:
        """Restore a request from :meth:`to_json`."""
        method, path, fields = data
        return cls(method, path, tuple((key, value) for key, value in fields))


class Site(ABC):
    """A site whose state is JSON values. Both methods are pure functions."""

    @abstractmethod
    def start(self, problem: JSON) -> JSON:
        """The state at the beginning."""

    @abstractmethod
    def handle(self, problem: JSON, state: JSON, request: Request) -> tuple[JSON, str]:
        """The state after a request, and the page that answers it."""


def read_request(method: str, url: str, body: str) -> Request | None:
    """Read a request that the browser sends.

    None if it is not a request to the site.

    Args:
        method: The method.
        url: The whole address.
        body: The body of a form; empty without one.
    """
    try:
        parts = urlsplit(url)
        if method not in ("GET", "POST") or f"{parts.scheme}://{parts.netloc}" != ORIGIN:
            return None
        pairs = parse_qsl(body if method == "POST" else parts.query, keep_blank_values=True, max_num_fields=MOST_FIELDS)
    except ValueError:
        return None
    return Request(method, parts.path, tuple((key, value.replace("\r\n", "\n")) for key, value in pairs))


def page(title: str, body: str, script: str = "") -> str:
    """A whole page.

    Args:
        title: The title, as plain text.
        body: HTML.
        script: A script of the site, which must not hold text of a user.
    """
    ending = f'<script nonce="site">{script}</script>' if script else ""
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        f'<link rel="icon" href="data:,"><style>{_STYLE}</style></head><body>{body}{ending}</body></html>'
    )


_STYLE: Final = (
    "*{animation:none!important;transition:none!important;caret-color:transparent!important;box-sizing:border-box}"
    "body{font:16px 'DejaVu Sans',sans-serif;margin:12px;color:#111;background:#fff}"
    "h1{font-size:22px;margin:4px 0 10px}h2{font-size:18px;margin:10px 0 6px}"
    "input,select,textarea,button{font:inherit;padding:3px 6px;margin:2px}"
    "label{display:block;margin:5px 0}table{border-collapse:collapse;margin:6px 0}td,th{border:1px solid #888;padding:3px 8px}"
    "nav a,li a{margin-right:10px}ul{margin:4px 0;padding-left:24px}li{margin:3px 0}"
    "dialog{border:2px solid #333;padding:14px;width:70%}.cover{position:fixed;inset:0;background:#eee;padding:40px}"
    "fieldset{margin:8px 0}.drag li{border:1px solid #555;background:#f4f4f4;padding:6px 10px;width:240px;list-style:none;"
    "user-select:none;touch-action:none}.note{background:#e8f2e8;padding:4px 8px}"
)
