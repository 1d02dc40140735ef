"""Last step of the comparison: SymPy on *our* trees.

For pairs still undecided.

Objects are built node by node from trees that our own grammar read; SymPy never sees text. Its time is unbounded, so it
belongs in a worker process that can be killed, under the name ``envhub.verifiers.math.symbolic:compare``. Needs the extra
``math``; without it an undecided pair stays wrong, with the reason ``undecided``::

    pool.call("envhub.verifiers.math.symbolic:compare", gold, answer, "expression", {"variables": ["x"]})

A pair is the same only if the difference simplifies to the symbol 0; SymPy's numerical guesses are not used.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from envhub.core.errors import MissingExtra
from envhub.verifiers.math import Comparison, NotMath, compare as compare_exactly, gold_of
from envhub.verifiers.math.expressions import Expression
from envhub.verifiers.math.points import Domain, domains_of
from envhub.verifiers.math.tree import PI, App, E, I, Num, Sym, Tree
from envhub.verifiers.undeclared.auto import Auto

_NAMES = {
    "sin": "sin", "cos": "cos", "tan": "tan", "cot": "cot", "sec": "sec", "csc": "csc", "asin": "asin", "acos": "acos",
    "atan": "atan", "sinh": "sinh", "cosh": "cosh", "tanh": "tanh", "ln": "log", "log": "log", "exp": "exp", "abs": "Abs",
    "floor": "floor", "ceil": "ceiling", "!": "factorial", "binom": "binomial", "gcd": "gcd", "lcm": "lcm", "min": "Min",
    "max": "Max", "re": "re", "im": "im", "arg": "arg", "conj": "conjugate",
}  # fmt: skip
_MAX_EXPONENT = 200


def compare(gold: str, answer: str, kind: str = "auto", options: Mapping[str, Any] | None = None) -> Comparison:
    """:func:`envhub.verifiers.math.compare`, with SymPy for single undecided expressions.

    Raises:
        InvalidParameters: There is no such kind or option, or the *gold* cannot be read.
    """
    result = compare_exactly(gold, answer, kind, **dict(options or {}))
    if result.stage != "undecided":
        return result
    known, value = gold_of(gold, kind, options)
    given = known.read(answer)
    if isinstance(known, Auto):
        value, given = known.undecided(value, given)
    if not isinstance(value, (Num, Sym, App)) or not isinstance(given, (Num, Sym, App)):
        return result
    domain = domains_of(dict(known.domain)) if isinstance(known, Expression) else {}
    try:
        same = identical(value, given, domain)
    except (MissingExtra, NotMath):
        return result
    return Comparison(True, "symbolic") if same else result


def identical(one: Tree, other: Tree, domain: Mapping[str, Domain] | None = None) -> bool:
    """Whether SymPy simplifies the difference of two trees to 0.

    Raises:
        MissingExtra: SymPy is not installed.
        NotMath: A tree has an unsupported part.
    """
    try:
        import sympy
    except ImportError:
        raise MissingExtra("Symbolic comparison needs SymPy: pip install 'envhub[math]'.") from None
    difference = _built(sympy, one, domain or {}) - _built(sympy, other, domain or {})
    try:
        return bool(sympy.simplify(difference) == 0)
    except (ArithmeticError, AttributeError, NotImplementedError, RecursionError, TypeError, ValueError):
        return False  # SymPy gave up


def _built(sympy: Any, tree: Tree, domain: Mapping[str, Domain]) -> Any:
    """The SymPy object of a tree."""
    if isinstance(tree, Num):
        return sympy.Rational(tree.value.numerator, tree.value.denominator)
    if isinstance(tree, Sym):
        return _symbol(sympy, tree, domain.get(tree.name, Domain()))
    assert isinstance(tree, App)
    args = [_built(sympy, arg, domain) for arg in tree.args]
    if tree.op == "+":
        return sympy.Add(*args)
    if tree.op == "*":
        return sympy.Mul(*args)
    if tree.op == "neg":
        return -args[0]
    if tree.op == "inv":
        if args[0].is_zero is not False and not args[0].free_symbols:
            raise NotMath("a division by what may be zero")
        return 1 / args[0]
    if tree.op == "^":
        if args[0].is_number and args[1].is_Number and abs(args[1]) > _MAX_EXPONENT:
            raise NotMath("a power is too high")
        if args[1].is_Rational and not args[1].is_Integer and not args[0].is_nonnegative:
            raise NotMath("a root of what may be negative")  # SymPy's is complex, ours is real
        return sympy.Pow(*args)
    if tree.op in ("!", "binom") and any(arg.is_Number and arg > _MAX_EXPONENT for arg in args):
        raise NotMath("a factorial is too large")
    if tree.op not in _NAMES:
        raise NotMath(f"{tree.op} is not handed on")
    return getattr(sympy, _NAMES[tree.op])(*args)


def _symbol(sympy: Any, symbol: Sym, domain: Domain) -> Any:
    fixed = {PI: sympy.pi, E: sympy.E, I: sympy.I}
    if symbol in fixed:
        return fixed[symbol]
    if "~" in symbol.name and not symbol.name.startswith("argument"):
        raise NotMath("a unit is not handed on")
    facts: dict[str, bool] = {"integer": True} if domain.whole else {"real": True}
    if domain.lo is not None and domain.lo >= 0:
        facts["positive"] = True
    if domain.hi is not None and domain.hi <= 0:
        facts["negative"] = True
    return sympy.Symbol(symbol.name, **facts)
