"""The prompts of weak-spot-v0."""

from __future__ import annotations

import json
from typing import Any, Final

from envhub.authoring.wording import Phrase, Rendering, Variants
from envhub.core.types import JSON

TASK: Final = Phrase(
    "You choose training tasks for a solver. Find tasks of which it solves about {target}%.",
    "You plan the training of a solver. Choose tasks that it solves in about {target}% of its attempts.",
    "As the author of a curriculum, choose tasks on which the solver's solve rate is about {target}%.",
    held_out="Select training tasks for a solver such that its solve rate on them is close to {target}%.",
)
RULES: Final = (
    Phrase(
        "The record shows, for some levels from 1 to 10, how many of {attempts} attempts the solver solved. Higher levels "
        "are usually harder.",
        "For some of the levels 1 to 10, the record gives the number of solved attempts out of {attempts}. A higher level "
        "is usually harder.",
        "Levels go from 1 (easy) to 10 (hard), with few exceptions. At some of them the solver made {attempts} attempts, and "
        "the record counts the solved ones.",
        held_out="Recorded are solved attempts out of {attempts} at some of the levels 1 to 10, which mostly increase in "
        "difficulty.",
    ),
    Phrase(
        "Choose an environment of the record with exactly its options, and one of its open levels.",
        "Your choice is an environment with the options stated in the record, at a level that is open for it.",
        "The environment and its options must be in the record as you write them; the level must be open.",
        held_out="Admissible are environments with options as recorded, at open levels.",
    ),
    Phrase(
        "State the solve rate that you expect there, from 0 to 1.",
        "Also state, as a number from 0 to 1, which solve rate you expect.",
        "Add your estimate of the solve rate, a number from 0 to 1.",
        held_out="Include an estimate of the solve rate between 0 and 1.",
    ),
    Phrase(
        "The choice is a success if the true solve rate is from {low}% to {high}% and your estimate is off by at most 10 "
        "percentage points.",
        "You succeed if the true solve rate lies between {low}% and {high}% and differs from your estimate by at most 10 "
        "percentage points.",
        "Success means two things: the true rate is from {low}% to {high}%, and your estimate is at most 10 percentage "
        "points off.",
        held_out="Success requires a true rate of {low}% to {high}% and an estimate within 10 percentage points of it.",
    ),
)


def values(problem: JSON) -> dict[str, Any]:
    """The fields of the phrases."""
    target, off = problem["target"], problem["tolerance"]
    return {"target": target, "low": target - off, "high": target + off, "attempts": problem["attempts"]}


def _open(row: JSON) -> str:
    return ", ".join(map(str, row["open"]))


def _list(problem: JSON) -> str:
    rows = []
    for row in problem["record"]:
        levels = ", ".join(f"level {level}: {count}" for level, count in row["solved"].items())
        rows.append(f"- {row['environment']}, options {json.dumps(row['options'])}: {levels}; open: {_open(row)}")
    return "Record of solved attempts, and the open levels:\n" + "\n".join(rows)


def _table(problem: JSON) -> str:
    head = f"| environment | options | {' | '.join(map(str, range(1, 11)))} |"
    lines = [head, f"|---|---|{'---|' * 10}"]
    for row in problem["record"]:
        cells = [str(row["solved"].get(str(level), "?" if level in row["open"] else "-")) for level in range(1, 11)]
        lines.append(f"| {row['environment']} | {json.dumps(row['options'])} | {' | '.join(cells)} |")
    return "Solved attempts by level; ? marks an open level, - a closed one:\n\n" + "\n".join(lines)


def _json(problem: JSON) -> str:
    rows = ",\n ".join(map(json.dumps, problem["record"]))
    return f"The record, where `solved` maps levels to solved attempts and `open` lists the open levels:\n\n[{rows}]"


def _lines(problem: JSON) -> str:
    rows = []
    for row in problem["record"]:
        rows.append(f"{row['environment']} {json.dumps(row['options'])}")
        rows += [f"    {level} -> {count}" for level, count in row["solved"].items()]
        rows.append(f"    open: {_open(row)}")
    return "Level -> solved attempts, and open levels:\n\n" + "\n".join(rows)


DATA: Final[Variants[Rendering]] = Variants(_list, _table, _json, held_out=_lines, name="data")
