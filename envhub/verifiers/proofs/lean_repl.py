"""Lean's REPL as a kernel.

Three modules as three commands, each extending the last. The verdict is that of
:mod:`envhub.verifiers.proofs.module_protocol`, and the texts are those of :mod:`envhub.verifiers.proofs.lean_modules`,
as for every other Lean. The difference is that a module lives in a live process that all texts share, not in a jail. So
this kernel is for projects on your own machine, and is chosen by name only; to train a policy on its rewards, add a
``second`` kernel that must accept the same proofs::

    kernel = ReplKernel(start, second=LeanKernel())     # start() gives a Repl: envhub.verifiers.proofs.lean_interact

Why an environment can stand for a module:

- A submission is in a section with a secret name, alone in its command, so it cannot absorb our text. ``Check`` begins
  with the ends of both: whatever the text opened or left open (variables, namespaces, options), either these two
  commands fail, or the scope is the one that ``Spec`` has left. A section with a secret name cannot be reopened.
- An environment never changes, and its number is stored with the texts that made it, for the one process that has it.
  When that process ends, the texts are sent to the next one. So no text is judged in another text's environment, and a
  restarted process that reuses the numbers causes no harm.
- Every command begins with unique words (the secret), so a REPL that reuses common prefixes finds none.

A REPL that times out, ends, or gives unexpected output is stopped, and nothing is concluded. If it timed out on a
machine that is not busy, the submission was too much work and is rejected. One verdict
differs from that of modules: a theorem that is declared ``private`` is found here, and counts if it has the requested name.
"""

from __future__ import annotations

import json
import secrets
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, ClassVar, Final, Protocol

from envhub.core.errors import EnvhubError
from envhub.sandbox import Result
from envhub.verifiers.proofs.lean_modules import LeanModules, LeanRun, Rows, opened_in
from envhub.verifiers.proofs.proof import Kernel, ProofReport, Statement

_COMMANDS: Final = 500
_KNOWN: Final = 256
_SEVERITIES: Final = {"error": "error", "warning": "warning", "info": "information", "trace": "information"}
_OURS: Final = 2
"""The lines that close a submission's scope, before the question."""

Chain = tuple[str, ...]
"""The commands that make an environment."""


class ReplLost(EnvhubError):
    """A REPL broke the protocol; do not use it again."""


class ReplLate(ReplLost):
    """A REPL did not answer in time."""


class Repl(Protocol):
    """A live REPL."""

    def ask(self, command: str, env: int | None) -> Mapping[str, Any]:
        """Its answer to a command, in an environment or a new one.

        Raises:
            ReplLost: No answer.
        """

    def close(self) -> None:
        """Stop it."""


class _Live:
    """A REPL and its environments."""

    def __init__(self, repl: Repl) -> None:
        self.repl = repl
        self.commands = 0
        self._known: OrderedDict[Chain, int] = OrderedDict()

    def known(self, chain: Chain) -> int:
        """Length of the longest prefix of these commands that it already has."""
        return next((length for length in range(len(chain), 0, -1) if chain[:length] in self._known), 0)

    def run(self, chain: Chain, command: str) -> Rows:
        """Its messages on a command in the environment of a chain.

        Raises:
            ReplLost: It gave no answer, or rejected previously accepted commands.
        """
        done = self.known(chain)
        for at in range(done, len(chain)):
            said = [row["data"] for row in self._ask(chain[:at], chain[at]) if row["severity"] == "error"]
            if said:
                raise ReplLost(f"the REPL does not take what it has to build on: {said[0][:300]}")
        return self._ask(chain, command)

    def _ask(self, chain: Chain, command: str) -> Rows:
        self.commands += 1
        answer = self.repl.ask(command, self._known[chain] if chain else None)
        env, rows = _read(answer)
        self._known[(*chain, command)] = env
        for length in range(1, len(chain) + 1):
            if chain[:length] in self._known:
                self._known.move_to_end(chain[:length])
        while len(self._known) > _KNOWN:
            self._known.popitem(last=False)
        return rows


class Repls:
    """A pool of REPLs. Callers wait if all are busy.

    Args:
        start: Starts one.
        most: Maximum number at a time.
    """

    def __init__(self, start: Callable[[], Repl], most: int = 1) -> None:
        self._start = start
        self._idle: list[_Live] = []
        self._free = threading.Semaphore(most)
        self._lock = threading.Lock()
        self._closed = False

    @contextmanager
    def one(self, chain: Chain) -> Iterator[_Live]:
        """One REPL, preferably one with the environment; stopped if lost or old.

        Raises:
            ReplLost: Could not start one.
        """
        with self._free:
            live = self._take(chain)
            try:
                yield live
            except BaseException:
                live.repl.close()
                raise
            if live.commands >= _COMMANDS or self._closed:
                live.repl.close()
                return
            with self._lock:
                self._idle.append(live)

    def close(self) -> None:
        """Stop the idle REPLs; the others stop after their answer."""
        self._closed = True
        with self._lock:
            idle, self._idle = self._idle, []
        for live in idle:
            live.repl.close()

    def _take(self, chain: Chain) -> _Live:
        with self._lock:
            if self._idle:
                best = max(self._idle, key=lambda live: live.known(chain))
                self._idle.remove(best)
                return best
        return _Live(self._start())


class ReplKernel(LeanModules):
    """Checks proofs with a REPL.

    Args:
        start: Starts one; it raises :class:`ReplLost` if it cannot.
        servers: Maximum number of REPLs.
        second: A kernel that must accept what this one accepts; then its report counts.
    """

    question_line: ClassVar[int] = 2

    def __init__(self, start: Callable[[], Repl], *, servers: int = 1, second: Kernel | None = None) -> None:
        super().__init__()
        self._repls = Repls(start, servers)
        self._second = second
        self._fault = ""

    def close(self) -> None:
        """Stop the REPLs, and the live servers of a second kernel."""
        self._repls.close()
        getattr(self._second, "close", lambda: None)()

    def _verdict(self, statement: Statement, text: str) -> ProofReport:
        report = super()._verdict(statement, text)
        return self._second.check(statement, text) if report.accepted and self._second is not None else report

    def _head(self, statement: Statement) -> str:
        section = f"section scope_{secrets.token_hex(8)}"
        return f"{section}\nopen Spec{opened_in(statement)}\nnamespace Submission\n"

    def _compile(self, module: str, text: str, files: Mapping[str, bytes]) -> LeanRun:
        chain, ours = _chain(files), 0
        if module == "Spec":
            header, text = _header(text)
            chain, text = (header,), f"-- {secrets.token_hex(8)}\nset_option linter.all false\n{text}"
        elif module == "Check":
            section = chain[-1].split("\n", 1)[0].removeprefix("section ")
            text, ours = f"end Submission\nend {section}\n{text}", _OURS
        try:
            with self._repls.one(chain) as live:
                rows = live.run(chain, text)
        except ReplLost as lost:
            self._fault = str(lost)
            return LeanRun(module, Result(fault=str(lost), limit="wall" if isinstance(lost, ReplLate) else None), None)
        moved = tuple({**row, "pos": {**row["pos"], "line": row["pos"]["line"] - ours}} for row in rows)
        made = {f"{module}{self.suffix}": json.dumps([*chain, text]).encode()}
        wrong = any(row["severity"] == "error" for row in rows)
        return LeanRun(module, Result(exit=int(wrong), files=made), moved)

    def _unwell(self) -> str:
        return f"Lean's REPL does not work here: {self._fault or 'it does not tell a proof from what is none'}."


def _chain(files: Mapping[str, bytes]) -> Chain:
    """The commands for a compiled module: the submission's, else the statement's."""
    for module in ("Submission", "Spec"):
        if (made := files.get(f"{module}{ReplKernel.suffix}")) is not None:
            return tuple(json.loads(made))
    return ()


def _header(text: str) -> tuple[str, str]:
    """Splits a module into imports and the rest.

    A REPL accepts imports only at its start.
    """
    lines = text.split("\n")
    count = next((at for at, line in enumerate(lines) if not line.startswith("import ")), len(lines))
    return "\n".join(lines[:count]) or "-- Lean's own library", "\n".join(lines[count:])


def _read(answer: Mapping[str, Any]) -> tuple[int, Rows]:
    """The environment of an answer, and its messages.

    In the form of ``lean --json``.

    Raises:
        ReplLost: Not an answer to a command.
    """
    env, messages = answer.get("env"), answer.get("messages", [])
    if type(env) is not int or not isinstance(messages, list):
        raise ReplLost(f"the REPL said: {str(answer.get('message', 'nothing that is expected'))[:300]}")
    rows: list[Mapping[str, Any]] = []
    for each in messages:
        try:
            place = {"line": int(each["pos"]["line"]), "column": int(each["pos"]["column"])}
            rows.append({"severity": _SEVERITIES[each["severity"]], "data": str(each["data"]).strip(), "pos": place})
        except (KeyError, TypeError, ValueError):
            raise ReplLost("the REPL sent a malformed message") from None
    return env, tuple(rows)
