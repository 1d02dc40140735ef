"""Exports finished episodes as trajectories: JSONL, one line per episode.

A line holds the task's key, the conversation, the actions, the rewards, the verdict and timings. It is built from the record
alone: the task is rebuilt for the prompt, and no effect is performed. Exporting does not reset the idle time of an episode, and
can run beside a server::

    journal = open_journal("sqlite:////var/lib/envhub/journal.sqlite", ttl_s=3600, capacity=20_000)
    with open("episodes.jsonl", "wb") as file:
        written = await export(journal, file)

A task key reveals the solution: never show an export to a policy.
"""

from __future__ import annotations

import asyncio
import json
from typing import BinaryIO

import orjson

from envhub.core.errors import EnvhubError
from envhub.core.types import JSON
from envhub.server.episodes.folding import origin
from envhub.server.journal.records import Journal, StoredEpisode


async def export(journal: Journal, file: BinaryIO) -> int:
    """Write every finished episode, in the order in which they finished.

    Returns their number.

    Raises:
        JournalUnavailable: The journal cannot be read.
    """
    written = 0
    for episode_id in await journal.finished():
        stored = await journal.load(episode_id, use=False)
        if stored is None or not stored.entries or not stored.entries[-1].over:  # deleted or restarted meanwhile
            continue
        file.write(await asyncio.to_thread(_line, stored))
        written += 1
    return written


def trajectory(stored: StoredEpisode) -> dict[str, JSON]:
    """An episode as JSON values.

    ``reward`` is the sum over all turns, or null if one of them could not be judged. If the environment is not available to
    rebuild the prompt, ``messages`` is null and ``lacking`` gives the reason.
    """
    header, entries = stored.header, stored.entries
    rewards = [entry.answer["reward"] for entry in entries]
    last: JSON = entries[-1].answer if entries else {"terminated": False, "truncated": False, "info": {}}
    line: dict[str, JSON] = {
        "episode_id": header.episode_id,
        "task": dict(header.task),
        "options": dict(header.options),
        "turn_seed": header.first_turn_seed,
        "inherited": header.inherited,
        "messages": None,
        "actions": [entry.record.action for entry in entries],
        "rewards": rewards,
        "reward": None if None in rewards else sum(rewards),
        "verdict": last["info"].get("verdict"),
        "error": last["info"].get("error"),
        "terminated": last["terminated"],
        "truncated": last["truncated"],
        "timing": {"begun": header.at, "turns": [{"at": entry.at, "took_s": entry.took_s} for entry in entries]},
    }
    try:
        line["messages"] = _messages(stored)
    except EnvhubError as error:
        line["lacking"] = f"{type(error).__name__}: {error}"
    return line


def _messages(stored: StoredEpisode) -> list[dict[str, str]]:
    system = stored.header.options.get("system")
    messages = [] if system is None else [{"role": "system", "content": system}]
    messages.append({"role": "user", "content": origin(stored.header)[1].prompt})
    for entry in stored.entries:
        messages.append({"role": "assistant", "content": entry.record.action})
        messages.append({"role": "user", "content": entry.answer["observation"]})
    return messages


def _line(stored: StoredEpisode) -> bytes:
    line = trajectory(stored)
    try:
        return orjson.dumps(line, option=orjson.OPT_APPEND_NEWLINE)
    except TypeError:  # an integer past 64 bits
        return json.dumps(line).encode() + b"\n"
