"""Adds a link to its notebook to each tutorial."""

from __future__ import annotations

from pathlib import Path
from typing import Any


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Put the link below the title."""
    path = Path(page.file.src_uri)
    if path.parts[0] != "tutorials":
        return markdown
    title, _, rest = markdown.lstrip().partition("\n")
    return f"{title}\n\n[As a notebook](../notebooks/{path.stem}.ipynb)\n{rest}"
