"""The requests of episodes and the meaning of answers, without I/O.

Shared by the blocking and the async client. An :class:`EpisodeTemplate` makes the requests that begin the episodes of a
remote environment. A :class:`Session` is one episode: it knows its id and its next turn, and turns answers into
five-tuples.
"""

from __future__ import annotations

import json
import math
import os
import secrets
from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal

import httpx

from envhub.core import errors
from envhub.core.difficulty import check_difficulty
from envhub.core.errors import (
    EnvhubError,
    EpisodeOver,
    InvalidAction,
    InvalidParameters,
    JudgementError,
    RemoteError,
    TooBusy,
)
from envhub.core.loopback import is_loopback
from envhub.core.seeding import TaskKey, check_asked, check_turn_seed
from envhub.core.types import JSON, Task
from envhub.episodes.outcomes import Step
from envhub.scenes.picture import Received
from envhub.tasks.options import Options

_FIRST_WAIT_S: Final = 0.1
_MAX_WAIT_S: Final = 5.0
_encode: Final = json.JSONEncoder(allow_nan=False).encode
_OPTION_NAMES: Final = ("answer_format", "tool_format", "wording", "observation", "system", "reward")

Call = tuple[str, str, JSON]
"""Method, path and body of a request."""
Difficulty = int | tuple[int, int] | None


class EpisodeTemplate:
    """The shared parameters, split and options of a remote environment's episodes."""

    def __init__(self, id: str, difficulty: Difficulty, split: str, settings: Mapping[str, Any]) -> None:
        if difficulty is not None:
            check_difficulty(difficulty)
        params = dict(settings)
        on_error: Literal["nan", "raise"] = params.pop("on_error", "nan")
        options = {name: params.pop(name) for name in _OPTION_NAMES if params.get(name) is not None}
        if not isinstance(options.get("reward", {}), Mapping):
            raise InvalidParameters("For a remote environment, reward must be a mapping of weights, not a callable.")
        self.options = Options.read({**options, "on_error": on_error})
        self._request = {
            "env_id": id,
            "difficulty": difficulty,
            "split": split,
            "params": {name: value for name, value in params.items() if name not in _OPTION_NAMES},
            "options": options,
            **_asking(self.options),
        }

    def probe(self) -> Call:
        """A request that fails if the template is invalid.

        It leaves nothing behind on the server.
        """
        request = self._request
        body = {name: request[name] for name in ("env_id", "difficulty", "split", "params")}
        options = {
            name: getattr(self.options, name) for name in ("answer_format", "tool_format", "wording", "observation")
        }
        return "POST", "/v1/tasks", {**body, "seeds": [], **options}

    def create(self, seed: int, options: Mapping[str, Any] | None) -> Call:
        """The request that begins an episode."""
        turn_seed = dict(options or {})
        body = {**self._request, "episode_id": secrets.token_hex(16), "seed": seed}
        body["turn_seed"] = check_turn_seed(turn_seed.pop("turn_seed", 0))
        if turn_seed:
            raise InvalidParameters(f"reset() takes the option 'turn_seed', got {next(iter(turn_seed))!r}.")
        return "POST", "/v1/episodes", body


class Session:
    """One episode on the server: its id and its next turn."""

    def __init__(self, opening: JSON, options: Options) -> None:
        self._path = f"/v1/episodes/{field_of(opening, 'episode_id')}"
        self._turn: int = opening["turn"]
        self.over: bool = opening["over"]
        self._options = options
        self._asking = _asking(options)
        self.info: dict[str, Any] = _with_images(opening)
        self.task = Task.from_json(opening["task"])

    def step(self, action: str) -> Call:
        """The request for the next turn.

        Raises:
            EpisodeOver: The episode has ended.
            InvalidAction: ``action`` is not a ``str``.
        """
        if self.over:
            raise EpisodeOver("The episode has ended. Call reset() before the next step().")
        if not isinstance(action, str):
            raise InvalidAction(f"An action is a str, got {type(action).__name__}.")
        return "POST", f"{self._path}/step", {"turn": self._turn, "action": action, **self._asking}

    def take(self, answer: JSON) -> Step:
        """The five-tuple of an answer."""
        self._turn = answer["turn"]
        self.over = answer["terminated"] or answer["truncated"]
        error = answer["info"].get("error")
        if error is not None and self._options.on_error == "raise":
            raise JudgementError(f"{error['code']}: {error['reason']}")
        reward = math.nan if answer["reward"] is None else answer["reward"]
        return answer["observation"], reward, answer["terminated"], answer["truncated"], _with_images(answer)

    def get(self) -> Call:
        """The request for the whole episode."""
        return "GET", self._path, None

    def fork(self, turn_seed: int | None) -> Call:
        """The request for an episode with the same past."""
        body = {"episode_id": secrets.token_hex(16), "turn": self._turn, "turn_seed": turn_seed, **self._asking}
        return "POST", f"{self._path}/fork", body

    def delete(self) -> Call:
        """The request that deletes the episode."""
        return "DELETE", self._path, None


def _asking(options: Options) -> dict[str, JSON]:
    """The field by which a request asks for pictures."""
    return {} if options.observation == "text" else {"images": True}


def _with_images(answer: JSON) -> dict[str, Any]:
    """The info of an answer, with its pictures."""
    if "images" not in answer:
        return dict(answer["info"])
    return {**answer["info"], "images": tuple(map(Received.read, answer["images"]))}


_EPISODE: Final = "/v1/episodes/"
_WHOLE: Final = {"/v1/episodes": "create", "/v1/tasks": "tasks", "/v1/verify": "verify"}


def headers_with(api_key: str | None) -> dict[str, str]:
    """The headers of every request.

    Args:
        api_key: API key; None for that of ``ENVHUB_API_KEY``, empty for none.

    Raises:
        InvalidParameters: It cannot be an API key.
    """
    key = os.environ.get("ENVHUB_API_KEY", "") if api_key is None else api_key
    if not key:
        return {"content-type": "application/json"}
    if not (key.isascii() and key.isprintable() and " " not in key):  # not quoted in the error: it may be a secret
        raise InvalidParameters("An API key is envhub_ and what 'envhub keys create' showed after it, on one line.")
    return {"content-type": "application/json", "authorization": f"Bearer {key}"}


def batch_call(calls: Sequence[Call]) -> Call:
    """One request for many that begin episodes or take turns."""
    return "POST", "/v1/batch", {"items": [item_of(call) for call in calls]}


def item_of(call: Call) -> dict[str, JSON] | None:
    """A request as a batch item or WebSocket message.

    None if it has no such form.
    """
    method, path, body = call
    if path in _WHOLE:
        return {"op": _WHOLE[path], "body": body}
    if not path.startswith(_EPISODE):
        return None
    episode_id, _, end = path[len(_EPISODE) :].partition("/")
    if method == "POST":
        return {"op": end, "episode_id": episode_id, "body": body}
    return {"op": method.lower(), "episode_id": episode_id}


def answers_in(answer: JSON, count: int) -> list[JSON | EnvhubError]:
    """The answers to a :func:`batch_call`.

    Each is JSON, or the error that it reports.

    Raises:
        RemoteError: The number of answers differs from the number of requests.
    """
    results = field_of(answer, "results")
    if len(results) != count:
        raise RemoteError(f"Not an envhub server: {count} requests have {len(results)} answers.")
    return [result_of(result) for result in results]


def result_of(result: JSON) -> JSON | EnvhubError:
    """The answer to one of many requests, or the reported error."""
    status, body = field_of(result, "status"), field_of(result, "body")
    if not isinstance(status, int) or not (isinstance(body, dict) or status == 204):
        return RemoteError(f"Not an envhub server: an answer is {str(result)[:200]}.")
    return body if status < 400 else error_of(body, status, result.get("retry_after"))


def check_drawn(asked: Task | TaskKey, drawn: Task) -> None:
    """Check that the server drew the requested problem.

    It may have another version of the environment.

    Raises:
        InvalidParameters: The problem differs.
    """
    key, known = (asked.key, asked.fingerprint) if isinstance(asked, Task) else (asked, None)
    check_asked(key, known, drawn.key.draw, drawn.fingerprint)


def encoded(call: Call) -> bytes | None:
    """The body of a request as bytes; None without one.

    Raises:
        InvalidParameters: It contains something that is not JSON.
    """
    return None if call[2] is None else dumped(call[2]).encode()


def dumped(value: JSON) -> str:
    """A value as JSON in ASCII.

    ASCII can also represent text without a UTF-8 form.

    Raises:
        InvalidParameters: It contains something that is not JSON.
    """
    try:
        return _encode(value)
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidParameters(f"A parameter is not a JSON value: {error}.") from None


def backoff_s(error: Exception, attempt: int, retries: int) -> float:
    """Seconds before the next attempt; raises the error after the last one."""
    if attempt >= retries:
        if isinstance(error, EnvhubError):
            raise error
        raise RemoteError(f"The server cannot be reached: {type(error).__name__}: {error}.") from error
    if isinstance(error, TooBusy):
        return float(error.retry_after)
    return min(_FIRST_WAIT_S * 2.0**attempt, _MAX_WAIT_S)


def decoded(response: httpx.Response) -> JSON:
    """The JSON of an answer; raises the error that it reports."""
    if response.status_code == 204:
        return None
    if response.status_code < 400:
        try:
            data = json.loads(response.content)  # exact for integers of any size, which orjson makes floats of
        except ValueError:
            data = None
        if isinstance(data, dict):
            return data
    raise refusal(response.status_code, response.content, response.headers.get("retry-after"))


def refusal(status: int, body: bytes, retry_after: str | None) -> EnvhubError:
    """The error that a response reports.

    Args:
        status: Status of the response.
        body: Body of the response.
        retry_after: Its header ``Retry-After``.
    """
    try:
        data = json.loads(body)
    except ValueError:
        return RemoteError(f"Not an envhub server: {status} {body[:200].decode(errors='replace')!r}.", status)
    if not isinstance(data, dict) or status < 400:
        return RemoteError(f"{status}: {body[:200].decode(errors='replace')}", status)
    return error_of(data, status, retry_after)


def field_of(data: JSON, name: str) -> Any:
    """A field of an answer.

    Raises:
        RemoteError: It is missing: the address is not that of an envhub server.
    """
    if not isinstance(data, dict) or name not in data:
        raise RemoteError(f"Not an envhub server: its answer has no {name!r}.")
    return data[name]


def checked_url(url: str, schemes: Sequence[str] = ("http", "https")) -> httpx.URL:
    """The address of a server.

    Args:
        url: The URL that the user passed.
        schemes: Allowed schemes.

    Raises:
        InvalidParameters: It is not the URL of a server.
    """
    try:
        address = httpx.URL(url)
    except (httpx.InvalidURL, TypeError) as error:
        raise InvalidParameters(f"{url!r} is not a URL: {error}.") from None
    if address.scheme not in schemes or not address.host:
        also = " or ws://127.0.0.1:8420" if "ws" in schemes else ""
        raise InvalidParameters(f"A server's URL is like http://127.0.0.1:8420{also}, got {url!r}.")
    return address


def uses_proxies(url: str) -> bool:
    """Whether the proxies of the environment variables apply.

    Not for this machine itself.
    """
    return not is_loopback(httpx.URL(url).host)


def error_of(problem: Mapping[str, JSON], status: int, retry_after: str | int | None) -> EnvhubError:
    """The error that a problem document describes.

    Args:
        problem: The document.
        status: Status of the answer.
        retry_after: Seconds to wait; None if the server named none.
    """
    code, detail = problem.get("code"), str(problem.get("detail", ""))
    if code == "InvalidRequest":
        return InvalidParameters(detail)
    found = error_named(code, detail) or RemoteError(f"{status}: {detail}", status)
    if isinstance(found, TooBusy) and retry_after is not None:
        found.retry_after = int(retry_after)
    return found


def error_named(code: Any, detail: str) -> EnvhubError | None:
    """The error with this class name.

    None if there is no such class.
    """
    cls = getattr(errors, code, None) if isinstance(code, str) else None
    return cls(detail) if isinstance(cls, type) and issubclass(cls, EnvhubError) else None
