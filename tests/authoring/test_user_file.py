"""Parameters that name files: known by their content, and looked at when all are named."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import ClassVar

import pytest

from envhub.authoring.user_file import UserFile, UserFiles
from envhub.core.difficulty import resolve
from envhub.core.errors import InvalidParameters


class One(UserFile):
    def look(self) -> None:
        if Path(self.path).read_text() == "":
            raise InvalidParameters("There is nothing in it.")


class Two(UserFiles):
    digests: ClassVar[Mapping[str, str]] = {"left": "left_digest", "right": "right_digest"}

    left: str = ""
    right: str = ""
    left_digest: str = ""
    right_digest: str = ""

    def look(self) -> None:
        raise InvalidParameters("They do not fit.")


def test_a_file_is_known_by_its_content_as_it_is_now(tmp_path: Path) -> None:
    path = tmp_path / "q.jsonl"
    path.write_text("one")
    made = resolve(One, 7, {"path": str(path)})
    assert (made.digest, made.level) == (sha256(b"one").hexdigest(), 7)
    path.write_text("two")
    assert resolve(One, 7, {"path": str(path)}).digest == sha256(b"two").hexdigest()
    assert resolve(One, 7, made.model_dump()) == made  # whoever names a digest means that content


def test_what_does_not_fit_is_told_when_it_is_named(tmp_path: Path) -> None:
    (tmp_path / "empty").touch()
    with pytest.raises(InvalidParameters, match="There is nothing in it"):
        resolve(One, None, {"path": str(tmp_path / "empty")})
    with pytest.raises(InvalidParameters, match="cannot be read"):
        resolve(One, None, {"path": str(tmp_path / "nothing")})
    assert resolve(One, 3, {}) == One(level=3)


def test_several_files_are_looked_at_when_all_are_named(tmp_path: Path) -> None:
    (tmp_path / "left").write_text("left")
    left = str(tmp_path / "left")
    assert resolve(Two, None, {"left": left}).left_digest == sha256(b"left").hexdigest()
    with pytest.raises(InvalidParameters, match="They do not fit"):
        resolve(Two, None, {"left": left, "right": left})
