"""Rules of tasks in which a schema is inferred from examples."""

from __future__ import annotations

from typing import Final

from envhub.authoring.wording import Phrase

CLASS: Final = Phrase(
    "Each property of the examples, except extra, has one rule: an integer between two bounds, a text with a length "
    "between two bounds, one of two or three texts, true or false, or a list of integers with a length between two "
    "bounds. Both bounds are allowed, and each occurs in an accepted object.",
    "Each property in the examples other than extra is an integer in a range, a text whose length is in a range, one of "
    "two or three texts, a boolean, or a list of integers whose length is in a range. Ranges include both ends, and both "
    "ends occur in accepted objects.",
    "Every property of the examples except extra has one rule. There are five kinds: integer from a least to a greatest "
    "value, text from a least to a greatest length, one of two or three texts, boolean, list of integers from a least to "
    "a greatest length. The least and the greatest are allowed and occur in accepted objects.",
    held_out="One rule for each property of the examples except extra; kinds: bounded integer; text of bounded length; "
    "choice of two or three texts; boolean; list of integers of bounded length. Bounds are inclusive and attained in "
    "accepted objects.",
)
OTHERS: Final = Phrase(
    "A property with a rule is required or optional. Properties without a rule, such as extra, are either all "
    "allowed with any value or all forbidden.",
    "Some properties with a rule may be left out, others may not. Properties without a rule, of which extra is an "
    "example, are either all forbidden or all allowed, whatever their values.",
    "Each property with a rule is required or optional. All further properties, such as extra, have no rule: they are "
    "allowed or not, all of them alike and with any value.",
    held_out="Presence: required or optional for each property with a rule. Properties without a rule (such as extra): "
    "all permitted with any value, or all excluded.",
)
ONE_FAULT: Final = Phrase(
    "Each rejected object breaks exactly one rule. A choice of texts shows all of its values in accepted objects.",
    "A rejected object has exactly one fault. All values of a choice of texts occur in accepted objects.",
    "There is exactly one broken rule in each rejected object, and every value of a choice of texts is in some "
    "accepted object.",
    held_out="Rejected objects violate exactly one rule each; accepted objects exhibit every value of each choice.",
)
HIDDEN: Final = Phrase(
    "Your schema is tested on hidden objects of the same kinds, and on values that are not objects, which it must "
    "reject. It must decide each of them correctly.",
    "Hidden objects like those in the examples decide: the schema must be right for all of them. It must also reject "
    "every value that is not an object.",
    "The schema must accept and reject hidden objects of these kinds without a mistake, and must reject whatever is not "
    "an object.",
    held_out="Grading: hidden objects of the same kinds, all of which must be classified correctly; values other than "
    "objects must be rejected.",
)
KEYWORDS: Final = Phrase(
    "Use only these keywords: type, enum, const, properties, required, additionalProperties, items, minItems, maxItems, "
    "minLength, maxLength, minimum, maximum, oneOf, anyOf, allOf, not.",
    "The schema may contain the keywords type, enum, const, properties, required, additionalProperties, items, minItems, "
    "maxItems, minLength, maxLength, minimum, maximum, oneOf, anyOf, allOf and not, and no other.",
    "Allowed keywords: type, enum, const, properties, required, additionalProperties, items, minItems, maxItems, minLength, "
    "maxLength, minimum, maximum, oneOf, anyOf, allOf, not.",
    held_out="Keyword subset: type, enum, const, properties, required, additionalProperties, items, minItems, maxItems, "
    "minLength, maxLength, minimum, maximum, oneOf, anyOf, allOf, not; all others are errors.",
)
