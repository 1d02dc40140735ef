"""Phrases that environments with tools share."""

from __future__ import annotations

from typing import Final

from envhub.authoring.wording.variants import Phrase

SUBMIT_ONCE: Final = Phrase(
    "You can call submit only once. It ends the task.",
    "There is only one call of submit, and the task ends with it.",
    "The task ends as soon as you call submit, so you cannot submit a second time.",
    held_out="submit is final: the first call of it closes the task.",
)
"""What a call of ``submit`` does."""
