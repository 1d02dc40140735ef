"""Trees of files and steps that change them: what is computed against bash, run in a folder of the test's own."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st

from envhub.generators import file_tree
from envhub.generators.file_steps import STEPS, Drawn, Entry, Tree
from envhub.seeding import Stream


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


@pytest.mark.parametrize("name", STEPS)
def test_a_step_is_what_its_script_does(name: str, tmp_path: Path) -> None:
    seen = 0
    for seed in range(300):
        rng = Stream(b"step", name, seed)
        texts = file_tree.draw_tree(rng, 14, spaces=True)
        tree = {path: Entry(text) for path, text in texts.items()}
        values = STEPS[name].draw(rng, tree)
        after, touched = STEPS[name].apply(tree, values)
        if touched < 2:
            continue
        assert after != tree or name in ("dedupe", "rank", "tail")
        found = bash(tmp_path / str(seed) / "tree", texts, [(name, values)])
        assert set(found) == set(after)
        assert found == with_modes_of(after, found)
        seen += 1
        if seen == 4:
            return
    pytest.fail("hardly ever touches anything")


@settings(max_examples=12)
@given(seed=st.integers(0, 10**6), count=st.integers(2, 6))
def test_steps_one_after_the_other(seed: int, count: int, tmp_path_factory: pytest.TempPathFactory) -> None:
    rng = Stream(b"steps", seed)
    texts = file_tree.draw_tree(rng, 20, spaces=True)
    drawn = file_tree.draw_steps(rng, texts, count)
    if drawn is None:
        return
    steps, after, handled = drawn
    assert len({name for name, _ in steps}) == len(steps) == count
    assert handled >= 2 * count
    assert "modes" not in [name for name, _ in steps[:-1]]
    found = bash(tmp_path_factory.mktemp("steps") / "tree", texts, steps)
    assert set(found) == set(after)
    assert found == with_modes_of(after, found)


def test_no_two_files_have_one_name() -> None:
    for seed in range(50):
        texts = file_tree.draw_tree(Stream(b"names", seed), 40, spaces=bool(seed % 2))
        assert len(texts) == 40
        assert len({path.rpartition("/")[2].partition(".")[0] for path in texts}) == 40
        assert all(text.endswith("\n") and "\n\n" not in text for text in texts.values())


def test_the_words_name_every_value() -> None:
    for name, step in STEPS.items():
        rng = Stream(b"words", name)
        tree = {path: Entry(text) for path, text in file_tree.draw_tree(rng, 14, spaces=False).items()}
        values = step.draw(rng, tree)
        text = file_tree.tell((name, values))
        assert all(str(value) in text for value in values.values()), name
        assert "{" not in text
