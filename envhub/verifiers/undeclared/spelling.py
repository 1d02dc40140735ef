r"""One spelling for the notations of answers, before they are read.

Each rule is a row of a table: a pattern and its replacement, applied in order. Upright text of every command becomes
``\text{...}``; style, sizes and math delimiters are dropped; phrases such as "no solution" become symbols::

    spelled(r"\[ \mathbf{x} \in \R, x\ne 2 \].")       # "x \in \mathbb{R}, x\ne 2"
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from envhub.verifiers.answers.unwrapping import peeled
from envhub.verifiers.math.kind import bare
from envhub.verifiers.math.lexer import MAX_CHARS, NotMath, plain_signs

_WIDE: Final = {0xFF01 + i: chr(0x21 + i) for i in range(94)} | {
    0x3000: " ", 0x3001: ",", 0x3002: ".", 0x300C: "(", 0x300D: ")", 0x6216: " or ", 0x548C: " and ", 0x2229: "\\cap ",
    0x2248: "\\approx ", 0x2243: "\\approx ", 0x2220: "\\angle ", 0x25B3: "\\triangle ", 0x2032: "'", 0x2236: ":",
    0x2758: "|", 0x2329: "\\langle ", 0x232A: "\\rangle ", 0x27E8: "\\langle ", 0x27E9: "\\rangle ", 0x2026: "\\ldots ",
}  # fmt: skip
_Row = tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]]


def _rows(*rows: tuple[str, str | Callable[[re.Match[str]], str]]) -> tuple[_Row, ...]:
    return tuple((re.compile(pattern), new) for pattern, new in rows)


_NAME: Final = r"\{\s{0,4}([A-Za-z])\s{0,4}\}"


def _primed(match: re.Match[str]) -> str:
    count = match[2].count("prime") + match[2].count("'")
    return f"{match[1]}_{{{'prime' * count}}}"


_LATEX: Final = _rows(
    (r"\\(?:text(?:rm|normal|sf|tt)?|mathrm|mathsf|mathtt|mbox|hbox|operatorname\*?)(?=\s{0,4}\{)", r"\\text"),
    (r"\{\s{0,4}\\(?:rm|bf)\s{1,4}([^{}]*)\}", r"\\text{\1}"),
    (r"\\(?:mathbf|boldsymbol|bm|mathit|textbf|textit|emph|underline|mathcal|mathscr)\s{0,4}\{([^{}]*)\}", r" \1 "),
    (r"\\text\s{0,4}\{(?:\\?[ ~,;])*(sin|cos|tan|cot|sec|csc|ln|log|exp|arcsin|arccos|arctan)\s{0,4}\}", r"\\\1 "),
    (r"\\text\s{0,4}\{[ ~]{0,4}([eid])[ ~]{0,4}\}", r" \1 "),
    (r"\\text\s{0,4}\{[ ~,.]{0,4}(and|or)[ ~,]{0,4}\}", r" \1 "),
    (r"\\text\s{0,4}\{([^{}]{1,40}?),? (and|or)[ ~]{0,4}\}", r"\\text{\1} \2 "),
    (r"\\text\s{0,4}\{(?:\s|\\[ ,;])*\}", " "),
    (r"\\(?:hspace|vspace|phantom|tag)\*?\s{0,4}\{[^{}]*\}|\\(?:displaystyle|textstyle|nonumber|hline)(?![A-Za-z])", " "),
    (r"\\(?:big|Big|bigg|Bigg)[lrm]?(?![A-Za-z])|\\(?:left|right)(?:\s{0,2}\.(?![0-9])|(?=\s{0,2}[()\[\]|\\]))", " "),
    (r"\\(?:approx|simeq|doteq|fallingdotseq)(?![A-Za-z])", r"\\approx "),
    (r"\\([RNZQC])(?![A-Za-z])|\\mathbf\s{0,4}\{([RNZQ])\}", lambda m: f"\\mathbb{{{m[1] or m[2]}}}"),
    (rf"\\(?:vec|overrightarrow|hat|dot|tilde)\s{{0,4}}{_NAME}", r" \1_{arrow} "),
    (rf"\\(?:bar|overline)\s{{0,4}}{_NAME}", r" \1_{bar} "),
    (r"\\(?:overline|overrightarrow|vec|widehat)\s{0,4}\{\s{0,4}([A-Z]{2,4}|[A-Z](?:\s[A-Z]){1,3})\s{0,4}\}", r" \1 "),
    (r"([A-Za-z])(\s{0,2}\^\s{0,2}\{?(?:\s{0,2}\\prime){1,3}\s{0,2}\}?|'{1,3})", _primed),
    (r"_\s{0,4}\{?\s{0,4}\\text\s{0,4}\{([^{}]{1,20})\}\s{0,4}\}?", lambda m: f"_{{{re.sub(r'[^A-Za-z0-9]', '', m[1])}}}"),
    (r"_\s{0,4}\{?\s{0,4}\\(min|max|triangle)\s{0,4}(?:([A-Z]{2,4})\s{0,4})?\}?", lambda m: f"_{{{m[1]}{m[2] or ''}}}"),
    (r"\\frac\s{1,4}(?=[{0-9])", r"\\frac"),
    (r"\\begin\s{0,4}\{(?:align|aligned|gather|gathered|equation|split|cases)\*?\}([^&]*?)"
     r"\\end\s{0,4}\{(?:align|aligned|gather|gathered|equation|split|cases)\*?\}",
     lambda m: re.sub(r"\\\\(?:\s{0,4}\[[^\]]{0,12}\])?", ", ", m[1])),
    (r"(?<=[0-9])\s{0,2}\{\s?,\s?\}\s{0,2}(?=[0-9]{3})", "{,}"),
    (r",\s{0,2}\\!\s{0,2}(?=[0-9]{3})", ","),
    (r"\\!", ""),
    (r"\\[()\[\]]|\\(?:qquad|quad|enspace|thinspace)|(?<!\\)\\[;:]", " "),
    (r"(?:\\\\|\\newline)\s*$", ""),
    (r"(?:,\s{0,2})?(?:\\text\s?\{\s?)?\bfor (?:all|any) real (?:numbers?|values?(?: of)?)(?:\s?\})? [a-z]$", ""),
)  # fmt: skip
_WORDS: Final = _rows(
    (r"(?i)^(?:the )?(?:set of )?all (?:the )?(?:real numbers|reals)(?: except| but| other than) (?:for )?([^a-z]{1,80})$",
     r"\\mathbb{R} \\setminus \\{\1\\}"),
    (r"(?i)^(?:x can be )?(?:the )?(?:set of )?(?:all|any) (?:the )?(?:real numbers?|reals?)$", r"\\mathbb{R}"),
    (r"(?i)^(?:there (?:is|are) )?(?:no (?:real )?(?:solutions?|roots?)(?: exists?)?|(?:the )?empty set)$", r"\\emptyset"),
    (r"^\\\{\s*\\\}$", r"\\emptyset"),
    (r"^\\\{\s?([a-z])\s?(?:\\mid|\||:)\s?(\1\s?=.*)\\\}$", r"\2"),
    (r"(?i)^(?:there are )?infinitely many .*", "infinitely many"),
    (r"(?:^|(?<=; ))(?:\\text\s?\{)?\s?[A-Za-z]{3,12} (?:list|set|row|column):\s?\}?", ""),
    (r"^(-?[0-9]{1,9}) to ([0-9]{1,9})$", r"\1:\2"),
    (r"(?<=[0-9)}])(or|and)(?=[A-Z(\\-])", r" \1 "),
    (r"^(?:point )?[ABD-Z]\s?(?=\((?:[^()]|\([^()]*\))*,(?:[^()]|\([^()]*\))*\)$)", ""),
    (r"^([(\[][^()\[\]]{1,400}[)\]])\s?\^\s?\{?\s?(?:T|\\top|\\text\s?\{T\})\s?\}?$", r"\1"),
    (r"=?\s?\\equiv\s?(-?[0-9]{1,9})\s?(?:\\pmod\s?|\(?\\?(?:text\s?\{\s?)?mod\s?\}?\s?)\{?\s?([0-9]{1,9})\s?\}?\)?$",
     r"=\1+\2k, k \\in \\mathbb{Z}"),
    (r"\\equiv(?![A-Za-z])(?!.*mod)", "="),
    (r"(?:,\s{0,2})?(?:\\text\s?\{[ ,]{0,3})?\b(?:where|for|with) (?:\s?\}\s?)?(?:any|some|all|an arbitrary|arbitrary|a)? ?"
     r"(?:real )?(?:constants?|parameters?)(?: [a-zA-Z])?(?:\s?\})?(?: [a-zA-Z])?$", ""),
    (r",\s?[a-jlo-zA-Z] ?\\in ?\\mathbb ?\{R\}$", ""),
    (r"(?<=[0-9}]) (?:\\text\s?\{\s?)?in\.?(?:\s?\})?$", " inches"),
)  # fmt: skip
_SPACED: Final = re.compile(r"(?<![0-9.,])([0-9]{1,3}(?: [0-9]{3})+)(?![0-9]|\s?/)")
_EUROPEAN: Final = re.compile(r"^(-?[0-9]{1,3}(?: [0-9]{3})+),([0-9]{1,12})(?![0-9,.])")
_MONEY: Final = re.compile(r"\$\s?(?=[0-9.])")
_DOLLARS: Final = re.compile(r"(?<!\\)\$+")
_DOUBLED: Final = re.compile(r"\\\\(?=[A-Za-z]{2})")
_PLAIN: Final = re.compile(r"[^\\$'{]*")
_BOXES: Final = re.compile(r"\\(?:boxed|fbox)\s{0,4}\{")
_LABEL: Final = re.compile(
    r"(?i)^(?:(?:hence|so|thus|therefore|then|and|we (?:get|have|find)|that),? ){0,3}"
    r"(?:the |our |its |their |there (?=is|are)){0,1}([a-z' -]{0,60}?)\s?(?:\b(?:is|are|equals|be)\b:?|:)\s?(?=\S)"
)
_DENIAL: Final = re.compile(
    r"(?i)\b(?:not|never|no|neither|nor|isn't|aren't|cannot|wrong|incorrect|false|except|unless|if|either|maybe|perhaps|might"
    r"|probably|possibly|between|least|most|more|less|than|minus|negative"
    r"|an|my|guess|could|would|might|may|can|first|second|third|next|last|other|another|some)\b"
)


def spelled(text: str) -> str:
    """The text of an answer in one spelling.

    Raises:
        NotMath: Nothing is left, or it is too long.
    """
    if len(text) > MAX_CHARS:
        raise NotMath(f"it has more than {MAX_CHARS} characters")
    text = bare(peeled(_unboxed(text) if text.count("\\boxed") > 1 else text, None))
    if not text.isascii():
        text = plain_signs(text.translate(_WIDE))
    if not _PLAIN.fullmatch(text):
        text = _latex(text)
    text = " ".join(text.split()).strip(" ;,")
    if text.endswith(".") and not text.endswith(".."):
        text = text[:-1].rstrip()
    text = _led(text)
    for pattern, new in _WORDS:
        text = pattern.sub(new, text)
    text = _EUROPEAN.sub(lambda m: f"{m[1].replace(' ', '')}.{m[2]}", text)
    text = _SPACED.sub(lambda m: m[1].replace(" ", ""), text)
    if not text:
        raise NotMath("it is empty")
    return text


def _latex(text: str) -> str:
    if "\\\\begin" in text:
        text = text.replace("\\\\", "\\")
    elif "\\begin" not in text:
        text = _DOUBLED.sub(r"\\", text)
    text = _unboxed(text)
    if len(_DOLLARS.findall(text)) == 1:
        text = _MONEY.sub(r"\\$", text) if _MONEY.search(text) else text
    text = _DOLLARS.sub(" ", text)
    for pattern, new in _LATEX:
        text = pattern.sub(new, text)
    return _in_words(text.strip())


def _in_words(text: str) -> str:
    r"""The content of one ``\text{...}`` around everything."""
    if text.startswith("\\text{") and text.endswith("}") and "{" not in text[6:]:
        return text[6:-1].strip()
    return text


def _unboxed(text: str) -> str:
    """The text with the content of its boxes in their place."""
    for _ in range(8):
        box = _BOXES.search(text)
        if box is None:
            break
        depth, at = 1, box.end()
        while at < len(text) and depth:
            depth += {"{": 1, "}": -1}.get(text[at], 0) if text[at - 1] != "\\" else 0
            at += 1
        text = f"{text[: box.start()]} {text[box.end() : at - (not depth)]} {text[at:]}"
    return text


def _led(text: str) -> str:
    """The text after words that introduce a value.

    As in "The value of the sum is 17".
    """
    if not text[:1].isalpha() and not text.startswith("\\text"):
        return text
    opened = re.sub(r"^\\text\s?\{([^{}]*)\}", r"\1 ", text)
    lead = _LABEL.match(opened)
    if lead is None or _DENIAL.search(lead.group()) or (len(lead[1]) < 2 and lead[1]):
        return text
    rest = opened[lead.end() :].strip()
    return rest if re.search(r"[0-9\\]", rest[:60]) else text
