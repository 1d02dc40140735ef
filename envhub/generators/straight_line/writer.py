"""Writes one function: its variables and random expressions over them.

It knows which variables are unused. The rules that keep programs total and bounded are here: divisors are constants,
list indices are taken modulo the length if the list is known to be non-empty, and a variable that a loop changes
(it is *hot* there) enters an expression only as a remainder, so that nothing grows by more than a constant per
iteration.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from envhub.core.seeding import Stream
from envhub.core.types import JSON

_POOLS: Final = {
    "int": ("n", "k", "m", "a", "b", "c", "total", "best", "score", "p", "q", "w", "z"),
    "index": ("i", "j", "pos", "at", "r"),
    "item": ("x", "y", "v", "e", "num", "val"),
    "char": ("ch", "c1", "letter", "sym", "c2"),
    "word": ("word", "item", "part", "piece"),
    "ints": ("xs", "nums", "values", "data", "ys", "zs", "out", "res", "acc", "buf"),
    "str": ("s", "text", "t", "line", "u", "label", "mark"),
    "strs": ("words", "names", "parts", "items"),
    "dict": ("counts", "table", "seen", "d", "freq"),
    "imap": ("groups", "hits", "slots", "tally"),
}
LISTS: Final = frozenset({"ints", "strs", "str"})


@dataclass(slots=True)
class Var:
    """A variable: its number, its type, whether the current loop changes it."""

    number: int
    kind: str
    hot: bool = False
    filled: bool = False  # never empty

    @property
    def tree(self) -> JSON:
        """The expression that reads it."""
        return ["var", self.number]


class Writer:
    """Writer of one function.

    Args:
        rng: Source of randomness.
        size: Depth of expressions.
        kinds: Constructs: 1 to 3.
        helpers: Number of integers each helper takes.
    """

    def __init__(self, rng: Stream, size: int, kinds: int, helpers: tuple[int, ...] = ()) -> None:
        self.rng, self.size, self.kinds, self.helpers = rng, size, kinds, helpers
        self.names: list[str] = []
        self.scope: list[Var] = []
        self.pending: list[Var] = []
        self.uncalled = list(range(len(helpers)))

    # -- variables ---------------------------------------------------------------------------------------------------

    def new(self, kind: str, pool: str | None = None, *, wanted: bool = True, filled: bool = False) -> Var:
        """A new variable; a wanted one should be used later."""
        free = [name for name in _POOLS[pool or kind] if name not in self.names]
        name = self.rng.choice(free[:4]) if free else f"{(pool or kind)[0]}{len(self.names)}"
        var = Var(len(self.names), kind, filled=filled)
        self.names.append(name)
        self.scope.append(var)
        if wanted:
            self.pending.append(var)
        return var

    def close(self, count: int) -> None:
        """Drop all but the first ``count`` variables, at a block's end."""
        gone = self.scope[count:]
        self.scope = self.scope[:count]
        self.pending = [var for var in self.pending if var not in gone]

    def use(self, var: Var) -> JSON:
        """Read a variable."""
        if var in self.pending:
            self.pending.remove(var)
        return var.tree

    def find(self, *kinds: str, cold: bool = False) -> Var | None:
        """A variable of one of the types, preferably an unused one."""
        fitting = [var for var in self.scope if var.kind in kinds and not (cold and var.hot)]
        waiting = [var for var in fitting if var in self.pending]
        if waiting and self.rng.below(4):
            return self.rng.choice(waiting)
        return self.rng.choice(fitting) if fitting else None

    # -- integers ----------------------------------------------------------------------------------------------------

    def number(self, depth: int) -> JSON:
        """An integer that depends on some variable."""
        if depth <= 0:
            return self._leaf()
        rng = self.rng
        forms: list[Callable[[int], JSON]] = [self._sum, self._sum, self._scaled, self._remainder]
        if self.kinds >= 2:
            forms += [self._extreme, self._part, self._either]
        if self.kinds >= 3:
            forms += [self._product, self._distance]
            if self.helpers:
                forms += [self._help, self._help]
        if self.helpers and self.uncalled and rng.below(2):
            return self._help(depth)
        return rng.choice(forms)(depth - 1)

    def small(self, low: int = 1, high: int = 9) -> JSON:
        """A constant."""
        return ["int", self.rng.between(low, high)]

    def _leaf(self) -> JSON:
        var = self.find("int") if self.rng.below(5) else None
        if var is None:
            return self._measure()
        if var.hot:
            return ["bin", "%", self.use(var), self.small(3, 11)]
        return self.use(var)

    def _measure(self) -> JSON:
        """An integer computed from a value of another type."""
        rng = self.rng
        var = self.find("char", "ints", "str", "strs", "dict", "imap")
        if var is None:
            var = self.find("int")
            assert var is not None, "a function has arguments"
            return ["bin", "%", self.use(var), self.small(3, 11)] if var.hot else self.use(var)
        tree = self.use(var)
        if var.kind == "char":
            return ["bin", "-", ["call", "ord", tree], ["int", 97]]
        if var.kind == "ints" and not var.hot:
            if var.filled and rng.below(3) == 0:
                return ["index", tree, ["int", rng.choice((0, -1))]]
            name = rng.choice(("sum", "len", "largest", "smallest"))
            if not name.endswith("est"):
                return ["call", name, tree]
            if var.filled:
                return ["call", "max" if name == "largest" else "min", tree]
            return ["call", name, tree, ["int", 0]]
        if var.kind == "ints" and rng.below(2):
            return ["either", tree, ["bin", "%", ["index", tree, ["int", -1]], self.small(3, 11)], self.small(0, 3)]
        if var.kind == "str" and not var.hot and rng.below(3):
            return ["method", "count", tree, ["str", rng.choice("abcde")]]
        return ["call", "len", tree]

    def _sum(self, depth: int) -> JSON:
        a = self.number(depth)
        shifted = a[0] == "bin" and a[1] in "+-" and a[3][0] == "int"  # avoids x - 9 + 9
        b = self.small(1, 12) if not shifted and self.rng.below(3) == 0 else self.other(a, depth - 1)
        return ["bin", self.rng.choice("+-"), a, b]

    def _scaled(self, depth: int) -> JSON:
        return ["bin", "*", self.number(depth), self.small(2, 6)]

    def _remainder(self, depth: int) -> JSON:
        if self.rng.below(3) == 0:
            return ["bin", "//", self.number(depth), self.small(2, 5)]
        return ["bin", "%", self.number(depth), self.small(5, 23)]

    def _product(self, depth: int) -> JSON:
        one = self._leaf()
        return ["bin", "*", one, self.other(one, 0)]

    def _extreme(self, depth: int) -> JSON:
        one = self.number(depth)
        other = self.small(2, 15) if self.rng.below(2) else self.other(one, depth - 1)
        return ["call", self.rng.choice(("min", "max")), one, other]

    def _distance(self, depth: int) -> JSON:
        one = self.number(depth)
        return ["call", "abs", ["bin", "-", one, self.other(one, depth - 1)]]

    def _part(self, depth: int) -> JSON:
        """An element of a list at a computed index."""
        var = next((var for var in self.scope if var.kind == "ints" and not var.hot), None)
        if var is None:
            return self._sum(depth)
        place = ["bin", "%", self.number(depth), ["call", "len", self.use(var)]]
        element = ["index", var.tree, place]
        return element if var.filled else ["either", var.tree, element, self.small(0, 5)]

    def _either(self, depth: int) -> JSON:
        one = self.number(depth)
        return ["either", self.condition(0), one, self.other(one, depth - 1)]

    def other(self, one: JSON, depth: int) -> JSON:
        """An integer unlike another expression."""
        other = self.number(depth)
        return other if other != one else self.small(2, 12)

    def _help(self, depth: int) -> JSON:
        number = self.uncalled.pop() if self.uncalled else self.rng.below(len(self.helpers))
        return ["help", number, *(self.number(min(depth, 1)) for _ in range(self.helpers[number]))]

    # -- conditions --------------------------------------------------------------------------------------------------

    def condition(self, depth: int, about: Var | None = None) -> JSON:
        """A condition, often true and often false."""
        rng = self.rng
        if depth > 0 and self.kinds >= 2 and rng.below(3) == 0:
            return [rng.choice(("and", "or")), self.condition(0, about), self.condition(0)]
        var = about or self.find("int", "char", "str")
        if var is None or (var.kind == "str" and var.hot):
            return ["cmp", rng.choice(("<", ">", "<=")), self.number(0), self.small(1, 8)]
        tree = self.use(var)
        if var.kind == "char":
            if rng.below(3) == 0:
                return ["cmp", rng.choice(("<", ">=")), tree, ["str", rng.choice("cdef")]]
            inside: JSON = ["in", tree, ["str", "".join(sorted(rng.sample("abcdefgh", 3)))]]
            return ["not", inside] if rng.below(3) == 0 else inside
        if var.kind == "str":
            if rng.below(2):
                return ["cmp", "==", ["bin", "%", ["call", "len", tree], ["int", 2]], ["int", rng.below(2)]]
            return ["in", ["str", rng.choice("abcdef")], tree]
        if rng.below(2):
            divisor = rng.between(2, 4)
            return ["cmp", rng.choice(("==", "!=")), ["bin", "%", tree, ["int", divisor]], ["int", rng.below(divisor)]]
        side = self.number(0) if rng.below(2) and not var.hot else self.small(1, 12)
        return ["cmp", rng.choice(("<", ">", ">=", "<=")), tree, side if side != tree else self.small(2, 9)]

    # -- other types -------------------------------------------------------------------------------------------------

    def character(self, var: Var) -> JSON:
        """One character made from another."""
        rng, tree = self.rng, self.use(var)
        if rng.below(3) == 0:
            return ["method", "upper", tree] if rng.below(2) else tree
        moved = ["bin", "+", ["bin", "-", ["call", "ord", tree], ["int", 97]], self._shift()]
        return ["call", "chr", ["bin", "+", ["int", 97], ["bin", "%", moved, ["int", 26]]]]

    def _shift(self) -> JSON:
        var = self.find("int", cold=True)
        return self.use(var) if var is not None and self.rng.below(2) else self.small(1, 12)

    def key(self, var: Var) -> tuple[str, JSON]:
        """A key of a table for an item, and the table's type."""
        if var.kind == "char":
            return "dict", self.use(var)
        if var.kind == "str":  # a word, which is never empty
            return "dict", ["index", self.use(var), ["int", 0]]
        return "imap", ["bin", "%", self.use(var), self.small(2, 6)]

    def over(self, var: Var) -> tuple[str, str]:
        """The item type of a container, and the pool of their names."""
        return {"ints": ("int", "item"), "strs": ("str", "word"), "str": ("char", "char")}.get(
            var.kind, ("char", "char")
        )

    def items(self, var: Var) -> JSON:
        """The iterable of a loop over a container."""
        tree = self.use(var)
        if var.kind in ("dict", "imap"):
            return ["call", "keys", tree]
        chance = self.rng.below(6) if self.kinds >= 2 else 5
        if chance == 0:
            return ["slice", tree, None, None, -1]
        if chance == 1 and var.kind != "str":
            return ["call", "sorted", tree]
        return tree

    def any_of(self, choices: list[Any]) -> Any:
        """A random choice."""
        return self.rng.choice(choices)
