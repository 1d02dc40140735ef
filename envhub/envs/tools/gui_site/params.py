"""Parameters of gui-site-v0."""

from __future__ import annotations

from typing import Final, Self

from pydantic import Field, model_validator

from envhub.core.difficulty import BaseParams
from envhub.envs.tools.gui_site.site import APPS

_GOALS: Final = (1, 1, 1, 2, 2, 2, 3, 3, 4, 4)


class Params(BaseParams):
    """The site, its size, and the number of goals."""

    goals: int = Field(1, ge=1, le=4, description="number of goals, each of another kind")
    size: int = Field(3, ge=1, le=10, description="how many records the site has")
    sites: tuple[str, ...] = Field((), description="the sites to draw from; all if none is named")

    @model_validator(mode="after")
    def _possible(self) -> Self:
        unknown = [name for name in self.sites if name not in APPS]
        if unknown:
            raise ValueError(f"sites must be among {', '.join(APPS)}; got {unknown[0]!r}")
        return self

    @classmethod
    def at(cls, difficulty: int) -> Self:
        """The parameters of a level."""
        return cls(goals=_GOALS[difficulty - 1], size=difficulty)
