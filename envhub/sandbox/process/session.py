"""Sessions of the ``process`` backend.

An interpreter or a shell, and its folder.
"""

from __future__ import annotations

import os
import shutil
import signal
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Final, Protocol

from envhub.core.errors import InvalidParameters
from envhub.sandbox.backend import Entry, Listing, Setting, SlotFailed, SlotSession
from envhub.sandbox.inside.box import Full, InTheWay
from envhub.sandbox.inside.session import SHELL, SHELL_FLAGS, StatusReader, encode_command
from envhub.sandbox.inside.streams import Output
from envhub.sandbox.jobs import Limits, Result, Usage, check_paths
from envhub.sandbox.process.run import Folder, Running
from envhub.sandbox.slots.replies import clean

_PATIENCE_S: Final = 1.0
_START_S: Final = 20.0


class Owner(Protocol):
    """What a session needs of its slot."""

    @property
    def closed(self) -> bool:
        """Whether the slot has been closed."""

    def place(self) -> Path:
        """A new path in its folder."""

    def launch(
        self, work: Path, limits: Limits, command: Sequence[str], function: str | None, *, space: bool, calls: bool
    ) -> Running:
        """Start a process."""


class ProcessSession(SlotSession):
    """An interpreter or a shell with its folder.

    Raises:
        SlotFailed: The interpreter does not start.
    """

    def __init__(self, slot: Owner, setting: Setting) -> None:
        self._slot = slot
        self._setting = setting
        self._python = setting.language == "python"
        self._work = slot.place()
        self._folder = Folder(self._work)
        self._running: Running | None = None
        self._status: int | None = None
        self._open = True
        self._busy = threading.Lock()
        try:
            for path, data in setting.files.items():
                self._folder.put(path, data)
            self._start()
        except (InTheWay, Full, SlotFailed) as error:
            self.close()
            raise SlotFailed(f"a session could not be opened: {error}") from None

    def run(self, source: str, stdin: bytes = b"") -> Result:
        """See :meth:`SlotSession.run`."""
        with self._busy:
            result = self._run(source, stdin)
        if self._slot.closed:  # the program was ended by us
            self.close()
            raise SlotFailed("the slot was closed")
        return result

    def abandoned(self) -> None:
        """Release everything after the slot was closed.

        A running command, already killed, does so itself.
        """
        if self._busy.acquire(blocking=False):
            self._busy.release()
            self.close()

    def _run(self, source: str, stdin: bytes) -> Result:
        try:
            Path(f"{self._work}.stdin").write_bytes(stdin)
        except OSError as error:
            raise SlotFailed(f"the slot is closed: {error}") from error
        running = self._running
        if running is None or running.streams.ended:
            self._end()
            running = self._start()
        limits, look, started = self._setting.limits, running.streams, time.monotonic()
        running.outputs[:] = [Output(limits.output_bytes), Output(limits.output_bytes)]
        look.limit, self._status = None, None
        text = source.encode("utf-8", "surrogatepass")
        assert running.channel is not None
        look.feed(running.channel, encode_command(text, python=self._python), close=False)
        if not look.until(self._done, limits.wall_s):
            limit, look.limit = look.limit, None
            with suppress(ProcessLookupError):
                os.killpg(running.pid, signal.SIGINT)
            look.until(self._done, _PATIENCE_S)
            look.limit = limit
        look.drain()
        cut = any(output.cut for output in running.outputs)
        stdout, stderr = (output.take() for output in running.outputs)
        status = self._status
        if status is None:
            ended = look.ended
            killed = self._end()
            status = killed if ended else None
        return Result(
            exit=status,
            stdout=stdout,
            stderr=stderr,
            limit=look.limit_name,
            cut=cut,
            usage=Usage(time.monotonic() - started),
        )

    def write(self, files: Mapping[str, bytes]) -> None:
        """See :meth:`SlotSession.write`."""
        check_paths(files)
        for path, data in files.items():
            try:
                self._folder.put(path, data)
            except (InTheWay, Full):
                raise InvalidParameters(f"The file {path!r:.200} cannot be written: something is in its way.") from None

    def read(self, paths: Sequence[str]) -> dict[str, bytes]:
        """See :meth:`SlotSession.read`."""
        check_paths(paths)
        found = {path: self._folder.read(path, self._setting.limits.file_mb << 20) for path in paths}
        return {path: data for path, data in found.items() if data is not None}

    def tree(self) -> Listing:
        """See :meth:`SlotSession.tree`."""
        rows, complete = self._folder.tree(self._setting.limits.files)
        entries = (Entry(**{**row, "path": clean(row["path"]), "target": clean(row["target"])}) for row in rows)
        return Listing(tuple(entries), complete)

    def close(self) -> None:
        """See :meth:`SlotSession.close`."""
        if not self._open:
            return
        self._open = False
        self._end()
        self._folder.close()
        shutil.rmtree(self._work, ignore_errors=True)
        Path(f"{self._work}.stdin").unlink(missing_ok=True)

    def _start(self) -> Running:
        limits = replace(self._setting.limits, cpu_s=3600)
        shell = [] if self._python else ["bash", *SHELL_FLAGS, "-c", self._shell()]
        Path(f"{self._work}.stdin").touch()
        running = self._running = self._slot.launch(self._work, limits, shell, None, space=True, calls=True)
        os.close(running.stdin)
        self._reader, self._status = StatusReader(python=self._python), None
        assert running.channel is not None
        running.streams.listen(running.channel, self._receive)
        if not running.streams.until(self._done, _START_S) or self._status is None:
            self._end()
            raise SlotFailed("the interpreter of a session did not start")
        return running

    def _shell(self) -> str:
        return SHELL.replace("/box/stdin", f"{self._work}.stdin")

    def _done(self) -> bool:
        return self._status is not None or (self._running is not None and self._running.streams.ended)

    def _end(self) -> int | None:
        running, self._running = self._running, None
        if running is None:
            return None
        status, _ = running.end()
        running.streams.close_streams()
        return status

    def _receive(self, data: bytes) -> None:
        status = self._reader.read(data)
        self._status = self._status if status is None else status
