"""Sends requests to a vLLM server and parses its responses.

A :class:`Wire` sends them and turns every failure into an error that says what to do; the functions parse and validate
responses: an inconsistent response is an error and never a completion.
"""

from __future__ import annotations

import itertools
import ssl
from collections.abc import Mapping, Sequence
from typing import Any, Final

import httpx

from envhub_trainer.policy import Completion, PolicyError

_COMMAND: Final = "python -m envhub_trainer.policy.vllm_server MODEL"

# Less than the 5 s after which vLLM closes idle connections, so that no request is sent into a closing one.
_KEEP_IDLE_S: Final = 3.0

_POOLS: Final = 64
"""Pools of connections; httpx visits each connection of a pool for every request, so a single pool costs the square."""


class Wire:
    """Connections to one server, one per request in flight."""

    def __init__(self, url: str, timeout_s: float, transport: httpx.AsyncBaseTransport | None = None) -> None:
        """Arguments as in :meth:`envhub_trainer.policy.vllm.VllmPolicy.connect`; does not connect yet."""
        verify = ssl.create_default_context()
        self._pools = [
            httpx.AsyncClient(
                base_url=url,
                transport=transport,
                verify=verify,
                trust_env=False,
                # One connection per completion: the server's scheduler is the queue, not the client's pool.
                limits=httpx.Limits(
                    max_connections=None, max_keepalive_connections=None, keepalive_expiry=_KEEP_IDLE_S
                ),
                timeout=httpx.Timeout(timeout_s, connect=min(30.0, timeout_s)),
            )
            for _ in range(_POOLS)
        ]
        self._turns = itertools.cycle(self._pools)

    async def call(self, method: str, path: str, *, hint: str = "", **content: Any) -> Any:
        """Send a request; return the response's JSON, or None if empty.

        Args:
            method: HTTP method.
            path: URL path.
            hint: Text to append to an error returned by the server.
            content: Arguments of :meth:`httpx.AsyncClient.request`.

        Raises:
            PolicyError: There is no response, or it is an error.
            ValueError: The server rejects a request for a completion.
        """
        http = next(self._turns)
        if http.is_closed:
            raise PolicyError("The policy is closed.")
        url = http.base_url
        try:
            answer = await http.request(method, path, **content)
        except httpx.TimeoutException as error:
            raise PolicyError(f"vLLM at {url} did not answer {path} in time ({error!r}).") from error
        except httpx.TransportError as error:
            if http.is_closed:
                raise PolicyError("The policy was closed.") from error
            raise PolicyError(f"No vLLM server answers at {url} ({error!r}). Start one: {_COMMAND}") from error
        if answer.is_success:
            try:
                return answer.json() if answer.content else None
            except ValueError as error:
                raise PolicyError(f"What answers {path} at {url} is not vLLM. Start one: {_COMMAND}") from error
        said = _message(answer)
        generating = path.startswith("/inference/")
        if generating and answer.status_code == 400:
            raise ValueError(f"vLLM does not take the request: {said}")
        if (generating and answer.status_code == 403) or (answer.status_code == 404 and said == "Not Found"):
            hint += f" It was started without what the trainer needs. Start one that has it: {_COMMAND}"
        raise PolicyError(f"vLLM answered {path} with {answer.status_code}: {said}{hint}")

    async def close(self) -> None:
        """Close the connections; requests in flight fail."""
        for http in self._pools:
            await http.aclose()


def _message(answer: httpx.Response) -> str:
    """The message of an error response."""
    try:
        body = answer.json()
        error = body.get("error", body.get("detail"))
        return str(error["message"] if isinstance(error, Mapping) else error)
    except (ValueError, AttributeError, KeyError):  # not vLLM: another server answers at this address
        return answer.text[:500]


def served(models: Any, wanted: str | None) -> tuple[str, int]:
    """Name and context of the wanted model."""
    try:
        contexts = {each["id"]: int(each["max_model_len"]) for each in models["data"]}
    except (KeyError, TypeError) as error:
        raise PolicyError(f"What answers /v1/models there is not vLLM. Start one: {_COMMAND}") from error
    if wanted is None and len(contexts) == 1:
        return next(iter(contexts.items()))
    if wanted is None or wanted not in contexts:
        names = ", ".join(map(repr, contexts))
        raise PolicyError(
            f"The server serves {names}; the model to use is {'not named' if wanted is None else repr(wanted)}."
        )
    return wanted, contexts[wanted]


def check(info: Mapping[str, Any]) -> None:
    """Raise if the server's log-probabilities are not those of its sampling distribution."""
    mode = info["vllm_config"]["model_config"]["logprobs_mode"]
    if mode != "processed_logprobs":
        raise PolicyError(
            f"vLLM reports {mode}, which know nothing of the temperature; the trainer needs processed_logprobs. Start it with "
            f"--logprobs-mode processed_logprobs, as {_COMMAND} does."
        )


def completion(answer: Any, given: int) -> Completion:
    """Parse the completion sampled after ``given`` tokens."""
    try:
        (choice,) = answer["choices"]
        reason = choice["finish_reason"]
        if reason not in ("stop", "length"):
            raise PolicyError(f"vLLM gave a completion up; its reason: {reason!r}.")
        ids, content = choice["token_ids"], choice["logprobs"]["content"]
        logps = [float(each["logprob"]) for each in content]
        spans = [(number(each["version"]), each["end"] - each["start"]) for each in choice["weight_versions"]]
        versions = [version for version, length in spans for _ in range(length)]
        whole = ids == [each["token_id"] for each in content] and len(ids) == len(versions) > 0
        whole = whole and answer["usage"]["prompt_tokens"] == given
    except (KeyError, TypeError, ValueError) as error:
        raise PolicyError(f"vLLM's answer is not as that of version 0.32: {error!r} in {str(answer)[:500]}") from error
    if not whole:
        raise PolicyError(f"vLLM's answer is in contradiction with itself or the request: {str(answer)[:500]}")
    return Completion(ids, logps, versions, finished=reason == "stop")


def features(answer: Any, tokens: int, image: int) -> dict[str, Any]:
    """Hash and data of a picture, from a message the server rendered."""
    try:
        told, ids = answer["features"], answer["token_ids"]
        [place], [digest], [data] = (told[name]["image"] for name in ("mm_placeholders", "mm_hashes", "kwargs_data"))
        placed = ids[place["offset"] : place["offset"] + place["length"]]
    except (KeyError, TypeError, ValueError) as error:
        raise PolicyError(
            f"vLLM's rendering of a picture is not as expected: {error!r} in {str(answer)[:500]}"
        ) from error
    if placed != [image] * tokens:
        raise PolicyError(
            f"vLLM reads a picture as {len(placed)} tokens, and the trainer as {tokens}: set the same size."
        )
    return {"mm_hashes": digest, "kwargs_data": data}


def together(pictures: Sequence[tuple[int, int, Mapping[str, Any]]]) -> dict[str, Any]:
    """A request's field for pictures: (offset, length, their :func:`features`)."""
    if not pictures:
        return {}
    places = [{"offset": at, "length": tokens} for at, tokens, _ in pictures]
    parts = {name: {"image": [each[name] for _, _, each in pictures]} for name in ("mm_hashes", "kwargs_data")}
    return {"features": {"mm_placeholders": {"image": places}, **parts}}


def number(label: str, wanted: int | None = None) -> int:
    """The version that the server reports for its weights."""
    if not label.isdecimal() or (wanted is not None and int(label) != wanted):
        raise PolicyError(
            f"The server's weights are not from a finished sync: their version is {label!r}"
            + (f", expected {wanted}" if wanted is not None else "")
            + ". A sync has failed, or the server was restarted. Connect again and sync."
        )
    return int(label)
