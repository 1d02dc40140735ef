"""The sandbox as a resource of environments: jobs for judging, sessions that last as long as an episode.

An environment declares what it needs and yields requests through the functions below; what comes back is journaled, so a replay
gives the same results and runs nothing::

    class Codes(SingleTurn):
        resources = {"jobs": Jobs()}
        def grade(self, inst, source):
            (result,) = yield from ran("jobs", Job(Program(source), function="f", calls=((1, 2),)))
            ...                                    # compare result.values with what is expected, here

    class Shells(ToolEnv):
        resources = {"shell": Sessions("bash", files=lambda problem: {"notes.txt": problem["notes"].encode()})}
        @tool
        def run(self, inst, state, command: str): result = yield from typed("shell", command); ...

A job that cannot be run for reasons of ours is an infrastructure failure; whatever the program does is a result, of which all
but the time and the memory it took is recorded, and of a job's standard error its end. A job of so many runs that what they
print might be longer than a message is run in parts, so nothing that a program does is too long to come back. A session that
is lost is built again by the same commands, unless the broker still holds it as the last command left it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final, TypeVar

from envhub.core.effects import Check, Effect, Exec, Live, Outcome, Query, Resource
from envhub.core.errors import InvalidParameters, ResourceError
from envhub.core.types import JSON
from envhub.sandbox.backend import Entry, Listing, Setting
from envhub.sandbox.broker import plain
from envhub.sandbox.default import default_sandbox
from envhub.sandbox.inside import values
from envhub.sandbox.jobs import LIMIT_WORDS, Job, Limits, Result, Usage
from envhub.sandbox.sandbox import Sandbox, Session

T = TypeVar("T")
Asking = Generator[Effect, Outcome, Any]
Files = Callable[[Any], Mapping[str, bytes]]

TOGETHER: Final = plain.MAX_MESSAGE // 2
"""How many bytes what is sent in one message, and what may come back in one, may take."""
PRINTED: Final = 4
"""How many bytes a byte of the limit on output takes in a message: it is of two streams, which travel in hexadecimal."""
_QUICK: Final = Limits()
_STDERR: Final = 1 << 12


class Jobs(Resource):
    """Runs jobs, each in surroundings of its own. It keeps nothing, so there is nothing that a rebuild or a fork could lose.

    Args:
        sandbox: Where they run; the sandbox of the process unless given.
    """

    def __init__(self, sandbox: Sandbox | None = None) -> None:
        super().__init__("replay")
        self._sandbox = sandbox

    def open(self, problem: JSON, token: JSON = None) -> Live:
        """Nothing is started: the sandbox does that with the first job."""
        return _Jobs(self._sandbox or default_sandbox())


class _Jobs(Live):
    def __init__(self, sandbox: Sandbox) -> None:
        self._sandbox = sandbox

    def perform(self, effect: Effect) -> Outcome:
        """Run the job of a ``Check``."""
        return _results(map(_ending, self._sandbox.run(_job(effect))))

    async def aperform(self, effect: Effect) -> Outcome:
        """:meth:`perform` on an event loop."""
        return _results(map(_ending, await self._sandbox.arun(_job(effect))))


class Sessions(Resource):
    """A live interpreter or shell for each episode.

    Args:
        language: ``python`` or ``bash``.
        files: From a problem to what lies in the working directory at the start.
        limits: Of each command, and of the session.
        sandbox: Where it lives; the sandbox of the process unless given.
    """

    def __init__(
        self,
        language: str = "python",
        files: Files | None = None,
        limits: Limits = _QUICK,
        sandbox: Sandbox | None = None,
    ) -> None:
        super().__init__("replay")
        self._language = language
        self._files = files
        self._limits = limits
        self._sandbox = sandbox

    def open(self, problem: JSON, token: JSON = None) -> Live:
        """Begin a session."""
        files = self._files(problem) if self._files is not None else {}
        sandbox, setting = self._sandbox or default_sandbox(), Setting(self._language, files, self._limits)
        return _Session(sandbox, sandbox.open(setting))

    async def soon(self, work: Callable[[], T]) -> T:
        """Begin or find a session in a thread of the sandbox, which may take long, and whose threads nobody else needs."""
        return await (self._sandbox or default_sandbox()).soon("session", work)

    def attach(self, ticket: JSON) -> Live | None:
        """The session that the sandbox still holds, if nobody has gone on with it."""
        key, commands = ticket
        sandbox = self._sandbox or default_sandbox()
        session = sandbox.attach(key, commands)
        return _Session(sandbox, session) if session is not None else None

    def ruined(self, effect: Effect) -> Outcome | None:
        """A command that twice took the session down is the command's doing."""
        return _results((Result(crashed=True),)) if isinstance(effect, Exec) else None


class _Session(Live):
    def __init__(self, sandbox: Sandbox, session: Session) -> None:
        self._sandbox = sandbox
        self._session = session

    async def aperform(self, effect: Effect) -> Outcome:
        """:meth:`perform` in a thread of the sandbox: a command may take as long as its limits let it."""
        return await self._sandbox.soon("session", partial(self.perform, effect))

    def perform(self, effect: Effect) -> Outcome:
        """Run a command, write files, or look at what there is."""
        (what, body), session = effect.payload, self._session
        if isinstance(effect, Exec) and what == "run":
            result = session.run(body)
            if result.fault is not None:
                raise ResourceError(result.fault)
            return _results((result,))
        if isinstance(effect, Exec) and what == "write":
            try:
                session.write({path: bytes.fromhex(content) for path, content in body.items()})
            except InvalidParameters as refused:  # no room, or something in its way: what commands have brought about
                return Outcome(data=str(refused))
            return Outcome()
        if isinstance(effect, Query) and what == "read":
            return Outcome(data={path: content.hex() for path, content in session.read(body).items()})
        if isinstance(effect, Query) and what == "tree":
            listing = session.tree()
            rows = [[e.path, e.kind, e.size, e.mode, e.target] for e in listing.entries]
            return Outcome(data={"entries": rows, "complete": listing.complete})
        raise ResourceError(f"A session takes run and write as Exec, read and tree as Query; not {what!r}.")

    def ticket(self) -> JSON:
        """The session's id and how many commands it has run."""
        return [self._session.key, self._session.commands]

    def close(self) -> None:
        """End the session, unless somebody else has gone on with it."""
        self._session.close()


def ran(resource: str, job: Job) -> Generator[Effect, Outcome, tuple[Result, ...]]:
    """Run a job: a result for each text of standard input, or one for all calls.

    Args:
        resource: The name under which the environment declares its :class:`Jobs`.
        job: What is to run; nothing in it is a secret from the program.
    """
    results: list[Result] = []
    for part in _parts(job):
        outcome = yield Check(resource, values.dumps(plain.from_job(part), plain.DEPTH).decode())
        results += _read(outcome)
    return tuple(results)


def in_parts(items: Iterable[T], weigh: Callable[[T], int]) -> Iterator[list[T]]:
    """Items in their order, as many together as one message has room for.

    Args:
        items: What is to be sent.
        weigh: How many bytes an item takes; one that takes more than there is room for is alone.
    """
    part: list[T] = []
    left = TOGETHER
    for item in items:
        weight = weigh(item)
        if part and weight > left:
            yield part
            part, left = [], TOGETHER
        part.append(item)
        left -= weight
    if part:
        yield part


def _parts(job: Job) -> Iterator[Job]:
    """A job as jobs whose results fit into one message each, whatever the program prints."""
    if job.function is not None or job.fetch:  # one process, or one whose last run leaves files
        yield job
        return
    back = PRINTED * job.limits.output_bytes
    for stdins in in_parts(job.stdins, lambda text: max(2 * len(text), back)):
        yield replace(job, stdins=tuple(stdins))


def typed(resource: str, source: str) -> Generator[Effect, Outcome, Result]:
    """Run code in the episode's session.

    Args:
        resource: The name under which the environment declares its :class:`Sessions`.
        source: What is to run where earlier code has left things.
    """
    outcome = yield Exec(resource, ["run", source])
    (result,) = _read(outcome)
    return result


def wrote(resource: str, files: Mapping[str, bytes]) -> Generator[Effect, Outcome, str | None]:
    """Put files into the session's working directory; why that cannot be done, if it cannot.

    Args:
        resource: The name under which the environment declares its :class:`Sessions`.
        files: Contents by relative path.
    """
    outcome = yield Exec(resource, ["write", {path: content.hex() for path, content in files.items()}])
    why: str | None = outcome.data
    return why


def read(resource: str, paths: Sequence[str]) -> Generator[Effect, Outcome, dict[str, bytes]]:
    """The contents of those files of the session that are regular files, not reached through links.

    Args:
        resource: The name under which the environment declares its :class:`Sessions`.
        paths: Relative paths, already checked (:func:`envhub.sandbox.jobs.check_paths`).
    """
    outcome = yield Query(resource, ["read", list(paths)])
    return {path: bytes.fromhex(content) for path, content in outcome.data.items()}


def tree(resource: str) -> Generator[Effect, Outcome, Listing]:
    """The session's working directory. A judge must not accept a listing that is not complete."""
    outcome = yield Query(resource, ["tree", None])
    return Listing(tuple(Entry(*row) for row in outcome.data["entries"]), outcome.data["complete"])


def told(result: Result, most: int) -> str:
    """What a policy is shown of a command: its output, then its errors, then in words how it ended if not by itself.

    Addresses of objects, which no two processes share, are shown as zero.

    Args:
        result: What it did.
        most: How many characters of output and errors are shown; what is cut is said.
    """
    if result.crashed:
        return "[The command broke the place it ran in, twice. Everything is as it was before the command.]"
    text = result.text + result.stderr.decode("utf-8", "replace")
    parts = [_middle_out(_ADDRESS.sub(" at 0x0", text).rstrip("\n"), most)]
    if result.cut:
        parts.append("[More was printed than is kept.]")
    if result.limit is not None:
        parts.append(f"[It hit the limit of {LIMIT_WORDS[result.limit]}.]")
    if result.exit is None:
        parts.append("[It had to be ended, and all it had started. The next command begins afresh; files are kept.]")
    elif result.exit:
        parts.append(f"[exit status {result.exit}]")
    return "\n".join(filter(None, parts)) or "[no output]"


def _middle_out(text: str, most: int) -> str:
    if len(text) <= most:
        return text
    head = most // 2
    return f"{text[:head]}\n[cut: {len(text) - most} characters]\n{text[len(text) - (most - head) :]}"


_ADDRESS: Final = re.compile(r" at 0x[0-9a-f]{6,16}\b")


def _job(effect: Effect) -> Job:
    if not isinstance(effect, Check):
        raise ResourceError(f"Jobs are asked for by Check effects, not by {type(effect).__name__}.")
    written: Any = values.loads(effect.payload.encode(), plain.MAX_MESSAGE, plain.DEPTH)
    return plain.to_job(written)


def _ending(result: Result) -> Result:
    """A result with the end of standard error, which is all of it that is ever shown of a job."""
    return replace(result, stderr=result.stderr[-_STDERR:])


def _results(results: Iterable[Result]) -> Outcome:
    results = tuple(results)
    fault = next((result.fault for result in results if result.fault is not None), None)
    if fault is not None:
        raise ResourceError(fault)
    # how long it took is no two times the same, and what an episode rests on has to be
    kept = [plain.from_result(replace(result, usage=Usage())) for result in results]
    written = values.dumps(kept, plain.DEPTH)
    if len(written) > plain.MAX_MESSAGE:  # one run with limits far beyond the usual
        return _results([Result(limit="output", cut=True)] * len(results))
    return Outcome(data=written.decode())


def _read(outcome: Outcome) -> tuple[Result, ...]:
    written: Any = values.loads(outcome.data.encode(), plain.MAX_MESSAGE, plain.DEPTH)
    return tuple(plain.to_result(row) for row in written)
