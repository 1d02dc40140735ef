#!/usr/bin/env python3
"""Speaks the protocol of lean-dojo's ``Lean4Repl`` over the Lean that ``STAND_IN_LEAN`` names: a fixture.

Called as ``lake env lean ... FILE``. The file holds ``lean_dojo_repl`` where a proof should be; a state is the tactics up to
it, which are put there and to a fresh ``lean`` with each request. So it is the real elaborator that says what a tactic leaves.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from typing import Any

PLACE = "by\n  lean_dojo_repl\n  sorry\n"


def said_of(text: str) -> list[dict[str, Any]]:
    with tempfile.TemporaryDirectory() as place:
        file = os.path.join(place, "Input.lean")
        with open(file, "w", encoding="utf-8") as out:
            out.write(text)
        words = [os.environ["STAND_IN_LEAN"], "--json", "-j1", "-Dlinter.all=false", file]
        run = subprocess.run(words, capture_output=True, text=True, check=False)
    return [json.loads(line) for line in run.stdout.splitlines()]


def response(text: str, tactics: list[str]) -> dict[str, Any]:
    lines = "\n".join(f"  {line}" for tactic in tactics for line in tactic.split("\n"))
    said = said_of(f"{text[: text.index(PLACE)]}by\n{lines}\n")  # what stands behind is never read there, either
    errors = [row["data"] for row in said if row["severity"] == "error"]
    others = [error for error in errors if not error.startswith("unsolved goals\n")]
    if others:
        return {"sid": None, "tacticState": None, "error": others[0]}
    if errors:
        return {"sid": None, "tacticState": errors[0].removeprefix("unsolved goals\n"), "error": None}
    if any("sorry" in row["data"] for row in said):
        return {"sid": None, "tacticState": None, "error": "proof contains `sorry`"}
    return {"sid": None, "tacticState": "no goals", "error": None}


def told(answer: dict[str, Any]) -> None:
    print(f"REPL> {json.dumps(answer, ensure_ascii=False)}", flush=True)


def main() -> None:
    with open(sys.argv[-1], encoding="utf-8") as file:
        text = "\n".join(line for line in file.read().split("\n") if line != "import Lean4Repl")
    states: list[list[str]] = [[]]
    told({**response(text, []), "sid": 0})
    for line in sys.stdin:
        request = json.loads(line)
        if os.environ.get("STAND_IN_DIES") and os.environ["STAND_IN_DIES"] in request["cmd"]:
            os.abort()
        tactics = [*states[request["sid"]], request["cmd"]]
        answer = response(text, tactics)
        if answer["error"] is None:
            states.append(tactics)
            answer["sid"] = len(states) - 1
        told(answer)


if __name__ == "__main__":
    main()
