"""The records of ehr-v0 as rows in Python: patients with their encounters, results, prescriptions and notes.

Part of a program for the jail, so it imports the standard library alone.
"""

import re
import sqlite3
from collections import defaultdict
from datetime import date

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
