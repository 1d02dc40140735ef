"""Excludes given texts from a dataset: evaluation sets, other envhub datasets.

Files of envhub rows are excluded by fingerprint: no such problem is drawn in any wording. Other files are excluded by
word n-grams: a prompt that shares one is left out (Brown et al. 2020, "Language Models are Few-Shot Learners", appendix
C, used n = 13). The rules, which all prompts of an environment share, are no contamination: words of n-grams that
several reference prompts share belong to the rules, and an n-gram counts only if at least half of its words do not (or,
for shorter problems, as many as in any other n-gram of its prompt)::

    exclusion = Exclusion.of_files([Path("gsm8k_test.jsonl"), Path("ours.test.jsonl")])
    exclusion.holds(task, lambda: exclusion.common(prompts))
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import accumulate
from pathlib import Path
from typing import Any, Final

from envhub.core.errors import InvalidParameters
from envhub.core.types import Task
from envhub.dataset.files import SUFFIXES, rows
from envhub.dataset.formats import read_row

NGRAM: Final = 13
_WORD = re.compile(r"[^\W_]+|[-+*/=<>^]")
_SHARED: Final = 3  # n-grams of this many reference prompts belong to the rules


@dataclass(frozen=True)
class Exclusion:
    """Content that a dataset must not contain.

    Attributes:
        fingerprints: Fingerprints of problems.
        ngrams: N-grams of texts, as 8-byte digests.
        n: Words per n-gram.
    """

    fingerprints: frozenset[str] = frozenset()
    ngrams: frozenset[bytes] = frozenset()
    n: int = NGRAM

    @classmethod
    def of_files(cls, paths: Iterable[Path], n: int = NGRAM) -> Exclusion:
        """Read files: JSON or parquet by their suffix, otherwise plain text.

        Raises:
            InvalidParameters: A file cannot be read, or ``n`` is not positive.
        """
        if n < 1:
            raise InvalidParameters(f"An n-gram has at least one word, got n = {n}.")
        fingerprints: set[str] = set()
        found: set[bytes] = set()
        for path in paths:
            try:
                for part in _parts(path):
                    if isinstance(part, str):
                        found.update(ngrams(part, n))
                    else:
                        fingerprints.add(part[0])
            except InvalidParameters:
                raise
            except (OSError, ValueError, RecursionError) as error:
                raise InvalidParameters(f"{path} cannot be read for exclusion: {error}.") from None
        return cls(frozenset(fingerprints), frozenset(found), n)

    def __bool__(self) -> bool:
        return bool(self.fingerprints or self.ngrams)

    @property
    def digest(self) -> str:
        """Digest of the exclusion."""
        whole = blake2b(str(self.n).encode(), digest_size=16)
        for fingerprint in sorted(self.fingerprints):
            whole.update(fingerprint.encode())
        for gram in sorted(self.ngrams):
            whole.update(gram)
        return whole.hexdigest()

    def common(self, prompts: Sequence[str]) -> frozenset[bytes]:
        """N-grams that several of an environment's prompts share: its rules."""
        if not self.ngrams:
            return frozenset()
        counts = Counter(gram for prompt in prompts for gram in ngrams(prompt, self.n))
        return frozenset(gram for gram, count in counts.items() if count >= min(_SHARED, len(prompts)))

    def holds(self, task: Task, common: Callable[[], frozenset[bytes]]) -> bool:
        """Whether a task must be left out.

        Args:
            task: The task.
            common: Returns the n-grams of the rules in the task's wording (:meth:`common`); called only if it matters.
        """
        if task.fingerprint in self.fingerprints:
            return True
        windows = _windows(task.prompt, self.n)
        if self.ngrams.isdisjoint(windows):
            return False
        own = _own_words(windows, common(), self.n)
        enough = max(1, min((self.n + 1) // 2, max(own)))
        return any(count >= enough and gram in self.ngrams for gram, count in zip(windows, own, strict=True))


def ngrams(text: str, n: int) -> set[bytes]:
    """Word n-grams of a text as 8-byte digests.

    A shorter text is one n-gram.
    """
    return set(_windows(text, n))


def _windows(text: str, n: int) -> list[bytes]:
    """The n-grams of a text in order."""
    words = _WORD.findall(text.casefold())
    count = max(1, len(words) - n + 1) if words else 0
    return [blake2b(" ".join(words[i : i + n]).encode(), digest_size=8).digest() for i in range(count)]


def _own_words(windows: list[bytes], common: frozenset[bytes], n: int) -> list[int]:
    """Words of each n-gram that do not belong to the rules."""
    own = [1] * (len(windows) + n - 1)
    for start, gram in enumerate(windows):
        if gram in common:
            own[start : start + n] = [0] * n
    before = [0, *accumulate(own)]
    return [before[start + n] - before[start] for start in range(len(windows))]


def _parts(path: Path) -> Iterator[str | tuple[str]]:
    """The texts of a file, and fingerprints of envhub rows.

    Fingerprints are 1-tuples.
    """
    if path.suffix == ".json":
        whole = json.loads(path.read_text(encoding="utf-8-sig"))
        values: Iterable[Any] = whole if isinstance(whole, list) else [whole]
    elif path.suffix in SUFFIXES:
        values = rows(path)
    else:
        yield path.read_text(encoding="utf-8-sig")
        return
    for value in values:
        row = read_row(value)
        if row is None:
            yield from _texts(value)
        else:
            yield (row.facts["fingerprint"],)


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item)
    elif isinstance(value, dict):
        for item in value.values():
            yield from _texts(item)
