"""Members about texts and documents: unrelated code accepts the solutions and refuses the same mistakes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, Final

import pytest

from envhub.authoring.wording import PLAIN
from envhub.core.difficulty import LEVELS
from envhub.core.types import JSON, Instance
from envhub.envs.instructions.turns import Turns
from envhub.families.member import Member
from tests.families.members import problems
from tests.families.second import documents, exact_texts, mails, sources, texts, word_texts

pytestmark = pytest.mark.slow  # Jinja comes with the extra test, not with quick

JUDGES: Final[Mapping[str, Callable[[JSON, str], Callable[[str], bool]]]] = {
    "citation-v0": lambda problem, prompt: partial(sources.accepts, prompt),
    "edit-exactly-v0": lambda problem, prompt: exact_texts.edited(prompt).__eq__,
    "email-format-v0": lambda problem, prompt: partial(mails.accepts, problem),
    "format-convert-v0": lambda problem, prompt: partial(documents.holds_table, problem),
    "instructions-v0": lambda problem, prompt: partial(texts.accepts, problem["rows"], problem["constraints"]),
    "instructions-conflict-v0": lambda problem, prompt: partial(
        texts.accepts, problem["rows"], texts.valid(problem["instructions"])
    ),
    "instructions-count-v0": lambda problem, prompt: partial(word_texts.accepts, problem),
    "instructions-lexical-v0": lambda problem, prompt: partial(word_texts.accepts, problem),
    "json-patch-v0": lambda problem, prompt: partial(documents.accepts_patch, problem),
    "template-fill-v0": lambda problem, prompt: exact_texts.filled(problem).__eq__,
}
"""By member: other code that accepts or refuses texts, for a problem and its prompt."""
STRICT: Final = frozenset({"email-format-v0", "format-convert-v0", "json-patch-v0"})
"""Members whose answers our parsers read more strictly than others."""
NIGHTLY: Final = pytest.param(20, marks=pytest.mark.nightly)


def near(environment: Member, one: Instance, other: Instance) -> Iterator[str]:
    """Right answers, the member's own mistakes, and the solution of another problem."""
    yield from (*environment.alternatives(one), *environment.mistakes(one), environment.solve(other))


def cut(text: str) -> Iterator[str]:
    """A text without one of its words."""
    words = text.split(" ")
    yield from (" ".join([*words[:at], *words[at + 1 :]]) for at in range(len(words)))


@pytest.mark.parametrize("member", JUDGES)
@pytest.mark.parametrize("count", [2, NIGHTLY])
def test_other_code_accepts_and_refuses_the_same_texts(member: str, count: int) -> None:
    for level in LEVELS:
        drawn = list(problems(member, level, count))
        for (environment, one), (_, other) in zip(drawn, [*drawn[1:], drawn[0]], strict=True):
            accepts = JUDGES[member](one.problem, environment.worded(one.problem, PLAIN))
            right = environment.solve(one)
            assert accepts(right), one
            for text in (*near(environment, one, other), *(() if member in STRICT else cut(right))):
                verdict = environment.grade(one, environment.answer.parse(text))
                assert accepts(text.strip()) == verdict.solved, text


@pytest.mark.parametrize("count", [2, NIGHTLY])
def test_instructions_that_other_code_finds_valid_are_those_that_count(count: int) -> None:
    for level in LEVELS:
        for _, instance in problems("instructions-conflict-v0", level, count):
            found = texts.valid(instance.problem["instructions"])
            assert sorted(map(str, found)) == sorted(str((name, p)) for name, p in instance.key["constraints"])


@pytest.mark.parametrize("count", [2, NIGHTLY])
def test_other_code_judges_every_text_of_a_dialogue_alike(count: int) -> None:
    for level in LEVELS:
        for environment, instance in problems("instructions-turns-v0", level, count):
            assert isinstance(environment, Turns)
            rows, edits = instance.problem["rows"], instance.problem["edits"]
            for done in range(len(edits)):
                said = texts.standing(edits[: done + 1])
                for at, text in enumerate(instance.key):
                    accepted = texts.accepts(rows, said, text)
                    assert accepted == environment.judged(instance, done, text).solved
                    assert accepted or at != done


# -- controls --------------------------------------------------------------------------------------------------------------

CHANGED: Final[Mapping[str, Callable[[Any], Any]]] = {
    "citation-v0": lambda problem: {**problem, "sources": problem["sources"][::-1]},
    "edit-exactly-v0": lambda problem: {**problem, "edits": problem["edits"][:-1]},
    "email-format-v0": lambda problem: {**problem, "sentences": []},
    "format-convert-v0": lambda problem: {**problem, "table": problem["table"][::-1]},
    "json-patch-v0": lambda problem: {**problem, "after": [problem["after"]]},
    "instructions-conflict-v0": lambda problem: {
        **problem,
        "instructions": [[2 - rank, name, p] for rank, name, p in problem["instructions"]],
    },
    "template-fill-v0": lambda problem: {**problem, "record": {**problem["record"], "number": 1}},
    "instructions-count-v0": lambda problem: {**problem, "words": problem["words"] + 1},
}
"""By member: a problem with another answer."""


@pytest.mark.parametrize("member", CHANGED)
def test_other_code_refuses_the_solution_of_a_changed_problem(member: str) -> None:
    for environment, instance in problems(member, 6, 3):
        changed = CHANGED[member](instance.problem)
        accepts = JUDGES[member](changed, environment.worded(changed, PLAIN))
        assert not accepts(environment.solve(instance))


def test_an_instruction_that_is_lifted_is_no_longer_in_force() -> None:
    added, lifted = ["add", "bullets", {"n": 2}], ["lift", "bullets", {"n": 2}]
    assert texts.standing([[added]]) == [("bullets", {"n": 2})]
    assert texts.standing([[added], [lifted]]) == []
