"""Rules of table formats, and names of the formats."""

from __future__ import annotations

from typing import Final

from envhub.authoring.wording import Phrase

NAMES: Final = {"markdown": "Markdown", "csv": "CSV", "json": "JSON", "latex": "LaTeX"}
CELLS: Final = Phrase(
    "Keep all rows and columns in their order, and every cell character by character. Spaces at the ends of a "
    "cell do not belong to it.",
    "Rows, columns and cells must stay as they are and where they are. A cell does not include spaces at its ends.",
    "The order of rows and columns and the text of each cell must not change. Spaces at the ends of a cell are not part of it.",
    held_out="Row order, column order and cell contents are preserved; spaces at the ends of a cell are insignificant.",
)
TABLES: Final = {
    "markdown": Phrase(
        "In Markdown, each line begins and ends with |, and the second line has a cell of hyphens for each column. "
        "A | inside a cell is written \\|. No other character has a backslash before it.",
        "A Markdown table has | at both ends of each line and, as its second line, one cell of hyphens for each column. Write "
        "\\| for a | inside a cell; other characters take no backslash.",
        "Markdown: | begins and ends every line, hyphens fill the cells of the second line, and \\| stands for | inside a "
        "cell. Backslashes may stand nowhere else.",
        held_out="Markdown syntax: outer pipes on every line, a delimiter row of hyphens, \\| for a literal "
        "pipe, no other escapes.",
    ),
    "csv": Phrase(
        "In CSV, commas without extra spaces separate cells. A cell with a comma or a quotation mark is in quotation marks, "
        "and each quotation mark inside it is doubled. The first line is the heading.",
        "CSV begins with the heading line. Cells are separated by commas without extra spaces; those with a comma or a "
        "quotation mark are quoted, and a quotation mark inside is written twice.",
        "CSV: the heading comes first, and commas separate cells, with no spaces around them. Quote a cell that has a comma "
        "or a quotation mark, and write each quotation mark inside it twice.",
        held_out="CSV syntax: header first, comma-separated without padding, cells with commas or quotation "
        'marks quoted, inner " doubled.',
    ),
    "json": Phrase(
        "In JSON, the table is a list with one object for each row. Its keys are the heading cells, in their "
        "order, and all values are texts.",
        "As JSON, write a list of objects, one for each row, whose keys are the cells of the heading in their "
        "order. Each value is a text.",
        "JSON: a list of objects. Every row is one object with the heading cells as keys, in order, and with texts as values.",
        held_out="JSON structure: array of row objects; keys = heading cells in order; all values are strings.",
    ),
    "latex": Phrase(
        "In LaTeX, use the environment tabular with one of the letters l, c and r for each column, & between cells, and a "
        "line that ends with \\\\ for each row. Lines with \\hline do not count. Each of & % $ # _ {{ }} in a cell has a "
        "backslash before it, and no other character has one.",
        "A LaTeX table is a tabular environment: one letter l, c or r for each column, cells separated by &, one line per "
        "row, and \\\\ at the end of each row. \\hline may be on lines of its own. Put a backslash before & % $ # _ {{ }} in "
        "cells, and before nothing else.",
        "LaTeX: \\begin{{tabular}}{{...}} with l, c or r for each column, one row per line with & between cells and \\\\ at "
        "its end, \\end{{tabular}}. In cells, & % $ # _ {{ }} are written with a backslash, other characters without. A line "
        "may also be \\hline.",
        held_out="LaTeX syntax: tabular with a column letter (l, c, r) per column; rows on single lines, & between cells, "
        "\\\\ at the end; optional \\hline lines; & % $ # _ {{ }} escaped with a backslash, nothing else.",
    ),
}
"""The rules of each format, by name."""
