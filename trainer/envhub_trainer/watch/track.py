"""The log of a run: numbers and some episodes as JSON lines.

::

    with Track(folder, config.track, done=0, tokenizer=tokenizer, steps=100) as track:
        track.log(1, {"reward": 0.5})
        track.episodes(1, groups, batch)
    read(folder)                        # [{"step": 1, "time": ..., "reward": 0.5}]

``log.jsonl`` has a line for every :meth:`Track.log`, ``episodes.jsonl`` one for every kept episode
(:mod:`envhub_trainer.watch.samples`). Each line is written in one system call, so a killed process loses at most the line it
was writing. ``events.log`` has a line of text for what is unusual. A resumed run first cuts the first two files to the steps
of its checkpoint. A terminal view and the loggers of other projects show the same numbers if enabled.
"""

from __future__ import annotations

import json
import logging
import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from math import nan
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Self

from envhub_trainer.config import TrackConfig
from envhub_trainer.watch import samples
from envhub_trainer.watch.loggers import loggers
from envhub_trainer.watch.pieces import Pieces
from envhub_trainer.watch.view import View

if TYPE_CHECKING:
    from envhub_trainer.batch import Batch
    from envhub_trainer.group import Group

LOG: Final = "log.jsonl"
EPISODES: Final = "episodes.jsonl"
EVENTS: Final = "events.log"
_warn = logging.getLogger(__name__).warning


class Track:
    """Writes a run's log.

    Args:
        folder: Folder of the run; created if missing.
        config: Other loggers.
        done: Number of completed training steps; later ones are cut from the log.
        tokenizer: The policy's tokenizer, to keep episodes token by token; without it only their turns' text is kept.
        steps: Number of steps of the run, to show the remaining time.
        settings: The run's configuration, for other loggers.
        clock: Unix time in seconds.

    Raises:
        ConfigError: A logger is enabled but not installed.
        ValueError: The log is damaged elsewhere than at its end.
    """

    def __init__(
        self,
        folder: Path,
        config: TrackConfig,
        done: int,
        *,
        tokenizer: Any = None,
        steps: int | None = None,
        settings: Mapping[str, Any] | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._samples = config.samples
        self._pieces = None if tokenizer is None else Pieces(tokenizer)
        self._clock = clock
        self._folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self._loggers = loggers(folder, config, done, settings or {})
        for name in (LOG, EPISODES):
            cut(folder / name, done)
        live = sys.stdout.isatty() if config.live is None else config.live
        self._log = open(folder / LOG, "ab", buffering=0)  # noqa: SIM115 - closed by close()
        self._episodes = open(folder / EPISODES, "ab", buffering=0)  # noqa: SIM115
        self._view = View(steps, read(folder)) if live else None

    def log(self, step: int, values: Mapping[str, float]) -> None:
        """Log numbers of a step.

        Later calls for the same step add to it.

        Args:
            step: Number of completed steps, 0 before the first.
            values: Numbers by name; one that is not finite is written as null.
        """
        numbers = {name: float(value) for name, value in values.items()}
        _append(self._log, {"step": step, "time": self._clock(), **samples.finite_only(numbers)})
        for logger in self._loggers:
            logger.log(numbers, step)
        if self._view is not None:
            self._view.show(step, numbers)

    def episodes(self, step: int, groups: Sequence[Group], batch: Batch | None) -> None:
        """Keep the episodes selected by :func:`envhub_trainer.watch.samples.choose`.

        Args:
            step: Number of completed steps.
            groups: The groups of the step.
            batch: The batch made from them, with advantages; None if nothing was learned.

        Raises:
            ValueError: The batch was not made from these groups.
        """
        chosen = samples.choose([episode for group in groups for episode in group.episodes], self._samples)
        learned = samples.advantages(groups, batch, [episode for _, episode in chosen])
        for why, episode in chosen:
            _append(self._episodes, samples.record(step, why, episode, self._pieces, learned[id(episode)]))

    def event(self, step: int, text: str) -> None:
        """Record something unusual, such as a skipped step.

        It is also logged as a warning. ``events.log`` is never cut: it tells the whole story of a folder.
        """
        moment = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(self._clock()))
        with suppress(OSError), open(self._folder / EVENTS, "a", encoding="utf-8") as file:  # the disk may be full
            file.write(f"{moment} step {step}: {text}\n")
        _warn("step %d: %s", step, text)

    def close(self) -> None:
        """Close files and loggers; closing twice is harmless."""
        self._log.close()
        self._episodes.close()
        while self._loggers:
            self._loggers.pop().close()
        if self._view is not None:
            self._view.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *told: object) -> None:
        self.close()


def read(folder: Path) -> list[dict[str, float]]:
    """Read the numbers of a run.

    One mapping per step, in order of steps. Every mapping has ``step`` and ``time`` (of the step's last line). Null is
    read as NaN. Works on a run in progress.

    Raises:
        ValueError: A line other than the last is damaged.
    """
    merged: dict[int, dict[str, float]] = {}
    for line in lines(folder / LOG):
        merged.setdefault(line["step"], {}).update(
            {name: nan if value is None else value for name, value in line.items()}
        )
    return [merged[step] for step in sorted(merged)]


def lines(path: Path) -> Iterator[dict[str, Any]]:
    """The objects of a JSON lines file, without an incomplete last line."""
    return (json.loads(line) for line in _whole(path))


def cut(path: Path, done: int) -> None:
    """Remove steps later than ``done`` and an incomplete last line, atomically.

    Raises:
        ValueError: Another line is damaged.
    """
    if not path.exists():
        return
    draft = path.with_name(f".{path.name}.draft")
    with open(draft, "wb") as file:
        file.writelines(line + b"\n" for line in _whole(path) if json.loads(line)["step"] <= done)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)


def _whole(path: Path) -> Iterator[bytes]:
    """The complete lines of a file, without line ends."""
    if not path.exists():
        return
    torn: tuple[int, str] | None = None
    with open(path, "rb") as file:
        for number, line in enumerate(file, 1):
            if torn is not None:
                raise ValueError(
                    f"{path}, line {torn[0]}: expected a JSON object with a step, got {torn[1]}; "
                    "take the line out to go on without it."
                )
            text = line.rstrip(b"\n")
            try:
                value = json.loads(text)
                sound = isinstance(value, dict) and isinstance(value.get("step"), int)
            except ValueError:
                sound = False
            if sound:
                yield text
            else:
                torn = number, repr(text[:60])[1:]


def _append(file: Any, value: Mapping[str, Any]) -> None:
    """Append one line in one write; in ASCII, for unpaired surrogates."""
    file.write(json.dumps(value, allow_nan=False).encode("ascii") + b"\n")
