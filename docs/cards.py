"""Writes the cards of the gallery, ``envhub/web/cards.json``: ``python docs/cards.py``."""

from __future__ import annotations

import json

from envhub.registry.registry import builtin_ids
from envhub.web.cards import FILE, card


def text() -> str:
    """The content of the file: one line per environment."""
    lines = (f"{json.dumps(id)}: {json.dumps(card(id), ensure_ascii=False)}" for id in builtin_ids())
    return "{" + ",\n".join(lines) + "}\n"


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8")
