"""Adapters that hand on text refuse an observation whose text is incomplete."""

from __future__ import annotations

import pytest

from envhub.adapters.shared.episodes import Episodes
from envhub.core.errors import InvalidParameters


def test_an_adapter_of_text_refuses_images() -> None:
    with pytest.raises(InvalidParameters, match="text alone"):
        Episodes(observation="image")
    Episodes(observation="both")  # the text is complete
