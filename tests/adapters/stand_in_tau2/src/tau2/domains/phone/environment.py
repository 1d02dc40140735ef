"""Telephones: the agent has the line, the customer has the device."""

from __future__ import annotations

import json

from tau2.environment.environment import DATA, Environment, Kit, is_tool


class Lines(Kit):
    @is_tool
    def enable_roaming(self, line: str) -> str:
        """Enable roaming on a line."""
        self.db["roaming"][line] = True
        return "enabled"


class Device(Kit):
    @is_tool
    def toggle_data(self) -> str:
        """Switch mobile data on or off."""
        self.db["data"] = not self.db["data"]
        return f"Mobile data is {'on' if self.db['data'] else 'off'}."

    def break_data(self) -> None:
        self.db["data"] = False

    def has_data(self) -> bool:
        return bool(self.db["data"])


def get_environment() -> Environment:
    db = json.loads((DATA / "phone" / "db.json").read_text())
    return Environment((DATA / "phone" / "policy.md").read_text(), Lines(db), Device({"data": True}))
