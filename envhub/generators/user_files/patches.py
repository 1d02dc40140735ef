"""Unified diffs, as git writes them: read, reversed and applied to texts.

A hunk is applied where its old lines are, at the line that it names or as near to it as they occur; nothing is guessed::

    for change in parse(diff):
        text = change.applied(text)          # ValueError: the old lines are not there
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

_HUNK: Final = re.compile(r"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
_LINE: Final = re.compile(r"[^\n]*\n|[^\n]+")
"""A line with its end; form feeds and other separators of lines in Unicode do not end one in a diff."""
_NONE: Final = "/dev/null"


@dataclass(frozen=True, slots=True)
class Hunk:
    """Lines that are replaced.

    Attributes:
        start: Number of the first old line, from 1; of the line before it if it does not exist.
        new_start: The same for the new lines.
        old: The old lines with their ends.
        new: The new lines with their ends.
    """

    start: int
    new_start: int
    old: tuple[str, ...]
    new: tuple[str, ...]

    def reversed(self) -> Hunk:
        """The hunk that undoes this one."""
        return Hunk(self.new_start, self.start, self.new, self.old)

    def written(self) -> str:
        """The hunk as lines of a diff, without common lines."""
        rows = [*(f"-{line}" for line in self.old), *(f"+{line}" for line in self.new)]
        ends = (row if row.endswith("\n") else f"{row}\n\\ No newline at end of file\n" for row in rows)
        return f"@@ -{self.start},{len(self.old)} +{self.new_start},{len(self.new)} @@\n" + "".join(ends)


@dataclass(frozen=True, slots=True)
class FileChange:
    """What a diff does to one file.

    Attributes:
        old: Its path before; None if it is new.
        new: Its path after; None if it is deleted.
        hunks: In order of lines.
    """

    old: str | None
    new: str | None
    hunks: tuple[Hunk, ...]

    def applied(self, text: str) -> str:
        """The text after the change.

        Raises:
            ValueError: The old lines of a hunk are not in the text.
        """
        lines = _LINE.findall(text)
        result: list[str] = []
        done = 0
        for hunk in self.hunks:
            at = _found(lines, hunk, done)
            if at is None:
                raise ValueError(f"the old lines at line {hunk.start} of {self.old or self.new} are not there.")
            result += [*lines[done:at], *hunk.new]
            done = at + len(hunk.old)
        return "".join([*result, *lines[done:]])

    def reversed(self) -> FileChange:
        """The change that undoes this one."""
        return FileChange(self.new, self.old, tuple(hunk.reversed() for hunk in self.hunks))

    def written(self) -> str:
        """The change as a diff."""
        old, new = (f"{side}/{path}" if path else _NONE for side, path in (("a", self.old), ("b", self.new)))
        return f"--- {old}\n+++ {new}\n" + "".join(hunk.written() for hunk in self.hunks)


def parse(diff: str) -> list[FileChange]:
    """The changes of a diff, by file.

    Raises:
        ValueError: It is not a unified diff of texts.
    """
    lines = diff.split("\n")
    if any(line.startswith(("GIT binary patch", "Binary files ")) for line in lines):
        raise ValueError("the diff changes binary files; only texts can be patched.")
    found: list[tuple[str | None, str | None, list[Hunk]]] = []
    at = 0
    while at < len(lines):
        head = _HUNK.match(lines[at])
        if lines[at][:4] == "--- " and at + 1 < len(lines) and lines[at + 1][:4] == "+++ ":
            found.append((_path(lines[at][4:]), _path(lines[at + 1][4:]), []))
            at += 2
        elif head is not None and found:
            hunk, at = _hunk(lines, at + 1, head)
            found[-1][2].append(hunk)
        else:
            at += 1
    if not found:
        raise ValueError("a patch must be a unified diff with the lines '--- a/FILE' and '+++ b/FILE'.")
    return [FileChange(old, new, tuple(hunks)) for old, new, hunks in found]


def _hunk(lines: list[str], at: int, head: re.Match[str]) -> tuple[Hunk, int]:
    """The hunk whose lines begin here, and where they end."""
    many_old, many_new = int(head[2] or 1), int(head[4] or 1)
    old: list[str] = []
    new: list[str] = []
    sides: tuple[list[str], ...] = ()
    while at < len(lines) and (len(old) < many_old or len(new) < many_new or lines[at].startswith("\\")):
        sign, text = lines[at][:1] or " ", lines[at][1:] + "\n"
        if sign == "\\":  # the line before has no end
            for side in sides:
                side[-1] = side[-1][:-1]
        elif sign not in " -+":
            raise ValueError(f"unexpected line in a hunk: {lines[at][:80]!r}.")
        else:
            sides = {" ": (old, new), "-": (old,), "+": (new,)}[sign]
            for side in sides:
                side.append(text)
        at += 1
    if (len(old), len(new)) != (many_old, many_new):
        raise ValueError(f"a hunk at line {head[1]} has other numbers of lines than its head says.")
    return Hunk(int(head[1]), int(head[3]), tuple(old), tuple(new)), at


def _found(lines: list[str], hunk: Hunk, least: int) -> int | None:
    """The place of a hunk's old lines, nearest to its number."""
    size, wanted = len(hunk.old), list(hunk.old)
    named = max(least, hunk.start - 1 if size else hunk.start)
    places = sorted(range(least, len(lines) - size + 1), key=lambda at: (abs(at - named), at))
    return next((at for at in places if lines[at : at + size] == wanted), None)


def _path(text: str) -> str | None:
    """A path without its prefix; None for no file."""
    name = text.split("\t")[0].strip()
    if name == _NONE:
        return None
    return name[2:] if name[:2] in ("a/", "b/") else name
