"""A checkout in tau2-bench's layout: a stand-in for its code, and two small domains written here."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

from tests.support.places import STAND_INS

COUNT = 30
"""Tasks of a domain, enough for each split to have some."""


def write(folder: Path) -> Path:
    """The checkout."""
    shutil.copytree(STAND_INS / "stand_in_tau2" / "src", folder / "src", ignore=shutil.ignore_patterns("__pycache__"))
    library, phone = (folder / "data" / "tau2" / "domains" / name for name in ("library", "phone"))
    for place in (library, phone):
        place.mkdir(parents=True)
    books = {f"book {number}": "m0" if number % 5 == 0 else "" for number in range(COUNT)}
    members = {f"m{number}": {"name": f"Ada {number}", "fee": 1000 + number} for number in range(COUNT)}
    (library / "db.json").write_text(json.dumps({"books": books, "members": members}))
    (library / "policy.md").write_text("Lend a book only if it is free. Never take a book back from another member.")
    (library / "tasks.json").write_text(json.dumps([lending(number) for number in range(COUNT)] + others()))
    base = {"base": [f"lend_{number}" for number in range(COUNT)], "small": ["lend_1"]}
    (library / "split_tasks.json").write_text(json.dumps(base))
    (phone / "db.json").write_text(json.dumps({"roaming": {f"L{number}": False for number in range(COUNT)}}))
    (phone / "policy.md").write_text("Check the line first, then the customer's device.")
    (phone / "tasks_small.json").write_text(json.dumps([calling(number) for number in range(COUNT)]))
    return folder


def scenario(reason: str, known: str, more: str = "") -> dict[str, Any]:
    """A customer, as tau2 describes one."""
    given = {"domain": "any", "reason_for_call": reason, "known_info": known, "task_instructions": more}
    return {"persona": None, "instructions": given}


def action(name: str, by: str = "assistant", /, **arguments: Any) -> dict[str, Any]:
    """A reference action."""
    return {"action_id": name, "name": name, "requestor": by, "arguments": arguments, "info": None}


def lending(number: int) -> dict[str, Any]:
    """A member wants a book, or to know a fee as well; every fifth book is not free."""
    book, member = f"book {number}", f"m{number}"
    actions = [action("find_member", name=f"Ada {number}"), action("lend", book=book, member=member)]
    told = [f"10{number:02}"] if number % 2 else []
    actions += [action("fee", member=member)] if told else []
    wish = f"You want to borrow book {number}{' and to know your fee' if told else ''}."
    criteria = {
        "actions": actions,
        "communicate_info": told,
        "nl_assertions": None,
        "reward_basis": ["DB", "COMMUNICATE"],
    }
    return {
        "id": f"lend_{number}",
        "user_scenario": scenario(wish, f"You are Ada {number}."),
        "evaluation_criteria": criteria,
    }


def others() -> list[dict[str, Any]]:
    """Tasks with other criteria: an action, an assertion, a model as a judge, and reference actions that fail."""
    look = {"actions": [action("find_member", name="Ada 3")], "reward_basis": ["ACTION"]}
    lent = {"env_type": "assistant", "func_name": "is_lent", "arguments": {"book": "book 2"}, "assert_value": True}
    nowhere = {**lent, "arguments": {"book": "no such book"}}
    reached = {"actions": [action("lend", book="book 2", member="m2")], "env_assertions": [lent]}
    judged = {"nl_assertions": ["The agent is polite."], "reward_basis": ["DB", "NL_ASSERTION"]}
    return [
        {"id": "look", "user_scenario": {"instructions": "Ask to be looked up."}, "evaluation_criteria": look},
        {
            "id": "reach",
            "user_scenario": {"instructions": "Any member may have book 2."},
            "evaluation_criteria": {**reached, "reward_basis": ["ENV_ASSERTION"]},
        },
        {
            "id": "never",
            "user_scenario": {"instructions": "Something that cannot be reached."},
            "evaluation_criteria": {**reached, "env_assertions": [nowhere], "reward_basis": ["ENV_ASSERTION"]},
        },
        {"id": "judged", "user_scenario": {"instructions": "Be served politely."}, "evaluation_criteria": judged},
    ]


def calling(number: int) -> dict[str, Any]:
    """A telephone without data, for which the line and the device must be changed."""
    broken = {"env_type": "user", "func_name": "break_data", "arguments": {}}
    works = {"env_type": "user", "func_name": "has_data", "arguments": {}, "assert_value": True}
    criteria = {
        "actions": [action("enable_roaming", line=f"L{number}"), action("toggle_data", "user")],
        "env_assertions": [works],
        "reward_basis": ["ENV_ASSERTION", "DB"],
    }
    return {
        "id": f"call_{number}",
        "user_scenario": scenario("Your mobile data does not work abroad.", f"Your line is L{number}."),
        "initial_state": {"initialization_data": None, "initialization_actions": [broken], "message_history": None},
        "evaluation_criteria": criteria,
    }
