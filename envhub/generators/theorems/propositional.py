"""Propositional logic: claims built backwards from a derivation in natural deduction.

Whatever a step of the derivation lacks becomes a premise, so the claim is true by construction; a truth table shows
that no premise is redundant. So removing one makes a claim that is false, with a valuation that shows it. From level 4
on premises have disjunctions and conjunctions of second order (``∀ r : Prop, (a → r) → (b → r) → r``), which no
procedure for propositional logic decides.
"""

from __future__ import annotations

from collections.abc import Callable

from envhub.core.seeding import Stream
from envhub.generators.theorems.interpretations import HOLE, Interpretation
from envhub.generators.theorems.sketch import Sketch
from envhub.generators.theorems.steps import Step, apply, exact, intro
from envhub.generators.theorems.syntax import FALSE, PROP, TRUE, Expr, call, closed, imp, lemma, no, replaced, var
from envhub.generators.theorems.valuations import both, either, spelled, truth

_LETTERS = ["p", "q", "s", "u", "v", "w", "a", "b", "c", "d", "e", "g", "i", "j", "l", "m"]
_SECOND_ORDER = 4
Known = tuple[tuple[str, Expr], ...]


def sketch(rng: Stream, level: int, *, holds: bool) -> Sketch | None:
    """A claim of about the requested length, or None."""
    atoms = _LETTERS[: 3 + level + level // 3]
    work = _Derivation(rng, level, atoms)
    goal = work.formula(1 + level // 4)
    work.prove(goal, rng.between(level // 2, level), ())
    premises = list(work.premises.items())
    rng.shuffle(premises)
    masks = [truth(premise, atoms) for _, premise in premises]
    against = truth(no(goal), atoms)
    without = [_all(masks[:at] + masks[at + 1 :], against) for at in range(len(masks))]
    if not premises or not all(without) or _all(masks, against) or not _all(masks, (1 << (1 << len(atoms))) - 1):
        return None
    used = [name for name in atoms if any(_mentions(part, name) for part in [goal, *work.premises.values()])]
    bound = [(name, PROP) for name in used]
    if holds:
        claim = spelled(closed(bound, [premise for _, premise in premises], goal))
        steps = [intro(*used, *(name for name, _ in premises)), *work.steps]
        return Sketch(claim, tuple(steps), len(work.steps))
    out = rng.below(len(premises))
    kept = [premise for at, (_, premise) in enumerate(premises) if at != out]
    still = [name for name in used if any(_mentions(part, name) for part in [goal, *kept])]
    world = without[out] & -without[out]
    values = {name: TRUE if world & truth(var(name), atoms) else FALSE for name in still}
    matrix = closed([], kept, goal)
    claim = spelled(closed([(name, PROP) for name in still], kept, goal))
    given = call("k", *(values[name] for name in still))
    refuted = Interpretation(work.name).refutation(replaced(matrix, values), given)
    return Sketch(claim, (intro("k"), *refuted), len(work.steps))


def _all(masks: list[int], start: int) -> int:
    for mask in masks:
        start &= mask
    return start


def _mentions(expr: Expr, name: str) -> bool:
    return (expr.op == "var" and expr.name == name) or any(_mentions(arg, name) for arg in expr.args)


class _Derivation:
    """A derivation under construction: premises so far, and steps."""

    def __init__(self, rng: Stream, level: int, atoms: list[str]) -> None:
        self.rng = rng
        self.level = level
        self.atoms = list(atoms)
        self.spare = list(atoms)
        rng.shuffle(self.spare)
        self.premises: dict[str, Expr] = {}
        self.steps: list[Step] = []
        self.counts: dict[str, int] = {}
        self.used: set[str] = set()
        self.due: list[Callable[[Expr, int, Known], None]] = []
        if level >= _SECOND_ORDER + 2:  # one split is hidden from rewriting, one from first-order procedures
            self.due = [self._cases, *[self._cases_of_second_order] * (level // 4)]
            rng.shuffle(self.due)

    def name(self, start: str) -> str:
        """A fresh name."""
        self.counts[start] = self.counts.get(start, 0) + 1
        return f"{start}{self.counts[start]}"

    def atom(self) -> Expr:
        """A letter, preferably unused."""
        if self.spare and self.rng.below(5):
            return var(self.spare.pop())
        return var(self.rng.choice(self.atoms))

    def formula(self, depth: int) -> Expr:
        """A random proposition."""
        kind = self.rng.choice(["atom", "and", "or", "imp", "iff", "not"]) if depth > 0 else "atom"
        if kind == "atom":
            return self.atom()
        if kind == "not":
            return no(self.atom())
        return Expr(kind, (self.formula(depth - 1), self.formula(depth - 2)))

    def assume(self, premise: Expr) -> str:
        """The name of a premise, added if new."""
        for name, known in self.premises.items():
            if known == premise:
                return name
        name = self.name("h")
        self.premises[name] = premise
        return name

    def prove(self, goal: Expr, budget: int, known: Known) -> None:
        """Steps that prove a goal, adding the premises they need."""
        introduced = {
            "and": self._conjunction,
            "or": self._disjunction,
            "imp": self._implication,
            "iff": self._equivalence,
            "not": self._negation,
        }
        if goal.op in introduced and self.rng.below(8):
            introduced[goal.op](goal, budget - 1, known)
        elif self.due:
            self.due.pop()(goal, budget - 1, known)
        elif budget <= 0:
            self._close(goal, known)
        else:
            moves: list[Callable[[Expr, int, Known], None]] = [self._chain, self._chain, self._pair, self._part]
            if self.level >= 2:
                moves += [self._cases, self._nested, self._iff]
            if known and self.level >= 3:  # without an assumption the premises would be contradictory
                moves += [self._absurdity]
            if self.level >= _SECOND_ORDER:
                moves += [self._cases_of_second_order, self._part_of_second_order, self._cases_of_second_order]
            self.rng.choice(moves)(goal, budget - 1, known)

    # -- introductions -------------------------------------------------------------------------------------------------

    def _split(self, budget: int) -> tuple[int, int]:
        first = self.rng.between(0, budget) if budget > 0 else 0
        return first, budget - first

    def _conjunction(self, goal: Expr, budget: int, known: Known) -> None:
        self.steps.append(Step("split"))
        for part, share in zip(goal.args, self._split(budget), strict=True):
            self.prove(part, share, known)

    def _disjunction(self, goal: Expr, budget: int, known: Known) -> None:
        side = self.rng.below(2)
        self.steps.append(Step(("left", "right")[side]))
        self.prove(goal.args[side], budget, known)

    def _implication(self, goal: Expr, budget: int, known: Known) -> None:
        assumed, concluded = goal.args
        name = self.name("x")
        self.steps.append(intro(name))
        self.prove(concluded, budget, (*known, (name, assumed)))

    def _equivalence(self, goal: Expr, budget: int, known: Known) -> None:
        a, b = goal.args
        self.steps.append(Step("split"))
        first, second = self._split(budget)
        self._implication(imp(a, b), first, known)
        self._implication(imp(b, a), second, known)

    def _negation(self, goal: Expr, budget: int, known: Known) -> None:
        name = self.name("x")
        self.steps.append(intro(name))
        self.prove(FALSE, budget, (*known, (name, goal.args[0])))

    # -- eliminations --------------------------------------------------------------------------------------------------

    def _close(self, goal: Expr, known: Known) -> None:
        for name, statement in known:
            if statement == goal:
                self.used.add(name)
                self.steps.append(exact(var(name)))
                return
        needed = [pair for pair in known[:-1] if pair[0] not in self.used] + list(known[-1:])
        self.used |= {name for name, _ in needed}
        premise = closed([], [statement for _, statement in needed], goal)
        self.steps.append(exact(call(self.assume(premise), *(var(name) for name, _ in needed))))

    def _chain(self, goal: Expr, budget: int, known: Known) -> None:
        middle = self.atom()
        self.steps.append(apply(call(self.assume(imp(middle, goal)), HOLE)))
        self.prove(middle, budget, known)

    def _pair(self, goal: Expr, budget: int, known: Known) -> None:
        a, b = self.atom(), self.atom()
        self.steps.append(apply(call(self.assume(imp(a, imp(b, goal))), HOLE, HOLE)))
        for part, share in zip((a, b), self._split(budget), strict=True):
            self.prove(part, share, known)

    def _part(self, goal: Expr, budget: int, known: Known) -> None:
        middle, other = self.atom(), self.atom()
        side = self.rng.below(2)
        whole = Expr("and", (goal, other) if side == 0 else (other, goal))
        name = self.assume(imp(middle, whole))
        self.steps.append(apply(lemma(("and_left", "and_right")[side], call(name, HOLE))))
        self.prove(middle, budget, known)

    def _nested(self, goal: Expr, budget: int, known: Known) -> None:
        inner = imp(self.atom(), self.atom())
        self.steps.append(apply(call(self.assume(imp(inner, goal)), HOLE)))
        self._implication(inner, budget, known)

    def _iff(self, goal: Expr, budget: int, known: Known) -> None:
        middle = self.atom()
        side = self.rng.below(2)
        name = self.assume(Expr("iff", (middle, goal) if side == 0 else (goal, middle)))
        self.steps.append(apply(lemma(("iff_mp", "iff_mpr")[side], var(name), HOLE)))
        self.prove(middle, budget, known)

    def _absurdity(self, goal: Expr, budget: int, known: Known) -> None:
        middle = self.atom()
        self.steps.append(Step("exfalso"))
        self.steps.append(apply(call(self.assume(no(middle)), HOLE)))
        self.prove(middle, 0, known)

    def _cases(self, goal: Expr, budget: int, known: Known) -> None:
        a, b = self.atom(), self.atom()
        names = self.name("x"), self.name("x")
        self.steps.append(Step("or", names, (var(self.assume(Expr("or", (a, b)))),)))
        for name, part, share in zip(names, (a, b), self._split(budget), strict=True):
            self.steps.append(Step("branch", (name,)))
            self.prove(goal, share, (*known, (name, part)))

    def _cases_of_second_order(self, goal: Expr, budget: int, known: Known) -> None:
        a, b = self.atom(), self.atom()
        premise = either(a, b, self.name("r"))
        self.steps.append(apply(call(self.assume(premise), spelled(goal), HOLE, HOLE)))
        for part, share in zip((a, b), self._split(budget), strict=True):
            name = self.name("x")
            self.steps.append(intro(name))
            self.prove(goal, share, (*known, (name, part)))

    def _part_of_second_order(self, goal: Expr, budget: int, known: Known) -> None:
        middle, a, b = self.atom(), self.atom(), self.atom()
        names = self.name("x"), self.name("x")
        premise = imp(middle, both(a, b, self.name("r")))
        self.steps.append(apply(call(self.assume(premise), HOLE, spelled(goal), HOLE)))
        first, second = self._split(budget)
        self.prove(middle, first, known)
        self.steps.append(intro(*names))
        self.prove(goal, second, (*known, (names[0], a), (names[1], b)))
