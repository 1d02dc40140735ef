"""Lean's REPL as a kernel: the three modules are three commands, each in the environment left by the one before.

The verdict is that of :mod:`envhub.verifiers.proofs.module_protocol`, and what is asked and read is that of
:mod:`envhub.verifiers.proofs.lean_modules`, as for every other Lean. What differs is where a module lives: in a live
process that
everybody's texts go through, and not in a jail. So a kernel of this kind is for projects on a machine of one's own, and is
chosen by name only; give it a ``second`` one, which has to accept what it accepts, where a policy is trained on the rewards::

    kernel = ReplKernel(start, second=LeanKernel())     # start() gives a Repl: envhub.verifiers.proofs.lean_interact

Why an environment can stand for a module:

- A submission stands in a section of a secret name, alone in its command, so nothing of ours can be drawn into it. ``Check``
  begins with the ends of both: whatever the text opened or left open (variables, namespaces, options), either these two
  commands give an error, or the scope is the one that ``Spec`` has left. Nobody can open a section again whose name is secret.
- An environment never changes, and what it is called is known only together with the texts that made it, to the one process
  that has it. When that process is gone the texts are put to the next one. So no text is ever judged in what another has left,
  and a process that starts again with the same numbers misleads nobody.
- Every command begins with words of its own (the secret), so a REPL that goes on from a common beginning finds none.

A REPL that is silent too long, ends, or says anything but what is expected is ended, and nothing is concluded. One that was
silent on a machine that is not busy had too much to do, and the submission is rejected. One verdict
differs from that of modules: a theorem that is declared ``private`` is found here, and counts if it is the one that was asked.
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
"""The lines that end what a submission stands in, before the question."""

Chain = tuple[str, ...]
"""The commands that make an environment."""


class ReplLost(EnvhubError):
    """A REPL did not answer as a REPL does; it is not to be asked again."""


class ReplLate(ReplLost):
    """A REPL did not answer in time."""


class Repl(Protocol):
    """A live REPL."""

    def ask(self, command: str, env: int | None) -> Mapping[str, Any]:
        """Its answer to a command in one of its environments, or in a new one.

        Raises:
            ReplLost: It gave none.
        """

    def close(self) -> None:
        """End it."""


class _Live:
    """A REPL, and the environments that it has."""

    def __init__(self, repl: Repl) -> None:
        self.repl = repl
        self.commands = 0
        self._known: OrderedDict[Chain, int] = OrderedDict()

    def known(self, chain: Chain) -> int:
        """How many of these commands, from the first, it need not be told again."""
        return next((length for length in range(len(chain), 0, -1) if chain[:length] in self._known), 0)

    def run(self, chain: Chain, command: str) -> Rows:
        """What it says of a command in the environment that others make.

        Raises:
            ReplLost: It gave no answer, or did not take again what had been taken before.
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
    """Some of them. Who finds all busy waits.

    Args:
        start: Starts one.
        most: How many at a time.
    """

    def __init__(self, start: Callable[[], Repl], most: int = 1) -> None:
        self._start = start
        self._idle: list[_Live] = []
        self._free = threading.Semaphore(most)
        self._lock = threading.Lock()
        self._closed = False

    @contextmanager
    def one(self, chain: Chain) -> Iterator[_Live]:
        """One of them, rather one that has the environment; it is ended if it is lost, or old.

        Raises:
            ReplLost: None could be started.
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
        """End those that are idle; the others end when they have answered."""
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
        servers: How many there may be.
        second: A kernel that has to accept what this one accepts; its report is the one that counts then.
    """

    question_line: ClassVar[int] = 2

    def __init__(self, start: Callable[[], Repl], *, servers: int = 1, second: Kernel | None = None) -> None:
        super().__init__()
        self._repls = Repls(start, servers)
        self._second = second
        self._fault = ""

    def close(self) -> None:
        """End the REPLs, and the live servers of a second kernel."""
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
    """The commands that a compiled module stands for: those of the submission, else those of the statement."""
    for module in ("Submission", "Spec"):
        if (made := files.get(f"{module}{ReplKernel.suffix}")) is not None:
            return tuple(json.loads(made))
    return ()


def _header(text: str) -> tuple[str, str]:
    """The imports of a module, which a REPL takes only at its start, and the rest."""
    lines = text.split("\n")
    count = next((at for at, line in enumerate(lines) if not line.startswith("import ")), len(lines))
    return "\n".join(lines[:count]) or "-- Lean's own library", "\n".join(lines[count:])


def _read(answer: Mapping[str, Any]) -> tuple[int, Rows]:
    """The environment of an answer, and what was said as ``lean --json`` says it.

    Raises:
        ReplLost: It is no answer to a command.
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
