"""The files of the pages: complete, small, unchanged where they are not ours, and served with strict headers."""

from __future__ import annotations

import re
import runpy
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

import envhub
from envhub.registry.audits import audited
from envhub.registry.registry import unregister
from envhub.server.auth.keys import KeyFile, Keyring
from envhub.web.assets import FOLDER, assets
from envhub.web.cards import FILE, cards
from tests.support.places import ROOT

CARDS = runpy.run_path(str(ROOT / "docs" / "cards.py"))
MOST_BYTES = 150 * 1024


def test_all_pages_together_are_small() -> None:
    assert sum(len(asset.packed) for asset in assets().values()) < MOST_BYTES


def test_vendored_files_are_what_their_table_says() -> None:
    rows = re.findall(r"^\| `([^`]+)` .*`([0-9a-f]{64})`", (FOLDER / "vendor" / "README.md").read_text(), re.MULTILINE)
    assert sorted(name for name, _ in rows) == sorted(path.name for path in (FOLDER / "vendor").glob("*.[jc]s*"))
    for name, digest in rows:
        assert sha256((FOLDER / "vendor" / name).read_bytes()).hexdigest() == digest


def test_every_import_names_a_file() -> None:
    for name, asset in assets().items():
        if name.startswith("js/"):
            for imported in re.findall(r'from "([^"]+)"', asset.content.decode()):
                path = (FOLDER / name).parent / imported
                assert path.resolve().relative_to(FOLDER).as_posix() in assets(), f"{name} imports {imported}"


def test_the_page_is_for_browsers_and_the_facts_for_programs(make_api: Callable[..., Any]) -> None:
    api = make_api()
    page = api.send("GET", "/", headers={"accept": "text/html,*/*"})
    assert page.headers["content-type"].startswith("text/html")
    assert "default-src 'none'" in page.headers["content-security-policy"]
    assert api.send("GET", "/").json()["name"] == "envhub"
    without = make_api(pages=False)
    assert without.send("GET", "/", headers={"accept": "text/html"}).json()["name"] == "envhub"
    assert without.send("GET", "/web/catalogue").status_code == 404


def test_files_are_compressed_and_kept(make_api: Callable[..., Any]) -> None:
    api = make_api()
    plain = api.send("GET", "/web/app.css", headers={"accept-encoding": "identity"})
    packed = api.send("GET", "/web/app.css")
    assert packed.headers["content-encoding"] == "gzip"
    assert packed.content == plain.content == (FOLDER / "app.css").read_bytes()
    again = api.send("GET", "/web/app.css", headers={"if-none-match": packed.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize("name", ["nothing.js", "../assets.py", "%2e%2e/assets.py", "vendor/README.md", ""])
def test_nothing_else_is_served(make_api: Callable[..., Any], name: str) -> None:
    assert make_api().send("GET", f"/web/{name}").status_code == 404


def test_a_sample_is_drawn_once_and_without_its_key(make_api: Callable[..., Any]) -> None:
    api = make_api()
    first = api.send("GET", "/web/samples/2/arithmetic-v0").json()
    assert set(first) == {"prompt", "params"}
    assert api.send("GET", "/web/samples/2/arithmetic-v0").json() == first
    assert list(api.app.state.samples) == [("arithmetic-v0", 2)]
    assert api.send("GET", "/web/samples/11/arithmetic-v0").status_code == 422
    unknown = api.send("GET", "/web/samples/2/arithmetik-v0")
    assert unknown.status_code == 404
    assert "arithmetic-v0" in unknown.json()["detail"]


def test_the_picture_of_a_sample_is_public_and_that_of_an_episode_is_its_owners(
    make_api: Callable[..., Any], tmp_path: Path
) -> None:
    keys = KeyFile(tmp_path / "keys.json")
    one, other = (keys.create(name, ["play"])[0] for name in ("one", "other"))
    api = make_api(keyring=Keyring(tmp_path / "keys.json"))
    sample = api.send("GET", "/web/pictures/2/sokoban-v0")
    assert (sample.status_code, sample.headers["content-type"]) == (200, "image/svg+xml")
    assert api.send("GET", "/web/pictures/2/arithmetic-v0").status_code == 404
    mine, theirs = ({"authorization": f"Bearer {key}"} for key in (one, other))
    opening = api.post("/v1/episodes", {"env_id": "sokoban-v0", "difficulty": 2, "seed": 0}, headers=mine).json()
    place = f"/web/episodes/{opening['episode_id']}/picture"
    shown = api.send("GET", place, headers=mine).json()
    assert re.search("<svg.*</svg>", shown)
    assert api.send("GET", place, headers=theirs).status_code == 404
    assert api.send("GET", place).status_code == 401
    moves = ("up", "left", "down", "right")
    for turn, move in enumerate(moves):
        step = {"turn": turn, "action": f"<answer>{move}</answer>"}
        api.post(f"/v1/episodes/{opening['episode_id']}/step", step, headers=mine)
        if api.send("GET", place, headers=mine).json() != shown:
            return
    pytest.fail("the picture does not follow the moves")


def test_the_oracles_moves_are_for_those_who_may_see_solutions(make_api: Callable[..., Any], tmp_path: Path) -> None:
    keys = KeyFile(tmp_path / "keys.json")
    scopes = {"player": ["play"], "admin": ["admin"], "teacher": ["play", "solutions"]}
    headers = {name: {"authorization": f"Bearer {keys.create(name, scope)[0]}"} for name, scope in scopes.items()}
    api = make_api(keyring=Keyring(tmp_path / "keys.json"))
    answers = {}
    for name in scopes:
        opening = api.post("/v1/episodes", {"env_id": "arithmetic-v0", "seed": 3}, headers=headers[name]).json()
        answers[name] = api.send("GET", f"/web/episodes/{opening['episode_id']}/oracle", headers=headers[name])
    assert [answers[name].status_code for name in scopes] == [403, 403, 200]
    env = envhub.make("arithmetic-v0")
    env.reset(seed=3)
    assert answers["teacher"].json() == env.solve()
    place = f"/web/episodes/{opening['episode_id']}/oracle"
    assert api.send("GET", place, headers=headers["player"]).status_code == 403
    assert api.send("GET", place).status_code == 401


@pytest.mark.parametrize(("solutions", "status"), [(False, 403), (True, 200)])
def test_a_server_without_keys_hides_solutions_unless_it_is_told(
    make_api: Callable[..., Any], solutions: bool, status: int
) -> None:
    api = make_api(solutions=solutions)
    api.create("arithmetic-v0", seed=3)
    assert api.get("/web/episodes/e/oracle").status_code == status


@pytest.mark.parametrize(
    ("name", "shape"), [("sudoku-v0", (6, 6, 36)), ("binario-v0", (8, 8, 0)), ("guess-number-v0", None)]
)
def test_a_board_belongs_to_environments_whose_answers_are_grids(
    make_api: Callable[..., Any], name: str, shape: tuple[int, int, int] | None
) -> None:
    api = make_api()
    opening = api.post("/v1/episodes", {"env_id": name, "seed": 0}).json()
    board = api.send("GET", f"/web/episodes/{opening['episode_id']}/board").json()
    assert (board and (board["height"], board["width"], len(board["regions"]))) == shape
    if board:
        assert len(board["choices"]) == board["height"] * board["width"]


def test_the_cards_on_file_are_those_of_the_environments() -> None:
    assert FILE.read_text(encoding="utf-8") == CARDS["text"](), "python docs/cards.py writes them again"


def test_every_environment_has_a_card() -> None:
    found = {card["id"]: card for card in cards()}
    assert list(found) == envhub.list_envs()
    assert found["apps-v0"]["tools"] > 5
    assert found["dataset-v0"]["files"]
    assert found["sudoku-v0"]["turns"] == 1
    assert [found[name]["picture"] for name in ("sudoku-v0", "arithmetic-v0")] == [True, False]
    assert found["apps-v0"]["audit"]["effort"] == list(audited("apps-v0").effort)  # type: ignore[union-attr]


@pytest.mark.parametrize(("entry", "error"), [("tests.support.toys:Sum", None), ("tests.nowhere:Toy", "tests.nowhere")])
def test_an_environment_that_is_not_on_file_is_looked_at(entry: str, error: str | None) -> None:
    envhub.register("toy-v0", entry)
    cards.cache_clear()
    try:
        shown = next(card for card in cards() if card["id"] == "toy-v0")
        assert (shown["source"], shown["audit"]) == ("registered", None)
        assert error in shown["error"] if error else shown["error"] is None
        assert set(shown) == set(cards()[0])
    finally:
        unregister("toy-v0")
        cards.cache_clear()
