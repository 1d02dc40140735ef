"""Writes the transcript of worlds/ehr.md: ``python docs/records.py``."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from services import filled
from transcripts import Shown, section

from envhub.authoring import write_call

FILE: Final = Path(__file__).parent / "worlds" / "ehr.md"
_SENTENCES: Final = """import re, sqlite3
from collections import Counter
db = sqlite3.connect("hospital.db")
found = Counter()
for (text,) in db.execute("SELECT text FROM notes WHERE text LIKE '%ibuprofen%'"):
    found.update(s for s in re.split(r"(?<=[.]) ", text) if "ibuprofen" in s)
for sentence, count in found.most_common():
    print(count, sentence)
"""
_ANSWER: Final = """SELECT COUNT(*) FROM patients p
WHERE p.birth_date > '1950-09-12'
  AND EXISTS (SELECT 1 FROM encounters e WHERE e.patient_id = p.patient_id AND e.kind = 'inpatient'
              AND e.started_at >= '2020' AND e.started_at < '2021')
  AND EXISTS (SELECT 1 FROM notes n WHERE n.patient_id = p.patient_id
              AND (instr(n.text, 'Allergic to ibuprofen.') OR instr(n.text, 'Known allergy to ibuprofen.')
                   OR instr(n.text, 'Had hives after ibuprofen.')))"""
SHOWN: Final = Shown(
    "Level 8",
    "An allergy stands in notes only, where it is also denied or said of a relative. The third message tries the answer.",
    "ehr-v0",
    (
        write_call(
            "sql",
            query="SELECT column_name, meaning FROM dictionary WHERE table_name IN ('patients', 'encounters', 'notes')",
        ),
        "\n".join(
            [
                write_call("sql", query="SELECT DISTINCT kind FROM encounters"),
                write_call("python", code=_SENTENCES),
            ]
        ),
        write_call("sql", query=_ANSWER),
        write_call("submit_sql", query=_ANSWER),
    ),
    difficulty=8,
    seed=14,
    needs="sandbox",
)


def transcript() -> str:
    """The transcript of a solved episode."""
    return section(SHOWN).replace("## ", "### ", 1)


if __name__ == "__main__":
    FILE.write_text(filled(FILE.read_text(), "transcripts", transcript()))
