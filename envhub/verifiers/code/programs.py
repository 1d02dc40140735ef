r"""Programs as answers: how they are read from a text, run in the sandbox, and judged outside of it.

A program is run on inputs that it has not seen; what comes back is compared here, so what is expected never enters the jail and
nothing that a program does to its own surroundings can make it right::

    class Doubles(SingleTurn):
        answer = Code()
        resources = {"jobs": Jobs()}
        def grade(self, inst, source):
            cases = [Case((n,), 2 * n) for n in inst.key]
            return judge_calls("jobs", source, "double", cases)

All or nothing is the score; the share of the cases that passed is the component ``passed``. What the program causes (it raises,
runs out of time, breaks its jail) is a verdict; what we cause is an ``error``.
"""

from __future__ import annotations

import builtins
import math
import re
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from textwrap import dedent
from typing import Any, ClassVar, Final

from envhub.core.effects import Effect, Outcome
from envhub.core.seeding import Stream
from envhub.core.types import Verdict
from envhub.sandbox.jobs import LIMIT_WORDS, Job, Limits, Program, Result, Returned
from envhub.sandbox.languages import LANGUAGES
from envhub.sandbox.resource import MAX_BATCH, OUTPUT_FACTOR, run_job
from envhub.verifiers.answers.extraction import Form
from envhub.verifiers.answers.fences import fenced, has_fence, meant
from envhub.verifiers.answers.types import AnswerType, Reading, Unreadable

Same = Callable[[Any, Any], bool]
Judging = Generator[Effect, Outcome, Verdict]

QUICK: Final = Limits(wall_s=10.0, cpu_s=5.0, memory_mb=256, output_bytes=1 << 18, value_bytes=1 << 18)
"""What a judged program may use, over all cases of calls, or for each text of standard input."""
_SHOWN: Final = 200
_LEAST_OUTPUT: Final = 1 << 16
_MOST_OUTPUT: Final = 16 << 20
_NAMES: Final[Mapping[str, frozenset[str]]] = {
    "python": frozenset({"", "python", "py", "python3"}),
    "bash": frozenset({"", "bash", "sh", "shell"}),
    "c": frozenset({"", "c"}),
    "cpp": frozenset({"", "cpp", "c++", "cc"}),
    "javascript": frozenset({"", "javascript", "js", "node"}),
    "sql": frozenset({"", "sql", "sqlite"}),
    "lean": frozenset({"", "lean", "lean4"}),
    "coq": frozenset({"", "coq", "rocq", "gallina"}),
}
_BUILT_IN: Final = frozenset(
    name for name, value in vars(builtins).items() if isinstance(value, type) and issubclass(value, BaseException)
)
_ANY: Final = frozenset().union(*_NAMES.values())
_TITLES: Final = {
    "python": "Python",
    "bash": "bash",
    "c": "C",
    "cpp": "C++",
    "javascript": "JavaScript",
    "sql": "SQL",
    "lean": "Lean",
    "coq": "Coq",
}


# -- reading -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Code(AnswerType):
    """A program in a fenced block: the last one of the text, or of the answer tags. Its value is the text of the program.

    Attributes:
        language: What it is written in; a fence that names another language does not count. "any": every language there is.
        sample: The program that shows the form.
        most: How many characters it may have.
    """

    form: Form = "last"
    language: str = "python"
    sample: str = "def solve(x):\n    return x"
    most: int = 20_000

    last_counts: ClassVar[bool] = True
    noun: ClassVar[str] = "a program in one fenced code block"
    example: ClassVar[str] = "```\npass\n```"

    def instruction(self, opening: str = "Give your final answer as") -> str:
        """The sentence of the prompt that states the format, with an example."""
        where = {"tag": ", in answer tags", "boxed": ", in a box", "last": ""}[self.form]
        head = f"{opening} {_TITLES.get(self.language, 'the')} code in one fenced block{where}"
        return f"{head}; if there are several, the last one counts. For example:\n{self.wrap(self.sample)}"

    def wrap(self, text: str) -> str:
        """A program in the form that is asked for; it may stand in a fence already."""
        name = "" if self.language == "any" else self.language
        fenced = text if text.startswith("```") else f"```{name}\n{text}\n```"
        if self.form == "tag":
            return f"<answer>\n{fenced}\n</answer>"
        return f"\\boxed{{\n{fenced}\n}}" if self.form == "boxed" else fenced

    def tail(self, text: str) -> str:
        """All of it, if there is a fenced block in it."""
        return text if has_fence(text) else ""

    def parse(self, text: str) -> str:
        """The last fenced block of the language, or all of a span that has no fence."""
        blocks = fenced(text)
        mine = [body for name, body in blocks if meant(name) & _NAMES.get(self.language, _ANY)]
        if blocks and not mine:
            raise Unreadable(f"no fenced block is in {_TITLES.get(self.language, 'a language that is known')}.")
        source = mine[-1] if mine else _bare(text)
        if not source.strip():
            raise Unreadable("the block is empty.")
        if len(source) > self.most:
            raise Unreadable(f"it has {len(source)} characters, more than {self.most}.")
        return source

    def random(self, rng: Stream) -> str:
        """The sample, which knows nothing of the problem."""
        return self.sample

    def _parse_span(self, span: str) -> Reading:
        """A program keeps every character: nothing around it is decoration."""
        shown = span.strip()[:_SHOWN]
        if not shown:
            return Reading(None, "", "empty", "No fenced code block was found.")
        try:
            return Reading(self.parse(span), shown)
        except Unreadable as problem:
            return Reading(
                None, shown, "unreadable", f"The answer could not be read as {self.noun}: {str(problem).rstrip('.')}."
            )


def _bare(text: str) -> str:
    """A program without a fence: its first line begins where it begins, or all are set in alike."""
    return (dedent(text) if text.lstrip(" \t\r")[:1] == "\n" else text).strip()


# -- comparing ---------------------------------------------------------------------------------------------------------


def exactly(value: object, expected: object) -> bool:
    """Equal and of the same built-in types throughout: True is not 1, 1 is not 1.0, a tuple is not a list."""
    if type(value) is not type(expected):
        return False
    if isinstance(value, list | tuple):
        assert isinstance(expected, list | tuple)
        return len(value) == len(expected) and all(map(exactly, value, expected))
    if isinstance(value, dict):
        assert isinstance(expected, dict)
        found, wanted = _by_mark(value), _by_mark(expected)
        return found.keys() == wanted.keys() and all(exactly(item, wanted[mark]) for mark, item in found.items())
    return bool(_mark(value) == _mark(expected))


def _by_mark(items: Mapping[Any, Any]) -> dict[Any, Any]:
    return {_mark(key): item for key, item in items.items()}


def _mark(value: Any) -> Any:
    """A value with its types, for Python takes 1, 1.0 and True for one key, and (1,) and (True,); NaN is itself."""
    if isinstance(value, tuple):
        return tuple, tuple(map(_mark, value))
    if isinstance(value, set | frozenset):
        return type(value), frozenset(map(_mark, value))
    return type(value), "nan" if value != value else value


@dataclass(frozen=True, slots=True)
class Closely:
    """:func:`exactly`, but numbers where a float is expected may differ a little, and may be integers.

    Attributes:
        relative: By which share of the expected number.
        absolute: By how much at least.
    """

    relative: float = 1e-6
    absolute: float = 1e-9

    def __call__(self, value: object, expected: object) -> bool:
        """Whether the value will do."""
        if type(expected) is float and type(value) in (int, float):
            assert isinstance(value, int | float)
            try:
                number = float(value)
            except OverflowError:
                return False
            if math.isnan(expected):
                return math.isnan(number)
            return math.isclose(number, expected, rel_tol=self.relative, abs_tol=self.absolute)
        if isinstance(expected, list | tuple) and type(value) is type(expected):
            assert isinstance(value, list | tuple)
            return len(value) == len(expected) and all(map(self, value, expected))
        if isinstance(expected, dict) and type(value) is dict:
            found, wanted = _by_mark(value), _by_mark(expected)
            return found.keys() == wanted.keys() and all(self(item, wanted[mark]) for mark, item in found.items())
        return exactly(value, expected)


def same_lines(output: str, expected: str) -> bool:
    """The same lines, but for spaces at their ends and blank lines at the end of the text."""
    return _lines(output) == _lines(expected)


def same_tokens(output: str, expected: str) -> bool:
    """The same words in the same order, however they are spaced."""
    return output.split() == expected.split()


def close_tokens(relative: float = 1e-6, absolute: float = 1e-9) -> Callable[[str, str], bool]:
    """A comparison of texts word by word, in which numbers with a point or an exponent may differ a little."""
    closely = Closely(relative, absolute)

    def same(output: str, expected: str) -> bool:
        found, wanted = output.split(), expected.split()
        if len(found) != len(wanted):
            return False
        return all(one == other or _near(one, other, closely) for one, other in zip(found, wanted, strict=True))

    return same


def _near(one: str, other: str, closely: Closely) -> bool:
    plain = max(len(one), len(other)) < 400 and _NUMBER.fullmatch(one) and _NUMBER.fullmatch(other)
    return bool(plain) and not _WHOLE.fullmatch(other) and closely(float(one), float(other))


_NUMBER: Final = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,4})?")
_WHOLE: Final = re.compile(r"[+-]?[0-9]+")


def _lines(text: str) -> list[str]:
    return [line.rstrip() for line in text.rstrip().split("\n")]


# -- judging -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Case:
    """One thing that a program is tried with.

    Attributes:
        given: The arguments of a call (a tuple), or the text of standard input.
        expected: What is right; it stays outside.
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
    """The verdict on a Python function: every case is a call, one by one in one process, and its value is compared here.

    Args:
        resource: The name under which the environment declares its ``Jobs``.
        source: The program; it is a module and is not run as ``__main__``.
        function: The name of the function.
        cases: What it is called with; plain values (:mod:`envhub.sandbox.inside.values`). The order should not tell anything.
        same: Whether a value will do for an expected one; for a checker, ``expected`` may be anything that it needs.
        files: Further files beside the program.
        limits: For all calls together.
        ours: The program is not the policy's; then the feedback tells what it raised, which must not hold what is hidden.
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
    """Whether a program can have the function at all."""
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
    """The verdict on a whole program: every case is a process with a text of standard input; its output is compared here.

    A run counts only if it ends by itself with status 0. How much it may print depends on the cases (:func:`roomy`).

    Args:
        resource: The name under which the environment declares its ``Jobs``.
        source: The program.
        cases: Texts of standard input, and what is expected for each.
        same: Whether an output will do for an expected one.
        language: What it is written in.
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
    """Limits under which all that the runs of a program print can be kept, and whatever is right may be printed.

    A run may print as many bytes as ``limits`` say, or its share of what is kept where there are many runs; but always 64 KiB
    more than twice the longest right output, up to 16 MiB.

    Args:
        limits: For each run.
        expected: What is right, of each run.
    """
    share = MAX_BATCH // OUTPUT_FACTOR // max(1, len(expected))
    longest = max((len(text.encode("utf-8", "replace")) for text in expected), default=0)
    needed = min(2 * longest + _LEAST_OUTPUT, _MOST_OUTPUT)
    return replace(limits, output_bytes=max(min(limits.output_bytes, share), needed))


def verdict_of(results: Sequence[Result], passed: Sequence[bool], *, ours: bool = False) -> Verdict:
    """The verdict on what a program did: 1.0 if every case passed, 0.0 otherwise; the share is in ``components``.

    Args:
        results: Of its runs, or the one of all its calls.
        passed: Of each case, whether it did.
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
    """What went wrong first, in words that hold nothing of what was expected.

    Nor do they hold what a program of the policy says of itself: it has seen inputs that whoever reads this must not see.
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


assert set(_NAMES) >= set(LANGUAGES)
