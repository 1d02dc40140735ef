"""Parameters and levels of ml-experiment-v0."""

from __future__ import annotations

from typing import Final, Literal, Self

from pydantic import Field

from envhub.authoring import BaseParams

# rows to learn from, complexity, repeated rows, a late column, submissions, calls
_LEVELS: Final = (
    (600, 1, False, False, 5, 12),
    (400, 1, False, False, 5, 12),
    (500, 2, False, False, 5, 12),
    (400, 2, False, False, 4, 12),
    (500, 3, False, False, 4, 10),
    (400, 3, False, False, 4, 10),
    (500, 4, True, False, 4, 10),
    (500, 4, False, True, 3, 8),
    (500, 5, True, True, 3, 8),
    (400, 5, True, True, 2, 6),
)
TaskName = Literal[
    "any",
    "table-accuracy",
    "table-f1",
    "table-auc",
    "table-map",
    "table-rmse",
    "series-rmse",
    "text-accuracy",
    "text-f1",
    "text-auc",
    "image-accuracy",
]


class Params(BaseParams):
    """The data, the traps and the budget."""

    task: TaskName = Field("any", description="kind of data and metric")
    train: int = Field(500, ge=200, le=2000, description="number of rows to learn from, about")
    test: int = Field(750, ge=450, le=3000, description="number of rows to predict, about")
    complexity: int = Field(2, ge=1, le=5, description="how the target depends on the columns: 1 is simple")
    repeats: bool = Field(False, description="whether rows occur several times, also in the feedback rows")
    late: bool = Field(False, description="whether a column is known only after the outcome")
    attempts: int = Field(4, ge=1, le=10, description="number of submissions")
    calls: int = Field(10, ge=2, le=30, description="number of calls of python")

    @classmethod
    def at(cls, difficulty: int) -> Self:
        """The parameters of a level."""
        train, complexity, repeats, late, attempts, calls = _LEVELS[difficulty - 1]
        return cls(train=train, complexity=complexity, repeats=repeats, late=late, attempts=attempts, calls=calls)
