r"""Common ways of writing a final answer, to test reading.

Each :class:`Wrapping` builds a whole message from an answer's text. A conforming reader reads the same answer from all
of them::

    for wrapping in wrappings_for("375"):
        assert Integer().read(wrapping.wrap("375")).value == 375

A wrapping states which texts it fits: a grid of nine lines does not go into one sentence. Programs keep every
character, so they use only wrappings with ``around_code``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

_LATEX_SIGNS: Final = re.compile(r"[\\{}$&#%_^~]")
_PLAIN_SIGNS: Final = re.compile(r"[*`$|_<>\\{}\[\]\"#]|^\s|\s$")
_YEAR: Final = re.compile(r"[12][0-9]{3}")
_FRACTION: Final = re.compile(r"(-?)([0-9])/([0-9])")
_WORD: Final = re.compile(r"[A-Za-z]{2,}")


class Wrapping(NamedTuple):
    """One way to write an answer.

    Attributes:
        name: Short name.
        wrap: Builds the message from the bare answer.
        fits: Whether it suits a bare answer.
        around_code: It suits programs.
    """

    name: str
    wrap: Callable[[str], str]
    fits: Callable[[str], bool]
    around_code: bool = False


def _any(text: str) -> bool:
    return True


def _line(text: str) -> bool:
    """One line that fits into a sentence."""
    return "\n" not in text and "```" not in text


def _prose(text: str) -> bool:
    """One line without Markdown characters."""
    return _line(text) and _PLAIN_SIGNS.search(text.replace("->", "")) is None


def _latex(text: str) -> bool:
    """One line that LaTeX shows unchanged."""
    return _line(text) and _LATEX_SIGNS.search(text) is None


def _balanced(text: str) -> bool:
    """A text that a box's braces can contain."""
    return text.count("{") == text.count("}")


def _tag(text: str) -> str:
    return f"<answer>{text}</answer>"


def _arrows(text: str) -> str:
    return text.replace("->", "\\to")


def _parts_in_bold(text: str) -> str:
    return ", ".join(f"**{part}**" for part in text.split(", "))


def _short_fraction(text: str) -> str:
    found = _FRACTION.fullmatch(text)
    return f"{found[1]}\\frac{found[2]}{found[3]}" if found else text


WRAPPINGS: Final[tuple[Wrapping, ...]] = (
    Wrapping("answer tags", _tag, _any, True),
    Wrapping("spaces in the tags", lambda text: _tag(f" {text} "), _any, True),
    Wrapping("new lines in the tags", lambda text: _tag(f"\n{text}\n"), _any, True),
    Wrapping("tags in capitals", lambda text: f"<ANSWER>{text}</ANSWER>", _any, True),
    Wrapping("no closing tag", lambda text: f"<answer>{text}", _any, True),
    Wrapping("thoughts before the tags", lambda text: f"<think>Is it 1? No.</think>\n{_tag(text)}", _any, True),
    Wrapping("words before the tags", lambda text: f"I went through it step by step.\n\n{_tag(text)}", _any, True),
    Wrapping("the same tags twice", lambda text: f"{_tag(text)}\n{_tag(text)}", _any, True),
    Wrapping("the end of a chat message", lambda text: f"{_tag(text)}<|im_end|>", _any, True),
    Wrapping("a box", lambda text: f"So \\boxed{{{text}}}.", _balanced, True),
    Wrapping("a box in the tags", lambda text: _tag(f"\\boxed{{{text}}}"), _balanced),
    Wrapping(
        "a box in dollars", lambda text: f"Hence $\\boxed{{{text}}}$.", lambda text: _line(text) and _balanced(text)
    ),
    Wrapping("a displayed box", lambda text: f"Hence\n\\[\n\\boxed{{{text}}}\n\\]", _balanced),
    Wrapping("a box with \\text", lambda text: f"\\boxed{{\\text{{{text}}}}}", _latex),
    Wrapping("a box with \\mathrm", lambda text: f"$\\boxed{{\\mathrm{{{text}}}}}$", _latex),
    Wrapping("a box with \\mathbf", lambda text: f"\\boxed{{\\mathbf{{{text}}}}}", _latex),
    Wrapping("a box with spacing", lambda text: f"\\boxed{{\\,{text}\\,}}", _latex),
    Wrapping(
        "a box with LaTeX arrows", lambda text: f"\\boxed{{{_arrows(text)}}}", lambda text: "->" in text and _line(text)
    ),
    Wrapping("a box with \\#", lambda text: f"\\boxed{{{text.replace('#', chr(92) + '#')}}}", lambda text: "#" in text),
    Wrapping(
        "a short \\frac", lambda text: f"\\boxed{{{_short_fraction(text)}}}", lambda t: bool(_FRACTION.fullmatch(t))
    ),
    Wrapping("bold", lambda text: _tag(f"**{text}**"), _prose),
    Wrapping("bold at the end", lambda text: f"That leaves one.\n\n**{text}**", _prose),
    Wrapping("bold parts", lambda text: _tag(_parts_in_bold(text)), lambda text: _prose(text) and ", " in text),
    Wrapping("dollars", lambda text: _tag(f"${text}$"), _latex),
    Wrapping("displayed", lambda text: _tag(f"\\[{text}\\]"), _latex),
    Wrapping("inline code", lambda text: _tag(f"`{text}`"), lambda text: _line(text) and "`" not in text),
    Wrapping("a code fence", lambda text: _tag(f"```\n{text}\n```"), lambda text: "```" not in text, True),
    Wrapping("a named code fence", lambda text: _tag(f"```text\n{text}\n```"), lambda text: "```" not in text),
    Wrapping(
        "a code fence at the end", lambda text: f"Done:\n\n```\n{text}\n```", lambda text: "```" not in text, True
    ),
    Wrapping("a full stop", lambda text: _tag(f"{text}."), lambda text: _line(text) and text[-1:].isalnum()),
    Wrapping("an exclamation mark", lambda text: _tag(f"{text}!"), lambda text: bool(_WORD.fullmatch(text))),
    Wrapping("The answer is", lambda text: _tag(f"The answer is {text}"), _line),
    Wrapping("Final answer: in bold", lambda text: f"**Final answer:** {text}", _prose),
    Wrapping("My guess:", lambda text: _tag(f"My guess: {text}"), _line),
    Wrapping("So the result is", lambda text: f"We are done.\nSo the result is {text}", _line),
    Wrapping("a heading", lambda text: f"### Answer: {text}", _prose),
    Wrapping("an equals sign", lambda text: _tag(f"= {text}"), lambda text: _line(text) and text[:1] not in "=>"),
    Wrapping("In (a year)", lambda text: _tag(f"In {text}"), lambda text: bool(_YEAR.fullmatch(text))),
    Wrapping("a citation", lambda text: _tag(f"{text} (doc-4)"), _prose),
    Wrapping("several citations", lambda text: _tag(f"{text} [doc-4, doc-12]"), _prose),
    Wrapping("nothing but the answer", str, lambda text: "```" not in text),
)
"""All wrappings; the first is the form that prompts request."""


def wrappings_for(text: str, *, code: bool = False) -> Iterator[Wrapping]:
    """The wrappings that suit a bare answer.

    Args:
        text: The bare answer.
        code: The answer is a program.
    """
    return (wrapping for wrapping in WRAPPINGS if wrapping.fits(text) and (wrapping.around_code or not code))
