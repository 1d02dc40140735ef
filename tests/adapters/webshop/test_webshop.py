"""webshop/instructions-v0 on files written here: reading, pages, verdicts and what a policy may try."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import envhub
from envhub.adapters.webshop import environments
from envhub.adapters.webshop.goods import bounds, store_of
from envhub.adapters.webshop.matching import Goal
from envhub.core.errors import InvalidParameters
from envhub.gymnasium.env import Env
from tests.adapters.webshop import stores

Begin = Callable[..., Env]


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    environments.register()
    return stores.write(tmp_path_factory.mktemp("webshop"))


@pytest.fixture
def begun(data: dict[str, str]) -> Begin:
    """An episode, by default of an instruction with options."""

    def begin(seed: int = 1, options: bool = True, **given: Any) -> Env:
        env = envhub.make(environments.ID, **data, **{"level": None, **given})
        while True:
            env.reset(seed=seed)
            if bool(env.episode.instance.key["picks"]) is options:
                return env
            seed += 100

    return begin


def act(env: Env, *actions: str) -> tuple[str, float, dict[str, Any]]:
    """The end of an episode after these actions, in a copy of it."""
    twin = env.fork()
    for action in actions:
        seen, reward, *_, info = twin.step(f"<answer>{action}</answer>")
    return str(seen), float(reward), info


def right(env: Env) -> list[str]:
    """The oracle's actions."""
    twin, actions = env.fork(), []
    while not twin.episode.over:
        actions.append(str(twin.solve()).removeprefix("<answer>").removesuffix("</answer>"))
        twin.step(actions[-1])
    return actions


@pytest.mark.parametrize("goals", ["human", "synthetic"])
def test_the_oracle_solves_every_level(data: dict[str, str], goals: str) -> None:
    for level in range(1, 11):
        env = envhub.make(environments.ID, **data, goals=goals, difficulty=level)
        for seed in range(3):
            env.reset(seed=seed)
            while not env.episode.over:
                _, reward, *_, info = env.step(env.solve())
            assert reward == 1.0
            assert info["verdict"]["solved"]


def test_each_condition_is_worth_the_same(begun: Begin) -> None:
    env = begun()
    search, opened, *choices, buy = right(env)
    assert len(choices) == 2
    assert act(env, search, opened, *choices, buy)[1] == 1.0
    assert act(env, search, opened, *choices[::-1], buy)[1] == 1.0
    conditions = 5  # two attributes, two options, the price
    for missing in ([choices[0]], [choices[1]]):
        _, reward, info = act(env, search, opened, *missing, buy)
        assert reward == pytest.approx((conditions - 1) / conditions)
        assert not info["verdict"]["solved"]
    assert act(env, search, opened, buy)[1] == pytest.approx((conditions - 2) / conditions)
    wrong = "click[black]" if "black" not in choices[0] else "click[olive green]"
    assert act(env, search, opened, *choices, wrong, buy)[1] < 1.0
    assert act(env, search, opened, wrong, *choices, buy)[1] == 1.0


def test_another_product_does_not_solve(begun: Begin) -> None:
    env = begun()
    asin = env.episode.instance.key["goal"][0]
    for number in range(stores.COUNT):
        if stores.code(number) != asin:
            name = stores.product(number)["name"]
            options = ["click[olive green]", "click[large]"] if number % 4 else []
            _, reward, info = act(env, f"search[{name}]", f"click[{stores.code(number)}]", *options, "click[buy now]")
            assert reward < 1.0
            assert not info["verdict"]["solved"]


@pytest.mark.parametrize(
    "actions",
    [
        ["click[Buy Now]"],
        ["search[kettle]", "click[Buy Now]"],
        ["search[kettle]", "click[B999999999]"],
        ["buy now"],
        ["search[]"],
        ["click[Features]"],
        ["click[Buy Now] click[Buy Now]"],
        ["search[a] click[Buy Now]"],
    ],
)
def test_what_is_not_on_a_page_does_nothing(begun: Begin, actions: list[str]) -> None:
    seen, reward, info = act(begun(), *actions)
    assert reward == 0.0
    assert "Nothing happened" in seen
    assert "verdict" not in info or info["verdict"] is None


def test_pages_have_webshops_buttons(begun: Begin) -> None:
    env = begun()
    search, opened, *_ = right(env)
    seen = act(env, search)[0]
    assert "[Results] Page 1 of" in seen
    assert "click[Next >]" in seen
    assert "click[< Prev]" in act(env, search, "click[next >]")[0]
    seen = act(env, search, opened)[0]
    assert "click[olive green]" in seen
    assert "click[sky | blue]" in seen
    assert "olive green [chosen]" in act(env, search, opened, "click[OLIVE GREEN]")[0]
    for detail, said in (
        ("Description", "easy to clean"),
        ("Features", "Ships fast"),
        ("Reviews", "There are none"),
        ("Attributes", " style"),
    ):
        assert said in act(env, search, opened, f"click[{detail}]")[0]
        assert "click[olive green]" in act(env, search, opened, f"click[{detail}]", "click[< Prev]")[0]
    assert "[Search]" in act(env, search, opened, "click[Back to Search]")[0]


def test_the_longest_action_is_stated_and_no_task_needs_a_longer_one(
    begun: Begin, data: dict[str, str], tmp_path: Path
) -> None:
    env = begun()
    assert f"{environments.MOST_CHARS} characters" in env.task.prompt
    longest = f"search[{'a' * (environments.MOST_CHARS - 8)}]"
    assert "Nothing happened" not in act(env, longest)[0]
    seen = act(env, longest.replace("[", "[b"))[0]
    assert "601 characters; it may have at most 600" in seen
    goods = json.loads(Path(data["items"]).read_text())
    for item in goods:
        item["name"] = " ".join(f"{word}{'x' * 120}" for word in item["name"].split())
    (tmp_path / "items.json").write_text(json.dumps(goods))
    drawn = envhub.make(environments.ID, **{**data, "items": str(tmp_path / "items.json")}, level=None)
    for seed in range(10):
        drawn.reset(seed=seed)
        while not drawn.episode.over:
            _, reward, *_ = drawn.step(drawn.solve())
        assert reward == 1.0
    options = next(each for each in goods if each["asin"] == stores.code(1))["customization_options"]
    options["Color"][1]["value"] += " or so" * 100  # too long to be clicked, and the instruction needs it
    (tmp_path / "items.json").write_text(json.dumps(goods))
    people = {stores.code(1): stores.asked(1)[:1]}
    (tmp_path / "people.json").write_text(json.dumps(people))
    given = {**data, "items": str(tmp_path / "items.json"), "people": str(tmp_path / "people.json")}
    with pytest.raises(InvalidParameters, match="no human instructions"):
        envhub.make(environments.ID, **given, level=None)


def test_messages_run_out(begun: Begin) -> None:
    env = begun(messages=6)
    for _ in range(5):
        env.step("I am looking.")
    seen, reward, terminated, *_ = env.step("<answer>search[kettle]</answer>")
    assert "last message" in seen
    assert (reward, terminated) == (0.0, True)


def test_an_episode_goes_on_elsewhere_and_its_key_does_not_travel(begun: Begin) -> None:
    env = begun()
    actions = right(env)
    for action in actions[:-1]:
        env.step(f"<answer>{action}</answer>")
    again = envhub.restore(env.snapshot())
    assert again.step(f"<answer>{actions[-1]}</answer>")[1] == 1.0
    fresh = begun()
    asin = fresh.episode.instance.key["goal"][0]
    assert asin not in json.dumps([fresh.task.prompt, fresh.task.problem])


# -- the files --------------------------------------------------------------------------------------------------------------


def test_goods_are_read_as_webshop_reads_them(data: dict[str, str]) -> None:
    store = store_of(environments.Params(**data).where())
    assert list(store.items) == [stores.code(number) for number in range(stores.COUNT)]
    item = store.items[stores.code(7)]
    assert item.query == "sneakerss"
    assert item.options == {"color": ("black", "olive green", "sky | blue"), "size": ("small", "large")}
    assert item.cents == 1250
    assert store.items[stores.code(5)].cents == (1000 + 101_000) // 2
    assert len(store.human) == 2 * stores.COUNT  # those without attributes are left out, as in WebShop
    assert bounds(1250) == [2000, 3000, 4000, 5000]
    assert bounds(98_500) == [99_000]
    assert bounds(99_000) == []


def test_instructions_that_their_product_does_not_meet_are_not_drawn(data: dict[str, str]) -> None:
    env = envhub.make(environments.ID, **data, level=None)
    for seed in range(40):
        env.reset(seed=seed)
        assert "gold" not in Goal(*env.episode.instance.key["goal"]).text


def test_files_of_another_form_are_named(data: dict[str, str], tmp_path: Path) -> None:
    broken = tmp_path / "items.json"
    wrong = {"[": "is not JSON", "{}": "a list of products", '[{"asin": "B1"}]': "product 1", "[]": "no products"}
    for content, said in wrong.items():
        broken.write_text(content)
        with pytest.raises(InvalidParameters, match=said):
            envhub.make(environments.ID, **{**data, "items": str(broken)})
    people = tmp_path / "people.json"
    people.write_text("{}")
    with pytest.raises(InvalidParameters, match="no human instructions"):
        envhub.make(environments.ID, **{**data, "people": str(people)})
    with pytest.raises(InvalidParameters, match="cannot be read"):
        envhub.make(environments.ID, **{**data, "people": str(tmp_path / "nothing.json")})
