"""The kinds of texts: clinical notes and incident reports.

::

    KINDS["clinical"].draw(rng, style)      # a record; the other functions take it
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Final, NamedTuple

from envhub.core.seeding import Stream
from envhub.core.types import JSON
from envhub.envs.instructions.extract.clinical import note, record as clinical, schema as clinical_schema
from envhub.envs.instructions.extract.incident import record as incident, report, schema as incident_schema
from envhub.envs.instructions.extract.record import Manner, Note, Record, Style


class Kind(NamedTuple):
    """A kind of text.

    Attributes:
        text: What a prompt calls the text.
        event: What its times are relative to.
        draw: A record.
        answer: The document of a record.
        write: A text that tells a record.
        schema: The schema of some groups.
    """

    text: str
    event: str
    draw: Callable[[Stream, Style], Record]
    answer: Callable[[Record], Record]
    write: Callable[[Stream, Record, Manner], Note]
    schema: Callable[[Iterable[str]], JSON]


KINDS: Final[Mapping[str, Kind]] = {
    "clinical": Kind(
        "clinical note",
        "visit",
        clinical.draw_record,
        clinical.answer,
        note.write_note,
        clinical_schema.schema_of,
    ),
    "incident": Kind(
        "incident report",
        "report",
        incident.draw_record,
        incident.answer,
        report.write_report,
        incident_schema.schema_of,
    ),
}
"""All kinds, by name."""
