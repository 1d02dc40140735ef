"""The checks of prose: what they find, what they leave alone."""

from __future__ import annotations

from tests.house.plain_english import HERE, MOST_PHRASES, found, long_summaries, phrases, prose

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
    assert 0 < len(LISTED) <= MOST_PHRASES
    assert all(phrase.instead for phrase in LISTED)


def test_docstrings_and_errors_are_searched_and_nothing_else() -> None:
    hits = [(line, phrase) for line, phrase, _ in found(prose(MODULE), LISTED)]
    assert sorted(hits) == [(5, "anew"), (7, "all the same")]


def test_code_in_a_page_does_not_count() -> None:
    assert [hit[1] for hit in found(iter([(1, "`luck` is luck")]), LISTED)] == ["luck"]
    assert not list(found(iter([(1, "The server restarts the worker.")]), LISTED))


def test_the_first_line_of_a_docstring_has_at_most_twelve_words() -> None:
    twelve = "One two three four five six seven eight nine ten eleven"
    assert not list(long_summaries(f'def f():\n    """{twelve} twelve.\n\n    {twelve} twelve thirteen.\n    """\n'))
    assert list(long_summaries(f'x = 1\n\ndef f():\n    """{twelve} twelve thirteen."""\n')) == [(4, 13)]
    assert list(long_summaries(f'class C:\n    """{twelve} twelve thirteen."""\n')) == [(2, 13)]
    assert not list(long_summaries(f'"""{twelve} ``a b c``."""'))


def test_what_a_policy_reads_of_a_tool_has_no_limit() -> None:
    assert not list(long_summaries(f'@tool\ndef f(self):\n    """{"word " * 13}."""\n'))
