"""The trajectory viewer, used as a person uses it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from envhub.viewer.app import create_app
from envhub.viewer.index import Index
from envhub.viewer.runs import runs_in
from tests.server.serving import serving
from tests.viewer.files import CHAT, EXPORTED, TRAINED, attempt, write
from tests.web.accessibility import violations

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.slow
Open = Callable[[str], "Page"]
MANY = 10_000


@pytest.fixture(scope="module")
def viewer(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a viewer of ten thousand attempts and some other episodes."""
    folder = tmp_path_factory.mktemp("results")
    attempts = (
        attempt(number // 4, number % 4, solved=number % 4 != 3, level=1 + number // 4 % 2) for number in range(MANY)
    )
    paths = [write(folder / "attempts.jsonl", *attempts), write(folder / "b.jsonl", EXPORTED, TRAINED, CHAT)]
    with serving(create_app(Index.of(paths, folder))) as url:
        yield url


def test_a_failed_attempt_is_found_among_ten_thousand(viewer: str, open_page: Open) -> None:
    page = open_page(f"{viewer}/")
    page.get_by_text(f"{MANY + 3} episodes").wait_for()
    assert page.locator("a.row").count() < 100  # only those that are seen
    page.get_by_label("Outcome").select_option("failed")
    page.get_by_text("2501 episodes").wait_for()
    page.locator("a.row").first.click()
    page.get_by_text("What is 0 + 1?").wait_for()
    assert not page.get_by_text("Add one.").is_visible()  # reasoning is folded
    page.get_by_text("reasoning,").click()
    page.get_by_text("Add one.").wait_for()
    page.get_by_text("3 other attempts at the same task").click()
    page.get_by_text("Mean reward 0.750, standard deviation 0.433").wait_for()
    assert page.get_by_role("row").last.inner_text().split("\t")[1:4] == ["failed", "0", "-1.73"]
    page.get_by_role("link", name="Compare the best with the worst").click()
    page.get_by_role("heading", name="Side by side").wait_for()
    assert page.url.endswith("#/compare/0/3")
    page.get_by_text("What is 0 + 1?").nth(1).wait_for()


def test_the_end_of_a_long_list_is_reached(viewer: str, open_page: Open) -> None:
    page = open_page(f"{viewer}/")
    page.locator("a.row").first.wait_for()
    page.locator(".list").evaluate("node => { node.scrollTop = node.scrollHeight }")
    page.locator("a.row", has_text=str(MANY + 2)).wait_for()


def test_a_text_is_searched(viewer: str, open_page: Open) -> None:
    page = open_page(f"{viewer}/")
    page.get_by_role("searchbox").fill("what is 77 +")
    page.get_by_role("button", name="Search").click()
    page.get_by_text("4 episodes with “what is 77 +”").wait_for()
    again = open_page(page.url)  # the search is in the address
    again.get_by_text("4 episodes with “what is 77 +”").wait_for()


def test_any_attempts_of_a_group_are_compared(viewer: str, open_page: Open) -> None:
    page = open_page(f"{viewer}/#/group/5")
    for number in (4, 6, 7):
        page.get_by_label(f"Compare episode {number}").check()
    page.get_by_role("link", name="Compare 3 attempts").click()
    page.get_by_role("heading", name="Episode 7").wait_for()
    assert page.url.endswith("#/compare/4/6/7")


def test_tokens_show_their_advantages(viewer: str, open_page: Open) -> None:
    page = open_page(f"{viewer}/#/attempt/{MANY + 1}")
    assert page.locator(".token.up6").get_attribute("title") == "log-probability -0.1, advantage 0.7"
    page.get_by_label("Coloured by").select_option("log-probability")
    assert page.locator(".token.down6").inner_text() == "5"


@pytest.mark.parametrize("place", ["", f"attempt/{MANY + 1}", "compare/1/2", "group/1"])
def test_every_page_can_be_read_by_a_machine(viewer: str, open_page: Open, place: str) -> None:
    page = open_page(f"{viewer}/#/{place}")
    page.get_by_role("heading", level=1).wait_for()
    page.wait_for_load_state("networkidle")
    assert violations(page) == []


def test_the_curves_of_two_runs_grow(tmp_path: Path, open_page: Open) -> None:
    for name in ("first", "second"):
        (tmp_path / name).mkdir()
        write(
            tmp_path / name / "log.jsonl",
            *[{"step": step, "reward": step / 10, "env/a/reward": 0.1} for step in (1, 2, 3)],
        )
    with serving(create_app(None, runs_in([tmp_path]))) as url:
        page = open_page(f"{url}/")
        page.get_by_text("first: step 3").wait_for()
        page.get_by_role("img", name="reward at the last step: first 0.300").wait_for()
        page.get_by_label("second").check()
        page.get_by_role("img", name="reward at the last step: first 0.300, second 0.300").wait_for()
        page.locator("canvas").first.wait_for()
        with (tmp_path / "second" / "log.jsonl").open("a") as file:
            file.write('{"step": 4, "reward": 0.9}\n')
        page.get_by_text("first: step 3, second: step 4").wait_for()
        assert violations(page) == []
        page.close()  # else the server waits for the connections of its events
