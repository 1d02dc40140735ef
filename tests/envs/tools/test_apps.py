"""apps-v0: the state decides, with all that was not asked for; errands do not meet; the oracle knows only what it was shown."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

import envhub
from envhub.authoring import write_call
from envhub.core.seeding import Stream
from envhub.envs.tools.apps.draft import Draft, resolved
from envhub.envs.tools.apps.tables import ACTIONS, Refused, act, difference
from envhub.envs.tools.apps.tasks import TEMPLATES
from envhub.gymnasium.env import Env

DONE = write_call("done")
READS = {"mail_list", "mail_read", "contacts_find", "calendar_list", "files_list", "files_read"}
READS |= {"bank_accounts", "bank_list", "shop_find", "shop_orders"}
SEEDS = st.integers(0, 10**6)


def begun(level: int, seed: int = 0, **params: Any) -> Env:
    env = envhub.make("apps-v0", difficulty=level, **params)
    env.reset(seed=seed)
    return env


def steps(env: Env) -> list[list[Any]]:
    return [step for stage in env.episode.instance.key["plan"] for step in stage]


def judged(env: Env, calls: list[Any]) -> dict[str, Any]:
    """The verdict when these calls are made, and then ``done``."""
    twin = env.fork()
    for start in range(0, len(calls), 8):
        twin.step("".join(write_call(name, **arguments) for name, arguments in calls[start : start + 8]))
    verdict: dict[str, Any] = twin.step(DONE)[4]["verdict"]
    return verdict


def some(env: Env, table: str, number: int = 0) -> Any:
    return sorted(env.episode.instance.key["tables"][table])[number]


def disturbances(env: Env) -> dict[str, list[Any]]:
    """A change of every kind that nobody asked for."""
    tables = env.episode.instance.key["tables"]
    quiet = next(id for id, row in tables["mail"].items() if row["body"].startswith("Hello,\nabout"))
    event = next(id for id, row in tables["events"].items() if row["date"] > "2027-07-20")
    placed = next(id for id, row in tables["products"].items() if row["category"] == "things")
    day = {"date": "2029-01-01", "start": "10:00", "end": "11:00"}
    return {
        "a mail": ["mail_send", {"to": ["a@b.example"], "subject": "s", "body": "b"}],
        "a mail moved": ["mail_move", {"id": quiet, "folder": "trash"}],
        "a contact": ["contacts_add", {"name": "A", "email": "a@b.example", "phone": "1", "group": "x"}],
        "another name": ["contacts_change", {"id": some(env, "contacts"), "field": "name", "value": "A"}],
        "an event": ["calendar_add", {"title": "t", **day}],
        "an event moved": ["calendar_move", {"id": event, **day}],
        "an event less": ["calendar_cancel", {"id": event}],
        "a file": ["files_write", {"path": "a/b.txt", "text": ""}],
        "another text": ["files_write", {"path": some(env, "files"), "text": "x"}],
        "a file less": ["files_delete", {"path": some(env, "files")}],
        "a cent": ["bank_send", {"account": "checking", "iban": "EU12345678", "cents": 1, "reference": ""}],
        "an order": ["shop_order", {"product": placed, "quantity": 1}],
    }


@pytest.mark.parametrize("what", list(disturbances(begun(5))))
def test_whatever_was_not_asked_for_fails(what: str) -> None:
    env = begun(5)
    extra = disturbances(env)[what]
    for calls in ([extra, *steps(env)], [*steps(env), extra]):
        verdict = judged(env, calls)
        assert (verdict["score"], verdict["solved"]) == (0.0, False)
        assert verdict["components"]["extra"] >= 1
        assert verdict["components"]["right"] < 1
    assert judged(env, steps(env))["solved"]


@pytest.mark.parametrize("level", [2, 5, 8])
def test_what_is_missing_or_done_twice_fails_and_looking_is_free(level: int) -> None:
    env = begun(level, 3)
    plan = steps(env)
    writes = [step for step in plan if step[0] not in READS]
    looks = [["files_list", {}], ["bank_accounts", {}], ["mail_list", {}], ["contacts_find", {"text": ""}]]
    assert judged(env, [*looks, *writes, *looks])["solved"]
    for number in range(len(writes)):
        assert not judged(env, writes[:number] + writes[number + 1 :])["solved"]
    sends = [
        step for step in writes if step[0] in ("mail_send", "bank_send", "shop_order", "calendar_add", "contacts_add")
    ]
    for step in sends:
        assert not judged(env, [*writes, step])["solved"]
    assert judged(env, [])["components"] == {"right": 0.0, "extra": 0.0}


def test_what_is_put_back_is_not_changed_and_white_space_does_not_count() -> None:
    env = begun(1, 0)
    mail = some(env, "mail")
    row = env.episode.instance.key["tables"]["mail"][mail]
    path = some(env, "files")
    text = env.episode.instance.key["tables"]["files"][path]["text"]
    there_and_back = [["mail_move", {"id": mail, "folder": folder}] for folder in ("trash", row["folder"])]
    rewritten = ["files_write", {"path": path, "text": text.replace("\n", " \n") + "\n"}]
    assert judged(env, [*steps(env), *there_and_back, rewritten])["solved"]


@pytest.mark.parametrize("template", list(TEMPLATES))
@settings(max_examples=15)
@given(seed=SEEDS)
def test_every_errand_changes_something_by_what_its_plan_was_shown(template: str, seed: int) -> None:
    draft = Draft(Stream(b"test", seed))
    errand = TEMPLATES[template].make(draft)
    tables, numbers = draft.finish(3)
    frozen = copy.deepcopy(tables)
    after, seen = tables, errand.text
    for name, arguments in (resolved(step, numbers) for stage in errand.plan for step in stage):
        if name not in READS:
            for key, value in arguments.items():
                if key in ("id", "product", "order", "path", "to", "guests", "iban", "phone", "email", "place"):
                    for part in value if isinstance(value, list) else [value]:
                        assert str(part) in seen, (name, key, part)
        after, shown = act(after, name, arguments)
        seen += shown
    assert difference(tables, after)
    assert tables == frozen
    apps = {step[0].split("_")[0] for stage in errand.plan for step in stage}
    assert len(apps) == TEMPLATES[template].apps


@settings(max_examples=25)
@given(seed=SEEDS)
def test_errands_of_one_world_do_not_meet(seed: int) -> None:
    rng = Stream(b"test", "meet", seed)
    draft = Draft(rng)
    errands = [TEMPLATES[name].make(draft) for name in rng.sample(sorted(TEMPLATES), 8)]
    tables, numbers = draft.finish(20)
    found = []
    for order in (errands, errands[::-1]):
        after = tables
        for name, arguments in (resolved(step, numbers) for errand in order for stage in errand.plan for step in stage):
            after, _ = act(after, name, arguments)
        found.append(difference(tables, after))
    assert found[0] == found[1]


def writes(env: Env) -> list[Any]:
    return [step for step in steps(env) if step[0] not in READS]


@pytest.mark.parametrize("seed", [15, 3, 7])
def test_the_errands_earn_the_same_in_reverse(seed: int) -> None:
    env = begun(10, seed)
    assert judged(env, writes(env))["score"] == judged(env, writes(env)[::-1])["score"] == 1.0


@settings(max_examples=60, deadline=None)
@given(level=st.integers(4, 10), seed=st.integers(0, 400), order=st.randoms(use_true_random=False))
def test_any_order_of_what_is_done_ends_alike(level: int, seed: int, order: Any) -> None:
    key = begun(level, seed).episode.instance.key
    calls = [step for stage in key["plan"] for step in stage if step[0] not in READS]
    order.shuffle(calls)
    tables = key["tables"]
    for name, arguments in calls:
        tables, _ = act(tables, name, arguments)
    assert sorted(difference(key["tables"], tables).elements()) == key["wanted"]


@pytest.mark.parametrize("added_first", [True, False])
def test_a_number_that_was_there_is_never_given_again(added_first: bool) -> None:
    before = begun(5).episode.instance.key["tables"]
    last = max(before["events"])
    day = {"date": "2029-01-01", "start": "10:00", "end": "11:00"}
    calls = [("calendar_add", {"title": "t", **day}), ("calendar_cancel", {"id": last})]
    after = before
    for name, arguments in calls if added_first else calls[::-1]:
        after, _ = act(after, name, arguments)
    assert not set(after["events"]) - set(before["events"]) & set(range(1001))
    assert {item.split('"')[3] for item in difference(before, after)} == {"added", "removed"}
    empty = {**before, "events": {}}
    assert set(act(empty, *calls[0])[0]["events"]) == {1001}


def test_an_event_made_anew_is_still_not_an_event_moved() -> None:
    """The negative control: the same state but for the number of a row is another one."""
    before = begun(5).episode.instance.key["tables"]
    number, row = next(iter(before["events"].items()))
    moved, _ = act(before, "calendar_move", {"id": number, "date": "2029-01-01", "start": "10:00", "end": "11:00"})
    made, _ = act(before, "calendar_cancel", {"id": number})
    fields = {name: row[name] for name in ("title", "place", "guests")}
    made, _ = act(made, "calendar_add", {**fields, "date": "2029-01-01", "start": "10:00", "end": "11:00"})
    assert difference(before, made) != difference(before, moved)


@pytest.mark.parametrize(
    ("name", "arguments", "why"),
    [
        ("mail_read", {"id": 1}, "There is no mail '1'"),
        ("mail_send", {"to": [], "subject": "", "body": ""}, "From 1 to 50 addresses"),
        ("mail_send", {"to": ["Ada"], "subject": "", "body": ""}, "no mail address"),
        ("mail_send", {"to": ["a@b.de"], "subject": "", "body": "x" * 5000}, "4000 characters"),
        ("calendar_list", {"first": "1 May", "last": "2027-01-01"}, "YYYY-MM-DD"),
        ("calendar_list", {"first": "2027-02-30", "last": "2027-03-01"}, "YYYY-MM-DD"),
        ("calendar_add", {"title": "", "date": "2027-01-01", "start": "9:00", "end": "10:00"}, "HH:MM"),
        ("calendar_add", {"title": "", "date": "2027-01-01", "start": "10:00", "end": "10:00"}, "ends after it begins"),
        ("files_read", {"path": "nope"}, "There is no file"),
        ("files_write", {"path": "../x", "text": ""}, None),
        ("files_write", {"path": "/x", "text": ""}, "A path is made of"),
        ("bank_send", {"account": "checking", "iban": "EU1", "cents": 1, "reference": ""}, "eight digits"),
        ("bank_send", {"account": "checking", "iban": "EU12345678", "cents": -5, "reference": ""}, "From 1 to"),
        ("bank_send", {"account": "checking", "iban": "EU12345678", "cents": 10**9, "reference": ""}, "From 1 to"),
        ("shop_order", {"product": 1, "quantity": 1}, "There is no product"),
    ],
)
def test_what_is_refused_changes_nothing(name: str, arguments: Any, why: str | None) -> None:
    env = begun(3)
    tables = env.episode.state.tables
    observation = env.step(write_call(name, **arguments))[0]
    if why is not None:
        assert observation.startswith("Refused: ")
        assert why in observation
        assert env.episode.state.tables is tables


def test_an_order_that_has_left_is_not_cancelled() -> None:
    tables = {"orders": {1: {"status": "sent"}, 2: {"status": "placed"}}}
    with pytest.raises(Refused, match="is sent"):
        act(tables, "shop_cancel", {"order": 1})
    assert act(tables, "shop_cancel", {"order": 2})[0]["orders"][2]["status"] == "cancelled"


def test_looping_yields_no_more_than_finishing() -> None:
    for seed in range(4):
        env = begun(6, seed)
        plan = steps(env)
        finished = judged(env, plan)["components"]["right"]
        for calls in (plan * 2, plan[: len(plan) // 2] * 3, [*disturbances(env).values()]):
            assert judged(env, calls)["components"]["right"] < finished == 1.0


def test_without_done_nothing_counts() -> None:
    env = begun(4)
    for name, arguments in steps(env):
        env.step(write_call(name, **arguments))
        if env.episode.over:
            break
    while not env.episode.over:
        env.step("and now?")
    verdict = env.episode.turns[-1].verdict
    assert verdict is not None
    assert (verdict.score, verdict.reason) == (0.0, "turn_limit")
    assert len(env.episode.turns) == env.task.problem["messages"]


def test_every_action_is_a_tool_and_the_prompt_tells_every_argument() -> None:
    env = begun(1)
    assert set(ACTIONS) | {"done"} == set(env.environment.tools)
    for tool in env.environment.tools.values():
        assert f"- {tool.name}(" in env.task.prompt
        assert all(f"    {name} (" in env.task.prompt for name in tool.arguments.model_fields)


def test_spaces_count_in_every_field_but_the_texts_of_mails_and_files() -> None:
    before = begun(5).episode.instance.key["tables"]
    contact, mail = min(before["contacts"]), "a@b.example"
    calls = {
        "phone": ("contacts_change", {"id": contact, "field": "phone", "value": "0123 45678"}, "value"),
        "name": ("contacts_add", {"name": "A B", "email": mail, "phone": "1", "group": "g"}, "name"),
        "title": (
            "calendar_add",
            {"title": "T", "date": "2028-01-01", "start": "10:00", "end": "11:00", "place": "p"},
            "title",
        ),
        "reference": (
            "bank_send",
            {"account": "checking", "iban": "EU12345678", "cents": 5, "reference": "r"},
            "reference",
        ),
        "subject": ("mail_send", {"to": [mail], "subject": "s", "body": "b"}, "subject"),
        "body": ("mail_send", {"to": [mail], "subject": "s", "body": "b\nc"}, "body"),
        "text": ("files_write", {"path": "a/b.txt", "text": "b\nc"}, "text"),
    }
    for field, (name, arguments, spaced) in calls.items():
        right = difference(before, act(before, name, arguments)[0])
        for value in (f"{arguments[spaced]} ", f" {arguments[spaced]}"):
            other = difference(before, act(before, name, {**arguments, spaced: value})[0])
            assert (other == right) == (field in ("body", "text")), (field, value)


@pytest.mark.parametrize("level", range(1, 11))
def test_every_level_has_many_kinds_of_errands(level: int) -> None:
    kinds = {kind for seed in range(60) for kind in begun(level, seed).task.problem["kinds"]}
    assert len(kinds) >= 8
