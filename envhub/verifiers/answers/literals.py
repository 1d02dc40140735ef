"""Python literals as answers, by a strict reader.

It bounds length, depth and digits. Nothing is evaluated.

::

    read_literal("[1, ('a', {'b': 2})]")     # [1, ("a", {"b": 2})]
    Literal().read("<answer>[1, 2]</answer>").value

Accepts None, True, False, decimal integers and floats, strings in single or double quotes with the usual escapes,
lists, tuples, dicts and sets of them, and ``set()``. Brackets around one value mean that value, and values separated by
commas are a tuple, as in Python. A typographic minus before a number is a minus; in a string it is kept. Rejects names,
calls, operators except a sign, string prefixes, adjacent strings, and dicts or sets with duplicates.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from envhub.core.seeding import Stream
from envhub.verifiers.answers.types import AnswerType, Unreadable
from envhub.verifiers.code.comparing import exactly

MAX_CHARS: Final = 20_000
MAX_DEPTH: Final = 20
MAX_DIGITS: Final = 1_000

_TOKEN: Final = re.compile(
    r"""\s*(?:
        (?P<number>[0-9]+(?:\.[0-9]*)?(?:[eE][+\u2212-]?[0-9]{1,3})?|\.[0-9]+(?:[eE][+\u2212-]?[0-9]{1,3})?)(?![\w.])
      | (?P<string>'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*")
      | (?P<word>None|True|False|set\(\s*\))(?!\w)
      | (?P<sign>[-\u2212+\[\](){},:])
      | \\(?P<brace>[{}])  # as LaTeX wants them in a box
    )""",
    re.VERBOSE,
)
_RETURNS: Final = re.compile(
    r"(?:(?:it|the\s(?:call|function|program))\s)?(?:returns?|gives|prints|evaluates\sto)\b\s{0,3}:?\s{0,3}",
    re.IGNORECASE,
)
_ESCAPE: Final = re.compile(r"\\(x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|[0-7]{1,3}|[\s\S])")
_ESCAPES: Final = {"n": "\n", "t": "\t", "r": "\r", "\\": "\\", "'": "'", '"': '"'}
_WORDS: Final = {"None": None, "True": True, "False": False}
_MINUS: Final = "\N{MINUS SIGN}"

# Each line is one value in several spellings.
_ALIKE: Final = r"""
None
True
False
0  -0
1  +1
1.0  1.00  1e0
-0.5  -.5  -5E-1
'1'
[]
[1]  [1,]  ([1])  [+1]
[True]
[1.0]
[1, 2]  [ 1,2 ]
[2, 1]
[[1], 2]
[[1, 2]]
()  ( )
(1,)  1,  ((1,))
(1, 2)  1, 2  1,2,  (1,2,)
((1, 2), 3)
set()  set( )
{1}  {1,}  \{1\}
{1.0}
{True}
{1, 2}  {2, 1,}
{(1,)}
{(True,)}
{}
{1: 2}  {1:2,}
{True: 2}
{2: 1}
{1: 2, 'a': [3]}  {'a': [3], 1: 2}
{1: 2, 'b': [3]}
''  ""
'a'  "a"  '\x61'  '\u0061'
'A'
'/'  '\x2f'
'\n'  '\x0a'
'\\n'  '\x5cn'
'\''  "'"
'\t'
'\r'
'\0'
"""
_REFUSED: Final = r"""
[1  [1, 2  [1}  (1  (1, 2  (1]  {1  {1, 2  {1: 2  {1: 2, 3  1]  1)  [1]]  [,]  (,)  ,
1 2  [1 2]  (1 2)  {1 2}  {1: 2 3: 4}  {1: 2, 3}  {1, 2: 3}  {1:}  {:1}  {1: 2, 1: 3}  {1, 1}  {1, True}
{[1]}  {[1]: 2}  {1, [2]}  {{}: 1}  --1  -'a'  -[1]  -True  1 + 1  01  00  1e  0x1  1j
'  'a  a  g(1)  'a' 'b'  b'a'  '\q'  '\x1'  '\u006'  nan  inf  ...
"""
_NESTS: Final = (("[", "]"), ("(1, ", ")"), ("{1: ", "}"))


@dataclass(frozen=True)
class Literal(AnswerType):
    """One Python literal. Its value has the same types as in Python.

    Attributes:
        called: Name of a function whose call is read as its arguments, ``f([1, 2])`` as ``[1, 2]``.
    """

    called: str = ""

    noun: ClassVar[str] = "one Python literal"
    example: ClassVar[str] = "['example', 17]"
    alike: ClassVar[Sequence[Sequence[str]]] = (
        *(re.split("  +", line) for line in _ALIKE.strip().splitlines()),
        *(("-1", "\u22121"), ("-1e-5", "\u22121e\u22125"), ("'-'",), ("'\u2212'",)),
        *([opener * MAX_DEPTH + "1" + closer * MAX_DEPTH] for opener, closer in _NESTS),
        (f"1, {'[' * MAX_DEPTH}1{']' * MAX_DEPTH}",),
        (f"{{{'(1, ' * (MAX_DEPTH - 1)}1{')' * (MAX_DEPTH - 1)}: 2}}",),
        (f"'{'a' * (MAX_CHARS - 2)}'",),
        ("9" * MAX_DIGITS,),
    )
    refused: ClassVar[Sequence[str]] = (
        *re.split(r"  +|\n", _REFUSED.strip()),
        *(opener * (MAX_DEPTH + 1) + "1" + closer * (MAX_DEPTH + 1) for opener, closer in _NESTS),
        f"1, {'[' * (MAX_DEPTH + 1)}1{']' * (MAX_DEPTH + 1)}",
        f"{{{'(1, ' * MAX_DEPTH}1{')' * MAX_DEPTH}: 2}}",
        f"'{'a' * MAX_CHARS}'",
        "9" * (MAX_DIGITS + 1),
    )

    def parse(self, text: str) -> Any:
        """The value that a span denotes."""
        if self.called and text.lstrip().startswith(f"{self.called}("):
            text = text.lstrip()[len(self.called) :]
        return read_literal(text)

    def lead_in(self) -> re.Pattern[str]:
        """A word for a program's result."""
        return _RETURNS

    def same(self, one: Any, other: Any) -> bool:
        """Whether two values are equal and of the same types."""
        return exactly(one, other)

    def random(self, rng: Stream) -> str:
        """A small integer, a list of integers, or a short string."""
        kind = rng.below(3)
        if kind == 0:
            return str(rng.between(-20, 100))
        if kind == 1:
            return repr([rng.between(-9, 30) for _ in range(rng.between(1, 5))])
        return repr("".join(rng.choice("abcdefgh") for _ in range(rng.between(1, 6))))


def read_literal(text: str) -> Any:
    """The value of a Python literal.

    Raises:
        Unreadable: Not a literal, or a limit is exceeded; the message says where.
    """
    if len(text) > MAX_CHARS:
        raise Unreadable(f"it has more than {MAX_CHARS} characters.")
    reader = _Reader(text)
    value = reader.value(0)
    if reader.here == ",":  # a tuple without its brackets
        value = reader.rest_of_tuple([value], None, 0)
    if reader.here is not None:
        raise Unreadable(f"something follows the literal: {reader.shown}.")
    return value


class _Reader:
    """Reads tokens in order.

    ``here`` is the next sign or kind of token.
    """

    def __init__(self, text: str) -> None:
        self._text, self._at = text.rstrip(), 0
        self.here: str | None = None
        self._body = ""
        self._advance()

    @property
    def shown(self) -> str:
        """The next text, for messages."""
        return repr(self._body[:40])

    def _advance(self) -> None:
        if self._at == len(self._text):
            self.here, self._body = None, ""
            return
        token = _TOKEN.match(self._text, self._at)
        if token is None:
            raise Unreadable(f"no Python literal continues with {self._text[self._at :].strip()[:40]!r}.")
        self._at, kind = token.end(), str(token.lastgroup)
        self._body = token[kind] if kind == "string" else token[kind].replace(_MINUS, "-")
        self.here = self._body if kind in ("sign", "brace") else kind

    def value(self, depth: int) -> Any:
        """Read the next value."""
        kind, body = self.here, self._body
        if kind is None:
            raise Unreadable("it ends too early.")
        if depth > MAX_DEPTH:
            raise Unreadable(f"it is nested more than {MAX_DEPTH} deep.")
        self._advance()
        match kind:
            case "number":
                return _number(body)
            case "string":
                return _string(body)
            case "word":
                return _WORDS.get(body, set())
            case "-" | "+":
                if self.here != "number":
                    raise Unreadable("a sign must stand before a number.")
                number = _number(self._body)
                self._advance()
                return -number if kind == "-" else number
            case "[":
                return self._items("]", depth)
            case "(":
                return self._brackets(depth)
            case "{":
                return self._braces(depth)
        raise Unreadable(f"no value begins with {body!r}.")

    def rest_of_tuple(self, items: list[Any], closer: str | None, depth: int) -> tuple[Any, ...]:
        """The items after the first."""
        while self.here == ",":
            self._advance()
            if self.here == closer:
                break
            items.append(self.value(depth))
        self._close(closer)
        return tuple(items)

    def _close(self, closer: str | None) -> None:
        if closer is None:
            return
        if self.here != closer:
            raise Unreadable(f"{closer!r} is missing" + (f" before {self.shown}." if self.here else "."))
        self._advance()

    def _items(self, closer: str, depth: int) -> list[Any]:
        items: list[Any] = []
        while self.here != closer:
            items.append(self.value(depth + 1))
            if self.here != ",":
                break
            self._advance()
        self._close(closer)
        return items

    def _brackets(self, depth: int) -> Any:
        if self.here == ")":
            self._advance()
            return ()
        first = self.value(depth + 1)
        if self.here == ",":
            return self.rest_of_tuple([first], ")", depth + 1)
        self._close(")")
        return first

    def _braces(self, depth: int) -> Any:
        if self.here == "}":
            self._advance()
            return {}
        first = self._key(depth)
        if self.here != ":":
            if self.here == ",":
                self._advance()
                return _distinct([first, *map(_hashable, self._items("}", depth))])
            self._close("}")
            return {first}
        table: dict[Any, Any] = {}
        key = first
        while True:
            if self.here != ":":
                raise Unreadable("a ':' is missing in a dict.")
            self._advance()
            if key in table:
                raise Unreadable("a dict has the same key twice.")
            table[key] = self.value(depth + 1)
            if self.here == ",":
                self._advance()
            elif self.here != "}":
                break
            if self.here == "}":
                break
            key = self._key(depth)
        self._close("}")
        return table

    def _key(self, depth: int) -> Any:
        return _hashable(self.value(depth + 1))


def _hashable(value: Any) -> Any:
    try:
        hash(value)
    except TypeError:
        raise Unreadable("a list, dict or set is no key of a dict and no item of a set.") from None
    return value


def _distinct(items: list[Any]) -> set[Any]:
    found = set(items)
    if len(found) != len(items):
        raise Unreadable("a set holds the same item twice.")
    return found


def _number(text: str) -> int | float:
    if len(text) > MAX_DIGITS:
        raise Unreadable(f"a number has more than {MAX_DIGITS} digits.")
    if not text.isdigit():
        return float(text)
    if len(text) > 1 and text[0] == "0":
        raise Unreadable(f"{text[:20]} begins with a zero.")
    return int(text)


def _string(text: str) -> str:
    return _ESCAPE.sub(_unescaped, text[1:-1])


def _unescaped(match: re.Match[str]) -> str:
    body = match[1]
    if body[0] in "01234567":
        return chr(int(body, 8))
    if len(body) > 1:
        return chr(int(body[1:], 16))
    if body not in _ESCAPES:
        raise Unreadable(f"a string has the unknown escape \\{body}.")
    return _ESCAPES[body]


def write_literal(value: Any) -> str:
    """A value in Python syntax.

    Dicts sorted by key if all keys are integers or strings.
    """
    if type(value) is dict and value:
        pairs = list(value.items())
        if {type(key) for key in value} in ({int}, {str}):
            pairs.sort()
        return "{" + ", ".join(f"{write_literal(key)}: {write_literal(item)}" for key, item in pairs) + "}"
    if type(value) is list:
        return f"[{', '.join(map(write_literal, value))}]"
    if type(value) is tuple:
        return f"({', '.join(map(write_literal, value))}{',' if len(value) == 1 else ''})"
    return repr(value)
