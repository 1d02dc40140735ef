"""The prompts of weak-spot-v0."""

from __future__ import annotations

import json
from typing import Any, Final

from envhub.authoring.wording import Phrase, Rendering, Variants
from envhub.core.types import JSON
from envhub.envs.code.proposer.rates import WIDTH

TASK: Final = Phrase(
    "You choose training tasks for a solver. Find tasks of which it solves about {target}%.",
    "You plan the training of a solver. Choose tasks that it solves in about {target}% of its attempts.",
    "As the author of a curriculum, choose tasks on which the solver's solve rate is about {target}%.",
    held_out="Select training tasks for a solver such that its solve rate on them is close to {target}%.",
)
_COUNTED: Final = Phrase(
    "The record shows, for some levels from 1 to 10, how many of {attempts} attempts the solver solved. Higher levels "
    "are usually harder.",
    "For some of the levels 1 to 10, the record gives the number of solved attempts out of {attempts}. A higher level "
    "is usually harder.",
    "Levels go from 1 (easy) to 10 (hard), with few exceptions. At some of them the solver made {attempts} attempts, and "
    "the record counts the solved ones.",
    held_out="Recorded are solved attempts out of {attempts} at some of the levels 1 to 10, which mostly increase in "
    "difficulty.",
)
_MEASURED: Final = Phrase(
    "The record shows, for some levels from 1 to 10, the solve rate that was measured, as solved attempts per 1,000; the "
    "number of real attempts may differ. Higher levels are usually harder.",
    "For some of the levels 1 to 10, the record gives the measured solve rate per 1,000 attempts, however many attempts there "
    "were. A higher level is usually harder.",
    "Levels go from 1 (easy) to 10 (hard), with few exceptions. Solve rates were measured at some of them, with any number of "
    "attempts, and the record gives them per 1,000 attempts.",
    held_out="Recorded are measured solve rates at some of the levels 1 to 10, scaled to 1,000 attempts. Levels mostly "
    "increase in difficulty.",
)
_RULES: Final = (
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
    Phrase(
        "A success earns 1. Any other valid choice earns a part: 1 at the target, falling evenly to 0 at a distance of {width} "
        "percentage points between the true rate and the target. This part is halved if your estimate is off by more than "
        "10 percentage points.",
        "You earn 1 for a success. For another valid choice, you earn a part that falls evenly with the distance of the true "
        "rate from the target and is 0 from {width} percentage points on. An estimate that is off by more than 10 percentage "
        "points halves this part.",
        "The reward is 1 for a success. Without success, it is 1 minus d/{width}, but at least 0, where d is the distance of "
        "the true rate from the target in percentage points; half of it is paid if your estimate is off by more than 10 "
        "percentage points.",
        held_out="Successes earn 1. Other valid choices earn 1 - d/{width}, at least 0, for a true rate that is d percentage "
        "points from the target, and half of this with an estimate that is more than 10 percentage points off.",
    ),
    Phrase(
        "An invalid choice earns 0.",
        "You earn 0 for a choice that breaks a rule.",
        "Choices that are not valid earn 0.",
        held_out="Invalid choices earn nothing.",
    ),
)

RULES: Final = (_COUNTED, *_RULES)
"""Rules for a record that counts attempts."""
MEASURED_RULES: Final = (_MEASURED, *_RULES)
"""Rules for a record of rates, scaled to 1,000 attempts."""


def values(problem: JSON) -> dict[str, Any]:
    """The fields of the phrases."""
    target, off = problem["target"], problem["tolerance"]
    width = round(100 * WIDTH)
    return {
        "target": target,
        "low": target - off,
        "high": target + off,
        "attempts": problem["attempts"],
        "width": width,
    }


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
