"""Players of crafting: the script knows only what it has seen, and a reader has only text."""

from __future__ import annotations

import pytest

import envhub
from envhub.core.seeding import canonical_json
from envhub.envs.worlds.crafting.planner import next_action, seen_part
from envhub.envs.worlds.crafting.rules import world_of
from tests.envs.worlds.crafting_by_prompt import read_through


def test_the_script_does_not_depend_on_what_it_has_not_seen() -> None:
    env = envhub.make("crafting-v0", difficulty=7)
    env.reset(seed=4)
    world, state = world_of(canonical_json(env.episode.instance.key["content"])), env.episode.state
    hidden = [cell for cell in range(len(state.place.cells)) if not state.seen >> cell & 1]
    cells = list(state.place.cells)
    for cell in hidden:
        cells[cell] = "~"
    other = state.place._replace(cells="".join(cells), creatures=())
    assert next_action(seen_part(world, other, state.seen)) == next_action(
        seen_part(world, state.place._replace(creatures=()), state.seen)
    )


def test_a_player_that_reads_only_text_solves_easy_tasks() -> None:
    assert sum(read_through(seed, level)[0] for seed in range(4) for level in (1, 2)) >= 7
    assert read_through(3, 2, wording="held-out")[0] == 1.0


@pytest.mark.nightly
@pytest.mark.parametrize(("level", "least"), [(1, 17), (3, 15), (5, 5), (7, 1)])
def test_a_player_that_reads_only_text_solves_some_of_most_levels(level: int, least: int) -> None:
    assert sum(read_through(seed, level)[0] for seed in range(20)) >= least
