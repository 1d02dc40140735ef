"""Conditions on patients, read from the words of a question of ehr-v0."""

import re

from tests.envs.code.ehr_player.records import age

DATE = r"\d{4}-\d\d-\d\d"


def during(x, on):
    return x["start_date"] <= on and (x["stop_date"] is None or on <= x["stop_date"])


def beyond(value, words):
    how, bound = re.fullmatch(r"(above|below|of at most|of at least|at most|at least) ([\d.]+).*", words).groups()
    bound = float(bound)
    return {"above": value > bound, "below": value < bound, "most": value <= bound, "least": value >= bound}[
        how.split()[-1]
    ]


def holds(r, p, clause):
    """Whether a condition on a patient holds."""

    def m(pattern):
        found = re.fullmatch(pattern, clause)
        return found.groups() if found else None

    if g := m(r"who have a recorded diagnosis of (.*)"):
        return bool(r.onsets(p, g[0]))
    if g := m(rf"who had active (.*) on ({DATE})"):
        rows = [c for c in r.of["conditions"][p["patient_id"]] if c["code"] == r.code[g[0]]]
        return any(c["onset_date"] <= g[1] and (c["resolved_date"] is None or c["resolved_date"] > g[1]) for c in rows)
    if g := m(r"who are (female|male)"):
        return p["sex"] == g[0][0].upper()
    if g := m(r"who live in (.*)"):
        return p["area"] == g[0]
    if g := m(rf"who were at least (\d+) years old on ({DATE})"):
        return age(p["birth_date"], g[1]) >= int(g[0])
    if g := m(rf"who were younger than (\d+) years old on ({DATE})"):
        return age(p["birth_date"], g[1]) < int(g[0])
    if g := m(r"who were ever prescribed (.*)"):
        return bool(r.taken(p, drug=g[0]))
    if g := m(r"who were never prescribed an? (.*)"):
        return not r.taken(p, group=g[0])
    if g := m(rf"who were on an? (.*) on ({DATE})"):
        return any(during(x, g[1]) for x in r.taken(p, group=g[0]))
    if g := m(r"who were admitted as inpatients in (\d+)"):
        return any(e["started_at"][:4] == g[0] for e in r.encounters(p, "inpatient"))
    if g := m(r"who had at least (\d+) (\w+) encounters that started in (\d+)"):
        return sum(e["started_at"][:4] == g[2] for e in r.encounters(p, g[1])) >= int(g[0])
    if g := m(r"who ever had an? (.*) result ((?:above|below|of at).*)"):
        return any(beyond(value, g[1]) for _, value in r.results(p, g[0]))
    if g := m(r"whose latest (.*) result is (.*)"):
        rows = r.results(p, g[0])
        return bool(rows) and beyond(rows[-1][1], g[1])
    if g := m(rf"who had not died by ({DATE})"):
        return p["death_date"] is None or p["death_date"] > g[0]
    if g := m(r"who are allergic to (.*)"):
        return bool(r.allergy_days(p, g[0]))
    if g := m(r"who (currently smoke|smoked formerly|have never smoked)"):
        return r.smokes(p, g[0])
    if g := m(r"who have had (.*)"):
        return any(q["name"] == g[0] for q in r.of["procedures"][p["patient_id"]])
    raise LookupError(clause)


def cohort(r, words):
    clauses = re.split(r"(?:, | and )(?=who |whose )", words.removeprefix("patients").strip())
    return [p for p in r.all["patients"] if all(holds(r, p, each) for each in clauses if each)]
