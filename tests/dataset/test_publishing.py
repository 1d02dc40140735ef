"""``envhub generate --push-to-hub``, with the Hub's own client, against a hub on loopback."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.dataset.fake_hub import FakeHub, serving

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        find_spec("huggingface_hub") is None, reason="huggingface_hub is not installed: pip install 'envhub[hub]'"
    ),
]


def generate(folder: Path, *more: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Write ten rows in a process of its own: the client reads its settings when it is imported."""
    command = ["generate", "arithmetic-v0", "-n", "10", "-o", "sums.jsonl", "--processes", "1", "--json", *more]
    kept = {name: value for name, value in os.environ.items() if not name.startswith("HF_")}
    return subprocess.run(
        [sys.executable, "-m", "envhub", *command],
        cwd=folder,
        env={**kept, "HF_HOME": str(folder / "home"), "HF_HUB_DISABLE_TELEMETRY": "1", **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def test_rows_and_card_are_one_commit(tmp_path: Path) -> None:
    hub = FakeHub()
    with serving(hub) as url:
        done = generate(tmp_path, "--push-to-hub", "me/sums", HF_ENDPOINT=url, HF_TOKEN="hf_mine")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["pushed"] == f"{url}/datasets/me/sums/commit/1"
    assert [(made["organization"], made["name"], made["type"]) for made in hub.created] == [("me", "sums", "dataset")]
    assert hub.commits == [
        {
            "README.md": (tmp_path / "sums.card.md").read_bytes(),
            "sums.jsonl": (tmp_path / "sums.jsonl").read_bytes(),
        }
    ]
    assert hub.tokens == {"hf_mine"}
    assert "hf_mine" not in done.stdout + done.stderr


def test_a_push_that_failed_is_tried_again_by_the_same_command(tmp_path: Path) -> None:
    hub = FakeHub()
    hub.status = 403
    with serving(hub) as url:
        given = {"HF_ENDPOINT": url, "HF_TOKEN": "hf_mine"}
        refused = generate(tmp_path, "--push-to-hub", "me/sums", **given)
        assert refused.returncode == 2
        assert "The dataset is written, but could not be pushed to me/sums: 403" in refused.stderr.replace("\n", " ")
        assert "You may not write here." in refused.stderr
        assert "Traceback" not in refused.stderr
        hub.status = 200
        assert generate(tmp_path, "--push-to-hub", "me/sums", **given).returncode == 0
    assert len(hub.commits) == 1


@pytest.mark.parametrize(
    ("repo", "environment", "says"),
    [
        ("me/sums/more", {"HF_TOKEN": "hf_mine"}, "--push-to-hub takes a name like me/sudoku, got 'me/sums/more'."),
        ("me/sums", {}, "There is no token of the Hub. Set HF_TOKEN, or run: hf auth login"),
    ],
)
def test_what_cannot_be_pushed_is_not_drawn(repo: str, environment: dict[str, str], says: str, tmp_path: Path) -> None:
    refused = generate(tmp_path, "--push-to-hub", repo, **environment)
    assert refused.returncode == 2
    assert says in refused.stderr
    assert not (tmp_path / "sums.jsonl").exists()
