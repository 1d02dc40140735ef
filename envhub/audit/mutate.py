"""``envhub audit --mutate``: break an environment's judging code, list undetected breaks.

Each mutant runs in its own process, which replaces the code of one function and runs the checks until one fails.
Neither the sources nor the cache of drawn tasks are written.
"""

from __future__ import annotations

import json
import logging
import os
import resource
import select
import signal
import sys
import tempfile
import tomllib
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from envhub.audit import contract
from envhub.audit.judgements import judgements
from envhub.audit.mutants import Mutant, Source, judging, spread
from envhub.audit.report import CHECKS
from envhub.audit.subject import Subject
from envhub.registry.registry import load, spec
from envhub.tasks.cache import InstanceCache

MOST: Final = 60
"""Default number of mutants per environment."""
RECORD: Final = "record"
"""Stands for a check if only recorded judgements detect a mutant (:mod:`envhub.audit.judgements`)."""
TESTS: Final = "tests"
"""Stands for a check if only the environment's own tests detect a mutant."""

_JUDGING: Final = (
    "oracle",
    "alternatives",
    "wrong_answers",
    "leniency",
    "reading",
    "calls",
    "messages",
    "legal_moves",
    "payoffs",
    "known_games",
    "fuzz",
    "blind_policies",
    "nothing_leaks",
    "replay",
)
_EXPLAINED: Final = Path(__file__).parent / "equivalent.toml"
_LEAST_S: Final = 20
_MOST_S: Final = 600
_IDLE_S: Final = 60.0
"""A process that uses less than :data:`_PROGRESS_S` CPU seconds during this time hangs."""
_PROGRESS_S: Final = 0.1


@dataclass(frozen=True)
class Outcome:
    """Result of a mutant.

    Attributes:
        mutant: The change.
        killed: The check that detected it; ``time`` for a timeout, ``tasks`` if it draws other tasks, ``record`` if
            only recorded judgements differ, ``tests`` if only the environment's own tests fail; None if undetected.
        explained: Why no check can detect it; None if unexplained.
    """

    mutant: Mutant
    killed: str | None
    explained: str | None = None

    @property
    def survived(self) -> bool:
        """Whether no check detected it and no explanation exists."""
        return self.killed is None and self.explained is None

    def to_json(self) -> dict[str, Any]:
        """The result by name."""
        at = {"file": self.mutant.file, "line": self.mutant.line, "function": self.mutant.function}
        return {
            **at,
            "old": self.mutant.old,
            "new": self.mutant.new,
            "killed": self.killed,
            "explained": self.explained,
        }


@dataclass(frozen=True)
class Mutation:
    """Mutants of one environment.

    Attributes:
        id: Environment id.
        possible: Number of possible mutants.
        outcomes: Results of the mutants tried.
        idle: Checks that fail without any mutant and cannot be used.
    """

    id: str
    possible: int
    outcomes: list[Outcome]
    idle: list[str]

    @property
    def survivors(self) -> list[Outcome]:
        """Mutants that no check detected and nobody explained."""
        return [outcome for outcome in self.outcomes if outcome.survived]

    def to_json(self) -> dict[str, Any]:
        """The mutants by name, with their numbers."""
        return {
            "id": self.id,
            "possible": self.possible,
            "made": len(self.outcomes),
            "killed": sum(outcome.killed not in (None, RECORD, TESTS) for outcome in self.outcomes),
            "record": sum(outcome.killed == RECORD for outcome in self.outcomes),
            "tests": sum(outcome.killed == TESTS for outcome in self.outcomes),
            "explained": sum(outcome.killed is None and not outcome.survived for outcome in self.outcomes),
            "survived": len(self.survivors),
            "idle": self.idle,
            "mutants": [outcome.to_json() for outcome in self.outcomes],
        }


def mutate(id: str, most: int = MOST, tests: Sequence[str] = ()) -> Mutation:
    """Create mutants of an environment's judging code and check each.

    Args:
        id: Environment id.
        most: Maximum number of mutants, sampled at even distances.
        tests: Test files of the environment, run with pytest on each mutant that no check detects.

    Raises:
        RuntimeError: The unchanged environment cannot be checked, or its tests fail.
        UnknownEnvironment: The environment does not exist.
    """
    cls = load(spec(id))
    sources = {f"{f.__module__}:{f.__qualname__}": Source(f) for f in judging(cls)}
    possible = [mutant for source in sources.values() for mutant in source.mutants]
    with tempfile.TemporaryDirectory(prefix="envhub-mutants-") as folder:
        before = os.environ.get("ENVHUB_CACHE")
        os.environ["ENVHUB_CACHE"] = folder
        try:
            found = _apart(lambda: _sound(id, tests), _MOST_S)
            if not isinstance(found, dict):
                raise RuntimeError(f"{id} cannot be checked unchanged: {found}")
            if not found["tested"]:
                raise RuntimeError(f"the tests {', '.join(tests)} fail without any mutant")
            outcomes = list(_outcomes(id, spread(possible, most), sources, found, tests))
        finally:
            if before is None:
                del os.environ["ENVHUB_CACHE"]
            else:
                os.environ["ENVHUB_CACHE"] = before
    return Mutation(
        id, len(possible), outcomes, [name for name in _JUDGING if name in CHECKS and name not in found["sound"]]
    )


def _outcomes(
    id: str, mutants: list[Mutant], sources: dict[str, Source], found: dict[str, Any], tests: Sequence[str]
) -> Iterator[Outcome]:
    cpu = _LEAST_S + 10 * int(found["cpu_s"])
    for mutant in mutants:
        source = sources[mutant.function]
        try:
            code = source.code(mutant.number)
        except (LookupError, SyntaxError):
            continue

        def hunt(source: Source = source, code: Any = code) -> str | None:
            source.function.__code__ = code
            _forget(source.function.__module__)
            InstanceCache.put = lambda self, name, found: None  # type: ignore[method-assign]
            return _first_breach(id, found, tests)

        killed = _apart(hunt, cpu)
        if isinstance(killed, str) and killed.startswith("failed: "):  # a failure of ours kills no mutant
            raise RuntimeError(f"{mutant.name} cannot be tried: {killed}")
        yield Outcome(mutant, killed, None if killed else explanation(mutant))


def _forget(module: str) -> None:
    """Clear a module's caches, which were filled by the unchanged code."""
    for value in vars(sys.modules[module]).values():
        if callable(clear := getattr(value, "cache_clear", None)):
            clear()


def _sound(id: str, tests: Sequence[str]) -> dict[str, Any]:
    """The audit without a mutant: passing checks, costs, digests, and tests."""
    digests, record = contract.digests(id), judgements(id)
    sound = [name for name in _JUDGING if name in CHECKS and _breaks(CHECKS[name], Subject(id)) is None]
    tested = _pass(tests)
    cpu = sum(sum(resource.getrusage(whose)[:2]) for whose in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return {"sound": sound, "digests": digests, "record": record, "tested": tested, "cpu_s": cpu}


def _first_breach(id: str, found: dict[str, Any], tests: Sequence[str]) -> str | None:
    """The first check that fails for the mutant."""
    try:
        if contract.digests(id) != found["digests"]:
            return "tasks"
    except Exception:
        return "tasks"
    subject = Subject(id)
    for name in found["sound"]:
        if _breaks(CHECKS[name], subject) is not None:
            return str(name)
    try:
        if judgements(id) != found["record"]:
            return RECORD
    except Exception:
        return RECORD
    return None if _pass(tests) else TESTS


def _pass(tests: Sequence[str]) -> bool:
    """Whether pytest passes these files, in this process and without a word."""
    if not tests:
        return True
    import pytest

    silent = os.open(os.devnull, os.O_WRONLY)
    for stream in (1, 2):
        os.dup2(silent, stream)
    return pytest.main([*tests, "-q", "-x", "-p", "no:cacheprovider"]) == pytest.ExitCode.OK


def _breaks(check: Callable[[Subject], None], subject: Subject) -> str | None:
    try:
        check(subject)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return None


def _apart(work: Callable[[], Any], cpu_s: int) -> Any:
    """Result of work in a fresh process, ``time`` or ``exit``.

    ``exit`` means that the process died, ``time`` is a timeout.
    The timeout is in CPU seconds, so a busy machine kills no mutant; a process that only waits is ended as well.
    """
    sys.stdout.flush()
    sys.stderr.flush()
    reading, writing = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # no other thread of ours holds a lock that the child needs
        child = os.fork()
    if child == 0:
        os.setsid()
        logging.disable()  # a mutant's failures are not printed
        # the hard limit stays: a sandbox sets its own, which may not exceed it
        resource.setrlimit(resource.RLIMIT_CPU, (cpu_s, resource.getrlimit(resource.RLIMIT_CPU)[1]))
        try:
            os.write(writing, json.dumps(work()).encode())
        except BaseException as error:
            os.write(writing, json.dumps(f"failed: {error!r}"[:500]).encode())
        finally:
            os._exit(0)
    os.close(writing)
    said = _said(reading, child, cpu_s)
    os.close(reading)
    with suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)  # with all its children
    _, status = os.waitpid(child, 0)
    try:
        return json.loads(said)
    except ValueError:
        return "time" if os.WIFSIGNALED(status) else "exit"


def _said(reading: int, child: int, cpu_s: int) -> bytes:
    """All that a process writes until it ends or is stopped.

    It is stopped if it exceeds its CPU time or hangs.
    """
    said, used = b"", 0.0
    while True:
        if select.select([reading], [], [], _IDLE_S)[0]:
            more = os.read(reading, 65_536)
            if not more:
                return said
            said += more
            continue
        before, used = used, _cpu_s(child)
        if used > cpu_s or used - before < _PROGRESS_S:
            return said


def _cpu_s(pid: int) -> float:
    """CPU seconds of a process and its ended children."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii", errors="replace").rpartition(")")[2].split()
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


def explanation(mutant: Mutant) -> str | None:
    """Why no check can detect a mutant; None if unexplained."""
    found = explained()
    return found.get(mutant.name) or found.get(f"{mutant.function}: any in {mutant.source}")


@cache
def explained() -> dict[str, str]:
    """Explanations by mutant name; "any" stands for every mutant on a line."""
    found = tomllib.loads(_EXPLAINED.read_text(encoding="utf-8"))
    return {
        f"{entry['function']}: {entry.get('mutant', 'any')} in {entry['line']}": entry["why"]
        for entry in found.get("equivalent", [])
    }
