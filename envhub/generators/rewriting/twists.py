"""Changed rules and invented names.

A twist changes how the things of a game can be moved. Whatever it does, levels are drawn and solved with the changed
rules, and the policy is shown these. ::

    recipe = twisted(rng, GAMES["boxes"], count=2)
    source = renamed(rng, recipe, recipe.source())
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from envhub.core.seeding import Stream
from envhub.generators.rewriting.games import Recipe

_MOVED: Final = re.compile(r"\| [<>] (\w+) \]$")
_SIGNS: Final = "abcdefghijkmnqrstuwxyz@%&*+=~$"
_CONSONANTS: Final = "bdfgklmnprstvz"
_VOWELS: Final = "aeiou"
_ENDS: Final = "ou"  # no word of the language is a consonant, a vowel, a consonant and one of these


def movable(recipe: Recipe) -> list[str]:
    """Things that the player pushes or drags."""
    found = [match[1] for rule in recipe.rules for match in [_MOVED.search(rule)] if match]
    return list(dict.fromkeys(name for name in found if name != "Player"))


def twisted(rng: Stream, recipe: Recipe, count: int) -> Recipe:
    """The game with some of its rules changed.

    Unchanged if nothing in it is movable.
    """
    things = movable(recipe)
    kinds = ["turn", "slide", "limit", "drag", "send"]
    rng.shuffle(kinds)
    for kind in kinds[: count if things else 0]:
        recipe = _twist(rng, recipe, kind, rng.choice(things))
    return recipe


def _twist(rng: Stream, recipe: Recipe, kind: str, thing: str) -> Recipe:
    rules = list(recipe.rules)
    at = next(number for number, rule in enumerate(rules) if re.search(rf"\| [<>^v] {thing} \]$", rule))
    player = "Ann" if "Ann" in rules[at] else "Player"
    if kind == "turn":
        rules[at] = re.sub(r"[<>^v] (\w+) \]$", rf"{rng.choice(('^', 'v'))} \1 ]", rules[at])
    elif kind == "limit":
        rules[at] = f"{rng.choice(('horizontal', 'vertical'))} {re.sub('^(horizontal|vertical) ', '', rules[at])}"
    elif kind == "slide":
        solid = next(names for names in recipe.layers if "Wall" in names)
        kept = " ".join(f"no {entry.partition(' ')[0]}" for entry in solid.split(", "))
        members = [name for name, _ in recipe.objects() if name == thing] or ["Ruby", "Jade"]
        rules[at + 1 : at + 1] = [f"[ > {name} | {kept} ] -> [ | > {name} ]" for name in members]
    elif kind == "drag":
        way = ">" if "[ <" in rules[at] else "<"  # what is dragged is also pushed
        rules.insert(at + 1, f"[ {way} {player} | {thing} ] -> [ {way} {player} | {way} {thing} ]")
    else:
        rules.insert(at + 1, f"[ action {player} | ... | {thing} ] -> [ action {player} | ... | > {thing} ]")
        return replace(recipe, rules=tuple(rules), action=True)
    return replace(recipe, rules=tuple(dict.fromkeys(rules)))


def renamed(rng: Stream, recipe: Recipe, source: str) -> str:
    """The text of a game with invented names and other glyphs."""
    names = [name for name, _ in recipe.objects() if name != "Player"]
    names += [line.partition(" ")[0] for line in recipe.names if not line.startswith("Player ")]
    invented: dict[str, str] = {}
    for name in names:
        word = ""
        while not word or word in invented.values():
            letters = rng.choice(_CONSONANTS), rng.choice(_VOWELS), rng.choice(_CONSONANTS), rng.choice(_ENDS)
            word = "".join(letters).capitalize()
        invented[name] = word
    signs = list(_SIGNS)
    rng.shuffle(signs)
    glyphs = {glyph: signs.pop() for name, glyph in recipe.objects() if glyph and name != "Player"}
    lines = []
    for line in source.splitlines():
        if line.startswith("title "):
            line = "title puzzle"
        glyph, equals, name = line.partition(" = ")
        if equals and glyph in glyphs:
            line = f"{glyphs[glyph]} = {name}"
        lines.append(re.sub(r"[A-Za-z]+", lambda word: invented.get(word[0], word[0]), line))
    return "\n".join(lines) + "\n"
