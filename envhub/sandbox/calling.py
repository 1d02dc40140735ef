"""Code as action: Python in a session whose calls the environment answers.

The state that the calls read and change stays outside the sandbox, so the code sees what the functions tell it and nothing
else. An environment gives its session the files of :func:`calling_files` and runs code with :func:`run_calling`::

    resources = {"python": Sessions("python", files=lambda problem: calling_files({"double": (["number"], "Twice a number.")}))}

    @tool
    def python(self, inst, state, code):
        text = yield from run_calling("python", code, lambda name, arguments: {"value": 2 * arguments["number"]}, most=100)
        return state, text

In the session, the functions are attributes of ``apis``. A call takes a command of the session, about 2 ms.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from envhub.core.types import JSON
from envhub.sandbox.inside import calling
from envhub.sandbox.jobs import Result
from envhub.sandbox.resource import Effects, cut_output, describe_result, run_command

Answer = Callable[[str, Mapping[str, JSON]], JSON]
"""Answers a call by name and arguments: ``{"value": ...}``, or ``{"refused": why}``, which raises an exception in the code."""

_MODULE: Final = "_apis"
_DESCRIBED: Final = "_apis.json"
_SHOWN: Final = 4000
_LONGEST_CALL: Final = 1 << 16


def calling_files(functions: Mapping[str, tuple[Sequence[str], str]]) -> dict[str, bytes]:
    """The files that a session needs.

    Args:
        functions: For each function its parameters, in order, and its documentation.
    """
    source = Path(calling.__file__).read_bytes()
    described = {name: [list(parameters), about] for name, (parameters, about) in functions.items()}
    return {f"{_MODULE}.py": source, _DESCRIBED: json.dumps(described).encode()}


def run_calling(resource: str, source: str, answer: Answer, most: int) -> Effects:
    """Run code; returns what it printed.

    Args:
        resource: The name under which the environment declares its session.
        source: The code, run in the state that earlier code left.
        answer: Called once per call, in order.
        most: Number of calls after which the code is ended.
    """
    command, printed = _start(source), []
    for left in range(most, -1, -1):
        result = yield from run_command(resource, command)
        said = _message(result)
        if said is None:
            printed.append(describe_result(result, _SHOWN))
            return cut_output("".join(printed), _SHOWN)
        text, call = said
        printed.append(text)
        if call is None:
            return cut_output("".join(printed), _SHOWN) or "[no output]"
        if left == 0:
            break
        command = f"__import__({_MODULE!r}).answer({json.dumps(json.dumps(answer(*call)))})"
    printed.append(f"[The code made {most} calls and was stopped at the next one. What it has done so far stands.]")
    return cut_output("".join(printed), _SHOWN)


def _start(source: str) -> str:
    return (
        f"if 'apis' not in globals():\n import json as _json, {_MODULE}\n"
        f" apis, Refused = {_MODULE}.functions(_json.load(open({_DESCRIBED!r}))), {_MODULE}.Refused\n"
        f"__import__({_MODULE!r}).start({source!a}, globals())"
    )


def _message(result: Result) -> tuple[str, tuple[str, dict[str, Any]] | None] | None:
    """What a command printed, and the call that ended it.

    None if it did not end as it should.
    """
    before, found, message = result.text.rpartition(f"\n{calling.MARK}")
    if not found or result.limit is not None or result.exit != 0 or result.cut:
        return None
    try:
        name, arguments = json.loads(message).get("call") or (None, {})
    except (ValueError, TypeError, AttributeError, RecursionError):
        return None
    text = before + result.stderr.decode("utf-8", "replace")
    if name is None:
        return text, None
    if not isinstance(name, str) or not isinstance(arguments, dict) or len(message) > _LONGEST_CALL:
        return None
    return text, (name, arguments)
