"""Client of an OpenAI-compatible endpoint.

Single questions (sync or async) and conversations (async). Works with any server of ``POST .../v1/chat/completions``:
vLLM, SGLang, llama.cpp, a vendor's. Uses httpx::

    with Endpoint("http://127.0.0.1:8000", "my-judge", api_key_env="JUDGE_KEY").connect() as connection:
        reply = connection.ask(Prompt(system, user, schema))

There are two kinds of failure. The *endpoint* fails if it is unreachable, too slow, refuses us, or breaks the protocol:
:class:`ResourceError`, after retries where they may help. A *reply* is unusable if the model was cut off, refused, or
was denied this very text: the text may have caused it, so it is returned as a :class:`Reply` without content, and the
caller finds out whose fault it is.

Error messages name only what happened: neither the key nor the server's text about a request, which may contain the
solution.
"""

from __future__ import annotations

import asyncio
import json
import os
import ssl
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from functools import cache
from types import TracebackType
from typing import Any, Final

import httpx

from envhub.core.errors import InvalidParameters, ResourceError
from envhub.core.loopback import is_loopback
from envhub.core.types import JSON

_BUSY: Final = frozenset({408, 409, 425, 429})  # and every 5xx: the same request may succeed later
_DENIED: Final = frozenset({400, 413, 422})  # this request will never succeed: too long, filtered, or an unknown field
_MAX_BODY: Final = 1 << 20
_FIRST_WAIT_S: Final = 0.5
_MAX_WAIT_S: Final = 30.0
_OURS: Final = frozenset({"messages", "model", "n", "response_format", "stream"})


@dataclass(frozen=True, slots=True)
class Prompt:
    """A single question.

    Attributes:
        system: The instructions, without any text of a policy.
        user: The material.
        schema: JSON Schema of the expected object.
    """

    system: str
    user: str
    schema: JSON

    def fields(self, structured: bool) -> dict[str, JSON]:
        """Its part of a request; ``structured`` requests JSON of the schema."""
        said = [{"role": "system", "content": self.system}, {"role": "user", "content": self.user}]
        schema = {"name": "judgement", "strict": True, "schema": self.schema}
        form = {"response_format": {"type": "json_schema", "json_schema": schema}} if structured else {}
        return {"messages": said, **form}


@dataclass(frozen=True, slots=True)
class Reply:
    """The model's text, or None and the ``problem`` with it."""

    content: str | None
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Chat:
    """A conversation for a model to continue.

    Attributes:
        messages: In OpenAI's format.
        tools: Schemas of the tools.
    """

    messages: Sequence[JSON]
    tools: Sequence[JSON] = ()

    def fields(self, structured: bool) -> dict[str, JSON]:
        """Its part of a request."""
        return {"messages": list(self.messages), **({"tools": list(self.tools)} if self.tools else {})}


@dataclass(frozen=True, slots=True)
class Said:
    """A model's next message.

    Attributes:
        content: Its text.
        tool_calls: In OpenAI's format.
        finish: Stop reason: ``stop``, ``length``, ``tool_calls`` ...
        tokens: Number written, if the endpoint reports it.
    """

    content: str
    tool_calls: Sequence[JSON] = ()
    finish: str = "stop"
    tokens: int | None = None


@dataclass(frozen=True)
class Endpoint:
    """Address of a model and the settings of its requests.

    Attributes:
        base_url: ``https://host/v1``; ``/v1`` is added if there is no path.
        model: Its name there.
        api_key_env: *Name* of the environment variable with the key; None if none is needed. It is read for each
            connection and never stored.
        timeout_s: Maximum total time of one request.
        max_tokens: Maximum output, including thinking.
        retries: Number of retries if the endpoint is busy or unreachable.
        structured: Request JSON by ``response_format``. Omitted for a server that rejects the field.
        extra: More fields of the request, such as ``{"seed": 1}``; None removes a field, such as ``temperature``.
    """

    base_url: str
    model: str
    api_key_env: str | None = None
    timeout_s: float = 60.0
    max_tokens: int = 1024
    retries: int = 3
    structured: bool = True
    extra: Mapping[str, JSON] = field(default_factory=dict)

    def __post_init__(self) -> None:
        url = self._parsed()
        if url is None or url.scheme not in ("http", "https") or not url.host:
            raise InvalidParameters("The base_url of an endpoint is like 'http://127.0.0.1:8000/v1'.")
        if url.userinfo or url.query:
            raise InvalidParameters("The base_url of an endpoint holds no credentials; name a variable in api_key_env.")
        if not self.timeout_s > 0 or self.max_tokens < 1 or self.retries < 0:
            raise InvalidParameters("An endpoint needs timeout_s > 0, max_tokens >= 1 and retries >= 0.")
        taken = sorted(_OURS & set(self.extra))
        if taken:
            raise InvalidParameters(f"extra cannot set {', '.join(taken)}: the judge does.")

    def _parsed(self) -> httpx.URL | None:
        try:
            return httpx.URL(self.base_url)
        except httpx.InvalidURL:
            return None

    @property
    def url(self) -> str:
        """URL of requests."""
        base = self.base_url.rstrip("/")
        return base + ("/chat/completions" if httpx.URL(base).path.strip("/") else "/v1/chat/completions")

    def connect(self, sleep: Callable[[float], None] = time.sleep) -> Connection:
        """A connection, to be used in a ``with``.

        Args:
            sleep: Waits between attempts.

        Raises:
            ResourceError: The key's variable is not set.
        """
        return Connection(self, sleep)

    def aconnect(self, sleep: Callable[[float], Awaitable[None]] = asyncio.sleep) -> AsyncConnection:
        """:meth:`connect` for an event loop."""
        return AsyncConnection(self, sleep)

    def client_settings(self) -> dict[str, Any]:
        """Arguments of both kinds of client."""
        headers = {"content-type": "application/json", "accept-encoding": "identity"}
        if self.api_key_env is not None:
            key = os.environ.get(self.api_key_env, "").strip()
            if not key:
                raise ResourceError(f"The endpoint's key is missing: the variable {self.api_key_env} is not set.")
            if not (key.isascii() and key.isprintable()):
                raise ResourceError(f"The variable {self.api_key_env} holds what cannot be a key.")
            headers["authorization"] = f"Bearer {key}"
        url = httpx.URL(self.url)
        return {
            "headers": headers,
            "timeout": self.timeout_s,
            "trust_env": not is_loopback(url.host),
            "verify": _certificates() if url.scheme == "https" else False,
        }

    def body(self, prompt: Prompt | Chat, structured: bool) -> bytes:
        """The request for a prompt or a conversation."""
        common = {"temperature": 0, "max_tokens": self.max_tokens, **self.extra}
        fields: dict[str, JSON] = {"model": self.model, **prompt.fields(structured), **common}
        return json.dumps({name: value for name, value in fields.items() if value is not None}).encode()


@cache
def _certificates() -> ssl.SSLContext:
    """Created once: it costs as much as a hundred clients."""
    return httpx.create_ssl_context()


class _Asking:
    """One prompt in progress.

    Decides what to send next and reads the responses.
    """

    def __init__(self, endpoint: Endpoint, prompt: Prompt | Chat) -> None:
        self._endpoint = endpoint
        self._prompt = prompt
        self._attempt = 0
        self._structured = endpoint.structured and isinstance(prompt, Prompt)

    def body(self) -> bytes:
        return self._endpoint.body(self._prompt, self._structured)

    def answered(self, status: int, headers: Mapping[str, str], body: bytes) -> Reply | bytes | float:
        """The answer, the reason for refusal, or seconds until a retry."""
        if status in _BUSY or status >= 500:
            return self.failed(f"answered {status}", _asked_wait(headers))
        if status in _DENIED:
            if not self._structured:
                return Reply(None, f"the endpoint answered {status}")
            self._structured = False  # it may not know the field: the prompt states the form too
            return 0.0
        if status != 200:
            raise ResourceError(f"The endpoint answered {status}.")
        return body

    def failed(self, what: str, wait: float = 0.0) -> float:
        """The seconds to wait before a retry.

        Raises:
            ResourceError: No attempts left.
        """
        attempt, self._attempt = self._attempt, self._attempt + 1
        if attempt >= self._endpoint.retries:
            raise ResourceError(f"The endpoint {what}, {self._attempt} times.") from None
        return min(max(_FIRST_WAIT_S * 2.0**attempt, wait), _MAX_WAIT_S)


class Connection(AbstractContextManager["Connection"]):
    """A client of an endpoint, for one thread; created by :meth:`Endpoint.connect`."""

    def __init__(self, endpoint: Endpoint, sleep: Callable[[float], None]) -> None:
        self._endpoint = endpoint
        self._sleep = sleep
        self._http = httpx.Client(**endpoint.client_settings())

    def ask(self, prompt: Prompt) -> Reply:
        """The model's reply to a prompt.

        Raises:
            ResourceError: The endpoint failed, also when it was asked again.
        """
        asking = _Asking(self._endpoint, prompt)
        while True:
            try:
                wait = asking.answered(*self._post(asking.body()))
            except (httpx.HTTPError, TimeoutError) as error:
                wait = asking.failed(_named(error))
            if not isinstance(wait, float):
                return wait if isinstance(wait, Reply) else _reply(wait)
            if wait:
                self._sleep(wait)

    def _post(self, content: bytes) -> tuple[int, Mapping[str, str], bytes]:
        until = time.monotonic() + self._endpoint.timeout_s
        with self._http.stream("POST", self._endpoint.url, content=content) as response:
            body = bytearray()
            for part in response.iter_raw():
                body += part
                _bounded(len(body))
                if time.monotonic() > until:  # httpx limits each read, not their total
                    raise TimeoutError
            return response.status_code, response.headers, bytes(body)

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._http.close()


class AsyncConnection:
    """:class:`Connection` for an event loop; created by :meth:`Endpoint.aconnect`, used in an ``async with``."""

    def __init__(self, endpoint: Endpoint, sleep: Callable[[float], Awaitable[None]]) -> None:
        self._endpoint = endpoint
        self._sleep = sleep
        self._http = httpx.AsyncClient(**endpoint.client_settings())

    async def ask(self, prompt: Prompt) -> Reply:
        """The model's reply to a prompt; see :meth:`Connection.ask`."""
        answer = await self._answer(prompt)
        return answer if isinstance(answer, Reply) else _reply(answer)

    async def chat(self, chat: Chat) -> Said:
        """The model's next message, even if it was cut off.

        Raises:
            ResourceError: The endpoint failed, also on retries, or refuses this conversation.
        """
        answer = await self._answer(chat)
        if isinstance(answer, Reply):
            raise ResourceError(f"The conversation was refused: {answer.problem}.")
        return _said(answer)

    async def _answer(self, prompt: Prompt | Chat) -> Reply | bytes:
        asking = _Asking(self._endpoint, prompt)
        while True:
            try:
                async with asyncio.timeout(self._endpoint.timeout_s):
                    answer = await self._post(asking.body())
                wait = asking.answered(*answer)
            except (httpx.HTTPError, TimeoutError) as error:
                wait = asking.failed(_named(error))
            if not isinstance(wait, float):
                return wait
            if wait:
                await self._sleep(wait)

    async def _post(self, content: bytes) -> tuple[int, Mapping[str, str], bytes]:
        async with self._http.stream("POST", self._endpoint.url, content=content) as response:
            body = bytearray()
            async for part in response.aiter_raw():
                body += part
                _bounded(len(body))
            return response.status_code, response.headers, bytes(body)

    async def __aenter__(self) -> AsyncConnection:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        await self._http.aclose()


def _bounded(size: int) -> None:
    if size > _MAX_BODY:
        raise ResourceError("The endpoint's answer does not end.")


def _named(error: Exception) -> str:
    """Describes a transport failure without its message, which may contain the request."""
    if isinstance(error, (httpx.TimeoutException, TimeoutError)):
        return "was too slow"
    return f"could not be reached ({type(error).__name__})"


def _asked_wait(headers: Mapping[str, str]) -> float:
    after = headers.get("retry-after", "")
    return float(after) if after.isascii() and after.isdigit() and len(after) < 6 else 0.0


def _choice(body: bytes) -> tuple[JSON, JSON]:
    """The first choice of a response, and the whole response.

    Raises:
        ResourceError: The answer breaks the protocol.
    """
    try:
        whole = json.loads(body)
        choice = whole["choices"][0]
        choice["message"].get("content"), choice.get("finish_reason"), whole.get("usage")
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        raise ResourceError("The endpoint answered something that is not a chat completion.") from None
    return choice, whole


def _reply(body: bytes) -> Reply:
    """The model's text in a response."""
    choice, _ = _choice(body)
    finish, message = choice.get("finish_reason"), choice["message"]
    content = message.get("content")
    if finish in ("length", "content_filter") or message.get("refusal"):
        return Reply(None, f"the model stopped: {finish if finish != 'stop' else 'refusal'}")
    if not isinstance(content, str):
        return Reply(None, "the model said nothing")
    return Reply(content)


def _said(body: bytes) -> Said:
    """The model's message in a response."""
    choice, whole = _choice(body)
    message, usage = choice["message"], whole.get("usage")
    content, calls = message.get("content"), message.get("tool_calls")
    tokens = usage.get("completion_tokens") if isinstance(usage, dict) else None
    return Said(
        content if isinstance(content, str) else "",
        calls if isinstance(calls, list) else (),
        str(choice.get("finish_reason") or "stop"),
        tokens if type(tokens) is int else None,
    )
