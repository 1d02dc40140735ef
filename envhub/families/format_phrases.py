"""Rules of document formats: what a strict reader of each accepts."""

from __future__ import annotations

from typing import Final

from envhub.authoring.wording import Phrase

QUOTES: Final = Phrase(
    'Texts are shown in double quotation marks, which are not part of them. In a text, \\" stands for one double '
    "quotation mark. Every character of a text counts.",
    'The double quotation marks around a text do not belong to it, and \\" inside it stands for one double quotation '
    "mark. Copy each text exactly.",
    'A text is what stands between its double quotation marks, where \\" means one double quotation mark. '
    "It must be kept character by character.",
    held_out='Text values are delimited by double quotation marks, with \\" as an escaped double quotation mark, and '
    "must be preserved exactly.",
)
_PATHS: Final = Phrase(
    "A path leads from the outermost key to the value. A number in a path is a place in a list, counted from 1.",
    "Paths begin with the outermost key. Where a path has a number, it is a place in a list, and the first place is 1.",
    "Each path names the keys from the outside to the inside. Numbers in it are places in lists, starting with 1.",
    held_out="Path: keys from the root to the value; an integer denotes a 1-based list position.",
)
_NOTHING: Final = Phrase(
    "The order of keys does not matter. The order of lists does.",
    "Keys may be in any order. Lists must keep their order.",
    "Lists must be in the order of their places, and keys may come in any order.",
    held_out="Order: significant in lists, not significant among keys.",
)
FORMATS: Final = {
    "yaml": (
        _PATHS,
        _NOTHING,
        Phrase(
            "Use block style: no braces and brackets around collections, no block texts with | or >, no anchors, "
            "tags, comments or tabs.",
            "Write mappings and lists in block style, without braces or brackets, block texts (| or >), anchors, "
            "tags, comments and tabs.",
            "Collections must be in block style. Block texts (| or >), anchors, tags, comments, tabs, and braces or brackets "
            "around collections are not allowed.",
            held_out="YAML subset: block collections only; no flow style, block scalars, anchors, tags, comments or tabs.",
        ),
        Phrase(
            "Quote each text that some version of YAML reads as something else, such as no, 3.10, 12:30 or 2027-03-10, "
            "and each text that contains other signs than letters, digits, spaces and _ . / @ + -.",
            "A text must be quoted if a YAML version could read it as a boolean, null, number, time or date (no, ~, 3.10, "
            "12:30, 2027-03-10), or if it has a character besides letters, digits, spaces and _ . / @ + -.",
            "Without quotation marks, no, 3.10, 12:30 and 2027-03-10 are not texts in every version of YAML. Quote all such "
            "texts, and all with a character that is not a letter, a digit, a space or one of _ . / @ + -.",
            held_out="Quoting is mandatory for texts that YAML 1.1 or 1.2 may resolve to another type (no, 3.10, 12:30, "
            "2027-03-10) and for texts with characters outside letters, digits, space and _ . / @ + -.",
        ),
        Phrase(
            "Integers and booleans must not be quoted. Write booleans as true and false.",
            "Write integers without quotation marks, and booleans as true or false without quotation marks.",
            "An integer or a boolean (true, false) must stand without quotation marks.",
            held_out="Integers, true and false: unquoted.",
        ),
    ),
    "toml": (
        _PATHS,
        _NOTHING,
        Phrase(
            "Texts must be TOML strings, integers TOML integers, and booleans TOML booleans.",
            "Keep the types: texts as strings, integers as integers, booleans as true or false.",
            "Each value must keep its type: string for a text, integer, or boolean.",
            held_out="TOML types: string for text, integer, boolean; no dates and no floats.",
        ),
    ),
    "xml": (
        _PATHS,
        Phrase(
            "The order of elements does not matter, except in lists.",
            "Elements may be in any order. Only in lists does the order count.",
            "Lists must be in the order of their places; other elements may come in any order.",
            held_out="Element order: significant in lists only.",
        ),
        Phrase(
            "The root element is <record>. Each key is an element, and each place of a list is an element <item> "
            "in the element of the list.",
            "Use <record> as the root element, one element for each key, and elements <item> for the places of a list.",
            "Put everything into a root element <record>. A key becomes an element of this name, and a list "
            "contains one <item> for each place.",
            held_out="Structure: root <record>; one element per key; list members as <item>.",
        ),
        Phrase(
            "Do not use attributes, comments, CDATA or declarations. Write integers as digits, and booleans as true and false.",
            "Attributes, comments, CDATA and declarations (also <?xml ...?>) are not allowed. Integers are "
            "digits; booleans are true or false.",
            "There may be no attribute, comment, CDATA section or declaration. An integer is written in digits, "
            "a boolean as true or false.",
            held_out="Not permitted: attributes, comments, CDATA, declarations. Integers in digits; booleans as true or false.",
        ),
    ),
    "csv": (
        Phrase(
            "A path has the number of a row, counted from 1, and the name of a column.",
            "The first part of a path is the row, and the first row is 1. The second part is the column.",
            "Each path gives a row, starting with 1, and the column in which the value belongs.",
            held_out="Path: 1-based row number, then column name.",
        ),
        Phrase(
            "Begin with one line of column names, then write the rows in their order. Columns may be in any order.",
            "The first line contains the names of the columns, in any order. The rows come after it, in their order.",
            "Write a heading line with the column names and then every row in order. The order of the columns does not matter.",
            held_out="Layout: header line with column names in any order, then the rows in order.",
        ),
        Phrase(
            "Separate fields with commas. Quote a field that contains a comma or a quotation mark, and double each quotation "
            "mark in it. Spaces around commas belong to the fields.",
            "Fields are separated by commas without spaces around them. A field with a comma or a quotation mark must be in "
            "quotation marks, and a quotation mark inside is written twice.",
            "Use commas between fields and no extra spaces. If a field has a comma or a quotation mark, put it in quotation "
            "marks and write each quotation mark inside it twice.",
            held_out='Delimiter: comma, no padding. Fields with commas or quotation marks are quoted, inner " doubled.',
        ),
        Phrase(
            "Write integers as digits, and booleans as true and false.",
            "Integers are written in digits, booleans as true or false.",
            "Use digits for integers, and true or false for booleans.",
            held_out="Integers in digits; booleans as true or false.",
        ),
    ),
}
"""The rules of each format, by name."""
