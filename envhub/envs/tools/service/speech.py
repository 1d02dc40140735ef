"""How a model speaks for a user of customer-service-v0.

It is given a persona and what the user has asked for, and its words are checked.
The persona depends on the customer's number, so it is the same in every episode of a task.
"""

from __future__ import annotations

from typing import Final

from envhub.authoring.model_user import Cue
from envhub.authoring.paraphrase import Faithful
from envhub.envs.tools.service.airline import CITIES
from envhub.envs.tools.service.retail import COLORS, ITEMS, STREETS
from envhub.envs.tools.service.telecom import SETTINGS
from envhub.envs.tools.service.user import Memory, User

PERSONAS: Final = (
    "You are in a hurry and write short sentences.",
    "You are polite and a little talkative.",
    "You are annoyed that you had to call, but you are fair.",
    "You are cheerful and chatty.",
    "You are not used to computers and phones, and write plainly.",
)
FAITHFUL: Final = Faithful((*CITIES, *ITEMS, *COLORS, *STREETS, *SETTINGS))
REMEMBERED: Final = 6
"""Number of lines of the conversation that the model sees."""


def cue(user: User, memory: Memory, talk: tuple[str, ...], message: str, plain: list[str]) -> Cue:
    """What the model is given.

    It contains nothing that the user has not said and does not say next.
    """
    persona = PERSONAS[sum(map(ord, user.number)) % len(PERSONAS)]
    goal = " ".join(request.opening for request in user.requests[: memory.shown])
    return Cue(persona, goal, talk, message, plain)
