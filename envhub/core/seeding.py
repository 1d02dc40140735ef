"""Reproducible randomness and task identity: streams, task keys, fingerprints, splits.

A task key ``(env id, parameters, split, seed, draw)`` gives the same task on every machine, process and Python version. So
all randomness comes from :class:`Stream` (BLAKE2b in counter mode, RFC 7693): never from ``random``, from NumPy (whose
samplers change between versions), or from anything that depends on ``hash`` or set order::

    key = TaskKey("sudoku-v0", {"size": 9}, "train", seed=7)
    rng = key.stream("sample")
    rng.below(6)                    # an integer 0..5
    split_of(fingerprint("sudoku", grid))   # "train", "validation" or "test"
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, MutableSequence, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from hashlib import blake2b
from typing import Any, Final, TypeVar

from envhub.core.errors import InvalidParameters, nearest
from envhub.core.frozen import quick

T = TypeVar("T")

SPLITS: Final = ("train", "validation", "test")
MAX_SEED: Final = 2**63 - 1
MAX_DRAWS: Final = 20_000

WATCHED_BLOCKS: Final = 512

_BLOCK_BITS: Final = 512
_FIRST: Final = bytes(8)
_TRAIN_SHARE: Final = 90 * 2**64 // 100
_VALIDATION_END: Final = 95 * 2**64 // 100


_encode = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False).encode


def canonical_json(value: Any) -> bytes:
    """The canonical JSON of a value: sorted keys, no spaces, UTF-8.

    Raises:
        TypeError: ``value`` contains something that JSON cannot represent.
        ValueError: ``value`` contains NaN or an infinity.
    """
    return _encode(value).encode()


class Stream:
    """A reproducible stream of random draws, keyed by bytes and a purpose.

    Block ``i`` of the stream is ``BLAKE2b-512(i, key=BLAKE2b-256(key, purpose))``; bits are taken from the low end. The
    first hash is computed on the first draw, so an unused stream costs almost nothing.

    Args:
        key: Any bytes. Streams with different keys are independent.
        purpose: What the draws are for. Streams with different purposes are independent.

    Attributes:
        watch: Called with the number of blocks drawn so far, every ``WATCHED_BLOCKS`` blocks; may raise to end the draw.
    """

    __slots__ = ("_bits", "_block", "_counter", "_key", "_pool", "_purpose", "watch")

    def __init__(self, key: bytes, *purpose: str | int) -> None:
        self._key = key
        self._purpose = purpose
        self._block: bytes | None = None
        self._counter = 0
        self._pool = 0
        self._bits = 0
        self.watch: Callable[[int], None] | None = None

    def _refill(self) -> None:
        counter, key = self._counter, self._block
        if key is None:
            seed = len(self._key).to_bytes(8, "little") + self._key + _purpose_bytes(*self._purpose)
            key = self._block = blake2b(seed, digest_size=32).digest()
        elif self.watch is not None and not counter % WATCHED_BLOCKS:
            self.watch(counter)
        block = int.from_bytes(blake2b(counter.to_bytes(8, "little"), key=key).digest(), "little")
        bits = self._bits
        self._pool = self._pool | block << bits if bits else block
        self._bits = bits + _BLOCK_BITS
        self._counter = counter + 1

    def bits(self, count: int) -> int:
        """An integer of ``count`` random bits."""
        while self._bits < count:
            self._refill()
        value = self._pool & ((1 << count) - 1)
        self._pool >>= count
        self._bits -= count
        return value

    def below(self, bound: int) -> int:
        """An integer drawn uniformly from ``0 .. bound - 1`` (by rejection: no modulo bias).

        Raises:
            ValueError: ``bound`` is not positive.
        """
        if bound < 1:
            raise ValueError(f"below() needs a positive bound, got {bound}")
        count = (bound - 1).bit_length()
        while True:
            while self._bits < count:
                self._refill()
            pool = self._pool
            value = pool & (1 << count) - 1
            self._pool = pool >> count
            self._bits -= count
            if value < bound:
                return value

    def between(self, low: int, high: int) -> int:
        """An integer drawn uniformly from ``low .. high``, both included."""
        return low + self.below(high - low + 1)

    def choice(self, items: Sequence[T]) -> T:
        """An item drawn uniformly from ``items``.

        Raises:
            ValueError: ``items`` is empty.
        """
        return items[self.below(len(items))]

    def shuffle(self, items: MutableSequence[T]) -> None:
        """Shuffle ``items`` in place (Fisher and Yates, from the end)."""
        below = self.below
        for i in range(len(items) - 1, 0, -1):
            j = below(i + 1)
            items[i], items[j] = items[j], items[i]

    def sample(self, items: Sequence[T], count: int) -> list[T]:
        """Sample ``count`` items without replacement, in random order.

        Raises:
            ValueError: There are fewer than ``count`` items.
        """
        if not 0 <= count <= len(items):
            raise ValueError(f"cannot sample {count} of {len(items)} items")
        pool = list(items)
        for i in range(count):
            j = i + self.below(len(pool) - i)
            pool[i], pool[j] = pool[j], pool[i]
        return pool[:count]


def below(bound: int, key: bytes, *purpose: str | int) -> int:
    """``Stream(key, *purpose).below(bound)``, at half the cost, for a single draw from a stream.

    Raises:
        ValueError: ``bound`` is not positive.
    """
    count = (bound - 1).bit_length()
    if 0 < count <= 16:
        block = blake2b(len(key).to_bytes(8, "little") + key + _purpose_bytes(*purpose), digest_size=32).digest()
        pool = int.from_bytes(blake2b(_FIRST, key=block).digest(), "little")
        for _ in range(_BLOCK_BITS // count):
            value = pool & (1 << count) - 1
            if value < bound:
                return value
            pool >>= count
    return Stream(key, *purpose).below(bound)


@lru_cache(maxsize=4096, typed=True)  # typed: 1 and True are equal, and their streams are not
def _purpose_bytes(*purpose: str | int) -> bytes:
    """A purpose as bytes, one-to-one; faster than JSON."""
    return repr(purpose).encode()


class SeedHash:
    """BLAKE2b-128 of a value and a seed.

    The value is hashed once for many seeds.

    Args:
        value: JSON values.
    """

    __slots__ = ("_begun",)

    def __init__(self, value: Any) -> None:
        self._begun = blake2b(canonical_json(value), digest_size=16)

    def __call__(self, seed: int) -> bytes:
        """The 16-byte hash for a seed."""
        hashed = self._begun.copy()
        hashed.update(seed.to_bytes(8, "little"))
        return hashed.digest()


def seed_of(seeds: SeedHash, number: int) -> int:
    """Seed number ``number`` of a sequence.

    It is in ``0 .. 2**63 - 1`` and independent of the others.
    """
    return int.from_bytes(seeds(number)[:8], "little") >> 1


@quick
@dataclass(frozen=True)
class TaskKey:
    """Identifies a task; equal keys give equal tasks on every machine.

    Attributes:
        env_id: The environment with its version, ``sudoku-v0``.
        params: Every parameter by name (JSON values).
        split: ``train``, ``validation`` or ``test``.
        seed: ``0 .. 2**63 - 1``.
        draw: Number of the accepted attempt of this seed; None before one is accepted.
    """

    env_id: str
    params: Mapping[str, Any]
    split: str
    seed: int
    draw: int | None = field(default=None)

    @cached_property
    def root(self) -> bytes:
        """The 16 bytes that key every stream of this seed.

        The same for any attempt.
        """
        return root_hash(self.env_id, self.params, self.split)(self.seed)

    def rooted(self, root: bytes) -> TaskKey:
        """This key with its root already computed."""
        self.__dict__["root"] = root
        return self

    def stream(self, *purpose: str | int) -> Stream:
        """The stream of this seed for ``purpose``."""
        return Stream(self.root, *purpose)

    def to_json(self) -> dict[str, Any]:
        """The key as JSON values; :meth:`from_json` restores it exactly."""
        return {
            "env_id": self.env_id,
            "params": dict(self.params),
            "split": self.split,
            "seed": self.seed,
            "draw": self.draw,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> TaskKey:
        """Read a key; other fields of a task are ignored.

        Raises:
            InvalidParameters: A field is missing or of the wrong kind.
        """
        if not isinstance(data, Mapping):
            raise InvalidParameters(f"A task key is an object, got {type(data).__name__}.")
        fields = ("env_id", "params", "split", "seed", "draw")
        missing = [name for name in fields[:-1] if name not in data]
        if missing:
            raise InvalidParameters(f"A task key needs {', '.join(fields)}; missing: {', '.join(missing)}.")
        env_id, params, draw = data["env_id"], data["params"], data.get("draw")
        if not isinstance(env_id, str):
            raise InvalidParameters(f"The env_id of a task key is text, got {type(env_id).__name__}.")
        if not isinstance(params, Mapping):
            raise InvalidParameters(f"The params of a task key are an object, got {type(params).__name__}.")
        if draw is not None and (type(draw) is not int or not 0 <= draw < MAX_DRAWS):
            raise InvalidParameters(f"The draw of a task key is null or 0..{MAX_DRAWS - 1}, got {draw!r}.")
        return cls(env_id, dict(params), check_split(data["split"]), check_seed(data["seed"]), draw)


def check_asked(key: TaskKey, asked: str | None, draw: int | None, drawn: str) -> None:
    """Raise if the drawn task differs from the requested one.

    Args:
        key: The key of the requested task.
        asked: Fingerprint of the requested task, if known.
        draw: Number of the attempt that was drawn.
        drawn: Fingerprint of the drawn task.

    Raises:
        InvalidParameters: They differ.
    """
    if key.draw not in (None, draw) or asked not in (None, drawn):
        raise InvalidParameters(
            f"The key draws another problem than was asked: it was altered, or {key.env_id} is another version."
        )


def root_hash(env_id: str, params: Mapping[str, Any], split: str) -> SeedHash:
    """A function from a seed to :attr:`TaskKey.root`."""
    return SeedHash([env_id, params, split])


def fingerprint(family: str, content: Any) -> str:
    """Hash of a problem's content, independent of id, version, difficulty and wording.

    Args:
        family: Name shared by related environments and versions.
        content: The canonical form of the content (JSON values).

    Returns:
        32 hexadecimal digits of BLAKE2b.
    """
    return blake2b(canonical_json([family, content]), digest_size=16).hexdigest()


def split_of(print_: str) -> str:
    """The split of a fingerprint.

    90 % train, 5 % validation, 5 % test.
    """
    place = int(print_[:16], 16)
    if place < _TRAIN_SHARE:
        return "train"
    return "validation" if place < _VALIDATION_END else "test"


def check_split(split: Any) -> str:
    """Return ``split`` if it is valid.

    Raises:
        InvalidParameters: There is no such split.
    """
    if isinstance(split, str) and split in SPLITS:
        return split
    raise InvalidParameters(f"No split {split!r}; there are {', '.join(SPLITS)}.{nearest(str(split), SPLITS)}")


def check_seed(seed: Any) -> int:
    """Return ``seed`` as an ``int`` if it is valid.

    Raises:
        InvalidParameters: It is not an integer in ``0 .. 2**63 - 1``.
    """
    if isinstance(seed, bool) or not hasattr(seed, "__index__"):
        raise InvalidParameters(f"A seed is an integer 0..2**63-1, got {seed!r}.")
    value: int = seed.__index__()
    if not 0 <= value <= MAX_SEED:
        raise InvalidParameters(f"A seed is an integer 0..2**63-1, got {value}.")
    return value


def check_turn_seed(turn_seed: Any) -> int:
    """Return ``turn_seed`` if it is valid.

    Raises:
        InvalidParameters: It is not an integer in ``0 .. 2**63 - 1``.
    """
    if type(turn_seed) is int and 0 <= turn_seed <= MAX_SEED:
        return turn_seed
    raise InvalidParameters(f"`turn_seed` must be an integer from 0 to 2**63 - 1, got {turn_seed!r}.")
