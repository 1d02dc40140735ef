"""deep-research-v1: an independent reader, claims and citations, and attacks that gain nothing."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import Any

import pytest
from hypothesis import given, strategies as st

import envhub
from envhub.authoring import write_call
from envhub.core.seeding import Stream
from envhub.envs.search.archive.catalogue import catalogue
from envhub.envs.search.archive.claims import claimed
from envhub.envs.search.archive.environment import _claims, _facts, _law, _world
from envhub.envs.search.archive.prose import written
from envhub.envs.search.archive.world import Fact, Law, Paper, World
from envhub.gymnasium.env import Env
from tests.envs.search.plain_archive import research

ID = "deep-research-v1"


def begun(seed: int = 1, level: int = 4, **params: Any) -> Env:
    env = envhub.make(ID, difficulty=level, **params)
    env.reset(seed=seed)
    return env


def read(env: Env, problem: Any | None = None) -> tuple[str, str]:
    """What the independent reader submits, with the number of calls at most that the messages allow."""
    environment, inst = env.environment, env.episode.instance
    state = environment.begin(inst, Stream(b""))
    calls = 0

    def call(name: str, **arguments: Any) -> str:
        nonlocal calls
        calls += 1
        assert calls <= (environment.max_turns - 1) * 8
        return str(getattr(environment, name)(inst, state, **arguments)[1])

    return research(call, inst.problem if problem is None else problem)


def graded(env: Env, answer: str, lines: Iterable[str]) -> dict[str, Any]:
    _, _, terminated, _, info = env.fork().step(write_call("submit", answer=answer, report="\n".join(lines)))
    assert terminated
    found: dict[str, Any] = info["verdict"]
    return found


def answered(env: Env, report: str) -> str:
    """The reply to a report that is not graded."""
    shown, _, terminated, _, _ = env.fork().step(write_call("submit", answer="x", report=report))
    assert not terminated
    return str(shown)


def answer(env: Env) -> str:
    return str(env.episode.instance.key["answers"][0])


@pytest.mark.parametrize("level", [1, 3, 5])
def test_a_reader_of_the_prose_solves_it_by_the_stated_rules(level: int) -> None:
    for seed in (1, 2):
        env = begun(seed, level)
        found, report = read(env)
        assert graded(env, found, [report])["solved"] is True


@pytest.mark.nightly
@pytest.mark.parametrize("level", range(1, 11))
def test_the_reader_solves_all_levels_within_the_messages(level: int) -> None:
    for seed in range(10, 20):
        env = begun(seed, level)
        found, report = read(env)
        assert graded(env, found, [report])["solved"] is True, seed


@pytest.mark.slow
def test_a_reader_with_another_order_of_sources_or_no_last_day_fails() -> None:
    wrong = {"order": 0, "cutoff": 0}
    for seed in range(6):
        env = begun(seed, 3, cutoff=True)
        problem = env.episode.instance.problem
        for change in ({"order": problem["order"][::-1]}, {"cutoff": None}):
            found, report = read(env, {**problem, **change})
            wrong[next(iter(change))] += not graded(env, found, [report])["solved"]
    assert min(wrong.values()) >= 3


FORMS = {
    "of": "The {1} of {0} is {2} {3}.",
    "was": "the {1} of {0} was {2} {3}",
    "last": "{2} is the {1} of {0} {3}.",
    "owned": "{0}'s {1} is {2} {3}.",
    "curly": "{0}\u2019s {1} is {2} {3}.",
    "bold": "- **The {1} of {0} is {2}** {3}.",
    "after prose": "This is what we know. The {1} of {0} is {2} {3}.",
    "numbered": "12) The {1} of {0} is {2}. {3}",
}


@pytest.mark.parametrize("form", FORMS)
def test_a_claim_may_have_three_forms_in_any_layout(form: str) -> None:
    env = begun(3)
    world = _world(env.episode.instance)
    parts = [
        (fact, line.rpartition(" [")[2]) for fact, line in zip(_facts(env.episode.instance), _right(env), strict=True)
    ]
    lines = [FORMS[form].format(*_named(world, fact), f"[{cited.rstrip('.')}") for fact, cited in parts]
    if form == "numbered":
        assert "unreadable" in answered(env, "\n".join(lines))  # the sentence ends before its citation
    else:
        assert graded(env, answer(env), lines)["solved"] is True


def _named(world: World, fact: Fact) -> tuple[str, str, str]:
    noun, _, rest = claimed(world, fact, "").removeprefix("The ").partition(" of ")
    thing, _, value = rest.partition(" is ")
    return thing, noun, value.removesuffix(" [].")


def _right(env: Env) -> list[str]:
    return _claims(env.episode.instance)


def test_a_report_without_citations_or_with_unreadable_claims_is_returned() -> None:
    env = begun()
    line, *rest = _right(env)
    plain = line.rpartition(" [")[0]
    assert "contains no citation" in answered(env, f"{plain}.")
    assert "contains no citation" in answered(env, "")
    cited = line.rpartition(" ")[2]
    for wrong in (
        f"{line} {cited}",
        f"It is so {cited}",
        cited,
        f"According to all, {line}",
        f"{plain}, surely {cited}",
    ):
        if "surely" in wrong:
            assert graded(env, answer(env), [wrong, *rest])["score"] < 1.0
        else:
            assert "unreadable" in answered(env, "\n".join([wrong, *rest])), wrong
    assert "at most 20000 characters" in answered(env, "x" * 20_001)
    many = "\n".join(f"The owner of A is B [doc-{at}:1]." for at in range(101))
    assert "at most 100 claims" in answered(env, many)


@pytest.mark.parametrize("seed", range(4))
def test_missing_and_false_claims_cost_and_a_wrong_answer_costs_everything(seed: int) -> None:
    env = begun(seed)
    lines = _right(env)
    fewer = graded(env, answer(env), lines[1:])
    assert fewer["score"] == pytest.approx(1 - 1 / len(lines))
    false = "The birth year of Ada Example is 1801 [doc-1:1]."
    more = graded(env, answer(env), [*lines, false])
    assert (more["score"], more["solved"]) == (pytest.approx(len(lines) / (len(lines) + 1)), False)
    assert graded(env, "Nowhere", lines)["score"] == 0.0
    assert graded(env, f"{answer(env)} or another", lines)["score"] == 0.0


def test_citing_everything_or_at_random_gains_nothing() -> None:
    env = begun(2, 1)
    world = _world(env.episode.instance)
    lines = _right(env)
    plain = lines[0].rpartition(" [")[0]
    everywhere = [f"{plain} [doc-{at}:{1 + at % 3}]." for at in range(1, 99)]
    assert graded(env, answer(env), everywhere)["score"] < 0.1
    rng = Stream(b"random")
    at_random = [f"{line.rpartition(' [')[0]} [doc-{rng.between(1, world.documents)}:1]." for line in lines]
    assert graded(env, answer(env), at_random)["score"] == 0.0
    assert graded(env, answer(env), [lines[0]] * 50 + lines[1:])["score"] == 1.0


def test_true_claims_beside_the_question_count_for_neither() -> None:
    env = begun(2)
    inst = env.episode.instance
    world, law = _world(inst), _law(inst)
    others = list(islice(_true_claims(world, law, set(_facts(inst))), 60))
    assert graded(env, answer(env), others)["score"] == 0.0
    assert graded(env, answer(env), [*_right(env), *others])["score"] == 1.0


def _true_claims(world: World, law: Law, without: set[Fact]) -> Iterable[str]:
    for number in range(world.documents):
        paper = world.paper(number)
        for at, paragraph in enumerate(written(world, paper).paragraphs, 1):
            for fact in paragraph.facts - without:
                if world.decided(fact.thing, fact.attribute, law) == fact.value and law.admits(paper):
                    yield claimed(world, fact, f"{world.id(number)}:{at}")


def test_a_value_that_is_overruled_fails_with_the_document_that_states_it() -> None:
    seen = 0
    for seed in range(4):
        env = begun(seed)
        inst = env.episode.instance
        world, law, lines = _world(inst), _law(inst), _right(env)
        for at, fact in enumerate(_facts(inst)):
            for paper, value in world.statements(fact.thing, fact.attribute, law):
                if value != fact.value:
                    other = fact._replace(value=value)
                    line = claimed(world, other, f"{world.id(paper.number)}:{_paragraph(world, paper, other)}")
                    assert graded(env, answer(env), [*lines[:at], line, *lines[at + 1 :]])["score"] < 1.0
                    seen += 1
    assert seen


def _paragraph(world: World, paper: Paper, fact: Fact) -> int:
    return next(at for at, each in enumerate(written(world, paper).paragraphs, 1) if fact in each.facts)


def test_another_document_may_be_cited_but_not_one_after_the_last_day() -> None:
    late = other = 0
    for seed in range(8):
        env = begun(seed, 3, cutoff=True)
        inst = env.episode.instance
        world, law, lines = _world(inst), _law(inst), _right(env)
        for at, fact in enumerate(_facts(inst)):
            for paper, value in world.statements(fact.thing, fact.attribute, Law(law.order, None))[1:]:
                if value == fact.value:
                    line = claimed(world, fact, f"{world.id(paper.number)}:{_paragraph(world, paper, fact)}")
                    verdict = graded(env, answer(env), [*lines[:at], line, *lines[at + 1 :]])
                    assert verdict["solved"] is law.admits(paper)
                    late += not law.admits(paper)
                    other += law.admits(paper)
    assert late
    assert other


def test_a_paragraph_with_a_rumour_states_nothing() -> None:
    world = World("0b" * 16, 60, 30, 100, 0)
    texts = [written(world, world.paper(number)).paragraphs for number in range(100)]
    empty = [each.text for paragraphs in texts for each in paragraphs if not each.facts]
    assert sum("more than talk" in text or "not true" in text or "withdrawn" in text for text in empty) > 20


def test_a_world_is_the_same_in_whatever_order_it_is_looked_at() -> None:
    recipe = ("0a" * 16, 300, 30, 40, 6)
    one, two = World(*recipe), World(*recipe)
    numbers = range(0, one.documents, 7)
    backwards = {number: two.paper(number) for number in reversed(numbers)}
    assert [one.paper(number) for number in numbers] == [backwards[number] for number in numbers]
    assert len({one.id(number) for number in range(one.documents)}) == one.documents
    assert all(one.by_id(int(one.id(number)[4:])) == one.paper(number) for number in numbers)


def test_every_document_has_a_paragraph() -> None:
    world = World("0c" * 16, 60, 30, 0, 0)
    assert all(written(world, world.paper(number)).paragraphs for number in range(world.documents))


def test_a_search_finds_every_document_of_a_name_first() -> None:
    env = begun(1, 5)
    recipe, world = env.episode.instance.key["world"], _world(env.episode.instance)
    for thing in (3, 150, 300, 450):
        name = world.called(thing)
        papers = [world.paper(number) for number in range(world.documents)]
        told = {paper.number for paper in papers if paper.about == thing} | {
            paper.number
            for paper in papers
            for fact in paper.facts
            if name in (world.called(fact.thing), world.said(fact.attribute, fact.value))
        }
        found = [paper.number for paper in catalogue(recipe).search(world.names[thing])]
        assert told == set(found[: len(told)])


def test_a_stuffed_search_shows_ten_results_and_costs_its_call() -> None:
    env = begun(1, 2)
    names = " ".join(_world(env.episode.instance).names)
    shown, *_ = env.step(write_call("search", query=names[:4000]))
    assert shown.count("\n[doc-") <= 10
    for wrong in ({"query": "zzz"}, {"query": ""}, {"query": "register", "page": 10_000}):
        shown, *_ = env.step(write_call("search", **wrong))
        assert "[doc-" not in shown
    for wrong in ({"doc": "doc-99999999999"}, {"doc": "\u0661"}, {"doc": ""}, {"doc": "doc-1", "page": 999}):
        shown, *_ = env.step(write_call("open", **wrong))
        assert shown.startswith("open: ")


@given(st.lists(st.text() | st.text(alphabet="The owner of is [doc-1:2].\n"), max_size=5).map("\n".join))
def test_no_report_fails_and_none_without_knowledge_scores(report: str) -> None:
    _, reward, terminated, _, info = begun().step(write_call("submit", answer="x", report=report))
    assert not terminated or info["verdict"]["score"] == reward == 0.0
