"""The names that every task for a text needs."""

from envhub.authoring.wording import Phrase, Variants
from envhub.core.seeding import Stream
from envhub.core.types import JSON, Instance, Verdict
from envhub.families.levels import knob, levels
from envhub.families.member import Member

__all__ = ["JSON", "Instance", "Member", "Phrase", "Stream", "Variants", "Verdict", "knob", "levels"]
