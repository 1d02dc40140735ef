"""TextArena itself, nightly: what is offered plays and replays, and what is refused is as broken as it is said to be."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from typing import Any

import pytest

import envhub
from envhub.core.seeding import Stream
from tests.support.peers import folder_of, on_path

pytestmark = pytest.mark.nightly
OURS = ("envhub.adapters.textarena.environments", "envhub.adapters.textarena.tables")


@pytest.fixture(scope="module")
def library() -> Iterator[Any]:
    """The adapter over the library."""
    with on_path(folder_of("textarena", "textarena"), *OURS, prefix="textarena/", library="textarena"):
        yield importlib.import_module(OURS[0])


def test_every_checked_game_plays_and_replays(library: Any) -> None:
    specs = library.register_all()
    assert {library.tables.family(spec.entry.partition(":")[2]) for spec in specs} == set(library.tables.CHECKED)
    for spec in specs:
        env = envhub.make(spec.id)
        for seed in range(2):
            env.reset(seed=seed)
            rng = Stream(b"", "nightly", spec.id, seed)
            for _ in range(40):
                if env.episode.over:
                    break
                info = env.step(env.random_action(rng))[4]
            assert info.get("verdict", {}).get("status") in (None, "graded"), (spec.id, info)
            again = envhub.restore(env.snapshot())
            told = [turn.observation for turn in env.episode.turns]
            assert [turn.observation for turn in again.episode.turns] == told, spec.id


def test_the_broken_ones_are_as_broken_as_they_say(library: Any) -> None:
    """What can be shown of them in a few lines; a release that mends one should lose its line."""
    table, rng = library.tables.Table, Stream(b"", "broken")
    mines = table.set_up("Minesweeper-v0-small", 3).moved("[0 0]", rng)
    grid, seen = mines.env.grid, mines.env.revealed
    cells = [(r, c) for r in range(5) for c in range(5)]
    bombs = [cell for cell in cells if grid[cell[0]][cell[1]] == -1]
    safe = [cell for cell in cells if grid[cell[0]][cell[1]] > 0 and not seen[cell[0]][cell[1]]]
    for bomb, cell in zip(bombs, safe, strict=False):
        mines = mines.moved(f"[{bomb[0]} {bomb[1]}]", rng)
        assert not mines.done, "a mine was hit, and the game goes on"
        mines = mines.moved(f"[{cell[0]} {cell[1]}]", rng)
    for name in ("Countdown-v0", "Cryptarithm-v0", "Slitherlink-v0"):
        with pytest.raises(ValueError, match="which is no text"):
            table.set_up(name, 1).moved("[h 0 0]", rng)
    solved = table.set_up("FifteenPuzzle-v0", 1)
    solved.env.board[:] = [[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12], [13, 14, None, 15]]
    with pytest.raises(AttributeError):
        solved.moved("[left]", rng)
    for name in ("Chess-v0", "Klondike-v0", "UsedCarNegotiation-v0"):
        assert "does not start here" in library.tables.refusal(name)
