"""docs/trainers.md: what it shows is what is answered, and every protocol it names is there."""

from __future__ import annotations

import json
import re
from typing import Any

from tests.server.serving import Api
from tests.support.places import ROOT

TEXT = (ROOT / "docs" / "trainers.md").read_text()


def test_the_guide_shows_real_answers(api: Api) -> None:
    shown = re.findall(
        r"```sh\ncurl \S+ localhost:8420(\S+) .*?-d '(.*?)'\n```\n\n```json\n(.*?)\n```", TEXT, re.DOTALL
    )
    assert len(shown) == 2
    for path, body, answer in shown:
        assert api.post(path, json.loads(body)).json() == json.loads(answer)


def test_every_path_that_is_named_is_there(api: Api) -> None:
    paths: dict[str, Any] = api.get("/openapi.json").json()["paths"]
    for path in ("/rewards/openrlhf", "/rewards/slime", "/openenv/{env_id}", "/nemo/{env_id}"):
        assert path in TEXT
        assert any(known.startswith(path) for known in paths)
    for name in (
        "seed_session",
        "verify",
        "close_session",
        "aggregate_metrics",
        "reverify_mode",
        "reset",
        "step",
        "close",
    ):
        assert f"`/{name}`" in TEXT
        assert f"/nemo/{{env_id}}/{name}" in paths
