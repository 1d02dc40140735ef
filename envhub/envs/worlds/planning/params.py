"""Parameters of the planning environments."""

from __future__ import annotations

from typing import Final, Literal, Self

from pydantic import Field, model_validator

from envhub.core.difficulty import BaseParams

DomainName = Literal["any", "blocksworld", "logistics", "gripper", "ferry", "depots"]
LENGTHS: Final = ((4, 6), (5, 7), (6, 8), (7, 10), (8, 11), (9, 12), (10, 14), (12, 16), (13, 17), (14, 19))
"""The least and the greatest length of a shortest plan, by level."""
QUICK: Final = 11
"""Plans up to this length are found within milliseconds."""


class Params(BaseParams):
    """The domain, the size, and the length of a shortest plan."""

    domain: DomainName = Field("any", description="domain; any: drawn for each task")
    size: int = Field(5, ge=1, le=10, description="how many objects there are, from few to many")
    least: int = Field(3, ge=1, le=40, description="length of a shortest plan, at least")
    most: int = Field(12, ge=1, le=40, description="length of a shortest plan, at most")

    @model_validator(mode="after")
    def _possible(self) -> Self:
        if self.least > self.most:
            raise ValueError("least <= most must hold")
        return self

    @classmethod
    def at(cls, difficulty: int) -> Self:
        """The parameters of a level."""
        least, most = LENGTHS[difficulty - 1]
        return cls(size=difficulty, least=least, most=most)
