"""Links from the pages to files outside ``docs/``, which the site does not hold, become the names of those files."""

from __future__ import annotations

import re
from pathlib import Path
from posixpath import normpath
from typing import Any

_LINK = re.compile(r"\[([^\]]+)\]\(((?:\.\./)+[^)#\s]+)(?:#[^)]*)?\)")


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Replace the links of a page that lead out of ``docs/``."""
    folder = Path(page.file.src_uri).parent.as_posix()

    def named(link: re.Match[str]) -> str:
        target = normpath(f"docs/{folder}/{link[2]}")
        return link[0] if target.startswith("docs/") else f"{link[1]} (`{target}`)"

    return _LINK.sub(named, markdown)
