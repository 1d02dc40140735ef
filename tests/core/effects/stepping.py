"""What the tests of effects share: actions, and ways to restore."""

from __future__ import annotations

import json

from envhub.authoring import write_call
from envhub.episodes.episode import Episode
from envhub.episodes.record import Record

ADD_3, ADD_4 = write_call("add", amount=3), write_call("add", amount=4)
LOOK = write_call("look")
RESTORES = ("replay", "snapshot", "none")


def through_json(journal: list[Record]) -> list[Record]:
    return [Record.from_json(json.loads(json.dumps(record.to_json()))) for record in journal]


def replayed(old: Episode) -> Episode:
    return Episode.replay(old.environment, old.task, old.instance, through_json(old.journal))
