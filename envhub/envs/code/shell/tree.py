"""Small trees of text files, and steps that change them.

A tree is a mapping from paths to entries: regular files, and links. A step has words, an effect that is computed here,
and an independently written bash script with the same effect, so that each checks the other::

    texts, steps, after, handled = draw(rng, count=12, spaces=False, steps=3)
    tell(steps[0])        # in words
    script(steps[0])      # in bash, run where the tree lies
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from envhub.core.seeding import Stream
from envhub.envs.code.shell.slips import SLIPS
from envhub.envs.code.shell.steps import STEPS, Drawn, Entry, Tree
from envhub.envs.code.shell.traps import TRAPS

_FOLDERS: Final = ("archive", "inbox", "site", "store", "field", "north", "plant", "vault")
_INNER: Final = ("old", "new", "raw", "extra")
# fmt: off
_STEMS: Final = (
    "amber", "basalt", "birch", "cedar", "clover", "copper", "coral", "cumin", "delta", "ember", "fennel",
    "fern", "flint", "garnet", "ginger", "granite", "hazel", "heron", "indigo", "iris", "ivory", "jasper",
    "juniper", "kelp", "larch", "laurel", "linen", "lotus", "maple", "marble", "mint", "moss", "nettle",
    "nickel", "ochre", "olive", "onyx", "opal", "pearl", "pepper", "pine", "plum", "poppy", "quartz", "raven",
    "reed", "rowan", "ruby", "saffron", "sage", "slate", "sorrel", "spruce", "thistle", "topaz", "umber",
    "violet", "walnut", "willow", "yarrow", "zinc",
)
# fmt: on
_SUFFIXES: Final = ("log", "csv", "txt", "cfg", "sh")
_LEVELS: Final = ("ERROR", "WARN", "INFO", "DEBUG")
_THINGS: Final = ("disk", "queue", "cache", "login", "backup", "sensor")
_STATES: Final = ("full", "slow", "ready", "lost", "closed")
_PEOPLE: Final = ("ann", "bob", "cy", "dee", "eli", "fay", "gus")
_TRIES: Final = 12


def draw(rng: Stream, count: int, spaces: bool, steps: int) -> tuple[dict[str, str], list[Drawn], Tree, int] | None:
    """Draw files and steps.

    With the resulting tree and the number of files handled. Each step changes something, and each of its slips
    (:mod:`envhub.envs.code.shell.slips`) ends in another tree. Only the last may set modes, so that none of the others
    can undo that.

    Args:
        rng: Source of randomness.
        count: Number of files before those that expose slips are added.
        spaces: Whether some names contain a space.
        steps: Number of steps.

    Returns:
        None if no such steps were found.
    """
    names = _Names(rng, spaces)
    tops = rng.sample(_FOLDERS, 2 if count < 12 else 3)
    inner = {top: f"{top}/{rng.choice(_INNER)}" for top in tops}
    folders = [folder for top in tops for folder in (top, inner[top])]
    texts: dict[str, str] = {}
    for number in range(count):
        suffix = _SUFFIXES[number % len(_SUFFIXES)] if number < 10 else rng.choice(_SUFFIXES)
        texts[f"{rng.choice(folders)}/{names.next()}.{suffix}"] = _text(rng, suffix)
    drawn: list[Drawn] = []
    for left in reversed(range(steps)):
        found = _another_step(rng, names, texts, inner, drawn, last=left == 0)
        if found is None:
            return None
        texts, drawn = found
    history = _walk(texts, drawn)
    assert history is not None
    return dict(sorted(texts.items())), drawn, history[-1][0], sum(touched for _, touched in history)


def _another_step(
    rng: Stream, names: _Names, texts: dict[str, str], inner: Mapping[str, str], drawn: list[Drawn], last: bool
) -> tuple[dict[str, str], list[Drawn]] | None:
    """Files and steps, extended by one step.

    None if no step was found that exposes its slips.
    """
    free = [name for name in STEPS if name not in {done for done, _ in drawn} and (name != "modes" or last)]
    name = rng.choice(free)
    for _ in range(_TRIES):
        history = _walk(texts, drawn)
        values = STEPS[name].draw(rng, history[-1][0] if history else {})
        more = dict(texts)
        for trap in TRAPS[name](rng, values):
            folder = {"direct": values["dir"], "inner": inner[values["dir"]]}.get(trap.place)
            folder = folder or rng.choice([top for top in inner if top != values["dir"]])
            more[f"{folder}/{names.next()}.{trap.suffix}"] = "".join(line + "\n" for line in trap.lines)
        if exposed(more, [*drawn, (name, values)], begin=len(drawn)) and exposed(more, [*drawn, (name, values)]):
            return more, [*drawn, (name, values)]
        names.give_back(len(more) - len(texts))
    return None


def exposed(texts: Mapping[str, str], steps: Sequence[Drawn], begin: int = 0) -> bool:
    """Whether each step matters and each slip ends in a wrong tree.

    A step that matters handles two files or more.

    Args:
        texts: The files before the first step.
        steps: The steps.
        begin: First step whose slips are checked.
    """
    history = _walk(texts, steps)
    if history is None:
        return False
    right = history[-1][0]
    before: Tree = {path: Entry(text) for path, text in texts.items()}
    for number, (name, values) in enumerate(steps):
        for slip in SLIPS[name].values() if number >= begin else ():
            wrong = slip(before, values)
            if wrong == history[number][0]:
                return False
            for later, numbers in steps[number + 1 :]:
                wrong, _ = STEPS[later].apply(wrong, numbers)
            if wrong == right:
                return False
        before = history[number][0]
    return True


def _walk(texts: Mapping[str, str], steps: Sequence[Drawn]) -> list[tuple[Tree, int]] | None:
    """The tree and the number of files handled after each step.

    None if a step does nothing.
    """
    tree: Tree = {path: Entry(text) for path, text in texts.items()}
    history: list[tuple[Tree, int]] = [(tree, 0)]
    for name, values in steps:
        after, touched = STEPS[name].apply(tree, values)
        if touched < 2 or after == tree:
            return None
        history.append((after, touched))
        tree = after
    return history[1:] or history


class _Names:
    """Names of files, no two of which share a word.

    Args:
        rng: Source of randomness.
        spaces: Whether some of them contain a space.
    """

    def __init__(self, rng: Stream, spaces: bool) -> None:
        self._rng, self._spaces, self._used = rng, spaces, 0
        self._stems = rng.sample(_STEMS, len(_STEMS))

    def next(self) -> str:
        """A new name.

        Raises:
            IndexError: All names are used up.
        """
        stem = self._stems[self._used]
        self._used += 1
        return f"{stem} {self._rng.choice(_STEMS)}" if self._spaces and self._rng.below(3) == 0 else stem

    def give_back(self, count: int) -> None:
        """Release the last ``count`` names."""
        self._used -= count


def tell(step: Drawn) -> str:
    """A step in words."""
    name, values = step
    return STEPS[name].words.format(**values)


def script(step: Drawn) -> str:
    """A step in bash."""
    name, values = step
    return STEPS[name].script.strip("\n").format(**values)


def _text(rng: Stream, suffix: str) -> str:
    lines = [_line(rng, suffix) for _ in range(rng.between(2, 9))]
    if suffix in ("txt", "log", "csv"):  # some lines repeated
        lines += [rng.choice(lines) for _ in range(rng.below(4))]
        rng.shuffle(lines)
    if suffix == "sh" and rng.below(3):
        lines.insert(0, "#!/bin/sh")
    return "".join(line + "\n" for line in lines)


def _line(rng: Stream, suffix: str) -> str:
    if suffix == "log":
        return f"{rng.choice(_LEVELS)} {rng.choice(_THINGS)} {rng.choice(_STATES)} {rng.between(1, 20)}"
    if suffix == "csv":
        return f"{rng.choice(_PEOPLE)},{rng.between(1, 40)}"
    if suffix == "txt":
        return f"{rng.choice(_PEOPLE)} saw the {rng.choice(_THINGS)} {rng.choice(_STATES)}"
    if suffix == "cfg":
        return f"{rng.choice(_THINGS)} = {rng.choice(_STATES)} {rng.between(1, 99)}"
    return f"echo {rng.choice(_THINGS)} {rng.choice(_STATES)}"
