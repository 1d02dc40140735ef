"""Observations: what a policy is shown of a state, text or pictures.

``text`` is text alone. ``both`` adds a picture of the state. ``image`` adds the picture and leaves out of the text what the
picture shows; rules, feedback and counts stay. ``marks`` is ``image`` with the ids of elements drawn in screenshots. The
problem, its fingerprint and the verdict are the same.
"""

from __future__ import annotations

from typing import Any, Final

from envhub.core.errors import InvalidParameters, nearest
from envhub.scenes.pixels import pillow

OBSERVATIONS: Final = ("text", "image", "both", "marks")
IN_PICTURE: Final = "The picture shows the current state."
"""What a turn says in place of a board."""


def check_observation(id: str, cls: Any, observation: Any) -> None:
    """Reject an observation that an environment does not have.

    Args:
        id: The environment's id, for the message.
        cls: Its class.
        observation: The requested observation.

    Raises:
        InvalidParameters: The observation is unknown, or the environment has no pictures for it.
        MissingExtra: Pictures need Pillow, which is not installed.
    """
    check_name(observation)
    if observation == "text" or cls.screenshots:
        return
    if observation == "marks":
        raise InvalidParameters(
            f"{id} has no screenshots with marks: `observation` must be 'text', 'image' or 'both', got 'marks'."
        )
    if not cls.pictured:
        raise InvalidParameters(f"{id} has no pictures: `observation` must be 'text', got {observation!r}.")
    if observation == "image" and not cls.separable:
        raise InvalidParameters(
            f"The text of {id} says more than its picture and cannot be separated from it: "
            "`observation` must be 'both' or 'text', got 'image'."
        )
    pillow()


def check_name(observation: Any) -> None:
    """Reject a name that is not one of :data:`OBSERVATIONS`.

    Raises:
        InvalidParameters: The name is unknown.
    """
    if observation not in OBSERVATIONS:
        known = ", ".join(map(repr, OBSERVATIONS))
        raise InvalidParameters(
            f"`observation` must be one of {known}, got {observation!r:.80}.{nearest(str(observation), OBSERVATIONS)}"
        )
