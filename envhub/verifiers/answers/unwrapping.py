r"""Removes decoration around an answer, for every answer type.

:func:`views` returns the possible readings of a span, the smallest change first. An answer type parses the first one
that it can read, so a text that is readable verbatim is never changed::

    list(views(r"\boxed{\text{X}}"))                # ["\\text{X}", "X"]
    list(views("My guess: **375** (doc-4)"))        # ["My guess: **375** (doc-4)", "375"]

Only text without meaning is removed: markup that a renderer would not show, a lead-in from a fixed list, a citation of
documents, a full stop or exclamation marks at the end. Any other word is kept, so a negation, a second value or a
remark makes the answer unreadable. Time is linear in the length of the span; spans above 4,096 characters are left
alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from envhub.verifiers.answers.fences import fenced

MAX_CHARS: Final = 4_096
"""Longer spans have no views except their undecorated text."""
_LAYERS: Final = 8

# -- around an answer --------------------------------------------------------------------------------------------------

_LEAD = re.compile(
    r"(?:#{1,6}\s{1,3})?(\*\*|__)?(?:(?:so|thus|hence|therefore),?\s{1,3})?(?:the\s{1,3})?(?:final\s{1,3})?"
    r"answer(?:\s{0,3}[:=]|\s{1,3}is\b\s{0,3}:?)\s{0,3}(?(1)\1)\s{0,8}|#{4}\s{1,3}",
    re.IGNORECASE,
)
_WRAPS: Final = (("**", "**"), ("$$", "$$"), ("$", "$"), ("`", "`"), ("\\(", "\\)"), ("\\[", "\\]"))

_LEAD_IN = re.compile(
    r"""(?:\#{1,6}\s{1,3})?(?P<bold>\*\*|__)?
    (?:(?:so|thus|hence|therefore|finally|then|and|now|ok|okay|sure),?\s{1,3}){0,2}
    (?:
      (?:(?:my|our|the|a)\s{1,3})?
      (?:(?:final|best|next|correct|right|exact|short|numerical|own|complete|required|returned?)\s{1,3}){0,2}
      (?:answer|result|solution|guess|choice|move|action|step|value|output|number|total|conclusion|response|path|plan
        |expression|word|code|offer|allocation|grid|table|year|name)
      (?:\s{0,3}[:=](?![=>])|\s{1,3}(?:is|would\s{1,3}be)\b\s{0,3}:?)
      |(?:i|we)\s{1,3}(?:choose|pick|play|guess|submit|answer|go\s{1,3}with)\b\s{0,3}:?
    )\s{0,3}(?(bold)(?P=bold))\s{0,8}
    |={1,2}(?![=>])\s{0,3}
    |\#{1,6}\s{1,3}
    |(?:in\s{1,3}(?:the\s{1,3}year\s{1,3})?|the\s{1,3}year\s{1,3})(?=[12][0-9]{3}(?![0-9]))""",
    re.IGNORECASE | re.VERBOSE,
)
_REFERENCE: Final = r"(?:doc(?:ument)?|page|source|ref(?:erence)?|passage|chunk|article|file)s?[-_ \#]{0,2}[0-9]{1,6}"
_CITATION = re.compile(
    rf"""\s{{0,3}}(?:[(\[\u3010]\s?(?:(?:see|from|sources?|according\s{{1,3}}to|cf\.?):?\s{{1,3}})?
    {_REFERENCE}(?:(?:\s?[,;]\s?|\s{{1,3}}and\s{{1,3}})(?:{_REFERENCE}|[0-9]{{1,6}})){{0,8}}\s?[)\]\u3011]|\[\^[0-9]{{1,3}}\])$""",
    re.IGNORECASE | re.VERBOSE,
)
_JSON = re.compile(
    r"\{\s{0,8}\"(?:final[_ ])?answer\"\s{0,4}:\s{0,4}([^\"]*|\"[^\"\\]*\")\s{0,8},?\s{0,8}\}", re.IGNORECASE
)
_BOX = re.compile(r"\\(?:boxed|fbox)\s{0,4}\{")

# -- within an answer --------------------------------------------------------------------------------------------------

_COMMAND = re.compile(
    r"\\(?:text(?:bf|it|rm|sf|tt|sc|normal)?|math(?:rm|bf|it|sf|tt|normal)|[mh]box|operatorname\*?|boldsymbol|bm|emph)"
    r"\s{0,4}\{([^{}]*)\}"
)
_FRACTION = re.compile(
    r"\\[dtc]?frac(?:\s{0,4}\{([^{}]{1,80})\}|\s{0,4}([0-9])|\s{1,4}([A-Za-z]))\s{0,4}(?:\{([^{}]{1,80})\}|([0-9A-Za-z]))"
)
_SPACING = re.compile(r"\\(?:[,;:! ]|(?:q?quad|left|right|displaystyle|textstyle|[bB]igg?[lr]?)(?![A-Za-z]))")
_ESCAPED = re.compile(r"\\([#%&_$])")
_ARROW = re.compile(
    r"-{2,3}>|={1,2}>|[\u2192\u27f6\u21d2\u27f9\u2794]|\\(?:to|mapsto|(?:long)?rightarrow|Rightarrow|implies)(?![A-Za-z])"
)
_EXCLAIMED = re.compile(
    r"(?:(?<![A-Za-z\\])(?!abc|xyz)[A-Za-z]{3,40}|^(?:[A-H]|[Nn]o))!+$"
)  # "5!" and "n!" are factorials
_EMPHASIS = re.compile(r"(?<![\w*])(\*{2,3})(?=[^\s*])([^*\n]{1,400}?)(?<=[^\s*])\1(?![\w*])")
_STRONG = re.compile(r"(?<!\w)__(?=[^\s_])([^_\n]{1,400}?)(?<=[^\s_])__(?!\w)")
_INLINE = re.compile(r"(?<![\w`])`([^`\n]{1,400})`(?![\w`])")
_MATHS = re.compile(r"(?<![\w$\\])\$(?=[^\s$])([^$\n]{1,400}?)(?<=[^\s$\\])\$(?![\w$])(?!\s?(?:[*/+^=]|-(?![->])))")


def views(span: str, lead_in: re.Pattern[str] | None = None) -> Iterator[str]:
    """The possible readings of a span, without duplicates; first the undecorated span.

    Args:
        span: A model's answer.
        lead_in: Prefixes allowed before an answer of this type, besides the general ones.
    """
    first = undecorated(span)
    yield first
    yield from further_views(span, first, lead_in)


def further_views(span: str, first: str, lead_in: re.Pattern[str] | None = None) -> Iterator[str]:
    """The views after the first: without decoration, then without inner markup."""
    if len(span) > MAX_CHARS:
        return
    stripped = peeled(span, lead_in)
    if stripped and stripped != first:
        yield stripped
    plain = peeled(_rendered(span), lead_in)  # of the span: "**A**, cost **9**" has no layer around the whole
    if plain and plain not in (first, stripped):
        yield plain


def plainest(span: str, lead_in: re.Pattern[str] | None = None) -> str:
    """The last view of a span."""
    *_, last = views(span, lead_in)
    return last


def undecorated(span: str) -> str:
    """A span without outer decoration.

    Spaces, lead-in, one full stop, emphasis, dollars, a box.
    """
    text = span.strip()
    for _ in range(4):
        before = text
        lead = _LEAD.match(text)
        if lead:
            text = text[lead.end() :]
        elif text[-1:].isalnum():  # every decoration except a lead-in ends in a sign
            break
        if text.endswith(".") and not text.endswith(".."):
            text = text[:-1].rstrip()
        for left, right in _WRAPS:
            if left == "`" and "\n" in text:
                continue  # a code fence, handled by the type
            if text.startswith(left) and text.endswith(right) and len(text) >= len(left) + len(right):
                text = text[len(left) : len(text) - len(right)].strip()
        if text.startswith("\\boxed{") and text.endswith("}"):
            text = text[7:-1].strip()
        if text == before:
            break
    return text


def peeled(span: str, lead_in: re.Pattern[str] | None) -> str:
    """A span without the layers around an answer."""
    text = span.strip()
    for _ in range(_LAYERS):
        before = text
        text = _unfenced(_uncited(undecorated(text)))
        lead = _LEAD_IN.match(text) or (lead_in.match(text) if lead_in else None)
        if lead:
            text = text[lead.end() :].strip()
        object_ = _JSON.fullmatch(text)
        if object_:
            text = object_[1].strip().strip('"').strip()
        box = _BOX.match(text)
        if box and text.endswith("}") and "\\boxed" not in text[box.end() :]:
            text = text[box.end() : -1].strip()
        for delimiter in ("***", "__"):
            if text.startswith(delimiter) and text.endswith(delimiter) and len(text) > 2 * len(delimiter):
                text = text[len(delimiter) : -len(delimiter)].strip()
        if text == before:
            break
    return text


def _uncited(text: str) -> str:
    """The text without a citation and trailing exclamation marks."""
    cited = _CITATION.search(text) if text[-1:] in (")", "]", "\u3011") else None
    if cited:
        text = text[: cited.start()].rstrip()
    return text.rstrip("!") if text[-1:] == "!" and _EXCLAIMED.search(text) else text


def _unfenced(text: str) -> str:
    """The content of a fence that spans the whole text."""
    if text[:3] not in ("```", "~~~"):
        return text
    if "\n" not in text:
        return text[3:-3].strip() if len(text) > 6 and text.endswith(text[:3]) and text[:3] not in text[3:-3] else text
    blocks = fenced(text)
    closed = text.endswith(text[:3]) or text.count(text[:3]) == 1
    return blocks[0][1].strip() if len(blocks) == 1 and closed else text


def _rendered(text: str) -> str:
    """The text as rendered: without markup, and with every arrow as ``->``."""
    if "\\" in text:
        for _ in range(4):
            opened = _COMMAND.sub(_content, text)
            if opened == text:
                break
            text = opened
        text = _FRACTION.sub(_fraction, _ESCAPED.sub(r"\1", _SPACING.sub(" ", text)))
    text = _ARROW.sub("->", text)
    if "*" in text:
        text = _EMPHASIS.sub(r"\2", text)
    if "_" in text:
        text = _STRONG.sub(r"\1", text)
    if "`" in text:
        text = _INLINE.sub(r"\1", text)
    if "$" in text:
        text = _MATHS.sub(r"\1", text)
    return text


def _content(command: re.Match[str]) -> str:
    """A command's output, separated from adjacent letters and digits.

    So no new word forms.
    """
    text, start, end = command.string, command.start(), command.end()
    before = " " if text[max(0, start - 1) : start].isalnum() else ""
    after = " " if text[end : end + 1].isalnum() else ""
    return f"{before}{command[1]}{after}"


def _fraction(found: re.Match[str]) -> str:
    return f"\\frac{{{found[1] or found[2] or found[3]}}}{{{found[4] or found[5]}}}"


_ONE_NUMBER: Final = r"[-+\u2212]?\s?(?:[0-9][0-9.,/\s]{0,1000}|\\(?:boxed|[dtc]?frac)[\s{}0-9]{2,1000})"


@lru_cache(maxsize=64)
def before_a_number(words: tuple[str, ...]) -> re.Pattern[str]:
    """A letter with an equals sign, or some words, before numbers."""
    called = "".join(
        rf"|{re.escape(word)}\b(?:\s{{1,3}}(?:no\.?|number|is))?\s{{0,3}}[:=#]?\s{{0,3}}" for word in words
    )
    return re.compile(rf"[a-z](?:_?\{{?[0-9]{{1,2}}\}}?)?\s{{0,3}}=\s{{0,3}}(?={_ONE_NUMBER}$){called}", re.IGNORECASE)


# -- the end of a text -------------------------------------------------------------------------------------------------

_DISPLAYS: Final = {"$$": "$$", "\\]": "\\["}


def last_block(text: str) -> str:
    """The fenced block or displayed formula that ends a text.

    Empty if there is neither.
    """
    text = text.rstrip()
    line_at = text.rfind("\n") + 1
    line = text[line_at:].strip()
    if line_at == 0 or not line:
        return ""
    opener = _DISPLAYS.get(line)
    if opener is None and line[:3] in ("```", "~~~") and not line.strip(line[0]):
        opener = line
    if opener is None:
        return ""
    start = text.rfind(opener, 0, line_at)
    begun = text.rfind("\n", 0, start) + 1
    return text[start:] if start >= 0 and not text[begun:start].strip() else ""
