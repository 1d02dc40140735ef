"""What a submitted Coq text may say, judged before the kernel sees it.

A Coq file is a row of sentences. Those that begin with a capital are commands, and some commands change what the rest means,
what the kernel checks or what it may read; so a submission may hold only the commands of proofs (``COMMANDS``). What else
stands where a sentence begins has to be a tactic, which begins with no capital. Comments are blanked first, and the blanked
text is what Coq gets; quotation marks, in which sentences could be hidden, are refused. Positions stay what they were::

    text = prepared("Lemma t : 1 = 1. Proof. reflexivity. Qed.  (* no Axiom *)")
    prepared("Axiom t : 1 = 2.")                                               # Refused: says what, where
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from envhub.verifiers.proofs.proof_text import Refused, blank, place, readable, refuse_signs

COMMANDS: Final = frozenset(
    {
        "Theorem",
        "Lemma",
        "Fact",
        "Remark",
        "Corollary",
        "Proposition",
        "Property",
        "Definition",
        "Fixpoint",
        "Inductive",
        "Proof",
        "Qed",
        "Defined",
    }
)
"""What a sentence may begin with, if it begins with a capital."""
WORDS: Final = frozenset({"admit", "give_up", "native_compute", "native_cast_no_check", "vm_cast_no_check"})
"""Tactics that prove nothing, or leave the proof to something other than the kernel."""
_MARKS: Final = {
    '"': "text in quotation marks",
    "#[": "an attribute",
    "`": "a quotation mark",
    ":>": "a coercion",
    "$": "the sign $",
}
_COMMENT: Final = re.compile(r"\(\*|\*\)")
_END: Final = re.compile(r"\.(?=[ \n]|\Z)")
_BEFORE: Final = re.compile(r"[ \n]*(?:[{}+*-]|(?:all|par|!|\d+(?:-\d+)?(?: *, *\d+(?:-\d+)?)*|\[[^\]]*\]) *:(?!=))")
"""What may stand before a tactic: a bullet, a brace, the goals that it is for."""
_FIRST: Final = re.compile(r"[ \n]*([^ \n]?[\w']*)")
_WORD: Final = re.compile(r"[\w']+")


def prepared(source: str) -> str:
    """The text as Coq gets it: comments blanked, nothing in it that is refused.

    Raises:
        Refused: It says what is not allowed, and where.
    """
    text = _without_comments(readable(source.replace("\t", " ")))
    refuse_signs(text, _MARKS)
    for word in _WORD.finditer(text):
        if word[0] in WORDS:
            raise Refused(f"The word {word[0]!r} is not allowed in a proof.", *place(text, word.start()))
    for at, word_at, first in _sentences(text):
        if first[:1].isupper() and first not in COMMANDS:
            raise Refused(f"The command {first} is not allowed in a proof.", *place(text, word_at))
        if first and not (first[0].isalpha() or first[0] in "_(["):
            raise Refused(f"A sentence may not begin with {first[0]!r}.", *place(text, at))
    return text


def _sentences(text: str) -> Iterator[tuple[int, int, str]]:
    """Where each sentence begins, and its first word and where that stands, behind bullets and the like."""
    start = 0
    while start < len(text):
        while found := _BEFORE.match(text, start):
            start = found.end()
        first = _FIRST.match(text, start)
        assert first is not None  # it matches the empty text
        yield start, first.start(1), first[1]
        end = _END.search(text, start)
        if end is None:
            return
        start = end.end()


def _without_comments(text: str) -> str:
    """Spaces in place of comments, which nest; line ends stay."""
    parts: list[str] = []
    depth, begun, at = 0, 0, 0
    for mark in _COMMENT.finditer(text):
        if mark.start() < at:
            continue
        if mark[0] == "(*":
            if not depth:
                parts.append(text[at : mark.start()])
                begun = mark.start()
            depth += 1
        elif depth:
            depth -= 1
            if not depth:
                parts.append(blank(text[begun : mark.end()]))
                at = mark.end()
        else:
            raise Refused("A comment ends that has not begun.", *place(text, mark.start()))
    if depth:
        raise Refused("A comment does not end.", *place(text, begun))
    return "".join([*parts, text[at:]])
