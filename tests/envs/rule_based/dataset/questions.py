"""Files of typed questions for the tests of dataset-v0."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import envhub
from envhub.core.errors import SplitExhausted
from envhub.core.seeding import SPLITS, Stream

ID = "my-questions-v0"
Row = dict[str, Any]


def sums(rng: Stream, terms: int) -> Row:
    numbers = [rng.between(100, 999) for _ in range(terms)]
    return {"prompt": f"Add up {' + '.join(map(str, numbers))}.", "answer": sum(numbers), "kind": "integer"}


def fractions(rng: Stream, terms: int) -> Row:
    numbers = [rng.between(100, 999) for _ in range(terms)]
    return {"prompt": f"What is ({' + '.join(map(str, numbers))}) / 997?", "answer": f"{sum(numbers)}/997"}


def sets(rng: Stream, terms: int) -> Row:
    numbers = [rng.between(100, 999) for _ in range(terms)]
    gold = ", ".join(map(str, sorted({min(numbers), max(numbers), sum(numbers)})))
    prompt = f"Give the set of the least, the greatest and the sum of {' , '.join(map(str, numbers))}."
    return {"prompt": prompt, "answer": f"{{{gold}}}", "kind": "set", "options": {"of": "integer"}}


def intervals(rng: Stream, terms: int) -> Row:
    numbers = [rng.between(100, 999) for _ in range(terms)]
    prompt = f"Where is x, if x > {numbers[0]} and x <= {' + '.join(map(str, numbers))}?"
    return {"prompt": prompt, "answer": f"({numbers[0]}, {sum(numbers)}]", "kind": "interval"}


def words(rng: Stream, terms: int) -> Row:
    letters = ["".join(rng.choice("bcdfghklmnprst") + rng.choice("aeiou") for _ in range(2)) for _ in range(terms)]
    prompt = f"Which of these words is last in the alphabet: {'; '.join(letters)}?"
    aliases = {"aliases": [f"the word of {max(letters)}"]}
    return {"prompt": prompt, "answer": f"it is {max(letters)}", "kind": "text", "options": json.dumps(aliases)}


MAKERS: tuple[Callable[[Stream, int], Row], ...] = (sums, fractions, sets, intervals, words)


def typed(rng: Stream, rows: Mapping[int, int]) -> list[Row]:
    """So many questions of each level; a higher one has more terms."""
    return [
        {**MAKERS[number % len(MAKERS)](rng, 3 * level), "difficulty": level}
        for level, count in rows.items()
        for number in range(count)
    ]


def write(path: Path, rows: list[Row]) -> str:
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return str(path)


def split_of(path: str) -> str:
    """The split that a file's only question is in."""
    for split in SPLITS:
        try:
            envhub.make("dataset-v0", path=path, split=split).reset(seed=0)
        except SplitExhausted:
            continue
        return split
    raise AssertionError


def key_of(path: str) -> dict[str, Any]:
    env = envhub.make("dataset-v0", path=path, split=split_of(path))
    env.reset(seed=0)
    return env.task.key.to_json()
