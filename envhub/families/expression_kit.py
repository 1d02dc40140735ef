"""The names that every question for an expression needs."""

from envhub.authoring.wording import Phrase, Variants
from envhub.core.seeding import Stream
from envhub.core.types import JSON, Instance
from envhub.families.expression_value import ExpressionValue
from envhub.families.levels import knob, levels
from envhub.verifiers.answers.exact import Exact

__all__ = ["JSON", "Exact", "ExpressionValue", "Instance", "Phrase", "Stream", "Variants", "knob", "levels"]
