"""Questions for one number: counts, percentages, means and medians."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from envhub.envs.code.ehr.catalogue import CONDITIONS, DRUGS, KINDS as ENCOUNTERS, TESTS
from envhub.envs.code.ehr.cohorts import (
    GROUPS,
    Drawing,
    age_on,
    allergic_to,
    an,
    any_of,
    class_drugs,
    class_of,
    draw_conditions,
    drug_of,
    in_units,
    is_result,
    lab_readings,
    smoking_status,
    value_of,
    year_days,
)
from envhub.envs.code.ehr.hospital import DRUG_IDS, Focus, day_text
from envhub.envs.code.ehr.notes import ALLERGIC, SUBSTANCES
from envhub.envs.code.ehr.questions import Draft, Kind, days

_NUMBER: Final = ("the number",)


def _patients(d: Drawing) -> Draft:
    asks = ("How many {patients} are there?", "Count the {patients}.", "Number of {patients}?")
    return Draft(asks, ("the number of patients",), "SELECT COUNT(*) FROM patients p WHERE COHORT")


def _share(d: Drawing) -> Draft:
    (other,) = draw_conditions(d, 1)
    asks = (
        f"Of all {{patients}}, what percentage are patients {other.words}?",
        f"Which percentage of the {{patients}} are patients {other.words}?",
        f"Share, in per cent, of patients {other.words}, among all {{patients}}?",
    )
    sql = other.sql
    template = (
        f"SELECT [AVG(CASE WHEN {sql} THEN 100.0 ELSE 0 END)~SUM(CASE WHEN {sql} THEN 1 ELSE 0 END) * 100 / COUNT(*)"
        f"~AVG(CASE WHEN {sql} THEN 1.0 ELSE 0 END)] FROM patients p WHERE COHORT"
    )
    return Draft(asks, ("the percentage",), template, focus=other.focus, readings=("percent", *other.readings))


def _encounters(d: Drawing) -> Draft:
    kind, year = d.rng.choice(ENCOUNTERS), d.year()
    asks = (
        f"How many {kind} encounters started in {year} and belong to {{patients}}?",
        f"Consider {{patients}}. How many of their {kind} encounters started in {year}?",
        f"Total number of {kind} encounters with a start in {year}, of {{patients}}?",
    )
    template = (
        "SELECT COUNT([*~DISTINCT e.patient_id]) FROM encounters e JOIN patients p ON p.patient_id = e.patient_id "
        f"WHERE [e.kind = '{kind}'~1] AND [strftime('%Y', e.started_at) = '{year}'~strftime('%Y', e.ended_at) = "
        f"'{year}'~1] AND COHORT"
    )
    if kind != "inpatient":
        template = template.replace(f"~strftime('%Y', e.ended_at) = '{year}'", "")
    return Draft(asks, ("the number of encounters",), template, focus=Focus(kind=kind, days=year_days(year)))


def _mean_result(d: Drawing) -> Draft:
    test, year = d.rng.choice(list(TESTS)), d.year()
    in_ = in_units(test)
    asks = (
        f"Consider all {TESTS[test].name} results of {year} from {{patients}}. What is their mean{in_}?",
        f"What is the average{in_} of all {TESTS[test].name} results that were taken in {year} from {{patients}}?",
        f"Mean {TESTS[test].name}{in_} over all results taken in {year} from {{patients}}?",
    )
    value = value_of("r", test, d.mixed)
    template = (
        f"SELECT AVG({value}) FROM lab_results r JOIN patients p ON p.patient_id = r.patient_id "
        f"WHERE {is_result('r', test)} AND [strftime('%Y', r.taken_at) = '{year}'~1] AND COHORT"
    )
    return Draft(
        asks, (f"the mean{in_}",), template,
        focus=Focus(bounds={test: TESTS[test].bounds}, days=year_days(year)), readings=lab_readings(test, d.mixed),
    )  # fmt: skip


def _median_latest(d: Drawing) -> Draft:
    test = d.rng.choice(list(TESTS))
    in_ = in_units(test)
    asks = (
        f"Consider {{patients}}, and take the latest {TESTS[test].name} result of each one who has a result. What is "
        f"the median{in_}?",
        f"What is the median{in_} of the latest {TESTS[test].name} results, one for each of the {{patients}} with a result?",
        f"Median{in_} of the latest {TESTS[test].name} result per patient, among {{patients}}?",
    )
    value = value_of("r", test, d.mixed)
    template = (
        "SELECT AVG(w.v) FROM (SELECT v.v AS v, ROW_NUMBER() OVER (ORDER BY v.v) AS k, COUNT(*) OVER () AS n FROM ("
        f"SELECT {value} AS v, ROW_NUMBER() OVER (PARTITION BY r.patient_id ORDER BY [r.taken_at "
        f"DESC~r.taken_at~r.result_id DESC]) AS at "
        f"FROM lab_results r JOIN patients p ON p.patient_id = r.patient_id WHERE {is_result('r', test)} AND COHORT"
        ") v WHERE [v.at = 1~1]) w WHERE [w.k IN ((w.n + 1) / 2, (w.n + 2) / 2)~w.k = (w.n + 1) / 2~w.k = (w.n + 2) / 2~1]"
    )
    return Draft(
        asks, (f"the median{in_}",), template,
        focus=Focus(bounds={test: TESTS[test].bounds}), readings=("median", *lab_readings(test, d.mixed)),
    )  # fmt: skip


def _out_of_range(d: Drawing) -> Draft:
    test = d.rng.choice(("CREA", "FERR", "HGB", "HGB", "CREA"))
    name = TESTS[test].name
    asks = (
        f"What percentage of the {name} results of {{patients}} are outside the reference range?",
        f"Of all {name} results of {{patients}}, which percentage lies outside the reference range?",
        f"Out-of-range {name} results of {{patients}}, in per cent of all their {name} results?",
    )
    value = value_of("r", test, d.mixed)
    low, high = (
        "CASE p.sex WHEN 'F' THEN t.low_f ELSE t.low_m END",
        "CASE p.sex WHEN 'F' THEN t.high_f ELSE t.high_m END",
    )
    outside = f"({value} [<~<=] [{low}~t.low_f~t.low_m] OR {value} [>~>=] [{high}~t.high_f~t.high_m])"
    template = (
        f"SELECT AVG(CASE WHEN {outside} THEN 100.0 ELSE 0 END) FROM lab_results r JOIN patients p ON p.patient_id = "
        f"r.patient_id "
        f"JOIN lab_tests t ON t.test_id = r.test_id WHERE {is_result('r', test)} AND COHORT"
    )
    bounds = tuple(sorted({*TESTS[test].low, *TESTS[test].high}))
    return Draft(
        asks, ("the percentage",), template,
        focus=Focus(bounds={test: bounds}), readings=("percent", "range", *lab_readings(test, d.mixed)),
    )  # fmt: skip


def _route(d: Drawing) -> Draft:
    drug = d.rng.choice([name for name, about in DRUGS.items() if len(about.routes) > 1])
    route = d.rng.choice(DRUGS[drug].routes)
    asks = (
        f"How many prescriptions of {drug} to {{patients}} are {route}?",
        f"How many {route} prescriptions of {drug} were written for {{patients}}?",
        f"Number of prescriptions of {drug} by {route} route, to {{patients}}?",
    )
    template = (
        "SELECT COUNT([*~DISTINCT x.patient_id]) FROM prescriptions x JOIN patients p ON p.patient_id = x.patient_id "
        f"WHERE {drug_of(drug)} AND [x.route = '{route}'~1] AND COHORT"
    )
    return Draft(asks, ("the number of prescriptions",), template, focus=Focus(drugs=(drug, drug)))


def _overlap(d: Drawing) -> Draft:
    one, other = d.rng.sample(list(DRUGS), 2)
    asks = (
        f"How many {{patients}} were on {one} and on {other} on the same day at least once?",
        f"Count the {{patients}} for whom there is a day on which they were on both {one} and {other}.",
        f"Number of {{patients}} with at least one day on both {one} and {other}?",
    )
    template = (
        "SELECT COUNT(*) FROM patients p WHERE COHORT AND EXISTS (SELECT 1 FROM prescriptions x "
        "JOIN prescriptions y ON y.patient_id = x.patient_id WHERE x.patient_id = p.patient_id "
        f"AND x.drug_id = {DRUG_IDS[one]} AND y.drug_id = {DRUG_IDS[other]} "
        "AND [x.start_date <= COALESCE(y.stop_date, '9999')~x.start_date <= y.stop_date~1] "
        "AND [y.start_date <= COALESCE(x.stop_date, '9999')~y.start_date <= x.stop_date~1])"
    )
    return Draft(asks, _NUMBER, template, focus=Focus(drugs=(one, other, one, other)), readings=("taking",))


def _polypharmacy(d: Drawing) -> Draft:
    day, count = d.day(), d.rng.between(2, 3)
    on = day_text(day)
    asks = (
        f"How many {{patients}} were on at least {count} different drugs on {on}?",
        f"Count the {{patients}} who were on {count} or more different drugs on {on}.",
        f"Number of {{patients}} taking >= {count} distinct drugs on {on}?",
    )
    template = (
        "SELECT COUNT(*) FROM patients p WHERE COHORT AND (SELECT COUNT(DISTINCT x.drug_id) FROM prescriptions x "
        f"WHERE x.patient_id = p.patient_id AND [x.start_date [<=~<] '{on}'~1] "
        f"AND [(x.stop_date IS NULL OR x.stop_date [>=~>] '{on}')~x.stop_date >= '{on}'~1]) [>=~>~=] {count}"
    )
    return Draft(
        asks,
        _NUMBER,
        template,
        focus=Focus(days=(day, day), drugs=("metformin", "lisinopril", "atorvastatin")),
        readings=("taking",),
    )


def _stopped_early(d: Drawing) -> Draft:
    group, limit = d.rng.choice(GROUPS), d.rng.choice((7, 10, 14, 30, 60, 90))
    asks = (
        f"What percentage of the prescriptions of {an(group)} to {{patients}} were stopped within {limit} days of their start?",
        f"Of all prescriptions of {an(group)} to {{patients}}, which percentage was stopped at most {limit} days "
        f"after the start?",
        f"Prescriptions of {an(group)} to {{patients}} with a stop <= {limit} days after the start, in per cent of "
        f"all of them?",
    )
    template = (
        f"SELECT AVG(CASE WHEN {days('x.start_date', 'x.stop_date')} [<=~<] {limit} THEN 100.0 ELSE 0 END) FROM "
        f"prescriptions x "
        f"JOIN patients p ON p.patient_id = x.patient_id WHERE {class_of(group)} AND COHORT[~ AND x.stop_date IS NOT NULL]"
    )
    focus = Focus(drugs=class_drugs(group), gaps=(limit,))
    return Draft(asks, ("the percentage",), template, focus=focus, readings=("percent", "days"))


def _age_at_onset(d: Drawing) -> Draft:
    code = d.rng.choice(list(CONDITIONS))
    name = CONDITIONS[code].name
    asks = (
        f"What was the mean age at the first recorded onset of {name}, among {{patients}} with this diagnosis?",
        f"Among {{patients}}, consider those with {name}. What is the mean of their ages on the day of its first onset?",
        f"Mean age at first onset of {name}, over {{patients}} with the diagnosis?",
    )
    template = (
        f"SELECT AVG({age_on('f.onset')}) FROM patients p JOIN (SELECT c.patient_id AS patient_id, "
        f"[MIN~MAX](c.onset_date) AS onset "
        f"FROM conditions c WHERE c.code = '{code}' GROUP BY c.patient_id) f ON f.patient_id = p.patient_id WHERE COHORT"
    )
    return Draft(asks, ("the mean age in years",), template, focus=Focus(codes=(code,)), readings=("age",))


def _stay_days(d: Drawing) -> Draft:
    year = d.year()
    asks = (
        f"Consider {{patients}}. What is the mean length in days of their inpatient stays that began in {year}?",
        f"How many days did inpatient stays with admission in {year} last on average, among {{patients}}?",
        f"Mean length of stay (days) of {{patients}}, inpatient stays admitted in {year}?",
    )
    template = (
        f"SELECT AVG({days('e.started_at', 'e.ended_at', times=True)}) FROM encounters e JOIN patients p ON "
        f"p.patient_id = e.patient_id "
        f"WHERE [e.kind = 'inpatient'~1] AND [strftime('%Y', e.started_at) = '{year}'~strftime('%Y', e.ended_at) = "
        f"'{year}'~1] AND COHORT"
    )
    focus = Focus(kind="inpatient", days=year_days(year))
    return Draft(asks, ("the mean number of days",), template, focus=focus, readings=("days", "open"))


def _allergy_conflict(d: Drawing) -> Draft:
    substance, group = (
        d.rng.choice(SUBSTANCES),
        d.rng.choice(("antibiotic", "corticosteroid", "anticoagulant", "diuretic")),
    )
    asks = (
        f"How many prescriptions of {an(group)} were written for {{patients}} on or after the day on which a note first stated "
        f"that the patient is allergic to {substance}?",
        f"Consider {{patients}} of whom a note states that they are allergic to {substance}. How many prescriptions "
        f"of {an(group)} "
        "start on or after the day of the first such note?",
        f"Number of prescriptions of {an(group)} to {{patients}} with start >= date of the first note that states the "
        f"patient's own "
        f"allergy to {substance}?",
    )
    states = any_of([each.format(substance) for each in ALLERGIC])
    template = (
        "SELECT COUNT(*) FROM prescriptions x JOIN patients p ON p.patient_id = x.patient_id "
        f"WHERE {class_of(group)} AND COHORT AND x.start_date [>=~>] (SELECT [MIN~MAX](date(n.written_at)) FROM notes n "
        f"WHERE n.patient_id = p.patient_id AND [{states}~n.text LIKE '%{substance}%'~n.text LIKE '%llergic to {substance}%'])"
    )
    return Draft(
        asks, ("the number of prescriptions",), template, focus=Focus(drugs=class_drugs(group)), readings=("allergy",)
    )


def _smoking_share(d: Drawing) -> Draft:
    status = d.rng.choice(("current", "former", "never"))
    what = {"current": "currently smoke", "former": "smoked formerly", "never": "have never smoked"}[status]
    asks = (
        f"What percentage of the {{patients}} {what}?",
        f"Of all {{patients}}, which percentage are patients who {what}?",
        f"Patients who {what}, in per cent of all {{patients}}?",
    )
    template = (
        f"SELECT [AVG~SUM](CASE WHEN {smoking_status(status)} THEN 100.0 ELSE 0 END) FROM patients p WHERE COHORT"
    )
    return Draft(asks, ("the percentage",), template, readings=("percent", "smoking"))


def _allergic(d: Drawing) -> Draft:
    substance = d.rng.choice(SUBSTANCES)
    asks = (
        f"How many {{patients}} are allergic to {substance}?",
        f"Count the {{patients}} with an allergy to {substance}.",
        f"Number of {{patients}} allergic to {substance}?",
    )
    template = f"SELECT COUNT(*) FROM patients p WHERE COHORT AND {allergic_to(substance)}"
    return Draft(asks, ("the number of patients",), template, readings=("allergy",))


KINDS: Final[Mapping[str, Kind]] = {
    "patients": Kind(_patients, 1, 4),
    "share": Kind(_share, 1, 3),
    "encounters": Kind(_encounters, 1, without=frozenset({"stay", "visits"})),
    "mean result": Kind(_mean_result, without=frozenset({"lab"})),
    "median of latest": Kind(_median_latest, without=frozenset({"lab"})),
    "out of range": Kind(_out_of_range, 1, without=frozenset({"lab"})),
    "route": Kind(_route, 1, without=frozenset({"drug"})),
    "overlap": Kind(_overlap, without=frozenset({"drug"})),
    "polypharmacy": Kind(_polypharmacy, without=frozenset({"drug"})),
    "stopped early": Kind(_stopped_early, without=frozenset({"drug"})),
    "age at onset": Kind(_age_at_onset, 1, without=frozenset({"diagnosis", "active"})),
    "length of stay": Kind(_stay_days, 1, without=frozenset({"stay", "visits"})),
    "allergy conflict": Kind(_allergy_conflict, most=2, without=frozenset({"drug", "allergy"}), notes=True),
    "smoking": Kind(_smoking_share, 1, without=frozenset({"smoking"}), notes=True),
    "allergic": Kind(_allergic, 1, without=frozenset({"allergy"}), notes=True),
}
