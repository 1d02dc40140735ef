"""The check of translated phrases: what it finds, what it leaves alone."""

from __future__ import annotations

from tests.house.plain_english import HERE, MOST, found, phrases, prose

LISTED = phrases((HERE / "phrases.txt").read_text())
MODULE = '''
"""Whoever asks is answered."""

def f(x):
    """Begin anew."""
    text = "whoever"  # no docstring and no error
    raise ValueError("all the same")

@tool
def g(self):
    """Say that it is mended."""
'''


def test_the_list_is_short_and_says_what_to_write_instead() -> None:
    assert 0 < len(LISTED) <= MOST
    assert all(phrase.instead for phrase in LISTED)


def test_docstrings_and_errors_are_searched_and_nothing_else() -> None:
    hits = [(line, phrase) for line, phrase, _ in found(prose(MODULE), LISTED)]
    assert sorted(hits) == [(5, "anew"), (7, "all the same")]


def test_code_in_a_page_does_not_count() -> None:
    assert [hit[1] for hit in found(iter([(1, "`luck` is luck")]), LISTED)] == ["luck"]
    assert not list(found(iter([(1, "The server restarts the worker.")]), LISTED))
