"""Rulebook: what the prompt of a game says, before it is worded.

A game that returns one from ``rulebook`` has wordings; a game that overrides ``rules`` instead has a prompt of fixed text::

    def rulebook(self, problem):
        return Rulebook("Nim", task=_TASK, rules=(_TAKE, _LAST), goal=_WIN, values={"heap": problem["heap"]})
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from envhub.authoring.wording import GAME_FRAMES, PLAIN, Phrase, Rendering, Statement, Variants, Wording, and_list
from envhub.core.types import JSON

LIMIT: Final = Phrase(
    "Send exactly one {action} per message. If a message is not a legal {action}, you are told why and can try again. This can "
    "happen {often} per {whole}; the {last} time, you lose.",
    "Each message must be exactly one legal {action}. After any other message you are told what was wrong and get another try, "
    "{often} per {whole}. The {last} time, you lose.",
    "Every message is one {action}. A message that is not a legal {action} is answered with the reason, and you choose again. "
    "This is possible {often} per {whole}; when it happens for the {last} time, you lose.",
    held_out="One message carries one {action}. Messages without a legal {action} are rejected with a reason; this has no "
    "other effect {often} per {whole}, and the {last} rejection is a loss.",
)
"""The rule on messages without a legal move."""
STRICT: Final = Phrase(
    "Send exactly one {action} per message. If a message is not a legal {action}, you lose.",
    "Each message must be exactly one legal {action}. Any other message loses at once.",
    "Every message is one {action}. You lose with the first message that is not a legal {action}.",
    held_out="One message carries one {action}. A message without a legal {action} is an immediate loss.",
)
"""The same for a game without retries."""
EVERY_SEAT: Final = Phrase(
    "You play every seat in turn. Each message tells you whose turn it is.",
    "All players are yours: you decide for each of them, and every message says which one is to act.",
    "You make the decisions of all players. You are always told for which of them you decide next.",
    held_out="All seats are controlled by you. Each observation names the seat that acts next.",
)
WIN: Final = Phrase(
    "You succeed if you win.",
    "Only a win is a success.",
    "Your goal is to win; a draw is not enough.",
    held_out="Success means a win.",
)
"""The goal of a game in which a draw is not enough."""
WIN_MATCH: Final = Phrase(
    "You succeed if you win the match. This can be forced, whatever your opponent plays.",
    "Your goal is to win the match. With the right moves you win it against every defence.",
    "Winning the match is success. There is a way to win it no matter how your opponent replies.",
    held_out="Success means winning the match; this is possible against any play of the opponent.",
)
"""The goal of a match that the policy can force."""
_OFTEN: Final = {1: ("once", "second"), 2: ("twice", "third"), 3: ("three times", "fourth")}


def _as_shown(problem: JSON) -> str:
    return str(problem["view"])


def _headed(problem: JSON) -> str:
    return f"The current state:\n{problem['view']}"


def _fenced(problem: JSON) -> str:
    return f"```\n{problem['view']}\n```"


def _marked(problem: JSON) -> str:
    return f"--- state ---\n{problem['view']}\n--- end of state ---"


VIEWS: Final[Variants[Rendering]] = Variants(_as_shown, _headed, _fenced, held_out=_marked, name="view")
"""Renderings of the first observation that contain it unchanged."""


def views(*options: Rendering, held_out: Rendering) -> Variants[Rendering]:
    """The first observation as it is, or in one of these renderings."""
    return Variants(_as_shown, _headed, *options, held_out=held_out, name="view")


@dataclass(frozen=True, slots=True)
class Rulebook:
    """The rules of a game as phrases.

    Attributes:
        title: The game, with its length if it has one: ``"Kuhn poker, 8 hands"``.
        task: The role and the game. It contains the field ``{seat}``: "You are {seat} in a game of chess."
        rules: One phrase per rule; they hold for every seat.
        goal: When the policy succeeds.
        opponent: What the policy knows about its opponent, one phrase per sentence.
        values: What fills the fields of the phrases, by name. ``seat``, ``action`` and ``whole`` are known.
        view: Renderings of the first observation.
    """

    title: str
    task: Phrase
    rules: tuple[Phrase, ...]
    goal: Phrase
    opponent: tuple[Phrase, ...] = ()
    values: Mapping[str, Any] = field(default_factory=dict)
    view: Variants[Rendering] = VIEWS

    def text(self, wording: Wording = PLAIN) -> str:
        """The rules for every seat, in one wording."""
        rules = [wording.pick(rule).format_map(self.values) for rule in self.rules]
        return "\n".join([f"{self.title}.\n\nRules:", *(f"- {rule}" for rule in rules)])

    def goal_text(self) -> str:
        """The goal, in the first wording."""
        return PLAIN.pick(self.goal).format_map(self.values)

    def statement(self, problem: JSON, seat: str, limit: Phrase, values: Mapping[str, Any]) -> Statement:
        """The prompt of a seat against an opponent."""
        return Statement(
            task=self.task,
            data=self.view,
            problem=problem,
            rules=(*self.rules, *self.opponent, limit),
            note=self.goal,
            values={**values, **self.values, "seat": seat},
            frames=GAME_FRAMES,
        )

    def statement_for_all(
        self, problem: JSON, seats: Iterable[str], limit: Phrase, values: Mapping[str, Any]
    ) -> Statement:
        """The prompt of a policy that plays every seat.

        The first observation stays as it is, others will replace it.
        """
        return Statement(
            task=self.task,
            data=VIEWS,
            problem=problem,
            rules=(*self.rules, EVERY_SEAT, limit),
            values={**values, **self.values, "seat": and_list(seats)},
            frames=GAME_FRAMES,
        )


def limit_of(retries: int) -> tuple[Phrase, dict[str, str]]:
    """The rule on illegal moves, and the values of its fields."""
    if not retries:
        return STRICT, {}
    often, last = _OFTEN.get(retries, (f"{retries} times", "next"))
    return LIMIT, {"often": often, "last": last}
