"""The pages of a server, used as a person uses them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import envhub
from envhub.authoring.game.rules import OPPONENTS
from envhub.registry.audits import audited
from envhub.server.auth.keys import KeyFile, Keyring
from envhub.server.http.app import create_app
from envhub.settings import ServerSettings
from envhub.web.cards import card
from tests.server.serving import local, serving
from tests.web.accessibility import violations

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.slow
Open = Callable[[str], "Page"]


def rows_of(solution: str) -> list[list[str]]:
    return [line.split() for line in solution.splitlines() if re.fullmatch(r"[\d ]+", line)]


def test_an_environment_is_found_by_its_words(pages: str, open_page: Open) -> None:
    page = open_page(f"{pages}/")
    page.get_by_role("link", name="sudoku-v0", exact=True).wait_for()
    assert page.get_by_role("listitem").count() == len(envhub.list_envs())
    page.get_by_role("searchbox").fill("sokoban")
    assert page.get_by_role("listitem").count() == 1
    page.get_by_role("link", name="sokoban-v0").click()
    page.get_by_role("heading", name="sokoban-v0").wait_for()
    prompt = local("sokoban-v0", 0, difficulty=3).task.prompt
    page.get_by_text(prompt[:60]).wait_for()
    page.get_by_label("Difficulty").fill("5")
    page.get_by_text(local("sokoban-v0", 0, difficulty=5).task.prompt[:60]).first.wait_for()


def test_cards_and_the_page_of_an_environment_have_pictures(pages: str, open_page: Open) -> None:
    page = open_page(f"{pages}/")
    page.get_by_role("searchbox").fill("sokoban-v0")
    shown = page.locator(".card", has=page.get_by_role("link", name="sokoban-v0")).locator("img")
    assert shown.evaluate("image => image.decode().then(() => image.naturalWidth)") > 100
    page.get_by_role("link", name="sokoban-v0").click()
    picture = page.get_by_role("img", name="A task of sokoban-v0 at level 3")
    picture.wait_for()
    assert picture.evaluate("image => image.decode().then(() => image.naturalWidth)") > 100


def test_cards_show_effort_rates_and_the_audit(pages: str, open_page: Open) -> None:
    page = open_page(f"{pages}/#/?q=2048-v0")
    record = audited("2048-v0")
    assert record is not None
    page.get_by_text(f"audit: {record.checks} checks passed").wait_for()
    page.get_by_role("img", name=re.compile(r"^Effort of the reference solver by level: 1: \d.*, 10: \d")).wait_for()
    page.get_by_role("searchbox").fill("mastermind")
    rates = card("mastermind-v0")["rates"]
    name = f"Share solved by {rates['policy']} by level: 1: {100 * rates['solved'][0]:.0f} %"
    page.get_by_role("img", name=name).wait_for()
    page.get_by_role("link", name="mastermind-v0").click()
    page.get_by_role("figure").filter(has_text=f"Share solved by {rates['policy']}").wait_for()


def test_the_picture_follows_the_moves(pages: str, open_page: Open) -> None:
    page = open_page(f"{pages}/#/play/2048-v0?level=1&seed=3")
    picture = page.get_by_role("img", name="The current state")
    before = picture.get_attribute("src")
    move = local("2048-v0", 3, difficulty=1).solve()
    page.get_by_label("Your message").fill(move)
    page.get_by_role("button", name="Send").click()
    page.wait_for_function("before => document.querySelector('img.picture').src !== before", arg=before)


def test_a_sudoku_is_solved_by_keys(pages: str, open_page: Open) -> None:
    page = open_page(f"{pages}/#/play/sudoku-v0?level=1&seed=4")
    page.get_by_role("table", name="Board").wait_for()
    solution = rows_of(local("sudoku-v0", 4, difficulty=1).solve())
    assert page.get_by_role("button", name="Submit the grid").is_disabled()
    for row, values in enumerate(solution, 1):
        for column, value in enumerate(values, 1):
            field = page.locator(f"input[aria-label='row {row}, column {column}']")
            if field.count():
                field.fill(value)
    page.get_by_role("button", name="Submit the grid").click()
    page.get_by_text("solved, reward 1").wait_for()
    page.get_by_role("button", name="Next task").click()
    page.get_by_role("table", name="Board").wait_for()
    assert page.get_by_text("solved, reward 1").count() == 0


@pytest.mark.parametrize(("wrong", "words"), [(False, "solved, reward 1"), (True, "not solved, reward 0")])
def test_a_puzzle_of_marks_is_solved_by_clicks(pages: str, open_page: Open, wrong: bool, words: str) -> None:
    page = open_page(f"{pages}/#/play/kakurasu-v0?level=1&seed=2")
    page.get_by_role("table", name="Board").wait_for()
    for row, values in enumerate(rows_of(local("kakurasu-v0", 2, difficulty=1).solve()), 1):
        for column, value in enumerate(values, 1):
            if (value == "1") != (wrong and row == column == 1):
                button = page.locator(f"button[aria-label^='row {row}, column {column}:']")
                while button.inner_text() != "1":  # empty, 0, 1
                    button.click()
    page.get_by_role("button", name="Submit the grid").click()
    page.get_by_role("status").filter(has_text=re.compile(f"^{words}")).wait_for()


def test_tools_are_called_by_their_forms(pages: str, open_page: Open) -> None:
    page = open_page(f"{pages}/#/play/apps-v0?level=1&seed=1")
    tools = page.locator("form.tool select").first
    tools.wait_for()
    env = local("apps-v0", 1, difficulty=1)
    over = False
    while not over:
        action = env.solve()
        for text in re.findall(r"<tool_call>(.*?)</tool_call>", action, re.DOTALL):
            call = json.loads(text)
            tools.select_option(call["name"])
            for name, value in call["arguments"].items():
                field = page.get_by_label(re.compile(rf"^{name}( \(optional\))? "))
                typed = value if isinstance(value, str) else json.dumps(value)
                if field.evaluate("node => node.tagName") == "SELECT":
                    field.select_option(typed)
                else:
                    field.fill(typed)
            before = page.get_by_role("article", name="environment").count()
            page.get_by_role("button", name=f"Call {call['name']}").click()
            page.get_by_role("article", name="environment").nth(before).wait_for()
            _, _, terminated, truncated, _ = env.step(f"<tool_call>{text}</tool_call>")
            over = terminated or truncated
    page.get_by_text("solved, reward 1").wait_for()


def test_an_episode_is_forked_and_shared(pages: str, open_page: Open) -> None:
    page = open_page(f"{pages}/#/play/guess-number-v0?level=3&seed=5")
    for guess in ("<answer>500</answer>", "<answer>7</answer>"):
        page.get_by_label("Your message").fill(guess)
        page.get_by_role("button", name="Send").click()
        page.get_by_text(guess, exact=True).last.wait_for()
    page.get_by_role("button", name="Fork here").nth(1).click()
    branch = page.get_by_role("region", name="Branch 2")
    branch.get_by_role("heading", name="Branch 2, forked after 1 turn").wait_for()
    branch.get_by_label("Your message").fill("<answer>9</answer>")
    branch.get_by_role("button", name="Send").click()
    branch.get_by_text("<answer>9</answer>", exact=True).last.wait_for()
    assert branch.get_by_text("<answer>500</answer>", exact=True).count() == 1
    assert branch.get_by_text("<answer>7</answer>", exact=True).count() == 0
    together = page.get_by_role("link", name="Link to all branches").get_attribute("href")
    branch.get_by_role("link", name="link").click()
    page.get_by_role("heading", name="Episode of guess-number-v0").wait_for()
    page.get_by_text("<answer>9</answer>", exact=True).wait_for()
    page = open_page(f"{pages}/{together}")
    page.get_by_role("heading", name="Side by side").wait_for()
    for guess, times in (("500", 2), ("7", 1), ("9", 1)):
        page.get_by_text(f"<answer>{guess}</answer>", exact=True).first.wait_for()
        assert page.get_by_text(f"<answer>{guess}</answer>", exact=True).count() == times


def test_an_opponent_is_chosen(pages: str, open_page: Open) -> None:
    page = open_page(f"{pages}/#/play/tic-tac-toe-v0?level=3&seed=1")
    page.get_by_label("Your message").wait_for()
    opponent = page.get_by_label("opponent")
    with page.expect_request(re.compile("/v1/episodes$")) as sent:
        opponent.fill("optimal")
        opponent.blur()
    assert sent.value.post_data_json["params"] == {"opponent": "optimal"}
    page.get_by_label("Your message").wait_for()
    assert page.locator("datalist option").count() == len(OPPONENTS)


def test_the_oracles_move_is_shown_where_the_server_allows_it(open_page: Open) -> None:
    with serving(create_app(ServerSettings(journal="memory:", solutions=True))) as url:
        page = open_page(f"{url}/#/play/sokoban-v0?level=1&seed=1")
        move = local("sokoban-v0", 1, difficulty=1).solve()
        page.get_by_role("button", name="Show the oracle's move").click()
        page.get_by_text(move, exact=True).wait_for()
        page.get_by_role("button", name="Play it").click()
        page.get_by_role("article", name="you").wait_for()
        page.get_by_role("button", name="Play it").wait_for(state="detached")
        assert violations(page) == []


def test_the_oracles_move_is_hidden_elsewhere(pages: str, open_page: Open) -> None:
    page = open_page(f"{pages}/#/play/sokoban-v0?level=1&seed=1")
    page.get_by_label("Your message").wait_for()
    assert page.get_by_role("button", name="Show the oracle's move").count() == 0


def test_arrow_keys_move_between_cells(pages: str, open_page: Open) -> None:
    page = open_page(f"{pages}/#/play/sudoku-v0?level=1&seed=4")
    page.get_by_role("table", name="Board").wait_for()
    fields = page.locator(".board input")
    fields.first.focus()
    page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement.closest('td') !== document.querySelector('.board td')")
    assert page.evaluate("document.activeElement.tagName") == "INPUT"


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("place", ["", "environments/minesweeper-v0", "play/sudoku-v0", "play/apps-v0", "nowhere"])
def test_every_page_can_be_read_by_a_machine(pages: str, open_page: Open, place: str, scheme: str) -> None:
    page = open_page(f"{pages}/#/{place}")
    page.emulate_media(color_scheme=scheme)
    page.get_by_role("heading", level=1).wait_for()
    page.wait_for_load_state("networkidle")
    assert violations(page) == []


def test_a_narrow_page_does_not_scroll_sideways(pages: str, open_page: Open) -> None:
    page = open_page(f"{pages}/#/play/sudoku-v0?level=5")
    page.set_viewport_size({"width": 360, "height": 700})
    page.get_by_role("table", name="Board").wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_a_server_with_keys_shows_samples_and_asks_for_a_key_to_play(tmp_path: Path, open_page: Open) -> None:
    text, _ = KeyFile(tmp_path / "keys.json").create("someone", ["play"])
    settings = ServerSettings(journal="memory:", keys=str(tmp_path / "keys.json"))
    with serving(create_app(settings, keyring=Keyring(tmp_path / "keys.json"))) as url:
        page = open_page(f"{url}/#/environments/guess-number-v0?")
        page.get_by_text(local("guess-number-v0", 0).task.prompt[:60]).wait_for()
        assert page.get_by_label("Seed").count() == 0
        page.get_by_label("API key").fill(text)
        page.get_by_role("button", name="Use").click()
        page.get_by_label("API key").wait_for(state="detached")
        page.get_by_role("link", name="Play").click()
        page.get_by_label("Your message").wait_for()
        assert text not in page.evaluate("JSON.stringify([localStorage, sessionStorage, document.cookie])")
