"""Conditions on patients: words, SQL with near misses, and a focus.

A condition is about the alias ``p`` of ``patients``. Its words follow "patients": "who have a recorded diagnosis of asthma"::

    drawn = draw_conditions(Drawing(rng, mixed=False, notes=False), 2)
    cohort_sql(drawn)      # "[EXISTS (...)~1] AND [p.sex = 'F'~1]"
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from envhub.core.seeding import Stream
from envhub.envs.code.ehr.catalogue import AREAS, CONDITIONS, DRUGS, LOW, PROCEDURES, TESTS
from envhub.envs.code.ehr.hospital import DRUG_IDS, Focus, day_number, day_text
from envhub.envs.code.ehr.notes import ALLERGIC, NOT_ALLERGIC, SMOKING, SUBSTANCES


@dataclass(frozen=True, slots=True)
class Drawing:
    """What questions are drawn from.

    Attributes:
        rng: Source of randomness.
        mixed: Whether results have several units.
        notes: Whether facts that stand in notes only may be asked about.
    """

    rng: Stream
    mixed: bool
    notes: bool

    def day(self) -> int:
        """A day in the middle years."""
        return self.rng.between(day_number(2020, 6, 1), day_number(2023, 6, 30))

    def year(self) -> int:
        """A year."""
        return self.rng.between(2020, 2023)

    def bound(self, test: str) -> tuple[float, bool]:
        """A bound of a test, and whether the other side is below."""
        return self.rng.choice(TESTS[test].bounds), test in LOW


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition on patients.

    Attributes:
        topic: What it is about; a question has at most one condition per topic.
        words: A clause that begins with "who".
        sql: The condition, a template.
        focus: What must be frequent.
        readings: The notions whose reading must be stated.
    """

    topic: str
    words: str
    sql: str
    focus: Focus = field(default_factory=Focus)
    readings: tuple[str, ...] = ()


def listed(words: Sequence[str]) -> str:
    """Clauses in a sentence."""
    return words[0] if len(words) == 1 else ", ".join(words[:-1]) + f" and {words[-1]}"


def year_days(year: int) -> tuple[int, int]:
    """The first and the last day of a year."""
    return day_number(year, 1, 1), day_number(year, 12, 31)


def value_of(alias: str, test: str, mixed: bool) -> str:
    """The value of a result in the standard unit."""
    if not (mixed and TESTS[test].other):
        return f"{alias}.value"
    factor = f"(SELECT u.factor FROM unit_factors u WHERE u.test_id = {alias}.test_id AND u.unit = {alias}.unit)"
    return f"{alias}.value[ * {factor}~]"


def is_result(alias: str, test: str) -> str:
    """Whether a row of ``lab_results`` is a result that counts."""
    return f"{alias}.test_id = '{test}'[ AND {alias}.status = 'final'~]"


def in_unit(amount: float, test: str) -> str:
    """An amount with the unit of a test."""
    unit = unit_of(test)
    return f"{amount:g} {unit}".rstrip()


def unit_of(test: str) -> str:
    """The standard unit of a test; empty for a ratio."""
    return TESTS[test].unit if TESTS[test].unit != "ratio" else ""


def in_units(test: str) -> str:
    """The word "in" and the unit of a test, or nothing."""
    return f" in {unit_of(test)}" if unit_of(test) else ""


def beyond(drawing: Drawing, test: str) -> tuple[str, str, float]:
    """A comparison with a bound: words, SQL, and the bound."""
    bound, below = drawing.bound(test)
    amount = in_unit(bound, test)
    strict = bool(drawing.rng.below(2))
    if below:
        words = f"below {amount}" if strict else f"of at most {amount}"
        return words, f"[<~<=~>] {bound:g}" if strict else f"[<=~<~>=] {bound:g}", bound
    words = f"above {amount}" if strict else f"of at least {amount}"
    return words, f"[>~>=~<] {bound:g}" if strict else f"[>=~>~<=] {bound:g}", bound


def lab_readings(test: str, mixed: bool) -> tuple[str, ...]:
    """What must be stated wherever results are used."""
    return ("final", "units") if mixed and TESTS[test].other else ("final",)


def sibling(code: str) -> str:
    """A diagnosis that is easily confused with another one."""
    near = {
        "E10": "E11",
        "E11": "E10",
        "I48": "I50",
        "I50": "I48",
        "J44": "J45",
        "J45": "J44",
        "N18.3": "N18.4",
        "N18.4": "N18.3",
    }
    return near.get(code, "I10" if code != "I10" else "I50")


def drug_of(drug: str) -> str:
    """The condition that ``x`` prescribes a drug."""
    same = [each for each, about in DRUGS.items() if about.group == DRUGS[drug].group and each != drug]
    wrong = f"~x.drug_id IN ({', '.join(str(DRUG_IDS[each]) for each in (drug, *same))})" if same else ""
    return f"[x.drug_id = {DRUG_IDS[drug]}{wrong}]"


def class_of(group: str) -> str:
    """The condition that ``x`` prescribes a class of drugs."""
    ids = sorted(DRUG_IDS[name] for name, drug in DRUGS.items() if drug.group == group)
    wrong = f"~x.drug_id = {ids[0]}" if len(ids) > 1 else ""
    return f"[x.drug_id IN (SELECT d.drug_id FROM drugs d WHERE d.drug_class = '{group}'){wrong}]"


def class_drugs(group: str) -> tuple[str, ...]:
    """The drugs of a class."""
    return tuple(name for name, drug in DRUGS.items() if drug.group == group)


GROUPS: Final = tuple(sorted({drug.group for drug in DRUGS.values()}))


def an(words: str) -> str:
    """Words with their indefinite article."""
    return f"{'an' if words[0] in 'aeiouAEI' else 'a'} {words}"


def _diagnosed(d: Drawing) -> Condition:
    code = d.rng.choice(list(CONDITIONS))
    sql = (
        "EXISTS (SELECT 1 FROM conditions c WHERE c.patient_id = p.patient_id AND "
        f"[c.code = '{code}'~c.code = '{sibling(code)}'~c.code LIKE '{code[:2]}%'][~ AND c.resolved_date IS NULL])"
    )
    focus = Focus(codes=(code, sibling(code)))
    return Condition(
        "diagnosis", f"who have a recorded diagnosis of {CONDITIONS[code].name}", sql, focus, ("diagnosis",)
    )


def _active(d: Drawing) -> Condition:
    code, day = d.rng.choice([each for each, disease in CONDITIONS.items() if not disease.acute]), d.day()
    on = day_text(day)
    sql = (
        f"EXISTS (SELECT 1 FROM conditions c WHERE c.patient_id = p.patient_id AND c.code = '{code}' AND "
        f"[c.onset_date [<=~<] '{on}'~1] AND [(c.resolved_date IS NULL OR c.resolved_date [>~>=] "
        f"'{on}')~c.resolved_date IS NULL~1])"
    )
    words = f"who had active {CONDITIONS[code].name} on {on}"
    return Condition("active", words, sql, Focus(codes=(code,), days=(day,)), ("active",))


def _sex(d: Drawing) -> Condition:
    sex = d.rng.choice("FM")
    return Condition("sex", f"who are {'female' if sex == 'F' else 'male'}", f"p.sex = '{sex}'")


def _area(d: Drawing) -> Condition:
    area = d.rng.choice(AREAS)
    return Condition("area", f"who live in {area}", f"p.area = '{area}'")


def age_on(day: str, birth: str = "p.birth_date") -> str:
    """The age in whole years on a day, with near misses."""
    years = f"CAST(strftime('%Y', {day}) AS INTEGER) - CAST(strftime('%Y', {birth}) AS INTEGER)"
    return f"({years}[ - (strftime('%m-%d', {day}) < strftime('%m-%d', {birth}))~])"


def _age(d: Drawing) -> Condition:
    day, age, over = d.day(), d.rng.between(40, 75), bool(d.rng.below(2))
    on = day_text(day)
    sign = "[>=~>]" if over else "[<~<=]"
    words = f"who were {f'at least {age}' if over else f'younger than {age}'} years old on {on}"
    year, month, rest = (int(part) for part in on.split("-"))
    birth = day_number(year - age, month, min(rest, 28))
    births = (birth, birth, birth + 365, day_number(year - age, 6, 15))
    return Condition("age", words, f"{age_on(repr(on))} {sign} {age}", Focus(births=births), ("age",))


def _drug(d: Drawing) -> Condition:
    drug = d.rng.choice(list(DRUGS))
    sql = (
        f"EXISTS (SELECT 1 FROM prescriptions x WHERE x.patient_id = p.patient_id AND {drug_of(drug)}[~ AND "
        "x.stop_date IS NULL])"
    )
    same = [each for each, about in DRUGS.items() if about.group == DRUGS[drug].group]
    return Condition("drug", f"who were ever prescribed {drug}", sql, Focus(drugs=(drug, *same[:2])))


def _no_class(d: Drawing) -> Condition:
    group = d.rng.choice(GROUPS)
    sql = f"NOT EXISTS (SELECT 1 FROM prescriptions x WHERE x.patient_id = p.patient_id AND {class_of(group)})"
    words = f"who were never prescribed {an(group)}"
    return Condition("drug", words, f"[{sql}~{sql.removeprefix('NOT ')}]", Focus(drugs=class_drugs(group)[:1]))


def _taking(d: Drawing) -> Condition:
    group, day = d.rng.choice(GROUPS), d.day()
    on = day_text(day)
    sql = (
        f"EXISTS (SELECT 1 FROM prescriptions x WHERE x.patient_id = p.patient_id AND {class_of(group)} AND "
        f"[x.start_date [<=~<] '{on}'~1] AND [(x.stop_date IS NULL OR x.stop_date [>=~>] '{on}')~x.stop_date >= '{on}'~1])"
    )
    words = f"who were on {an(group)} on {on}"
    return Condition("drug", words, sql, Focus(drugs=class_drugs(group), days=(day, day)), ("taking",))


def _stayed(d: Drawing) -> Condition:
    year = d.year()
    sql = (
        "EXISTS (SELECT 1 FROM encounters e WHERE e.patient_id = p.patient_id AND "
        "[e.kind = 'inpatient'~e.kind <> 'ambulatory'~1] AND "
        f"[strftime('%Y', e.started_at) = '{year}'~strftime('%Y', e.ended_at) = '{year}'~e.started_at > '{year}'])"
    )
    focus = Focus(kind="inpatient", days=year_days(year))
    return Condition("stay", f"who were admitted as inpatients in {year}", sql, focus, ("stay",))


def _visits(d: Drawing) -> Condition:
    year, count, kind = d.year(), d.rng.between(2, 3), d.rng.choice(("emergency", "ambulatory", "inpatient"))
    sql = (
        f"(SELECT COUNT(*) FROM encounters e WHERE e.patient_id = p.patient_id AND [e.kind = '{kind}'~1] AND "
        f"[strftime('%Y', e.started_at) = '{year}'~1]) [>=~>] {count}"
    )
    words = f"who had at least {count} {kind} encounters that started in {year}"
    return Condition("visits", words, sql, Focus(kind=kind, days=year_days(year)))


def _ever_beyond(d: Drawing) -> Condition:
    test = d.rng.choice(list(TESTS))
    words, sign, bound = beyond(d, test)
    sql = (
        f"EXISTS (SELECT 1 FROM lab_results r WHERE r.patient_id = p.patient_id AND {is_result('r', test)} AND "
        f"{value_of('r', test, d.mixed)} {sign})"
    )
    words = f"who ever had {an(TESTS[test].name)} result {words}"
    return Condition("lab", words, sql, Focus(bounds={test: (bound,)}), lab_readings(test, d.mixed))


def _latest_beyond(d: Drawing) -> Condition:
    test = d.rng.choice(list(TESTS))
    words, sign, bound = beyond(d, test)
    sql = (
        f"(SELECT {value_of('r', test, d.mixed)} FROM lab_results r WHERE r.patient_id = p.patient_id AND "
        f"{is_result('r', test)} "
        f"ORDER BY [r.taken_at DESC~r.taken_at~r.result_id DESC] LIMIT 1) {sign}"
    )
    words = f"whose latest {TESTS[test].name} result is {words.removeprefix('of ')}"
    return Condition("lab", words, sql, Focus(bounds={test: (bound,)}), lab_readings(test, d.mixed))


def _procedure(d: Drawing) -> Condition:
    name = d.rng.choice(PROCEDURES)
    sql = f"EXISTS (SELECT 1 FROM procedures q WHERE q.patient_id = p.patient_id AND q.name = '{name}')"
    codes = tuple(code for code, disease in CONDITIONS.items() if name in disease.procedures)
    return Condition("procedure", f"who have had {name}", sql, Focus(codes=codes))


def _alive(d: Drawing) -> Condition:
    day = d.day()
    on = day_text(day)
    sql = f"[(p.death_date IS NULL OR p.death_date > '{on}')~p.death_date IS NULL~1]"
    return Condition("alive", f"who had not died by {on}", sql, Focus(days=(day,)), ("alive",))


def any_of(sentences: Sequence[str], alias: str = "n") -> str:
    """Whether a note contains one of some sentences, with the same capitals."""
    return "(" + " OR ".join(f"instr({alias}.text, '{each}')" for each in sentences) + ")"


def smoking_status(status: str, patient: str = "p.patient_id") -> str:
    """Whether the latest statement of smoking says this, with near misses."""
    every = [each for sentences in SMOKING.values() for each in sentences]
    chosen = any_of(SMOKING[status])
    ordered = "ORDER BY [n.written_at DESC~n.written_at~n.note_id DESC] LIMIT 1"
    return (
        f"[COALESCE((SELECT {chosen} FROM notes n WHERE n.patient_id = {patient} AND {any_of(every)} {ordered}), 0)"
        f"~EXISTS (SELECT 1 FROM notes n WHERE n.patient_id = {patient} AND {chosen})"
        f"~COALESCE((SELECT {chosen} FROM notes n WHERE n.patient_id = {patient} ORDER BY n.written_at DESC LIMIT 1), 0)"
        f"~EXISTS (SELECT 1 FROM notes n WHERE n.patient_id = {patient} AND n.text LIKE '%smok%')]"
    )


def allergic_to(substance: str, patient: str = "p.patient_id") -> str:
    """Whether a note states an allergy of the patient, with near misses."""
    yes = any_of([each.format(substance) for each in ALLERGIC])
    mother = NOT_ALLERGIC[1].format(substance)
    wrong = (
        f"n.text LIKE '%{substance}%'",
        f"({yes} OR instr(n.text, '{mother}'))",
        f"n.text LIKE '%llergic to {substance}%'",
    )
    return f"EXISTS (SELECT 1 FROM notes n WHERE n.patient_id = {patient} AND [{'~'.join((yes, *wrong))}])"


def _smoker(d: Drawing) -> Condition:
    status = d.rng.choice(list(SMOKING))
    words = {"current": "who currently smoke", "former": "who smoked formerly", "never": "who have never smoked"}[
        status
    ]
    return Condition("smoking", words, smoking_status(status), Focus(), ("smoking",))


def _allergic(d: Drawing) -> Condition:
    substance = d.rng.choice(SUBSTANCES)
    return Condition("allergy", f"who are allergic to {substance}", allergic_to(substance), Focus(), ("allergy",))


PLAIN: Final[Mapping[str, Callable[[Drawing], Condition]]] = {
    "diagnosed": _diagnosed,
    "active": _active,
    "sex": _sex,
    "area": _area,
    "age": _age,
    "drug": _drug,
    "no class": _no_class,
    "taking": _taking,
    "stayed": _stayed,
    "visits": _visits,
    "ever beyond": _ever_beyond,
    "latest beyond": _latest_beyond,
    "procedure": _procedure,
    "alive": _alive,
}
FROM_NOTES: Final[Mapping[str, Callable[[Drawing], Condition]]] = {"smoker": _smoker, "allergic": _allergic}


def draw_conditions(drawing: Drawing, count: int, without: frozenset[str] = frozenset()) -> list[Condition]:
    """Conditions on different topics.

    Args:
        drawing: What they are drawn from.
        count: How many.
        without: Topics to leave out.
    """
    made: list[Condition] = []
    rng = drawing.rng
    makers = list(PLAIN.values())
    while len(made) < count:
        notes = drawing.notes and rng.below(3) == 0
        condition = rng.choice(list(FROM_NOTES.values()) if notes else makers)(drawing)
        if condition.topic not in without and all(condition.topic != each.topic for each in made):
            made.append(condition)
    return made


def cohort_sql(conditions: Sequence[Condition]) -> str:
    """All conditions; for each, a near miss forgets it."""
    return " AND ".join(f"[{each.sql}~1]" for each in conditions) or "1"


def cohort_words(conditions: Sequence[Condition]) -> str:
    """The patients in words."""
    return f"patients {listed([each.words for each in conditions])}" if conditions else "patients"


def focus_of(conditions: Sequence[Condition]) -> Focus:
    """What must be frequent for all of them."""
    focus = Focus()
    for each in conditions:
        focus = focus.with_all(each.focus)
    return focus
