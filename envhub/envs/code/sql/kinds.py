"""All kinds of questions, from the simplest to the longest."""

from __future__ import annotations

from typing import Final

from envhub.envs.code.sql import nested, owners, single
from envhub.envs.code.sql.questions import Kind

KINDS: Final[dict[str, Kind]] = {**single.KINDS, **owners.KINDS, **nested.KINDS}
