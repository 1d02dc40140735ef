"""Bounded attempts to sample a problem of a split.

The attempts of a seed are numbered; the number of the accepted attempt is the ``draw`` of the task key. An attempt has
a limited amount of randomness and time, and then fails with an error: a ``sample`` that cannot succeed, or parameters
that make it search forever, must not block the caller::

    found = first(spec, environment, params, "train", root)  # Found(draw, fingerprint, instance), None after MAX_DRAWS attempts
    exactly(spec, environment, params, "train", root, found.draw)
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from functools import partial
from typing import Final

from envhub.authoring import Environment, Staged
from envhub.core.difficulty import BaseParams
from envhub.core.errors import SamplingFailed
from envhub.core.seeding import MAX_DRAWS, Stream, fingerprint, split_of
from envhub.core.types import EnvSpec, Instance
from envhub.tasks import cache
from envhub.tasks.bank import Bank
from envhub.tasks.cache import Found

MAX_BLOCKS: Final = 1 << 20
"""Maximum number of 64-byte blocks per attempt: a few seconds of drawing alone."""

_DEFAULT_SECONDS: Final = 120.0


def first(
    spec: EnvSpec, environment: Environment, params: BaseParams, split: str, root: bytes, bank: Bank | None = None
) -> Found | None:
    """The first attempt of a seed in the split.

    It is read from the bank if it is there. None after ``MAX_DRAWS`` attempts.

    Raises:
        SamplingFailed: Sampling exceeded ``ENVHUB_SAMPLE_SECONDS``, or an attempt its amount of randomness.
        BankRefused: The bank is of another version of the environment.
    """
    if bank is not None:
        banked = _banked(spec, environment, params, split, root, bank)
        if banked is not None:
            return banked
    if environment.searches(params):
        return _kept(environment, root, None, partial(_search, spec, environment, params, split, root))
    return _search(spec, environment, params, split, root)


def exactly(
    spec: EnvSpec,
    environment: Environment,
    params: BaseParams,
    split: str,
    root: bytes,
    number: int,
    bank: Bank | None = None,
) -> Found | None:
    """One attempt of a seed.

    None if its problem is not in the split.

    Raises:
        SamplingFailed: As :func:`first`.
        BankRefused: As :func:`first`.
    """
    banked = _banked(spec, environment, params, split, root, bank)
    if banked is not None and banked.draw == number:
        return banked

    def attempt() -> Found | None:
        return _attempt(spec, environment, params, split, number, bounded(root, number))

    return _kept(environment, root, number, attempt) if environment.searches(params) else attempt()


def family(spec: EnvSpec, environment: Environment) -> str:
    """Name under which an environment's content is fingerprinted."""
    return environment.family or spec.name


def bounded(root: bytes, number: int) -> Stream:
    """Random stream of one attempt, limited in blocks and in time."""
    stream = Stream(root, "sample", number)
    stream.watch = _Watch()
    return stream


class _Watch:
    """Fail the attempt. The clock is checked only after many blocks."""

    __slots__ = ("_deadline",)

    def __call__(self, blocks: int) -> None:
        if blocks >= MAX_BLOCKS:
            raise SamplingFailed(f"one attempt drew {blocks * 64 // 2**20} MiB of randomness without an end")
        now = time.monotonic()
        if not hasattr(self, "_deadline"):
            self._deadline = now + seconds_allowed()
        elif now > self._deadline:
            raise SamplingFailed(f"one attempt took longer than {seconds_allowed():g} s")


def seconds_allowed() -> float:
    """Time limit for drawing a problem, in seconds: ``ENVHUB_SAMPLE_SECONDS``, or 120."""
    try:
        return max(0.0, float(os.environ["ENVHUB_SAMPLE_SECONDS"]))
    except (KeyError, ValueError):
        return _DEFAULT_SECONDS


def _banked(
    spec: EnvSpec, environment: Environment, params: BaseParams, split: str, root: bytes, bank: Bank | None
) -> Found | None:
    """A task of a bank.

    The first one of each environment is drawn as well: a bank of other code must not be used.
    """
    found = None if bank is None else bank.get(root)
    if bank is not None and found is not None and not bank.tested(spec.id):
        bank.test(spec.id, found, _attempt(spec, environment, params, split, found.draw, bounded(root, found.draw)))
    return found


def _search(spec: EnvSpec, environment: Environment, params: BaseParams, split: str, root: bytes) -> Found | None:
    deadline = 0.0
    try:
        for number in range(MAX_DRAWS):
            found = _attempt(spec, environment, params, split, number, bounded(root, number))
            if found is not None:
                return found
            if number == 0:
                deadline = time.monotonic() + seconds_allowed()
            elif time.monotonic() > deadline:
                raise SamplingFailed(f"{number + 1} attempts took longer than {seconds_allowed():g} s")
    except SamplingFailed as error:
        raise SamplingFailed(
            f"{spec.id} found no problem of the split {split!r} with {params!r}: {error}. Take other parameters, or allow "
            "more time with ENVHUB_SAMPLE_SECONDS."
        ) from None
    return None


def _attempt(
    spec: EnvSpec, environment: Environment, params: BaseParams, split: str, number: int, rng: Stream
) -> Found | None:
    """Make one attempt; None if it is rejected or in another split."""
    drawn = environment.sample(rng, params)
    staged = None
    if isinstance(drawn, Instance):
        content = drawn.problem
    elif drawn is None:
        return None
    else:
        staged, content = drawn, next(drawn, None)
    if content is None:
        return None
    content_fingerprint = None
    if environment.split_by == "content":
        content_fingerprint = fingerprint(family(spec, environment), environment.canonical(content))
        if split_of(content_fingerprint) != split:
            return None
    instance = drawn if staged is None else _finish(staged)
    if not isinstance(instance, Instance) or not environment.accepts(instance):
        return None
    return Found(number, content_fingerprint, instance)


def _finish(staged: Staged) -> Instance | None:
    try:
        next(staged)
    except StopIteration as stop:
        value: Instance | None = stop.value
        return value
    raise TypeError("sample() yields once: the content on which the split is decided.")


def _kept(environment: Environment, root: bytes, number: int | None, draw: Callable[[], Found | None]) -> Found | None:
    """Result of ``draw``, cached under ``root`` (id, parameters, split and seed)."""
    store = cache.default()
    code = None if store is None else cache.code_digest(type(environment).__module__)
    if store is None or code is None:
        return draw()
    name = root + code  # root of the first accepted attempt; others, only requested by a key, have a name of their own
    kept = store.get(name)
    if kept is not None and number is not None and kept.draw != number:
        kept = None
    if kept is None and number is not None:
        name += number.to_bytes(2, "little")
        kept = store.get(name)
    if kept is None:
        kept = draw()
        if kept is not None:
            store.put(name, kept)
    return kept
