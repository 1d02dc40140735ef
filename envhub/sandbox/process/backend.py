"""The ``process`` backend: plain processes without isolation, for trusted programs and tests.

A program runs as the user of this process: it can read that user's files and memory and use the network, and processes that it
starts may outlive it. The backend must be selected explicitly together with ``ENVHUB_UNSAFE_PROCESS_SANDBOX=1``, and logs a
warning at every start. It enforces the limits on time, output and values, and per process those on memory and file size::

    ENVHUB_SANDBOX=process ENVHUB_UNSAFE_PROCESS_SANDBOX=1 python train.py
"""

from __future__ import annotations

import json
import logging
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from envhub.core.errors import InvalidParameters
from envhub.sandbox.backend import Backend, Setting, Slot, SlotFailed, SlotSession
from envhub.sandbox.inside import values
from envhub.sandbox.inside.box import Full, InTheWay
from envhub.sandbox.inside.spawn import ENVIRONMENT
from envhub.sandbox.jobs import Job, Limits, Program, Result
from envhub.sandbox.languages import DIRECTORIES, LANGUAGES
from envhub.sandbox.process.run import Folder, Running, end, rlimits
from envhub.sandbox.process.session import ProcessSession
from envhub.sandbox.slots import bundle
from envhub.sandbox.slots.slot import COMPILED, COMPILING, MAX_PROGRAM

PERMISSION: Final = "ENVHUB_UNSAFE_PROCESS_SANDBOX"
_LAUNCH: Final = f"""{bundle.LOAD}
import json, os, resource, signal
request = json.loads(sys.argv[1])
for which, most in request["rlimits"]:
    resource.setrlimit(which, (most, most + (which == resource.RLIMIT_CPU)))  # the first is a signal, the second the end
if request["channel"] not in (None, 3):
    os.dup2(request["channel"], 3)
    os.close(request["channel"])
if request["command"]:
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
    os.execvp(request["command"][0], request["command"])
with open(request["modules"]) as file:
    package = load(json.load(file))
package.program.PATH = request["path"]
package.interpreter.STDIN = request["stdin"]
if request["function"] is None:
    package.interpreter.serve(3)
with open(request["path"], "rb") as file:
    source = file.read()
package.program.answer(source, request["function"], 3)
"""
_log = logging.getLogger(__name__)


class ProcessBackend(Backend):
    """Slots that are plain folders.

    Raises:
        InvalidParameters: ``ENVHUB_UNSAFE_PROCESS_SANDBOX=1`` is not set.
    """

    name = "process"

    def __init__(self) -> None:
        if os.environ.get(PERMISSION) != "1":
            raise InvalidParameters(
                "The process sandbox isolates nothing: programs run as you, with your files and your network. "
                f"Set {PERMISSION}=1 to allow it for trusted programs, or use namespace or docker."
            )

    def slot(self, number: int) -> Slot:
        """See :meth:`Backend.slot`."""
        return ProcessSlot()

    def languages(self) -> frozenset[str]:
        """See :meth:`Backend.languages`."""
        path = os.pathsep.join(DIRECTORIES)
        return frozenset({n for n, row in LANGUAGES.items() if shutil.which(row.needs, path=path)} | {"python"})

    def layers(self) -> Mapping[str, str]:
        """See :meth:`Backend.layers`."""
        absent = "the process backend isolates nothing; use namespace or docker"
        walls = ("namespaces", "filesystem", "network", "seccomp", "capabilities", "user", "cgroup")
        each = "per process only, and not the numbers of processes and files"
        return dict.fromkeys(walls, absent) | {"rlimits": each}


class ProcessSlot(Slot):
    """A folder in which jobs run one after another."""

    def __init__(self) -> None:
        self._home: Path | None = None
        self._lock = threading.Lock()
        self._running: set[int] = set()
        self._session: ProcessSession | None = None
        self._jobs = 0

    def start(self) -> None:
        """See :meth:`Slot.start`."""
        _log.warning("The process sandbox isolates nothing: programs run with all rights of this process.")
        home = Path(tempfile.mkdtemp(prefix="envhub-process-"))
        (home / "modules.json").write_text(json.dumps(bundle.modules()))
        self._home = home

    def run(self, job: Job) -> tuple[Result, ...]:
        """See :meth:`Slot.run`."""
        program = job.program
        executable: dict[str, bytes] = {}
        command = LANGUAGES[program.language].compile
        if command:
            result = self._job(program, COMPILING, command, {}, None, [b""], (COMPILED,), MAX_PROGRAM)
            if result.ok and COMPILED not in result.files:
                result = replace(result, exit=1, stderr=b"the compiler made no program, or one that is too large\n")
            if not result.ok:
                return (replace(result, stage="compile"),) * job.results
            executable = dict(result.files)
        room = job.limits.file_mb << 20
        if job.function is not None:
            calls = [values.dumps(call) for call in job.calls]
            result = self._job(program, job.limits, (), executable, job.function, calls, job.fetch, room)
            if len(result.values) < len(calls) and result.exit == 0:  # the program exited early with status 0
                result = replace(result, exit=None)
            return (result,)
        run = (*LANGUAGES[program.language].run, *program.args)
        return tuple(
            self._job(program, job.limits, run, executable, None, [stdin], job.fetch if last else (), room)
            for stdin, last in zip(job.stdins, [False] * (len(job.stdins) - 1) + [True], strict=True)
        )

    def open(self, setting: Setting) -> SlotSession:
        """See :meth:`Slot.open`."""
        self._session = ProcessSession(self, setting)
        return self._session

    def close(self) -> None:
        """See :meth:`Slot.close`."""
        with self._lock:
            home, self._home = self._home, None
            for pid in self._running:
                end(pid)
        if self._session is not None:
            self._session.abandoned()
        if home is not None:
            shutil.rmtree(home, ignore_errors=True)

    def disown(self) -> None:
        """See :meth:`Slot.disown`."""
        self._home, self._running = None, set()

    # -- processes -----------------------------------------------------------------------------------------------------

    @property
    def closed(self) -> bool:
        """Whether the slot has been closed."""
        return self._home is None

    def place(self) -> Path:
        """A new path in the folder.

        Raises:
            SlotFailed: The slot is closed.
        """
        self._jobs += 1
        if self._home is None:
            raise SlotFailed("the slot is closed")
        return self._home / str(self._jobs)

    def launch(
        self, work: Path, limits: Limits, command: Sequence[str], function: str | None, *, space: bool, calls: bool
    ) -> Running:
        """Start a process.

        Raises:
            SlotFailed: The slot is closed or the process does not start.
        """
        ours, theirs = socket.socketpair() if calls else (None, None)
        request = {
            "rlimits": rlimits(limits, space=space),
            "channel": theirs.fileno() if theirs else None,
            "command": list(command),
            "modules": str(work.parent / "modules.json"),
            "path": str(work / "main.py"),
            "stdin": f"{work}.stdin",
            "function": function,
        }
        try:
            with self._lock:
                if self._home is None:
                    raise SlotFailed("the slot is closed")
                process = subprocess.Popen(
                    [sys.executable, "-s", "-B", "-c", _LAUNCH, json.dumps(request)],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                    env=ENVIRONMENT | {"HOME": str(work), "TMPDIR": str(work)},
                    cwd=work,
                    start_new_session=True,
                    pass_fds=[theirs.fileno()] if theirs else [],
                )
                self._running.add(process.pid)
        except OSError as error:
            if ours:
                ours.close()
            raise SlotFailed(f"a process could not be started: {error}") from error
        finally:
            if theirs:
                theirs.close()
        return Running(process, ours.detach() if ours else None, limits, self.forget)

    def forget(self, pid: int) -> None:
        """Remove a process that has been waited for."""
        with self._lock:
            self._running.discard(pid)

    def _job(
        self,
        program: Program,
        limits: Limits,
        command: Sequence[str],
        executable: dict[str, bytes],
        function: str | None,
        inputs: list[bytes],
        fetch: tuple[str, ...],
        room: int,
    ) -> Result:
        work = self.place()
        folder = Folder(work)
        try:
            source = LANGUAGES[program.language].file
            texts = {**program.files, source: program.source.encode("utf-8", "surrogatepass")}
            try:
                for name, data in texts.items():
                    folder.put(name, data)
                for name, data in executable.items():
                    folder.put(name, data, 0o755)
            except (InTheWay, Full) as problem:
                return Result(stderr=f"{problem} could not be written\n".encode())
            space = LANGUAGES[program.language].address_space
            running = self.launch(work, limits, command, function, space=space, calls=function is not None)
            result = running.finish(inputs, folder, fetch, room)
            if self.closed:  # the program was ended by us
                raise SlotFailed("the slot was closed")
            return result
        finally:
            folder.close()
            shutil.rmtree(work, ignore_errors=True)
