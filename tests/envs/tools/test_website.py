"""browse-v1: what tasks mean is what an independent reader of the pages finds; forms refuse; only the end state counts."""

from __future__ import annotations

import re
from collections.abc import Callable
from html.parser import HTMLParser
from typing import Any

import pytest

import envhub
from envhub.authoring import write_call
from envhub.envs.tools.website.company import company_of
from envhub.envs.tools.website.nodes import Node, controls, shown
from envhub.envs.tools.website.pages import page
from envhub.gymnasium.env import Env

FINISH = write_call("finish")
NUMBERS = {month: n for n, month in enumerate(("May", "June", "July", "August", "September"), 5)}


def begun(level: int, seed: int, **given: Any) -> Env:
    env = envhub.make("browse-v1", difficulty=level, pages="tree", **given)
    env.reset(seed=seed)
    return env


def seen(env: Env, form: str) -> str:
    """The page as it is, with what was entered."""
    company = company_of(*env.episode.instance.key["company"])
    return shown(page(company, env.episode.state), form)


class Reader:
    """A user who knows only what pages say, as an accessibility tree, and what tasks say."""

    def __init__(self, env: Env) -> None:
        self.env, self.page, self.reward = env, str(env.task.problem["page"]), 0.0

    def act(self, *calls: str) -> None:
        shown, self.reward, *_ = self.env.step("".join(calls))
        self.page = str(shown)

    def id(self, role: str, name: str) -> int:
        found = re.search(rf'\[(\d+)\] {role} "{re.escape(name)}"', self.page)
        assert found, (role, name, self.page)
        return int(found[1])

    def click(self, name: str, role: str = "link") -> None:
        self.act(write_call("click", id=self.id(role, name)))

    def look_up(self, menu: str, query: str = "", **filters: str) -> None:
        self.click(menu)
        calls = [write_call("type_text", id=self.id("textbox", "Search"), text=query)]
        calls += [write_call("select_option", id=self.id("combobox", f), option=v) for f, v in filters.items()]
        self.act(*calls, write_call("click", id=self.id("button", "Apply")))

    def items(self) -> list[tuple[str, str]]:
        """Title and text of each item on all pages of a list."""
        found: list[tuple[str, str]] = []
        while True:
            found += re.findall(r'\[\d+\] link "([^"]+)"\n +text "([^"]+)"', self.page)
            if "Next page" not in self.page:
                return found
            self.click("Next page")

    def person(self, words: str) -> tuple[str, str]:
        """Name and cost centre of a person, read from pages."""
        hops = words.count("the deputy of ")
        words = words.replace("the deputy of ", "")
        office = re.fullmatch(r"the person in office (\S+)", words)
        self.look_up("People", office[1] if office else words)
        ((name, _),) = [row for row in self.items() if not office or row[1].endswith(f"office {office[1]}")]
        self.click(name)
        for _ in range(hops):
            name = re.search(r'text "Deputy:"\n +\[\d+\] link "([^"]+)"', self.page)[1]  # type: ignore[index]
            self.click(name)
        return name, re.search(r"CC-\d{4}", self.page)[0]  # type: ignore[index]

    def article(self, words: str) -> str:
        """The name of an article."""
        if named := re.fullmatch(r"the article (.+)", words):
            return named[1]
        if cheap := re.fullmatch(r"the cheapest (\w+) (.+)", words):
            self.look_up("Goods", Kind=cheap[2], Colour=cheap[1])
            return min(self.items(), key=lambda row: float(row[1].split(", ")[1].split()[0]))[0]
        best = re.fullmatch(r"the best rated (.+) that costs at most (\S+) EUR", words)
        assert best, words
        self.look_up("Goods", Kind=best[1])
        rows = [row for row in self.items() if float(row[1].split(", ")[1].split()[0]) <= float(best[2])]
        return max(rows, key=lambda row: float(row[1].split(", ")[2].split()[0]))[0]

    def order(self, what: str, who: str, day: str, month: str, express: str) -> None:
        name, centre = self.person(who)
        for part in what.removesuffix(" in one order").split(" and "):
            count, _, words = part.partition(" of ")
            title = self.article(words)
            self.look_up("Goods", title)
            self.click(title)
            quantity = write_call("type_text", id=self.id("textbox", "Quantity"), text=count)
            self.act(quantity, write_call("click", id=self.id("button", "Add to basket")))
        self.click("Checkout")
        speed = [write_call("click", id=self.id("checkbox", "Express delivery"))] if express == "by" else []
        speed.append(write_call("click", id=self.id("button", "Place order")))
        when = f"2031-{NUMBERS[month]:02d}-{int(day):02d}"
        entries = {"Recipient (first and last name)": name, "Cost centre": centre, "Delivery date": when}
        self.act(*(write_call("type_text", id=self.id("textbox", f), text=v) for f, v in entries.items()), *speed)
        self.look_at_errors()

    def look_at_errors(self) -> None:
        """No form of this user is refused."""
        assert "alert" not in self.page or "Thank you" in self.page or "saved" in self.page, self.page

    def cancel(self, fits: Callable[[str], bool], latest: bool = False) -> None:
        self.look_up("Orders", Status="open")
        rows = [row for row in self.items() if fits(row[1]) and row[0] < "Order 9"]
        if latest:
            rows = [max(rows, key=lambda row: row[1].split("delivery ")[1])]
        for title, _ in rows:
            self.look_up("Orders", title.split()[1])
            self.click(title)
            self.click("Cancel order")
            self.click("Yes, cancel it", "button")

    def details(self, entries: dict[str, str]) -> None:
        self.click("My details")
        calls = [write_call("type_text", id=self.id("textbox", f.capitalize()), text=v) for f, v in entries.items()]
        self.act(*calls, write_call("click", id=self.id("button", "Save")))
        self.look_at_errors()

    def carry_out(self, task: str) -> None:
        """Do what a task says."""
        if order := re.fullmatch(
            r"Order (.+?) for (.+)\. Charge .+ on (\d+) (\w+) 2031 (by|without) express delivery\.", task
        ):
            self.order(*order.groups())
        elif "latest delivery date" in task:
            self.cancel(lambda text: True, latest=True)
        elif article := re.fullmatch(r"Cancel every open order of the article (.+)\.", task):
            self.cancel(lambda text: f"x {article[1]}," in text)
        elif whose := re.fullmatch(r"Cancel every open order for (.+)\.", task):
            name, _ = self.person(whose[1])
            self.cancel(lambda text: f"for {name}," in text)
        elif deputy := re.fullmatch(r"In your details, enter (.+) as your deputy\.", task):
            self.details({"deputy": self.person(deputy[1])[0]})
        else:
            change = re.fullmatch(r"In your details, change your (\w+) to (\S+)\.", task)
            assert change, task
            self.details({change[1]: change[2]})


def cancellations_first(tasks: list[str]) -> list[str]:
    """What is at the beginning, before orders of one's own stand beside it."""
    return sorted(tasks, key=lambda task: task.startswith("Order"))


@pytest.mark.parametrize("level", range(1, 11))
def test_a_reader_of_the_pages_does_what_the_tasks_say(level: int) -> None:
    for seed in range(6):
        reader = Reader(begun(level, seed))
        for task in cancellations_first(reader.env.task.problem["tasks"]):
            reader.carry_out(task)
        reader.act(FINISH)
        assert reader.reward == 1.0, (seed, reader.env.task.problem["tasks"], reader.page)


class Ids(HTMLParser):
    """The numbers and tags of the controls of a page, and all text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[int, str]] = []
        self.open: list[str] = []
        self.feed(page)
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if "id" in dict(attrs):
            self.found.append((int(dict(attrs)["id"] or 0), tag))
        if tag != "input":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.mark.parametrize("seed", range(4))
def test_html_and_tree_name_the_same_controls(seed: int) -> None:
    env = begun(8, seed)
    roles = {"a": "link", "button": "button", "select": "combobox"}
    while '"finish"' not in (action := env.solve()):
        env.step(action)
        tree, html = (seen(env, form) for form in ("tree", "html"))
        numbers = [(int(n), role) for n, role in re.findall(r"^ *\[(\d+)\] (\w+)", tree, re.MULTILINE)]
        named = Ids(html).found
        assert [n for n, _ in numbers] == [n for n, _ in named]
        assert all(roles.get(tag, role) == role for (_, role), (_, tag) in zip(numbers, named, strict=True))


def test_entries_cannot_forge_parts_of_a_page() -> None:
    made = Node("main", inside=(Node("textbox", "Search", '"><a id="1">\n', leads="search"), Node("text", "<b>&")))
    assert Ids(shown(made, "html")).found == [(1, "input")]
    assert len(controls(made)) == 1
    reader = Reader(begun(3, 1))
    reader.click("Goods")
    number, apply = reader.id("textbox", "Search"), reader.id("button", "Apply")
    reader.act(write_call("type_text", id=number, text="x\n[1] button \ud800" + "y" * 999))
    assert "\n" not in reader.page.partition("\n\nMessages left")[0]
    reader.act(write_call("click", id=apply))
    assert "Results: 0" in reader.page


@pytest.mark.parametrize(
    ("field", "entry", "message"),
    [
        ("Recipient (first and last name)", "Nobody", "Recipient must be"),
        ("Cost centre", "1234", "Cost centre must be"),
        ("Delivery date", "1 June 2031", "Delivery date must be"),
        ("Delivery date", "2031-05-17", "Delivery date must be"),
        ("Delivery date", "2031-05-14", "Delivery date must be"),
        ("Delivery date", "2031-02-30", "Delivery date must be"),
    ],
)
def test_the_checkout_refuses_and_keeps_what_was_entered(field: str, entry: str, message: str) -> None:
    reader = Reader(next(env for seed in range(99) if (env := begun(2, seed)).task.problem["form"].startswith("order")))
    while "Place order" not in reader.page:
        reader.act(reader.env.solve())
    while '"type_text"' in (action := reader.env.solve()) or "checkbox" in action:
        reader.act(action)
    values = dict(reader.env.episode.state.typed)
    reader.page = seen(reader.env, "tree")
    sent = write_call("click", id=reader.id("button", "Place order"))
    reader.act(write_call("type_text", id=reader.id("textbox", field), text=entry), sent)
    assert message in reader.page
    assert f'value: "{entry}"' in reader.page
    assert sum(f'value: "{value}"' in reader.page for value in values.values()) >= 2
    assert not reader.env.episode.state.placed


def test_an_extra_change_fails_and_an_order_of_ones_own_can_be_taken_back() -> None:
    for seed in range(4):
        env = begun(5, seed)
        while '"finish"' not in env.solve():
            env.step(env.solve())
        assert env.fork().step(FINISH)[1] == 1.0
        extra = Reader(env.fork())
        extra.look_up("Orders", Status="open")
        title = next(title for title, _ in extra.items() if title < "Order 9")
        extra.look_up("Orders", title.split()[1])
        extra.click(title)
        extra.click("Cancel order")
        extra.click("Yes, cancel it", "button")
        extra.act(FINISH)
        assert extra.reward == 0.0


def test_controls_that_are_not_there_are_told() -> None:
    env = begun(1, 0)
    assert "no link, button or checkbox with the number 99" in env.step(write_call("click", id=99))[0]
    assert "no text box with the number 1" in env.step(write_call("type_text", id=1, text="x"))[0]
    env.step(write_call("click", id=1))
    assert "no combobox" in env.step(write_call("select_option", id=6, option="any"))[0]
    assert "has the options any, desk lamp" in env.step(write_call("select_option", id=7, option="lamp"))[0]
    assert "Staff portal" in env.step(write_call("back"))[0]
    assert "Staff portal" in env.step(write_call("back"))[0]
