"""Steps of a game of OpenSpiel through Python: the state as text, the legal actions, the action that a text names, applied.

Arguments: episodes, game of :mod:`benchmarks.moves`, its string. Luck is drawn by Python's generator, seeded for each episode.
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
    """What the seat that decides sees; luck is drawn until one does."""
    while state.is_chance_node():
        actions, chances = zip(*state.chance_outcomes(), strict=True)
        state.apply_action(rng.choices(actions, chances)[0])
    return "" if state.is_terminal() else state.observation_string(state.current_player())


def step(text: str) -> bool:
    seat = state.current_player()
    for action in state.legal_actions():
        name = state.action_to_string(seat, action)
        if name == text or name[1:] == text:  # who moves is part of some names
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
