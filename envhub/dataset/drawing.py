"""Draws the candidates of strata.

In one or many processes, with equal results. Candidate ``k`` of a stratum depends on the configuration alone, not on the
process or time. Batches are drawn ahead and returned in order::

    with Pool(config, exclusion, processes=4) as pool:
        for candidate in pool.feed(stratum, split, start=0, wanted=100): ...
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from functools import cache, lru_cache, partial
from itertools import count
from types import TracebackType
from typing import Any, Final, NamedTuple, Self

from envhub.authoring.wording import PLAIN, read_wording
from envhub.core.errors import EnvhubError, SplitExhausted
from envhub.core.types import EnvSpec, Task
from envhub.dataset.config import DatasetConfig, Stratum
from envhub.dataset.exclusion import Exclusion
from envhub.episodes.episode import Episode
from envhub.episodes.rerun import CHECKER
from envhub.registry.registry import begin_worker, registered
from envhub.tasks.sampling import Drawn, TaskSource
from envhub.workers import processes as workers

ENDED: Final = (
    "ended from outside: perhaps for want of memory, or because a script that calls this has no "
    "`if __name__ == '__main__':` around it"
)
_BATCH: Final = 32
_REFERENCES: Final = 12
_WORDINGS_KEPT: Final = 256


class Candidate(NamedTuple):
    """Result for one seed of a stratum.

    Attributes:
        task: The task; None if no attempt of the seed was in the split.
        solution: The oracle's actions, if requested.
        excluded: Whether it must be left out.
        pictures: The pictures of its prompt, as PNG files; None if the rows have none.
    """

    task: Task | None
    solution: tuple[str, ...] | None = None
    excluded: bool = False
    pictures: tuple[bytes, ...] | None = None


class Drawer:
    """Draws candidates; one per process.

    Args:
        config: Configuration of the dataset.
        exclusion: Content to leave out.
    """

    def __init__(self, config: DatasetConfig, exclusion: Exclusion) -> None:
        self._config = config
        self._exclusion = exclusion
        self._source = cache(config.source)
        self._references = cache(self._reference_problems)
        self._common = lru_cache(maxsize=_WORDINGS_KEPT)(self._rules)

    def candidate(self, stratum: Stratum, split: str, position: int) -> Candidate:
        """Candidate number ``position`` of a stratum."""
        source: TaskSource = self._source(stratum, split)
        try:
            drawn = source.draw(self._config.seed_of(stratum, split, position))
        except SplitExhausted:
            return Candidate(None)
        rules = partial(self._common, stratum, split, drawn[0].wording)
        if self._exclusion and self._exclusion.holds(drawn[0], rules):
            return Candidate(drawn[0], excluded=True)
        solved = solution(source, drawn) if self._config.with_solutions else None
        seen = None if self._config.observation == "text" else pictures(source, drawn)
        return Candidate(drawn[0], solved, pictures=seen)

    def _rules(self, stratum: Stratum, split: str, wording: int | str | None) -> frozenset[bytes]:
        """N-grams of a stratum's rules in one wording."""
        environment, worded = self._source(stratum, split).environment, read_wording(wording) or PLAIN
        return self._exclusion.common(
            [environment.opening(problem, worded) for problem in self._references(stratum, split)]
        )

    def _reference_problems(self, stratum: Stratum, split: str) -> list[Any]:
        """Problems whose seeds no candidate shares."""
        source, found = self._source(stratum, split), []
        for position in range(_REFERENCES):
            with suppress(SplitExhausted):
                found.append(source.draw(self._config.seed_of(stratum, f"{split} reference", position))[1].problem)
        return found


def pictures(source: TaskSource, drawn: Drawn) -> tuple[bytes, ...]:
    """The pictures of a prompt as PNG files."""
    return tuple(picture.png() for picture in Episode(source.environment, *drawn, checker=CHECKER).pictures(0))


def solution(source: TaskSource, drawn: Drawn) -> tuple[str, ...]:
    """The oracle's actions from beginning to end.

    Raises:
        EnvhubError: The oracle does not solve the task.
    """
    episode = Episode(source.environment, *drawn, checker=CHECKER)
    actions: list[str] = []
    try:
        while not episode.over:
            actions.append(episode.oracle())
            turn = episode.step(actions[-1])
    finally:
        episode.close()
    if turn.verdict is None or not turn.verdict.solved:
        raise EnvhubError(f"The oracle of {source.spec.id} does not solve the task of {drawn[0].key}.")
    return tuple(actions)


class Pool:
    """Pool of drawing processes; a pool of one draws in this process.

    Args:
        config: Configuration of the dataset.
        exclusion: Content to leave out.
        processes: Number of processes.
    """

    def __init__(self, config: DatasetConfig, exclusion: Exclusion, processes: int) -> None:
        self.ahead = max(1, -(-2 * processes // len(config.strata)))
        self._drawer = Drawer(config, exclusion)
        self._executor = None if processes == 1 else _executor(config, exclusion, processes)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._executor is not None:
            self._executor.shutdown(wait=kind is None, cancel_futures=True)

    def feed(self, stratum: Stratum, split: str, start: int, wanted: int) -> Iterator[Candidate]:
        """Endless candidates of a stratum from ``start``.

        About ``wanted`` are expected to be needed.

        Raises:
            EnvhubError: Drawing failed, or a process ended.
        """
        if self._executor is None:
            return (self._drawer.candidate(stratum, split, position) for position in count(start))
        return _Feed(self._executor, self.ahead, stratum, split, start, wanted)


class _Feed:
    """Candidates of one stratum drawn in other processes.

    The first batches start immediately.
    """

    def __init__(
        self, executor: ProcessPoolExecutor, ahead: int, stratum: Stratum, split: str, start: int, wanted: int
    ) -> None:
        self._executor, self._stratum, self._split = executor, stratum, split
        self._next, self._end = start, start + wanted
        self._batch = max(1, min(_BATCH, wanted))
        self._due: deque[Future[list[Candidate]]] = deque()
        self._drawn: deque[Candidate] = deque()
        for _ in range(ahead):
            if self._next < self._end:
                self._submit()

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> Candidate:
        if not self._drawn:
            if not self._due:
                self._submit()
            try:
                self._drawn.extend(self._due.popleft().result())
            except BrokenProcessPool:
                raise EnvhubError(
                    f"A process that drew tasks was {ENDED}. What is written is kept: run the same command again to go "
                    "on, with fewer --processes."
                ) from None
            if self._next < self._end:
                self._submit()
        return self._drawn.popleft()

    def _submit(self) -> None:
        stop = self._next + self._batch
        with workers.ignore_interrupts():
            self._due.append(self._executor.submit(_draw, self._stratum, self._split, self._next, stop))
        self._next = stop


def _executor(config: DatasetConfig, exclusion: Exclusion, processes: int) -> ProcessPoolExecutor:
    setup = (config.to_json(), exclusion, registered())
    return ProcessPoolExecutor(processes, mp_context=workers.context(), initializer=_begin, initargs=setup)


_setup: tuple[dict[str, Any], Exclusion]


def _begin(config: dict[str, Any], exclusion: Exclusion, specs: list[EnvSpec]) -> None:
    global _setup
    begin_worker(specs)
    _setup = (config, exclusion)


@cache
def _drawer() -> Drawer:
    """This process's drawer, created with its first batch.

    Errors can be reported then.
    """
    config, exclusion = _setup
    return Drawer(DatasetConfig.from_json(config), exclusion)


def _draw(stratum: Stratum, split: str, start: int, stop: int) -> list[Candidate]:
    drawer = _drawer()
    return [drawer.candidate(stratum, split, position) for position in range(start, stop)]
