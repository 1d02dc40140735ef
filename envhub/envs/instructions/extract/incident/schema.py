"""The JSON Schema of an incident report."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

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
from envhub.envs.instructions.extract.schema import DAY, MAYBE_DAY, list_of, maybe, object_of, one_of

_CLOCK: Final = r"^\d{2}:\d{2}$"
_TIME: Final = {"type": "string", "pattern": _CLOCK}
_NAME: Final = {"type": "string", "description": "first name and surname"}
_PROPERTIES: Final[Mapping[str, JSON]] = {
    "place": object_of(
        site=one_of(SITES), area=one_of(AREAS), floor=maybe("integer", "number of the floor of the incident")
    ),
    "people": list_of(
        object_of(name=_NAME, role=one_of(ROLES), job={"enum": [*JOBS, None], "description": "null if not stated"}),
        "people who were injured, saw it, gave first aid or were in charge; nobody else is listed",
    ),
    "injuries": list_of(
        object_of(
            person=_NAME,
            kind=one_of(INJURIES),
            part=one_of(PARTS),
            side={"enum": ["left", "right", None], "description": "null if not stated"},
        ),
        "injuries that were found",
    ),
    "equipment": list_of(
        object_of(item=one_of(EQUIPMENT), id={"type": "string"}, damaged={"type": "boolean"}),
        "equipment that was involved in the incident",
    ),
    "costs": list_of(object_of(what=one_of(COSTS), dollars={"type": "integer"}), "costs that have arisen, in dollars"),
    "causes": list_of(one_of(CAUSES), "causes of the incident"),
    "excluded_causes": list_of(one_of(CAUSES), "causes that were examined and ruled out"),
    "work": object_of(
        stopped={**_TIME, "description": "when work stopped, HH:MM on the 24-hour clock"},
        resumed={"type": ["string", "null"], "pattern": _CLOCK, "description": "when work went on"},
    ),
    "spills": list_of(
        object_of(substance=one_of(SUBSTANCES), litres=maybe("integer", "litres that leaked")), "substances that leaked"
    ),
    "actions": list_of(
        object_of(
            action=one_of(ACTIONS),
            done={"type": "boolean", "description": "whether it is done; otherwise it is agreed"},
            owner={
                "type": ["string", "null"],
                "description": "who did it or will do it, first name and surname; null if nobody is named",
            },
            due={**MAYBE_DAY, "description": "date by which it will be done; null if it is done"},
        ),
        "actions that were done or agreed",
    ),
    "informed": object_of(
        **{name: maybe("boolean", f"whether {words} has been informed") for name, words in PARTIES.items()}
    ),
    "report_number": {"type": "string"},
    "written_by": {"type": "string", "description": "first name and surname of the author"},
}


def schema_of(asked: Iterable[str]) -> JSON:
    """The schema of the groups that are asked for."""
    wanted = {name: _PROPERTIES[name] for name in asked}
    time = {**_TIME, "description": "HH:MM on the 24-hour clock"}
    return object_of(incident_date={**DAY, "description": "date of the incident"}, incident_time=time, **wanted)
