"""Runs checked programs in counted steps.

Runs in the jail. Each operation on values that depend on variables is a *fact*: the operation, its operands and its
result. On request, a run answers one of them wrongly wherever it occurs::

    program = Bench(tree)
    program.run([3]).text                          # "7"
    program.run([3], false=fact).text              # what someone gets who believes a wrong result of this fact

Steps are counted and values are bounded, so a run ends on every machine in the same way.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass
from typing import Any, Final

from envhub.envs.code.proposer.language import FUNCTIONS, Refused

MAX_STEPS: Final = 2_000
MAX_TOTAL: Final = 1_000_000
"""Steps of all runs of one measurement."""
MAX_ITEMS: Final = 256
MAX_BITS: Final = 128
_OPERATORS: Final[dict[type, tuple[str, Callable[[Any, Any], Any]]]] = {
    ast.Add: ("+", operator.add),
    ast.Sub: ("-", operator.sub),
    ast.Mult: ("*", operator.mul),
    ast.FloorDiv: ("//", operator.floordiv),
    ast.Mod: ("%", operator.mod),
    ast.Pow: ("**", operator.pow),
    ast.BitAnd: ("&", operator.and_),
    ast.BitOr: ("|", operator.or_),
    ast.BitXor: ("^", operator.xor),
    ast.Eq: ("==", operator.eq),
    ast.NotEq: ("!=", operator.ne),
    ast.Lt: ("<", operator.lt),
    ast.LtE: ("<=", operator.le),
    ast.Gt: (">", operator.gt),
    ast.GtE: (">=", operator.ge),
    ast.In: ("in", lambda one, other: one in other),
    ast.NotIn: ("not in", lambda one, other: one not in other),
}
_SIGNS: Final = dict(_OPERATORS.values()) | {"+=": operator.iadd}
_BUILT_IN: Final = {
    **{
        call.__name__: call for call in (abs, all, any, bool, chr, dict, divmod, enumerate, filter, int, len, list, map)
    },
    **{call.__name__: call for call in (max, min, ord, pow, range, reversed, round, sorted, str, sum, tuple, zip)},
}
_CONVERSIONS: Final = frozenset(("bool", "dict", "list", "tuple"))
Fact = tuple[str, ...]


class Stopped(BaseException):
    """A budget is used up; no program can catch it."""


@dataclass
class Purse:
    """The steps that a whole measurement may take."""

    left: int = MAX_TOTAL

    def pay(self, steps: int) -> None:
        """Use steps up.

        Raises:
            Refused: There are not enough.
        """
        self.left -= steps
        if self.left < 0:
            raise Refused(f"Judging the program takes more than {MAX_TOTAL} steps in all.")


@dataclass(frozen=True)
class Ran:
    """One run.

    The returned value, its text with types, and the facts in order.
    ``text`` begins with ``!`` if the program raised or was stopped.
    """

    value: Any
    text: str
    facts: tuple[Fact, ...] = ()

    @property
    def failed(self) -> bool:
        """Whether it did not return a plain value."""
        return self.text.startswith("!")


def text_of(value: Any) -> str:
    """A plain value as text.

    Two texts are equal exactly if values and types are.

    Raises:
        Stopped: It is not plain, or too large.
    """
    left = [4 * MAX_ITEMS]

    def write(value: Any) -> str:
        left[0] -= 1
        if left[0] < 0:
            raise Stopped("a value is too large")
        if value is None or type(value) in (bool, int, str):
            return repr(value)
        if type(value) in (list, tuple):
            inside = ",".join(map(write, value))
            return f"[{inside}]" if type(value) is list else f"({inside},)"
        if type(value) is dict:
            items = sorted(f"{write(key)}:{write(item)}" for key, item in value.items())
            return f"{{{','.join(items)}}}"
        raise Stopped("a value is not plain")

    return write(value)


def _wrong(value: Any) -> Any:
    """A wrong result in place of a right one."""
    match value:
        case bool():
            return not value
        case int():
            return value + 1
        case str():
            return value[:-1] if value else "?"
        case list():
            return value[:-1] if value else [0]
        case tuple():
            return value[:-1] if value else (0,)
    return value


class Bench:
    """A checked program, ready to be run.

    Args:
        tree: Its functions (:func:`envhub.envs.code.proposer.language.checked`).
        purse: The steps of all runs are paid from it; None for no limit.
    """

    def __init__(self, tree: ast.Module, purse: Purse | None = None) -> None:
        self._purse = purse
        functions = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
        changed = ast.fix_missing_locations(_Counting(functions).visit(deepcopy(tree)))
        hooks = {"_b": self._operate, "_c": self._call, "_m": self._method, "_x": self._item, "_i": self._each}
        self._space: dict[str, Any] = {"__builtins__": {}, **hooks, "_t": self._step, "_s": slice}
        exec(compile(changed, "<proposal>", "exec", dont_inherit=True), self._space)
        self._steps = 0
        self._false: Fact | None = None
        self._facts: dict[Fact, None] = {}

    def run(self, arguments: list[Any], false: Fact | None = None) -> Ran:
        """Call ``f``.

        Args:
            arguments: Its arguments, which are copied.
            false: A fact that is answered wrongly.
        """
        self._steps, self._false, self._facts = 0, false, {}
        ran = self._run(arguments)
        if self._purse is not None:
            self._purse.pay(self._steps)
        return ran

    def _run(self, arguments: list[Any]) -> Ran:
        try:
            value = self._space["f"](*[each.copy() if type(each) is list else each for each in arguments])
            return Ran(value, text_of(value), tuple(self._facts))
        except Stopped as stopped:
            return Ran(None, f"!{stopped}")
        except Exception as error:
            return Ran(None, f"!it raises {type(error).__name__}")

    def _step(self, value: Any = None) -> Any:
        self._steps += 1
        if self._steps > MAX_STEPS:
            raise Stopped(f"it takes more than {MAX_STEPS} steps")
        return value

    def _each(self, items: Any) -> Iterator[Any]:
        for item in items:
            self._step()
            yield item

    def _noted(self, name: str, operands: list[Any], named: bool, value: Any) -> Any:
        """The result of an operation, or a wrong one."""
        _small(value)
        if not named or value is None or type(value) is dict:
            return value
        return self._believed((name, *map(text_of, operands)), value)

    def _believed(self, fact: Fact, value: Any) -> Any:
        """The result, or a wrong one if this is the false fact.

        Long operands cost more steps.
        """
        self._steps += sum(map(len, fact)) // 32
        self._facts.setdefault(fact)
        return _wrong(value) if fact == self._false else value

    def _operate(self, sign: str, one: Any, other: Any, named: bool) -> Any:
        self._step()
        operands = [text_of(one), text_of(other)]
        if sign == "%" and type(one) is str:
            raise Stopped("texts are not formatted with %")
        if sign == "**":
            _power(one, other)
        if sign == "*":
            for text, times in ((one, other), (other, one)):
                if type(text) in (str, list, tuple) and type(times) is int and len(text) * times > MAX_ITEMS:
                    raise Stopped("a value is too large")
        value = _SIGNS[sign](one, other)
        _small(value)
        if not named or type(value) is dict:
            return value
        return self._believed(("+" if sign == "+=" else sign, *operands), value)

    def _call(self, name: str, named: bool, *given: Any, **words: Any) -> Any:
        self._step()
        if name in ("str", "int", "bool"):
            for value in given:
                text_of(value)
        if name == "pow" and len(given) == 2:
            _power(*given)
        if name == "range":
            _small(range(*given))
        lazy = [value for value in given if callable(value) or not _is_plain(value)]
        before = [] if lazy else deepcopy(list(given))
        value = _BUILT_IN[name](*given, **words)
        if lazy or name in _CONVERSIONS or not _is_plain(value):
            _small(value)
            return value
        return self._noted(f"{name}{_shown(words)}", before, named, value)

    def _method(self, owner: Any, name: str, named: bool, *given: Any, **words: Any) -> Any:
        self._step()
        if type(owner) not in (str, list, dict, tuple):
            raise Stopped(f"there is no method {name} of this value")
        lazy = [value for value in given if callable(value) or not _is_plain(value)]
        before = [] if lazy else deepcopy([owner, *given])
        if name == "replace" and len(given) >= 2 and len(owner) * (1 + len(given[1])) > 4 * MAX_ITEMS:
            raise Stopped("a value is too large")
        if name == "join" and not lazy and sum(map(len, *given)) + len(owner) * len(given[0]) > MAX_ITEMS:
            raise Stopped("a value is too large")
        value = getattr(owner, name)(*given, **words)
        _small(owner)
        if lazy or not _is_plain(value):
            _small(value)
            return value
        return self._noted(f".{name}{_shown(words)}", before, named, value)

    def _item(self, owner: Any, at: Any, named: bool) -> Any:
        self._step()
        if type(owner) not in (str, list, dict, tuple):
            raise Stopped("this value has no items")
        shown = [at.start, at.stop, at.step] if isinstance(at, slice) else at
        return self._noted("[]", [owner, shown], named, owner[at])


def _shown(words: dict[str, Any]) -> str:
    return ",".join(f"{name}={text_of(word) if _is_plain(word) else '?'}" for name, word in sorted(words.items()))


def _is_plain(value: Any) -> bool:
    return value is None or type(value) in (bool, int, str, list, tuple, dict)


def _small(value: Any) -> None:
    if type(value) is int and value.bit_length() > MAX_BITS:
        raise Stopped(f"an integer has more than {MAX_BITS} bits")
    if type(value) is float or type(value) is complex:
        raise Stopped("there are no floats")
    if type(value) in (str, list, tuple, dict, range) and len(value) > MAX_ITEMS:
        raise Stopped(f"a value has more than {MAX_ITEMS} items")


def _power(base: Any, exponent: Any) -> None:
    if type(base) is not int or type(exponent) is not int or not 0 <= exponent <= MAX_BITS:
        raise Stopped(f"exponents are integers from 0 to {MAX_BITS}")
    if base.bit_length() * exponent > 2 * MAX_BITS:
        raise Stopped(f"an integer has more than {MAX_BITS} bits")


class _Counting(ast.NodeTransformer):
    """Replaces operations by calls of the bench."""

    def __init__(self, functions: set[str]) -> None:
        self._functions = functions

    def _named(self, *nodes: ast.AST) -> ast.Constant:
        names = (name for node in nodes for name in ast.walk(node) if isinstance(name, ast.Name))
        return ast.Constant(any(name.id not in FUNCTIONS for name in names))

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        self.generic_visit(node)
        node.body.insert(0, ast.Expr(_hook("_t")))
        return node

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        named = self._named(node)
        self.generic_visit(node)
        return _hook("_b", ast.Constant(_OPERATORS[type(node.op)][0]), node.left, node.right, named)

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        named = self._named(node)
        self.generic_visit(node)
        return _hook("_b", ast.Constant(_OPERATORS[type(node.ops[0])][0]), node.left, node.comparators[0], named)

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST:
        if isinstance(node.target, ast.Subscript) and any(isinstance(part, ast.Call) for part in ast.walk(node.target)):
            raise Refused("An augmented assignment to an item may not contain a call on its left side.")
        read = deepcopy(node.target)
        for part in ast.walk(read):
            if isinstance(part, ast.Name | ast.Subscript):
                part.ctx = ast.Load()
        named = self._named(node.target, node.value)
        sign = _OPERATORS[type(node.op)][0]
        value = _hook(
            "_b", ast.Constant("+=" if sign == "+" else sign), self.visit(read), self.visit(node.value), named
        )
        return ast.Assign([self.visit(node.target)], value)

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        named = self._named(node)
        self.generic_visit(node)
        if isinstance(node.ctx, ast.Store):
            return node
        at = node.slice
        if isinstance(at, ast.Slice):
            at = _hook("_s", *(part or ast.Constant(None) for part in (at.lower, at.upper, at.step)))
        return _hook("_x", node.value, at, named)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        called = node.func
        named = self._named(*node.args, *([called.value] if isinstance(called, ast.Attribute) else []))
        args = [self.visit(given) for given in node.args]
        words = [ast.keyword(word.arg, self.visit(word.value)) for word in node.keywords]
        if isinstance(called, ast.Attribute):
            head = [self.visit(called.value), ast.Constant(called.attr), named]
            return ast.Call(ast.Name("_m", ast.Load()), [*head, *args], words)
        name = called.id if isinstance(called, ast.Name) else ""
        if name in self._functions:
            return ast.Call(called, args, words)
        return ast.Call(ast.Name("_c", ast.Load()), [ast.Constant(name), named, *args], words)

    def visit_Name(self, node: ast.Name) -> ast.AST:
        """A built-in function as a key or as the function of map."""
        if node.id in FUNCTIONS and isinstance(node.ctx, ast.Load):
            given = ast.arguments([], [ast.arg("_v")], None, [], [], None, [])
            return ast.Lambda(given, _hook("_c", ast.Constant(node.id), ast.Constant(True), ast.Name("_v", ast.Load())))
        return node

    def visit_For(self, node: ast.For) -> ast.AST:
        self.generic_visit(node)
        node.iter = _hook("_i", node.iter)
        return node

    def visit_comprehension(self, node: ast.comprehension) -> ast.AST:
        self.generic_visit(node)
        node.iter = _hook("_i", node.iter)
        return node

    def visit_While(self, node: ast.While) -> ast.AST:
        self.generic_visit(node)
        node.test = _hook("_t", node.test)
        return node


def _hook(name: str, *given: ast.expr) -> ast.Call:
    return ast.Call(ast.Name(name, ast.Load()), list(given), [])
