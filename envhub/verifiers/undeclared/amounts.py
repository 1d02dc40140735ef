r"""Numbers and expressions with a unit, a currency or a percent sign.

A counted noun may follow as well.

::

    amount("350 \\text{ cm}^2", None)          # 350, square centimetres
    amount("6 apples", None)                  # 6, "apple"
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from typing import Final

from envhub.verifiers.math.lexer import NotMath, prepare
from envhub.verifiers.math.tree import Num, Tree, app
from envhub.verifiers.math.units import Unit, unit_of
from envhub.verifiers.undeclared.formulas import formula
from envhub.verifiers.undeclared.values import Amount, Shown

_PERCENT: Final = re.compile(
    r"\s{0,4}(?:\\text\s?\{\s{0,4})?(?:\\?%|(?<![A-Za-z])(?:percent|per cent|pct|percentage)\b\.?)(?:\s{0,4}\})?$"
)
_MONEY: Final = {"\\$": "dollar", "$": "dollar", "\u20ac": "euro", "\u00a3": "GBP", "\u00a5": "yen"}
_MONEY_FIRST: Final = re.compile(r"(-?\s{0,2})(\\\$|[$\u20ac\u00a3\u00a5])\s{0,4}(?=[0-9.\\])")
_MONEY_LAST: Final = re.compile(r"\s{0,4}(\\\$|[$\u20ac\u00a3\u00a5])$")
_ORDINAL: Final = re.compile(r"([0-9]{1,9})\s?(?:\^\s?\{?\s?)?(?:\\text\s?\{\s?)?(st|nd|rd|th)\s?\}?\s?\}?")
_DEGREES: Final = re.compile(
    r"\s?(?:\^\s?\{\s?(?:\\circ|\\degree)\s?\}|\^?\s?\\circ|\\degree|(?:\\text\s?\{\s?)?\bdegrees?\b(?:\s?\})?)"
    r"\s?(?:\\text\s?\{\s?)?([CF]?)(?:\s?\})?$"
)
_FUNCTION: Final = re.compile(r"\\?(?:sin|cos|tan|cot|sec|csc)(?![a-z])")
_SCALE: Final = re.compile(r"\s{1,4}(thousand|million|billion|trillion|hundred|dozen)\b")
_SCALES: Final = {
    "thousand": 10**3,
    "million": 10**6,
    "billion": 10**9,
    "trillion": 10**12,
    "hundred": 100,
    "dozen": 12,
}
_UPRIGHT: Final = re.compile(r"\s{0,4}(?:\\[ ,]|~)?\s{0,4}\\text\s{0,4}\{")
_NOUN: Final = re.compile(r"(?:\s{0,4}\b[A-Za-z][a-z]{2,20}\b){1,4}\s{0,2}\.?")
_TIGHT: Final = re.compile(r"(?<=[0-9}])(?:cm|mm|km|dm|kg|ml|mL|ft|hr|hrs|min|sec|mph|lbs|lb|kWh)(?![A-Za-z])")
_AREA: Final = re.compile(r"\.[0-9]{1,20}(m\s?\^\s?\{?\s?[23]\s?\}?)$")
_SHORT: Final = re.compile(r"(?:cm|mm|km|dm|kg|ml|mL|ft|hr|hrs|mph|lbs|lb|in|mi|yd|oz|kWh|kPa|Hz|kJ|kN)(?![A-Za-z])")
_WORD: Final = re.compile(r"(?<=[0-9})\]IVXa-z])\s{1,4}(?=[A-Za-z])")
_NO_NOUN: Final = frozenset(
    ("abc", "about", "above", "all", "almost", "and", "answer", "any", "approximately", "around", "base", "below",
     "between", "but", "cannot", "correct", "cubed", "does", "down", "dozens", "eighth", "eighths", "either",
     "every", "except", "excl", "exist", "exists", "extra", "factorial", "fails", "false", "fewer", "fifth",
     "fifths", "for", "fourth", "fourths", "greater", "gross", "half", "halves", "holds", "hundredth",
     "hundredths", "if", "incl", "incorrect", "infinity", "instead", "invalid", "is", "isn", "least", "less",
     "max", "maximum", "maybe", "min", "minimum", "minus", "mod", "modulo", "more", "most", "nearly", "neither",
     "never", "ninth", "ninths", "none", "nor", "not", "nothing", "only", "otherwise", "over", "pair", "pairs",
     "percent", "percentile", "percentiles", "perhaps", "plus", "possibly", "probably", "quarter", "quarters",
     "rather", "roughly", "score", "scores", "seventh", "sevenths", "sixth", "sixths", "smaller", "something",
     "squared", "tenth", "tenths", "than", "the", "third", "thirds", "thousandth", "thousandths", "times", "tops",
     "twelfths", "twice", "under", "unless", "up", "when", "where", "with", "without", "works", "wrong", "xyz")
)  # fmt: skip
"""Words after a number that change what is said about it."""
_NO_NOUN_ENDS: Final = ("ed", "ing", "ly", "ous", "ble", "ive", "ful", "less", "odd", "even")
"""Ends of the last word of a remark, as in ``4 excluded``; few nouns end so."""
_LONGEST: Final = 120
"""Characters of a unit or a noun with its commands."""
_DECIMAL: Final = re.compile(r"[-+]?\s?([0-9]{1,3}(?:,[0-9]{3})+|[0-9]{0,400})\.([0-9]{1,400})")
_FACTORS: Final = re.compile(r"\s?(?:\\times|\\cdot|\*)\s?10\s?\^.*")


def amount(text: str, letters: frozenset[str] | None, *, commas: bool = True, weak: bool = False) -> Amount:
    """The value of a spelled text without relations or lists.

    Args:
        text: The text.
        letters: The variables that may be adjacent; None for those of the text.
        commas: ``1,024`` is one number.
        weak: A letter after a space is a unit, as in ``5 m``.

    Raises:
        NotMath: The text cannot be read as such.
    """
    text = text.strip()
    if _PERCENT.search(text):
        rest = _PERCENT.sub("", text, count=1)
        return Amount(formula(rest, letters, commas=commas), percent=True, shown=shown(rest))
    ordinal = _ORDINAL.fullmatch(text)
    if ordinal:
        return Amount(Num(Fraction(int(ordinal[1]))), noun="th")
    if _MONEY_FIRST.match(text):
        return _paid(text, letters, commas)
    money = _MONEY_LAST.search(text)
    if money and money.start():
        rest = text[: money.start()]
        return Amount(formula(rest, letters, commas=commas), unit_of(_MONEY[money[1]]), shown=shown(rest))
    degrees = _DEGREES.search(text)
    if degrees and degrees.start() and not _FUNCTION.search(text):
        rest = text[: degrees.start()]
        unit = unit_of("deg" + degrees[1] if not degrees[1] else f"degrees {degrees[1]}")
        return Amount(formula(rest, letters, commas=commas), unit, shown=shown(rest))
    return _measured(text, letters, commas, weak)


def shown(text: str) -> Shown | None:
    """The digits of a plain decimal, None for anything else."""
    match = _DECIMAL.fullmatch(_FACTORS.sub("", text.strip()))
    if match is None or _FACTORS.search(text):
        return None
    whole, part = match[1].replace(",", ""), match[2]
    value = Fraction(int((whole or "0") + part), 10 ** len(part))
    digits = len((whole + part).lstrip("0"))
    return Shown(-value if text.lstrip().startswith("-") else value, len(part), digits)


def _paid(text: str, letters: frozenset[str] | None, commas: bool) -> Amount:
    """An amount after a currency sign."""
    match = _MONEY_FIRST.match(text)
    assert match is not None
    rest = match[1] + text[match.end() :]
    found = _measured(rest, letters, commas)
    if found.unit is not None:
        raise NotMath("it has two units")
    return Amount(found.tree, unit_of(_MONEY[match[2]]), shown=found.shown)


def _measured(text: str, letters: frozenset[str] | None, commas: bool, weak: bool = False) -> Amount:
    """An expression with the longest readable rest as its unit."""
    scale = _SCALE.search(text)
    if scale and scale.start():
        if _SCALE.search(text, scale.end()):
            raise NotMath("it has two scales")
        inner = _measured(text[: scale.start()] + text[scale.end() :], letters, commas)
        return Amount(_times(inner.tree, _SCALES[scale[1]]), inner.unit, inner.noun)
    problem: NotMath | None = None
    for at in _starts(text):
        head, tail = text[:at].strip(), text[at:].strip()
        try:
            unit, noun, doubtful = _unit(tail, tight=text[at : at + 1].isalpha() and text[at - 1] != " ")
            doubtful = doubtful and not _AREA.search(text)
            if doubtful and not weak:
                raise NotMath("it may be a variable")
            return Amount(formula(head, letters, commas=commas), unit, noun, shown=shown(head), weak=doubtful)
        except NotMath as error:
            problem = error
    try:
        return Amount(formula(text, letters, commas=commas), shown=shown(text))
    except NotMath as error:
        raise problem or error from None


def _times(tree: Tree, factor: int) -> Tree:
    """A tree times a whole number."""
    return Num(tree.value * factor) if isinstance(tree, Num) else app("*", tree, Num(Fraction(factor)))


def _starts(text: str) -> Iterator[int]:
    """The positions where a unit may start.

    At upright text, at a short unit after a digit, and at a word after a space.
    """
    upright = _UPRIGHT.search(text)
    if upright and upright.start():
        yield upright.start()
    tight = _TIGHT.search(text)
    if tight:
        yield tight.start()
    area = _AREA.search(text)
    if area:
        yield area.start(1)
    for number, word in enumerate(_WORD.finditer(text)):
        if number > 6:
            break
        yield word.end()


@lru_cache(maxsize=1024)
def _unit(text: str, *, tight: bool) -> tuple[Unit | None, str, bool]:
    """The unit or the noun in a text.

    The third value says whether it might be a product of variables.

    Raises:
        NotMath: It is neither.
    """
    if len(text) > _LONGEST:
        raise NotMath("a unit is shorter")
    upright = "\\text" in text
    plain = " ".join(re.sub(r"~|\\[ ,;.]", " ", prepare(text)).replace("\\cdot", "*").split())
    plain = plain.rstrip(".").replace("sq.", "sq").replace("cu.", "cu")
    first = re.match(r"[A-Za-z]+", plain)
    if first is None:
        raise NotMath("a unit is expected")
    try:
        unit: Unit | None = unit_of(plain)
    except NotMath:
        unit = None
    if unit is not None:
        clear = upright or len(first[0]) > 2 or bool(_SHORT.match(plain)) or ("/" in plain and not tight)
        if not clear and ((tight and "^" not in plain) or len(first[0]) > 1):
            raise NotMath("it may be a product of variables")
        return unit, "", not clear
    words = plain.lower().split()
    if not _NOUN.fullmatch(plain) or not _NO_NOUN.isdisjoint(words) or words[-1].endswith(_NO_NOUN_ENDS):
        raise NotMath("a unit is expected")
    return None, " ".join(word if word.endswith("ss") else word.removesuffix("s") for word in words), False
