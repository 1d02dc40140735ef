"""Record ``vllm_conversations.json`` anew, from real servers: ``python -m tests.trainer.policy.record_vllm``. Takes minutes."""

from __future__ import annotations

import asyncio
import json
import tempfile
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import Any
from unittest import mock

import torch

from envhub_trainer.policy import PolicyError
from envhub_trainer.policy.vllm_process import Server
from tests.trainer.policy import vllm_dialogues as dialogues
from tests.trainer.policy.vllm_models import CONTEXT, ENVIRONMENT, OPTIONS, checkpoint, python_with_vllm
from tests.trainer.policy.vllm_wire_tap import CONVERSATIONS, Recorder

Dialogue = Callable[[str, Any], Awaitable[Any]]


def _shortened(exchange: dict[str, Any]) -> dict[str, Any]:
    """Without what no test needs and is long: the configuration of the server, and further candidates for a token."""
    path = exchange["asked"]["path"]
    if exchange["status"] != 200 or path not in ("/server_info", "/inference/v1/generate"):
        return exchange
    answer = json.loads(exchange["answered"])
    if path == "/server_info":
        mode = answer["vllm_config"]["model_config"]["logprobs_mode"]
        answer = {"vllm_config": {"model_config": {"logprobs_mode": mode}}}
    else:
        for each in answer["choices"][0]["logprobs"]["content"]:
            del each["top_logprobs"], each["rank"]
    return {**exchange, "answered": json.dumps(answer)}


async def _record(url: str, dialogue: Dialogue) -> list[dict[str, Any]]:
    recorder = Recorder()
    with suppress(PolicyError):
        await dialogue(url, recorder)
    return [_shortened(each) for each in recorder.exchanges]


def _empty(model: Any, folder: Path) -> Path:
    folder.mkdir()
    return folder


def main() -> None:
    torch.set_num_threads(1)
    conversations = {}
    with tempfile.TemporaryDirectory() as place:
        model = checkpoint(Path(place) / "model", seed=1)

        def serve(environment: dict[str, str], *options: str) -> Server:
            return Server(
                model,
                python=python_with_vllm(),
                context=CONTEXT,
                options=(*OPTIONS, *options),
                environment={**ENVIRONMENT, **environment},
            )

        with serve({}) as server:
            for dialogue in (dialogues.session, dialogues.keep, dialogues.wrong_name):
                conversations[dialogue.__name__] = asyncio.run(_record(server.url, dialogue))
            with mock.patch("envhub_trainer.policy.vllm.save", _empty):
                conversations["unread"] = asyncio.run(_record(server.url, dialogues.unread))
        with serve({"ENVHUB_VLLM_PACK": "1"}) as server:
            conversations["packed"] = asyncio.run(_record(server.url, dialogues.packed))
        with serve({"VLLM_SERVER_DEV_MODE": "0"}) as server:
            conversations["no_development"] = asyncio.run(_record(server.url, dialogues.connected))
        with serve({}, "--logprobs-mode", "raw_logprobs") as server:
            conversations["raw"] = asyncio.run(_record(server.url, dialogues.connected))
        with serve({}, "--no-enable-scale-out") as server:
            conversations["no_scale_out"] = asyncio.run(_record(server.url, dialogues.connected))
    CONVERSATIONS.write_text(json.dumps(conversations, indent=1, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
