"""What a key is good for: its scopes, and the episodes that were begun with it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from starlette.types import Scope

from envhub.server.auth.access import PUBLIC_PATHS, RESOURCE_SCOPES, AccessControl, Caller, caller_of, scope_needed
from envhub.server.auth.keys import KeyFile, Keyring
from envhub.server.journal import MemoryJournal
from tests.server.auth.access.asking import ADMIN, BODIES, CREATE, JUDGE, PLAY, STEP, Keyed
from tests.server.serving import GUESS, Api, problem

# -- scopes ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("scopes", "allowed"),
    [
        (("play",), PLAY),
        (("verify",), JUDGE),
        (("solutions",), set()),
        (("play", "verify"), PLAY | JUDGE),
        (("admin",), PLAY | JUDGE | ADMIN),
    ],
)
def test_a_key_is_good_for_its_scopes_and_nothing_else(
    keyed: Keyed, scopes: tuple[str, ...], allowed: set[tuple[str, str]]
) -> None:
    keyed.key("k", *scopes)
    for method, path in PLAY | JUDGE | ADMIN:
        response = keyed.ask("k", method, path, BODIES.get(path))
        if (method, path) in allowed:
            assert response.status_code in (200, 201), path
        else:
            assert problem(response)[:2] == (403, "Forbidden"), path
            assert 'error="insufficient_scope"' in response.headers["www-authenticate"]


def test_the_answer_keys_are_for_those_who_are_named(tmp_path: Path) -> None:
    path = tmp_path / "keys.json"
    seen: list[Caller] = []

    async def app(scope: Scope, receive: Any, send: Any) -> None:
        seen.append(caller_of(scope))

    for name, scopes in (("a", ["admin"]), ("s", ["solutions", "play"])):
        text, _ = KeyFile(path).create(name, scopes)
        headers = [(b"authorization", f"Bearer {text}".encode())]
        scope = {"type": "http", "path": "/v1/episodes", "query_string": b"", "headers": headers}
        asyncio.run(AccessControl(app, Keyring(path))(scope, None, None))  # type: ignore[arg-type]
    asyncio.run(AccessControl(app, Keyring(None))({**scope, "headers": []}, None, None))  # type: ignore[arg-type]
    assert [caller.has("solutions") for caller in seen] == [False, True, False]
    assert not caller_of({}).scopes  # nobody, where the layer was not passed


def test_a_route_that_was_forgotten_is_closed(keyed: Keyed) -> None:
    """Every route of the application is either open or stands in the table; another needs an admin."""
    paths = keyed.api.app.openapi()["paths"]
    for path in paths:
        needed = scope_needed(path)
        assert (path in PUBLIC_PATHS) == (needed is None)
        if path.startswith("/v1/"):
            assert needed == RESOURCE_SCOPES[path.split("/")[2]]
    for path in ("/v1/new", "/v1", "/v1/", "/new", "/v1/episodesx", "/V1/episodes", "/v1//episodes", ""):
        assert scope_needed(path) == "admin"


# -- whose episodes ----------------------------------------------------------------------------------------------------


def test_an_episode_of_another_key_is_not_there(keyed: Keyed) -> None:
    keyed.key("one", "play")
    keyed.key("two", "play")
    mine = keyed.answer("one", "POST", "/v1/episodes", CREATE)
    keyed.answer("one", "POST", "/v1/episodes/e/step", STEP)
    qualified = f"{keyed.ids['one']}:e"
    for method, end, body in [
        ("GET", "", None),
        ("POST", "/step", {**STEP, "turn": 1}),
        ("POST", "/fork", {"episode_id": "f"}),
        ("DELETE", "", None),
    ]:
        _, _, nothing = problem(keyed.ask("two", method, f"/v1/episodes/never{end}", body))
        for id in ("e", qualified):
            theirs = problem(keyed.ask("two", method, f"/v1/episodes/{id}{end}", body))
            assert theirs == (404, "UnknownEpisode", nothing.replace("'never'", f"'{id}'"))
    assert keyed.answer("one", "GET", "/v1/episodes/e")["turn"] == 1  # none of it did anything
    # the id is free, and nothing tells that somebody else has taken it
    other = keyed.answer("two", "POST", "/v1/episodes", {**CREATE, "seed": 2})
    assert other["task"]["seed"] == 2
    assert keyed.answer("one", "POST", "/v1/episodes", CREATE) == mine
    assert keyed.answer("one", "GET", "/v1/episodes/e")["task"]["seed"] == 1


def test_ids_are_those_that_the_client_chose(keyed: Keyed) -> None:
    keyed.key("one", "play")
    answers = [
        keyed.answer("one", "POST", "/v1/episodes", CREATE),
        keyed.answer("one", "POST", "/v1/episodes/e/step", STEP),
        keyed.answer("one", "POST", "/v1/episodes/e/step", STEP),
        keyed.answer("one", "GET", "/v1/episodes/e"),
    ]
    assert {answer["episode_id"] for answer in answers} == {"e"}
    assert [step["episode_id"] for step in answers[-1]["steps"]] == ["e"]
    assert keyed.answer("one", "POST", "/v1/episodes/e/fork", {"episode_id": "f"})["episode_id"] == "f"
    drawn = keyed.answer("one", "POST", "/v1/episodes", {"env_id": GUESS, "seed": 1})["episode_id"]
    assert keyed.answer("one", "GET", f"/v1/episodes/{drawn}")["turn"] == 0
    for response in (
        keyed.ask("one", "POST", "/v1/episodes", {**CREATE, "seed": 3}),
        keyed.ask("one", "POST", "/v1/episodes/e/step", {"turn": 0, "action": "other"}),
        keyed.ask("one", "POST", "/v1/episodes/e/step", {"turn": 7, "action": "other"}),
        keyed.ask("one", "POST", "/v1/episodes/e/fork", {"turn": 7}),
        keyed.ask("one", "POST", "/v1/episodes/e/fork", {"episode_id": "f", "turn": 0}),
        keyed.ask("one", "DELETE", "/v1/episodes/gone"),
    ):
        assert response.status_code in (404, 409)
        assert keyed.ids["one"] not in response.text


def test_an_admin_reaches_every_episode(keyed: Keyed) -> None:
    keyed.key("one", "play")
    keyed.answer("one", "POST", "/v1/episodes", CREATE)
    id = f"{keyed.ids['one']}:e"
    assert keyed.answer("admin", "GET", f"/v1/episodes/{id}")["episode_id"] == id
    assert keyed.ask("admin", "GET", "/v1/episodes/e").status_code == 404  # which would be its own
    fork = keyed.answer("admin", "POST", f"/v1/episodes/{id}/fork", {"episode_id": "copy"})
    assert keyed.answer("admin", "GET", "/v1/episodes/copy")["task"] == fork["task"]
    keyed.answer("admin", "DELETE", f"/v1/episodes/{id}")
    assert keyed.ask("one", "GET", "/v1/episodes/e").status_code == 404


def test_what_was_begun_without_keys_is_nobodys(tmp_path: Path, make_api: Callable[..., Api]) -> None:
    journal = MemoryJournal(3600, 100)
    make_api(journal, keyring=Keyring(None)).create(GUESS, seed=1)
    file = KeyFile(tmp_path / "keys.json")
    admin, play = (file.create(scope, [scope])[0] for scope in ("admin", "play"))
    api = make_api(journal, keyring=Keyring(tmp_path / "keys.json"))

    def get(text: str, id: str) -> int:
        return api.send("GET", f"/v1/episodes/{id}", headers={"authorization": f"Bearer {text}"}).status_code

    assert [get(play, "e"), get(play, ":e"), get(admin, "e"), get(admin, ":e")] == [404, 404, 404, 200]


def test_no_client_chooses_an_id_of_another(keyed: Keyed) -> None:
    keyed.key("one", "play")
    for who in ("one", "admin"):
        response = keyed.ask(who, "POST", "/v1/episodes", {**CREATE, "episode_id": f"{keyed.ids['one']}:e"})
        assert problem(response)[:2] == (422, "InvalidRequest")
