"""Jobs of a sandbox: programs, limits and results.

A :class:`Job` runs a program either once per standard input, each in a fresh process, or calls one of its functions with
several argument lists in the same process. A :class:`Result` reports what happened::

    job = Job(Program("print(int(input()) + 1)"), stdins=(b"1", b"2"))
    job = Job(Program("def add(a, b): return a + b"), function="add", calls=((1, 2), (3, 4)))

A result never says whether an answer is correct: expected values never enter a sandbox and are compared outside.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Final, Literal, Self

from envhub.core.errors import InvalidParameters, nearest
from envhub.sandbox.languages import LANGUAGES
from envhub.sandbox.toolchains import toolchain_named

LimitName = Literal["wall", "cpu", "memory", "pids", "output", "file", "value"]
LIMIT_WORDS: Final[Mapping[LimitName, str]] = {
    "wall": "time on the clock",
    "cpu": "processor time",
    "memory": "memory",
    "pids": "processes",
    "output": "output",
    "file": "files",
    "value": "the size of what is returned",
}
"""What each limit restricts, for messages."""

MAX_NAME: Final = 200
"""Maximum length of a path in bytes."""
MAX_FILES: Final = 1000
"""Maximum number of files that a job may bring or fetch."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Resource limits of a job.

    Each run (one standard input) has its own wall and CPU time.

    Attributes:
        wall_s: Maximum seconds from the start of a run to its end.
        cpu_s: Maximum CPU seconds of all processes of a run.
        memory_mb: Maximum memory in MiB of all processes of the job and the files it wrote.
        reserve_mb: Additional address space of each process in MiB, for memory that is reserved or mapped but not used.
        pids: Maximum number of processes and threads at a time.
        output_bytes: Maximum bytes of standard output, and of standard error.
        file_mb: Maximum MiB of all files in the working directory.
        files: Maximum number of files.
        value_bytes: Maximum bytes of the returned values in their serialized form.

    Raises:
        InvalidParameters: A limit is not positive, or above the maximum of the sandbox.
    """

    wall_s: float = 10.0
    cpu_s: float = 10.0
    memory_mb: int = 256
    reserve_mb: int = 512
    pids: int = 32
    output_bytes: int = 1 << 20
    file_mb: int = 64
    files: int = 4096
    value_bytes: int = 1 << 20

    def __post_init__(self) -> None:
        for name, most in _MOST.items():
            value = getattr(self, name)
            right = isinstance(value, int | float) and not isinstance(value, bool) and 0 < value <= most
            if not right or (not isinstance(value, int) and not name.endswith("_s")):
                kind = "a number" if name.endswith("_s") else "an integer"
                raise InvalidParameters(f"The limit {name} must be {kind} above 0 and at most {most}, got {value!r}.")

    def to_plain(self) -> dict[str, Any]:
        """The limits by name."""
        return {limit.name: getattr(self, limit.name) for limit in fields(self)}


_MOST: Final[Mapping[str, int]] = {
    "wall_s": 3600,
    "cpu_s": 3600,
    "memory_mb": 1 << 16,
    "reserve_mb": 1 << 20,
    "pids": 4096,
    "output_bytes": 64 << 20,
    "file_mb": 1 << 14,
    "files": 1 << 20,
    "value_bytes": 64 << 20,
}


@dataclass(frozen=True, slots=True)
class Program:
    """A program: source, language and further files.

    Attributes:
        source: Source code.
        language: One of :data:`envhub.sandbox.languages.LANGUAGES`.
        files: Contents of further files in the working directory, by relative path.
        args: Command line arguments.
        toolchain: Name of the packages that it may import (:mod:`envhub.sandbox.toolchains`); empty for none.

    Raises:
        InvalidParameters: Unknown language or toolchain, or a path that is not a plain relative path.
    """

    source: str
    language: str = "python"
    files: Mapping[str, bytes] = field(default_factory=dict)
    args: tuple[str, ...] = ()
    toolchain: str = ""

    def __post_init__(self) -> None:
        if self.language not in LANGUAGES:
            known = ", ".join(LANGUAGES)
            raise InvalidParameters(
                f"Unknown language {self.language!r}. Expected one of {known}.{nearest(self.language, LANGUAGES)}"
            )
        check_paths(self.files)
        if self.toolchain:
            toolchain_named(self.toolchain)
        if any("\0" in arg or not _encodable(arg) for arg in self.args):
            raise InvalidParameters("Program arguments must not contain NUL characters or lone surrogates.")


@dataclass(frozen=True, slots=True)
class Job:
    """A program with its inputs: either ``stdins`` or calls of a ``function``.

    Attributes:
        program: The program. Compiled once if its language needs it.
        stdins: Standard inputs, one process each. Ignored if ``function`` is given.
        function: Name of the function of a Python program to call.
        calls: Positional arguments of each call, as plain values (:mod:`envhub.sandbox.inside.values`).
        fetch: Paths of files to return with the last result.
        limits: Resource limits.
        warm: Name of a native program (:meth:`envhub.sandbox.backend.Backend.warm_slot`). If the sandbox keeps it warm, a
            fork of it gets the program's ``args``; otherwise the program runs as usual, and must have the same effect.

    Raises:
        InvalidParameters: The language does not support calls, or a path is not a plain relative path.
    """

    program: Program
    stdins: tuple[bytes, ...] = (b"",)
    function: str | None = None
    calls: tuple[tuple[Any, ...], ...] = ()
    fetch: tuple[str, ...] = ()
    limits: Limits = Limits()
    warm: str = ""

    def __post_init__(self) -> None:
        check_paths(self.fetch)
        if self.function is not None and not LANGUAGES[self.program.language].calls:
            able = ", ".join(name for name, language in LANGUAGES.items() if language.calls)
            raise InvalidParameters(
                f"Functions can only be called in {able}, got {self.program.language}. Use stdins instead."
            )

    @property
    def results(self) -> int:
        """Number of results: one per standard input, or one for all calls."""
        return len(self.stdins) if self.function is None else 1


@dataclass(frozen=True, slots=True)
class Usage:
    """Resources used by a run.

    Wall seconds, CPU seconds and peak memory in MiB.
    """

    wall_s: float = 0.0
    cpu_s: float = 0.0
    memory_mb: float = 0.0


@dataclass(frozen=True, slots=True)
class Returned:
    """Outcome of one call.

    A value, or the name and the message of the exception.
    """

    value: Any = None
    raised: str | None = None
    message: str = ""


@dataclass(frozen=True, slots=True)
class Result:
    """Outcome of one run.

    Attributes:
        exit: Exit status, negative for a signal as in ``subprocess``; None if the program did not start or did not end.
        stdout: Standard output, at most ``output_bytes`` bytes.
        stderr: Standard error, at most ``output_bytes`` bytes.
        values: Outcomes of the calls in order; fewer than requested if the program ended early.
        files: Contents of the fetched paths that are regular files.
        usage: Resources used.
        limit: The limit that was hit, or None.
        stage: ``compile`` if the program did not compile; ``stderr`` has the compiler's messages.
        cut: Whether output was truncated.
        crashed: Whether the job crashed its slot twice, the second time a fresh slot that had passed a probe.
        fault: Why the sandbox could not run the job: an infrastructure failure, never the program's fault.
    """

    exit: int | None = None
    stdout: bytes = b""
    stderr: bytes = b""
    values: tuple[Returned, ...] = ()
    files: Mapping[str, bytes] = field(default_factory=dict)
    usage: Usage = Usage()
    limit: LimitName | None = None
    stage: Literal["compile", "run"] = "run"
    cut: bool = False
    crashed: bool = False
    fault: str | None = None

    @property
    def ok(self) -> bool:
        """Whether the program finished within its limits with exit status 0."""
        whole = self.fault is None and not self.crashed and self.limit is None
        return whole and self.exit == 0 and self.stage == "run"

    @property
    def blame(self) -> Literal["ours", "theirs"] | None:
        """``ours`` if the sandbox failed, ``theirs`` if the program failed.

        None if nothing failed.
        """
        if self.fault is not None:
            return "ours"
        return None if self.ok else "theirs"

    @property
    def text(self) -> str:
        """Standard output as text, with invalid UTF-8 replaced."""
        return self.stdout.decode("utf-8", "replace")

    @classmethod
    def failed(cls, fault: str) -> Self:
        """The result of a job that the sandbox could not run."""
        return cls(fault=fault)


def check_paths(paths: Any) -> None:
    """Reject unsafe paths.

    Absolute paths, ``..``, empty or too long paths, unprintable characters and invalid UTF-8.

    Raises:
        InvalidParameters: The message names the path and the problem.
    """
    if len(paths) > MAX_FILES:
        raise InvalidParameters(f"{len(paths)} files are more than {MAX_FILES}.")
    for path in paths:
        wrong = _wrong(path)
        if wrong:
            raise InvalidParameters(f"The path {path!r:.80} {wrong}; expected a relative path such as 'src/main.py'.")


def _wrong(path: object) -> str | None:
    if not isinstance(path, str) or not path:
        return "is not a text with characters in it"
    if len(path.encode("utf-8", "surrogatepass")) > MAX_NAME:
        return f"is longer than {MAX_NAME} bytes"
    if not path.isprintable() or not _encodable(path):
        return "holds characters that are not printable"
    if path.startswith("/") or any(part in {"", ".", ".."} for part in path.split("/")):
        return "leaves the working directory or is not in its simplest form"
    return None


def _encodable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
