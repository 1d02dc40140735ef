"""The image that slots of the ``docker`` backend are started from: found by name, or made.

It needs nothing of ours: Python 3.9 or newer, the languages, ``/tmp`` as a link into ``/box``, the users that programs are, and
a label that says which languages there are. :func:`from_host` makes one of files of this machine, without any registry;
:func:`from_dockerfile` lets the daemon build one. Each is tagged by its content, and as the newest::

    image = from_host(daemon, {"python", "bash"})       # envhub-sandbox:3f9a... and envhub-sandbox:latest
    image = find(daemon)                                # MissingExtra: the command that makes one
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
import tempfile
from collections.abc import Collection
from dataclasses import dataclass
from importlib import resources
from io import BytesIO
from typing import TYPE_CHECKING, Any, Final

from envhub.core.errors import InvalidParameters, MissingExtra
from envhub.sandbox.docker.daemon import Daemon
from envhub.sandbox.docker.pack import pack
from envhub.sandbox.languages import LANGUAGES

if TYPE_CHECKING:
    from typing import IO

NAME: Final = "envhub-sandbox"
WHICH: Final = "ENVHUB_SANDBOX_IMAGE"
"""The variable that names another image."""
LABEL: Final = "envhub.sandbox.languages"
COMMAND: Final = "python3"
_PATH: Final = "/usr/local/bin:/usr/bin:/bin"
_BUILD_S: Final = 1800


@dataclass(frozen=True, slots=True)
class Image:
    """An image.

    Attributes:
        tag: How it is called.
        key: Its id, which no other image gets.
        languages: What programs in it can be written in.
    """

    tag: str
    key: str
    languages: frozenset[str]


def find(daemon: Daemon, tag: str | None = None) -> Image:
    """The image of this name, or of that in ``ENVHUB_SANDBOX_IMAGE``, or the newest one that was made here.

    Raises:
        MissingExtra: There is none, or it is not made for this.
    """
    tag = tag or os.environ.get(WHICH) or f"{NAME}:latest"
    found = _inspect(daemon, tag)
    if found is None:
        raise MissingExtra(f"The Docker daemon has no image {tag!r}. Make one with: envhub sandbox image")
    return found


def from_host(daemon: Daemon, languages: Collection[str]) -> Image:
    """Make an image of this machine's own files.

    Args:
        daemon: Gets it.
        languages: What is to be in it; Python always is.

    Raises:
        InvalidParameters: A language is not known.
        MissingExtra: Something is not installed here, or the daemon's machine is of another kind than this one.
        OSError: The daemon refuses.
    """
    unknown = set(languages) - set(LANGUAGES)
    if unknown:
        raise InvalidParameters(f"Unknown language {min(unknown)!r}; expected some of {', '.join(LANGUAGES)}.")
    there = daemon.info.get("Architecture")
    if there != platform.machine() or daemon.info.get("OSType") != "linux":
        raise MissingExtra(
            f"The files of this machine ({platform.machine()}) do not run on that of the Docker daemon ({there}); "
            "build the image from a registry with: envhub sandbox image --dockerfile"
        )
    inside = sorted({"python", *languages})
    with tempfile.TemporaryFile(prefix="envhub-image-") as file:
        pack(file, inside)
        tag = f"{NAME}:{_digest(file, inside)}"
        if _inspect(daemon, tag) is None:
            changes = [f'LABEL {LABEL}="{" ".join(inside)}"', f"ENV PATH={_PATH}"]
            file.seek(0)
            _import(daemon, file, tag, changes)
    return _newest(daemon, tag)


def from_dockerfile(daemon: Daemon) -> Image:
    """Let the daemon build the image; it needs a registry, or the base image.

    Raises:
        OSError: It does not build; the message is the end of what the daemon says.
    """
    text = resources.files("envhub.sandbox.docker").joinpath("Dockerfile").read_bytes()
    tag = f"{NAME}:{hashlib.sha256(text).hexdigest()[:16]}"
    if _inspect(daemon, tag) is None:
        said: list[str] = []
        for line in daemon.api.build(
            fileobj=BytesIO(text), tag=tag, rm=True, forcerm=True, timeout=_BUILD_S, decode=True
        ):
            if "error" in line:
                raise OSError(f"the image does not build: {''.join(said[-5:])}{line['error']}")
            said.append(str(line.get("stream", "")))
    return _newest(daemon, tag)


def _inspect(daemon: Daemon, tag: str) -> Image | None:
    answer = daemon.ask("GET", f"/images/{tag}/json", {404})
    if answer.status_code == 404:
        return None
    about = answer.json()
    labels = (about.get("Config") or {}).get("Labels") or {}
    if LABEL not in labels:
        raise MissingExtra(
            f"The image {tag!r} is not one for the sandbox: it has no label {LABEL}. Make one with: envhub sandbox image"
        )
    return Image(tag, about["Id"], frozenset(labels[LABEL].split()) & frozenset(LANGUAGES))


def _newest(daemon: Daemon, tag: str) -> Image:
    daemon.api.tag(tag, NAME, "latest")
    return find(daemon, tag)


def _digest(file: IO[bytes], languages: list[str]) -> str:
    digest = hashlib.sha256(" ".join(languages).encode())
    file.seek(0)
    while part := file.read(1 << 20):
        digest.update(part)
    return digest.hexdigest()[:16]


def _import(daemon: Daemon, file: IO[bytes], tag: str, changes: list[str]) -> None:
    repository, _, version = tag.partition(":")
    parameters: dict[str, Any] = {"fromSrc": "-", "repo": repository, "tag": version, "changes": changes}
    answer = daemon.ask("POST", "/images/create", params=parameters, data=file)
    for line in answer.text.splitlines():
        said = json.loads(line)
        if "error" in said:
            raise OSError(f"the Docker daemon does not take the image: {said['error']}")
