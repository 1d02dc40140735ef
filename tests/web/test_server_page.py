"""The page of the operator, used as a person uses it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import httpx
import pytest

from envhub.server.auth.keys import KeyFile, Keyring
from envhub.server.http.app import create_app
from envhub.settings import ServerSettings
from tests.server.serving import GUESS, serving
from tests.web.accessibility import violations

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.slow
Open = Callable[[str], "Page"]
FACT = "dt:text-is('{}') + dd"


def test_an_operator_sees_what_happens_on_the_server(tmp_path: Path, open_page: Open) -> None:
    file = KeyFile(tmp_path / "keys.json")
    operator, _ = file.create("operator", ["admin"])
    trainer, key = file.create("trainer", ["play"])
    settings = ServerSettings(journal="memory:", keys=str(tmp_path / "keys.json"))
    with serving(create_app(settings, keyring=Keyring(tmp_path / "keys.json"))) as url:
        page = open_page(f"{url}/#/server")
        page.get_by_role("heading", name="This page needs a key").wait_for()
        assert page.get_by_role("link", name="Server").count() == 0
        page.get_by_label("API key").fill(operator)
        page.get_by_role("button", name="Use").click()
        page.locator(FACT.format("Episodes in the journal"), has_text="0").wait_for()
        with httpx.Client(base_url=url, headers={"authorization": f"Bearer {trainer}"}) as client:
            client.post("/v1/episodes", json={"env_id": GUESS, "episode_id": "e", "seed": 1})
            client.post("/v1/episodes/e/step", json={"turn": 7, "action": ""})
        page.locator(FACT.format("Episodes in the journal"), has_text="1").wait_for()  # without a reload
        page.get_by_role("row", name="POST /v1/episodes/{episode_id}/step 1 1 0").wait_for()
        page.get_by_role("row", name="Conflict 1").wait_for()
        page.get_by_role("row", name="trainer play active").wait_for()
        page.get_by_role("img", name="Requests per second").wait_for()
        assert key.id not in page.content()
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            assert violations(page) == []
        page.set_viewport_size({"width": 360, "height": 700})
        assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_a_server_without_keys_shows_its_page_to_its_machine(pages: str, open_page: Open) -> None:
    page = open_page(f"{pages}/")
    page.get_by_role("link", name="Server").click()
    page.locator(FACT.format("State"), has_text="ready").wait_for()
    page.get_by_role("region", name="Keys").get_by_text("None so far.").wait_for()
