"""Step kinds of :mod:`envhub.envs.code.shell.tree`: words, effect and bash script.

``dir`` is a top-level directory; below it includes its subdirectories. Order is byte order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from envhub.core.seeding import Stream


class Entry(NamedTuple):
    """The file or link at a path.

    Attributes:
        text: Content of a regular file.
        target: Target of a link.
        mode: The permission bits, if a step sets them.
    """

    text: str = ""
    target: str | None = None
    mode: int | None = None


Tree = dict[str, Entry]
Values = dict[str, Any]
Drawn = tuple[str, Values]
REPORTS: Final = "reports"
EVERYWHERE: Final = "."
_MOVED: Final = ("chosen", "picked", "sorted", "found")
_LINKED: Final = ("links", "shelf", "index")
_NEW: Final = {"log": "trace", "csv": "data", "txt": "md", "cfg": "conf", "sh": "bash"}
_WORDS: Final = (
    "ERROR",
    "WARN",
    "disk",
    "queue",
    "cache",
    "login",
    "backup",
    "sensor",
    "full",
    "slow",
    "lost",
    "ann",
    "bob",
)
_SWAPS: Final = (
    ("disk", "drive"),
    ("queue", "line"),
    ("login", "entry"),
    ("sensor", "probe"),
    ("slow", "lazy"),
    ("full", "packed"),
)


@dataclass(frozen=True, slots=True)
class Step:
    """One kind of step.

    Attributes:
        words: The instruction, with placeholders for the values.
        script: The same in bash.
        draw: Draws the values for a tree.
        apply: Returns the new tree and the number of files handled.
    """

    words: str
    script: str
    draw: Callable[[Stream, Tree], Values]
    apply: Callable[[Tree, Values], tuple[Tree, int]]


def files_below(tree: Tree, v: Values, suffix: str = "") -> Iterator[tuple[str, str]]:
    """Regular files below a directory, in path order."""
    prefix = "" if v["dir"] == EVERYWHERE else v["dir"] + "/"
    for path in sorted(path for path in tree if path.startswith(prefix) and path.endswith(suffix)):
        if tree[path].target is None:
            yield path, tree[path].text


def suffix_of(v: Values) -> str:
    """The suffix with its dot; empty where a slip takes every file."""
    return "." + v["suffix"] if v["suffix"] else ""


def lines_of(text: str) -> list[str]:
    """The lines of a text that ends with a newline."""
    return text.split("\n")[:-1]


def joined(lines: list[str]) -> str:
    """The text made of these lines."""
    return "".join(line + "\n" for line in lines)


def _dir(rng: Stream, tree: Tree) -> str:
    made = {REPORTS, *_MOVED, *_LINKED}  # files created by steps; traps can only be laid in the initial tree
    return rng.choice(sorted({path.split("/")[0] for path in tree if tree[path].target is None} - made))


def base_name(path: str) -> str:
    """The last part of a path."""
    return path.rpartition("/")[2]


def _rewrite(tree: Tree, v: Values, suffix: str, change: Callable[[list[str]], list[str]]) -> tuple[Tree, int]:
    """Every file of a suffix with its lines changed."""
    after = dict(tree)
    for path, text in files_below(tree, v, suffix):
        after[path] = tree[path]._replace(text=joined(change(lines_of(text))))
    return after, sum(after[path] != tree[path] for path in tree)


def _move(tree: Tree, moves: dict[str, str]) -> tuple[Tree, int]:
    return {moves.get(path, path): entry for path, entry in tree.items()}, len(moves)


def _report(tree: Tree, v: Values, lines: list[str], read: int) -> tuple[Tree, int]:
    return {**tree, v["out"]: Entry(joined(lines))}, read if len(lines) > 1 else 0


def _out(rng: Stream, tree: Tree, kind: str) -> str:
    free = [f"{REPORTS}/{kind}{number}.txt" for number in range(1, 60)]
    return rng.choice([path for path in free if path not in tree])


def _rename(tree: Tree, v: Values) -> tuple[Tree, int]:
    cut = len(v["old"])
    return _move(tree, {path: path[:-cut] + v["new"] for path, _ in files_below(tree, v, "." + v["old"])})


def _draw_rename(rng: Stream, tree: Tree) -> Values:
    old = rng.choice(list(_NEW))
    return {"dir": _dir(rng, tree), "old": old, "new": _NEW[old]}


def _number(tree: Tree, v: Values) -> tuple[Tree, int]:
    here = {path: text for path, text in files_below(tree, v) if path.count("/") == 1}
    return _move(tree, {path: f"{v['dir']}/{len(lines_of(text))}-{base_name(path)}" for path, text in here.items()})


def _gather(tree: Tree, v: Values) -> tuple[Tree, int]:
    return _move(
        tree, {path: f"{v['to']}/{base_name(path)}" for path, text in files_below(tree, v) if v["word"] in text}
    )


def _draw_gather(rng: Stream, tree: Tree) -> Values:
    return {"dir": _dir(rng, tree), "word": rng.choice(_WORDS), "to": rng.choice(_MOVED)}


def _extract(tree: Tree, v: Values) -> tuple[Tree, int]:
    read = [text for _, text in files_below(tree, v, suffix_of(v))]
    found = {line for text in read for line in lines_of(text) if v["word"] in line}
    return _report(tree, v, sorted(found, key=str.encode), len(read))


def _draw_extract(rng: Stream, tree: Tree) -> Values:
    word, suffix = rng.choice(_WORDS), rng.choice(("log", "txt", "cfg"))
    return {"dir": _dir(rng, tree), "word": word, "suffix": suffix, "out": _out(rng, tree, "lines")}


def _count(tree: Tree, v: Values) -> tuple[Tree, int]:
    rows = [f"{len(lines_of(text))} {path}" for path, text in files_below(tree, v)]
    return _report(tree, v, rows, len(rows))


def _totals(tree: Tree, v: Values) -> tuple[Tree, int]:
    sums: dict[str, int] = {}
    read = [text for _, text in files_below(tree, v, ".csv")]
    for line in (line for text in read for line in lines_of(text)):
        name, _, number = line.partition(",")
        sums[name] = sums.get(name, 0) + int(number)
    return _report(tree, v, [f"{name},{sums[name]}" for name in sorted(sums)], len(read))


def _draw_remove(rng: Stream, tree: Tree) -> Values:
    return {"dir": _dir(rng, tree), "least": rng.between(4, 7)}


def _remove(tree: Tree, v: Values) -> tuple[Tree, int]:
    gone = {path for path, text in files_below(tree, v) if len(lines_of(text)) < v["least"]}
    return {path: entry for path, entry in tree.items() if path not in gone}, len(gone)


def _draw_replace(rng: Stream, tree: Tree) -> Values:
    old, new = rng.choice(_SWAPS)
    return {"dir": _dir(rng, tree), "old": old, "new": new, "suffix": rng.choice(("log", "txt", "cfg", "sh"))}


def _replace(tree: Tree, v: Values) -> tuple[Tree, int]:
    return _rewrite(tree, v, suffix_of(v), lambda lines: [line.replace(v["old"], v["new"]) for line in lines])


def _link(tree: Tree, v: Values) -> tuple[Tree, int]:
    found = [path for path, _ in files_below(tree, v, suffix_of(v))]
    return {**tree, **{f"{v['to']}/{base_name(path)}": Entry(target="../" + path) for path in found}}, len(found)


def _draw_link(rng: Stream, tree: Tree) -> Values:
    return {"dir": _dir(rng, tree), "suffix": rng.choice(list(_NEW)), "to": rng.choice(_LINKED)}


def _draw_modes(rng: Stream, tree: Tree) -> Values:
    ours, theirs = rng.choice((("755", "640"), ("700", "600"), ("750", "444"), ("744", "664")))
    return {"dir": _dir(rng, tree), "ours": ours, "theirs": theirs}


def _modes(tree: Tree, v: Values) -> tuple[Tree, int]:
    found = dict(files_below(tree, v))
    modes = {path: int(v["ours"] if text.startswith("#!") else v["theirs"], 8) for path, text in found.items()}
    both = len(set(modes.values())) == 2
    return {path: e._replace(mode=modes.get(path, e.mode)) for path, e in tree.items()}, len(modes) if both else 0


def _ranked(lines: list[str]) -> list[str]:
    return sorted(lines, key=lambda line: (-int(line.partition(",")[2]), line.encode()))


def _draw_tail(rng: Stream, tree: Tree) -> Values:
    return {"dir": _dir(rng, tree), "suffix": rng.choice(("log", "txt", "cfg")), "most": rng.between(2, 5)}


_EACH: Final = "find {dir} -type f -name '*.{suffix}' | while IFS= read -r f; do "
_CSV: Final = "find {dir} -type f -name '*.csv' | while IFS= read -r f; do "
_BACK: Final = ' > /tmp/step && cat /tmp/step > "$f"; done'

STEPS: Final[dict[str, Step]] = {
    "rename": Step(
        "Rename every file below {dir} whose name ends in .{old}, so that its name ends in .{new} instead.",
        'find {dir} -type f -name \'*.{old}\' | while IFS= read -r f; do mv "$f" "${{f%.{old}}}.{new}"; done',
        _draw_rename,
        _rename,
    ),
    "number": Step(
        "Rename every file that lies directly in {dir} (not those in its subdirectories): put the number of its lines "
        "and a hyphen before its name.",
        'find {dir} -maxdepth 1 -type f | while IFS= read -r f; do mv "$f" "{dir}/$(wc -l < "$f")-${{f##*/}}"; done',
        lambda rng, tree: {"dir": _dir(rng, tree)},
        _number,
    ),
    "gather": Step(
        'Move every file below {dir} that contains the text "{word}" into the directory {to} at the top, keeping its '
        "name.",
        "mkdir -p {to}; grep -rlF '{word}' {dir} | while IFS= read -r f; do mv \"$f\" {to}/; done",
        _draw_gather,
        _gather,
    ),
    "extract": Step(
        'Write to {out} the lines that contain the text "{word}", from all files below {dir} whose names end in .{suffix}. '
        "Write each different line once, in byte order.",
        "mkdir -p reports; find {dir} -type f -name '*.{suffix}' -exec cat {{}} + | grep -F '{word}' | LC_ALL=C sort "
        "-u > {out}",
        _draw_extract,
        _extract,
    ),
    "count": Step(
        "Write to {out} one line for each file below {dir}: the number of its lines, a space and its path, such as "
        "{dir}/a/b.txt. Sort these lines by path, in byte order.",
        'mkdir -p reports; find {dir} -type f | LC_ALL=C sort | while IFS= read -r f; do echo "$(wc -l < "$f") $f"; '
        "done > {out}",
        lambda rng, tree: {"dir": _dir(rng, tree), "out": _out(rng, tree, "sizes")},
        _count,
    ),
    "totals": Step(
        "In the files below {dir} whose names end in .csv, each line is a name, a comma and a number. Write to {out} "
        "one line for each name in them: the name, a comma and the sum of its numbers in all these files. Sort these lines by "
        "name, in byte order.",
        "mkdir -p reports; find {dir} -type f -name '*.csv' -exec cat {{}} + | awk -F, '{{s[$1] += $2}} END {{for (n "
        'in s) print n "," s[n]}}\' | LC_ALL=C sort > {out}',
        lambda rng, tree: {"dir": _dir(rng, tree), "out": _out(rng, tree, "totals")},
        _totals,
    ),
    "dedupe": Step(
        "In every file below {dir} whose name ends in .{suffix}, remove repeated lines: of equal lines, keep only the "
        "first. Do not change the order of the lines.",
        _EACH + "awk '!seen[$0]++' \"$f\"" + _BACK,
        lambda rng, tree: {"dir": _dir(rng, tree), "suffix": rng.choice(("log", "txt", "csv"))},
        lambda tree, v: _rewrite(tree, v, suffix_of(v), lambda lines: list(dict.fromkeys(lines))),
    ),
    "rank": Step(
        "Sort the lines of every file below {dir} whose name ends in .csv by the number after the comma, largest number "
        "first. Sort lines with the same number in byte order.",
        _CSV + 'LC_ALL=C sort -t, -k2,2nr -o "$f" "$f"; done',
        lambda rng, tree: {"dir": _dir(rng, tree)},
        lambda tree, v: _rewrite(tree, v, ".csv", _ranked),
    ),
    "tail": Step(
        "In every file below {dir} whose name ends in .{suffix}, keep only the last {most} lines, or all lines if there "
        "are fewer.",
        _EACH + 'tail -n {most} "$f"' + _BACK,
        _draw_tail,
        lambda tree, v: _rewrite(tree, v, suffix_of(v), lambda lines: lines[-v["most"] :]),
    ),
    "remove": Step(
        "Delete every file below {dir} that has fewer than {least} lines.",
        'find {dir} -type f | while IFS= read -r f; do if [ "$(wc -l < "$f")" -lt {least} ]; then rm "$f"; fi; done',
        _draw_remove,
        _remove,
    ),
    "replace": Step(
        'In every file below {dir} whose name ends in .{suffix}, replace every occurrence of the text "{old}" by '
        '"{new}".',
        _EACH + "sed -i 's/{old}/{new}/g' \"$f\"; done",
        _draw_replace,
        _replace,
    ),
    "link": Step(
        "For every file below {dir} whose name ends in .{suffix}, make a symbolic link of the same name in the "
        "directory {to} at the top; its target is the file's path with ../ before it, such as ../{dir}/a/b.{suffix}.",
        "mkdir -p {to}; " + _EACH + 'ln -s "../$f" {to}/; done',
        _draw_link,
        _link,
    ),
    "modes": Step(
        "Give every file below {dir} whose first line begins with #! the mode {ours}, and every other file below {dir} "
        "the mode {theirs}.",
        'find {dir} -type f | while IFS= read -r f; do case "$(head -c 2 "$f")" in \'#!\') chmod {ours} "$f";; *) '
        'chmod {theirs} "$f";; esac; done',
        _draw_modes,
        _modes,
    ),
}
