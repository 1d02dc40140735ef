"""Flights, flats and laptops: their features and the tastes of users.

A feature has levels, which offers have, and two tastes besides not caring. A taste is a penalty in dollars for each
level, so a user compares offers by price plus penalties.
"""

from __future__ import annotations

from typing import Final, NamedTuple


class Feature(NamedTuple):
    """A feature of offers.

    Attributes:
        levels: What an offer may have.
        phrases: Words by which a question names it.
        tastes: What a user may say who cares, each with the multiple of the unit that each level costs.
        none: What a user says who does not care.
    """

    levels: tuple[str, ...]
    phrases: tuple[str, ...]
    tastes: tuple[tuple[str, tuple[int, ...]], tuple[str, tuple[int, ...]]]
    none: tuple[str, str, str]


def _rising(levels: int) -> tuple[int, ...]:
    return tuple(range(levels))


BANK: Final[dict[str, dict[str, Feature]]] = {
    "flight": {
        "stops": Feature(
            ("no stop", "one stop", "two stops"),
            ("stops", "stop", "layover", "layovers", "direct", "nonstop", "changes"),
            (
                ("each stop has to make it ${0} cheaper", _rising(3)),
                ("each stop has to make it ${1} cheaper", _rising(3)),
            ),
            ("Stops do not bother me.", "I do not mind changing planes.", "Direct or not is all the same to me."),
        ),
        "departure": Feature(
            ("in the morning", "in the afternoon", "in the evening"),
            ("departure", "depart", "leave", "time of day", "morning", "afternoon", "evening"),
            (
                ("I want to leave in the morning; otherwise it has to be ${0} cheaper", (0, 1, 1)),
                ("I want to leave in the evening; otherwise it has to be ${1} cheaper", (1, 1, 0)),
            ),
            (
                "I can leave at any time of day.",
                "The time of departure does not matter to me.",
                "I do not care when it leaves.",
            ),
        ),
        "bag": Feature(
            ("with a bag", "without a bag"),
            ("bag", "bags", "luggage", "suitcase", "baggage"),
            (("a bag is worth ${0} to me", (0, 1)), ("a bag is worth ${1} to me", (0, 1))),
            ("I travel without luggage.", "I do not need a bag.", "Whether a bag is included does not matter to me."),
        ),
        "refund": Feature(
            ("refundable", "not refundable"),
            ("refund", "refunds", "refundable", "cancel", "cancellation"),
            (
                ("being able to cancel is worth ${0} to me", (0, 1)),
                ("being able to cancel is worth ${1} to me", (0, 1)),
            ),
            (
                "I am sure to travel, so refunds do not matter.",
                "I will not cancel.",
                "I do not need a refundable ticket.",
            ),
        ),
        "seat": Feature(
            ("by the window", "on the aisle", "in the middle"),
            ("seat", "seats", "window", "aisle", "sit"),
            (
                ("a window seat is worth ${0} to me", (0, 1, 1)),
                ("a seat on the aisle is worth ${1} to me", (1, 0, 1)),
            ),
            ("I sit anywhere.", "The seat does not matter to me.", "Any seat is fine."),
        ),
        "airport": Feature(
            ("from the city airport", "from the far airport"),
            ("airport", "airports", "fly from", "leave from"),
            (
                ("the city airport is worth ${0} to me", (0, 1)),
                ("the far airport is near my home and worth ${1} to me", (1, 0)),
            ),
            ("Both airports are fine.", "I do not mind which airport it is.", "The airport does not matter to me."),
        ),
        "meal": Feature(
            ("with a meal", "without a meal"),
            ("meal", "meals", "food", "eat", "catering"),
            (("a meal is worth ${0} to me", (0, 1)), ("a meal is worth ${1} to me", (0, 1))),
            ("I do not eat on planes.", "I do not need a meal.", "Food on board does not matter to me."),
        ),
    },
    "flat": {
        "rooms": Feature(
            ("four rooms", "three rooms", "two rooms"),
            ("rooms", "room", "how big", "size", "large"),
            (
                ("each room up to the fourth is worth ${0} to me", _rising(3)),
                ("each room up to the fourth is worth ${1} to me", _rising(3)),
            ),
            (
                "Two rooms are enough for me.",
                "I need two rooms, more do not help me.",
                "The size does not matter to me.",
            ),
        ),
        "floor": Feature(
            ("on the ground floor", "on the second floor", "on the top floor"),
            ("floor", "floors", "storey", "stairs", "level"),
            (
                ("I want the ground floor; another one has to be ${0} cheaper", (0, 1, 1)),
                ("I want the top floor; another one has to be ${1} cheaper", (1, 1, 0)),
            ),
            ("Any floor will do.", "The floor does not matter to me.", "I do not care about the floor."),
        ),
        "balcony": Feature(
            ("with a balcony", "without a balcony"),
            ("balcony", "terrace", "balconies"),
            (("a balcony is worth ${0} to me", (0, 1)), ("a balcony is worth ${1} to me", (0, 1))),
            ("I do not need a balcony.", "I would not use a balcony.", "A balcony means nothing to me."),
        ),
        "district": Feature(
            ("in the centre", "by the river", "on the hill"),
            ("district", "area", "neighbourhood", "neighborhood", "location", "part of town", "centre", "center"),
            (
                ("the centre is worth ${0} to me", (0, 1, 1)),
                ("living by the river is worth ${1} to me", (1, 0, 1)),
            ),
            ("I like all parts of the town.", "The district does not matter to me.", "I would live anywhere in town."),
        ),
        "kitchen": Feature(
            ("with a fitted kitchen", "without a kitchen"),
            ("kitchen", "kitchens", "cook", "cooking"),
            (
                ("a fitted kitchen is worth ${0} to me", (0, 1)),
                ("I have my own kitchen, and no kitchen is worth ${1} to me", (1, 0)),
            ),
            ("I do not cook.", "I do not care about the kitchen.", "With or without a kitchen, both are fine."),
        ),
        "garage": Feature(
            ("with a garage", "without a garage"),
            ("garage", "parking", "car", "park"),
            (("a garage is worth ${0} to me", (0, 1)), ("a garage is worth ${1} to me", (0, 1))),
            ("I have no car.", "I do not need a garage.", "Parking does not matter to me."),
        ),
        "noise": Feature(
            ("in a quiet street", "in a busy street"),
            ("noise", "quiet", "noisy", "loud", "street", "traffic"),
            (
                ("a quiet street is worth ${0} to me", (0, 1)),
                ("I like a lively street, which is worth ${1} to me", (1, 0)),
            ),
            ("Noise does not disturb me.", "I sleep anywhere.", "I do not mind whether the street is quiet."),
        ),
    },
    "laptop": {
        "memory": Feature(
            ("64 GB of memory", "32 GB of memory", "16 GB of memory"),
            ("memory", "ram", "gb", "gigabytes"),
            (
                ("32 GB of memory is worth ${0} to me, and 64 GB twice as much", _rising(3)),
                ("32 GB of memory is worth ${1} to me, and 64 GB twice as much", _rising(3)),
            ),
            ("16 GB are enough for me.", "More memory does not help me.", "Memory does not matter to me."),
        ),
        "screen": Feature(
            ("a small screen", "a medium screen", "a large screen"),
            ("screen", "display", "inches", "monitor"),
            (
                ("I want a small screen; another one has to be ${0} cheaper", (0, 1, 1)),
                ("I want a large screen; another one has to be ${1} cheaper", (1, 1, 0)),
            ),
            ("Any screen will do.", "The screen does not matter to me.", "I use my own screen at home."),
        ),
        "keyboard": Feature(
            ("an English keyboard", "a French keyboard"),
            ("keyboard", "keys", "keyboards", "typing"),
            (
                ("an English keyboard is worth ${0} to me", (0, 1)),
                ("a French keyboard is worth ${1} to me", (1, 0)),
            ),
            ("I have my own keyboard.", "The keyboard does not matter to me.", "I type on both kinds of keyboards."),
        ),
        "weight": Feature(
            ("1 kg", "2 kg", "3 kg"),
            ("weight", "heavy", "light", "kilogram", "kg", "weigh"),
            (
                ("each kilogram less is worth ${0} to me", _rising(3)),
                ("each kilogram less is worth ${1} to me", _rising(3)),
            ),
            ("It stays on my desk.", "The weight does not matter to me.", "I do not carry it around."),
        ),
        "color": Feature(
            ("black", "silver", "red"),
            ("color", "colour", "colors", "colours"),
            (("black is worth ${0} to me", (0, 1, 1)), ("red is worth ${1} to me", (1, 1, 0))),
            ("Any color is fine.", "The color does not matter to me.", "I do not care what it looks like."),
        ),
        "warranty": Feature(
            ("three years of warranty", "one year of warranty"),
            ("warranty", "guarantee", "repair", "repairs"),
            (("the long warranty is worth ${0} to me", (0, 1)), ("the long warranty is worth ${1} to me", (0, 1))),
            ("I repair things myself.", "One year of warranty is enough.", "The warranty does not matter to me."),
        ),
        "battery": Feature(
            ("20 hours of battery", "12 hours of battery", "6 hours of battery"),
            ("battery", "charge", "power", "hours"),
            (
                ("12 hours of battery is worth ${0} to me, and 20 hours twice as much", _rising(3)),
                ("12 hours of battery is worth ${1} to me, and 20 hours twice as much", _rising(3)),
            ),
            ("There is always a socket.", "The battery does not matter to me.", "I never use it on the road."),
        ),
    },
}
UNITS: Final = {"flight": 10, "flat": 20, "laptop": 15}
"""Penalties are multiples of these dollars."""
PRICES: Final = {"flight": 260, "flat": 900, "laptop": 800}
"""The least price without what the features are worth."""
