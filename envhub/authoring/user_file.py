"""Base classes of parameters that name a user's files.

A file is identified by its SHA-256, which defaults to that of the current file, so a task key means the same rows
everywhere. A file that cannot be read raises when the environment is made::

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
    """Parameters, some of which are paths of files.

    Attributes:
        digests: Maps each parameter with a path to the parameter with the SHA-256 of its file.
    """

    digests: ClassVar[Mapping[str, str]]

    @model_validator(mode="before")
    @classmethod
    def _fill_in_digests(cls, given: Any) -> Any:
        if not isinstance(given, Mapping):
            return given
        named = {path: given[path] for path in cls.digests if isinstance(given.get(path), str) and given[path]}
        unknown = {cls.digests[path]: file for path, file in named.items() if not given.get(cls.digests[path])}
        return {**given, **{digest: cls.identify(file) for digest, file in unknown.items()}}

    @classmethod
    def identify(cls, path: str) -> str:
        """The SHA-256 of a path's content.

        Override it where a path is a folder.

        Raises:
            InvalidParameters: It cannot be read.
        """
        return digest_of(path)

    @model_validator(mode="after")
    def _read_files(self) -> Self:
        if all(getattr(self, path) for path in self.digests):
            self.look()
        return self

    @abstractmethod
    def look(self) -> None:
        """Read the files. Called only when all paths are given.

        Raises:
            InvalidParameters: A file cannot be used.
        """


class UserFile(UserFiles):
    """Parameters with one file, whose rows may have a difficulty."""

    digests: ClassVar[Mapping[str, str]] = {"path": "digest"}

    path: str = Field("", description="the file")
    digest: str = Field("", description="its SHA-256; what it is now, if not given")
    level: int | None = Field(None, ge=1, le=10, description="only rows of this difficulty, where rows say one")

    @classmethod
    def at(cls, difficulty: int) -> Self:
        """The rows of a level."""
        return cls(level=difficulty)
