"""Files of recorded episodes, as their writers write them."""

from __future__ import annotations

import json
import struct
import zipfile
from pathlib import Path
from typing import Any

import pyarrow


def attempt(number: int = 0, tried: int = 0, *, level: int = 3, solved: bool = False, **fields: Any) -> dict[str, Any]:
    """A line of ``attempts.jsonl``."""
    messages = [
        {"role": "user", "content": f"What is {number} + 1?"},
        {"role": "assistant", "content": f"<think>Add one.</think><answer>{number + solved}</answer>"},
    ]
    line = {
        "job": ["arithmetic-v0", level, number, tried],
        "outcome": "graded",
        "solved": solved,
        "score": float(solved),
    }
    return {**line, "turns": 1, "messages": messages, "why": "", **fields}


EXPORTED = {
    "episode_id": "e1",
    "task": {"env_id": "guess-number-v0", "difficulty": 2, "split": "train", "seed": 5},
    "messages": None,
    "actions": ["<answer>5</answer>"],
    "rewards": [0.5],
    "reward": 0.5,
    "verdict": {"status": "graded", "solved": False, "score": 0.5, "reason": None},
}
TRAINED = {
    "step": 7,
    "why": "best",
    "env_id": "tic-tac-toe-v0",
    "difficulty": 1,
    "group": 4,
    "reward": 1.0,
    "solved": True,
    "error": None,
    "turns": [{"observation": "Your move.", "action": "5", "reward": 1.0, "row": 0}],
    "rows": [[{"given": 2, "text": "Your move."}, {"end": 3, "pieces": ["5"], "logps": [-0.1], "advantages": [0.7]}]],
}
ROLLOUT = {
    "example_id": 3,
    "prompt": [{"role": "user", "content": "2 + 2?"}],
    "completion": [{"role": "assistant", "content": "4"}],
    "reward": 1.0,
}
CHAT = {
    "messages": [
        {"role": "user", "content": [{"type": "text", "text": "Look:"}, {"type": "image_url", "image_url": {}}]},
        {"role": "assistant", "content": None, "reasoning_content": "A cat.", "tool_calls": [{"id": "1"}]},
    ]
}


def write(path: Path, *lines: Any) -> Path:
    """A file with one JSON value per line."""
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


SAMPLES = [
    {
        "id": "a",
        "epoch": 1,
        "messages": [
            {"role": "user", "content": "attachment://f00d"},
            {
                "role": "assistant",
                "content": [{"type": "reasoning", "reasoning": "Add."}, {"type": "text", "text": "2"}],
            },
        ],
        "scores": {"match": {"value": "C", "answer": "2"}},
        "metadata": {"difficulty": 4},
        "attachments": {"f00d": "1 + 1?"},
        "events": [{"event": "model"}],
    },
    {
        "id": 7,
        "epoch": 1,
        "messages": [{"role": "user", "content": "2 + 2?"}, {"role": "assistant", "content": "5"}],
        "scores": {"match": {"value": "I"}},
    },
    {"id": 8, "epoch": 1, "messages": [], "scores": {}, "error": {"message": "connection lost"}},
]
"""Samples as Inspect logs them."""


def inspect_json(path: Path) -> Path:
    """A log of Inspect as one JSON document."""
    path.write_text(json.dumps({"version": 2, "eval": {"task": "sums"}, "samples": SAMPLES}))
    return path


def inspect_eval(path: Path, zstandard: bool) -> Path:
    """A log of Inspect as a zip file."""
    members = {"header.json": {"version": 2, "eval": {"task": "sums"}}}
    members |= {f"samples/{sample['id']}_epoch_1.json": sample for sample in SAMPLES}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, value in members.items():
            packed.writestr(name, json.dumps(value), zipfile.ZIP_STORED if zstandard else None)
    if zstandard:
        _compress(path)
    return path


def _compress(path: Path) -> None:
    """Rewrite stored members with Zstandard (method 93), which Python's own module writes from 3.14 on only."""
    codec, content, central = pyarrow.Codec("zstd"), b"", b""
    with zipfile.ZipFile(path) as packed:
        infos = [(info, codec.compress(packed.read(info), asbytes=True)) for info in packed.infolist()]
    for info, data in infos:
        name, moved = info.filename.encode(), len(content)
        sizes = (info.CRC, len(data), info.file_size, len(name), 0)
        content += struct.pack("<4s5H3L2H", b"PK\3\4", 63, 0, 93, 0, 33, *sizes) + name + data
        central += struct.pack("<4s6H3L5H2L", b"PK\1\2", 63, 63, 0, 93, 0, 33, *sizes, 0, 0, 0, 0, moved) + name
    end = struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, len(infos), len(infos), len(central), len(content), 0)
    path.write_bytes(content + central + end)
