"""The order in which legal moves are listed does not show which of them a search would try first."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import pytest

import envhub
from envhub.authoring.game import Game
from envhub.core.types import Instance
from envhub.registry.registry import builtin_ids, load, self_contained, spec

GAMES = [id for id in builtin_ids() if self_contained(id) and issubclass(load(spec(id)), Game)]


def by_value(text: str) -> list[Any]:
    return [(0, int(part)) if part.isdecimal() else (-1, part) for part in re.split("([0-9]+)", text)]


def test_there_are_games() -> None:
    assert {"chess-v0", "connect-four-v0", "othello-v0", "kuhn-poker-v0"} < set(GAMES)


@pytest.mark.parametrize("id", GAMES)
def test_legal_moves_are_listed_by_name_whatever_the_order_in_which_they_are_searched(
    id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    env = envhub.make(id, difficulty=1)
    env.reset(seed=1)
    environment, inst, state = env.environment, env.episode.instance, env.episode.state
    answers = environment.legal_answers(inst, state)
    refused = environment.reject(inst, state, "illegal", "No.").observation
    assert answers == sorted(answers, key=by_value)
    assert ("Legal moves: " in refused) is (len(answers) <= 24)
    if len(answers) <= 24:
        assert f"Legal moves: {', '.join(answers)}." in refused

    real = type(environment).legal

    def otherwise(self: Any, inst: Instance, s: Any) -> Sequence[Any]:
        return list(real(self, inst, s))[::-1]

    monkeypatch.setattr(type(environment), "legal", otherwise)
    assert environment.legal_answers(inst, state) == answers
    assert environment.reject(inst, state, "illegal", "No.").observation == refused
