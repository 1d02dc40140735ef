"""The public interface of the sandbox.

Jobs, and sessions that live across turns.

::

    from envhub.sandbox import Job, Program, Setting, default_sandbox

    sandbox = default_sandbox()
    (result,) = sandbox.run(Job(Program("print(6 * 7)")))
    with sandbox.open(Setting(language="bash")) as session:
        session.run("cd /tmp && x=1")
        session.run("echo $x; pwd").text

:class:`LocalSandbox` owns its slots. :class:`envhub.sandbox.broker.client.RemoteSandbox` uses a broker process, so that the
workers of a server share slots and a session outlives the worker that opened it.
"""

from __future__ import annotations

import asyncio
import os
import threading
import weakref
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from functools import partial
from typing import Any, NamedTuple, Self, TypeVar

from envhub.core.errors import InvalidParameters, TooBusy
from envhub.sandbox.backend import Backend, Listing, Setting
from envhub.sandbox.backends import backend_named
from envhub.sandbox.jobs import Job, Program, Result
from envhub.sandbox.languages import not_installed
from envhub.sandbox.sessions import SessionLost, Sessions
from envhub.sandbox.slots.pool import SlotPool
from envhub.sandbox.tenant import TENANT
from envhub.sandbox.toolchains import not_set_up

T = TypeVar("T")


class Sandbox(ABC):
    """Runs jobs and sessions. Thread-safe. Asynchronous variants start with ``a``."""

    @abstractmethod
    def run(self, job: Job) -> tuple[Result, ...]:
        """Run a job.

        Returns one result per standard input, or one for all calls. No program can make it raise.

        Raises:
            TooBusy: Too many jobs are waiting.
            MissingExtra: The language or the toolchain is not installed where programs run.
        """

    @abstractmethod
    def open_session(self, setting: Setting) -> str:
        """Open a session and return its id, for :meth:`attach`."""

    @abstractmethod
    def ask_session(self, what: str, key: str, commands: int, *args: Any) -> Any:
        """Call a method of a session.

        ``run``, ``write``, ``read``, ``tree``, ``holds`` or ``close``.
        """

    @abstractmethod
    def describe(self) -> dict[str, Any]:
        """The backend, its layers, languages, slots and sessions, as plain values."""

    @abstractmethod
    def close(self) -> None:
        """Kill running jobs and sessions and release all resources."""

    @abstractmethod
    def _threads(self, kind: str) -> Executor:
        """Threads for the asynchronous variants; ``kind`` is ``job`` or ``session``."""

    async def arun(self, job: Job) -> tuple[Result, ...]:
        """:meth:`run` on an event loop."""
        return await self.soon("job", partial(self.run, job))

    def open(self, setting: Setting | None = None) -> Session:
        """Open a session.

        Raises:
            TooBusy: All sessions are running commands.
            ResourceError: No slot could be started.
            MissingExtra: The language or the toolchain is not installed where programs run.
        """
        return Session(self, self.open_session(setting or Setting()), 0)

    def attach(self, key: str, commands: int) -> Session | None:
        """The session with this id, else None.

        It must have run exactly this many commands.
        """
        return Session(self, key, commands) if self.ask_session("holds", key, commands) else None

    async def soon(self, kind: str, work: Callable[[], T]) -> T:
        """Run ``work`` in a thread; ``kind`` is ``job`` or ``session``."""
        return await asyncio.get_running_loop().run_in_executor(self._threads(kind), work)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Session:
    """A live interpreter or shell with its files. Not thread-safe.

    Attributes:
        key: The id. With ``commands``, :meth:`Sandbox.attach` finds the session again, also from another process.
        commands: Number of commands it has run.
    """

    def __init__(self, sandbox: Sandbox, key: str, commands: int) -> None:
        self._sandbox = sandbox
        self.key = key
        self.commands = commands
        self._over = False

    def run(self, source: str, stdin: bytes = b"") -> Result:
        """Run code in the state that earlier code left.

        Raises:
            SessionLost: The session has ended, or another client has used it.
        """
        result: Result = self._ask("run", source, stdin)
        self.commands += 1
        return result

    def write(self, files: Mapping[str, bytes]) -> None:
        """Write files into the working directory.

        Raises:
            SessionLost: As :meth:`run`.
            InvalidParameters: A path is not a plain relative path.
        """
        self._ask("write", files)
        self.commands += 1

    def read(self, paths: Sequence[str]) -> dict[str, bytes]:
        """Contents of the paths that are regular files.

        Raises:
            SessionLost: As :meth:`run`.
        """
        found: dict[str, bytes] = self._ask("read", paths)
        return found

    def tree(self) -> Listing:
        """List the working directory.

        Raises:
            SessionLost: As :meth:`run`.
        """
        listing: Listing = self._ask("tree")
        return listing

    async def arun(self, source: str, stdin: bytes = b"") -> Result:
        """:meth:`run` on an event loop."""
        return await self._sandbox.soon("session", partial(self.run, source, stdin))

    def close(self) -> None:
        """End the session. Never raises and does not wait."""
        self._over = True
        self._sandbox.ask_session("close", self.key, self.commands)

    def _ask(self, what: str, *args: Any) -> Any:
        if self._over:
            raise SessionLost("The session has ended.")
        return self._sandbox.ask_session(what, self.key, self.commands, *args)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class _Asked(NamedTuple):
    """An asynchronous job waiting for a thread."""

    tenant: str
    job: Job
    future: Future[tuple[Result, ...]]


class LocalSandbox(Sandbox):
    """A sandbox that owns its slots.

    Args:
        backend: The backend or its name.
        slots: Maximum number of jobs at a time. Defaults to the number of CPU cores.
        sessions: Maximum number of open sessions.
        waiting: Maximum number of jobs waiting for a slot.

    Raises:
        InvalidParameters: No backend has this name.
        MissingExtra: The backend cannot work here; the message says what is missing.
    """

    def __init__(
        self, backend: Backend | str = "namespace", slots: int = 0, sessions: int = 64, waiting: int = 10_000
    ) -> None:
        self.backend = backend_named(backend) if isinstance(backend, str) else backend
        count = slots or os.cpu_count() or 1
        self._slots = SlotPool(self.backend, count, waiting)
        self._sessions = Sessions(self.backend, sessions, first=count)
        self._languages = self.backend.languages()
        self._executors: dict[str, ThreadPoolExecutor] = {}
        self._most = count + waiting
        self._asked: list[_Asked] = []  # asynchronous jobs waiting for a thread, oldest first
        self._served = Counter[str]()  # number of threads working for each tenant
        self._under_way = 0  # asynchronous jobs waiting for a thread or running
        self._sizes = {"job": count, "session": sessions + 8}
        self._lock = threading.Lock()
        _owners.add(self)

    def run(self, job: Job) -> tuple[Result, ...]:
        """See :meth:`Sandbox.run`."""
        return self._run(job, TENANT.get())

    def _run(self, job: Job, tenant: str) -> tuple[Result, ...]:
        self._check(job.program)
        return self._slots.run(job, tenant)

    async def arun(self, job: Job) -> tuple[Result, ...]:
        """See :meth:`Sandbox.arun`."""
        if self._under_way >= self._most:
            raise TooBusy(f"{self._under_way} jobs are already waiting for the sandbox. Try again later.")
        self._under_way += 1
        try:
            asked = _Asked(TENANT.get(), job, Future())
            with self._lock:
                self._asked.append(asked)
            self._threads("job").submit(self._serve)
            return await asyncio.wrap_future(asked.future)
        finally:
            self._under_way -= 1

    def _serve(self) -> None:
        """Run the oldest job of the tenant that has the fewest threads."""
        with self._lock:
            if not self._asked:  # closed
                return
            asked = min(self._asked, key=lambda each: self._served[each.tenant])
            self._asked.remove(asked)
            self._served[asked.tenant] += 1
        try:
            if asked.future.set_running_or_notify_cancel():
                asked.future.set_result(self._run(asked.job, asked.tenant))
        except BaseException as error:
            asked.future.set_exception(error)
        finally:
            with self._lock:
                self._served[asked.tenant] -= 1
                self._served += Counter()  # drops tenants without threads

    def open_session(self, setting: Setting) -> str:
        """See :meth:`Sandbox.open_session`."""
        self._check(setting)
        self._sessions.sweep()
        return self._sessions.open(setting)

    def ask_session(self, what: str, key: str, commands: int, *args: Any) -> Any:
        """See :meth:`Sandbox.ask_session`."""
        if what not in {"run", "write", "read", "tree", "holds", "close"}:
            raise InvalidParameters(f"Unknown session operation {what!r}.")
        return getattr(self._sessions, what)(key, commands, *args)

    def describe(self) -> dict[str, Any]:
        """See :meth:`Sandbox.describe`."""
        return {
            "backend": self.backend.name,
            "layers": dict(self.backend.layers()),
            "languages": sorted(self._languages),
            "toolchains": sorted(self.backend.toolchains()),
            "jobs": self._slots.counts(),
            "sessions": self._sessions.counts(),
        }

    def close(self) -> None:
        """See :meth:`Sandbox.close`."""
        self._slots.close()
        self._sessions.close_all()
        with self._lock:
            executors, self._executors = list(self._executors.values()), {}
            asked, self._asked = self._asked, []
        for each in asked:
            each.future.cancel()
        for executor in executors:
            executor.shutdown(wait=False, cancel_futures=True)
        self.backend.close()

    def _check(self, wanted: Program | Setting) -> None:
        """Raise if the language or the toolchain is missing."""
        if wanted.language not in self._languages:
            raise not_installed(wanted.language)
        if wanted.toolchain and wanted.toolchain not in self.backend.toolchains():
            raise not_set_up(wanted.toolchain, self.backend.name)

    def _threads(self, kind: str) -> Executor:
        with self._lock:
            if kind not in self._executors:
                self._executors[kind] = ThreadPoolExecutor(self._sizes[kind], thread_name_prefix=f"envhub-{kind}")
            return self._executors[kind]

    def _forked(self) -> None:
        self._lock = threading.Lock()
        self._executors = {}
        self._asked, self._served, self._under_way = [], Counter(), 0
        self._slots.after_fork()
        self._sessions.after_fork()


_owners: weakref.WeakSet[LocalSandbox] = weakref.WeakSet()


def _after_fork() -> None:
    for sandbox in list(_owners):
        sandbox._forked()


os.register_at_fork(after_in_child=_after_fork)
