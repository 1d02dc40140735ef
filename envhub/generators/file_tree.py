"""Small trees of text files, steps that change them, and what they are afterwards.

A tree is a mapping from paths to entries: regular files, and links. A step has words, an effect that is computed here, and a
bash script of another hand that has the same effect, so that each checks the other::

    tree = draw_tree(rng, count=12, spaces=False)
    steps, after, touched = draw_steps(rng, tree, count=3)
    tell(steps[0])        # in words
    script(steps[0])      # in bash, run where the tree lies
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from envhub.generators.file_steps import STEPS, Drawn, Entry, Tree
from envhub.seeding import Stream

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
_TRIES: Final = 200


def draw_tree(rng: Stream, count: int, spaces: bool) -> dict[str, str]:
    """The texts of ``count`` files by path; no two have the same name, whatever their suffix.

    Args:
        rng: Draws.
        count: How many.
        spaces: Whether some names hold a space.
    """
    tops = rng.sample(_FOLDERS, 2 if count < 12 else 3)
    folders = [folder for top in tops for folder in (top, f"{top}/{rng.choice(_INNER)}")]
    texts: dict[str, str] = {}
    for number, stem in enumerate(rng.sample(_STEMS, count)):
        suffix = _SUFFIXES[number % len(_SUFFIXES)] if number < 10 else rng.choice(_SUFFIXES)
        name = f"{stem} {rng.choice(_STEMS)}" if spaces and rng.below(3) == 0 else stem
        texts[f"{rng.choice(folders)}/{name}.{suffix}"] = _text(rng, suffix)
    return dict(sorted(texts.items()))


def draw_steps(rng: Stream, texts: Mapping[str, str], count: int) -> tuple[list[Drawn], Tree, int] | None:
    """Steps that each change something, what the tree is after them, and how many files had to be handled.

    Only the last may set modes, so that none of the others can undo that. None if no such steps were found.
    """
    tree: Tree = {path: Entry(text) for path, text in texts.items()}
    steps: list[Drawn] = []
    handled = 0
    for number in range(count):
        names = [
            name
            for name in STEPS
            if name not in {done for done, _ in steps} and (name != "modes" or number == count - 1)
        ]
        for _ in range(_TRIES):
            name = rng.choice(names)
            numbers = STEPS[name].draw(rng, tree)
            after, touched = STEPS[name].apply(tree, numbers)
            if touched >= 2 and after != tree:
                break
        else:
            return None
        steps.append((name, numbers))
        tree, handled = after, handled + touched
    return steps, tree, handled


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
    if suffix in ("txt", "log", "csv"):  # some lines again
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
