-- Classical logic, for the proofs that are found by envhub/verifiers/tableau.py. Written for envhub.
noncomputable def chosen {p : Prop → Prop} (h : ∃ x, p x) : Subtype p :=
  Classical.choice (Exists.elim h (fun a b => Nonempty.intro (Subtype.mk a b)))
theorem same {p q : Prop → Prop} (e : p = q) : ∀ (h : ∃ x, p x) (k : ∃ x, q x), (chosen h).val = (chosen k).val := by
  cases e
  intro h k
  rfl
def marked (b p : Prop) : Prop → Prop := fun x => x = b ∨ p
theorem equal {b c p : Prop} (h : p) : marked b p = marked c p :=
  funext (fun _ => propext (Iff.intro (fun _ => Or.inr h) (fun _ => Or.inr h)))
theorem there (b p : Prop) : ∃ x, marked b p x := Exists.intro b (Or.inl rfl)
theorem differ {p : Prop} (u : (chosen (there True p)).val = True) (v : (chosen (there False p)).val = False) : ¬p :=
  fun h => Eq.mp (Eq.trans (Eq.symm u) (Eq.trans (same (equal h) (there True p) (there False p)) v)) True.intro
theorem em (p : Prop) : p ∨ ¬p :=
  Or.elim (chosen (there True p)).property
    (fun u => Or.elim (chosen (there False p)).property (fun v => Or.inr (differ u v)) Or.inl) Or.inl
theorem sure {p : Prop} (h : ¬p → False) : p := Or.elim (em p) (fun a => a) (fun k => False.elim (h k))
theorem not_and {a b : Prop} (h : ¬(a ∧ b)) : ¬a ∨ ¬b :=
  Or.elim (em a) (fun x => Or.inr (fun y => h (And.intro x y))) (fun k => Or.inl k)
theorem not_or {a b : Prop} (h : ¬(a ∨ b)) : ¬a ∧ ¬b := And.intro (fun x => h (Or.inl x)) (fun y => h (Or.inr y))
theorem imp {a b : Prop} (h : a → b) : ¬a ∨ b := Or.elim (em a) (fun x => Or.inr (h x)) Or.inl
theorem not_imp {a b : Prop} (h : ¬(a → b)) : a ∧ ¬b :=
  And.intro (sure (fun k => h (fun x => False.elim (k x)))) (fun y => h (fun _ => y))
theorem iff {a b : Prop} (h : a ↔ b) : (a ∧ b) ∨ (¬a ∧ ¬b) :=
  Or.elim (em a) (fun x => Or.inl (And.intro x (Iff.mp h x)))
    (fun k => Or.inr (And.intro k (fun y => k (Iff.mpr h y))))
theorem not_iff {a b : Prop} (h : ¬(a ↔ b)) : (a ∧ ¬b) ∨ (¬a ∧ b) :=
  Or.elim (em a) (fun x => Or.inl (And.intro x (fun y => h (Iff.intro (fun _ => y) (fun _ => x)))))
    (fun k => Or.inr (And.intro k (sure (fun l => h (Iff.intro (fun x => False.elim (k x)) (fun y => False.elim (l y)))))))
theorem not_ex {α : Type} {p : α → Prop} (h : ¬(∃ x, p x)) : ∀ x, ¬p x := fun x y => h (Exists.intro x y)
theorem not_all {α : Type} {p : α → Prop} (h : ¬(∀ x, p x)) : ∃ x, ¬p x :=
  sure (fun k => h (fun x => sure (fun l => k (Exists.intro x l))))
