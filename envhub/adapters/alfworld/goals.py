"""Our own judge of ALFWorld's goals.

It evaluates the goal of a PDDL problem on facts. It reads the objects and the goal, as ALFRED writes them, and nothing of the
planner that plays the game::

    goal = Goal(problem_text)
    goal.holds({("inreceptacle", "apple_bar_1", "fridge_bar_1"), ...})

A formula may have ``and``, ``or``, ``not``, ``imply``, ``=``, ``exists`` and ``forall`` over typed variables.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence, Set
from typing import Any, Final

Formula = Any
Fact = tuple[str, ...]
_TOKEN: Final = re.compile(r"[()]|[^\s()]+")
_COMMENT: Final = re.compile(r";[^\n]*")
_MOST_CHARS: Final = 4_000_000
_DEEPEST: Final = 60


def read(text: str) -> list[Any]:
    """A parenthesised text as nested lists, in lower case.

    Raises:
        ValueError: It is not one balanced expression.
    """
    if len(text) > _MOST_CHARS:
        raise ValueError(f"the PDDL text has more than {_MOST_CHARS} characters")
    stack: list[list[Any]] = [[]]
    for token in _TOKEN.findall(_COMMENT.sub("", text).replace(",", " ").lower()):
        if token == "(":
            stack.append([])
            if len(stack) > _DEEPEST:
                raise ValueError("the PDDL text is nested too deeply")
        elif token == ")":
            if len(stack) == 1:
                raise ValueError("the PDDL text has a ) without its (")
            done = stack.pop()
            stack[-1].append(done)
        else:
            stack[-1].append(token)
    if len(stack) != 1 or len(stack[0]) != 1 or not isinstance(stack[0][0], list):
        raise ValueError("the PDDL text must be one expression in parentheses")
    return list(stack[0][0])


class Goal:
    """The goal of a problem.

    Args:
        text: The problem in PDDL.

    Raises:
        ValueError: It has no goal, or the goal is not of this form.
    """

    def __init__(self, text: str) -> None:
        parts = {part[0]: part[1:] for part in read(text)[1:] if isinstance(part, list) and part}
        if len(parts.get(":goal", [])) != 1:
            raise ValueError("the PDDL problem must have one :goal")
        self._objects: dict[str, list[str]] = {}
        for name, kind in _typed(parts.get(":objects", [])):
            self._objects.setdefault(kind, []).append(name)
        self._formula: Formula = parts[":goal"][0]
        self._check(self._formula, frozenset())

    def holds(self, facts: Set[Fact]) -> bool:
        """Whether the goal is reached where these facts hold."""
        return self._holds(self._formula, {}, facts)

    def _check(self, formula: Formula, bound: frozenset[str]) -> None:
        if not isinstance(formula, list) or not formula or not isinstance(formula[0], str):
            raise ValueError(f"{formula!r:.80} is not a formula")
        head, *rest = formula
        if head in ("exists", "forall"):
            if len(rest) != 2 or not isinstance(rest[0], list):
                raise ValueError(f"{head} must have variables and one formula")
            self._check(rest[1], bound | {name for name, _ in _typed(rest[0])})
        elif head in ("and", "or", "not", "imply"):
            if len(rest) != {"not": 1, "imply": 2}.get(head, len(rest)):
                raise ValueError(f"{head} has the wrong number of formulas")
            for part in rest:
                self._check(part, bound)
        elif not all(isinstance(term, str) and (term[0] != "?" or term in bound) for term in rest):
            raise ValueError(f"{formula!r:.80} has a term that is not bound")

    def _holds(self, formula: Formula, bound: Mapping[str, str], facts: Set[Fact]) -> bool:
        head, *rest = formula
        if head == "and":
            return all(self._holds(part, bound, facts) for part in rest)
        if head == "or":
            return any(self._holds(part, bound, facts) for part in rest)
        if head == "not":
            return not self._holds(rest[0], bound, facts)
        if head == "imply":
            return not self._holds(rest[0], bound, facts) or self._holds(rest[1], bound, facts)
        if head in ("exists", "forall"):
            variables = _typed(rest[0])
            outer = {name: value for name, value in bound.items() if name not in dict(variables)}
            part = rest[1] if head == "exists" else ["not", rest[1]]
            return self._some(variables, [part], outer, facts) is (head == "exists")
        terms: tuple[str, ...] = tuple(bound.get(term, term) for term in rest)
        return terms[0] == terms[1] if head == "=" else (str(head), *terms) in facts

    def _some(
        self, variables: Sequence[tuple[str, str]], parts: Sequence[Formula], bound: Mapping[str, str], facts: Set[Fact]
    ) -> bool:
        """Whether some values of variables make all parts hold.

        A part is tested as soon as its variables have values.
        """
        while len(parts) == 1 and parts[0][0] in ("and", "exists"):
            head, *rest = parts[0]
            if head == "and":
                parts = rest
                continue
            inner = _typed(rest[0])
            if {name for name, _ in inner} & {*bound, *(name for name, _ in variables)}:
                break  # a variable of the same name hides the outer one
            variables, parts = [*variables, *inner], [rest[1]]
        ready = [part for part in parts if not _free(part) - {*bound}]
        if not all(self._holds(part, bound, facts) for part in ready):
            return False
        later = [part for part in parts if _free(part) - {*bound}]
        if not variables:
            return not later
        (name, kind), *others = variables
        return any(
            self._some(others, later, {**bound, name: value}, facts) if others or later else True
            for value in self._objects.get(kind, [])
        )


def _free(formula: Formula) -> set[str]:
    """The variables of a formula that are not bound in it."""
    if isinstance(formula, str):
        return {formula} if formula.startswith("?") else set()
    if formula and formula[0] in ("exists", "forall"):
        return _free(formula[2]) - {name for name, _ in _typed(formula[1])}
    return set().union(*(_free(part) for part in formula[1:]))


def _typed(words: Sequence[Any]) -> list[tuple[str, str]]:
    """Names with their types, from ``a b - type c - other``.

    Raises:
        ValueError: A name has no type.
    """
    found: list[tuple[str, str]] = []
    waiting: list[str] = []
    iterator = iter(words)
    for word in iterator:
        if not isinstance(word, str):
            raise ValueError(f"{word!r:.80} is not a name")
        if word == "-":
            kind = next(iterator, None)
            if not isinstance(kind, str):
                raise ValueError("a - must be followed by a type")
            found += [(name, kind) for name in waiting]
            waiting = []
        else:
            waiting.append(word)
    if waiting:
        raise ValueError(f"{waiting[0]!r:.80} has no type")
    return found
