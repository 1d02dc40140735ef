"""Documents are ranked as BM25 ranks them, in integers, with ties in their order."""

from __future__ import annotations

import itertools
import math

import pytest
from hypothesis import given, strategies as st

from envhub.generators.retrieval import Document, Index, _log2, snippet, states, words

WORDS = st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=30).map(" ".join)
TEXTS = st.lists(WORDS, min_size=2, max_size=12)


def corpus(texts: list[str]) -> Index:
    return Index([Document(f"doc-{number}", "", text) for number, text in enumerate(texts, 1)])


def scores(texts: list[str], query: str) -> list[float]:
    """BM25 by its definition, in floating point."""
    split = [words(text) for text in texts]
    average = sum(map(len, split)) / len(split)
    found = []
    for text in split:
        score = 0.0
        for word in set(words(query)):
            containing = sum(word in other for other in split)
            times = text.count(word)
            if times:
                idf = math.log2(1 + (len(split) - containing + 0.5) / (containing + 0.5))
                score += idf * times * 2.5 / (times + 1.5 * (0.25 + 0.75 * len(text) / average))
        found.append(score)
    return found


@given(TEXTS, WORDS)
def test_the_ranking_is_that_of_the_definition(texts: list[str], query: str) -> None:
    exact = scores(texts, query)
    found = [int(document.id[4:]) - 1 for document in corpus(texts).search(query, 100)]
    assert sorted(found) == [number for number, score in enumerate(exact) if score > 0]
    assert all(exact[one] >= exact[other] - 1e-6 for one, other in itertools.pairwise(found))


def test_ties_are_in_the_order_of_the_documents() -> None:
    assert [d.id for d in corpus(["a b", "b a", "c", "a b"]).search("a", 3)] == ["doc-1", "doc-2", "doc-4"]


@given(TEXTS, WORDS)
def test_a_library_ranks_alike(texts: list[str], query: str) -> None:
    bm25s = pytest.importorskip("bm25s")
    split = [words(text) for text in texts]
    if not any(split) or not set(words(query)) & {word for text in split for word in text}:
        return
    library = bm25s.BM25(k1=1.5, b=0.75, method="lucene")
    library.index(split, show_progress=False)
    theirs = library.get_scores(sorted(set(words(query)) & {word for text in split for word in text}))
    found = [int(document.id[4:]) - 1 for document in corpus(texts).search(query, 100)]
    assert all(theirs[one] >= theirs[other] - 1e-4 for one, other in itertools.pairwise(found))


@given(st.integers(1, 10**6), st.integers(1, 10**6))
def test_the_logarithm_is_right_to_its_last_bit(one: int, other: int) -> None:
    above, below = max(one, other), min(one, other)
    assert abs(_log2(above, below) / 2**30 - math.log2(above / below)) < 2**-28


def test_phrases_are_found_whatever_their_case_and_spacing() -> None:
    index = corpus(["The old\nHarbour, the old harbour.", "Old and harbour."])
    assert [(d.id, times) for d, times in index.find(" OLD harbour ")] == [("doc-1", 2)]
    assert index.find("  ") == []
    assert index.find("nowhere") == []


@given(st.text(), st.integers(1, 10))
def test_no_query_fails(query: str, k: int) -> None:
    index = corpus(["a b c", ""])
    assert len(index.search(query, k)) <= k
    index.find(query)
    assert index.get(query) is None


def test_ids_are_read_as_they_are_shown() -> None:
    index = corpus(["a", "b"])
    assert index.get(" [DOC-2] ") is index.documents[1]
    assert index.get("doc-3") is None


def test_the_sentence_shown_is_the_one_with_most_words_of_the_query() -> None:
    document = Document("doc-1", "", "It rains. The old harbour is empty. The harbour is old and empty now.")
    assert snippet(document, "harbour empty") == "The old harbour is empty."
    assert len(snippet(Document("doc-2", "", "a" * 500), "b")) == 240
    assert states([Document("x", "", "", facts=frozenset({3}))], 3) == ["x"]
