"""Write the answers of docs/api.md: ``python docs/api.py``.

Every block of curl lines is sent to an application in this process, in order. The block after it becomes the answer.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

FILE: Final = Path(__file__).with_suffix(".md")
_BLOCKS: Final = re.compile(r"(```sh\n(curl .*?)```\n\n```(?:json)?\n)(.*?)(\n```)", re.DOTALL)

Ask = Callable[[str, str, Any], Any]
"""Sends a method, a path and a body; returns a response with ``status_code`` and ``json()``."""


def filled(text: str, ask: Ask) -> str:
    """The page with every answer replaced by the one of the last request before it."""

    def answered(found: re.Match[str]) -> str:
        answer = _last_answer(found[2], ask)
        same = json.loads(found[3]) == answer
        return found[0] if same else f"{found[1]}{json.dumps(answer, indent=2, ensure_ascii=False)}{found[4]}"

    return _BLOCKS.sub(answered, text)


def _last_answer(commands: str, ask: Ask) -> Any:
    for command in re.split(r"^(?=curl)", commands, flags=re.MULTILINE)[1:]:
        body = re.search(r"-d '(.*?)'", command, re.DOTALL)
        method = "DELETE" if "-X DELETE" in command else "POST" if body else "GET"
        path = re.search(r"localhost:8420(\S+)", command)
        assert path is not None
        response = ask(method, path[1], json.loads(body[1]) if body else None)
    return response.status_code if method == "DELETE" else response.json()


def main() -> None:
    """Ask an application in this process."""
    from starlette.testclient import TestClient

    from envhub.server.http.app import create_app
    from envhub.settings import ServerSettings

    with TestClient(create_app(ServerSettings(journal="memory:"))) as client:
        text = filled(FILE.read_text(), lambda method, path, body: client.request(method, path, json=body))
    FILE.write_text(text)


if __name__ == "__main__":
    main()
