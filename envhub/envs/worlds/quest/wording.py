"""The prompt of quest-v0.

Phrasings of the quest and the rules, and renderings of the first room.
"""

from __future__ import annotations

import json
from typing import Final

from envhub.authoring.wording import GAME_FRAMES, Phrase, Rendering, Statement, Variants, and_list, counted
from envhub.core.types import JSON
from envhub.envs.worlds.quest.catalogue import holder

_TASKS: Final = {
    "treasure": Phrase(
        "You explore a house. Find {things} in it and pick up what you were sent for. You have {steps}.",
        "Your quest: get hold of {things}, somewhere in this house. You may use {steps}.",
        "Search this house for {things} and take everything named here with you, within {steps}.",
        held_out="You are a treasure hunter in a house. Within {steps}, you are to have {things} in your possession.",
    ),
    "delivery": Phrase(
        "You put a house in order: {orders}. You have {steps}.",
        "Your quest in this house: {orders}. You may use {steps}.",
        "Find the right things in this house and carry them where they belong: {orders}. Do it within {steps}.",
        held_out="You are a mover in a house. Within {steps}, these orders are to be carried out: {orders}.",
    ),
    "cooking": Phrase(
        "You are hungry. Find the cookbook in the kitchen of this house, make the meal of its recipe, and eat the "
        "meal. You have "
        "{steps}.",
        "Your quest: cook and eat a meal. The recipe is in the cookbook, which is in the kitchen. You may use {steps}.",
        "Read the cookbook in the kitchen, gather the ingredients, prepare the meal as it says, and eat the meal, "
        "within {steps}.",
        held_out="You are a cook in a house. Within {steps}, you are to have eaten the meal that the cookbook in the "
        "kitchen "
        "describes.",
    ),
}
_GOALS: Final = {
    "treasure": Phrase(
        "You succeed as soon as you carry {all}.",
        "The quest is fulfilled at the moment when you carry {all}.",
        "Success: you carry {all}.",
        held_out="The quest counts as fulfilled in any situation in which you carry {all}.",
    ),
    "delivery": Phrase(
        "You succeed as soon as each of these things is where it belongs.",
        "The quest is fulfilled at the moment when every order is carried out.",
        "Success: all orders are carried out at the same time.",
        held_out="The quest counts as fulfilled in any situation in which every named thing is in its place.",
    ),
    "cooking": Phrase(
        "You succeed as soon as you have eaten the meal.",
        "The quest is fulfilled at the moment when you eat the prepared meal.",
        "Success: the prepared meal is eaten by you.",
        held_out="The quest counts as fulfilled once you have eaten the prepared meal.",
    ),
}
_ONE: Final = Phrase(
    "Each message is exactly one command, and every message uses up one step, even if it is not a command or nothing "
    "happens.",
    "Send one command per message. Each message costs a step, including one that cannot be carried out or read.",
    "You give one command in each message. All messages are counted as steps, also those without a valid command.",
    held_out="One message carries one command and is charged as one step, whether or not it has an effect.",
)
_MOVING: Final = Phrase(
    '"go north", "go east", "go south" and "go west" lead to the next room in this direction, unless there is a '
    "closed door.",
    'You move from room to room with "go DIRECTION" (north, east, south or west). A closed door must be opened first.',
    'Use "go" with north, east, south or west to walk into the next room; you cannot walk through closed doors.',
    held_out='Movement: "go DIRECTION", where DIRECTION is north, east, south or west; a closed door blocks it.',
)
_OPENING: Final = Phrase(
    '"open NAME" and "close NAME" work for doors and containers of your room that are not locked. You see the '
    "contents of open "
    "containers only.",
    'Doors and containers in your room can be opened and closed ("open NAME", "close NAME"), except locked ones. '
    "What is in a "
    "closed container is hidden.",
    'With "open NAME" and "close NAME" you open and close an unlocked door or container where you are. Only open '
    "containers show "
    "their contents.",
    held_out='The commands "open NAME" and "close NAME" apply to unlocked doors and containers in the same room. '
    "Closed containers "
    "conceal what they contain.",
)
_KEYS: Final = Phrase(
    'What is locked can be opened after "unlock NAME with KEY". A key fits the one door or container whose name '
    "begins with the "
    "same word, such as a tin key and a tin door. You must carry the key.",
    'Carry a key to use it: "unlock NAME with KEY", then "open NAME". The key and what it fits share the first word '
    "of their names "
    "(a tin key fits the tin door).",
    "Locked doors and containers need a key with the same first word in its name (for the tin door, the tin key). "
    "Carry it, and "
    'use "unlock NAME with KEY" before "open NAME".',
    held_out='Locks: "unlock NAME with KEY" requires that you carry the key; the first words of both names are '
    "equal, as in tin key "
    'and tin door. "open NAME" is a command of its own.',
)
_CARRYING: Final = Phrase(
    'You can carry any number of things. "take THING from PLACE" and "take THING" (from the floor) pick things up; '
    '"put THING on '
    'PLACE", "insert THING into PLACE" and "drop THING" put them down. All of them work only in your room.',
    'Pick things up with "take THING from PLACE", or with "take THING" if they lie on the floor. Put them down with '
    '"put THING on '
    'PLACE", "insert THING into PLACE" (containers must be open) or "drop THING". There is no limit to what you carry.',
    'In your room, use "take THING" (floor), "take THING from PLACE", "put THING on PLACE", "insert THING into '
    'PLACE" and "drop '
    'THING". You may carry as much as you like.',
    held_out='Handling of things in the same room: "take THING from PLACE"; "take THING" from the floor; "put THING '
    'on PLACE"; '
    '"insert THING into PLACE"; "drop THING". The number of things that you carry is not limited.',
)
_COOKING: Final = Phrase(
    'Cut food that you carry with "slice FOOD with knife", "dice FOOD with knife" or "chop FOOD with knife"; you '
    "must carry the "
    'knife. Cook it with "cook FOOD with PLACE": the stove fries, the oven roasts, and the barbecue grills. Both can '
    "be done in "
    "either order. The oven need not be opened.",
    'Carry food to work on it. With the knife in your hands, "slice", "dice" or "chop" it ("dice FOOD with knife"). '
    '"cook FOOD with '
    'stove" fries it, "cook FOOD with oven" roasts it, and "cook FOOD with barbecue" grills it, in the room of the '
    "appliance. It "
    "does not matter which comes first.",
    'The commands "slice FOOD with knife", "dice FOOD with knife" and "chop FOOD with knife" need the food and the '
    "knife with you. "
    '"cook FOOD with PLACE" needs the food with you and the appliance in your room: food is fried on the stove, '
    "roasted in the oven "
    "and grilled on the barbecue. Cutting may come before or after cooking.",
    held_out='Treatment of carried food: cutting by "slice", "dice" or "chop FOOD with knife" while the knife is '
    "carried; cooking by "
    '"cook FOOD with stove" (fried), "cook FOOD with oven" (roasted) or "cook FOOD with barbecue" (grilled) in the '
    "room of the "
    "appliance. The order is free.",
)
_LOSING: Final = Phrase(
    "Nothing that is done to food can be undone. The quest is lost at once if an ingredient of the recipe is eaten, "
    "is cut or "
    "cooked in another way than the recipe says, or is cooked a second time, which burns it. Some food is cut or "
    "cooked already.",
    "You lose immediately when you eat an ingredient, cut it or cook it otherwise than in the recipe, or burn it by "
    "cooking food "
    "that is cooked. Food may already be cut or cooked when you find it.",
    "Take care: an ingredient that is eaten, that is cut or cooked against the recipe, or that is burnt ends the "
    "quest, and it is "
    "lost. Food burns when it is cooked again, and some is cooked or cut from the beginning.",
    held_out="Immediate failure: eating an ingredient; any cut or cooking of it that the recipe does not demand; "
    "cooking cooked "
    "food, which burns it. Food may be found in a cut or cooked condition.",
)
_PREPARE: Final = Phrase(
    'When you carry all ingredients, each as the recipe says, use "prepare meal" in the kitchen and then "eat meal".',
    'In the kitchen, "prepare meal" makes the meal out of the ingredients that you carry, if they are as in the '
    "recipe. Then use "
    '"eat meal".',
    '"prepare meal" works in the kitchen if every ingredient is with you and treated as the recipe says. The last '
    'command is "eat '
    'meal".',
    held_out='Completion: "prepare meal" in the kitchen with all treated ingredients carried, followed by "eat meal".',
)
_OTHERS: Final = Phrase(
    'Further commands are "look" (describes your room), "inventory" (what you carry) and "examine NAME" (something '
    "that you see).",
    'You can also "look" around, ask for your "inventory", and "examine NAME" what is in sight.',
    'Use "look" to see your room again, "inventory" for the things that you carry, and "examine NAME" for details of '
    "something in "
    "sight.",
    held_out='Remaining commands: "look"; "inventory"; "examine NAME" for anything visible.',
)


def statement(problem: JSON) -> Statement:
    """A quest before it is worded."""
    kind = problem["kind"]
    goals = problem["goals"]
    things = and_list([f"the {name}" for name, *_ in goals]) if goals else ""
    many = len(goals) > 1
    cooking = (_COOKING, _LOSING, _PREPARE) if kind == "cooking" else ()
    locks = (_KEYS,) if problem["locks"] else ()
    return Statement(
        task=_TASKS[kind],
        data=_DATA,
        problem=problem,
        rules=(_ONE, _MOVING, _OPENING, *locks, _CARRYING, *cooking, _OTHERS),
        note=_GOALS[kind],
        values={
            "things": things,
            "all": f"{things} at the same time" if many else things,
            "orders": _orders(goals),
            "steps": counted(problem["steps"], "step"),
        },
        frames=GAME_FRAMES,
    )


def _orders(goals: list[list[str]]) -> str:
    """What belongs where."""
    return "; ".join(
        f"the {thing} belongs {'in' if holder(place[0]).inside else 'on'} the {place[0]}"
        for thing, *place in goals
        if place
    )


def _as_text(problem: JSON) -> str:
    return " ".join(problem["scene"])


def _as_list(problem: JSON) -> str:
    return "\n".join(["What you see:", *(f"- {sentence}" for sentence in problem["scene"])])


def _as_json(problem: JSON) -> str:
    return json.dumps({"you_see": problem["scene"], "you_carry": []})


def _as_lines(problem: JSON) -> str:
    return "\n".join(["At first you carry nothing.", *problem["scene"]])


_DATA: Final[Variants[Rendering]] = Variants(_as_text, _as_list, _as_json, held_out=_as_lines, name="data")
