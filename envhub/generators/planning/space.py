"""Facts as bits: states are integers, actions are masks.

Every fact that a domain allows over given objects has a bit, whose number follows from the order of predicates and objects
alone. So a state means the same in every process::

    space = Space(domain, {"a": "block", "b": "block"})
    state = space.state([("on", "a", "b"), ("clear", "a")])
    action = space.action("unstack", ("a", "b"))
    if action.possible(state):
        state = action.after(state)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from itertools import product
from math import prod
from typing import NamedTuple

from envhub.generators.planning.domains import ANYTHING, Atom, Domain


class Action(NamedTuple):
    """One action over objects, as masks of facts.

    Attributes:
        name: The name of its schema.
        arguments: The objects.
        needs: Facts that must hold.
        bars: Facts that must not hold.
        adds: Facts that hold afterwards.
        deletes: Facts that do not hold afterwards, unless it adds them.
    """

    name: str
    arguments: tuple[str, ...]
    needs: int
    bars: int
    adds: int
    deletes: int

    def possible(self, state: int) -> bool:
        """Whether the preconditions hold in a state."""
        return state & self.needs == self.needs and not state & self.bars

    def after(self, state: int) -> int:
        """The state after it, whether or not it was possible."""
        return state & ~self.deletes | self.adds


class Space:
    """All facts and actions of a domain over some objects.

    Args:
        domain: The kinds of facts and actions.
        objects: The type of every object by name; their order decides the numbers of the bits.
    """

    def __init__(self, domain: Domain, objects: Mapping[str, str]) -> None:
        self.domain, self.objects = domain, objects
        self._of_type = {
            wanted: [name for name, type in objects.items() if domain.is_a(type, wanted)]
            for wanted in (*domain.types, ANYTHING)
        }
        self._places: dict[str, tuple[int, tuple[Mapping[str, int], ...]]] = {}
        self.size = 0
        for predicate in domain.predicates.values():
            stride, slots = 1, []
            for type in reversed(predicate.types):
                names = self._of_type[type]
                slots.append({name: at * stride for at, name in enumerate(names)})
                stride *= len(names)
            self._places[predicate.name] = self.size, tuple(reversed(slots))
            self.size += stride

    def named(self, type: str) -> Sequence[str]:
        """The objects of a type, in order."""
        return self._of_type[type]

    def bit(self, atom: Atom) -> int:
        """The mask of one fact."""
        at, slots = self._places[atom[0]]
        for slot, argument in zip(slots, atom[1:], strict=True):
            at += slot[argument]
        return 1 << at

    def state(self, atoms: Iterable[Atom]) -> int:
        """The mask of some facts."""
        found = 0
        for atom in atoms:
            found |= self.bit(atom)
        return found

    def facts(self, state: int) -> list[Atom]:
        """The facts of a state, in the order of the bits."""
        return [atom for at, atom in enumerate(self._atoms) if state >> at & 1]

    def about(self, name: str) -> int:
        """The mask of all facts whose first argument is an object."""
        return self._about[name]

    def action(self, schema: str, arguments: Sequence[str]) -> Action:
        """An action by its name and objects."""
        kind = self.domain.schemas[schema]
        bound = dict(zip((name for name, _ in kind.parameters), arguments, strict=True))
        needs, bars, adds, deletes = (
            self.state((atom[0], *(bound.get(term, term) for term in atom[1:])) for atom in atoms)
            for atoms in (kind.needs, kind.bars, kind.adds, kind.deletes)
        )
        return Action(schema, tuple(arguments), needs, bars, adds, deletes)

    def actions(self, start: int) -> tuple[Action, ...]:
        """Every action that may become possible from a state.

        Facts that no action changes are checked once: an action that contradicts them is left out, and the others no
        longer need them.
        """
        fixed = {
            name
            for name in self.domain.predicates
            if not any(atom[0] == name for kind in self.domain.schemas.values() for atom in (*kind.adds, *kind.deletes))
        }
        still = sum(1 << at for at, atom in enumerate(self._atoms) if atom[0] in fixed)
        found = []
        for kind in self.domain.schemas.values():
            for arguments in product(*(self._of_type[type] for _, type in kind.parameters)):
                action = self.action(kind.name, arguments)
                if not action.needs & still & ~start and not action.bars & still & start:
                    found.append(action._replace(needs=action.needs & ~still, bars=action.bars & ~still))
        return tuple(found)

    @cached_property
    def _about(self) -> Mapping[str, int]:
        found = dict.fromkeys(self.objects, 0)
        for first, slots in self._places.values():
            if slots and slots[0]:
                width = prod(map(len, slots[1:]))
                for name, at in slots[0].items():
                    found[name] |= (1 << width) - 1 << first + at
        return found

    @cached_property
    def _atoms(self) -> tuple[Atom, ...]:
        """Every fact, by the number of its bit."""
        return tuple(
            (predicate.name, *arguments)
            for predicate in self.domain.predicates.values()
            for arguments in product(*(self._of_type[type] for type in predicate.types))
        )
