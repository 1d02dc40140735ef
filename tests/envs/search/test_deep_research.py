"""deep-research-v0: which claims hold, what a report is worth, and that padding and guessing gain nothing."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, strategies as st

import envhub
from envhub.authoring import write_call
from envhub.envs.search.deep_research import _claim, read_claim
from envhub.generators.retrieval import states
from envhub.generators.worlds.corpus import index_of, world_of
from envhub.generators.worlds.questions import names_of
from envhub.generators.worlds.tables import ALIAS, RELATIONS
from envhub.gymnasium.env import Env


def begun(seed: int = 1, level: int = 4) -> Env:
    env = envhub.make("deep-research-v0", difficulty=level)
    env.reset(seed=seed)
    return env


def key(env: Env) -> dict[str, Any]:
    found: dict[str, Any] = env.episode.instance.key
    return found


def right(env: Env) -> list[str]:
    """The claims of a perfect report."""
    world, documents = world_of(*key(env)["world"]), index_of(*key(env)["world"]).documents
    return [_claim(world, number, states(documents, number)[0]) for number in key(env)["claims"]]


def graded(env: Env, *lines: str) -> dict[str, Any]:
    _, _, terminated, _, info = env.fork().step(write_call("submit", report="\n".join(lines)))
    assert terminated
    found: dict[str, Any] = info["verdict"]
    return found


@pytest.mark.parametrize("seed", range(6))
def test_a_complete_report_is_solved_whatever_stands_around_its_claims(seed: int) -> None:
    env = begun(seed)
    lines = right(env)
    assert graded(env, *lines)["solved"] is True
    dressed = [f"- claim: {line[6:].replace(' | ', '|').upper()}." for line in reversed(lines)]
    assert graded(env, "# Report", "", *dressed, "That is all.", *lines)["score"] == 1.0


def answered(env: Env, *lines: str) -> str:
    """What is said about a report that is not graded."""
    shown, _, terminated, _, _ = env.fork().step(write_call("submit", report="\n".join(lines)))
    assert not terminated
    return shown


FORMS = {
    "bold": "**CLAIM** {0} | {1} | {2} [{3}]",
    "all bold": "**CLAIM {0} | {1} | {2} [{3}]**",
    "bold value": "CLAIM {0} | {1} | **{2}** [{3}]",
    "numbered": "1. CLAIM {0} | {1} | {2} [{3}]",
    "brackets of a list": "12) CLAIM: {0} | {1} | {2} [{3}].",
    "round brackets": "CLAIM {0} | {1} | {2} ({3})",
    "no brackets": "CLAIM {0} | {1} | {2} {3}",
    "a fourth part": "CLAIM {0} | {1} | {2} | {3}",
    "a fourth part in brackets": "CLAIM {0} | {1} | {2} | [{3}]",
    "a row": "| CLAIM | {0} | {1} | {2} | {3} |",
    "a row with one cell less": "| CLAIM {0} | {1} | {2} | [{3}] |",
    "quoted": "> CLAIM {0} | {1} | {2} [{3}]",
    "a heading": "### CLAIM {0} | {1} | {2} [{3}]",
    "bullet": "\u2022 claim {0} | {1} | {2} [{3}]",
    "code": "`CLAIM {0} | {1} | {2} [{3}]`",
}


@pytest.mark.parametrize("form", FORMS)
def test_a_claim_counts_in_whatever_list_table_or_emphasis_it_stands(form: str) -> None:
    for seed in range(4):
        env = begun(seed)
        claims = [read_claim(line) for line in right(env)]
        lines = [FORMS[form].format(*claim) for claim in claims if claim is not None]
        assert len(lines) == len(claims)
        assert graded(env, "| kind | thing | what | value | document |", *lines)["solved"] is True
        wrong = [FORMS[form].format(claim[0], claim[1], "Nowhere", claim[3]) for claim in claims if claim is not None]
        assert graded(env, *wrong)["score"] == 0.0


def test_a_line_that_does_not_begin_with_claim_is_no_claim() -> None:
    line, *_ = right(begun())
    assert read_claim(line) is not None
    assert read_claim(line.removeprefix("CLAIM ")) is None
    assert read_claim(f"My {line}") is None


def test_what_cannot_be_read_is_named_and_nothing_is_graded() -> None:
    env = begun()
    line, *rest = right(env)
    claim = line.partition("[")[0]
    two = (
        f"{line} [doc-1]",
        f"{claim}[doc-1, doc-2]",
        f"{claim}doc-1 and DOC-2",
        f"{claim}[Doc-1][doc-2]",
        f"{claim}[id: doc-1]",
    )
    for wrong in (f"{claim}[]", claim, f"{line} {line}", f"{line}, surely", "CLAIM", f"{claim} | more | [doc-1]", *two):
        shown = answered(env, wrong, *rest)
        assert (
            "1 line is unreadable, so the report was not graded. Write each fact on a line of its own: CLAIM" in shown
        )
        assert f"- {wrong.strip()}" in shown
    assert "contains no claim and was not graded" in answered(env, "All of them are bakers.")
    assert "7 lines are unreadable" in answered(env, *(f"CLAIM {n}" for n in range(7)))


@pytest.mark.parametrize("seed", range(6))
def test_what_is_lacking_and_what_is_false_costs(seed: int) -> None:
    env = begun(seed)
    lines = right(env)
    fewer = graded(env, *lines[1:])
    assert fewer["score"] == pytest.approx(1 - 1 / len(lines))
    assert (fewer["solved"], fewer["components"]["support"]) == (False, 1.0)
    false = graded(env, *lines, "CLAIM Ada Example | birth year | 1950 [doc-1]")
    assert false["score"] == pytest.approx(len(lines) / (len(lines) + 1))
    assert (false["solved"], false["components"]["completeness"]) == (False, 1.0)


@pytest.mark.parametrize("seed", range(6))
def test_a_claim_needs_a_document_that_states_it(seed: int) -> None:
    env = begun(seed)
    line, *rest = right(env)
    world, index = world_of(*key(env)["world"]), index_of(*key(env)["world"])
    other = next(d.id for d in index.documents if key(env)["claims"][0] not in d.facts)
    claim = line.partition("[")[0]
    for wrong in (f"{claim}[{other}]", f"{claim}[doc-9999]"):
        assert graded(env, wrong, *rest)["score"] < 1.0, wrong
    assert all(fact.relation in (*RELATIONS, ALIAS) for fact in world.facts)


def test_what_held_once_is_no_claim_even_with_the_document_that_says_so() -> None:
    for seed in range(40):
        env = begun(seed, 6)
        world, documents = world_of(*key(env)["world"]), index_of(*key(env)["world"]).documents
        for place, number in enumerate(key(env)["claims"]):
            fact = world.facts[number]
            rows = world.rows(fact.subject, fact.relation)
            if len(rows) > 1:
                lines = right(env)
                lines[place] = _claim(world, rows[0], states(documents, rows[0])[0])
                assert graded(env, *lines)["score"] < 1.0
                return
    raise AssertionError("nothing has changed")


def test_padding_with_what_is_true_and_repeating_gain_nothing() -> None:
    env = begun(2)
    lines = right(env)
    world, documents = world_of(*key(env)["world"]), index_of(*key(env)["world"]).documents
    others = [
        _claim(world, number, states(documents, number)[0])
        for number, fact in enumerate(world.facts)
        if number not in key(env)["claims"] and fact.relation != ALIAS
        if world.holding(fact.subject, fact.relation) == number
    ]
    assert graded(env, *others[:150])["score"] == 0.0
    false = "CLAIM Ada Example | birth year | 1950 [doc-1]"
    poor = graded(env, lines[0], false)["score"]
    assert graded(env, lines[0], false, *others[:150])["score"] == poor
    assert graded(env, lines[0], *[f"  {lines[0]}"] * 20, false)["score"] == poor
    everywhere = [lines[0].partition("[")[0] + f"[{document.id}]" for document in documents]
    assert graded(env, *everywhere)["score"] < poor


def test_a_report_that_is_too_long_is_answered_and_costs_a_turn() -> None:
    env = begun()
    for report in ("x" * 20_001, "\n".join(f"CLAIM {n}" for n in range(201))):
        observation, _, terminated, _, _ = env.step(write_call("submit", report=report))
        assert "was not graded" in observation
        assert not terminated


def test_a_second_name_counts_and_a_shared_one_does_not() -> None:
    env = begun(1, 8)
    world = world_of(*key(env)["world"])
    shared = {thing.name for thing in world.things.values() if thing.shared}
    assert shared
    assert not shared & {name for thing in world.things.values() for name in names_of(thing)}
    lines = right(env)
    for place, number in enumerate(key(env)["claims"]):
        thing = world.things[world.facts[number].subject]
        for name in names_of(thing):
            parts = lines[place].split("|")
            assert graded(env, *lines[:place], "|".join([f"CLAIM {name} ", *parts[1:]]), *lines[place + 1 :])["solved"]


@given(st.lists(st.text() | st.text(alphabet="CLAIM |[]doc-1\n"), max_size=5).map("\n".join))
def test_no_report_fails_and_none_without_knowledge_scores(report: str) -> None:
    _, _, terminated, _, info = begun().step(write_call("submit", report=report))
    assert not terminated or info["verdict"]["score"] == 0.0


def test_a_report_without_a_true_claim_scores_nothing() -> None:
    assert graded(begun(), "CLAIM a | b | c [doc-9999]")["components"] == {
        "completeness": 0.0,
        "support": 0.0,
        "retrieval": 0.0,
        "cited": 0.0,
        "wasted": 0.0,
    }
