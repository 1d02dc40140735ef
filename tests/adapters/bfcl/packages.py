"""A small copy of the package with several turns: a class of our own, and questions in BFCL's format."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from envhub.adapters.bfcl.conversations import CATEGORIES
from envhub.adapters.bfcl.inside import FILES

COUNT = 30
CODE = '''
"""A desk with tickets."""

import os


class TicketAPI:
    def __init__(self):
        self.tickets = {}
        self._secret = 0

    def _load_scenario(self, config, long_context=False):
        self.tickets = dict(config.get("tickets", {}))
        print("a function may print")

    def open_ticket(self, title, priority=1):
        self._secret += 1
        self.tickets[title] = priority
        return {"title": title, "priority": priority}

    def close_ticket(self, title):
        del self.tickets[title]
        return "closed"

    def count(self):
        return len(self.tickets)

    def crash(self):
        os._exit(3)
'''


def function(name: str, required: list[str], **types: str) -> dict[str, Any]:
    properties = {each: {"type": kind, "description": f"The {each}."} for each, kind in types.items()}
    parameters = {"type": "dict", "properties": properties, "required": required}
    return {"name": name, "description": f"Use {name}.", "parameters": parameters}


FUNCTIONS = [
    function("open_ticket", ["title"], title="string", priority="integer"),
    function("close_ticket", ["title"], title="string"),
    function("count", []),
    function("crash", []),
    function("hidden", []),
]


def conversation(category: str, number: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """A question of two or three turns, with its right calls."""
    said = [f"Open a ticket named T{number} with priority 2.", "How many tickets are open?"]
    right = [[f"open_ticket('T{number}', priority=2)"], ["count()"]]
    row: dict[str, Any] = {"involved_classes": ["TicketAPI"], "excluded_function": ["hidden"]}
    if category == "multi_turn_miss_func":
        said, right = [said[0], said[1], ""], [right[0], [], right[1]]
        row["missed_function"] = {"2": ["count"]}
    if category == "multi_turn_miss_param":
        said, right = ["Open a ticket with priority 2.", f"Its name is T{number}."], [[], right[0]]
    turns = [[{"role": "user", "content": text}] if text else [] for text in said]
    row |= {"id": f"{category}_{number}", "question": turns}
    row["initial_config"] = {"TicketAPI": {"tickets": {"old": 1}}}
    return row, {"id": row["id"], "ground_truth": right}


def write(folder: Path) -> Path:
    """A folder that contains such a package."""
    code = folder / "bfcl_eval" / "eval_checker" / "multi_turn_eval" / "func_source_code"
    code.mkdir(parents=True)
    for place in (code, *list(code.parents)[:3]):
        (place / "__init__.py").write_text("")
    (code / "long_context.py").write_text("")
    (code / "ticket_api.py").write_text(CODE)
    data = folder / "bfcl_eval" / "data"
    for place in ("possible_answer", "multi_turn_func_doc"):
        (data / place).mkdir(parents=True)
    for name in FILES.values():
        _write(data / "multi_turn_func_doc" / f"{name}.json", FUNCTIONS if name == "ticket_api" else [])
    for category in CATEGORIES:
        rows, answers = zip(*(conversation(category, number) for number in range(COUNT)), strict=True)
        _write(data / f"BFCL_v4_{category}.json", rows)
        _write(data / "possible_answer" / f"BFCL_v4_{category}.json", answers)
    return folder


def _write(path: Path, lines: Any) -> None:
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
