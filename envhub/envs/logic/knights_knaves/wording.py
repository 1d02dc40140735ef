"""The prompt of knights-knaves-v0.

Phrasings of the rules, and renderings of the statements.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final

from envhub.authoring.wording import Phrase, Rendering, Statement, Variants, and_list
from envhub.core.types import JSON
from envhub.envs.logic.knights_knaves import statements as propositions

_TASK: Final = Phrase(
    "Find out who is a knight and who is a knave among {names}.",
    "You meet {names} on an island of knights and knaves. Who is a knight, and who is a knave?",
    "Decide for each of {names} whether this person is a knight or a knave.",
    "Which of {names} are knights, and which are knaves?",
    held_out="Assign one of the roles knight and knave to each of: {names}.",
)
_ROLES: Final = Phrase(
    "Everybody is either a knight or a knave.",
    "Each person is a knight or a knave, and nobody is both.",
    "There are only knights and knaves: every person is one of the two.",
    held_out="Roles are exclusive and exhaustive: a person who is not a knight is a knave.",
)
_TRUTH: Final = Phrase(
    "A knight's statement is true. A knave's statement is false.",
    "Knights always tell the truth, and knaves always lie.",
    "What a knight says is true; what a knave says is false.",
    held_out="A speaker's statement holds if and only if the speaker is a knight.",
)
_NOTE: Final = Phrase(
    "There is exactly one solution.",
    "Only one assignment of roles fits all statements.",
    "The solution is unique.",
    held_out="Precisely one assignment is consistent.",
)

_EXPLAINED: Final = {
    "or": '"Either A or B, or both" is true when at least one of A and B is true.',
    "if": '"If A, then B" is false only when A is true and B is false.',
    "iff": '"A if and only if B" is true when A and B are both true or both false.',
    "exactly": '"Exactly k of ... are knights" means that k of the people named are knights, no more and no fewer.',
}
_SYMBOLS: Final = {
    "and": "A AND B is true when both are true.",
    "or": "A OR B is true when at least one of them is true.",
    "not": "NOT A is true when A is false.",
    "if": "A IMPLIES B is false only when A is true and B is false.",
    "iff": "A EQUALS B is true when both are true or both are false.",
    "exactly": "COUNT(...) is the number of knights among the people named.",
    "same": "SAME(X, Y) is true when X and Y have the same role.",
    "differ": "DIFFERENT(X, Y) is true when X and Y have different roles.",
}
_KEYS: Final = {
    "knight": '["knight", X]: X is a knight.',
    "knave": '["knave", X]: X is a knave.',
    "and": '["and", A, B]: both are true.',
    "or": '["or", A, B]: at least one is true.',
    "not": '["not", A]: A is false.',
    "if": '["if", A, B]: A is false or B is true, or both.',
    "iff": '["iff", A, B]: both are true or both are false.',
    "exactly": '["exactly", k, [X, Y, ...]]: exactly k of these people are knights.',
    "same": '["same", X, Y]: X and Y have the same role.',
    "differ": '["differ", X, Y]: X and Y have different roles.',
}
_JOINED: Final = {"and": "AND", "or": "OR", "if": "IMPLIES", "iff": "EQUALS"}
_FORMAL: Final = {"and": "&", "or": "|", "if": "->", "iff": "<->"}


def _in_english(problem: JSON) -> str:
    lines = []
    for speaker, (name, statement) in enumerate(_said(problem)):
        text = propositions.english(statement, problem["names"], speaker)
        lines.append(f'{name} says: "{text[0].upper()}{text[1:]}."')
    told = ["Brackets show which parts of a statement belong together.", *_used(problem, _EXPLAINED)]
    return _joined(lines, [*told, '"I" and "me" mean the speaker.'])


def _in_capitals(problem: JSON) -> str:
    names = problem["names"]
    lines = [f"{name} says: {_capitals(statement, names)}" for name, statement in _said(problem)]
    return _joined(lines, ["Brackets show which parts of a statement belong together.", *_used(problem, _SYMBOLS)])


def _as_json(problem: JSON) -> str:
    lines = [json.dumps({"speaker": name, "says": _named(said, problem["names"])}) for name, said in _said(problem)]
    return _joined(lines, ["How to read a statement:", *_used(problem, _KEYS)])


def _as_formulas(problem: JSON) -> str:
    names = problem["names"]
    lines = [f"{name}: {_formula(statement, names)}" for name, statement in _said(problem)]
    return _joined(
        lines,
        [
            "Each line gives a speaker and the statement of this speaker. k(X) is 1 if X is a knight and 0 if X is a knave.",
            "~ is negation, & conjunction, | inclusive disjunction, -> material implication, <-> equivalence.",
        ],
    )


_DATA: Final[Variants[Rendering]] = Variants(_in_english, _in_capitals, _as_json, held_out=_as_formulas, name="data")


def statement(problem: JSON) -> Statement:
    """A puzzle before it is worded."""
    return Statement(
        task=_TASK,
        data=_DATA,
        problem=problem,
        rules=(_ROLES, _TRUTH),
        note=_NOTE,
        values={"names": and_list(problem["names"])},
    )


def _said(problem: JSON) -> list[tuple[str, Any]]:
    return list(zip(problem["names"], problem["statements"], strict=True))


def _joined(lines: list[str], told: list[str]) -> str:
    return "\n".join(lines) + "\n\n" + " ".join(told)


def _used(problem: JSON, explained: dict[str, str]) -> list[str]:
    """The explanations of the kinds of statements that occur."""
    kinds = {kind for statement in problem["statements"] for kind in _kinds(statement)}
    return [text for kind, text in explained.items() if kind in kinds]


def _kinds(statement: JSON) -> Iterator[str]:
    kind, *parts = statement
    yield kind
    for part in parts:
        if isinstance(part, list) and kind != "exactly":
            yield from _kinds(part)


def _capitals(statement: JSON, names: list[str]) -> str:
    kind, *parts = statement
    if kind in ("knight", "knave"):
        return f"{names[parts[0]]} is a {kind}"
    if kind in ("same", "differ"):
        word = "SAME" if kind == "same" else "DIFFERENT"
        return f"{word}({', '.join(names[i] for i in parts)})"
    if kind == "exactly":
        return f"COUNT({', '.join(names[i] for i in parts[1])}) = {parts[0]}"
    inner = [f"({_capitals(part, names)})" for part in parts]
    return f"NOT {inner[0]}" if kind == "not" else f"{inner[0]} {_JOINED[kind]} {inner[1]}"


def _formula(statement: JSON, names: list[str]) -> str:
    kind, *parts = statement
    if kind in ("knight", "knave"):
        return f"k({names[parts[0]]}) = {1 if kind == 'knight' else 0}"
    if kind in ("same", "differ"):
        one, other = (f"k({names[i]})" for i in parts)
        return f"{one} {'=' if kind == 'same' else '!='} {other}"
    if kind == "exactly":
        return f"{' + '.join(f'k({names[i]})' for i in parts[1])} = {parts[0]}"
    inner = [f"({_formula(part, names)})" for part in parts]
    return f"~{inner[0]}" if kind == "not" else f"{inner[0]} {_FORMAL[kind]} {inner[1]}"


def _named(statement: JSON, names: list[str]) -> JSON:
    """A statement with names in place of numbers."""
    kind, *parts = statement
    if kind == "exactly":
        return [kind, parts[0], [names[i] for i in parts[1]]]
    return [kind, *(names[part] if isinstance(part, int) else _named(part, names) for part in parts)]
