"""percent-chain-v0: follow a value through percentage changes, forwards or backwards.

Action: one exact number. Difficulty: more changes, then the start or the percentage of the whole change is asked; effort is the
number of digit operations.
"""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

from envhub.envs.numbers.phrases import EXACT
from envhub.families.value_kit import JSON, Instance, Phrase, Stream, Value, Variants, knob, levels
from envhub.generators.numbers import decimals
from envhub.verifiers.answers.numerals import Decimal

_ASKED = {
    "end": "the balance at the end",
    "start": "the balance at the start",
    "percent": "the percentage by which the balance changes in all, from the start to the end",
}


def _known(problem: Any) -> list[str]:
    names = (("start", "Balance at the start"), ("end", "Balance at the end"))
    return [f"{label}: {problem[name]} dollars" for name, label in names if problem[name] is not None]


def _sentences(problem: Any) -> str:
    verbs = {"%": ("increases by {}%", "decreases by {}%"), "$": ("increases by {} dollars", "decreases by {} dollars")}
    return "\n".join(
        [*_known(problem), "Then:" if problem["start"] else "The changes from the start to the end:"]
        + [
            f"{at}. The balance {verbs[k][size < 0].format(abs(size))}."
            for at, (k, size) in enumerate(problem["changes"], 1)
        ]
    )


def _signs(problem: Any) -> str:
    changes = ", ".join(f"{size:+}%" if kind == "%" else f"{size:+} dollars" for kind, size in problem["changes"])
    return "\n".join([*_known(problem), f"Changes, in this order: {changes}"])


def _object(problem: Any) -> str:
    units = {"%": "percent", "$": "dollars"}
    known = {f"{name}_dollars": problem[name] for name in ("start", "end") if problem[name] is not None}
    return json.dumps({**known, "changes": [{"by": size, "unit": units[kind]} for kind, size in problem["changes"]]})


def _table(problem: Any) -> str:
    rows = (
        f"{at} | {size:+} | {'%' if kind == '%' else 'dollars'}"
        for at, (kind, size) in enumerate(problem["changes"], 1)
    )
    return "\n".join([*_known(problem), "step | change | unit", *rows])


class PercentChain(Value):
    """Follow a value through percentage changes."""

    Params = levels(
        changes=knob("how many changes", 1, 2, 2, 3, 3, 4, 4, 5, 6, 8, at_most=20),
        asked=knob("what may be asked", *["end"] * 2, *["end, start"] * 3, *["end, start, percent"] * 5),
        amounts=knob("whether amounts are added and taken away as well", *[False] * 3, *[True] * 7),
    )
    answer = Decimal()
    data = Variants(_sentences, _signs, _object, held_out=_table, name="changes")
    task = Phrase(
        "The balance of an account changes in steps. Find {what}.",
        "An account's balance goes through these changes. What is {what}?",
        "Compute {what}, given the changes of an account's balance.",
        held_out="Consider the successive changes of an account balance. Determine {what}.",
    )
    rules = (
        Phrase(
            "Each percentage refers to the balance right before that change.",
            "A percentage is always taken of the balance just before the change, not of the balance at the start.",
            "Apply the changes one after the other: each percentage is a share of the current balance.",
            held_out="A change of p percent multiplies the current balance by 1 + p/100.",
        ),
        EXACT,
    )
    _percent = Phrase(
        "Give the percentage as a number without the percent sign, negative for a decrease.",
        "Write the percentage without a percent sign. A decrease is a negative number.",
        "The answer is the number of percent alone. It is negative if the balance falls.",
        held_out="Report p such that end = start * (1 + p/100), without a percent sign.",
    )
    _dollars = Phrase(
        "Give the balance as a number of dollars, without a unit or a dollar sign.",
        "Write the balance in dollars, but leave out the word and the sign.",
        "The answer is the number of dollars alone, without the word or the sign.",
        held_out="Report the balance in dollars as a bare number, without a currency symbol.",
    )

    def draw(self, rng: Stream, p: Any) -> JSON:
        """Changes that keep the balance positive."""
        asked = rng.choice(p.asked.split(", "))
        start = 20 * rng.between(10, 500)
        changes = [["%", rng.choice((-1, 1)) * rng.between(2, 75)] for _ in range(p.changes)]
        if p.amounts and p.changes > 1 and asked != "percent":
            changes[rng.below(p.changes)] = ["$", rng.choice((-1, 1)) * rng.between(10, 150)]
        end = _after(Fraction(start), changes)
        if end <= 0 or end == start:
            return None
        return {
            "start": str(start) if asked == "end" else None,
            "end": decimals.write(end) if asked == "start" else None,
            "changes": changes,
            "asked": asked,
        }

    def value(self, problem: JSON) -> Fraction:
        """By exact fractions."""
        if problem["asked"] == "end":
            return _after(Fraction(problem["start"]), problem["changes"])
        if problem["asked"] == "percent":
            return 100 * (_after(Fraction(1), problem["changes"]) - 1)
        value = Fraction(problem["end"])
        for kind, size in reversed(problem["changes"]):
            value = value / (1 + Fraction(size, 100)) if kind == "%" else value - size
        return value

    def write(self, value: Fraction) -> str:
        """As a decimal."""
        return decimals.write(value) if decimals.is_finite(value) else str(value)

    def values(self, problem: JSON) -> dict[str, str]:
        """The question in words."""
        return {"what": _ASKED[problem["asked"]]}

    def rules_of(self, problem: JSON) -> tuple[Phrase, ...]:
        """How the answer is written."""
        return (*self.rules, self._percent if problem["asked"] == "percent" else self._dollars)

    def slips(self, problem: JSON) -> list[Fraction]:
        """Percentages added up, a change left out, and opposite changes."""
        shares = sum(size for kind, size in problem["changes"] if kind == "%")
        right = self.value(problem)
        opposite = [[kind, -size] for kind, size in reversed(problem["changes"])]
        known = Fraction(problem["start"] or problem["end"] or 100)
        added = known * (1 + Fraction(shares, 100))
        return [
            Fraction(shares),
            added,
            _after(known, opposite),
            _after(known, problem["changes"][:-1]),
            right + 1,
            -right,
        ]

    def effort(self, inst: Instance) -> float:
        """Digits of the balances after all changes, twice for each division."""
        problem = inst.problem
        balances = [
            _after(Fraction(problem["start"] or 1000), problem["changes"][:at]) for at in range(len(problem["changes"]))
        ]
        return float(len(balances) * 10 + sum(len(decimals.write(balance)) for balance in balances))


def _after(value: Fraction, changes: list[list[Any]]) -> Fraction:
    for kind, size in changes:
        value = value * (100 + size) / 100 if kind == "%" else value + size
    return value
