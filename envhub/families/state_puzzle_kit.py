"""The names that every state puzzle needs."""

from envhub.authoring.wording import Phrase, Variants, counted, in_picture
from envhub.core.seeding import Stream
from envhub.core.types import JSON, Instance
from envhub.families.levels import knob, levels
from envhub.families.moves import Directions, Move, Numbers, Pours, Presses, Slides
from envhub.families.state_puzzle import StatePuzzle, Steps
from envhub.scenes import Scene

__all__ = [
    "JSON",
    "Directions",
    "Instance",
    "Move",
    "Numbers",
    "Phrase",
    "Pours",
    "Presses",
    "Scene",
    "Slides",
    "StatePuzzle",
    "Steps",
    "Stream",
    "Variants",
    "counted",
    "in_picture",
    "knob",
    "levels",
]
