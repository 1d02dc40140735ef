#!/usr/bin/env python3
"""Speaks the protocol of Lean's REPL over the Lean that ``STAND_IN_LEAN`` names: a fixture, for machines without lake.

The elaborator and the kernel are Lean's own. An environment is the text that made it, put to a fresh ``lean`` with each
command, so scopes that a command leaves open stay open for the next, as in the REPL. Requests are JSON, a blank line behind
each.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from typing import Any


def requests() -> Iterator[dict[str, Any]]:
    lines: list[str] = []
    for line in sys.stdin:
        if line.strip():
            lines.append(line)
        elif lines:
            yield json.loads("".join(lines))
            lines = []


def said_of(text: str, place: str) -> list[dict[str, Any]]:
    file = os.path.join(place, "Input.lean")
    with open(file, "w", encoding="utf-8") as out:
        out.write(text)
    words = [os.environ["STAND_IN_LEAN"], "--json", "-j1", "-M1500", "-DElab.async=false", file]
    run = subprocess.run(words, capture_output=True, text=True, check=False)
    if run.returncode not in (0, 1):
        sys.exit(f"lean ended with {run.returncode}: {run.stderr}")
    return [json.loads(line) for line in run.stdout.splitlines()]


def answered(request: dict[str, Any], states: list[str], place: str) -> dict[str, Any]:
    env = request.get("env")
    if env is not None and not 0 <= env < len(states):
        return {"message": "Unknown environment."}
    before = "" if env is None else states[env]
    states.append(f"{before}{request['cmd']}\n")
    messages = []
    for row in said_of(states[-1], place):
        line = row["pos"]["line"] - before.count("\n")
        if line > 0:  # what was said of earlier commands has been told
            severity = "info" if row["severity"] == "information" else row["severity"]
            position = {"line": line, "column": row["pos"]["column"]}
            messages.append({"severity": severity, "pos": position, "endPos": position, "data": row["data"].strip()})
    return {"env": len(states) - 1} | ({"messages": messages} if messages else {})


def main() -> None:
    states: list[str] = []
    with tempfile.TemporaryDirectory() as place:
        for request in requests():
            print(json.dumps(answered(request, states, place), ensure_ascii=False), end="\n\n", flush=True)


if __name__ == "__main__":
    main()
