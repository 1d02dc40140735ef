"""The names that every question with an exact value needs."""

from envhub.authoring.wording import Phrase, Variants
from envhub.core.seeding import Stream
from envhub.core.types import JSON, Instance
from envhub.families.levels import knob, levels
from envhub.families.value import Value
from envhub.verifiers.answers.types import Integer

__all__ = ["JSON", "Instance", "Integer", "Phrase", "Stream", "Value", "Variants", "knob", "levels"]
