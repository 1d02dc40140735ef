"""The sampler on vLLM: a client of its server, which runs in a process of its own.

::

    with Server("path/to/model", python=".venvs/vllm/bin/python") as server:  # or a server that somebody else has started
        policy = await VllmPolicy.connect(server.url, end_ids=frozenset({2}))
        completion = await policy.generate(ids, Sampling(max_tokens=256), seed=7)
        await policy.sync(model, version=1)
        await policy.close()

Token ids travel both ways (``/inference/v1/generate``), so nothing is tokenised again, and the server says of every token
which weights sampled it: it is told their version while it is paused, and reports spans of versions. So versions are exact,
also of completions that were under way during a sync.

A sync goes over the disk: the weights are written as a checkpoint, sampling is paused, the server reads them, forgets the
keys and values of the old ones, and goes on. This works wherever server and trainer share a file system. That a server
accepts weights does not prove that it samples from them, so let :func:`envhub_trainer.probe.probe` follow every sync.

The server must be vLLM 0.32 or later with development mode, ``--enable-scale-out`` and ``--logprobs-mode
processed_logprobs``, as :mod:`envhub_trainer.policy.vllm_server` starts it, and this policy its only user.
"""

from __future__ import annotations

import asyncio
import itertools
import shutil
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal, Self, get_args

import httpx
from torch import nn
from transformers import PreTrainedModel

from envhub_trainer.policy import Completion, PolicyError, Sampling
from envhub_trainer.policy.vllm_wire import Wire, check, completion, number, served
from envhub_trainer.policy.weights import save

InFlight = Literal["wait", "keep"]
"""What becomes of completions under way when a sync comes: the old weights finish them, or the new ones go on with them."""


class VllmPolicy:
    """A :class:`envhub_trainer.policy.Policy` on a vLLM server; made by :meth:`connect`, in the event loop that uses it.

    Attributes:
        version: Of the weights the server holds, as far as this policy has synced them.
        context: How many tokens a row may have.
        model: The name under which the server serves its model.
        in_flight: What becomes of completions under way when a sync comes.
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
    ) -> None:
        """A policy on a server that has been looked at; :meth:`connect` looks."""
        self.version = version
        self.context = context
        self.model = model
        self.in_flight: InFlight = in_flight
        self._wire = wire
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
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> Self:
        """A policy on a running server, which is asked whether it is what the trainer needs, and for one token.

        Args:
            url: Where the server is, ``http://127.0.0.1:8000``. Proxies of the environment are not used.
            end_ids: A completion ends with any of these tokens.
            model: The name under which it serves the model; not needed if it serves one.
            in_flight: ``wait`` lets completions under way finish before a sync, which takes as long as the longest of them;
                with ``keep`` they stop, and go on with the new weights.
            folder: Where weights are written, by default the system's folder for temporary files. The server must see it
                under the same path. A RAM disk makes syncs faster.
            timeout_s: Seconds one request may take, its time in the server's queue included.
            version: Of the weights that the server holds; that they are those is the caller's word.
            transport: Instead of the network.

        Raises:
            PolicyError: There is no such server, or it is not as the trainer needs it.
            ValueError: ``in_flight`` is neither.
        """
        if in_flight not in get_args(InFlight):
            raise ValueError(f"in_flight is 'wait' or 'keep', got {in_flight!r}.")
        wire = Wire(url, timeout_s, transport)
        try:
            name, context = served(await wire.call("GET", "/v1/models"), model)
            # One that a trainer left paused when it was killed would answer nothing for ever.
            await wire.call("POST", "/resume")
            check(await wire.call("GET", "/server_info", params={"config_format": "json"}))
            await wire.call("POST", "/update_weight_version", json={"new_version": str(version)})
        except BaseException:
            await wire.close()
            raise
        policy = cls(
            wire, model=name, context=context, end_ids=end_ids, in_flight=in_flight, folder=folder, version=version
        )
        try:
            await policy.generate([0], Sampling(max_tokens=1), seed=0)
        except BaseException:
            await policy.close()
            raise
        return policy

    async def generate(self, ids: Sequence[int], sampling: Sampling, seed: int) -> Completion:
        """Go on from a context; see :meth:`envhub_trainer.policy.Policy.generate`.

        While the server is paused or sleeps, requests wait in its queue.

        Raises:
            PolicyError: The server failed, or says that its weights are none of a finished sync.
            ValueError: The context is empty or too long, or the server does not take a token, a setting or the seed.
        """
        if not ids or len(ids) > self.context:
            raise ValueError(f"A context has 1 to {self.context} tokens, got {len(ids)}.")
        most = min(sampling.max_tokens, self.context - len(ids))
        if most == 0:
            return Completion([], [], [], finished=False)
        request = {
            "model": self.model,
            "token_ids": list(ids),
            "sampling_params": {
                "max_tokens": most,
                "temperature": sampling.temperature,
                "seed": seed,
                "logprobs": 0,  # of the sampled token, and of no other
                "detokenize": False,
                "stop_token_ids": self._end_ids,
                "ignore_eos": True,  # what ends a completion is ours to say, not the checkpoint's
            },
        }
        return completion(await self._wire.call("POST", "/inference/v1/generate", json=request), len(ids))

    async def sync(self, model: nn.Module, version: int) -> None:
        """Take over weights; see :meth:`envhub_trainer.policy.Policy.sync`. Sampling goes on while they are written.

        After a sync that failed the server may hold anything; it then refuses to pass off what it samples as any version's.

        Raises:
            PolicyError: The weights did not arrive.
            TypeError: It is not a model of transformers.
        """
        if not isinstance(model, PreTrainedModel):
            raise TypeError(f"vLLM takes the weights of a model of transformers, got {type(model).__name__}.")
        async with self._syncing:
            folder = Path(self._folder.name) / f"version-{version}-{next(self._saves)}"
            try:
                await asyncio.to_thread(save, model, folder)
                await self._load(folder, version)
            except OSError as error:
                raise PolicyError(f"The weights of version {version} could not be written: {error}") from error
            finally:
                await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)
            self.version = version

    async def _load(self, folder: Path, version: int) -> None:
        """Have the server read weights while it samples nothing."""
        try:
            await self._wire.call("POST", "/pause", params={"mode": self.in_flight})
            await self._label(f"{version}, unfinished")
            await self._wire.call(
                "POST",
                "/collective_rpc",
                json={"method": "reload_weights", "kwargs": {"weights_path": str(folder)}},
                hint=f" It must be able to read {folder}.",
            )
            # Completions under way are fed anew: what they go on with are the new weights' keys and values.
            everything = {"reset_running_requests": "true", "reset_external": "true"}
            if await self._wire.call("POST", "/reset_prefix_cache", params=everything) != {"success": True}:
                raise PolicyError(
                    "vLLM still holds keys and values of the old weights: it did not reset its prefix cache."
                )
            await self._label(str(version))
        except BaseException:
            with suppress(PolicyError):  # the first error is the one to tell
                await self._wire.call("POST", "/resume")
            raise
        await self._wire.call("POST", "/resume")

    async def check(self) -> None:
        """Ask the server whether it is well and holds the weights of the last sync.

        Raises:
            PolicyError: It is not, or does not.
        """
        await self._wire.call("GET", "/health")
        number((await self._wire.call("GET", "/weight_info"))["weight_version"], self.version)

    async def sleep(self, level: int = 1) -> None:
        """Give the server's memory back as soon as completions under way are finished; on a CPU it only stops sampling.

        Args:
            level: 1 keeps the weights in the host's memory; 2 drops them, and the next thing after :meth:`wake_up` is a sync.

        Raises:
            PolicyError: It did not; vLLM must have been started with ``--enable-sleep-mode``.
        """
        await self._wire.call("POST", "/sleep", params={"level": str(level), "mode": "wait"})
        if level > 1:
            await self._label("dropped by sleep")

    async def wake_up(self) -> None:
        """Go on after :meth:`sleep`.

        Raises:
            PolicyError: The server did not wake up.
        """
        await self._wire.call("POST", "/wake_up")
        if (await self._wire.call("GET", "/is_sleeping"))["is_sleeping"]:
            raise PolicyError("vLLM was told to wake up and still sleeps.")

    async def close(self) -> None:
        """Close the connections, requests in flight fail; the server goes on."""
        await self._wire.close()
        self._folder.cleanup()

    async def _label(self, label: str) -> None:
        """Tell the server what to report of the tokens that it samples from now on."""
        await self._wire.call("POST", "/update_weight_version", json={"new_version": label})
