"""Expressions in variables.

::

    Expression(variables=("x",)).read("2x(x+1)")
    Expression(variables=("x",), names_=("p(x)",)).read("p(x) = 2x")        # the same as "2x"
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, ClassVar, Final

from envhub.verifiers.math.grammar import parse
from envhub.verifiers.math.identity import Trial, equal, exact_value
from envhub.verifiers.math.kind import Comparison, bare, judged, named, need
from envhub.verifiers.math.lexer import Token, prepare, split, tokens_of
from envhub.verifiers.math.names import Names
from envhub.verifiers.math.points import domains_of
from envhub.verifiers.math.reals import TooHard
from envhub.verifiers.math.scalars import Scalar, in_order, nodes, unset
from envhub.verifiers.math.tree import INF, LOG_SCALE, Num, Sym, Tree, app, mapped, renamed, symbols, variables
from envhub.verifiers.math.words import number_in_words

_ENDS: Final = (INF, app("neg", INF))
_TRAILING: Final = frozenset(
    ("in", "where", "for", "any", "is", "an", "integer", "arbitrary", "constant", "Z", ",", "(", ")")
)
_BRACKETS: Final = re.compile(r"[\\{}()\s]")


@dataclass(frozen=True)
class Expression(Scalar):
    """An expression in variables.

    Attributes:
        variables: The variables.
        domain: Their domains, by name: ``positive``, ``integer``, ...; by default the real numbers.
        bound: Variables that may be renamed, such as an arbitrary integer.
        names: Allowed names of the expression, which may precede it: ``y = 2x`` or ``p(x) = 2x`` for ``2x``.
        angle: Degrees are a number.
        log: The base of ``log`` without a base: ``e`` or a number. If not given, ``log`` is neither.
    """

    variables: tuple[str, ...] | None = None
    domain: tuple[tuple[str, Any], ...] = ()
    bound: tuple[str, ...] = ()
    names_: tuple[str, ...] = ()
    angle: bool = False
    log: Any = None
    letters: frozenset[str] | None = None
    name: ClassVar[str] = "expression"
    noun: ClassVar[str] = "one expression"
    example: ClassVar[str] = "17z^5/3"
    complex_too: ClassVar[bool] = True

    @classmethod
    def of(cls, options: Mapping[str, Any]) -> Expression:
        """A kind with the options that authors write.

        Raises:
            InvalidParameters: An option has no such value.
        """
        given = dict(options)
        domains_of(given.get("domain"))
        if given.get("domain") is not None:
            pairs = given["domain"].items()
            given["domain"] = tuple(sorted((str(k), tuple(v) if isinstance(v, list) else v) for k, v in pairs))
        else:
            given.pop("domain", None)
        for name in ("variables", "bound", "names"):
            if given.get(name) is not None:
                given[name] = named(given[name], name)
            else:
                given.pop(name, None)
        given["names_"] = given.pop("names", ())
        base = given.get("log")
        need(base in (None, "e") or (type(base) is int and base > 1), f"log is 'e' or a whole base, got {base!r}.")
        return cls(**given)

    def tree(self, text: str) -> Tree:
        """The tree of a text, without an optional name."""
        tokens: Sequence[Token] = unset(tokens_of(prepare(bare(text)), commas=True, science=False))
        spelled = number_in_words(text) if len(tokens) == 1 else None
        if spelled is not None:
            return Num(spelled)
        if self.names_:
            tokens = _unnamed(tokens, self.names_)
        if self.bound:
            tokens = _unbound(tokens)
        declared = frozenset((*(self.variables or ()), *self.bound))
        known = self.letters if self.letters is None and not declared else (self.letters or frozenset()) | declared
        letters = None if known is None else frozenset(name for name in known if len(name) == 1)
        return parse(tokens, Names(letters, declared))

    def of_tree(self, tree: Tree) -> Tree:
        """The value of a tree."""
        tree = in_order(tree, angle=self.angle)
        if self.log is not None:
            scale: Tree = Num(Fraction(1))
            if self.log != "e":
                scale = app("inv", app("ln", Num(Fraction(self.log))))
            tree = mapped(tree, lambda node: scale if node == Sym(LOG_SCALE) else node)
        if symbols(tree) or INF in nodes(tree):
            return tree
        try:
            value = exact_value(tree)
        except TooHard:  # its value is for the comparison, which may stay undecided
            return tree
        return tree if value is None else Num(value)

    def same(self, gold: Any, answer: Any, trial: Trial) -> Comparison:
        """Whether the expressions are equal on the domain."""
        if self.bound:
            mine, theirs = variables(gold), variables(answer)
            free, new = sorted(set(self.bound) & (mine - theirs)), sorted(theirs - mine)
            if len(free) == len(new) == 1:
                answer = renamed(answer, {new[0]: free[0]})
        if isinstance(gold, Num) and isinstance(answer, Num):
            return super().same(gold, answer, trial)
        pairs = ((gold, answer), (answer, gold))
        if any(
            one in _ENDS and (other in _ENDS or INF not in nodes(other)) for one, other in pairs
        ):  # a limit or a bound
            same = gold == answer
            return Comparison(same, "canonical", "" if same else "the values differ")
        return judged(equal(gold, answer, trial, domains_of(dict(self.domain))))

    def names(self, value: Any) -> frozenset[str]:
        """The variables of an expression."""
        return frozenset(variables(value))

    def knowing(self, names: frozenset[str]) -> Expression:
        """This kind, given the variables that may be adjacent."""
        return replace(self, letters=names)


def _unnamed(tokens: Sequence[Token], names: Sequence[str]) -> Sequence[Token]:
    """The text after an allowed name and an equals sign.

    Brackets of the name are ignored. Other text is returned as it is.
    """
    sides = split(tokens, "=")
    left = _BRACKETS.sub("", "".join(token.text for token in sides[0] if token.kind not in ("open", "close")))
    return sides[1] if len(sides) == 2 and left in {_BRACKETS.sub("", name) for name in names} else tokens


def _unbound(tokens: Sequence[Token]) -> Sequence[Token]:
    """The text before ``, k in Z`` or ``where k is an integer``."""
    for i in range(max(1, len(tokens) - 12), len(tokens) - 2):
        if tokens[i].text in (",", "where", "for", "("):
            tail = [token.text for token in tokens[i:]]
            if len([text for text in tail if text not in _TRAILING]) <= 1 and {"Z", "integer", "constant"} & {*tail}:
                return tokens[:i]
    return tokens
