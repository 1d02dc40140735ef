"""Records of incident reports: one incident, its people, damage, causes and actions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date, timedelta
from typing import Final

from envhub.core.seeding import Stream
from envhub.core.types import JSON
from envhub.envs.instructions.extract.incident.vocabulary import (
    ACTIONS,
    AREAS,
    CAUSES,
    COSTS,
    EQUIPMENT,
    INJURIES,
    JOBS,
    PARTIES,
    PARTS,
    ROLES,
    SITES,
    SUBSTANCES,
)
from envhub.envs.instructions.extract.people import full_name
from envhub.envs.instructions.extract.record import Record, Style, chosen

_DUE: Final = (3, 5, 7, 10, 14, 21, 28)


def draw_record(rng: Stream, style: Style) -> Record:
    """A report of an incident, with its groups."""
    written = date(2029, 2, 1) + timedelta(days=rng.below(1400))
    happened = written - timedelta(days=rng.choice((0, 1, 1, 2, 3, 5, 9)))
    start = 5 * rng.between(80, 240)
    record: Record = {
        "date": written.isoformat(),
        "happened": happened.isoformat(),
        "time": clock(start),
        "cast": _cast(rng),
        "told": {},
        "corrections": [],
    }
    names = rng.sample(list(GROUPS), min(len(GROUPS), style.groups + style.beyond))
    record["asked"] = sorted(names[: style.groups])
    for name in GROUPS:
        if name in names:
            record["told"][name] = GROUPS[name](rng, record, style)
    possible = [each for name in record["asked"] for each in _correctable(rng, record, name)]
    record["corrections"] = chosen(rng, possible, style.corrections)
    return record


def answer(record: Record) -> Record:
    """The document that the schema asks for."""
    told = {name: record["told"][name] for name in record["asked"]}
    return {"incident_date": record["happened"], "incident_time": record["time"], **told}


def clock(minutes: int) -> str:
    """A time of day on the 24-hour clock."""
    return f"{minutes // 60:02}:{minutes % 60:02}"


def minutes_of(time: str) -> int:
    """Minutes since midnight."""
    return int(time[:2]) * 60 + int(time[3:])


def _cast(rng: Stream) -> list[str]:
    """Nine people with different first names and surnames."""
    found: list[str] = []
    while len(found) < 9:
        name = full_name(rng)
        words = {word for each in found for word in each.split()}
        if not words & {*name.split()}:
            found.append(name)
    return found


def _place(rng: Stream, record: Record, style: Style) -> JSON:
    floor = style.maybe(rng, rng.between(1, 4))
    return {"site": rng.choice(SITES), "area": rng.choice(AREAS), "floor": floor}


def _people(rng: Stream, record: Record, style: Style) -> JSON:
    roles = [ROLES[0] if rng.below(2) else rng.choice(ROLES[1:]) for _ in range(style.count(rng, 5))]
    return [
        {"name": name, "role": role, "job": style.maybe(rng, rng.choice(JOBS))}
        for name, role in zip(record["cast"], roles, strict=False)
    ]


def _injuries(rng: Stream, record: Record, style: Style) -> JSON:
    """Injuries of the injured people, or of others if nobody is listed."""
    people = record["told"].get("people")
    hurt = record["cast"][5:8] if people is None else [each["name"] for each in people if each["role"] == "injured"]
    return [
        {
            "person": name,
            "kind": rng.choice(list(INJURIES)),
            "part": rng.choice(PARTS),
            "side": style.maybe(rng, rng.choice(("left", "right"))),
        }
        for name in hurt[: style.count(rng, 4)]
    ]


def _equipment(rng: Stream, record: Record, style: Style) -> JSON:
    found: dict[str, JSON] = {}
    for _ in range(style.count(rng, 4)):
        item = rng.choice(list(EQUIPMENT))
        id = f"{EQUIPMENT[item]}-{rng.between(10, 99)}"
        found[id] = {"item": item, "id": id, "damaged": rng.below(2) == 1}
    return list(found.values())


def _costs(rng: Stream, record: Record, style: Style) -> JSON:
    names = rng.sample(list(COSTS), style.count(rng, 4))
    return [
        {"what": name, "dollars": rng.choice((5 * rng.between(8, 190), 50 * rng.between(20, 90)))} for name in names
    ]


def _causes(rng: Stream, record: Record, style: Style) -> JSON:
    return sorted(rng.sample(list(CAUSES), style.count(rng, 3)))


def _excluded(rng: Stream, record: Record, style: Style) -> JSON:
    free = [name for name in CAUSES if name not in record["told"].get("causes", ())]
    return sorted(rng.sample(free, style.count(rng, 3)))


def _work(rng: Stream, record: Record, style: Style) -> JSON:
    stopped = minutes_of(record["time"]) + 5 * rng.between(0, 3)
    resumed = stopped + 5 * rng.between(4, 40)
    return {"stopped": clock(stopped), "resumed": style.maybe(rng, clock(resumed))}


def _spills(rng: Stream, record: Record, style: Style) -> JSON:
    names = rng.sample(list(SUBSTANCES), style.count(rng, 3))
    return [{"substance": name, "litres": style.maybe(rng, rng.between(2, 90))} for name in names]


def _actions(rng: Stream, record: Record, style: Style) -> JSON:
    found: list[JSON] = []
    for name in rng.sample(list(ACTIONS), style.count(rng, 5)):
        done = rng.below(3) == 0
        due = date.fromisoformat(record["date"]) + timedelta(days=rng.choice(_DUE))
        owner = style.maybe(rng, rng.choice(record["cast"][:8]))
        found.append(
            {"action": name, "done": done, "owner": owner, "due": None if done else style.maybe(rng, due.isoformat())}
        )
    return found


def _informed(rng: Stream, record: Record, style: Style) -> JSON:
    return {name: style.maybe(rng, rng.below(2) == 1) for name in PARTIES}


def _number(rng: Stream, record: Record, style: Style) -> JSON:
    return f"IR-{record['date'][:4]}-{rng.between(100, 999)}"


def _author(rng: Stream, record: Record, style: Style) -> JSON:
    return record["cast"][8]


GROUPS: Final[Mapping[str, Callable[[Stream, Record, Style], JSON]]] = {
    "place": _place,
    "people": _people,
    "injuries": _injuries,
    "equipment": _equipment,
    "costs": _costs,
    "causes": _causes,
    "excluded_causes": _excluded,
    "work": _work,
    "spills": _spills,
    "actions": _actions,
    "informed": _informed,
    "report_number": _number,
    "written_by": _author,
}
"""How each group is drawn."""


def _correctable(rng: Stream, record: Record, group: str) -> list[JSON]:
    """Corrections that a group allows: group, item, field and the wrong value."""
    told = record["told"][group]
    found: list[JSON] = []
    if group == "costs":
        found = [[group, at, "dollars", 5 * rng.between(8, 190)] for at in range(len(told))]
    elif group == "injuries":
        other = {"left": "right", "right": "left"}
        found = [[group, at, "side", other[each["side"]]] for at, each in enumerate(told) if each["side"]]
    elif group == "spills":
        found = [[group, at, "litres", rng.between(2, 90)] for at, each in enumerate(told) if each["litres"]]
    elif group == "actions":
        later = [date.fromisoformat(record["date"]) + timedelta(days=rng.choice(_DUE)) for _ in told]
        found = [[group, at, "due", later[at].isoformat()] for at, each in enumerate(told) if each["due"]]
    elif group == "work" and told["resumed"]:
        found = [[group, None, "resumed", clock(minutes_of(told["stopped"]) + 5 * rng.between(4, 40))]]
    elif group == "report_number":
        found = [[group, None, group, f"IR-{record['date'][:4]}-{rng.between(100, 999)}"]]
    elif group == "equipment":
        found = [[group, at, "damaged", not each["damaged"]] for at, each in enumerate(told)]
    return [each for each in found if each[3] != _right(told, each)]


def _right(told: JSON, correction: JSON) -> JSON:
    group, at, field, _ = correction
    return told if group == field else (told if at is None else told[at])[field]
