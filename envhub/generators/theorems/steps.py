"""Proof steps, independent of language. Each acts on the first open goal.

A step is a kind, the names it uses and the statements or terms it takes:

========== ====================================================================================================
intro      the names of the assumptions
exact      a term proves the goal
apply      a term with holes, which become goals in order
show       the goal, in another notation
split      both parts of a conjunction or an equivalence
left right of a disjunction
exists     a witness; the rest is the new goal
exfalso    replaces the goal by an absurdity
have       a name, a statement and the term that proves it
cut        a statement: first prove the goal from it, then itself
or         the two cases of a term, each with a name; each begins with ``branch``
some       the witness of an existential gets the first name, its property the second
numbers    induction on the first name, a number, the first goal being of zero; the second begins with ``step``, and the
           other names are for the number before and the hypothesis
lists      the same on a list; the names are for its first member, its rest and the hypothesis
bools      the two cases of a truth value: false, then true
rewrite    by an equation, everywhere in the goal, left to right; ``back``: right to left
rfl        both sides are equal
ring       both sides are equal by the laws of sums and products
order      both sides are the same sum, reordered
decide     the goal says that two values differ, or how numerals compare, and can be computed
compute    a name and a value of it, a statement about numerals that is false and ends the proof
branch     start of a branch of ``or``: its name again
step       start of the second goal of an induction: its names again
========== ====================================================================================================
"""

from __future__ import annotations

from dataclasses import dataclass

from envhub.generators.theorems.syntax import Expr


@dataclass(frozen=True, slots=True)
class Step:
    """A proof step.

    Attributes:
        kind: Which.
        names: Names it introduces or uses.
        terms: Its terms.
    """

    kind: str
    names: tuple[str, ...] = ()
    terms: tuple[Expr, ...] = ()


def intro(*names: str) -> Step:
    """Assume."""
    return Step("intro", names)


def exact(term: Expr) -> Step:
    """End a goal by a term."""
    return Step("exact", (), (term,))


def apply(term: Expr) -> Step:
    """The holes of a term become goals."""
    return Step("apply", (), (term,))


def have(name: str, statement: Expr, term: Expr) -> Step:
    """Name what a term proves."""
    return Step("have", (name,), (statement, term))


def show(goal: Expr) -> Step:
    """Restate the goal."""
    return Step("show", (), (goal,))


def rewrite(equation: Expr, *, back: bool = False) -> Step:
    """Use an equation."""
    return Step("back" if back else "rewrite", (), (equation,))
