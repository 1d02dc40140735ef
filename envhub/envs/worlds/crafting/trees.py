"""Technologies to draw: familiar, with other recipes, with invented names.

The familiar technology is that of survival games: wood, a table, pickaxes of wood, stone and iron, a furnace, diamonds. A
*rewired* one has the same names, but drawn recipes, and drawn tools for the ores. An *invented* one has drawn names as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from envhub.core.seeding import Stream
from envhub.core.types import JSON

THEMES: Final = ("familiar", "rewired", "invented")
_RAW: Final = ("wood", "stone", "coal", "iron", "diamond", "sapphire", "fibre")
_CELLS: Final = {"wood": "tree", "fibre": "reed"}
_TOOLS: Final = ("wooden pickaxe", "stone pickaxe", "iron pickaxe", "diamond pickaxe")
_STATIONS: Final = ("table", "furnace", "anvil")
_PARTS: Final = ("plank", "rope", "glass", "gear")
_WEAPONS: Final = ("wooden sword", "iron sword")
_LAMP: Final = "torch"
_STARTS: Final = ("br", "d", "dr", "f", "g", "gl", "h", "k", "kr", "l", "m", "n", "p", "qu", "r", "sk", "t", "v", "z")
_MIDDLES: Final = ("a", "e", "i", "o", "u", "ai", "ou")
_ENDS: Final = ("bbit", "dax", "ffle", "lvo", "mmer", "ndo", "nx", "rga", "rrin", "sk", "ssum", "tho", "vek", "zzo")
_PLAIN: Final = frozenset(["drummer", "flask", "glimmer", "husk", "lynx", "possum", "rabbit", "riffle", "risk", "task"])
_FAMILIAR: Final[tuple[tuple[str, Sequence[tuple[str, int]], Sequence[str]], ...]] = (
    ("table", [("wood", 3)], []),
    ("wooden pickaxe", [("wood", 1)], ["table"]),
    ("wooden sword", [("wood", 1)], ["table"]),
    ("stone pickaxe", [("wood", 1), ("stone", 1)], ["table"]),
    ("furnace", [("stone", 3)], ["table"]),
    ("torch", [("wood", 1), ("coal", 1)], []),
    ("iron pickaxe", [("wood", 1), ("coal", 1), ("iron", 1)], ["table", "furnace"]),
    ("iron sword", [("wood", 1), ("coal", 1), ("iron", 1)], ["table", "furnace"]),
)


def familiar() -> JSON:
    """The technology of survival games, up to diamonds."""
    tools = {"stone": _TOOLS[0], "coal": _TOOLS[0], "iron": _TOOLS[1], "diamond": _TOOLS[2]}
    return {
        "sources": [[_CELLS.get(item, item), item, tools.get(item, ""), int(item == "wood")] for item in _RAW[:5]],
        "recipes": [[item, [list(each) for each in inputs], list(near)] for item, inputs, near in _FAMILIAR],
        "tools": list(_TOOLS[:3]),
        "stations": list(_STATIONS[:2]),
        "weapons": [[_WEAPONS[0], 2], [_WEAPONS[1], 4]],
        "lamp": _LAMP,
    }


def rewired(rng: Stream, tools: int, stations: int, parts: int, alternatives: int, invented: bool) -> JSON:
    """A drawn technology.

    Args:
        rng: The randomness.
        tools: Tools, each of which opens at least one ore.
        stations: Stations.
        parts: Items that are made to be used up.
        alternatives: Items with a second recipe.
        invented: Whether names are drawn as well.
    """
    name = _Names(rng, invented)
    base, rock, soft = name.raw("wood"), name.raw("stone"), name.raw("fibre")
    ores = [name.raw(item) for item in rng.sample(_RAW[2:6], tools)] if invented else rng.sample(_RAW[2:6], tools)
    picks = [name.tool(number) for number in range(tools)]
    benches = [name.station(number) for number in range(stations)]
    made = [name.part(number) for number in range(parts)]
    swords = [name.weapon(number) for number in range(2)]
    lamp = name.lamp()
    recipes: list[Any] = []
    have, near = [base, soft], list[str]()

    def recipe(item: str, most: int, least_new: Sequence[str], stands: Sequence[str]) -> None:
        kinds = rng.between(1 if len(least_new) == 1 and most < 3 else 2, min(3, len(have)))
        chosen = [rng.choice(least_new)]
        chosen += rng.sample([each for each in have if each not in chosen], max(0, min(kinds, len(have)) - 1))
        inputs = [[each, 1 if each in made else rng.between(1, most)] for each in sorted(chosen, key=have.index)]
        recipes.append([item, inputs, sorted(stands, key=benches.index)])

    recipe(benches[0], 2, have, [])
    near.append(benches[0])
    waiting = list(made)
    sources = [
        [name.cell(base, "wood"), base, "", 1],
        [rock, rock, picks[0], 0],
        [name.cell(soft, "fibre"), soft, "", 0],
    ]
    fresh = [base, soft]
    for number, pick in enumerate(picks):
        if number and number < stations:
            recipe(benches[number], 2, fresh, near[-1:])
            near.append(benches[number])
        if waiting and (number or rng.below(2)):
            part = waiting.pop(0)
            recipe(part, 2, fresh, rng.sample(near, rng.below(2)))
            have.append(part)
            fresh = [*fresh, part]
        recipe(pick, 2, fresh, near[-rng.between(1, min(2, len(near))) :])
        fresh = [ores[number], *([rock] if not number else [])]
        have += fresh
        sources.append([ores[number], ores[number], pick, 0])
    for part in waiting:
        recipe(part, 2, fresh, near[-1:])
        have.append(part)
        fresh = [part]
    recipe(swords[0], 1, [base, rock], near[:1])
    recipe(swords[1], 2, fresh, near[-2:])
    recipe(lamp, 1, [ores[0], soft], [])
    twice = [each for each in recipes if each[0] in made or each[0] in picks[1:]]
    for item, inputs, stands in rng.sample(twice, min(alternatives, len(twice))):
        known = [each for each in have if have.index(each) < have.index(inputs[-1][0])]
        if len(known) > 1:
            other = rng.sample(known, 2)
            more = [[each, 1 if each in made else rng.between(1, 3)] for each in sorted(other, key=have.index)]
            recipes.append([item, more, stands])
    return {
        "sources": sources,
        "recipes": recipes,
        "tools": picks,
        "stations": benches,
        "weapons": [[swords[0], 2], [swords[1], 4]],
        "lamp": lamp,
    }


class _Names:
    """Names of things, familiar or invented; no name is drawn twice."""

    def __init__(self, rng: Stream, invented: bool) -> None:
        self.rng, self.invented, self.taken = rng, invented, set(_PLAIN)

    def raw(self, item: str) -> str:
        return self._word() if self.invented else item

    def cell(self, item: str, familiar: str) -> str:
        """The cell of an item; invented items and cells share names."""
        return item if self.invented else _CELLS[familiar]

    def tool(self, number: int) -> str:
        return f"{self._word()} pick" if self.invented else _TOOLS[number]

    def station(self, number: int) -> str:
        return f"{self._word()} {('bench', 'kiln', 'forge')[number]}" if self.invented else _STATIONS[number]

    def part(self, number: int) -> str:
        return f"{self._word()} part" if self.invented else _PARTS[number]

    def weapon(self, number: int) -> str:
        return f"{self._word()} blade" if self.invented else _WEAPONS[number]

    def lamp(self) -> str:
        return f"{self._word()} lamp" if self.invented else _LAMP

    def _word(self) -> str:
        while True:
            word = self.rng.choice(_STARTS) + self.rng.choice(_MIDDLES) + self.rng.choice(_ENDS)
            if word not in self.taken:
                self.taken.add(word)
                return word
