"""Containers as slots: what is said where the daemon, its client or an image is missing."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from envhub.core.errors import MissingExtra
from envhub.sandbox.docker.backend import DockerBackend, DockerSlot
from tests.sandbox.docker.containers import ours, started


def test_without_a_daemon_the_error_says_where_it_was_looked_for(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    pytest.importorskip("docker")
    monkeypatch.setenv("DOCKER_HOST", f"unix://{tmp_path}/none.sock")
    with pytest.raises(MissingExtra, match=rf"No Docker daemon answers at unix://{tmp_path}/none.sock.*DOCKER_HOST"):
        DockerBackend()


def test_without_the_client_the_error_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "docker", None)
    with pytest.raises(MissingExtra, match=r"pip install 'envhub\[docker\]'"):
        DockerBackend()


def test_without_an_image_the_error_says_the_command(docker_host: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ENVHUB_SANDBOX_IMAGE", "envhub-sandbox:none")
    with pytest.raises(MissingExtra, match=r"no image 'envhub-sandbox:none'.*envhub sandbox image"):
        DockerBackend()


def test_every_layer_is_named(docker_backend: DockerBackend) -> None:
    layers = docker_backend.layers()
    walls = {"namespaces", "filesystem", "network", "seccomp", "capabilities", "user", "cgroup", "rlimits"}
    assert {name: layers[name] for name in walls} == dict.fromkeys(walls, "active")
    assert all(said == "active" or " " in said for said in layers.values())
    assert set(layers) - walls == {"users mapped", "mandatory access"}


def test_containers_of_closed_slots_are_gone(docker_backend: DockerBackend, slot: DockerSlot) -> None:
    made = started(docker_backend, 7)
    key = made.container
    assert key in ours(docker_backend.daemon)
    made.close()
    assert key not in ours(docker_backend.daemon)
