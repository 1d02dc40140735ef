"""The hospital of ehr-v0 is coherent, and its reference queries agree with a second implementation without SQL."""

from __future__ import annotations

from collections import defaultdict
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from envhub.core.seeding import Stream
from envhub.envs.code.ehr import templates
from envhub.envs.code.ehr.catalogue import CONDITIONS, DRUGS, SCHEMA
from envhub.envs.code.ehr.database import connect, hidden, run, visible_file
from envhub.envs.code.ehr.hospital import Focus, Tables, draw_hospital
from envhub.envs.code.ehr.judging import as_rows
from envhub.envs.code.ehr.kinds import KINDS
from envhub.envs.code.ehr.notes import ALLERGIC, NOT_ALLERGIC, SMOKING, SUBSTANCES
from envhub.envs.code.ehr.questions import Question, draw_question
from envhub.envs.code.ehr.separating import separate
from envhub.verifiers.code.rows import alike
from tests.envs.code.ehr_player.player import answer_to


@cache
def hospital(mixed: bool = True) -> Tables:
    return draw_hospital(Stream(b"tests", "hospital"), 400, mixed=mixed)


def by_patient(table: str) -> dict[int, list[dict[str, Any]]]:
    found = defaultdict(list)
    for row in hospital()[table]:
        named = dict(zip(SCHEMA[table], row, strict=True))
        found[named["patient_id"]].append(named)
    return found


def drawn(name: str, number: int, count: int | None = None) -> tuple[Question, bool]:
    rng, kind = Stream(b"tests", name, number), KINDS[name]
    mixed = number % 2 == 0
    count = rng.between(kind.least, kind.most) if count is None else count
    return draw_question(rng, name, kind, count, mixed=mixed, notes=True), mixed


@pytest.mark.parametrize("name", KINDS)
def test_reference_queries_agree_with_a_second_implementation(name: str, tmp_path: Path) -> None:
    for number in range(2):
        question, mixed = drawn(name, number)
        connection = hidden(f"{number:032x}", 50, mixed, question.focus)
        rows = run(connection, templates.right(question.template))
        (tmp_path / "records.db").write_bytes(connection.serialize())
        answered = as_rows(answer_to(question.asks[0], str(tmp_path / "records.db")), len(question.columns))
        nothing = [None] in rows and answered in ([], [[None]])
        assert nothing or alike(answered, rows, question.order), question.asks[0]


@pytest.mark.parametrize("name", ["readmissions", "change", "allergic"])
def test_every_near_miss_fails_on_a_hidden_database(name: str) -> None:
    for number in range(9):
        question, mixed = drawn(name, number, KINDS[name].least)
        databases = separate(Stream(b"tests", name), question, mixed=mixed)
        if databases is not None:
            break
    assert databases is not None
    assert databases.wrong == list(templates.near_misses(question.template)) != []
    left = set(databases.wrong)
    for (seed, size), rows in zip(databases.drawn, databases.rows, strict=True):
        connection = hidden(seed, size, mixed, question.focus)
        assert run(connection, templates.right(question.template)) == rows
        left -= {each for each in left if not alike(run(connection, each), rows, question.order)}
    assert not left
    assert len({repr(rows) for rows in databases.rows}) >= 3


def test_near_misses_change_one_place_at_a_time() -> None:
    template = "a [b~c] [d[e~f]~g]"
    assert templates.right(template) == "a b de"
    assert list(templates.near_misses(template)) == ["a c de", "a b g", "a b df"]
    with pytest.raises(ValueError, match="not closed"):
        templates.right("a [b~c")


def test_encounters_do_not_overlap_and_nothing_follows_death() -> None:
    patients = {row[0]: row for row in hospital()["patients"]}
    assert any(row[3] for row in patients.values())
    for number, rows in by_patient("encounters").items():
        rows.sort(key=lambda row: row["started_at"])
        for one, other in pairwise(rows):
            assert one["started_at"] < one["ended_at"] < other["started_at"]
        died = patients[number][3]
        assert died is None or rows[-1]["ended_at"][:10] <= died
        assert patients[number][2] < rows[0]["started_at"]


def test_rows_belong_to_their_encounters() -> None:
    spans = {row[0]: row for row in hospital()["encounters"]}
    for table, at in (("conditions", 4), ("prescriptions", 7), ("lab_results", 7), ("procedures", 4), ("notes", 3)):
        for row in hospital()[table]:
            encounter = spans[row[2]]
            assert encounter[1] == row[1]
            assert encounter[4][:10] <= row[at][:10] <= (encounter[5] or "2024-12-31")[:10], (table, row)


def test_drugs_follow_diagnoses_and_values_follow_disease() -> None:
    conditions, drugs = by_patient("conditions"), {row[0]: row[1] for row in hospital()["drugs"]}
    reasons = {name: {code for code, disease in CONDITIONS.items() if name in disease.drugs} for name in DRUGS}
    with_reason = total = 0
    for number, rows in by_patient("prescriptions").items():
        for row in rows:
            assert row["stop_date"] is None or row["start_date"] <= row["stop_date"]
            earlier = {each["code"] for each in conditions[number] if each["onset_date"] <= row["start_date"]}
            with_reason += bool(reasons[drugs[row["drug_id"]]] & earlier)
            total += 1
    assert with_reason > 0.8 * total
    diabetic = {number for number, rows in conditions.items() if any(row["code"] in ("E10", "E11") for row in rows)}
    values: dict[bool, list[float]] = {True: [], False: []}
    for number, rows in by_patient("lab_results").items():
        values[number in diabetic] += [row["value"] for row in rows if row["test_id"] == "A1C"]
    assert sum(values[True]) / len(values[True]) > sum(values[False]) / len(values[False]) + 1.5


def test_events_that_questions_order_are_not_simultaneous() -> None:
    for table, columns in (
        ("lab_results", ("test_id", "taken_at")),
        ("conditions", ("code", "onset_date")),
        ("prescriptions", ("drug_id", "start_date")),
        ("notes", ("written_at",)),
    ):
        for rows in by_patient(table).values():
            keys = [tuple(row[column] for column in columns) for row in rows]
            assert len(set(keys)) == len(keys), table


def test_ids_say_nothing_about_time_and_units_are_mixed_on_request() -> None:
    rows = [row["started_at"] for group in by_patient("encounters").values() for row in group]
    assert rows != sorted(rows)
    factors = {(test, unit): factor for test, unit, factor in hospital()["unit_factors"]}
    for mixed in (True, False):
        assert any(factors[row[3], row[5]] != 1 for row in hospital(mixed)["lab_results"]) == mixed


def test_the_same_seed_gives_the_same_hospital() -> None:
    one, other, third = (draw_hospital(Stream(seed, "x"), 30, mixed=True) for seed in (b"a", b"a", b"b"))
    assert one == other != third
    assert list(connect(one).iterdump()) == list(connect(other).iterdump())


def test_a_focus_survives_json_and_makes_things_frequent() -> None:
    focus = Focus(codes=("D50",), bounds={"FERR": (12.0,)}, days=(900,), gaps=(30,), kind="inpatient")
    assert Focus.from_json(focus.to_json()) == focus
    counts = [
        sum(row[3] == "D50" for row in draw_hospital(Stream(b"f"), 60, mixed=False, focus=each)["conditions"])
        for each in (Focus(), focus)
    ]
    assert counts[1] > 2 * counts[0]


def test_every_sentence_of_notes_can_be_seen() -> None:
    content = visible_file({"hospital": f"{5:032x}", "patients": 1500, "mixed": True}).decode("utf-8", "replace")
    sentences = [each for group in SMOKING.values() for each in group]
    sentences += [each.format(what) for each in (*ALLERGIC, *NOT_ALLERGIC) for what in SUBSTANCES]
    assert all(each in content for each in sentences)


@pytest.mark.parametrize(
    ("value", "rows", "order", "same"),
    [
        ([[3.0]], [[3]], (), True),
        ([[3.1]], [[3]], (), False),
        ([[1 / 3]], [[0.333333333]], (), True),
        ([[0.3333]], [[1 / 3]], (), False),
        ([["3"]], [[3]], (), False),
        ([[True]], [[1]], (), False),
        ([[None]], [[0]], (), False),
        ([[2, "b"], [1, "a"]], [[1, "a"], [2, "b"]], (), True),
        ([[2, "b"], [1, "a"]], [[1, "a"], [2, "b"]], (1,), False),
        ([[1, "a"], [1, "a"]], [[1, "a"]], (), False),
        ([[1, "a"], [2, "b"]], [[1, "a"], [1, "a"]], (), False),
        ([[1]], [[1, 2]], (), False),
        ([5], [[5]], (), False),
        ([[10**400]], [[0.5]], (), False),
        ([[float("nan")]], [[0.5]], (), False),
    ],
)
def test_rows_are_compared_by_value(value: Any, rows: Any, order: tuple[int, ...], same: bool) -> None:
    assert alike(value, rows, order) == same


def test_what_a_program_returns_is_read_as_rows() -> None:
    assert as_rows(5, 1) == [[5]]
    assert as_rows([1, 2], 1) == [[1], [2]]
    assert as_rows((1, "a"), 2) == [(1, "a")]
    assert as_rows([(1, "a")], 2) == [(1, "a")]
    assert as_rows([], 2) == []
    assert as_rows(None, 1) == [[None]]
