"""A language model as opponent: an OpenAI-compatible endpoint, one request per move.

The model sees the rules and the observation of its seat. Only the final answer of its reply is kept, so the journal holds
the move and not its thoughts about hidden cards; neither does the digest of the request. An illegal move is reported to it.
After several attempts a random legal move is played, so nobody wins by unreadable replies. A failed request is an ``error``
of the episode.
"""

from __future__ import annotations

import os
from collections.abc import Generator
from hashlib import blake2b
from typing import Any, Final

from envhub.authoring.game.opponents import read_opponent
from envhub.authoring.game.rules import Rules
from envhub.authoring.model_requests import Models
from envhub.core.effects import Ask, Effect, Outcome
from envhub.core.errors import ResourceError
from envhub.core.seeding import Stream, canonical_json
from envhub.core.types import Instance
from envhub.verifiers.answers.extraction import find_spans, last_line
from envhub.verifiers.judge.endpoint import Endpoint, Prompt, Reply

RESOURCE: Final = "opponent"
KEY_VARIABLE: Final = "ENVHUB_OPPONENT_KEY"
TRIES: Final = 3
_SHOWN: Final = 200


class ModelOpponents(Models):
    """Endpoints of models that play a seat."""

    def asked(self, effect: Effect) -> tuple[Endpoint, Prompt]:
        """The request of an :class:`AskForMove`."""
        if not isinstance(effect, AskForMove):
            raise ResourceError(f"Expected an AskForMove effect, got {type(effect).__name__}.")
        wanted = effect.payload
        endpoint = read_opponent(wanted["url"]).endpoint(KEY_VARIABLE if os.environ.get(KEY_VARIABLE) else None)
        return endpoint, Prompt(wanted["system"], wanted["user"], None)

    def kept(self, reply: Reply) -> Outcome:
        """The final answer, if there is exactly one."""
        if reply.content is None:
            return Outcome("")
        spans = {span.strip()[:_SHOWN] for span in find_spans(reply.content, last_line)[1]}
        return Outcome(spans.pop() if len(spans) == 1 else "")


class AskForMove(Ask):
    """An ``Ask`` whose digest reveals nothing that the other seat saw."""

    __slots__ = ()

    def digest(self) -> str:
        """Identity of the request, without what is hidden from the policy."""
        body = canonical_json(["AskForMove", self.resource, self.payload["url"], self.payload["attempt"]])
        return blake2b(body, digest_size=8).hexdigest()


def ask_for_move(
    game: Rules, inst: Instance, s: Any, seat: int, url: str, rng: Stream
) -> Generator[Effect, Outcome, Any]:
    """Ask a model for its move.

    After ``TRIES`` failed attempts a random one. Use with ``yield from``.
    """
    system = f"{game.rules(inst.problem)}\n\nYou play {game.seat_name(inst.problem, seat)}.\n\n{game.format_sentence}"
    user = shown = game.observe(inst, s, seat)
    for attempt in range(TRIES):
        asked = {"url": url, "system": system, "user": user, "attempt": attempt}
        outcome = yield AskForMove(RESOURCE, asked)
        reading = game.answer.read(game.answer.wrap(outcome.text))
        why = reading.feedback if reading.reason is not None else game.fault(inst, s, reading.value)
        if not why:
            return game.read_move(inst, s, reading.value)
        user = f"{shown}\n\nYour last answer was no legal move: {why}"
    return game.random_move(inst, s, rng)
