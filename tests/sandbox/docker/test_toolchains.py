"""Toolchains in containers: they are part of the image."""

from __future__ import annotations

import pytest

from envhub.core.errors import MissingExtra
from envhub.sandbox.docker.backend import DockerBackend
from envhub.sandbox.docker.daemon import Daemon
from envhub.sandbox.docker.image import from_host
from envhub.sandbox.docker.pack import packed_python
from envhub.sandbox.toolchains import FOLDER_VARIABLE, found_toolchains
from tests.sandbox import jails
from tests.sandbox.test_toolchains import learns


def test_an_image_with_the_packages(docker_host: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if "science" not in found_toolchains(packed_python()):
        jails.lacking("the packages are not set up: envhub sandbox toolchain science")
    hub = Daemon()
    image = from_host(hub, ["bash"], ["science"])
    hub.close()
    assert image.toolchains == {"science"}
    monkeypatch.setenv("ENVHUB_SANDBOX_IMAGE", image.tag)
    backend = DockerBackend()
    slot = backend.slot(0)
    try:
        assert backend.toolchains() == {"science"}
        slot.start()
        learns(slot)
    finally:
        slot.close()
        backend.close()


def test_an_image_without_them_lends_none(docker_backend: DockerBackend) -> None:
    assert docker_backend.toolchains() == frozenset()


def test_packages_that_are_not_set_up_are_an_error(
    docker_host: str, tmp_path: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path))
    hub = Daemon()
    with pytest.raises(MissingExtra, match="envhub sandbox toolchain science"):
        from_host(hub, ["bash"], ["science"])
    hub.close()
