"""Word lists of the public benchmarks, and ids left out."""

from __future__ import annotations

from typing import Final

CONJUNCTIONS: Final = frozenset(["and", "but", "for", "nor", "or", "so", "yet"])
_PRONOUNS: Final = (
    "i me my mine myself you your yours yourself yourselves he him his himself she her hers herself it its itself "
    "we us our ours ourselves they them their theirs themselves"
)
PRONOUNS: Final = frozenset(_PRONOUNS.split())
_PERSON_NAMES: Final = (
    "Emma Liam Sophia Jackson Olivia Noah Ava Lucas Isabella Mason Mia Ethan Charlotte Alexander Amelia Benjamin "
    "Harper Leo Zoe Daniel Chloe Samuel Lily Matthew Grace Owen Abigail Gabriel Ella Jacob Scarlett Nathan "
    "Victoria Elijah Layla Nicholas Audrey David Hannah Christopher Penelope Thomas Nora Andrew Aria Joseph "
    "Claire Ryan Stella Jonathan"
)
PERSON_NAMES: Final = frozenset(_PERSON_NAMES.split())

_KNOWLEDGE: Final = "its answer is a fact about the world, which no rule over the text decides"
_TAGGER: Final = "needs a part-of-speech tagger or a pronunciation dictionary, which err"
_VAGUE: Final = "its wording does not say what is counted"

LEFT_OUT: Final = {
    "language:response_language": "needs a language detector, which errs",
    "ratio:stop_words": f"{_VAGUE}: there is no agreed list of stop words",
    "ratio:overlap": f"{_VAGUE}: a trigram overlap of texts can be measured in several ways",
    "words:start_verb": _TAGGER,
    "words:odd_even_syllables": _TAGGER,
    "format:quote_unquote": f"{_VAGUE}: what explains a quotation is a matter of meaning",
    "format:thesis": f"{_VAGUE}: whether a text in italics is a thesis is a matter of meaning",
    "custom:mcq_count_length": f"{_VAGUE}: the length of a question and the shape of options are open",
    "custom:reverse_newline": _KNOWLEDGE,
    "custom:word_reverse": _KNOWLEDGE,
    "custom:character_reverse": _KNOWLEDGE,
    "custom:european_capitals_sort": _KNOWLEDGE,
    "custom:date_format_list": _KNOWLEDGE,
}
"""Ids without a checker, with the reason."""
