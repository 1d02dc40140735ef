"""Writing a dataset: the same bytes each time, each problem once, and what is told when problems run out."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

import envhub
from envhub.core.errors import EnvhubError, InvalidParameters, SplitExhausted
from envhub.dataset import FORMATS, DatasetConfig, truth
from envhub.registry.registry import builtin_ids, self_contained
from tests.dataset.making import IDS, SEVERAL, contents, made
from tests.dataset.workshop import FEW, Few, Sampled, Unsolved, config, facts, known, marks, problems_of, read, stop_at

# -- the same bytes ----------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("name", ["t.jsonl", "t.parquet"])
def test_the_same_bytes_on_one_process_and_on_two(name: str, tmp_path: Path) -> None:
    of = config(*IDS, **SEVERAL, with_solutions=True)
    one = made(tmp_path / "one", of, name)
    made(tmp_path / "again", of, name)
    made(tmp_path / "two", of, name, processes=2)
    assert contents(tmp_path / "one") == contents(tmp_path / "again") == contents(tmp_path / "two")
    suffix = name.removeprefix("t")
    assert set(contents(tmp_path / "one")) == {
        "t.card.md", f"t.train{suffix}", f"t.test{suffix}", f"t.validation{suffix}"
    }  # fmt: skip
    assert one.rows == 28


def test_parquet_holds_what_jsonl_holds(tmp_path: Path) -> None:
    for layout in ("verl", "trl", "openrlhf", "verifiers"):
        of = config(*IDS, rows=9, format=layout, answer_format="boxed", with_solutions=True)
        made(tmp_path / layout, of)
        made(tmp_path / layout, of, "u.parquet")
        assert read(tmp_path / layout / "t.jsonl") == read(tmp_path / layout / "u.parquet")


def test_every_environment_fits_into_one_table(tmp_path: Path) -> None:
    ids = list(filter(self_contained, builtin_ids()))
    made(tmp_path, config(*ids, rows=len(ids), levels=(1, 1)), "t.parquet")
    assert [row["env_id"] for row in facts(tmp_path / "t.parquet")] == ids


def test_another_seed_shares_hardly_a_problem(tmp_path: Path) -> None:
    prints = []
    for seed in (0, 1, 2**63 - 1):
        made(tmp_path, config("countdown-v0", rows=60, levels=(5, 6), seed=seed), f"t{seed}.jsonl")
        prints.append(set(marks(tmp_path / f"t{seed}.jsonl")))
    assert len(set().union(*prints)) >= 179


def test_the_first_rows_of_a_longer_dataset_are_the_shorter_one(tmp_path: Path) -> None:
    for rows in (4, 13, 40):
        made(tmp_path, config(*IDS, rows=rows, levels=(1, 3)), f"t{rows}.jsonl")
    longest = (tmp_path / "t40.jsonl").read_bytes().splitlines()
    for rows in (4, 13):
        assert (tmp_path / f"t{rows}.jsonl").read_bytes().splitlines() == longest[:rows]


def test_a_split_has_the_same_rows_alone_and_among_others(tmp_path: Path) -> None:
    made(tmp_path, config("arithmetic-v0", splits={"test": 7}), "alone.jsonl")
    made(tmp_path, config("arithmetic-v0", splits={"train": 5, "test": 7}), "among.jsonl")
    assert (tmp_path / "alone.jsonl").read_bytes() == (tmp_path / "among.test.jsonl").read_bytes()


# -- what is in it -----------------------------------------------------------------------------------------------------


def test_each_environment_and_level_has_its_share_and_every_row_is_its_key(tmp_path: Path) -> None:
    written = made(tmp_path, config(*IDS, rows=20, levels=(1, 3)))
    rows = read(tmp_path / "t.jsonl")
    counted = Counter((row["extra_info"]["env_id"], row["extra_info"]["difficulty"]) for row in rows)
    assert counted == {(s.env_id, s.level): n for s, n in written.counts["train"].items()}
    assert set(counted.values()) == {2, 3}
    for number, row in enumerate(rows):
        info, key = row["extra_info"], truth.read(row["reward_model"]["ground_truth"])
        env = envhub.make(key.env_id, difficulty=info["difficulty"])
        env.reset(seed=key.seed)
        assert env.task.key == key
        assert row["prompt"] == env.messages
        assert (info["index"], info["fingerprint"]) == (number, env.task.fingerprint)
        assert row["data_source"] == f"envhub/{key.env_id}"


def test_fewer_rows_than_strata(tmp_path: Path) -> None:
    written = made(tmp_path, config(*IDS, rows=2, levels=(1, 10)), processes=1)
    assert sorted(written.counts["train"].values()) == [0] * 28 + [1, 1]
    assert [row["env_id"] for row in facts(tmp_path / "t.jsonl")] == list(IDS[:2])


def test_parameters_by_name_hold_at_every_level(tmp_path: Path) -> None:
    made(tmp_path, config("arithmetic-v0", rows=20, levels=(1, 5), params={"terms": 2, "operators": "+", "digits": 9}))
    rows = read(tmp_path / "t.jsonl")
    assert {row["extra_info"]["difficulty"] for row in rows} == {1, 2, 3, 4, 5}
    assert {truth.read(row["reward_model"]["ground_truth"]).params["terms"] for row in rows} == {2}
    assert len(set(marks(tmp_path / "t.jsonl"))) == 20


def test_no_problem_twice_and_none_in_two_splits(tmp_path: Path) -> None:
    with known("few-v0", Few):
        splits = {split: problems_of(split) for split in ("train", "test", "validation") if problems_of(split)}
        made(tmp_path, config("few-v0", splits=splits, levels=(1, 3)))
        prints = [mark for split in splits for mark in marks(tmp_path / f"t.{split}.jsonl")]
    assert len(prints) == len(set(prints)) == FEW


def test_the_answer_is_in_the_row_only_when_asked_for_and_solves_it(tmp_path: Path) -> None:
    of = config(*IDS, rows=6)
    made(tmp_path, of)
    made(tmp_path, DatasetConfig.from_json({**of.to_json(), "with_solutions": True}), "s.jsonl")
    for row, solved in zip(read(tmp_path / "t.jsonl"), read(tmp_path / "s.jsonl"), strict=True):
        actions = solved["extra_info"].pop("solution")
        assert row == solved
        assert truth.judge(row["reward_model"]["ground_truth"])(actions).solved


def test_an_oracle_that_is_wrong_is_told(tmp_path: Path) -> None:
    with known("unsolved-v0", Unsolved), pytest.raises(EnvhubError, match=r"oracle of unsolved-v0 does not solve"):
        made(tmp_path, config("unsolved-v0", rows=2, with_solutions=True))


# -- when problems run out ---------------------------------------------------------------------------------------------


def test_it_is_told_how_many_problems_there_are(tmp_path: Path) -> None:
    there = problems_of("train")
    with known("few-v0", Few), pytest.raises(SplitExhausted) as told:
        made(tmp_path, config("few-v0", rows=FEW + 70))
    assert f"few-v0 at difficulty 3 has about {there} different problems" in str(told.value)
    assert "'train', and 100 rows" in str(told.value)
    assert f"at most {there} rows" in str(told.value)


@pytest.mark.parametrize("processes", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_all_there_are_are_written_when_fewer_will_do(processes: int, tmp_path: Path) -> None:
    with known("few-v0", Few):
        of = config("few-v0", "arithmetic-v0", rows=100, allow_fewer=True)
        made(tmp_path / "whole", of, processes=processes)
        counts = Counter(row["env_id"] for row in facts(tmp_path / "whole" / "t.jsonl"))
        assert counts == {"few-v0": problems_of("train"), "arithmetic-v0": 50}
        assert [row["index"] for row in facts(tmp_path / "whole" / "t.jsonl")] == list(range(sum(counts.values())))
        if processes == 2:
            return
        for row in (3, 2 * problems_of("train"), 2 * problems_of("train") + 1, sum(counts.values()) - 1):
            folder = tmp_path / str(row)
            with pytest.raises(KeyboardInterrupt):
                made(folder, of, on_row=stop_at(row))
            assert made(folder, of).resumed == row
            assert contents(folder) == contents(tmp_path / "whole")


def test_when_all_have_run_dry_it_ends(tmp_path: Path) -> None:
    with known("few-v0", Few):
        written = made(tmp_path, config("few-v0", rows=10**15, levels=(1, 2), allow_fewer=True))
    assert written.rows == problems_of("train")


@pytest.mark.parametrize("name", ["t.jsonl", "t.parquet"])
def test_a_split_without_a_problem_is_told_even_then(name: str, tmp_path: Path) -> None:
    of = config(splits={"train": 5, "test": 5}, params={"terms": 1, "digits": 1, "operators": "+"}, allow_fewer=True)
    with pytest.raises(SplitExhausted, match="not a single problem for the split 'test'"):
        made(tmp_path, of, name)


# -- what drawing may do -----------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_toy_that_can_be_imported_is_drawn_by_other_processes(tmp_path: Path) -> None:
    with known("few-v0", Few):
        made(tmp_path, config("few-v0", rows=20))
        made(tmp_path, config("few-v0", rows=20), "two.jsonl", processes=2)
    assert (tmp_path / "t.jsonl").read_bytes() == (tmp_path / "two.jsonl").read_bytes()


@pytest.mark.slow
def test_one_that_cannot_be_imported_is_told_by_name(tmp_path: Path) -> None:
    class Local(Few):
        """Nobody can import it."""

    with known("local-v0", Local):
        made(tmp_path, config("local-v0", rows=5))
        with pytest.raises(EnvhubError, match=r"local-v0 cannot be loaded from"):
            made(tmp_path, config("local-v0", rows=5), "two.jsonl", processes=2)


@pytest.mark.parametrize("processes", [-1, -8])
def test_a_number_of_processes_is_positive(processes: int, tmp_path: Path) -> None:
    with pytest.raises(InvalidParameters, match="processes is a positive integer"):
        made(tmp_path, config(), processes=processes)


def test_rows_without_common_columns_are_no_table(tmp_path: Path) -> None:
    assert not FORMATS["nemo-gym"].tabular
    with pytest.raises(InvalidParameters, match=r"nemo-gym have no common columns.*\.jsonl"):
        made(tmp_path, config(format="nemo-gym"), "t.parquet")
    assert list(tmp_path.iterdir()) == []


def test_progress_is_told_row_by_row(tmp_path: Path) -> None:
    told: list[tuple[str, int, int]] = []
    made(tmp_path, config(splits={"train": 3, "test": 2}), on_row=lambda *row: told.append(row))
    assert told == [("train", 1, 3), ("train", 2, 3), ("train", 3, 3), ("test", 1, 2), ("test", 2, 2)]


def test_an_environment_that_fails_to_draw_leaves_what_was_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail_later(split: str, row: int, total: int) -> None:
        if row == 4:
            monkeypatch.setattr(Sampled, "fails", True)

    with known("sampled-v0", Sampled):
        made(tmp_path / "whole", config("sampled-v0", rows=10))
        with pytest.raises(ZeroDivisionError):
            made(tmp_path / "t", config("sampled-v0", rows=10), on_row=fail_later)
        monkeypatch.setattr(Sampled, "fails", False)
        assert made(tmp_path / "t", config("sampled-v0", rows=10)).resumed == 4
    assert contents(tmp_path / "t") == contents(tmp_path / "whole")
