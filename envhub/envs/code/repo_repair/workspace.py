"""Tools that read, search and edit the files of a session.

Mixed into an environment with tools whose session is the resource ``repo``::

    class RepoRepair(Workspace, ToolEnv): ...
"""

from __future__ import annotations

import shlex
from typing import Any, Final

from envhub.authoring import tool
from envhub.core.errors import InvalidParameters
from envhub.core.types import Instance
from envhub.sandbox.jobs import check_paths
from envhub.sandbox.resource import Effects, list_files, read_files, run_command, write_files

SESSION: Final = "repo"
_SHOWN: Final = 30_000
_LINES: Final = 400
_FOUND: Final = 60
_LONGEST: Final = 100_000  # most characters of a file that can be read or edited
_COLUMNS: Final = 200


class Workspace:
    """File tools; the state of the episode is not theirs."""

    def work_folder(self, inst: Instance) -> str:
        """Where the files are, for shell commands."""
        return "/box/work"

    def edited(self, inst: Instance, state: Any, path: str, old: str, new: str) -> Any:
        """The state after an edit."""
        return state

    @tool
    def list_files(self, inst: Instance, state: Any) -> Effects:
        """List all files with their sizes in bytes."""
        found = yield from list_files(SESSION)
        rows = [f"{entry.path} ({entry.size})" for entry in found.entries if entry.kind == "file"]
        if not found.complete:
            rows.append("[There are more files than can be listed.]")
        return state, _cut("\n".join(rows))

    @tool
    def read_file(self, inst: Instance, state: Any, path: str, start: int = 1, lines: int = _LINES) -> Effects:  # noqa: D417
        """Show lines of a file with their numbers.

        Args:
            path: path of the file
            start: number of the first line to show, from 1
            lines: maximum number of lines to show
        """
        text = yield from _text(path)
        if text is None:
            return state, _none(path)
        rows = text.split("\n")
        first, many = max(start, 1), min(max(lines, 1), _LINES)
        shown = [f"{number:4}  {row}" for number, row in enumerate(rows, 1) if first <= number < first + many]
        return state, _cut("\n".join(shown)) or f"{path} has {len(rows)} lines."

    @tool
    def search(self, inst: Instance, state: Any, text: str, below: str = ".") -> Effects:  # noqa: D417
        """Find the lines of all files that contain a text, with case.

        Args:
            text: the text to find, on one line
            below: the folder or file to search
        """
        found = f"cd {shlex.quote(self.work_folder(inst))}; grep -rnIF -- {shlex.quote(text)} {shlex.quote(below)}"
        shown = f"LC_ALL=C sort -t: -k1,1 -k2,2n | cut -c1-{_COLUMNS} | head -n {_FOUND}"
        result = yield from run_command(SESSION, f"{found} | {shown}")
        return state, result.text.rstrip("\n") or "No line contains this text."

    @tool
    def edit_file(self, inst: Instance, state: Any, path: str, old: str, new: str) -> Effects:  # noqa: D417
        """Replace a piece of text in a file. It must occur in the file exactly once.

        Args:
            path: path of the file
            old: the text to replace, without line numbers; it may have several lines
            new: the text to insert instead
        """
        text = yield from _text(path)
        if text is None:
            return state, _none(path)
        count = text.count(old) if old else 0
        if count != 1:
            return (
                state,
                f"The text to replace must occur exactly once in {path}, but it occurs {count} times. Nothing was changed.",
            )
        refused = yield from _put(path, text.replace(old, new))
        return (state, refused) if refused else (self.edited(inst, state, path, old, new), f"{path} was changed.")

    @tool
    def write_file(self, inst: Instance, state: Any, path: str, text: str) -> Effects:  # noqa: D417
        """Write a whole file. If it exists, it is overwritten.

        Args:
            path: path of the file
            text: its content
        """
        refused = yield from _put(path, text)
        return (state, refused) if refused else (self.edited(inst, state, path, "", text), f"{path} was written.")


def _text(path: str) -> Effects:
    """The text of a file of the session.

    None if there is no such file.
    """
    if not _possible(path):
        return None
    found = yield from read_files(SESSION, [path])
    text = found[path].decode("utf-8", "replace") if path in found else None
    return text if text is None or len(text) <= _LONGEST else None


def _put(path: str, text: str) -> Effects:
    """Write a file; returns what went wrong, if anything."""
    if not _possible(path):
        return _none(path)
    if len(text) > _LONGEST:
        return f"A file may have at most {_LONGEST} characters. Nothing was written."
    refused = yield from write_files(SESSION, {path: text.encode()})
    return refused


def _possible(path: str) -> bool:
    try:
        check_paths([path])
    except InvalidParameters:
        return False
    return True


def _none(path: str) -> str:
    return f"There is no file {path[:100]!r} that can be read or written. Call list_files to see all files."


def _cut(text: str) -> str:
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}\n[cut: {len(text) - _SHOWN} characters]"
