"""Settings of the server: one precedence, and nothing beyond loopback."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from envhub.settings import ServerSettings, is_loopback


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An empty working directory, and none of our variables."""
    monkeypatch.chdir(tmp_path)
    for name in ServerSettings.model_fields:
        monkeypatch.delenv(f"ENVHUB_{name.upper()}", raising=False)


def toml(**fields: Any) -> None:
    lines = [
        f"{name} = {value if not isinstance(value, str) else chr(34) + value + chr(34)}"
        for name, value in fields.items()
    ]
    Path("envhub.toml").write_text("\n".join(lines))


def test_the_defaults() -> None:
    settings = ServerSettings()
    assert (settings.host, settings.port) == ("127.0.0.1", 8420)
    assert (settings.max_episodes, settings.max_live, settings.max_batch) == (20_000, 4_096, 4_096)
    assert (settings.episode_ttl_s, settings.max_body_bytes) == (3600.0, 16 * 2**20)


def test_flags_then_the_environment_then_the_file_then_the_defaults(monkeypatch: pytest.MonkeyPatch) -> None:
    toml(port=1, max_live=1, max_batch=1)
    assert (ServerSettings().port, ServerSettings().max_live, ServerSettings().max_batch) == (1, 1, 1)
    monkeypatch.setenv("ENVHUB_PORT", "2")
    monkeypatch.setenv("ENVHUB_MAX_LIVE", "2")
    assert (ServerSettings().port, ServerSettings().max_live, ServerSettings().max_batch) == (2, 2, 1)
    settings = ServerSettings(port=3)
    assert (settings.port, settings.max_live, settings.max_batch, settings.max_episodes) == (3, 2, 1, 20_000)


def test_the_file_is_that_of_the_working_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    toml(port=1)
    (tmp_path / "below").mkdir()
    monkeypatch.chdir(tmp_path / "below")
    assert ServerSettings().port == 8420


@pytest.mark.parametrize("host", ["127.0.0.1", "127.9.9.9", "::1", "localhost"])
def test_loopback_is_accepted(host: str) -> None:
    assert is_loopback(host)
    assert ServerSettings(host=host).host == host


BEYOND = """0.0.0.0 :: 192.168.1.5 10.0.0.1 8.8.8.8 2001:db8::1 fe80::1 example.org localhost.example.org
127.0.0.1.example.org 127.1 2130706433 0x7f.0.0.1 [::1]"""


@pytest.mark.parametrize("host", [*BEYOND.split(), "", "127.0.0.1 "])
@pytest.mark.parametrize("source", ["flag", "environment", "file"])
def test_beyond_loopback_is_refused(host: str, source: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if source == "environment":
        monkeypatch.setenv("ENVHUB_HOST", host)
    elif source == "file":
        toml(host=host)
    with pytest.raises(ValidationError, match="beyond loopback"):
        ServerSettings(**({"host": host} if source == "flag" else {}))
    assert not is_loopback(host)


def test_an_unknown_key_of_the_file_is_an_error() -> None:
    toml(port=1, prot=2)
    with pytest.raises(ValidationError, match="prot"):
        ServerSettings()


def test_a_file_that_is_no_toml_is_an_error() -> None:
    Path("envhub.toml").write_text("port: 1")
    with pytest.raises(ValueError, match="="):
        ServerSettings()


def test_an_unknown_flag_is_an_error() -> None:
    with pytest.raises(ValidationError, match="prot"):
        ServerSettings(prot=1)  # type: ignore[call-arg]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("port", -1),
        ("port", 65_536),
        ("port", "http"),
        ("episode_ttl_s", 0),
        ("max_episodes", 0),
        ("max_live", 0),
        ("max_body_bytes", 1_000),
        ("max_batch", 0),
    ],
)
def test_values_out_of_range_are_errors(name: str, value: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ValidationError, match=name):
        ServerSettings(**{name: value})
    monkeypatch.setenv(f"ENVHUB_{name.upper()}", str(value))
    with pytest.raises(ValidationError, match=name):
        ServerSettings()


def test_settings_do_not_change() -> None:
    settings = ServerSettings()
    with pytest.raises(ValidationError, match="frozen"):
        settings.port = 1  # type: ignore[misc]


def test_every_setting_says_what_it_is() -> None:
    assert all(field.description for field in ServerSettings.model_fields.values())
