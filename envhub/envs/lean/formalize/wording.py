"""Phrases and renderings of lean-formalize-v0."""

from __future__ import annotations

import json
from typing import Final

from envhub.authoring.wording import Phrase, Rendering, Variants
from envhub.core.types import JSON
from envhub.envs.lean.formalize.sentences import english, explained

TASK: Final = Phrase(
    "Write this English statement as a proposition of Lean 4.",
    "Translate the English statement into a proposition of Lean 4.",
    "Formalize this statement: say in Lean 4 what it says in English.",
    held_out="Give the Lean 4 proposition that has the same meaning as the English statement.",
)
_LISTED: Final = Phrase(
    "S1, S2 and so on stand for the statements that are listed after the first line of the statement.",
    "The first line of the statement uses labels such as S1. The lines after it say what they stand for.",
    "Labels such as S1 refer to the lines of the statement that begin with them.",
    held_out="S1, S2, ... abbreviate the lines of the statement that they label.",
)
_SCOPE: Final = Phrase(
    "Quantifiers and negations apply in the order in which they appear.",
    "The order in which quantifiers and negations appear is the order in which they apply.",
    "A quantifier or negation that comes first in the sentence comes first in its meaning.",
    held_out="Scope of quantifiers and negations: surface order.",
)
_CLAUSES: Final = Phrase(
    "A relative clause (who ...) belongs to the noun directly before it. Brackets show which words belong together.",
    "Words in brackets belong together. A relative clause, such as who ..., describes the noun directly before it.",
    "A clause with who describes the noun right before it, and brackets group words that belong together.",
    held_out="Attachment: relative clauses (who ...) attach to the immediately preceding noun; brackets group.",
)
_WORDS: Final = Phrase(
    "Some means at least one. Either ... or ... means one or both. Every does not imply that there are any.",
    "By some we mean at least one, by either ... or ... one or both. A statement about every ... may be true because there "
    "are none.",
    "Read some as at least one, and either ... or ... as one or both. Every ... makes no claim that there are any.",
    held_out="some = at least one; either ... or ... = inclusive or; every ... = no existential import.",
)
_PERSON: Final = Phrase(
    "Person is a type. The given predicates and names are about it, and you may use no others.",
    "The given predicates and names are about the type Person. Use only these.",
    "You may use only the given predicates and names. They are about the type Person.",
    held_out="Signature: the type Person with the given predicates and names, nothing else.",
)
_ONE: Final = Phrase(
    "Your answer must be one proposition, without a name or a keyword before it. Every proposition that is equivalent to the "
    "statement is correct.",
    "Answer with a single proposition and put neither a name nor a keyword before it. It is correct if it is equivalent to "
    "the statement.",
    "Give just a proposition, with no name or keyword before it. Any proposition that is equivalent to the statement counts "
    "as correct.",
    held_out="Answer: one bare proposition (no name, no keyword). Criterion: equivalence to the statement.",
)
_SYNTAX: Final = Phrase(
    "You may use ∀ ∃ ¬ ∧ ∨ → ↔ (or forall, exists, not, /\\, \\/, ->, <->), True, False, brackets, and bound variables with "
    "or without their type. Equality, fun, ∃! and everything else is not recognized.",
    "Only this notation is recognized: ∀ ∃ ¬ ∧ ∨ → ↔ (or forall, exists, not, /\\, \\/, ->, <->), True, False, brackets, and "
    "bound variables with or without their type. In particular, equality, fun and ∃! are not.",
    "The proposition may contain ∀ ∃ ¬ ∧ ∨ → ↔ (or forall, exists, not, /\\, \\/, ->, <->), True, False, brackets, and bound "
    "variables with or without their type, but no equality, no fun, no ∃! and nothing else.",
    held_out="Syntax: ∀ ∃ ¬ ∧ ∨ → ↔ (forall, exists, not, /\\, \\/, ->, <->), True, False, brackets, bound variables with or "
    "without type. Excluded: equality, fun, ∃!, and all else.",
)
_LENGTH: Final = Phrase(
    "Your answer may have at most {most} characters.",
    "A proposition with more than {most} characters is not recognized.",
    "Keep your answer to at most {most} characters.",
    held_out="Length limit: {most} characters.",
)


def rules(problem: JSON) -> tuple[Phrase, ...]:
    """How to read the statement, and what may be written."""
    listed = [_LISTED] if "\n" in english(problem["sentence"]) else []
    return (*listed, _SCOPE, _CLAUSES, _WORDS, _PERSON, _ONE, _SYNTAX, _LENGTH)


def _plain(problem: JSON) -> str:
    return f"Statement:\n\n{english(problem['sentence'])}\n\nPredicates and names:\n{explained(problem['signature'])}"


def _table(problem: JSON) -> str:
    rows = "\n".join(f"| {name} | {meaning} |" for name, meaning in _meanings(problem).items())
    return f"| predicate or name | meaning |\n|---|---|\n{rows}\n\nStatement: {english(problem['sentence'])}"


def _json(problem: JSON) -> str:
    shown = {"statement": english(problem["sentence"]).split("\n"), "predicates and names": _meanings(problem)}
    return f"The statement as a list of its lines, and the predicates and names:\n\n{json.dumps(shown, indent=1)}"


def _signature(problem: JSON) -> str:
    rows = "\n".join(f"{name} :<=> {meaning}" for name, meaning in _meanings(problem).items())
    return f"{rows}\n\nTo be formalized:\n\n{english(problem['sentence'])}"


def _meanings(problem: JSON) -> dict[str, str]:
    lines = (line.removeprefix("- ").partition(": ") for line in explained(problem["signature"]).split("\n"))
    return {name: meaning for name, _, meaning in lines}


DATA: Final[Variants[Rendering]] = Variants(_plain, _table, _json, held_out=_signature, name="data")
