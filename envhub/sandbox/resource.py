"""The sandbox as a resource of environments.

Jobs for grading, and one session per episode. An environment declares the resource and yields effects through the
functions below. Their outcomes are journaled, so a replay returns the same results without running anything::

    class Codes(SingleTurn):
        resources = {"jobs": Jobs()}
        def grade(self, inst, source):
            (result,) = yield from run_job("jobs", Job(Program(source), function="f", calls=((1, 2),)))
            ...                                    # compare result.values with what is expected, here

    class Shells(ToolEnv):
        resources = {"shell": Sessions("bash", files=lambda problem: {"notes.txt": problem["notes"].encode()})}
        @tool
        def run(self, inst, state, command: str): result = yield from run_command("shell", command); ...

A job that the sandbox cannot run is an infrastructure failure. Whatever a program does is a result, recorded without the time
and memory it took and with the end of its standard error only. A job whose output could exceed one message is run in parts, so
no program can make a result too long. A lost session is rebuilt with the same commands, unless the broker still holds it in the
state after the last command.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final, TypeVar

from envhub.core.effects import Check, Effect, Exec, Live, Outcome, Query, Resource
from envhub.core.errors import EnvhubError, InvalidParameters, ResourceError
from envhub.core.types import JSON
from envhub.sandbox.backend import Entry, Listing, Setting
from envhub.sandbox.broker import plain
from envhub.sandbox.default import default_sandbox
from envhub.sandbox.inside import values
from envhub.sandbox.jobs import LIMIT_WORDS, Job, Limits, Result, Usage
from envhub.sandbox.sandbox import Sandbox, Session
from envhub.sandbox.toolchains import not_set_up

T = TypeVar("T")
Effects = Generator[Effect, Outcome, Any]
Files = Callable[[Any], Mapping[str, bytes]]

MAX_BATCH: Final = plain.MAX_MESSAGE // 2
"""Maximum bytes of the inputs, and of the results, in one message."""
OUTPUT_FACTOR: Final = 4
"""Message bytes per byte of the output limit: two streams, encoded in hexadecimal."""
_QUICK: Final = Limits()
_STDERR: Final = 1 << 12


class Jobs(Resource):
    """Runs independent jobs. Stateless, so rebuilds and forks lose nothing.

    Args:
        sandbox: The sandbox to use. Defaults to the sandbox of the process.
    """

    def __init__(self, sandbox: Sandbox | None = None) -> None:
        super().__init__("replay")
        self._sandbox = sandbox

    def open(self, problem: JSON, token: JSON = None) -> Live:
        """Return at once: the sandbox starts with the first job."""
        return _Jobs(self._sandbox or default_sandbox())


class _Jobs(Live):
    def __init__(self, sandbox: Sandbox) -> None:
        self._sandbox = sandbox

    def perform(self, effect: Effect) -> Outcome:
        """Run the job of a ``Check``."""
        return outcome_of(map(_ending, self._sandbox.run(_job(effect))))

    async def aperform(self, effect: Effect) -> Outcome:
        """:meth:`perform` on an event loop."""
        return outcome_of(map(_ending, await self._sandbox.arun(_job(effect))))


class Sessions(Resource):
    """A live interpreter or shell per episode.

    Args:
        language: ``python`` or ``bash``.
        files: Returns the initial files of the working directory for a problem.
        limits: Limits of each command and of the session.
        sandbox: The sandbox to use. Defaults to the sandbox of the process.
        toolchain: Name of the packages that commands may import; empty for none.
    """

    def __init__(
        self,
        language: str = "python",
        files: Files | None = None,
        limits: Limits = _QUICK,
        sandbox: Sandbox | None = None,
        toolchain: str = "",
    ) -> None:
        super().__init__("replay")
        self._toolchain = toolchain
        self._language = language
        self._files = files
        self._limits = limits
        self._sandbox = sandbox

    def open(self, problem: JSON, token: JSON = None) -> Live:
        """Open a session."""
        files = self._files(problem) if self._files is not None else {}
        sandbox = self._sandbox or default_sandbox()
        setting = Setting(self._language, files, self._limits, self._toolchain)
        return _Session(sandbox, sandbox.open(setting))

    async def soon(self, work: Callable[[], T]) -> T:
        """Open or attach a session in a thread of the sandbox.

        It may take long and must not block other work.
        """
        return await (self._sandbox or default_sandbox()).soon("session", work)

    def absent(self) -> str | None:
        """Why the toolchain is not available.

        None if it is, or if no toolchain is needed.
        """
        if not self._toolchain:
            return None
        try:
            about = (self._sandbox or default_sandbox()).describe()
        except EnvhubError as error:
            return str(error)
        return None if self._toolchain in about["toolchains"] else str(not_set_up(self._toolchain, about["backend"]))

    def attach(self, ticket: JSON) -> Live | None:
        """The session still held here, unless another client has used it."""
        key, commands = ticket
        sandbox = self._sandbox or default_sandbox()
        session = sandbox.attach(key, commands)
        return _Session(sandbox, session) if session is not None else None

    def ruined(self, effect: Effect) -> Outcome | None:
        """The outcome of a command that crashed its session twice."""
        return outcome_of((Result(crashed=True),)) if isinstance(effect, Exec) else None


class _Session(Live):
    def __init__(self, sandbox: Sandbox, session: Session) -> None:
        self._sandbox = sandbox
        self._session = session

    async def aperform(self, effect: Effect) -> Outcome:
        """:meth:`perform` in a thread of the sandbox.

        A command may take as long as its limits let it.
        """
        return await self._sandbox.soon("session", partial(self.perform, effect))

    def perform(self, effect: Effect) -> Outcome:
        """Run a command, or write, read or list files."""
        (what, body), session = effect.payload, self._session
        if isinstance(effect, Exec) and what == "run":
            result = session.run(body)
            if result.fault is not None:
                raise ResourceError(result.fault)
            return outcome_of((result,))
        if isinstance(effect, Exec) and what == "write":
            try:
                session.write({path: bytes.fromhex(content) for path, content in body.items()})
            except InvalidParameters as refused:  # no room, or a path blocked by what commands made
                return Outcome(data=str(refused))
            return Outcome()
        if isinstance(effect, Query) and what == "read":
            return Outcome(data={path: content.hex() for path, content in session.read(body).items()})
        if isinstance(effect, Query) and what == "tree":
            listing = session.tree()
            rows = [[e.path, e.kind, e.size, e.mode, e.target] for e in listing.entries]
            return Outcome(data={"entries": rows, "complete": listing.complete})
        raise ResourceError(f"A session accepts run and write as Exec, read and tree as Query; got {what!r}.")

    def ticket(self) -> JSON:
        """The session's id and the number of commands it has run."""
        return [self._session.key, self._session.commands]

    def close(self) -> None:
        """End the session, unless another client has used it since."""
        self._session.close()


def run_job(resource: str, job: Job) -> Generator[Effect, Outcome, tuple[Result, ...]]:
    """Run a job.

    Returns one result per standard input, or one for all calls.

    Args:
        resource: The name under which the environment declares its :class:`Jobs`.
        job: The job. The program can read everything in it, so it must not contain secrets.
    """
    results: list[Result] = []
    for part in _parts(job):
        outcome = yield Check(resource, values.dumps(plain.from_job(part), plain.DEPTH).decode())
        results += _read(outcome)
    return tuple(results)


def in_batches(items: Iterable[T], weigh: Callable[[T], int]) -> Iterator[list[T]]:
    """Split items into batches that fit into one message each.

    Their order is kept.

    Args:
        items: The items to send.
        weigh: Returns the bytes of an item. An item that exceeds a message is sent alone.
    """
    part: list[T] = []
    left = MAX_BATCH
    for item in items:
        weight = weigh(item)
        if part and weight > left:
            yield part
            part, left = [], MAX_BATCH
        part.append(item)
        left -= weight
    if part:
        yield part


def _parts(job: Job) -> Iterator[Job]:
    """Split a job so that each result surely fits one message."""
    if job.function is not None or job.fetch:  # one process, or one whose last run leaves files
        yield job
        return
    back = OUTPUT_FACTOR * job.limits.output_bytes
    for stdins in in_batches(job.stdins, lambda text: max(2 * len(text), back)):
        yield replace(job, stdins=tuple(stdins))


def run_command(resource: str, source: str) -> Generator[Effect, Outcome, Result]:
    """Run code in the episode's session.

    Args:
        resource: The name under which the environment declares its :class:`Sessions`.
        source: The code, run in the state that earlier code left.
    """
    outcome = yield Exec(resource, ["run", source])
    (result,) = _read(outcome)
    return result


def write_files(resource: str, files: Mapping[str, bytes]) -> Generator[Effect, Outcome, str | None]:
    """Write files into the session's working directory.

    Returns the reason on failure, else None.

    Args:
        resource: The name under which the environment declares its :class:`Sessions`.
        files: Contents by relative path.
    """
    outcome = yield Exec(resource, ["write", {path: content.hex() for path, content in files.items()}])
    why: str | None = outcome.data
    return why


def read_files(resource: str, paths: Sequence[str]) -> Generator[Effect, Outcome, dict[str, bytes]]:
    """Contents of those paths of the session that are regular files.

    Links are not followed.

    Args:
        resource: The name under which the environment declares its :class:`Sessions`.
        paths: Relative paths, checked before (:func:`envhub.sandbox.jobs.check_paths`).
    """
    outcome = yield Query(resource, ["read", list(paths)])
    return {path: bytes.fromhex(content) for path, content in outcome.data.items()}


def list_files(resource: str) -> Generator[Effect, Outcome, Listing]:
    """List the session's working directory.

    A judge must not accept an incomplete listing.
    """
    outcome = yield Query(resource, ["tree", None])
    return Listing(tuple(Entry(*row) for row in outcome.data["entries"]), outcome.data["complete"])


def describe_result(result: Result, most: int) -> str:
    """A command's text for the policy: output, errors, and its end.

    Addresses of objects differ between processes and are shown as zero.

    Args:
        result: The result of the command.
        most: Maximum characters of output and errors. A note says how much was cut.
    """
    if result.crashed:
        return "[The command broke the place it ran in, twice. Everything is as it was before the command.]"
    text = result.text + result.stderr.decode("utf-8", "replace")
    parts = [cut_output(text, most)]
    if result.cut:
        parts.append("[More was printed than is kept.]")
    if result.limit is not None:
        parts.append(f"[It hit the limit of {LIMIT_WORDS[result.limit]}.]")
    if result.exit is None:
        parts.append("[It had to be ended, and all it had started. The next command begins afresh; files are kept.]")
    elif result.exit:
        parts.append(f"[exit status {result.exit}]")
    return "\n".join(filter(None, parts)) or "[no output]"


def cut_output(text: str, most: int) -> str:
    """Printed text for the policy.

    Without addresses of objects, and without its middle if it is long.

    Args:
        text: What was printed.
        most: Maximum number of characters.
    """
    text = _ADDRESS.sub(" at 0x0", text).rstrip("\n")
    if len(text) <= most:
        return text
    head = most // 2
    return f"{text[:head]}\n[cut: {len(text) - most} characters]\n{text[len(text) - (most - head) :]}"


_ADDRESS: Final = re.compile(r" at 0x[0-9a-f]{6,16}\b")


def _job(effect: Effect) -> Job:
    if not isinstance(effect, Check):
        raise ResourceError(f"Jobs accept Check effects, got {type(effect).__name__}.")
    written: Any = values.loads(effect.payload.encode(), plain.MAX_MESSAGE, plain.DEPTH)
    return plain.to_job(written)


def _ending(result: Result) -> Result:
    """A result with only the end of standard error.

    This part is shown of a job.
    """
    return replace(result, stderr=result.stderr[-_STDERR:])


def outcome_of(results: Iterable[Result]) -> Outcome:
    """The outcome that :func:`run_command` and :func:`run_job` read.

    Raises:
        ResourceError: The sandbox failed in one of the results.
    """
    results = tuple(results)
    fault = next((result.fault for result in results if result.fault is not None), None)
    if fault is not None:
        raise ResourceError(fault)
    # usage differs from run to run, and journaled outcomes must be reproducible
    kept = [plain.from_result(replace(result, usage=Usage())) for result in results]
    written = values.dumps(kept, plain.DEPTH)
    if len(written) > plain.MAX_MESSAGE:  # one run with unusually high limits
        return outcome_of([Result(limit="output", cut=True)] * len(results))
    return Outcome(data=written.decode())


def _read(outcome: Outcome) -> tuple[Result, ...]:
    written: Any = values.loads(outcome.data.encode(), plain.MAX_MESSAGE, plain.DEPTH)
    return tuple(plain.to_result(row) for row in written)
