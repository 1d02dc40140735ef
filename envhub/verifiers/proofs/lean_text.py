"""Filter for submitted Lean text.

Refuses what could change the language or run programs. A Lean file can extend the language while it is read: notation,
macros, elaborators, attributes and options change what the rest of it means, and commands run programs. No proof needs
them, so all are refused by word. Comments are blanked first, and the kernel gets the blanked text, so the filter and
the kernel read the same. Quotation marks could hide words from the filter and are refused too. Line and column numbers
stay valid::

    text = prepared("theorem t : 1 = 1 := rfl  -- a macro in a comment is fine")
    prepared("macro ...")                                                      # raises Refused, with the place
"""

from __future__ import annotations

import re
from typing import Final

from envhub.verifiers.proofs.proof_text import Refused, blank_comments, place, readable, refuse_signs

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
"""Words that a submission may not contain, also as parts of dotted names."""
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
"""The parts of a word between underscores."""
_SIGNS: Final = {
    '"': "text in quotation marks",
    "`": "a quotation",
    "«": "a name in guillemets",
    "»": "a name in guillemets",
    "#": "a command that begins with #",
    "@[": "an attribute",
}
_WORD: Final = re.compile(r"[A-Za-z_0-9][A-Za-z_0-9'!?]*")
"""Every other character ends a word here, unlike in Lean: better one word too many than too few."""
_ENDS: Final = tuple(sorted(REFUSED))


def prepared(source: str) -> str:
    """The text for the kernel, with comments blanked.

    Raises if anything is refused.

    Raises:
        Refused: It says what is not allowed, and where.
    """
    text = blank_comments(readable(source), "/-", "-/", line="--")
    refuse_signs(text, _SIGNS)
    for word in _WORD.finditer(text):
        glued = word[0][0].isdigit() and word[0].endswith(_ENDS)  # to Lean a number and a word
        if word[0] in REFUSED or word[0].startswith(_BEGINNINGS) or glued or _PARTS & {*word[0].split("_")}:
            raise Refused(f"The word {word[0]!r} is not allowed in a proof.", *place(text, word.start()))
    return text
