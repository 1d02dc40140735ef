"""The planning engine: text, facts as bits, grounding, estimates, and shortest plans, against sets and breadth-first search."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from envhub.core.errors import InvalidParameters
from envhub.generators.planning.domains import ANYTHING, Domain, Predicate, Problem, Schema, read_domain, read_problem
from envhub.generators.planning.estimate import NEVER, Estimate
from envhub.generators.planning.search import SearchLimit, shortest
from envhub.generators.planning.space import Space
from tests.generators.planning.second import fewest_steps, successors

SWITCHES = """
(define (domain switches) ; a comment
  (:requirements :strips :typing :negative-preconditions)
  (:types lamp heater - device device)
  (:predicates (on ?d - device) (wired ?a - device ?b - device) (dark))
  (:action Press :parameters (?a - lamp ?b - device)
    :precondition (and (wired ?a ?b) (not (on ?b)))
    :effect (and (on ?b) (not (on ?a)) (not (dark))))
  (:action rest :effect (dark)))
"""
DOMAIN = read_domain(SWITCHES)
PROBLEM = """(define (problem p) (:domain switches) (:objects a b - lamp h - heater)
  (:init (wired a b) (wired b h)) (:goal (and (on h))))"""


def test_a_domain_is_read() -> None:
    assert DOMAIN.types == {"lamp": "device", "heater": "device", "device": ANYTHING}
    assert DOMAIN.predicates["wired"] == Predicate("wired", ("device", "device"))
    assert DOMAIN.schemas["press"] == Schema(
        "press",
        (("?a", "lamp"), ("?b", "device")),
        needs=(("wired", "?a", "?b"),),
        bars=(("on", "?b"),),
        adds=(("on", "?b"),),
        deletes=(("on", "?a"), ("dark",)),
    )
    assert DOMAIN.schemas["rest"] == Schema("rest", (), (), (), (("dark",),), ())
    assert DOMAIN.is_a("lamp", "device")
    assert not DOMAIN.is_a("device", "lamp")


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("(dark)))", "(dark))", "one list in matching parentheses"),
        ("(dark)))", "(dark))))", "closing parenthesis too many"),
        ("(define", "(define" + "(" * 20, "nested more than 16 deep"),
        ("(domain switches)", "(problem switches)", r"must begin with \(define \(domain NAME\)"),
        ("lamp heater - device device", "lamp - device device - lamp", "below itself"),
        ("(?a - lamp ?b", "(?a - lmap ?b", "no type 'lmap'. Did you mean 'lamp'"),
        ("(?a - lamp ?b", "(a - lamp ?b", "must begin with '\\?', got 'a'"),
        ("(not (on ?b))", "(not (on ?c))", "no name '\\?c'"),
        ("(not (on ?b))", "(not (off ?b))", "no predicate 'off'"),
        ("(not (on ?b))", "(not (on ?a ?b))", r"\(on ...\) takes 1 arguments, got 2"),
        ("(not (on ?b))", "(not (on ?b) (dark))", r"\(not ...\) takes one fact"),
        (":action rest", ":action rest :effect", "pairs of a keyword and a list"),
        ("(wired ?a ?b) (not", "(or (dark) (dark)) (not", "no predicate 'or'"),
    ],
)
def test_a_domain_outside_the_subset_is_refused(old: str, new: str, why: str) -> None:
    assert old in SWITCHES
    with pytest.raises(InvalidParameters, match=why):
        read_domain(SWITCHES.replace(old, new, 1))


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        (":domain switches", ":domain lamps", "not about the domain 'switches'"),
        ("h - heater", "h - hat", "no type 'hat'"),
        ("(wired b h)", "(wired b x)", "no name 'x'"),
        ("(and (on h))", "(not (on h))", r"may not contain \(not"),
        ("(and (on h))", "(on dark)", "no name 'dark'"),
    ],
)
def test_a_problem_that_does_not_fit_is_refused(old: str, new: str, why: str) -> None:
    with pytest.raises(InvalidParameters, match=why):
        read_problem(PROBLEM.replace(old, new, 1), DOMAIN)


def test_an_argument_of_the_wrong_type_is_refused() -> None:
    text = SWITCHES.replace("(:predicates (on ?d - device)", "(:predicates (on ?d - heater)")
    with pytest.raises(InvalidParameters, match=r"\(on ...\) takes a heater; '\?b' is a device"):
        read_domain(text)


def test_facts_are_bits_and_back() -> None:
    space = Space(DOMAIN, {"a": "lamp", "h": "heater", "b": "lamp"})
    facts = [("on", "b"), ("wired", "a", "h"), ("dark",)]
    state = space.state(facts)
    assert space.facts(state) == [("on", "b"), ("wired", "a", "h"), ("dark",)]
    assert space.size == 3 + 9 + 1
    assert space.named("lamp") == ["a", "b"]
    assert space.facts(space.about("a")) == [("on", "a"), *(("wired", "a", other) for other in ("a", "h", "b"))]


def test_actions_that_can_never_be_possible_are_left_out() -> None:
    problem = read_problem(PROBLEM, DOMAIN)
    space = Space(DOMAIN, problem.objects)
    actions = space.actions(space.state(problem.start))
    assert [(action.name, *action.arguments) for action in actions] == [
        ("press", "a", "b"),
        ("press", "b", "h"),
        ("rest",),
    ]
    assert all(action.needs == 0 for action in actions), "wires never change"


def plan_length(domain: Domain, problem: Problem, **limits: int) -> int | None:
    space = Space(domain, problem.objects)
    start, goal = space.state(problem.start), space.state(problem.goal)
    actions = space.actions(start)
    estimate = Estimate(space, start, goal, actions)
    plan = shortest(start, goal, actions, estimate, **limits)
    state = start
    for left, action in enumerate(plan or ()):
        assert action.possible(state)
        assert estimate(state) <= len(plan or ()) - left
        assert estimate(state) - 1 <= estimate(action.after(state))
        state = action.after(state)
    assert plan is None or state & goal == goal
    return None if plan is None else len(plan)


NAMES = ("p", "q", "r")
TERMS = st.sampled_from(["?x", "?y"])
ATOMS = st.tuples(st.sampled_from(NAMES), TERMS) | st.tuples(st.just("s"), TERMS, TERMS)
SETS = st.lists(ATOMS, max_size=3, unique=True).map(tuple)
SCHEMAS = st.lists(st.tuples(SETS, SETS, SETS, SETS), min_size=1, max_size=4)
GROUND = st.tuples(st.sampled_from(NAMES), st.sampled_from("ab")) | st.tuples(
    st.just("s"), st.sampled_from("ab"), st.sampled_from("ab")
)
FACTS = st.lists(GROUND, max_size=4, unique=True).map(tuple)


@given(SCHEMAS, FACTS, FACTS)
def test_plans_are_shortest_in_random_domains(
    parts: list[tuple[tuple[tuple[str, ...], ...], ...]],
    start: tuple[tuple[str, ...], ...],
    goal: tuple[tuple[str, ...], ...],
) -> None:
    parameters = (("?x", ANYTHING), ("?y", ANYTHING))
    schemas = {f"act{at}": Schema(f"act{at}", parameters, *masks) for at, masks in enumerate(parts)}
    predicates = {name: Predicate(name, (ANYTHING,)) for name in NAMES} | {"s": Predicate("s", (ANYTHING, ANYTHING))}
    domain = Domain("random", {}, predicates, schemas)
    problem = Problem({"a": ANYTHING, "b": ANYTHING}, start, goal)
    assert plan_length(domain, problem) == fewest_steps(domain, problem)
    space = Space(domain, problem.objects)
    state = space.state(start)
    after = {frozenset(space.facts(action.after(state))) for action in space.actions(state) if action.possible(state)}
    assert after == successors(domain, problem, frozenset(start))


def test_an_action_that_helps_two_objects_is_counted_once() -> None:
    text = """(define (domain pairs) (:predicates (lit ?x - object) (open ?x - object))
      (:action switch :parameters (?x ?y - object) :precondition (and) :effect (and (lit ?x) (lit ?y)))
      (:action pull :parameters (?x - object) :precondition (lit ?x) :effect (open ?x)))"""
    domain = read_domain(text)
    goal = "(:goal (and (lit a) (lit b) (open a) (open b)))"
    problem = read_problem(f"(define (problem p) (:domain pairs) (:objects a b) (:init) {goal})", domain)
    assert plan_length(domain, problem) == fewest_steps(domain, problem) == 3


def test_what_cannot_be_reached_has_no_plan() -> None:
    problem = read_problem(PROBLEM.replace("(on h)", "(wired h a)"), DOMAIN)
    assert plan_length(DOMAIN, problem) is None
    assert plan_length(DOMAIN, problem, most_states=0) is None, "the estimate says so at once"
    space = Space(DOMAIN, problem.objects)
    start, goal = space.state(problem.start), space.state(problem.goal)
    assert Estimate(space, start, goal, space.actions(start))(start) == NEVER


def test_the_search_keeps_to_its_limits() -> None:
    problem = read_problem(PROBLEM, DOMAIN)
    assert plan_length(DOMAIN, problem) == 1
    assert plan_length(DOMAIN, problem, most_steps=0) is None
    hard = read_problem(PROBLEM.replace("(on h)", "(on h) (on b) (dark)"), DOMAIN)
    assert plan_length(DOMAIN, hard) == 3
    with pytest.raises(SearchLimit, match="within 1 states"):
        plan_length(DOMAIN, hard, most_states=1)
