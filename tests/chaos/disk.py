"""A small disk that can really be full: a file system in memory, which only the processes of a test see.

It is mounted in a name space of its own, so nothing of it is left when its keeper ends, which it does with the test's process.
It needs the right to mount: that of root, or that which a user has in a user name space. ::

    with Disk(tmp_path) as disk, Server(tmp_path, f"sqlite:///{disk.folder}/journal.sqlite", inside=disk.inside):
        disk.fill()
        disk.free()
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from shutil import copyfile
from types import TracebackType
from typing import Final, Self

import pytest

_MEBIBYTES: Final = 16
_WAYS: Final = {
    ("--mount",): ["--mount"],
    ("--user", "--map-root-user", "--mount"): ["--user", "--preserve-credentials", "--mount"],
}
"""How a name space is made, and how it is entered."""
_KEEP: Final = f'mount -t tmpfs -o size={_MEBIBYTES}m,mode=700 tmpfs "$0" && echo mounted && exec cat'


class Disk:
    """The disk.

    Args:
        folder: Under which it is mounted.

    Attributes:
        folder: Its path, for processes that run inside.
        inside: The command that runs others inside.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "disk"
        self.folder.mkdir()
        self.inside: list[str] = []

    def __enter__(self) -> Self:
        said = ""
        for making, entering in _WAYS.items():
            self._keeper = subprocess.Popen(
                ["unshare", *making, "sh", "-c", _KEEP, str(self.folder)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
            assert self._keeper.stdout is not None
            line = self._keeper.stdout.readline().decode()
            if line == "mounted\n":
                self.inside = ["nsenter", "--target", str(self._keeper.pid), *entering]
                return self
            said += line
            self._keeper.kill()
            self._keeper.communicate()
        if os.environ.get("CI"):
            pytest.fail(f"no disk can be mounted, and CI needs one: {said}")
        pytest.skip(f"no disk can be mounted: {said.strip()}")

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._keeper.kill()
        self._keeper.communicate()

    def fill(self) -> None:
        """Leave no byte."""
        with (self._seen / "filler").open("wb", buffering=0) as filler:
            for size in (65_536, 512):  # a page is the least, however little is written
                try:
                    while filler.write(b"x" * size) == size:
                        pass
                except OSError:
                    continue

    def free(self) -> None:
        """Give the room back."""
        (self._seen / "filler").unlink()

    def copy(self, name: str, folder: Path) -> Path:
        """A file of it, and what lies beside it under its name, for those outside."""
        for file in self._seen.glob(f"{name}*"):
            copyfile(file, folder / file.name)
        return folder / name

    @property
    def _seen(self) -> Path:
        """Its path from outside."""
        return Path(f"/proc/{self._keeper.pid}/root{self.folder}")
