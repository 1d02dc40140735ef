"""Answers of number puzzles and stories by OR-tools, by SymPy, or by reading the printed problem."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from typing import Any, Final

import sympy
from ortools.sat.python import cp_model

from envhub.core.types import JSON
from envhub.generators.numbers import operators, stories, units
from envhub.generators.numbers.cryptarithms import SHAPES

_ONE_WORDS: Final = "- one two three four five six seven eight nine"
_TEEN_WORDS: Final = "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen"
_TEN_WORDS: Final = "- - twenty thirty forty fifty sixty seventy eighty ninety"
_ROMAN_ROWS: Final = (
    "- I II III IV V VI VII VIII IX",
    "- X XX XXX XL L LX LXX LXXX XC",
    "- C CC CCC CD D DC DCC DCCC CM",
    "- M MM MMM",
)
_ROWS: Final = (_ONE_WORDS, _TEEN_WORDS, _TEN_WORDS, *_ROMAN_ROWS)
_ONES, _TEENS, _TENS, *_ROMAN = (row.replace("-", "").split(" ") for row in _ROWS)


def _below_thousand(number: int) -> str:
    hundreds, rest = divmod(number, 100)
    tens, ones = divmod(rest, 10)
    small = _TEENS[ones] if tens == 1 else f"{_TENS[tens]} {_ONES[ones]}"
    return " ".join(f"{_ONES[hundreds]} hundred {small}".split() if hundreds else small.split())


def _words(number: int) -> str:
    parts = []
    for size, name in ((10**9, "billion"), (10**6, "million"), (1000, "thousand"), (1, "")):
        group = number // size % 1000
        if group:
            parts += [_below_thousand(group), name]
    return " ".join(" ".join(parts).split())


def _roman(number: int) -> str:
    return "".join(_ROMAN[place][int(digit)] for place, digit in reversed([*enumerate(reversed(str(number)))]))


_GROUPS: Final = {_below_thousand(number): number for number in range(1000)}
_ROMAN_VALUES: Final = {_roman(number): number for number in range(1, 4000)}


def _read(text: str) -> int:
    """By looking up each group of three digits among all thousand of them."""
    if text.isdecimal():
        return int(text)
    if text in _ROMAN_VALUES:
        return _ROMAN_VALUES[text]
    groups = re.split(r"(billion|million|thousand)", text.replace("-", " ").replace(" and ", " "))
    sizes = {"billion": 10**9, "million": 10**6, "thousand": 1000}
    values = [_GROUPS[group.replace("and ", "").strip()] for group in groups[::2]]
    return sum(value * size for value, size in zip(values, [*(sizes[name] for name in groups[1::2]), 1], strict=True))


def numerals(problem: JSON) -> str:
    first, *rest = map(_read, problem["numbers"])
    total = first - sum(rest) if problem["asked"] == "difference" else first + sum(rest)
    written = {"in digits": str, "as a Roman numeral": lambda n: _roman(n).lower(), "in English words": _words}
    return str(written[problem["target"]](total))


def number_format(problem: JSON) -> Fraction:
    values = []
    for text in problem["numbers"]:
        plain = (
            text.replace(",", "")
            .replace(" * 10^", "e")
            .replace(" thousand", "e3")
            .replace("%", "e-2")
            .replace("\u2030", "e-3")
        )
        values.append(Fraction(Decimal(plain)))
    return sorted(values, reverse=problem["order"] == "largest")[problem["place"]]


def long_division(problem: JSON) -> tuple[int, ...]:
    """From the quotients of the prefixes of the dividend."""
    text, divisor = str(problem["dividend"]), problem["divisor"]
    prefixes = [int(text[:at] or 0) for at in range(len(text) + 1)]
    pairs = pairwise(prefixes)
    rows = (
        (one - before // divisor * divisor * 10, one // divisor - before // divisor * 10, one % divisor)
        for before, one in pairs
    )
    return tuple(number for row in rows for number in row)


def percent_chain(problem: JSON) -> Fraction:
    start = sympy.Symbol("start")
    end = start
    for kind, size in problem["changes"]:
        end = end + (end * sympy.Rational(size, 100) if kind == "%" else size)
    if problem["asked"] == "start":
        [found] = sympy.solve(sympy.Eq(end, sympy.Rational(problem["end"])), start)
    elif problem["asked"] == "end":
        found = end.subs(start, int(problem["start"]))
    else:
        found = sympy.simplify((end - start) / start * 100)
    return Fraction(int(found.p), int(found.q))


def unit_question(problem: JSON) -> Fraction:
    """By a linear system for the sizes of all units, and SymPy's reading of the quantity."""
    names = sorted({name for fact in problem["facts"] for name in fact[1::2]})
    sizes = {name: sympy.Symbol(name, positive=True) for name in names}
    known = [sizes[unit] - 1 for unit in problem["target"] if unit]
    laws = [count * sizes[one] - number * sizes[other] for count, one, number, other in problem["facts"]]
    solved = sympy.solve([*laws, *known], list(sizes.values()), dict=True)[0]
    quantities = [
        number * solved.get(sizes[unit], 1) for number, unit in zip(problem["numbers"], problem["units"], strict=True)
    ]
    kind = problem["kind"]
    rate = quantities[-1] / problem["numbers"][-1] if kind in ("speed", "duration") else 0
    if kind == "distance":
        rate = quantities[1] / problem["numbers"][1]
    first, second = quantities[0], quantities[1] if len(quantities) > 1 else 0
    found = {
        "length": first,
        "sum": first + second,
        "difference": abs(first - second),
        "multiple": 7 * first,
        "part": first / 5,
        "perimeter": 2 * first + 2 * second,
        "square": first**2,
        "rectangle": first * second,
        "cube": first**3,
    }.get(kind)
    if kind == "speed":
        found = first / rate
    if kind == "distance":
        found = first / rate * quantities[2]
    if kind == "duration":
        found = first / (second / rate)
    value = sympy.Rational(found)
    assert set(units.KINDS) >= {kind}
    return Fraction(int(value.p), int(value.q))


def custom_operator(problem: JSON) -> int:
    """By Python's own reading of the printed definitions and the printed calls."""
    functions: dict[str, Any] = {
        "max": max,
        "min": min,
        "abs": abs,
        "gcd": math.gcd,
        "mod": lambda x, m: x - m * math.floor(Fraction(x, m)),
        "div": lambda x, m: math.floor(Fraction(x, m)),
        "digits": lambda x: sum(int(sign) for sign in str(x) if sign.isdigit()),
    }
    for place, definition in problem["definitions"].items():
        text = operators.written(definition).replace(", and ", " else ").replace(" otherwise", "")
        text = text.replace("is even", "& 1 == 0").replace("is negative", "< 0").replace("a + b & 1", "(a + b) & 1")
        functions["fghk"[int(place)]] = eval(f"lambda a, b: {text.replace('& 1 == 0', '% 2 == 0')}", functions)
    return int(eval(_call(problem["formula"]), functions))


def _call(part: Any) -> str:
    return str(part) if isinstance(part, int) else f"{'fghk'[int(part[0])]}({_call(part[1])}, {_call(part[2])})"


class _Collector(cp_model.CpSolverSolutionCallback):
    def __init__(self, letters: Mapping[str, Any]) -> None:
        super().__init__()
        self.letters, self.found = letters, []

    def on_solution_callback(self) -> None:
        self.found.append({name: self.value(variable) for name, variable in self.letters.items()})
        if len(self.found) > 1:
            self.stop_search()


def digit_puzzle(problem: JSON) -> dict[str, frozenset[Fraction]]:
    """By CP-SAT, which looks for a second solution as well."""
    model = cp_model.CpModel()
    words = [*problem["addends"], problem["times"] or "", problem["total"]]
    letters = {name: model.new_int_var(0, 9, name) for name in sorted(set("".join(words)))}
    model.add_all_different(letters.values())
    for word in words:
        if len(word) > 1:
            model.add(letters[word[0]] >= 1)
    for name, digit in problem["given"].items():
        model.add(letters[name] == digit)

    def number(word: str) -> Any:
        return sum(letters[sign] * 10**place for place, sign in enumerate(reversed(word)))

    total = model.new_int_var(0, 10 ** len(problem["total"]), "total")
    model.add(total == number(problem["total"]))
    added = model.new_int_var(0, 10**8, "added")
    model.add(added == sum(number(word) for word in problem["addends"]))
    if problem["times"]:
        factor = model.new_int_var(0, 99, "factor")
        model.add(factor == number(problem["times"]))
        model.add_multiplication_equality(total, [added, factor])
    else:
        model.add(total == added)
    solver, collector = cp_model.CpSolver(), _Collector(letters)
    solver.parameters.enumerate_all_solutions = True
    solver.parameters.num_workers = 1
    solver.solve(model, collector)
    [solution] = collector.found
    assert problem["shape"] in SHAPES
    return {name.lower(): frozenset({Fraction(digit)}) for name, digit in solution.items()}


def story(problem: JSON) -> int:
    """By reading the printed sentences into equations."""
    facts, events, question = stories.told(problem)
    names = problem["names"]
    have = {name: sympy.Symbol(name) for name in names}
    laws = [law for law in (_law(sentence, have) for sentence in facts) if law is not None]
    first = sympy.solve(laws, list(have.values()), dict=True)[0]
    now = {name: sympy.sympify(first.get(have[name], have[name])) for name in names}
    for sentence in events:
        _happen(sentence, now)
    if problem["question"]["kind"] == "at first":
        law = sum(now.values()) - int(re.findall(r"\d+", question)[0])
        [unknown] = law.free_symbols
        return int(sympy.sympify(first.get(have[names[0]], have[names[0]])).subs(unknown, sympy.solve(law, unknown)[0]))
    return int(_answer(question, now, problem))


def _law(sentence: str, have: Mapping[str, Any]) -> Any:
    times = {"twice": 2, "three times": 3, "four times": 4, "five times": 5}
    if found := re.fullmatch(r"(\w+) has (\d+) (\w+)\.", sentence):
        return have[found[1]] - int(found[2])
    if found := re.fullmatch(r"(\w+) has ([a-z ]+) as many \w+ as (\w+)(?: has \w+)?\.", sentence):
        return have[found[1]] - times[found[2]] * have[found[3]]
    if found := re.fullmatch(r"(\w+) has (\d+) (more|fewer) \w+ than (\w+)(?: has \w+)?\.", sentence):
        return have[found[1]] - have[found[4]] - int(found[2]) * (1 if found[3] == "more" else -1)
    if found := re.fullmatch(
        r"(\w+) has as many \w+ as (\w+)(?: has \w+)? and (\w+)(?: has \w+)? together\.", sentence
    ):
        return have[found[1]] - have[found[2]] - have[found[3]]
    idle = r"('s house has| is| moved here) \d+ .*| lives at house number \d+| has some \w+"
    assert re.fullmatch(rf"\w+({idle})\.", sentence), sentence
    return None


def _happen(sentence: str, now: dict[str, Any]) -> None:
    if found := re.fullmatch(r"(\w+) gives (\d+) \w+ to (\w+)\.", sentence):
        now[found[1]] -= int(found[2])
        now[found[3]] += int(found[2])
    elif found := re.fullmatch(r"(\w+) gets (\d+) more \w+\.", sentence):
        now[found[1]] += int(found[2])
    elif found := re.fullmatch(r"(\w+) loses (\d+) \w+\.", sentence):
        now[found[1]] -= int(found[2])
    else:
        found = re.fullmatch(r"Half of (\w+)'s \w+ are sold\.", sentence)
        assert found is not None, sentence
        now[found[1]] = now[found[1]] / 2


def _answer(question: str, now: Mapping[str, Any], problem: JSON) -> Any:
    numbers = [int(text) for text in re.findall(r"\d+", question)]
    named = [name for name in re.findall(r"[A-Z]\w+", question) if name in now]
    total = sum(now.values())
    kind = problem["question"]["kind"]
    if kind == "legs":
        legs = [stories.LEGS[noun] for noun in problem["nouns"]]
        return sum(leg * now[name] for leg, name in zip(legs, problem["names"], strict=True))
    return {
        "one": lambda: now[named[0]],
        "total": lambda: total,
        "difference": lambda: now[named[1]] - now[named[0]],
        "worth": lambda: now[named[0]] * numbers[0],
        "boxes": lambda: sympy.ceiling(now[named[0]] / sympy.Integer(numbers[0])),
        "leftover": lambda: sympy.Mod(now[named[0]], numbers[0]),
        "sale": lambda: total * numbers[0],
        "equal shares": lambda: sympy.Rational(total, len(now)),
    }[kind]()


VALUES: Final[Mapping[str, Callable[[JSON], Any]]] = {
    "roman-and-number-words-v0": numerals,
    "number-format-v0": number_format,
    "long-division-steps-v0": long_division,
    "percent-chain-v0": percent_chain,
    "units-v0": unit_question,
    "custom-operator-v0": custom_operator,
    "digit-puzzles-v0": digit_puzzle,
    "story-problems-v0": story,
}
