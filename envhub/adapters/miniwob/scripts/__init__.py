"""Scripts that solve pages of MiniWoB++ from what a policy sees."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from envhub.adapters.miniwob.scripts.apps import APPS
from envhub.adapters.miniwob.scripts.clicking import CLICKING
from envhub.adapters.miniwob.scripts.forms import FORMS
from envhub.adapters.miniwob.scripts.pointing import POINTING
from envhub.adapters.miniwob.scripts.view import Act, Lost, Scripted, View, wait

SCRIPTS: Final[dict[str, Scripted]] = {**CLICKING, **FORMS, **POINTING, **APPS}
"""The scripts by page."""


def next_action(page: str, seen: Sequence[str]) -> Act:
    """The next action of a page's script, or a wait.

    Args:
        page: The page.
        seen: The observations so far.
    """
    if not seen or page not in SCRIPTS:
        return wait()
    views = iter(seen)
    try:
        script = SCRIPTS[page](View(next(views)))
        action = next(script)
        for text in views:
            action = script.send(View(text))
    except (StopIteration, Lost, LookupError, ValueError, TypeError):
        return wait()
    return action
