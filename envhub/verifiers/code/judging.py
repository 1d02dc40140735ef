"""Judges programs by their results on unseen inputs.

They run in the sandbox; the results are compared outside. Expected values never enter the jail, so a program cannot
pass by tampering with its surroundings::

    class Doubles(SingleTurn):
        answer = Code()
        resources = {"jobs": Jobs()}
        def grade(self, inst, source):
            cases = [Case((n,), 2 * n) for n in inst.key]
            return judge_calls("jobs", source, "double", cases)

The score is 1 if every case passes and 0 otherwise; the component ``passed`` is the share of the cases that passed. A failure
that the program causes (an exception, a limit, an attack on its jail) is a verdict; one that we cause is an ``error``.
"""

from __future__ import annotations

import builtins
import re
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from envhub.core.effects import Effect, Outcome
from envhub.core.types import Verdict
from envhub.sandbox.jobs import LIMIT_WORDS, Job, Limits, Program, Result, Returned
from envhub.sandbox.resource import MAX_BATCH, OUTPUT_FACTOR, run_job
from envhub.verifiers.code.comparing import exactly, same_lines

Same = Callable[[Any, Any], bool]
Judging = Generator[Effect, Outcome, Verdict]

QUICK: Final = Limits(wall_s=10.0, cpu_s=5.0, memory_mb=256, output_bytes=1 << 18, value_bytes=1 << 18)
"""Limits of a judged program: for all calls together, or per standard input."""
_SHOWN: Final = 200
_LEAST_OUTPUT: Final = 1 << 16
_MOST_OUTPUT: Final = 16 << 20
_BUILT_IN: Final = frozenset(
    name for name, value in vars(builtins).items() if isinstance(value, type) and issubclass(value, BaseException)
)


@dataclass(frozen=True, slots=True)
class Case:
    """One test case of a program.

    Attributes:
        given: The arguments of a call (a tuple), or the text of standard input.
        expected: The right result; it stays outside.
    """

    given: Any
    expected: Any = field(repr=False)


def judge_calls(
    resource: str,
    source: str,
    function: str,
    cases: Sequence[Case],
    same: Same = exactly,
    *,
    files: Mapping[str, bytes] | None = None,
    limits: Limits = QUICK,
    ours: bool = False,
) -> Judging:
    """The verdict on a Python function.

    Each case is a call, all in one process.

    Args:
        resource: The name under which the environment declares its ``Jobs``.
        source: The program, imported as a module, not run as ``__main__``.
        function: The name of the function.
        cases: Its calls; plain values (:mod:`envhub.sandbox.inside.values`). Their order should reveal nothing.
        same: Whether a value is accepted for an expected one; for a checker, ``expected`` may be anything.
        files: Further files beside the program.
        limits: For all calls together.
        ours: The program is not the policy's; the feedback then says what it raised, which must reveal nothing hidden.
    """
    if not mentions(source, function):
        words = f"There is no function {function} in the program."
        return Verdict(0.0, solved=False, components={"passed": 0.0}, feedback=words)
    program = Program(source, "python", files or {})
    calls = tuple(tuple(case.given) for case in cases)
    (result,) = yield from run_job(resource, Job(program, function=function, calls=calls, limits=limits))
    passed = [
        returned.raised is None and same(returned.value, case.expected)
        for returned, case in zip(result.values, cases, strict=False)
    ]
    return verdict_of((result,), passed + [False] * (len(cases) - len(passed)), ours=ours)


def mentions(source: str, function: str) -> bool:
    """Whether a program can define the function at all."""
    return re.search(rf"\b{re.escape(function)}\b", source) is not None


def judge_runs(
    resource: str,
    source: str,
    cases: Sequence[Case],
    same: Callable[[str, str], bool] = same_lines,
    *,
    language: str = "python",
    files: Mapping[str, bytes] | None = None,
    limits: Limits = QUICK,
) -> Judging:
    """The verdict on a whole program.

    Each case is a process with its standard input. A run counts only if it exits with status 0. The output limit
    depends on the cases (:func:`roomy`).

    Args:
        resource: The name under which the environment declares its ``Jobs``.
        source: The program.
        cases: Texts of standard input and their expected results.
        same: Whether an output is accepted for an expected one.
        language: Its language.
        files: Further files beside the program.
        limits: For each run.
    """
    program = Program(source, language, files or {})
    stdins = tuple(case.given.encode() for case in cases)
    limits = roomy(limits, [case.expected for case in cases])
    results = yield from run_job(resource, Job(program, stdins=stdins, limits=limits))
    passed = [
        result.ok and not result.cut and same(result.text, case.expected)
        for result, case in zip(results, cases, strict=True)
    ]
    return verdict_of(results, passed)


def roomy(limits: Limits, expected: Sequence[str]) -> Limits:
    """Limits large enough to keep all output.

    Every right output can be printed. A run may print as many bytes as ``limits`` allow, or its share of the kept output
    if there are many runs; but always 64 KiB more than twice the longest right output, up to 16 MiB.

    Args:
        limits: For each run.
        expected: Right output of each run.
    """
    share = MAX_BATCH // OUTPUT_FACTOR // max(1, len(expected))
    longest = max((len(text.encode("utf-8", "replace")) for text in expected), default=0)
    needed = min(2 * longest + _LEAST_OUTPUT, _MOST_OUTPUT)
    return replace(limits, output_bytes=max(min(limits.output_bytes, share), needed))


def verdict_of(results: Sequence[Result], passed: Sequence[bool], *, ours: bool = False) -> Verdict:
    """The verdict on a program's runs.

    1.0 if every case passed, else 0.0.

    Args:
        results: Results of its runs, or of its calls.
        passed: Whether each case passed.
        ours: The program is not the policy's (:func:`judge_calls`).
    """
    share = sum(passed) / len(passed) if passed else 0.0
    components = {"passed": share}
    if any(result.crashed for result in results):
        components["abuse"] = 1.0
    solved = bool(passed) and all(passed)
    words = (
        "Every case passed."
        if solved
        else f"{sum(passed)} of {len(passed)} cases passed. {_failure(results, passed, ours)}"
    )
    return Verdict(1.0 if solved else 0.0, solved=solved, components=components, feedback=words.strip())


def _failure(results: Sequence[Result], passed: Sequence[bool], ours: bool) -> str:
    """Describes the first failure without revealing anything expected.

    A policy's program may not add text of its own: it has seen inputs that the reader must not see.
    """
    result = results[0] if len(results) != len(passed) else results[passed.index(False)]
    if result.crashed:
        return "The program broke the place it ran in."
    if result.stage == "compile":
        return "It did not compile:\n" + _end(result.stderr)
    if result.limit is not None:
        return f"It hit the limit of {LIMIT_WORDS[result.limit]}."
    raised = next((returned for returned in result.values if returned.raised is not None), None)
    if raised is not None:
        return f"A call {f'raised {raised.raised}: {raised.message[:_SHOWN]}' if ours else _raised(raised)}."
    if result.exit is None:
        return "It ended before every call was answered."
    if result.exit != 0:
        return f"It ended with exit status {result.exit}."
    return ""


def _raised(returned: Returned) -> str:
    if returned.raised == "NotAValue":
        return "gave something that is no plain value"
    return f"raised {returned.raised if returned.raised in _BUILT_IN else 'an exception of its own'}"


def _end(output: bytes) -> str:
    return output.decode("utf-8", "replace")[-1000:]
