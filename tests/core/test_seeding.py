"""Streams, keys, fingerprints and splits: the same everywhere, unrelated where they should be."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from itertools import pairwise, permutations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

from envhub.core.errors import InvalidParameters
from envhub.core.seeding import (
    MAX_DRAWS,
    MAX_SEED,
    SPLITS,
    Stream,
    TaskKey,
    below,
    canonical_json,
    check_seed,
    check_split,
    fingerprint,
    split_of,
)

PURPOSES = st.lists(st.text() | st.integers(), max_size=3).map(tuple)
KEY = TaskKey("sudoku-v0", {"size": 9, "technique": "any"}, "train", 7)
GOOD = {"env_id": "sum-v0", "params": {"terms": 2}, "split": "test", "seed": 3, "draw": 5}


def chi_square(counts: list[int]) -> float:
    expected = sum(counts) / len(counts)
    return sum((count - expected) ** 2 / expected for count in counts)


def improbable(degrees: int) -> float:
    """A bound on chi-square that chance passes about once in a million; the streams are fixed, so it passes or not."""
    return degrees + 5 * (2 * degrees) ** 0.5 + 12


# -- streams -------------------------------------------------------------------------------------------------------


def test_streams_give_the_values_they_always_gave() -> None:
    s = Stream(b"golden", "sample", 0)
    assert [s.below(10) for _ in range(12)] == [8, 7, 8, 4, 7, 7, 6, 9, 7, 7, 6, 5]
    assert (s.bits(64), s.between(-5, 5), s.choice("abcdef"), s.sample(range(10), 4)) == (
        6655310152590063903,
        -4,
        "b",
        [6, 5, 9, 7],
    )
    items = list(range(8))
    s.shuffle(items)
    assert items == [0, 4, 2, 3, 5, 6, 7, 1]
    assert Stream(b"").bits(64) == 15245683906451192960
    assert Stream(b"golden", "a", "b").bits(32) == 150982915


def test_keys_and_fingerprints_are_what_they_always_were() -> None:
    assert KEY.root.hex() == "0725cfea365764df68a2935637b997af"
    assert KEY.stream("sample", 0).bits(64) == 15076359714903115662
    assert fingerprint("sudoku", [1, 2, {"a": "é"}]) == "8b0164531adac73b1411a947c2ec9f0c"


@pytest.mark.parametrize("bound", [2, 3, 5, 6, 7, 10, 13, 100, 129])
def test_below_is_uniform(bound: int) -> None:
    s = Stream(b"uniform", bound)
    counts = Counter(s.below(bound) for _ in range(60 * bound))
    assert set(counts) == set(range(bound))
    assert chi_square([counts[i] for i in range(bound)]) < improbable(bound - 1)


def test_below_has_no_modulo_bias_where_it_would_be_greatest() -> None:
    bound = 3 * 2**62  # modulo 2**64 the lowest quarter would come twice as often
    s = Stream(b"bias")
    counts = Counter(s.below(bound) // 2**62 for _ in range(3000))
    assert chi_square([counts[i] for i in range(3)]) < improbable(2)


@given(st.binary(), st.integers(1, 2**200))
def test_below_stays_below(key: bytes, bound: int) -> None:
    assert 0 <= Stream(key).below(bound) < bound


@given(st.binary(), st.integers(), st.integers(0, 2**70))
def test_between_keeps_both_ends(key: bytes, low: int, width: int) -> None:
    assert low <= Stream(key).between(low, low + width) <= low + width


def test_between_reaches_both_ends() -> None:
    s = Stream(b"ends")
    assert {s.between(-1, 1) for _ in range(50)} == {-1, 0, 1}


@given(st.binary(), st.lists(st.integers(0, 700), max_size=8))
def test_bits_are_as_many_as_asked_and_no_bit_is_used_twice(key: bytes, counts: list[int]) -> None:
    s, whole, at = Stream(key), Stream(key).bits(sum(counts)), 0
    for count in counts:
        assert s.bits(count) == (whole >> at) & ((1 << count) - 1)
        at += count


@given(st.binary(min_size=1, max_size=40), st.integers(1, 2**20), st.integers(0, 3))
def test_a_single_draw_is_the_first_of_the_stream(key: bytes, bound: int, number: int) -> None:
    assert below(bound, key, "purpose", number) == Stream(key, "purpose", number).below(bound)


def test_a_single_draw_goes_on_where_the_first_block_is_used_up() -> None:
    """Of 65,536 numbers, 32,769 are accepted: of a block of 32 tries, none is in one block of four thousand million."""
    for number in range(2000):
        assert below(2**15 + 1, b"key", number) == Stream(b"key", number).below(2**15 + 1)
    for bound in (0, -1):
        with pytest.raises(ValueError, match="positive bound"):
            below(bound, b"key", "purpose")


@pytest.mark.parametrize("bound", [0, -1])
def test_below_nothing_is_an_error(bound: int) -> None:
    with pytest.raises(ValueError, match=f"positive bound, got {bound}"):
        Stream(b"").below(bound)
    with pytest.raises(ValueError, match="positive bound"):
        Stream(b"").choice([])


@given(st.binary(), PURPOSES, st.binary(), PURPOSES)
def test_streams_agree_exactly_when_key_and_purpose_do(k1: bytes, p1: Any, k2: bytes, p2: Any) -> None:
    assert (Stream(k1, *p1).bits(128) == Stream(k2, *p2).bits(128)) == ((k1, p1) == (k2, p2))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ((b"k", "a", "b"), (b"k", "ab")),
        ((b"k", "a", "b"), (b"k", "a, b")),
        ((b"k", "a", "b"), (b"k", "a', 'b")),
        ((b"k", "1"), (b"k", 1)),
        ((b"k", "a", 1), (b"k", "a", True)),
        ((b"k", 1, 2), (b"k", 12)),
        ((b"k",), (b"k", "")),
        ((b"k", "a"), (b"k", "a", "")),
        ((b"ka", "b"), (b"k", "ab")),
        ((b"k(", "b"), (b"k", "b")),
        ((b"", "k"), (b"k",)),
    ],
)
def test_keys_and_purposes_do_not_run_into_each_other(one: Any, other: Any) -> None:
    assert Stream(*one).bits(128) != Stream(*other).bits(128)


def test_streams_of_neighbouring_seeds_are_unrelated() -> None:
    draws = [TaskKey("e-v0", {}, "train", seed).stream("sample", 0).bits(64) for seed in range(1000)]
    assert len(set(draws)) == 1000
    flips = [(a ^ b).bit_count() for a, b in pairwise(draws)]
    assert 31 < sum(flips) / len(flips) < 33
    per_bit = [sum(d >> i & 1 for d in draws) for i in range(64)]
    assert all(400 < ones < 600 for ones in per_bit)


def test_streams_of_the_parts_of_a_key_are_unrelated() -> None:
    keys = [
        TaskKey("e-v0", {"a": 1}, "train", 1),
        TaskKey("e-v1", {"a": 1}, "train", 1),
        TaskKey("e-v0", {"a": 2}, "train", 1),
        TaskKey("e-v0", {"a": "1"}, "train", 1),
        TaskKey("e-v0", {"b": 1}, "train", 1),
        TaskKey("e-v0", {"a": 1}, "test", 1),
        TaskKey("e-v0", {"a": 1}, "train", 2),
        TaskKey("e-v0", {"a": 1}, "train", 2**32 + 1),
    ]
    assert len({key.root for key in keys}) == len(keys)


@given(st.binary(), st.lists(st.integers(), max_size=30))
def test_shuffle_permutes(key: bytes, items: list[int]) -> None:
    shuffled = list(items)
    Stream(key).shuffle(shuffled)
    assert sorted(shuffled) == sorted(items)


def test_every_permutation_is_equally_likely() -> None:
    s = Stream(b"permutations")
    counts: Counter[tuple[int, ...]] = Counter()
    for _ in range(2400):
        items = [0, 1, 2, 3]
        s.shuffle(items)
        counts[tuple(items)] += 1
    assert chi_square([counts[p] for p in permutations(range(4))]) < improbable(23)


@given(st.binary(), st.integers(0, 20), st.data())
def test_sample_takes_different_positions_and_leaves_the_items_alone(key: bytes, size: int, data: Any) -> None:
    items = list(range(size))
    count = data.draw(st.integers(0, size))
    taken = Stream(key).sample(items, count)
    assert len(taken) == len(set(taken)) == count
    assert set(taken) <= set(items)
    assert items == list(range(size))


def test_every_ordered_sample_is_equally_likely() -> None:
    s = Stream(b"samples")
    counts = Counter(tuple(s.sample(range(5), 2)) for _ in range(2000))
    assert chi_square([counts[p] for p in permutations(range(5), 2)]) < improbable(19)


@pytest.mark.parametrize("count", [-1, 4])
def test_more_than_there_is_cannot_be_sampled(count: int) -> None:
    with pytest.raises(ValueError, match=f"cannot sample {count} of 3"):
        Stream(b"").sample("abc", count)


def test_a_stream_nobody_draws_from_hashes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*args: Any, **kwargs: Any) -> Any:
        raise AssertionError("hashed")

    monkeypatch.setattr("envhub.core.seeding.blake2b", refuse)
    s = Stream(b"key", "purpose")
    assert s.below(1) == 0
    with pytest.raises(AssertionError, match="hashed"):
        s.below(2)


# -- keys ----------------------------------------------------------------------------------------------------------

PARAMS = st.dictionaries(st.text(), st.integers() | st.text() | st.booleans() | st.none(), max_size=4)
KEYS = st.builds(
    TaskKey,
    st.text(),
    PARAMS,
    st.sampled_from(SPLITS),
    st.integers(0, MAX_SEED),
    st.none() | st.integers(0, MAX_DRAWS - 1),
)


@given(KEYS)
def test_a_key_survives_json(key: TaskKey) -> None:
    read = TaskKey.from_json(json.loads(json.dumps(key.to_json())))
    assert read == key
    assert read.root == key.root


@given(PARAMS)
def test_the_order_of_parameters_does_not_matter(params: dict[str, Any]) -> None:
    reverse = dict(reversed(list(params.items())))
    assert TaskKey("e-v0", params, "train", 0).root == TaskKey("e-v0", reverse, "train", 0).root


def test_the_draw_is_not_part_of_what_keys_the_streams() -> None:
    assert TaskKey.from_json(GOOD).root == TaskKey.from_json({**GOOD, "draw": None}).root


def test_fields_of_a_task_that_are_not_of_its_key_are_ignored_and_the_draw_may_be_left_out() -> None:
    read = TaskKey.from_json({k: v for k, v in GOOD.items() if k != "draw"} | {"prompt": "x", "answer": 3})
    assert read == TaskKey("sum-v0", {"terms": 2}, "test", 3)


@pytest.mark.parametrize(
    ("field", "value", "says"),
    [
        ("env_id", 3, "env_id of a task key is text, got int"),
        ("params", [1], "params of a task key are an object, got list"),
        ("split", "tests", "Did you mean 'test'"),
        ("split", None, "No split None"),
        ("split", ["test"], "No split"),
        ("seed", "3", "A seed is an integer"),
        ("seed", 3.0, "A seed is an integer"),
        ("seed", None, "A seed is an integer"),
        ("seed", True, "A seed is an integer"),
        ("seed", -1, "got -1"),
        ("seed", 2**63, "got 9223372036854775808"),
        ("draw", -1, "null or 0..19999, got -1"),
        ("draw", 20_000, "got 20000"),
        ("draw", "1", "got '1'"),
        ("draw", True, "got True"),
        ("draw", 1.0, r"got 1\.0"),
    ],
)
def test_a_bad_field_of_a_key_is_named(field: str, value: Any, says: str) -> None:
    with pytest.raises(InvalidParameters, match=says):
        TaskKey.from_json({**GOOD, field: value})


@pytest.mark.parametrize("field", ["env_id", "params", "split", "seed"])
def test_a_missing_field_of_a_key_is_named(field: str) -> None:
    with pytest.raises(InvalidParameters, match=f"missing: {field}"):
        TaskKey.from_json({k: v for k, v in GOOD.items() if k != field})


def test_a_seed_may_be_anything_that_is_an_integer() -> None:
    assert [check_seed(s) for s in (0, MAX_SEED, np.int64(5), np.uint8(5))] == [0, MAX_SEED, 5, 5]
    assert type(check_seed(np.int64(5))) is int


def test_splits_are_the_three_and_no_other() -> None:
    assert [check_split(s) for s in SPLITS] == ["train", "validation", "test"]
    for bad in ("Train", "", "dev", 0, b"train"):
        with pytest.raises(InvalidParameters, match="train, validation, test"):
            check_split(bad)


# -- fingerprints and splits ---------------------------------------------------------------------------------------


@given(st.text(), st.integers() | st.lists(st.integers()) | st.text())
def test_a_fingerprint_is_32_hexadecimal_digits_of_family_and_content(family: str, content: Any) -> None:
    mark = fingerprint(family, content)
    assert len(mark) == 32
    assert int(mark, 16) >= 0
    assert mark != fingerprint(family + "x", content)
    assert mark != fingerprint(family, [content])


def test_a_fingerprint_does_not_depend_on_the_order_of_keys_or_the_kind_of_sequence() -> None:
    assert fingerprint("f", {"a": 1, "b": (1, 2)}) == fingerprint("f", {"b": [1, 2], "a": 1})
    assert fingerprint("f", [1, 2]) != fingerprint("f", [2, 1])
    assert fingerprint("f", [1]) != fingerprint("f", [True])


@pytest.mark.parametrize("bad", [{1, 2}, b"x", object()])
def test_what_json_has_no_form_for_has_no_fingerprint(bad: Any) -> None:
    with pytest.raises(TypeError):
        canonical_json(bad)


@pytest.mark.parametrize("bad", [float("nan"), float("inf")])
def test_no_number_that_json_lacks_has_a_canonical_form(bad: float) -> None:
    with pytest.raises(ValueError, match="JSON"):
        canonical_json([bad])


def test_splits_have_shares_of_90_5_and_5() -> None:
    counts = Counter(split_of(fingerprint("shares", i)) for i in range(20_000))
    assert abs(counts["train"] - 18_000) < 200
    assert abs(counts["validation"] - 1_000) < 150
    assert abs(counts["test"] - 1_000) < 150


def test_splits_have_no_gap_between_them() -> None:
    marks = [f"{i * 2**64 // 1000:016x}" + "f" * 16 for i in range(1000)]
    assert [split_of(m) for m in marks] == ["train"] * 900 + ["validation"] * 50 + ["test"] * 50
    assert split_of("0" * 32) == "train"
    assert split_of("f" * 32) == "test"


# -- everywhere ----------------------------------------------------------------------------------------------------

_PROGRAM = """
import random, json
random.seed(0)
from envhub.core.seeding import *
key = TaskKey("e-v0", {"b": {"y": 1, "x": [2]}, "a": "\\u00e9"}, "train", 2**63 - 1, 4)
s = key.stream("sample", 4)
print(json.dumps([key.root.hex(), s.bits(100), s.below(7), s.sample(range(9), 5), fingerprint("f", {"k": ["b", "a"]})]))
import envhub
for id in ("arithmetic-v0", "countdown-v0", "sudoku-v0", "guess-number-v0"):
    env = envhub.make(id, difficulty=(1, 6))
    env.reset(seed=5)
    print(json.dumps([env.task.to_json(), env.solve()]))
    env.reset()
    print(json.dumps(env.task.key.to_json()))
"""


@pytest.mark.slow
def test_nothing_depends_on_the_process_or_its_hash_seed() -> None:
    outputs = set()
    for seed in ("0", "1", "31337"):
        run = subprocess.run(
            [sys.executable, "-c", _PROGRAM],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        )
        outputs.add(run.stdout)
    assert len(outputs) == 1
    assert outputs.pop().count("\n") == 9
