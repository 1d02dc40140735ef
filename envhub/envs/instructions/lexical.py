"""instructions-lexical-v0: write a text under constraints on letters.

Action: sentences of listed words, each used at most once. Difficulty: more words and more constraints; effort is the
number of words times the conditions on them. The order of the list and of the constraints does not change the
problem.
"""

from __future__ import annotations

from envhub.authoring.wording import Phrase
from envhub.families.levels import knob, levels
from envhub.families.word_texts import WordTexts


class Lexical(WordTexts):
    """Obey constraints on the letters of words."""

    Params = levels(
        sentences=knob("sentences of the text", 1, 2, 2, 2, 3, 3, 3, 4, 4, 5),
        words=knob("words of the text, about", 3, 5, 6, 7, 9, 10, 12, 14, 16, 20),
        spare=knob("listed words that no solution needs", 16, 20, 24, 28, 32, 36, 40, 44, 48, 52),
        laws=knob("constraints on every word or pair of words", 1, 1, 1, 2, 2, 2, 2, 2, 2, 2),
        measures=knob("constraints on the text as a whole", 0, 0, 1, 1, 1, 2, 2, 3, 3, 4, at_least=0),
    )
    task = Phrase(
        "Write a text of listed words whose letters follow all rules.",
        "Build sentences from the words of a list. Their letters must obey every rule.",
        "Compose a text from a given list of words so that all rules on its letters hold.",
        held_out="Construct a text over the given vocabulary that meets every condition on letters.",
    )
    laws = (("lipogram", "univocalic"), ("alphabetical", "alliteration", "chain", "new_initials"))
    measures = ("acrostic", "last_letters", "letter_set", "doubled", "initial_times")
