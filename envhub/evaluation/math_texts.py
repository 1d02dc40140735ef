r"""Final answers of texts in LaTeX that follow no format.

The last boxes count, else a stated value, else the last formula, else the text.

math-verify's tests have whole solutions on both sides, of golds too::

    gold_of_text("Hence $x = \\boxed{3}$.")         # "3"
"""

from __future__ import annotations

import re
from typing import Final

from envhub.verifiers.answers.extraction import boxed, drop_thinking

_FORMULA: Final = re.compile(r"\$\$(.+?)\$\$|(?<!\\)\$(.+?)(?<!\\)\$|\\\[(.+?)\\\]|\\\((.+?)\\\)", re.DOTALL)
_ONLY: Final = re.compile(r"^\s*(?:\$[^$]*\$|\$\$[^$]*\$\$)(?:\s*(?:,|;|and|or)\s*(?:\$[^$]*\$))*\s*\.?\s*$")
_JOINED: Final = 60
_BETWEEN: Final = re.compile(r"[,;]|\b(?:and|or)\b|^[\s$}]*$")
_PHRASE: Final = re.compile(r"(?:\*\*)?(?:final answer|the answer)\s*(?:is\b|:)\s*(?:\*\*)?:?", re.IGNORECASE)
_AFTERWORDS: Final = re.compile(r"\.?\s*I hope it is correct.*|<\|im_(?:start|end)\|>.*", re.DOTALL)
_VALUE: Final = re.compile(r"\bis(?: equal to)?:?\s+(?=[\\$(\[0-9-])")
_NUMBER: Final = re.compile(r"-?\$?[0-9][0-9,]*(?:\.[0-9]+)?(?:/[0-9]+)?\s?\\?%?")
_CONCLUSION: Final = re.compile(r"\b(?:Therefore|Thus|Hence|So),? .*", re.DOTALL)
_PERCENT: Final = re.compile(r"\s*(?:\\?%|percent(?:age)?\b|pct\b)")


def gold_of_text(text: str) -> str:
    """The gold answer in a text: its boxes, else the whole text."""
    text = text.replace("\\\\", "\\") if "\\\\boxed" in text else text
    if "\\boxed" not in text:
        return text
    return final_of_text(text) if boxed(text) else text.replace("\\boxed{", "")


def final_of_text(text: str) -> str:
    """The final answer of a text."""
    text = drop_thinking(text).replace("\\\\boxed", "\\boxed")
    phrases = [*_PHRASE.finditer(text)]
    spans = boxed(text)
    if spans and not (phrases and "\\boxed" not in text[phrases[-1].end() :]):
        rest = _PERCENT.match(text[text.rfind(spans[-1]) + len(spans[-1]) :].lstrip("}$ "))
        return ", ".join(_together(text, spans)) + (rest.group() if rest else "")
    if phrases:
        return _stated(_AFTERWORDS.sub("", text[phrases[-1].end() :]))
    formulas = [*_FORMULA.finditer(text)]
    if not formulas and len(text.split()) > 5:
        return _stated(_AFTERWORDS.sub("", text))
    if not formulas or _ONLY.match(text):
        return text
    rest = _PERCENT.match(text[formulas[-1].end() :])
    concluded = _CONCLUSION.search(text[formulas[-1].end() :])
    if concluded and _NUMBER.search(concluded.group()):
        return _stated(_AFTERWORDS.sub("", concluded.group()))
    return next(part for part in formulas[-1].groups() if part) + (rest.group() if rest else "")


def _stated(text: str) -> str:
    """The value after the last "is", else the last number."""
    text = re.sub(r"\\?[\"\u201c\u201d]", "", text).strip().removesuffix(".")
    values = [*_VALUE.finditer(text)]
    if values:
        return text[values[-1].end() :]
    if len(text.split()) < 6:
        return text
    numbers = _NUMBER.findall(text)
    return numbers[-1].strip() if numbers else text


def _together(text: str, spans: list[str]) -> list[str]:
    """The last box, and the boxes shortly before it."""
    found = [spans[-1]]
    at = text.rfind(spans[-1])
    for span in reversed(spans[:-1]):
        end = text.rfind(span, 0, at) + len(span)
        between = text[end:at].removeprefix("}").removesuffix("\\boxed{")
        if at - end > _JOINED or re.search(r"[.?!] |\n\n", between) or not _BETWEEN.search(between):
            break
        at = end - len(span)
        found.insert(0, span)
    return list(dict.fromkeys(found))
