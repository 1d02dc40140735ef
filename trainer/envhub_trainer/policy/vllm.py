"""Sampler on vLLM: a client of a separate vLLM server.

::

    with Server("path/to/model", python=".venvs/vllm/bin/python") as server:  # or a running server
        policy = await VllmPolicy.connect(server.url, end_ids=frozenset({2}))
        completion = await policy.generate(ids, Sampling(max_tokens=256), seed=7)
        await policy.sync(model, version=1)
        await policy.close()

Requests and responses are token ids (``/inference/v1/generate``), so nothing is tokenised again. The server reads each picture
once (``/v1/chat/completions/render``); requests carry what it made of them as multimodal features. The server reports which
weights sampled each token: it receives their version while it is paused, and returns spans of versions. Versions are
therefore exact, also for completions in flight during a sync.

A sync uses the disk: the weights are written as a checkpoint, sampling is paused, the server reads them, drops the keys and
values of the old ones, and resumes. Server and trainer must share a file system. A server that accepts weights may still not
sample from them, so call :func:`envhub_trainer.probe.probe` after every sync.

The server must be vLLM 0.32 or later with development mode, ``--enable-scale-out`` and ``--logprobs-mode
processed_logprobs``, as :mod:`envhub_trainer.policy.vllm_server` starts it, and this policy its only client.
"""

from __future__ import annotations

import asyncio
import itertools
import shutil
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal, Self, get_args
from weakref import WeakKeyDictionary

import httpx
import torch
from torch import nn
from transformers import PreTrainedModel

from envhub_trainer.episode import Episode
from envhub_trainer.policy import Completion, Confidence, PolicyError, Sampling
from envhub_trainer.policy.vllm_wire import Wire, check, completion, features, number, served, together
from envhub_trainer.policy.weights import save
from envhub_trainer.vision import Seen, placed

InFlight = Literal["wait", "keep"]
"""Handling of completions in flight at a sync: finish with the old weights, or continue with the new ones."""


class VllmPolicy:
    """A :class:`envhub_trainer.policy.Policy` on a vLLM server.

    Create it with :meth:`connect`, in the event loop that uses it.

    Attributes:
        version: Version of the server's weights, as of the last sync of this policy.
        context: Maximum number of tokens in a row.
        model: The name under which the server serves its model.
        in_flight: Handling of completions in flight at a sync.
    """

    def __init__(
        self,
        wire: Wire,
        *,
        model: str,
        context: int,
        end_ids: frozenset[int],
        in_flight: InFlight,
        folder: Path | None,
        version: int,
        dtype: torch.dtype | None,
        image: int | None,
    ) -> None:
        """Use :meth:`connect`, which checks the server first."""
        self.version = version
        self.context = context
        self.model = model
        self.in_flight: InFlight = in_flight
        self._wire = wire
        self._dtype, self._image = dtype, image
        self._features: WeakKeyDictionary[Seen, Mapping[str, Any]] = WeakKeyDictionary()
        self._end_ids = sorted(end_ids)
        self._folder = TemporaryDirectory(prefix="envhub-weights-", dir=folder, ignore_cleanup_errors=True)
        self._saves = itertools.count()
        self._syncing = asyncio.Lock()

    @classmethod
    async def connect(
        cls,
        url: str,
        *,
        end_ids: frozenset[int],
        model: str | None = None,
        in_flight: InFlight = "wait",
        folder: Path | None = None,
        timeout_s: float = 1800.0,
        version: int = 0,
        dtype: torch.dtype | None = None,
        transport: httpx.AsyncBaseTransport | None = None,
        image: int | None = None,
    ) -> Self:
        """Connect to a running server.

        Checks the server's settings and requests one token.

        Args:
            url: The server's address, such as ``http://127.0.0.1:8000``. Proxy settings of the environment are ignored.
            end_ids: A completion ends with any of these tokens.
            model: The name under which it serves the model; optional if it serves only one.
            in_flight: ``wait`` lets completions in flight finish before a sync, which takes as long as the longest of them;
                with ``keep`` they pause, and continue with the new weights.
            folder: Folder to write weights to, by default the system's temporary folder. The server must see it under the
                same path. A RAM disk makes syncs faster.
            timeout_s: Timeout of a request in seconds, including its time in the server's queue.
            version: Version of the server's weights; not verified.
            dtype: Data type in which weights are sent, the server's; by default the model's own.
            transport: HTTP transport to use instead of the network.
            image: Id of the image token of a model that sees.

        Raises:
            PolicyError: The server cannot be reached, or its settings do not fit the trainer.
            ValueError: ``in_flight`` is invalid.
        """
        if in_flight not in get_args(InFlight):
            raise ValueError(f"in_flight is 'wait' or 'keep', got {in_flight!r}.")
        wire = Wire(url, timeout_s, transport)
        try:
            name, context = served(await wire.call("GET", "/v1/models"), model)
            # A server left paused by a killed trainer would never answer.
            await wire.call("POST", "/resume")
            check(await wire.call("GET", "/server_info", params={"config_format": "json"}))
            await wire.call("POST", "/update_weight_version", json={"new_version": str(version)})
        except BaseException:
            await wire.close()
            raise
        policy = cls(
            wire,
            model=name,
            context=context,
            end_ids=end_ids,
            in_flight=in_flight,
            folder=folder,
            version=version,
            dtype=dtype,
            image=image,
        )
        try:
            await policy.generate([0], Sampling(max_tokens=1), seed=0)
        except BaseException:
            await policy.close()
            raise
        return policy

    async def generate(self, ids: Sequence[int], sampling: Sampling, seed: int) -> Completion:
        """Sample a continuation; see :meth:`envhub_trainer.policy.Policy.generate`.

        While the server is paused or sleeps, requests wait in its queue.

        Raises:
            PolicyError: The server failed, or reports weights that do not belong to a finished sync.
            ValueError: The context is empty or too long, or the server rejects a token, a setting or the seed.
        """
        if not ids or len(ids) > self.context:
            raise ValueError(f"A context has 1 to {self.context} tokens, got {len(ids)}.")
        most = min(sampling.max_tokens, self.context - len(ids))
        if most == 0:
            return Completion([], [], [], finished=False)
        request = {
            "model": self.model,
            **await self._content(list(ids)),
            "sampling_params": {
                "max_tokens": most,
                "temperature": sampling.temperature,
                "seed": seed,
                "logprobs": 0,  # of the sampled token only
                "detokenize": False,
                "stop_token_ids": self._end_ids,
                "ignore_eos": True,  # end tokens are set here, not by the checkpoint
            },
        }
        return completion(await self._wire.call("POST", "/inference/v1/generate", json=request), len(ids))

    async def _content(self, ids: list[int]) -> dict[str, Any]:
        """A request's tokens, and the features of its pictures."""
        if self._image is None:
            return {"token_ids": ids}
        places = placed(ids)
        for _, seen in places:
            if seen not in self._features:
                said = {"role": "user", "content": [seen.picture.part()]}
                asked = {"model": self.model, "messages": [said]}
                told = await self._wire.call("POST", "/v1/chat/completions/render", json=asked)
                self._features[seen] = features(told, seen.tokens, self._image)
        plain = [self._image if id < 0 else 0 if id == self._image else id for id in ids]
        return {"token_ids": plain, **together([(at, seen.tokens, self._features[seen]) for at, seen in places])}

    async def confidence(self, episodes: Sequence[Episode]) -> list[Confidence]:
        """Raise PolicyError: vLLM does not return whole distributions."""
        raise PolicyError("vLLM does not return whole distributions; rewards of confidence need policy.kind = 'hf'.")

    async def sync(self, model: nn.Module, version: int) -> None:
        """Load new weights; see :meth:`envhub_trainer.policy.Policy.sync`.

        Sampling continues while they are written.

        After a failed sync the server's weights are unknown, and :meth:`generate` rejects its tokens.

        Raises:
            PolicyError: The weights did not arrive.
            TypeError: The model is not from transformers.
        """
        if not isinstance(model, PreTrainedModel):
            raise TypeError(f"vLLM takes the weights of a model of transformers, got {type(model).__name__}.")
        async with self._syncing:
            folder = Path(self._folder.name) / f"version-{version}-{next(self._saves)}"
            try:
                await asyncio.to_thread(save, model, folder, self._dtype)
                await self._load(folder, version)
            except OSError as error:
                raise PolicyError(f"The weights of version {version} could not be written: {error}") from error
            finally:
                await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)
            self.version = version

    async def _load(self, folder: Path, version: int) -> None:
        """Have the server load weights while sampling is paused."""
        try:
            await self._wire.call("POST", "/pause", params={"mode": self.in_flight})
            await self._label(f"{version}, unfinished")
            await self._wire.call(
                "POST",
                "/collective_rpc",
                json={"method": "reload_weights", "kwargs": {"weights_path": str(folder)}},
                hint=f" It must be able to read {folder}.",
            )
            # Completions in flight are fed again, to continue with keys and values of the new weights.
            everything = {"reset_running_requests": "true", "reset_external": "true"}
            if await self._wire.call("POST", "/reset_prefix_cache", params=everything) != {"success": True}:
                raise PolicyError(
                    "vLLM still holds keys and values of the old weights: it did not reset its prefix cache."
                )
            if self._image is not None:  # what the old weights saw
                await self._wire.call("POST", "/reset_encoder_cache")
            await self._label(str(version))
        except BaseException:
            with suppress(PolicyError):  # report the first error
                await self._wire.call("POST", "/resume")
            raise
        await self._wire.call("POST", "/resume")

    async def forget(self) -> None:
        """Do nothing: a sync resets the cache, and samples vary anyway."""

    async def check(self) -> None:
        """Raise PolicyError unless the server is healthy with the last sync's weights."""
        await self._wire.call("GET", "/health")
        number((await self._wire.call("GET", "/weight_info"))["weight_version"], self.version)

    async def sleep(self, level: int = 1) -> None:
        """Free the server's memory once completions in flight are finished.

        On a CPU it only stops sampling.

        Args:
            level: 1 keeps the weights in the host's memory; 2 drops them, so that :meth:`wake_up` must be followed by a sync.

        Raises:
            PolicyError: It failed; vLLM must have been started with ``--enable-sleep-mode``.
        """
        await self._wire.call("POST", "/sleep", params={"level": str(level), "mode": "wait"})
        if level > 1:
            await self._label("dropped by sleep")

    async def wake_up(self) -> None:
        """Resume after :meth:`sleep`; raise PolicyError if the server stays asleep."""
        await self._wire.call("POST", "/wake_up")
        if (await self._wire.call("GET", "/is_sleeping"))["is_sleeping"]:
            raise PolicyError("vLLM was told to wake up and still sleeps.")

    async def close(self) -> None:
        """Close the connections; requests in flight fail, the server keeps running."""
        await self._wire.close()
        self._folder.cleanup()

    async def _label(self, label: str) -> None:
        """Set the version that the server reports from now on."""
        await self._wire.call("POST", "/update_weight_version", json={"new_version": label})
