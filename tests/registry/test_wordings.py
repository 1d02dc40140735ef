"""Every environment has wordings, some of which no training prompt uses."""

from __future__ import annotations

from typing import Final

import pytest

import envhub
from envhub.audit import Subject
from envhub.audit.wordings import FEWEST_FRAMES, FEWEST_RENDERINGS, SHORTEST
from envhub.authoring.wording import HELD_OUT, WORDINGS, Statement, Wording
from envhub.registry.registry import builtin_ids, self_contained
from tests.support.chosen import everything, unaided

OWN_TEXT: Final = {"code-tests-v0", "dataset-v0", "instructions-dataset-v0", "swe-dataset-v0"}
"""Environments whose prompts are the texts of a user's file: rewording them would make another data set."""
STATED: Final = {
    "lean-theorems-v0",
    "proposed-v0",
    "rewrite-dataset-v0",
    "search-dataset-v0",
    "weak-spot-record-v0",
}
"""Environments that state the problems of a user's file in their own words; they have tests of their own."""
SEED: Final = 31


def stated(env_id: str) -> Statement:
    """The first problem of level 1 before it is worded."""
    subject = Subject(env_id)
    statement = subject.environment.prompt(subject.started(1, SEED).episode.instance.problem)
    assert isinstance(statement, Statement), "its prompt is one fixed text"
    return statement


def test_only_texts_of_files_have_no_wordings() -> None:
    assert {env_id for env_id in builtin_ids() if not self_contained(env_id)} == OWN_TEXT | STATED


@pytest.mark.parametrize(
    "name", [id if unaided(id) else pytest.param(id, marks=pytest.mark.slow) for id in everything()]
)
def test_every_part_has_a_wording_that_is_reserved(name: str) -> None:
    statement = stated(name)
    assert len(statement.frames.options) >= FEWEST_FRAMES
    assert len(statement.data.options) >= FEWEST_RENDERINGS
    assert statement.frames.held_out not in statement.frames.options
    for number in range(0, WORDINGS, WORDINGS // 8):
        trained = statement.worded(Wording(number))
        shared = [text for text in statement.parts(HELD_OUT).texts() if len(text) >= SHORTEST and text in trained]
        assert not shared, f"training and held-out prompts share {shared}"


@pytest.mark.parametrize("name", ["graph-mst-v0", "kakurasu-v0", "kuhn-poker-v0", "sql-v0"])
def test_the_option_reaches_the_policy_and_keeps_the_task(name: str) -> None:
    reserved, trained = (envhub.make(name, difficulty=1, wording=wording) for wording in ("held-out", 0))
    (held_out, _), (plain, _) = reserved.reset(seed=SEED), trained.reset(seed=SEED)
    assert held_out != plain
    assert (reserved.task.problem, reserved.task.fingerprint) == (trained.task.problem, trained.task.fingerprint)
