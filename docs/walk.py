"""Walks through the pages as a new user and prints steps, seconds and bytes: ``python docs/walk.py FOLDER``.

Solves a sudoku by clicks, finds a failed attempt among 10,000, and compares two runs; screenshots are written to the folder.
"""

from __future__ import annotations

import json
import re
import shutil
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import envhub
from envhub.server.http.app import create_app
from envhub.settings import ServerSettings
from envhub.viewer.app import create_app as create_viewer
from envhub.viewer.index import Index
from envhub.viewer.runs import runs_in
from tests.server.serving import serving
from tests.viewer.files import attempt, write

MANY = 10_000
Step = Callable[[str], None]


def solve_a_sudoku(page: Any, url: str, done: Step) -> None:
    """From the gallery to a solved sudoku."""
    page.goto(url)
    page.get_by_role("heading", name="Environments").wait_for()
    done("open the gallery")
    page.get_by_role("searchbox").fill("sudoku")
    page.get_by_role("link", name="sudoku-v0", exact=True).click()
    done("search, choose sudoku-v0")
    page.get_by_role("link", name="Play").click()
    page.get_by_role("table", name="Board").wait_for()
    done("press Play")
    env = envhub.make("sudoku-v0", difficulty=3)
    env.reset(seed=0)
    rows = [line.split() for line in env.solve().splitlines() if re.fullmatch(r"[\d ]+", line)]
    for row, values in enumerate(rows, 1):
        for column, value in enumerate(values, 1):
            field = page.locator(f"input[aria-label='row {row}, column {column}']")
            if field.count():
                field.fill(value)
    page.get_by_role("button", name="Submit the grid").click()
    page.get_by_text("solved, reward 1").wait_for()
    done("fill in the cells, submit")


def find_a_failure(page: Any, url: str, done: Step) -> None:
    """From the list of episodes to a failed attempt."""
    page.goto(url)
    page.locator("a.row").first.wait_for()
    done("open the list")
    page.get_by_label("Outcome").select_option("failed")
    page.get_by_text("2500 episodes").wait_for()
    done("choose the outcome failed")
    page.locator("a.row").first.click()
    page.get_by_role("article", name="assistant").wait_for()
    done("open the first one")


def compare_two_runs(page: Any, url: str, done: Step) -> None:
    """From the list of runs to the curves of two."""
    page.goto(url)
    page.get_by_text("first: step 50").wait_for()
    done("open the runs")
    page.get_by_label("second").check()
    page.get_by_text("first: step 50, second: step 50").wait_for()
    page.locator("canvas").first.wait_for()
    done("tick the second run")


def measured(name: str, walk: Callable[[Any, str, Step], None], url: str, folder: Path) -> None:
    """Walk once in a new browser context; print what it took."""
    from playwright.sync_api import sync_playwright

    received: list[int] = []
    with sync_playwright() as playwright:
        shell = shutil.which("chromium-headless-shell")
        browser = playwright.chromium.launch(executable_path=shell, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1200, "height": 900})
        session = page.context.new_cdp_session(page)
        session.send("Network.enable")
        session.on("Network.loadingFinished", lambda event: received.append(int(event["encodedDataLength"])))
        begun = time.monotonic()

        def done(step: str) -> None:
            print(f"{name}: {step}: {time.monotonic() - begun:.1f} s, {sum(received) / 1024:.0f} KiB", flush=True)

        walk(page, url, done)
        page.screenshot(path=folder / f"{name}.png")
        browser.close()


def main() -> None:
    """All walks, each on a server of its own."""
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    with serving(create_app(ServerSettings(journal="memory:"))) as url:
        measured("sudoku", solve_a_sudoku, url, folder)
    attempts = (attempt(number // 4, number % 4, solved=number % 4 != 3) for number in range(MANY))
    index = Index.of([write(folder / "attempts.jsonl", *attempts)], folder)
    with serving(create_viewer(index)) as url:
        measured("failure", find_a_failure, url, folder)
    for name in ("first", "second"):
        (folder / name).mkdir(exist_ok=True)
        lines = ({"step": step, "reward": step / (60 if name == "first" else 80)} for step in range(1, 51))
        (folder / name / "log.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    with serving(create_viewer(None, runs_in([folder]))) as url:
        measured("runs", compare_two_runs, url, folder)


if __name__ == "__main__":
    main()
