"""``/v1/batch``: many operations in one request, each answered as if it had come alone."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from envhub.server.auth.access import AccessControl
from envhub.server.auth.keys import KeyFile, Keyring
from tests.server.serving import GUESS, Api, local, problem

GUESS_100 = "<answer>100</answer>"


def create(number: int, **fields: Any) -> dict[str, Any]:
    body = {"env_id": GUESS, "episode_id": f"e{number}", "difficulty": 1, "seed": number}
    return {"op": "create", "body": {**body, **fields}}


def step(number: int, turn: int, action: str = GUESS_100) -> dict[str, Any]:
    return {"op": "step", "episode_id": f"e{number}", "body": {"turn": turn, "action": action}}


def batch(api: Api, *items: Any, **more: Any) -> list[Any]:
    response = api.post("/v1/batch", {"items": list(items)}, **more)
    assert response.status_code == 200, response.text
    return list(response.json()["results"])


def test_every_item_has_its_answer_in_its_place(api: Api) -> None:
    count = 600  # more than are under way at once
    opened = batch(api, *(create(number) for number in range(count)))
    assert [answer["body"]["episode_id"] for answer in opened] == [f"e{number}" for number in range(count)]
    assert {answer["status"] for answer in opened} == {201}
    stepped = batch(api, *(step(number, 0) for number in reversed(range(count))))
    assert [answer["body"]["episode_id"] for answer in stepped] == [f"e{number}" for number in reversed(range(count))]
    for number in (0, 17, 599):
        env = local(GUESS, number, difficulty=1)
        assert stepped[count - 1 - number]["body"]["observation"] == env.step(GUESS_100)[0]


def test_a_repeated_batch_has_the_same_answers(api: Api) -> None:
    items = [create(1), create(2)]
    assert batch(api, *items) == batch(api, *items)
    items = [step(1, 0), step(2, 0)]
    assert batch(api, *items) == batch(api, *items)
    assert api.look("e1")["turn"] == 1


def test_what_is_wrong_with_one_is_told_in_its_place(api: Api) -> None:
    wrong: list[Any] = [
        7,
        {"op": "stepp"},
        {"op": "step", "epsode_id": "e1"},
        step(1, 3),
        step(99, 0),
        create(2, env_id="gess-number-v0"),
        {"op": "create", "body": {"env_id": 7}},
    ]
    batch(api, create(1))
    answers = batch(api, *wrong, step(1, 0))
    assert [answer["status"] for answer in answers] == [422, 422, 422, 409, 404, 404, 422, 200]
    for answer in answers[:-1]:
        assert set(answer["body"]) == {"type", "title", "status", "code", "detail"}
        assert answer["body"]["status"] == answer["status"]


def test_a_batch_that_is_none(make_api: Callable[..., Api]) -> None:
    api = make_api(max_batch=3)
    for body, code in [({}, "InvalidRequest"), ([], "InvalidRequest"), ({"items": 7}, "InvalidRequest")]:
        assert problem(api.post("/v1/batch", body))[:2] == (422, code)
    assert batch(api) == []
    assert len(batch(api, *[create(1)] * 3)) == 3
    status, code, detail = problem(api.post("/v1/batch", {"items": [create(1)] * 4}))
    assert (status, code) == (422, "InvalidParameters")
    assert "At most 3 items" in detail
    assert problem(api.get("/v1/batch"))[:2] == (405, "MethodNotAllowed")


def test_every_item_counts_and_needs_its_scope(
    tmp_path: Path, make_api: Callable[..., Api], monkeypatch: pytest.MonkeyPatch
) -> None:
    no_time_passes = partial(AccessControl, ticks=lambda: 0.0)
    monkeypatch.setattr("envhub.server.http.app.AccessControl", no_time_passes)
    file = KeyFile(tmp_path / "keys.json")
    texts = {
        "play": file.create("play", ["play"], rate=3.0)[0],
        "verify": file.create("verify", ["verify"])[0],
        "solutions": file.create("solutions", ["solutions"])[0],
    }
    api = make_api(keyring=Keyring(tmp_path / "keys.json"))
    headers = {name: {"authorization": f"Bearer {text}"} for name, text in texts.items()}
    verify = {"op": "verify", "body": {"items": [{"gold": "1", "responses": ["1"]}]}}
    assert [answer["status"] for answer in batch(api, create(1), verify, headers=headers["verify"])] == [403, 200]
    assert problem(api.post("/v1/batch", {"items": []}, headers=headers["solutions"]))[:2] == (403, "Forbidden")
    answers = batch(api, create(1), verify, create(2), create(3), headers=headers["play"])
    assert [answer["status"] for answer in answers] == [201, 403, 201, 429]
    assert answers[3]["retry_after"] >= 1


def test_an_id_that_no_journal_could_hold_is_unknown_and_fails_nobody_else(api: Api) -> None:
    batch(api, create(1))
    odd: list[Any] = ["\ud800", "a/b", "", "e" * 300, "e\n1"]
    items = [{"op": "get", "episode_id": each} for each in odd]
    answers = batch(api, *items, step(1, 0))
    assert [answer["status"] for answer in answers] == [404] * len(odd) + [200]
    assert {answer["body"]["code"] for answer in answers[:-1]} == {"UnknownEpisode"}


# -- limits of what is asked for, and of the answer ---------------------------------------------------------------------


def tasks(*seeds: int) -> dict[str, Any]:
    return {"op": "tasks", "body": {"env_id": GUESS, "seeds": list(seeds)}}


def verify(*counts: int) -> dict[str, Any]:
    return {"op": "verify", "body": {"items": [{"gold": "1", "responses": ["1"] * count} for count in counts]}}


def test_every_seed_and_every_response_counts(make_api: Callable[..., Api]) -> None:
    api = make_api(max_batch=10)
    most = [tasks(1, 2, 3, 4, 5), verify(2, 1), verify(0), create(1)]  # an item without responses is rebuilt as well
    assert [answer["status"] for answer in batch(api, *most)] == [200, 200, 200, 201]
    for more in (create(2), tasks(6), verify(1), verify(), tasks(), {"op": "tasks"}, 7):
        status, code, detail = problem(api.post("/v1/batch", {"items": [create(3), *most[:3], more]}))
        assert (status, code) == (422, "InvalidParameters")
        assert "At most 10 items" in detail
        assert "got 11" in detail
    assert api.get("/v1/episodes/e3").status_code == 404  # nothing of it was done


def test_what_finds_no_room_in_the_answer_is_to_come_again(make_api: Callable[..., Api]) -> None:
    most, count = 200_000, 600
    api = make_api(max_answer_bytes=most)
    missing, rounds, begun = set(range(count)), 0, []
    while missing:
        items = [create(number) for number in sorted(missing)]
        answers = batch(api, *items)
        assert {answer["status"] for answer in answers} == {201, 429} or len(missing) < 200
        done = [answer for answer in answers if answer["status"] == 201]
        assert (
            0 < sum(len(json.dumps(answer).encode()) for answer in done) < 1.2 * most
        )  # which json writes with spaces
        for number, answer in zip(sorted(missing), answers, strict=True):
            if answer["status"] == 201:
                missing.discard(number)
                assert answer["body"]["task"] == local(GUESS, number, difficulty=1).unwrapped.task.to_json()  # type: ignore[attr-defined]
            else:
                assert (answer["body"]["code"], answer["retry_after"]) == ("TooBusy", 0)
                assert f"at most {most} bytes" in answer["body"]["detail"]
        rounds += 1
        begun.append(api.get("/ready").json()["episodes"])
    assert rounds > 2
    assert begun[0] < count  # what was not begun when the answer was full was not begun


def test_one_answer_always_fits(make_api: Callable[..., Api]) -> None:
    api = make_api(max_answer_bytes=1024)
    for _ in range(2):
        first, second = batch(api, create(1), create(2))
        assert (first["status"], second["status"]) == (201, 429)
    assert batch(api, create(2))[0]["status"] == 201


@pytest.mark.slow
def test_what_cannot_be_asked_for_again_is_answered_or_not_done(make_api: Callable[..., Api]) -> None:
    """A second delete would be a 404, and a second create without an id another episode."""
    api = make_api(max_answer_bytes=1024)
    for number in (1, 2):
        batch(api, create(number))
    fork = {"op": "fork", "episode_id": "e2", "body": {"turn": 0}}
    slow = {"op": "create", "body": {"env_id": "sudoku-v0", "difficulty": 1}}  # in threads, so all are begun at once
    answers = batch(api, slow, {"op": "delete", "episode_id": "e1"}, slow, slow, fork, slow)
    statuses = [answer["status"] for answer in answers]
    assert statuses[1] == 204
    assert statuses.count(201) >= 4, statuses
    assert api.get("/ready").json()["episodes"] == 1 + statuses.count(201)  # nothing was begun that nobody knows of
