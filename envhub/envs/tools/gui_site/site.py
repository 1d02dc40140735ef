"""The site of a problem: one of six whole sites."""

from __future__ import annotations

from html import escape
from typing import Final

from envhub.browser.site import Request, Site, page
from envhub.core.types import JSON
from envhub.envs.tools.gui_site.admin import Admin
from envhub.envs.tools.gui_site.app import App
from envhub.envs.tools.gui_site.calendar import Calendar
from envhub.envs.tools.gui_site.flights import Flights
from envhub.envs.tools.gui_site.mail import Mail
from envhub.envs.tools.gui_site.shop import Shop
from envhub.envs.tools.gui_site.wiki import Wiki

APPS: Final[dict[str, App]] = {app.name: app for app in (Mail(), Calendar(), Shop(), Flights(), Admin(), Wiki())}
"""All sites by name."""


class WholeSite(Site):
    """The site of a problem, from its fields ``site`` and ``data``."""

    def start(self, problem: JSON) -> JSON:
        """The records, untouched."""
        return APPS[problem["site"]].start(problem["data"])

    def handle(self, problem: JSON, state: JSON, request: Request) -> tuple[JSON, str]:
        """Change the records, then show a page of them."""
        app, data = APPS[problem["site"]], problem["data"]
        after = app.change(data, state, request)
        menu = "".join(f'<a href="{escape(path)}">{escape(text)}</a>' for text, path in app.menu)
        return after, page(app.title, f"<nav>{menu}</nav><h1>{app.title}</h1>{app.body(data, after, request)}")
