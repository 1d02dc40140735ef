"""MiniWoB++'s pages, read from the installed package.

The package is not imported, for that would start Selenium: only its HTML files are read. A page draws its task with a seed of
ours, its time limit is taken away, and it cannot start again after its end, so its first result stands.
"""

from __future__ import annotations

import json
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import Any, ClassVar, Final

from envhub.browser.scripted import File, ScriptedSite
from envhub.core.errors import InvalidParameters, MissingExtra
from envhub.core.types import JSON

RELEASE: Final = "1.1.0"
_KINDS: Final = {".js": "text/javascript", ".css": "text/css", ".png": "image/png", ".gif": "image/gif"}
_RANDOM: Final = "/core/core.js"


class MiniWobSite(ScriptedSite):
    """A page of MiniWoB++. A problem holds ``page``, its name, and ``seed``."""

    hidden: ClassVar[frozenset[str]] = frozenset({"reward-display", "click-canvas", "sync-task-cover"})
    untold: ClassVar[frozenset[str]] = frozenset({"query"})
    report: ClassVar[str] = (
        "{done: WOB_DONE_GLOBAL, raw: WOB_RAW_REWARD_GLOBAL, "
        "goal: (said => typeof said === 'string' ? said : said.utterance)(core.getUtterance())}"
    )

    def document(self, problem: JSON) -> str:
        """The HTML of the page."""
        return (folder() / "miniwob" / f"{problem['page']}.html").read_text("utf-8")

    def file(self, problem: JSON, path: str) -> File | None:
        """A file of the package.

        The generator of random numbers is seeded as soon as it is loaded.
        """
        root = folder()
        found = (root / path.lstrip("/")).resolve()
        if not found.is_relative_to(root) or not found.is_file() or found.suffix not in _KINDS:
            return None
        content = found.read_bytes()
        if path == _RANDOM:
            content += f"\n;{_seeded(problem)}".encode()
        return File(content, _KINDS[found.suffix])

    def begin(self, problem: JSON) -> str:
        """Draw the task; the page's time limit does not end it."""
        return (
            f"{_seeded(problem)} core.EPISODE_MAX_TIME = 1e12; core.startEpisodeReal(); "
            "core.startEpisode = core.startEpisodeReal = () => {};"
        )


def _seeded(problem: Any) -> str:
    return f"Math.seedrandom({json.dumps(str(problem['seed']))});"


@cache
def folder() -> Path:
    """The folder of the package's HTML files.

    Raises:
        MissingExtra: The package is not installed.
        InvalidParameters: Another release is installed.
    """
    try:
        found, spec = version("miniwob"), find_spec("miniwob")
    except PackageNotFoundError:
        found, spec = "", None
    if spec is None or not spec.submodule_search_locations:
        raise MissingExtra(
            "MiniWoB++ is needed: pip install --no-deps miniwob==1.1.0, or with Selenium, which is not used: "
            "pip install 'envhub[miniwob]'."
        )
    if found != RELEASE:
        raise InvalidParameters(
            f"MiniWoB++ must be {RELEASE}, since its pages are part of a task; {found} is installed."
        )
    return Path(spec.submodule_search_locations[0]).resolve() / "html"
