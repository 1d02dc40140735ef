"""Kuhn poker against itself: how much a best response wins against the model.

A model's strategy is its probability of each legal word in each of the twelve situations of a hand, in the conversation of the
seat that decides. Exploitability is what both best responses win on average in chips: 0 for a Nash equilibrium, .458 for
random legal play.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import torch

import envhub
from benchmarks.learning.chats import conversations, warm_start_on
from benchmarks.learning.experiment import HERE, Experiment
from benchmarks.learning.records import Measures
from envhub.authoring.game import exploitability
from envhub.core.seeding import Stream
from envhub.envs.games.poker.kuhn_poker import KuhnPoker
from envhub.envs.games.poker.match import ONE_HAND, card_of
from envhub_trainer.config import Config
from envhub_trainer.conversations import Message, Talk
from envhub_trainer.logprobs import score
from envhub_trainer.models import load_model, load_tokenizer
from envhub_trainer.render import Renderer
from envhub_trainer.setup import task_stream

GAME: Final = KuhnPoker()
_SITUATIONS: Final = 12
_HANDS: Final = 3000
_CARD: Final = re.compile(r"Your card: (\w)")

Situation = tuple[str, str]
"""The card of the player who decides, and the history of the hand."""

Strategy = Mapping[Situation, Mapping[str, float]]
"""Probabilities of words, by situation; illegal messages have the rest."""


class Kuhn(Experiment):
    """Self-play with a league, measured by exploitability."""

    def prepare(self, config: Config) -> None:
        """Learn from play that is mostly random."""
        warm_start_on(config, [list(conversations(config.tasks, _mostly_random, _HANDS, config.run.seed))])

    def measured(self, config: Config, model: Path) -> Measures:
        """Exploitability, and the probability of a legal message."""
        found = strategy(config, model)
        legal = sum(sum(words.values()) for words in found.values()) / len(found)
        return {"exploitability": exploited(found), "legal": legal}


def _mostly_random(env: envhub.Env, rng: Stream) -> str:
    """A random legal action, or with a probability of 1 in 10 the heuristic's, so that the model learns to see its card."""
    action = env.greedy_action(rng) if rng.below(10) == 0 else None
    return env.random_action(rng) if action is None else action


def exploited(found: Strategy) -> float:
    """Exploitability of a strategy in a hand of Kuhn poker."""
    start = GAME.start(ONE_HAND)
    return exploitability(GAME, ONE_HAND, start, lambda s: list(found[card_of(s), s.seen].items()))


@torch.no_grad()
def strategy(config: Config, model: Path) -> Strategy:
    """The strategy of a model in the game that it is trained on."""
    tokenizer, policy = load_tokenizer(str(model)), load_model(str(model), config.model)
    renderer = Renderer(tokenizer)

    def probability(messages: list[Message], word: str) -> float:
        asked, said = renderer.opening(messages), renderer.said(word)
        mask = torch.arange(1, len(asked) + len(said)) >= len(asked)
        scored = score(policy, torch.tensor([asked + said]), mask[None], temperature=config.rollout.temperature)
        return float(scored.logp.sum().exp())

    return {
        (card, seen): {word: probability(messages, word) for word in GAME.words(seen).values()}
        for (card, seen), messages in situations(config).items()
    }


def situations(config: Config) -> Mapping[Situation, list[Message]]:
    """The conversation in which each decision is taken."""
    options: dict[str, Any] = {"answer_format": config.tasks.answer_format, "wording": config.tasks.wording}
    found: dict[Situation, list[Message]] = {}
    for task in task_stream(config.tasks, "train", 0):
        found |= _decisions(envhub.begin(task, **options), Talk(task), "")
        if len(found) == _SITUATIONS:
            return found
    raise RuntimeError("the stream of tasks has no end")


def _decisions(env: envhub.Env, talk: Talk, seen: str) -> dict[Situation, list[Message]]:
    """The decisions of a hand, for one deal of the cards."""
    card = _CARD.findall(talk.messages[-1]["content"])[-1]
    found = {(card, seen): list(talk.messages)}
    for letter, word in GAME.words(seen).items():
        for then, said in _after(env, talk, word):
            found |= _decisions(then, said, seen + letter)
    return found


def _after(env: envhub.Env, talk: Talk, word: str) -> Iterator[tuple[envhub.Env, Talk]]:
    """The game after a word, unless it is over."""
    then, said = env.fork(), talk.copy()
    told, _, terminated, truncated, info = then.step(word)
    if not (terminated or truncated):
        said.say(word)
        said.hear(told, info)
        yield then, said


KUHN: Final = Kuhn("kuhn", str(HERE / "kuhn.toml"), "Kuhn poker in a league of its own past")
