"""The environment of the chaos test whose turns have effects; server processes find it here by its name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Final

from envhub.core.effects import Resource
from tests.support.toys import Adder, Tally

LEDGER: Final = "ledger-v0"
ENTRY: Final = "tests.chaos.ledger:Ledger"


class Ledger(Adder):
    """Bring a running total to 10. The total lives outside the episode, and comes back by being added up again."""

    resources: ClassVar[Mapping[str, Resource]] = {"tally": Tally("replay")}
