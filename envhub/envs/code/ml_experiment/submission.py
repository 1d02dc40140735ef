"""Reads a submission.

It is a file with the header ``id,prediction`` and one row per row of ``test.csv``. Nothing in it is evaluated or
unpickled. A number must be written in decimal digits: not ``nan``, ``inf`` or ``1_0``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from envhub.authoring.wording.plurals import and_list, counted

FILE: Final = "submission.csv"
HEADER: Final = "id,prediction"
ROW_BYTES: Final = 64
"""Maximum bytes per row, on average."""
_NUMBER: Final = re.compile(r"[+-]?([0-9]{1,18}(\.[0-9]{0,30})?|\.[0-9]{1,30})([eE][+-]?[0-9]{1,2})?", re.ASCII)
_LARGEST: Final = 1e12
_SHOWN: Final = 40


def read_submission(content: bytes, rows: int, labels: Sequence[str]) -> list[str] | str:
    """The predictions in the order of the ids, or what is wrong.

    Args:
        content: The file.
        rows: Number of rows of ``test.csv``; its ids are 1, 2 and so on.
        labels: Allowed predictions; empty if they are numbers.
    """
    try:
        lines = content.decode("utf-8-sig").splitlines()
    except UnicodeDecodeError:
        return f"{FILE} must be a text file in UTF-8."
    if not lines or lines[0].replace('"', "").strip() != HEADER:
        return f"The first line of {FILE} must be {HEADER}, got {lines[0][:_SHOWN] if lines else 'an empty file'!r}."
    found: dict[int, str] = {}
    for number, line in enumerate(lines[1:], 2):
        if not line.strip():
            continue
        name, comma, prediction = (part.strip().strip('"') for part in line.partition(","))
        if not comma or not (name.isascii() and name.isdigit() and len(name) < 10 and 1 <= int(name) <= rows):
            return f"Line {number} of {FILE} must be an id from 1 to {rows}, a comma and a prediction, got {line[:_SHOWN]!r}."
        if int(name) in found:
            return f"Line {number} of {FILE} repeats the id {int(name)}. Write one row for each id."
        if problem := _problem(prediction, labels):
            return f"Line {number} of {FILE}: {problem}"
        found[int(name)] = prediction
    if len(found) < rows:
        missing = next(each for each in range(1, rows + 1) if each not in found)
        return f"{FILE} has {counted(len(found), 'prediction')}; expected {rows}. For example, the id {missing} is missing."
    return [found[each] for each in range(1, rows + 1)]


def _problem(prediction: str, labels: Sequence[str]) -> str:
    """What is wrong with a prediction; empty if nothing is."""
    shown = f"got {prediction[:_SHOWN]!r}."
    if labels:
        return "" if prediction in labels else f"the prediction must be one of {and_list(labels)}, {shown}"
    if _NUMBER.fullmatch(prediction) is None or abs(float(prediction)) > _LARGEST:
        return f"the prediction must be a number from -1e12 to 1e12 in decimal digits, {shown}"
    return ""
