"""The catalogue of an archive: ranked search and the pages of documents.

The index terms of a document are the words of the things it states facts about, of the values it states, of the names
of these attributes, and its source and year. Words of the text that say nothing are not among them, so the index of ten
thousand documents is built without writing one of them. Documents with a whole name of the query come first.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from functools import lru_cache
from typing import Final

from envhub.envs.search.archive.prose import Paragraph, dated, written
from envhub.envs.search.archive.schema import ATTRIBUTES, linked
from envhub.envs.search.archive.world import Paper, Recipe, World, world_of
from envhub.generators.retrieval import ranked, words

SHOWN: Final = 10
"""Results on a page of a search."""
PAGE: Final = 12
"""Paragraphs on a page of a document."""
_TITLE: Final = 2
_LONGEST: Final = 240
_MOST_WORDS: Final = 32
_SIZES: Final = (1, 2, 3)
"""Numbers of words of a name."""
_SENTENCE: Final = re.compile(r"(?<=\.) ")


class Catalogue:
    """The index of a world. Use :func:`catalogue_of`, which keeps recent ones."""

    def __init__(self, world: World) -> None:
        self._world = world
        split = [_terms(name) for name in world.names]
        nouns = [words(row.noun) for row in ATTRIBUTES]
        postings: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
        self._lengths = []
        for number in range(world.documents):
            paper = world.paper(number)
            terms = [paper.source, str(dated(paper.day).rpartition(" ")[2])]
            if paper.about is not None:
                terms += split[paper.about] * _TITLE
            for fact in paper.facts:
                if fact.thing != paper.about:
                    terms += split[fact.thing]
                terms += nouns[fact.attribute]
                terms += split[fact.value] if linked(fact.attribute) else [str(fact.value)]
            self._lengths.append(len(terms))
            for term, times in Counter(terms).items():
                postings[term].append((number, times))
        self._postings = dict(postings)
        self._total = sum(self._lengths)

    def search(self, query: str) -> list[Paper]:
        """The documents indexed under any word of a query, the best first.

        Those with more whole names come before others; BM25 decides between equals.
        """
        asked = words(query)[:_MOST_WORDS]
        spans = (" ".join(asked[at : at + size]) for size in _SIZES for at in range(len(asked) - size + 1))
        whole = Counter(
            number
            for name in dict.fromkeys(spans)
            if name in self._world.by_name
            for number, _ in self._postings.get(name, ())
        )
        found = ranked(asked, self._postings, self._lengths, self._total)
        found.sort(key=lambda number: -whole[number])
        return [self._world.paper(number) for number in found]


def _terms(name: str) -> list[str]:
    """The words of a name, and the name as a whole."""
    split = words(name)
    return split if len(split) == 1 else [*split, " ".join(split)]


@lru_cache(maxsize=6)
def catalogue_of(seed: str, size: int, conflict: int, rumours: int, length: int) -> Catalogue:
    """The catalogue of a recipe."""
    return Catalogue(world_of(seed, size, conflict, rumours, length))


def catalogue(recipe: Recipe) -> Catalogue:
    """The catalogue of a recipe as it stands in a key."""
    return catalogue_of(*recipe)


def head(world: World, paper: Paper) -> str:
    """Id, source, date and title of a document on one line."""
    return f"[{world.id(paper.number)}] {paper.source}, {dated(paper.day)}: {written(world, paper).title}"


def best_line(paragraphs: tuple[Paragraph, ...], query: str) -> str:
    """The number of a paragraph and its sentence closest to a query."""
    wanted = set(words(query))
    best, shown = -1, ""
    for at, paragraph in enumerate(paragraphs, 1):
        for sentence in _SENTENCE.split(paragraph.text):
            count = len(wanted.intersection(words(sentence)))
            if count > best:
                best, shown = (
                    count,
                    f"({at}) {sentence if len(sentence) <= _LONGEST else sentence[: _LONGEST - 3] + '...'}",
                )
    return shown
