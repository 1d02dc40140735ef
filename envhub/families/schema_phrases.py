"""Rules of tasks in which a schema is inferred from examples."""

from __future__ import annotations

from typing import Final

from envhub.authoring.wording import Phrase

CLASS: Final = Phrase(
    "Each property has one rule: an integer between two bounds, a text with a length between two bounds, one of "
    "two or three texts, "
    "true or false, or a list of integers with a length between two bounds. Both bounds are allowed, and each "
    "occurs in an accepted object.",
    "A property is an integer in a range, a text whose length is in a range, one of two or three texts, a "
    "boolean, or a list of integers "
    "whose length is in a range. Ranges include both ends, and both ends occur in accepted objects.",
    "There are five kinds of rules for a property: integer from a least to a greatest value, text from a least "
    "to a greatest length, one of two "
    "or three texts, boolean, list of integers from a least to a greatest length. The least and the greatest are "
    "allowed and occur in accepted objects.",
    held_out="Rule kinds per property: bounded integer; text of bounded length; choice of two or three texts; "
    "boolean; list of integers of "
    "bounded length. Bounds are inclusive and attained in accepted objects.",
)
OTHERS: Final = Phrase(
    "A property may be required or optional. All other properties are either allowed with any value or not "
    "allowed at all.",
    "Some properties may be left out, others may not. Properties without a rule are either all forbidden or all "
    "allowed, whatever their values.",
    "Each property is required or optional. Further properties are allowed or not, all of them alike and with "
    "any value.",
    held_out="Presence: required or optional for each property. Unlisted properties: all permitted with any "
    "value, or all excluded.",
)
ONE_FAULT: Final = Phrase(
    "Each rejected object breaks exactly one rule. A choice of texts shows all of its values in accepted objects.",
    "A rejected object has exactly one fault. All values of a choice of texts occur in accepted objects.",
    "There is exactly one broken rule in each rejected object, and every value of a choice of texts is in some "
    "accepted object.",
    held_out="Rejected objects violate exactly one rule each; accepted objects exhibit every value of each choice.",
)
HIDDEN: Final = Phrase(
    "Your schema is tested on hidden objects of the same kinds. It must decide each of them correctly.",
    "Hidden objects like those in the examples decide: the schema must be right for all of them.",
    "The schema must accept and reject hidden objects of these kinds without a mistake.",
    held_out="Grading: hidden objects of the same kinds, all of which must be classified correctly.",
)
KEYWORDS: Final = Phrase(
    "Use only these keywords: type, enum, const, properties, required, additionalProperties, items, minItems, "
    "maxItems, minLength, maxLength, "
    "minimum, maximum, oneOf, anyOf, allOf, not.",
    "The schema may contain the keywords type, enum, const, properties, required, additionalProperties, items, "
    "minItems, maxItems, minLength, "
    "maxLength, minimum, maximum, oneOf, anyOf, allOf and not, and no other.",
    "Allowed keywords: type, enum, const, properties, required, additionalProperties, items, minItems, maxItems, "
    "minLength, maxLength, minimum, "
    "maximum, oneOf, anyOf, allOf, not.",
    held_out="Keyword subset: type, enum, const, properties, required, additionalProperties, items, minItems, "
    "maxItems, minLength, maxLength, "
    "minimum, maximum, oneOf, anyOf, allOf, not; all others are errors.",
)
