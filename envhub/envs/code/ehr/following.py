"""Questions about one event after another, such as readmissions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from envhub.envs.code.ehr.catalogue import CONDITIONS, LOW, PROCEDURES, TESTS, WHOLE
from envhub.envs.code.ehr.cohorts import (
    GROUPS,
    Drawing,
    an,
    beyond,
    class_drugs,
    class_of,
    in_units,
    is_result,
    lab_readings,
    unit_of,
    value_of,
)
from envhub.envs.code.ehr.hospital import DRUG_IDS, Focus
from envhub.envs.code.ehr.questions import Draft, Kind, days

_WAITS: Final = (7, 10, 14, 21, 28, 30, 60, 90)


def _again(limit: int, next_: str) -> str:
    """Whether ``e`` is followed by another encounter within some days."""
    gap = days("[e.ended_at~e.started_at]", "f.started_at", times=True)
    return (
        f"EXISTS (SELECT 1 FROM encounters f WHERE f.patient_id = e.patient_id AND [f.kind = '{next_}'~1] "
        f"AND [f.started_at > e.started_at~1] AND {gap} [<=~<] {limit})"
    )


def _readmissions(d: Drawing) -> Draft:
    limit = d.rng.choice(_WAITS)
    asks = (
        f"Consider {{patients}}. How many of their inpatient stays were followed by another one of the same patient "
        f"within {limit} days?",
        f"Count the inpatient stays of {{patients}} after whose discharge the patient was admitted again as an "
        f"inpatient within {limit} days.",
        f"Number of inpatient stays of {{patients}} with a readmission within {limit} days?",
    )
    template = (
        f"SELECT COUNT([*~DISTINCT e.patient_id]) FROM encounters e JOIN patients p ON p.patient_id = e.patient_id "
        f"WHERE [e.kind = 'inpatient'~1] AND {_again(limit, 'inpatient')} AND COHORT"
    )
    focus = Focus(kind="inpatient", gaps=(limit,))
    return Draft(asks, ("the number of stays",), template, focus=focus, readings=("days", "readmission"))


def _readmission_rate(d: Drawing) -> Draft:
    limit = d.rng.choice(_WAITS)
    asks = (
        f"Consider {{patients}}. For each department, what percentage of their ended inpatient stays were followed by "
        f"a readmission within {limit} days?",
        f"Give, by department, the {limit}-day readmission rate in per cent of the ended inpatient stays of {{patients}}.",
        f"Per department: ended inpatient stays of {{patients}} with a readmission within {limit} days, in per cent?",
    )
    template = (
        f"SELECT e.department, AVG(CASE WHEN {_again(limit, 'inpatient')} THEN 100.0 ELSE 0 END) FROM encounters e "
        "JOIN patients p ON p.patient_id = e.patient_id WHERE [e.kind = 'inpatient'~1] AND e.ended_at IS NOT NULL AND COHORT "
        "GROUP BY e.department"
    )
    focus, columns = Focus(kind="inpatient", gaps=(limit,)), ("department", "the percentage")
    return Draft(asks, columns, template, focus=focus, readings=("days", "readmission", "percent", "groups"))


def _emergency_return(d: Drawing) -> Draft:
    limit = d.rng.choice(_WAITS)
    asks = (
        f"Consider {{patients}}. How many of their emergency encounters were followed by an inpatient admission "
        f"within {limit} days of the end?",
        f"Count the emergency encounters of {{patients}} after whose end an inpatient stay of the patient began "
        f"within {limit} days.",
        f"Number of emergency encounters of {{patients}} with a later inpatient admission <= {limit} days after their end?",
    )
    template = (
        "SELECT COUNT([*~DISTINCT e.patient_id]) FROM encounters e JOIN patients p ON p.patient_id = e.patient_id "
        f"WHERE [e.kind = 'emergency'~1] AND {_again(limit, 'inpatient')} AND COHORT"
    ).replace("[e.ended_at~e.started_at]", "e.ended_at")
    focus = Focus(kind="emergency", gaps=(limit,))
    return Draft(asks, ("the number of encounters",), template, focus=focus, readings=("days",))


def _died_after(d: Drawing) -> Draft:
    limit = d.rng.choice((14, 30, 60, 90))
    asks = (
        f"How many {{patients}} died within {limit} days of the discharge from an inpatient stay?",
        f"Count the {{patients}} with an inpatient stay after whose discharge they died within {limit} days.",
        f"Number of {{patients}} whose death was <= {limit} days after a discharge from an inpatient stay?",
    )
    template = (
        "SELECT COUNT(*) FROM patients p WHERE COHORT AND EXISTS (SELECT 1 FROM encounters e WHERE e.patient_id = p.patient_id "
        f"AND [e.kind = 'inpatient'~1] AND {days('[e.ended_at~e.started_at]', 'p.death_date')} [<=~<] {limit})"
    )
    focus = Focus(kind="inpatient", gaps=(limit,))
    return Draft(asks, ("the number of patients",), template, focus=focus, readings=("days",))


def _drug_after_result(d: Drawing) -> Draft:
    test, group, limit = d.rng.choice(list(TESTS)), d.rng.choice(GROUPS), d.rng.choice(_WAITS)
    words, sign, bound = beyond(d, test)
    name = TESTS[test].name
    asks = (
        f"How many {{patients}} started {an(group)} within {limit} days after their first {name} result {words}?",
        f"Count the {{patients}} for whom a prescription of {an(group)} starts 0 to {limit} days after the first "
        f"{name} result {words}.",
        f"Number of {{patients}} with a new prescription of {an(group)} <= {limit} days after the first {name} result {words}?",
    )
    first = (
        f"(SELECT [MIN~MAX](r.taken_at) FROM lab_results r WHERE r.patient_id = p.patient_id AND {is_result('r', test)} "
        f"AND {value_of('r', test, d.mixed)} {sign})"
    )
    gap = "julianday(x.start_date) - julianday(date(l.first))"
    template = (
        "SELECT COUNT([DISTINCT l.patient_id~*]) FROM (SELECT p.patient_id AS patient_id, "
        f"{first} AS first FROM patients p WHERE COHORT) l JOIN prescriptions x ON x.patient_id = l.patient_id "
        f"WHERE {class_of(group)} AND [{gap} BETWEEN 0 AND {limit}~{gap} BETWEEN 1 AND {limit}~{gap} BETWEEN 0 AND {limit - 1}"
        f"~{gap} <= {limit}~x.start_date > l.first~julianday(x.start_date) - julianday(l.first) BETWEEN 0 AND {limit}]"
    )
    focus = Focus(bounds={test: (bound,)}, drugs=class_drugs(group), gaps=(limit,))
    return Draft(
        asks,
        ("the number of patients",),
        template,
        focus=focus,
        readings=("days", "after", *lab_readings(test, d.mixed)),
    )


def _change(d: Drawing) -> Draft:
    test, limit = d.rng.choice(WHOLE), d.rng.choice((5, 10, 20, 30, 40))
    name, unit = TESTS[test].name, unit_of(test)
    rise = test in LOW
    asks = (
        f"How many {{patients}} have a latest {name} result that is at least {limit} {unit} "
        f"{'higher' if rise else 'lower'} than their first one?",
        f"Count the {{patients}} whose {name} {'rose' if rise else 'fell'} by at least {limit} {unit} from the first "
        f"to the latest result.",
        f"Number of {{patients}} with a {'rise' if rise else 'fall'} of {name} >= {limit} {unit} between first and "
        f"latest result?",
    )
    value, of = value_of("r", test, d.mixed), is_result("r", test)
    ends = [
        f"(SELECT {value} FROM lab_results r WHERE r.patient_id = p.patient_id AND {of} ORDER BY r.{order} LIMIT 1)"
        for order in ("[taken_at~result_id]", "[taken_at DESC~result_id DESC]")
    ]
    low, high = ends if rise else ends[::-1]
    extremes = f"(SELECT MAX(r.value) - MIN(r.value) FROM lab_results r WHERE r.patient_id = p.patient_id AND {of})"
    template = f"SELECT COUNT(*) FROM patients p WHERE COHORT AND [{high} - {low}~{extremes}] [>=~>] {limit}"
    bounds = tuple(bound + step for bound in TESTS[test].bounds[:2] for step in (0, limit))
    focus = Focus(bounds={test: bounds})
    return Draft(asks, ("the number of patients",), template, focus=focus, readings=lab_readings(test, d.mixed))


def _before_after(d: Drawing) -> Draft:
    code = d.rng.choice([each for each, disease in CONDITIONS.items() if disease.tests])
    drug, test = d.rng.choice(CONDITIONS[code].drugs), d.rng.choice(CONDITIONS[code].tests)
    name, in_ = TESTS[test].name, in_units(test)
    asks = (
        f"By how much{in_} did {name} change on average when {drug} was started? Consider {{patients}}. For each one "
        f"with a result before the "
        "day of the first start and one after that day, take the first result after it minus the last result before it.",
        f"Among {{patients}}, take those with a {name} result before the day on which {drug} was first started and "
        f"one after it. What is "
        f"the mean{in_} of the first result after that day minus the last result before it?",
        f"Mean change of {name}{in_} around the day of the first start of {drug}, among {{patients}}: first result "
        f"after that day "
        "minus last result before it, where both exist?",
    )
    value, of = value_of("r", test, d.mixed), is_result("r", test)

    def near(sign: str, order: str) -> str:
        return (
            f"(SELECT {value} FROM lab_results r WHERE r.patient_id = p.patient_id AND {of} AND date(r.taken_at) "
            f"{sign} s.first "
            f"ORDER BY {order} LIMIT 1)"
        )

    after, before = near("[>~>=]", "[r.taken_at~r.taken_at DESC]"), near("[<~<=]", "[r.taken_at DESC~r.taken_at]")
    template = (
        f"SELECT AVG({after} - {before}) FROM patients p JOIN (SELECT x.patient_id AS patient_id, "
        f"[MIN~MAX](x.start_date) AS first "
        f"FROM prescriptions x WHERE x.drug_id = {DRUG_IDS[drug]} GROUP BY x.patient_id) s ON s.patient_id = "
        f"p.patient_id WHERE COHORT"
    )
    focus = Focus(codes=(code, code), drugs=(drug,), bounds={test: TESTS[test].bounds})
    return Draft(asks, (f"the mean change{in_}",), template, focus=focus, readings=lab_readings(test, d.mixed))


def _untested(d: Drawing) -> Draft:
    code = d.rng.choice([each for each, disease in CONDITIONS.items() if disease.tests])
    test, limit = d.rng.choice(CONDITIONS[code].tests), d.rng.choice((30, 90, 180, 365))
    name, ill = TESTS[test].name, CONDITIONS[code].name
    asks = (
        f"How many {{patients}} have {ill} and no {name} result within {limit} days after its first recorded onset?",
        f"Count the {{patients}} with {ill} for whom no {name} was measured 0 to {limit} days after the first "
        f"recorded onset of it.",
        f"Number of {{patients}} with {ill} but without any {name} result <= {limit} days after first onset?",
    )
    gap = "julianday(date(r.taken_at)) - julianday(f.onset)"
    template = (
        "SELECT COUNT(*) FROM patients p JOIN (SELECT c.patient_id AS patient_id, [MIN~MAX](c.onset_date) AS onset "
        "FROM conditions c "
        f"WHERE c.code = '{code}' GROUP BY c.patient_id) f ON f.patient_id = p.patient_id WHERE COHORT AND [NOT "
        f"~]EXISTS (SELECT 1 "
        f"FROM lab_results r WHERE r.patient_id = p.patient_id AND {is_result('r', test)} "
        f"AND [{gap} BETWEEN 0 AND {limit}~{gap} BETWEEN 0 AND {limit - 1}~{gap} BETWEEN 1 AND {limit}~{gap} <= "
        f"{limit}~{gap} >= 0])"
    )
    focus = Focus(codes=(code,), gaps=(limit,))
    return Draft(asks, ("the number of patients",), template, focus=focus, readings=("days", "after", "final"))


def _procedure_after(d: Drawing) -> Draft:
    name = d.rng.choice(PROCEDURES)
    code = d.rng.choice([each for each, disease in CONDITIONS.items() if name in disease.procedures])
    limit, ill = d.rng.choice(_WAITS), CONDITIONS[code].name
    asks = (
        f"How many {{patients}} had {name} within {limit} days after the first recorded onset of {ill}?",
        f"Count the {{patients}} for whom {name} was done 0 to {limit} days after the first recorded onset of {ill}.",
        f"Number of {{patients}} with {name} <= {limit} days after the first onset of {ill}?",
    )
    gap = "julianday(q.done_on) - julianday(f.onset)"
    template = (
        "SELECT COUNT([DISTINCT p.patient_id~*]) FROM patients p JOIN (SELECT c.patient_id AS patient_id, "
        "[MIN~MAX](c.onset_date) AS onset "
        f"FROM conditions c WHERE c.code = '{code}' GROUP BY c.patient_id) f ON f.patient_id = p.patient_id "
        f"JOIN procedures q ON q.patient_id = p.patient_id WHERE COHORT AND [q.name = '{name}'~1] "
        f"AND [{gap} BETWEEN 0 AND {limit}~{gap} BETWEEN 0 AND {limit - 1}~{gap} BETWEEN 1 AND {limit}~{gap} <= "
        f"{limit}~{gap} >= 0]"
    )
    focus = Focus(codes=(code, code), gaps=(limit,))
    return Draft(asks, ("the number of patients",), template, focus=focus, readings=("days", "after"))


def _time_to_drug(d: Drawing) -> Draft:
    code = d.rng.choice([each for each, disease in CONDITIONS.items() if not disease.acute])
    drug = d.rng.choice(CONDITIONS[code].drugs)
    ill = CONDITIONS[code].name
    asks = (
        f"How many days passed on average from the first recorded onset of {ill} to the first start of {drug} on or "
        f"after that day, among "
        "{patients} with both?",
        f"Among {{patients}} with {ill} and a start of {drug} on or after its first recorded onset, what is the mean "
        f"number of days from that "
        "onset to the first such start?",
        f"Mean days from first onset of {ill} to the first start of {drug} on or after it, over {{patients}} with both?",
    )
    template = (
        f"SELECT AVG({days('f.onset', 's.first')}) FROM patients p JOIN (SELECT c.patient_id AS patient_id, "
        f"[MIN~MAX](c.onset_date) AS onset "
        f"FROM conditions c WHERE c.code = '{code}' GROUP BY c.patient_id) f ON f.patient_id = p.patient_id "
        "JOIN (SELECT g.patient_id AS patient_id, [MIN~MAX](x.start_date) AS first FROM prescriptions x JOIN "
        f"(SELECT c.patient_id AS patient_id, MIN(c.onset_date) AS onset FROM conditions c WHERE c.code = '{code}' "
        f"GROUP BY c.patient_id) g "
        f"ON g.patient_id = x.patient_id WHERE x.drug_id = {DRUG_IDS[drug]} AND [x.start_date [>=~>] g.onset~1] GROUP "
        f"BY g.patient_id) s "
        "ON s.patient_id = p.patient_id WHERE COHORT"
    )
    focus = Focus(codes=(code, code), drugs=(drug,))
    return Draft(asks, ("the mean number of days",), template, focus=focus, readings=("days",))


KINDS: Final[Mapping[str, Kind]] = {
    "readmissions": Kind(_readmissions, 1, 2, without=frozenset({"stay", "visits"})),
    "readmission rate": Kind(_readmission_rate, 1, 2, without=frozenset({"stay", "visits"})),
    "admission after emergency": Kind(_emergency_return, 1, 2, without=frozenset({"stay", "visits"})),
    "death after discharge": Kind(_died_after, 1, 2, without=frozenset({"stay", "visits", "alive"})),
    "drug after result": Kind(_drug_after_result, most=1, without=frozenset({"lab", "drug"})),
    "change": Kind(_change, most=2, without=frozenset({"lab"})),
    "before and after": Kind(_before_after, most=2, without=frozenset({"lab", "drug"})),
    "untested": Kind(_untested, most=2, without=frozenset({"lab", "diagnosis", "active"})),
    "procedure after": Kind(_procedure_after, most=2, without=frozenset({"procedure", "diagnosis", "active"})),
    "time to drug": Kind(_time_to_drug, most=2, without=frozenset({"drug", "diagnosis", "active"})),
}
