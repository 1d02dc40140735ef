"""Where things are in a checkout, whatever folder a test lies in."""

from __future__ import annotations

from pathlib import Path
from typing import Final

TESTS: Final = Path(__file__).parents[1]
ROOT: Final = TESTS.parent
CORPUS: Final = TESTS / "corpus"
PEERS: Final = TESTS / "adapters" / "peers"
"""Programs that run in the virtual environment of another trainer."""
STAND_INS: Final = TESTS / "adapters"
"""Folders of packages that stand in for another ecosystem's."""
