"""The image of the ``docker`` backend: found by name, or built.

An image contains nothing of envhub: Python 3.9 or newer, the languages, ``/tmp`` as a link into ``/box``, the users of
programs, and a label with the languages. :func:`from_host` builds one from files of this machine, without a registry;
:func:`from_dockerfile` lets the daemon build one. Each is tagged with a digest of its content and as ``latest``::

    image = from_host(daemon, {"python", "bash"})       # envhub-sandbox:3f9a... and envhub-sandbox:latest
    image = find(daemon)                                # MissingExtra: names the command to build one
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
from envhub.sandbox.docker.pack import pack, packed_python
from envhub.sandbox.languages import LANGUAGES
from envhub.sandbox.toolchains import TOOLCHAINS, found_toolchains, not_set_up, toolchain_named

if TYPE_CHECKING:
    from typing import IO

NAME: Final = "envhub-sandbox"
IMAGE_VARIABLE: Final = "ENVHUB_SANDBOX_IMAGE"
"""Environment variable that names another image."""
LABEL: Final = "envhub.sandbox.languages"
TOOLCHAINS_LABEL: Final = "envhub.sandbox.toolchains"
"""Label with names of toolchains and digests of their packages."""
COMMAND: Final = "python3"
_PATH: Final = "/usr/local/bin:/usr/bin:/bin"
_BUILD_S: Final = 1800


@dataclass(frozen=True, slots=True)
class Image:
    """An image of the sandbox.

    Attributes:
        tag: Its tag.
        key: Its unique id.
        languages: The languages it contains.
        toolchains: The toolchains it contains, in their current versions.
    """

    tag: str
    key: str
    languages: frozenset[str]
    toolchains: frozenset[str] = frozenset()


def find(daemon: Daemon, tag: str | None = None) -> Image:
    """The image with this tag.

    Defaults to ``ENVHUB_SANDBOX_IMAGE``, then to the latest one.

    Raises:
        MissingExtra: The image does not exist or is not one for the sandbox.
    """
    tag = tag or os.environ.get(IMAGE_VARIABLE) or f"{NAME}:latest"
    found = _inspect(daemon, tag)
    if found is None:
        raise MissingExtra(f"The Docker daemon has no image {tag!r}. Build one with: envhub sandbox image")
    return found


def from_host(daemon: Daemon, languages: Collection[str], toolchains: Collection[str] = ()) -> Image:
    """Build an image from files of this machine.

    Args:
        daemon: The daemon that stores it.
        languages: The languages to include; Python is always included.
        toolchains: The toolchains to include (:mod:`envhub.sandbox.toolchains`).

    Raises:
        InvalidParameters: Unknown language or toolchain.
        MissingExtra: Something is not installed here, or the daemon runs on another kind of machine.
        OSError: The daemon refused.
    """
    unknown = set(languages) - set(LANGUAGES)
    if unknown:
        raise InvalidParameters(f"Unknown language {min(unknown)!r}; expected some of {', '.join(LANGUAGES)}.")
    there = daemon.info.get("Architecture")
    if there != platform.machine() or daemon.info.get("OSType") != "linux":
        raise MissingExtra(
            f"The Docker daemon runs on {there} and cannot run the files of this machine ({platform.machine()}). "
            "Build the image from a registry with: envhub sandbox image --dockerfile"
        )
    inside = sorted({"python", *languages})
    with tempfile.TemporaryFile(prefix="envhub-image-") as file:
        pack(file, inside, _folders(toolchains))
        labels = {LABEL: inside, TOOLCHAINS_LABEL: [f"{name}:{_version(name)}" for name in sorted(toolchains)]}
        tag = f"{NAME}:{_digest(file, labels)}"
        if _inspect(daemon, tag) is None:
            changes = [*(f'LABEL {label}="{" ".join(words)}"' for label, words in labels.items()), f"ENV PATH={_PATH}"]
            file.seek(0)
            _import(daemon, file, tag, changes)
    return _newest(daemon, tag)


def _folders(toolchains: Collection[str]) -> dict[str, str]:
    """Directories of toolchains in the image, with their folders on this machine.

    Raises:
        MissingExtra: One is not set up.
    """
    found = found_toolchains(packed_python())
    for name in toolchains:
        if toolchain_named(name).name not in found:
            raise not_set_up(name, "namespace")
    return {TOOLCHAINS[name].inside: str(found[name]) for name in toolchains}


def _version(name: str) -> str:
    return hashlib.sha256(" ".join(TOOLCHAINS[name].packages).encode()).hexdigest()[:16]


def from_dockerfile(daemon: Daemon) -> Image:
    """Let the daemon build the image.

    It needs a registry, or the base image.

    Raises:
        OSError: The build failed; the message has the end of the daemon's output.
    """
    text = resources.files("envhub.sandbox.docker").joinpath("Dockerfile").read_bytes()
    tag = f"{NAME}:{hashlib.sha256(text).hexdigest()[:16]}"
    if _inspect(daemon, tag) is None:
        said: list[str] = []
        for line in daemon.api.build(
            fileobj=BytesIO(text), tag=tag, rm=True, forcerm=True, timeout=_BUILD_S, decode=True
        ):
            if "error" in line:
                raise OSError(f"the image could not be built: {''.join(said[-5:])}{line['error']}")
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
            f"The image {tag!r} is not for the sandbox: it has no label {LABEL}. Build one with: envhub sandbox image"
        )
    toolchains = labels.get(TOOLCHAINS_LABEL, "").split()
    current = frozenset(name for name in TOOLCHAINS if f"{name}:{_version(name)}" in toolchains)
    return Image(tag, about["Id"], frozenset(labels[LABEL].split()) & frozenset(LANGUAGES), current)


def _newest(daemon: Daemon, tag: str) -> Image:
    daemon.api.tag(tag, NAME, "latest")
    return find(daemon, tag)


def _digest(file: IO[bytes], labels: dict[str, list[str]]) -> str:
    digest = hashlib.sha256(" ".join(word for words in labels.values() for word in words).encode())
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
            raise OSError(f"the Docker daemon refused the image: {said['error']}")
