r"""Extracts the final answer from a model's text.

The rules, the same for every environment:

1. The content of ``<think> ... </think>`` is dropped; an unclosed opening tag drops everything after it, a closing tag
   without an opening one (which the template contains) drops everything before it.
2. Of the forms present, the first one counts: ``<answer> ... </answer>``, then ``\boxed{...}``, then the end of the text.
3. *All* spans of that form are returned; the caller decides whether they agree.

Everything here is linear in the length of the text.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final, Literal

Form = Literal["tag", "boxed", "last"]
FORMS: Final[tuple[Form, ...]] = ("tag", "boxed", "last")

_THINK = re.compile(r"(?i:<(/?)(?:seed:)?think(?:ing)?>)|\[(/?)THINK\]|\u25c1(/?)think\u25b7")
_ANGLED = re.compile(r"<(/?)(?:seed:)?think(?:ing)?>", re.IGNORECASE)  # found seven times as fast as the three together
# gpt-oss: thoughts are messages of the channel "analysis"; the headers of other messages are no text of the answer
_HARMONY = re.compile(
    r"<\|channel\|>analysis\b[^<>\n]{0,120}<\|message\|>.*?(?:<\|end\|>|(?=<\|(?:start|channel)\|>)|\Z)"
    r"|(?:<\|start\|>assistant)?<\|channel\|>(?:final|commentary)[^<>\n]{0,120}<\|message\|>"
    r"|<\|start\|>assistant(?=<\|channel\|>)",
    re.DOTALL,
)
_ANSWER = re.compile(r"</?answer>", re.IGNORECASE)
_ENDS: Final = (
    "<|im_end|>",
    "<|endoftext|>",
    "<|eot_id|>",
    "<|end_of_text|>",
    "<|end|>",
    "<|return|>",
    "</s>",
    "<eos>",
    "<end_of_turn>",
    "<\uff5cend\u2581of\u2581sentence\uff5c>",
)
_BRACES = re.compile(r"\\(?:boxed|fbox)\s{0,8}\{|\\.|[{}]", re.DOTALL)

_AROUND: Final = 16  # more differing spans than any caller reads
_MORE = re.compile(r"(?<![A-Za-z\\])[0-9A-Za-z]")  # a letter or digit outside a command


def drop_thinking(text: str) -> str:
    """The text without its thoughts (rule 1)."""
    kept: list[str] = []
    depth = start = 0
    pattern = _THINK if "THINK]" in text or "\u25c1" in text else _ANGLED
    for tag in pattern.finditer(text):
        if not any(tag.groups()):
            if depth == 0:
                kept.append(text[start : tag.start()])
            depth += 1
        elif depth:
            depth -= 1
            start = tag.end()
        else:
            kept.clear()
            start = tag.end()
    if depth == 0:
        kept.append(text[start:])
    return "".join(kept)


def find_spans(text: str, tail: Callable[[str], str]) -> tuple[Form, list[str]]:
    """The form in which the text answers, and its spans.

    By rules 1 to 3.

    Args:
        text: The model's text.
        tail: Returns the end of a text that may be an answer by itself, for text without another form.
    """
    if "<" in text or "THINK]" in text or "\u25c1" in text:
        text = drop_end_tokens(text)
        text = drop_thinking(_HARMONY.sub("", text) if "<|channel|>" in text else text)
        spans = tagged(text)
        if spans:
            return "tag", spans
    if "\\" in text:
        spans = boxed(text)
        if spans:
            return "boxed", spans
    return "last", [tail(text)]


def drop_end_tokens(text: str) -> str:
    """The text without end-of-message tokens, which some samplers leave in."""
    for _ in range(4):
        text = text.rstrip()
        if not text.endswith(_ENDS):
            break
        text = text[: -len(next(end for end in _ENDS if text.endswith(end)))]
    return text


def tagged(text: str) -> list[str]:
    """The content of answer tags.

    From the last opening tag before each closing one. The last tag may be unclosed: samplers stop at ``</answer>`` and
    cut it off.
    """
    spans: list[str] = []
    opened: int | None = None
    for tag in _ANSWER.finditer(text):
        if text[tag.start() + 1] != "/":
            opened = tag.end()
        elif opened is not None:
            spans.append(text[opened : tag.start()])
            opened = None
    if opened is not None:
        spans.append(text[opened:])
    return [span for span in spans if span and not span.isspace()] or spans[:1]  # empty tags are only a mention


def boxed(text: str) -> list[str]:
    r"""The content of ``\boxed{...}``, braces matched; for nested boxes the innermost.

    A box that contains a box and more is a span too: then the two must agree.
    """
    spans: list[str] = []
    stack: list[tuple[int, int]] = []  # for each open brace: start of its content, start of its box; -1 if not a box
    inner = (-1, -1)  # the last closed box: its start, including the command, and its end
    around = 0  # boxes that contain more than a box
    for token in _BRACES.finditer(text):
        symbol, end = token.group(), token.start()
        if symbol[0] == "\\" and symbol[-1] == "{" and len(symbol) > 2:
            stack.append((token.end(), end))
        elif symbol == "{":
            stack.append((-1, -1))
        elif symbol == "}" and stack:
            start, begin = stack.pop()
            if start < 0:
                continue
            more = start <= inner[1] and (_MORE.search(text, start, inner[0]) or _MORE.search(text, inner[1], end))
            if start > inner[1] or (more and around < _AROUND):
                around += start <= inner[1]
                spans.append(text[start:end])
            inner = (begin, token.end())
    return spans


def last_line(text: str) -> str:
    """The last line that is not blank, or an empty string."""
    end = len(text.rstrip())
    start = text.rfind("\n", 0, end) + 1
    return text[start:end]
