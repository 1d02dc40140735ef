"""Unambiguous English sentences about people, and their first-order formulas.

A sentence is JSON: nested lists whose first member is their kind. The English has one reading: a sentence that joins
others names them S1, S2, ... and lists them, brackets show which words of a phrase belong together, a relative clause
belongs to the noun before it, and quantifiers apply in the order in which they appear::

    said = draw(rng, phrases=3, joints=1)
    english(said)                           # "Every baker who trusts some pilot is happy."
    formula(said)                           # an Expr: ∀ x1, Baker x1 ∧ (∃ x2, Pilot x2 ∧ Trusts x1 x2) → Happy x1
    signature(said)                         # {"Baker": 1, "Pilot": 1, "Trusts": 2, "Happy": 1, "ann": 0}
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import count
from typing import Any, Final

from envhub.core.seeding import Stream
from envhub.generators.theorems.syntax import Expr, Sort, call, every, imp, no, some, var

PERSON: Final[Sort] = ("Person",)
NOUNS: Final = ("teacher", "student", "doctor", "pilot", "farmer", "singer", "baker", "judge", "nurse", "painter")
ADJECTIVES: Final = ("happy", "tall", "tired", "rich", "brave", "curious", "honest", "quiet", "famous", "young")
VERBS: Final = ("admires", "trusts", "knows", "helps", "follows", "envies", "teaches", "visits", "likes", "fears")
NAMES: Final = ("Ann", "Bob", "Carla", "Dan")

_JOINED: Final = {
    "if": "if {} is true, then {} is true",
    "iff": "{} is true if and only if {} is true",
    "either": "at least one of {} and {} is true",
    "both": "both {} and {} are true",
    "not": "{} is false",
}
Said = list[Any]


# -- drawing -----------------------------------------------------------------------------------------------------------


def draw(rng: Stream, phrases: int, joints: int) -> Said:
    """A sentence.

    Args:
        rng: Source of randomness.
        phrases: Approximate number of phrases with a quantifier or a name.
        joints: Maximum number of joins of sentences.
    """
    if joints and phrases > 1:
        left = rng.between(1, phrases - 1)
        kind = rng.choice(("if", "iff", "either", "both", "not"))
        if kind == "not":
            return ["not", draw(rng, phrases, joints - 1)]
        first, second = draw(rng, left, (joints - 1) // 2), draw(rng, phrases - left, joints // 2)
        return [kind, first, second]
    if phrases == 1 and rng.below(4) == 0:
        return ["name", rng.choice(NAMES), _verb_phrase(rng, 1)]
    inside = rng.below(phrases)
    kind = rng.choice(("every", "every", "some", "no"))
    return [kind, _noun(rng, inside), _verb_phrase(rng, phrases - inside - 1)]


def _noun(rng: Stream, phrases: int) -> Said:
    """A noun with a relative clause of this many phrases."""
    clause = _verb_phrase(rng, phrases) if phrases or rng.below(3) == 0 else None
    return [rng.choice(NOUNS), clause]


def _verb_phrase(rng: Stream, phrases: int, barred: str = "") -> Said:
    """A verb phrase of this many phrases.

    ``barred`` joins its parent, so repeating it would be redundant.
    """
    if phrases == 0:
        if rng.below(5) == 0:
            return [rng.choice(("does", "doesnt")), rng.choice(VERBS), ["name", rng.choice(NAMES)]]
        return [rng.choice(("is", "is", "isnt")), rng.choice(ADJECTIVES)]
    kinds = [kind for kind in ("both", "either") if kind != barred]
    if phrases > 1 and rng.below(2) == 0:
        left, kind = rng.between(1, phrases - 1), rng.choice(kinds)
        return [kind, _verb_phrase(rng, left, kind), _verb_phrase(rng, phrases - left, kind)]
    if rng.below(4) == 0:
        kind = rng.choice(kinds)
        return [kind, _verb_phrase(rng, phrases, kind), ["is", rng.choice(ADJECTIVES)]]
    return ["does", rng.choice(VERBS), [rng.choice(("every", "some", "no")), _noun(rng, phrases - 1)]]


# -- saying ------------------------------------------------------------------------------------------------------------


def english(said: Said) -> str:
    """The sentence; below it, one per line, the statements that it joins."""
    statements: list[str] = []
    first = _capital(_sentence(said, statements))
    return "\n".join([first, "", *statements]) if statements else first


def _capital(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."


def _sentence(said: Said, statements: list[str]) -> str:
    """A sentence without its full stop; joined sentences are listed in ``statements``."""
    kind = said[0]
    if kind not in _JOINED:
        return f"{_subject(said)} {_verbal(said[2])}"
    if kind == "not" and said[1][0] not in _JOINED:
        return f"it is not true that {_sentence(said[1], statements)}"
    labels = []
    for part in said[1:]:
        labels.append(f"S{len(statements) + 1}")
        at = len(statements)
        statements.append("")
        statements[at] = f"{labels[-1]}: {_capital(_sentence(part, statements))}"
    return _JOINED[kind].format(*labels)


def _subject(said: Said) -> str:
    return str(said[1]) if said[0] == "name" else f"{said[0]} {_nominal(said[1])}"


def _nominal(said: Said) -> str:
    noun, clause = said
    if clause is None:
        return str(noun)
    return f"{noun} who {_verbal(clause)}" if _simple(clause) else f"{noun} (who {_verbal(clause)})"


def _simple(said: Said) -> bool:
    """Whether a verb phrase contains no other, so needs no brackets."""
    return said[0] in ("is", "isnt") or (
        said[0] in ("does", "doesnt") and (said[2][0] == "name" or said[2][1][1] is None)
    )


def _part(said: Said) -> str:
    return _verbal(said) if _simple(said) else f"({_verbal(said)})"


def _verbal(said: Said) -> str:
    match said:
        case ["is", adjective]:
            return f"is {adjective}"
        case ["isnt", adjective]:
            return f"is not {adjective}"
        case ["does", verb, thing]:
            return f"{verb} {_subject(thing)}"
        case ["doesnt", verb, thing]:
            return f"does not {_base(verb)} {_subject(thing)}"
        case [kind, first, second]:
            return f"{kind} {_part(first)} {'and' if kind == 'both' else 'or'} {_part(second)}"
    raise ValueError(f"{said!r} is no verb phrase")


def _base(verb: str) -> str:
    if verb.endswith("ies"):
        return f"{verb[:-3]}y"
    return verb[:-2] if verb.endswith("ches") else verb[:-1]


# -- meaning -----------------------------------------------------------------------------------------------------------


def formula(said: Said) -> Expr:
    """The formula of a sentence; all bound names differ."""
    return _meaning(said, (f"x{number}" for number in count(1)))


def _meaning(said: Said, fresh: Iterator[str]) -> Expr:
    match said:
        case ["if", first, second]:
            return imp(_meaning(first, fresh), _meaning(second, fresh))
        case ["iff" as kind, first, second]:
            return Expr(kind, (_meaning(first, fresh), _meaning(second, fresh)))
        case ["either" | "both", first, second]:
            return _joined(said[0], _meaning(first, fresh), _meaning(second, fresh))
        case ["not", inner]:
            return no(_meaning(inner, fresh))
        case _:
            return _quantified(said, fresh, lambda who: _does(said[2], who, fresh))


def _joined(kind: str, first: Expr, second: Expr) -> Expr:
    return Expr("or" if kind == "either" else "and", (first, second))


def _quantified(said: Said, fresh: Iterator[str], body: Any) -> Expr:
    """The formula for a quantified phrase."""
    kind, what = said[0], said[1]
    if kind == "name":
        return body(var(what.lower()))  # type: ignore[no-any-return]
    name = next(fresh)
    noun, clause = what
    which = call(noun.capitalize(), var(name))
    if clause is not None:
        which = Expr("and", (which, _does(clause, var(name), fresh)))
    holds = body(var(name))
    if kind == "some":
        return some(name, PERSON, Expr("and", (which, holds)))
    return every(name, PERSON, imp(which, holds if kind == "every" else no(holds)))


def _does(said: Said, who: Expr, fresh: Iterator[str]) -> Expr:
    match said:
        case ["is", adjective]:
            return call(adjective.capitalize(), who)
        case ["isnt", adjective]:
            return no(call(adjective.capitalize(), who))
        case ["does", verb, thing]:
            return _quantified(thing, fresh, lambda whom: call(verb.capitalize(), who, whom))
        case ["doesnt", verb, thing]:
            return no(_quantified(thing, fresh, lambda whom: call(verb.capitalize(), who, whom)))
        case [kind, first, second]:
            return _joined(kind, _does(first, who, fresh), _does(second, who, fresh))
    raise ValueError(f"{said!r} is no verb phrase")


def signature(said: Said) -> dict[str, int]:
    """The predicates and names of its formula with their numbers of arguments.

    At least one name.
    """
    found: dict[str, int] = {}
    _collect(formula(said), found)
    if 0 not in found.values():
        found[NAMES[0].lower()] = 0
    return dict(sorted(found.items(), key=lambda item: (-item[1], item[0])))


def _collect(expr: Expr, found: dict[str, int]) -> None:
    if expr.op == "call":
        found[expr.name] = len(expr.args)
    elif expr.op == "var" and not expr.name.startswith("x"):
        found[expr.name] = 0
    for arg in expr.args:
        _collect(arg, found)


def declared(names: Mapping[str, int]) -> str:
    """A signature as Lean binders."""
    groups: dict[str, list[str]] = {}
    for name, places in names.items():
        sort = " → ".join(["Person"] * places + ["Prop"]) if places else "Person"
        groups.setdefault(sort, []).append(name)
    return " ".join(["(Person : Type)", *(f"({' '.join(group)} : {sort})" for sort, group in groups.items())])


def explained(names: Mapping[str, int]) -> str:
    """A signature in words, one line per name."""
    lines = []
    for name, places in names.items():
        word = name.lower()
        what = {0: f"the person called {name.capitalize()}", 2: f"x {word} y"}.get(places, f"x is {word}")
        if word in NOUNS:
            what = f"x is a {word}"
        lines.append(f"- {' '.join([name, *'xy'[:places]])}: {what}")
    return "\n".join(lines)


def reworded(expr: Expr, rng: Stream) -> Expr:
    """An equivalent formula: random swaps, contrapositions, and exchanges of negations and quantifiers."""
    args = tuple(reworded(arg, rng) for arg in expr.args)
    expr = Expr(expr.op, args, expr.name, expr.sort)
    if rng.below(2):
        return expr
    match expr.op:
        case "and" | "or" | "iff":
            return Expr(expr.op, (args[1], args[0]))
        case "imp":
            return imp(no(args[1]), no(args[0])) if rng.below(2) else Expr("or", (no(args[0]), args[1]))
        case "all" | "ex":
            return no(Expr("ex" if expr.op == "all" else "all", (no(args[0]),), expr.name, expr.sort))
        case _:
            return expr
