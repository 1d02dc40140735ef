"""Keeping a dataset apart from given texts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import envhub
from envhub.core.errors import InvalidParameters
from envhub.dataset import DatasetConfig, Exclusion, generate
from envhub.dataset.drawing import Drawer
from envhub.dataset.exclusion import ngrams
from tests.dataset.workshop import config, facts, known, marks, read, write_lines
from tests.support.toys import Sum

TEXT = "Natalia sold clips to 48 of her friends in April, and then she sold half as many clips in May."


def excluding(made: DatasetConfig, exclusion: Exclusion) -> DatasetConfig:
    return DatasetConfig.from_json({**made.to_json(), "exclude": exclusion.digest})


def task(id: str, seed: int, **settings: Any) -> envhub.Task:
    env = envhub.make(id, **{"wording": 0, **settings})
    env.reset(seed=seed)
    return env.task


@pytest.mark.parametrize(
    ("same", "differs"),
    [("one, TWO three!", "one two four"), ("straße 5", "strasse 6"), ("a_b", "ab"), ("\u2028x\ufeff y\r\n", "xy")],
)
def test_an_ngram_is_of_words_whatever_case_and_punctuation(same: str, differs: str) -> None:
    plain = {"one, TWO three!": "One two THREE", "straße 5": "STRASSE 5", "a_b": "a b"}.get(same, "x y")
    assert ngrams(same, 3) == ngrams(plain, 3)
    assert ngrams(same, 3).isdisjoint(ngrams(differs, 3))


def test_ngrams_are_windows_and_a_short_text_is_one() -> None:
    assert len(ngrams("a b c d e", 3)) == 3
    assert ngrams("a b c d e", 3) & ngrams("x b c d y", 3)
    assert ngrams("a b c d e", 3).isdisjoint(ngrams("a b x d e", 3))
    assert len(ngrams("a b", 13)) == 1
    assert ngrams("", 3) == ngrams("!?\ud800", 3) == set()
    assert ngrams("3 + 4", 3).isdisjoint(ngrams("3 - 4", 3))


def test_the_digest_is_of_what_is_excluded(tmp_path: Path) -> None:
    one, other = tmp_path / "one.txt", tmp_path / "other.txt"
    one.write_text(TEXT)
    other.write_text(TEXT.upper() + "\n\n")
    assert (
        Exclusion.of_files([one]).digest == Exclusion.of_files([other]).digest == Exclusion.of_files([one] * 2).digest
    )
    digests = {Exclusion.of_files([one], n).digest for n in (5, 8, 13)} | {Exclusion().digest}
    assert len(digests) == 4
    assert not Exclusion.of_files([])
    assert Exclusion.of_files([one])


def test_the_fingerprints_of_our_rows_are_kept_out_whatever_their_format(tmp_path: Path) -> None:
    made = config("countdown-v0", rows=20, levels=(1, 1))
    free = generate(made, tmp_path / "free.jsonl", processes=1)
    wanted = marks(tmp_path / "free.jsonl")
    for number, (layout, kind) in enumerate([("trl", "jsonl"), ("verifiers", "parquet"), ("nemo-gym", "jsonl")]):
        given = tmp_path / f"given{number}.{kind}"
        generate(
            DatasetConfig.from_json({**made.to_json(), "format": layout, "splits": {"train": 8}}), given, processes=1
        )
        exclusion = Exclusion.of_files([given])
        assert exclusion.fingerprints == set(wanted[:8])
        assert exclusion.ngrams == frozenset()
        out = tmp_path / f"out{number}.jsonl"
        generate(excluding(made, exclusion), out, exclusion=exclusion, processes=1)
        assert len(marks(out)) == 20
        assert set(marks(out)).isdisjoint(wanted[:8])
        assert marks(out)[:12] == wanted[8:]  # what was not excluded is where it was
    assert free.rows == 20


@pytest.mark.parametrize("kind", ["txt", "md", "jsonl", "json", "list.json"])
def test_a_prompt_that_stands_in_a_file_is_kept_out_and_the_rules_keep_nothing_out(kind: str, tmp_path: Path) -> None:
    made = config("shortest-path-v0", rows=6, levels=(3, 3))
    generate(made, tmp_path / "free.jsonl", processes=1)
    copied = read(tmp_path / "free.jsonl")[2]["prompt"][0]["content"]
    path = tmp_path / f"given.{kind}"
    nested = {"id": 5, "doc": {"messages": [None, {"content": f"Q: {copied}\nA: ?"}]}}
    if kind == "list.json":
        path.write_text(json.dumps([{"unlike": TEXT}, nested], indent=2))
    else:
        path.write_text(json.dumps(nested) if "json" in kind else f"\ufeff{TEXT}\r\n{copied.upper()}\r\n")
    exclusion = Exclusion.of_files([path])
    assert not exclusion.fingerprints
    generate(excluding(made, exclusion), tmp_path / "out.jsonl", exclusion=exclusion, processes=1)
    free, out = marks(tmp_path / "free.jsonl"), marks(tmp_path / "out.jsonl")
    assert free[2] not in out
    assert out[:5] == free[:2] + free[3:]


def test_foreign_text_keeps_nothing_out_that_it_does_not_share(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "gsm.jsonl", [{"question": TEXT, "answer": "72"}, "", 5, None, [TEXT]])
    exclusion = Exclusion.of_files([path])
    made = config("arithmetic-v0", "countdown-v0", rows=20)
    generate(made, tmp_path / "free.jsonl", processes=1)
    generate(excluding(made, exclusion), tmp_path / "out.jsonl", exclusion=exclusion, processes=1)
    assert read(tmp_path / "out.jsonl") == read(tmp_path / "free.jsonl")


def test_the_rules_alone_keep_out_nothing_but_a_text_of_an_environment_does() -> None:
    made = config("sudoku-v0", levels=(1, 1))
    [stratum] = made.strata
    prompts = [task("sudoku-v0", seed, difficulty=1).prompt for seed in range(4)]
    exclusion = Exclusion(ngrams=frozenset(ngrams(prompts[0], 13)))
    common = exclusion.common(prompts)
    assert common
    assert common < exclusion.ngrams
    assert exclusion.holds(task("sudoku-v0", 0, difficulty=1), lambda: common)
    for seed in (1, 2, 3, 7, 8):
        assert not exclusion.holds(task("sudoku-v0", seed, difficulty=1), lambda: common)
        assert exclusion.holds(task("sudoku-v0", seed, difficulty=1), frozenset)
    drawer = Drawer(excluding(made, exclusion), exclusion)
    assert not any(drawer.candidate(stratum, "train", at).excluded for at in range(30))


@pytest.mark.parametrize("id", ["arithmetic-v0", "sudoku-v0", "shortest-path-v0"])
def test_prompts_in_a_file_keep_out_their_own_problems_and_hardly_another(id: str) -> None:
    made = config(id, levels=(3, 3))
    [stratum] = made.strata
    free = [Drawer(made, Exclusion()).candidate(stratum, "train", at).task for at in range(60)]
    given = [found.prompt for found in free[:20] if found]
    exclusion = Exclusion(ngrams=frozenset().union(*(ngrams(prompt, 13) for prompt in given)))
    drawer = Drawer(excluding(made, exclusion), exclusion)
    excluded = [drawer.candidate(stratum, "train", at).excluded for at in range(60)]
    assert all(excluded[:20])
    assert excluded[20:].count(True) <= 2


def test_a_prompt_that_is_the_same_for_every_seed_keeps_nothing_out() -> None:
    made = config("guess-number-v0")
    [stratum] = made.strata
    exclusion = Exclusion(ngrams=frozenset(ngrams(task("guess-number-v0", 0).prompt, 13)))
    drawer = Drawer(excluding(made, exclusion), exclusion)
    assert not any(drawer.candidate(stratum, "train", at).excluded for at in range(5))


def test_a_shorter_ngram_keeps_out_more(tmp_path: Path) -> None:
    path = tmp_path / "given.txt"
    path.write_text("Compute 17 + 25 please.")
    with known("sum-v0", Sum):
        given = task("sum-v0", 0, difficulty=None)
        text = given.prompt.partition("\n")[0]
        path.write_text(f"Please: {text} Thank you.")
        assert not Exclusion.of_files([path]).holds(given, frozenset)
        assert Exclusion.of_files([path], 3).holds(given, frozenset)


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("missing.txt", None, "missing.txt cannot be read.*No such file"),
        ("folder", "folder", "folder cannot be read.*directory"),
        ("folder.jsonl", "folder", "folder.jsonl cannot be read.*directory"),
        ("bad.jsonl", b'{"a": 1}\n{"a":\n', "bad.jsonl, line 2, is not JSON"),
        ("latin.txt", b"caf\xe9", "latin.txt cannot be read for exclusion.*utf-8"),
        ("latin.jsonl", b'"caf\xe9"\n', "latin.jsonl, line 1, is not JSON"),
        ("bad.json", b"{", "bad.json cannot be read for exclusion"),
        ("deep.json", b"[" * 100_000, "deep.json cannot be read for exclusion"),
        ("deep.jsonl", b"[" * 100_000 + b"\n", "deep.jsonl, line 1, is not JSON"),
        ("deeper.jsonl", b"[" * 1000 + b'""' + b"]" * 1000 + b"\n", "deeper.jsonl cannot be read for exclusion"),
        ("bad.parquet", b"PAR1", "bad.parquet cannot be read as parquet"),
        ("empty.parquet", b"", "empty.parquet cannot be read as parquet"),
    ],
)
def test_a_file_that_cannot_be_read_is_told(name: str, content: Any, says: str, tmp_path: Path) -> None:
    path = tmp_path / name
    if content == "folder":
        path.mkdir()
    elif content is not None:
        path.write_bytes(content)
    with pytest.raises(InvalidParameters, match=says):
        Exclusion.of_files([path])


@pytest.mark.parametrize("name", ["empty.txt", "empty.jsonl", "blank.jsonl"])
def test_an_empty_file_keeps_nothing_out(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(b"\r\n\n" if name == "blank.jsonl" else b"")
    assert not Exclusion.of_files([tmp_path / name])


def test_an_ngram_has_a_word() -> None:
    with pytest.raises(InvalidParameters, match="n = 0"):
        Exclusion.of_files([], 0)


def test_an_exclusion_that_does_not_match_the_configuration_is_refused(tmp_path: Path) -> None:
    exclusion = Exclusion(frozenset({"ab"}))
    for made, given in ((config(), exclusion), (excluding(config(), exclusion), None)):
        with pytest.raises(InvalidParameters, match=r"exclude=exclusion\.digest"):
            generate(made, tmp_path / "t.jsonl", exclusion=given, processes=1)
    assert list(tmp_path.iterdir()) == []


def test_facts_are_those_of_every_row(tmp_path: Path) -> None:
    generate(config(rows=3), tmp_path / "t.jsonl", processes=1)
    assert [row["index"] for row in facts(tmp_path / "t.jsonl")] == [0, 1, 2]
