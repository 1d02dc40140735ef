"""The errors that envhub raises.

Every message says what is wrong and what was expected, and :func:`nearest` suggests the closest valid value if there is one::

    raise UnknownEnvironment(f"No environment 'sudko-v0'.{nearest('sudko-v0', ids)}")
"""

from __future__ import annotations

from collections.abc import Iterable


class EnvhubError(Exception):
    """Base class of all errors of envhub."""


class UnknownEnvironment(EnvhubError, KeyError):
    """No environment is registered under this id."""

    __str__ = Exception.__str__  # KeyError would print the repr of the message


class InvalidParameters(EnvhubError, ValueError):
    """A parameter, an option or a task key is invalid."""


class InvalidAction(EnvhubError, TypeError):
    """The action is not a string. No string is ever an error."""


class EpisodeOver(EnvhubError, RuntimeError):
    """The episode has ended or has not begun; call ``reset`` first."""


class SplitExhausted(EnvhubError, RuntimeError):
    """No problem of the split was found within the maximum attempts."""


class SamplingFailed(EnvhubError, RuntimeError):
    """Sampling a problem exceeded its limits on time or random draws."""


class MissingExtra(EnvhubError, ImportError):
    """An extra of envhub is not installed.

    The message contains the command that installs it.
    """


class SnapshotMismatch(EnvhubError, ValueError):
    """A snapshot does not match its environment or its record.

    It is of another environment, or replaying its journal gave something different.
    """


class ForkRefused(EnvhubError, RuntimeError):
    """The episode's live resource can be neither replayed nor copied."""


class ResourceError(EnvhubError, RuntimeError):
    """A resource failed: an infrastructure failure, never caused by the policy."""


class ResourceLost(ResourceError):
    """A live resource is lost or in an unknown state.

    It can be rebuilt by replaying its effects.

    Attributes:
        during: Whether it was lost while it performed an effect, which may then be the cause.
    """

    during: bool = True


class JudgementError(EnvhubError, RuntimeError):
    """An answer could not be judged.

    Raised instead of a NaN reward when ``on_error="raise"``.
    """


class RemoteError(EnvhubError, RuntimeError):
    """The server is unreachable, or its response fits no other error."""

    def __init__(self, message: str, status: int | None = None) -> None:
        super().__init__(message)
        self.status = status


class Conflict(EnvhubError, RuntimeError):
    """A different request already took an episode id or a turn."""


class UnknownEpisode(EnvhubError, KeyError):
    """No episode has this id. It may have expired."""

    __str__ = Exception.__str__


class TooBusy(EnvhubError, RuntimeError):
    """A limit is reached; try again after ``retry_after`` seconds."""

    def __init__(self, message: str, retry_after: int = 1) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class JournalUnavailable(TooBusy):
    """The server cannot access its journal at the moment.

    No data is lost; retry the same request.
    """


def nearest(wanted: str, known: Iterable[str]) -> str:
    """A "Did you mean" sentence with a leading space.

    Empty if no valid value is close.

    Args:
        wanted: The value that was given.
        known: The valid values.

    >>> nearest("sudko-v0", ["sudoku-v0", "countdown-v0"])
    " Did you mean 'sudoku-v0'?"
    """
    import difflib  # costs a millisecond and is needed only on the way to an error

    close = difflib.get_close_matches(str(wanted), list(known), n=1, cutoff=0.5)
    return f" Did you mean '{close[0]}'?" if close else ""
