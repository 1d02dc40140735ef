"""Theorems of the libraries that proofs here rest on, with their names in each.

A number beside a name says how many arguments stand before those that we give, and are inferred. Lean's names are of its own
library; the core library of tests has all of them.
"""

from __future__ import annotations

from typing import Final

_DIVIDES = "Nat.divide"
_PRODUCT = "Nat.divide_trans _ _ _ (Nat.mul_divide_mono_r _ _ c h) (Nat.mul_divide_mono_l _ _ b k)"
LEMMAS: Final[dict[str, tuple[str, tuple[str, int]]]] = {
    "true": ("True.intro", ("I", 0)),
    "absurd": ("absurd", ("absurd", 1)),
    "and_intro": ("And.intro", ("conj", 0)),
    "and_left": ("And.left", ("proj1", 0)),
    "and_right": ("And.right", ("proj2", 0)),
    "or_left": ("Or.inl", ("or_introl", 0)),
    "or_right": ("Or.inr", ("or_intror", 0)),
    "iff_mp": ("Iff.mp", ("proj1", 0)),
    "iff_mpr": ("Iff.mpr", ("proj2", 0)),
    "symm": ("Eq.symm", ("eq_sym", 0)),
    "trans": ("Eq.trans", ("eq_trans", 0)),
    "congr": ("congrArg", ("f_equal", 0)),
    "le_refl": ("Nat.le_refl", ("le_n", 0)),
    "le_trans": ("Nat.le_trans", ("Nat.le_trans", 3)),
    "lt_of_le_of_lt": ("Nat.lt_of_le_of_lt", ("Nat.le_lt_trans", 3)),
    "lt_of_lt_of_le": ("Nat.lt_of_lt_of_le", ("Nat.lt_le_trans", 3)),
    "lt_trans": ("Nat.lt_trans", ("Nat.lt_trans", 3)),
    "le_of_lt": ("Nat.le_of_lt", ("Nat.lt_le_incl", 2)),
    "add_le_add": ("Nat.add_le_add", ("Nat.add_le_mono", 4)),
    "mul_le_mul": ("Nat.mul_le_mul", ("Nat.mul_le_mono", 4)),
    "le_add_right": ("Nat.le_add_right", ("Nat.le_add_r", 0)),
    "dvd_refl": ("Nat.dvd_refl", ("Nat.divide_refl", 0)),
    "dvd_trans": ("Nat.dvd_trans", ("Nat.divide_trans", 3)),
    "dvd_add": ("Nat.dvd_add", ("Nat.divide_add_r", 3)),
    "dvd_mul_right": ("Nat.dvd_mul_right", ("Nat.divide_factor_l", 0)),
    "dvd_mul_left": ("Nat.dvd_mul_left", ("Nat.divide_factor_r", 0)),
    "mul_dvd_mul": ("Nat.mul_dvd_mul", (f"(fun a b c d (h : {_DIVIDES} a b) (k : {_DIVIDES} c d) => {_PRODUCT})", 4)),
    "le_of_dvd": ("Nat.le_of_dvd", ("Nat.divide_pos_le", 2)),
    "lt_succ": ("Nat.lt_succ_self", ("Nat.lt_succ_diag_r", 0)),
    "add_lt_add": ("Nat.add_lt_add_of_lt_of_le", ("Nat.add_lt_le_mono", 4)),
    "append_assoc": ("List.append_assoc", ("app_assoc_reverse", 0)),
    "append_nil": ("List.append_nil", ("app_nil_r", 0)),
    "nil_append": ("List.nil_append", ("app_nil_l", 0)),
}
