"""Phrases and renderings of the environments about proofs."""

from __future__ import annotations

import json
from typing import Final

from envhub.authoring.wording import Phrase, Rendering, Variants, listings
from envhub.core.types import JSON

# -- what a text must contain ------------------------------------------------------------------------------------------

IN_SCOPE: Final = Phrase(
    "The given definitions are already in scope. Do not repeat them.",
    "You can use the given definitions as they are, and you may not repeat them.",
    "Leave the given definitions out of your code: they are in scope already.",
    held_out="Context: the given definitions, already in scope (not to be repeated).",
)
STATED: Final = Phrase(
    "Your code must contain the theorem {name}, with exactly the given statement, followed by a proof. You may define lemmas "
    "and other things of your own before it.",
    "State the theorem {name} exactly as it is given, and prove it. Lemmas and definitions of your own may come before it.",
    "You must send code that states the theorem {name} exactly as given and then proves it. It may begin with lemmas and "
    "definitions of your own.",
    held_out="Required in the code: theorem {name} with the given statement verbatim, and its proof; auxiliary lemmas and "
    "definitions may precede it.",
)
EITHER: Final = Phrase(
    "Your code must contain exactly one of the theorems holds and fails, with exactly the given statement, followed by a "
    "proof. You may define lemmas and other things of your own before it.",
    "Choose one of the theorems holds and fails, state it exactly as it is given, and prove it; the other one may not occur. "
    "Lemmas and definitions of your own may come before it.",
    "You must send code that states either the theorem holds or the theorem fails, not both, exactly as given, and then "
    "proves it. It may begin with lemmas and definitions of your own.",
    held_out="Required in the code: one of the theorems holds and fails (not both), stated verbatim, and its proof; auxiliary "
    "lemmas and definitions may precede it.",
)
TRUE: Final = Phrase(
    "The theorem is true. You may correct the proof or write another one.",
    "You may repair the given proof or replace it. The theorem can be proved.",
    "It is up to you whether you correct the proof or write a new one, because any proof of the theorem counts, and there is "
    "one.",
    held_out="The theorem is provable; a corrected proof and a fresh one count the same.",
)

# -- attempts ----------------------------------------------------------------------------------------------------------

ATTEMPTS: Final = Phrase(
    "The {kernel} kernel checks your code. You have {attempts} attempts. After a failed attempt you see the errors and must "
    "send the whole code again. A message without code also uses an attempt.",
    "You can send code up to {attempts} times, and the {kernel} kernel checks it each time. If it fails, you are shown the "
    "errors; send the whole code again, not only the changes. A message without code counts as an attempt, too.",
    "There are {attempts} attempts. In each, you send the whole code and the {kernel} kernel checks it; if it is not "
    "accepted, you see why. A message that has no code uses up an attempt.",
    held_out="Checker: the {kernel} kernel. Attempts: {attempts}, each with the whole code; error messages are returned. "
    "Messages without code count.",
)
ONE_ATTEMPT: Final = Phrase(
    "The {kernel} kernel checks your code. You have only one attempt.",
    "You can send code only once. The {kernel} kernel checks it.",
    "There is a single attempt, which the {kernel} kernel checks.",
    held_out="Checker: the {kernel} kernel. Attempts: 1.",
)

# -- what may be used --------------------------------------------------------------------------------------------------

LIBRARY: Final = Phrase(
    "Only Lean 4 and its core library are available; Mathlib is not. You can rely on logic (∧ ∨ ¬ → ↔ ∀ ∃ =), natural numbers "
    "(+ * ≤ < ∣, and lemmas such as Nat.add_comm, Nat.mul_add, Nat.le_trans and Nat.dvd_add) and lists (++, map, length, "
    "reverse).",
    "There is no Mathlib, only the core library of Lean 4. From it, you can rely on logic (∧ ∨ ¬ → ↔ ∀ ∃ =), on natural "
    "numbers (+ * ≤ < ∣, with lemmas such as Nat.add_comm, Nat.mul_add, Nat.le_trans and Nat.dvd_add) and on lists (++, map, "
    "length, reverse).",
    "Your code is checked with the core library of Lean 4 and without Mathlib. Logic (∧ ∨ ¬ → ↔ ∀ ∃ =), natural numbers (+ * "
    "≤ < ∣, and lemmas such as Nat.add_comm, Nat.mul_add, Nat.le_trans and Nat.dvd_add) and lists (++, map, length, reverse) "
    "are there for sure.",
    held_out="Library: Lean 4 core, no Mathlib. Guaranteed: logic (∧ ∨ ¬ → ↔ ∀ ∃ =); Nat (+ * ≤ < ∣; Nat.add_comm, "
    "Nat.mul_add, Nat.le_trans, Nat.dvd_add and similar lemmas); List (++, map, length, reverse).",
)
TACTICS: Final = Phrase(
    "You can rely on these tactics: intro, exact, apply, refine, have, show, constructor, left, right, exists, cases, "
    "induction, rename_i, exfalso, contradiction, assumption, subst, rfl, rw, simp, decide, calc, and · to focus on a goal. "
    "The tactic omega may not be available.",
    "The tactics intro, exact, apply, refine, have, show, constructor, left, right, exists, cases, induction, rename_i, "
    "exfalso, contradiction, assumption, subst, rfl, rw, simp, decide and calc are available, as is · to focus on a goal. Do "
    "not count on omega.",
    "Tactics that are available for sure: intro, exact, apply, refine, have, show, constructor, left, right, exists, cases, "
    "induction, rename_i, exfalso, contradiction, assumption, subst, rfl, rw, simp, decide, calc, and · to focus on a goal. "
    "Whether omega is available is uncertain.",
    held_out="Guaranteed tactics: intro exact apply refine have show constructor left right exists cases induction rename_i "
    "exfalso contradiction assumption subst rfl rw simp decide calc, · (focus on a goal). Not guaranteed: omega.",
)
FORBIDDEN: Final = Phrase(
    "Not allowed outside comments: sorry, axioms, imports, sections, namespaces, new notation, macros, attributes, instances, "
    "options, "
    'unsafe or native code, commands that begin with #, and the characters " ` « ».',
    "Outside comments you may not use sorry, axioms, imports, sections, namespaces, new notation, macros, attributes, "
    "instances, options, "
    'unsafe or native code, commands that begin with #, or the characters " ` « ».',
    "Your code is rejected if it contains, outside comments, sorry, an axiom, an import, a section, a namespace, new "
    "notation, a macro, an "
    'attribute, an instance, an option, unsafe or native code, a command that begins with #, or one of the characters " ` « ».',
    held_out="Forbidden (comments excepted): sorry; axioms; imports; sections; namespaces; new notation; macros; attributes; "
    "instances; "
    'options; unsafe or native code; commands that begin with #; the characters " ` « ».',
)


def attempts(kernel: str, count: int) -> tuple[Phrase, dict[str, JSON]]:
    """The rule on attempts, and the values of its fields."""
    return (ONE_ATTEMPT if count == 1 else ATTEMPTS), {"kernel": kernel, "attempts": count}


# -- renderings of a theorem -------------------------------------------------------------------------------------------


def theorem(language: str, opening: str) -> Variants[Rendering]:
    """Renderings of a statement with its definitions.

    Args:
        language: Name of the language in fences: ``"lean"``.
        opening: What stands before the statement: ``"theorem asked : "``.
    """
    comment = "(* {} *)" if language == "coq" else "-- {}"
    end = "." if language == "coq" else ""

    def blocks(problem: JSON) -> str:
        shown = listings.fenced(f"{opening}{problem['statement']}{end}", language)
        return f"Theorem:\n\n{shown}{definitions(problem, language)}"

    def one_block(problem: JSON) -> str:
        parts = [comment.format("to prove"), f"{opening}{problem['statement']}{end}"]
        if problem["preamble"]:
            parts = [comment.format("given"), problem["preamble"], "", *parts]
        return listings.fenced("\n".join(parts), language)

    def as_json(problem: JSON) -> str:
        given = {"definitions": listings.lines(problem["preamble"])} if problem["preamble"] else {}
        return json.dumps({**given, "theorem": f"{opening}{problem['statement']}{end}"}, ensure_ascii=False, indent=1)

    def sequent(problem: JSON) -> str:
        rows = (
            [f"  {line}" for line in problem["preamble"].split("\n")] if problem["preamble"] else ["  (no definitions)"]
        )
        return "\n".join(["CONTEXT", *rows, "GOAL", f"  {opening}{problem['statement']}{end}"])

    return Variants(blocks, one_block, as_json, held_out=sequent, name="data")


def definitions(problem: JSON, language: str = "lean") -> str:
    """The definitions in a fenced block, after an empty line.

    Returns an empty text if a problem has no definitions.
    """
    return f"\n\nDefinitions:\n\n{listings.fenced(problem['preamble'], language)}" if problem["preamble"] else ""
