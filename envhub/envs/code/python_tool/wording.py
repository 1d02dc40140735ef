"""Phrases and renderings of python-tool-v0."""

from __future__ import annotations

import json
from typing import Final

from envhub.authoring.wording import Phrase, Rendering, Variants
from envhub.authoring.wording.tool_phrases import SUBMIT_ONCE
from envhub.core.types import JSON
from envhub.envs.code.python_tool.questions import MODULUS, asked
from envhub.envs.code.wording import OUTPUT, TIME

TASK: Final = Phrase(
    "Answer this question with one integer.",
    "Find the integer that answers the question, and submit it.",
    "Work out the answer to this question. It is an integer.",
    held_out="Determine the requested integer and submit it.",
)
TASK_OF_PARTS: Final = Phrase(
    "Answer this question, which has several parts, with one integer: the answer to the last part.",
    "Work through the parts of this question and submit one integer, the answer to the last part.",
    "This question has several parts. Find the integer that answers the last one.",
    held_out="Evaluate the chain of questions and submit a single integer, the result of its last member.",
)
_SESSION: Final = Phrase(
    "You have a Python session. What a call of python defines can be used in later calls, and the value of an expression on "
    "the last line is shown.",
    "The tool python runs code in one session: names stay defined from call to call, and if the last line is an expression, "
    "you see its value.",
    "You can run Python code. All calls of python share one session, and the value of a final expression is displayed.",
    held_out="Session: Python, persistent across calls of python, with the value of a trailing expression echoed.",
)
_LIBRARY: Final = Phrase(
    "The session has Python's standard library and no network.",
    "Only Python's standard library is installed, and there is no network.",
    "You can import Python's standard library. The network is not available.",
    held_out="Environment: standard library; no network.",
)
_OPTIONAL: Final = Phrase(
    "You do not have to use the session.",
    "Using the session is optional.",
    "You may also submit the answer without running any code.",
    held_out="Use of the session: optional.",
)
RULES: Final = (_SESSION, _LIBRARY, TIME, OUTPUT, _OPTIONAL, SUBMIT_ONCE)


def _paragraphs(problem: JSON) -> str:
    questions = asked(problem["parts"])
    parts = [f"{_start(problem, number)} {text}" for number, text in enumerate(questions)]
    if len(parts) == 1:
        return f"Question: {parts[0]}"
    return "\n\n".join(f"Part {number}: {part}" for number, part in enumerate(parts, 1))


def _lets(problem: JSON) -> str:
    questions = asked(problem["parts"])
    if len(questions) == 1:
        return f"x = {problem['x']}\n{questions[0]}"
    starts = [problem["x"], *(f"(answer {number}) % {MODULUS}" for number in range(1, len(questions)))]
    rows = (
        f"x = {start}\nQuestion {number}: {text}"
        for number, (start, text) in enumerate(zip(starts, questions, strict=True), 1)
    )
    return "\n\n".join(["Here % is the remainder, and (answer k) is the answer to question k.", *rows])


def _json(problem: JSON) -> str:
    rows = [
        {
            "x": f"(answer to part {number}) mod {MODULUS}" if number else problem["x"],
            "part": number + 1,
            "question": text,
        }
        for number, text in enumerate(asked(problem["parts"]))
    ]
    return "Each part states the value of x and its question.\n\n" + json.dumps(rows, indent=1)


def _chain(problem: JSON) -> str:
    rows = [f"Q{number}(x): {text}" for number, text in enumerate(asked(problem["parts"]), 1)]
    starts = [f"a1 = Q1({problem['x']})", *(f"a{n + 1} = Q{n + 1}(a{n} mod {MODULUS})" for n in range(1, len(rows)))]
    return "\n".join([*rows, "", "Compute " + "; ".join(starts) + f". Wanted: a{len(rows)}."])


def _start(problem: JSON, number: int) -> str:
    return (
        f"x is the remainder of the answer to part {number} divided by {MODULUS}."
        if number
        else f"x is {problem['x']}."
    )


DATA: Final[Variants[Rendering]] = Variants(_paragraphs, _lets, _json, held_out=_chain, name="data")
