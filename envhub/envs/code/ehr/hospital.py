"""A generated hospital: patients and their histories in time order.

Encounters come first; diagnoses are made in them, drugs and procedures follow diagnoses, and laboratory values follow both:
an untreated disease shifts them, a drug brings them back. Numbers of rows say nothing about time. What a question is about can
be made frequent, with values and dates at its bounds, so that wrong queries show (:class:`Focus`)::

    tables = draw_hospital(Stream(b"...", "hospital"), 200, mixed=False)
    tables["patients"][0]                   # [4711, "F", "1950-03-08", None, "Harbour"]

One patient has at most one result of a test at a time, one entry of a diagnosis per onset date, and one prescription of a drug
per start date. Encounters of a patient do not overlap.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from functools import lru_cache
from typing import Any, Final

from envhub.core.seeding import Stream
from envhub.envs.code.ehr.catalogue import AREAS, CONDITIONS, DEPARTMENTS, DRUGS, TESTS
from envhub.envs.code.ehr.notes import SUBSTANCES, write_note

Tables = dict[str, list[list[Any]]]
_ZERO: Final = date(2019, 1, 1)
LAST_DAY: Final = 2191
"""The database ends on day 2191 after 2019-01-01, which is 2024-12-31."""
_DAY: Final = 1440
_TESTS: Final = tuple(TESTS)
_WARDS: Final = tuple(each for each in DEPARTMENTS if not each.startswith("emergency"))
_KINDS: Final = ("ambulatory",) * 6 + ("emergency",) * 2 + ("inpatient",) * 2
DRUG_IDS: Final[Mapping[str, int]] = {name: 101 + at for at, name in enumerate(DRUGS)}


@dataclass(frozen=True, slots=True)
class Focus:
    """What is frequent in a database.

    Attributes:
        codes: Diagnoses.
        drugs: Drugs.
        bounds: Values to draw near, by test.
        days: Days since 2019-01-01 around which events lie.
        gaps: Numbers of days between events.
        births: Days of birth to draw near.
        kind: A kind of encounter.
    """

    codes: tuple[str, ...] = ()
    drugs: tuple[str, ...] = ()
    bounds: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    days: tuple[int, ...] = ()
    gaps: tuple[int, ...] = ()
    births: tuple[int, ...] = ()
    kind: str = ""

    def to_json(self) -> dict[str, Any]:
        """As JSON values."""
        values = {name: getattr(self, name) for name in self.__slots__}
        return {name: list(each) if isinstance(each, tuple) else each for name, each in values.items()} | {
            "bounds": {test: list(bounds) for test, bounds in self.bounds.items()}
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Focus:
        """Back from :meth:`to_json`."""
        values = {name: tuple(each) if isinstance(each, list) else each for name, each in data.items()}
        return cls(**values | {"bounds": {test: tuple(bounds) for test, bounds in data["bounds"].items()}})

    def with_all(self, other: Focus) -> Focus:
        """Both together."""
        tests = sorted({*self.bounds, *other.bounds})
        return Focus(
            codes=(*self.codes, *other.codes),
            drugs=(*self.drugs, *other.drugs),
            bounds={test: (*self.bounds.get(test, ()), *other.bounds.get(test, ())) for test in tests},
            days=(*self.days, *other.days),
            gaps=(*self.gaps, *other.gaps),
            births=(*self.births, *other.births),
            kind=other.kind or self.kind,
        )


@lru_cache(maxsize=1 << 16)
def day_text(day: int) -> str:
    """A day as ``YYYY-MM-DD``."""
    return (_ZERO + timedelta(days=day)).isoformat()


def day_number(year: int, month: int, day: int) -> int:
    """Number of a date."""
    return (date(year, month, day) - _ZERO).days


_CLOCK: Final = tuple(f" {minute // 60:02}:{minute % 60:02}" for minute in range(_DAY))


def _time_text(minutes: int) -> str:
    day, rest = divmod(minutes, _DAY)
    return day_text(day) + _CLOCK[rest]


class _Writer:
    """Draws patients one after the other and keeps their rows."""

    def __init__(self, rng: Stream, focus: Focus, mixed: bool) -> None:
        self.rng, self.focus, self.mixed = rng, focus, mixed
        names = ("patients", "encounters", "conditions", "prescriptions", "lab_results", "procedures", "notes")
        self.rows: Tables = {name: [] for name in names}
        self.near = bool(focus.days or focus.gaps or focus.bounds or focus.codes or focus.drugs)

    def chance(self, percent: int) -> bool:
        """Whether something happens."""
        return self.rng.below(100) < percent

    def edge(self, values: Sequence[int]) -> int:
        """One of the values, or one beside it."""
        return self.rng.choice(values) + self.rng.choice((-1, 0, 0, 0, 1))

    def patient(self, number: int) -> None:
        """One patient with all rows."""
        rng, focus = self.rng, self.focus
        birth = -(rng.between(18, 88) * 365 + rng.below(365))
        if focus.births and self.chance(45):
            birth = self.edge(focus.births)
        row: list[Any] = [number, rng.choice("FM"), day_text(birth), None, rng.choice(AREAS)]
        self.rows["patients"].append(row)
        old = max(0, -birth // 365 - 30)
        wanted = [
            code
            for code, disease in CONDITIONS.items()
            if not disease.acute and rng.below(100) < (50 if code in focus.codes else disease.share * old // 40)
        ]
        self.smoking = rng.choice(("never", "never", "former", "current"))
        self.allergies = [each for each in SUBSTANCES if self.chance(15)]
        self.active: dict[str, int] = {}
        self.taking: dict[str, list[Any]] = {}
        self.seen: set[tuple[str, str, str]] = set()
        self.diseases: dict[str, list[list[Any]]] = {}
        if self.chance(4):
            return  # registered, and never seen
        time = (
            rng.below(500) * _DAY
            if not (focus.days and self.chance(60))
            else self.edge(focus.days) * _DAY - rng.below(300) * _DAY
        )
        time = max(time, 0)
        left = rng.between(2, 5 + 2 * len(wanted))
        while left and time // _DAY <= LAST_DAY:
            time, ended = self.encounter(row, time, wanted)
            left -= 1
            if not ended:
                break
            if self.chance(4) and row[3] is None:
                gap = self.edge(focus.gaps) if focus.gaps and self.chance(60) else rng.below(60)
                died = time // _DAY + max(1, gap)
                if died <= LAST_DAY:
                    row[3] = day_text(died)
                break
            time = self.later(time)
        self.close(row)

    def later(self, time: int) -> int:
        """The start of the next encounter, after the end of the last."""
        rng, focus, day = self.rng, self.focus, time // _DAY
        coming = [each for each in focus.days if each > day + 1]
        if coming and self.chance(30):
            return self.edge(coming[:1]) * _DAY
        if focus.gaps and self.chance(45):
            return (day + max(1, self.edge(focus.gaps))) * _DAY
        return (day + rng.between(1, 40 if self.chance(30) else 300)) * _DAY

    def encounter(self, row: list[Any], from_: int, wanted: list[str]) -> tuple[int, bool]:
        """One encounter: its end, and whether it has ended."""
        rng, focus = self.rng, self.focus
        kind = rng.choice(_KINDS)
        kind = focus.kind if focus.kind and self.chance(45) else kind
        start = from_ // _DAY * _DAY + (rng.between(480, 1020) if kind == "ambulatory" else rng.between(1, 1439))
        day = start // _DAY
        if kind == "ambulatory":
            end = start + rng.between(10, 60)
        elif kind == "emergency":
            end = start + rng.between(60, 900)
        else:
            end = (day + rng.between(1, 12)) * _DAY + rng.between(480, 1020)
            days = [each for each in focus.days if day < each < day + 20]
            end = self.edge(days) * _DAY + 600 if days and self.chance(50) else end
            end = max(end, (day + 1) * _DAY)
        ended = not (kind == "inpatient" and end // _DAY > LAST_DAY)
        department = "emergency department" if kind == "emergency" else rng.choice(_WARDS)
        number = len(self.rows["encounters"])
        self.rows["encounters"].append(
            [number, row[0], kind, department, _time_text(start), _time_text(end) if ended else None]
        )
        about = "Routine visit."
        for code in wanted:
            if self.chance(6 if code in self.active else 40):
                self.diagnose(row, number, code, day)
                about = f"Seen for {CONDITIONS[code].name}."
        if kind != "ambulatory" or self.chance(15):
            acute = [
                c
                for c, disease in CONDITIONS.items()
                if disease.acute and self.chance(40 if c in focus.codes else disease.share)
            ]
            for code in acute:
                self.diagnose(row, number, code, day)
                about = (
                    f"Admitted with {CONDITIONS[code].name}."
                    if kind == "inpatient"
                    else f"Seen for {CONDITIONS[code].name}."
                )
        self.care(row, number, day, start, end if ended else (LAST_DAY + 1) * _DAY)
        if self.smoking == "current" and self.chance(12):
            self.smoking = "former"
        elif self.smoking != "current" and self.chance(7):
            self.smoking = "current"
        self.rows["notes"].append(
            [0, row[0], number, _time_text(start + 5), write_note(rng, self.smoking, self.allergies, about)]
        )
        return end, ended

    def diagnose(self, row: list[Any], encounter: int, code: str, day: int) -> None:
        """A diagnosis, which may be resolved later."""
        if ("condition", code, day_text(day)) in self.seen:
            return
        self.seen.add(("condition", code, day_text(day)))
        disease, days, resolved = CONDITIONS[code], self.focus.days, None
        if disease.acute:
            resolved = day + self.rng.between(5, 30)
        elif self.chance(35 if code in self.focus.codes else 12):
            resolved = day + self.rng.between(60, 700)
        coming = [each for each in days if each > day + 1]
        if resolved is not None and coming and self.chance(50):
            resolved = self.edge(coming)
        if resolved is not None and resolved > LAST_DAY:
            resolved = None
        entry = [0, row[0], encounter, code, day_text(day), None if resolved is None else day_text(resolved)]
        self.rows["conditions"].append(entry)
        self.active[code] = LAST_DAY + 1 if resolved is None else resolved

    def care(self, row: list[Any], encounter: int, day: int, start: int, end: int) -> None:
        """Drugs, laboratory results and procedures of an encounter."""
        rng, focus = self.rng, self.focus
        ill = [code for code, until in self.active.items() if until > day]
        tests: list[str] = []
        for code in ill:
            disease = CONDITIONS[code]
            for drug in disease.drugs:
                if self.chance(45 if drug in focus.drugs else 22):
                    self.prescribe(row, encounter, drug, day)
            tests += [test for test in disease.tests if self.chance(75)]
            for name in disease.procedures:
                if self.chance(25):
                    done = min(day + rng.below(1 + (end - start) // _DAY), LAST_DAY)
                    self.rows["procedures"].append([0, row[0], encounter, name, day_text(done)])
        if self.chance(6):
            self.prescribe(row, encounter, rng.choice(list(DRUGS)), day)
        for drug in focus.drugs:
            if self.chance(25):
                self.prescribe(row, encounter, drug, day)
        tests += [test for test in focus.bounds if self.chance(45)]
        tests += [rng.choice(_TESTS) for _ in range(rng.below(3))]
        times = [start + rng.between(5, 10)]
        while times[-1] + _DAY < end and self.chance(45):
            times.append(times[-1] + rng.between(1, 2) * _DAY + rng.between(-100, 100))
        ordered = sorted(set(tests))
        for at, time in enumerate(times):
            for test in ordered if at == 0 else ordered[:3]:
                if time < (LAST_DAY + 1) * _DAY and time < max(end, start + 11):
                    self.measure(row, encounter, test, ill, time)

    def prescribe(self, row: list[Any], encounter: int, name: str, day: int) -> None:
        """A prescription; an earlier one of the same drug ends."""
        rng, drug, days = self.rng, DRUGS[name], self.focus.days
        if ("drug", name, day_text(day)) in self.seen:
            return
        self.seen.add(("drug", name, day_text(day)))
        old = self.taking.pop(name, None)
        if old is not None and old[8] is None:
            old[8] = day_text(day - 1)
        short = drug.group in ("antibiotic", "corticosteroid")
        stop = (
            None if self.chance(5 if short else 45) else day + (rng.between(4, 13) if short else rng.between(20, 800))
        )
        coming = [each for each in days if each > day + 1]
        if stop is not None and coming and self.chance(50):
            stop = self.edge(coming)
        elif stop is not None and self.focus.gaps and self.chance(40):
            stop = day + max(1, self.edge(self.focus.gaps))
        if stop is not None and stop > LAST_DAY:
            stop = None
        entry = [0, row[0], encounter, DRUG_IDS[name], float(rng.choice(drug.doses)), rng.choice(drug.per_day)]
        entry += [rng.choice(drug.routes), day_text(day), None if stop is None else day_text(stop)]
        self.rows["prescriptions"].append(entry)
        if stop is None:
            self.taking[name] = entry

    def measure(self, row: list[Any], encounter: int, name: str, ill: Sequence[str], time: int) -> None:
        """A result: shifted by disease, brought back by a drug."""
        rng, test = self.rng, TESTS[name]
        moment = _time_text(time)
        if (name, moment, "") in self.seen:
            return
        self.seen.add((name, moment, ""))
        causes = [code for code in ill if name in CONDITIONS[code].tests]
        treated = any(drug in self.taking for code in causes for drug in CONDITIONS[code].drugs)
        sex = 0 if row[1] == "F" else 1
        low, high = (test.low[sex], test.high[sex]) if not causes else test.ill
        if causes and treated:  # half of the way back
            low, high = (test.low[sex] + test.ill[0]) / 2, (test.high[sex] + test.ill[1]) / 2
        scale = 10**test.places
        spread = (high - low) * (0.15 if not causes else 0.0)
        value = rng.between(round(max(0.0, low - spread) * scale), round((high + spread) * scale))
        bounds = self.focus.bounds.get(name, ())
        if bounds and self.chance(60):
            value = round(rng.choice(bounds) * scale) + rng.choice((-20, -6, -1, 0, 0, 0, 1, 6, 20))
        amount = max(value, 1) / scale
        unit = test.unit
        if self.mixed and test.other and self.chance(40):
            unit, factor = test.other
            amount = round(amount / factor, 0 if amount / factor > 50 else 1)
        status = "cancelled" if self.chance(15 if bounds else 6) else "final"
        self.rows["lab_results"].append([0, row[0], encounter, name, float(amount), unit, status, moment])

    def close(self, row: list[Any]) -> None:
        """Nothing happens after death."""
        if row[3] is None:
            return
        for entry in self.taking.values():
            if entry[1] == row[0] and entry[8] is None:
                entry[8] = row[3]
        for table, at in (("prescriptions", 8), ("conditions", 5)):
            for entry in reversed(self.rows[table]):
                if entry[1] != row[0]:
                    break
                if entry[at] is not None and entry[at] > row[3]:
                    entry[at] = row[3] if table == "prescriptions" else None


def draw_hospital(rng: Stream, patients: int, *, mixed: bool, focus: Focus | None = None) -> Tables:
    """The rows of every table.

    Args:
        rng: Source of randomness.
        patients: Number of patients.
        mixed: Whether some results are given in another unit than the standard one.
        focus: What is frequent.
    """
    writer = _Writer(rng, focus or Focus(), mixed)
    for number in range(1, patients + 1):
        writer.patient(number)
    rows = writer.rows
    _renumber(rng, rows)
    known = [[test, each.unit, 1.0] for test, each in TESTS.items()]
    known += [[test, each.other[0], each.other[1]] for test, each in TESTS.items() if each.other]
    return {
        **rows,
        "condition_codes": [[code, disease.name] for code, disease in CONDITIONS.items()],
        "drugs": [[DRUG_IDS[name], name, drug.group] for name, drug in DRUGS.items()],
        "lab_tests": [
            [key, t.name, t.unit, *(float(end) for ends in zip(t.low, t.high, strict=True) for end in ends)]
            for key, t in TESTS.items()
        ],
        "unit_factors": sorted(known),
    }


def _renumber(rng: Stream, rows: Tables) -> None:
    """Give rows arbitrary numbers, and sort them by number."""
    patients = rng.sample(range(1000, 1000 + 3 * len(rows["patients"]) + 9), len(rows["patients"]))
    encounters = rng.sample(range(5000, 5000 + 2 * len(rows["encounters"]) + 9), len(rows["encounters"]))
    for name, table in rows.items():
        ids = rng.sample(range(1, 2 * len(table) + 2), len(table))
        for at, row in enumerate(table):
            if name == "patients":
                row[0] = patients[row[0] - 1]
            elif name == "encounters":
                row[:2] = [encounters[row[0]], patients[row[1] - 1]]
            else:
                row[:3] = [ids[at], patients[row[1] - 1], encounters[row[2]]]
        table.sort(key=lambda row: int(row[0]))
