"""A user's theorems: JSON lines as in miniF2F, or a Lean file.

A row states a theorem in Lean, without its proof or with ``sorry`` in its place; the preceding text is its header::

    {"name": "square", "header": "open Nat", "formal_statement": "theorem square (n : Nat) : n ∣ n * n := by sorry"}

A row may also contain, verbatim, a ``preamble`` (definitions, lemmas), the ``shown`` form, and the ``open`` commands
that it is read ``within``, as a list; :mod:`envhub.adapters.lean_dojo.theorems` writes such rows.

A Lean file contains any number of theorems. Preceding definitions and the like belong to each theorem. Of the commands
that change how a text is read, ``import``, ``open`` and ``set_option maxHeartbeats`` (which is left out) are
understood; others (sections, variables, ``open scoped``) are reported, with their line. All of such a file is trusted.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import pairwise
from typing import Any, Final

from envhub.core.errors import InvalidParameters, nearest
from envhub.generators.user_files.files import MAX_CHARS, UserRows, content_at, each_of, json_lines, place_of

_FIELDS: Final = (
    "name",
    "id",
    "formal_statement",
    "header",
    "preamble",
    "shown",
    "within",
    "informal_statement",
    "informal_prefix",
    "proof",
    "difficulty",
    "split",
    "goal",
    "informal_stmt",
    "informal_proof",
)
_THEOREM: Final = re.compile(r"(?:theorem|lemma)\s+([A-Za-z][A-Za-z0-9_']*(?:\.[A-Za-z0-9_']+)*)(?=[\s({\[⦃:])")
_OPENING, _CLOSING = "([{⟨⦃", ")]}⟩⦄"
_COMMAND: Final = re.compile(r"(?m)^(?=[A-Za-z@#/])")
_BESIDE: Final = re.compile(
    r"(?:@\[[^\]]*\]\s*)?(?:noncomputable\s+|protected\s+|private\s+)*"
    r"(?:def|abbrev|inductive|structure|class|instance|notation|infix[lr]?|axiom|opaque)\b"
)
_OPEN: Final = re.compile(r"open [\w. '()→,]+")
_COMMENT: Final = re.compile(r"--[^\n]*|/-.*?-/", re.DOTALL)


@dataclass(frozen=True, slots=True)
class UserTheorem:
    """A stated theorem.

    Attributes:
        name: Its name.
        binders: Text between its name and the colon.
        conclusion: Text after the colon.
        informal: The same in words, if given.
        preamble: Its definitions.
        shown: The form shown in prompts, if different: without proofs.
        imports: Required modules.
        opens: Open namespaces.
        proof: A whole text that proves it, if known.
        level: Its difficulty, if given.
        within: Commands for this statement alone: ``open Nat``, ``open scoped Topology``.
    """

    name: str
    binders: str
    conclusion: str
    informal: str = ""
    preamble: str = ""
    imports: tuple[str, ...] = ()
    opens: tuple[str, ...] = ()
    proof: str | None = field(default=None, repr=False)
    level: int | None = None
    within: tuple[str, ...] = ()
    shown: str = ""

    @property
    def type(self) -> str:
        """The statement as a closed proposition."""
        opened = "".join(f"{each} in " for each in self.within)
        return f"{opened}∀ {self.binders}, {self.conclusion}" if self.binders else f"{opened}{self.conclusion}"

    @property
    def text(self) -> str:
        """The statement as a theorem, without its proof."""
        opened = "".join(f"{each} in\n" for each in self.within)
        return f"{opened}theorem {self.name}{' ' * bool(self.binders)}{self.binders} : {self.conclusion}"


def read_theorem(text: str) -> tuple[UserTheorem, str | None]:
    """A theorem from its text, with its proof if any.

    Raises:
        ValueError: Not a theorem; the message says why.
    """
    plain = _COMMENT.sub(lambda match: " " * len(match[0]) if "\n" not in match[0] else "\n", text).strip()
    found = _THEOREM.match(plain)
    if found is None:
        raise ValueError(f"expected 'theorem NAME ...' with a plain name, got {plain[:60]!r}.")
    colon = outside(plain, found.end(), lambda at: plain[at] == ":" and plain[at : at + 2] != ":=")
    if colon is None:
        raise ValueError(f"the theorem {found[1]} has no colon before what it states.")
    end = outside(plain, colon + 1, lambda at: plain[at : at + 2] == ":=")
    conclusion = " ".join(plain[colon + 1 : end].split())
    if not conclusion or re.search(r"\b(?:let|have|by)\b", conclusion):
        raise ValueError(f"what {found[1]} states is not recognised: {conclusion[:60]!r} (let, have and by are not).")
    proof = plain[end + 2 :].strip() if end is not None else ""
    whole = None if proof in ("", "by") or re.search(r"\bsorry\b", proof) else plain
    return UserTheorem(found[1], " ".join(plain[found.end() : colon].split()), conclusion), whole


def theorems(path: str, digest: str, level: int | None = None) -> Sequence[UserTheorem]:
    """Theorems of a file: those of a difficulty, or all.

    All if the difficulty is None or unstated.

    Args:
        path: Path of the file, ``.jsonl`` or ``.lean``.
        digest: Its SHA-256.
        level: The difficulty.

    Raises:
        InvalidParameters: No file has this digest, part of it is not recognised, or no theorem has the difficulty.
    """
    return _theorems(place_of(path, digest), digest).at(level)


@lru_cache(maxsize=8)
def _theorems(place: str, digest: str) -> UserRows[UserTheorem]:
    content = content_at(place, digest)
    if not place.endswith(".lean"):
        rows = json_lines(place, content)
        return UserRows.of(place, "theorem", each_of(place, rows, lambda number, row: theorem_of(row)))
    try:
        found = tuple(_file(content.decode("utf-8-sig")))
    except ValueError as error:  # also raised for text that is not UTF-8
        raise InvalidParameters(f"{place}, {error}") from None
    return UserRows.of(place, "theorem", found)


def theorem_of(row: Mapping[str, Any]) -> UserTheorem:
    """The theorem of a row.

    Raises:
        ValueError: Not a theorem; the message says why.
    """
    for name, value in row.items():
        if name not in _FIELDS:
            raise ValueError(f"unknown field {name!r}.{nearest(name, _FIELDS)}")
        if value is not None and name not in ("difficulty", "id", "within") and not isinstance(value, str):
            raise ValueError(f"{name}: expected text, got {type(value).__name__}.")
    if not row.get("formal_statement"):
        raise ValueError("formal_statement: it is missing.")
    theorem, whole = read_theorem(row["formal_statement"])
    header = _Header()
    for _, part in commands(row.get("header") or ""):
        header.take(part)
    if row.get("preamble"):
        header.give(row["preamble"])
    within = row.get("within") or []
    if not isinstance(within, list) or not all(isinstance(each, str) and _OPEN.fullmatch(each) for each in within):
        raise ValueError(f"within: expected a list like ['open Nat', 'open scoped Topology'], got {within!r}.")
    theorem = replace(theorem, within=tuple(within), shown=row.get("shown") or "")
    level = row.get("difficulty")
    if level is not None and (type(level) is not int or not 1 <= level <= 10):
        raise ValueError(f"difficulty: expected an integer 1..10, got {level!r}.")
    informal = row.get("informal_statement") or row.get("informal_prefix") or ""
    informal = informal.strip().removeprefix("/--").removesuffix("-/").strip()
    return header.around(theorem, row.get("proof") or whole, informal, level)


def _file(text: str) -> Iterator[UserTheorem]:
    header = _Header()
    for line, part in commands(text):
        try:
            if _THEOREM.match(part):
                yield header.around(*read_theorem(part), "", None)
            else:
                header.take(part)
        except ValueError as error:
            raise ValueError(f"line {line}: {error}") from None


def commands(text: str) -> Iterator[tuple[int, str]]:
    """The commands of a text without comments, with lines.

    Each begins a line.

    Raises:
        ValueError: The first does not.
    """
    plain = _COMMENT.sub(lambda match: "".join("\n" if char == "\n" else " " for char in match[0]), text)
    starts = [match.start() for match in _COMMAND.finditer(plain)]
    if plain[: starts[0] if starts else len(plain)].strip():
        raise ValueError("a command begins where a line does, and the first does not.")
    for start, end in pairwise([*starts, len(plain)]):
        yield plain.count("\n", 0, start) + 1, plain[start:end].strip()


class _Header:
    """Text read before a theorem."""

    def __init__(self) -> None:
        self._imports: list[str] = []
        self._opens: list[str] = []
        self._beside: list[str] = []

    def take(self, part: str) -> None:
        """Read a command.

        Raises:
            ValueError: It is not recognised.
        """
        word, _, rest = part.partition(" ")
        if word == "import":
            self._imports += rest.split()
        elif word == "open" and not re.search(r"[()]|\b(?:scoped|in|hiding|renaming)\b", rest):
            self._opens += rest.split()
        elif _BESIDE.match(part):
            self._beside.append(part)
        elif part and not part.startswith("set_option maxHeartbeats"):
            raise ValueError(f"{part[:60]!r} is not recognised; import, open, definitions and theorems are.")

    def give(self, text: str) -> None:
        """Add definitions verbatim."""
        self._beside.append(text)

    def around(self, theorem: UserTheorem, proof: str | None, informal: str, level: int | None) -> UserTheorem:
        """A theorem with the preceding text."""
        preamble, imports, opens = "\n\n".join(self._beside), tuple(self._imports), tuple(self._opens)
        made = replace(theorem, preamble=preamble, imports=imports, opens=opens)
        made = replace(made, informal=informal, proof=proof, level=level)
        if len(made.text) + len(preamble) + len(informal) > MAX_CHARS:
            raise ValueError(f"the theorem {made.name} has more than {MAX_CHARS} characters.")
        return made


def outside(text: str, start: int, holds: Callable[[int], bool]) -> int | None:
    """The first position outside brackets that satisfies a predicate."""
    depth = 0
    for at in range(start, len(text)):
        if text[at] in _OPENING:
            depth += 1
        elif text[at] in _CLOSING:
            depth -= 1
        elif depth == 0 and holds(at):
            return at
    return None
