"""conditional-count-v0: count creatures or guests that satisfy several conditions.

Action: one integer. A table lists kinds of creatures with their properties and how many of each there are, or the guests of a
party with their clothes and belongings. Asked is the number of those that satisfy all conditions, or of their legs, horns or
items. Difficulty: longer tables and more conditions; effort is the number of properties to look at. The order of the table and
names are not content.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

from envhub.families.value_kit import JSON, Instance, Integer, Phrase, Stream, Value, Variants, knob, levels


class Topic(NamedTuple):
    """What a table is about.

    Attributes:
        row: What a row of the table is, in the singular.
        members: What is counted.
        texts: Properties with words as values.
        numbers: Properties with numbers as values, which may be added up.
        several: Name of the column that says how many there are; empty if each row is one.
    """

    row: str
    members: str
    texts: dict[str, tuple[str, ...]]
    numbers: tuple[str, ...]
    several: str


_COLOURS: Final = ("red", "orange", "yellow", "green", "blue", "purple", "white", "black")
TOPICS: Final = {
    "creatures": Topic(
        "kind of creature",
        "creatures",
        {
            "diet": ("plants", "meat", "insects", "carrion", "everything"),
            "birth": ("eggs", "live young", "spores", "division"),
            "colour": _COLOURS,
        },
        ("legs", "horns", "eyes"),
        "seen",
    ),
    "guests": Topic(
        "guest",
        "guests",
        {
            "shirt": _COLOURS,
            "trousers": ("blue", "black", "grey", "brown", "white"),
            "hair": ("black", "brown", "blond", "red", "grey"),
        },
        ("books", "cups", "keys", "coins"),
        "",
    ),
}
_SYLLABLES: Final = ("ba", "do", "fi", "ga", "ku", "lo", "mi", "na", "po", "ra", "su", "ta", "ve", "wi", "zo", "re")


def counted_rows(problem: JSON, conditions: Sequence[JSON] | None = None) -> list[JSON]:
    """The rows that satisfy all conditions."""
    wanted = problem["conditions"] if conditions is None else conditions
    return [row for row in problem["rows"] if all(row[name] in allowed for name, allowed in wanted)]


def _total(problem: JSON, rows: Sequence[JSON]) -> int:
    asked, count = problem["asked"], TOPICS[problem["topic"]].several
    return sum((row[count] if count else 1) * (row[asked] if asked else 1) for row in rows)


def _question(problem: JSON) -> str:
    parts = [f"{name} {' or '.join(map(str, allowed))}" for name, allowed in problem["conditions"]]
    return f"Conditions: {'; '.join(parts)}."


def _names(problem: JSON) -> list[str]:
    return list(problem["rows"][0])


def _table(problem: JSON) -> str:
    names = _names(problem)
    rows = "\n".join("| " + " | ".join(str(row[name]) for name in names) + " |" for row in problem["rows"])
    return f"| {' | '.join(names)} |\n{'|---' * len(names)}|\n{rows}\n\n{_question(problem)}"


def _as_json(problem: JSON) -> str:
    rows = ",\n ".join(json.dumps(row) for row in problem["rows"])
    return f"{_question(problem)}\n\n[{rows}]"


def _sentences(problem: JSON) -> str:
    lines = (
        f"{row['name']}: " + ", ".join(f"{name} {row[name]}" for name in _names(problem)[1:]) for row in problem["rows"]
    )
    return "\n".join(lines) + f"\n\n{_question(problem)}"


def _comma_separated(problem: JSON) -> str:
    names = _names(problem)
    return "\n".join(
        [_question(problem), "", ",".join(names), *(",".join(str(row[n]) for n in names) for row in problem["rows"])]
    )


class ConditionalCount(Value):
    """Count what satisfies several conditions."""

    Params = levels(
        rows=knob("rows of the table", 8, 12, 16, 20, 26, 32, 40, 50, 62, 80, at_least=4, at_most=200),
        conditions=knob("number of conditions", 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, at_least=1, at_most=5),
    )
    answer = Integer()
    data = Variants(_table, _as_json, _sentences, held_out=_comma_separated, name="table")
    task = Phrase(
        "Take only the {members} that satisfy all conditions. How many {unit} are there in total?",
        "How many {unit} are there in total, if you count only the {members} that satisfy all conditions?",
        "Which {members} satisfy all conditions, and how many {unit} does that make in total?",
        held_out="Determine the total number of {unit} over all {members} that satisfy every condition.",
    )
    rules = (
        Phrase(
            "A condition names a property and the values that are allowed. All conditions must hold at the same time.",
            "Each condition lists the allowed values of one property, and every condition must be satisfied.",
            "For every condition, the property must have one of the stated values.",
            held_out="The conditions form a conjunction; each is a disjunction over values of one property.",
        ),
    )
    _creatures = Phrase(
        'Each line of the table is a kind of creature. "seen" is how many of them there are. Legs, horns and eyes are '
        "those of one creature.",
        'The table has one line per kind of creature: "seen" says how many of them there are, and the numbers of legs, horns '
        "and eyes belong to a single creature.",
        'Every kind of creature has a line. There are as many of them as "seen" says, each with the stated numbers of legs, '
        "horns and eyes.",
        held_out='Rows describe kinds: "seen" is the multiplicity; legs, horns and eyes are per individual.',
    )
    _guests = Phrase(
        "Each line of the table is one guest, with the number of books, cups, keys and coins that this guest has.",
        "The table has one line per guest. Books, cups, keys and coins are the numbers of things that the guest carries.",
        "Every guest has a line, which also says how many books, cups, keys and coins the guest carries.",
        held_out="Rows describe single guests; books, cups, keys and coins are the numbers of items carried.",
    )

    def draw(self, rng: Stream, p: Any) -> JSON:
        """A table, a question, and conditions that only some rows satisfy."""
        name = rng.choice(sorted(TOPICS))
        topic = TOPICS[name]
        rows = [self._row(rng, topic, at) for at in range(p.rows)]
        asked = rng.choice(("", *topic.numbers) if topic.several else topic.numbers)
        open_ = [each for each in (*topic.texts, *topic.numbers) if each != asked]
        conditions = []
        for each in rng.sample(open_, min(p.conditions, len(open_))):
            values = sorted({row[each] for row in rows})
            most = max(1, len(values) * 3 // 4)
            conditions.append([each, sorted(rng.sample(values, rng.between((most + 1) // 2, most)))])
        problem = {"topic": name, "rows": rows, "asked": asked, "conditions": conditions}
        found = counted_rows(problem)
        needed = all(
            len(counted_rows(problem, conditions[:at] + conditions[at + 1 :])) > len(found)
            for at in range(len(conditions))
        )
        return problem if needed and len(found) >= 2 and _total(problem, found) >= 5 else None

    def value(self, problem: JSON) -> int:
        """By looking at every row."""
        return _total(problem, counted_rows(problem))

    def slips(self, problem: JSON) -> Iterator[int]:
        """A condition forgotten, rows instead of members, any condition instead of all."""
        conditions = problem["conditions"]
        for at in range(len(conditions)):
            yield _total(problem, counted_rows(problem, conditions[:at] + conditions[at + 1 :]))
        yield len(counted_rows(problem))
        yield _total(
            problem, [row for row in problem["rows"] if any(row[name] in allowed for name, allowed in conditions)]
        )

    def values(self, problem: JSON) -> dict[str, str]:
        """What is counted, in words."""
        topic = TOPICS[problem["topic"]]
        return {"unit": problem["asked"] or topic.members, "members": topic.members}

    def rules_of(self, problem: JSON) -> tuple[Phrase, ...]:
        """The rules, and what a line of the table is."""
        return (*self.rules, self._creatures if TOPICS[problem["topic"]].several else self._guests)

    def canonical(self, content: JSON) -> JSON:
        """The rows without names, in order of their values."""
        rows = sorted([value for name, value in row.items() if name != "name"] for row in content["rows"])
        return [
            content["topic"],
            [list(map(str, row)) for row in rows],
            content["asked"],
            sorted(content["conditions"]),
        ]

    def effort(self, inst: Instance) -> float:
        """Properties to look at."""
        return float(len(inst.problem["rows"]) * (len(inst.problem["conditions"]) + 1))

    def _row(self, rng: Stream, topic: Topic, at: int) -> JSON:
        name = "".join(rng.choice(_SYLLABLES) for _ in range(2)).capitalize() + str(at + 1)
        row: dict[str, JSON] = {"name": name}
        row |= {each: rng.choice(words) for each, words in topic.texts.items()}
        row |= {each: rng.between(1, 8) for each in topic.numbers}
        return row | ({topic.several: rng.between(1, 20)} if topic.several else {})
