"""Trees of files and steps that change them: what is computed against bash, run in a folder of the test's own."""

from __future__ import annotations

import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st

from envhub.core.seeding import Stream
from envhub.envs.code.shell import tree as file_tree
from envhub.envs.code.shell.steps import STEPS, Drawn, Entry, Tree

pytestmark = pytest.mark.slow


def bash(folder: Path, texts: dict[str, str], steps: list[Drawn]) -> Tree:
    """What the scripts make of the texts, without modes."""
    for path, text in texts.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    for step in steps:
        source = file_tree.script(step).replace("/tmp/step", str(folder.parent / "step"))
        subprocess.run(["bash", "-e", "-c", source], cwd=folder, check=True)
    found: Tree = {}
    for path in folder.rglob("*"):
        name = str(path.relative_to(folder))
        if path.is_symlink():
            found[name] = Entry(target=str(path.readlink()))
        elif path.is_file():
            found[name] = Entry(path.read_text(), mode=path.stat().st_mode & 0o777)
    return found


def with_modes_of(tree: Tree, found: Tree) -> Tree:
    """The tree, with the mode that was found where no step sets one."""
    return {path: entry if entry.mode else entry._replace(mode=found[path].mode) for path, entry in tree.items()}


def of_each_kind(count: int = 400) -> dict[str, list[tuple[dict[str, str], list[Drawn], Tree]]]:
    found: dict[str, list[tuple[dict[str, str], list[Drawn], Tree]]] = {name: [] for name in STEPS}
    for seed in range(count):
        drawn = file_tree.draw(Stream(b"step", seed), 6, spaces=True, steps=1)
        if drawn is not None:
            found[drawn[1][0][0]].append(drawn[:3])
    return found


DRAWN = of_each_kind()


@pytest.mark.parametrize("name", STEPS)
def test_a_step_is_what_its_script_does(name: str, tmp_path: Path) -> None:
    assert len(DRAWN[name]) >= 4, "hardly ever drawn"
    for number, (texts, steps, after) in enumerate(DRAWN[name][:4]):
        found = bash(tmp_path / str(number) / "tree", texts, steps)
        assert set(found) == set(after)
        assert found == with_modes_of(after, found)


# what somebody in a hurry would write instead, independent of the slips that the tasks are drawn against
HASTE = {
    "rename": [("-name '*.{old}'", "-name '*.{old}*'"), ("find {dir}", "find {dir} -maxdepth 1")],
    "number": [("-maxdepth 1 ", ""), ("wc -l", "wc -w")],
    "gather": [
        ("-rlF", "-rliF"),
        ("-rlF", "-rlwF"),
        ("-rlF '{word}' {dir}", "-lF '{word}' {dir}/*.*"),
        ("{dir} |", ". |"),
    ],
    "extract": [("grep -F", "grep -iF"), ("grep -F", "grep -wF"), ("sort -u", "sort"), ("LC_ALL=C sort -u", "uniq")],
    "count": [("sort |", "sort -r |"), ("find {dir}", "find {dir} -maxdepth 1"), ("find {dir}", "find *")],
    "totals": [("+= $2", "= $2"), ("find {dir}", "find {dir} -maxdepth 1"), ("+= $2", "+= 1")],
    "dedupe": [
        ("awk '!seen[$0]++'", "uniq"),
        ("awk '!seen[$0]++'", "LC_ALL=C sort -u"),
        ("awk '!seen[$0]++'", "uniq -u"),
    ],
    "rank": [("-k2,2nr", "-k2,2r"), ("-k2,2nr", "-k2,2n"), ("-k2,2nr", "-s -k2,2nr"), ("-k2,2nr", "-u -k2,2nr")],
    "tail": [("tail -n", "head -n"), ("tail -n {most}", "tail -n 1"), ("find {dir}", "find {dir} -maxdepth 1")],
    "remove": [("-lt", "-le"), ("find {dir}", "find {dir} -maxdepth 1"), ("find {dir}", "find *")],
    "replace": [("/g'", "/'"), ("/g'", "/gi'"), ("s/{old}/", "s/\\b{old}\\b/"), ("-name '*.{suffix}' ", "")],
    "link": [("-name '*.{suffix}' ", ""), ("find {dir}", "find {dir} -maxdepth 1")],
    "modes": [('"$(head -c 2 "$f")"', '"$(grep -o "#!" "$f" | head -n 1)"'), ("find {dir}", "find {dir} -maxdepth 1")],
}


@pytest.mark.parametrize("name", STEPS)
def test_a_script_written_in_haste_leads_elsewhere(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert set(HASTE) == set(STEPS)
    right = STEPS[name]
    for number, (old, new) in enumerate(HASTE[name]):
        assert old in right.script, (old, right.script)
        monkeypatch.setitem(STEPS, name, replace(right, script=right.script.replace(old, new)))
        texts, steps, after = DRAWN[name][number % len(DRAWN[name])]
        found = bash(tmp_path / str(number) / "tree", texts, steps)
        assert set(found) != set(after) or found != with_modes_of(after, found), (old, new)


@settings(max_examples=12)
@given(seed=st.integers(0, 10**6), count=st.integers(2, 6))
def test_steps_one_after_the_other(seed: int, count: int, tmp_path_factory: pytest.TempPathFactory) -> None:
    drawn = file_tree.draw(Stream(b"steps", seed), 8, spaces=True, steps=count)
    if drawn is None:
        return
    texts, steps, after, handled = drawn
    assert file_tree.exposed(texts, steps)
    assert len({name for name, _ in steps}) == len(steps) == count
    assert handled >= 2 * count
    assert "modes" not in [name for name, _ in steps[:-1]]
    found = bash(tmp_path_factory.mktemp("steps") / "tree", texts, steps)
    assert set(found) == set(after)
    assert found == with_modes_of(after, found)


def test_steps_whose_slips_do_not_show_are_refused() -> None:
    texts = {"inbox/a.txt": "disk\n", "inbox/b.txt": "disk\n", "store/c.txt": "queue\n"}
    steps: list[Drawn] = [("gather", {"dir": "inbox", "word": "disk", "to": "found"})]
    assert not file_tree.exposed(texts, steps)
    traps = {"inbox/d.txt": "Disk\n", "inbox/e.txt": "disks\n", "inbox/old/f.txt": "x\ndisk\n", "store/g.txt": "disk\n"}
    assert file_tree.exposed({**texts, **traps}, steps)
    for path in traps:
        assert not file_tree.exposed({**texts, **{other: traps[other] for other in traps if other != path}}, steps)


def test_no_two_files_have_one_name() -> None:
    for seed in range(20):
        drawn = file_tree.draw(Stream(b"names", seed), 20, spaces=bool(seed % 2), steps=2)
        if drawn is None:
            continue
        stems = [path.rpartition("/")[2].partition(".")[0] for path in drawn[0]]
        assert len(set(stems)) == len(stems) >= 20
        assert all(text.endswith("\n") and "\n\n" not in text for text in drawn[0].values())


def test_the_words_name_every_value() -> None:
    for name, step in STEPS.items():
        rng = Stream(b"words", name)
        tree = {path: Entry("x\n") for path in ("inbox/a.txt", "store/b.csv")}
        values = step.draw(rng, tree)
        text = file_tree.tell((name, values))
        assert all(str(value) in text for value in values.values()), name
        assert "{" not in text
