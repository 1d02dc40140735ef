"""Answers questions of ehr-v0 from their words alone, with loops over rows: ``answer_to(question, path)``.

It shares nothing with the environment, runs in the jail as a submitted program, and is the second implementation of every kind.
The program is the source of records, conditions and this module, in this order, without the imports between them.
"""

import re
from collections import Counter, defaultdict
from statistics import median

from tests.envs.code.ehr_player.conditions import DATE, beyond, cohort, during, holds
from tests.envs.code.ehr_player.records import Records, age, day


def mean(values):
    values = list(values)
    return sum(values) / len(values) if values else None


def share(flags):
    return mean(100.0 if each else 0.0 for each in flags)


def followed(r, p, e, limit):
    if e["ended_at"] is None:
        return False
    later = [f for f in r.encounters(p, "inpatient") if f["started_at"] > e["started_at"]]
    return any(day(f["started_at"]) - day(e["ended_at"]) <= limit for f in later)


def length(e):
    return day(e["ended_at"]) - day(e["started_at"])


def ranked(counts, most=None):
    return sorted(([name, count] for name, count in counts.items()), key=lambda row: (-row[1], row[0]))[:most]


KINDS = []
WHO = r"(?P<who>patients(?: .*?)?)"


def kind(pattern):
    def add(function):
        KINDS.append((re.compile(pattern if "?P<who>" in pattern else pattern.replace("WHO", WHO)), function))
        return function

    return add


@kind(r"How many WHO are there\?")
def _(r, ps, g):
    return len(ps)


@kind(r"Of all WHO, what percentage are patients (?P<other>.*)\?")
def _(r, ps, g):
    return share(holds(r, p, g["other"]) for p in ps)


@kind(r"How many (?P<kind>\w+) encounters started in (?P<year>\d+) and belong to WHO\?")
def _(r, ps, g):
    return sum(e["started_at"][:4] == g["year"] for p in ps for e in r.encounters(p, g["kind"]))


@kind(r"Consider all (?P<test>.*) results of (?P<year>\d+) from WHO\. What is their mean.*\?")
def _(r, ps, g):
    return mean(value for p in ps for time, value in r.results(p, g["test"]) if time[:4] == g["year"])


@kind(r"Consider WHO, and take the latest (?P<test>.*) result of each one who has a result\. What is the median.*\?")
def _(r, ps, g):
    return median(rows[-1][1] for rows in (r.results(p, g["test"]) for p in ps) if rows)


@kind(r"What percentage of the (?P<test>.*) results of WHO are outside the reference range\?")
def _(r, ps, g):
    (t,) = [t for t in r.all["lab_tests"] if t["name"] == g["test"]]
    flags = []
    for p in ps:
        low, high = t["low_" + p["sex"].lower()], t["high_" + p["sex"].lower()]
        flags += [not low <= value <= high for _, value in r.results(p, g["test"])]
    return share(flags)


@kind(r"How many prescriptions of (?P<drug>.*) to WHO are (?P<route>\w+)\?")
def _(r, ps, g):
    return sum(x["route"] == g["route"] for p in ps for x in r.taken(p, g["drug"]))


@kind(r"How many WHO were on (?P<one>[a-z ]+) and on (?P<two>[a-z ]+) on the same day at least once\?")
def _(r, ps, g):
    def both(p):
        for x in r.taken(p, g["one"]):
            for y in r.taken(p, g["two"]):
                starts = max(x["start_date"], y["start_date"])
                if during(x, starts) and during(y, starts):
                    return True
        return False

    return sum(map(both, ps))


@kind(rf"How many WHO were on at least (?P<n>\d) different drugs on (?P<on>{DATE})\?")
def _(r, ps, g):
    return sum(len({x["drug_id"] for x in r.taken(p) if during(x, g["on"])}) >= int(g["n"]) for p in ps)


@kind(
    r"What percentage of the prescriptions of an? (?P<group>.*) to WHO were stopped within (?P<n>\d+) days of their start\?"
)
def _(r, ps, g):
    rows = [x for p in ps for x in r.taken(p, group=g["group"])]
    return share(x["stop_date"] is not None and day(x["stop_date"]) - day(x["start_date"]) <= int(g["n"]) for x in rows)


@kind(r"What was the mean age at the first recorded onset of (?P<ill>.*?), among WHO with this diagnosis\?")
def _(r, ps, g):
    return mean(age(p["birth_date"], r.onsets(p, g["ill"])[0]) for p in ps if r.onsets(p, g["ill"]))


@kind(r"Consider WHO\. What is the mean length in days of their inpatient stays that began in (?P<year>\d+)\?")
def _(r, ps, g):
    rows = [e for p in ps for e in r.encounters(p, "inpatient") if e["started_at"][:4] == g["year"]]
    return mean(length(e) for e in rows if e["ended_at"])


@kind(
    r"How many prescriptions of an? (?P<group>.*) were written for WHO on or after the day on which a note first "
    r"stated that the "
    r"patient is allergic to (?P<what>.*)\?"
)
def _(r, ps, g):
    total = 0
    for p in ps:
        said = r.allergy_days(p, g["what"])
        total += sum(x["start_date"] >= min(said) for x in r.taken(p, group=g["group"])) if said else 0
    return total


@kind(r"What percentage of the WHO (?P<what>currently smoke|smoked formerly|have never smoked)\?")
def _(r, ps, g):
    return share(r.smokes(p, g["what"]) for p in ps)


@kind(r"How many WHO are allergic to (?P<what>[a-z ]+)\?")
def _(r, ps, g):
    return sum(bool(r.allergy_days(p, g["what"])) for p in ps)


@kind(r"Which WHO are there\?")
def _(r, ps, g):
    return [[p["patient_id"]] for p in ps]


@kind(r"How many WHO are there in each area\?")
def _(r, ps, g):
    return ranked(Counter(p["area"] for p in ps))


@kind(r"Which (?P<n>\d) drugs were prescribed to the most WHO\?")
def _(r, ps, g):
    pairs = {(r.drug[x["drug_id"]]["name"], p["patient_id"]) for p in ps for x in r.taken(p)}
    return ranked(Counter(name for name, _ in pairs), int(g["n"]))


@kind(r"Which (?P<n>\d) diagnoses are recorded for the most WHO\?")
def _(r, ps, g):
    return ranked({name: n for name in r.code if (n := sum(bool(r.onsets(p, name)) for p in ps))}, int(g["n"]))


@kind(r"What is the mean daily dose in mg over the prescriptions to WHO, for each (?P<group>[^,]*)\?")
def _(r, ps, g):
    doses = defaultdict(list)
    for p in ps:
        for x in r.taken(p, group=g["group"]):
            doses[r.drug[x["drug_id"]]["name"]].append(x["dose_mg"] * x["per_day"])
    return [[name, mean(each)] for name, each in doses.items()]


@kind(r"What is the mean length in days of the inpatient stays of WHO, by department\?")
def _(r, ps, g):
    found = defaultdict(list)
    for p in ps:
        for e in r.encounters(p, "inpatient"):
            if e["ended_at"]:
                found[e["department"]].append(length(e))
    return [[name, mean(each)] for name, each in found.items()]


@kind(r"Consider WHO\. On which date was an? (?P<group>.*) first started, for each one who was ever prescribed any\?")
def _(r, ps, g):
    rows = [(p["patient_id"], [x["start_date"] for x in r.taken(p, group=g["group"])]) for p in ps]
    return [[number, min(starts)] for number, starts in rows if starts]


@kind(
    r"Consider WHO\. What is the (?P<which>latest|first|second) (?P<test>.*) result(?: in .*)? of each one who has .*\?"
)
def _(r, ps, g):
    at = {"latest": -1, "first": 0, "second": 1}[g["which"]]
    rows = [(p["patient_id"], r.results(p, g["test"])) for p in ps]
    return [[number, values[at][1]] for number, values in rows if len(values) > max(at, 0)]


@kind(r"How many inpatient stays of WHO began in each month of (?P<year>\d+)\?")
def _(r, ps, g):
    months = [e["started_at"][:7] for p in ps for e in r.encounters(p, "inpatient")]
    return sorted([month, n] for month, n in Counter(months).items() if month[:4] == g["year"])


@kind(r"Consider WHO\. Who of them spent the most days in hospital as an inpatient, and how many days\?")
def _(r, ps, g):
    totals = {}
    for p in ps:
        stays = [e for e in r.encounters(p, "inpatient") if e["ended_at"]]
        if stays:
            totals[p["patient_id"]] = sum(map(length, stays))
    return [[number, total] for number, total in totals.items() if total == max(totals.values())]


@kind(
    r"Consider WHO\. For each one with at least two encounters, what is the longest time in days between the starts of "
    r"consecutive ones\?"
)
def _(r, ps, g):
    rows = [(p["patient_id"], [day(e["started_at"]) for e in r.encounters(p)]) for p in ps]
    return [[n, max(b - a for a, b in zip(d, d[1:]))] for n, d in rows if len(d) > 1]  # noqa: B905, RUF007


@kind(r"In how many WHO did (?P<ill>.*) first begin, by year\?")
def _(r, ps, g):
    years = Counter(r.onsets(p, g["ill"])[0][:4] for p in ps if r.onsets(p, g["ill"]))
    return sorted([year, n] for year, n in years.items())


@kind(r"For each area, what percentage of the WHO (?P<what>currently smoke|smoked formerly|have never smoked)\?")
def _(r, ps, g):
    return [[a, share(r.smokes(p, g["what"]) for p in ps if p["area"] == a)] for a in {p["area"] for p in ps}]


@kind(
    r"Consider WHO\. How many of their inpatient stays were followed by another one of the same patient within "
    r"(?P<n>\d+) days\?"
)
def _(r, ps, g):
    return sum(followed(r, p, e, int(g["n"])) for p in ps for e in r.encounters(p, "inpatient"))


@kind(
    r"Consider WHO\. For each department, what percentage of their ended inpatient stays were followed by a readmission within "
    r"(?P<n>\d+) days\?"
)
def _(r, ps, g):
    found = defaultdict(list)
    for p in ps:
        for e in r.encounters(p, "inpatient"):
            if e["ended_at"]:
                found[e["department"]].append(followed(r, p, e, int(g["n"])))
    return [[name, share(each)] for name, each in found.items()]


@kind(
    r"Consider WHO\. How many of their emergency encounters were followed by an inpatient admission within (?P<n>\d+) "
    r"days of the end\?"
)
def _(r, ps, g):
    return sum(followed(r, p, e, int(g["n"])) for p in ps for e in r.encounters(p, "emergency"))


@kind(r"How many WHO died within (?P<n>\d+) days of the discharge from an inpatient stay\?")
def _(r, ps, g):
    def soon(p):
        ends = [e["ended_at"] for e in r.encounters(p, "inpatient") if e["ended_at"]]
        return p["death_date"] is not None and any(day(p["death_date"]) - day(end) <= int(g["n"]) for end in ends)

    return sum(map(soon, ps))


@kind(
    r"How many WHO started an? (?P<group>.*) within (?P<n>\d+) days after their first (?P<test>.*) result "
    r"(?P<how>(?:above|below|of at).*)\?"
)
def _(r, ps, g):
    total = 0
    for p in ps:
        times = [time for time, value in r.results(p, g["test"]) if beyond(value, g["how"])]
        gaps = [day(x["start_date"]) - day(times[0]) for x in r.taken(p, group=g["group"])] if times else []
        total += any(0 <= gap <= int(g["n"]) for gap in gaps)
    return total


@kind(
    r"How many WHO have a latest (?P<test>.*) result that is at least (?P<n>\d+) .* (?P<how>higher|lower) than their "
    r"first one\?"
)
def _(r, ps, g):
    sign = 1 if g["how"] == "higher" else -1
    rows = [rows for rows in (r.results(p, g["test"]) for p in ps) if rows]
    return sum(sign * (values[-1][1] - values[0][1]) >= int(g["n"]) for values in rows)


@kind(
    r"By how much(?: in [^ ]*)? did (?P<test>.*) change on average when (?P<drug>.*) was started\? Consider WHO\. For "
    r"each one .*"
)
def _(r, ps, g):
    changes = []
    for p in ps:
        starts = [x["start_date"] for x in r.taken(p, g["drug"])]
        if starts:
            before = [v for t, v in r.results(p, g["test"]) if t[:10] < min(starts)]
            after = [v for t, v in r.results(p, g["test"]) if t[:10] > min(starts)]
            changes += [after[0] - before[-1]] if before and after else []
    return mean(changes)


@kind(
    r"How many (?P<who>patients.*) have (?P<ill>[^,]*?) and no (?P<test>.*) result within (?P<n>\d+) days after its "
    r"first recorded onset\?"
)
def _(r, ps, g):
    total = 0
    for p in ps:
        onsets = r.onsets(p, g["ill"])
        gaps = [day(time) - day(onsets[0]) for time, _ in r.results(p, g["test"])] if onsets else []
        total += bool(onsets) and not any(0 <= gap <= int(g["n"]) for gap in gaps)
    return total


@kind(r"How many WHO had (?P<what>[a-z ]+) within (?P<n>\d+) days after the first recorded onset of (?P<ill>.*)\?")
def _(r, ps, g):
    total = 0
    for p in ps:
        onsets = r.onsets(p, g["ill"])
        done = [q["done_on"] for q in r.of["procedures"][p["patient_id"]] if q["name"] == g["what"]]
        total += bool(onsets) and any(0 <= day(each) - day(onsets[0]) <= int(g["n"]) for each in done)
    return total


@kind(
    r"How many days passed on average from the first recorded onset of (?P<ill>.*) to the first start of (?P<drug>.*) "
    r"on or after "
    r"that day, among WHO with both\?"
)
def _(r, ps, g):
    gaps = []
    for p in ps:
        onsets = r.onsets(p, g["ill"])
        starts = [x["start_date"] for x in r.taken(p, g["drug"]) if onsets and x["start_date"] >= onsets[0]]
        gaps += [day(min(starts)) - day(onsets[0])] if starts else []
    return mean(gaps)


def answer_to(question, path):
    """The rows that answer a question on a database."""
    for pattern, function in KINDS:
        found = pattern.fullmatch(question)
        if found is None:
            continue
        records = Records(path)
        try:
            patients = cohort(records, found["who"])
        except LookupError:
            continue
        return function(records, patients, found)
    raise LookupError(question)
