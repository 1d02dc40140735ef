"""Texts: words of a small language, with frequencies by label.

With negation, ``no`` before a word means that it was drawn with the frequencies of another label. The probabilities of all
labels are known for every text.
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate
from typing import Final

from envhub.core.seeding import Stream
from envhub.envs.code.ml_experiment.data import BINARY, NO, YES, Column, Drawn, MetricName, Row, Size

_SYLLABLES: Final = ("ba", "do", "fe", "gi", "ku", "la", "mo", "ne", "pi", "ru", "sa", "to", "vi", "wo", "ze")
_TOPICS: Final = ("billing", "delivery", "quality", "account", "returns")
_NEGATED: Final = 4
"""Where there is negation, one word in this many is negated."""


def draw(rng: Stream, metric: MetricName, size: Size) -> Drawn:
    """Texts with a topic, or with yes or no."""
    binary = metric in BINARY
    labels = (NO, YES) if binary else tuple(sorted(rng.sample(_TOPICS, 3 if size.complexity < 4 else 4)))
    words = _words(rng, 40 + 10 * size.complexity)
    languages = _Languages(labels, words, [[_frequency(rng, size.complexity) for _ in words] for _ in labels])
    rows = [_row(rng, languages, 13 - size.complexity, size.complexity >= 3) for _ in range(size.train + size.test)]
    asked = (
        "whether the writer should be called back, yes or no" if binary else f"its topic, one of {', '.join(labels)}"
    )
    column = Column("text", "the message, words separated by spaces; it may contain the word no")
    target = Column("call" if binary else "topic", asked)
    about = "a message to a help desk"
    return Drawn(about, (column,), target, rows[: size.train], rows[size.train :], labels)


class _Languages:
    """The frequencies of words by label.

    Args:
        labels: The labels.
        words: All words.
        weights: For each label the relative frequency of each word.
    """

    def __init__(self, labels: tuple[str, ...], words: list[str], weights: list[list[int]]) -> None:
        self.labels = labels
        self.words = words
        self.sums = [list(accumulate(each)) for each in weights]
        self.factors = [[weight * len(words) / sum(each) for weight in each] for each in weights]


def _words(rng: Stream, count: int) -> list[str]:
    every = [one + two for one in _SYLLABLES for two in _SYLLABLES if one != two]
    return rng.sample(every, count)


def _frequency(rng: Stream, complexity: int) -> int:
    """A relative frequency. Higher complexity: labels differ less."""
    return rng.between(2, 5) * (4 if rng.below(3 + complexity) == 0 else 1)


def _row(rng: Stream, languages: _Languages, length: int, negation: bool) -> Row:
    """A text of a random label, which every language may have written.

    A belief is the probability of the second of two labels, or else the most probable label.
    """
    labels = languages.labels
    label = rng.below(len(labels))
    likely = [1.0] * len(labels)
    said: list[str] = []
    for _ in range(length):
        turned = negation and rng.below(_NEGATED) == 0
        sums = languages.sums[(label + turned) % len(labels)]
        word = bisect_right(sums, rng.below(sums[-1]))
        said += ["no", languages.words[word]] if turned else [languages.words[word]]
        for each in range(len(labels)):
            likely[each] *= languages.factors[(each + turned) % len(labels)][word]
    belief = (
        labels[max(range(len(labels)), key=likely.__getitem__)]
        if len(labels) > 2
        else likely[1] / (likely[0] + likely[1])
    )
    return Row((" ".join(said),), labels[label], belief)
