"""Records of effects: they survive JSON, hold no answer key, and refuse what other code wrote."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, strategies as st

from envhub.authoring import write_call
from envhub.core.effects import Ask, Check, Exec, Outcome, Performed, Query
from envhub.core.errors import SnapshotMismatch
from envhub.core.types import Fault
from envhub.episodes.episode import Episode
from envhub.episodes.record import Record
from tests.core.effects.stepping import ADD_3, ADD_4, LOOK, RESTORES
from tests.support.toys import SECRET, adder, episode

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)


def test_a_journal_written_by_other_code_is_refused() -> None:
    environment, _ = adder()
    old = episode(environment)
    old.step(ADD_3)
    (record,) = old.journal
    changed = Record(ADD_4, 0, record.effects)
    missing = Record(ADD_3, 0, ())
    unasked = Record(ADD_3, 0, (*record.effects, *record.effects))
    for journal in ([changed], [missing], [unasked]):
        with pytest.raises(SnapshotMismatch, match="journal does not fit"):
            Episode.replay(environment, old.task, old.instance, journal)
    assert Episode.replay(environment, old.task, old.instance, [record]).state == old.state


def test_a_journal_that_goes_on_after_the_end_is_refused() -> None:
    environment, _ = adder()
    old = episode(environment)
    old.step(write_call("submit", total=10))
    with pytest.raises(SnapshotMismatch, match="after the episode has ended"):
        Episode.replay(environment, old.task, old.instance, [*old.journal, Record(LOOK)])


@pytest.mark.parametrize("restore", RESTORES)
def test_the_answer_key_never_reaches_a_resource_or_a_journal(restore: Any) -> None:
    environment, tally = adder(restore)
    e = episode(environment)
    for action in (ADD_3, LOOK, write_call("ask", payload="crash")):
        e.step(action)
    assert e.instance.key == SECRET
    assert str(SECRET) not in repr((tally.opened, tally.performed))
    assert str(SECRET) not in json.dumps([record.to_json() for record in e.journal])


@given(
    st.builds(
        Performed,
        st.text(),
        st.none() | st.builds(Outcome, st.text(), JSON),
        JSON,
        st.none() | st.builds(Fault, st.text(), st.text()),
    )
)
def test_a_record_survives_json(record: Performed) -> None:
    assert Performed.from_json(json.loads(json.dumps(record.to_json()))) == record


@given(st.sampled_from([Exec, Check, Ask, Query]), st.sampled_from(["a", "b"]), JSON, JSON)
def test_a_digest_tells_requests_apart(kind: Any, name: str, payload: Any, other: Any) -> None:
    digest = kind(name, payload).digest()
    assert digest == kind(name, json.loads(json.dumps(payload))).digest()
    assert digest != kind(name + "'", payload).digest()
    assert len({k(name, payload).digest() for k in (Exec, Check, Ask, Query)}) == 4
    if json.dumps(payload, sort_keys=True) != json.dumps(other, sort_keys=True):
        assert digest != kind(name, other).digest()
