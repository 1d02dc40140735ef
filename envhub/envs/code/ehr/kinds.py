"""The kinds of question of ehr-v0, by name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from envhub.envs.code.ehr import counting, following, listing
from envhub.envs.code.ehr.questions import Kind

KINDS: Final[Mapping[str, Kind]] = {**counting.KINDS, **listing.KINDS, **following.KINDS}
