"""Fenced blocks are found as Markdown has them, wherever they are set in, and keep their text."""

from __future__ import annotations

import textwrap

import pytest

from envhub.verifiers.answers.fences import fenced
from envhub.verifiers.code.answer import Code


def test_a_block_keeps_its_text() -> None:
    body = "if x:\n    s = '''\n  ~~ a\n'''\n\tpass\n\n"
    assert fenced(f"a\n```python\n{body}```\nb") == [("python", body)]
    inner = "```md\n~~~\nx\n~~~\n```"
    assert fenced(inner) == [("md", "~~~\nx\n~~~\n")]
    assert fenced("no fence ``` here") == []


LOOP = 'def f(x):\n    """Doubles.\n\n    ```\n    f(1)\n    ```\n    """\n    for _ in "a":\n\tx += x\n    return x\n'


@pytest.mark.parametrize("indent", ["", " ", "   ", "    ", "      ", "\t", "\t\t", " \t"])
@pytest.mark.parametrize("marks", ["```", "~~~", "`````"])
def test_what_stands_before_the_fence_is_taken_from_every_line(indent: str, marks: str) -> None:
    block = f"{marks}python\n{LOOP}{marks}"
    text = f"1. The program:\n\n{textwrap.indent(block, indent)}\n\nThat is all."
    assert fenced(text) == [("python", LOOP)]
    assert Code().read(text).value == LOOP
    assert fenced(textwrap.indent(f"{marks}python\n{LOOP}", indent)) == [("python", LOOP)]  # never closed
    compile(LOOP.replace("\t", "        "), "x", "exec")


@pytest.mark.parametrize("item", ["- ", "* ", "+   ", "1. ", "12) ", "  - ", "-\t"])
def test_a_fence_may_be_the_first_line_of_an_item(item: str) -> None:
    within = " " * len(item.expandtabs(4))
    text = f"{item}```python\n{textwrap.indent(LOOP, within)}{within}```\n{item}Done."
    assert fenced(text) == [("python", LOOP)]


def test_lines_set_in_less_and_tabs_in_part() -> None:
    assert fenced("   ```\n     a\n  b\nc\n\n   ```") == [("", "  a\nb\nc\n\n")]
    assert fenced("  ```\n\ta\n\t\tb\n  ```") == [("", "  a\n  \tb\n")]
    assert fenced("\t```\n    a\n\t\tb\n```") == [("", "a\n\tb\n")]
    assert fenced("  ```\n  s = '\u2028  x\x0c  y'\n  ```") == [("", "s = '\u2028  x\x0c  y'\n")]


@pytest.mark.parametrize("inner", ["    ```", "\t```", "```python", "``", "~~~", "- ```", "```x```"])
def test_what_does_not_close_a_block(inner: str) -> None:
    assert fenced(f"```python\na\n{inner}\nb\n```") == [("python", f"a\n{inner}\nb\n")]
    assert fenced("```python\na\n   ```\nb") == [("python", "a\n")]  # and this does


@pytest.mark.parametrize("filling", ["a", " ", "\t", " a", "`a", "- "])
def test_long_lines_are_read_to_their_end(filling: str) -> None:
    # each character once: a pattern that goes back would take minutes; a test that hangs is stopped by whoever runs it
    long = filling * 200_000
    assert fenced(f"```{long}`\nx\n```")
    assert fenced(f"{long}```") in ([], [("", "")])
    assert fenced(f"```\n{long}")[0][0] == ""
