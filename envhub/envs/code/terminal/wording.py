"""Phrases and renderings of terminal-v0."""

from __future__ import annotations

import json
from typing import Final

from envhub.authoring.wording import Phrase, Rendering, Variants
from envhub.core.types import JSON
from envhub.envs.code.shell.wording import DONE, EMPTY, LINES, ORDER, SHELL
from envhub.envs.code.wording import OUTPUT, TIME

TASK: Final = Phrase(
    "You look after a server, whose files are in the working directory of a shell. Handle these tickets, in order.",
    "A server is in your care; its files are in the working directory of a shell. Work on the tickets one after the "
    "other.",
    "Here are tickets about a server. Its files are in the working directory of a shell that you can use. Handle "
    "the tickets in the order in which they stand.",
    held_out="Role: administrator of the server in the shell's working directory. Process the tickets in sequence.",
)
_RUNBOOK: Final = Phrase(
    "The conventions of the server are in share/runbook.txt. Read them first.",
    "How this server is set up is explained in share/runbook.txt, which you should read before anything else.",
    "Begin with share/runbook.txt: it states the conventions that hold on this server.",
    held_out="Conventions: see share/runbook.txt before acting.",
)
_NOTHING_ELSE: Final = Phrase(
    "At the end, every file must be as it is when the tickets have been handled, and there may be no other file. "
    "What no ticket is about must not change.",
    "Only what the tickets ask for may be different at the end: no other file may be changed, missing or new.",
    "Change nothing that no ticket is about, and delete files that you create for yourself: every file is checked "
    "at the end.",
    held_out="The final files are compared exactly; changes beyond the tickets, and additional files, are failures.",
)
_HASTE: Final = Phrase(
    "A ticket reports what a colleague noticed. For the facts, look in the files of the server.",
    "Look up what a ticket does not say; the files of the server decide.",
    "Do not guess where something is or which value holds: the files tell you.",
    held_out="Tickets are reports. Facts come from the files.",
)
RULES: Final = (_RUNBOOK, _HASTE, LINES, ORDER, _NOTHING_ELSE, EMPTY, SHELL, TIME, OUTPUT, DONE)


def _numbered(texts: JSON) -> str:
    return "Tickets:\n" + "\n".join(f"{number}. {text}" for number, text in enumerate(texts, 1))


def _mails(texts: JSON) -> str:
    return "\n\n".join(f"Ticket {number}\n> {text}" for number, text in enumerate(texts, 1))


def _json(texts: JSON) -> str:
    return json.dumps({"tickets": texts}, indent=1, ensure_ascii=False)


def _board(texts: JSON) -> str:
    return "OPEN\n" + "\n".join(f"[T{number}] {text}" for number, text in enumerate(texts, 1))


DATA: Final[Variants[Rendering]] = Variants(_numbered, _mails, _json, held_out=_board, name="data")
