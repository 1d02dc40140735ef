"""format-convert-v0: convert a table between Markdown, CSV, JSON and LaTeX.

Action: the table in the requested format, read by a strict parser; all cells must be those of the source. Difficulty:
more cells, and more of them with characters that one of the formats escapes; effort is the number of cells, where
such a cell counts twice. Tables that differ in the order of rows or columns are different problems.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from envhub.families.table_phrases import CELLS, NAMES, TABLES
from envhub.families.text_kit import JSON, Instance, Member, Phrase, Stream, Variants, Verdict, knob, levels
from envhub.generators.documents.records import KEYS, draw_text
from envhub.generators.documents.strict import NotStrict
from envhub.generators.documents.tables import FORMATS, read_table, write_table
from envhub.verifiers.answers.verbatim import Verbatim


def _plain(problem: Any) -> str:
    return f"The table in {NAMES[problem['source']]}:\n\n{problem['text']}"


def _tagged(problem: Any) -> str:
    return f'<table format="{problem["source"]}">\n{problem["text"]}\n</table>'


def _fenced(problem: Any) -> str:
    return f"{NAMES[problem['source']]} source:\n```\n{problem['text']}\n```"


def _ruled(problem: Any) -> str:
    return f"--- begin ({NAMES[problem['source']]}) ---\n{problem['text']}\n--- end ---"


class FormatConvert(Member):
    """Convert a table without changing a cell."""

    Params = levels(
        columns=knob("columns", 2, 2, 3, 3, 3, 4, 4, 5, 5, 6, at_least=2),
        rows=knob("rows without the heading", 1, 2, 2, 3, 4, 5, 6, 7, 9, 11),
        hostile=knob("per cent of cells that need care", 30, 40, 40, 50, 50, 60, 60, 70, 80, 90),
    )
    answer = Verbatim(
        called="the converted table",
        sample="(the table)",
        detail="White space before and after it does not count.",
    )
    data = Variants(_plain, _tagged, _fenced, held_out=_ruled, name="source")
    task = Phrase(
        "Convert this table from {source} to {target}.",
        "Rewrite the {source} table as a {target} table.",
        "The table is in {source}. Write the same table in {target}.",
        held_out="Source format: {source}. Target format: {target}. Transcribe the table.",
    )

    def sample(self, rng: Stream, p: Any) -> Instance:
        """A table with hostile cells, in one format, and another format."""
        source, target = rng.sample(FORMATS, 2)
        rows = [[draw_text(rng, p.hostile) for _ in range(p.columns)] for _ in range(p.rows)]
        table = [rng.sample(KEYS, p.columns), *rows]
        return Instance({"source": source, "target": target, "table": table, "text": write_table(source, table)})

    def canonical(self, content: JSON) -> JSON:
        """The table and the two formats."""
        return [content["source"], content["target"], content["table"]]

    def values(self, problem: JSON) -> Mapping[str, Any]:
        """The names of the formats."""
        return {name: NAMES[problem[name]] for name in ("source", "target")}

    def example(self, problem: JSON) -> str:
        """A table of the right size with other cells."""
        heading, *rows = problem["table"]
        names = [f"heading {at}" for at, _ in enumerate(heading, 1)]
        return write_table(problem["target"], [names, *(["cell"] * len(row) for row in rows)])

    def rules_of(self, problem: JSON) -> tuple[Phrase, ...]:
        """What counts, and the rules of both formats."""
        return (CELLS, TABLES[problem["source"]], TABLES[problem["target"]])

    def grade(self, inst: Instance, value: str) -> Verdict:
        """Parse strictly, then compare the cells."""
        try:
            table = read_table(inst.problem["target"], value)
        except NotStrict as error:
            return Verdict.exact(False, f"The table cannot be read: {str(error)[:200]}.")
        right = table == inst.problem["table"]
        return Verdict.exact(
            right, "" if right else "The table can be read, but its cells are not those of the source."
        )

    def solve(self, inst: Instance) -> str:
        """The table, written by the target format's writer."""
        return write_table(inst.problem["target"], inst.problem["table"])

    def mistakes(self, inst: Instance) -> Iterator[str]:
        """The source itself, and tables with something changed."""
        target, table = inst.problem["target"], inst.problem["table"]
        yield inst.problem["text"]
        yield write_table(target, [*table, table[-1]])
        yield write_table(target, [row[::-1] for row in table])
        for at, row in enumerate(table[1:], 1):
            yield write_table(target, [*table[:at], [*row[:-1], f"{row[-1]} x"], *table[at + 1 :]])

    def effort(self, inst: Instance) -> float:
        """Cells, and those with characters that need care once more."""
        cells = [cell for row in inst.problem["table"] for cell in row]
        return float(len(cells) + sum(not cell.replace(" ", "").isalnum() for cell in cells))
