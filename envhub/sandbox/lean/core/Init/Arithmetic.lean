/-
A TEST FIXTURE of envhub: theorems of arithmetic.
This is NOT Lean's library. It was written for envhub from the description of the language; names that the language itself
looks up are the language's. A proof that is accepted over it is a statement about these definitions and nothing else.
-/
prelude
import Init.Facts

set_option autoImplicit false
set_option bootstrap.inductiveCheckResultingUniverse false
set_option linter.defProp false

universe u v w u₁ u₂ v₁ v₂

-- ## Arithmetic

@[simp] theorem Nat.add_zero (n : Nat) : n + 0 = n := rfl
theorem Nat.add_succ (n m : Nat) : n + Nat.succ m = Nat.succ (n + m) := rfl
@[simp] theorem Nat.mul_zero (n : Nat) : n * 0 = 0 := rfl
theorem Nat.mul_succ (n m : Nat) : n * Nat.succ m = n * m + n := rfl
theorem Nat.succ_eq_add_one (n : Nat) : Nat.succ n = n + 1 := rfl
theorem Nat.add_one (n : Nat) : n + 1 = Nat.succ n := rfl
@[simp] theorem Nat.zero_add (n : Nat) : 0 + n = n := by
  induction n with
  | zero => rfl
  | succ n ih => exact congrArg Nat.succ ih
theorem Nat.succ_add (n m : Nat) : Nat.succ n + m = Nat.succ (n + m) := by
  induction m with
  | zero => rfl
  | succ m ih => exact congrArg Nat.succ ih
theorem Nat.add_comm (n m : Nat) : n + m = m + n := by
  induction m with
  | zero => exact (Nat.zero_add n).symm
  | succ m ih => exact (congrArg Nat.succ ih).trans (Nat.succ_add m n).symm
theorem Nat.add_assoc (n m k : Nat) : n + m + k = n + (m + k) := by
  induction k with
  | zero => rfl
  | succ k ih => exact congrArg Nat.succ ih
theorem Nat.add_left_comm (n m k : Nat) : n + (m + k) = m + (n + k) := by
  rw [← Nat.add_assoc, Nat.add_comm n m, Nat.add_assoc]
@[simp] theorem Nat.zero_mul (n : Nat) : 0 * n = 0 := by
  induction n with
  | zero => rfl
  | succ n ih => exact ih
@[simp] theorem Nat.mul_one (n : Nat) : n * 1 = n := Nat.zero_add n
theorem Nat.succ_mul (n m : Nat) : Nat.succ n * m = n * m + m := by
  induction m with
  | zero => rfl
  | succ m ih =>
    have e : Nat.succ n * m + Nat.succ n = n * m + n + Nat.succ m := by
      rw [ih, Nat.add_assoc, Nat.add_assoc, Nat.add_succ m n, Nat.add_succ n m, Nat.add_comm m n]
    exact e
theorem Nat.mul_comm (n m : Nat) : n * m = m * n := by
  induction m with
  | zero => exact (Nat.zero_mul n).symm
  | succ m ih => exact (congrArg (· + n) ih).trans (Nat.succ_mul m n).symm
@[simp] theorem Nat.one_mul (n : Nat) : 1 * n = n := (Nat.mul_comm 1 n).trans (Nat.mul_one n)
theorem Nat.left_distrib (n m k : Nat) : n * (m + k) = n * m + n * k := by
  induction k with
  | zero => rfl
  | succ k ih =>
    have e : n * (m + k) + n = n * m + (n * k + n) := by rw [ih, Nat.add_assoc]
    exact e
theorem Nat.mul_add (n m k : Nat) : n * (m + k) = n * m + n * k := Nat.left_distrib n m k
theorem Nat.add_mul (n m k : Nat) : (n + m) * k = n * k + m * k := by
  rw [Nat.mul_comm, Nat.left_distrib, Nat.mul_comm k n, Nat.mul_comm k m]
theorem Nat.mul_assoc (n m k : Nat) : n * m * k = n * (m * k) := by
  induction k with
  | zero => rfl
  | succ k ih =>
    have e : n * m * k + n * m = n * (m * k + m) := by rw [Nat.left_distrib, ih]
    exact e

theorem Nat.mul_left_comm (n m k : Nat) : n * (m * k) = m * (n * k) := by
  rw [← Nat.mul_assoc, Nat.mul_comm n m, Nat.mul_assoc]

theorem Nat.le_refl (n : Nat) : n ≤ n := Nat.le.refl
theorem Nat.le_succ (n : Nat) : n ≤ Nat.succ n := Nat.le.step Nat.le.refl
theorem Nat.le_of_lt {n m : Nat} (h : n < m) : n ≤ m := Nat.le_trans (Nat.le_succ n) h
theorem Nat.lt_of_lt_of_le {n m k : Nat} (h : n < m) (g : m ≤ k) : n < k := Nat.le_trans h g
theorem Nat.lt_of_le_of_lt {n m k : Nat} (h : n ≤ m) (g : m < k) : n < k := Nat.le_trans (Nat.succ_le_succ h) g
theorem Nat.lt_trans {n m k : Nat} (h : n < m) (g : m < k) : n < k := Nat.le_trans h (Nat.le_of_lt g)
theorem Nat.zero_lt_succ (n : Nat) : 0 < Nat.succ n := Nat.succ_le_succ (Nat.zero_le n)
theorem Nat.le_of_succ_le_succ {n m : Nat} (h : Nat.succ n ≤ Nat.succ m) : n ≤ m :=
  Nat.le_of_ble_eq_true (n := n) (m := m) (Nat.ble_eq_true_of_le (n := Nat.succ n) (m := Nat.succ m) h)
theorem Nat.not_succ_le_zero (n : Nat) (h : Nat.succ n ≤ 0) : False := Bool.noEq (Nat.ble_eq_true_of_le h).symm
theorem Nat.not_lt_zero (n : Nat) : ¬n < 0 := Nat.not_succ_le_zero n
theorem Nat.lt_irrefl (n : Nat) : ¬n < n := by
  induction n with
  | zero => exact Nat.not_lt_zero 0
  | succ n ih => exact fun h => ih (Nat.le_of_succ_le_succ h)
theorem Nat.le_antisymm {n m : Nat} (h : n ≤ m) (g : m ≤ n) : n = m := by
  cases h with
  | refl => rfl
  | step h => exact absurd (Nat.le_trans g h) (Nat.lt_irrefl _)
theorem Nat.le_add_right (n m : Nat) : n ≤ n + m := by
  induction m with
  | zero => exact Nat.le_refl n
  | succ m ih => exact Nat.le.step ih
theorem Nat.add_le_add_right {n m : Nat} (h : n ≤ m) (k : Nat) : n + k ≤ m + k := by
  induction k with
  | zero => exact h
  | succ k ih => exact Nat.succ_le_succ ih
theorem Nat.add_le_add_left {n m : Nat} (h : n ≤ m) (k : Nat) : k + n ≤ k + m := by
  rw [Nat.add_comm k n, Nat.add_comm k m]
  exact Nat.add_le_add_right h k
theorem Nat.add_le_add {a b c d : Nat} (h : a ≤ b) (k : c ≤ d) : a + c ≤ b + d :=
  Nat.le_trans (Nat.add_le_add_right h c) (Nat.add_le_add_left k b)
theorem Nat.add_lt_add_of_lt_of_le {a b c d : Nat} (h : a < b) (k : c ≤ d) : a + c < b + d := by
  have e : Nat.succ a + c ≤ b + d := Nat.add_le_add h k
  rw [Nat.succ_add] at e
  exact e
theorem Nat.add_lt_add_of_le_of_lt {a b c d : Nat} (h : a ≤ b) (k : c < d) : a + c < b + d := Nat.add_le_add h k
theorem Nat.mul_le_mul_left {m n : Nat} (k : Nat) (h : m ≤ n) : k * m ≤ k * n := by
  induction k with
  | zero => rw [Nat.zero_mul, Nat.zero_mul]; exact Nat.le_refl 0
  | succ k ih => rw [Nat.succ_mul, Nat.succ_mul]; exact Nat.add_le_add ih h
theorem Nat.mul_le_mul {a b c d : Nat} (h : a ≤ b) (k : c ≤ d) : a * c ≤ b * d := by
  have e : c * a ≤ c * b := Nat.mul_le_mul_left c h
  rw [Nat.mul_comm c a, Nat.mul_comm c b] at e
  exact Nat.le_trans e (Nat.mul_le_mul_left b k)
theorem Nat.mul_le_mul_right {m n : Nat} (k : Nat) (h : m ≤ n) : m * k ≤ n * k := Nat.mul_le_mul h (Nat.le_refl k)
theorem Nat.le_add_left (n m : Nat) : n ≤ m + n := by
  rw [Nat.add_comm]
  exact Nat.le_add_right n m
theorem Nat.succ.inj' {n m : Nat} (h : Nat.succ n = Nat.succ m) : n = m := congrArg Nat.pred h
theorem Nat.le_total (n m : Nat) : n ≤ m ∨ m ≤ n := by
  induction n with
  | zero => exact Or.inl (Nat.zero_le m)
  | succ n ih =>
    cases ih with
    | inl h =>
      cases h with
      | refl => exact Or.inr (Nat.le_succ _)
      | step h => exact Or.inl (Nat.succ_le_succ h)
    | inr h => exact Or.inr (Nat.le_trans h (Nat.le_succ n))

theorem Nat.dvd_refl (n : Nat) : n ∣ n := ⟨1, (Nat.mul_one n).symm⟩
theorem Nat.dvd_zero (n : Nat) : n ∣ 0 := ⟨0, rfl⟩
theorem Nat.dvd_mul_right (n m : Nat) : n ∣ n * m := ⟨m, rfl⟩
theorem Nat.dvd_mul_left (n m : Nat) : n ∣ m * n := ⟨m, Nat.mul_comm m n⟩
theorem Nat.dvd_trans {a b c : Nat} (h : a ∣ b) (g : b ∣ c) : a ∣ c := by
  cases h with
  | intro x hx =>
    cases g with
    | intro y hy => exact ⟨x * y, by rw [hy, hx, Nat.mul_assoc]⟩
theorem Nat.dvd_add {a b c : Nat} (h : a ∣ b) (g : a ∣ c) : a ∣ b + c := by
  cases h with
  | intro x hx =>
    cases g with
    | intro y hy => exact ⟨x + y, by rw [hx, hy, Nat.left_distrib]⟩

theorem Nat.le_of_dvd {m n : Nat} (h : 0 < n) (g : m ∣ n) : m ≤ n := by
  cases g with
  | intro k e =>
    cases k with
    | zero => exact absurd h (by rw [e]; exact Nat.lt_irrefl 0)
    | succ k => rw [e]; exact Nat.le_add_left m (m * k)
theorem Nat.lt_succ_self (n : Nat) : n < Nat.succ n := Nat.le_refl (Nat.succ n)
theorem Nat.dvd_mul_right_of_dvd {a b : Nat} (h : a ∣ b) (c : Nat) : a ∣ b * c := Nat.dvd_trans h (Nat.dvd_mul_right b c)
theorem Nat.dvd_mul_left_of_dvd {a b : Nat} (h : a ∣ b) (c : Nat) : a ∣ c * b := Nat.dvd_trans h (Nat.dvd_mul_left b c)
theorem Nat.mul_dvd_mul {a b c d : Nat} (h : a ∣ b) (g : c ∣ d) : a * c ∣ b * d := by
  cases h with
  | intro x hx =>
    cases g with
    | intro y hy => exact ⟨x * y, by rw [hx, hy, Nat.mul_assoc, Nat.mul_assoc, Nat.mul_left_comm c x y]⟩

-- the cases of `induction` and `cases`, written as numbers are
@[elab_as_elim, induction_eliminator] protected def Nat.recAux {motive : Nat → Sort u} (zero : motive 0)
    (succ : ∀ n, motive n → motive (n + 1)) (t : Nat) : motive t :=
  match t with
  | .zero => zero
  | .succ n => succ n (Nat.recAux zero succ n)
@[elab_as_elim, cases_eliminator] protected abbrev Nat.casesAuxOn {motive : Nat → Sort u} (t : Nat) (zero : motive 0)
    (succ : ∀ n, motive (n + 1)) : motive t :=
  match t with
  | .zero => zero
  | .succ n => succ n

class Trans {α : Sort u₁} {β : Sort u₂} {γ : Sort v₁} (r : α → β → Sort u) (s : β → γ → Sort v)
    (t : outParam (α → γ → Sort w)) where
  trans {a : α} {b : β} {c : γ} : r a b → s b c → t a c

instance {α : Sort u} {γ : Sort v} (r : α → γ → Sort w) : Trans Eq r r := ⟨fun h k => h.symm.rec k⟩
instance {α : Sort u} {β : Sort v} (r : α → β → Sort w) : Trans r Eq r := ⟨fun h k => k.rec h⟩
instance : @Trans Nat Nat Nat LE.le LE.le LE.le := ⟨Nat.le_trans⟩
instance : @Trans Nat Nat Nat LT.lt LE.le LT.lt := ⟨Nat.lt_of_lt_of_le⟩
instance : @Trans Nat Nat Nat LE.le LT.lt LT.lt := ⟨Nat.lt_of_le_of_lt⟩
instance : @Trans Nat Nat Nat LT.lt LT.lt LT.lt := ⟨Nat.lt_trans⟩
instance : @Trans Prop Prop Prop Iff Iff Iff := ⟨Iff.trans⟩
