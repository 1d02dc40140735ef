"""Questions for a table: lists of patients, groups and rankings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from envhub.envs.code.ehr.catalogue import CONDITIONS, TESTS
from envhub.envs.code.ehr.cohorts import (
    GROUPS,
    Drawing,
    an,
    class_drugs,
    class_of,
    in_units,
    is_result,
    lab_readings,
    smoking_status,
    value_of,
    year_days,
)
from envhub.envs.code.ehr.hospital import Focus
from envhub.envs.code.ehr.questions import Draft, Kind, days


def _list(d: Drawing) -> Draft:
    asks = ("Which {patients} are there?", "List the {patients}.", "All {patients}?")
    return Draft(asks, ("patient_id",), "SELECT p.patient_id FROM patients p WHERE COHORT")


def _by_area(d: Drawing) -> Draft:
    asks = (
        "How many {patients} are there in each area?",
        "Count the {patients} by the area in which they live.",
        "Number of {patients} per area?",
    )
    template = "SELECT p.area, COUNT(*) FROM patients p WHERE COHORT GROUP BY p.area ORDER BY 2 [DESC~], p.area"
    ordered = "by number, highest first, and equal ones by area, alphabetically"
    return Draft(asks, ("area", "number of patients"), template, (-2, 1), ordered, readings=("groups",))


def _top_drugs(d: Drawing) -> Draft:
    count = d.rng.between(2, 4)
    asks = (
        f"Which {count} drugs were prescribed to the most {{patients}}?",
        f"Rank drugs by the number of {{patients}} that they were ever prescribed to, and give the first {count}.",
        f"Top {count} drugs by number of different {{patients}} with a prescription?",
    )
    template = (
        "SELECT d.name, COUNT([DISTINCT x.patient_id~*]) FROM prescriptions x JOIN patients p ON p.patient_id = x.patient_id "
        f"JOIN drugs d ON d.drug_id = x.drug_id WHERE COHORT GROUP BY d.drug_id ORDER BY 2 [DESC~], d.name[~ DESC] "
        f"LIMIT [{count}~{count + 1}]"
    )
    ordered = "by number of patients, highest first, and equal ones by name, alphabetically"
    columns = ("name of the drug", "number of patients")
    return Draft(asks, columns, template, (-2, 1), f"{ordered}; this order also decides which are the first {count}")


def _top_diagnoses(d: Drawing) -> Draft:
    count = d.rng.between(2, 4)
    asks = (
        f"Which {count} diagnoses are recorded for the most {{patients}}?",
        f"Rank diagnoses by the number of {{patients}} that have them recorded, and give the first {count}.",
        f"Top {count} diagnoses by number of different {{patients}}?",
    )
    template = (
        "SELECT k.name, COUNT([DISTINCT c.patient_id~*]) FROM conditions c JOIN patients p ON p.patient_id = c.patient_id "
        f"JOIN condition_codes k ON k.code = c.code WHERE COHORT[~ AND c.resolved_date IS NULL] GROUP BY k.code "
        f"ORDER BY 2 [DESC~], k.name[~ DESC] LIMIT [{count}~{count + 1}]"
    )
    ordered = "by number of patients, highest first, and equal ones by name, alphabetically"
    columns = ("name of the diagnosis", "number of patients")
    return Draft(
        asks, columns, template, (-2, 1), f"{ordered}; this order also decides which are the first {count}",
        Focus(codes=("I10", "E78", "E11", "J18", "N39")), ("diagnosis",),
    )  # fmt: skip


def _daily_dose(d: Drawing) -> Draft:
    group = d.rng.choice([each for each in GROUPS if len(class_drugs(each)) > 1])
    asks = (
        f"What is the mean daily dose in mg over the prescriptions to {{patients}}, for each {group}?",
        f"For each {group}, give the mean daily dose in mg, over all its prescriptions to {{patients}}.",
        f"Mean daily dose (mg) per {group}, over prescriptions to {{patients}}?",
    )
    template = (
        f"SELECT d.name, AVG(x.dose_mg[ * x.per_day~]) FROM prescriptions x JOIN patients p ON p.patient_id = x.patient_id "
        f"JOIN drugs d ON d.drug_id = x.drug_id WHERE {class_of(group)} AND COHORT GROUP BY d.drug_id"
    ).replace("AVG(", "[AVG~MAX](")
    columns = ("name of the drug", "mean daily dose in mg")
    return Draft(asks, columns, template, focus=Focus(drugs=class_drugs(group)), readings=("dose", "groups"))


def _department_stay(d: Drawing) -> Draft:
    asks = (
        "What is the mean length in days of the inpatient stays of {patients}, by department?",
        "For each department, how many days did inpatient stays of {patients} last on average?",
        "Mean length of stay (days) of {patients} per department, inpatient stays only?",
    )
    template = (
        f"SELECT e.department, AVG({days('e.started_at', 'e.ended_at', times=True)}) FROM encounters e "
        "JOIN patients p ON p.patient_id = e.patient_id WHERE [e.kind = 'inpatient'~e.kind <> 'ambulatory'~1] AND "
        "e.ended_at IS NOT NULL "
        "AND COHORT GROUP BY e.department"
    )
    columns = ("department", "mean number of days")
    return Draft(asks, columns, template, focus=Focus(kind="inpatient"), readings=("days", "open", "groups"))


def _first_drug(d: Drawing) -> Draft:
    group = d.rng.choice(GROUPS)
    asks = (
        f"Consider {{patients}}. On which date was {an(group)} first started, for each one who was ever prescribed any?",
        f"Give the first start date of {an(group)} for each patient with such a prescription, among {{patients}}.",
        f"First start date of {an(group)}, per patient, among {{patients}}?",
    )
    template = (
        "SELECT p.patient_id, [MIN~MAX](x.start_date) FROM prescriptions x JOIN patients p ON p.patient_id = x.patient_id "
        f"WHERE {class_of(group)} AND COHORT GROUP BY p.patient_id"
    )
    columns = ("patient_id", "first start date")
    return Draft(asks, columns, template, focus=Focus(drugs=class_drugs(group)))


def _latest_values(d: Drawing) -> Draft:
    test, which = d.rng.choice(list(TESTS)), d.rng.choice(("latest", "first", "second"))
    in_, name = in_units(test), TESTS[test].name
    order = {
        "latest": "[r.taken_at DESC~r.taken_at~r.result_id DESC]",
        "first": "[r.taken_at~r.taken_at DESC~r.result_id]",
    }
    order["second"] = "[r.taken_at~r.taken_at DESC~r.result_id]"
    at = "[2~1]" if which == "second" else "[1~2]"
    asks = (
        f"Consider {{patients}}. What is the {which} {name} result{in_} of each one who has "
        f"{'at least two' if which == 'second' else 'a result'}?",
        f"Give the {which} {name} result{in_} of each patient with "
        f"{'at least two results' if which == 'second' else 'a result'}, among {{patients}}.",
        f"{which.capitalize()} {name}{in_} per patient, where it exists, among {{patients}}?",
    )
    template = (
        f"SELECT v.patient_id, v.v FROM (SELECT p.patient_id AS patient_id, {value_of('r', test, d.mixed)} AS v, "
        f"ROW_NUMBER() OVER (PARTITION BY r.patient_id ORDER BY {order[which]}) AS at "
        f"FROM lab_results r JOIN patients p ON p.patient_id = r.patient_id WHERE {is_result('r', test)} AND COHORT) "
        f"v WHERE v.at = {at}"
    )
    return Draft(
        asks, ("patient_id", f"the result{in_}"), template,
        focus=Focus(bounds={test: TESTS[test].bounds}), readings=lab_readings(test, d.mixed),
    )  # fmt: skip


def _monthly(d: Drawing) -> Draft:
    year = d.year()
    asks = (
        f"How many inpatient stays of {{patients}} began in each month of {year}?",
        f"Count the inpatient stays of {{patients}} by the month of {year} in which they began.",
        f"Inpatient stays of {{patients}} per month of admission, {year}?",
    )
    template = (
        "SELECT strftime('%Y-%m', e.[started_at~ended_at]), COUNT(*) FROM encounters e JOIN patients p ON "
        "p.patient_id = e.patient_id "
        f"WHERE [e.kind = 'inpatient'~1] AND [strftime('%Y', e.started_at) = '{year}'~1] AND COHORT GROUP BY 1 ORDER "
        f"BY 1[~ DESC]"
    )
    columns = ("month as YYYY-MM", "number of stays")
    focus = Focus(kind="inpatient", days=(*year_days(year), year_days(year)[0] + 31))
    return Draft(asks, columns, template, (1,), "by month, earliest first", focus, ("groups",))


def _most_days(d: Drawing) -> Draft:
    asks = (
        "Consider {patients}. Who of them spent the most days in hospital as an inpatient, and how many days?",
        "Find who has the largest total length in days of inpatient stays, and this total, among {patients}.",
        "Maximum total inpatient days among {patients}: who, and how many?",
    )
    length = days("e.started_at", "e.ended_at", times=True)
    totals = (
        f"SELECT p.patient_id AS patient_id, SUM({length}) AS total FROM encounters e JOIN patients p ON p.patient_id "
        f"= e.patient_id "
        "WHERE [e.kind = 'inpatient'~1] AND e.ended_at IS NOT NULL AND COHORT GROUP BY p.patient_id"
    )
    template = (
        f"WITH totals AS ({totals}) SELECT patient_id, total FROM totals WHERE total = (SELECT "
        "[MAX~MIN](total) FROM totals)"
    )
    template = template.replace("SUM(", "[SUM~MAX](", 1)
    columns = ("patient_id", "total number of days")
    return Draft(asks, columns, template, focus=Focus(kind="inpatient"), readings=("days", "open", "ties"))


def _longest_gap(d: Drawing) -> Draft:
    asks = (
        "Consider {patients}. For each one with at least two encounters, what is the longest time in days between the "
        "starts of consecutive ones?",
        "Give, for each patient with two or more encounters, among {patients}, the largest number of days from the "
        "start of an encounter to the "
        "start of the next one.",
        "Longest gap (days) between starts of consecutive encounters, per patient with >= 2 encounters, among {patients}?",
    )
    template = (
        "SELECT g.patient_id, [MAX~MIN~AVG](g.gap) FROM (SELECT p.patient_id AS patient_id, "
        f"{days('[LAG(e.started_at) OVER w~LAG(e.ended_at) OVER w]', 'e.started_at')} AS gap "
        "FROM encounters e JOIN patients p ON p.patient_id = e.patient_id WHERE COHORT "
        "WINDOW w AS (PARTITION BY e.patient_id ORDER BY [e.started_at~e.encounter_id])) g "
        "WHERE g.gap IS NOT NULL GROUP BY g.patient_id"
    )
    return Draft(asks, ("patient_id", "number of days"), template, readings=("days",), focus=Focus(kind="inpatient"))


def _yearly(d: Drawing) -> Draft:
    code = d.rng.choice(list(CONDITIONS))
    name = CONDITIONS[code].name
    asks = (
        f"In how many {{patients}} did {name} first begin, by year?",
        f"For each year, count the {{patients}} whose first recorded onset of {name} was in that year.",
        f"New patients with {name} per year of first onset, among {{patients}}?",
    )
    template = (
        "SELECT strftime('%Y', f.onset), COUNT(*) FROM patients p JOIN (SELECT c.patient_id AS patient_id, "
        "[MIN~MAX](c.onset_date) AS onset "
        f"FROM conditions c WHERE c.code = '{code}' GROUP BY c.patient_id[~, c.condition_id]) f ON f.patient_id = "
        f"p.patient_id WHERE COHORT "
        "GROUP BY 1 ORDER BY 1[~ DESC]"
    )
    columns = ("year as YYYY", "number of patients")
    return Draft(asks, columns, template, (1,), "by year, earliest first", Focus(codes=(code,)), ("groups",))


def _smoking_areas(d: Drawing) -> Draft:
    status = d.rng.choice(("current", "former", "never"))
    what = {"current": "currently smoke", "former": "smoked formerly", "never": "have never smoked"}[status]
    asks = (
        f"For each area, what percentage of the {{patients}} {what}?",
        f"Give, by area, the percentage of {{patients}} who {what}.",
        f"Per area: patients who {what}, in per cent of all {{patients}} of the area?",
    )
    template = (
        f"SELECT p.area, AVG(CASE WHEN {smoking_status(status)} THEN 100.0 ELSE 0 END) FROM patients p WHERE "
        "COHORT GROUP BY p.area"
    )
    return Draft(asks, ("area", "the percentage"), template, readings=("percent", "smoking", "groups"))


KINDS: Final[Mapping[str, Kind]] = {
    "list": Kind(_list, 1, 4),
    "areas": Kind(_by_area, 1, 3, frozenset({"area"})),
    "top drugs": Kind(_top_drugs, 2, 3, frozenset({"drug"})),
    "top diagnoses": Kind(_top_diagnoses, 2, 3, frozenset({"diagnosis", "active"})),
    "daily dose": Kind(_daily_dose, without=frozenset({"drug"})),
    "stay by department": Kind(_department_stay, 1, without=frozenset({"stay", "visits"})),
    "first drug": Kind(_first_drug, 1, without=frozenset({"drug"})),
    "n-th result": Kind(_latest_values, without=frozenset({"lab"})),
    "months": Kind(_monthly, 1, without=frozenset({"stay", "visits"})),
    "most days": Kind(_most_days, 1, 2, without=frozenset({"stay", "visits"})),
    "longest gap": Kind(_longest_gap, 1, 2, without=frozenset({"stay", "visits"})),
    "years": Kind(_yearly, most=2, without=frozenset({"diagnosis", "active"})),
    "smoking by area": Kind(_smoking_areas, 1, 2, without=frozenset({"area", "smoking"}), notes=True),
}
