"""The client over WebSockets: its key is sent, never logged, and refused as over HTTP."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import envhub
from envhub.client.hub import AsyncHub
from envhub.core.errors import RemoteError, TooBusy
from envhub.server.auth.keys import KeyFile, Keyring
from envhub.server.http.app import create_app
from envhub.server.journal import MemoryJournal
from envhub.settings import ServerSettings
from tests.client.ws.talking import Waits, at_home, away, key, run
from tests.server.serving import serving


@pytest.fixture
def keyed(tmp_path: Path) -> Iterator[tuple[str, KeyFile, str]]:
    file = KeyFile(tmp_path / "keys.json")
    text, _ = file.create("trainer", ["play"])
    keyring = Keyring(tmp_path / "keys.json", ticks=iter(range(10**9)).__next__)  # looks at the file each time
    with serving(create_app(ServerSettings(), MemoryJournal(3600, 100), keyring)) as address:
        yield address.replace("http", "ws"), file, text


def test_the_key_is_sent_and_never_logged(keyed: tuple[str, KeyFile, str], caplog: pytest.LogCaptureFixture) -> None:
    address, _, text = keyed

    async def play() -> list[Any]:
        async with envhub.aconnect(address, api_key=text) as hub:
            return await away(hub, 1)

    with caplog.at_level(logging.DEBUG):
        assert run(play()) == at_home(1)
    said = [record for record in caplog.records if not record.name.startswith("uvicorn")]  # which is the server's
    assert said
    assert not [record for record in said if text.split("_", 2)[2] in record.getMessage()]


@pytest.mark.parametrize("key_sent", ["", "envhub_aaaaaaaaaa_nonsense"])
def test_without_the_right_key_nobody_is_let_in(keyed: tuple[str, KeyFile, str], key_sent: str) -> None:
    waits = Waits()

    async def errors(address: str) -> tuple[type, str, int | None]:
        async with AsyncHub(address, api_key=key_sent, sleep=waits) as hub:
            with pytest.raises(RemoteError) as refused:
                await hub.begin(key(1))
            return type(refused.value), str(refused.value), refused.value.status

    over_ws, over_http = run(errors(keyed[0])), run(errors(keyed[0].replace("ws", "http")))
    assert over_ws == over_http
    assert over_ws[2] == 401
    assert waits == []


def test_a_key_that_is_revoked_is_no_good_any_more(keyed: tuple[str, KeyFile, str]) -> None:
    address, file, text = keyed

    async def play() -> None:
        async with AsyncHub(address, api_key=text, sleep=Waits()) as hub:
            env = await hub.begin(key(1))
            file.revoke("trainer")
            for _ in range(2):
                with pytest.raises(RemoteError, match="401"):
                    await env.step("1")

    run(play())


def test_a_key_of_small_rate_connects_when_it_may(tmp_path: Path) -> None:
    text, _ = KeyFile(tmp_path / "keys.json").create("slow", ["play"], rate=1.0)
    app = create_app(ServerSettings(), MemoryJournal(3600, 100), Keyring(tmp_path / "keys.json"))
    waits = Waits()

    async def ask(address: str) -> None:
        async with AsyncHub(address.replace("http", "ws"), api_key=text, sleep=waits, retries=2) as hub:
            with pytest.raises(TooBusy):
                await hub.begin(key(1))  # to connect took all that it had

    with serving(app) as address:
        run(ask(address))
    assert waits == [1.0, 1.0]
