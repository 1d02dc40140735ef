"""Games played to their end."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import envhub
from envhub.authoring import World
from envhub.authoring.game import Game
from envhub.authoring.game.mechanics import draw_weighted
from envhub.core.seeding import Stream
from envhub.core.types import Instance, Turn


def match(env_id: str, opponent: str, seed: int, choose: Callable[[Any], str], **params: Any) -> dict[str, Any]:
    """The verdict on a match, with the reward, of whoever chooses so."""
    env = envhub.make(env_id, difficulty=None, opponent=opponent, **params)
    env.reset(seed=seed)
    over = False
    while not over:
        _, reward, over, _, info = env.step(choose(env))
    return {"reward": reward, **info["verdict"]}


def by_strategy(game: Game, rng: Stream) -> Callable[[Any], str]:
    """Moves with the weights that the game's own strategy gives them."""

    def choose(env: Any) -> str:
        return f"<answer>{draw_weighted(game.strategy(env.episode.instance, env.episode.state.s), rng)}</answer>"

    return choose


def oracle_ends(world: World, inst: Instance, state: Any, rng: Stream) -> Turn:
    """The last turn of a game that the oracle plays on from a state."""
    while (turn := world.advance(inst, state, world.oracle(inst, state), rng)).verdict is None:  # type: ignore[union-attr]
        state = turn.state  # type: ignore[union-attr]
    return turn  # type: ignore[return-value]
