"""A user's data in many files: a folder or an archive.

A bundle is identified by the SHA-256 of the names and contents of the files that are used, so a folder and an archive with the
same files are the same bundle. It is searched like a single file (:mod:`envhub.generators.user_files.files`)::

    digest = bundle_digest("data.whl", chosen)
    bundle = bundle_at("data.whl", digest, chosen)
    bundle.read("questions.json")
"""

from __future__ import annotations

import os
import zipfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Final

from envhub.core.errors import InvalidParameters

Choice = Callable[[Sequence[str]], Mapping[str, str]]
"""Chooses files by their paths in a bundle: from the name under which a file is read to its path there."""
_ARCHIVES: Final = (".whl", ".zip")
_MOST_FILES: Final = 100_000


@dataclass(frozen=True)
class Bundle:
    """The chosen files of a folder or an archive.

    Attributes:
        place: Its path.
        files: Paths in it, by the name under which they are read.
    """

    place: str
    files: Mapping[str, str]

    def read(self, name: str) -> bytes:
        """The content of a file.

        Raises:
            InvalidParameters: There is no such file, or it cannot be read.
        """
        if name not in self.files:
            raise InvalidParameters(f"{self.place!r} has no file {name!r}.")
        try:
            if self.place.endswith(_ARCHIVES):
                with zipfile.ZipFile(self.place) as archive:
                    return archive.read(self.files[name])
            return Path(self.place, self.files[name]).read_bytes()
        except (OSError, zipfile.BadZipFile, RuntimeError) as error:
            raise _unreadable(self.place, error) from None


def bundle_digest(path: str, choose: Choice) -> str:
    """The SHA-256 of the chosen files, in hexadecimal.

    Raises:
        InvalidParameters: The path cannot be read, or nothing in it is chosen.
    """
    bundle = _opened(path, choose)
    return _digest(bundle.place, tuple(sorted(bundle.files.items())), _state(bundle))


def bundle_at(path: str, digest: str, choose: Choice, *, again: bool = False) -> Bundle:
    """The bundle with a digest.

    It is searched at its path and in the folders of ``ENVHUB_DATASETS``.

    Args:
        path: Where it was.
        digest: Its SHA-256.
        choose: Chooses its files.
        again: Whether to look for changes, even if this process has found it before.

    Raises:
        InvalidParameters: It is in none of these places.
    """
    sought = (path, digest, choose, os.environ.get("ENVHUB_DATASETS", ""))
    return _sought(*sought) if again else _found(*sought)


def _sought(path: str, digest: str, choose: Choice, datasets: str) -> Bundle:
    folders = [folder for folder in datasets.split(os.pathsep) if folder]
    name = os.path.basename(os.path.normpath(path))
    there = [place for place in (path, *(os.path.join(each, name) for each in folders)) if os.path.exists(place)]
    for place in there:
        if bundle_digest(place, choose) == digest:
            return _opened(place, choose)
    why = "its files have changed since" if there else "it is not there"
    raise InvalidParameters(
        f"The task is of the data at {path!r} with SHA-256 {digest[:16]}..., and {why}. Put that data there, or name the "
        "folder that contains it in ENVHUB_DATASETS."
    )


_found: Final = lru_cache(maxsize=16)(_sought)


def _opened(path: str, choose: Choice) -> Bundle:
    try:
        if path.endswith(_ARCHIVES):
            with zipfile.ZipFile(path) as archive:
                names = archive.namelist()
        else:
            names = _names(path)
    except (OSError, zipfile.BadZipFile) as error:
        raise _unreadable(path, error) from None
    files = choose(names)
    if not files:
        raise InvalidParameters(f"None of the expected files is in {path!r}.")
    return Bundle(path, files)


def _names(folder: str) -> list[str]:
    """The files under a folder, without hidden folders and links."""
    if not os.path.isdir(folder):
        raise NotADirectoryError("that is neither a folder nor an archive")
    found: list[str] = []
    for at, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        inside = os.path.relpath(at, folder)
        found += [name if inside == "." else f"{inside}/{name}" for name in sorted(files)]
        if len(found) > _MOST_FILES:
            raise OSError(f"that folder has more than {_MOST_FILES} files")
    return found


def _state(bundle: Bundle) -> tuple[tuple[int, int], ...]:
    """Times and sizes of the files, by which a change is noticed."""
    paths = [bundle.place]
    if not bundle.place.endswith(_ARCHIVES):
        paths = [os.path.join(bundle.place, path) for _, path in sorted(bundle.files.items())]
    stats = [os.stat(path) for path in paths]
    return tuple((each.st_mtime_ns, each.st_size) for each in stats)


@lru_cache(maxsize=16)
def _digest(place: str, files: tuple[tuple[str, str], ...], state: tuple[tuple[int, int], ...]) -> str:
    whole, bundle = sha256(), Bundle(place, dict(files))
    for name, _ in files:
        whole.update(f"{name}\n{sha256(bundle.read(name)).hexdigest()}\n".encode())
    return whole.hexdigest()


def _unreadable(path: str, why: object) -> InvalidParameters:
    return InvalidParameters(f"The data at {path!r} cannot be read: {why}.")
