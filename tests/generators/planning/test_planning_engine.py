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
        ("(:types", "(:derived (dark) (and)) (:types", r"\(:derived ...\) cannot be read"),
        ("(:types", "(:constraints (and)) (:types", r"\(:constraints ...\) cannot be read"),
        ("(:types", "(:constants c - lamp) (:types", r"\(:constants ...\) cannot be read"),
        ("(:types", "(:functions (cost)) (:types", r"\(:functions ...\) cannot be read"),
        ("(:types", "(:durative-action press) (:types", r"\(:durative-action ...\) cannot be read"),
        ("(:types", "(:types tube) (:types", "section :types must occur once"),
        (":negative-preconditions", ":conditional-effects", "the domain requires ':conditional-effects'"),
        (":action rest :effect", ":action rest :vars (?z) :effect", "An action may have .*, got ':vars'"),
        (":action rest :effect", ":action rest :effect (dark) :effect", "keyword ':effect' must be defined once"),
        (":action rest", ":action press", "action 'press' must be defined once"),
        ("(wired ?a", "(on ?a - device) (wired ?a", "predicate 'on' must be defined once"),
        ("?a - lamp ?b", "?a - lamp ?a ?b", "parameter '\\?a' must be defined once"),
        ("(not (dark))", "(when (dark) (on ?b))", r"got \(when ...\)"),
        ("(not (dark))", "(forall (?x - lamp) (on ?x))", r"got \(forall ...\)"),
        ("(not (on ?b)))", "(or (on ?a) (on ?b)))", r"got \(or ...\)"),
        ("(not (on ?b)))", "(= ?a ?b))", r"got \(= ...\)"),
        (":action rest", ":action rest :effect", "pairs of a keyword and a list"),
        ("(wired ?a ?b) (not", "(xor (dark) (dark)) (not", "no predicate 'xor'"),
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
        ("(:goal", "(:metric minimize (total-cost)) (:goal", r"\(:metric ...\) cannot be read"),
        ("(:goal", "(:constraints (and)) (:goal", r"\(:constraints ...\) cannot be read"),
        ("(:goal", "(:init (dark)) (:goal", "section :init must occur once"),
        ("h - heater", "h - heater a - heater", "object 'a' must be defined once"),
        ("(and (on h))", "(exists (?x - lamp) (on ?x))", r"got \(exists ...\)"),
    ],
)
def test_a_problem_that_does_not_fit_is_refused(old: str, new: str, why: str) -> None:
    with pytest.raises(InvalidParameters, match=why):
        read_problem(PROBLEM.replace(old, new, 1), DOMAIN)


CLASSICS = {
    "hanoi": (
        """(define (domain hanoi) (:requirements :strips)
          (:predicates (clear ?x) (on ?x ?y) (smaller ?x ?y))
          (:action MOVE :parameters (?disc ?from ?to)
            :precondition (and (smaller ?to ?disc) (on ?disc ?from) (clear ?disc) (clear ?to))
            :effect (and (clear ?from) (on ?disc ?to) (not (on ?disc ?from)) (not (clear ?to)))))""",
        """(define (problem three) (:domain hanoi) (:objects p1 p2 p3 d1 d2 d3)
          (:init (smaller p1 d1) (smaller p1 d2) (smaller p1 d3) (smaller p2 d1) (smaller p2 d2) (smaller p2 d3)
            (smaller p3 d1) (smaller p3 d2) (smaller p3 d3) (smaller d2 d1) (smaller d3 d1) (smaller d3 d2)
            (clear p2) (clear p3) (clear d1) (on d3 p1) (on d2 d3) (on d1 d2))
          (:goal (and (on d3 p3) (on d2 d3) (on d1 d2))))""",
        7,
    ),
    "spanner": (
        """; untyped parameters beside typed ones, and an empty precondition
        (define (domain spanner)
          (:requirements :typing :strips)
          (:types spot tool nut - object)
          (:predicates (at ?x - spot) (lies ?t - tool ?x - spot) (has ?t - tool) (loose ?n - nut) (tight ?n - nut)
            (fixed ?n - nut ?x - spot) (link ?a ?b - spot) (rested))
          (:action walk :parameters (?a ?b - spot) :precondition (and (at ?a) (link ?a ?b)) :effect (and (not (at ?a)) (at ?b)))
          (:action grab :parameters (?t - tool ?x - spot) :precondition (and (at ?x) (lies ?t ?x))
            :effect (and (not (lies ?t ?x)) (has ?t)))
          (:action turn :parameters (?t - tool ?n - nut ?x - spot)
            :precondition (and (at ?x) (fixed ?n ?x) (has ?t) (loose ?n))
            :effect (and (not (has ?t)) (not (loose ?n)) (tight ?n)))
          (:action rest :parameters () :precondition () :effect (rested)))""",
        """(define (problem two) (:domain spanner)
          (:objects s1 s2 s3 - spot t1 t2 t3 - tool n1 n2 - nut)
          (:init (at s1) (link s1 s2) (link s2 s3) (lies t1 s1) (lies t2 s2) (lies t3 s2) (loose n1) (loose n2)
            (fixed n1 s3) (fixed n2 s3))
          (:goal (and (tight n1) (tight n2) (rested))))""",
        7,
    ),
    "visit-all": (
        """(define (domain visit-all) (:requirements :typing)
          (:types cell - object)
          (:predicates (here ?c - cell) (next ?a ?b - cell) (seen ?c - cell))
          (:action go :parameters (?a - cell ?b - cell) :precondition (and (here ?a) (next ?a ?b))
            :effect (and (not (here ?a)) (here ?b) (seen ?b))))""",
        """(define (problem cross) (:domain visit-all) (:objects c n e s w - cell)
          (:init (here c) (seen c) (next c n) (next n c) (next c e) (next e c) (next c s) (next s c) (next c w) (next w c))
          (:goal (and (seen n) (seen e) (seen s) (seen w))))""",
        7,
    ),
}
"""Domains in the manner of published collections: text, a problem, and the length of a shortest plan."""


@pytest.mark.parametrize("name", CLASSICS)
def test_published_kinds_of_domains_are_read_and_solved(name: str) -> None:
    domain = read_domain(CLASSICS[name][0])
    problem = read_problem(CLASSICS[name][1], domain)
    space = Space(domain, problem.objects)
    start, goal = space.state(problem.start), space.state(problem.goal)
    actions = space.actions(start)
    plan = shortest(start, goal, actions, Estimate(space, start, goal, actions))
    assert plan is not None
    assert len(plan) == CLASSICS[name][2] == fewest_steps(domain, problem)


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
