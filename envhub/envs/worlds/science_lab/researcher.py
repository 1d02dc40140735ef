"""Two scripted policies: one works with controls, the other is hasty.

Both know what has been shown and nothing else. They explore room by room, pick up what they need, and go to the bench. The
careful one checks bulbs with the copper rod, keeps to one block, and crosses each plant with the pure plant of the other
look. The hasty one takes the first bulb for a good one, changes blocks, and measures one sample for all.
"""

from __future__ import annotations

from collections import deque
from typing import NamedTuple

from envhub.envs.worlds.commands import Command
from envhub.envs.worlds.science_lab.catalogue import REFERENCE_CONDUCTOR, SINK, kind
from envhub.envs.worlds.science_lab.rules import Lab


class View(NamedTuple):
    """What a policy knows.

    Attributes:
        lab: The laboratory; only what was seen of it may be read.
        state: The facts; only those about visited rooms and finished experiments may be read.
        careful: Whether the policy works with controls.
    """

    lab: Lab
    state: int
    careful: bool

    def holds(self, *fact: str) -> bool:
        """Whether a fact holds."""
        return self.lab.holds(self.state, *fact)

    def carried(self, wanted: str) -> list[str]:
        """The things of a kind that are carried, in order."""
        return sorted(name for name in self.lab.carried(self.state) if kind(name) == wanted)


def next_command(view: View) -> Command:
    """The next command of the script."""
    lab, here = view.lab, view.lab.at(view.state)
    found = _visible(view)
    wanted = [name for name in found if _useful(lab, name)]
    if wanted:
        return Command("take", (wanted[0],))
    if not _equipped(view):
        return _explore(view)
    if lab.kind == "growth" and not view.holds("filled", "watering can"):
        return Command("use", ("watering can", SINK)) if view.holds("sink", here) else _walk(view, lab.content["sink"])
    if here != lab.content["bench"]:
        return _walk(view, lab.content["bench"])
    return _experiment(view) or Command("answer", _conclusion(view))


# -- finding things ----------------------------------------------------------------------------------------------------


def _visible(view: View) -> list[str]:
    """The things that can be picked up from the furniture here."""
    lab, here = view.lab, view.lab.at(view.state)
    spots = [spot for spot, room in lab.furniture.items() if room == here and not view.holds("shut", spot)]
    return [name for spot in spots for name in lab.contents(view.state, spot)]


def _useful(lab: Lab, name: str) -> bool:
    return name in (*lab.experiment.instruments, *lab.subjects) or kind(name) == lab.experiment.spares


def _equipped(view: View) -> bool:
    """Whether the policy has what it needs."""
    lab = view.lab
    needed = [*lab.experiment.instruments, *(lab.subjects if lab.experiment.carried else [])]
    if any(view.holds("in", name, lab.things[name]) for name in needed):
        return False
    return not lab.experiment.spares or _spare(view) is not None


def _spare(view: View) -> str | None:
    """A bulb or block that is not known to be broken."""
    names = [view.lab.one(view.state, "in-socket"), *view.carried(view.lab.experiment.spares)]
    return next((name for name in names if name is not None and not _broken(view, name)), None)


def _broken(view: View, name: str) -> bool:
    return kind(name) == "bulb" and view.holds("checked", name) and not view.holds("works", name)


def _explore(view: View) -> Command:
    """Open the furniture here, then go to the nearest new room."""
    lab, here = view.lab, view.lab.at(view.state)
    shut = [spot for spot, room in lab.furniture.items() if room == here and view.holds("shut", spot)]
    if shut:
        return Command("open", (shut[0],))
    return _walk(view, None)


def _walk(view: View, goal: str | None) -> Command:
    """A step towards a room, or if unknown, the nearest new room."""
    lab, here = view.lab, view.lab.at(view.state)
    if goal is not None and not view.holds("visited", goal):
        goal = None
    first = {here: ""}
    queue = deque([here])
    while queue:
        room = queue.popleft()
        unseen = not view.holds("visited", room)
        shut = any(at == room and view.holds("shut", spot) for spot, at in lab.furniture.items())
        if room != here and (room == goal or (goal is None and (unseen or (shut and not _equipped(view))))):
            break
        if not unseen:
            for other in lab.neighbours(room):
                if other not in first:
                    first[other] = first[room] or other
                    queue.append(other)
    else:
        return Command("look")
    return Command("go" if view.holds("ajar", here, first[room]) else "open-door", (first[room],))


# -- experimenting -----------------------------------------------------------------------------------------------------


def _experiment(view: View) -> Command | None:
    """The next command at the bench; None if all is done."""
    steps = {"matter": _matter, "circuits": _circuits, "growth": _growth, "planes": _planes, "genetics": _genetics}
    for subject in view.lab.subjects:
        command = steps[view.lab.kind](view, subject)
        if command is not None:
            return command
    return None


def _matter(view: View, sample: str) -> Command | None:
    measured = view.holds("measured", sample if view.careful else view.lab.subjects[0])
    if view.holds("melted", sample) and measured:
        return None
    occupant = view.lab.one(view.state, "on-plate")
    if occupant not in (None, sample):
        return Command("take", (str(occupant),))
    if occupant is None:
        return Command("move", (sample, "hot plate"))
    if not view.holds("hot"):
        return Command("activate", ("hot plate",))
    return Command("use", ("thermometer", sample)) if view.holds("melted", sample) else Command("wait")


def _circuits(view: View, sample: str) -> Command | None:
    if view.holds("tested", sample):
        return None
    bulb, piece = view.lab.one(view.state, "in-socket"), view.lab.one(view.state, "in-clips")
    if bulb is not None and _broken(view, bulb):
        return Command("disconnect", (bulb,))
    if bulb is None:
        return Command("connect", (str(_spare(view)), "battery"))
    if not view.careful and not view.holds("works", bulb):
        return None  # it takes a bulb that stays dark for a proof that nothing conducts
    wanted = REFERENCE_CONDUCTOR if view.careful and not view.holds("checked", bulb) else sample
    if piece == wanted:
        return Command("examine", (bulb,))
    if piece is not None:
        return Command("disconnect", (piece,))
    return Command("connect", (wanted, "battery"))


def _growth(view: View, pot: str) -> Command | None:
    if not view.holds("sown", pot):
        return Command("use", ("seeds", pot))
    stage = view.lab.level(view.state, "stage", pot)
    if view.holds("grown", pot) or (not view.careful and stage == "flower"):
        return None
    return Command("use", ("watering can", pot))


def _planes(view: View, plane: str) -> Command | None:
    blocks = view.carried("block")
    if any(view.holds("timed", plane, block) for block in (blocks[:1] if view.careful else blocks)):
        return None
    return Command("move", (blocks[0 if view.careful else view.lab.subjects.index(plane) % len(blocks)], plane))


def _genetics(view: View, plant: str) -> Command | None:
    pure = view.lab.hidden["pure"]
    looks = view.lab.hidden["looks"]
    partner = next(other for other in pure if looks[other] != looks[plant]) if view.careful else pure[0]
    if view.holds("crossed", plant) or not (view.careful or looks[partner] != looks[plant]):
        return None
    return Command("use", ("brush", partner if view.lab.one(view.state, "pollen") is None else plant))


def _conclusion(view: View) -> tuple[str, ...]:
    """The values that were proved, or else some values."""
    lab = view.lab
    return lab.answer if lab.proved(view.state) else (*lab.experiment.values, "1")[:1] * len(lab.subjects)
