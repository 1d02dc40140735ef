"""Errors: one family, messages that read as text, and the nearest thing there is."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from envhub.core import errors
from envhub.core.errors import EnvhubError, RemoteError, TooBusy, UnknownEnvironment, UnknownEpisode, nearest

ALL = [e for e in vars(errors).values() if isinstance(e, type) and issubclass(e, EnvhubError)]


@pytest.mark.parametrize("kind", ALL)
def test_every_error_is_caught_by_the_base_and_says_its_message(kind: type[EnvhubError]) -> None:
    with pytest.raises(EnvhubError) as caught:
        raise kind("No 'x'.\nTry y.")
    assert str(caught.value) == "No 'x'.\nTry y."


@pytest.mark.parametrize(
    ("kind", "base"),
    [
        ("UnknownEnvironment", KeyError),
        ("UnknownEpisode", KeyError),
        ("InvalidParameters", ValueError),
        ("SnapshotMismatch", ValueError),
        ("InvalidAction", TypeError),
        ("MissingExtra", ImportError),
        ("EpisodeOver", RuntimeError),
    ],
)
def test_errors_are_also_what_python_would_call_them(kind: str, base: type[Exception]) -> None:
    assert issubclass(getattr(errors, kind), base)
    assert isinstance(UnknownEnvironment("x"), LookupError)
    assert isinstance(UnknownEpisode("x"), LookupError)


def test_errors_carry_what_a_caller_acts_on() -> None:
    assert (RemoteError("x", 503).status, RemoteError("x").status) == (503, None)
    assert (TooBusy("x", 7).retry_after, TooBusy("x").retry_after) == (7, 1)


def test_the_nearest_is_named_and_nothing_when_nothing_is_near() -> None:
    ids = ["sudoku-v0", "countdown-v0"]
    assert nearest("sudko-v0", ids) == " Did you mean 'sudoku-v0'?"
    assert nearest("cuntdown", ids) == " Did you mean 'countdown-v0'?"
    assert nearest("xyz", ids) == nearest("", ids) == nearest("a", []) == ""


@given(st.text(st.characters()), st.lists(st.text(min_size=1), max_size=4))
def test_the_nearest_is_always_one_of_the_known(wanted: str, known: list[str]) -> None:
    assert nearest(wanted, known) in {"", *(f" Did you mean '{k}'?" for k in known)}
    for k in known:
        assert nearest(k, known) == f" Did you mean '{k}'?"
