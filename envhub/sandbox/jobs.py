"""What is asked of a sandbox and what it says: programs, limits, results.

A :class:`Job` is a program and what it is run on: texts for standard input, each a fresh process, or arguments for one of its
functions, each a call in the same process. A :class:`Result` says what one of them did::

    job = Job(Program("print(int(input()) + 1)"), stdins=(b"1", b"2"))
    job = Job(Program("def add(a, b): return a + b"), function="add", calls=((1, 2), (3, 4)))

A result never says whether an answer is right: expected values do not enter a sandbox, and are compared outside.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Final, Literal, Self

from envhub.core.errors import InvalidParameters, nearest
from envhub.sandbox.languages import LANGUAGES

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
"""What a limit is of, for those who are told that it was hit."""

MAX_NAME: Final = 200
"""How long the name of a file may be, in characters."""
MAX_FILES: Final = 1000
"""How many files a job may bring or fetch."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What a job may use. Where a job has several runs (texts for standard input), each has its own wall and CPU time.

    Attributes:
        wall_s: Seconds from the start of a run to its end.
        cpu_s: Seconds of processor, over all processes of the run.
        memory_mb: MiB, over all processes of the job and the files it wrote.
        reserve_mb: MiB of addresses that each process may have beyond that, for what is reserved or mapped and not used.
        pids: Processes and threads at a time.
        output_bytes: Of standard output, and as many of standard error.
        file_mb: MiB of files in the working directory, and of any one file.
        files: How many files there may be.
        value_bytes: Of the typed values that come back, as they travel.

    Raises:
        InvalidParameters: One of them is not positive or beyond what a sandbox grants.
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
                raise InvalidParameters(f"The limit {name} must be {kind} above 0 and at most {most}, not {value!r}.")

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
    """A program: its text, its language, and the files beside it.

    Attributes:
        source: The text of the program.
        language: One of :data:`envhub.sandbox.languages.LANGUAGES`.
        files: Contents by relative path; they lie in the working directory when the program starts.
        args: What it finds on its command line.

    Raises:
        InvalidParameters: The language is not known, or a path is not a plain relative one.
    """

    source: str
    language: str = "python"
    files: Mapping[str, bytes] = field(default_factory=dict)
    args: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.language not in LANGUAGES:
            known = ", ".join(LANGUAGES)
            raise InvalidParameters(
                f"Unknown language {self.language!r}. Expected one of {known}.{nearest(self.language, LANGUAGES)}"
            )
        check_paths(self.files)
        if any("\0" in arg or not _encodable(arg) for arg in self.args):
            raise InvalidParameters("An argument of a program holds a NUL character or half of a surrogate pair.")


@dataclass(frozen=True, slots=True)
class Job:
    """A program and what it is to be run on: either ``stdins`` or calls of a ``function``.

    Attributes:
        program: What to run. It is compiled once, where its language is compiled.
        stdins: A text for standard input each; each is a process of its own. Ignored where ``function`` is given.
        function: The function of a Python program that is called.
        calls: The positional arguments of each call, plain values (:mod:`envhub.sandbox.inside.values`).
        fetch: Paths of files whose contents the last result holds.
        limits: What it may use.

    Raises:
        InvalidParameters: The function is asked of a language that has none, or a path is not a plain relative one.
    """

    program: Program
    stdins: tuple[bytes, ...] = (b"",)
    function: str | None = None
    calls: tuple[tuple[Any, ...], ...] = ()
    fetch: tuple[str, ...] = ()
    limits: Limits = Limits()

    def __post_init__(self) -> None:
        check_paths(self.fetch)
        if self.function is not None and not LANGUAGES[self.program.language].calls:
            able = ", ".join(name for name, language in LANGUAGES.items() if language.calls)
            raise InvalidParameters(f"Functions can be called in {able}, not in {self.program.language}; use stdins.")

    @property
    def results(self) -> int:
        """How many results it has: one for each text of standard input, or one for all calls."""
        return len(self.stdins) if self.function is None else 1


@dataclass(frozen=True, slots=True)
class Usage:
    """What a run used: seconds on the clock, seconds of processor, and MiB of memory at most."""

    wall_s: float = 0.0
    cpu_s: float = 0.0
    memory_mb: float = 0.0


@dataclass(frozen=True, slots=True)
class Returned:
    """What one call gave: a value, or the name and the message of what it raised."""

    value: Any = None
    raised: str | None = None
    message: str = ""


@dataclass(frozen=True, slots=True)
class Result:
    """What one run did, or why that cannot be said.

    Attributes:
        exit: The exit status, negative for a signal as in ``subprocess``; None when it was not started or did not end.
        stdout: Bytes of standard output, at most ``output_bytes``.
        stderr: Bytes of standard error, at most ``output_bytes``.
        values: What the calls returned, in order; fewer than asked when the program ended before.
        files: The contents of the fetched files that exist and are regular files.
        usage: What it used.
        limit: The limit that was hit, if one was.
        stage: ``compile`` when the program did not compile; the compiler's words are in ``stderr``.
        cut: Whether output was thrown away.
        crashed: It took its slot down twice, the second time one that had just passed a probe.
        fault: Why the sandbox could not run it: an infrastructure failure, never the program's fault.
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
        """Whether it ran to its end, with exit status 0 and within its limits."""
        whole = self.fault is None and not self.crashed and self.limit is None
        return whole and self.exit == 0 and self.stage == "run"

    @property
    def blame(self) -> Literal["ours", "theirs"] | None:
        """Whose failure it is: ``ours`` (we could not run it), ``theirs`` (the program failed), None when it did not."""
        if self.fault is not None:
            return "ours"
        return None if self.ok else "theirs"

    @property
    def text(self) -> str:
        """Standard output as text; what is not UTF-8 is replaced."""
        return self.stdout.decode("utf-8", "replace")

    @classmethod
    def failed(cls, fault: str) -> Self:
        """A result that says the sandbox failed."""
        return cls(fault=fault)


def check_paths(paths: Any) -> None:
    """Refuse what is not a plain relative path: absolute, ``..``, empty, too long, NUL, control characters, not UTF-8.

    Raises:
        InvalidParameters: It names the path and what is wrong.
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
