"""Write the listings of docs/families/: ``python docs/family_pages.py``.

A page names a file before its listing (`` `envhub/envs/...py`: ``), which becomes that file as it is.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

FOLDER: Final = Path(__file__).parent / "families"
ROOT: Final = FOLDER.parents[1]
LISTING: Final = re.compile(r"(`(envhub/envs/\S+\.py)`:\n\n```python\n)(.*?)(```)$", re.MULTILINE | re.DOTALL)


def filled(text: str) -> str:
    """A page with every listing replaced by the file that it names."""
    return LISTING.sub(lambda found: f"{found[1]}{(ROOT / found[2]).read_text()}{found[4]}", text)


if __name__ == "__main__":
    for page in FOLDER.glob("*.md"):
        page.write_text(filled(page.read_text()))
