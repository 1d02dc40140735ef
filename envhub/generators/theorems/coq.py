"""A theorem as Coq reads it, over the part of its standard library that ``Arith``, ``List`` and ``Lia`` bring."""

from __future__ import annotations

from dataclasses import dataclass

from envhub.generators.theorems.definitions import Function
from envhub.generators.theorems.lemmas import LEMMAS
from envhub.generators.theorems.steps import Step
from envhub.generators.theorems.writing import Language, Sign

HEADER = "Require Import Arith List Lia.\nImport ListNotations.\n"
"""What statements and proofs are read with."""


@dataclass(frozen=True, slots=True)
class _Coq(Language):
    def succ(self, inner: str) -> tuple[int, str]:
        return 1000, f"S {inner}"

    def dvd(self, left: str, right: str) -> tuple[int, str]:
        return 1000, f"Nat.divide {left} {right}"

    def choice(self, condition: str, yes: str, no: str) -> tuple[int, str]:
        return 1, f"if {condition} then {yes} else {no}"

    def lemma(self, name: str, args: list[str]) -> str:
        word, inferred = LEMMAS[name][1]
        return " ".join([word, *["_"] * inferred, *args])


COQ = _Coq(
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
    binders={"all": "forall ", "ex": "exists ", "lam": "fun "},
    negation=("~ ", 45, 1000),
    sorts={"Nat": "nat", "List": "list nat", "Bool": "bool"},
    arrow="->",
    body=" =>",
)


def definition(function: Function) -> str:
    """The definition of a function."""
    lists = function.on == ("List",)
    first, base, step = ("l", "[]", "x :: xs") if lists else ("m", "O", "S n")
    others = "".join(
        f" ({name} : {COQ.sort((sort,))})" for name, sort in zip(function.others, function.sort[1:-1], strict=True)
    )
    return (
        f"Fixpoint {function.name} ({first} : {COQ.sort(function.sort[:1])}){others} : {COQ.sort(function.sort[-1:])} :=\n"
        f"  match {first} with\n  | {base} => {COQ.write(function.base)}\n  | {step} => {COQ.write(function.step)}\n  end."
    )


def lines(step: Step) -> list[str]:
    """A step, as the sentences of tactics that do it."""
    names = " ".join(step.names)
    terms = [COQ.write(term) for term in step.terms]
    bracketed = [COQ.write(term, 1024) for term in step.terms]
    match step.kind:
        case "intro":
            return [f"intros {names}."]
        case "exact":
            return [f"exact {bracketed[0]}."]
        case "show":
            return [f"change ({terms[0]})."]
        case "apply":
            return [f"refine {bracketed[0]}."]
        case "split" | "left" | "right" | "exfalso" | "ring":
            return [f"{step.kind}."]
        case "order":
            return ["ring."]
        case "rfl":
            return ["reflexivity."]
        case "decide":
            return ["vm_compute.", "first [discriminate | lia]."]
        case "exists":
            return [f"exists {bracketed[0]}."]
        case "have":
            return [f"pose proof ({terms[1]} : {terms[0]}) as {names}."]
        case "cut":
            return [f"cut ({terms[0]})."]
        case "or":
            return [f"destruct {bracketed[0]} as [{step.names[0]} | {step.names[1]}]."]
        case "branch":
            return []
        case "some":
            return [f"destruct {bracketed[0]} as [{names}]."]
        case "numbers" | "lists":
            return [f"induction {step.names[0]} as [| {' '.join(step.names[1:])}]."]
        case "step":
            return []
        case "bools":
            return [f"destruct {names}; swap 1 2."]
        case "rewrite":
            return [f"rewrite {bracketed[0]}."]
        case "back":
            return [f"rewrite <- {bracketed[0]}."]
        case "compute":
            return [f"pose proof {bracketed[0]} as c.", "vm_compute in c.", "first [discriminate c | lia]."]
        case _:
            raise ValueError(f"no step is called {step.kind}")
