"""reasoning-gym's datasets as environments: over a stand-in of the same interface, and nightly over the library itself."""

from __future__ import annotations

import importlib
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import envhub.adapters
from envhub.core.errors import InvalidParameters
from envhub.core.seeding import split_of
from envhub.registry import registry
from tests.support.places import STAND_INS

STAND_IN = STAND_INS / "stand_in"
OURS = ("envhub.adapters.reasoning_gym.environments", "envhub.adapters.reasoning_gym.scoring")


def forget() -> None:
    """The adapter, the library, and what was registered of it."""
    for name in list(sys.modules):
        if name in OURS or name.partition(".")[0] == "reasoning_gym":
            del sys.modules[name]
            vars(envhub.adapters).pop(name.rpartition(".")[2], None)
    for spec in registry.registered():
        if spec.id.startswith("reasoning-gym/"):
            registry.unregister(spec.id)
            registry._classes.pop(spec.id, None)


def load() -> Iterator[Any]:
    forget()
    adapter = importlib.import_module(OURS[0])
    yield adapter
    adapter.POOL.close()
    forget()


@pytest.fixture(scope="module")
def rg() -> Iterator[Any]:
    """The adapter over the stand-in."""
    sys.path.insert(0, str(STAND_IN))
    importlib.invalidate_caches()
    yield from load()
    sys.path.remove(str(STAND_IN))


def played(env: Any, text: str) -> dict[str, Any]:
    verdict: dict[str, Any] = env.fork().step(text)[4]["verdict"]
    return verdict


def begun(rg: Any, name: str, seed: int = 1, **settings: Any) -> Any:
    env = envhub.make(rg.register(name).id, **settings)
    env.reset(seed=seed)
    return env


# -- seeds and splits ------------------------------------------------------------------------------------------------------


def test_a_task_is_its_key(rg: Any) -> None:
    env = begun(rg, "chain_sum", difficulty=5)
    again = envhub.begin(env.task.key)
    assert again.task.prompt == env.task.prompt
    assert again.solve() == env.solve()
    assert env.task.params == {"level": 1, "release": "9.9.9"}
    assert "answer" not in str(env.task.problem)


def test_neighbouring_seeds_share_nothing_where_the_library_shares_all(rg: Any) -> None:
    def theirs(seed: int) -> set[str]:
        dataset, config = rg.scoring.factory.DATASETS["chain_sum"]
        return {dataset(config(seed=seed))[number]["question"] for number in range(100)}

    def ours(seed: int) -> set[str]:
        env = begun(rg, "chain_sum", seed)
        found = set()
        for _ in range(100):
            found.add(env.task.prompt)
            env.reset()
        return found

    assert len(theirs(42) & theirs(43)) == 99
    assert not ours(42) & ours(43)
    assert len(ours(42)) == 100


def test_splits_are_by_the_question(rg: Any) -> None:
    for split in ("train", "validation", "test"):
        for seed in range(20):
            assert split_of(begun(rg, "chain_sum", seed, split=split).task.fingerprint) == split
    assert begun(rg, "chain_sum", 3).task.fingerprint != begun(rg, "products", 3).task.fingerprint


def test_another_release_is_refused_by_name(rg: Any) -> None:
    key = begun(rg, "chain_sum").task.key.to_json()
    key["params"]["release"] = "0.1.0"
    with pytest.raises(InvalidParameters, match=r"9\.9\.9 is installed"):
        envhub.begin(type(begun(rg, "chain_sum").task.key).from_json(key))


# -- difficulty --------------------------------------------------------------------------------------------------------------


def test_difficulty_is_spread_over_the_levels_that_are_valid(rg: Any) -> None:
    at = [begun(rg, "chain_sum", difficulty=level).task.params["level"] for level in range(1, 11)]
    assert at == [0, 0, 1, 1, 1, 2, 2, 2, 3, 3]
    sizes = [max(len(begun(rg, "chain_sum", seed, difficulty=d).solve()) for seed in range(10)) for d in (1, 10)]
    assert sizes[0] < sizes[1]


def test_without_a_curriculum_it_is_the_same_for_all(rg: Any) -> None:
    assert {begun(rg, "products", difficulty=d).task.params["level"] for d in (1, 5, 10)} == {None}


def test_a_level_that_is_none_is_refused(rg: Any) -> None:
    id = rg.register("chain_sum").id
    for level in (4, -1, 2.5):
        with pytest.raises(InvalidParameters):
            envhub.make(id, level=level)
    assert envhub.make(id, level=3).reset(seed=1)


# -- answers -----------------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_right_answers_count_however_they_are_dressed(rg: Any) -> None:
    env = begun(rg, "chain_sum")
    right = env.environment.solve(env.episode.instance)
    for text in (
        env.solve(),
        f"<think>7?</think>So <answer> {right}.\n</answer>",
        f"\\boxed{{{right}}}",
        f"I add.\n**{right}**",
        f"<answer>{right}</answer> again <answer>{right}</answer>",
    ):
        assert played(env, text)["solved"] is True, text


@pytest.mark.slow
def test_wrong_ones_do_not_and_partial_credit_is_only_a_component(rg: Any) -> None:
    env = begun(rg, "chain_sum")
    right = env.environment.solve(env.episode.instance)
    part = played(env, f"<answer>{right} or 7</answer>")
    assert (part["score"], part["solved"], part["components"]["partial"]) == (0.0, False, 0.5)
    for text in (
        "",
        "7",
        f"<answer>-{right}</answer>",
        f"<answer>{right}0</answer>",
        "<answer>nan</answer>",
        env.task.prompt,
    ):
        assert played(env, text)["score"] == 0.0, text
    two = played(env, f"<answer>{right}</answer><answer>7</answer>")
    assert (two["status"], two["reason"]) == ("no_answer", "ambiguous")
    assert envhub.make(env.task.env_id, reward={"accuracy": 1.0, "partial": 0.5})


@pytest.mark.slow
@pytest.mark.parametrize("form", ["tag", "boxed", "last"])
def test_answers_of_several_lines(rg: Any, form: str) -> None:
    env = begun(rg, "wide", answer_format=form)
    assert "\n" in env.environment.solve(env.episode.instance)
    assert played(env, env.solve())["components"] == {"partial": 1.0, "format": 1.0}
    assert played(env, env.solve().replace("\n", " "))["solved"] is False


@pytest.mark.slow
def test_a_scorer_that_takes_anything_is_asked_for_the_stored_answer_too(rg: Any) -> None:
    env = begun(rg, "coin_flip")
    banana = played(env, "<answer>banana</answer>")
    assert (banana["solved"], banana["components"]["partial"]) == (False, 1.0)
    assert played(env, env.solve())["solved"] is True


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("Yes", "yes", True),
        ("[1, 2]", "['1', '2']", True),
        ("2.50", "2.5", True),
        ("1.", "1", True),
        ("13/4096", "0.003173828125", True),
        ("1,024.5", "1024.50", True),
        ("1,2", "12", False),
        ("1/0", "1", False),
        ("banana", "False", False),
        ("0", "0.17", False),
        ("1", "-1", False),
        ("[1, 2]", "[2, 1]", False),
        ("5 or 3", "5", False),
        ("nan", "1", False),
        ("1e5", "100000", False),
    ],
)
def test_what_is_the_stored_answer(rg: Any, one: str, other: str, expected: bool) -> None:
    assert rg.scoring.same(one, other) is expected


# -- answers that are programs ---------------------------------------------------------------------------------------------


def program(path: Path) -> str:
    return f"__import__('pathlib').Path({str(path)!r}).write_text('x')"


@pytest.mark.slow
def test_what_a_scorer_evaluates_can_change_nothing(rg: Any, tmp_path: Path) -> None:
    tmp_path.chmod(0o777)
    env = begun(rg, "products")  # no text is refused here: only the confinement stands between
    right = env.environment.solve(env.episode.instance)
    assert played(env, f"<answer>0 + {right}</answer>")["solved"] is True, "it does evaluate"
    verdict = played(env, f"<answer>{program(tmp_path / 'mark')}</answer>")
    assert (verdict["status"], verdict["score"]) == ("graded", 0.0)
    assert not (tmp_path / "mark").exists()


@pytest.mark.slow
def test_an_answer_over_which_a_scorer_fails_is_only_wrong(rg: Any) -> None:
    verdict = played(begun(rg, "products"), "<answer>1/0</answer>")
    assert (verdict["score"], verdict["components"]) == (0.0, {"partial": 0.0, "format": 1.0})


@pytest.mark.slow
def test_an_answer_that_ends_its_judge_is_its_own_doing(rg: Any) -> None:
    env = begun(rg, "products")
    verdict = played(env, "<answer>__import__('os')._exit(0)</answer>")
    assert (verdict["score"], verdict["components"]["abuse"]) == (0.0, 1.0)
    assert played(env, env.solve())["solved"] is True


def test_where_expressions_are_evaluated_only_mathematics_gets_there(rg: Any) -> None:
    entry = {"metadata": {"variable": "X"}}
    for text in ("3*(4 + 5)", "x**2/2 + C", "-cos(2*X)/2 + C", "exp(x)*sqrt(y)", "1.5*x", ".5"):
        assert rg.scoring.readable("countdown", text, entry), text
    for text in (
        program(Path("x")),
        "x.diff()",
        "x . diff",
        "1 or 2",
        "entry",
        "S('1')",
        "O(1)",
        "(lambda: 1)()",
        "[1][0]",
        "x if 1 else 2",
        "oo",
        "nan",
        "a_",
        "f'{1}'",
        "\N{FULLWIDTH DIGIT ONE}",
        "1+" * 2000 + "1",
    ):
        assert not rg.scoring.readable("countdown", text, entry), text
    assert rg.scoring.readable("products", "anything at all", entry)


@pytest.mark.slow
def test_the_key_cannot_be_looked_up_from_an_answer(rg: Any) -> None:
    lookup = "entry['metadata']['sum']"
    assert played(begun(rg, "products"), f"<answer>{lookup}</answer>")["solved"] is True, "where nothing is screened"
    for name in ("countdown", "n_queens"):
        env = begun(rg, name)
        assert played(env, f"<answer>{lookup}</answer>")["score"] == 0.0
        assert played(env, env.solve())["solved"] is True


# -- registration ------------------------------------------------------------------------------------------------------------


def test_every_dataset_that_can_be_trusted_is_registered(rg: Any) -> None:
    ids = [spec.id for spec in rg.register_all()]
    assert {"reasoning-gym/chain_sum-v0", "reasoning-gym/wide-v0"} <= set(ids)
    assert "reasoning-gym/boxnet-v0" not in ids
    assert [spec.id for spec in rg.register_all()] == ids
    assert set(ids) <= set(envhub.list_envs("reasoning_gym"))


def test_one_that_cannot_says_why(rg: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InvalidParameters, match="stores no answer"):
        rg.register("boxnet")
    with pytest.raises(InvalidParameters, match="Did you mean 'chain_sum'"):
        rg.register("chain_sums")
    for randomized, offered in ((1, False), (0, True)):
        monkeypatch.setattr(rg.scoring.sys, "flags", type("Flags", (), {"hash_randomization": randomized}))
        assert (rg.scoring.refusal("word_ladder") is None) is offered


def test_another_process_finds_the_class_by_its_name(rg: Any) -> None:
    spec = rg.register("chain_sum")
    module, _, name = spec.entry.partition(":")
    assert getattr(importlib.import_module(module), name) is registry.load(spec)
    assert isinstance(rg, ModuleType)
    with pytest.raises(AttributeError):
        rg.no_such_dataset


@pytest.mark.slow
@pytest.mark.skipif(find_spec("reasoning_gym") is not None, reason="reasoning-gym is installed")
def test_without_the_library_the_extra_is_named() -> None:
    program = f"import {OURS[0]}"
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert "MissingExtra: reasoning-gym is needed: pip install 'envhub[reasoning-gym]'" in run.stderr


# -- the library itself ------------------------------------------------------------------------------------------------------

real = pytest.mark.skipif(
    find_spec("reasoning_gym") is None, reason="reasoning-gym is not installed: pip install 'envhub[reasoning-gym]'"
)
EVALUATING = ("binary_matrix", "countdown", "n_queens", "simple_integration", "spiral_matrix", "string_insertion")


@pytest.fixture(scope="module")
def library() -> Iterator[Any]:
    """The adapter over the library."""
    yield from load()


@real
@pytest.mark.nightly
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # the library leaves its files open
def test_every_dataset_accepts_its_own_answers(library: Any) -> None:
    for spec in library.register_all():
        for difficulty in (1, 5, 10):
            env = envhub.make(spec.id, difficulty=difficulty)
            for seed in range(2):
                env.reset(seed=seed)
                assert played(env, env.solve())["solved"] is True, (spec.id, difficulty, seed)
            assert played(env, "<answer>banana</answer>")["score"] == 0.0, spec.id


@real
@pytest.mark.nightly
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # the library leaves its files open
@pytest.mark.parametrize("name", EVALUATING)
def test_no_program_is_run(library: Any, name: str, tmp_path: Path) -> None:
    tmp_path.chmod(0o777)
    env = begun(library, name)
    for text in (program(tmp_path / "mark"), f"[{program(tmp_path / 'mark')}]"):
        assert played(env, f"<answer>{text}</answer>")["score"] == 0.0
    assert not (tmp_path / "mark").exists()
    item = library.scoring.item(name, None, 1)
    item.score(program(tmp_path / "mark"))
    assert (tmp_path / "mark").exists(), "by itself it does run the text"
