r"""Tokenizer of plain text and LaTeX, and splitting at separators.

Both notations give the same tokens: ``\frac`` and ``/``, ``\le`` and ``<=``, ``\left(`` and ``(``, the typographic signs
and their ASCII forms. Unknown text becomes a token of kind ``bad``, which no grammar accepts, so lexing itself rejects
only excess: characters, digits of a number, open brackets. Time is linear in the length of the text::

    [t.text for t in lex(r"\frac{1}{2}x \leq 3")]      # ["frac", "{", "1", "}", "{", "2", "}", "x", "<=", "3"]
    pieces("(1, 2), 3", ",")                           # ["(1, 2)", "3"]
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from typing import Final, NamedTuple

MAX_CHARS: Final = 4000
MAX_DIGITS: Final = 1000
MAX_NESTING: Final = 60
MAX_SHIFT: Final = 1000  # of the exponent in 1e1000


class NotMath(ValueError):
    """Text that is not in the expected form; the message says why."""


class Token(NamedTuple):
    """A piece of text with a meaning.

    Attributes:
        kind: ``num``, ``word`` (a run of letters), ``name`` (a Greek letter), ``cmd`` (a function or a structure),
            ``const``, ``op``, ``open``, ``close``, ``bar``, ``rel``, ``join`` (of sets), ``sep``, ``link`` (and, or),
            ``begin``, ``end``, ``bad``.
        text: Its normal form.
        start: Its start in the prepared text.
        end: Its end.
        gap: Whether a space precedes it.
    """

    kind: str
    text: str
    start: int
    end: int
    gap: bool


_PLAIN_FUNCTIONS: Final = (
    "sin cos tan cot sec csc sinh cosh tanh ln log exp floor ceil abs sqrt cbrt min max gcd lcm arg conj binom frac"
)
_ALPHABET: Final = (
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma sigma tau upsilon phi chi"
    " psi omega"
)
_GREEK: Final = (
    "alpha beta gamma delta epsilon varepsilon zeta eta theta vartheta iota kappa lambda mu nu xi rho sigma tau upsilon phi"
    " varphi chi psi omega ell hbar Gamma Delta Theta Lambda Xi Sigma Phi Psi Omega"
)
_LAYOUT: Final = (
    "left right big Big bigl bigr Bigl Bigr bigg Bigg biggl biggr middle displaystyle textstyle limits quad qquad enspace"
    " thinspace rm bf"
)
FUNCTIONS: Final = {name: name for name in _PLAIN_FUNCTIONS.split()} | {
    "arcsin": "asin", "arccos": "acos", "arctan": "atan", "asin": "asin", "acos": "acos", "atan": "atan",
    "dfrac": "frac", "tfrac": "frac", "cfrac": "frac", "dbinom": "binom", "tbinom": "binom", "lg": "log10",
    "Re": "re", "Im": "im", "ceiling": "ceil", "cosec": "csc",
}  # fmt: skip
_BARE_ONLY: Final = frozenset(("frac", "arg", "Re", "Im"))  # in plain text these are words
_COMMANDS: Final = (
    {name: ("cmd", text) for name, text in FUNCTIONS.items()}
    | {name: ("name", name.removeprefix("var")) for name in _GREEK.split()}
    | {
        "times": ("op", "*"), "cdot": ("op", "*"), "ast": ("op", "*"), "div": ("op", "/"), "pm": ("op", "pm"),
        "mp": ("op", "mp"), "circ": ("op", "deg"), "degree": ("op", "deg"),
        "pi": ("const", "pi"), "infty": ("const", "inf"), "emptyset": ("const", "empty"), "varnothing": ("const", "empty"),
        "le": ("rel", "<="), "leq": ("rel", "<="), "leqslant": ("rel", "<="), "lt": ("rel", "<"), "gt": ("rel", ">"),
        "ge": ("rel", ">="), "geq": ("rel", ">="), "geqslant": ("rel", ">="), "ne": ("rel", "!="), "neq": ("rel", "!="),
        "in": ("rel", "in"), "cup": ("join", "cup"), "cap": ("join", "cap"),
        "setminus": ("join", "minus"), "backslash": ("join", "minus"),
        "lor": ("link", "or"), "vee": ("link", "or"), "land": ("link", "and"), "wedge": ("link", "and"),
        "lfloor": ("open", "floor"), "rfloor": ("close", "floor"), "lceil": ("open", "ceil"), "rceil": ("close", "ceil"),
        "lvert": ("open", "|"), "rvert": ("close", "|"), "lbrace": ("open", "\\{"), "rbrace": ("close", "\\{"),
        "lbrack": ("open", "["), "rbrack": ("close", "["), "langle": ("open", "<"), "rangle": ("close", "<"),
        "mid": ("bar", "|"), "vert": ("bar", "|"), "mapsto": ("rel", "->"), "to": ("rel", "->"), "colon": ("op", ":"),
    }
)  # fmt: skip
_SKIPPED: Final = frozenset(_LAYOUT.split())
_WORDS: Final = {
    "pi": ("const", "pi"), "inf": ("const", "inf"), "infinity": ("const", "inf"), "infty": ("const", "inf"),
    "oo": ("const", "inf"), "and": ("link", "and"), "or": ("link", "or"), "in": ("rel", "in"),
    "deg": ("op", "deg"), "degree": ("op", "deg"), "degrees": ("op", "deg"), "union": ("join", "cup"),
}  # fmt: skip
_SIGNS: Final = {
    "(": ("open", "("), ")": ("close", "("), "[": ("open", "["), "]": ("close", "["), "{": ("open", "{"),
    "}": ("close", "{"), "|": ("bar", "|"), "+": ("op", "+"), "-": ("op", "-"), "*": ("op", "*"), "/": ("op", "/"),
    "^": ("op", "^"), "_": ("op", "_"), "!": ("op", "!"), "%": ("op", "%"), ":": ("op", ":"), "=": ("rel", "="),
    "<": ("rel", "<"), ">": ("rel", ">"), ",": ("sep", ","), ";": ("sep", ";"), "&": ("sep", "&"), "<=": ("rel", "<="),
    ">=": ("rel", ">="), "!=": ("rel", "!="), "**": ("op", "^"), "->": ("rel", "->"), ":=": ("rel", "="),
    "\\{": ("open", "\\{"), "\\}": ("close", "\\{"), "\\%": ("op", "%"), "\\\\": ("sep", "\\\\"), "\\$": ("money", "$"),
    "$": ("money", "$"), "\u20ac": ("money", "EUR"), "\u00a3": ("money", "GBP"), "\u00a5": ("money", "JPY"),
}  # fmt: skip

_CHARACTERS: Final = {
    **dict.fromkeys("\u2212\u2013\u2010\u2011\uff0d", "-"), **dict.fromkeys("\u00a0\u202f\u2009\u2002\u2003\u200a", " "),
    "\u00d7": "*", "\u00b7": "*", "\u22c5": "*", "\u2217": "*", "\u00f7": "/", "\u2044": "/", "\u2215": "/",
    "\u221a": " sqrt ", "\u221b": " cbrt ", "\u03c0": "\\pi ", "\u221e": "\\infty ", "\u2264": "<=", "\u2a7d": "<=",
    "\u2265": ">=", "\u2a7e": ">=", "\u2260": "!=", "\u222a": "\\cup ", "\u2208": "\\in ", "\u00b0": "\\circ ",
    "\u00b1": "\\pm ", "\u2213": "\\mp ", "\u211d": "\\mathbb{R}", "\u2124": "\\mathbb{Z}", "\u2115": "\\mathbb{N}",
    "\u2205": "\\emptyset ", "\u2228": "\\lor ", "\u2227": "\\land ", "\u230a": "\\lfloor ", "\u230b": "\\rfloor ",
    "\u2308": "\\lceil ", "\u2309": "\\rceil ", "\u2223": "|", "\u2216": "\\setminus ", "\u21a6": "\\mapsto ",
    "\u2192": "\\to ", "\u00bd": "\\frac{1}{2}", "\u00bc": "\\frac{1}{4}", "\u00be": "\\frac{3}{4}",
    "\u2153": "\\frac{1}{3}", "\u2154": "\\frac{2}{3}", "\u00b5": "\\mu ", "\u2061": "", "\u2062": "*", "\u200b": "",
    **{chr(0x3B1 + i): f"\\{name} " for i, name in enumerate(_ALPHABET.split())},
    "\u0394": "\\Delta ", "\u03a9": "\\Omega ", "\u03a3": "\\Sigma ", "\u03a6": "\\Phi ",
}  # fmt: skip
_TRANSLATION: Final = str.maketrans(_CHARACTERS)
_RAISED: Final = str.maketrans(
    "\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079\u207b\u207a\u207f\u2071\u02e3", "0123456789-+nix"
)
_LOWERED: Final = {0x2080 + digit: str(digit) for digit in range(10)}
_RAISED_RUN = re.compile("[\u2070\u00b9\u00b2\u00b3\u2074-\u2079\u207a\u207b\u207f\u2071\u02e3]+")
_LOWERED_RUN = re.compile("[\u2080-\u2089]+")
_TEXT = re.compile(
    r"\\(?:text(?:bf|it|rm|normal)?|math(?:rm|bf|it|sf)|mbox|operatorname\*?|boldsymbol|bm)\s{0,4}\{([^{}\\]*)\}"
)
_SCAN = re.compile(
    r"(?P<space>[ \t]+|\\[,;:! >]|(?<=[^~])~(?=[^~])|\\[()\[\]])"
    r"|(?P<line>[\r\n\f\v]\s*)"
    r"|(?P<loop>[0-9]*\.[0-9]*\\(?:overline|bar)\s{0,4}\{[0-9]+\})"
    r"|(?P<group>[0-9]{1,3}(?:(?:\{,\}|\\,|,\\!|\\!,\\!)[0-9]{3})+(?![0-9,])(?:\.[0-9]+)?)"
    r"|(?P<comma>[0-9]{1,3}(?:,[0-9]{3})+(?!,?[0-9])(?:\.[0-9]+)?)"
    r"|(?P<sci>(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)[eE][+-]?[0-9]{1,6}(?![0-9A-Za-z.]))"
    r"|(?P<num>[0-9]+(?:\.[0-9]+)?|\.[0-9]+|[0-9]+\.(?![.0-9]))"
    r"|(?P<blackboard>\\mathbb\s{0,4}\{?\s{0,4}[RZNQC](?:\s{0,4}\})?)"
    r"|(?P<frame>\\(?:begin|end)\s{0,4}\{[a-zA-Z]{1,16}\*?\}(?:\{[clr|@ ]{1,40}\})?)"
    r"|(?P<cmd>\\[A-Za-z]+)"
    r"|(?P<word>[A-Za-z]+)"
    r"|(?P<sign>\\[{}%$\\]|<=|>=|!=|\*\*|->|:=|.)",
    re.DOTALL,
)
_SHORT = re.compile(r"[0-9]+(?:\.[0-9]+)?|\.[0-9]+")
_NUMBER_OF = re.compile(r"(?P<whole>[0-9]*)\.?(?P<part>[0-9]*)(?:\((?P<loop>[0-9]+)\)|[eE](?P<shift>[+-]?[0-9]+))?")
_GLUED = re.compile(r"(sin|cos|tan|ln|log|sqrt)([A-Za-z])")


def prepare(text: str) -> str:
    r"""The text with typographic signs made plain and ``\text{...}`` opened.

    Raises:
        NotMath: Too long.
    """
    if len(text) > MAX_CHARS:
        raise NotMath(f"it has more than {MAX_CHARS} characters")
    text = plain_signs(text)
    if "\\" in text:
        text = _TEXT.sub(r" \1 ", text)
    return text


def plain_signs(text: str) -> str:
    """The text with typographic signs in LaTeX or ASCII."""
    if text.isascii():
        return text
    text = _RAISED_RUN.sub(lambda run: "^{" + run.group().translate(_RAISED) + "}", text)
    text = _LOWERED_RUN.sub(lambda run: "_{" + run.group().translate(_LOWERED) + "}", text)
    return text.translate(_TRANSLATION)


def lex(text: str, *, commas: bool = False, science: bool = True) -> list[Token]:
    """The tokens of a text.

    Args:
        text: Any text.
        commas: ``1,024`` is one number.
        science: ``2e3`` is one number.

    Raises:
        NotMath: It passes a limit.
    """
    return tokens_of(prepare(text), commas=commas, science=science)


def tokens_of(text: str, *, commas: bool = False, science: bool = True) -> list[Token]:
    """The tokens of prepared text.

    Raises:
        NotMath: It passes a limit.
    """
    tokens: list[Token] = []
    dollars = text.count("$") - text.count("\\$")
    gap, depth, at, size = False, 0, 0, len(text)
    while at < size:
        match = _SCAN.match(text, at)
        assert match is not None  # the last branch takes any character
        group, piece, start = match.lastgroup, match.group(), at
        at = match.end()
        if group == "space" or (group == "line" and depth) or (piece == "$" and dollars % 2 == 0):
            gap = True
            continue
        if (group == "comma" and not commas) or (group == "sci" and not science):
            short = _SHORT.match(text, start)
            assert short is not None
            group, piece, at = "num", short.group(), short.end()
        made = _made(group, piece)
        if made is None:
            gap = True
            continue
        for kind, normal in made:
            if kind in ("open", "begin"):
                depth += 1
                if depth > MAX_NESTING:
                    raise NotMath(f"more than {MAX_NESTING} brackets are open")
            elif kind in ("close", "end"):
                depth -= 1
            tokens.append(Token(kind, normal, start, at, gap))
            gap = False
    return tokens


def _made(group: str | None, piece: str) -> list[tuple[str, str]] | None:
    """Kind and normal form of a match's tokens.

    None if it is only space.
    """
    if group in ("num", "sci", "comma", "group", "loop"):
        if len(piece) > MAX_DIGITS:
            raise NotMath(f"a number has more than {MAX_DIGITS} digits")
        if group == "loop":
            head, _, tail = piece.partition("\\")
            return [("num", f"{head}({tail.partition('{')[2].rstrip('}').strip()})")]
        return [("num", re.sub(r"[^0-9.eE+-]", "", piece) if group in ("comma", "group") else piece)]
    if group == "word":
        if piece in _WORDS:
            return [_WORDS[piece]]
        if piece in FUNCTIONS and piece not in _BARE_ONLY:
            return [("cmd", FUNCTIONS[piece] + ("!" if piece == "sqrt" else ""))]  # sqrt 23 is not \sqrt 23
        glued = _GLUED.fullmatch(piece)
        if glued:
            return [("cmd", glued[1]), ("word", glued[2])]
        return [_WORDS.get(piece.lower(), ("word", piece)) if len(piece) > 2 else ("word", piece)]
    if group == "cmd":
        name = piece[1:]
        if name in _SKIPPED:
            return None
        return [_COMMANDS.get(name, ("bad", piece))]
    if group == "blackboard":
        return [("const", re.sub(r"[^RZNQC]", "", piece[7:]))]
    if group == "frame":
        word, _, name = piece[1:].partition("{")
        return [(word.strip(), name.partition("}")[0])]
    if group == "line":
        return [("sep", "\n")]
    return [_SIGNS.get(piece, ("bad", piece))]


def number(text: str) -> Fraction:
    """The value of a token of kind ``num``.

    Raises:
        NotMath: Its exponent passes the limit.
    """
    match = _NUMBER_OF.fullmatch(text)
    if match is None:
        raise NotMath("a number is not well formed")
    whole, part, loop, shift = match["whole"] or "0", match["part"], match["loop"], int(match["shift"] or 0)
    if abs(shift) > MAX_SHIFT:
        raise NotMath("the exponent of a number is too large")
    value = Fraction(int(whole + part), 10 ** len(part))
    if loop:
        value += Fraction(int(loop), (10 ** len(loop) - 1) * 10 ** len(part))
    return value * Fraction(10) ** shift


def closing(tokens: Sequence[Token], at: int) -> int:
    """The end of the bracket that opens at ``at``.

    -1 if it is not closed.
    """
    depth = 0
    for i in range(at, len(tokens)):
        if tokens[i].kind in ("open", "begin"):
            depth += 1
        elif tokens[i].kind in ("close", "end"):
            depth -= 1
            if depth == 0:
                return i
    return -1


def split(tokens: Sequence[Token], *separators: str) -> list[Sequence[Token]]:
    """Splits tokens at separators, links, joins or relations outside brackets."""
    runs: list[Sequence[Token]] = []
    depth = start = 0
    for i, token in enumerate(tokens):
        if token.kind in ("open", "begin"):
            depth += 1
        elif token.kind in ("close", "end"):
            depth -= 1
        elif depth == 0 and token.text in separators and token.kind in ("sep", "link", "join", "rel"):
            runs.append(tokens[start:i])
            start = i + 1
    runs.append(tokens[start:])
    return runs


def source(text: str, tokens: Sequence[Token]) -> str:
    """The prepared text of some tokens."""
    return text[tokens[0].start : tokens[-1].end] if tokens else ""


def pieces(text: str, *separators: str) -> list[str]:
    """Splits a text at separators outside brackets.

    Raises:
        NotMath: It passes a limit.
    """
    text = prepare(text)
    return [source(text, run) for run in split(tokens_of(text), *separators)]
