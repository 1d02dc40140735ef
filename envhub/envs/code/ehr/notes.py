"""Sentences of clinical notes: smoking, allergies and what else stands in them.

Some facts stand in notes only. Each is stated in one of a few sentences, and similar sentences state something else: a denial,
a fact about a relative, a former habit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from envhub.core.seeding import Stream

SMOKING: Final[Mapping[str, tuple[str, ...]]] = {
    "current": ("Current smoker.", "Smokes daily.", "Continues to smoke."),
    "former": ("Former smoker.", "Used to smoke, stopped years ago.", "No longer smokes."),
    "never": ("Never smoked.", "Lifelong non-smoker.", "Denies smoking."),
}
"""Sentences on the patient's smoking, by status."""
SUBSTANCES: Final = ("penicillin", "latex", "ibuprofen", "iodine contrast")
ALLERGIC: Final = ("Allergic to {}.", "Known allergy to {}.", "Had hives after {}.")
NOT_ALLERGIC: Final = ("No known allergy to {}.", "Mother is allergic to {}.", "Denies an allergy to {}.")
_OTHER: Final = (
    "Lives alone.",
    "Lives with a partner.",
    "Partner smokes.",
    "Sleeps well.",
    "Walks without help.",
    "Appetite is normal.",
    "Father was a heavy smoker.",
    "Drinks alcohol rarely.",
    "Understands the plan.",
)


def write_note(rng: Stream, smoking: str, allergies: Sequence[str], about: str) -> str:
    """The text of a note. It need not mention every fact."""
    parts = [about]
    if rng.below(100) < 45:
        parts.append(rng.choice(SMOKING[smoking]))
    parts += [rng.choice(ALLERGIC).format(each) for each in allergies if rng.below(2)]
    other = rng.choice(SUBSTANCES)
    if other not in allergies and rng.below(2):
        parts.append(rng.choice(NOT_ALLERGIC).format(other))
    parts.append(rng.choice(_OTHER))
    at = rng.between(1, len(parts) - 1)
    parts[1], parts[at] = parts[at], parts[1]
    return " ".join(parts)
