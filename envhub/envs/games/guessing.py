"""The goal that the games of guessing share."""

from __future__ import annotations

from typing import Final

from envhub.authoring.wording import Phrase

GOAL: Final = Phrase(
    "You succeed if you guess {secret}. You fail if you run out of guesses.",
    "You win by guessing {secret}. When no guesses are left, you have lost.",
    "Guess {secret} to succeed. If you run out of guesses first, you fail.",
    held_out="Success means that some guess equals {secret}. Exhausting the guesses is failure.",
)
"""When the policy succeeds; ``secret`` is what it must guess, such as "my number"."""
