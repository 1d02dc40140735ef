"""Two small games of our own in the format of ALFWorld's data: an apple to be heated, and two mugs to be put away."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

APPLE = "Apple_bar__minus_00_dot_47_bar__plus_01"
MUGS = ("Mug_bar__plus_00_dot_10_bar__plus_01", "Mug_bar__plus_02_dot_20_bar__plus_01")
PLACES = {
    "Fridge_bar__minus_02_dot_48": "Fridge",
    "CounterTop_bar__plus_01_dot_00": "CounterTop",
    "CounterTop_bar__plus_03_dot_00": "CounterTop",
    "Microwave_bar__plus_02_dot_00": "Microwave",
    "Cabinet_bar__plus_00_dot_50": "Cabinet",
}
OPENABLE = ("Fridge", "Microwave", "Cabinet")
HEAT = """(and (exists (?r - receptacle) (exists (?o - object) (and (heatable ?o) (objectType ?o AppleType)
    (receptacleType ?r FridgeType) (isHot ?o) (inReceptacle ?o ?r)))))"""
TWO = """(and (exists (?r - receptacle) (exists (?o1 - object) (and (objectType ?o1 MugType)
    (receptacleType ?r CabinetType) (inReceptacle ?o1 ?r)
    (exists (?o2 - object) (and (not (= ?o1 ?o2)) (objectType ?o2 MugType) (inReceptacle ?o2 ?r)))))))"""


def problem(things: dict[str, tuple[str, str]], goal: str) -> str:
    """The PDDL text of a house with things, each of a kind and at a place."""
    kinds = sorted({kind for kind, _ in things.values()})
    places = list(PLACES)
    facts = ["(= (total-cost) 0)", "(atLocation agent1 loc_bar_0)"]
    for number, (place, kind) in enumerate(PLACES.items(), 1):
        facts += [f"(receptacleType {place} {kind}Type)", f"(receptacleAtLocation {place} loc_bar_{number})"]
        facts += [f"(openable {place})"] * (kind in OPENABLE)
    facts += [f"(canContain {place}Type {kind}Type)" for place in sorted({*PLACES.values()}) for kind in kinds]
    for thing, (kind, place) in things.items():
        facts += [f"(objectType {thing} {kind}Type)", f"(inReceptacle {thing} {place})", f"(pickupable {thing})"]
        facts += [f"(objectAtLocation {thing} loc_bar_{places.index(place) + 1})", f"(heatable {thing})"]
    return f"""(define (problem plan_small)
    (:domain alfred)
    (:objects
        agent1 - agent
        {" ".join(f"{kind}Type" for kind in kinds)} - otype
        {" ".join(f"{kind}Type" for kind in sorted({*PLACES.values()}))} - rtype
        {" ".join(things)} - object
        {" ".join(places)} - receptacle
        {" ".join(f"loc_bar_{number}" for number in range(len(places) + 1))} - location
    )
    (:init
        {" ".join(facts)}
    )
    (:goal {goal})
)"""


def heating() -> str:
    """An apple on a counter, to be heated and put into the fridge."""
    return problem({APPLE: ("Apple", "CounterTop_bar__plus_01_dot_00")}, HEAT)


def two_mugs() -> str:
    """Two mugs on two counters, to be put into the cabinet."""
    places = ("CounterTop_bar__plus_01_dot_00", "CounterTop_bar__plus_03_dot_00")
    return problem({mug: ("Mug", place) for mug, place in zip(MUGS, places, strict=True)}, TWO)


def trajectory(task: str, thing: str, place: str) -> dict[str, Any]:
    """What ``traj_data.json`` says, as far as ALFWorld reads it."""
    params = {"object_target": thing, "parent_target": place, "toggle_target": "", "mrecep_target": ""}
    return {"task_type": task, "pddl_params": {**params, "object_sliced": False}, "turk_annotations": {"anns": []}}


def write(folder: Path) -> Path:
    """Both games as a user has them, before ``alfworld-generate`` has run."""
    games = {
        "pick_heat_then_place_in_recep-Apple-None-Fridge-1/trial_1": (
            heating(),
            trajectory("pick_heat_then_place_in_recep", "Apple", "Fridge"),
        ),
        "pick_two_obj_and_place-Mug-None-Cabinet-1/trial_2": (
            two_mugs(),
            trajectory("pick_two_obj_and_place", "Mug", "Cabinet"),
        ),
    }
    for name, (text, told) in games.items():
        place = folder / "train" / name
        place.mkdir(parents=True)
        (place / "initial_state.pddl").write_text(text)
        (place / "traj_data.json").write_text(json.dumps(told))
    return folder / "train"
