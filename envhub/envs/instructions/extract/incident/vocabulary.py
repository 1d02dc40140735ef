"""Terms of incident reports: places, injuries, equipment, causes, actions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

SITES: Final = ("Harbour depot", "Hillside plant", "Mill Lane depot", "North yard")
AREAS: Final = ("boiler room", "car park", "cold store", "loading bay", "packing hall", "workshop")
EVENTS: Final = (
    "a load slipped",
    "a pallet came down",
    "two trolleys collided",
    "a shelf gave way",
    "a hose burst",
)
JOBS: Final = ("cleaner", "driver", "electrician", "fitter", "guard", "packer", "storekeeper", "welder")
ROLES: Final = ("injured", "witness", "first_aider", "supervisor")
INJURIES: Final[Mapping[str, str]] = {
    "bruise": "a bruise",
    "burn": "a burn",
    "cut": "a cut",
    "fracture": "a fracture",
    "sprain": "a sprain",
}
"""Kinds of injuries, and how a sentence calls each."""
PARTS: Final = ("ankle", "arm", "hand", "knee", "shoulder", "wrist")
EQUIPMENT: Final[Mapping[str, str]] = {
    "conveyor": "CV",
    "crane": "K",
    "forklift": "F",
    "generator": "G",
    "pump": "P",
    "van": "V",
}
"""Equipment, with the letters of its ids."""
COSTS: Final[Mapping[str, tuple[str, ...]]] = {
    "cleaning": ("The cleaning cost {n}.", "Cleaning the floor came to {n}.", "For the cleaning we paid {n}."),
    "goods": ("Goods worth {n} were lost.", "The lost goods had a value of {n}.", "The loss of goods is {n}."),
    "overtime": ("The overtime came to {n}.", "Overtime of the night shift: {n}.", "We paid {n} for overtime."),
    "rental": ("A replacement was rented for {n}.", "The rental of a replacement cost {n}.", "Rental: {n}."),
    "repair": ("The repair cost {n}.", "The workshop charged {n} for the repair.", "Repairs came to {n}."),
}
"""Kinds of costs, and sentences with an amount."""
CAUSES: Final[Mapping[str, tuple[str, ...]]] = {
    "blocked exit": ("a blocked exit", "an exit that was blocked"),
    "missing guard": ("a missing guard", "a guard that was missing"),
    "overloaded rack": ("an overloaded rack", "a rack with too much weight on it"),
    "poor lighting": ("poor lighting",),
    "speeding": ("speeding", "driving too fast"),
    "wet floor": ("a wet floor", "water on the floor"),
    "worn brakes": ("worn brakes",),
}
ACTIONS: Final[Mapping[str, tuple[str, str]]] = {
    "clear the exit": ("clear the exit", "The exit has been cleared"),
    "mark the floor": ("mark the floor", "The floor has been marked"),
    "order new lamps": ("order new lamps", "New lamps have been ordered"),
    "repair the gate": ("repair the gate", "The gate has been repaired"),
    "replace the guard": ("replace the guard", "The guard has been replaced"),
    "test the alarm": ("test the alarm", "The alarm has been tested"),
    "train the drivers": ("train the drivers", "The drivers have been trained"),
}
"""Actions, each as an infinitive and as a sentence about the past."""
SUBSTANCES: Final[Mapping[str, tuple[str, ...]]] = {
    "coolant": ("coolant",),
    "diesel": ("diesel", "diesel fuel"),
    "hydraulic oil": ("hydraulic oil", "oil of the hydraulics"),
    "paint": ("paint",),
    "water": ("water",),
}
GALLON: Final = "3.785"
CONVERSION: Final = "1 gallon = 3.785 litres; round litres to integers"
PARTIES: Final[Mapping[str, str]] = {
    "authority": "the labour inspectorate",
    "family": "the family of the injured person",
    "insurer": "the insurer",
}
"""Who may be informed, and how a sentence calls each."""
