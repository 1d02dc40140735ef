"""Answers that are JSON documents, read strictly.

::

    JsonDocument().read('<answer>{"a": [1, true]}</answer>').value     # {"a": [1, True]}
    JsonDocument().read('<answer>{"a": 1, "a": 2}</answer>').reason    # "unreadable"
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from envhub.core.seeding import Stream
from envhub.core.types import JSON
from envhub.generators.documents.strict import NotStrict, read_json, same_json
from envhub.verifiers.answers.types import Unreadable
from envhub.verifiers.answers.verbatim import Verbatim


@dataclass(frozen=True)
class JsonDocument(Verbatim):
    """One JSON document; its value has decimals in place of floats."""

    called: str = "one JSON document"
    sample: str = '{"example": 17}'
    detail: str = (
        "No key may occur twice in one object. The order of keys and white space between tokens do not matter."
    )
    alike: ClassVar[Sequence[Sequence[str]]] = (
        ('{"a": 1, "b": [true, null]}', '{ "b" : [true,null], "a": 1.0 }', '{"\\u0061": 1e0, "b": [true, null]}'),
        ('{"a": true, "b": [true, null]}',),
        ('{"a": "1", "b": [true, null]}',),
        ('{"b": [null, true], "a": 1}',),
        ("[1, 2]", "[1.0, 20e-1]"),
        ("1.10", "1.1"),
        ("-0", "0", "0.0"),
        ('""',),
        ("null",),
    )
    refused: ClassVar[Sequence[str]] = (
        '{"a": 1, "a": 1}',
        "{'a': 1}",
        '{"a": 1,}',
        "[1, 2",
        "NaN",
        "[Infinity]",
        "1e999999999",
        "9" * 100,
        "[" * 100 + "]" * 100,
        "{} {}",
        "// no\n{}",
        "True",
        "\uff11",
    )

    def parse(self, text: str) -> JSON:
        """The value of a JSON text."""
        super().parse(text)
        try:
            return read_json(text)
        except NotStrict as problem:
            raise Unreadable(f"{problem}.") from None

    def same(self, one: Any, other: Any) -> bool:
        """Whether two values are equal as JSON."""
        return same_json(one, other)

    def random(self, rng: Stream) -> str:
        """A small object with random numbers."""
        return f'{{"example": {rng.below(1000)}, "other": [{rng.below(10)}]}}'
