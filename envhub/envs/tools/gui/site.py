"""The site of a GUI task: an index and parts.

The state is the list of the parts' states. Part 2 answers requests below ``/2/``.
"""

from __future__ import annotations

from html import escape
from typing import Any, Final

from envhub.browser.site import Request, Site, page
from envhub.core.types import JSON
from envhub.envs.tools.gui.apps import APPS
from envhub.envs.tools.gui.forms import FORMS
from envhub.envs.tools.gui.kind import Kind
from envhub.envs.tools.gui.pointer import POINTER
from envhub.envs.tools.gui.structure import STRUCTURES
from envhub.envs.tools.gui.tables import TABLES

KINDS: Final[dict[str, Kind]] = {kind.name: kind for kind in (*FORMS, *STRUCTURES, *TABLES, *APPS, *POINTER)}
"""All kinds of tasks by name."""


class GuiSite(Site):
    """The site of a problem, whose ``parts`` are kinds with data."""

    def start(self, problem: JSON) -> JSON:
        """The parts, untouched."""
        return [KINDS[name].start(data) for name, data in problem["parts"]]

    def handle(self, problem: JSON, state: JSON, request: Request) -> tuple[JSON, str]:
        """Hand a request to its part."""
        parts = problem["parts"]
        number, _, rest = request.path.removeprefix("/").partition("/")
        known = [str(at) for at in range(len(parts))]
        if number not in known:
            return state, page("Start", f"<h1>Start</h1>{_index(parts)}")
        at = int(number)
        name, data = parts[at]
        kind, inner = KINDS[name], Request(request.method, f"/{rest}", request.fields)
        state = [*state[:at], kind.change(data, state[at], inner), *state[at + 1 :]]
        title = data["title"]
        body = f"<h1>{escape(title)}</h1>{kind.body(data, state[at], inner)}"
        return state, page(title, _index(parts) + body, kind.script())


def _index(parts: Any) -> str:
    links = "".join(f'<a href="/{at}/">Go to {escape(data["title"])}</a>' for at, (_, data) in enumerate(parts))
    return f"<nav>{links}</nav>"
