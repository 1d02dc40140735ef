"""Wordings: all parts are said in each, choices are independent, and what is held out stays apart."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest

import envhub
from envhub.audit.subject import Breach, Subject
from envhub.audit.wordings import check_wordings, fixed_share
from envhub.authoring.wording import (
    FRAMES,
    GAME_FRAMES,
    HELD_OUT,
    PLAIN,
    WORDINGS,
    Parts,
    Phrase,
    Statement,
    Variants,
    Wording,
    and_list,
    counted,
)
from envhub.core.errors import InvalidParameters, SnapshotMismatch
from envhub.envs.numbers.gcd_lcm import GcdLcm
from envhub.registry.registry import builtin_ids, self_contained

ONE = Phrase("Add {a}.", "Take the sum with {a}.", "Plus {a}.", held_out="Let x grow by {a}.")
TWO = Phrase("Halve it.", "Divide it by two.", "Take one half of it.", held_out="x := x / 2")
DATA = Variants(lambda p: f"x is {p['x']}", lambda p: json.dumps(p), held_out=lambda p: f"x={p['x']};", name="data")
PARTS = Parts("Do this.", "data: 1", ("first rule", "second rule"), "a note")


def statement(**changes: Any) -> Statement:
    given = {"task": ONE, "data": DATA, "problem": {"x": 3}, "rules": (TWO,), "values": {"a": 7}}
    return Statement(**{**given, **changes})


@pytest.mark.parametrize("frame", [*FRAMES, *GAME_FRAMES], ids=lambda frame: frame.__name__)
def test_every_frame_contains_every_part(frame: Any) -> None:
    assert all(part in frame(PARTS) for part in PARTS.texts())
    bare = Parts("Do this.", "data: 1", (), "")
    assert all(part in frame(bare) for part in bare.texts())
    assert "\n\n\n" not in frame(bare)
    assert not frame(bare).endswith("\n")


def test_number_0_takes_the_first_of_everything() -> None:
    assert statement().worded() == statement().worded(PLAIN) == "Add 7.\n\nx is 3\n\nRules:\n- Halve it."


def test_all_phrasings_are_used_about_equally_and_independently() -> None:
    pairs = Counter((wording.pick(ONE), wording.pick(TWO)) for wording in map(Wording, range(1, 3001)))
    assert set(pairs) == {(one, two) for one in ONE.options for two in TWO.options}
    assert all(250 < count < 420 for count in pairs.values())


def test_no_training_wording_shows_what_is_held_out() -> None:
    texts = {statement().worded(Wording(number)) for number in range(0, WORDINGS, 17)}
    assert len(texts) > 60
    held_out = statement().worded(HELD_OUT)
    assert held_out not in texts
    for part in ("Let x grow by 7.", "x := x / 2", "x=3;", "PROBLEM."):
        assert part in held_out
        assert not any(part in text for text in texts)


@pytest.mark.parametrize(
    ("options", "held_out", "message"),
    [
        (("a", "b"), "c", "at least 3"),
        (("a", "b", "a"), "c", "equal"),
        (("a", "b", "c"), "a", "equal"),
        (("a {n}", "b {n}", "c"), "d {n}", "different fields"),
        (("a {n}", "b {n}", "c {n}"), "d {m}", "different fields"),
    ],
)
def test_a_phrase_that_drops_something_is_refused(options: tuple[str, ...], held_out: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Phrase(*options, held_out=held_out)


@pytest.mark.parametrize("given", [-1, WORDINGS, "held_out", "7", True, 1.0, [3]])
def test_what_names_no_wording_is_refused(given: Any) -> None:
    with pytest.raises(InvalidParameters, match="`wording` must be 'held-out' or an integer from 0 to 9999"):
        envhub.make("gcd-lcm-v0", wording=given)


def test_a_task_has_its_own_wording_which_is_no_part_of_it() -> None:
    free, fixed, held_out = (envhub.make("gcd-lcm-v0", wording=wording) for wording in (None, 5, "held-out"))
    prompts = [env.reset(seed=4)[0] for env in (free, fixed, held_out)]
    assert len(set(prompts)) == 3
    assert free.task.key == fixed.task.key == held_out.task.key
    assert free.task.fingerprint == fixed.task.fingerprint == held_out.task.fingerprint
    assert [env.task.wording for env in (fixed, held_out)] == [5, "held-out"]
    assert envhub.make("gcd-lcm-v0", wording=free.task.wording).reset(seed=4)[0] == prompts[0]
    numbers = {free.task.wording for seed in range(20) if free.reset(seed=seed)}
    assert len(numbers) > 15


@pytest.mark.parametrize("wording", [None, 5, "held-out"])
def test_a_wording_travels_with_snapshots_tasks_and_forks(wording: Any) -> None:
    env = envhub.make("gcd-lcm-v0", wording=wording)
    prompt, _ = env.reset(seed=4)
    snapshot = json.loads(json.dumps(env.snapshot()))
    assert envhub.restore(snapshot).task.prompt == prompt
    assert env.fork().task.prompt == prompt
    assert envhub.begin(envhub.Task.from_json(json.loads(json.dumps(env.task.to_json())))).task.prompt == prompt
    other = envhub.make("gcd-lcm-v0", wording=6)
    other.reset(seed=4)
    with pytest.raises(SnapshotMismatch, match="wording"):
        other.restore(snapshot)


class Pointing(GcdLcm):
    task = Phrase(
        "Find the {asked} of the {count} numbers below.",
        "The {asked} of {count}?",
        "Compute the {asked} ({count}).",
        held_out="{asked}, {count}",
    )


class Shown(GcdLcm):
    data = Variants(*GcdLcm.data.options, held_out=GcdLcm.data.options[0], name="data")


class Single(GcdLcm):
    data = Variants(GcdLcm.data.options[0], held_out=GcdLcm.data.held_out, name="data")


@pytest.mark.parametrize(
    ("broken", "finding"), [(Pointing, "point at a place"), (Shown, "held-out text"), (Single, "2 renderings")]
)
def test_the_audit_finds_broken_wordings(broken: type[GcdLcm], finding: str, register: Any) -> None:
    id = register(f"{broken.__name__.lower()}-v0", broken)
    with pytest.raises(Breach, match=finding):
        check_wordings(Subject(id))


def test_the_audit_passes_sound_ones() -> None:
    check_wordings(Subject("gcd-lcm-v0"))


def test_fixed_text_is_measured() -> None:
    same = "one two three four five six seven eight nine"
    assert fixed_share([same] * 10) == 1.0
    assert fixed_share([f"{n} {same.replace('five', str(n))}" for n in range(10)]) == 0.0


def test_a_bound_phrase_has_fields_of_its_own() -> None:
    phrase = Phrase("Write {n} of {all}.", "Use {n} of {all}.", "Take {n} of {all}.", held_out="{n} out of {all}.")
    one, other = phrase.bound({"n": 1}), phrase.bound({"n": 2})
    assert one.filled({"all": 9})[0] == "Write 1 of 9."
    assert other.filled({"all": 9})[-1] == "2 out of 9."
    assert one.salt != other.salt != phrase.salt


@pytest.mark.parametrize("frame", list(GAME_FRAMES), ids=lambda frame: frame.__name__)
def test_a_game_ends_with_the_state_that_the_first_answer_is_about(frame: Any) -> None:
    assert frame(PARTS).endswith(PARTS.data)


@pytest.mark.parametrize(("count", "text"), [(0, "0 boxes"), (1, "1 box"), (2, "2 boxes")])
def test_nouns_agree_with_their_counts(count: int, text: str) -> None:
    assert counted(count, "box", "boxes") == text
    assert counted(count, "move") == f"{count} move{'' if count == 1 else 's'}"


def test_lists_in_a_sentence() -> None:
    assert [and_list(range(count)) for count in (1, 2, 3)] == ["0", "0 and 1", "0, 1 and 2"]


@pytest.mark.slow
def test_every_environment_with_problems_of_its_own_has_wordings() -> None:
    plain = []
    for env_id in filter(self_contained, builtin_ids()):
        env = envhub.make(env_id, difficulty=1)
        env.reset(seed=1)
        if isinstance(env.environment.prompt(env.task.problem), str):
            plain.append(env_id)
    assert plain == []


@pytest.mark.parametrize("name", ["guess-number-v0", "kuhn-poker-v0"])
def test_kept_statements_say_what_fresh_ones_say(name: str) -> None:
    """Problems of seeds and parameters follow each other; each prompt is that of an environment without a past."""
    kept = envhub.make(name, difficulty=1).environment
    tasks = [
        envhub.make(name, difficulty=level).source.draw(seed) for seed in range(20) for level in (1, 1 + seed % 3, 2)
    ]
    for number, (task, _) in enumerate(tasks):
        wording = Wording(number * 397 % WORDINGS)
        assert kept.opening(task.problem, wording) == type(kept)().opening(task.problem, wording)


def test_a_changed_problem_does_not_change_later_prompts() -> None:
    env, fresh = (envhub.make("guess-number-v0", low=1, high=10, guesses=4) for _ in range(2))
    for seed in range(30):
        prompt, _ = env.reset(seed=seed)
        env.task.problem["guesses"] = 9
        assert prompt == type(fresh.environment)().opening(
            fresh.source.draw(seed)[0].problem, Wording(env.task.wording)
        )
    assert "9 guesses" in env.environment.worded({"low": 1, "high": 10, "guesses": 9})
