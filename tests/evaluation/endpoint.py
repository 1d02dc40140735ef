"""A scripted model behind OpenAI's protocol, on loopback: what it knows and how often it is right is up to the test."""

from __future__ import annotations

import json
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from envhub.core.seeding import Stream
from envhub.evaluation import EndpointPlayer, EvaluationConfig
from envhub.making import make
from envhub.verifiers.judge.endpoint import Endpoint

Message = dict[str, Any]
Script = Callable[[list[Message]], Message]
WRONG = "<answer>4000000</answer>"


class Model:
    """Replies by a script; dead while it is told to be.

    Attributes:
        script: From the messages of a conversation to the next one.
        asked: How many requests came.
        dies_after: How many are answered before it is dead; None for all.
        bodies: What was asked.
    """

    def __init__(self, script: Script) -> None:
        self.script = script
        self.asked = 0
        self.dies_after: int | None = None
        self.bodies: list[Any] = []
        self.lock = threading.Lock()

    def answer(self, body: Any) -> tuple[int, Any]:
        """A status and what is said."""
        with self.lock:
            self.asked += 1
            self.bodies.append(body)
            if self.dies_after is not None and self.asked > self.dies_after:
                return 503, {"error": "gone"}
            said = self.script(body["messages"])
        finish = said.pop("finish", "stop")
        usage = {"prompt_tokens": 1, "completion_tokens": 7, "total_tokens": 8}
        return 200, {"choices": [{"index": 0, "message": said, "finish_reason": finish}], "usage": usage}


@contextmanager
def serving(model: Model) -> Iterator[str]:
    """The model's address."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            status, told = model.answer(json.loads(self.rfile.read(int(self.headers["content-length"]))))
            body = json.dumps(told).encode()
            self.send_response(status)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/v1"
        server.shutdown()
        thread.join()


def player(url: str, name: str = "scripted", **settings: Any) -> EndpointPlayer:
    """Asks once and takes what comes."""
    return EndpointPlayer(Endpoint(url, name, retries=0, timeout_s=30, **settings))


def knowing(config: EvaluationConfig, right: float) -> Script:
    """Solves a share of the attempts at single-turn tasks, drawn from what is asked and how often it was."""
    solutions: dict[str, str] = {}
    for env_id, level, number, _ in config.jobs():
        env = make(env_id, difficulty=level, split=config.split)
        prompt, _ = env.reset(seed=config.seed + number)
        solutions[prompt] = env.solve()
    times: Counter[str] = Counter()

    def reply(messages: list[Message]) -> Message:
        prompt = messages[-1]["content"]
        times[prompt] += 1
        draw = Stream(f"{prompt}|{times[prompt]}".encode()).below(1000)
        return {"role": "assistant", "content": solutions[prompt] if draw < 1000 * right else WRONG}

    return reply
