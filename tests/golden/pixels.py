"""Digests of pictures: of the scene and of its pixels in the first observation of one task.

``pixels.json`` holds them, and ``record.py`` writes it. A picture may change; record it again then, and look at some of them
(``envhub picture``).
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Final

import envhub
from envhub.registry.registry import builtin_ids, load, self_contained, spec
from envhub.scenes.pixels import pixel_digest

RECORD: Final = Path(__file__).parent / "pixels.json"
LEVEL: Final = 4
SEED: Final = 7


def pictured() -> list[str]:
    """The environments with pictures."""
    return [id for id in builtin_ids() if self_contained(id) and load(spec(id)).pictured]


def digests(ids: Iterable[str]) -> dict[str, dict[str, str]]:
    """Digests of the scene and of its pixels, by environment."""
    found = {}
    for id in ids:
        env = envhub.make(id, difficulty=LEVEL)
        env.reset(seed=SEED)
        scene = env.scene()
        assert scene is not None, f"{id} has no picture at level {LEVEL}"
        found[id] = {"scene": scene.fingerprint(), "pixels": pixel_digest(scene)}
    return found
