"""Continuous batching: add requests, step, collect finished requests.

A step admits as many waiting requests as there are free slots, first come first served, feeds the uncached part of their
contexts and samples their first tokens; then it samples one more token for every active row.
:class:`envhub_trainer.policy.hf.HfPolicy` drives it::

    engine.submit(Request(ids, temperature=1.0, seed=7, most=16))
    while engine.unfinished:
        finished = engine.step()

It uses no event loop, and a clock only for statistics. It is used by one thread at a time, except :meth:`Engine.submit`,
which any thread may call.
"""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import torch
from torch import Tensor

from envhub_trainer.policy import PolicyError
from envhub_trainer.policy.forward import Forward, evaluating
from envhub_trainer.policy.placement import Places, Slot
from envhub_trainer.policy.randomness import draw, uniforms
from envhub_trainer.vision import Seen


@dataclass(eq=False, slots=True)
class Request:
    """A completion in progress.

    Attributes:
        ids: Its context, at least one token.
        temperature: 0 takes the likeliest token.
        seed: Seed of its randomness.
        most: Maximum number of tokens to sample; they fit into the context.
        sampled: Tokens sampled so far.
        logps: Their log-probabilities.
        versions: Versions of the weights that sampled them.
        finished: Whether the last of them is an end token.
        cancelled: Whether the caller stopped waiting.
        pictures: The pictures of its context.
        rotary: ``(3, n)`` positions of its context if it has pictures and the model takes such; else its columns.
    """

    ids: list[int]
    temperature: float
    seed: int
    most: int
    sampled: list[int] = field(default_factory=list)
    logps: list[float] = field(default_factory=list)
    versions: list[int] = field(default_factory=list)
    finished: bool = False
    cancelled: bool = False
    pictures: list[tuple[int, Seen]] = field(default_factory=list)
    rotary: Tensor | None = None

    @property
    def shift(self) -> int:
        """Difference between the position of a sampled token and its column."""
        return 0 if self.rotary is None else int(self.rotary.max()) + 1 - len(self.ids)


@dataclass(slots=True)
class Stats:
    """Statistics of a sampler since its creation, for the log.

    Attributes:
        sampled: Number of sampled tokens.
        prefilled: Number of context tokens that were fed.
        reused: Number of context tokens whose keys and values were cached or copied.
        steps: Number of decoding steps.
        rows: Active rows, summed over the decoding steps.
        seconds: Wall-clock time spent computing.
    """

    sampled: int = 0
    prefilled: int = 0
    reused: int = 0
    steps: int = 0
    rows: int = 0
    seconds: float = 0.0


@dataclass(slots=True)
class _Table:
    """Inputs of the decoding step by place, advanced on the device."""

    requests: list[tuple[int, Request]]
    tokens: Tensor
    positions: Tensor
    counts: Tensor
    seeds: Tensor
    shifts: Tensor
    busy: Tensor | None
    temperature: Tensor | None
    longest: int


class Engine:
    """Batches all requests to one model.

    Attributes:
        forward: The model and its cache.
        version: Version of its weights.
        stats: Statistics since its creation.
    """

    def __init__(
        self, forward: Forward, *, slots: int, end_ids: frozenset[int], vocabulary: int | None, version: int
    ) -> None:
        self.forward = forward
        self.version = version
        self.stats = Stats()
        self._end_ids = end_ids
        self._vocabulary = vocabulary
        self._slots = slots
        self._places = Places(slots)
        self._waiting: deque[Request] = deque()
        self._active: dict[Request, Slot] = {}
        self._table: _Table | None = None

    @property
    def unfinished(self) -> int:
        """Number of waiting and active requests."""
        return len(self._waiting) + len(self._active)

    def submit(self, request: Request) -> None:
        """Add a request."""
        self._waiting.append(request)

    def reset(self) -> None:
        """Drop all requests and the cache."""
        self._waiting.clear()
        self._active.clear()
        self._table = None
        self._places = Places(self._slots)
        self.forward.forget()

    def renew(self, version: int) -> None:
        """Note that the weights changed: cached keys and values are not reused."""
        self.version = version
        self.forget()

    def forget(self) -> None:
        """Stop reusing cached keys and values; without requests, become as new."""
        if self.unfinished:
            self._places.forget()
        else:
            self.reset()

    def step(self) -> list[Request]:
        """Admit, feed, sample, return what finished; PolicyError if output is not finite."""
        started = time.perf_counter()
        for request in [request for request in self._active if request.cancelled]:
            self._release(request)
        with evaluating(self.forward.model):
            finished = self._admit() + self._decode()
        self.stats.seconds += time.perf_counter() - started
        return finished

    def _admit(self) -> list[Request]:
        """Give slots to waiting requests, feed them and sample their first tokens."""
        requests: list[Request] = []
        while self._waiting and len(requests) < self._places.room:
            request = self._waiting.popleft()
            if not request.cancelled:
                requests.append(request)
        if not requests:
            return []
        logits = self._prefill(requests)
        seeds = torch.tensor([request.seed for request in requests], device=logits.device)
        drawn = self._draw(logits, _temperatures(requests, logits.device), seeds, torch.zeros_like(seeds))
        return self._append(requests, *drawn.tolist())

    def _prefill(self, requests: list[Request]) -> Tensor:
        """Logits after each context, ``(m, V)``; equal contexts are fed once and copied."""
        grants = self._places.take([request.ids for request in requests])
        self._active.update((request, grant.slot) for request, grant in zip(requests, grants, strict=True))
        self._table = None
        cache = self.forward.cache
        cache.reserve(self._places.rows, max(len(request.ids) for request in requests))
        copied = [(grant.source, grant) for grant in grants if grant.source is not None]
        cache.copy(
            [source for source, _ in copied],
            [grant.slot.place for _, grant in copied],
            0,
            max((grant.kept for _, grant in copied), default=0),
        )
        self._compact()
        leaders = [i for i, grant in enumerate(grants) if grant.leader is None]
        for request, grant in zip(requests, grants, strict=True):  # a leader comes before its followers
            leader = None if grant.leader is None else requests[grant.leader]
            request.rotary = leader.rotary if leader else self.forward.rotary(request.ids)
        logits = self.forward.suffixes(
            [grants[i].slot.place for i in leaders],
            [requests[i].ids for i in leaders],
            [grants[i].kept for i in leaders],
            [requests[i].rotary for i in leaders],
        )
        followers = [(grant, grants[grant.leader]) for grant in grants if grant.leader is not None]
        if followers:
            cache.copy(
                [leader.slot.place for _, leader in followers],
                [follower.slot.place for follower, _ in followers],
                min(follower.kept for follower, _ in followers),
                max(len(requests[grant.leader].ids) for grant in grants if grant.leader is not None),
            )
            at = {i: row for row, i in enumerate(leaders)}
            shared = [at[i if grant.leader is None else grant.leader] for i, grant in enumerate(grants)]
            logits = logits[torch.tensor(shared, device=logits.device)]
        for request, grant in zip(requests, grants, strict=True):
            self._places.serve(grant.slot, request.ids)
            fed = len(request.ids) - grant.kept if grant.leader is None else 0
            self.stats.prefilled += fed
            self.stats.reused += len(request.ids) - fed
        return logits

    def _decode(self) -> list[Request]:
        """Sample one more token for every active row."""
        if not self._active:
            return []
        self._compact()
        table = self._table = self._table or self._tabulate()
        logits = self.forward.ones(table.tokens, table.positions, table.shifts, table.busy, table.longest)
        drawn = self._draw(logits, table.temperature, table.seeds, table.counts)
        self.stats.steps += 1
        self.stats.rows += len(table.requests)
        table.tokens = drawn[0].long()
        table.positions = table.positions + 1
        table.counts = table.counts + 1
        table.longest += 1
        tokens, logps = drawn.tolist()
        return self._append(
            [request for _, request in table.requests],
            [tokens[place] for place, _ in table.requests],
            [logps[place] for place, _ in table.requests],
        )

    def _tabulate(self) -> _Table:
        device = self.forward.device
        extent = self._places.extent
        requests = sorted(((slot.place, request) for request, slot in self._active.items()), key=lambda pair: pair[0])
        rows = [(0, 0, 0, 0, 0)] * extent
        for place, request in requests:
            length = len(request.ids) + len(request.sampled)
            rows[place] = request.sampled[-1], length - 1, len(request.sampled), request.seed, request.shift
        tokens, positions, counts, seeds, shifts = torch.tensor(rows, device=device).unbind(1)
        busy = None
        if len(requests) < extent:
            busy = torch.zeros(extent, dtype=torch.bool, device=device)
            busy[torch.tensor([place for place, _ in requests], device=device)] = True
        by_place = dict(requests)
        temperature = _temperatures((by_place.get(place) for place in range(extent)), device)
        longest = max(len(request.ids) + len(request.sampled) for _, request in requests)
        return _Table(requests, tokens, positions, counts, seeds, shifts, busy, temperature, longest)

    def _draw(self, logits: Tensor, temperature: Tensor | None, seeds: Tensor, counts: Tensor) -> Tensor:
        """Tokens and log-probabilities as one exact ``(2, n)`` float64, for one transfer."""
        tokens, logps = draw(logits[:, : self._vocabulary], temperature, uniforms(seeds, counts))
        return torch.stack((tokens.double(), logps.double()))

    def _append(self, requests: list[Request], tokens: list[float], logps: list[float]) -> list[Request]:
        """Append a token to each request; frees and returns the finished ones."""
        if not math.isfinite(sum(logps)):
            raise PolicyError(
                f"The model's log-probabilities are not finite with the weights of version {self.version}: it has diverged, or "
                f"{self.forward.model.dtype} overflowed."
            )
        finished: list[Request] = []
        self.stats.sampled += len(requests)
        for request, number, logp in zip(requests, tokens, logps, strict=True):
            token = int(number)
            request.sampled.append(token)
            request.logps.append(logp)
            request.versions.append(self.version)
            request.finished = token in self._end_ids
            if request.finished or len(request.sampled) == request.most:
                finished.append(request)
        for request in finished:
            self._release(request)
        return finished

    def _release(self, request: Request) -> None:
        """Release the slot of a request, whose last token was not fed."""
        self._places.release(self._active.pop(request), (request.ids + request.sampled)[:-1])
        self._table = None

    def _compact(self) -> None:
        moves = self._places.compact()
        if not moves:
            return
        self._table = None
        active = max(len(request.ids) + len(request.sampled) for request in self._active)
        self.forward.cache.copy(
            [source for source, _ in moves], [target for _, target in moves], 0, max(active, self._places.longest)
        )


def _temperatures(requests: Iterable[Request | None], device: torch.device) -> Tensor | None:
    """Temperature of each row, 1 for empty ones; None if all 1."""
    values: Sequence[float] = [1.0 if request is None else request.temperature for request in requests]
    return None if all(value == 1 for value in values) else torch.tensor(values, device=device)
