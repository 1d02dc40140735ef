"""The numbers of runs as one table, for other programs.

::

    write([Path("runs/a"), Path("runs/b")], Path("curves.csv"))     # columns run, step, time and one per number

A run is named after its folder. A number that a step does not have is an empty cell in CSV and missing in JSON lines.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Sequence
from math import isfinite
from pathlib import Path
from typing import Any

from envhub_trainer.config import ConfigError
from envhub_trainer.watch.summary import Log
from envhub_trainer.watch.track import LOG, read


def logs(folders: Sequence[Path]) -> dict[str, Log]:
    """The logs of runs by name.

    The folder's name, or its path if two have the same name.

    Raises:
        FileNotFoundError: A folder holds no log.
        ValueError: A log is damaged before its last line.
    """
    empty = next((folder for folder in folders if not (folder / LOG).is_file()), None)
    if empty is not None:
        raise FileNotFoundError(f"{empty} holds no run: there is no {LOG} in it.")
    names = [folder.resolve().name for folder in folders]
    unique = len(set(names)) == len(names)
    return {name if unique else str(folder): read(folder) for name, folder in zip(names, folders, strict=True)}


def write(folders: Sequence[Path], to: Path) -> Path:
    """Write the numbers of runs to a .csv or .jsonl file.

    Raises:
        ConfigError: The file's name ends otherwise.
        FileNotFoundError: A folder holds no log.
    """
    rows: list[dict[str, Any]] = [
        {"run": name, **{key: value for key, value in line.items() if isfinite(value)}}
        for name, log in logs(folders).items()
        for line in log
    ]
    if to.suffix == ".jsonl":
        to.write_text("".join(f"{json.dumps(row)}\n" for row in rows), "utf-8")
    elif to.suffix == ".csv":
        head = ["run", "step", "time"]
        with open(to, "w", encoding="utf-8", newline="") as file:
            table = csv.DictWriter(file, [*head, *sorted({name for row in rows for name in row} - set(head))])
            table.writeheader()
            table.writerows(rows)
    else:
        raise ConfigError(f"{to}: curves are written to a file that ends in .csv or .jsonl.")
    return to
