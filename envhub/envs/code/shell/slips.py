"""Usual mistakes with the steps of :mod:`envhub.envs.code.shell.steps`.

A *slip* is a step done carelessly: without the subdirectories, in every directory, ignoring case. A task is drawn only
if each slip of each of its steps leads to a wrong tree, whatever steps follow::

    for name, slip in SLIPS["gather"].items(): wrong = slip(tree, values)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from envhub.envs.code.shell.steps import (
    EVERYWHERE,
    STEPS,
    Entry,
    Tree,
    Values,
    base_name,
    files_below,
    joined,
    lines_of,
    suffix_of,
)

Slip = Callable[[Tree, Values], Tree]


def other_case(word: str) -> str:
    """The word with different capitals."""
    return word.capitalize() if word.islower() else word.lower()


def _has_word(line: str, word: str) -> bool:
    return word in line.replace(",", " ").split()


# -- slips that many steps share -----------------------------------------------------------------------------------------


def _taken(name: str, tree: Tree, v: Values) -> Tree:
    return STEPS[name].apply(tree, v)[0]


def _flat(name: str) -> Slip:
    """Without the subdirectories."""

    def slip(tree: Tree, v: Values) -> Tree:
        depth = v["dir"].count("/") + 1
        apart = {path: e for path, e in tree.items() if path.startswith(v["dir"] + "/") and path.count("/") > depth}
        return {**_taken(name, {path: e for path, e in tree.items() if path not in apart}, v), **apart}

    return slip


def _everywhere(name: str) -> Slip:
    """In all directories."""
    return lambda tree, v: _taken(name, tree, {**v, "dir": EVERYWHERE})


def _any_suffix(name: str) -> Slip:
    """Ignoring the suffix of names."""
    return lambda tree, v: _taken(name, tree, {**v, "suffix": ""})


def _rewriting(change: Callable[[list[str], Values], list[str]], suffix: str | None = None) -> Slip:
    """Every file of the step's suffix with its lines changed differently."""

    def slip(tree: Tree, v: Values) -> Tree:
        files = files_below(tree, v, suffix_of(v) if suffix is None else suffix)
        changed = {path: tree[path]._replace(text=joined(change(lines_of(text), v))) for path, text in files}
        return {**tree, **changed}

    return slip


def _reporting(lines: Callable[[list[tuple[str, list[str]]], Values], list[str]], suffix: str | None = None) -> Slip:
    """A report with other lines, built from paths and lines."""

    def slip(tree: Tree, v: Values) -> Tree:
        files = files_below(tree, v, suffix_of(v) if suffix is None else suffix)
        return {**tree, v["out"]: Entry(joined(lines([(path, lines_of(text)) for path, text in files], v)))}

    return slip


def _moving(chosen: Callable[[list[str], Values], bool]) -> Slip:
    """Other files gathered."""

    def slip(tree: Tree, v: Values) -> Tree:
        moves = {path for path, text in files_below(tree, v) if chosen(lines_of(text), v)}
        return {f"{v['to']}/{base_name(path)}" if path in moves else path: entry for path, entry in tree.items()}

    return slip


# -- slips of one step -----------------------------------------------------------------------------------------------------


def _rename_anywhere(tree: Tree, v: Values) -> Tree:
    old, new = f".{v['old']}", f".{v['new']}"
    below = {path for path, _ in files_below(tree, v) if old in base_name(path)}
    renamed = {path: path[: -len(base_name(path))] + base_name(path).replace(old, new, 1) for path in below}
    return {renamed.get(path, path): entry for path, entry in tree.items()}


def _numbered(count: Callable[[list[str]], int], deep: bool = False) -> Slip:
    def slip(tree: Tree, v: Values) -> Tree:
        new = dict(tree)
        for path, text in files_below(tree, v):
            if deep or path.count("/") == 1:
                folder = path[: -len(base_name(path))]
                new[f"{folder}{count(lines_of(text))}-{base_name(path)}"] = new.pop(path)
        return new

    return slip


def _matching(files: list[tuple[str, list[str]]], fits: Callable[[str], bool]) -> list[str]:
    return [line for _, lines in files for line in lines if fits(line)]


def _extracted(fits: Callable[[str, str], bool]) -> Slip:
    return _reporting(
        lambda files, v: sorted(set(_matching(files, lambda line: fits(line, v["word"]))), key=str.encode)
    )


def _summed(combine: Callable[[list[int]], int]) -> Slip:
    def lines(files: list[tuple[str, list[str]]], v: Values) -> list[str]:
        found: dict[str, list[int]] = {}
        for name, _, number in (line.partition(",") for _, rows in files for line in rows):
            found.setdefault(name, []).append(int(number))
        return [f"{name},{combine(found[name])}" for name in sorted(found)]

    return _reporting(lines, ".csv")


def _number(line: str) -> int:
    return int(line.partition(",")[2])


def _removing(short: Callable[[list[str], int], bool]) -> Slip:
    def slip(tree: Tree, v: Values) -> Tree:
        gone = {path for path, text in files_below(tree, v) if short(lines_of(text), v["least"])}
        return {path: entry for path, entry in tree.items() if path not in gone}

    return slip


def _moded(ours: Callable[[str, str], bool]) -> Slip:
    def slip(tree: Tree, v: Values) -> Tree:
        found = dict(files_below(tree, v))
        modes = {path: int(v["ours"] if ours(path, text) else v["theirs"], 8) for path, text in found.items()}
        return {path: entry._replace(mode=modes.get(path, entry.mode)) for path, entry in tree.items()}

    return slip


def _adjacent_once(lines: list[str]) -> list[str]:
    return [line for at, line in enumerate(lines) if at == 0 or lines[at - 1] != line]


def _last_of_each(lines: list[str]) -> list[str]:
    return list(dict.fromkeys(reversed(lines)))[::-1]


def _swapped_words(line: str, v: Values) -> str:
    return " ".join(v["new"] if word == v["old"] else word for word in line.split(" "))


SLIPS: Final[dict[str, dict[str, Slip]]] = {
    "rename": {"flat": _flat("rename"), "everywhere": _everywhere("rename"), "in the name": _rename_anywhere},
    "number": {
        "deep": _numbered(len, deep=True),
        "different lines": _numbered(lambda lines: len(set(lines))),
        "words": _numbered(lambda lines: len(" ".join(lines).split())),
    },
    "gather": {
        "flat": _flat("gather"),
        "everywhere": _everywhere("gather"),
        "any case": _moving(lambda lines, v: any(v["word"].lower() in line.lower() for line in lines)),
        "whole word": _moving(lambda lines, v: any(_has_word(line, v["word"]) for line in lines)),
        "first line": _moving(lambda lines, v: v["word"] in lines[0]),
    },
    "extract": {
        "flat": _flat("extract"),
        "everywhere": _everywhere("extract"),
        "any suffix": _any_suffix("extract"),
        "any case": _extracted(lambda line, word: word.lower() in line.lower()),
        "whole word": _extracted(_has_word),
        "repeated": _reporting(
            lambda files, v: sorted(_matching(files, lambda line: v["word"] in line), key=str.encode)
        ),
        "not sorted": _reporting(
            lambda files, v: list(dict.fromkeys(_matching(files, lambda line: v["word"] in line)))
        ),
        "order of a dictionary": _reporting(
            lambda files, v: sorted(set(_matching(files, lambda line: v["word"] in line)), key=lambda s: (s.lower(), s))
        ),
    },
    "count": {
        "flat": _flat("count"),
        "everywhere": _everywhere("count"),
        "different lines": _reporting(lambda files, v: [f"{len(set(lines))} {path}" for path, lines in files], ""),
        "by number": _reporting(
            lambda files, v: [f"{n} {path}" for n, path in sorted((len(lines), path) for path, lines in files)], ""
        ),
        "directory by directory": _reporting(
            lambda files, v: [
                f"{len(lines)} {path}" for path, lines in sorted(files, key=lambda file: (file[0].count("/"), file[0]))
            ],
            "",
        ),
    },
    "totals": {
        "flat": _flat("totals"),
        "everywhere": _everywhere("totals"),
        "last": _summed(lambda numbers: numbers[-1]),
        "largest": _summed(max),
        "how many": _summed(len),
        "different numbers": _summed(lambda numbers: sum(set(numbers))),
    },
    "dedupe": {
        "flat": _flat("dedupe"),
        "everywhere": _everywhere("dedupe"),
        "any suffix": _any_suffix("dedupe"),
        "neighbours": _rewriting(lambda lines, v: _adjacent_once(lines)),
        "sorted": _rewriting(lambda lines, v: sorted(set(lines), key=str.encode)),
        "keep the last": _rewriting(lambda lines, v: _last_of_each(lines)),
        "keep the unrepeated": _rewriting(lambda lines, v: [line for line in lines if lines.count(line) == 1]),
    },
    "rank": {
        "flat": _flat("rank"),
        "everywhere": _everywhere("rank"),
        "smallest first": _rewriting(lambda lines, v: sorted(lines, key=lambda s: (_number(s), s.encode())), ".csv"),
        "as text": _rewriting(
            lambda lines, v: sorted(sorted(lines, key=str.encode), key=lambda s: s.partition(",")[2], reverse=True),
            ".csv",
        ),
        "ties as they were": _rewriting(lambda lines, v: sorted(lines, key=_number, reverse=True), ".csv"),
        "ties reversed": _rewriting(
            lambda lines, v: sorted(lines, key=lambda s: (_number(s), s.encode()), reverse=True), ".csv"
        ),
        "once each": _rewriting(lambda lines, v: sorted(set(lines), key=lambda s: (-_number(s), s.encode())), ".csv"),
    },
    "tail": {
        "flat": _flat("tail"),
        "everywhere": _everywhere("tail"),
        "any suffix": _any_suffix("tail"),
        "the first": _rewriting(lambda lines, v: lines[: v["most"]]),
        "one fewer": _rewriting(lambda lines, v: lines[1 - v["most"] :]),
        "one more": _rewriting(lambda lines, v: lines[-v["most"] - 1 :]),
    },
    "remove": {
        "flat": _flat("remove"),
        "everywhere": _everywhere("remove"),
        "as many": _removing(lambda lines, least: len(lines) <= least),
        "one fewer": _removing(lambda lines, least: len(lines) < least - 1),
        "different lines": _removing(lambda lines, least: len(set(lines)) < least),
    },
    "replace": {
        "flat": _flat("replace"),
        "everywhere": _everywhere("replace"),
        "any suffix": _any_suffix("replace"),
        "first in a line": _rewriting(lambda lines, v: [line.replace(v["old"], v["new"], 1) for line in lines]),
        "whole word": _rewriting(lambda lines, v: [_swapped_words(line, v) for line in lines]),
        "any case": _rewriting(
            lambda lines, v: [
                line.replace(v["old"], v["new"]).replace(other_case(v["old"]), v["new"]) for line in lines
            ]
        ),
    },
    "link": {"flat": _flat("link"), "everywhere": _everywhere("link"), "any suffix": _any_suffix("link")},
    "modes": {
        "flat": _flat("modes"),
        "everywhere": _everywhere("modes"),
        "by suffix": _moded(lambda path, text: path.endswith(".sh")),
        "in any line": _moded(lambda path, text: "#!" in text),
        "in any first place": _moded(lambda path, text: any(line.startswith("#!") for line in lines_of(text))),
    },
}
"""Slips by step and name."""
