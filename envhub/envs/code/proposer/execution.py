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
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from envhub.envs.code.proposer.language import Refused
from envhub.envs.code.proposer.rewriting import IN_PLACE, rewritten

MAX_STEPS: Final = 2_000
MAX_TOTAL: Final = 1_000_000
"""Steps of all runs of one measurement."""
MAX_ITEMS: Final = 256
MAX_PARTS: Final = 1_024
"""Items of a value together with the items inside them."""
MAX_BITS: Final = 128
_OPERATORS: Final[dict[str, Callable[[Any, Any], Any]]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "//": operator.floordiv,
    "%": operator.mod,
    "**": operator.pow,
    "&": operator.and_,
    "|": operator.or_,
    "^": operator.xor,
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "in": lambda one, other: one in other,
    "not in": lambda one, other: one not in other,
    IN_PLACE + "+": operator.iadd,
    IN_PLACE + "*": operator.imul,
    IN_PLACE + "|": operator.ior,
}
_VIEWS: Final[tuple[type, ...]] = (type({}.keys()), type({}.values()), type({}.items()))
_SILENT: Final = frozenset(("append", "clear", "extend", "insert", "reverse", "update"))
"""Methods that return nothing and compare nothing."""
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
        Stopped: It is a function or an iterator, or too large.
    """
    left = [MAX_PARTS]

    def write(value: Any) -> str:
        left[0] -= 1
        if left[0] < 0:
            raise Stopped(f"a value has more than {MAX_PARTS:,} items, with those inside its items")
        if value is None or type(value) in (bool, int, str):
            return repr(value)
        if type(value) in (list, tuple):
            inside = ",".join(map(write, value))
            return f"[{inside}]" if type(value) is list else f"({inside},)"
        if type(value) is dict:
            items = sorted(f"{write(key)}:{write(item)}" for key, item in value.items())
            return f"{{{','.join(items)}}}"
        if type(value) is range:
            return repr(value)
        if type(value) in _VIEWS:
            return f"{type(value).__name__}{write(list(value))}"
        raise Stopped("it uses a function or an iterator as a value; make a list of an iterator first")

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
        hooks = {"_b": self._operate, "_c": self._call, "_m": self._method, "_x": self._item, "_i": self._each}
        more = {"_t": self._step, "_s": slice, "_u": self._update}
        self._space: dict[str, Any] = {"__builtins__": {}, **hooks, **more}
        exec(compile(rewritten(tree), "<proposal>", "exec", dont_inherit=True), self._space)
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

    def _noted(self, name: str, operands: Iterable[str], named: bool, value: Any) -> Any:
        """The result of an operation, or a wrong one."""
        _small(value)
        if not named or not _is_plain(value) or value is None or type(value) is dict:
            return value
        return self._believed((name, *operands), value)

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
        plain = sign.removeprefix(IN_PLACE)
        if plain == "%" and type(one) is str:
            raise Stopped("texts are not formatted with %")
        if plain == "**":
            _power(one, other)
        if plain == "*":
            for text, times in ((one, other), (other, one)):
                if type(text) in (str, list, tuple) and type(times) is int and len(text) * times > MAX_ITEMS:
                    raise Stopped(f"a value has more than {MAX_ITEMS} items")
        return self._noted(plain, operands, named, (_OPERATORS.get(sign) or _OPERATORS[plain])(one, other))

    def _update(self, owner: Any, at: Any, seen: bool, sign: str, value: Callable[[], Any], named: bool) -> None:
        """An augmented assignment to an item."""
        old = self._item(owner, at, seen)
        owner[at] = self._operate(sign, old, value(), named)

    def _call(self, name: str, named: bool, *given: Any, **words: Any) -> Any:
        self._step()
        if name in ("str", "int", "bool"):
            for value in given:
                text_of(value)
        if name == "pow" and len(given) == 2:
            _power(*given)
        if name == "round" and len(given) == 2 and type(given[1]) is int and abs(given[1]) > MAX_BITS:
            raise Stopped(f"round takes at most {MAX_BITS} digits")
        if name == "range":
            _small(range(*given))
        unseen = name in _CONVERSIONS or not all(map(_is_plain, given))
        before = [] if unseen else list(map(text_of, given))
        value = _BUILT_IN[name](*given, **words)
        return self._noted(f"{name}{_shown(words)}", before, named and not unseen, value)

    def _method(self, owner: Any, name: str, named: bool, *given: Any, **words: Any) -> Any:
        self._step()
        if type(owner) not in (str, list, dict, tuple):
            raise Stopped(f"there is no method {name} of this value")
        unseen = name in _SILENT or not all(map(_is_plain, given))
        before = [] if unseen else list(map(text_of, (owner, *given)))
        if name == "replace" and len(given) >= 2:
            old, new = given[:2]
            times = owner.count(old) if len(given) == 2 or given[2] < 0 else min(given[2], owner.count(old))
            if len(owner) + times * (len(new) - len(old)) > MAX_ITEMS:
                raise Stopped(f"a value has more than {MAX_ITEMS} items")
        if (
            name == "join"
            and not unseen
            and sum(map(len, *given)) + len(owner) * len(given[0]) > MAX_ITEMS + len(owner)
        ):
            raise Stopped(f"a value has more than {MAX_ITEMS} items")
        value = getattr(owner, name)(*given, **words)
        _small(owner)
        return self._noted(f".{name}{_shown(words)}", before, named and not unseen, value)

    def _item(self, owner: Any, at: Any, named: bool) -> Any:
        self._step()
        if type(owner) not in (str, list, dict, tuple, range):
            raise Stopped("it takes an item of a value that has no items")
        shown = [at.start, at.stop, at.step] if isinstance(at, slice) else at
        return self._noted("[]", map(text_of, (owner, shown)), named, owner[at])


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
