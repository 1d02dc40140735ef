"""Players of quest: a reader has only text, and the script knows only what it has seen."""

from __future__ import annotations

import pytest

import envhub
from tests.envs.worlds.quest_by_prompt import Reader
from tests.envs.worlds.quest_houses import act, content_of, started

PLAIN = 0


@pytest.mark.parametrize("level", [1, 3, 5, 7, 9, 10])
def test_a_reader_of_text_wins_with_patience(level: int) -> None:
    env = envhub.make("quest-v0", difficulty=level, wording=PLAIN, patience=120)
    for seed in range(4):
        observation, _ = env.reset(seed=100 + seed)
        reader, reward = Reader(str(observation)), 0.0
        while not env.episode.over:
            observation, reward, _, _, info = act(env, reader.command())
            assert "rejected" not in info, observation
            reader.read(str(observation))
        assert reward == 1.0, (level, seed)


def test_the_scripted_policy_reads_only_what_it_has_seen() -> None:
    """Things that it has not seen may be anywhere else: its next command is the same."""
    env = started("treasure", 5, rooms=5, furniture=8, parts=1, locks=0)
    environment, inst = env.environment, env.episode.instance
    content = content_of(env)
    [treasure] = content["goals"][0]
    said = set()
    for place in [*content["rooms"], *content["holders"]]:
        if place not in env.episode.state.seen:
            moved = {**content, "things": {**content["things"], treasure: place}}
            other = type(inst)(inst.problem, {**inst.key, "content": moved})
            said.add(environment.reference_action(other, environment.begin(other, None), None))
    assert len(said) == 1
