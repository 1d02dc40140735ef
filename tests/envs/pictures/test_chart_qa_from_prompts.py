"""chart-qa-v0, solved a second time: by code that reads nothing but the prompt."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise

import pytest

import envhub

Table = list[dict[str, str]]
"""The rows of the data, by the names of the columns."""


def read(prompt: str) -> tuple[str, Table, list[str]]:
    """The question, the rows, and the names of the columns."""
    question, data, *_ = prompt.split("\n\n")
    _, head, *rows = [line.split(" | ") for line in data.splitlines()]
    return question, [dict(zip(head, row, strict=True)) for row in rows], head


def series(rows: Table, head: list[str], of: str) -> dict[str, int]:
    """The values of the series that a question names, by category."""
    column = of.removeprefix("of ") if of != "in the chart" else head[1]
    return {row["category"]: int(row[column]) for row in rows}


def values(rows: Table, head: list[str], of: str, at: str) -> list[object]:
    found = series(rows, head, of)
    return [found[name] for name in at.split(", ")]


def differences(rows: Table, head: list[str], of: str, one: str, other: str) -> list[object]:
    found = series(rows, head, of)
    return [found[one] - found[other], found[one] + found[other]]


def extremes(rows: Table, head: list[str], of: str) -> list[object]:
    ordered = sorted(series(rows, head, of).items(), key=lambda item: item[1])
    return [ordered[-1][0], ordered[0][0], ordered[-1][1] - ordered[0][1]]


def ranking(rows: Table, head: list[str], at: str, of: str) -> list[object]:
    found = series(rows, head, of)
    return [name for _, name in sorted(((found[name], name) for name in at.split(", ")), reverse=True)]


def threshold(rows: Table, head: list[str], of: str, limit: str) -> list[object]:
    over = {name: value for name, value in series(rows, head, of).items() if value > int(limit)}
    return [*over, sum(over.values())]


def average(rows: Table, head: list[str], of: str) -> list[object]:
    found = list(series(rows, head, of).values())
    return [sum(found), Fraction(sum(found), len(found))]


def change(rows: Table, head: list[str], of: str) -> list[object]:
    items = list(series(rows, head, of).items())
    rises = [(items[k + 1][1] - items[k][1], items[k][0], items[k + 1][0]) for k in range(len(items) - 1)]
    rise, one, other = max(rises)
    return [one, other, rise]


def comparison(rows: Table, head: list[str], one: str, other: str) -> list[object]:
    leads = {row["category"]: int(row[one]) - int(row[other]) for row in rows}
    ahead = {name: lead for name, lead in leads.items() if lead > 0}
    return [*ahead, max(ahead.values())]


def crossings(rows: Table, head: list[str], one: str, other: str) -> list[object]:
    found: list[object] = []
    for before, after in pairwise(rows):
        if int(before[one]) < int(before[other]) and int(after[one]) > int(after[other]):
            found += [before["category"], after["category"]]
    return found


def totals(rows: Table, head: list[str]) -> list[object]:
    sums = {row["category"]: sum(int(row[name]) for name in head[1:]) for row in rows}
    best = max(sums, key=lambda name: sums[name])
    return [best, sums[best]]


def filtered(rows: Table, head: list[str], other: str, limit: str, one: str) -> list[object]:
    kept = [int(row[one]) for row in rows if int(row[other]) > int(limit)]
    return [len(kept), sum(kept)]


def share(rows: Table, head: list[str], at: str) -> list[object]:
    found = series(rows, head, "in the chart")
    total = sum(found.values())
    return [total, sum((Fraction(found[name], total) for name in at.split(" and ")), Fraction(0))]


def coordinates(rows: Table, head: list[str], letters: str) -> list[object]:
    place = {row["point"]: (row["days"], row[head[3]]) for row in rows}
    return [number for letter in letters.split(", ") for number in place[letter]]


def region(rows: Table, head: list[str], x: str, y: str) -> list[object]:
    return sorted(row["point"] for row in rows if int(row["days"]) > int(x) and int(row[head[3]]) > int(y))


def from_left(rows: Table, head: list[str], name: str) -> list[object]:
    own = sorted((row for row in rows if row["series"] == name), key=lambda row: int(row["days"]))
    return [*(row["point"] for row in own), sum(int(row[head[3]]) for row in own)]


def slope(rows: Table, head: list[str], one: str, other: str) -> list[object]:
    place = {row["point"]: (int(row["days"]), int(row[head[3]])) for row in rows}
    (x, y), (u, v) = place[one], place[other]
    return [Fraction(v - y, u - x), Fraction(y + v, 2)]


def highest(rows: Table, head: list[str], names: str) -> list[object]:
    found: list[object] = []
    for name in names.split(", "):
        top = max((row for row in rows if row["series"] == name), key=lambda row: int(row[head[3]]))
        found += [top["point"], top[head[3]]]
    return found


SOLVERS: dict[str, Callable[..., list[object]]] = {
    r"What are the values (.+?) for (.+?)\?": values,
    r"Compare the values (.+?) for (.+?) and (.+?)\. How much": differences,
    r"Which category has the highest value (.+?), which has the lowest": extremes,
    r"Sort (.+?) by their values (.+?), from the highest": ranking,
    r"Which categories have a value (.+?) greater than (\d+)\?": threshold,
    r"What is the sum of all values (.+?), and what is their mean\?": average,
    r"From which category to the next does the value (.+?) rise the most": change,
    r"In which categories is (.+?) higher than (.+?)\?": comparison,
    r"Where does the line of (.+?) cross that of (.+?) from lower": crossings,
    r"Which category has the highest total over all series": totals,
    r"In how many categories is (.+?) greater than (\d+), and what is the sum of (.+?) over": filtered,
    r"What is the total of all slices, and what fraction of it do these make up: (.+?)\?": share,
    r"Where are the points (.+?)\?": coordinates,
    r"Which points have more than (\d+) days and a value greater than (\d+)\?": region,
    r"List the points of (.+?) from the fewest": from_left,
    r"A straight line goes through (\w) and (\w)\.": slope,
    r"For each of (.+?), in this order:": highest,
}


def answered(prompt: str) -> tuple[str, str]:
    """The pattern that a question matches, and the answer."""
    question, rows, head = read(prompt)
    [(pattern, match)] = [(one, found) for one in SOLVERS if (found := re.match(one, question))]
    return pattern, ", ".join(map(str, SOLVERS[pattern](rows, head, *match.groups())))


def played(level: int, seeds: range) -> Counter[str]:
    """How many questions of each kind were solved; each must be."""
    env = envhub.make("chart-qa-v0", difficulty=level, wording=0)
    seen: Counter[str] = Counter()
    for seed in seeds:
        prompt, _ = env.reset(seed=seed)
        kind, text = answered(prompt)
        _, reward, _, _, info = env.step(f"<answer>{text}</answer>")
        assert reward == 1.0, (prompt, text, info["verdict"])
        seen[kind] += 1
    return seen


def test_charts_are_solved_from_their_prompts() -> None:
    seen = played(2, range(60)) + played(8, range(60))
    assert len(seen) >= 15


@pytest.mark.nightly
@pytest.mark.parametrize("level", range(1, 11))
def test_many_charts_are_solved_from_their_prompts(level: int) -> None:
    assert len(played(level, range(400))) == len(SOLVERS)


def test_a_changed_value_changes_the_answer() -> None:
    env = envhub.make("chart-qa-v0", difficulty=2, wording=0)
    changed = 0
    for seed in range(40):
        prompt, _ = env.reset(seed=seed)
        kind, text = answered(prompt)
        if kind.startswith("What is the sum of all values"):
            question, data, *rest = prompt.split("\n\n")
            *rows, last = data.splitlines()
            name, *numbers = last.split(" | ")
            more = " | ".join([name, *(str(int(number) + 5) for number in numbers)])
            assert answered("\n\n".join([question, "\n".join([*rows, more]), *rest]))[1] != text
            changed += 1
    assert changed
