"""Samples of the gallery: one task per environment and level."""

from __future__ import annotations

import gzip
from typing import Final, NamedTuple

from starlette.responses import PlainTextResponse, Response

from envhub.core.types import JSON
from envhub.episodes.episode import Episode
from envhub.episodes.rerun import CHECKER
from envhub.scenes import Scene
from envhub.scenes.svg import svg
from envhub.tasks.sources import prepare

SEED: Final = 0


class Sample(NamedTuple):
    """A task as it is shown.

    ``scene`` is None without a picture.
    """

    prompt: str
    params: JSON
    scene: Scene | None


def draw(env_id: str, level: int) -> Sample:
    """The sample of an environment at a level, of the split train.

    Raises:
        EnvhubError: As :func:`envhub.make`, and if no task can be drawn.
    """
    source, _ = prepare(env_id, level, "train", {}, {})
    task, instance = source.draw(SEED)
    return Sample(
        task.prompt, task.to_json()["params"], Episode(source.environment, task, instance, checker=CHECKER).scene()
    )


def picture(scene: Scene | None, title: str = "") -> Response:
    """The response with a scene as an SVG document; 404 without one."""
    if scene is None:
        return PlainTextResponse("Not Found", 404)
    packed = gzip.compress(svg(scene, title=title).encode(), mtime=0)
    return Response(packed, media_type="image/svg+xml", headers={"Content-Encoding": "gzip"})
