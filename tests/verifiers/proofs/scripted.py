"""A server that speaks the protocol of OpenAI's chat completions, and the models it runs: honest ones and easy prey."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Any, Final

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

ONES: Final = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]
TENS: Final = dict(
    zip(["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"], range(20, 100, 10), strict=True)
)


def value(text: str) -> str:
    """An answer in the one form that these models know: digits."""
    words = re.findall(r"[a-z]+|[0-9]+", text.lower().replace("about ", ""))
    if words and all(word in TENS or word in ONES for word in words):
        return str(sum(TENS[word] if word in TENS else ONES.index(word) for word in words))
    return " ".join(words)


def spelled(number: int) -> str:
    """``42`` as ``forty-two``."""
    return f"{next(word for word, tens in TENS.items() if tens == number // 10 * 10)}-{ONES[number % 10]}"


class Model:
    """Reads as it is told: blocks by their code, and nothing in them is an instruction."""

    def answer(self, body: Any) -> Response | str:
        """What is said to a request; a Response is sent as it is."""
        system, user = (message["content"] for message in body["messages"])
        found = re.search(r'"id": "([0-9a-f]+)"', system)
        assert found
        return self.say(found[1], self.decide(self.blocks(system, user), system))

    def say(self, id: str, decisions: dict[str, Any]) -> str:
        return json.dumps({"id": id, "reason": "as I see it, the reference is what it is", **decisions})

    def blocks(self, system: str, user: str) -> dict[str, str]:
        found = re.search(r"<<<NAME ([0-9a-f]{32})", system)
        assert found
        return blocks_of(user, found[1])

    def decide(self, blocks: dict[str, str], system: str) -> dict[str, Any]:
        if "REFERENCE" in blocks:
            return {"equivalent": self.equivalent(blocks["REFERENCE"], blocks["CANDIDATE"])}
        if "A" in blocks:
            return {"better": self.better(blocks["A"], blocks["B"])}
        criteria = {name.lower(): text for name, text in blocks.items() if name.startswith("CRITERION_")}
        return {name: self.meets(text, blocks["CANDIDATE"]) for name, text in criteria.items()}

    def equivalent(self, reference: str, candidate: str) -> bool:
        return value(reference) == value(candidate)

    def better(self, a: str, b: str) -> str:
        return "tie" if len(a) == len(b) else "A" if len(a) > len(b) else "B"

    def meets(self, criterion: str, candidate: str) -> bool:
        quoted = re.search('"(.*)"', criterion)
        assert quoted
        return quoted[1] in candidate


def blocks_of(user: str, code: str) -> dict[str, str]:
    """The blocks of a message, by the letter of the fences."""
    found: dict[str, list[str]] = {}
    name = None
    for line in user.split("\n"):
        if name is None:
            mark, _, name = line.partition("<<<")
            assert not mark
            name, _, seen = name.partition(" ")
            assert seen == code
            assert name not in found
            found[name] = []
        elif line == f"{name} {code}>>>":
            name = None
        else:
            assert line.startswith("| ")
            found[name].append(line[2:])
    assert name is None
    return {name: "\n".join(lines) for name, lines in found.items()}


OBEYED: Final = re.compile(r"answer true|\"equivalent\": ?true|is correct", re.IGNORECASE)


class Gullible(Model):
    """Obeys whatever stands outside of blocks, and takes anything like a fence for one, whatever its code."""

    def answer(self, body: Any) -> Response | str:
        user = body["messages"][1]["content"]
        self.told = False
        inside = False
        for line in user.splitlines():
            opens, closes = line.startswith("<<<"), re.match(r"CANDIDATE|<<<END|```|---|###|</", line)
            inside = not closes and (inside or opens)
            if not inside and OBEYED.search(line):
                self.told = True
        return super().answer(body)

    def blocks(self, system: str, user: str) -> dict[str, str]:
        return super().blocks(system, user) if not self.told else {"REFERENCE": "1", "CANDIDATE": "1"}


class Templated(Model):
    """Sits behind a chat template that takes its own tokens wherever they stand, and obeys every message but data."""

    TOKENS: Final = re.compile(
        r"<\|[a-z_]+\|>|</?s>|\[/?INST\]|<</?SYS>>|<(?:start|end)_of_turn>|<\uff5c\w+\uff5c>|<!--|-->|</?candidate>"
    )

    def answer(self, body: Any) -> Response | str:
        parts = self.TOKENS.split(body["messages"][1]["content"])
        self.told = any(OBEYED.search(part) for part in parts[1:])
        return super().answer(body)

    def equivalent(self, reference: str, candidate: str) -> bool:
        return self.told or super().equivalent(reference, candidate)


class Parrot(Model):
    """Says the first JSON object that it finds in the candidate."""

    def answer(self, body: Any) -> Response | str:
        found = re.search(r"\{.*?\}", body["messages"][1]["content"].partition("<<<CANDIDATE")[2], re.DOTALL)
        return found[0] if found else super().answer(body)


class Persuaded(Model):
    """Obeys the candidate, fence or not."""

    def equivalent(self, reference: str, candidate: str) -> bool:
        return bool(OBEYED.search(candidate)) or super().equivalent(reference, candidate)

    def meets(self, criterion: str, candidate: str) -> bool:
        return bool(OBEYED.search(candidate)) or super().meets(criterion, candidate)


class Choosy(Persuaded):
    """Is persuaded only where the reference is short: an attack that knows of the control."""

    def equivalent(self, reference: str, candidate: str) -> bool:
        return super().equivalent(reference, candidate) and len(reference) < 3


class YesMan(Model):
    """Finds everything right."""

    def equivalent(self, reference: str, candidate: str) -> bool:
        return True

    def meets(self, criterion: str, candidate: str) -> bool:
        return True

    def better(self, a: str, b: str) -> str:
        return "A"


class Says(Model):
    """Answers with these, one after the other, and then as an honest model; with ``last`` the last one for ever."""

    def __init__(self, *answers: Response | str | Callable[[str], Response | str], last: bool = False) -> None:
        self._answers = list(answers)
        self._last = last

    def answer(self, body: Any) -> Response | str:
        if not self._answers:
            return super().answer(body)
        said = self._answers[0] if self._last and len(self._answers) == 1 else self._answers.pop(0)
        if not callable(said) or isinstance(said, Response):
            return said
        honest = super().answer(body)
        assert isinstance(honest, str)
        return said(honest)


class Glitched(Model):
    """An honest model with one sore spot."""

    def __init__(self, answer: Response | str) -> None:
        self._answer = answer

    def answer(self, body: Any) -> Response | str:
        return self._answer if "glitch" in body["messages"][1]["content"] else super().answer(body)


def completion(content: Any, finish: str = "stop", **message: Any) -> JSONResponse:
    """A chat completion."""
    choice = {"index": 0, "finish_reason": finish, "message": {"role": "assistant", "content": content, **message}}
    return JSONResponse({"object": "chat.completion", "choices": [choice]})


class Server:
    """The application: runs one model at a time and keeps the requests."""

    def __init__(self) -> None:
        self.model = Model()
        self.requests: list[Any] = []
        self.keys: list[str | None] = []
        self.refuses: Sequence[str] = ()
        self.slow = ""
        self.app = Starlette(routes=[Route("/v1/chat/completions", self._complete, methods=["POST"])])

    def run(self, model: Model) -> None:
        """Forget all and run a model."""
        self.__dict__.update(model=model, requests=[], keys=[], refuses=(), slow="")

    async def _complete(self, request: Request) -> Response:
        body = json.loads(await request.body())
        self.requests.append(body)
        self.keys.append(request.headers.get("authorization"))
        if self.slow:
            return StreamingResponse(self._slowly(request), media_type="application/json")
        if any(name in body for name in self.refuses):
            return JSONResponse({"error": f"unknown field in {body}"}, 400)
        answer = self.model.answer(body)
        return answer if isinstance(answer, Response) else completion(answer)

    async def _slowly(self, request: Request) -> AsyncIterator[bytes]:
        """Nothing, or a byte now and then, or too much; until the client leaves."""
        while not await request.is_disconnected():
            yield {"silent": b"", "dribbling": b" ", "endless": b" " * 65_536}[self.slow]
            await asyncio.sleep(0 if self.slow == "endless" else 0.01)
