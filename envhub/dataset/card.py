"""Dataset card: what a dataset is, how to verify and reproduce it.

Markdown with the front matter that dataset hubs read ("Dataset Cards", Hugging Face Hub documentation). It contains no
date and no machine name, so equal configurations have equal cards.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path
from typing import Any, Final

from envhub.core.difficulty import dump
from envhub.dataset.config import DatasetConfig, Stratum
from envhub.dataset.files import sha256_of
from envhub.registry.registry import spec

_SIZES: Final = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))
_LICENCE: Final = "Apache-2.0"
_IDENTIFIER: Final = re.compile(r"[a-z0-9.+-]+")

Counts = Mapping[str, Mapping[Stratum, int]]


def write_card(config: DatasetConfig, files: Mapping[str, Path], counts: Counts, path: Path) -> None:
    """Write the card of a finished dataset.

    Args:
        config: Configuration of the dataset.
        files: The file of each split.
        counts: Rows by split, environment and level.
        path: Path of the card.
    """
    parts = [
        _front(config, files, counts),
        f"# {path.name.removesuffix('.card.md')}",
        f"Tasks with verifiable answers, made by envhub {config.version}. No problem occurs twice, and no problem is in two "
        "splits.",
        _files(files, counts),
        _tasks(config, counts),
        _verifying(config, next(iter(files.values()))),
        _making(config, files, path),
        f"## Licence\n\n{_licences(config)}",
    ]
    path.write_text("\n\n".join(parts) + "\n", encoding="utf-8", errors="backslashreplace")  # a name may be any bytes


def is_card_of(config: DatasetConfig, files: Mapping[str, Path], card: Path) -> bool:
    """Whether a card describes this configuration and matches these files."""
    text = card.read_text(encoding="utf-8", errors="replace")
    return _whole(config) in text and all(f"`{sha256_of(file)}`" in text for file in files.values())


def _front(config: DatasetConfig, files: Mapping[str, Path], counts: Counts) -> str:
    rows = sum(sum(of.values()) for of in counts.values())
    size = next((name for limit, name in _SIZES if rows < limit), "n>1M")
    licences = {_licence(id) for id in config.environments}
    data = "".join(f"      - split: {split}\n        path: {json.dumps(file.name)}\n" for split, file in files.items())
    licence = licences.pop().lower() if len(licences) == 1 else "other"
    return (
        f"---\nlicense: {licence if _IDENTIFIER.fullmatch(licence) else 'other'}\n"
        "task_categories:\n  - text-generation\ntags:\n  - reinforcement-learning\n  - verifiable-rewards\n  - envhub\n"
        f"size_categories:\n  - {size}\nconfigs:\n  - config_name: default\n    data_files:\n{data}---"
    )


def _files(files: Mapping[str, Path], counts: Counts) -> str:
    lines = ["| split | file | rows | SHA-256 |", "|---|---|---|---|"]
    for split, file in files.items():
        lines.append(f"| {split} | `{file.name}` | {sum(counts[split].values())} | `{sha256_of(file)}` |")
    return "## Files\n\n" + "\n".join(lines)


def _tasks(config: DatasetConfig, counts: Counts) -> str:
    splits = list(config.splits)
    head = ["environment", "difficulty", *splits, "parameters"]
    lines = [f"| {' | '.join(head)} |", "|" + "---|" * len(head)]
    for stratum in sorted(config.strata):
        params = json.dumps(dump(config.source(stratum, splits[0]).params(stratum.level))).replace("|", "\\|")
        cells = [stratum.env_id, str(stratum.level), *(str(counts[split][stratum]) for split in splits), f"`{params}`"]
        lines.append(f"| {' | '.join(cells)} |")
    return "## Tasks\n\nRows by environment, difficulty and split.\n\n" + "\n".join(lines)


def _verifying(config: DatasetConfig, file: Path) -> str:
    return (
        "## How to verify\n\n"
        f"The columns are those of `{config.format}`. The ground truth of a row is its task key: the verifier draws the "
        "problem and its solution again from it, so the file holds nothing to be out of step with.\n\n"
        f"```sh\npip install envhub=={config.version}\n"
        f"envhub verify {shlex.quote(file.name)} --responses responses.jsonl\n```\n\n"
        "A line of `responses.jsonl` answers the row of the same number: "
        '`{"response": "..."}`, or `{"response": ["first action", "second"]}` where there are several turns.'
    )


def _making(config: DatasetConfig, files: Mapping[str, Path], card: Path) -> str:
    out = card.name.removesuffix(".card.md") + next(iter(files.values())).suffix
    kept_out = (
        f"\n\nWhat was kept out has the digest `{config.exclude}`; give the same files with `--exclude` "
        "(and the same `--exclude-ngram`)."
        if config.exclude
        else ""
    )
    return (
        f"## How to make it again\n\nThe same bytes, on any machine:\n\n```sh\n{command(config, out)}\n```{kept_out}\n\n"
        f"{_whole(config)}"
    )


def _whole(config: DatasetConfig) -> str:
    return f"```json\n{json.dumps(config.to_json(), indent=1, sort_keys=True)}\n```"


def command(config: DatasetConfig, out: str) -> str:
    """The command that creates a dataset."""
    words = ["envhub", "generate", ",".join(config.environments)]
    if list(config.splits) == ["train"]:
        words += ["-n", str(config.splits["train"])]
    elif len(config.splits) == 1:
        [(split, rows)] = config.splits.items()
        words += ["-n", str(rows), "--split", split]
    else:
        words += ["--splits", ",".join(f"{split}={rows}" for split, rows in config.splits.items())]
    low, high = config.levels
    words += ["--difficulty", str(low) if low == high else f"{low}-{high}", "--seed", str(config.seed)]
    for name, value in config.params.items():
        words += ["--param", f"{name}={value if _is_plain(value) else json.dumps(value)}"]
    if config.format != "verl":
        words += ["--format", config.format]
    if config.answer_format is not None:
        words += ["--answer-format", config.answer_format]
    if config.tool_format is not None:
        words += ["--tool-format", config.tool_format]
    if config.wording is not None:
        words += ["--wording", str(config.wording)]
    if config.observation != "text":
        words += ["--observation", config.observation]
    if config.system is not None:
        words += ["--system", config.system]
    if config.with_solutions:
        words.append("--with-solutions")
    if config.allow_fewer:
        words.append("--allow-fewer")
    return shlex.join([*words, "--out", out])


def _is_plain(value: Any) -> bool:
    """Whether ``--param`` takes this text unchanged, instead of parsing it as JSON."""
    try:
        json.loads(value)
    except (TypeError, ValueError):
        return isinstance(value, str)
    return False


def _licences(config: DatasetConfig) -> str:
    return "\n".join(f"- {id}: {_licence(id)}" for id in config.environments)


def _licence(id: str) -> str:
    """Licence of an environment's tasks: that of its distribution."""
    source = spec(id).source
    if source == "envhub":
        return _LICENCE
    try:
        about = metadata(source)
    except PackageNotFoundError:
        return "unknown"
    stated = [about[name].strip() for name in ("License-Expression", "License") if name in about]
    return stated[0].partition("\n")[0] if stated and stated[0] else "unknown"
