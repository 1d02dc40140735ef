"""The files of episodes that a path stands for.

A file is itself, a folder of an evaluation or a training run its episodes, and any other folder all JSON lines below it.
Journals of a server and logs of Inspect are converted to JSON lines first.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from envhub.core.errors import InvalidParameters
from envhub.server.journal import open_journal
from envhub.server.journal.export import export
from envhub.viewer import inspect_logs
from envhub.viewer.runs import LOG, runs_in

NAMES: Final = ("attempts.jsonl", "episodes.jsonl")
"""Files of an evaluation and of a training run."""
_SQLITE: Final = b"SQLite format 3\0"
_FOR_EVER_S: Final = 1e12
_CAPACITY: Final = 20_000  # of the journal; not used for reading


def files_of(paths: Sequence[Path], scratch: Path) -> list[Path]:
    """The files with the episodes of some paths.

    Args:
        paths: Files and folders.
        scratch: Folder for the exports of journals.

    Raises:
        InvalidParameters: A path does not exist, or a folder holds neither episodes nor a run.
    """
    found: list[Path] = []
    for path in paths:
        if path.is_dir():
            logs = sorted(path.rglob(f"*{inspect_logs.SUFFIX}"))
            found += [inspect_logs.convert(log, scratch / f"{at}.jsonl") for at, log in enumerate(logs, len(found))]
            found += [] if logs and not _has_episodes(path) else _inside(path)
        elif not path.exists():
            raise InvalidParameters(
                f"{path} does not exist. Name a folder of results, a run, a journal or a .jsonl file."
            )
        elif _is_journal(path):
            found.append(_exported(path, scratch / f"{len(found)}.jsonl"))
        elif inspect_logs.is_log(path):
            found.append(inspect_logs.convert(path, scratch / f"{len(found)}.jsonl"))
        else:
            found.append(path)
    return list(dict.fromkeys(found))


def _inside(folder: Path) -> list[Path]:
    named = sorted(path for name in NAMES for path in folder.rglob(name))
    found = named or sorted(path for path in folder.rglob("*.jsonl") if path.name != LOG)
    if not found and not runs_in([folder]):
        raise InvalidParameters(
            f"{folder} holds neither a run nor episodes: no {LOG}, {', '.join(NAMES)} or other .jsonl file."
        )
    return found


def _has_episodes(folder: Path) -> bool:
    return any(folder.rglob("*.jsonl"))


def _is_journal(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return file.read(len(_SQLITE)) == _SQLITE
    except OSError as error:
        raise InvalidParameters(f"{path} cannot be read: {error.strerror}.") from None


def _exported(journal: Path, out: Path) -> Path:
    opened = open_journal(f"sqlite:///{journal}", _FOR_EVER_S, _CAPACITY)
    try:
        with out.open("wb") as file:
            asyncio.run(export(opened, file))
    finally:
        opened.close()
    return out
