"""The prompt of crafting-v0: phrasings of goals, rules and the view."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from envhub.authoring.wording import GAME_FRAMES, Phrase, Rendering, Statement, Variants, and_list, counted, in_picture
from envhub.core.types import JSON
from envhub.envs.worlds.crafting.rules import CREATURES, FALLS, FOOD, HEALING, HIDE, NEEDS, REACH, SCENT
from envhub.envs.worlds.crafting.sight import ACROSS, CLOSE, DOWN, LIGHT
from envhub.envs.worlds.crafting.technology import with_article
from envhub.envs.worlds.crafting.text import VIEWS

_TASK: Final = Phrase(
    "You are a survivor on a map of {size}. Your goals: {goals}. You have {steps}.",
    "Gather and craft on a map of {size} until all of these goals are met: {goals}. At most {steps} are allowed.",
    "You control a survivor on a map of {size}. Meet these goals within {steps}: {goals}.",
    held_out="A survivor that you control is on a map of {size}. It has {steps} for these goals: {goals}.",
)
_MESSAGES: Final = Phrase(
    "A message contains one action or several separated by commas, at most {batch}. A number repeats an action, "
    'such as "north 3". Each action costs one step, even if it cannot be carried out.',
    "Send up to {batch} actions per message, separated by commas; a number after an action repeats it. Every action "
    "uses one step, also one that cannot be carried out.",
    "In each message you may give up to {batch} actions with commas between them, and repeat one by a number after it "
    '("east 2"). Each of them is a step, whether or not it succeeds.',
    held_out="Messages hold between one and {batch} actions, with commas as separators and optional repeat counts. "
    "One step is charged for every action, successful or not.",
)
_SKIPPED: Final = Phrase(
    "After an action that cannot be carried out, and after a step in which you lose health, the rest of the message "
    "is skipped and costs nothing. A message that cannot be read costs one step of waiting.",
    "The remaining actions of a message are dropped without cost when one cannot be carried out or when you lose "
    "health. An unreadable message counts as one step in which you wait.",
    "If an action cannot be carried out, or you lose health, the other actions of the message are skipped free of "
    "charge. For a message that is not a list of actions you wait one step.",
    held_out="Failure of an action or a loss of health cancels the remaining actions of the message, at no cost. "
    "One step passes for an unreadable message.",
)
_MOVING: Final = Phrase(
    '"north", "east", "south" and "west" walk one cell. If that cell is not free, you only turn to face it. Free '
    "cells are grass, sand and floor without a creature.",
    'Walk with "north", "east", "south" and "west". You can enter grass, sand and floor where no creature is; '
    "otherwise you turn in that direction and stay.",
    'The actions "north", "east", "south" and "west" move you to the next cell, or only turn you towards it if it '
    "is not grass, sand or floor, or if a creature is there.",
    held_out='Movement: "north", "east", "south", "west". Only grass, sand and floor without creatures can be entered; '
    "towards other cells you turn in place.",
)
_USING: Final = Phrase(
    '"use" acts on the cell that you face. It takes one item from a source, hits a creature, or takes back '
    "something that was placed, which leaves floor. Of the sources, only {lasting} stays; others turn into floor, or "
    "into grass if they need no tool.",
    'With "use" you gather an item from the source ahead, hit the creature ahead, or pick up a placed thing ahead, '
    "which leaves floor. Only {lasting} is never used up; other sources become floor (grass if no tool is needed).",
    'Use "use" on what is ahead: a source gives one item, a creature is hit, and a placed thing returns to you and '
    "leaves floor. A source is replaced by floor, or by grass if it takes no tool, except {lasting}, which remains.",
    held_out='"use" applies to the faced cell: gathering from a source, hitting a creature, recovering a placed '
    "thing (floor remains). Apart from {lasting}, sources are replaced by floor (by grass if they require no tool).",
)
_MAKING: Final = Phrase(
    '"make ITEM" uses up the inputs of a recipe. Its stations must have been placed at most {reach} rows and '
    "{reach} columns from you. Of two possible recipes the first is used. Tools, weapons and "
    "stations are never worn out.",
    'To craft, use "make ITEM": the inputs of the recipe are consumed, and each of its stations must stand within '
    "{reach} rows and {reach} columns of you. If two recipes are possible, the first one counts. Tools, "
    "weapons and stations last for ever.",
    '"make ITEM" turns the inputs of a recipe into one item, if every station of the recipe is placed no more than '
    "{reach} rows and {reach} columns away. The first of two possible recipes is followed. "
    "Tools, weapons and stations do not wear out.",
    held_out='Crafting: "make ITEM" consumes the inputs and requires each station of the recipe to be placed within '
    "{reach} rows and {reach} columns. The first possible recipe applies. There is no wear.",
)
_PLACING: Final = Phrase(
    '"place ITEM" puts a station{placeable} on the cell ahead, which must be free. Only {rock} may also be placed '
    "on water.",
    'Use "place ITEM" for a station{placeable}; the cell ahead must be free, or water in the case of {rock}.',
    'A station{placeable} can be put on the free cell ahead with "place ITEM". Water also takes {rock}.',
    held_out='"place ITEM" works for a station{placeable} if the faced cell is free; {rock} can fill water as well.',
)
_LOOKUP: Final = Phrase(
    '"recipe ITEM" tells you how an item is gathered or made; it costs a step. The items are: {items}.',
    'Look up how to get an item by "recipe ITEM", for one step. There are these items: {items}.',
    'How an item is gathered or made is shown by "recipe ITEM", which takes a step. Items: {items}.',
    held_out='The instructions for an item are available through "recipe ITEM" at the price of one step. All items: '
    "{items}.",
)
_RECIPES: Final = Phrase(
    "These are all ways to get items: {recipes}",
    "Items can be had in these ways only: {recipes}",
    "How each item is gathered or made: {recipes}",
    held_out="The complete list of sources and recipes: {recipes}",
)
_DARKNESS: Final = Phrase(
    "Steps 1 to {day} are day, the next {night} are night, and so on. By day you see {down} rows and {across} "
    "columns in each direction; at night only {close} rows and columns, and what is at most {light} rows and "
    "columns from a placed {lamp}.",
    "A day of {day} steps is followed by a night of {night} steps, again and again. You see {down} rows up and down "
    "and {across} columns to each side by day, but at night only {close} of each, and what a placed {lamp} lights: "
    "{light} rows and columns.",
    "After {day} steps of day come {night} steps of night, then day again. The view reaches {down} rows and "
    "{across} columns from you; at night it shrinks to {close} rows and columns, apart from cells within {light} "
    "rows and columns of a placed {lamp}.",
    held_out="Day ({day} steps) and night ({night} steps) alternate. Range of sight: {down} rows and {across} "
    "columns by day; {close} by night, plus everything within {light} rows and columns of a placed {lamp}.",
)
_SIGHT: Final = Phrase(
    "You see {down} rows and {across} columns in each direction.",
    "Your view reaches {down} rows to the north and south and {across} columns to the east and west.",
    "What you see are the cells at most {down} rows and {across} columns away.",
    held_out="Range of sight: {down} rows and {across} columns.",
)
_CREATURES: Final = Phrase(
    "Creatures: {creatures}. On every even step, each one that is awake bites you if it is in one of the four cells "
    "beside you (1 health{asleep}). Otherwise, if it is at most {scent} rows and columns away in sum, it comes one cell "
    "nearer, along the longer distance if it can; of two equal distances, north or south counts as the longer one. "
    "Creatures act after you, by the time of day of the next step.",
    "There are creatures: {creatures}. Those that are awake act on even steps: beside you (not diagonally) they "
    "bite, which costs 1 health{asleep}; within a distance of {scent} (rows plus columns) they approach by one cell, "
    "first along the longer distance, or along rows north or south if both are equal. They act at the end of a step, "
    "when the time of day is already that of the next step.",
    "Creatures live here: {creatures}. On even steps, each creature that is awake and in one of the four cells beside you "
    "costs you 1 health{asleep}. One that is further away, at most {scent} rows and columns in sum, moves one cell "
    "towards you, along the longer distance first, or north or south if both are equal. Creatures act after you, by the time "
    "of day of the next step.",
    held_out="Creatures ({creatures}) act on even steps while awake, after your action and by the time of day that "
    "the next step has. Adjacent ones bite for 1 health{asleep}; others within {scent} rows plus columns move one cell "
    "towards you, the longer distance first (the vertical one if equal).",
)
_FIGHTING: Final = Phrase(
    "A creature has {hide} health. A hit takes 1, with {weapons}. A creature that is defeated does not return.",
    "It takes {hide} health of hits to defeat a creature for good: 1 per hit, with {weapons}.",
    "Each hit costs a creature 1 of its {hide} health, with {weapons}. Defeated creatures are gone.",
    held_out="Creatures have {hide} health and lose 1 per hit, with {weapons}; defeat is permanent.",
)
_NEEDS: Final = Phrase(
    "You need {needs}: {falls}. No value exceeds 9. {remedies}",
    "Your {needs} must be kept up: {falls}. The most is 9. {remedies}",
    "Take care of {needs}, each at most 9: {falls}. {remedies}",
    held_out="Values from 0 to 9 are kept for {needs}: {falls}. {remedies}",
)
_HEALTH: Final = Phrase(
    "After every {healing} steps your health rises by 1 up to 9{or_falls}. At 0 you die, and the episode ends with "
    "score 0, even if that step meets the goals.",
    "Health, at most 9, grows by 1 each {healing} steps{or_falls}. You die at 0, which ends the episode without "
    "success, whatever the step has achieved.",
    "Each {healing} steps bring 1 health, up to 9{or_falls}. Without health the episode is over and lost, even if the "
    "same step meets the goals.",
    held_out="Health changes every {healing} steps: plus 1, up to 9{or_falls}. The episode is lost at health 0, "
    "also if the same step meets the goals.",
)
_SUCCESS: Final = Phrase(
    "You succeed as soon as all goals are met{together}. If the steps run out before, you fail.",
    "Success comes at the moment when every goal is met{together}; you fail when no steps are left.",
    "The episode ends with success once all goals are met{together}, and with failure when the steps are used up.",
    held_out="All goals have to be met{together} before the steps are used up; the episode then ends with success.",
)


def _styled(style: Callable[[JSON], str]) -> Rendering:
    return lambda problem: f"{style(problem['view'])}\n{problem['status']}"


def _status(problem: JSON) -> str:
    signs = ", ".join(f"{sign} {name}" for sign, name in problem["legend"].items())
    return f"Signs in the pictures: {signs}. {problem['status']}"


*_train, _last = map(_styled, VIEWS)
VIEW: Final[Variants[Rendering]] = Variants(
    *_train,
    held_out=_last,
    name="view",
    seen=in_picture(
        "The picture shows your view, north is up. The arrow is you, plain green is grass, plain yellow sand, plain "
        "grey floor.",
        "Your view is in the picture, with north at the top and you as the arrow. Cells without a sign are grass "
        "(green), sand (yellow) and floor (grey).",
        "See the picture: you are the arrow, north is up, and cells without a sign are green grass, yellow sand or "
        "grey floor.",
        held_out="The attached figure depicts the visible window, north at the top. Arrow: you. Cells without "
        "signs: grass (green), sand (yellow), floor (grey).",
        rest=_status,
    ),
)


def statement(problem: JSON) -> Statement:
    """A task before it is worded."""
    needs, creatures = problem["needs"], [CREATURES[kind] for kind in problem["creatures"]]
    return Statement(
        task=_TASK,
        data=VIEW,
        problem=problem,
        rules=(
            _MESSAGES,
            _SKIPPED,
            _MOVING,
            _USING,
            _MAKING,
            _PLACING,
            _RECIPES if problem["recipes"] else _LOOKUP,
            _DARKNESS if problem["night"] else _SIGHT,
            *((_CREATURES, _FIGHTING) if creatures else ()),
            *((_NEEDS,) if needs else ()),
            *((_HEALTH,) if needs or creatures else ()),
        ),
        note=_SUCCESS,
        values=_values(problem, creatures),
        frames=GAME_FRAMES,
    )


def _values(problem: JSON, creatures: list[str]) -> dict[str, Any]:
    height, width = problem["size"]
    needs = NEEDS[: problem["needs"]]
    lamp, rock = problem["technology"]["lamp"], problem["rock"]
    awake = {
        "prowler": "prowlers walk on grass and sand and are awake at night",
        "lurker": "lurkers stay on floor and are always awake",
    }
    remedies = [
        'To drink, face water and "use" it (1 water).',
        f'To eat, face a berry bush and "use" it ({FOOD} food); the bush stays bare.',
        'To rest, "sleep" (1 energy per step).',
    ]
    holds = sum(kind == "hold" for kind, _, _ in problem["goals"])
    return {
        "size": f"{height} rows and {width} columns",
        "goals": and_list([_goal(goal) for goal in problem["goals"]]),
        "steps": counted(problem["steps"], "step"),
        "batch": problem["batch"],
        "lasting": with_article(problem["lasting"]),
        "reach": REACH,
        "rock": rock,
        "placeable": f", {with_article(lamp)} or {with_article(rock)}",
        "items": ", ".join(problem["technology"]["items"]),
        "recipes": "; ".join(recipe.rstrip(".") for recipe in problem["recipes"]) + ".",
        "day": problem["day"],
        "night": problem["night"],
        "down": DOWN,
        "across": ACROSS,
        "close": CLOSE,
        "light": LIGHT,
        "lamp": lamp,
        "creatures": "; ".join(awake[name] for name in creatures),
        "scent": SCENT,
        "asleep": ", or 2 if your action was sleep" if "energy" in needs else "",
        "hide": HIDE,
        "weapons": and_list([f"{with_article(name)} {damage}" for name, damage in problem["weapons"]]),
        "needs": and_list(needs) if needs else "",
        "falls": ", ".join(f"{name} falls by 1 every {falls} steps" for name, falls in zip(needs, FALLS, strict=False)),
        "remedies": " ".join(remedies[: len(needs)]),
        "healing": HEALING,
        "or_falls": ", but it falls by 1 instead if one of these values is 0" if needs else "",
        "together": " at the same time" if holds > 1 else "",
    }


def _goal(goal: list[Any]) -> str:
    """A goal in words."""
    kind, name, count = goal
    named = {"drink": "drink water", "eat": "eat berries", "sleep": "sleep", "defeat": "defeat a creature"}
    return f"carry {count} {name}" if kind == "hold" else f"{kind} {name}" if name else named[kind]
