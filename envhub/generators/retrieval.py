"""Document search: BM25 in integers, and exact phrases.

A ranking is part of what a policy sees, so it is the same on every machine and in every release: logarithms and scores
are integers, and ties go to the first document. Libraries use floating point and change between releases, so none is
used; the tests compare the ranking with one::

    index = Index([Document("doc-1", "Harbours", "Ships lie in the harbour.", 2011)])
    index.search("ship harbour", 5)[0].id
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Final

_WORD = re.compile(r"[^\W_]+")
_SENTENCE = re.compile(r"(?<=[.!?])\s+")
_BITS: Final = 30
_SHOWN: Final = 240
_LONGEST_QUERY: Final = 64


@dataclass(frozen=True, slots=True)
class Document:
    """A searchable text.

    Attributes:
        id: Its name in the corpus.
        title: Its title; may be empty.
        text: Its content.
        year: Its year; None if unknown.
        facts: Numbers of the facts that it states, if known.
    """

    id: str
    title: str
    text: str
    year: int | None = None
    facts: frozenset[int] = frozenset()

    @property
    def head(self) -> str:
        """Id, year and title on one line."""
        year = f" ({self.year})" if self.year is not None else ""
        return f"[{self.id}]{year} {self.title}".rstrip()


class Index:
    """A searchable corpus.

    Args:
        documents: In tie-breaking order, with distinct ids.
    """

    def __init__(self, documents: Sequence[Document]) -> None:
        self.documents = tuple(documents)
        self._by_id = {document.id: document for document in self.documents}

    def get(self, id: str) -> Document | None:
        """The document of an id, ignoring case and brackets; None if unknown."""
        plain = id.strip().strip("[]").strip()
        return self._by_id.get(plain) or self._by_id.get(plain.casefold())

    @cached_property
    def _postings(self) -> tuple[dict[str, list[tuple[int, int]]], list[int]]:
        """The documents of every word with its counts, and the documents' lengths."""
        postings: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
        lengths: list[int] = []
        for number, document in enumerate(self.documents):
            counted = Counter(words(f"{document.title} {document.text}"))
            lengths.append(counted.total())
            for word, times in counted.items():
                postings[word].append((number, times))
        return dict(postings), lengths

    @cached_property
    def _length(self) -> int:
        return sum(self._postings[1])

    def search(self, query: str, k: int) -> list[Document]:
        """The ``k`` best documents by BM25 (k1 = 1.5, b = 0.75).

        Each contains a query word.
        """
        postings, lengths = self._postings
        return [self.documents[number] for number in ranked(words(query), postings, lengths, self._length)[:k]]

    def find(self, phrase: str) -> list[tuple[Document, int]]:
        """The documents that contain a phrase, ignoring case and spacing, with counts."""
        wanted = _folded(phrase)
        found = [(document, text.count(wanted)) for document, text in zip(self.documents, self._folded, strict=True)]
        return [(document, times) for document, times in found if times] if wanted else []

    @cached_property
    def _folded(self) -> list[str]:
        return [_folded(f"{document.title}\n{document.text}") for document in self.documents]


def ranked(
    query: Sequence[str], postings: Mapping[str, Sequence[tuple[int, int]]], lengths: Sequence[int], total: int
) -> list[int]:
    """The indices of documents with any query word, best first.

    Documents are ranked by BM25 with k1 = 1.5 and b = 0.75.

    Args:
        query: Words; those after the first 64 are ignored.
        postings: For each word, the numbers of its documents with its counts there.
        lengths: The number of words of each document.
        total: Their sum.
    """
    scores: defaultdict[int, int] = defaultdict(int)
    count = len(lengths)
    for word in dict.fromkeys(query[:_LONGEST_QUERY]):
        found = postings.get(word, ())
        weight = _log2(2 * count + 2, 2 * len(found) + 1)
        for number, times in found:
            # times (k1 + 1) / (times + k1 (1 - b + b length / average)), both sides times 8 total
            scores[number] += weight * 20 * times * total // ((8 * times + 3) * total + 9 * lengths[number] * count)
    return sorted(scores, key=lambda number: (-scores[number], number))


def words(text: str) -> list[str]:
    """The words of a text, in lower case."""
    return _WORD.findall(text.casefold())


def snippet(document: Document, query: str) -> str:
    """The first sentence of a document with the most query words."""
    wanted = set(words(query))
    sentences = _SENTENCE.split(document.text)
    best = max(sentences, key=lambda sentence: len(wanted.intersection(words(sentence))), default="")
    return best if len(best) <= _SHOWN else best[: _SHOWN - 3] + "..."


def states(documents: Iterable[Document], fact: int) -> list[str]:
    """The ids of the documents that state a fact."""
    return [document.id for document in documents if fact in document.facts]


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())


@cache
def _log2(above: int, below: int) -> int:
    """The binary logarithm of ``above / below``, rounded down.

    The ratio is at least 1. In units of 2 ** -30; exact in integers.
    """
    whole = (above // below).bit_length() - 1
    x = (above << 62) // (below << whole)  # in [1, 2), with 62 bits after the point
    result = whole
    for _ in range(_BITS):
        x = x * x >> 62
        result <<= 1
        if x >> 63:
            x >>= 1
            result += 1
    return result
