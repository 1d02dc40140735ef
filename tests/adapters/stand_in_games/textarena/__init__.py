"""A stand-in for TextArena with the same interface, drawing from Python's global generator as it does.

``GuessTheNumber`` (one player, of 1..8; ``[boom]`` raises), ``Nim`` (two players, a heap of five), ``Tally`` (nobody has
checked it, and it pays 7), ``Bandit`` (known as broken), ``Missing`` (does not start).
"""

from __future__ import annotations

import random
from enum import Enum
from types import SimpleNamespace
from typing import Any

ObservationType = Enum("ObservationType", "PROMPT PLAYER_ACTION GAME_MESSAGE")
GAME_ID = -1
ObservationType.__module__ = __name__  # so that a copy is the same member


class Env:
    count = 1

    def reset(self, num_players: int, seed: int | None = None) -> None:
        assert num_players == self.count, f"{self.count} players, received {num_players}"
        if seed is not None:
            random.seed(seed)
        print("a line for debugging")
        told: dict[int, list[Any]] = {seat: [] for seat in range(self.count)}
        self.state = SimpleNamespace(observations=told, num_players=self.count, role_mapping={GAME_ID: "GAME"})
        self.seat, self.mistakes, self.done = 0, 0, False
        self.rewards: dict[int, float] | None = None
        self.infos = {seat: {"invalid_move": False, "reason": ""} for seat in range(self.count)}
        self.start()

    def tell(self, message: Any, sender: int = GAME_ID) -> None:
        kind = ObservationType.GAME_MESSAGE if sender == GAME_ID else ObservationType.PLAYER_ACTION
        for told in self.state.observations.values():
            told.append((sender, message, kind))

    def get_observation(self) -> tuple[int, list[Any]]:
        told, self.state.observations[self.seat] = self.state.observations[self.seat], []
        return self.seat, told

    def end(self, rewards: dict[int, float], reason: str) -> None:
        self.done, self.rewards, self.infos[self.seat]["reason"] = True, rewards, reason

    def wrong(self) -> None:
        self.mistakes += 1
        if self.mistakes > 1:
            self.infos[self.seat]["invalid_move"] = True
            self.end({seat: -1.0 if seat == self.seat else 1.0 for seat in range(self.count)}, "Invalid move")
        else:
            self.tell("Invalid move, try again.")

    def close(self) -> tuple[Any, Any]:
        return self.rewards, self.infos

    def start(self) -> None:
        self.tell("Hello.")

    def step(self, action: str) -> tuple[bool, dict[str, Any]]:
        self.tell(action, self.seat)
        self.play(action)
        return self.done, {}

    def play(self, action: str) -> None:
        raise NotImplementedError


class Guess(Env):
    def start(self) -> None:
        self.secret, self.turns = random.randint(1, 8), 0
        self.tell("Guess [1] to [8].")

    def play(self, action: str) -> None:
        if action == "[boom]":
            raise RuntimeError("boom")
        if not action.strip("[]").isdigit():
            self.wrong()
            return
        guess, self.turns, self.mistakes = int(action.strip("[]")), self.turns + 1, 0
        if guess == self.secret:
            self.end({0: 1.0}, "Found.")
        elif self.turns == 4:
            self.end({0: 1 - abs(guess - self.secret) / 8}, "No guesses left.")
        else:
            self.tell(f"The number is {'higher' if guess < self.secret else 'lower'}; luck {random.randint(0, 999)}.")


class Heap(Env):
    count = 2

    def start(self) -> None:
        self.left = 5
        self.tell("Take [1] or [2] of 5.")

    def play(self, action: str) -> None:
        take = int(action.strip("[]")) if action.strip("[]").isdigit() else 0
        if not 1 <= take <= min(2, self.left):
            self.wrong()
            return
        self.left, self.mistakes = self.left - take, 0
        if self.left == 0:
            self.end({self.seat: 1, 1 - self.seat: -1}, f"Player {self.seat} took the last one.")
        else:
            self.seat = 1 - self.seat
            self.tell(f"{self.left} are left.")


class Tally(Env):
    def play(self, action: str) -> None:
        self.end({0: 7}, "Counted.")


class Missing(Env):
    def reset(self, num_players: int, seed: int | None = None) -> None:
        raise LookupError("Resource 'words' not found.")


def make(id: str) -> Env:
    from textarena.envs.registration import ENV_REGISTRY

    env: Env = ENV_REGISTRY[id]()
    return env
