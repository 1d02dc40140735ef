"""Answers questions of ehr-v0 from their words alone, with loops over rows: ``answer_to(question, path)``.

It shares nothing with the environment, runs in the jail as a submitted program, and is the second implementation of every kind.
"""

import re
import sqlite3
from collections import Counter, defaultdict
from datetime import date
from statistics import median

DATE = r"\d{4}-\d\d-\d\d"
CURRENT = ("Current smoker.", "Smokes daily.", "Continues to smoke.")
FORMER = ("Former smoker.", "Used to smoke, stopped years ago.", "No longer smokes.")
NEVER = ("Never smoked.", "Lifelong non-smoker.", "Denies smoking.")
STATUS = {"currently smoke": CURRENT, "smoked formerly": FORMER, "have never smoked": NEVER}


def day(text):
    return date(*map(int, text[:10].split("-"))).toordinal()


def age(birth, on):
    b, o = [list(map(int, each[:10].split("-"))) for each in (birth, on)]
    return o[0] - b[0] - (o[1:] < b[1:])


class Records:
    """All tables, rows by patient."""

    def __init__(self, path):
        connection = sqlite3.connect(path)
        connection.row_factory = sqlite3.Row
        self.all = {}
        for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
            self.all[name] = [dict(row) for row in connection.execute(f"SELECT * FROM {name}")]
        self.of = {name: defaultdict(list) for name in self.all}
        for name, rows in self.all.items():
            for row in rows:
                if "patient_id" in row:
                    self.of[name][row["patient_id"]].append(row)
        self.code = {row["name"]: row["code"] for row in self.all["condition_codes"]}
        self.test = {row["name"]: row["test_id"] for row in self.all["lab_tests"]}
        self.drug = {row["drug_id"]: row for row in self.all["drugs"]}
        self.factor = {(row["test_id"], row["unit"]): row["factor"] for row in self.all["unit_factors"]}

    def encounters(self, p, kind=None):
        rows = sorted(self.of["encounters"][p["patient_id"]], key=lambda row: row["started_at"])
        return [row for row in rows if kind in (None, row["kind"])]

    def results(self, p, name):
        """(time, value) of the results that count."""
        test = self.test[name]
        rows = [r for r in self.of["lab_results"][p["patient_id"]] if r["test_id"] == test and r["status"] == "final"]
        return sorted((r["taken_at"], r["value"] * self.factor[test, r["unit"]]) for r in rows)

    def taken(self, p, drug=None, group=None):
        rows = self.of["prescriptions"][p["patient_id"]]
        return [
            x
            for x in rows
            if drug in (None, self.drug[x["drug_id"]]["name"])
            and group in (None, self.drug[x["drug_id"]]["drug_class"])
        ]

    def onsets(self, p, ill):
        code = self.code[ill]
        return sorted(c["onset_date"] for c in self.of["conditions"][p["patient_id"]] if c["code"] == code)

    def notes(self, p):
        return sorted(self.of["notes"][p["patient_id"]], key=lambda n: n["written_at"], reverse=True)

    def smokes(self, p, what):
        for note in self.notes(p):
            for sentences in STATUS.values():
                if any(each in note["text"] for each in sentences):
                    return sentences == STATUS[what]
        return False

    def allergy_days(self, p, substance):
        said = re.compile(rf"(Allergic to|Known allergy to|Had hives after) {substance}\.")
        return [n["written_at"][:10] for n in self.notes(p) if said.search(n["text"])]


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
