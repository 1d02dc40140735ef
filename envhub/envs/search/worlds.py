"""Shared base of environments about a generated world: size and questions.

The content of a question is its words and facts, so all environments that use it agree on its split::

    class Params(WorldParams):
        levels = ((8, 0, 1), ...)            # people, namesakes and what else the subclass has, for 1..10

    made, question, content = drawn(rng, p)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, NamedTuple, Self

from pydantic import Field, model_validator

from envhub.core.difficulty import BaseParams
from envhub.core.seeding import Stream
from envhub.core.types import JSON
from envhub.generators.worlds.corpus import Recipe, recipe, world_of
from envhub.generators.worlds.questions import Question, draw_question, draw_shape, told

_SHAPES, _TRIES = 2, 40


class WorldParams(BaseParams):
    """The size of a world.

    Attributes:
        levels: The parameters of each difficulty level, in order.
    """

    levels: ClassVar[Sequence[tuple[int, ...]]]

    people: int = Field(20, ge=8, le=200, description="people in the world; there are about three documents for each")
    namesakes: int = Field(2, ge=0, le=50, description="pairs of people who share a name")

    @model_validator(mode="after")
    def _enough_people(self) -> Self:
        if self.namesakes * 4 > self.people:
            raise ValueError("4 * namesakes <= people must hold")
        return self

    @classmethod
    def at(cls, difficulty: int) -> Self:
        """The parameters of a level."""
        return cls(**dict(zip(cls.model_fields, cls.levels[difficulty - 1], strict=True)))


class Drawn(NamedTuple):
    """A question about a world: its recipe, and its identifying content."""

    recipe: Recipe
    question: Question
    content: JSON


def drawn(rng: Stream, p: Any) -> Drawn | None:
    """A question that needs ``p.facts`` facts.

    None if no such question was found.
    """
    made = recipe(rng, p.people, p.namesakes)
    world = world_of(*made)
    shapes = (draw_shape(rng, p.facts) for _ in range(_SHAPES))
    tried = (draw_question(rng, world, p.facts, shape) for shape in shapes for _ in range(_TRIES))
    question = next(filter(None, tried), None)
    if question is None:
        return None
    content = {"question": question.text, "facts": sorted(told(world, fact) for fact in question.facts)}
    return Drawn(made, question, content)
