"""How Lean 4 writes theorems and proofs.

Names are shared by its own library and the small core library of tests.
"""

from __future__ import annotations

from typing import Final

from envhub.generators.theorems.language import Form, Language, Sign
from envhub.generators.theorems.standard_lemmas import LEMMAS

_SUMS: Final = "Nat.add_assoc, Nat.add_comm, Nat.add_left_comm"
_RING: Final = (
    "Nat.zero_mul, Nat.mul_zero, Nat.zero_add, Nat.add_zero, Nat.mul_add, Nat.add_mul, Nat.mul_one, Nat.one_mul, "
    f"Nat.mul_assoc, Nat.mul_comm, Nat.mul_left_comm, {_SUMS}"
)

LEAN: Final = Language(
    header="",
    signs={
        "imp": Sign("→", 25, 26, 25),
        "iff": Sign("↔", 20, 21, 21),
        "or": Sign("∨", 30, 31, 30),
        "and": Sign("∧", 35, 36, 35),
        "eq": Sign("=", 50, 51, 51),
        "le": Sign("≤", 50, 51, 51),
        "lt": Sign("<", 50, 51, 51),
        "dvd": Sign("∣", 50, 51, 51),
        "plus": Sign("+", 65, 65, 66),
        "times": Sign("*", 70, 70, 71),
        "append": Sign("++", 65, 65, 66),
        "cons": Sign("::", 67, 68, 67),
    },
    words={
        "true": "True",
        "false": "False",
        "nil": "[]",
        "yes": "true",
        "no": "false",
        "bool_type": "Bool",
        "hole": "?_",
    },
    forms={"succ": Form(65, "{} + 1"), "if": Form(1000, "cond {} {} {}")},
    binders={"all": "∀ ", "ex": "∃ ", "lam": "fun "},
    negation=("¬", 1000, 1024),
    sorts={"List": "List Nat"},
    arrow="→",
    body=" =>",
    lemmas={name: lemma.lean for name, lemma in LEMMAS.items()},
    tactics={
        "intro": ("intro {names}",),
        "exact": ("exact {terms[0]}",),
        "show": ("show {terms[0]}",),
        "apply": ("refine {terms[0]}",),
        "split": ("constructor",),
        "left": ("left",),
        "right": ("right",),
        "exfalso": ("exfalso",),
        "rfl": ("rfl",),
        "decide": ("decide",),
        "exists": ("refine Exists.intro {arguments[0]} ?_",),
        "have": ("have {names} : {terms[0]} := {terms[1]}",),
        "cut": ("refine (?_ : ({terms[0]}) → _) ?_",),
        "or": ("refine Or.elim {arguments[0]} ?_ ?_",),
        "branch": ("intro {names}",),
        "some": ("refine Exists.elim {arguments[0]} ?_", "intro {names}"),
        "numbers": ("induction {names[0]}",),
        "lists": ("induction {names[0]}",),
        "step": ("rename_i {names}",),
        "bools": ("cases {names}",),
        "rewrite": ("rewrite [{terms[0]}]",),
        "back": ("rewrite [← {terms[0]}]",),
        "ring": (f"simp only [{_RING}]",),
        "order": (f"simp only [{_SUMS}]",),
        "compute": ("exact absurd ({terms[0]}) (by decide)",),
    },
    constructors={"Nat": ("Nat.zero", "Nat.succ n"), "List": ("[]", "x :: xs")},
    argument=", {name}",
    definition="def {name} : {sort}\n  | {base_pattern}{arguments} => {base}\n  | {step_pattern}{arguments} => {step}",
    theorem="theorem {name} : {claim} := by\n{tactics}",
)
