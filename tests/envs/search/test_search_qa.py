"""search-qa-v0: what its tools show, which answers count, and that its components cannot be farmed."""

from __future__ import annotations

import json
from typing import Any

import pytest

import envhub
from envhub.authoring import write_call
from envhub.core.errors import InvalidParameters
from envhub.envs.search import corpus_tools
from envhub.envs.search.search_qa import SearchQA
from envhub.generators.worlds.corpus import index_of
from envhub.generators.worlds.questions import UNKNOWN
from envhub.gymnasium.env import Env


def begun(level: int = 4, seed: int = 1) -> Env:
    env = envhub.make("search-qa-v0", difficulty=level)
    env.reset(seed=seed)
    return env


def key(env: Env) -> dict[str, Any]:
    found: dict[str, Any] = env.episode.instance.key
    return found


def shaped(shape: str, level: int = 4) -> Env:
    return next(env for seed in range(400) if key(env := begun(level, seed))["shape"] == shape)


def told(env: Env, name: str, **arguments: Any) -> str:
    return str(env.step(write_call(name, **arguments))[0])


def submitted(env: Env, text: Any, documents: tuple[str, ...] = ()) -> Any:
    _, reward, terminated, _, info = env.step(write_call("submit", answer=text, documents=list(documents)))
    assert terminated
    return reward, info["verdict"]


@pytest.mark.parametrize("seed", range(12))
def test_every_form_of_the_answer_counts(seed: int) -> None:
    for answer in key(begun(3, seed))["answers"]:
        assert submitted(begun(3, seed), answer)[0] == 1.0
        assert submitted(begun(3, seed), f"\u201c{answer.upper()}\u201d.")[0] == 1.0


@pytest.mark.parametrize("seed", range(12))
def test_hedges_and_sentences_do_not(seed: int) -> None:
    answer, other = key(begun(3, seed))["answers"][0], key(begun(3, seed + 50))["answers"][0]
    for text in (f"{answer} or {other}", f"{answer}, {other}", f"not {answer}", f"x {answer}", "", answer + "x"):
        assert submitted(begun(3, seed), text)[0] == 0.0


def test_a_name_that_two_people_share_is_no_answer() -> None:
    for seed in range(400):
        env = begun(6, seed)
        answers = key(env)["answers"]
        if answers[0].startswith("the "):
            assert submitted(env, " ".join(answers[0].split()[2:]))[0] == 0.0
            return
    raise AssertionError("nobody shared a name")


def test_that_the_answer_is_not_in_the_corpus_is_a_wrong_answer_where_it_is() -> None:
    reward, verdict = submitted(shaped("chain"), UNKNOWN)
    assert (reward, verdict["status"]) == (0.0, "graded")


def test_a_long_answer_is_noted_by_its_beginning() -> None:
    assert submitted(begun(), "x" * 199 + "yz")[1]["answer"] == "x" * 199 + "y"


def test_a_year_may_be_given_as_a_number() -> None:
    env = next(env for seed in range(200) if key(env := begun(3, seed))["answers"][0].isdigit())
    assert submitted(env, int(key(env)["answers"][0]))[0] == 1.0


@pytest.mark.parametrize("shape", ["chain", "compare", "only", "count", "past", "unknown"])
def test_every_shape_is_solved_by_its_answer_alone(shape: str) -> None:
    env = shaped(shape)
    reward, verdict = submitted(env, key(env)["answers"][0])
    assert reward == 1.0
    assert verdict["components"]["wasted"] == 0.0
    other = shaped(shape)
    assert submitted(other, "Silverton")[0] == 0.0


def test_search_find_and_open_show_documents() -> None:
    env = begun()
    *found, _, left = told(env, "search", query="founder company", k=3).splitlines()
    assert left == "Messages left: 23."
    assert len(found) == 3
    assert all(line.startswith("[doc-") for line in found)
    id = found[0].partition("]")[0][1:]
    text = told(env, "open", doc=id)
    assert text.startswith(f"[{id}] (20")
    assert id in told(env, "find", text=text.splitlines()[1][:30])
    assert env.episode.state.wasted == 1  # what was found had been listed


def test_the_pages_of_a_document_are_its_text(monkeypatch: pytest.MonkeyPatch) -> None:
    env = begun()
    document = index_of(*key(env)["world"]).documents[0]
    half = -(-len(document.text) // 2)
    monkeypatch.setattr(corpus_tools, "_PAGE", half)
    for page, text in ((1, document.text[:half]), (2, document.text[half:])):
        shown = told(env, "open", doc=document.id, page=page)
        assert shown.startswith(f"{document.head} (page {page} of 2)\n{text}\n")


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (write_call("search", query="\u2603"), "no document contains a word"),
        (
            write_call("search", query="seat", k=11),
            "argument `k` must be an integer from 1 to 10, got 11. Expected: query (string), k (integer from 1 to 10, ",
        ),
        (write_call("search", query="seat", k="three"), '`k` must be an integer from 1 to 10, got "three"'),
        (write_call("open", doc="doc-9999"), "there is no document 'doc-9999'"),
        (write_call("open", doc="doc-1", page=2), "the pages of doc-1 are 1 to 1"),
        (write_call("find", text="a"), "`text` must have at least 3 characters, got 1"),
        (write_call("find", text="no such phrase"), "no document contains this phrase"),
        (write_call("close", doc="doc-1"), "There is no tool 'close'"),
        ("what?", "No tool call was found"),
    ],
)
def test_what_is_wrong_is_said_and_costs_a_turn(call: str, said: str) -> None:
    env = begun()
    observation, _, terminated, truncated, _ = env.step(call)
    assert said in observation
    assert not terminated
    assert not truncated
    assert len(env.episode.turns) == 1


def test_calls_that_show_nothing_new_are_wasted() -> None:
    env = begun()
    for _ in range(4):
        told(env, "open", doc="doc-1")
    told(env, "open", doc="doc-9999")
    assert (env.episode.state.calls, env.episode.state.wasted) == (5, 4)
    assert submitted(env, "x")[1]["components"]["wasted"] == 0.8


def components(env: Env) -> dict[str, float]:
    found: dict[str, float] = submitted(env, key(env)["answers"][0])[1]["components"]
    return found


@pytest.mark.parametrize("seed", range(5))
def test_retrieval_is_not_farmed_by_opening_everything_or_again(seed: int) -> None:
    env = begun(4, seed)
    needed = key(env)["evidence"]
    for ids in needed:
        told(env, "open", doc=ids[0])
    again = env.fork()
    for ids in needed:
        told(again, "open", doc=ids[0])
    everything = begun(4, seed)
    for number in range(1, everything.task.problem["documents"] + 1, 8):
        everything.step("".join(write_call("open", doc=f"doc-{number + n}") for n in range(8)))
    honest = components(env)["retrieval"]
    assert honest == 1.0
    assert components(again)["retrieval"] == honest
    assert components(everything)["retrieval"] < 0.4


def test_cited_documents_are_weighed_against_those_that_are_needed() -> None:
    env = shaped("chain")
    ids = [found[0] for found in key(env)["evidence"]]
    everything = tuple(f"doc-{n}" for n in range(1, env.task.problem["documents"] + 1))
    answer = key(env)["answers"][0]
    assert submitted(env.fork(), answer, tuple(ids))[1]["components"]["cited"] == 1.0
    assert submitted(env.fork(), answer, (f"[{ids[0].upper()}]", *ids[1:]))[1]["components"]["cited"] == 1.0
    assert submitted(env.fork(), answer, everything)[1]["components"]["cited"] < 0.4
    assert submitted(env.fork(), answer, ("doc-9999",))[1]["components"]["cited"] == 0.0
    assert submitted(env.fork(), answer)[1]["components"]["cited"] == 0.0


def test_an_episode_ends_when_its_turns_are_used_up() -> None:
    env = begun()
    for _ in range(SearchQA.max_turns):
        _, reward, terminated, truncated, info = env.step(write_call("open", doc="doc-1"))
    assert (reward, terminated, truncated) == (0.0, False, True)
    assert info["verdict"]["components"]["wasted"] == pytest.approx(23 / 24)


def test_nothing_that_travels_holds_the_corpus_or_what_it_is_made_from() -> None:
    env = begun(10)
    public = json.dumps([env.task.to_json(), env.snapshot()])
    assert key(env)["world"][0] not in public
    assert len(public) < 12_000


def test_a_world_too_small_for_its_namesakes_is_refused() -> None:
    with pytest.raises(InvalidParameters, match="namesakes"):
        envhub.make("search-qa-v0", people=8, namesakes=3)
