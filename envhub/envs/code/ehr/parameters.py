"""Parameters of ehr-v0."""

from __future__ import annotations

from typing import Final, Self

from pydantic import Field, model_validator

from envhub.authoring import BaseParams

_LEVELS: Final = (
    (25, 60, 100),
    (42, 68, 150),
    (55, 80, 200),
    (70, 95, 300),
    (85, 112, 400),
    (98, 128, 600),
    (112, 145, 800),
    (128, 165, 1000),
    (145, 190, 1500),
    (170, 300, 2000),
)


class Params(BaseParams):
    """The question, the database and the budget."""

    least: int = Field(40, ge=0, le=400, description="words and signs of the reference query, at least")
    most: int = Field(80, ge=30, le=500, description="and at most")
    patients: int = Field(200, ge=20, le=10_000, description="patients of the database that can be seen")
    documented: bool = Field(True, description="whether the prompt explains every column")
    mixed: bool = Field(False, description="whether results are given in several units")
    notes: bool = Field(False, description="whether facts may stand in notes only")
    calls: int = Field(10, ge=1, le=30, description="calls of sql and python together")

    @model_validator(mode="after")
    def _possible(self) -> Self:
        if self.most < self.least:
            raise ValueError("least <= most must hold")
        return self

    @classmethod
    def at(cls, difficulty: int) -> Self:
        """The parameters of a level."""
        least, most, patients = _LEVELS[difficulty - 1]
        return cls(
            least=least, most=most, patients=patients, documented=difficulty < 5, mixed=difficulty > 3, notes=difficulty > 5,
            calls=7 + difficulty,
        )  # fmt: skip
