"""instructions-count-v0: write a text with exact numbers of words, letters and vowels.

Action: sentences of listed words, each used at most once. All numbers are exact. Difficulty: more words and more
constraints; effort is the number of words times the conditions on them. The order of the list and of the constraints
does not change the problem.
"""

from __future__ import annotations

from envhub.authoring.wording import Phrase
from envhub.families.levels import knob, levels
from envhub.families.word_texts import WordTexts


class Count(WordTexts):
    """Meet exact numbers of words, letters and vowels."""

    Params = levels(
        sentences=knob("sentences of the text", 1, 1, 2, 2, 2, 3, 3, 4, 4, 5),
        words=knob("words of the text, about", 4, 5, 6, 8, 9, 12, 13, 16, 18, 20),
        spare=knob("listed words that no solution needs", 16, 20, 24, 28, 32, 36, 40, 44, 48, 52),
        laws=knob("constraints on every word or pair of words", 0, 1, 1, 1, 1, 1, 2, 2, 2, 2),
        measures=knob("numbers to meet exactly", 1, 1, 1, 2, 2, 3, 3, 4, 4, 5),
    )
    task = Phrase(
        "Write a text of listed words with exactly the stated numbers.",
        "Build sentences from the words of a list so that all numbers are exact.",
        "Compose a text from a given list of words. Its numbers must be exactly those of the rules.",
        held_out="Construct a text over the given vocabulary that meets every count exactly.",
    )
    laws = (("prime_lengths",), ("rising_lengths", "falling_lengths", "parity"))
    measures = ("letter_total", "vowel_total", "letter_times", "initial_times", "length_times", "sentence_lengths")
