"""The command line."""

from __future__ import annotations

from typing import Any

from envhub.envs.code.repo_repair.library.days import parse_day
from envhub.envs.code.repo_repair.library.settings import DEFAULT_TOP


def parse_options(words: list[str]) -> dict[str, Any]:
    """The arguments and options after the name of a command.

    Returns "words", the arguments that are no options; "since" and "until", numbers of days or None; "status", empty if not
    given; and "top", DEFAULT_TOP if not given. An option is followed by its value: --since 2024-03-05.

    Raises:
        ValueError: An option is unknown or has no right value.
    """
    found: dict[str, Any] = {"words": [], "since": None, "until": None, "status": "", "top": DEFAULT_TOP}
    left = list(words)
    while left:
        word = left.pop(0)
        if not word.startswith("--"):
            found["words"].append(word)
            continue
        name = word[2:]
        if name not in ("since", "until", "status", "top") or not left:
            raise ValueError(f"option {word} is unknown or has no value")
        value = left.pop(0)
        if name == "top":
            found[name] = int(value)
        else:
            found[name] = value if name == "status" else parse_day(value)
    return found
