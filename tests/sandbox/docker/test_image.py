"""The image of the docker sandbox: made of this machine's files, found again, and refused when it is another."""

from __future__ import annotations

import io
import json
import os
import re
import tarfile
from collections.abc import Iterator
from importlib import resources
from typing import Any

import pytest
from typer.testing import CliRunner

from envhub.cli import app
from envhub.core.errors import InvalidParameters, MissingExtra
from envhub.sandbox.docker.daemon import Daemon
from envhub.sandbox.docker.image import LABEL, NAME, find, from_dockerfile, from_host
from envhub.sandbox.docker.pack import pack
from envhub.sandbox.docker.profile import IDS, seccomp_profile
from envhub.sandbox.inside import seccomp, syscalls
from envhub.sandbox.languages import LANGUAGES


@pytest.fixture(scope="module")
def archive() -> bytes:
    file = io.BytesIO()
    pack(file, ["python", "bash"])
    return file.getvalue()


@pytest.fixture
def daemon(docker_host: str) -> Iterator[Daemon]:
    made = Daemon()
    yield made
    made.close()


def test_every_directory_is_declared_before_what_is_in_it_and_open_to_all(archive: bytes) -> None:
    seen = {""}
    links: dict[str, str] = {}
    with tarfile.open(fileobj=io.BytesIO(archive)) as members:
        for member in members:
            assert os.path.dirname(member.name) in seen, member.name
            assert member.name not in links
            assert (member.uid, member.gid) == (0, 0)
            assert not member.mode & 0o7022 or member.issym()
            if member.isdir():
                assert member.mode == 0o755, member.name
                seen.add(member.name)
            else:
                assert member.isreg() or member.issym(), member.name
                assert member.name.startswith("usr/") or member.issym() or member.name.startswith("etc/"), member.name
                assert member.mode & 0o444 == 0o444
                links[member.name] = member.linkname
    assert links["tmp"] == "box/tmp"
    assert {"usr/bin/python3", "usr/bin/bash", "usr/bin/cat", "etc/passwd"} <= set(links)
    assert not [name for name in links if "-packages/" in name or "envhub" in name]


def test_an_archive_names_the_users_that_programs_are_and_no_other(archive: bytes) -> None:
    with tarfile.open(fileobj=io.BytesIO(archive)) as members:
        text = members.extractfile("etc/passwd")
        assert text is not None
        rows = [line.split(":") for line in text.read().decode().splitlines()]
    assert {int(row[2]) for row in rows} == {0, *IDS}
    assert {row[0] for row in rows} == {"root", "runner"}


def test_the_same_files_make_the_same_archive(archive: bytes) -> None:
    again = io.BytesIO()
    pack(again, ["bash", "python"])
    assert again.getvalue() == archive


def test_a_language_that_is_not_here_cannot_be_packed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("envhub.sandbox.docker.pack._PLACES", ("/nowhere",))
    with pytest.raises(MissingExtra, match="nodejs"):
        pack(io.BytesIO(), ["javascript"])


def test_an_image_is_made_once_and_is_the_newest(daemon: Daemon) -> None:
    first = from_host(daemon, ["bash"])
    assert re.fullmatch(rf"{NAME}:[0-9a-f]{{16}}", first.tag)
    assert first.languages == {"python", "bash"}
    made = daemon.api.inspect_image(first.tag)["Created"]
    assert from_host(daemon, ["bash", "python"]) == first
    assert daemon.api.inspect_image(first.tag)["Created"] == made
    assert find(daemon).key == first.key
    with pytest.raises(InvalidParameters, match="Unknown language 'cobol'"):
        from_host(daemon, ["cobol"])


def test_an_image_of_another_machine_cannot_be_made_of_our_files(daemon: Daemon) -> None:
    daemon.info = {**daemon.info, "Architecture": "s390x"}
    with pytest.raises(MissingExtra, match=r"s390x.*--dockerfile"):
        from_host(daemon, ["bash"])


def test_an_image_that_is_not_for_this_is_refused(daemon: Daemon) -> None:
    empty = io.BytesIO()
    tarfile.open(fileobj=empty, mode="w").close()
    parameters = {"fromSrc": "-", "repo": "envhub-other", "tag": "1"}
    daemon.ask("POST", "/images/create", params=parameters, data=empty.getvalue())
    try:
        with pytest.raises(MissingExtra, match=rf"no label {LABEL}"):
            find(daemon, "envhub-other:1")
    finally:
        daemon.api.remove_image("envhub-other:1")


def test_the_command_makes_an_image_and_says_which(docker_host: str) -> None:
    ran = CliRunner().invoke(app, ["sandbox", "image", "--json"])
    assert ran.exit_code == 0, ran.output
    said = json.loads(ran.stdout)
    assert (said["languages"], said["tag"].startswith(f"{NAME}:")) == (["bash", "python"], True)
    ran = CliRunner().invoke(app, ["sandbox", "image", "--dockerfile", "--language", "c"])
    assert ran.exit_code == 2
    assert "every language" in ran.stderr


def test_the_command_says_that_there_is_no_daemon(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("docker")
    monkeypatch.setenv("DOCKER_HOST", "unix:///nowhere/docker.sock")
    ran = CliRunner().invoke(app, ["sandbox", "image"])
    assert ran.exit_code == 2
    assert "DOCKER_HOST" in ran.stderr


def test_the_dockerfile_keeps_what_slots_rely_on() -> None:
    text = resources.files("envhub.sandbox.docker").joinpath("Dockerfile").read_text()
    assert f"i={IDS[0]}" in text
    assert f"-lt {IDS[-1] + 1}" in text
    assert "ln -s box/tmp /tmp" in text
    label = re.search(rf'LABEL {LABEL}="(.*)"', text)
    assert label is not None
    assert label[1].split() == sorted(LANGUAGES)
    for language in LANGUAGES.values():
        assert re.search(rf"\b{re.escape(language.install)}", text) or language.install == "bash"


def test_a_dockerfile_that_does_not_build_says_why(daemon: Daemon, monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken:
        def joinpath(self, _: str) -> Broken:
            return self

        def read_bytes(self) -> bytes:
            return f"FROM {find(daemon).tag}\nRUN echo so far && exit 3\n".encode()

    monkeypatch.setattr("envhub.sandbox.docker.image.resources.files", lambda _: Broken())
    with pytest.raises(OSError, match=r"(?s)could not be built.*"):
        from_dockerfile(daemon)


# -- the daemon's filter -------------------------------------------------------------------------------------------


def verdict(profile: dict[str, Any], name: str, *arguments: int) -> int:
    """The error a call gets of the daemon's filter; 0 if it is allowed."""
    assert profile["defaultAction"] == "SCMP_ACT_ALLOW"
    for rule in profile["syscalls"]:
        assert rule["action"] == "SCMP_ACT_ERRNO"
        if name in rule["names"] and all(matches(row, arguments) for row in rule.get("args", ())):
            return int(rule["errnoRet"])
    return 0


def matches(row: dict[str, Any], arguments: tuple[int, ...]) -> bool:
    held = arguments[row["index"]]
    if row["op"] == "SCMP_CMP_MASKED_EQ":
        return held & row["value"] == row["valueTwo"]
    assert row["op"] == "SCMP_CMP_NE"
    return bool(held != row["value"])


@pytest.mark.parametrize("machine", list(seccomp.ARCHITECTURES))
def test_the_daemons_filter_refuses_what_the_table_says(machine: str) -> None:
    profile = seccomp_profile(machine)
    column = seccomp.ARCHITECTURES[machine][0]
    assert profile["architectures"] == [f"SCMP_ARCH_{machine.upper()}"]
    for name, row in syscalls.REFUSED.items():
        assert verdict(profile, name) == (1 if row[column] is not None and name != "seccomp" else 0), name
    assert {verdict(profile, name) for name in syscalls.MISSING} == {38}
    for name, arguments, wanted in [
        ("clone", (17,), 0),
        *[("clone", (1 << bit | 17,), 1) for bit in (7, 17, 25, 26, 27, 28, 29, 30)],
        ("ioctl", (0, 0x5401), 0),
        ("ioctl", (0, 0x5412), 1),
        ("ioctl", (0, 0x541C | 1 << 32), 1),
        ("personality", (0,), 0),
        ("personality", (0x40000,), 1),
        ("prlimit64", (0, 7), 0),
        ("prlimit64", (1, 7), 1),
        ("socketpair", (1, 1), 0),
        ("socketpair", (2, 1), 1),
    ]:
        assert verdict(profile, name, *arguments) == wanted, (name, arguments)
    json.dumps(profile)
