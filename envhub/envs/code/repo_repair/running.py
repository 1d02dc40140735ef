"""Runs our own applications, outside of a sandbox.

Only functions of the library are run here, with or without our faults. They have no state and end, because their loops
run over values that exist::

    program = Program(app.texts, app.values)
    program.run(["totals"], text)           # [0, "...", text], or ["raised", "IndexError"]
    recorded(app, cases)                    # calls of every function while the cases are run
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import date
from functools import lru_cache, wraps
from types import CodeType, NoneType
from typing import Any, Final, NamedTuple

from envhub.verifiers.code.comparing import exactly

RAISED: Final = "raised"
_ATOMS: Final = frozenset({str, int, bool, float, NoneType})
_MOST_RECORDED: Final = 40
"""Different calls of a function that are recorded at most."""


class Case(NamedTuple):
    """A command and the content of its file."""

    arguments: list[str]
    text: str


class Program:
    """The functions of an application in one namespace.

    Args:
        texts: The source of each function by name.
        values: The settings.
        wrap: Wraps each function by its name.
    """

    def __init__(
        self,
        texts: Mapping[str, str],
        values: Mapping[str, Any],
        wrap: Callable[[str, Callable[..., Any]], Callable[..., Any]] | None = None,
    ) -> None:
        self._names: dict[str, Any] = {"Any": Any, "date": date, **values}
        self._results: dict[tuple[str, ...], Any] = {}
        for name, text in texts.items():
            exec(_compiled(text), self._names)
            if wrap is not None:
                self._names[name] = wrap(name, self._names[name])

    def call(self, name: str, arguments: list[Any]) -> Any:
        """The result of a function, or ``["raised", name of the exception]``."""
        try:
            return self._names[name](*copied(arguments))
        except Exception as error:
            return [RAISED, type(error).__name__]

    def run(self, case: Case) -> Any:
        """The result of a command, computed once."""
        asked = (case.text, *case.arguments)
        if asked not in self._results:
            self._results[asked] = self.call("run", [case.arguments, case.text])
        return self._results[asked]


def recorded(texts: Mapping[str, str], values: Mapping[str, Any], cases: Iterable[Case]) -> dict[str, list[list[Any]]]:
    """The different arguments of every function while cases are run."""
    seen: dict[str, dict[str, list[Any]]] = {name: {} for name in texts}

    def wrap(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(function)
        def recording(*arguments: Any) -> Any:
            calls = seen[name]
            if len(calls) < _MOST_RECORDED:
                given = list(arguments)
                text = repr(given)
                if text not in calls:
                    calls[text] = copied(given)
            return function(*arguments)

        return recording

    program = Program(texts, values, wrap)
    for case in cases:
        program.run(case)
    return {name: list(calls.values()) for name, calls in seen.items()}


def copied(value: Any) -> Any:
    """A copy of lists and dictionaries, which a function may change."""
    if isinstance(value, list | tuple):
        return type(value)([item if type(item) in _ATOMS else copied(item) for item in value])
    if isinstance(value, dict):
        return {key: item if type(item) in _ATOMS else copied(item) for key, item in value.items()}
    return value


def plain(value: Any) -> Any:
    """The value with tuples as lists: no docstring distinguishes them."""
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return {key: plain(item) for key, item in value.items()} if isinstance(value, dict) else value


def same(one: Any, other: Any) -> bool:
    """Whether two results are the same; True differs from 1."""
    return exactly(plain(one), plain(other))


@lru_cache(maxsize=2048)
def _compiled(text: str) -> CodeType:
    return compile("from __future__ import annotations\n" + text, "application", "exec", dont_inherit=True)
