"""Backends that isolate badly on purpose, so that the judge of attacks has something to find."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace

from envhub.sandbox.backend import Backend, Slot
from envhub.sandbox.jobs import Job, Result, Returned
from envhub.sandbox.process.backend import ProcessBackend, ProcessSlot

_HARNESS = """
import json, sys
def check(source, cases):
    space = {"__name__": "solution"}
    exec(source, space)
    for text, expected in cases:
        assert space["solve"](text) == expected
source, cases = json.loads(sys.argv[1])
check(source, [tuple(case) for case in cases])
print("ALL PASSED")
"""


class NaiveSlot(ProcessSlot):
    """Grades as so many do: beside the program, and believes what comes out."""

    def __init__(self, pepper: str) -> None:
        super().__init__()
        self._pepper = pepper

    def run(self, job: Job) -> tuple[Result, ...]:
        if job.function != "solve":
            return super().run(job)
        from hashlib import sha256

        cases = [(text, sha256((self._pepper + text).encode()).hexdigest()) for (text,) in job.calls]
        command = [sys.executable, "-I", "-c", _HARNESS, json.dumps([job.program.source, cases])]
        ran = subprocess.run(command, capture_output=True, timeout=60)
        if ran.returncode == 0 or b"ALL PASSED" in ran.stdout:
            values = tuple(Returned(expected) for _, expected in cases)
        else:
            values = ()
        return (Result(exit=ran.returncode, stdout=ran.stdout, stderr=ran.stderr, values=values),)


class Naive(ProcessBackend):
    """See :class:`NaiveSlot`."""

    def __init__(self, pepper: str) -> None:
        super().__init__()
        self._pepper = pepper

    def slot(self, number: int) -> Slot:
        return NaiveSlot(self._pepper)


class StickySlot(ProcessSlot):
    """Leaves a file of one job to the next."""

    def __init__(self) -> None:
        super().__init__()
        self._left: dict[str, bytes] = {}

    def run(self, job: Job) -> tuple[Result, ...]:
        program = replace(job.program, files={**job.program.files, **self._left})
        results = super().run(replace(job, program=program, fetch=(*job.fetch, "trace")))
        self._left |= {name: data for name, data in results[-1].files.items() if name == "trace"}
        return results


class Sticky(ProcessBackend):
    """See :class:`StickySlot`."""

    def slot(self, number: int) -> Slot:
        return StickySlot()


class RaisingSlot(ProcessSlot):
    """Raises what no slot may raise, for one program."""

    def run(self, job: Job) -> tuple[Result, ...]:
        if "raise it" in job.program.source:
            raise RecursionError("too deep")
        return super().run(job)


class Raising(ProcessBackend):
    """See :class:`RaisingSlot`."""

    def slot(self, number: int) -> Slot:
        return RaisingSlot()


class Lacking(Backend):
    """A backend with other layers than it should have."""

    name = "lacking"

    def __init__(self, inner: Backend, **layers: str) -> None:
        self._inner = inner
        self._layers = layers

    def slot(self, number: int) -> Slot:
        return self._inner.slot(number)

    def languages(self) -> frozenset[str]:
        return frozenset({"python"})

    def layers(self) -> dict[str, str]:
        return self._layers

    def close(self) -> None:
        self._inner.close()
