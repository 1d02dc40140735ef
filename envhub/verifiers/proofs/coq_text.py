"""Filter for submitted Coq text.

Allows only the commands of proofs, and tactics. A Coq file is a sequence of sentences. Those that begin with a capital
are commands, and some commands change what the rest means, what the kernel checks or what it may read; so only the
commands of proofs are allowed (``COMMANDS``). Every other sentence must be a tactic, which begins without a capital.
Comments are blanked first, and Coq gets the blanked text. Quotation marks could hide sentences and are refused. Line
and column numbers stay valid::

    text = prepared("Lemma t : 1 = 1. Proof. reflexivity. Qed.  (* no Axiom *)")
    prepared("Axiom t : 1 = 2.")                                               # raises Refused, with the place
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from envhub.verifiers.proofs.proof_text import Refused, blank_comments, place, readable, refuse_signs

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
"""Allowed first words of sentences that begin with a capital."""
WORDS: Final = frozenset({"admit", "give_up", "native_compute", "native_cast_no_check", "vm_cast_no_check"})
"""Tactics that prove nothing, or bypass the kernel."""
_SIGNS: Final = {
    '"': "text in quotation marks",
    "#[": "an attribute",
    "`": "a quotation mark",
    ":>": "a coercion",
    "$": "the sign $",
}
_END: Final = re.compile(r"\.(?=[ \n]|\Z)")
_BEFORE: Final = re.compile(r"[ \n]*(?:[{}+*-]|(?:all|par|!|\d+(?:-\d+)?(?: *, *\d+(?:-\d+)?)*|\[[^\]]*\]) *:(?!=))")
"""What may precede a tactic: a bullet, a brace, a goal selector."""
_FIRST: Final = re.compile(r"[ \n]*([^ \n]?[\w']*)")
_WORD: Final = re.compile(r"[\w']+")


def prepared(source: str) -> str:
    """The text for Coq, with comments blanked; raises if anything is refused.

    Raises:
        Refused: It says what is not allowed, and where.
    """
    text = blank_comments(readable(source.replace("\t", " ")), "(*", "*)")
    refuse_signs(text, _SIGNS)
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
    """The start and first word of each sentence.

    After bullets and the like.
    """
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
