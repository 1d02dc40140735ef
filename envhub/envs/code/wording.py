"""Phrases of the environments whose answer is a Python function."""

from __future__ import annotations

from typing import Final

from envhub.authoring.wording import Phrase

OWN_ARGUMENTS: Final = Phrase(
    "Your function may change its arguments. Each call gets its own copy.",
    "It is fine to modify the arguments, because every call receives a fresh copy of them.",
    "Every call passes fresh arguments, so your function may modify them.",
    held_out="In-place changes of arguments are allowed; no two calls share an object.",
)
STANDARD_LIBRARY: Final = Phrase(
    "You may import only modules of Python's standard library, and you do not need to print anything.",
    "Imports are limited to Python's standard library. Nothing needs to be printed.",
    "Printing is not required. Modules outside Python's standard library cannot be imported.",
    held_out="Available imports: the standard library of Python. Required output: none.",
)
