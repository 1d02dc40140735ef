"""Table of call formats.

The model families that use each, and its syntax.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, Final, NamedTuple

from envhub.core.tools.markers import DEEPSEEK_END, KIMI_END
from envhub.core.types import JSON


class Format(NamedTuple):
    """A call format: who uses it, its opening marker, and its syntax."""

    about: str
    write: Callable[[str, dict[str, JSON]], str]


def write_call(name: str, /, **arguments: JSON) -> str:
    """The text of a call, in the format open to every policy."""
    return _hermes(name, arguments)


def _json(value: Any) -> str:
    return json.dumps(value)


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _hermes(name: str, arguments: dict[str, JSON]) -> str:
    return f"<tool_call>{_json({'name': name, 'arguments': arguments})}</tool_call>"


def _tags(head: str, pair: str, tail: str) -> Callable[[str, dict[str, JSON]], str]:
    def write(name: str, arguments: dict[str, JSON]) -> str:
        return head % name + "".join(pair % (key, _text(value)) for key, value in arguments.items()) + tail

    return write


def _literal(value: JSON) -> str:
    """A value as Python writes it."""
    return repr(value)


FORMATS: Final[dict[str, Format]] = {
    "hermes": Format("Hermes, Qwen 2.5 and 3: JSON in <tool_call>", _hermes),
    "json": Format(
        "OpenAI and others: JSON alone, or in one code fence", lambda n, a: _json({"name": n, "arguments": a})
    ),
    "mistral": Format("Mistral: [TOOL_CALLS]", lambda n, a: f"[TOOL_CALLS]{_json([{'name': n, 'arguments': a}])}"),
    "llama": Format(
        "Llama 3: <|python_tag|> or <function=...> with JSON",
        lambda n, a: f"<|python_tag|>{_json({'name': n, 'parameters': a})}",
    ),
    "pythonic": Format(
        "Llama 3.2 and 4: a list of calls as in Python",
        lambda n, a: f"[{n}({', '.join(f'{key}={_literal(value)}' for key, value in a.items())})]",
    ),
    "qwen3-coder": Format(
        "Qwen3-Coder: <function=...> and <parameter=...>",
        _tags("<tool_call>\n<function=%s>\n", "<parameter=%s>\n%s\n</parameter>\n", "</function>\n</tool_call>"),
    ),
    "deepseek": Format(
        "DeepSeek V3, R1, V3.1, V3.2",
        lambda n, a: (
            "<\uff5ctool\u2581calls\u2581begin\uff5c><\uff5ctool\u2581call\u2581begin\uff5c>"
            f"{n}<\uff5ctool\u2581sep\uff5c>{_json(a)}{DEEPSEEK_END}<\uff5ctool\u2581calls\u2581end\uff5c>"
        ),
    ),
    "glm": Format(
        "GLM 4.5 and later: <arg_key> and <arg_value>",
        _tags("<tool_call>%s\n", "<arg_key>%s</arg_key>\n<arg_value>%s</arg_value>\n", "</tool_call>"),
    ),
    "kimi": Format(
        "Kimi K2",
        lambda n, a: (
            f"<|tool_calls_section_begin|><|tool_call_begin|>functions.{n}:0<|tool_call_argument_begin|>"
            f"{_json(a)}{KIMI_END}<|tool_calls_section_end|>"
        ),
    ),
    "harmony": Format(
        "gpt-oss: a commentary message to=functions.NAME",
        lambda n, a: f"<|channel|>commentary to=functions.{n} <|constrain|>json<|message|>{_json(a)}<|call|>",
    ),
    "invoke": Format(
        "Claude, MiniMax: <invoke> and <parameter>",
        _tags(
            '<function_calls>\n<invoke name="%s">\n',
            '<parameter name="%s">%s</parameter>\n',
            "</invoke>\n</function_calls>",
        ),
    ),
    "react": Format("ReAct: Action and Action Input", lambda n, a: f"Action: {n}\nAction Input: {_json(a)}"),
}
"""All supported formats, by name."""
