"""Steps of an OpenSpiel game through Python.

A step renders the state and the legal actions as text, and parses and applies an action. Arguments: episodes, game of
:mod:`benchmarks.moves`, its string. Chance events come from Python's generator, seeded per episode.
"""

import random
import sys

import pyspiel

from benchmarks.moves import play, scripts
from benchmarks.workload import measure

GAME = sys.argv[2]
WORDS = {"kuhn-poker": "Pass", "leduc-poker": "Call"}

game = pyspiel.load_game(sys.argv[3])
rng = random.Random()
state = None


def reset(seed: int) -> object:
    global state
    rng.seed(seed)
    state = game.new_initial_state()
    return shown()


def shown() -> str:
    """The observation of the player to move, after chance nodes are sampled."""
    while state.is_chance_node():
        actions, chances = zip(*state.chance_outcomes(), strict=True)
        state.apply_action(rng.choices(actions, chances)[0])
    return "" if state.is_terminal() else state.observation_string(state.current_player())


def step(text: str) -> bool:
    seat = state.current_player()
    for action in state.legal_actions():
        name = state.action_to_string(seat, action)
        if name == text or name[1:] == text:  # some names include the player
            state.apply_action(action)
            break
    shown()
    if state.is_terminal():
        state.returns()
        return True
    return False


def written(move: object) -> str:
    if GAME == "tic-tac-toe":
        return f"({move[0] // 3},{move[0] % 3})"
    if GAME == "connect-four":
        return str(move[0])
    return WORDS.get(GAME) or str(move).capitalize()


texts = [[written(move) for move in script] for script in scripts(GAME)]
measure(lambda seeds: play(reset, step, seeds, texts))
