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
for (text,) in db.execute("SELECT text FROM notes WHERE text LIKE '%iodine%'"):
    found.update(s for s in re.split(r"(?<=[.]) ", text) if "iodine" in s)
for sentence, count in found.most_common():
    print(count, sentence)
"""
_ANSWER: Final = """SELECT COUNT(*) FROM patients p
WHERE p.sex = 'F'
  AND EXISTS (SELECT 1 FROM conditions c JOIN condition_codes k ON k.code = c.code
              WHERE c.patient_id = p.patient_id AND k.name = 'hypertension' AND c.onset_date <= '2020-07-12'
              AND (c.resolved_date IS NULL OR c.resolved_date > '2020-07-12'))
  AND EXISTS (SELECT 1 FROM lab_results r WHERE r.patient_id = p.patient_id AND r.test_id = 'NA'
              AND r.status = 'final' AND r.value <= 140)
  AND EXISTS (SELECT 1 FROM notes n WHERE n.patient_id = p.patient_id
              AND (instr(n.text, 'Allergic to iodine contrast.') OR instr(n.text, 'Known allergy to iodine contrast.')
                   OR instr(n.text, 'Had hives after iodine contrast.')))"""
SHOWN: Final = Shown(
    "Level 8",
    "An allergy stands in notes only, where it is also denied or said of a relative. The third message tries the answer.",
    "ehr-v0",
    (
        write_call(
            "sql",
            query="SELECT column_name, meaning FROM dictionary WHERE table_name IN ('conditions', 'lab_results', 'notes')",
        ),
        "\n".join(
            [
                write_call("sql", query="SELECT test_id, name, unit FROM lab_tests WHERE name = 'sodium'"),
                write_call("python", code=_SENTENCES),
            ]
        ),
        write_call("sql", query=_ANSWER),
        write_call("submit_sql", query=_ANSWER),
    ),
    difficulty=8,
    seed=1,
    needs="sandbox",
)


def transcript() -> str:
    """The transcript of a solved episode."""
    return section(SHOWN).replace("## ", "### ", 1)


if __name__ == "__main__":
    FILE.write_text(filled(FILE.read_text(), "transcripts", transcript()))
