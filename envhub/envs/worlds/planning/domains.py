"""The five domains, in PDDL, and how their problems are drawn.

The first parameter of each action is what it moves, which the planner's estimate counts on to be sharp, not to be right. The
problems of a domain grow with a size from 1 to 10.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from envhub.core.seeding import Stream
from envhub.generators.planning.domains import Atom, Domain, Problem, read_domain

Draw = Callable[[Stream, int], Problem]
_NUMBERS: Final = 20

_BLOCKSWORLD: Final = """
(define (domain blocksworld)
  (:types block)
  (:predicates (on ?a ?b - block) (on-table ?a - block) (clear ?a - block) (holding ?a - block) (hand-empty))
  (:action pick-up :parameters (?a - block)
    :precondition (and (clear ?a) (on-table ?a) (hand-empty))
    :effect (and (holding ?a) (not (clear ?a)) (not (on-table ?a)) (not (hand-empty))))
  (:action put-down :parameters (?a - block)
    :precondition (and (holding ?a))
    :effect (and (clear ?a) (on-table ?a) (hand-empty) (not (holding ?a))))
  (:action stack :parameters (?a ?b - block)
    :precondition (and (holding ?a) (clear ?b))
    :effect (and (on ?a ?b) (clear ?a) (hand-empty) (not (holding ?a)) (not (clear ?b))))
  (:action unstack :parameters (?a ?b - block)
    :precondition (and (on ?a ?b) (clear ?a) (hand-empty))
    :effect (and (holding ?a) (clear ?b) (not (on ?a ?b)) (not (clear ?a)) (not (hand-empty)))))
"""
_LOGISTICS: Final = """
(define (domain logistics)
  (:types truck airplane - vehicle vehicle package - movable airport - location location city movable - object)
  (:predicates (at ?x - movable ?l - location) (in ?p - package ?v - vehicle) (in-city ?l - location ?c - city))
  (:action load :parameters (?p - package ?v - vehicle ?l - location)
    :precondition (and (at ?p ?l) (at ?v ?l))
    :effect (and (in ?p ?v) (not (at ?p ?l))))
  (:action unload :parameters (?p - package ?v - vehicle ?l - location)
    :precondition (and (in ?p ?v) (at ?v ?l))
    :effect (and (at ?p ?l) (not (in ?p ?v))))
  (:action drive :parameters (?t - truck ?from ?to - location ?c - city)
    :precondition (and (at ?t ?from) (in-city ?from ?c) (in-city ?to ?c))
    :effect (and (at ?t ?to) (not (at ?t ?from))))
  (:action fly :parameters (?a - airplane ?from ?to - airport)
    :precondition (and (at ?a ?from))
    :effect (and (at ?a ?to) (not (at ?a ?from)))))
"""
_GRIPPER: Final = """
(define (domain gripper)
  (:types robot room ball hand)
  (:predicates (robot-in ?r - robot ?x - room) (in ?b - ball ?x - room) (carried ?b - ball ?h - hand) (free ?h - hand))
  (:action move :parameters (?r - robot ?from ?to - room)
    :precondition (and (robot-in ?r ?from))
    :effect (and (robot-in ?r ?to) (not (robot-in ?r ?from))))
  (:action pick :parameters (?b - ball ?r - robot ?x - room ?h - hand)
    :precondition (and (in ?b ?x) (robot-in ?r ?x) (free ?h))
    :effect (and (carried ?b ?h) (not (in ?b ?x)) (not (free ?h))))
  (:action drop :parameters (?b - ball ?r - robot ?x - room ?h - hand)
    :precondition (and (carried ?b ?h) (robot-in ?r ?x))
    :effect (and (in ?b ?x) (free ?h) (not (carried ?b ?h)))))
"""
_FERRY: Final = """
(define (domain ferry)
  (:types boat port car)
  (:predicates (moored ?f - boat ?x - port) (at ?c - car ?x - port) (aboard ?c - car ?f - boat) (loaded ?f - boat))
  (:action sail :parameters (?f - boat ?from ?to - port)
    :precondition (and (moored ?f ?from))
    :effect (and (moored ?f ?to) (not (moored ?f ?from))))
  (:action board :parameters (?c - car ?f - boat ?x - port)
    :precondition (and (at ?c ?x) (moored ?f ?x) (not (loaded ?f)))
    :effect (and (aboard ?c ?f) (loaded ?f) (not (at ?c ?x))))
  (:action debark :parameters (?c - car ?f - boat ?x - port)
    :precondition (and (aboard ?c ?f) (moored ?f ?x))
    :effect (and (at ?c ?x) (not (aboard ?c ?f)) (not (loaded ?f)))))
"""
_DEPOTS: Final = """
(define (domain depots)
  (:types place truck hoist surface - object pallet crate - surface)
  (:predicates (parked ?t - truck ?x - place) (fixed ?h - hoist ?x - place) (at ?s - surface ?x - place)
    (on ?c - crate ?s - surface) (in ?c - crate ?t - truck) (lifted ?c - crate ?h - hoist)
    (idle ?h - hoist) (clear ?s - surface))
  (:action drive :parameters (?t - truck ?from ?to - place)
    :precondition (and (parked ?t ?from))
    :effect (and (parked ?t ?to) (not (parked ?t ?from))))
  (:action lift :parameters (?c - crate ?s - surface ?h - hoist ?x - place)
    :precondition (and (on ?c ?s) (clear ?c) (at ?c ?x) (idle ?h) (fixed ?h ?x))
    :effect (and (lifted ?c ?h) (clear ?s) (not (on ?c ?s)) (not (clear ?c)) (not (at ?c ?x)) (not (idle ?h))))
  (:action drop :parameters (?c - crate ?s - surface ?h - hoist ?x - place)
    :precondition (and (lifted ?c ?h) (clear ?s) (at ?s ?x) (fixed ?h ?x))
    :effect (and (on ?c ?s) (clear ?c) (at ?c ?x) (idle ?h) (not (lifted ?c ?h)) (not (clear ?s))))
  (:action load :parameters (?c - crate ?h - hoist ?t - truck ?x - place)
    :precondition (and (lifted ?c ?h) (fixed ?h ?x) (parked ?t ?x))
    :effect (and (in ?c ?t) (idle ?h) (not (lifted ?c ?h))))
  (:action unload :parameters (?c - crate ?h - hoist ?t - truck ?x - place)
    :precondition (and (in ?c ?t) (idle ?h) (fixed ?h ?x) (parked ?t ?x))
    :effect (and (lifted ?c ?h) (not (in ?c ?t)) (not (idle ?h)))))
"""
DOMAINS: Final[Mapping[str, Domain]] = {
    domain.name: domain for domain in map(read_domain, (_BLOCKSWORLD, _LOGISTICS, _GRIPPER, _FERRY, _DEPOTS))
}


def _named(rng: Stream, kind: str, count: int) -> list[str]:
    """Objects with random numbers, so that no plan fits many problems."""
    return [f"{kind}{number}" for number in sorted(rng.sample(range(1, _NUMBERS + 1), count))]


def _blocksworld(rng: Stream, size: int) -> Problem:
    blocks = _named(rng, "b", 4 + size * 4 // 10)
    start = [*_towers(rng, blocks), ("hand-empty",)]
    goal = [atom for atom in _towers(rng, blocks) if atom[0] == "on"]
    return Problem(dict.fromkeys(blocks, "block"), tuple(start), tuple(goal))


def _towers(rng: Stream, blocks: Sequence[str]) -> list[Atom]:
    """Blocks in random towers.

    Two of three blocks are on the one drawn before them.
    """
    atoms: list[Atom] = []
    below = None
    for block in rng.sample(blocks, len(blocks)):
        if below is not None and rng.below(3):
            atoms.append(("on", block, below))
        else:
            atoms += [("on-table", block), *([("clear", below)] if below else [])]
        below = block
    return [*atoms, ("clear", str(below))]


def _logistics(rng: Stream, size: int) -> Problem:
    cities = _named(rng, "city", 1 if size < 3 else 2)
    airports, trucks = _named(rng, "airport", len(cities)), _named(rng, "truck", len(cities))
    spots = _named(rng, "depot", len(cities) * (2 if size < 3 else 1))
    city_of = {spot: cities[at % len(cities)] for at, spot in enumerate([*airports, *spots])}
    planes, packages = _named(rng, "plane", len(cities) - 1), _named(rng, "package", 2 if size < 3 else 1 + size // 4)
    objects = {
        **dict.fromkeys(cities, "city"),
        **dict.fromkeys(airports, "airport"),
        **dict.fromkeys(spots, "location"),
        **dict.fromkeys(trucks, "truck"),
        **dict.fromkeys(planes, "airplane"),
        **dict.fromkeys(packages, "package"),
    }
    start: list[Atom] = [("in-city", spot, city) for spot, city in city_of.items()]
    for truck, city in zip(trucks, cities, strict=True):
        start.append(("at", truck, rng.choice([spot for spot in city_of if city_of[spot] == city])))
    start += [("at", plane, rng.choice(airports)) for plane in planes]
    return _delivered(rng, objects, start, packages, list(city_of), "at")


def _gripper(rng: Stream, size: int) -> Problem:
    rooms, balls, hands = (
        _named(rng, "room", 2 + size // 4),
        _named(rng, "ball", min(5, 2 + size * 4 // 10)),
        ["left", "right"],
    )
    objects = {
        "robot": "robot",
        **dict.fromkeys(rooms, "room"),
        **dict.fromkeys(balls, "ball"),
        **dict.fromkeys(hands, "hand"),
    }
    start: list[Atom] = [("robot-in", "robot", rng.choice(rooms)), *(("free", hand) for hand in hands)]
    return _delivered(rng, objects, start, balls, rooms, "in")


def _ferry(rng: Stream, size: int) -> Problem:
    ports, cars = _named(rng, "port", 2 + size // 3), _named(rng, "car", 2 + size * 3 // 10)
    objects = {"boat": "boat", **dict.fromkeys(ports, "port"), **dict.fromkeys(cars, "car")}
    return _delivered(rng, objects, [("moored", "boat", rng.choice(ports))], cars, ports, "at")


def _delivered(
    rng: Stream, objects: Mapping[str, str], start: Sequence[Atom], goods: Sequence[str], spots: Sequence[str], at: str
) -> Problem:
    """Goods in random spots, each to be brought to another one."""
    routes = [(each, *rng.sample(spots, 2)) for each in goods]
    begun = (*start, *((at, each, origin) for each, origin, _ in routes))
    return Problem(objects, begun, tuple((at, each, target) for each, _, target in routes))


_CRATES: Final = (2, 3, 3, 3, 4, 4, 3, 3, 4, 4)


def _depots(rng: Stream, size: int) -> Problem:
    places, crates = _named(rng, "place", 1 + (size > 6) + (size > 9)), _named(rng, "crate", _CRATES[size - 1])
    pallets, hoists = _named(rng, "pallet", max(2, len(crates) - 1)), _named(rng, "hoist", len(places))
    objects = {
        **dict.fromkeys(places, "place"),
        "truck": "truck",
        **dict.fromkeys(hoists, "hoist"),
        **dict.fromkeys(pallets, "pallet"),
        **dict.fromkeys(crates, "crate"),
    }
    start: list[Atom] = [("parked", "truck", rng.choice(places))]
    for hoist, place in zip(hoists, places, strict=True):
        start += [("fixed", hoist, place), ("idle", hoist)]
    home = {pallet: places[number % len(places)] for number, pallet in enumerate(pallets)}
    start += [("at", pallet, place) for pallet, place in home.items()]
    piles, goal = _piles(rng, pallets, crates), _piles(rng, pallets, crates)
    for pallet, pile in piles.items():
        start += [("on", crate, below) for below, crate in zip([pallet, *pile], pile, strict=False)]
        start += [("at", crate, home[pallet]) for crate in pile]
        start.append(("clear", [pallet, *pile][-1]))
    wanted = [
        ("on", crate, below)
        for pallet, pile in goal.items()
        for below, crate in zip([pallet, *pile], pile, strict=False)
    ]
    return Problem(objects, tuple(start), tuple(wanted))


def _piles(rng: Stream, pallets: Sequence[str], crates: Sequence[str]) -> dict[str, list[str]]:
    piles: dict[str, list[str]] = {pallet: [] for pallet in pallets}
    for crate in rng.sample(crates, len(crates)):
        piles[rng.choice(pallets)].append(crate)
    return piles


DRAWS: Final[Mapping[str, Draw]] = {
    "blocksworld": _blocksworld,
    "logistics": _logistics,
    "gripper": _gripper,
    "ferry": _ferry,
    "depots": _depots,
}
