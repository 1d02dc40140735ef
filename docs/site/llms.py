"""``llms.txt``: the titles and addresses of all pages, for models that read the site."""

from __future__ import annotations

from pathlib import Path
from typing import Any

_pages: dict[str, str] = {}


def on_page_content(html: str, page: Any, **_: Any) -> str:
    """Note a page."""
    _pages[page.file.src_uri] = f"- [{page.title}]({page.url or '.'})"
    return html


def on_post_build(config: Any, **_: Any) -> None:
    """Write the file."""
    text = f"# {config.site_name}\n\n> {config.site_description}\n\n" + "\n".join(_pages.values()) + "\n"
    (Path(config.site_dir) / "llms.txt").write_text(text, encoding="utf-8")
