"""Decides whether two first-order formulas agree in every small world.

The size of the worlds is given. For a fixed number of people a formula is propositional: "the two differ" is written as
clauses, and a clause-learning solver finds a world where they do, or proves that they never do. Its steps are counted,
so the same formulas always get the same result::

    agree(one, other, {"Happy": 1, "ann": 0}, size=2)      # True, False, or None: out of steps
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from typing import Final

from envhub.generators.theorems.syntax import Expr
from envhub.verifiers.proofs.scopes import TooLarge, inside

STEPS: Final = 300_000
"""Maximum number of clauses visited per question."""
GATES: Final = 12_000
"""Maximum number of parts of both formulas, written out for all people."""


def agree(one: Expr, other: Expr, signature: Mapping[str, int], size: int) -> bool | None:
    """Whether two formulas agree in every world of ``size`` people.

    None if undecided.

    Args:
        one: A formula.
        other: Another.
        signature: Predicates and names, with their numbers of arguments; at least one name.
        size: Number of people.
    """
    names = [name for name, places in signature.items() if not places]
    try:
        forms = [inside(each, names[0])[0] for each in (one, other)]
        open_question = False
        # people are interchangeable: a name is one of the previous names' people, or the next
        for persons in product(range(size), repeat=len(names)):
            if any(person > max(persons[:at], default=-1) + 1 for at, person in enumerate(persons)):
                continue
            found = _agree(forms, dict(zip(names, persons, strict=True)), size)
            if found is False:
                return False
            open_question = open_question or found is None
    except (TooLarge, RecursionError):
        return None
    return None if open_question else True


def _agree(forms: list[Expr], who: Mapping[str, int], size: int) -> bool | None:
    circuit = _Circuit(size)
    one, other = (circuit.gate(form, dict(who)) for form in forms)
    if one == other:
        return True
    if one == -other:
        return False
    circuit.clauses += [[one, other], [-one, -other]]
    found = _satisfiable(circuit.clauses, circuit.count)
    return None if found is None else not found


class _Circuit:
    """Formulas as gates, defined by clauses; equal parts share a gate.

    Gate 1 is true.
    """

    def __init__(self, size: int) -> None:
        self.count = 1
        self.clauses: list[list[int]] = [[1]]
        self._people = range(size)
        self._gates: dict[object, int] = {}
        self._seen: dict[object, int] = {}
        self._free: dict[int, tuple[str, ...]] = {}

    def gate(self, claim: Expr, who: dict[str, int]) -> int:
        """The gate of a formula, with people for its names.

        Negative for its negation.
        """
        asked = (id(claim), *(who[name] for name in self._names(claim)))
        known = self._seen.get(asked)
        if known is None:
            if len(self._seen) > 4 * GATES:
                raise TooLarge
            known = self._seen[asked] = self._made(claim, who)
        return known

    def _names(self, claim: Expr) -> tuple[str, ...]:
        """The free names, in order.

        Formulas outlive the circuit, so their ids stay unique.
        """
        names = self._free.get(id(claim))
        if names is None:
            own = {claim.name} if claim.op == "var" else set()
            own = own.union(*map(self._names, claim.args)) - ({claim.name} if claim.op in ("all", "ex") else set())
            names = self._free[id(claim)] = tuple(sorted(own))
        return names

    def _made(self, claim: Expr, who: dict[str, int]) -> int:
        op, args = claim.op, claim.args
        match op:
            case "true" | "false":
                return 1 if op == "true" else -1
            case "call":
                return self._named((claim.name, *(who[arg.name] for arg in args)))
            case "not":
                return -self.gate(args[0], who)
            case "and" | "or":
                parts = [self.gate(arg, who) for arg in args]
            case "all" | "ex":
                parts = [self.gate(args[0], {**who, claim.name: person}) for person in self._people]
            case _:
                raise ValueError(f"{op} is not part of a formula whose quantifiers were moved inwards")
        return self._all(parts) if op in ("and", "all") else -self._all([-part for part in parts])

    def _named(self, what: object) -> int:
        if what not in self._gates:
            self.count += 1
            if self.count > GATES:
                raise TooLarge
            self._gates[what] = self.count
        return self._gates[what]

    def _all(self, parts: list[int]) -> int:
        """The gate that is true if all of these are."""
        several = frozenset(parts) - {1}
        if not several:
            return 1
        if -1 in several or any(-part in several for part in several):
            return -1
        if len(several) == 1:
            return next(iter(several))
        before = self.count
        gate = self._named(several)
        if self.count > before:
            ordered = sorted(several)
            self.clauses += [[-gate, part] for part in ordered]
            self.clauses.append([gate, *(-part for part in ordered)])
        return gate


def _satisfiable(clauses: list[list[int]], count: int) -> bool | None:
    """Whether some assignment satisfies every clause; None when out of steps."""
    return _Solver(clauses, count).solve()


class _Solver:
    """Unit propagation with two watched literals, learning from each conflict.

    The most active variable is decided first.
    """

    def __init__(self, clauses: list[list[int]], count: int) -> None:
        self._steps = STEPS
        self._value = [0] * (count + 1)
        self._level = [0] * (count + 1)
        self._reason: list[list[int] | None] = [None] * (count + 1)
        self._active = [0.0] * (count + 1)
        self._bump = 1.0
        self._trail: list[int] = []
        self._starts: list[int] = []
        self._done = 0
        self._watched: dict[int, list[list[int]]] = {}
        self._units = [clause[0] for clause in clauses if len(clause) == 1]
        for clause in clauses:
            if len(clause) > 1:
                self._watch(list(clause))

    def solve(self) -> bool | None:
        """Whether there is a satisfying assignment."""
        for unit in self._units:
            if self._holds(unit) is False:
                return False
            self._set(unit, None)
        while self._steps > 0:
            conflict = self._propagated()
            if conflict is not None:
                if not self._starts:
                    return False
                self._learn(conflict)
                continue
            free = [var for var in range(1, len(self._value)) if not self._value[var]]
            self._steps -= len(free) // 16
            if not free:
                return True
            self._starts.append(len(self._trail))
            self._set(-max(free, key=self._active.__getitem__), None)
        return None

    def _holds(self, literal: int) -> bool | None:
        value = self._value[abs(literal)]
        return None if not value else (value > 0) == (literal > 0)

    def _watch(self, clause: list[int]) -> None:
        for literal in clause[:2]:
            self._watched.setdefault(literal, []).append(clause)

    def _set(self, literal: int, reason: list[int] | None) -> None:
        var = abs(literal)
        if self._value[var]:
            return
        self._value[var] = 1 if literal > 0 else -1
        self._level[var], self._reason[var] = len(self._starts), reason
        self._trail.append(literal)

    def _propagated(self) -> list[int] | None:
        """A clause that the propagated assignments falsify, or None."""
        while self._done < len(self._trail):
            false = -self._trail[self._done]
            self._done += 1
            watching, self._watched[false] = self._watched.get(false, []), []
            for at, clause in enumerate(watching):
                self._steps -= 1
                if clause[0] == false:
                    clause[0], clause[1] = clause[1], clause[0]
                if self._holds(clause[0]):
                    self._watched[false].append(clause)
                    continue
                other = next((i for i in range(2, len(clause)) if self._holds(clause[i]) is not False), None)
                if other is not None:
                    clause[1], clause[other] = clause[other], clause[1]
                    self._watched.setdefault(clause[1], []).append(clause)
                    continue
                self._watched[false].append(clause)
                if self._holds(clause[0]) is False:
                    self._watched[false] += watching[at + 1 :]
                    return clause
                self._set(clause[0], clause)
        return None

    def _learn(self, conflict: list[int]) -> None:
        """Learn the clause of the first unique implication point.

        Backjump to where it becomes a unit.
        """
        now, seen, learned, open_, at = len(self._starts), set[int](), list[int](), 0, len(self._trail)
        clause: list[int] | None = conflict
        pivot = 0
        while True:
            for literal in clause or ():
                var = abs(literal)
                if literal == pivot or var in seen or not self._level[var]:
                    continue
                seen.add(var)
                self._active[var] += self._bump
                self._steps -= 1
                if self._level[var] == now:
                    open_ += 1
                else:
                    learned.append(literal)
            while True:
                at -= 1
                if abs(self._trail[at]) in seen:
                    break
            pivot = self._trail[at]
            open_ -= 1
            if not open_:
                break
            clause = self._reason[abs(pivot)]
        self._bump *= 1.05
        learned.sort(key=lambda literal: -self._level[abs(literal)])
        back = self._level[abs(learned[0])] if learned else 0
        for literal in self._trail[self._starts[back] :]:
            self._value[abs(literal)] = 0
        del self._trail[self._starts[back] :]
        del self._starts[back:]
        self._done = len(self._trail)
        new = [-pivot, *learned]
        if len(new) > 1:
            self._watch(new)
        self._set(-pivot, new if learned else None)
