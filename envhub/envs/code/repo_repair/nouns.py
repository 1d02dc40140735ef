"""The nouns of an application, and the names of its modules."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from envhub.core.seeding import Stream


class Domain(NamedTuple):
    """A kind of records.

    Attributes:
        title: What the application keeps.
        client: Replaces the word client; its plural ends in s.
        article: Replaces the word article; its plural ends in s.
        articles: Names of articles.
    """

    title: str
    client: str
    article: str
    articles: tuple[str, ...]


DOMAINS: Final = (
    Domain("the hires of a boat yard", "skipper", "boat", ("Kestrel", "Merlin", "Osprey", "Heron")),
    Domain("the bookings of a rehearsal studio", "band", "room", ("Cellar", "Loft", "Garden", "Hall")),
    Domain("the deliveries of a mill", "baker", "flour", ("rye", "spelt", "wheat", "oat")),
    Domain("the loans of a tool library", "member", "tool", ("drill", "sander", "ladder", "mixer")),
    Domain("the jobs of a print shop", "customer", "paper", ("matt", "gloss", "card", "vellum")),
    Domain("the lessons of a riding school", "rider", "horse", ("Bella", "Comet", "Dusty", "Fern")),
    Domain("the sales of a seed merchant", "grower", "seed", ("bean", "carrot", "leek", "squash")),
    Domain("the visits to a climbing hall", "climber", "wall", ("north", "south", "boulder", "cave")),
    Domain("the shifts of a court interpreter", "court", "language", ("Czech", "Farsi", "Hindi", "Welsh")),
    Domain("the consignments of a coffee roaster", "shop", "bean", ("Huila", "Sidamo", "Toraja", "Yunnan")),
)
CLIENTS: Final = (
    "Abel Roth",
    "Bo Lindt",
    "Cora Meyer",
    "Dana Reyes",
    "Emil Novak",
    "Fay Okoro",
    "Gil Santos",
    "Hana Sato",
)
PACKAGES: Final = (
    "almanac",
    "barley",
    "cobalt",
    "dovetail",
    "ember",
    "foundry",
    "granite",
    "harbor",
    "juniper",
    "keystone",
)
_FOLDERS: Final[Mapping[str, tuple[str, ...]]] = {
    "values": ("values", "kinds", "basics", "units"),
    "storage": ("storage", "files", "store", "archive"),
    "rules": ("rules", "pricing", "billing", "tariff"),
    "figures": ("figures", "stats", "analysis", "numbers"),
    "reports": ("reports", "output", "views", "show"),
    "command line": ("app", "cli", "shell", "front"),
}
_MODULES: Final[Mapping[str, tuple[str, ...]]] = {
    "days": ("days", "dates", "calendar_days", "months"),
    "money": ("money", "cents", "currency", "sums"),
    "durations": ("durations", "hours", "amounts", "spans"),
    "weights": ("weights", "grams", "amounts", "scales"),
    "boxes": ("boxes", "pieces", "amounts", "packs"),
    "pipes": ("escapes", "rows", "lines", "bars"),
    "quoted": ("quoting", "rows", "lines", "commas"),
    "tabs": ("encoding", "rows", "lines", "tabs"),
    "tables_file": ("tables", "reader", "sheets", "content"),
    "blocks_file": ("blocks", "reader", "parts", "content"),
    "records": ("records", "entries", "selection", "loading", "saving"),
    "prices": ("prices", "rates", "discounts", "fees", "extras"),
    "charges": ("charges", "costs", "invoices", "caps"),
    "tallies": ("tallies", "groups", "ranking", "runs", "shares", "means"),
    "layout": ("layout", "columns", "text", "grid"),
    "reports": ("reports", "overview", "details", "history", "compare", "extra", "summary", "lists"),
    "options": ("options", "arguments", "flags", "switches"),
    "program": ("program", "main", "commands", "actions", "dispatch"),
}


def folder_names(rng: Stream) -> dict[str, str]:
    """The folder of each layer; empty if it has none."""
    style = rng.choice(("flat", "folders", "mixed"))
    return {
        layer: "" if style == "flat" or (style == "mixed" and rng.below(2)) else rng.choice(names)
        for layer, names in _FOLDERS.items()
    }


def module_names(rng: Stream) -> dict[str, list[str]]:
    """Names for the modules of each topic, in a drawn order."""
    return {topic: rng.sample(names, len(names)) for topic, names in _MODULES.items()}


def renamed(text: str, domain: Domain) -> str:
    """A text with the nouns of a domain."""
    return re.sub("client", domain.client, re.sub("article", domain.article, text))


def setting_values(plan: Any, domain: Domain) -> dict[str, Any]:
    """The values of all settings, with the nouns of a domain."""
    values = dict(plan["values"])
    values["SPECIAL"] = tuple(domain.articles[place] for place in values["SPECIAL"])
    values["COLUMNS"] = ("day", domain.client, domain.article, "amount", "paid", "status", "note")
    return values
