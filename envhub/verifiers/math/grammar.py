r"""Precedence parser of expressions: tokens to a tree, each token read once.

``+ -`` bind loosest, then products (written or implied), signs, powers (to the right), ``! %`` and degrees. Ambiguous
notation is rejected, not guessed: ``1/2x``, ``1 1/2``, ``\sin x/2``, ``x2``, ``f(x)`` of an unknown f::

    parse(lex(r"\frac{1}{2}x^2 - 3"))
    parse(lex("2xy"), Names(letters=frozenset("xy")))
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from envhub.verifiers.math.lexer import NotMath, Token, number
from envhub.verifiers.math.names import Names, single_letters
from envhub.verifiers.math.tree import INF, PERCENT, PI, App, E, I, Num, Sym, Tree, app, logarithm

_MAX_OPEN: Final = 60
_SUM, _PRODUCT, _SIGN, _POWER = 10, 20, 25, 30
_HALF: Final = Num(Fraction(1, 2))
_UNKNOWN: Final = frozenset("fghFGHP")  # before a bracket these are unknown functions
_INVERSES: Final = {"sin": "asin", "cos": "acos", "tan": "atan"}
_MANY: Final = {"min": 64, "max": 64, "gcd": 64, "lcm": 64}
_STARTS: Final = frozenset(("word", "name", "const", "cmd"))


def parse(tokens: Sequence[Token], names: Names | None = None) -> Tree:
    """The tree of an expression.

    Raises:
        NotMath: Not an expression, or a limit is exceeded.
    """
    names = names or Names()
    parser = _Parser([single for token in tokens for single in single_letters(token, names)], names)
    tree = parser.expression(0)
    if parser.at < len(parser.tokens):  # more than given, since xy and \\frac12 were split
        raise NotMath(f"{parser.peek().text[:20]!r} is out of place")
    return tree


_END: Final = Token("stop", "the end", 0, 0, False)


class _Parser:
    """Reads tokens from left to right.

    Methods leave ``at`` after what they read.
    """

    def __init__(self, tokens: list[Token], names: Names) -> None:
        self.tokens = tokens
        self.names = names
        self.at = 0
        self.open = 0
        self.bars = 0

    def peek(self, ahead: int = 0) -> Token:
        return self.tokens[self.at + ahead] if self.at + ahead < len(self.tokens) else _END

    def take(self, kind: str, text: str) -> bool:
        token = self.peek()
        if token.kind == kind and token.text == text:
            self.at += 1
            return True
        return False

    def need(self, kind: str, text: str) -> None:
        if not self.take(kind, text):
            raise NotMath(f"expected {text!r}, found {self.peek().text[:20]!r}")

    def deepen(self) -> None:
        """Count one more level of nesting, at each recursion."""
        self.open += 1
        if self.open > _MAX_OPEN:
            raise NotMath(f"it is nested more than {_MAX_OPEN} deep")

    # -- operators ---------------------------------------------------------------------------------------------------

    def expression(self, level: int) -> Tree:
        """Parses everything that binds more tightly than ``level``."""
        self.deepen()
        tree = self.powers(self.operand())
        if level < _PRODUCT:
            tree = self.product(tree)
        if level < _SUM:
            tree = self.sum(tree)
        self.open -= 1
        return tree

    def sum(self, first: Tree) -> Tree:
        terms = [first]
        while self.peek().kind == "op" and self.peek().text in ("+", "-", "pm", "mp"):
            op = self.peek().text
            self.at += 1
            term = self.expression(_SUM)
            terms.append(term if op == "+" else app("neg" if op == "-" else op, term))
        return app("+", *terms) if len(terms) > 1 else first

    def product(self, first: Tree) -> Tree:
        factors = [first]
        divided: Token | None = None  # the sign of the last division
        begun = self.at
        while True:
            token = self.peek()
            if token.kind == "op" and token.text in "*/":
                self.at += 1
                before, begun = begun, self.at
                factor = self.expression(_PRODUCT)
                if token.text == "/":
                    plain = self.at - begun == 1 and begun - 1 - before <= 1 and isinstance(factor, Num)
                    factors.append(app("inv", factor))
                    divided = None if plain and self.peek().gap and isinstance(factors[-2], Num) else token
                else:
                    factors.append(factor)
                    divided = None
            elif self.implied():
                if divided is not None:
                    raise NotMath("a division followed by a product without a sign is ambiguous; use brackets")
                begun = self.at
                factors.append(self.powers(self.operand()))
            else:
                return app("*", *factors) if len(factors) > 1 else first

    def implied(self) -> bool:
        """Whether the next token starts a factor without a sign."""
        token = self.peek()
        if token.kind in _STARTS:
            return not (token.kind == "const" and token.text not in ("pi", "inf"))
        if token.kind == "open":
            # "42 (1)" and "42 [1]" are a number and a remark
            lone = self.peek(1).kind == "num" and self.peek(2).kind == "close"
            return token.text != "[" and not (token.gap and lone)
        if token.kind == "num":
            return self.tokens[self.at - 1].text == "!"  # 4! 5!
        return token.kind == "bar" and not self.bars

    def powers(self, base: Tree) -> Tree:
        """Suffixes of an operand: powers, factorials, degrees, per cent."""
        while self.peek().kind == "op":
            token = self.peek()
            if token.text == "^":
                self.at += 1
                base = app("deg", base) if self.degree() else app("^", base, self.exponent(base))
            elif token.text == "!":
                self.at += 1
                if self.peek().text == "!" and self.peek().kind == "op":
                    raise NotMath("a double factorial is not read")
                base = app("!", base)
            elif token.text == "%":
                self.at += 1
                base = app("*", base, Sym(PERCENT))
            elif token.text == "deg":
                self.at += 1
                base = app("deg", base)
            else:
                break
        return base

    def degree(self) -> bool:
        if self.take("op", "deg"):
            return True
        if self.peek().text == "{" and self.peek(1).text == "deg" and self.peek(2).text == "{":
            self.at += 3
            return True
        return False

    def exponent(self, base: Tree) -> Tree:
        if self.peek().kind == "open":
            tree = self.operand()  # x^{2}!, x^(2)y: the brackets are the exponent
        else:
            begun = self.at
            tree = self.expression(_POWER)
            follower = self.peek()
            bare = isinstance(base, Num) or base == E or isinstance(tree, Sym)  # 2^3x, e^2x, x^nx
            if bare and self.at - begun == 1 and follower.kind in ("word", "name", "const") and not follower.gap:
                raise NotMath("put the exponent in brackets")
        return self.powers(tree) if self.peek().text == "^" else tree

    # -- operands ----------------------------------------------------------------------------------------------------

    def operand(self) -> Tree:
        token = self.peek()
        self.at += 1
        if token.kind == "num":
            return self.numeral(token)
        if token.kind == "op" and token.text in ("+", "-", "pm", "mp"):
            tree = self.expression(_SIGN)
            return tree if token.text == "+" else app("neg" if token.text == "-" else token.text, tree)
        if token.kind == "open":
            return self.bracket(token)
        if token.kind == "bar":
            return self.between_bars()
        if token.kind == "const" and token.text in ("pi", "inf"):
            return PI if token.text == "pi" else INF
        if token.kind == "cmd":
            return self.function(token.text)
        if token.kind in ("word", "name"):
            return self.named(token)
        raise NotMath(f"expected a number, a name or a bracket, found {token.text[:20]!r}")

    def numeral(self, token: Token) -> Tree:
        tree = Num(number(token.text))
        if self.take("op", "_"):
            return Sym(f"{token.text}~base~{self.subscript()}")
        if self.peek().kind == "num" or self.mixed():
            raise NotMath("two numbers stand side by side; write a mixed number as a sum, such as 2 + 1/2")
        return tree

    def mixed(self) -> bool:
        """Whether a fraction of plain numbers follows a number."""
        if self.peek().text != "frac":
            return False
        if self.peek(1).kind == "num":
            return True
        return self.peek(1).kind == "open" and self.peek(2).kind == "num" and self.peek(3).kind == "close"

    def bracket(self, token: Token) -> Tree:
        if token.text not in ("(", "[", "{", "|", "floor", "ceil"):
            raise NotMath(f"{token.text!r} does not group")
        bars, self.bars = self.bars, 0
        tree = self.expression(0)
        self.bars = bars
        self.need("close", token.text)
        if token.text == "|":
            return app("abs", tree)
        if self.peek().kind == "num":
            raise NotMath("a number follows a bracket")
        return app(token.text, tree) if token.text in ("floor", "ceil") else tree

    def between_bars(self) -> Tree:
        self.bars += 1
        tree = self.expression(0)
        self.bars -= 1
        if self.peek().kind != "bar":
            raise NotMath("a bar is not closed")
        self.at += 1
        return app("abs", tree)

    def subscript(self) -> str:
        """The text of a subscript, after its mark."""
        if not self.take("op" if self.peek().kind == "op" else "open", "{"):
            token = self.peek()
            self.at += 1
            if token.kind not in ("num", "word", "name"):
                raise NotMath("a subscript is missing")
            return token.text
        parts: list[str] = []
        while not self.take("close", "{"):
            token = self.peek()
            self.at += 1
            if token.kind not in ("num", "word", "name", "op") or len(parts) > 8:
                raise NotMath("a subscript is not a name or a number")
            parts.append(token.text)
        return "".join(parts)

    def named(self, token: Token) -> Tree:
        """A variable or a constant."""
        if token.kind == "word" and len(token.text) > 1 and token.text not in self.names.words:
            raise NotMath(f"{token.text[:20]!r} is not a name")
        return self.variable(token.text)

    def constant_or_variable(self, name: str) -> Tree:
        if name in self.names.words:
            return Sym(name)
        return {"e": E, "i": I}.get(name) or Sym(name)

    def variable(self, name: str) -> Tree:
        """A variable with its subscript; rejects calls of unknown functions."""
        if self.take("op", "_"):
            return Sym(f"{name}_{self.subscript()}")
        follower = self.peek()
        if follower.kind == "open" and follower.text == "(" and not follower.gap:
            if name == "C" and name not in self.names.words:
                return self.call("binom", 2)
            if name in _UNKNOWN and name not in self.names.words:
                raise NotMath(f"{name} is not a known function")
        if follower.kind == "num":
            raise NotMath("a number follows a name")
        return self.constant_or_variable(name)

    def function(self, name: str) -> Tree:
        if name == "frac":
            return app("*", self.argument(split=True), app("inv", self.argument(split=True)))
        if name == "binom":
            if self.peek().text == "(":
                return self.call("binom", 2)
            return app("binom", self.argument(), self.argument())
        if name in ("sqrt", "sqrt!", "cbrt"):
            return self.root(name)
        if name in _MANY:
            return self.call(name, _MANY[name])
        base: Tree | None = None
        power: Tree | None = None
        if name == "log" and self.take("op", "_"):
            base = self.argument()
        if self.take("op", "^"):
            power = self.argument()
        tree = self.applied(name)
        if name == "log":
            tree = logarithm(tree, base)
        elif name == "log10":
            tree = app("*", app("ln", tree), app("inv", app("ln", Num(Fraction(10)))))
        elif power == app("neg", Num(Fraction(1))) and name in _INVERSES:
            return app(_INVERSES[name], tree)
        else:
            tree = app(name, tree)
        return tree if power is None else app("^", tree, power)

    def applied(self, name: str) -> Tree:
        """A function's operand: the content of brackets, or a product without signs."""
        if self.peek().kind == "open" and self.peek().text in ("(", "[", "{"):
            self.at += 1
            return self.bracket(self.tokens[self.at - 1])
        if self.peek().kind == "op":
            raise NotMath(f"put the operand of {name} in brackets")
        factors = [self.powers(self.unbracketed())]
        while self.implied() and self.peek().kind not in ("cmd", "open"):
            factors.append(self.powers(self.operand()))
        follower = self.peek()
        if (follower.kind == "op" and follower.text in "*/") or (follower.kind == "open"):
            raise NotMath(f"put the operand of {name} in brackets")
        return app("*", *factors) if len(factors) > 1 else factors[0]

    def unbracketed(self) -> Tree:
        """The operand of a function or root without brackets, possibly another function."""
        self.deepen()
        tree = self.operand()
        self.open -= 1
        return tree

    def argument(self, split: bool = False) -> Tree:
        r"""One operand of ``\frac``, ``^`` or ``_``: a group or a token."""
        token = self.peek()
        if token.kind == "num" and split and len(token.text) == 2 and token.text.isdigit():  # \frac12
            self.tokens[self.at : self.at + 1] = [
                token._replace(text=token.text[0]),
                token._replace(text=token.text[1]),
            ]
            token = self.peek()
        self.at += 1
        if token.kind == "open" and token.text in ("{", "("):
            return self.bracket_only(token)
        if token.kind == "num" and (len(token.text) == 1 or not split):
            return Num(number(token.text))
        if token.kind in ("word", "name") and (len(token.text) == 1 or token.kind == "name"):
            return self.constant_or_variable(token.text)
        if token.kind == "const" and token.text == "pi":
            return PI
        if token.kind == "op" and token.text == "-" and not split:
            self.deepen()
            tree = app("neg", self.argument())
            self.open -= 1
            return tree
        raise NotMath(f"expected an operand, found {token.text[:20]!r}")

    def bracket_only(self, token: Token) -> Tree:
        """A group, after which anything may follow."""
        bars, self.bars = self.bars, 0
        tree = self.expression(0)
        self.bars = bars
        self.need("close", token.text)
        return tree

    def root(self, name: str) -> Tree:
        exponent: Tree = _HALF if name != "cbrt" else Num(Fraction(1, 3))
        if name == "sqrt" and self.peek().text == "[":
            self.at += 1
            exponent = app("inv", self.bracket(self.tokens[self.at - 1]))
            if exponent.args[0] == Num(Fraction(3)):
                exponent = Num(Fraction(1, 3))
        token = self.peek()
        if token.kind == "open":
            self.at += 1
            return app("^", self.bracket_only(token), exponent)
        if token.kind == "num" and name == "sqrt" and len(token.text) > 1:
            raise NotMath("put the operand of the root in braces")
        tree = self.unbracketed()
        if self.peek().kind == "word" and not self.peek().gap:
            raise NotMath("put the operand of the root in brackets")  # sqrt xy
        return app("^", tree, exponent)

    def call(self, name: str, most: int) -> App:
        """Operands in brackets, separated by commas."""
        closer = self.peek().text
        if closer not in ("(", "\\{", "{"):
            raise NotMath(f"{name} needs its operands in brackets")
        self.at += 1
        args = [self.expression(0)]
        while self.take("sep", ","):
            args.append(self.expression(0))
        self.need("close", closer)
        if len(args) > most or (name == "binom" and len(args) != 2):
            raise NotMath(f"{name} has the wrong number of operands")
        return app(name, *args)
