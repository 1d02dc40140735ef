"""Verdicts on gold answers over HTTP: those of the library, without a task."""

from __future__ import annotations

import json
from typing import Any

import pytest

from envhub.verifiers.answers import final_answer
from tests.sandbox import jails
from tests.server.episodes.verdicts import drawn, item, judged
from tests.server.serving import Api, problem


def gold(answer: Any, *responses: Any, **more: Any) -> dict[str, Any]:
    return {"gold": answer, "responses": list(responses), **more}


def test_a_gold_answer_is_enough(api: Api) -> None:
    items = [
        gold("42", "<answer>42</answer>", "\\boxed{42.0}", "<answer>41</answer>", "<answer>42 or 41</answer>", ""),
        gold("(-oo, -5)", "<answer>k < -5</answer>", "<answer>k < 5</answer>", kind="interval"),
        gold("{1, 2}", "<answer>{2, 1}</answer>", kind="set", options={"of": "integer"}, answer_format="boxed"),
        gold("2, 1", "So \\boxed{1, 2}", kind="auto", answer_format="auto"),
    ]
    task, env = drawn("arithmetic-v0")
    results = judged(api, *items, item(task, env.solve()), reward={"accuracy": 1, "format": 0.5})
    rewards = [[verdict["reward"] for verdict in result["verdicts"]] for result in results]
    assert rewards == [[1.5, 1.0, 0.5, 0.5, 0.0], [1.5, 0.5], [1.0], [1.5], [1.5]]
    for posted, result in zip(items, results, strict=False):
        about = {name: posted[name] for name in ("kind", "options", "answer_format") if name in posted}
        for response, verdict in zip(posted["responses"], result["verdicts"], strict=True):
            expected = final_answer.judge(posted["gold"], response, **about).to_json()
            assert {name: value for name, value in verdict.items() if name != "reward"} == expected


@pytest.mark.parametrize(
    ("bad", "part"),
    [
        ({"gold": "five apples", "kind": "interval"}, "'five apples' cannot be read as interval"),
        ({"gold": "5", "kind": "intger"}, "Did you mean 'integer'?"),
        ({"gold": "5", "options": {"of": "integer"}}, "The kind auto has no option 'of'"),
        ({"gold": "5", "answer_format": "tags"}, "Did you mean 'tag'?"),
        ({"gold": ""}, "cannot be read"),
    ],
)
def test_a_bad_gold_answer_spoils_only_its_own_item(api: Api, bad: dict[str, Any], part: str) -> None:
    good = gold("5", "<answer>5</answer>")
    results = judged(api, good, {"responses": ["x"], **bad}, good)
    assert [r["verdicts"] and r["verdicts"][0]["reward"] for r in results] == [1.0, None, 1.0]
    assert results[1]["error"]["code"] == "InvalidParameters"
    assert part in results[1]["error"]["detail"]


def test_a_response_that_breaks_the_judge_spoils_no_other(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    compare_views = final_answer.compare_views

    def breaks(*, answer: str, **about: Any) -> Any:
        if answer == "9":
            raise RecursionError
        return compare_views(answer=answer, **about)

    monkeypatch.setattr(final_answer, "compare_views", breaks)
    (result,) = judged(api, gold("5", *(f"<answer>{n}</answer>" for n in (5, 9, 4))))
    assert [verdict["reward"] for verdict in result["verdicts"]] == [1.0, None, 0.0]
    assert result["verdicts"][1]["error"]["code"] == "environment_failed"


@pytest.mark.parametrize(
    ("bad", "part"),
    [
        ({}, "either a task or a gold answer"),
        ({"gold": "5", "task": {"env_id": "arithmetic-v0"}}, "either a task or a gold answer"),
        ({"task": {"env_id": "arithmetic-v0"}, "kind": "integer"}, "belong to a gold answer"),
        ({"task": {"env_id": "arithmetic-v0"}, "options": {}}, "belong to a gold answer"),
        ({"gold": 5}, "gold"),
        ({"gold": "5", "responses": [["a", "b"]]}, "one text"),
        (
            {"gold": "5", "options": {"of": [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]}},
            "nested",
        ),
        (
            {"golden": "5"},
            "there are task, gold, kind, options, responses, answer_format, fingerprint. Did you mean 'gold'?",
        ),
    ],
)
def test_an_item_is_of_a_task_or_of_a_gold_answer(api: Api, bad: dict[str, Any], part: str) -> None:
    status, code, detail = problem(api.post("/v1/verify", {"items": [{"responses": ["x"], **bad}]}))
    assert (status, code) == (422, "InvalidRequest")
    assert part in detail


def test_the_question_of_an_undeclared_gold_decides_the_order(api: Api) -> None:
    plain = gold("3, 8", "<answer>8, 3</answer>")
    ordered = {**plain, "options": {"question": "Find the ordered pair (x, y)."}}
    assert [r["verdicts"][0]["reward"] for r in judged(api, plain, ordered)] == [1.0, 0.0]


@pytest.mark.slow
def test_a_program_is_judged_by_the_tests_that_are_posted_with_it(api: Api) -> None:
    jails.backend()
    tests = {"cases": [{"input": "4011", "output": "8022"}, {"input": "5", "output": "10"}]}
    texts = [f"```python\n{source}\n```" for source in ("print(2 * int(input()))", "print(8022)")]
    (found,) = judged(api, {"gold": json.dumps(tests), "kind": "tests", "responses": [*texts, "print(10)"]})
    assert [verdict["score"] for verdict in found["verdicts"]] == [1.0, 0.0, 0.0]
    assert [verdict["components"].get("passed") for verdict in found["verdicts"]] == [1.0, 0.5, None]
    assert "8022" not in found["verdicts"][2]["feedback"]
    (refused,) = judged(api, {"gold": '{"case": []}', "kind": "tests", "responses": texts})
    assert refused["verdicts"] is None
    assert "unknown field 'case'. Did you mean 'cases'?" in refused["error"]["detail"]


@pytest.mark.parametrize(
    ("limit", "most", "setting"), [("wall_s", 60, "WALL_S"), ("cpu_s", 60, "WALL_S"), ("memory_mb", 4096, "MEMORY_MB")]
)
def test_limits_of_a_program_beyond_the_servers_are_refused(api: Api, limit: str, most: int, setting: str) -> None:
    tests = {"cases": [{"input": "", "output": "1"}], "limits": {limit: most + 1}}
    (refused,) = judged(api, {"gold": json.dumps(tests), "kind": "tests", "responses": ["print(1)"]})
    assert refused["verdicts"] is None
    assert refused["error"]["detail"] == (
        f"limits.{limit} must be at most {most} on this server, got {most + 1}. The operator can raise ENVHUB_MAX_{setting}."
    )
    tests["limits"] = {limit: most}
    (allowed,) = judged(api, {"gold": json.dumps(tests), "kind": "tests", "responses": ["no program"]})
    assert allowed["verdicts"] is not None
