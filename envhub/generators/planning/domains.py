"""Planning domains and problems, and their text in a subset of PDDL.

The subset is STRIPS with types and negative preconditions: an action is possible if facts hold and others do not, and it
makes some facts false and then others true::

    domain = read_domain("(define (domain switch) (:predicates (on)) (:action flip ...))")
    problem = read_problem("(define (problem p) (:domain switch) (:init) (:goal (on)))", domain)
    write_domain(domain)                       # PDDL again

A state is the set of facts that hold; every other fact is false.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from envhub.core.errors import InvalidParameters, nearest

Atom = tuple[str, ...]
"""A predicate and its arguments: ``("on", "a", "b")``, or with parameters ``("on", "?x", "?y")``."""
ANYTHING: Final = "object"
"""The type at the root of all types."""
_TOKEN: Final = re.compile(r"[()]|[^\s()]+")
_NAME: Final = re.compile(r"[a-z][a-z0-9_-]*")
_DEEPEST: Final = 16
REQUIREMENTS: Final = (":strips", ":typing", ":negative-preconditions")
"""The features of PDDL that can be read; a text that requires another one is refused."""
_SECTIONS: Final = {
    "domain": (":requirements", ":types", ":predicates", ":action"),
    "problem": (":requirements", ":domain", ":objects", ":init", ":goal"),
}
_ACTION: Final = (":parameters", ":precondition", ":effect")
_NOT_READ: Final = ("and", "or", "imply", "forall", "exists", "when", "=", "increase", "decrease", "assign", "oneof")


@dataclass(frozen=True, slots=True)
class Predicate:
    """A kind of fact.

    Attributes:
        name: Its name.
        types: The types of its arguments.
    """

    name: str
    types: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Schema:
    """A kind of action.

    Attributes:
        name: Its name.
        parameters: Name and type of each parameter; names begin with ``?``.
        needs: Facts that must hold.
        bars: Facts that must not hold.
        adds: Facts that it makes true.
        deletes: Facts that it makes false, before it makes others true.
    """

    name: str
    parameters: tuple[tuple[str, str], ...]
    needs: tuple[Atom, ...]
    bars: tuple[Atom, ...]
    adds: tuple[Atom, ...]
    deletes: tuple[Atom, ...]


@dataclass(frozen=True)
class Domain:
    """The types, the kinds of facts and the kinds of actions.

    Attributes:
        name: Its name.
        types: The supertype of every type but :data:`ANYTHING`.
        predicates: Predicates by name.
        schemas: Kinds of actions by name.
    """

    name: str
    types: Mapping[str, str]
    predicates: Mapping[str, Predicate]
    schemas: Mapping[str, Schema]

    def is_a(self, type: str, wanted: str) -> bool:
        """Whether a type is another, or below it."""
        while type != wanted and type != ANYTHING:
            type = self.types[type]
        return type == wanted


@dataclass(frozen=True)
class Problem:
    """Objects, the facts that hold at first, and the goal.

    Attributes:
        objects: The type of every object by name.
        start: The facts that hold at first.
        goal: Facts that must hold in the end.
    """

    objects: Mapping[str, str]
    start: tuple[Atom, ...]
    goal: tuple[Atom, ...]


# -- reading -----------------------------------------------------------------------------------------------------------


def read_domain(text: str) -> Domain:
    """The domain that a PDDL text defines.

    Raises:
        InvalidParameters: It is not of the subset; the message says where.
    """
    parts = _definition(text, "domain")
    types = {name: above for name, above in _typed(parts.get(":types", []), lambda above: None) if name != ANYTHING}
    types |= {above: ANYTHING for above in [*types.values()] if above not in types and above != ANYTHING}
    _check_hierarchy(types)
    known = [*types, ANYTHING]
    forms = list(map(_form, parts.get(":predicates", [])))
    _distinct([form[0] for form in forms], "predicate")
    predicates = {
        form[0]: Predicate(form[0], tuple(type for _, type in _parameters(form[1:], known))) for form in forms
    }
    bare = Domain(parts["name"], types, predicates, {})
    schemas = [_schema(form, bare) for form in parts[":action"]]
    _distinct([schema.name for schema in schemas], "action")
    return Domain(parts["name"], types, predicates, {schema.name: schema for schema in schemas})


def read_problem(text: str, domain: Domain) -> Problem:
    """The problem that a PDDL text defines.

    Raises:
        InvalidParameters: It is not of the subset, or does not fit the domain.
    """
    parts = _definition(text, "problem")
    if parts.get(":domain") != [domain.name]:
        raise InvalidParameters(f"The problem is not about the domain {domain.name!r}, but {parts.get(':domain')}.")
    pairs = list(_typed(parts.get(":objects", []), lambda type: _known(type, [*domain.types, ANYTHING], "type")))
    _distinct([name for name, _ in pairs], "object")
    objects = dict(pairs)
    start = tuple(_atom(form, objects, domain) for form in parts.get(":init", []))
    goal, never = _literals(parts.get(":goal", [["and"]])[0], objects, domain)
    if never:
        raise InvalidParameters(f"A goal may not contain (not ...), got {never[0]}.")
    return Problem(objects, start, goal)


def _definition(text: str, kind: str) -> dict[str, Any]:
    """The sections of a definition by keyword; actions as a list."""
    form = _nested(text)
    if form[:1] != ["define"] or len(form) < 2 or form[1][:1] != [kind] or len(form[1]) != 2:
        raise InvalidParameters(f"A {kind} must begin with (define ({kind} NAME) ...).")
    found: dict[str, Any] = {"name": form[1][1], ":action": []}
    for section in map(_form, form[2:]):
        name = section[0]
        if name not in _SECTIONS[kind]:
            raise InvalidParameters(
                f"A {kind} may have the sections {', '.join(_SECTIONS[kind])}; ({name} ...) cannot be read. Leave it out "
                "only if the plans do not depend on it."
            )
        if name == ":action":
            found[":action"].append(section[1:])
        elif name in found:
            raise InvalidParameters(f"The section {name} must occur once.")
        else:
            found[name] = section[1:]
    strange = [each for each in found.get(":requirements", []) if each not in REQUIREMENTS]
    if strange:
        raise InvalidParameters(
            f"Only {', '.join(REQUIREMENTS)} can be read; the {kind} requires {strange[0]!r:.80}. Leave it out only if "
            "nothing uses it."
        )
    return found


def _distinct(names: Sequence[str], what: str) -> None:
    """Raise if a name occurs twice."""
    twice = next((name for at, name in enumerate(names) if name in names[:at]), None)
    if twice is not None:
        raise InvalidParameters(f"The {what} {twice!r} must be defined once.")


def _nested(text: str) -> list[Any]:
    """The list in parentheses that is the text, in lower case."""
    stack: list[list[Any]] = [[]]
    for token in _TOKEN.findall(re.sub(r";[^\n]*", "", text.lower())):
        if token == "(":
            stack.append([])
        elif token != ")":
            stack[-1].append(token)
        elif len(stack) > 1:
            stack[-2].append(stack.pop())
        else:
            raise InvalidParameters("There is a closing parenthesis too many.")
        if len(stack) > _DEEPEST:
            raise InvalidParameters(f"Parentheses are nested more than {_DEEPEST} deep.")
    if len(stack) != 1 or len(stack[0]) != 1 or not isinstance(stack[0][0], list):
        raise InvalidParameters("The text must be one list in matching parentheses.")
    found: list[Any] = stack[0][0]
    return found


def _form(part: Any) -> list[Any]:
    """A list that begins with a word."""
    if not isinstance(part, list) or not part or not isinstance(part[0], str):
        raise InvalidParameters(f"Expected a list that begins with a word, got {part!r:.80}.")
    return part


def _typed(words: Sequence[Any], check: Callable[[str], object]) -> Iterator[tuple[str, str]]:
    """Pairs from ``a b - type c``; names without a type are objects."""
    waiting: list[str] = []
    rest = iter(words)
    for word in rest:
        if not isinstance(word, str):
            raise InvalidParameters(f"Expected a name, got {word!r:.80}.")
        if word != "-":
            waiting.append(word)
            continue
        type = next(rest, None)
        if not isinstance(type, str):
            raise InvalidParameters(f"A type must follow '-', got {type!r:.80}.")
        check(type)
        yield from ((name, type) for name in waiting)
        waiting = []
    yield from ((name, ANYTHING) for name in waiting)


def _parameters(words: Sequence[Any], types: Sequence[str]) -> tuple[tuple[str, str], ...]:
    found = tuple(_typed(words, lambda type: _known(type, types, "type")))
    _distinct([name for name, _ in found], "parameter")
    wrong = next((name for name, _ in found if not name.startswith("?")), None)
    if wrong is not None:
        raise InvalidParameters(f"A parameter must begin with '?', got {wrong!r}.")
    return found


def _schema(form: Sequence[Any], domain: Domain) -> Schema:
    if not form or len(form) % 2 == 0:
        raise InvalidParameters(f"An action is a name and pairs of a keyword and a list, got {form!r:.80}.")
    strange = next((word for word in form[1::2] if word not in _ACTION), None)
    if strange is not None:
        raise InvalidParameters(f"An action may have {', '.join(_ACTION)}, got {strange!r:.80}.")
    _distinct(form[1::2], "keyword")
    parts = dict(zip(form[1::2], form[2::2], strict=True))
    parameters = _parameters(parts.get(":parameters", []), [*domain.types, ANYTHING])
    scope = dict(parameters)
    needs, bars = _literals(parts.get(":precondition", ["and"]), scope, domain)
    adds, deletes = _literals(parts.get(":effect", ["and"]), scope, domain)
    return Schema(form[0], parameters, needs, bars, adds, deletes)


def _literals(form: Any, scope: Mapping[str, str], domain: Domain) -> tuple[tuple[Atom, ...], tuple[Atom, ...]]:
    """The facts of a conjunction, and those after ``not``.

    Of an empty list, there are no facts.
    """
    parts = form[1:] if form and form[0] == "and" else [form] if form else []
    holds = tuple(_atom(part, scope, domain) for part in parts if _form(part)[0] != "not")
    fails = tuple(_atom(part[1], scope, domain) for part in parts if part[0] == "not" and len(part) == 2)
    if len(holds) + len(fails) != len(parts):
        raise InvalidParameters(f"(not ...) takes one fact: {form!r:.80}.")
    return holds, fails


def _atom(form: Any, scope: Mapping[str, str], domain: Domain) -> Atom:
    """A fact whose arguments are in scope and of the right types."""
    name, *arguments = _form(form)
    if name in _NOT_READ and name not in domain.predicates:
        raise InvalidParameters(f"Only facts, (not FACT) and one (and ...) around them can be read, got ({name} ...).")
    types = domain.predicates[_known(name, domain.predicates, "predicate")].types
    if len(arguments) != len(types):
        raise InvalidParameters(f"({name} ...) takes {len(types)} arguments, got {len(arguments)}.")
    for argument, type in zip(arguments, types, strict=True):
        found = scope[_known(argument, scope, "name")]
        if not domain.is_a(found, type):
            raise InvalidParameters(f"({name} ...) takes a {type}; {argument!r} is a {found}.")
    return (name, *arguments)


def _known(name: Any, known: Mapping[str, Any] | Sequence[str], what: str) -> str:
    if not isinstance(name, str) or name not in known:
        raise InvalidParameters(f"There is no {what} {name!r:.80}.{nearest(str(name), list(known))}")
    return name


def _check_hierarchy(types: Mapping[str, str]) -> None:
    """Raise if a type is below itself."""
    for type in types:
        above = type
        for _ in types:
            above = types.get(above, ANYTHING)
        if above != ANYTHING:
            raise InvalidParameters(f"The type {type!r} is below itself.")


# -- writing -----------------------------------------------------------------------------------------------------------


def write_atom(atom: Atom) -> str:
    """``(on a b)``."""
    return f"({' '.join(atom)})"


def write_domain(domain: Domain) -> str:
    """The domain in PDDL."""
    features = ":strips :typing" if domain.types else ":strips"
    negative = any(schema.bars for schema in domain.schemas.values())
    lines = [f"(define (domain {domain.name})", f"  (:requirements {features}{' :negative-preconditions' * negative})"]
    if domain.types:
        lines.append(f"  (:types {_write_typed(domain.types.items())})")
    predicates = [
        write_atom((each.name, *_write_parameters([(f"?x{at}", type) for at, type in enumerate(each.types, 1)])))
        for each in domain.predicates.values()
    ]
    lines += ["  (:predicates", *(f"    {each}" for each in predicates), "  )"]
    for schema in domain.schemas.values():
        lines += [
            f"  (:action {schema.name}",
            f"    :parameters ({' '.join(_write_parameters(schema.parameters))})",
            f"    :precondition {_write_literals(schema.needs, schema.bars)}",
            f"    :effect {_write_literals(schema.adds, schema.deletes)}",
            "  )",
        ]
    return "\n".join([*lines, ")"])


def write_problem(problem: Problem, domain: Domain, name: str = "task") -> str:
    """The problem in PDDL."""
    return "\n".join(
        [
            f"(define (problem {name})",
            f"  (:domain {domain.name})",
            f"  (:objects {_write_typed(problem.objects.items())})",
            f"  (:init {' '.join(map(write_atom, problem.start))})",
            *([f"  (:goal {_write_literals(problem.goal, ())})"] if problem.goal else []),
            ")",
        ]
    )


def _write_typed(pairs: Any) -> str:
    by_type: dict[str, list[str]] = {}
    for name, type in pairs:
        by_type.setdefault(type, []).append(name)
    return " ".join(f"{' '.join(names)} - {type}" for type, names in by_type.items())


def _write_parameters(parameters: Sequence[tuple[str, str]]) -> tuple[str, ...]:
    return tuple(f"{name} - {type}" for name, type in parameters)


def _write_literals(holds: Sequence[Atom], fails: Sequence[Atom]) -> str:
    parts = [*map(write_atom, holds), *(f"(not {write_atom(atom)})" for atom in fails)]
    return f"(and {' '.join(parts)})" if parts else "(and)"
