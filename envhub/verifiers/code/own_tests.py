r"""Judges programs against user-supplied tests.

For code-tests-v0 and for posted problems with tests.

::

    AgainstTests({"prompt": "...", "cases": [{"input": "3", "output": "6"}]})("```python\nprint(2 * int(input()))\n```")

A checker is a program of the user's; it also runs in the sandbox, in its own job, after the program that it judges. An
output on which it raises is wrong, and so is an output that cannot be passed to it (it is nested too deep). If the
checker ends or hits a limit, the control ``check(input, expected, expected)`` is run twice: if that fails, the verdict
is an ``error``; if it works and the output fails in a fresh process as well, the output is to blame, and the score is 0
with the reason ``checker_failed_on_answer``.
"""

from __future__ import annotations

import json
from collections.abc import Generator, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Final

from envhub.core.effects import Effect, EffectFailed, Outcome, Resource, drive, pump
from envhub.core.errors import InvalidAction, InvalidParameters
from envhub.core.resources import Resources
from envhub.core.types import CHECKER_FAILED, Verdict
from envhub.generators.user_files.problems import Problem, problem_of
from envhub.sandbox.broker import plain
from envhub.sandbox.inside import values
from envhub.sandbox.jobs import LIMIT_WORDS, Job, Limits, Program, Result, Returned
from envhub.sandbox.resource import Jobs, in_batches, run_job
from envhub.verifiers.code.answer import Code
from envhub.verifiers.code.comparing import Closely, close_tokens, exactly, same_lines, same_tokens
from envhub.verifiers.code.judging import Case, Judging, Same, judge_calls, judge_runs, mentions, roomy, verdict_of

COMPONENTS: Final = frozenset({"format", "passed", "abuse"})
TESTS: Final = "tests"
"""The kind of a gold answer that is a problem with tests, as JSON text."""
JOBS: Final = "jobs"
"""The resource that programs and checkers run in."""
ANSWER: Final = Code(language="any", sample="# the program")

_CALLS: Final[Mapping[str, Same]] = {"exact": exactly, "close": Closely()}
_RUNS: Final[Mapping[str, Any]] = {
    "lines": same_lines,
    "tokens": same_tokens,
    "close": close_tokens(),
    "exact": str.__eq__,
}
_MOST_FAILURES: Final = 3
_LIMITS: Final = Limits(wall_s=10.0, cpu_s=6.0, memory_mb=512)


_METHOD: Final = """\
def _prepare():
    import bisect, builtins, collections, functools, heapq, itertools, math, typing
    usual = {{module.__name__: module for module in (bisect, collections, functools, heapq, itertools, math, typing)}}
    for module in (collections, typing):
        usual |= {{name: getattr(module, name, None) for name in module.__all__}}
    for name, value in usual.items():
        vars(builtins).setdefault(name, value)
_prepare()
del _prepare
exec(compile({source!r}, __file__, "exec", dont_inherit=True))
if not callable(globals().get({function!r})) and hasattr(globals().get("Solution"), {function!r}):
    globals()[{function!r}] = getattr(Solution(), {function!r})
"""
"""Adds the names that starter code uses without imports; accepts methods as functions.

The names are builtins, so the program's own definitions win. Its text is compiled separately: imports from
``__future__`` stay at its beginning, and its lines keep their numbers.
"""


def judge_problem(problem: Problem, source: str) -> Judging:
    """The verdict on a program, by the problem's tests."""
    limits = replace(_LIMITS, **problem.limits)  # type: ignore[arg-type]
    if problem.method and mentions(source, problem.function or ""):
        source = _METHOD.format(source=source, function=problem.function)
    if problem.checker is not None:
        return _checked(problem, source, limits)
    cases = [Case(given, expected) for given, expected in problem.cases]
    if problem.kind == "call":
        return judge_calls(JOBS, source, problem.function or "", cases, _same_value(problem), limits=limits)
    return judge_runs(JOBS, source, cases, _RUNS[problem.compare], language=problem.language, limits=limits)


def _same_value(problem: Problem) -> Same:
    """Whether a value equals the expected JSON.

    If values are boxed, its only item may be equal instead.
    """
    same = _CALLS[problem.compare]

    def right(value: Any, expected: Any) -> bool:
        found = _json(value)
        return same(found, expected) or (problem.boxed and same(found, expected[0]))

    return right


def _json(value: Any) -> Any:
    """A value as in JSON, the form of the expected values.

    A tuple is a list.
    """
    if type(value) in (list, tuple):
        return [_json(item) for item in value]
    if type(value) is dict:
        return {key: _json(item) for key, item in value.items()}
    return value


def _checked(problem: Problem, source: str, limits: Limits) -> Judging:
    """Judges by the checker.

    Runs the program on every case, then checks its outputs.
    """
    program = Program(source, problem.language)
    given = [inputs for inputs, _ in problem.cases]
    outputs: list[Any]
    if problem.kind == "call":
        job = Job(program, function=problem.function, calls=tuple(map(tuple, given)), limits=limits)
        results = yield from run_job(JOBS, job)
        outputs = [_json(returned.value) for returned in results[0].values]
        ended = [returned.raised is None for returned in results[0].values]
        done = [well and _sendable(output) for well, output in zip(ended, outputs, strict=True)]
    else:
        room = roomy(limits, [str(right) for _, right in problem.cases])
        results = yield from run_job(JOBS, Job(program, stdins=tuple(text.encode() for text in given), limits=room))
        done = [result.ok and not result.cut for result in results]
        outputs = [result.text for result in results]
    done += [False] * (len(given) - len(done))
    asked = [at for at, well in enumerate(done) if well]
    calls = {at: (given[at], outputs[at], problem.cases[at][1]) for at in asked}
    checked = yield from _checks(problem, calls, limits)
    if isinstance(checked, Verdict):
        return checked
    passed, failed = checked
    verdict = verdict_of(results, [at in passed for at in range(len(given))])
    if not failed:
        return verdict
    return replace(
        Verdict.no_answer(CHECKER_FAILED, "The checker failed on what the program gave."),
        components=verdict.components,
    )


def _checks(
    problem: Problem, calls: Mapping[int, tuple[Any, ...]], limits: Limits
) -> Generator[Effect, Outcome, Verdict | tuple[set[int], set[int]]]:
    """Cases that the checker accepts, and outputs that break it.

    An ``error`` if it is broken. An output is to blame if the checker twice judges the right output in its place, and
    fails on this one in a fresh process as well.
    """
    passed: set[int] = set()
    failed: set[int] = set()
    failures = 0
    parts = list(in_batches(list(calls), lambda at: len(values.dumps(calls[at], plain.DEPTH))))
    while parts:
        part = parts.pop(0)
        checks = yield from _check(problem, [calls[at] for at in part], limits)
        passed |= {at for at, check in zip(part, checks.values, strict=False) if _accepts(check)}
        left = part[len(checks.values) :]
        if not left:
            continue
        failures += 1
        at, *rest = left
        for _ in range(2):
            inputs, _, right = calls[at]
            control = yield from _check(problem, [(inputs, right, right)], limits)
            if not control.values:
                why = f"The checker of problem {problem.id} cannot be run: {_words(control)}"
                return Verdict.failed("checker", why)
        again = yield from _check(problem, [calls[at]], limits)
        if again.values:
            passed |= {at} if _accepts(again.values[0]) else set()
        elif again.limit == "wall":  # which a busy machine can exhaust
            return Verdict.failed("checker", f"The checker of problem {problem.id} ran out of {LIMIT_WORDS['wall']}.")
        else:
            failed.add(at)
        if failures > _MOST_FAILURES:
            break  # the rest counts as not passed, as the score is 0; if no output is to blame, nothing is known
        if rest:
            parts.insert(0, rest)
    if parts and not failed:
        return Verdict.failed(
            "checker", f"The checker of problem {problem.id} fails now and then, on no certain output."
        )
    return passed, failed


def _check(problem: Problem, calls: Sequence[tuple[Any, ...]], limits: Limits) -> Generator[Effect, Outcome, Result]:
    """Results of some calls in a fresh process of the checker."""
    program = Program(problem.checker or "")
    (result,) = yield from run_job(JOBS, Job(program, function="check", calls=tuple(calls), limits=limits))
    return result


def _accepts(check: Returned) -> bool:
    return check.raised is None and type(check.value) in (bool, int, float) and check.value >= 1


def _sendable(output: Any) -> bool:
    """Whether a value can be a checker's argument.

    It is nested one level deeper than returned.
    """
    try:
        values.dumps((output,))
    except values.NotAValue:
        return False
    return True


def _words(result: Result) -> str:
    return result.stderr.decode("utf-8", "replace").strip()[-300:] or f"it ended with {result.exit}."


class AgainstTests:
    """Judges any number of responses to one problem with tests.

    Args:
        problem: The fields of a problem (:mod:`envhub.generators.user_files.problems`), or their JSON text.
        answer_format: The form that counts as formatted.

    Raises:
        InvalidParameters: Not a problem.
    """

    components: ClassVar[frozenset[str]] = COMPONENTS

    def __init__(self, problem: Any, answer_format: str | None = None) -> None:
        try:
            fields = json.loads(problem) if isinstance(problem, str) else problem
            if isinstance(fields, Mapping):
                fields = {"prompt": "-", **fields}  # the poster has already asked the question
            self._problem = problem_of(fields)
        except (ValueError, RecursionError) as error:
            raise InvalidParameters(f"The problem cannot be read: {error}") from None
        self._answer = ANSWER if answer_format is None else ANSWER.asking(answer_format)
        self._answer = replace(self._answer, language=self._problem.language)

    @property
    def limits(self) -> Mapping[str, float]:
        """The limits that the problem sets for a program."""
        return self._problem.limits

    def __call__(self, response: Any) -> Verdict:
        """The verdict on one text.

        Raises:
            InvalidAction: Not a string.
        """
        if not isinstance(response, str):
            raise InvalidAction(f"The response must be one string, got {type(response).__name__}.")
        reading = self._answer.read(response)
        if reading.reason is not None:
            return Verdict.no_answer(reading.reason, reading.feedback)
        declared: Mapping[str, Resource] = {JOBS: Jobs()}
        try:
            verdict = drive(pump(judge_problem(self._problem, reading.value), []), Resources(declared, None).perform)
        except EffectFailed as failed:
            return Verdict.failed(failed.fault.code, failed.fault.reason)
        if verdict.error is not None:
            return verdict
        return verdict.noting(reading.text, format=float(reading.formatted))
