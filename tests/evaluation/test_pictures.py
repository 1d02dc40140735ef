"""Evaluations with pictures: sent to the endpoint, kept out of the records."""

from __future__ import annotations

import io
from base64 import b64decode
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

import envhub
from envhub.core.errors import InvalidParameters
from envhub.evaluation import EvaluationConfig, read, run
from envhub.server.http.app import create_app
from envhub.settings import ServerSettings
from tests.evaluation.endpoint import Message, Model, player, serving
from tests.server.serving import serving as server

LEGEND = {"image_url", "text"}


def pixels(part: Any) -> bytes:
    """The pixels of a picture in a message."""
    head, _, data = part["image_url"]["url"].partition(",")
    assert head == "data:image/png;base64"
    return Image.open(io.BytesIO(b64decode(data))).tobytes()


@pytest.mark.parametrize("remote", [False, True])
def test_a_model_that_sees_the_board_solves_it(remote: bool, tmp_path: Path) -> None:
    config = EvaluationConfig.of(["mines-v0:2", "sokoban-v0:1"], tasks=2, observation="image")
    known: dict[bytes, str] = {}
    for env_id, level, number, _ in config.jobs():
        env = envhub.make(env_id, difficulty=level, split=config.split, observation="image")
        env.reset(seed=number)
        over = False
        while not over:
            action = env.solve()
            known[Image.open(io.BytesIO(env.episode.pictures()[0].png())).tobytes()] = action
            over = env.step(action)[2]

    def looks(messages: list[Message]) -> Message:
        parts = messages[-1]["content"]
        assert {part["type"] for part in parts} == LEGEND
        return {"role": "assistant", "content": known[pixels(parts[-1])]}

    def whole(url: str | None) -> None:
        with serving(Model(looks)) as address:
            assert run(config, player(address), tmp_path, at_once=2, url=url) == 0

    if remote:
        with server(create_app(ServerSettings())) as url:
            whole(url)
    else:
        whole(None)
    found = read(tmp_path)
    assert all(record.solved for record in found.records)
    for record in found.records:
        assert record.messages[0]["content"].endswith("[picture]")
    assert b"iVBOR" not in (tmp_path / "attempts.jsonl").read_bytes()


def test_the_observation_is_part_of_a_configuration_only_if_it_is_not_text() -> None:
    plain = EvaluationConfig.of(["sudoku-v0:2"])
    seen = EvaluationConfig.of(["sudoku-v0:2"], observation="both")
    assert "observation" not in plain.to_json()
    assert plain.digest != seen.digest
    assert EvaluationConfig.from_json(seen.to_json()) == seen
    with pytest.raises(InvalidParameters, match="has no pictures"):
        EvaluationConfig.of(["arithmetic-v0:2"], observation="both")
