"""Sentences about people, in English with one reading each, and the first-order formulas they say.

A sentence is JSON: nested lists whose first member says what they are. English of this kind has one reading,
because "both" and "either" stand before what they join, a relative clause belongs to the noun before it and ends
with its verb phrase, and quantifiers count in the order in which they stand::

    said = draw(rng, phrases=3, joints=1)
    english(said)                           # "Every baker who trusts some pilot is happy."
    formula(said)                           # an Expr: ∀ x1, Baker x1 ∧ (∃ x2, Pilot x2 ∧ Trusts x1 x2) → Happy x1
    signature(said)                         # {"Baker": 1, "Pilot": 1, "Trusts": 2, "Happy": 1, "ann": 0}
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import count
from typing import Any, Final

from envhub.generators.theorem.syntax import Expr, Sort, call, every, imp, no, some, var
from envhub.seeding import Stream

PERSON: Final[Sort] = ("Person",)
NOUNS: Final = ("teacher", "student", "doctor", "pilot", "farmer", "singer", "baker", "judge", "nurse", "painter")
ADJECTIVES: Final = ("happy", "tall", "tired", "rich", "brave", "curious", "honest", "quiet", "famous", "young")
VERBS: Final = ("admires", "trusts", "knows", "helps", "follows", "envies", "teaches", "visits", "likes", "fears")
NAMES: Final = ("Ann", "Bob", "Carla", "Dan")

Said = list[Any]


# -- drawing -----------------------------------------------------------------------------------------------------------


def draw(rng: Stream, phrases: int, joints: int) -> Said:
    """A sentence.

    Args:
        rng: What is drawn from.
        phrases: How many phrases of a quantifier or a name it has, about.
        joints: How many times sentences are joined into one, at most.
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
    """A noun, with a relative clause in which there are so many phrases."""
    clause = _verb_phrase(rng, phrases) if phrases or rng.below(3) == 0 else None
    return [rng.choice(NOUNS), clause]


def _verb_phrase(rng: Stream, phrases: int) -> Said:
    if phrases == 0:
        if rng.below(5) == 0:
            return [rng.choice(("does", "doesnt")), rng.choice(VERBS), ["name", rng.choice(NAMES)]]
        return [rng.choice(("is", "is", "isnt")), rng.choice(ADJECTIVES)]
    if phrases > 1 and rng.below(2) == 0:
        left = rng.between(1, phrases - 1)
        return [rng.choice(("both", "either")), _verb_phrase(rng, left), _verb_phrase(rng, phrases - left)]
    if rng.below(4) == 0:
        return [rng.choice(("both", "either")), _verb_phrase(rng, phrases), ["is", rng.choice(ADJECTIVES)]]
    return ["does", rng.choice(VERBS), [rng.choice(("every", "some", "no")), _noun(rng, phrases - 1)]]


# -- saying ------------------------------------------------------------------------------------------------------------


def english(said: Said) -> str:
    """The sentence, with a capital and a full stop."""
    text = _sentence(said)
    return f"{text[0].upper()}{text[1:]}."


def _sentence(said: Said) -> str:
    match said:
        case ["if", first, second]:
            return f"if {_sentence(first)}, then {_sentence(second)}"
        case ["iff", first, second]:
            return f"it holds that {_sentence(first)}, if and only if it holds that {_sentence(second)}"
        case ["either", first, second]:
            return f"either {_sentence(first)}, or {_sentence(second)}, or both"
        case ["both", first, second]:
            return f"both of these hold: {_sentence(first)}; and {_sentence(second)}"
        case ["not", inner]:
            return f"it is not true that {_sentence(inner)}"
        case _:
            return f"{_subject(said)} {_verbal(said[2])}"


def _subject(said: Said) -> str:
    return str(said[1]) if said[0] == "name" else f"{said[0]} {_nominal(said[1])}"


def _nominal(said: Said) -> str:
    noun, clause = said
    return noun if clause is None else f"{noun} who {_verbal(clause)}"


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
            return f"{kind} {_verbal(first)} {'and' if kind == 'both' else 'or'} {_verbal(second)}"
    raise ValueError(f"{said!r} is no verb phrase")


def _base(verb: str) -> str:
    if verb.endswith("ies"):
        return f"{verb[:-3]}y"
    return verb[:-2] if verb.endswith("ches") else verb[:-1]


# -- meaning -----------------------------------------------------------------------------------------------------------


def formula(said: Said) -> Expr:
    """What it says; every bound name is another."""
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
    """What holds of those that a phrase speaks of."""
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
    """The predicates and names of its formula, with how many arguments each takes; there is a name at least."""
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
    """A signature as binders of Lean."""
    groups: dict[str, list[str]] = {}
    for name, places in names.items():
        sort = " → ".join(["Person"] * places + ["Prop"]) if places else "Person"
        groups.setdefault(sort, []).append(name)
    return " ".join(["(Person : Type)", *(f"({' '.join(group)} : {sort})" for sort, group in groups.items())])


def explained(names: Mapping[str, int]) -> str:
    """A signature in words, a line for each name."""
    lines = []
    for name, places in names.items():
        word = name.lower()
        what = {0: f"the person called {name.capitalize()}", 2: f"x {word} y"}.get(places, f"x is {word}")
        if word in NOUNS:
            what = f"x is a {word}"
        lines.append(f"- {' '.join([name, *'xy'[:places]])}: {what}")
    return "\n".join(lines)


def reworded(expr: Expr, rng: Stream) -> Expr:
    """An equivalent formula: sides swapped, contraposed, negations and quantifiers exchanged, here and there."""
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
