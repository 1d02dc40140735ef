"""Docstrings as Markdown: the marks of reStructuredText that our docstrings use become those of Markdown."""

from __future__ import annotations

import re
from typing import Any

from griffe import Extension, Object

_ROLE = re.compile(r":(?:class|meth|func|mod|data|attr|obj):`~?([^`]+)`")
_LITERAL = re.compile(r"``([^`]+)``")


class Docstrings(Extension):
    """Rewrites the docstring of each object."""

    def on_instance(self, *, obj: Object, **_: Any) -> None:
        """Rewrite one."""
        if obj.docstring is not None:
            obj.docstring.value = markdown(obj.docstring.value)


def markdown(text: str) -> str:
    """Replace roles, literals, and the colons before a block of code."""
    text = _ROLE.sub(lambda role: f"`{role[1].lstrip('.')}`", text)
    text = _LITERAL.sub(r"`\1`", text)
    text = re.sub(r"^::\n", "", text, flags=re.MULTILINE)
    return re.sub(r"::$", ":", text, flags=re.MULTILINE)
