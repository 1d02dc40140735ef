"""How Coq writes theorems and proofs.

With the part of its standard library that ``Arith``, ``List`` and ``Lia`` import.
"""

from __future__ import annotations

from typing import Final

from envhub.generators.theorems.language import Form, Language, Sign
from envhub.generators.theorems.standard_lemmas import LEMMAS

COQ: Final = Language(
    header="Require Import Arith List Lia.\nImport ListNotations.\n",
    signs={
        "imp": Sign("->", 25, 26, 25),
        "iff": Sign("<->", 27, 28, 28),
        "or": Sign("\\/", 30, 31, 30),
        "and": Sign("/\\", 35, 36, 35),
        "eq": Sign("=", 50, 51, 51),
        "le": Sign("<=", 50, 51, 51),
        "lt": Sign("<", 50, 51, 51),
        "plus": Sign("+", 65, 65, 66),
        "times": Sign("*", 70, 70, 71),
        "append": Sign("++", 62, 63, 62),
        "cons": Sign("::", 62, 63, 62),
    },
    words={
        "true": "True",
        "false": "False",
        "nil": "[]",
        "yes": "true",
        "no": "false",
        "bool_type": "bool",
        "hole": "_",
    },
    forms={
        "succ": Form(1000, "S {}"),
        "if": Form(1, "if {} then {} else {}"),
        "dvd": Form(1000, "Nat.divide {} {}"),
    },
    binders={"all": "forall ", "ex": "exists ", "lam": "fun "},
    negation=("~ ", 45, 1000),
    sorts={"Nat": "nat", "List": "list nat", "Bool": "bool"},
    arrow="->",
    body=" =>",
    lemmas={name: lemma.coq + lemma.inferred * " _" for name, lemma in LEMMAS.items()},
    tactics={
        "intro": ("intros {names}.",),
        "exact": ("exact {arguments[0]}.",),
        "show": ("change ({terms[0]}).",),
        "apply": ("refine {arguments[0]}.",),
        "split": ("split.",),
        "left": ("left.",),
        "right": ("right.",),
        "exfalso": ("exfalso.",),
        "rfl": ("reflexivity.",),
        "decide": ("vm_compute.", "first [discriminate | lia]."),
        "exists": ("exists {arguments[0]}.",),
        "have": ("pose proof ({terms[1]} : {terms[0]}) as {names}.",),
        "cut": ("cut ({terms[0]}).",),
        "or": ("destruct {arguments[0]} as [{names[0]} | {names[1]}].",),
        "branch": (),
        "some": ("destruct {arguments[0]} as [{names}].",),
        "numbers": ("induction {names[0]} as [| {names:1}].",),
        "lists": ("induction {names[0]} as [| {names:1}].",),
        "step": (),
        "bools": ("destruct {names}; swap 1 2.",),
        "rewrite": ("rewrite {arguments[0]}.",),
        "back": ("rewrite <- {arguments[0]}.",),
        "ring": ("ring.",),
        "order": ("ring.",),
        "compute": ("pose proof {arguments[0]} as c.", "vm_compute in c.", "first [discriminate c | lia]."),
    },
    constructors={"Nat": ("O", "S n"), "List": ("[]", "x :: xs")},
    argument=" ({name} : {sort})",
    definition=(
        "Fixpoint {name} ({first} : {first_sort}){arguments} : {result_sort} :=\n"
        "  match {first} with\n  | {base_pattern} => {base}\n  | {step_pattern} => {step}\n  end."
    ),
    theorem="Theorem {name} : {claim}.\nProof.\n{tactics}Qed.\n",
)
