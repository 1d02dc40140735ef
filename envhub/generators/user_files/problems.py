r"""A user's programming problems: rows with a text and tests.

A row has a question, and tests with the right results::

    {"prompt": "Read n, print 2n.", "cases": [{"input": "3\\n", "output": "6\\n"}]}
    {"prompt": "...", "kind": "call", "function": "double", "cases": [{"args": [3], "expected": 6}]}

The format of APPS and LiveCodeBench, ``input_output`` with ``inputs``, ``outputs`` and ``fn_name``, is read as well,
with its conventions: a function may be a method of a class ``Solution``, and where every output is a list of one value,
the value itself is accepted.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final, Literal

from envhub.core.errors import InvalidParameters, nearest
from envhub.core.types import JSON, encodable
from envhub.generators.user_files.files import MAX_CHARS, UserRows, content_at, each_of, json_lines, place_of
from envhub.sandbox.inside import values
from envhub.sandbox.jobs import Limits
from envhub.sandbox.languages import LANGUAGES

KINDS: Final = ("stdin", "call")
COMPARISONS: Final = {"call": ("exact", "close"), "stdin": ("lines", "tokens", "close", "exact")}
"""Comparisons of results, for calls and for outputs; the first is the default."""

_FIELDS: Final = (
    "id",
    "prompt",
    "language",
    "kind",
    "function",
    "cases",
    "compare",
    "checker",
    "limits",
    "solution",
    "difficulty",
    "input_output",
)
_LIMITS: Final = ("wall_s", "cpu_s", "memory_mb")
_MOST_CASES: Final = 1_000


@dataclass(frozen=True, slots=True)
class Problem:
    """A problem with its tests.

    Attributes:
        id: Its display name.
        text: The question.
        language: The programs' language.
        kind: Whether programs read standard input, or a function is called.
        function: Its name.
        cases: Inputs and right results: texts, or arguments and a value.
        compare: Comparison of results.
        checker: The text of a Python program whose ``check(input, output, expected)`` says whether an output is right.
        limits: Limits of a program.
        solution: A right program, if known.
        level: Its difficulty, if given.
        method: The function may be a method of a class ``Solution``, and usual names need no import.
        boxed: Every right value is a list of one item; the item is right too.
    """

    id: str
    text: str
    language: str = "python"
    kind: Literal["stdin", "call"] = "stdin"
    function: str | None = None
    cases: tuple[tuple[Any, Any], ...] = field(default=(), repr=False)
    compare: str = "lines"
    checker: str | None = field(default=None, repr=False)
    limits: Mapping[str, float] = field(default_factory=dict)
    solution: str | None = field(default=None, repr=False)
    level: int | None = None
    method: bool = False
    boxed: bool = False


def problem_of(row: Any, number: int = 1) -> Problem:
    """A row as a problem.

    Raises:
        ValueError: Not a problem; the message names the field and the fault.
    """
    if not isinstance(row, Mapping):
        raise ValueError("a problem is an object with fields.")
    for name in row:
        if name not in _FIELDS:
            raise ValueError(
                f"unknown field {name!r}.{nearest(str(name), _FIELDS) or ' There are ' + ', '.join(_FIELDS)}"
            )
    row = {name: value for name, value in row.items() if value is not None}
    tests = _tests(row) if "input_output" in row else {}
    row = _converted(row, tests) if tests else row
    method = tests.get("fn_name") is not None
    text = _text(row, "prompt", None)
    if len(text) > MAX_CHARS:
        raise ValueError(f"prompt: it has more than {MAX_CHARS} characters.")
    kind: Any = _one(row, "kind", ("call",) if "function" in row and "kind" not in row else KINDS)
    language = _one(row, "language", ("python", *(name for name in LANGUAGES if name != "python")))
    function = _text(row, "function", None) if kind == "call" else None
    if kind == "call" and (not LANGUAGES[language].calls or not (function or "").isidentifier()):
        raise ValueError(f"function: calls need a name in a language that has calls, got {function!r} in {language}.")
    if kind == "stdin" and "function" in row:
        raise ValueError("function: it belongs to the kind 'call', and this is 'stdin'.")
    return Problem(
        id=str(row.get("id", number)),
        text=text,
        language=language,
        kind=kind,
        function=function,
        cases=_cases(row.get("cases"), kind),
        compare=_one(row, "compare", COMPARISONS[kind]),
        checker=_checker(row),
        limits=_limits(row.get("limits", {})),
        solution=_text(row, "solution", "") or None,
        level=_level(row.get("difficulty")),
        method=method,
        boxed=method and all(isinstance(value, list) and len(value) == 1 for value in tests["outputs"]),
    )


def row_of(problem: Problem) -> JSON:
    """A problem as a row that :func:`problem_of` reads back, except its level."""
    row: dict[str, JSON] = {
        "id": problem.id,
        "prompt": problem.text,
        "language": problem.language,
        "compare": None if problem.checker else problem.compare,
        "checker": problem.checker,
        "limits": dict(problem.limits),
        "solution": problem.solution,
    }
    given, right = ([case[at] for case in problem.cases] for at in (0, 1))
    if problem.method:  # texts are read as JSON there, and only non-texts can be boxed
        outputs = right if problem.boxed else [json.dumps(value) for value in right]
        row["input_output"] = {"fn_name": problem.function, "inputs": given, "outputs": outputs}
    else:
        names = ("args", "expected") if problem.kind == "call" else ("input", "output")
        cases: list[JSON] = [dict(zip(names, case, strict=True)) for case in problem.cases]
        row |= {"kind": problem.kind, "function": problem.function, "cases": cases}
    return {name: value for name, value in row.items() if value is not None}


@lru_cache(maxsize=8)
def _problems(place: str, digest: str) -> UserRows[Problem]:
    rows = json_lines(place, content_at(place, digest))
    return UserRows.of(place, "problem", each_of(place, rows, lambda number, row: problem_of(row, number)))


def problems(path: str, digest: str, level: int | None = None) -> Sequence[Problem]:
    """Problems of a file: those of a difficulty, or all.

    All if the difficulty is None or unstated.

    Args:
        path: Path of the file, JSON lines.
        digest: Its SHA-256.
        level: The difficulty.

    Raises:
        InvalidParameters: No file has this digest, a row is not a problem, or none has the difficulty.
    """
    return _problems(place_of(path, digest), digest).at(level)


def _text(row: Mapping[str, Any], name: str, default: str | None) -> str:
    value = row.get(name, default)
    if value is None:
        raise ValueError(f"{name}: it is missing.{nearest(name, row)}")
    if not isinstance(value, str) or (default is None and not value.strip()):
        raise ValueError(f"{name}: expected text that is not empty, got {str(value)[:80]!r}.")
    if encodable(value) != value:
        raise ValueError(f"{name}: it holds what UTF-8 has no form for.")
    return value


def _one(row: Mapping[str, Any], name: str, known: Sequence[str]) -> str:
    value = row.get(name, known[0])
    if value not in known:
        raise ValueError(f"{name}: expected one of {', '.join(known)}, got {value!r}.{nearest(str(value), known)}")
    return str(value)


def _cases(given: Any, kind: str) -> tuple[tuple[Any, Any], ...]:
    if not isinstance(given, list) or not 0 < len(given) <= _MOST_CASES:
        raise ValueError(f"cases: expected a list of 1 to {_MOST_CASES} cases.")
    names = ("args", "expected") if kind == "call" else ("input", "output")
    found = []
    for number, case in enumerate(given, 1):
        if not isinstance(case, Mapping) or set(case) != set(names):
            raise ValueError(f"cases: case {number} must have exactly {' and '.join(names)}, as the kind is {kind!r}.")
        inputs, outputs = case[names[0]], case[names[1]]
        right = isinstance(inputs, list) if kind == "call" else isinstance(inputs, str) and isinstance(outputs, str)
        if not right:
            what = "args must be a list" if kind == "call" else "input and output must be text"
            raise ValueError(f"cases: in case {number} {what}.")
        if encodable(json.dumps(case, ensure_ascii=False)) != json.dumps(case, ensure_ascii=False):
            raise ValueError(f"cases: case {number} holds what UTF-8 has no form for.")
        try:
            values.dumps((inputs, outputs))
        except values.NotAValue as error:
            raise ValueError(f"cases: case {number} cannot be handed to a program: {error}.") from None
        found.append((inputs, outputs))
    return tuple(found)


def _checker(row: Mapping[str, Any]) -> str | None:
    checker = _text(row, "checker", "") or None
    if checker is not None:
        if "compare" in row:
            raise ValueError("checker: a problem has compare or checker, not both.")
        try:
            compile(checker, "checker", "exec", dont_inherit=True)
        except (SyntaxError, ValueError) as error:
            raise ValueError(f"checker: it is no Python: {error}.") from None
        if "check" not in checker:
            raise ValueError("checker: it must define check(input, output, expected).")
    return checker


def _limits(given: Any) -> Mapping[str, float]:
    if not isinstance(given, Mapping):
        raise ValueError(f"limits: expected an object with {', '.join(_LIMITS)}.")
    for name in given:
        if name not in _LIMITS:
            raise ValueError(
                f"limits: unknown limit {name!r}; there are {', '.join(_LIMITS)}.{nearest(str(name), _LIMITS)}"
            )
    try:
        Limits(**given)
    except InvalidParameters as error:
        raise ValueError(f"limits: {error}") from None
    return dict(given)


def _level(value: Any) -> int | None:
    if value is None or (type(value) is int and 1 <= value <= 10):
        return value
    raise ValueError(f"difficulty: expected an integer 1..10, got {value!r}.")


def _tests(row: Mapping[str, Any]) -> Mapping[str, Any]:
    """The object ``input_output`` of APPS and LiveCodeBench, possibly given as JSON text."""
    given = row["input_output"]
    try:
        tests = json.loads(given) if isinstance(given, str) else given
    except (ValueError, RecursionError) as error:
        raise ValueError(f"input_output: it is not JSON: {error}.") from None
    if "cases" in row:
        raise ValueError("input_output: a problem has cases or input_output, not both.")
    if not isinstance(tests, Mapping) or not all(isinstance(tests.get(name), list) for name in ("inputs", "outputs")):
        raise ValueError("input_output: expected an object with the lists inputs and outputs.")
    if len(tests["inputs"]) != len(tests["outputs"]):
        raise ValueError(f"input_output: {len(tests['inputs'])} inputs and {len(tests['outputs'])} outputs.")
    return tests


def _converted(row: Mapping[str, Any], tests: Mapping[str, Any]) -> dict[str, Any]:
    """A row with cases instead of ``input_output``."""
    inputs, outputs, function = tests["inputs"], tests["outputs"], tests.get("fn_name")
    rest = {name: value for name, value in row.items() if name != "input_output"}
    if function is None:
        cases: list[JSON] = [
            {"input": _joined(one), "output": _joined(other)} for one, other in zip(inputs, outputs, strict=True)
        ]
        return {**rest, "cases": cases}
    cases = [{"args": _args(one), "expected": _value(other)} for one, other in zip(inputs, outputs, strict=True)]
    return {**rest, "function": function, "kind": "call", "cases": cases}


def _joined(lines: Any) -> Any:
    return "\n".join(map(str, lines)) if isinstance(lines, list) else lines


def _args(given: Any) -> Any:
    """Arguments as a list, or as lines of JSON, one per argument."""
    return [_value(line) for line in given.split("\n") if line.strip()] if isinstance(given, str) else given


def _value(given: Any) -> Any:
    if not isinstance(given, str):
        return given
    try:
        return json.loads(given)
    except (ValueError, RecursionError):
        return given
