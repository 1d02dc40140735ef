"""Two small repositories, and images of them made from this machine's files."""

from __future__ import annotations

import io
import json
import tarfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import pytest

from envhub.sandbox.docker.daemon import Daemon

SITE: Final = ("_pytest", "pytest", "pluggy", "iniconfig", "packaging", "pygments", "py.py")
COMMAND: Final = "python3 -m pytest"
SLUG: Final = {
    "slug/__init__.py": "from slug.text import slug\n",
    "slug/text.py": 'def slug(text):\n    return "-".join(text.split(" "))\n',
    "tests/test_slug.py": (
        'from slug import slug\n\n\ndef test_words():\n    assert slug("a b") == "a-b"\n\n\n'
        'def test_one():\n    assert slug("a") == "a"\n'
    ),
    "setup.cfg": "[tool:pytest]\naddopts = -q\n",
}
SLUG_PATCH: Final = (
    "diff --git a/slug/text.py b/slug/text.py\n--- a/slug/text.py\n+++ b/slug/text.py\n@@ -1,2 +1,2 @@\n def slug(text):\n"
    '-    return "-".join(text.split(" "))\n+    return "-".join(text.lower().split())\n'
)
SLUG_TESTS: Final = (
    "diff --git a/tests/test_slug.py b/tests/test_slug.py\n--- a/tests/test_slug.py\n+++ b/tests/test_slug.py\n"
    '@@ -8,2 +8,6 @@\n def test_one():\n     assert slug("a") == "a"\n'
    '+\n+\n+def test_case():\n+    assert slug("A  b") == "a-b"\n'
)
QUEUE: Final = {
    "ring/__init__.py": "",
    "ring/buffer.py": (
        "class Ring:\n    def __init__(self, size):\n        self.size, self.items = size, []\n\n"
        "    def push(self, item):\n        self.items = [*self.items, item][-self.size :]\n"
    ),
    "tests/test_ring.py": (
        "from ring.buffer import Ring\n\n\ndef filled():\n    ring = Ring(2)\n"
        "    for item in (1, 2, 3):\n        ring.push(item)\n    return ring\n\n\n"
        "def test_last():\n    assert filled().items == [2, 3]\n\n\n"
        "def test_size():\n    assert filled().size == 2\n"
    ),
}
QUEUE_FAULT: Final = (
    "--- a/ring/buffer.py\n+++ b/ring/buffer.py\n@@ -4,3 +4,3 @@\n \n     def push(self, item):\n"
    "-        self.items = [*self.items, item][-self.size :]\n+        self.items = [*self.items, item][: self.size]\n"
)


def rows(slug: str, ring: str) -> list[dict[str, Any]]:
    """An instance in each format: SWE-rebench, SWE-bench with its texts of JSON, SWE-smith, R2E-Gym."""
    both = {"FAIL_TO_PASS": ["tests/test_slug.py::test_case"], "PASS_TO_PASS": ["tests/test_slug.py::test_words"]}
    patched = {"repo": "o/slug", "base_commit": "0" * 40, "patch": SLUG_PATCH, "test_patch": SLUG_TESTS}
    fixed = QUEUE["ring/buffer.py"]
    r2e_ran = {"test_file_names": ["test_1.py"], "test_file_codes": [QUEUE["tests/test_ring.py"]]}
    diff = {"header": {"file": {"path": "ring/buffer.py"}}, "new_file_content": fixed}
    return [
        {
            "instance_id": "o__slug-1",
            "problem_statement": "Slugs keep capitals and double spaces.",
            "image_name": slug,
            "install_config": {"test_cmd": COMMAND},
            **patched,
            **both,
        },
        {
            "instance_id": "o__slug-2",
            "problem_statement": "slug() does not lower its text.",
            "docker_image": slug,
            **patched,
            **{name: json.dumps(value) for name, value in both.items()},
        },
        {
            "instance_id": "o__ring.1",
            "problem_statement": "The ring keeps the oldest items.",
            "image_name": ring,
            "patch": QUEUE_FAULT,
            "FAIL_TO_PASS": ["tests/test_ring.py::test_last"],
            "PASS_TO_PASS": ["tests/test_ring.py::test_size"],
        },
        {
            "repo_name": "ring",
            "commit_hash": "1" * 40,
            "problem_statement": "A full ring drops new items.",
            "docker_image": f"{ring}-broken",
            "execution_result_content": json.dumps(r2e_ran),
            "parsed_commit_content": json.dumps({"file_diffs": [diff]}),
            "expected_output_json": json.dumps({"test_last": "PASSED", "test_size": "PASSED"}),
        },
    ]


def build(base: str, tag: str, files: Mapping[str, str]) -> str:
    """An image of the base with a repository in /testbed, and pytest."""
    daemon = Daemon()
    key = daemon.create({"Image": base, "Cmd": ["true"]})
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w") as archive:
        site = Path(pytest.__file__).parents[1]
        for path in (*(site / name for name in SITE), *site.glob("plugg*.dist-info")):
            archive.add(path, f"opt/site/{path.name}", filter=_source)
        for path, text in files.items():
            member = tarfile.TarInfo(f"testbed/{path}")
            member.size, member.mode = len(text), 0o644
            archive.addfile(member, io.BytesIO(text.encode()))
        for folder in ("tmp",):  # a link into the box of the base image
            member = tarfile.TarInfo(f"box/{folder}")
            member.type, member.mode = tarfile.DIRTYPE, 0o1777
            archive.addfile(member)
    daemon.ask("PUT", f"/containers/{key}/archive", params={"path": "/"}, data=data.getvalue())
    name, _, version = tag.partition(":")
    daemon.api.commit(key, name, version, changes=["ENV PYTHONPATH=/opt/site"])
    daemon.remove(key)
    daemon.close()
    return tag


def _source(member: tarfile.TarInfo) -> tarfile.TarInfo | None:
    return None if "__pycache__" in member.name else member
