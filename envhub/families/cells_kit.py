"""The names that every grid puzzle needs."""

from envhub.authoring.wording import Phrase
from envhub.core.seeding import Stream
from envhub.core.types import JSON
from envhub.families.cells import Cells, Laws
from envhub.families.levels import knob, levels
from envhub.families.marks import Marks, marked
from envhub.families.pieces import Pieces, picture
from envhub.generators.cells.model import Grid

__all__ = [
    "JSON",
    "Cells",
    "Grid",
    "Laws",
    "Marks",
    "Phrase",
    "Pieces",
    "Stream",
    "knob",
    "levels",
    "marked",
    "picture",
]
