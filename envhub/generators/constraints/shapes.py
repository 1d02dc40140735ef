"""Constraints on the shape of a text, which a writer can obey.

Their parameters are drawn before there is a text; :mod:`envhub.generators.constraints.writer` writes one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from envhub.core.seeding import Stream
from envhub.generators.constraints.kinds import Kind, Settings
from envhub.generators.constraints.units import Text, words_of

DIVIDER: Final = "====="
BULLET: Final = "* "
_TITLES: Final = ("A Short Report", "Notes For The File", "Facts At A Glance", "What We Know", "A Brief Portrait")
_OPENINGS: Final = ("Here is the report", "This is what we know", "Dear reader", "Good morning", "In short")
_CLOSINGS: Final = (
    "This is the end of the report.",
    "Is there anything else to say?",
    "Thank you for reading.",
    "More will follow soon.",
    "That is all for today!",
)
_MARKERS: Final = ("P.S.", "P.P.S.", "Note:")
_HEADS: Final = ("Section", "Part", "Chapter", "Item")
KEYWORDS: Final = (
    "compass",
    "meadow",
    "velvet",
    "thunder",
    "orchid",
    "pebble",
    "harvest",
    "candle",
    "ribbon",
    "lagoon",
)
"""Words that a text contains only where a constraint asks for them."""
FILLERS: Final = (
    ("quiet", "busy", "famous", "modest", "pleasant", "curious", "sturdy", "cheerful", "honest", "unusual"),
    ("visitors", "neighbours", "children", "travellers", "writers", "gardeners", "students", "sailors", "painters"),
    ("praise", "mention", "describe", "remember", "admire", "discuss", "enjoy", "respect", "recommend"),
)
"""Adjectives, nouns and verbs of sentences without facts."""


def count_bullets(text: Text) -> int:
    """Number of lines that begin with an asterisk and a space."""
    return sum(line.startswith(BULLET) for line in text.lines)


def count_dividers(text: Text) -> int:
    """Number of lines that are a divider."""
    return sum(line.strip() == DIVIDER for line in text.raw.split("\n"))


def count_highlights(text: Text) -> int:
    """Number of spans between two asterisks in one line."""
    return sum(_spans(line.removeprefix(BULLET)) for line in text.lines)


def _spans(line: str) -> int:
    parts = line.split("*")
    return sum(
        bool(part.strip()) and part == part.strip() for part in parts[1 : len(parts) - 1 : 2]
    )  # parts between the first and the second asterisk, the third and the fourth ...


def count_bracketed(text: Text, left: str, right: str) -> int:
    """Number of pairs of brackets with a word in between."""
    found = 0
    for piece in text.raw.split(left)[1:]:
        inner, closed, _ = piece.partition(right)
        found += bool(closed and words_of(inner))
    return found


def _begins(text: Text, phrase: str) -> bool:
    wanted = words_of(phrase.lower())
    return text.folded[: len(wanted)] == wanted


def _ends(text: Text, phrase: str) -> bool:
    return text.raw.rstrip().lower().endswith(phrase.lower())


def _titled(text: Text, p: Settings) -> bool:
    line = text.lines[0] if text.lines else ""
    return line.lower() == f"<<{p['title']}>>".lower()


def _sectioned(text: Text, p: Settings) -> bool:
    heads = [line for line in text.lines if line.lower().startswith(p["head"].lower() + " ")]
    return [line.lower() for line in heads] == [f"{p['head']} {k}".lower() for k in range(1, p["n"] + 1)]


def _postscript(text: Text, p: Settings) -> bool:
    last = text.paragraphs[-1] if text.paragraphs else ""
    return len(text.paragraphs) > 1 and last.lower().startswith(p["marker"].lower() + " ")


def _quoted(text: Text, p: Settings) -> bool:
    raw = text.raw.strip()
    return len(raw) > 2 and raw[0] == raw[-1] == '"' and raw.count('"') == 2


def count_capital_words(text: Text) -> int:
    """Number of words of at least two letters that are all capital."""
    return sum(len(word) > 1 and word.isalpha() and word.isupper() for word in text.words)


def _exactly(count: Callable[[Text], int], most: int, *terms: str, excludes: tuple[str, ...] = ()) -> Kind:
    return Kind(lambda text, p: count(text) == p["n"], lambda rng, text: {"n": rng.between(1, most)}, terms, excludes)


def _choice(name: str, options: tuple[str, ...]) -> Callable[[Stream, Any], Settings]:
    return lambda rng, text: {name: rng.choice(options)}


def _nothing(rng: Stream, text: Text) -> Settings:
    return {}


SHAPES: Final[dict[str, Kind]] = {
    "title": Kind(_titled, _choice("title", _TITLES), ("line",), ("start",)),
    "first_words": Kind(
        lambda text, p: _begins(text, p["phrase"]), _choice("phrase", _OPENINGS), ("word",), ("start",)
    ),
    "last_words": Kind(lambda text, p: _ends(text, p["phrase"]), _choice("phrase", _CLOSINGS), (), ("end",)),
    "quoted": Kind(_quoted, _nothing, (), ("start", "end", "quotes")),
    "upper_case": Kind(lambda text, p: text.raw == text.raw.upper(), _nothing, (), ("case",)),
    "lower_case": Kind(lambda text, p: text.raw == text.raw.lower(), _nothing, (), ("case",)),
    "capital_words": _exactly(count_capital_words, 4, "word", excludes=("case",)),
    "bullets": _exactly(count_bullets, 5, "line"),
    "highlights": _exactly(count_highlights, 4),
    "placeholders": _exactly(lambda text: count_bracketed(text, "[", "]"), 4),
    "parentheses": _exactly(lambda text: count_bracketed(text, "(", ")"), 4),
    "dividers": _exactly(count_dividers, 3),
    "questions": _exactly(
        lambda text: sum(part.endswith("?") for part in text.sentences), 3, "sentence", excludes=("end",)
    ),
    "sections": Kind(
        _sectioned, lambda rng, text: {"head": rng.choice(_HEADS), "n": rng.between(2, 4)}, ("line",), ("quotes",)
    ),
    "postscript": Kind(_postscript, _choice("marker", _MARKERS), ("paragraph",)),
    "no_comma": Kind(lambda text, p: "," not in text.raw, _nothing),
    "forbidden": Kind(
        lambda text, p: not any(text.word_counts[word] for word in p["words"]),
        lambda rng, text: {"words": [rng.choice(words) for words in FILLERS]},
        ("word",),
    ),
    "planted": Kind(
        lambda text, p: text.word_counts[p["word"]] == p["n"],
        lambda rng, text: {"word": rng.choice(KEYWORDS), "n": rng.between(1, 4)},
        ("word",),
        repeats=True,
    ),
}
"""Kinds that a writer obeys, by name."""
