"""Text after the JSON arguments of a call makes the call malformed in every format that marks its end."""

from __future__ import annotations

# ruff: noqa: RUF001 (the markers are what they are)
import json
from typing import Any

import pytest

from envhub.authoring import tool
from envhub.core.tools import Call, Malformed, read_calls, tools_of


class Counter:
    @tool
    def add(self, inst: Any, state: Any, number: int) -> Any:
        """Add a number."""


TOOLS = tools_of(Counter)
FORMS = {
    "a string of JSON": lambda body: json.dumps({"name": "add", "arguments": body}),
    "hermes": lambda body: f'<tool_call>{{"name": "add", "arguments": {json.dumps(body)}}}</tool_call>',
    "llama": lambda body: f"<function=add>{body}</function>",
    "deepseek": lambda body: f"<｜tool▁call▁begin｜>add<｜tool▁sep｜>{body}<｜tool▁call▁end｜>",
    "kimi": lambda body: f"<|tool_call_begin|>functions.add:0<|tool_call_argument_begin|>{body}<|tool_call_end|>",
    "harmony": lambda body: f"<|channel|>commentary to=functions.add<|message|>{body}<|call|>",
    "invoke": lambda body: (
        f'<｜DSML｜invoke name="add"><｜DSML｜parameter name="number" string="false">{body}'
        "</｜DSML｜parameter></｜DSML｜invoke>"
    ),
}


@pytest.mark.parametrize("form", FORMS.values(), ids=list(FORMS))
@pytest.mark.parametrize("after", [" {}", " and more", "]", ' {"number": 6}', " 6"])
def test_text_after_the_arguments_is_malformed(form: Any, after: str) -> None:
    whole = "5" if form is FORMS["invoke"] else '{"number": 5}'
    (call,) = read_calls(form(whole + after), TOOLS)
    assert isinstance(call, Malformed)
    assert "must be" in call.feedback


@pytest.mark.parametrize("form", FORMS.values(), ids=list(FORMS))
@pytest.mark.parametrize("space", ["", " ", "\r\n\t"])
def test_white_space_around_the_arguments_is_accepted(form: Any, space: str) -> None:
    whole = "5" if form is FORMS["invoke"] else '{"number": 5}'
    assert read_calls(form(space + whole + space), TOOLS) == [Call("add", {"number": 5})]


@pytest.mark.parametrize("name", ["llama", "deepseek", "kimi"])
def test_a_call_without_its_end_may_be_followed_by_another(name: str) -> None:
    first, second = (FORMS[name](f'{{"number": {number}}}') for number in (5, 6))
    ends = ("</function>", "<｜tool▁call▁end｜>", "<|tool_call_end|>")
    unclosed = next(first.removesuffix(end) for end in ends if first.endswith(end))
    assert read_calls(unclosed + second, TOOLS) == [Call("add", {"number": 5}), Call("add", {"number": 6})]
