"""zebra-v0: assign attributes to houses from clues; exactly one solution.

Rules: houses stand in a row, and each attribute (name, colour, drink, ...) gives every house a different value. The
clues have exactly one solution, and no clue is redundant; both are proved for every puzzle.

Action: the whole table, one line per house, judged by the clues themselves. Difficulty: more houses and attributes, and
from level 6 on no clue that states a position directly, and trial as well as deduction; effort is the number of clues
examined by a solver that deduces, guesses where deduction ends, and verifies uniqueness.

Content is the clues; for more than 15 values, where many puzzles exist, only those that order houses (left of, next to,
one between): puzzles that agree in these are in one split. Words, the order of attributes, values and clues, and the
direction of the street do not change the content. Not folded: clues that mean the same in other words.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, islice
from typing import Any, ClassVar, Final, Literal, Self

from pydantic import Field, model_validator

from envhub.authoring import BaseParams, SingleTurn, Staged
from envhub.authoring.wording import Statement
from envhub.core.seeding import Stream
from envhub.core.types import JSON, Instance, Verdict
from envhub.envs.logic.zebra import carving, clues as zebra, solver, text, wording
from envhub.verifiers.answers.tables import Table
from envhub.verifiers.answers.types import AnswerType

Kinds = Literal["basic", "all", "indirect"]
Technique = Literal["any", "deduction", "trial"]

_KINDS: Final = {"basic": zebra.BASIC, "all": zebra.ALL, "indirect": zebra.INDIRECT}
_SMALL: Final = 15  # values
_LEVELS: Final[tuple[tuple[int, int, int, Kinds, Technique], ...]] = (
    (3, 3, 2, "all", "deduction"),
    (4, 3, 3, "all", "deduction"),
    (4, 4, 4, "all", "deduction"),
    (5, 4, 4, "all", "deduction"),
    (5, 5, 4, "all", "deduction"),
    (5, 4, 4, "indirect", "trial"),
    (5, 5, 5, "indirect", "trial"),
    (6, 4, 4, "indirect", "trial"),
    (6, 5, 5, "indirect", "trial"),
    (6, 6, 5, "indirect", "trial"),
)


class Params(BaseParams):
    """The size of the street and the techniques the clues require."""

    houses: int = Field(4, ge=3, le=6, description="how many houses there are")
    attributes: int = Field(3, ge=2, le=6, description="how many attributes every house has")
    relations: int = Field(3, ge=1, le=8, description="how many clues order houses: left of, next to, one between")
    kinds: Kinds = Field(
        "all", description="basic: in a house or not, same, left of, next to; all: more; indirect: all but 'in house k'"
    )
    technique: Technique = Field("any", description="whether deduction is enough or trial is needed; any: no matter")

    @model_validator(mode="after")
    def _possible(self) -> Self:
        values = self.houses * self.attributes
        least, most = (4 if values > _SMALL else 1), max(2, values // 4)
        if not least <= self.relations <= most:
            raise ValueError(f"relations are {least}..{most} for {values} values")
        return self

    @classmethod
    def at(cls, difficulty: int) -> Self:
        """The parameters of a level."""
        houses, attributes, relations, kinds, technique = _LEVELS[difficulty - 1]
        return cls(houses=houses, attributes=attributes, relations=relations, kinds=kinds, technique=technique)


class _Street(Table):
    """The values of every house."""

    noun = "one line per house (its number, a colon, and one value of each attribute in any order, separated by commas)"
    example = "1: Xenia, silver, honey\n2: Yorick, golden, broth"


class Zebra(SingleTurn):
    """Find out who lives where."""

    Params = Params
    answer: AnswerType = _Street()
    unique: ClassVar[bool] = True
    slow: ClassVar[bool] = True

    def sample(self, rng: Stream, p: Any) -> Staged:
        """Clues, then words.

        With many puzzles, the split is decided on the clues drawn first.
        """
        n, m, kinds = p.houses, p.attributes, _KINDS[p.kinds]
        relations = carving.draw_relations(rng, houses=n, attributes=m, count=p.relations, kinds=kinds)
        if n * m > _SMALL:  # these are all ordering clues of a puzzle, so the puzzle determines them
            yield {"houses": n, "attributes": m, "clues": relations}
        found = carving.complete(rng, n, m, relations, kinds)
        if found is None or p.technique not in ("any", solver.technique(n, m, found)):
            return None
        if n * m <= _SMALL:
            yield {"houses": n, "attributes": m, "clues": found}
        attributes = text.draw_attributes(rng, attributes=m, houses=n)
        places = [rng.sample(range(n), n) for _ in attributes]  # places[a][v]: which of the words of a is in house v
        labels = [a * n + word for a, words in enumerate(places) for word in words]
        rng.shuffle(found)
        problem = {"houses": n, "attributes": attributes, "clues": [zebra.relabelled(clue, labels) for clue in found]}
        rows = [", ".join(attributes[a][1][words[h]] for a, words in enumerate(places)) for h in range(n)]
        return Instance(problem, key="\n".join(f"{h}: {row}" for h, row in enumerate(rows, 1)))

    def canonical(self, content: JSON) -> JSON:
        """The clues, without their words."""
        return zebra.canonical(content["houses"], content["attributes"], content["clues"])

    def prompt(self, problem: JSON) -> Statement:
        """The street, the words and the clues."""
        return wording.statement(problem)

    def example(self, problem: JSON) -> str:
        """A table with words that occur in no puzzle."""
        return wording.example(problem)

    def grade(self, inst: Instance, value: dict[int, dict[str, str]]) -> Verdict:
        """Every house has one value of each attribute, and all clues hold."""
        n, attributes = inst.problem["houses"], inst.problem["attributes"]
        items = [(word.casefold(), name) for name, words in attributes for word in words]
        where = [[h for h, row in value.items() if word in row] for word, _ in items]
        if set(value) != set(range(1, n + 1)) or any(len(row) != len(attributes) for row in value.values()):
            return Verdict.exact(False, f"Give each house from 1 to {n} one value of each attribute, and nothing else.")
        houses = [found[0] - 1 for found in where if len(found) == 1]
        if len(houses) < len(items) or any(len(set(houses[i : i + n])) < n for i in range(0, len(items), n)):
            return Verdict.exact(
                False, "Every value listed belongs to one house, and no house has two of one attribute."
            )
        said = [(value[h + 1][word], name) for h, (word, name) in zip(houses, items, strict=True)]
        if any(label not in ("", name) and (label, name) != ("color", "colour") for label, name in said):
            return Verdict.exact(False, "A value stands under the wrong attribute.")
        return Verdict.exact(all(zebra.holds(clue, houses) for clue in inst.problem["clues"]))

    def solve(self, inst: Instance) -> str:
        """The table."""
        return str(inst.key)

    def alternatives(self, inst: Instance) -> Iterator[str]:
        """Houses and values in reverse order, and with attribute names."""
        lines = [line.split(": ") for line in reversed(inst.key.splitlines())]
        yield "\n".join(f"House {h}: {', '.join(reversed(row.split(', ')))}" for h, row in lines)
        yield _labelled(inst, 0)
        yield _labelled(inst, 0).replace("colour = ", "color = ")

    def mistakes(self, inst: Instance) -> Iterator[str]:
        """Tables with one kind of fault.

        Values under wrong names, an extra word, tables that break one clue only, and two names in one house.
        """
        problem = inst.problem
        n, attributes, clues = problem["houses"], problem["attributes"], problem["clues"]
        yield _labelled(inst, 1)
        yield f"{inst.key}, nothing"
        items = [word for _, words in attributes for word in words]
        rows = dict(line.split(": ") for line in inst.key.splitlines())
        right = tuple(next(int(h) - 1 for h, row in rows.items() if word in row.split(", ")) for word in items)
        for kind in dict.fromkeys(clue[0] for clue in clues):
            at = next(i for i, clue in enumerate(clues) if clue[0] == kind)
            others = solver.solutions(n, len(attributes), clues[:at] + clues[at + 1 :])
            other = next((where for where in islice(others, 2) if where != right), None)
            if other is not None:  # a clue that is not needed is never the only broken one
                yield _written(n, items, other)
        for one, two in combinations(range(len(items)), 2):
            if one // n != two // n and right[one] != right[two]:
                where = list(right)
                where[one], where[two] = right[two], right[one]
                if all(zebra.holds(clue, where) for clue in clues):  # still wrong, and only the houses show it
                    yield _written(n, items, where)

    def random_action(self, inst: Instance, state: Any, rng: Stream) -> str:
        """The words of every attribute in random order."""
        columns = [rng.sample(words, len(words)) for _, words in inst.problem["attributes"]]
        rows = enumerate(zip(*columns, strict=True), 1)
        return self.answer.wrap("\n".join(f"{h}: {', '.join(row)}" for h, row in rows))

    def effort(self, inst: Instance) -> float:
        """Clues examined until the solution is found and proved unique."""
        return float(solver.work(inst.problem["houses"], len(inst.problem["attributes"]), inst.problem["clues"]))


def _written(houses: int, items: Sequence[str], where: Sequence[int]) -> str:
    """The table with each item in its house."""
    rows = [[word for word, house in zip(items, where, strict=True) if house == h] for h in range(houses)]
    return "\n".join(f"{h}: {', '.join(row)}" for h, row in enumerate(rows, 1))


def _labelled(inst: Instance, shift: int) -> str:
    """The table with attribute names before values.

    The right name, or one shifted by some places.
    """
    names = [name for name, _ in inst.problem["attributes"]]
    called = dict(zip(names, names[shift:] + names[:shift], strict=True))
    label = {word: called[name] for name, words in inst.problem["attributes"] for word in words}
    rows = [line.split(": ") for line in inst.key.splitlines()]
    return "\n".join(f"{h}: {', '.join(f'{label[word]} = {word}' for word in row.split(', '))}" for h, row in rows)
