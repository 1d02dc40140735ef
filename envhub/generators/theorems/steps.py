"""Proof steps, independent of language. Each acts on the first open goal.

A step is a kind, the names it uses and the statements or terms it takes:

========== ====================================================================================================
intro      the names, for what is to be assumed
exact      a term proves the goal
apply      a term with holes, which become goals in their order
show       the goal, as the same statement written otherwise
split      a conjunction or an equivalence, both parts
left right of a disjunction
exists     a term, of which the rest is to be shown
exfalso    an absurdity is to be shown instead
have       a name, a statement and the term that proves it
cut        a statement: first the goal from it, then the statement itself
or         the two cases of a term, with a name for either; each begins with ``branch``
some       what a statement says there is gets the first name, what is known of it the second
numbers    induction on the first name, a number, the first goal being of zero; the second begins with ``step``, and the
           other names are for the number before and the hypothesis
lists      the same on a list; the names are for its first member, its rest and the hypothesis
bools      the two cases of a truth value: false, then true
rewrite    an equation, from left to right, everywhere in the goal; ``back``: from right to left
rfl        both sides are the same
ring       both sides are the same by the laws of sums and products
order      both sides are the same sum, in another order
decide     the goal says that two values differ, or how numerals compare, and can be computed
compute    a name and a value of it, a statement about numerals that is false and ends the proof
branch     where a branch of ``or`` begins: its name once more
step       where the second goal of an induction begins: its names once more
========== ====================================================================================================
"""

from __future__ import annotations

from dataclasses import dataclass

from envhub.generators.theorems.syntax import Expr


@dataclass(frozen=True, slots=True)
class Step:
    """One of them.

    Attributes:
        kind: Which.
        names: What it names, or works on.
        terms: What it takes.
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
    """Write the goal otherwise."""
    return Step("show", (), (goal,))


def rewrite(equation: Expr, *, back: bool = False) -> Step:
    """Use an equation."""
    return Step("back" if back else "rewrite", (), (equation,))
