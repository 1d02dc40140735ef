"""A section of a run's settings."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any

from pydantic import BaseModel, ConfigDict, model_validator


class Section(BaseModel):
    """Base of the sections: frozen; unknown names are errors."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    @model_validator(mode="before")
    @classmethod
    def _known(cls, data: Any) -> Any:
        if isinstance(data, Mapping) and cls.model_config.get("extra") == "forbid":
            for name in data:
                if name not in cls.model_fields:
                    near = get_close_matches(str(name), cls.model_fields, 1)
                    hint = f" Did you mean {near[0]!r}?" if near else f" There are {', '.join(cls.model_fields)}."
                    raise ValueError(f"There is no setting {name!r}.{hint}")
        return data
