"""A stand-in for OpenSpiel's module with the same interface, and five games of a few lines each.

``takes``: take one or two of a heap of seven. ``cards``: each player is dealt a card of three, the first may bet or pass, the
better card wins one or two. ``fingers``: both show one or two fingers at once, twice; an even sum is the first player's. The
others are of the kinds that make no environment.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from enum import Enum
from types import SimpleNamespace
from typing import Any


class SpielError(RuntimeError):
    pass


class GameType:
    Dynamics = Enum("Dynamics", "SEQUENTIAL SIMULTANEOUS MEAN_FIELD")
    ChanceMode = Enum("ChanceMode", "DETERMINISTIC EXPLICIT_STOCHASTIC SAMPLED_STOCHASTIC")
    Information = Enum("Information", "PERFECT_INFORMATION IMPERFECT_INFORMATION ONE_SHOT")
    Utility = Enum("Utility", "ZERO_SUM GENERAL_SUM")


class State:
    def __init__(self, game: Game) -> None:
        self.game, self.done = game, []

    def get_game(self) -> Game:
        return self.game

    def num_players(self) -> int:
        return 2

    def history(self) -> list[int]:
        return list(self.done)

    def clone(self) -> State:
        return copy.deepcopy(self, {id(self.game): self.game})

    def child(self, action: int) -> State:
        other = self.clone()
        other.done.append(action)
        return other

    def apply_actions(self, actions: list[int]) -> None:
        self.done += actions

    def is_chance_node(self) -> bool:
        return False

    def is_simultaneous_node(self) -> bool:
        return False

    def observation_string(self, seat: int) -> str:
        return f"history {self.done}"

    def resample_from_infostate(self, seat: int, uniform: Callable[[], float]) -> State:
        raise SpielError("ResampleFromInfostate() not implemented.")


class Takes(State):
    def is_terminal(self) -> bool:
        return sum(self.done) == 7

    def current_player(self) -> int:
        return len(self.done) % 2

    def legal_actions(self, seat: int) -> list[int]:
        return [take for take in (1, 2) if take <= 7 - sum(self.done)]

    def action_to_string(self, seat: int, action: int) -> str:
        return f"Take  {action}"

    def returns(self) -> list[float]:
        return [1.0, -1.0] if len(self.done) % 2 else [-1.0, 1.0]


class Cards(State):
    def is_terminal(self) -> bool:
        return len(self.done) == 3

    def is_chance_node(self) -> bool:
        return len(self.done) < 2

    def chance_outcomes(self) -> list[tuple[int, float]]:
        left = [card for card in (0, 1, 2) if card not in self.done]
        return [(card, 1 / len(left)) for card in left]

    def current_player(self) -> int:
        return 0

    def legal_actions(self, seat: int) -> list[int]:
        return [0, 1]

    def action_to_string(self, seat: int, action: int) -> str:
        return "same"  # as OpenSpiel's chess sometimes has it

    def information_state_string(self, seat: int) -> str:
        return f"card {self.done[seat]}" if len(self.done) > seat else "nothing"

    def resample_from_infostate(self, seat: int, uniform: Callable[[], float]) -> State:
        others = [card for card in (0, 1, 2) if card != self.done[seat]]
        other = self.clone()
        other.done[1 - seat] = others[int(uniform() * 2)]
        return other

    def returns(self) -> list[float]:
        worth = 1.0 + self.done[2]
        return [worth, -worth] if self.done[0] > self.done[1] else [-worth, worth]


class Blind(Cards):
    def resample_from_infostate(self, seat: int, uniform: Callable[[], float]) -> State:
        return State.resample_from_infostate(self, seat, uniform)


class Fingers(State):
    def is_terminal(self) -> bool:
        return len(self.done) == 4

    def is_simultaneous_node(self) -> bool:
        return not self.is_terminal()

    def legal_actions(self, seat: int) -> list[int]:
        return [1, 2]

    def action_to_string(self, seat: int, action: int) -> str:
        return f"show {action}"

    def returns(self) -> list[float]:
        even = sum(1 if (a + b) % 2 == 0 else -1 for a, b in (self.done[:2], self.done[2:]))
        return [float(even), float(-even)]


class Silent(Takes):
    def legal_actions(self, seat: int) -> list[int]:
        raise SpielError("LegalActions unimplemented.")


class Game:
    def __init__(self, kind: SimpleNamespace, state: type[State]) -> None:
        self.kind, self.state = kind, state

    def get_type(self) -> SimpleNamespace:
        return self.kind

    def new_initial_state(self) -> State:
        return self.state(self)

    def num_players(self) -> int:
        return 2

    def min_utility(self) -> float:
        return -2.0 if self.state is not Takes else -1.0

    def max_utility(self) -> float:
        return -self.min_utility()

    def max_game_length(self) -> int:
        return 7


def _kind(name: str, **fields: Any) -> SimpleNamespace:
    usual = {
        "short_name": name,
        "long_name": name.capitalize(),
        "dynamics": GameType.Dynamics.SEQUENTIAL,
        "chance_mode": GameType.ChanceMode.DETERMINISTIC,
        "information": GameType.Information.PERFECT_INFORMATION,
        "utility": GameType.Utility.ZERO_SUM,
        "default_loadable": True,
        "provides_information_state_string": False,
        "provides_observation_string": True,
    }
    return SimpleNamespace(**{**usual, **fields})


_HIDDEN = {
    "chance_mode": GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    "information": GameType.Information.IMPERFECT_INFORMATION,
    "provides_information_state_string": True,
}
_GAMES = {
    "takes": Game(_kind("takes"), Takes),
    "cards": Game(_kind("cards", **_HIDDEN), Cards),
    "blind": Game(_kind("blind", **_HIDDEN), Blind),
    "fingers": Game(_kind("fingers", dynamics=GameType.Dynamics.SIMULTANEOUS), Fingers),
    "inside": Game(_kind("inside", chance_mode=GameType.ChanceMode.SAMPLED_STOCHASTIC), Takes),
    "people": Game(_kind("people", dynamics=GameType.Dynamics.MEAN_FIELD), Takes),
    "wrapper": Game(_kind("wrapper", default_loadable=False), Takes),
    "silent": Game(_kind("silent"), Silent),
}


def registered_games() -> list[SimpleNamespace]:
    return [game.kind for game in _GAMES.values()]


def load_game(name: str) -> Game:
    if "(" in name and name != "takes(heap=7)":
        raise SpielError(f"Unknown parameter in {name}")
    return _GAMES[name.partition("(")[0]]
