"""A theorem as Lean 4 reads it, in words that its own library and the small core library of tests share."""

from __future__ import annotations

from dataclasses import dataclass

from envhub.generators.theorems.definitions import Function
from envhub.generators.theorems.lemmas import LEMMAS
from envhub.generators.theorems.steps import Step
from envhub.generators.theorems.writing import Language, Sign

AC = "Nat.add_assoc, Nat.add_comm, Nat.add_left_comm"
RING = (
    "Nat.zero_mul, Nat.mul_zero, Nat.zero_add, Nat.add_zero, Nat.mul_add, Nat.add_mul, Nat.mul_one, Nat.one_mul, "
    f"Nat.mul_assoc, Nat.mul_comm, Nat.mul_left_comm, {AC}"
)


@dataclass(frozen=True, slots=True)
class _Lean(Language):
    def succ(self, inner: str) -> tuple[int, str]:
        return 65, f"{inner} + 1"

    def choice(self, condition: str, yes: str, no: str) -> tuple[int, str]:
        return 1000, f"cond {condition} {yes} {no}"

    def lemma(self, name: str, args: list[str]) -> str:
        return " ".join([LEMMAS[name][0], *args])


LEAN = _Lean(
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
    binders={"all": "∀ ", "ex": "∃ ", "lam": "fun "},
    negation=("¬", 1000, 1024),
    sorts={"List": "List Nat"},
    arrow="→",
    body=" =>",
)


def definition(function: Function) -> str:
    """The definition of a function."""
    base, step = ("[]", "x :: xs") if function.on == ("List",) else ("Nat.zero", "Nat.succ n")
    others = "".join(f", {name}" for name in function.others)
    return (
        f"def {function.name} : {LEAN.sort(function.sort)}\n  | {base}{others} => {LEAN.write(function.base)}\n"
        f"  | {step}{others} => {LEAN.write(function.step)}"
    )


def lines(step: Step) -> list[str]:
    """A step, as the lines of tactics that do it."""
    names = " ".join(step.names)
    terms = [LEAN.write(term) for term in step.terms]
    bracketed = [LEAN.write(term, 1024) for term in step.terms]
    match step.kind:
        case "intro":
            return [f"intro {names}"]
        case "exact" | "show":
            return [f"{step.kind} {terms[0]}"]
        case "apply":
            return [f"refine {terms[0]}"]
        case "split":
            return ["constructor"]
        case "left" | "right" | "exfalso" | "rfl" | "decide":
            return [step.kind]
        case "exists":
            return [f"refine Exists.intro {bracketed[0]} ?_"]
        case "have":
            return [f"have {names} : {terms[0]} := {terms[1]}"]
        case "cut":
            return [f"refine (?_ : ({terms[0]}) → _) ?_"]
        case "or":
            return [f"refine Or.elim {bracketed[0]} ?_ ?_"]
        case "branch":
            return [f"intro {names}"]
        case "some":
            return [f"refine Exists.elim {bracketed[0]} ?_", f"intro {names}"]
        case "numbers" | "lists":
            return [f"induction {step.names[0]}"]
        case "step":
            return [f"rename_i {names}"]
        case "bools":
            return [f"cases {names}"]
        case "rewrite":
            return [f"rewrite [{terms[0]}]"]
        case "back":
            return [f"rewrite [← {terms[0]}]"]
        case "ring":
            return [f"simp only [{RING}]"]
        case "order":
            return [f"simp only [{AC}]"]
        case "compute":
            return [f"exact absurd ({terms[0]}) (by decide)"]
        case _:
            raise ValueError(f"no step is called {step.kind}")
