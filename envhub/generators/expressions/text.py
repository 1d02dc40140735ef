r"""Text of expressions: a strict parser of model output, and a printer.

:func:`parse` reads decimal integers, ``+ - * /`` with the usual precedence and left associativity, signs, and brackets
``() [] {}`` closed by their own kind; also the typographic and LaTeX forms of the same things (the signs of multiplication,
division and minus, ``\times``, ``\frac{a}{b}``, ``\left( \right)``, ``$...$``). Everything else is an
:class:`ExpressionError`: implied multiplication, powers, decimals, thousands separators, names. It reads each character
once and keeps its own stack, so no text can make it slow or deep, and no text reaches an interpreter::

    parse(r"3 \times (4 - 1)")      # Operation("*", Number(3), Operation("-", Number(4), Number(1)))
    parse_equation("3 * 8 = 24")    # (Operation("*", Number(3), Number(8)), 24)
    render(parse("((2))*((3+4))"))  # "2 * (3 + 4)"
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from envhub.generators.expressions.trees import Negation, Number, Operation, Tree

MAX_CHARS: Final = 2000
MAX_DEPTH: Final = 64
MAX_DIGITS: Final = 50
MAX_LEAVES: Final = 200


class ExpressionError(ValueError):
    """Text that is not an expression.

    The message gives the reason and character (from 1).
    """


class _Token(NamedTuple):
    kind: str  # number, operator, open, close, frac, math, equals, end
    text: str
    at: int


class _Pending(NamedTuple):
    """A stack entry that awaits its right side.

    Operator, sign (``neg``) or bracket.
    """

    kind: str  # operator, neg, group, numerator, denominator
    text: str
    at: int


_SCAN: Final = re.compile(
    r"(?P<space>[ \t\r\n\u00a0\u2002\u2003\u2007\u2009\u200a\u202f\u205f\u3000]+|\\[,;:! ])"
    r"|(?P<number>[0-9]+)|(?P<name>\\[A-Za-z]+)|(?P<symbol>\\[()\[\]{}]|\$\$?|.)",
    re.DOTALL,
)
_OPERATORS: Final = (
    dict.fromkeys("+", "+")
    | dict.fromkeys("-\u2010\u2011\u2212\u2013", "-")
    | dict.fromkeys(("*", "\u00d7", "\u00b7", "\u22c5", "\u2217", r"\times", r"\cdot", r"\ast"), "*")
    | dict.fromkeys(("/", "\u00f7", "\u2044", "\u2215", r"\div"), "/")
)
_CLOSED_BY: Final = {"(": ")", "[": "]", "{": "}", r"\{": r"\}"}
_CLOSERS: Final = frozenset(_CLOSED_BY.values())
_MATH: Final = {"$": "$", "$$": "$$", r"\(": r"\)", r"\[": r"\]"}
_MATH_MARKS: Final = frozenset(_MATH) | frozenset(_MATH.values())
_FRACTIONS: Final = frozenset((r"\frac", r"\dfrac", r"\tfrac"))
_SPACES: Final = frozenset((r"\quad", r"\qquad"))
_PRECEDENCE: Final = {"+": 1, "-": 1, "*": 2, "/": 2}


def parse(
    text: str,
    *,
    max_chars: int = MAX_CHARS,
    max_depth: int = MAX_DEPTH,
    max_digits: int = MAX_DIGITS,
    max_leaves: int = MAX_LEAVES,
) -> Tree:
    """Read one expression. Time is linear in the length of ``text``.

    Args:
        text: Any text.
        max_chars: Maximum length of the text.
        max_depth: Maximum number of open brackets and minus signs.
        max_digits: Maximum digits of a number, with leading zeros; at most 640.
        max_leaves: Maximum count of numbers.

    Raises:
        ExpressionError: ``text`` is not an expression, or passes a limit. Nothing else is ever raised.
    """
    tokens = _unwrap(_tokens(text, max_chars, max_digits))
    return _build(tokens, max_depth, max_leaves)


def parse_equation(
    text: str,
    *,
    max_chars: int = MAX_CHARS,
    max_depth: int = MAX_DEPTH,
    max_digits: int = MAX_DIGITS,
    max_leaves: int = MAX_LEAVES,
) -> tuple[Tree, int | None]:
    """Read an expression, perhaps followed by ``=`` and an integer.

    The integer is plain, as in ``3 * 8 = 24``. The sides are not compared: the caller must.

    Returns:
        The tree of the left side, and the integer (None without ``=``).

    Raises:
        ExpressionError: Like :func:`parse`; also for a second ``=`` or anything but an integer after the first.
    """
    tokens = _unwrap(_tokens(text, max_chars, max_digits))
    places = [i for i, token in enumerate(tokens) if token.kind == "equals"]
    if not places:
        return _build(tokens, max_depth, max_leaves), None
    if len(places) > 1:
        raise _error("a second '='", tokens[places[1]].at)
    sign = tokens[places[0]]
    right = _unwrap(tokens[places[0] + 1 :])
    negative = right[0].kind == "operator" and right[0].text == "-"
    digits = right[1:] if negative else right
    if [token.kind for token in digits] != ["number", "end"]:
        raise _error("expected one plain integer after the '='", sign.at)
    left = _unwrap([*tokens[: places[0]], _Token("end", "", sign.at)])
    claimed = int(digits[0].text)
    return _build(left, max_depth, max_leaves), -claimed if negative else claimed


def render(tree: Tree) -> str:
    """The text of ``tree`` with the parentheses that its structure needs: ``parse(render(tree)) == tree``.

    Operators are set off by spaces; a negation that does not open the text or a bracket is in parentheses.
    """
    pieces: list[str] = []
    # text to emit, or a node and whether it opens the text or a bracket
    stack: list[str | tuple[Tree, bool]] = [(tree, True)]
    while stack:
        item = stack.pop()
        if isinstance(item, str):
            pieces.append(item)
            continue
        node, opens = item
        if isinstance(node, Number):
            pieces.append(str(node.value))
        elif isinstance(node, Negation):
            bare = isinstance(node.operand, Number)
            pieces.append("-" if opens else "(-")
            if not opens:
                stack.append(")")
            stack += [(node.operand, True)] if bare else [")", (node.operand, True), "("]
        else:
            level = _PRECEDENCE[node.op]
            if isinstance(node.right, Operation) and _PRECEDENCE[node.right.op] <= level:
                stack += [")", (node.right, True), "("]
            else:
                stack.append((node.right, False))
            stack.append(f" {node.op} ")
            if isinstance(node.left, Operation) and _PRECEDENCE[node.left.op] < level:
                stack += [")", (node.left, True), "("]
            else:
                stack.append((node.left, opens))
    return "".join(pieces)


def _error(what: str, at: int) -> ExpressionError:
    return ExpressionError(f"{what} at character {at + 1}")


def _tokens(text: str, max_chars: int, max_digits: int) -> list[_Token]:
    r"""The tokens of ``text``, ended by one of kind ``end``.

    Operators in ASCII, brackets with their ``\left``.
    """
    if len(text) > max_chars:
        raise ExpressionError(f"the text has {len(text)} characters, more than {max_chars}")
    max_digits = min(max_digits, 640)  # int() converts this many under any setting of the interpreter
    tokens: list[_Token] = []
    sized = _Token("", "", 0)  # a \left or \right that awaits its bracket
    for match in _SCAN.finditer(text):
        group, piece, at = match.lastgroup, match.group(), match.start()
        if group == "space" or piece in _SPACES:
            continue
        if group == "number":
            if len(piece) > max_digits:
                raise _error(f"a number of more than {max_digits} digits", at)
            token = _Token("number", piece, at)
        elif piece in _OPERATORS:
            token = _Token("operator", _OPERATORS[piece], at)
        elif piece in _CLOSED_BY:
            token = _Token("open", sized.text + piece, at)
        elif piece in _CLOSERS:
            token = _Token("close", sized.text + piece, at)
        elif piece in _FRACTIONS:
            token = _Token("frac", piece, at)
        elif piece in _MATH_MARKS:
            token = _Token("math", piece, at)
        elif piece == "=":
            token = _Token("equals", piece, at)
        elif piece in (r"\left", r"\right") and not sized.kind:
            sized = _Token("open" if piece == r"\left" else "close", piece, at)
            continue
        else:
            # !a because the piece may be a lone surrogate or a control character; 20 because names can be long
            raise _error(f"{piece[:20]!a} is not part of an expression", at)
        if sized.kind:
            if token.kind != sized.kind:
                raise _error(f"expected a bracket after {sized.text}", sized.at)
            sized = _Token("", "", 0)
        tokens.append(token)
    if sized.kind:
        raise _error(f"expected a bracket after {sized.text}", sized.at)
    tokens.append(_Token("end", "", len(text)))
    return tokens


def _unwrap(tokens: list[_Token]) -> list[_Token]:
    """``tokens`` without one pair of maths marks around all of them."""
    if len(tokens) > 2 and tokens[0].kind == "math" and tokens[-2].text == _MATH.get(tokens[0].text):
        inside = tokens[1:-2]
        if all(token.kind != "math" for token in inside):
            return [*inside, _Token("end", "", tokens[-2].at)]
    return tokens


def _build(tokens: list[_Token], max_depth: int, max_leaves: int) -> Tree:
    """The tree of ``tokens``, by operator precedence with two explicit stacks."""
    values: list[Tree] = []
    stack: list[_Pending] = []
    depth = count = 0  # brackets and signs open; numbers read
    want_operand = True

    def reduce(level: int) -> int:
        """Apply stack entries that bind at least as tightly as ``level``.

        Returns the signs closed.
        """
        closed = 0
        while stack:
            top = stack[-1]
            if top.kind == "neg":
                values[-1] = Negation(values[-1])
                closed += 1
            elif top.kind == "operator" and _PRECEDENCE[top.text] >= level:
                right = values.pop()
                values[-1] = Operation(top.text, values[-1], right)
            else:
                break
            stack.pop()
        return closed

    def push(pending: _Pending) -> None:
        nonlocal depth
        depth += 1
        if depth > max_depth:
            raise _error(f"more than {max_depth} brackets and signs open", pending.at)
        stack.append(pending)

    def brace(i: int, kind: str, after: str) -> None:
        if tokens[i].kind != "open" or tokens[i].text != "{":
            raise _error(f"expected '{{' after {after}", tokens[i].at)
        push(_Pending(kind, "{", tokens[i].at))

    i = 0
    while True:
        token = tokens[i]
        i += 1
        if want_operand:
            if token.kind == "number":
                count += 1
                if count > max_leaves:
                    raise _error(f"more than {max_leaves} numbers", token.at)
                values.append(Number(int(token.text)))
                want_operand = False
            elif token.kind == "open":
                push(_Pending("group", token.text, token.at))
            elif token.kind == "frac":
                brace(i, "numerator", token.text)
                i += 1
            elif token.kind == "operator" and token.text == "-":
                push(_Pending("neg", "-", token.at))
            elif token.kind != "operator" or token.text != "+":
                raise _error(f"expected a number or a bracket, found {_name(token)}", token.at)
        elif token.kind == "operator":
            depth -= reduce(_PRECEDENCE[token.text])
            stack.append(_Pending("operator", token.text, token.at))
            want_operand = True
        elif token.kind == "close":
            depth -= reduce(0)
            if not stack:
                raise _error(f"{token.text!r} closes nothing", token.at)
            opened = stack.pop()
            depth -= 1
            expected = _closing(opened.text)
            if token.text != expected:
                raise _error(f"expected {expected!r}, found {token.text!r}", token.at)
            if opened.kind == "numerator":
                brace(i, "denominator", "the numerator")
                i += 1
                want_operand = True
            elif opened.kind == "denominator":
                right = values.pop()
                values[-1] = Operation("/", values[-1], right)
        elif token.kind == "end":
            reduce(0)
            if stack:
                raise _error(f"{stack[-1].text!r} is never closed, opened", stack[-1].at)
            return values[0]
        else:
            raise _error(f"expected an operator, found {_name(token)}", token.at)


def _closing(opening: str) -> str:
    bracket = opening.removeprefix(r"\left")
    return ("" if bracket == opening else r"\right") + _CLOSED_BY[bracket]


def _name(token: _Token) -> str:
    if token.kind == "end":
        return "the end"
    return "a number" if token.kind == "number" else repr(token.text)
