"""Write the tutorials as Jupyter notebooks, in docs/notebooks: ``python docs/notebooks.py``.

A block of Python becomes a cell, a block of ``sh`` a cell of bash, and a block with a title the file of that name. Everything
else, blocks without a language included, stays text. A notebook has no outputs, so it changes only with its page.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

DOCS: Final = Path(__file__).parent
PAGES: Final = sorted((DOCS / "tutorials").glob("*.md"))
SERVE: Final = "envhub serve\n"
"""A block that only starts a server, which runs beside all later blocks."""
_BLOCK: Final = re.compile(r'^```(python|sh)(?: title="([^"]+)")?\n(.*?)^```$', re.DOTALL | re.MULTILINE)
_SIBLING: Final = re.compile(r"\]\((?=[\w-]+\.md)")
_PEER: Final = re.compile(r"^<!-- runs with ([\w-]+) -->\n+", re.MULTILINE)


class Block(NamedTuple):
    """A part of a tutorial that runs.

    Attributes:
        kind: ``python``, ``sh``, or ``file`` for a file to write.
        text: The program, or the content of the file.
        path: The name of the file.
    """

    kind: str
    text: str
    path: str = ""


def blocks(page: Path) -> list[Block]:
    """The blocks of a page that run, in order."""
    return [part for part in parts(page.read_text()) if isinstance(part, Block)]


def peer(page: Path) -> str | None:
    """The package whose interpreter runs a page, if it is not ours."""
    found = _PEER.search(page.read_text())
    return found[1] if found else None


def parts(text: str) -> Iterator[str | Block]:
    """A page as texts and blocks."""
    end = 0
    for found in _BLOCK.finditer(text):
        yield text[end : found.start()]
        kind, path, code = found.groups()
        yield Block("file" if path else kind, code, path or "")
        end = found.end()
    yield text[end:]


def notebook(page: Path) -> str:
    """A page as the text of a notebook."""
    text = _PEER.sub("", _SIBLING.sub("](../tutorials/", page.read_text()))
    cells = [_cell(part) for part in parts(text) if isinstance(part, Block) or part.strip()]
    for number, cell in enumerate(cells):
        cell["id"] = f"cell-{number}"
    about = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
    return json.dumps({"cells": cells, "metadata": about, "nbformat": 4, "nbformat_minor": 5}, indent=1) + "\n"


def _cell(part: str | Block) -> dict[str, Any]:
    if isinstance(part, str):
        return {"cell_type": "markdown", "metadata": {}, "source": _lines(part.strip())}
    return {
        "cell_type": "code",
        "execution_count": None,
        "metadata": {},
        "outputs": [],
        "source": _lines(_magic(part) + part.text.rstrip("\n")),
    }


def _magic(block: Block) -> str:
    """The line that tells Jupyter what a cell is."""
    if block.kind == "file":
        return f"%%writefile {block.path}\n"
    if block.text == SERVE:
        return "%%bash --bg\n"
    return "%%bash\n" if block.kind == "sh" else ""


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


def target(page: Path) -> Path:
    """The file of a page's notebook."""
    return DOCS / "notebooks" / f"{page.stem}.ipynb"


if __name__ == "__main__":
    for page in PAGES:
        target(page).parent.mkdir(exist_ok=True)
        target(page).write_text(notebook(page))
