"""Interfaces of a sandbox backend.

Slots that run one job at a time, and sessions. A backend starts slots. A :class:`Slot` is warm (a process with its
imports done waits in it) and runs one job after another, each in a fresh environment: nothing of a job is left when the
next one starts. A session occupies its slot until it is closed::

    slot = backend.slot(0)
    slot.start()
    results = slot.run(job)             # SlotFailed: the slot failed, not necessarily the program
    with slot.open(Setting(language="bash")) as session: session.run("ls")
    slot.close()

A slot is used by one thread at a time. :mod:`envhub.sandbox.slots.pool` assigns slots to jobs and replaces those that fail.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, Self

from envhub.core.errors import InvalidParameters
from envhub.sandbox.jobs import Job, Limits, Result, check_paths
from envhub.sandbox.toolchains import toolchain_named

SESSIONS = ("python", "bash")


class SlotFailed(Exception):
    """The slot did not answer or gave an invalid answer.

    It cannot be used again. Says nothing about the program.
    """


@dataclass(frozen=True, slots=True)
class Setting:
    """Options of a session.

    Attributes:
        language: ``python`` (a live interpreter: names persist) or ``bash`` (a live shell: directory, variables and
            functions persist).
        files: Contents of the files in the working directory, by relative path.
        limits: Wall, CPU and output limits apply to each command; the others to the whole session.
        toolchain: Name of the packages that commands may import (:mod:`envhub.sandbox.toolchains`); empty for none.

    Raises:
        InvalidParameters: Sessions do not support the language, the toolchain is unknown, or a path is not a plain relative
            path.
    """

    language: str = "python"
    files: Mapping[str, bytes] = field(default_factory=dict)
    limits: Limits = field(default_factory=Limits)
    toolchain: str = ""

    def __post_init__(self) -> None:
        if self.language not in SESSIONS:
            raise InvalidParameters(
                f"The language of a session must be {' or '.join(SESSIONS)}, got {self.language!r}."
            )
        check_paths(self.files)
        if self.toolchain:
            toolchain_named(self.toolchain)


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of the working directory, seen from outside the programs.

    Attributes:
        path: Relative to the working directory.
        kind: Type of the entry. ``other`` (devices, sockets, pipes) is never opened.
        size: Size of a file in bytes.
        mode: Permission bits.
        target: Target of a link; it is not followed.
    """

    path: str
    kind: Literal["file", "directory", "link", "other"]
    size: int = 0
    mode: int = 0
    target: str = ""


@dataclass(frozen=True, slots=True)
class Listing:
    """The entries of a working directory.

    Attributes:
        entries: Sorted by path.
        complete: False if there were more entries than the limits allow, or a directory was too deep or could not be
            opened. A judge must never accept an incomplete listing.
    """

    entries: tuple[Entry, ...] = ()
    complete: bool = True


class SlotSession(ABC):
    """A live interpreter or shell in a slot, with its files."""

    @abstractmethod
    def run(self, source: str, stdin: bytes = b"") -> Result:
        """Run code in the state that earlier code left.

        A command that hits its wall or CPU limit is interrupted. If that does not help, the interpreter is killed, ``exit``
        is None, and the next command starts a fresh interpreter with the files as they are.

        Raises:
            SlotFailed: The slot and the session are lost.
        """

    @abstractmethod
    def write(self, files: Mapping[str, bytes]) -> None:
        """Write files into the working directory.

        Raises:
            InvalidParameters: A path is not a plain relative path, or is blocked by another file.
            SlotFailed: The slot is lost.
        """

    @abstractmethod
    def read(self, paths: Sequence[str]) -> dict[str, bytes]:
        """Contents of the paths that are regular files within the limits.

        Links are not followed.

        Raises:
            SlotFailed: The slot is lost.
        """

    @abstractmethod
    def tree(self) -> Listing:
        """List the working directory, with at most ``limits.files`` entries.

        Raises:
            SlotFailed: The slot is lost.
        """

    @abstractmethod
    def close(self) -> None:
        """Kill the session and all its processes.

        Never raises. The slot can be used again.
        """

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Slot(ABC):
    """A warm place where one job runs at a time."""

    @abstractmethod
    def start(self) -> None:
        """Start the slot and wait until it is ready.

        Raises:
            SlotFailed: The slot did not start; the message says why.
        """

    @abstractmethod
    def run(self, job: Job) -> tuple[Result, ...]:
        """Run a job.

        Returns one result per standard input, or one for all calls.

        Raises:
            SlotFailed: The slot is lost.
        """

    @abstractmethod
    def open(self, setting: Setting) -> SlotSession:
        """Open a session, which occupies the slot until it is closed.

        Raises:
            SlotFailed: The slot is lost.
        """

    @abstractmethod
    def close(self) -> None:
        """Kill the slot and all its processes.

        Also from another thread during a job. Never raises.
        """

    @abstractmethod
    def disown(self) -> None:
        """Release the slot in a forked child: close descriptors, kill nothing.

        The parent keeps using it.
        """


class Backend(ABC):
    """One way to isolate programs.

    Attributes:
        name: Name of the backend, as in ``ENVHUB_SANDBOX``.
    """

    name: str

    @abstractmethod
    def slot(self, number: int) -> Slot:
        """Create a slot without starting it.

        ``number`` is unique among the slots of one sandbox.
        """

    def warm_slot(self, number: int, program: str) -> Slot:
        """Create a slot that keeps a native program warm (:attr:`envhub.sandbox.jobs.Job.warm`).

        An ordinary slot if this backend cannot.
        """
        return self.slot(number)

    @abstractmethod
    def languages(self) -> frozenset[str]:
        """The languages that are installed in this backend."""

    def toolchains(self) -> frozenset[str]:
        """The toolchains that this backend can lend."""
        return frozenset()

    @abstractmethod
    def layers(self) -> Mapping[str, str]:
        """Every isolation layer with ``"active"`` or why it is not."""

    def close(self) -> None:
        """Release the resources of the backend itself. Never raises."""
