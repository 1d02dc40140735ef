"""The world is consistent, told truly and completely, and questions have the answers that SQL gives."""

from __future__ import annotations

import re
import sqlite3
from collections import Counter
from collections.abc import Sequence
from functools import cache
from typing import Any

import pytest
from hypothesis import given, strategies as st

from envhub.core.seeding import Stream
from envhub.envs.search import worlds
from envhub.envs.search.needle import Needle
from envhub.envs.search.search_qa import SearchQA
from envhub.envs.search.worlds import WorldParams
from envhub.generators.retrieval import Document
from envhub.generators.worlds import questions as making, text as telling
from envhub.generators.worlds.kinds import kind_of
from envhub.generators.worlds.questions import (
    MOST_HOPS,
    UNKNOWN,
    Expression,
    Question,
    _hops,
    draw_question,
    evaluate,
    names_of,
)
from envhub.generators.worlds.tables import ALIAS, NOW, RELATIONS, World, build
from envhub.generators.worlds.text import called, render

SEEDS = st.integers(0, 10_000)
SIZES = st.sampled_from([(8, 0), (8, 2), (20, 3), (40, 8)])


@cache
def world(seed: int, size: tuple[int, int]) -> World:
    return build(Stream(seed.to_bytes(8, "little"), "world"), *size)


@cache
def documents(seed: int, size: tuple[int, int]) -> tuple[Document, ...]:
    return render(world(seed, size), Stream(seed.to_bytes(8, "little"), "documents"))


def one(found: World, subject: str, relation: str) -> Any:
    row = found.holding(subject, relation)
    return None if row is None else found.facts[row].value


@given(SEEDS, SIZES)
def test_nothing_happens_before_it_can(seed: int, size: tuple[int, int]) -> None:
    found = world(seed, size)
    for fact in found.facts:
        if fact.relation in RELATIONS:
            row = RELATIONS[fact.relation]
            assert found.things[fact.subject].kind == row.of
            assert row.to == "year" if isinstance(fact.value, int) else found.things[fact.value].kind == row.to
            assert (fact.since is not None) == row.lasting
    for thing in found.things.values():
        for relation, made in (("author", "year"), ("winner", "event year"), ("founder", "founding year")):
            born, year = one(found, str(one(found, thing.id, relation)), "birth year"), one(found, thing.id, made)
            assert born is None or year is None or year - born >= 20
        for relation, made in (("publisher", "year"), ("sponsor", "event year")):
            there = one(found, str(one(found, thing.id, relation)), "founding year")
            year = one(found, thing.id, made)
            assert there is None or year is None or there <= year
        teacher, born = one(found, thing.id, "teacher"), one(found, thing.id, "birth year")
        older = one(found, str(teacher), "birth year")
        assert older is None or born is None or born - older >= 8
        for relation in (name for name, row in RELATIONS.items() if row.lasting):
            years = [found.facts[number].since for number in found.rows(thing.id, relation)]
            assert years == sorted(set(years))  # type: ignore[type-var]
            assert all(year is not None and year < NOW for year in years)


@given(SEEDS, SIZES)
def test_nobody_runs_two_things_or_works_beside_it(seed: int, size: tuple[int, int]) -> None:
    runs = Counter(fact.value for fact in world(seed, size).facts if fact.relation in ("head", "mayor"))
    assert set(runs.values()) <= {1}
    assert not runs.keys() & {fact.subject for fact in world(seed, size).facts if fact.relation == "employer"}


@given(SEEDS, SIZES)
def test_every_name_stands_for_one_thing(seed: int, size: tuple[int, int]) -> None:
    things = list(world(seed, size).things.values())
    said = Counter(form.casefold() for thing in things for form in names_of(thing))
    assert set(said.values()) == {1}
    assert sum(thing.shared for thing in things) == 2 * size[1]
    assert all(thing.name not in names_of(thing) for thing in things if thing.shared)


FORMS = {
    (relation, form): re.compile(
        re.escape(form)
        .replace(r"\{", "{")
        .replace(r"\}", "}")
        .format(s="(?P<s>.+?)", o="(?P<o>.+?)", p="(?P<p>.+?)", y=r"(?P<y>\d{4})", a="(?P<a>.+?)")
        if form.count("{s}") == 1
        else "(?!)"
    )
    for forms in (telling._STATIC, telling._LASTING, telling._CHANGED)
    for relation, several in forms.items()
    for form in several
}


def read(found: World, sentence: str) -> set[tuple[str, str, Any, int | None]]:
    """What a sentence may mean: every form it has, with things of these names."""
    named: dict[str, str] = {}
    for thing in found.things.values():
        for by_alias in (False, True):
            name = called(thing, by_alias)
            named[name] = named[name[:1].upper() + name[1:]] = thing.id
    meant: set[tuple[str, str, Any, int | None]] = set()
    for (relation, _form), pattern in FORMS.items():
        match = pattern.fullmatch(sentence)
        if not match:
            continue
        said = match.groupdict()
        subject, value = named.get(said["s"]), named.get(said["o"], said["o"])
        if subject is None or found.things[subject].kind != RELATIONS[relation].of:
            continue
        year = int(said["y"]) if said.get("y") else None
        leads = RELATIONS[relation].to
        if (leads == "year") == value.isdigit():
            meant.add((subject, relation, int(value) if leads == "year" else value, year))
            if year is not None:
                meant.add((subject, relation, named.get(said["p"]), -year))
    return meant


@given(SEEDS, SIZES)
def test_what_documents_say_is_in_the_tables_and_was_so_then(seed: int, size: tuple[int, int]) -> None:
    found = world(seed, size)
    for document in documents(seed, size):
        told = set()
        for sentence in re.split(r"(?<=\.)\s", document.text):
            for subject, relation, value, year in read(found, sentence):
                asked = (document.year if year is None else year if year > 0 else -year - 1) or 0
                lasting = RELATIONS[relation].lasting
                number = found.holding(subject, relation, asked if lasting else None)
                assert number is not None, sentence
                assert found.facts[number].value == value, sentence
                assert year is None or year < 0 or found.facts[number].since == year
                told.add(number)
        aliases = {number for number in document.facts if found.facts[number].relation == ALIAS}
        assert told == document.facts - aliases
        assert all(str(found.facts[number].value) in document.text for number in aliases)


@given(SEEDS, SIZES)
def test_every_fact_is_told_and_no_document_knows_the_future(seed: int, size: tuple[int, int]) -> None:
    found = world(seed, size)
    assert frozenset[int]().union(*(d.facts for d in documents(seed, size))) == set(range(len(found.facts)))
    for document in documents(seed, size):
        assert document.year is not None
        assert all((found.facts[number].since or 0) <= document.year < NOW for number in document.facts)


def test_some_documents_are_superseded_and_some_names_are_other_names() -> None:
    found, told = world(3, (40, 8)), documents(3, (40, 8))
    portraits = [document for document in told if not re.fullmatch(r".* \d{4}", document.title)]
    old = [
        number
        for document in portraits
        for number in document.facts
        if (fact := found.facts[number]).since and found.holding(fact.subject, fact.relation) != number
    ]
    assert len(old) > 10
    pen_names = [thing.alias for thing in found.of("person") if thing.alias]
    assert sum(name in document.text for name in pen_names for document in told) > len(pen_names)


# -- questions: SQL gives the same answers -----------------------------------------------------------------------------


def tables(found: World) -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE TABLE thing (id, kind)")
    connection.execute("CREATE TABLE fact (subject, relation, value, since)")
    connection.executemany("INSERT INTO thing VALUES (?, ?)", [(t.id, t.kind) for t in found.things.values()])
    connection.executemany("INSERT INTO fact VALUES (?, ?, ?, ?)", found.facts)
    connection.execute(
        "CREATE VIEW now AS SELECT * FROM fact AS f WHERE since IS NULL OR since = (SELECT max(since) FROM fact AS g "
        "WHERE g.subject = f.subject AND g.relation = f.relation)"
    )
    return connection


def sql(expression: Expression) -> str:
    what = expression[0]
    if what == "name":
        return f"SELECT '{expression[1]}'"
    if what == "of":
        return f"SELECT value FROM now WHERE relation = '{expression[1]}' AND subject IN ({sql(expression[2])})"
    if what == "in":
        _, relation, year, inner = expression
        return (
            f"SELECT value FROM fact AS f WHERE relation = '{relation}' AND subject IN ({sql(inner)}) AND since = (SELECT "
            f"max(since) FROM fact AS g WHERE g.subject = f.subject AND g.relation = f.relation AND g.since <= {year})"
        )
    if what in ("first", "last"):
        among = " UNION ".join(f"SELECT * FROM ({sql(inner)})" for inner in expression[2])
        best = "min" if what == "first" else "max"
        years = f"FROM now WHERE relation = '{expression[1]}' AND subject IN ({among})"
        return f"SELECT subject {years} AND value = (SELECT {best}(value) {years})"
    conditions = "".join(
        f" AND id IN (SELECT subject FROM now WHERE relation = '{relation}' AND value IN ({sql(inner)}))"
        for relation, inner in expression[2]
    )
    chosen = f"FROM thing WHERE kind = '{expression[1]}'{conditions}"
    return f"SELECT count(*) {chosen}" if what == "count" else f"SELECT id {chosen}"


def drawn(seed: int, facts: int, size: tuple[int, int] = (40, 4)) -> Question | None:
    rng = Stream(seed.to_bytes(8, "little"), "questions", facts)
    return next(filter(None, (draw_question(rng, world(seed % 40, size), facts) for _ in range(40))), None)


@given(st.integers(0, 10_000), st.integers(1, 10))
def test_the_answer_is_the_only_one_that_sql_gives(seed: int, facts: int) -> None:
    question = drawn(seed, facts)
    if question is None:
        return
    found = world(seed % 40, (40, 4))
    rows = {row[0] for row in tables(found).execute(sql(question.expression))}
    assert rows == set(evaluate(found, question.expression)[0])
    if question.shape == "unknown":
        assert (rows, question.answers) == (set(), (UNKNOWN,))
    else:
        (value,) = rows
        expected = names_of(found.things[value]) if value in found.things else (str(value),)
        assert question.answers == expected
    assert len(question.facts) == len(set(question.facts))
    if question.shape == "count":
        assert facts - 1 <= len(question.facts) <= facts + 2
    else:
        assert len(question.facts) == facts - (question.shape == "unknown")
    assert _hops(question.expression) <= MOST_HOPS


@given(st.integers(0, 10_000), st.integers(1, 10))
def test_without_one_of_its_facts_a_question_has_no_such_answer(seed: int, facts: int) -> None:
    question = drawn(seed, facts)
    if question is None or question.shape in ("unknown", "past"):
        return
    found = world(seed % 40, (40, 4))
    value = evaluate(found, question.expression)[0]
    for number in question.facts:
        if found.facts[number].relation != ALIAS and found.facts[number].since is None:
            rest = World(list(found.things.values()), [f for n, f in enumerate(found.facts) if n != number])
            compared = any(str(what) in str(question.expression) for what in ("'first'", "'last'"))
            assert compared or evaluate(rest, question.expression)[0] != value


def test_all_shapes_occur_and_the_answer_is_not_in_the_question() -> None:
    shapes = Counter(question.shape for seed in range(300) if (question := drawn(seed, 4)))
    assert set(shapes) == {"chain", "compare", "only", "count", "past", "unknown"}
    for seed in range(200):
        question = drawn(seed, 3)
        if question and question.shape != "count":
            assert not any(answer.casefold() in question.text.casefold() for answer in question.answers)


# -- what can be guessed ---------------------------------------------------------------------------------------------------


def asked(params: type[WorldParams], level: int, many: int = 500) -> list[Question]:
    """Questions of a level, as its environment draws them."""
    p = params.at(level)
    made = (worlds.drawn(Stream(b"guess", level, n), p) for n in range(many))
    return [found.question for found in made if found is not None]


def share(answers: Sequence[str]) -> float:
    """How often the most frequent one is right."""
    return max(Counter(answers).values(), default=0) / max(1, len(answers))


def form(question: Question) -> tuple[str, ...]:
    """What anybody sees of a question without a name in it: what it asks for in the end, and whether it is a count."""
    what = question.expression
    return ("count",) if what[0] == "count" else (what[0], str(what[1])) if what[0] != "only" else ("only",)


@pytest.mark.slow
@pytest.mark.parametrize("level", range(1, 11))
@pytest.mark.parametrize("env", [Needle, SearchQA])
def test_no_answer_follows_from_the_form_or_the_level(env: Any, level: int) -> None:
    questions = asked(env.Params, level)
    assert len(questions) > 480
    counts = [question for question in questions if question.shape == "count"]
    assert share([question.answers[0] for question in counts]) < 0.45
    if level > 2:
        assert len(counts) > 20
    by_form: dict[tuple[str, ...], list[Question]] = {}
    for question in questions:
        by_form.setdefault(form(question), []).append(question)
    # the best answer to each form is found in one half and tried in the other, so that chance teaches nothing
    right = 0
    for same in by_form.values():
        best = Counter(question.answers[0] for question in same[::2]).most_common(1)[0][0]
        right += sum(question.answers[0] == best for question in same[1::2])
    assert right / (len(questions) / 2) < 0.13
    # and without any look at the question
    assert share([question.answers[0] for question in questions]) < 0.07
    kinds = Counter(kind_of(question.expression) for question in questions)
    assert len(kinds) >= 8
    assert max(kinds.values()) < 0.3 * len(questions)


@pytest.mark.parametrize(("env", "level"), [(SearchQA, 2), (Needle, 3), (Needle, 4)])
def test_a_count_of_exactly_so_many_facts_would_be_told_by_the_level(
    env: Any, level: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The negative control: what this guards against."""
    monkeypatch.setattr(making, "_COUNTED", (0, 0))
    answers = [question.answers[0] for question in asked(env.Params, level) if question.shape == "count"]
    assert len(answers) > 20
    assert share(answers) == 1.0


@pytest.mark.parametrize("facts", [2, 3, 4, 6])
def test_a_count_does_not_follow_from_the_length_of_its_chain(facts: int) -> None:
    by_hops: dict[int, list[str]] = {}
    for seed in range(1500):
        question = drawn(seed, facts)
        if question is not None and question.shape == "count":
            by_hops.setdefault(_hops(question.expression), []).append(question.answers[0])
    assert sum(map(len, by_hops.values())) > 100
    assert all(share(answers) < 0.6 for answers in by_hops.values() if len(answers) > 20)


@pytest.mark.parametrize("facts", [4, 5, 6, 8])
def test_what_comes_of_a_comparison_could_be_two_things_at_least(facts: int) -> None:
    """No answer stands in its question, so with one thing unnamed the answer would be that one, without comparing."""
    for seed in range(400):
        question = drawn(seed, facts)
        if question is not None and question.expression[0] in ("first", "last"):
            assert sum(inner[0] != "name" for inner in question.expression[2]) >= 2


def test_who_taught_somebody_is_not_mostly_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown() -> float:
        ends = [q for q in asked(Needle.Params, 1, 1500) if q.expression[:2] == ["of", "teacher"]]
        assert len(ends) > 60
        return sum(q.answers[0] == UNKNOWN for q in ends) / len(ends)

    assert unknown() < 0.2
    monkeypatch.setattr(making, "_OFTEN_UNTOLD", 1)
    assert unknown() > 0.25  # the negative control


@pytest.mark.parametrize("facts", [1, 4, 10])
def test_questions_are_found(facts: int) -> None:
    assert sum(drawn(seed, facts) is not None for seed in range(30)) >= 25
