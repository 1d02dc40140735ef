"""Phrases and renderings of lean-tactic-v0."""

from __future__ import annotations

import json
from typing import Final

from envhub.authoring.wording import Phrase, Rendering, Variants, listings
from envhub.core.types import JSON
from envhub.envs.lean.wording import FORBIDDEN, IN_SCOPE, LIBRARY, TACTICS, definitions

TASK: Final = Phrase(
    "Prove this theorem in Lean 4, tactic by tactic.",
    "You are given a theorem. Prove it in Lean 4 step by step, with tactics.",
    "Build a proof of this theorem in Lean 4 interactively, by sending tactics.",
    held_out="Close the goal in Lean 4 interactively, one block of tactics at a time.",
)
TASK_OF_SEVERAL: Final = Phrase(
    "Prove these theorems in Lean 4, one after the other, tactic by tactic.",
    "You are given several theorems. Prove them in the given order in Lean 4, step by step, with tactics.",
    "Build proofs of these theorems in Lean 4 interactively, by sending tactics. Finish each theorem before the next one "
    "begins.",
    held_out="Close the goals of all theorems in Lean 4, in order and interactively, one block of tactics at a time.",
)
_MESSAGE: Final = Phrase(
    "Each message contains one tactic, or several lines of tactics, and nothing else.",
    "Send one tactic or several lines of tactics per message, without any other code.",
    "In each message, write only tactics: a single one, or several lines.",
    held_out="Content of a message: a block of one or more tactics, no other commands.",
)
_FIRST: Final = Phrase(
    "A tactic acts on the first remaining goal.",
    "Every tactic is applied to the first of the remaining goals.",
    "Of the goals that remain, a tactic works on the first.",
    held_out="Target of a tactic: the first open goal.",
)
_REPLY: Final = Phrase(
    "After each message you see the remaining goals. If a tactic in it fails, the whole message changes nothing, and you see "
    "why.",
    "The reply to a message shows the remaining goals, or, if one of its tactics failed, the reason; then nothing in the "
    "message takes effect.",
    "A message takes effect only if all of its tactics succeed. You are shown the remaining goals, or the reason why a tactic "
    "failed.",
    held_out="Messages are atomic: if a tactic fails, the state is unchanged and the error is returned; otherwise the open "
    "goals are.",
)
_UNDO: Final = Phrase(
    "A block that contains only the word undo reverts the last message that changed the proof of the current theorem.",
    "Send a block with only the word undo to revert the last message that changed the proof of the current theorem.",
    "To go back by one message that changed the proof of the current theorem, send a block with nothing but the word undo.",
    held_out="undo, alone in a block: reverts the latest message that changed the proof of the current theorem.",
)
_MESSAGES: Final = Phrase(
    "You may send at most {messages} messages. Messages that change nothing count as well. If you run out of them, you fail. "
    "Each reply ends with the number of messages left.",
    "There are {messages} messages, and you fail if a theorem is still unproved after the last one. A message that changes "
    "nothing counts, too. Each reply ends with the number of messages left.",
    "You fail if you need more than {messages} messages, including those that change nothing. At the end of each reply you "
    "see how many messages are left.",
    held_out="Budget: {messages} messages, including those without effect; failure when it is spent. The remainder is "
    "reported in each reply.",
)


def rules(problem: JSON) -> tuple[Phrase, ...]:
    """The rules of the conversation, and what may be used."""
    given = [IN_SCOPE] if any(part["preamble"] for part in problem["theorems"]) else []
    return (*given, _MESSAGE, _FIRST, _REPLY, _UNDO, _MESSAGES, LIBRARY, TACTICS, FORBIDDEN)


def _blocks(problem: JSON) -> str:
    parts = [
        f"{_label(number, problem)}:\n\n{listings.fenced(part['statement'], 'lean')}{definitions(part)}"
        for number, part in enumerate(problem["theorems"], 1)
    ]
    return "\n\n".join([*parts, problem["goals"]])


def _one_block(problem: JSON) -> str:
    rows = []
    for number, part in enumerate(problem["theorems"], 1):
        given = ["-- given", part["preamble"]] if part["preamble"] else []
        rows.append("\n".join([*given, f"-- {_label(number, problem).lower()}", part["statement"]]))
    block = listings.fenced("\n\n".join(rows), "lean")
    return f"{block}\n\n{problem['goals']}"


def _json(problem: JSON) -> str:
    rows = []
    for part in problem["theorems"]:
        given = {"definitions": listings.lines(part["preamble"])} if part["preamble"] else {}
        rows.append({**given, "theorem": part["statement"]})
    return f"{json.dumps(rows, ensure_ascii=False, indent=1)}\n\n{problem['goals']}"


def _sequents(problem: JSON) -> str:
    rows = []
    for number, part in enumerate(problem["theorems"], 1):
        given = [f"  {line}" for line in part["preamble"].split("\n")] if part["preamble"] else ["  (no definitions)"]
        rows += [f"CONTEXT {number}", *given, f"GOAL {number}", f"  {part['statement']}"]
    return "\n".join([*rows, "", problem["goals"]])


def _label(number: int, problem: JSON) -> str:
    return f"Theorem {number}" if len(problem["theorems"]) > 1 else "Theorem"


DATA: Final[Variants[Rendering]] = Variants(_blocks, _one_block, _json, held_out=_sequents, name="data")
