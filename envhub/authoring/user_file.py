"""Parameters that name files of a user's own: what the environments over them share.

A file is known by what is in it: where its SHA-256 is not given, it is that of the file as it is now, so a task key means
the same rows everywhere. What does not fit is told when the environment is made::

    class Params(UserFile):
        def look(self) -> None:
            theorems(self.path, self.digest, self.level)
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar, Self

from pydantic import Field, model_validator

from envhub.core.difficulty import BaseParams
from envhub.generators.user_files.files import digest_of


class UserFiles(BaseParams):
    """Parameters of which some name files.

    Attributes:
        digests: For each that names a file, the parameter with its SHA-256.
    """

    digests: ClassVar[Mapping[str, str]]

    @model_validator(mode="before")
    @classmethod
    def _known_by_their_content(cls, given: Any) -> Any:
        if not isinstance(given, Mapping):
            return given
        named = {path: given[path] for path in cls.digests if isinstance(given.get(path), str) and given[path]}
        unknown = {cls.digests[path]: file for path, file in named.items() if not given.get(cls.digests[path])}
        return {**given, **{digest: digest_of(file) for digest, file in unknown.items()}}

    @model_validator(mode="after")
    def _what_does_not_fit_is_told_now(self) -> Self:
        if all(getattr(self, path) for path in self.digests):
            self.look()
        return self

    @abstractmethod
    def look(self) -> None:
        """Read the files, all of which are named.

        Raises:
            InvalidParameters: They do not fit.
        """


class UserFile(UserFiles):
    """A file with rows that may say a difficulty."""

    digests: ClassVar[Mapping[str, str]] = {"path": "digest"}

    path: str = Field("", description="the file")
    digest: str = Field("", description="its SHA-256; what it is now, if not given")
    level: int | None = Field(None, ge=1, le=10, description="only rows of this difficulty, where rows say one")

    @classmethod
    def at(cls, difficulty: int) -> Self:
        """The rows of a level."""
        return cls(level=difficulty)
