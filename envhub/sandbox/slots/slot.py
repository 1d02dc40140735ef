"""Host side of a slot.

Sends requests over a byte stream and reads answers before a deadline. The other end shares a kernel with hostile
programs, so nothing it sends is trusted: a missing, late, oversized or malformed answer raises :class:`SlotFailed` and
ends the slot. A backend defines how a slot is launched and killed and what is measured from outside::

    class MySlot(StreamSlot):
        def launch(self) -> Stream: ...        # the command line of envhub.sandbox.slots.bundle, with bundle.first_message sent
        def kill(self) -> None: ...
"""

from __future__ import annotations

import threading
import time
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, Protocol

from envhub.sandbox.backend import Setting, Slot, SlotFailed, SlotSession
from envhub.sandbox.inside import parcel, values
from envhub.sandbox.inside.frames import Broken, Reader, pack
from envhub.sandbox.jobs import Job, Limits, Program, Result
from envhub.sandbox.languages import LANGUAGES
from envhub.sandbox.linux.cgroups import JobCounters
from envhub.sandbox.slots.replies import SLACK, overlay, result_of
from envhub.sandbox.slots.session import GRACE_S, StreamSession
from envhub.sandbox.toolchains import TOOLCHAINS

START_S: Final = 20.0
COMPILING: Final = Limits(wall_s=30, cpu_s=30, memory_mb=1024, pids=64, output_bytes=1 << 16, file_mb=256, files=4096)
MAX_PROGRAM: Final = 64 << 20
COMPILED: Final = "program"


class Stream(Protocol):
    """Byte stream to and from a slot.

    Every failure is an OSError; ``deadline`` is on the monotonic clock.
    """

    def send(self, data: bytes, deadline: float) -> None:
        """Send all data."""

    def receive(self, deadline: float) -> bytes:
        """Return at least one byte, or ``b""`` at the stream's end."""

    def close(self) -> None:
        """Close the descriptor."""


class StreamSlot(Slot):
    """A slot that is reached over a stream.

    Args:
        warm: The native program that it keeps warm, if any.
    """

    def __init__(self, warm: str = "") -> None:
        self.warm = warm
        self._stream: Stream | None = None
        self._lock = threading.Lock()

    # -- defined by a backend -------------------------------------------------------------------------------------------

    @abstractmethod
    def launch(self) -> Stream:
        """Start the zygote and send it its first message.

        Raises:
            SlotFailed: It does not start.
            OSError: It does not start.
        """

    @abstractmethod
    def kill(self) -> None:
        """Kill all processes of the slot and wait until they are gone.

        Idempotent; never raises.
        """

    def abandon(self) -> None:
        """Release the zygote in a forked child, without killing it."""

    def begin(self, limits: Limits) -> None:
        """Set the limits that are enforced from outside, before a job.

        Raises:
            OSError: A limit cannot be set.
        """

    def end(self) -> JobCounters | None:
        """Return what was measured from outside, after a job."""
        return None

    # -- the slot ----------------------------------------------------------------------------------------------

    def start(self) -> None:
        """See :meth:`Slot.start`."""
        deadline = time.monotonic() + START_S
        try:
            self._stream = self.launch()
            head, _ = self.take(SLACK, deadline)
        except OSError as error:
            self.close()
            raise SlotFailed(f"a slot did not start: {error}") from error
        if head.get("ready") is not True:
            self.close()
            raise SlotFailed("a slot did not start: unexpected reply before 'ready'")

    def run(self, job: Job) -> tuple[Result, ...]:
        """See :meth:`Slot.run`."""
        program = job.program
        executable: dict[str, bytes] = {}
        compiled = LANGUAGES[program.language].compile
        if compiled:
            result = self._compile(program, compiled)
            if not result.ok:
                return (result,) * job.results
            executable = dict(result.files)
        if job.function is not None:
            inputs = [values.dumps(call) for call in job.calls]
            result = self._one(job, "calls", inputs, executable, job.fetch)
            if len(result.values) < len(inputs) and result.exit == 0:  # the program exited early with status 0
                result = replace(result, exit=None)
            return (result,)
        last = len(job.stdins) - 1
        return tuple(
            self._one(job, "run", [stdin], executable, job.fetch if at == last else ())
            for at, stdin in enumerate(job.stdins)
        )

    def open(self, setting: Setting) -> SlotSession:
        """See :meth:`Slot.open`."""
        return StreamSession(self, setting)

    def close(self) -> None:
        """See :meth:`Slot.close`."""
        self.kill()  # waiting readers then see the end of the stream
        with self._lock:
            stream, self._stream = self._stream, None
        if stream is not None:
            stream.close()

    def disown(self) -> None:
        """See :meth:`Slot.disown`."""
        stream, self._stream = self._stream, None
        self.abandon()
        if stream is not None:
            stream.close()

    # -- messages ------------------------------------------------------------------------------------------------------

    def put(self, head: Mapping[str, Any], blobs: Sequence[bytes], deadline: float) -> None:
        """Send a message.

        Raises:
            SlotFailed: The slot is lost and has been closed.
        """
        self._send(pack(parcel.pack(dict(head), blobs)), deadline)

    def _send(self, data: bytes, deadline: float) -> None:
        try:
            self._open().send(data, deadline)
        except OSError as error:
            self.close()
            raise SlotFailed(f"a slot did not accept a request: {error}") from error

    def take(self, most: int, deadline: float) -> tuple[dict[str, Any], list[bytes]]:
        """Receive the next message.

        Args:
            most: Maximum length in bytes.
            deadline: Deadline on the monotonic clock.

        Raises:
            SlotFailed: It is late or malformed; the slot has been closed.
        """
        reader = Reader(most)
        try:
            while (body := reader.next()) is None:
                data = self._open().receive(deadline)
                if not data:
                    raise Broken("the stream ended")
                reader.feed(data)
            head, blobs = parcel.unpack(body)
            if reader.held:
                raise Broken("more than one answer")
        except (OSError, Broken) as error:
            self.close()
            raise SlotFailed(f"a slot gave no answer: {error}") from error
        fault = head.get("fault")
        if fault is not None:
            self.close()
            raise SlotFailed(f"a slot failed: {fault!s:.2000}")
        return head, blobs

    def fail(self, reason: str) -> SlotFailed:
        """Close the slot and return the error to raise."""
        self.close()
        return SlotFailed(reason)

    def _open(self) -> Stream:
        stream = self._stream
        if stream is None:
            raise SlotFailed("the slot is closed")
        return stream

    # -- jobs ----------------------------------------------------------------------------------------------------------

    def _compile(self, program: Program, command: tuple[str, ...]) -> Result:
        head = self._head(program, "compile", COMPILING) | {
            "command": command,
            "arguments": [],
            "fetch": [COMPILED],
            "space": True,
        }
        result = self._ask(head, self._texts(program, {}), [b""], COMPILING, MAX_PROGRAM)
        if result.ok and COMPILED not in result.files:
            result = replace(result, exit=1, stderr=b"the compiler made no program, or one that is too large\n")
        return replace(result, stage="run" if result.ok else "compile")

    def _one(
        self, job: Job, kind: str, inputs: list[bytes], executable: dict[str, bytes], fetch: tuple[str, ...]
    ) -> Result:
        program, limits = job.program, job.limits
        language = LANGUAGES[program.language]
        head = self._head(program, kind, limits) | {
            # Python runs in a fork of the zygote, not in a fresh interpreter
            "command": None if program.language == "python" else language.run,
            "arguments": program.args,
            "function": job.function,
            "fetch": fetch,
            "space": language.address_space,
            "executable": list(executable),
            "warm": bool(job.warm) and job.warm == self.warm,
        }
        head["names"] = [*head["names"], *executable]
        texts = self._texts(program, executable)
        return self._ask(head, texts, inputs, limits, (limits.file_mb << 20) if fetch else 0)

    def _head(self, program: Program, kind: str, limits: Limits) -> dict[str, Any]:
        source = LANGUAGES[program.language].file
        names = [source, *(name for name in program.files if name != source)]
        variables = TOOLCHAINS[program.toolchain].variables if program.toolchain else {}
        return {"kind": kind, "limits": limits.to_plain(), "names": names, "executable": [], "variables": variables}

    def _texts(self, program: Program, executable: dict[str, bytes]) -> list[bytes]:
        source = LANGUAGES[program.language].file
        files = [data for name, data in program.files.items() if name != source]
        return [program.source.encode("utf-8", "surrogatepass"), *files, *executable.values()]

    def _ask(self, head: dict[str, Any], texts: list[bytes], inputs: list[bytes], limits: Limits, files: int) -> Result:
        """Send a request as two messages and read its answer."""
        deadline = time.monotonic() + limits.wall_s + GRACE_S
        self.start_job(limits)
        # the second message is read when needed; sending both at once wakes the slot once
        self._send(pack(parcel.pack(head, texts)) + pack(parcel.pack({}, inputs)), deadline)
        most = 2 * limits.output_bytes + limits.value_bytes + min(files, 1 << 30) + SLACK
        answer, blobs = self.take(most, deadline)
        counted = self.end()
        try:
            return overlay(result_of(answer, blobs, limits, head.get("fetch") or ()), counted, limits)
        except (KeyError, TypeError, ValueError) as error:
            raise self.fail(f"a slot gave a malformed answer: {error!r:.200}") from error

    def start_job(self, limits: Limits) -> None:
        """:meth:`begin`, raising its failure as that of the slot.

        Raises:
            SlotFailed: The limits cannot be set.
        """
        try:
            self.begin(limits)
        except OSError as error:
            raise self.fail(f"the limits of a slot could not be set: {error}") from error
