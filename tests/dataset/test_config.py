"""The configuration of a dataset: shares, seeds, and what is refused before anything is drawn."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest
from hypothesis import given, strategies as st

from envhub.core.errors import InvalidParameters, MissingExtra, UnknownEnvironment
from envhub.dataset import DatasetConfig, Stratum
from tests.dataset.workshop import One, config, known

IDS = ("arithmetic-v0", "countdown-v0", "guess-number-v0")


@given(st.integers(1, 200), st.integers(1, 3), st.integers(1, 4), st.integers(0, 6))
def test_every_environment_and_level_has_its_share(n: int, ids: int, low: int, more: int) -> None:
    made = config(*IDS[:ids], rows=n, levels=(low, low + more))
    shares = Counter(map(made.stratum_of, range(n)))
    assert shares.keys() <= set(made.strata)
    assert {s: shares[s] for s in made.strata} == {s: made.rows_of(s, "train") for s in made.strata}
    assert sum(shares.values()) == n
    counts = [shares[s] for s in made.strata]
    assert max(counts) - min(counts) <= 1
    if ids > 1:
        assert made.strata[0].env_id != made.strata[1].env_id


def test_a_number_of_rows_may_be_of_any_size() -> None:
    made = config(*IDS, rows=10**30, levels=(1, 10))
    assert sum(made.rows_of(stratum, "train") for stratum in made.strata) == 10**30


def test_seeds_depend_on_all_that_makes_a_stratum_and_on_nothing_else() -> None:
    one, other = Stratum("arithmetic-v0", 3), Stratum("arithmetic-v0", 4)
    made = config("arithmetic-v0", levels=(1, 5))
    lists = [
        [made.seed_of(one, "train", k) for k in range(50)],
        [made.seed_of(one, "test", k) for k in range(50)],
        [made.seed_of(other, "train", k) for k in range(50)],
        [made.seed_of(Stratum("countdown-v0", 3), "train", k) for k in range(50)],
        [config("arithmetic-v0", seed=1).seed_of(one, "train", k) for k in range(50)],
    ]
    assert len({seed for seeds in lists for seed in seeds}) == 250
    alike = config("countdown-v0", "arithmetic-v0", rows=3, levels=(2, 9), format="trl", with_solutions=True)
    assert [alike.seed_of(one, "train", k) for k in range(50)] == lists[0]


def test_a_configuration_survives_json() -> None:
    made = config("arithmetic-v0", levels=(2, 4), params={"terms": 4}, system="Grüß Gott \u2028", exclude="ab")
    again = DatasetConfig.from_json(json.loads(json.dumps(made.to_json())))
    assert again == made
    assert again.to_json() == made.to_json()
    assert again.strata == made.strata


def test_the_order_in_which_splits_and_parameters_are_named_does_not_matter() -> None:
    one = config(splits={"test": 2, "train": 3}, params={"terms": 2, "digits": 3})
    other = config(splits={"train": 3, "test": 2}, params={"digits": 3, "terms": 2})
    assert json.dumps(one.to_json()) == json.dumps(other.to_json())
    assert list(one.splits) == ["train", "test"]
    given = {"terms": 2}
    kept = config(params=given)
    given["terms"] = 3
    assert kept.params == {"terms": 2}


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"environments": ()}, "at least one environment"),
        ({"environments": ("arithmetic-v0", "arithmetic-v0")}, "named twice"),
        ({"environments": IDS, "params": {"terms": 2}}, "are for one environment"),
        ({"splits": {}}, "at least one split"),
        ({"splits": {"tests": 3}}, "Did you mean 'test'"),
        ({"splits": {"train": 0}}, "positive integer, got 0"),
        ({"splits": {"train": 3.0}}, "positive integer, got 3.0"),
        ({"splits": {"train": True}}, "positive integer, got True"),
        ({"seed": -1}, "A seed is an integer"),
        ({"seed": 2**63}, "A seed is an integer"),
        ({"levels": (5, 1)}, "from 1 to 10"),
        ({"levels": (0, 0)}, "from 1 to 10"),
        ({"levels": (1, 11)}, "from 1 to 10"),
        ({"levels": 3}, "lowest and the highest"),
        ({"format": "veri"}, "Did you mean 'verl'"),
        ({"answer_format": "boxes"}, "Did you mean 'boxed'"),
        ({"system": 5}, "system is text"),
        ({"system": "\udcff"}, "UTF-8"),
        ({"params": {"terns": 2}}, "Did you mean 'terms'"),
        ({"params": {"terms": 10**400}}, "terms"),
        ({"params": {"operators": "\udcff"}}, "operators|not a JSON value"),
        ({"params": {"operators": {1, 2}}}, "not a JSON value"),
    ],
)
def test_what_does_not_fit_is_refused_at_once_and_named(fields: dict[str, Any], says: str) -> None:
    with pytest.raises(InvalidParameters, match=says):
        DatasetConfig(**{"environments": ("arithmetic-v0",), "splits": {"train": 5}, **fields})


def test_an_unknown_environment_is_told_with_the_nearest() -> None:
    with pytest.raises(UnknownEnvironment, match="Did you mean 'countdown-v0'"):
        config("arithmetic-v0", "countdwn-v0")


def test_one_problem_for_all_splits_is_for_one_split() -> None:
    with known("one-v0", One):
        config("one-v0", splits={"train": 1})
        with pytest.raises(InvalidParameters, match="one-v0 has one problem for all splits"):
            config("one-v0", splits={"train": 1, "test": 1})


def test_parquet_without_pyarrow_names_the_extra(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    import sys

    from envhub.dataset import generate

    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingExtra, match=r"pip install 'envhub\[data\]'"):
        generate(config(), tmp_path / "t.parquet", processes=1)
    assert list(tmp_path.iterdir()) == []
