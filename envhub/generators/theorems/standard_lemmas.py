"""Library theorems that generated proofs use.

With their names in Lean and in Coq. Lean's names are those of its own library; the core library of tests has all of
them.
"""

from __future__ import annotations

from typing import Final, NamedTuple


class LibraryLemma(NamedTuple):
    """A theorem of the libraries.

    Attributes:
        lean: Its name in Lean.
        coq: Its name in Coq.
        inferred: Number of arguments that Coq infers, before those that we give.
    """

    lean: str
    coq: str
    inferred: int = 0


_DIVIDES = "Nat.divide"
_PRODUCT = "Nat.divide_trans _ _ _ (Nat.mul_divide_mono_r _ _ c h) (Nat.mul_divide_mono_l _ _ b k)"
LEMMAS: Final[dict[str, LibraryLemma]] = {
    "true": LibraryLemma("True.intro", "I"),
    "absurd": LibraryLemma("absurd", "absurd", 1),
    "and_intro": LibraryLemma("And.intro", "conj"),
    "and_left": LibraryLemma("And.left", "proj1"),
    "and_right": LibraryLemma("And.right", "proj2"),
    "or_left": LibraryLemma("Or.inl", "or_introl"),
    "or_right": LibraryLemma("Or.inr", "or_intror"),
    "iff_mp": LibraryLemma("Iff.mp", "proj1"),
    "iff_mpr": LibraryLemma("Iff.mpr", "proj2"),
    "symm": LibraryLemma("Eq.symm", "eq_sym"),
    "trans": LibraryLemma("Eq.trans", "eq_trans"),
    "congr": LibraryLemma("congrArg", "f_equal"),
    "le_refl": LibraryLemma("Nat.le_refl", "le_n"),
    "le_trans": LibraryLemma("Nat.le_trans", "Nat.le_trans", 3),
    "lt_of_le_of_lt": LibraryLemma("Nat.lt_of_le_of_lt", "Nat.le_lt_trans", 3),
    "lt_of_lt_of_le": LibraryLemma("Nat.lt_of_lt_of_le", "Nat.lt_le_trans", 3),
    "lt_trans": LibraryLemma("Nat.lt_trans", "Nat.lt_trans", 3),
    "le_of_lt": LibraryLemma("Nat.le_of_lt", "Nat.lt_le_incl", 2),
    "add_le_add": LibraryLemma("Nat.add_le_add", "Nat.add_le_mono", 4),
    "mul_le_mul": LibraryLemma("Nat.mul_le_mul", "Nat.mul_le_mono", 4),
    "le_add_right": LibraryLemma("Nat.le_add_right", "Nat.le_add_r"),
    "dvd_refl": LibraryLemma("Nat.dvd_refl", "Nat.divide_refl"),
    "dvd_trans": LibraryLemma("Nat.dvd_trans", "Nat.divide_trans", 3),
    "dvd_add": LibraryLemma("Nat.dvd_add", "Nat.divide_add_r", 3),
    "dvd_mul_right": LibraryLemma("Nat.dvd_mul_right", "Nat.divide_factor_l"),
    "dvd_mul_left": LibraryLemma("Nat.dvd_mul_left", "Nat.divide_factor_r"),
    "mul_dvd_mul": LibraryLemma(
        "Nat.mul_dvd_mul", f"(fun a b c d (h : {_DIVIDES} a b) (k : {_DIVIDES} c d) => {_PRODUCT})", 4
    ),
    "le_of_dvd": LibraryLemma("Nat.le_of_dvd", "Nat.divide_pos_le", 2),
    "lt_succ": LibraryLemma("Nat.lt_succ_self", "Nat.lt_succ_diag_r"),
    "add_lt_add": LibraryLemma("Nat.add_lt_add_of_lt_of_le", "Nat.add_lt_le_mono", 4),
    "append_assoc": LibraryLemma("List.append_assoc", "app_assoc_reverse"),
    "append_nil": LibraryLemma("List.append_nil", "app_nil_r"),
    "nil_append": LibraryLemma("List.nil_append", "app_nil_l"),
}
