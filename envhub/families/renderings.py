"""Renderings that members of several families share."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from envhub.authoring.wording import Variants


def listed(field: str, name: str) -> Variants[Callable[[Any], str]]:
    """Renderings of a list of numbers.

    On one line, one per line, as JSON; held out: with indices.

    Args:
        field: The field of the problem that holds the list.
        name: What one number is called, in the singular: ``"number"``.
    """

    def on_a_line(problem: Any) -> str:
        return f"{name.capitalize()}s: {', '.join(map(str, problem[field]))}"

    def on_lines(problem: Any) -> str:
        return "\n".join([f"The {name}s, one per line:", *map(str, problem[field])])

    def as_json(problem: Any) -> str:
        return json.dumps({f"{name}s": problem[field]})

    def indexed(problem: Any) -> str:
        return "\n".join(f"{name}[{at}] = {value}" for at, value in enumerate(problem[field], 1))

    return Variants(on_a_line, on_lines, as_json, held_out=indexed, name="data")
