"""Recursive functions on numbers and lists, for use in statements."""

from __future__ import annotations

from dataclasses import dataclass

from envhub.generators.theorems.syntax import LIST, NAT, Expr, Sort, call, replaced, var


@dataclass(frozen=True, slots=True)
class Function:
    """A function that recurs on its first argument.

    Attributes:
        name: Its name.
        sort: Sorts of its arguments and result; the first is a number or list.
        others: Names of the further arguments.
        base: Value at zero or the empty list.
        step: Value at the next number or a longer list, using ``n`` (the number before) or ``x`` and ``xs`` (first member
            and rest), and with calls of the function itself.
    """

    name: str
    sort: Sort
    others: tuple[str, ...]
    base: Expr
    step: Expr

    @property
    def on(self) -> Sort:
        """The sort it recurs on."""
        return LIST if self.sort[0] == "List" else NAT

    def at_step(self, first: dict[str, Expr], *others: Expr) -> Expr:
        """The value of its step.

        For values of ``n``, or ``x`` and ``xs``.
        """
        return replaced(self.step, first | dict(zip(self.others, others, strict=True)))

    def of(self, *args: Expr) -> Expr:
        """An application of it."""
        return call(self.name, *args)

    @property
    def patterns(self) -> tuple[str, ...]:
        """Names that its step binds."""
        return ("x", "xs") if self.on == LIST else ("n",)

    @property
    def head(self) -> Expr:
        """Left side of its step equation, on the patterns."""
        first = Expr("cons", (var("x"), var("xs"))) if self.on == LIST else Expr("succ", (var("n"),))
        return call(self.name, first, *map(var, self.others))

    @property
    def bottom(self) -> Expr:
        """Left side of its base equation."""
        return call(self.name, Expr("nil") if self.on == LIST else Expr("num", (), "0"), *map(var, self.others))
