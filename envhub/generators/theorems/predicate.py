"""First-order logic: claims built forwards, by rules from premises to a goal.

Each step derives a new fact from known ones, by a rule that becomes a premise with its elements generalised. Rules
derive an atom or an existential, or require a general statement themselves. Facts unused by the last one are dropped,
and no chain of fewer rounds of rules than a level requires leads to it. A false look-alike lacks one premise, refuted
by an interpretation with two elements.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from itertools import product

from envhub.core.seeding import Stream
from envhub.generators.theorems.chase import Atom, Rule, least, rounds
from envhub.generators.theorems.interpretations import VALUES, Interpretation, Table
from envhub.generators.theorems.sketch import Sketch
from envhub.generators.theorems.steps import Step, exact, have, intro
from envhub.generators.theorems.syntax import TYPE, Expr, Sort, call, closed, every, names_in, replaced, some, var

A: Sort = ("A",)
_UNARY = ["P", "Q", "S", "U", "V", "W", "C", "D"]
_BINARY = ["R", "T", "L", "M", "N", "H"]
_ROOM, _INTERPRETATIONS = 300, 3
_BOUND = ["x", "y", "z", "u", "v", "w"]
_INNER, _THERE = "t", "s"


@dataclass(frozen=True, slots=True)
class _Fact:
    """A derived statement with its sources.

    Name, statement, source facts and premise, and steps that name it.
    """

    name: str
    says: Expr
    parents: tuple[str, ...]
    premise: str
    steps: tuple[Step, ...]


def sketch(rng: Stream, level: int, *, holds: bool) -> Sketch | None:
    """A claim of about the requested length, or None."""
    work = _Forward(rng, level)
    for _ in range(rng.between(2 * level, 2 * level + 4)):
        work.extend()
    last = work.facts[-1]
    needed = _needed(work.facts, last)
    kept = [fact for fact in work.facts if fact.name in needed]
    used = {fact.premise for fact in kept}
    premises = [(name, says) for name, says in work.premises.items() if name in used]
    rng.shuffle(premises)
    goal = last.says
    unknown = [name for name in work.found if name in names_in(goal)]
    steps: list[Step] = [step for fact in kept for step in fact.steps]
    for name in unknown:
        steps.append(Step("exists", (), (var(name),)))
    bound = {name: work.name("z") for name in unknown}
    goal = replaced(goal, {name: var(new) for name, new in bound.items()})
    for name in reversed(unknown):
        goal = some(bound[name], A, goal)
    steps.append(exact(var(last.name)))
    rules = [work.rules[name] for name, _ in premises if name in work.rules]
    given = [_atom(says) for name, says in premises if name not in work.rules]
    if not holds:
        return _refuted(work, premises, goal, len(steps))
    shape = _atom(last.says)
    open_to = [name in unknown for name in shape[1:]]
    far = min(len(steps), 3 + 2 * level // 3)  # automation searches to a fixed depth
    if rounds(rules, given, partial(_fits, shape=shape, open_to=open_to), far, _ROOM) < far:
        return None
    names = _names(work, [says for _, says in premises] + [goal])
    claim = closed(names, [says for _, says in premises], goal)
    first = intro(*(name for name, _ in names), *(name for name, _ in premises))
    return Sketch(claim, (first, *steps), len(steps))


def _atom(says: Expr) -> Atom:
    return (says.name, *(arg.name for arg in says.args))


def _fits(atom: Atom, shape: Atom, open_to: list[bool]) -> bool:
    """Whether it states the goal.

    Existential elements may be any, but equal ones equal.
    """
    if atom[0] != shape[0]:
        return False
    values: dict[str, str] = {}
    for mine, wanted, free in zip(atom[1:], shape[1:], open_to, strict=True):
        if mine != (values.setdefault(wanted, mine) if free else wanted):
            return False
    return True


def _names(work: _Forward, parts: list[Expr]) -> list[tuple[str, Sort]]:
    inside = set().union(*map(names_in, parts))
    sorts = {name: (*A * width, "Prop") for name, width in work.predicates.items()} | dict.fromkeys(work.given, A)
    return [("A", TYPE), *((name, sort) for name, sort in sorts.items() if name in inside)]


def _needed(facts: list[_Fact], last: _Fact) -> set[str]:
    needed = {last.name}
    for fact in reversed(facts):
        if fact.name in needed:
            needed |= set(fact.parents)
    return needed


def _refuted(work: _Forward, premises: list[tuple[str, Expr]], goal: Expr, effort: int) -> Sketch | None:
    """The claim without one premise, and an interpretation that refutes it.

    None if not found.
    """
    for _ in range(_INTERPRETATIONS):
        out = work.rng.below(len(premises))
        kept = [pair for at, pair in enumerate(premises) if at != out]
        parts = [says for _, says in kept]
        names = _names(work, [*parts, goal])
        values = {name: work.rng.choice(VALUES) for name, sort in names if sort == A}
        places = {name: value.op for name, value in values.items()}
        given = [tuple(places.get(each, each) for each in _atom(says)) for name, says in kept if name not in work.rules]
        rules = [work.rules[name] for name, _ in kept if name in work.rules]
        inner = goal
        while inner.op == "ex":
            inner = inner.args[0]
        shape = tuple(places.get(each, each) for each in _atom(inner))
        open_to = [each not in ("yes", "no") for each in shape[1:]]
        wrong = partial(_fits, shape=shape, open_to=open_to)
        atoms = least(rules, given, lambda: work.rng.choice(("no", "yes")), wrong)
        if atoms is None:
            continue
        interpretation = Interpretation(work.name, _tables(atoms, work.predicates))
        whole = replaced(closed([], parts, goal), values)
        if not interpretation.true(whole):
            terms = [
                Expr("bool_type") if sort == TYPE else _value(interpretation, name, values) for name, sort in names
            ]
            steps = interpretation.refutation(whole, call("k", *terms))
            return Sketch(closed(names, parts, goal), (intro("k"), *steps), effort)
    return None


def _tables(atoms: set[Atom], predicates: dict[str, int]) -> dict[str, Table]:
    places = {width: list(product(("no", "yes"), repeat=width)) for width in (1, 2)}
    return {name: {at: (name, *at) in atoms for at in places[width]} for name, width in predicates.items()}


def _value(interpretation: Interpretation, name: str, values: dict[str, Expr]) -> Expr:
    return values[name] if name in values else interpretation.predicate(name)


class _Forward:
    """The facts known so far, and the premises used."""

    def __init__(self, rng: Stream, level: int) -> None:
        self.rng = rng
        self.level = level
        self.counts: dict[str, int] = {}
        self.predicates: dict[str, int] = {}
        self.premises: dict[str, Expr] = {}
        self.rules: dict[str, Rule] = {}
        self.facts: list[_Fact] = []
        self.given = ["a", "b"][: 1 + (level >= 3)]
        self.found: list[str] = []
        unary = rng.sample(_UNARY, len(_UNARY))[: 3 + level // 2]
        binary = rng.sample(_BINARY, len(_BINARY))[: 1 + level // 2]
        self.predicates = dict.fromkeys(unary, 1) | dict.fromkeys(binary, 2)
        for name in self.given:
            self._assume(call(unary[self.given.index(name)], var(name)))

    def name(self, start: str) -> str:
        """A fresh name."""
        self.counts[start] = self.counts.get(start, 0) + 1
        return f"{start}{self.counts[start]}"

    def _assume(self, says: Expr) -> None:
        name = self.name("h")
        self.premises[name] = says
        self.facts.append(_Fact(name, says, (), name, ()))

    def _known(self, says: Expr) -> bool:
        return any(fact.says == says for fact in self.facts)

    def _new(self, elements: list[str]) -> Expr | None:
        """An unknown atom about some of the elements, or None."""
        for _ in range(8):
            name = self.rng.choice(list(self.predicates))
            args = [self.rng.choice(elements) for _ in range(self.predicates[name])]
            says = call(name, *map(var, args))
            if not self._known(says):
                return says
        return None

    def extend(self) -> None:
        """A new fact, from the last one and perhaps an earlier one."""
        said = [fact for fact in self.facts if fact.says.op == "call"]
        parents = said[-1:]
        if len(said) > 1 and self.rng.below(2):
            parents.insert(0, self.rng.choice(said[:-1]))
        elements = sorted({name for fact in parents for name in names_in(fact.says) - self.predicates.keys()})
        kind = self.rng.below(4)
        if kind == 0 and self.level >= 2 and len(self.found) < 1 + self.level // 2:
            self._something(parents, elements)
        elif kind == 1 and self.level >= 4:
            self._general(parents, elements)
        else:
            self._rule(parents, elements)

    def _generalised(self, elements: list[str], parts: list[Expr], goal: Expr) -> Expr:
        values = dict(zip(elements, _BOUND, strict=False))
        terms = {name: var(new) for name, new in values.items()}
        names = [(values[name], A) for name in elements]
        return closed(names, [replaced(part, terms) for part in parts], replaced(goal, terms))

    def _premise(self, says: Expr, parents: list[_Fact], head: Expr, there: str = "") -> str:
        name = self.name("h")
        self.premises[name] = says
        body = tuple(_atom(fact.says) for fact in parents if fact.says.op == "call")
        self.rules[name] = Rule(body, _atom(head), there)
        return name

    def _rule(self, parents: list[_Fact], elements: list[str]) -> None:
        says = self._new(elements)
        if says is None:
            return
        rule = self._premise(self._generalised(elements, [fact.says for fact in parents], says), parents, says)
        term = call(rule, *map(var, elements), *(var(fact.name) for fact in parents))
        self._add(says, parents, rule, term)

    def _add(self, says: Expr, parents: list[_Fact], rule: str, term: Expr) -> None:
        name = self.name("f")
        self.facts.append(_Fact(name, says, tuple(fact.name for fact in parents), rule, (have(name, says, term),)))

    def _something(self, parents: list[_Fact], elements: list[str]) -> None:
        """An existential fact."""
        there = self.name("y")
        binary = self.rng.choice([name for name, width in self.predicates.items() if width == 2])
        element = self.rng.choice(elements)
        says = call(binary, *(var(each) for each in self.rng.sample([element, there], 2)))
        goal = some(_THERE, A, replaced(says, {there: var(_THERE)}))
        rule = self._premise(self._generalised(elements, [fact.says for fact in parents], goal), parents, says, there)
        term = call(rule, *map(var, elements), *(var(fact.name) for fact in parents))
        name = self.name("f")
        self.found.append(there)
        step = Step("some", (there, name), (term,))
        self.facts.append(_Fact(name, says, tuple(fact.name for fact in parents), rule, (step,)))

    def _general(self, parents: list[_Fact], elements: list[str]) -> None:
        """A rule that requires a general statement, provided by an earlier rule."""
        says = self._new(elements)
        earlier = [
            (name, rule)
            for name, rule in self.premises.items()
            if rule.op == "all" and rule.args[0].op == "imp" and rule.args[0].args[1].op == "call"
        ]
        if says is None or not earlier:
            return
        name, general = self.rng.choice(earlier)
        part = every(_INNER, A, replaced(general.args[0], {general.name: var(_INNER)}))
        whole = self._generalised(elements, [part, *(fact.says for fact in parents)], says)
        rule = self._premise(whole, parents, says)
        term = call(rule, *map(var, elements), var(name), *(var(fact.name) for fact in parents))
        source = _Fact(name, general, (), name, ())
        if all(fact.name != name for fact in self.facts):
            self.facts.insert(0, source)
        self._add(says, [*parents, source], rule, term)
