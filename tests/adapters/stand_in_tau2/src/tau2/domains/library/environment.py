"""A library: books are lent to members."""

from __future__ import annotations

import json
import os
from typing import Any

from tau2.environment.environment import DATA, Environment, Kit, is_tool


class Library(Kit):
    @is_tool
    def find_member(self, name: str) -> str:
        """Find the id of a member by name."""
        for id, member in self.db["members"].items():
            if member["name"] == name:
                return str(id)
        raise ValueError("Member not found")

    @is_tool
    def lend(self, book: str, member: str) -> dict[str, Any]:
        """Lend a book to a member."""
        print("a tool may print")
        if self.db["books"][book]:
            raise ValueError("Book is lent already")
        self.db["books"][book] = member
        return {"book": book, "member": member}

    @is_tool
    def give_back(self, book: str) -> str:
        """Take a book back."""
        self.db["books"][book] = ""
        return "done"

    @is_tool
    def fee(self, member: str) -> int:
        """The fee that a member has to pay."""
        return int(self.db["members"][member]["fee"])

    @is_tool
    def crash(self, again: bool) -> str:
        """A tool with a fault."""
        if again:
            os._exit(3)
        return "no fault"

    def is_lent(self, book: str) -> bool:
        return bool(self.db["books"][book])


def get_environment() -> Environment:
    folder = DATA / "library"
    return Environment((folder / "policy.md").read_text(), Library(json.loads((folder / "db.json").read_text())))
