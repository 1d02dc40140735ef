"""The context of a theorem in a Lean file.

It allows stating the theorem alone. Reads a file command by command, without running Lean: open namespaces and
sections, ``open`` commands, variables. The text before the theorem becomes a preamble with everything closed at its
end::

    context = context_of(text_before_the_theorem)      # ValueError: names the unsupported command
    context.imports, context.preamble, context.within, context.variables

A kernel must check that the statement kept its meaning: the file's own proof must prove it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

from envhub.generators.user_files.theorems import commands, outside

_SCOPE: Final = re.compile(r"(?:(?:public|noncomputable|@\[[^\]]*\])\s+)*(namespace|section|end|mutual)\b\s*(\S*)\s*")
_IMPORT: Final = re.compile(r"(?:public\s+)?import\s+(?:all\s+)?(.*)", re.DOTALL)
_BINDER: Final = re.compile(r"\[[^\[\]]*\]|[({⦃][^(){}⦃⦄]*?:.*[)}⦄]", re.DOTALL)
_PROVED: Final = re.compile(r"(?:@\[[^\]]*\]\s*|(?:private|protected|public|nonrec)\s+)*(?:theorem|lemma)\b")
_PAIRS: Final = {"(": ")", "{": "}", "[": "]", "⦃": "⦄"}


@dataclass(frozen=True, slots=True)
class Context:
    """Context at a position of a file.

    Attributes:
        imports: The modules of the file.
        preamble: All earlier declarations, with every namespace and section closed.
        shown: The same without proofs, which may be asked for in other tasks.
        within: Open namespaces, as ``open Nat`` and similar commands, in order.
        variables: Binders of the variables in scope.
    """

    imports: tuple[str, ...]
    preamble: str
    shown: str
    within: tuple[str, ...]
    variables: str


@dataclass(slots=True)
class _Scope:
    """A namespace, a section, or the file."""

    kind: str
    name: str
    within: list[str] = field(default_factory=list)
    variables: list[str] = field(default_factory=list)
    universes: list[str] = field(default_factory=list)


def context_of(text: str) -> Context:
    """The context at the end of a text.

    Raises:
        ValueError: The text contains something that cannot be moved; the message names it, with its line.
    """
    imports: list[str] = []
    kept: list[str] = []
    scopes = [_Scope("file", "")]
    for line, part in commands(text):
        try:
            if found := _IMPORT.fullmatch(part):
                imports += found[1].split()
                continue
            _take(part, scopes)
        except ValueError as error:
            raise ValueError(f"line {line}: {error}") from None
        if not part.startswith("example"):
            kept.append(part)
    kept += [f"end {scope.name}".strip() for scope in reversed(scopes[1:])]
    ended = scopes[1:]
    if scopes[0].variables:  # otherwise they would be variables of the statement too
        kept, ended = ["section", *kept, "end"], scopes
    if universes := [name for scope in ended for name in scope.universes]:
        kept.append(f"universe {' '.join(universes)}")
    preamble, shown = "\n\n".join(kept), "\n\n".join(map(_without_proof, kept))
    within = tuple(each for scope in scopes for each in scope.within)
    variables = " ".join(each for scope in scopes for each in scope.variables)
    return Context(tuple(imports), preamble, shown, within, variables)


def _without_proof(part: str) -> str:
    """The statement of a theorem without its proof; other commands unchanged."""
    if not _PROVED.match(part):
        return part
    end = outside(part, 0, lambda at: part.startswith((":=", "\n  |", "\n|"), at))
    return f"{part[:end].rstrip()} := …"


def _take(part: str, scopes: list[_Scope]) -> None:
    """Record how a command changes the context of later ones."""
    if re.search(r"\bin\s*$", part):  # applies to the next command only
        return
    scope = scopes[-1]
    word, _, rest = part.partition(" ")
    if found := _SCOPE.fullmatch(part):
        _enter_or_leave(found[1], found[2], scopes)
    elif word == "open":
        scope.within.append(f"open {' '.join(rest.split())}")
    elif word == "variable":
        scope.variables += _binders(rest)
    elif word == "universe":
        scope.universes += rest.split()
    elif word in ("include", "omit"):
        raise ValueError(f"{word!r} changes which variables a theorem has")


def _enter_or_leave(word: str, name: str, scopes: list[_Scope]) -> None:
    if word == "mutual":
        raise ValueError("'mutual' is not understood")
    if word == "end":
        if len(scopes) == 1 or scopes[-1].name != name:
            raise ValueError(f"'end {name}' does not match the open namespace or section")
        scopes.pop()
        return
    scope = _Scope(word, name)
    if word == "namespace":
        outer = ".".join(each.name for each in scopes if each.kind == "namespace")
        scope.within.append(f"open {outer}.{name}" if outer else f"open {name}")
    scopes.append(scope)


def _binders(text: str) -> list[str]:
    """The binders of a ``variable`` command.

    Raises:
        ValueError: A binder changes an earlier one.
    """
    found: list[str] = []
    rest = text.strip()
    while rest:
        end = _closing(rest)
        binder, rest = rest[:end], rest[end:].strip()
        if not _BINDER.fullmatch(binder):
            raise ValueError(f"the variable {binder!r} is not understood")
        found.append(" ".join(binder.split()))
    return found


def _closing(text: str) -> int:
    """Position after the bracket that closes the first one."""
    depth = 0
    for at, char in enumerate(text):
        depth += (char in _PAIRS) - (char in _PAIRS.values())
        if depth <= 0:
            return at + 1
    return len(text)
