"""picture-qa-v0: a reader of the prompt's text alone finds the same answers."""

from __future__ import annotations

import json
import re
from collections import Counter
from typing import Any, cast

import pytest

import envhub
from envhub.authoring.wording import PLAIN
from envhub.core.seeding import Stream
from envhub.core.types import Instance
from envhub.envs.pictures.picture_qa.environment import KINDS, SOURCES, PictureQA
from envhub.envs.pictures.picture_qa.source import Played
from envhub.scenes import Text

ENV = PictureQA()
LOOKS = ("count", "where", "around", "areas", "reach", "slide", "at", "busiest")


def drawn(kind: str, source: str, level: int, seed: int) -> Instance | None:
    rng, p = Stream(bytes([seed, level]), kind, source), cast(Any, PictureQA.Params.at(level))
    state = KINDS[kind].position(rng, SOURCES[source], level)
    asked = None if state is None else KINDS[kind].ask(rng, SOURCES[source], state, p.depth)
    if asked is None:
        return None
    key = KINDS[kind].answer(SOURCES[source], *asked)
    problem = {"source": source, "state": asked[0], "kind": kind, "ask": asked[1], "depth": p.depth}
    return Instance(problem, key=key)


def board_of(text: str) -> list[list[str]]:
    """The first board in a prompt in the plain wording."""
    block = re.search(r"^(?:Grid|Board|Numbers):\n((?:[^\n]+\n)+)", text, re.MULTILINE)
    assert block, text
    rows = [line.split() for line in block[1].splitlines()]
    width = Counter(map(len, rows[:3])).most_common(1)[0][0]
    kept = []
    for row in rows:
        if len(row) != width or row[:2] == ["A", "dot"] or row[1:2] == ["is"]:
            break
        kept.append(row)
    return kept


def wanted(text: str, name: str) -> str:
    """The symbol that a prompt calls by a name."""
    found = re.search(rf"(?:^|[ \n])(\S+) is an? {re.escape(name)}\.", text)
    return "." if name == "empty" else found[1] if found else name


def solved(text: str, kind: str) -> list[str] | None:
    """A second implementation: it reads the text of the plain wording, and nothing else."""
    rows, task = board_of(text), text.split("\n\n")[0]
    cells = {(r + 1, c + 1): sign for r, row in enumerate(rows) for c, sign in enumerate(row)}
    named = [(int(r), int(c)) for r, c in re.findall(r"r(\d+)c(\d+)", task)]
    said = re.search(
        r"(?:contain an? ([^.,?]+?)|contain ([^ .,?]+)|are (empty)|are ([a-z ]+ cell)s)(?: in |[.,?]| form)", task
    )
    sign = wanted(text, next(filter(None, said.groups()))) if said else ""
    same = {cell for cell, here in cells.items() if here == sign}
    if kind == "at":
        words = [cells[cell] for cell in named]
        meant = dict(re.findall(r"(?:^|[ \n])(\S+) is an? ([^.\n]+)\.", text))
        return ["empty" if word == "." else meant.get(word, word) for word in words]
    if kind == "count":
        lines = re.findall(r"(row|column) (\d+)|(the whole board)", task)
        tests = {"row": lambda cell, k: cell[0] == k, "column": lambda cell, k: cell[1] == k}
        return [str(sum(bool(whole) or tests[name](cell, int(k)) for cell in same)) for name, k, whole in lines]
    if kind == "where":
        return [f"r{r}c{c}" for r, c in sorted(same)]
    if kind == "around":
        return [str(sum(max(abs(r - a), abs(c - b)) == 1 for a, b in same)) for r, c in named]
    if kind == "busiest":
        return [str(n) for at in (0, 1) for n in Counter(cell[at] for cell in same).most_common(1)[0]]
    groups = {cell: cell for cell in same}  # labels spread until nothing changes
    changed = True
    while changed:
        changed = False
        for r, c in same:
            best = min(groups[n] for n in ((r, c), (r + 1, c), (r - 1, c), (r, c + 1), (r, c - 1)) if n in same)
            changed |= best != groups[r, c]
            groups[r, c] = best
    if kind == "areas":
        return list(map(str, sorted(Counter(groups.values()).values(), reverse=True)))
    if kind == "reach":
        start, goal = named[0], named[1]
        steps, front = 0, {start}
        while goal not in front and steps < 500:
            front |= {n for r, c in front for n in ((r + 1, c), (r - 1, c), (r, c + 1), (r, c - 1)) if n in same}
            steps += 1
        return [str(steps), str(list(groups.values()).count(groups[start]))]
    ways = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}
    at, total = named[0], 0
    for way in re.findall(r"\b(up|down|left|right)\b", task.split("one after the other")[0]):
        while (at[0] + ways[way][0], at[1] + ways[way][1]) in same:
            at, total = (at[0] + ways[way][0], at[1] + ways[way][1]), total + 1
    return [f"r{at[0]}c{at[1]}", str(total)]


@pytest.mark.parametrize("kind", LOOKS)
def test_a_reader_of_the_text_finds_the_same_answers(kind: str) -> None:
    fitting = [name for name in SOURCES if KINDS[kind].fits(SOURCES[name])]
    found = [drawn(kind, name, level, seed) for name in fitting for level in (1, 5) for seed in range(2)]
    asked = [inst for inst in found if inst is not None]
    assert len(asked) > 20
    for inst in asked:
        answer = solved(ENV.worded(inst.problem, PLAIN), kind)
        assert answer == inst.key, (inst.problem["source"], ENV.worded(inst.problem, PLAIN), inst.key)


def test_there_are_thirty_sources_and_each_has_eight_kinds() -> None:
    assert len(SOURCES) >= 30
    for name, source in SOURCES.items():
        kinds = [kind for kind in KINDS if KINDS[kind].fits(source)]
        assert len(kinds) >= 6, name


def test_the_only_wrong_cell_is_the_one_that_was_changed() -> None:
    for name in ("sudoku", "light-up", "binario", "kakurasu"):
        inst = next(filter(None, (drawn("wrong", name, 3, seed) for seed in range(9))))
        source = SOURCES[name]
        cell, word = inst.key
        view = source.view(inst.problem["state"])
        r, c = map(int, re.findall(r"\d+", cell))
        assert view.word(view.at((r - 1, c - 1))) != word


def test_a_hidden_rule_is_determined_by_its_examples() -> None:
    for seed in range(6):
        inst = drawn("hidden rule", "othello", 5, seed)
        if inst is None:
            continue
        rows = SOURCES["othello"].view(inst.problem["state"]).rows
        answers = set()
        for sign in ".XO":
            for place in range(7):
                numbers = [counted(rows, tuple(cell), sign, place) for cell, _ in inst.problem["ask"]["shown"]]
                if numbers == [value for _, value in inst.problem["ask"]["shown"]]:
                    cells = inst.problem["ask"]["cells"]
                    answers.add(tuple(str(counted(rows, tuple(cell), sign, place)) for cell in cells))
        assert answers == {tuple(inst.key)}


def counted(rows, cell, sign, place) -> int:  # type: ignore[no-untyped-def]
    r, c = cell
    cells = [(a, b) for a in range(8) for b in range(8) if rows[a][b] == sign]
    tests = (
        lambda a, b: a == r,
        lambda a, b: b == c,
        lambda a, b: a == r or b == c,
        lambda a, b: max(abs(a - r), abs(b - c)) == 1,
        lambda a, b: abs(a - r) + abs(b - c) == 1,
        lambda a, b: b == c and a < r,
        lambda a, b: a == r and b < c,
    )
    return sum(tests[place](a, b) for a, b in cells)


def test_moves_that_are_called_legal_can_be_made_and_others_cannot() -> None:
    for name in ("othello", "chess", "connect-four"):
        for seed in range(12):
            inst = drawn("legal", name, 10, seed)
            source = SOURCES[name]
            assert isinstance(source, Played)
            if inst is not None:
                legal = source.legal(inst.problem["state"])
                assert inst.key == [move for move in inst.problem["ask"]["moves"] if move in legal]
                assert 0 < len(inst.key) < len(inst.problem["ask"]["moves"])


def test_mate_in_one_is_the_best_move_of_chess() -> None:
    inst = next(filter(None, (drawn("best", "chess", 3, seed) for seed in range(30))))
    source = SOURCES["chess"]
    assert isinstance(source, Played)
    after = source.play(inst.problem["state"], inst.key[0])
    assert source.legal(after) == []


def test_the_text_beside_a_picture_does_not_contain_the_board() -> None:
    image = envhub.make("picture-qa-v0", difficulty=4, observation="image")
    for seed in range(40):
        prompt, info = image.reset(seed=seed)
        state = image.task.problem["state"]
        assert "picture" in prompt or "figure" in prompt
        assert json.dumps(state.get("values", state.get("board", "-"))) not in prompt
        rows = SOURCES[image.task.problem["source"]].view(state).rows
        assert all(" ".join(row) not in prompt for row in rows)
        assert info["images"]


def test_texts_in_pictures_do_not_overlap() -> None:
    for name, source in SOURCES.items():
        state = next(filter(None, (source.draw(Stream(bytes([k]), name), 8) for k in range(20))))
        places = [(s.x, s.y) for s in source.view(state).scene.shapes if isinstance(s, Text)]
        assert len(set(places)) == len(places), name


def test_a_wrong_item_is_not_accepted() -> None:
    env = envhub.make("picture-qa-v0", difficulty=2)
    for seed in range(10):
        env.reset(seed=seed)
        assert env.fork().step(env.solve())[1] == 1.0
        for wrong in cast(Any, env.environment).mistakes(env.episode.instance):
            assert env.fork().step(f"<answer>{wrong}</answer>")[1] == 0.0
