"""Texts under constraints, judged by loops over characters and by regular expressions."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from envhub.core.types import JSON

_RANKS: Final = range(3)
_MANY: Final = 10**9


# -- units -----------------------------------------------------------------------------------------------------------------


def words(text: str) -> list[str]:
    """Words by a loop over characters."""
    found, word = [], ""
    for at, sign in enumerate(text):
        inner = sign in "'-" and word and text[at - 1].isalnum() and text[at + 1 : at + 2].isalnum()
        if sign.isalnum() or inner:
            word += sign
        elif word:
            found.append(word)
            word = ""
    return [*found, word] if word else found


def sentences(text: str) -> list[str]:
    """Sentences by marking each end and splitting there."""
    marked = text.replace("\n", "\0")
    for mark in ".!?":
        marked = marked.replace(f"{mark} ", f"{mark}\0")
    return [part for part in marked.split("\0") if words(part)]


def paragraphs(text: str) -> list[str]:
    """Paragraphs by joining lines with a word."""
    rows = [line.strip() if words(line) else "" for line in text.split("\n")]
    return [block for block in "\n".join(rows).replace("\n\n", "\0").replace("\0\n", "\0").split("\0") if words(block)]


def lines(text: str) -> list[str]:
    """Lines with a word, without spaces at their ends."""
    return [line.strip() for line in text.split("\n") if words(line)]


# -- constraints -----------------------------------------------------------------------------------------------------------


def _times(word: str, text: str) -> int:
    return sum(found.lower() == word for found in words(text))


def _highlights(text: str) -> int:
    """Parts between two asterisks, without spaces just inside."""
    inner = [part for line in lines(text) for part in re.findall(r"\*([^*]*)\*", re.sub(r"^\* ", "", line))]
    return sum(part[:1] != " " != part[-1:] and part != "" for part in inner)


COUNTS: Final[Mapping[str, Callable[[str, Any], int]]] = {
    "word_count": lambda text, p: len(words(text)),
    "sentence_count": lambda text, p: len(sentences(text)),
    "paragraph_count": lambda text, p: len(paragraphs(text)),
    "line_count": lambda text, p: len(lines(text)),
    "number_count": lambda text, p: sum(set(word) <= set("0123456789") for word in words(text)),
    "distinct_words": lambda text, p: len({word.lower() for word in words(text)}),
    "letter_count": lambda text, p: text.count(p["letter"]) + text.count(p["letter"].upper()),
    "keyword_count": lambda text, p: _times(p["word"], text),
    "planted": lambda text, p: _times(p["word"], text),
    "sentence_length": lambda text, p: max([len(words(sentence)) for sentence in sentences(text)], default=0),
    "line_length": lambda text, p: max([len(line) for line in lines(text)], default=0),
    "sign_count": lambda text, p: len(text.split(p["mark"])) - 1,
    "long_words": lambda text, p: len([word for word in words(text) if word[p["length"] - 1 :]]),
    "capital_words": lambda text, p: len([word for word in words(text) if re.fullmatch("[A-Z]{2,}", word)]),
    "bullets": lambda text, p: len([line for line in lines(text) if line[:2] == "* "]),
    "highlights": lambda text, p: _highlights(text),
    "placeholders": lambda text, p: len([inner for inner in re.findall(r"\[([^][]*)\]", text) if words(inner)]),
    "parentheses": lambda text, p: len([inner for inner in re.findall(r"\(([^()]*)\)", text) if words(inner)]),
    "dividers": lambda text, p: len(re.findall(r"^\s*=====\s*$", text, re.MULTILINE)),
    "questions": lambda text, p: len([sentence for sentence in sentences(text) if sentence.strip()[-1] == "?"]),
    "no_comma": lambda text, p: len(text.split(",")) - 1,
    "forbidden": lambda text, p: sum(_times(word, text) for word in p["words"]),
}
"""What each kind of constraint counts."""
_BOUNDS: Final = {
    "distinct_words": "at least",
    "sentence_length": "at most",
    "line_length": "at most",
    "no_comma": "at most",
    "forbidden": "at most",
}


def _titled(text: str, p: JSON) -> bool:
    return lines(text)[:1] != [] and lines(text)[0].lower() == f"<<{p['title'].lower()}>>"


def _sectioned(text: str, p: JSON) -> bool:
    heads = [line.lower() for line in lines(text) if line.lower().startswith(f"{p['head'].lower()} ")]
    return heads == [f"{p['head'].lower()} {number + 1}" for number in range(p["n"])]


def _sentence_word(text: str, p: JSON) -> bool:
    asked = sentences(text)[p["sentence"] - 1 : p["sentence"]]
    return [word.lower() for sentence in asked for word in words(sentence)[p["place"] - 1 : p["place"]]] == [p["word"]]


def _paragraph_word(text: str, p: JSON) -> bool:
    begun = [words(paragraph)[0].lower() for paragraph in paragraphs(text)]
    return len(begun) == p["count"] and begun[p["paragraph"] - 1] == p["word"]


SHAPES: Final[Mapping[str, Callable[[str, Any], bool]]] = {
    "keywords": lambda text, p: min(_times(word, text) for word in p["words"]) > 0,
    "sentence_word": _sentence_word,
    "paragraph_word": _paragraph_word,
    "title": _titled,
    "first_words": lambda text, p: (
        [word.lower() for word in words(text)][: len(words(p["phrase"]))]
        == [word.lower() for word in words(p["phrase"])]
    ),
    "last_words": lambda text, p: re.search(re.escape(p["phrase"]) + r"\s*\Z", text, re.IGNORECASE) is not None,
    "quoted": lambda text, p: re.fullmatch(r'\s*"[^"]+"\s*', text) is not None,
    "upper_case": lambda text, p: re.search("[a-z]", text) is None,
    "lower_case": lambda text, p: re.search("[A-Z]", text) is None,
    "sections": _sectioned,
    "postscript": lambda text, p: (
        len(paragraphs(text)) > 1
        and re.match(re.escape(p["marker"]) + " ", paragraphs(text)[-1], re.IGNORECASE) is not None
    ),
}
"""Whether a text has a shape."""


def bounds(name: str, p: JSON) -> tuple[int, int]:
    """The least and the greatest number that a constraint on a count allows."""
    n = p.get("n", 0)
    return {"at least": (n, _MANY), "at most": (0, n), "exactly": (n, n)}[
        p.get("relation", _BOUNDS.get(name, "exactly"))
    ]


def holds(text: str, name: str, p: JSON) -> bool:
    """Whether a text satisfies a constraint."""
    if name in SHAPES:
        return SHAPES[name](text, p)
    low, high = bounds(name, p)
    return low <= COUNTS[name](text, p) <= high


# -- facts -----------------------------------------------------------------------------------------------------------------


def _within(part: str, sentence: str) -> bool:
    """Whether the words of a part occur in a row in a sentence."""
    wanted, found = words(part.lower()), words(sentence.lower())
    return wanted in [found[at : at + len(wanted)] for at in range(len(found))]


def reports(rows: Sequence[Sequence[str]], text: str) -> bool:
    """Whether sentences report each row, and no sentence mentions two of them."""
    done = set()
    for sentence in sentences(text):
        mentioned = [row for row in rows if any(_within(part, sentence) for part in row)]
        if len(mentioned) > 1:
            return False
        for attribute, value in mentioned:
            more = len(words(sentence)) - len(words(attribute)) - len(words(value))
            if _within(attribute, sentence) and _within(value, sentence) and more >= 2:
                done.add(attribute)
    return done == {attribute for attribute, _ in rows}


def accepts(rows: Sequence[Sequence[str]], constraints: Sequence[Any], text: str) -> bool:
    """Whether a text reports all facts and satisfies all constraints."""
    return (
        re.fullmatch(r"[\n -~]*", text) is not None
        and reports(rows, text)
        and len({word.lower() for word in words(text)}) >= 4 * len(rows)
        and all(holds(text, name, p) for name, p in constraints)
    )


# -- instructions that compete or change -----------------------------------------------------------------------------------


def claims(name: str, p: JSON) -> dict[str, Any]:
    """What a constraint fixes: ranges of numbers, and texts at a place."""
    if name in ("upper_case", "lower_case"):
        return {"case": name}
    if name in ("title", "first_words", "last_words", "postscript"):
        return {name: str(p)}
    if name == "no_comma":
        return {"mark ,": range(1)}
    if name == "forbidden":
        return {f"word {word}": range(1) for word in p["words"]}
    if name not in COUNTS:
        return {}
    low, high = bounds(name, p)
    what = {"keyword_count": "word", "planted": "word", "sign_count": "mark"}.get(name, name)
    return {
        " ".join([what, *(str(p[key]) for key in ("word", "mark", "letter", "length") if key in p)]): range(
            low, high + 1
        )
    }


def exclude(one: tuple[str, JSON], other: tuple[str, JSON]) -> bool:
    """Whether two constraints fix one thing to different values."""
    first, second = claims(*one), claims(*other)
    return any(_apart(first[what], second[what]) for what in first.keys() & second.keys())


def _apart(one: Any, other: Any) -> bool:
    if isinstance(one, range):
        return max(one.start, other.start) >= min(one.stop, other.stop)
    return bool(one != other)


def valid(instructions: Sequence[Any]) -> list[tuple[str, JSON]]:
    """The instructions that no valid one of higher rank excludes."""
    kept: list[tuple[int, tuple[str, JSON]]] = []
    for rank in _RANKS:
        higher = [one for _, one in kept]
        said = [(name, p) for at, name, p in instructions if at == rank]
        kept += [(rank, one) for one in said if not any(exclude(one, other) for other in higher)]
    return [one for _, one in kept]


def standing(edits: Sequence[Any]) -> list[tuple[str, JSON]]:
    """The instructions in force after some messages, found from the last edit of each."""
    last = {name: (kind, p) for message in edits for kind, name, p in message}
    return [(name, p) for name, (kind, p) in last.items() if kind in ("add", "change")]
