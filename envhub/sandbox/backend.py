"""What a way of isolating programs offers: slots, one job at a time, and sessions that keep a slot across turns.

A backend starts slots. A :class:`Slot` is warm (a process waits in it, its imports done) and runs one job after the other, each
in surroundings of its own; nothing of a job is left when the next begins. Asked for a session, a slot belongs to it until it
is closed::

    slot = backend.slot(0)
    slot.start()
    results = slot.run(job)             # SlotFailed: not the program's fault as far as the slot can say
    with slot.open(Setting(language="bash")) as session: session.run("ls")
    slot.close()

A slot is used by one thread at a time; who gets which slot, and what happens when one fails, is
:mod:`envhub.sandbox.slots.pool`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, Self

from envhub.core.errors import InvalidParameters
from envhub.sandbox.jobs import Job, Limits, Result, check_paths

SESSIONS = ("python", "bash")


class SlotFailed(Exception):
    """The slot did not answer, or not as it should: it is of no further use, and nothing is said about the program."""


@dataclass(frozen=True, slots=True)
class Setting:
    """What a session is opened with.

    Attributes:
        language: ``python`` (a live interpreter: names persist) or ``bash`` (a live shell: directory, variables and
            functions persist).
        files: Contents by relative path, lying in the working directory.
        limits: Wall, CPU and output are of each command; the others of the whole session.

    Raises:
        InvalidParameters: There are no sessions in this language, or a path is not a plain relative one.
    """

    language: str = "python"
    files: Mapping[str, bytes] = field(default_factory=dict)
    limits: Limits = field(default_factory=Limits)

    def __post_init__(self) -> None:
        if self.language not in SESSIONS:
            raise InvalidParameters(f"A session runs {' or '.join(SESSIONS)}, not {self.language!r}.")
        check_paths(self.files)


@dataclass(frozen=True, slots=True)
class Entry:
    """One name in the working directory, as seen from outside the programs that made it.

    Attributes:
        path: Relative to the working directory.
        kind: What it is; anything but the three is ``other`` and is never opened.
        size: Bytes of a file.
        mode: Permission bits.
        target: Where a link points; it is not followed.
    """

    path: str
    kind: Literal["file", "directory", "link", "other"]
    size: int = 0
    mode: int = 0
    target: str = ""


@dataclass(frozen=True, slots=True)
class Listing:
    """The names in a working directory.

    Attributes:
        entries: Sorted by path.
        complete: Whether nothing was left out: False if there were more names than the limits allow, a directory was
            too deep, or one could not be opened. A judge must never accept an incomplete listing.
    """

    entries: tuple[Entry, ...] = ()
    complete: bool = True


class SlotSession(ABC):
    """A live interpreter or shell in a slot, and its files."""

    @abstractmethod
    def run(self, source: str, stdin: bytes = b"") -> Result:
        """Run code where the code before it has left things.

        A command that hits its wall or CPU limit is interrupted; where that does not help the interpreter is ended, the
        result says so (``exit`` is None) and the next command starts in a fresh one with the files as they are.

        Raises:
            SlotFailed: The slot is lost, and the session with it.
        """

    @abstractmethod
    def write(self, files: Mapping[str, bytes]) -> None:
        """Put files into the working directory.

        Raises:
            InvalidParameters: A path is not a plain relative one, or something is in its way.
            SlotFailed: The slot is lost.
        """

    @abstractmethod
    def read(self, paths: Sequence[str]) -> dict[str, bytes]:
        """The contents of those that are regular files, not reached through links, and within the limits.

        Raises:
            SlotFailed: The slot is lost.
        """

    @abstractmethod
    def tree(self) -> Listing:
        """The working directory, with at most ``limits.files`` entries.

        Raises:
            SlotFailed: The slot is lost.
        """

    @abstractmethod
    def close(self) -> None:
        """End it and everything it started. Does not raise; the slot may be used again."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Slot(ABC):
    """A warm place for one job at a time."""

    @abstractmethod
    def start(self) -> None:
        """Start it and wait until it is ready.

        Raises:
            SlotFailed: It did not start; the message says what is missing.
        """

    @abstractmethod
    def run(self, job: Job) -> tuple[Result, ...]:
        """Run a job: a result for each text of standard input, or one for all calls.

        Raises:
            SlotFailed: The slot is lost.
        """

    @abstractmethod
    def open(self, setting: Setting) -> SlotSession:
        """Begin a session, which has the slot for itself until it is closed.

        Raises:
            SlotFailed: The slot is lost.
        """

    @abstractmethod
    def close(self) -> None:
        """End it and everything in it, also from another thread while it runs a job. Does not raise."""

    @abstractmethod
    def disown(self) -> None:
        """Forget it in a forked process, whose parent goes on using it: close descriptors, end nothing."""


class Backend(ABC):
    """One way of isolating programs.

    Attributes:
        name: How it is asked for.
    """

    name: str

    @abstractmethod
    def slot(self, number: int) -> Slot:
        """A slot that has not been started; ``number`` tells the slots of one host apart."""

    @abstractmethod
    def languages(self) -> frozenset[str]:
        """Which of the languages programs in this backend can be written in."""

    @abstractmethod
    def layers(self) -> Mapping[str, str]:
        """Every layer of isolation and whether it is active here: ``"active"`` or a sentence saying why it is not."""

    def close(self) -> None:
        """Give back what the backend itself has taken. Does not raise."""
