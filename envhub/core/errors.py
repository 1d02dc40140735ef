"""The errors envhub raises, in one small hierarchy.

Every message says what was wrong, what was expected and, where there is one, the nearest valid thing. ``nearest`` finds
that thing, so that every part of the hub words it the same way::

    raise UnknownEnvironment(f"No environment 'sudko-v0'.{nearest('sudko-v0', ids)}")
"""

from __future__ import annotations

from collections.abc import Iterable


class EnvhubError(Exception):
    """Base of every error that envhub raises on purpose."""


class UnknownEnvironment(EnvhubError, KeyError):
    """No environment is registered under this id."""

    __str__ = Exception.__str__  # KeyError would print the repr of the message


class InvalidParameters(EnvhubError, ValueError):
    """A parameter, an option or a key is not one the environment takes."""


class InvalidAction(EnvhubError, TypeError):
    """The caller handed over something that is not text; text of any content is never an error."""


class EpisodeOver(EnvhubError, RuntimeError):
    """The episode has ended, or has not begun: ``reset`` comes first."""


class SplitExhausted(EnvhubError, RuntimeError):
    """No problem of the wanted split was found within the attempts allowed."""


class SamplingFailed(EnvhubError, RuntimeError):
    """Drawing a problem was given up: it took too long, or drew without end."""


class MissingExtra(EnvhubError, ImportError):
    """An optional part of envhub is not installed; the message holds the command that installs it."""


class SnapshotMismatch(EnvhubError, ValueError):
    """A snapshot belongs to another environment, or folding its journal gave something else than was recorded."""


class ForkRefused(EnvhubError, RuntimeError):
    """The episode holds a live resource that can be neither replayed nor copied."""


class ResourceError(EnvhubError, RuntimeError):
    """A resource failed for reasons of its own: an infrastructure failure, never the policy's fault."""


class ResourceLost(ResourceError):
    """A live resource is gone, or is not as its holder believes; it can be rebuilt from what was asked of it.

    Attributes:
        during: Whether it was lost in the middle of what it was asked, which may then be the cause.
    """

    during: bool = True


class JudgementError(EnvhubError, RuntimeError):
    """Raised instead of a NaN reward when ``on_error="raise"`` and an answer could not be judged."""


class RemoteError(EnvhubError, RuntimeError):
    """The server could not be reached, or answered something that no other error describes."""

    def __init__(self, message: str, status: int | None = None) -> None:
        super().__init__(message)
        self.status = status


class Conflict(EnvhubError, RuntimeError):
    """An episode id or a turn is taken by something different."""


class UnknownEpisode(EnvhubError, KeyError):
    """No episode has this id; it may have expired."""

    __str__ = Exception.__str__


class TooBusy(EnvhubError, RuntimeError):
    """A limit is reached; try again after ``retry_after`` seconds."""

    def __init__(self, message: str, retry_after: int = 1) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class JournalUnavailable(TooBusy):
    """The server cannot read or write its journal now; nothing is damaged, and the same request can be sent again."""


def nearest(wanted: str, known: Iterable[str]) -> str:
    """A sentence naming the nearest of ``known``, with a leading space; empty when nothing is near.

    Args:
        wanted: What was asked for.
        known: What there is.

    >>> nearest("sudko-v0", ["sudoku-v0", "countdown-v0"])
    " Did you mean 'sudoku-v0'?"
    """
    import difflib  # costs a millisecond and is needed only on the way to an error

    close = difflib.get_close_matches(str(wanted), list(known), n=1, cutoff=0.5)
    return f" Did you mean '{close[0]}'?" if close else ""
