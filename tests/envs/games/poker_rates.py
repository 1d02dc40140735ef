"""Exact solve rates of strategies in the poker environments: by card and history, against the opponents of a task."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import product
from math import prod
from typing import Any

import envhub
from envhub.core.types import Instance
from envhub.envs.games.poker.environment import PokerMatch
from envhub.envs.games.poker.match import rival_of
from envhub.envs.games.poker.rules import RANKS, Policy, acts, public_of

Maker = Callable[[Instance, int], Policy]
"""A policy for a hand of a task."""


def tasks(env_id: str, level: int, count: int) -> list[Instance]:
    env = envhub.make(env_id, difficulty=level)
    found = []
    for seed in range(count):
        env.reset(seed=seed)
        found.append(env.episode.instance)
    return found


def solved(game: PokerMatch, inst: Instance, maker: Maker) -> float:
    """The probability that a policy solves a task; the cards of the first hand count as not yet dealt."""
    shares: dict[Any, tuple[float, float]] = {}
    for hand in range(inst.problem["hands"]):
        rival = rival_of(inst, hand)
        if rival not in shares:
            shares[rival] = game.poker.faultless(*rival, game.least, maker(inst, hand))
    seat = inst.problem["player"]
    return prod(shares[rival_of(inst, hand)][(seat + hand) % 2] for hand in range(inst.problem["hands"]))


def rate(game: PokerMatch, insts: list[Instance], maker: Maker) -> float:
    return sum(solved(game, inst, maker) for inst in insts) / len(insts)


def blind(game: PokerMatch) -> dict[str, Maker]:
    """Policies that do not look: a fixed action where nothing is bet and one where something is, or any legal action."""

    def fixed(free: str, facing: str) -> Maker:
        def chosen(card: str, history: str) -> Mapping[str, float]:
            letter = facing if acts(history).endswith("r") else free
            return {letter if letter in game.poker.letters(history) else "c": 1.0}

        return lambda inst, hand: chosen

    makers = {free + facing: fixed(free, facing) for free, facing in product(game.free, game.facing)}
    return {**makers, "random": lambda inst, hand: any_letter(game)}


def any_letter(game: PokerMatch) -> Policy:
    """Any legal action."""
    return lambda card, history: dict.fromkeys(game.poker.letters(history), 1.0)


def card_rules(game: PokerMatch) -> dict[str, Maker]:
    """Every rule that looks at the own card alone: for each card (and a pair) a fixed action, free and facing a bet."""
    pairs = list(product(game.free, game.facing))
    cards = [*RANKS, "pair"] if len(game.poker.sizes) > 1 else list(RANKS)

    def rule(choice: tuple[tuple[str, str], ...]) -> Maker:
        def chosen(card: str, history: str) -> Mapping[str, float]:
            kind = len(RANKS) if card == public_of(history) else RANKS.index(card)
            letter = choice[kind][acts(history).endswith("r")]
            return {letter if letter in game.poker.letters(history) else "c": 1.0}

        return lambda inst, hand: chosen

    return {str(choice): rule(choice) for choice in product(pairs, repeat=len(cards))}


def naive(game: PokerMatch) -> Maker:
    """The policy of ``greedy_action``."""

    def made(inst: Instance, hand: int) -> Policy:
        def chosen(card: str, history: str) -> Mapping[str, float]:
            worth = game.poker.naive(*rival_of(inst, hand), card, history)
            return {max(worth, key=lambda letter: worth[letter]): 1.0}

        return chosen

    return made
