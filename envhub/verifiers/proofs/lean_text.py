"""What a submitted Lean text may say, judged before the kernel sees it.

A Lean file can extend the language while it is read: notation, macros, elaborators, attributes and options change what the
rest of it means, and commands run programs. Nothing of that is needed to prove a theorem, and all of it is refused, by word.
Comments are blanked first and the blanked text is what the kernel gets, so both read the same; quotation marks, with which
words could be hidden from one of the two, are refused too. Positions stay what they were::

    text = prepared("theorem t : 1 = 1 := rfl  -- a macro would be nice")      # Refused: says what, where
"""

from __future__ import annotations

import re
from typing import Final

from envhub.verifiers.proofs.proof_text import Refused, blank, place, readable, refuse_signs

_TRUST: Final = """
    sorry admit stop sorryAx axiom axioms opaque unsafe partial implemented_by extern export_name csimp
    native native_decide reduceBool reduceNat ofReduceBool ofReduceNat trustCompiler bv_decide bv_check lcProof lcAny
    lcUnreachable lcCast lcUnsafeCast unsafeCast ptrEq skipKernelTC debug init_quot
"""
_LANGUAGE: Final = """
    macro macro_rules syntax notation notation3 infix infixl infixr prefix postfix elab elab_rules declare_syntax_cat
    binder_predicate simproc simproc_decl dsimproc dsimproc_decl unif_hint add_decl_doc grind_pattern tactic_extension
    attribute instance class deriving set_option default_instance gen_injective_theorems reprove recommended_spelling
    irreducible_def compile_inductive compile_def initialize_simps_projections deprecated_syntax computed_fields
    init_grind_norm grind_tactic def_eval_config_item
"""
_PROGRAMS: Final = """
    initialize builtin_initialize run_cmd run_elab run_meta run_tac by_elab eval_expr include_str dbg_trace dbgTrace IO
    evalExpr Lean Elab meta sleep unsafeIO unsafeBaseIO unsafeEIO
"""
_FILES: Final = """
    import prelude module public namespace section end mutual export _root_ _private with_weak_namespace with_exporting
"""
REFUSED: Final = frozenset(f"{_TRUST} {_LANGUAGE} {_PROGRAMS} {_FILES}".split())
"""Words that a submission may not hold, also as parts of names between dots."""
_BEGINNINGS: Final = ("builtin_", "register_", "declare_", "run_", "elab_", "macro_", "unsafe", "_private")
_PARTS: Final = frozenset(
    {
        "simproc",
        "elab",
        "delab",
        "macro",
        "unsafe",
        "native",
        "propagator",
        "parser",
        "unexpander",
        "attr",
        "initialize",
    }
)
"""Between the underscores of a word."""
_MARKS: Final = {
    '"': "text in quotation marks",
    "`": "a quotation",
    "«": "a name in guillemets",
    "»": "a name in guillemets",
    "#": "a command that begins with #",
    "@[": "an attribute",
}
_WORD: Final = re.compile(r"[A-Za-z_0-9][A-Za-z_0-9'!?]*")
"""Every other character ends a word here, though not all do in Lean: rather one word too many is seen than one too few."""
_ENDS: Final = tuple(sorted(REFUSED))
_COMMENT: Final = re.compile(r"--|/-|-/")


def prepared(source: str) -> str:
    """The text as the kernel gets it: comments blanked, nothing in it that is refused.

    Raises:
        Refused: It says what is not allowed, and where.
    """
    text = _without_comments(readable(source))
    refuse_signs(text, _MARKS)
    for word in _WORD.finditer(text):
        glued = word[0][0].isdigit() and word[0].endswith(_ENDS)  # to Lean a number and a word
        if word[0] in REFUSED or word[0].startswith(_BEGINNINGS) or glued or _PARTS & {*word[0].split("_")}:
            raise Refused(f"The word {word[0]!r} is not allowed in a proof.", *place(text, word.start()))
    return text


def _without_comments(text: str) -> str:
    """Spaces in place of comments, which nest; line ends stay."""
    parts: list[str] = []
    at = 0
    while found := _COMMENT.search(text, at):
        start = found.start()
        parts.append(text[at:start])
        if found[0] == "-/":
            raise Refused("A comment ends that has not begun.", *place(text, start))
        end = (text.find("\n", start) if found[0] == "--" else _end(text, start)) % (len(text) + 1)
        parts.append(blank(text[start:end]))
        at = end
    return "".join([*parts, text[at:]])


def _end(text: str, start: int) -> int:
    """Behind the end of a comment in ``/- -/``."""
    depth, at = 1, start + 2
    for mark in re.compile("/-|-/").finditer(text, at):
        if mark.start() < at:
            continue
        depth += 1 if mark[0] == "/-" else -1
        at = mark.end()
        if not depth:
            return at
    raise Refused("A comment does not end.", *place(text, start))
