r"""Units of measurement and quantities.

Exact factors to the base units, products and powers of units. Temperatures have an offset and are read only alone;
currencies are not converted::

    unit_of("km/h")                                   # Unit(Fraction(5, 18), (("m", 1), ("s", -1)))
    Quantity(unit="m", rel=0).read("1000 cm")         # Amount(Num(10), unit)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any, ClassVar, Final, NamedTuple

from envhub.verifiers.math.grammar import parse
from envhub.verifiers.math.identity import Trial, enclosure, equal
from envhub.verifiers.math.kind import DIFFERENT, SAME, Comparison, Kind, bare, judged, need
from envhub.verifiers.math.lexer import NotMath, Token, prepare, tokens_of
from envhub.verifiers.math.names import Names
from envhub.verifiers.math.scalars import Rational, abs_
from envhub.verifiers.math.tree import PI, Num, Tree, app

_F = Fraction
_MAX_POWER: Final = 12


class Unit(NamedTuple):
    """A unit: its size in base units and their powers.

    It also has the number of half-turns by pi that it counts.

    ``offset`` is added before the size is applied, for temperatures.
    """

    size: Fraction
    powers: tuple[tuple[str, int], ...]
    pi: int = 0
    offset: Fraction = Fraction(0)


def _unit(size: Fraction | int, **powers: int) -> Unit:
    return Unit(Fraction(size), tuple(sorted(powers.items())))


_PREFIXES: Final = {
    "T": 12, "G": 9, "M": 6, "k": 3, "h": 2, "d": -1, "c": -2, "m": -3, "mu": -6, "u": -6, "n": -9, "p": -12,
}  # fmt: skip
_LONG_PREFIXES: Final = {
    "tera": 12, "giga": 9, "mega": 6, "kilo": 3, "hecto": 2, "deci": -1, "centi": -2, "milli": -3, "micro": -6, "nano": -9,
    "pico": -12,
}  # fmt: skip
_SI: Final = {  # symbol: its name, the unit
    "m": ("meter", _unit(1, m=1)), "g": ("gram", _unit(_F(1, 1000), kg=1)), "s": ("second", _unit(1, s=1)),
    "A": ("ampere", _unit(1, A=1)), "mol": ("mole", _unit(1, mol=1)), "L": ("liter", _unit(_F(1, 1000), m=3)),
    "N": ("newton", _unit(1, kg=1, m=1, s=-2)), "J": ("joule", _unit(1, kg=1, m=2, s=-2)),
    "W": ("watt", _unit(1, kg=1, m=2, s=-3)), "Pa": ("pascal", _unit(1, kg=1, m=-1, s=-2)), "Hz": ("hertz", _unit(1, s=-1)),
    "V": ("volt", _unit(1, kg=1, m=2, s=-3, A=-1)), "C": ("coulomb", _unit(1, A=1, s=1)),
    "Omega": ("ohm", _unit(1, kg=1, m=2, s=-3, A=-2)), "eV": ("electronvolt", _unit(_F("1.602176634e-19"), kg=1, m=2, s=-2)),
    "F": ("farad", _unit(1, kg=-1, m=-2, s=4, A=2)), "T": ("tesla", _unit(1, kg=1, s=-2, A=-1)),
    "Wb": ("weber", _unit(1, kg=1, m=2, s=-2, A=-1)), "H": ("henry", _unit(1, kg=1, m=2, s=-2, A=-2)),
    "cal": ("calorie", _unit(_F("4.184"), kg=1, m=2, s=-2)), "bar": ("bar", _unit(100_000, kg=1, m=-1, s=-2)),
    "B": ("byte", _unit(8, bit=1)), "bit": ("bit", _unit(1, bit=1)), "K": ("kelvin", _unit(1, K=1)),
}  # fmt: skip
_FOOT: Final = _F("0.3048")
_OTHER: Final = {
    ("min", "minute", "minutes", "mins"): _unit(60, s=1), ("h", "hr", "hrs", "hour", "hours"): _unit(3600, s=1),
    ("day", "days"): _unit(86_400, s=1), ("week", "weeks"): _unit(604_800, s=1), ("sec", "secs"): _unit(1, s=1),
    ("in", "inch", "inches"): _unit(_FOOT / 12, m=1), ("ft", "foot", "feet"): _unit(_FOOT, m=1),
    ("yd", "yard", "yards"): _unit(3 * _FOOT, m=1), ("mi", "mile", "miles"): _unit(5280 * _FOOT, m=1),
    ("mph",): _unit(5280 * _FOOT / 3600, m=1, s=-1), ("kph", "kmh"): _unit(_F(5, 18), m=1, s=-1),
    ("lb", "lbs", "pound", "pounds"): _unit(_F("0.45359237"), kg=1),
    ("oz", "ounce", "ounces"): _unit(_F("0.028349523125"), kg=1),
    ("t", "tonne", "tonnes"): _unit(1000, kg=1), ("ha", "hectare", "hectares"): _unit(10_000, m=2),
    ("l", "litre", "litres"): _unit(_F(1, 1000), m=3), ("metre", "metres"): _unit(1, m=1), ("ml",): _unit(_F(1, 10**6), m=3),
    ("kilometre", "kilometres"): _unit(1000, m=1), ("centimetre", "centimetres"): _unit(_F(1, 100), m=1),
    ("millimetre", "millimetres"): _unit(_F(1, 1000), m=1), ("cc",): _unit(_F(1, 10**6), m=3),
    ("atm",): _unit(101_325, kg=1, m=-1, s=-2), ("Wh",): _unit(3600, kg=1, m=2, s=-2),
    ("kWh",): _unit(3_600_000, kg=1, m=2, s=-2),
    ("hp", "horsepower"): _unit(_F("745.69987158227022"), kg=1, m=2, s=-3),
    ("rad", "radian", "radians"): _unit(1, rad=1), ("deg", "degree", "degrees"): Unit(_F(1, 180), (("rad", 1),), 1),
    ("rev", "revolution", "revolutions"): Unit(_F(2), (("rad", 1),), 1),
    ("degC", "Celsius", "celsius"): Unit(_F(1), (("K", 1),), 0, _F("273.15")),
    ("degF", "Fahrenheit", "fahrenheit"): Unit(_F(5, 9), (("K", 1),), 0, _F("459.67")),
    ("$", "USD", "dollar", "dollars"): _unit(1, dollar=1), ("cent", "cents"): _unit(_F(1, 100), dollar=1),
    ("EUR", "euro", "euros"): _unit(1, euro=1), ("GBP",): _unit(1, sterling=1), ("JPY", "yen"): _unit(1, yen=1),
    ("person", "people", "persons"): _unit(1, person=1), ("unit", "units"): _unit(1, unit=1),
}  # fmt: skip
_POWERS: Final = {"square": 2, "sq": 2, "cubic": 3, "cu": 3}
_AFTER: Final = {"squared": 2, "cubed": 3}


def _table() -> dict[str, Unit]:
    table: dict[str, Unit] = {}
    for symbol, (word, unit) in _SI.items():
        for prefix, power in [("", 0), *_PREFIXES.items()]:
            table[prefix + symbol] = unit._replace(size=unit.size * Fraction(10) ** power)
        for prefix, power in [("", 0), *_LONG_PREFIXES.items()]:
            table[prefix + word] = table[prefix + word + "s"] = unit._replace(size=unit.size * Fraction(10) ** power)
    table["hertz"] = table["Hz"]
    # a unit wins over a prefix: min is a minute, ft a foot, as are cd and Pa
    for names, unit in _OTHER.items():
        for name in names:
            table[name] = unit
    return table


_UNITS: Final = _table()


@lru_cache(maxsize=256)
def unit_of(text: str) -> Unit:
    """The unit named by a text.

    Raises:
        NotMath: Not a unit.
    """
    return _read(tokens_of(prepare(text)))


def _read(tokens: Sequence[Token]) -> Unit:
    size, pi, powers = Fraction(1), 0, dict[str, int]()
    offset = Fraction(0)
    sign, at, coming = 1, 0, 1
    count = 0
    grouped = False
    while at < len(tokens):
        token = tokens[at]
        at += 1
        if token.text in ("/", "per"):
            if sign < 0 or not count:
                raise NotMath("a unit has one fraction line")
            sign = -1
        elif token.text in ("*", "-", ".") and count and at < len(tokens):
            continue
        elif token.text == "(" and token.kind == "open" and sign < 0:
            grouped = True
        elif token.text == "(" and token.kind == "close" and grouped:
            grouped = False
        elif token.text in _POWERS:
            coming = _POWERS[token.text]
        else:
            name, at = _name(tokens, at - 1)
            unit = _UNITS.get(name)
            if unit is None or count > 8:
                raise NotMath(f"{name[:20]!r} is not a known unit")
            power, at = _power(tokens, at)
            power *= sign * coming
            coming = 1
            count += 1
            if abs(power) > _MAX_POWER:
                raise NotMath("the power of a unit is too high")
            size *= unit.size**power
            pi += unit.pi * power
            offset = unit.offset
            if offset and (count > 1 or power != 1):
                raise NotMath("a temperature stands alone")
            for base, exponent in unit.powers:
                powers[base] = powers.get(base, 0) + exponent * power
    if not count or (offset and count > 1):
        raise NotMath("a unit is expected")
    return Unit(size, tuple(sorted((base, power) for base, power in powers.items() if power)), pi, offset)


def _name(tokens: Sequence[Token], at: int) -> tuple[str, int]:
    """The name of a unit and where it ends.

    A degree sign and a letter are one name.
    """
    token = tokens[at]
    if token.text == "^" and at + 1 < len(tokens):
        inner = [t.text for t in tokens[at + 1 : at + 4]]
        if inner[:1] == ["deg"]:
            at += 1
        elif inner == ["{", "deg", "{"]:
            at += 3
        else:
            raise NotMath("a unit is expected")
        token = token._replace(text="deg")
    if token.text == "deg" and at + 1 < len(tokens) and tokens[at + 1].text in ("C", "F", "Celsius", "Fahrenheit"):
        return "deg" + tokens[at + 1].text[0], at + 2
    if token.text == "mu" and at + 1 < len(tokens) and tokens[at + 1].kind == "word":
        return "mu" + tokens[at + 1].text, at + 2
    return token.text, at + 1


def _power(tokens: Sequence[Token], at: int) -> tuple[int, int]:
    """The power after a unit and where it ends."""
    if at < len(tokens) and tokens[at].text in _AFTER:
        return _AFTER[tokens[at].text], at + 1
    if at >= len(tokens) or tokens[at].text != "^":
        return 1, at
    digits = ""
    at += 1
    opened = at < len(tokens) and tokens[at].text in ("{", "(")
    at += opened
    while at < len(tokens) and (tokens[at].kind == "num" or tokens[at].text == "-"):
        digits += tokens[at].text
        at += 1
        if not opened and tokens[at - 1].kind == "num":
            break
    at += opened
    if not digits.lstrip("-").isdigit() or len(digits) > 3 or digits.count("-") > 1 or digits[1:].count("-"):
        raise NotMath("the power of a unit is a small integer")
    return int(digits), at


class Amount(NamedTuple):
    """A number with a unit; None if no unit is given."""

    number: Tree
    unit: Unit | None


@dataclass(frozen=True)
class Quantity(Kind):
    """A number with a unit.

    Attributes:
        unit: The requested unit; convertible ones are also read.
        rel: Relative tolerance; 0 by default.
        abs: Absolute tolerance, in the requested unit.
        bare: A number alone is in the requested unit.
    """

    unit: str | None = None
    rel: float | None = None
    abs: float | None = None
    bare: bool = False
    name: ClassVar[str] = "quantity"
    noun: ClassVar[str] = "one number with its unit"
    example: ClassVar[str] = "17.5 m"

    def __post_init__(self) -> None:
        if self.unit is not None:
            try:
                need(isinstance(self.unit, str), f"unit is text, got {self.unit!r}.")
                unit_of(self.unit)
            except NotMath as problem:
                need(False, f"unit: {problem}.")
        for name in ("rel", "abs"):
            value = getattr(self, name)
            number = isinstance(value, (int, float)) and not isinstance(value, bool)
            need(value is None or (number and 0 <= value < float("inf")), f"{name} is 0 or more, got {value!r}.")
        need(not self.bare or self.unit is not None, "bare needs a unit.")

    def read(self, text: str) -> Amount:
        """The number and its unit."""
        tokens: Sequence[Token] = tokens_of(prepare(bare(text)), commas=True)
        if tokens and tokens[0].kind == "money":
            tokens = [*tokens[1:], tokens[0]]
        elif len(tokens) > 1 and tokens[0].text == "-" and tokens[1].kind == "money":
            tokens = [tokens[0], *tokens[2:], tokens[1]]
        start = _unit_start(tokens)
        tree = Rational().of_tree(parse(tokens[:start], Names(frozenset())))
        if start == len(tokens):
            if not self.bare or self.unit is None:
                raise NotMath("the unit is missing")
            return Amount(tree, unit_of(self.unit))
        return Amount(tree, _read(tokens[start:]))

    def same(self, gold: Any, answer: Any, trial: Trial) -> Comparison:
        """Whether the quantities are equal or within the tolerance."""
        mine, theirs = gold.unit, answer.unit
        if mine is None or theirs is None or mine.powers != theirs.powers:
            return Comparison(False, "typed", "the unit does not measure the same")
        a, b = _in_base(gold), _in_base(answer)
        if not self.rel and not self.abs:
            return judged(equal(a, b, trial)) if a != b else SAME
        wanted, given = enclosure(a), enclosure(b)
        if wanted is None or given is None:
            return Comparison(False, "undecided", "undecided")
        off = max(abs_(given[1] - wanted[0]), abs_(wanted[1] - given[0]))
        allowed = Fraction(str(self.rel or 0)) * abs_(wanted[0])
        if self.abs:
            scale = unit_of(self.unit).size if self.unit is not None else mine.size
            allowed = max(allowed, Fraction(str(self.abs)) * scale)
        return SAME if off <= allowed else DIFFERENT


def _unit_start(tokens: Sequence[Token]) -> int:
    """Start of the unit.

    The first word, currency sign or degree outside brackets.
    """
    depth = 0
    for i, token in enumerate(tokens):
        if token.kind == "open":
            depth += 1
        elif token.kind == "close":
            depth -= 1
        elif depth == 0 and i:
            greek = token.kind == "name" and token.text in ("mu", "Omega")
            raised = token.text == "^" and any(t.text == "deg" for t in tokens[i + 1 : i + 3])
            worded = token.kind in ("word", "money", "cmd") or token.text == "in"
            if (worded and token.text in (*_UNITS, *_POWERS)) or token.text == "deg" or greek or raised:
                return i
            if worded and token.kind != "cmd":
                return i
    return len(tokens)


def _in_base(amount: Amount) -> Tree:
    unit = amount.unit
    assert unit is not None
    if isinstance(amount.number, Num) and not unit.pi:
        return Num((amount.number.value + unit.offset) * unit.size)
    number = app("+", amount.number, Num(unit.offset)) if unit.offset else amount.number
    return app("*", number, Num(unit.size), *([app("^", PI, Num(Fraction(unit.pi)))] if unit.pi else []))
