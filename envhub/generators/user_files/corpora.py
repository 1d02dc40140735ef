"""A user's corpus and questions from files.

Documents to search, and questions about them.

A document is a row with ``id`` and ``text``, and optionally ``title`` and ``year``. A question is a row with
``question``, ``answer`` (text, an integer, or a list of all accepted forms), and optionally ``difficulty`` and
``documents`` (ids of the required ones; a list in place of an id names alternatives). Files are identified by SHA-256::

    index = corpus("pages.jsonl", digest_of("pages.jsonl"))
    asked = questions_about("questions.jsonl", digest_of("questions.jsonl"), "pages.jsonl", digest_of("pages.jsonl"))
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from envhub.core.errors import InvalidParameters
from envhub.core.types import encodable
from envhub.generators.retrieval import Document, Index
from envhub.generators.user_files.files import MAX_CHARS, UserRows, each_of, place_of, rows_at

_MOST_HEAD: Final = 300
_MOST_ANSWER: Final = 200


@dataclass(frozen=True, slots=True)
class Asked:
    """A question about a corpus.

    Attributes:
        row: Its number in the file, from 1.
        text: The question.
        answers: The answer in every accepted form.
        documents: For each required one, the ids of alternatives.
        level: Its difficulty, or None.
    """

    row: int
    text: str
    answers: tuple[str, ...]
    documents: tuple[tuple[str, ...], ...]
    level: int | None


def corpus(path: str, digest: str) -> Index:
    """The searchable documents of a file; indexed once per process and content.

    Raises:
        InvalidParameters: No file with this digest exists, or its rows are not documents.
        MissingExtra: It is parquet, and pyarrow is not installed.
    """
    return _corpus(place_of(path, digest), digest)


def questions_about(path: str, digest: str, corpus_path: str, corpus_digest: str) -> UserRows[Asked]:
    """The questions of a file about a corpus.

    Raises:
        InvalidParameters: A file does not exist or its rows do not fit.
        MissingExtra: One is parquet, and pyarrow is not installed.
    """
    return _asked(place_of(path, digest), digest, place_of(corpus_path, corpus_digest), corpus_digest)


@lru_cache(maxsize=4)
def _corpus(place: str, digest: str) -> Index:
    seen: set[str] = set()

    def read(number: int, row: Mapping[str, Any]) -> Document:
        document = _document(row)
        if document.id in seen:
            raise ValueError(f"the id {document.id!r} appears twice.")
        seen.add(document.id)
        return document

    documents = list(each_of(place, rows_at(place, digest), read))
    if not documents:
        raise InvalidParameters(f"There are no documents in {place!r}.")
    return Index(documents)


@lru_cache(maxsize=8)
def _asked(place: str, digest: str, corpus_place: str, corpus_digest: str) -> UserRows[Asked]:
    index = _corpus(corpus_place, corpus_digest)
    rows = each_of(place, rows_at(place, digest), lambda number, row: _question(number, row, index))
    return UserRows.of(place, "question", rows)


def _document(row: Mapping[str, Any]) -> Document:
    id, title = _text(row, "id"), _text(row, "title") if row.get("title") else ""
    if len(id) + len(title) > _MOST_HEAD or id != id.strip().strip("[]").strip() or "\n" in id + title:
        raise ValueError(
            f"id and title have {_MOST_HEAD} characters at most, on one line, and an id no brackets around it."
        )
    year = row.get("year")
    if year is not None and (isinstance(year, bool) or not isinstance(year, int)):
        raise ValueError(f"a year is an integer, got {year!r}.")
    return Document(id, title, _text(row, "text"), year)


def _question(number: int, row: Mapping[str, Any], index: Index) -> Asked:
    text = _text(row, "question")
    if len(text) > MAX_CHARS:
        raise ValueError(f"the question has more than {MAX_CHARS} characters.")
    given = row.get("answer")
    answers = tuple(_form(form) for form in (given if isinstance(given, list) else [given]))
    if not answers:
        raise ValueError("it has no answer.")
    documents = row.get("documents") or []
    if not isinstance(documents, list):
        raise ValueError(f"documents are a list of ids, got {documents!r}.")
    needed = tuple(tuple(ids) if isinstance(ids, list) else (ids,) for ids in documents)
    for id in (id for ids in needed for id in ids):
        known = index.get(id) if isinstance(id, str) else None
        if known is None or known.id != id:
            raise ValueError(f"there is no document {id!r} in the corpus.")
    if any(not ids for ids in needed):
        raise ValueError("a list in place of a document names one at least.")
    level = row.get("difficulty")
    if level is not None and (isinstance(level, bool) or level not in range(1, 11)):
        raise ValueError(f"a difficulty is an integer 1..10, got {level!r}.")
    return Asked(number, text, answers, needed, None if level is None else int(level))


def _form(value: Any) -> str:
    if isinstance(value, bool) or not isinstance(value, str | int) or not str(value).strip():
        raise ValueError(f"an answer is text, an integer or a list of them, got {value!r}.")
    if len(str(value)) > _MOST_ANSWER:
        raise ValueError(f"an answer has {_MOST_ANSWER} characters at most.")
    return str(value)


def _text(row: Mapping[str, Any], name: str) -> str:
    value = row.get(name)
    if not isinstance(value, str) or not value.strip():
        raise ValueError(f"{name} is text that is not empty, got {str(value)[:80]!r}; there are {', '.join(row)}.")
    if encodable(value) != value:
        raise ValueError(f"{name} holds what UTF-8 has no form for.")
    return value
