"""Phrases that several environments about code share."""

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
TIME: Final = Phrase(
    "Each call of {tool} may run for at most {seconds} seconds. After that it is stopped, and the next call starts a new "
    "session. Files are kept.",
    "A call of {tool} that runs for more than {seconds} seconds is stopped. The next call then starts a new session, with the "
    "same files.",
    "The time limit is {seconds} seconds per call of {tool}. A call that exceeds it is stopped; files are kept, but the next "
    "call starts a new session.",
    held_out="Timeout: {seconds} s per call of {tool}. On timeout the session is reset, except for its files.",
)
OUTPUT: Final = Phrase(
    "At most {shown} characters of the output of a call are shown. Of longer output you see the beginning and the end.",
    "If a call prints more than {shown} characters, the middle of its output is cut out.",
    "You see up to {shown} characters of what a call prints; from longer output, the middle is left out.",
    held_out="Output limit: {shown} characters per call, truncated in the middle.",
)
