/-
A TEST FIXTURE of envhub: theorems of logic, and those simp is made of.
This is NOT Lean's library. It was written for envhub from the description of the language; names that the language itself
looks up are the language's. A proof that is accepted over it is a statement about these definitions and nothing else.
-/
prelude
import Init.Tactics

set_option autoImplicit false
set_option bootstrap.inductiveCheckResultingUniverse false
set_option linter.defProp false

universe u v w u₁ u₂ v₁ v₂

-- ## Logic

axiom propext {a b : Prop} : (a ↔ b) → a = b
axiom Classical.choice {α : Sort u} : Nonempty α → α
axiom sorryAx (α : Sort u) (synthetic : Bool) : α

axiom Quot.sound {α : Sort u} {r : α → α → Prop} {a b : α} : r a b → Quot.mk r a = Quot.mk r b

def Core.Same {α : Sort u} {β : α → Sort v} (f g : (x : α) → β x) : Prop := ∀ x, f x = g x

noncomputable def Core.at {α : Sort u} {β : α → Sort v} (e : Quot (@Core.Same α β)) (x : α) : β x :=
  Quot.lift (fun k : (x : α) → β x => k x) (fun _ _ h => h x) e

theorem funext {α : Sort u} {β : α → Sort v} {f g : (x : α) → β x} (h : ∀ x, f x = g x) : f = g :=
  congrArg Core.at (Quot.sound (r := @Core.Same α β) h)

theorem congrFun' {α : Sort u} {β : Sort v} {f g : α → β} (h : f = g) (a : α) : f a = g a := h.rec rfl

theorem trivial : True := True.intro
@[macro_inline] def Eq.mp {α β : Sort u} (h : α = β) (a : α) : β := h.rec a
@[macro_inline] def Eq.mpr {α β : Sort u} (h : α = β) (b : β) : α := h.symm.rec b
theorem mt {a b : Prop} (h : a → b) (nb : ¬b) : ¬a := fun ha => nb (h ha)
theorem not_false : ¬False := id
theorem Iff.rfl {a : Prop} : a ↔ a := ⟨id, id⟩
theorem Iff.refl (a : Prop) : a ↔ a := ⟨id, id⟩
theorem Iff.symm {a b : Prop} (h : a ↔ b) : b ↔ a := ⟨h.mpr, h.mp⟩
theorem Iff.trans {a b c : Prop} (h : a ↔ b) (k : b ↔ c) : a ↔ c := ⟨fun x => k.mp (h.mp x), fun x => h.mpr (k.mpr x)⟩
theorem And.symm {a b : Prop} (h : a ∧ b) : b ∧ a := ⟨h.right, h.left⟩
theorem Or.symm {a b : Prop} (h : a ∨ b) : b ∨ a := h.rec Or.inr Or.inl
theorem Or.elim {a b c : Prop} (h : a ∨ b) (left : a → c) (right : b → c) : c := h.rec left right
theorem Exists.elim {α : Sort u} {p : α → Prop} {b : Prop} (h : ∃ x, p x) (k : ∀ a, p a → b) : b := h.rec k
theorem Ne.symm {α : Sort u} {a b : α} (h : a ≠ b) : b ≠ a := fun e => h e.symm

def Not.elim {a : Prop} {α : Sort u} (h : ¬a) (ha : a) : α := absurd ha h

-- what `simp` is made of
theorem of_eq_true {p : Prop} (h : p = True) : p := h.symm.rec trivial
theorem eq_true {p : Prop} (h : p) : p = True := propext ⟨fun _ => trivial, fun _ => h⟩
theorem eq_false {p : Prop} (h : ¬p) : p = False := propext ⟨h, False.elim⟩
theorem eq_false' {p : Prop} (h : p → False) : p = False := eq_false h
theorem of_eq_false {p : Prop} (h : p = False) : ¬p := fun hp => h.rec hp
theorem eq_true_of_decide {p : Prop} [Decidable p] (h : decide p = true) : p = True := eq_true (of_decide_eq_true h)
theorem eq_false_of_decide {p : Prop} [Decidable p] (h : decide p = false) : p = False := eq_false (of_decide_eq_false h)
theorem implies_congr {p₁ p₂ : Sort u} {q₁ q₂ : Sort v} (h₁ : p₁ = p₂) (h₂ : q₁ = q₂) : (p₁ → q₁) = (p₂ → q₂) :=
  h₁.rec (h₂.rec rfl)
theorem implies_dep_congr_ctx {p₁ p₂ q₁ : Prop} (h₁ : p₁ = p₂) {q₂ : p₂ → Prop} (h₂ : (h : p₂) → q₁ = q₂ h) :
    (p₁ → q₁) = ((h : p₂) → q₂ h) :=
  propext ⟨fun hl hp => (h₂ hp).mp (hl (h₁.mpr hp)), fun hr hp => (h₂ (h₁.mp hp)).mpr (hr (h₁.mp hp))⟩
theorem implies_congr_ctx {p₁ p₂ q₁ q₂ : Prop} (h₁ : p₁ = p₂) (h₂ : p₂ → q₁ = q₂) : (p₁ → q₁) = (p₂ → q₂) :=
  implies_dep_congr_ctx h₁ h₂
theorem forall_congr {α : Sort u} {p q : α → Prop} (h : ∀ a, p a = q a) : (∀ a, p a) = (∀ a, q a) :=
  (funext h).rec rfl
theorem iff_of_eq {a b : Prop} (h : a = b) : a ↔ b := h.rec Iff.rfl

@[simp] theorem eq_self {α : Sort u} (a : α) : (a = a) = True := eq_true rfl
@[simp] theorem iff_self (p : Prop) : (p ↔ p) = True := eq_true Iff.rfl
@[simp] theorem ne_eq {α : Sort u} (a b : α) : (a ≠ b) = ¬(a = b) := rfl
@[simp] theorem not_true_eq_false : (¬True) = False := eq_false (fun h => h trivial)
@[simp] theorem not_false_eq_true : (¬False) = True := eq_true id
@[simp] theorem true_and (p : Prop) : (True ∧ p) = p := propext ⟨And.right, fun h => ⟨trivial, h⟩⟩
@[simp] theorem and_true (p : Prop) : (p ∧ True) = p := propext ⟨And.left, fun h => ⟨h, trivial⟩⟩
@[simp] theorem false_and (p : Prop) : (False ∧ p) = False := eq_false And.left
@[simp] theorem and_false (p : Prop) : (p ∧ False) = False := eq_false And.right
@[simp] theorem and_self (p : Prop) : (p ∧ p) = p := propext ⟨And.left, fun h => ⟨h, h⟩⟩
@[simp] theorem true_or (p : Prop) : (True ∨ p) = True := eq_true (Or.inl trivial)
@[simp] theorem or_true (p : Prop) : (p ∨ True) = True := eq_true (Or.inr trivial)
@[simp] theorem false_or (p : Prop) : (False ∨ p) = p := propext ⟨fun h => h.elim False.elim id, Or.inr⟩
@[simp] theorem or_false (p : Prop) : (p ∨ False) = p := propext ⟨fun h => h.elim id False.elim, Or.inl⟩
@[simp] theorem or_self (p : Prop) : (p ∨ p) = p := propext ⟨fun h => h.elim id id, Or.inl⟩
@[simp] theorem iff_true (p : Prop) : (p ↔ True) = p := propext ⟨fun h => h.mpr trivial, fun h => ⟨fun _ => trivial, fun _ => h⟩⟩
@[simp] theorem true_iff (p : Prop) : (True ↔ p) = p := propext ⟨fun h => h.mp trivial, fun h => ⟨fun _ => h, fun _ => trivial⟩⟩
@[simp] theorem implies_true (α : Sort u) : (α → True) = True := eq_true (fun _ => trivial)
@[simp] theorem true_implies (p : Prop) : (True → p) = p := propext ⟨fun h => h trivial, fun h _ => h⟩
@[simp] theorem false_implies (p : Prop) : (False → p) = True := eq_true False.elim
@[simp] theorem true_eq_false_of_bool : (true = false) = False := eq_false (fun h => Bool.noEq h)
@[simp] theorem false_eq_true_of_bool : (false = true) = False := eq_false (fun h => Bool.noEq h.symm)

theorem and_comm {a b : Prop} : a ∧ b ↔ b ∧ a := ⟨And.symm, And.symm⟩
theorem or_comm {a b : Prop} : a ∨ b ↔ b ∨ a := ⟨Or.symm, Or.symm⟩
theorem and_assoc {a b c : Prop} : (a ∧ b) ∧ c ↔ a ∧ (b ∧ c) :=
  ⟨fun h => ⟨h.left.left, h.left.right, h.right⟩, fun h => ⟨⟨h.left, h.right.left⟩, h.right.right⟩⟩

instance instDecidableTrue : Decidable True := isTrue trivial
instance instDecidableFalse : Decidable False := isFalse not_false
instance instDecidableNot {p : Prop} [d : Decidable p] : Decidable (¬p) :=
  match d with
  | isTrue h => isFalse (fun k => k h)
  | isFalse h => isTrue h
instance instDecidableAnd {p q : Prop} [dp : Decidable p] [dq : Decidable q] : Decidable (p ∧ q) :=
  match dp, dq with
  | isTrue h, isTrue k => isTrue ⟨h, k⟩
  | isFalse h, _ => isFalse (fun a => h a.left)
  | _, isFalse h => isFalse (fun a => h a.right)
instance instDecidableOr {p q : Prop} [dp : Decidable p] [dq : Decidable q] : Decidable (p ∨ q) :=
  match dp, dq with
  | isTrue h, _ => isTrue (Or.inl h)
  | _, isTrue h => isTrue (Or.inr h)
  | isFalse h, isFalse k => isFalse (fun o => o.elim h k)
instance instDecidableForall {p q : Prop} [dp : Decidable p] [dq : Decidable q] : Decidable (p → q) :=
  match dp, dq with
  | _, isTrue k => isTrue (fun _ => k)
  | isTrue h, isFalse k => isFalse (fun f => k (f h))
  | isFalse h, _ => isTrue (fun a => absurd a h)
@[reducible] def instDecidableNe {α : Sort u} [DecidableEq α] (a b : α) : Decidable (a ≠ b) := inferInstance
