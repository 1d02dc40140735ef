-- Classical logic, for the proofs that are found by envhub/verifiers/proofs/tableau.py. Written for envhub.
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
-- Quantifiers moved inwards, for envhub/verifiers/proofs/scopes.py.
theorem twice {a : Prop} : ¬¬a ↔ a := Iff.intro sure (fun x k => k x)
theorem deny_true : ¬True ↔ False := Iff.intro (fun h => h True.intro) False.elim
theorem deny_false : ¬False ↔ True := Iff.intro (fun _ => True.intro) (fun _ h => h)
theorem and_same {a b c d : Prop} (h : a ↔ c) (k : b ↔ d) : a ∧ b ↔ c ∧ d :=
  Iff.intro (fun x => And.intro (Iff.mp h (And.left x)) (Iff.mp k (And.right x)))
    (fun x => And.intro (Iff.mpr h (And.left x)) (Iff.mpr k (And.right x)))
theorem or_same {a b c d : Prop} (h : a ↔ c) (k : b ↔ d) : a ∨ b ↔ c ∨ d :=
  Iff.intro (fun x => Or.elim x (fun y => Or.inl (Iff.mp h y)) (fun y => Or.inr (Iff.mp k y)))
    (fun x => Or.elim x (fun y => Or.inl (Iff.mpr h y)) (fun y => Or.inr (Iff.mpr k y)))
theorem imp_same {a b c d : Prop} (h : ¬a ↔ c) (k : b ↔ d) : (a → b) ↔ c ∨ d :=
  Iff.trans (Iff.intro imp (fun x y => Or.elim x (fun n => False.elim (n y)) (fun z => z))) (or_same h k)
theorem nand_same {a b c d : Prop} (h : ¬a ↔ c) (k : ¬b ↔ d) : ¬(a ∧ b) ↔ c ∨ d :=
  Iff.trans (Iff.intro not_and (fun x y => Or.elim x (fun n => n (And.left y))
      (fun n => n (And.right y)))) (or_same h k)
theorem nor_same {a b c d : Prop} (h : ¬a ↔ c) (k : ¬b ↔ d) : ¬(a ∨ b) ↔ c ∧ d :=
  Iff.trans (Iff.intro not_or (fun x y => Or.elim y (And.left x) (And.right x))) (and_same h k)
theorem nimp_same {a b c d : Prop} (h : a ↔ c) (k : ¬b ↔ d) : ¬(a → b) ↔ c ∧ d :=
  Iff.trans (Iff.intro not_imp (fun x y => And.right x (y (And.left x)))) (and_same h k)
theorem iff_same {a b p q r s : Prop} (h : a ↔ p) (k : b ↔ q) (l : ¬a ↔ r) (m : ¬b ↔ s) :
    (a ↔ b) ↔ (r ∨ q) ∧ (s ∨ p) :=
  Iff.trans (Iff.intro (fun x => And.intro (Iff.mp x) (Iff.mpr x)) (fun x => Iff.intro (And.left x) (And.right x)))
    (and_same (imp_same l k) (imp_same m h))
theorem niff_same {a b p q r s : Prop} (h : a ↔ p) (k : b ↔ q) (l : ¬a ↔ r) (m : ¬b ↔ s) :
    ¬(a ↔ b) ↔ (p ∨ q) ∧ (r ∨ s) :=
  Iff.trans (Iff.intro
    (fun x => Or.elim (not_iff x) (fun y => And.intro (Or.inl (And.left y)) (Or.inr (And.right y)))
      (fun y => And.intro (Or.inr (And.right y)) (Or.inl (And.left y))))
    (fun x y => Or.elim (And.left x)
      (fun z => Or.elim (And.right x) (fun n => n z) (fun n => n (Iff.mp y z)))
      (fun z => Or.elim (And.right x) (fun n => n (Iff.mpr y z)) (fun n => n z))))
    (and_same (or_same h k) (or_same l m))
theorem all_same {α : Type} {p q : α → Prop} (h : ∀ x, p x ↔ q x) : (∀ x, p x) ↔ (∀ x, q x) :=
  Iff.intro (fun k x => Iff.mp (h x) (k x)) (fun k x => Iff.mpr (h x) (k x))
theorem ex_same {α : Type} {p q : α → Prop} (h : ∀ x, p x ↔ q x) : (∃ x, p x) ↔ (∃ x, q x) :=
  Iff.intro (fun k => Exists.elim k (fun x y => Exists.intro x (Iff.mp (h x) y)))
    (fun k => Exists.elim k (fun x y => Exists.intro x (Iff.mpr (h x) y)))
theorem nall_same {α : Type} {p q : α → Prop} (h : ∀ x, ¬p x ↔ q x) : ¬(∀ x, p x) ↔ (∃ x, q x) :=
  Iff.trans (Iff.intro not_all (fun k l => Exists.elim k (fun x n => n (l x)))) (ex_same h)
theorem nex_same {α : Type} {p q : α → Prop} (h : ∀ x, ¬p x ↔ q x) : ¬(∃ x, p x) ↔ (∀ x, q x) :=
  Iff.trans (Iff.intro not_ex (fun k l => Exists.elim l k)) (all_same h)
theorem all_none {α : Type} {a : Prop} (who : α) : (∀ _ : α, a) ↔ a := Iff.intro (fun h => h who) (fun x _ => x)
theorem ex_none {α : Type} {a : Prop} (who : α) : (∃ _ : α, a) ↔ a :=
  Iff.intro (fun h => Exists.elim h (fun _ x => x)) (fun x => Exists.intro who x)
theorem all_and {α : Type} {p q : α → Prop} : (∀ x, p x ∧ q x) ↔ (∀ x, p x) ∧ (∀ x, q x) :=
  Iff.intro (fun h => And.intro (fun x => And.left (h x)) (fun x => And.right (h x)))
    (fun h x => And.intro (And.left h x) (And.right h x))
theorem ex_or {α : Type} {p q : α → Prop} : (∃ x, p x ∨ q x) ↔ (∃ x, p x) ∨ (∃ x, q x) :=
  Iff.intro (fun h => Exists.elim h (fun x y => Or.elim y (fun z => Or.inl (Exists.intro x z))
      (fun z => Or.inr (Exists.intro x z))))
    (fun h => Or.elim h (fun k => Exists.elim k (fun x y => Exists.intro x (Or.inl y)))
      (fun k => Exists.elim k (fun x y => Exists.intro x (Or.inr y))))
theorem all_or_none {α : Type} {a : Prop} {p : α → Prop} : (∀ x, a ∨ p x) ↔ a ∨ (∀ x, p x) :=
  Iff.intro (fun h => Or.elim (em a) Or.inl (fun n => Or.inr (fun x => Or.elim (h x) (fun y => False.elim (n y))
      (fun y => y))))
    (fun h x => Or.elim h Or.inl (fun k => Or.inr (k x)))
theorem ex_and_none {α : Type} {a : Prop} {p : α → Prop} : (∃ x, a ∧ p x) ↔ a ∧ (∃ x, p x) :=
  Iff.intro (fun h => Exists.elim h (fun x y => And.intro (And.left y) (Exists.intro x (And.right y))))
    (fun h => Exists.elim (And.right h) (fun x y => Exists.intro x (And.intro (And.left h) y)))
theorem all_all {α : Type} {p : α → α → Prop} : (∀ x, ∀ y, p x y) ↔ (∀ y, ∀ x, p x y) :=
  Iff.intro (fun h y x => h x y) (fun h x y => h y x)
theorem ex_ex {α : Type} {p : α → α → Prop} : (∃ x, ∃ y, p x y) ↔ (∃ y, ∃ x, p x y) :=
  Iff.intro (fun h => Exists.elim h (fun x k => Exists.elim k (fun y z => Exists.intro y (Exists.intro x z))))
    (fun h => Exists.elim h (fun y k => Exists.elim k (fun x z => Exists.intro x (Exists.intro y z))))
theorem and_cross {a b c d : Prop} : (a ∧ b) ∧ (c ∧ d) ↔ (a ∧ c) ∧ (b ∧ d) :=
  Iff.intro
      (fun h => (And.intro (And.intro (And.left (And.left h)) (And.left (And.right h)))
        (And.intro (And.right (And.left h)) (And.right (And.right h)))))

        (fun h => (And.intro (And.intro (And.left (And.left h)) (And.left (And.right h)))
        (And.intro (And.right (And.left h)) (And.right (And.right h)))))
theorem and_late {a b c : Prop} : (a ∧ b) ∧ c ↔ (a ∧ c) ∧ b :=
  Iff.intro (fun h => (And.intro (And.intro (And.left (And.left h)) (And.right h)) (And.right (And.left h))))
    (fun h => (And.intro (And.intro (And.left (And.left h)) (And.right h)) (And.right (And.left h))))
theorem and_shift {a b c : Prop} : (a ∧ b) ∧ c ↔ a ∧ (b ∧ c) :=
  Iff.intro (fun h => (And.intro (And.left (And.left h)) (And.intro (And.right (And.left h)) (And.right h))))
    (fun h => (And.intro (And.intro (And.left h) (And.left (And.right h))) (And.right (And.right h))))
theorem and_early {a b c : Prop} : a ∧ (b ∧ c) ↔ (a ∧ b) ∧ c :=
  Iff.intro (fun h => (And.intro (And.intro (And.left h) (And.left (And.right h))) (And.right (And.right h))))
    (fun h => (And.intro (And.left (And.left h)) (And.intro (And.right (And.left h)) (And.right h))))
theorem and_slide {a b c : Prop} : a ∧ (b ∧ c) ↔ b ∧ (a ∧ c) :=
  Iff.intro (fun h => (And.intro (And.left (And.right h)) (And.intro (And.left h) (And.right (And.right h)))))
    (fun h => (And.intro (And.left (And.right h)) (And.intro (And.left h) (And.right (And.right h)))))
theorem and_turn {a b : Prop} : a ∧ b ↔ b ∧ a :=
  Iff.intro (fun h => (And.intro (And.right h) (And.left h))) (fun h => (And.intro (And.right h) (And.left h)))
theorem or_cross {a b c d : Prop} : (a ∨ b) ∨ (c ∨ d) ↔ (a ∨ c) ∨ (b ∨ d) :=
  Iff.intro (fun h => (Or.elim h (fun x => (Or.elim x (fun y => (Or.inl (Or.inl y)))
      (fun y => (Or.inr (Or.inl y))))) (fun x => (Or.elim x (fun y => (Or.inl (Or.inr y)))
      (fun y => (Or.inr (Or.inr y)))))))
    (fun h => (Or.elim h (fun x => (Or.elim x (fun y => (Or.inl (Or.inl y))) (fun y => (Or.inr (Or.inl y)))))
        (fun x => (Or.elim x (fun y => (Or.inl (Or.inr y))) (fun y => (Or.inr (Or.inr y)))))))
theorem or_late {a b c : Prop} : (a ∨ b) ∨ c ↔ (a ∨ c) ∨ b :=
  Iff.intro (fun h => (Or.elim h (fun x => (Or.elim x (fun y => (Or.inl (Or.inl y))) (fun y => (Or.inr y))))
      (fun x => (Or.inl (Or.inr x)))))
    (fun h => (Or.elim h (fun x => (Or.elim x (fun y => (Or.inl (Or.inl y))) (fun y => (Or.inr y))))
        (fun x => (Or.inl (Or.inr x)))))
theorem or_shift {a b c : Prop} : (a ∨ b) ∨ c ↔ a ∨ (b ∨ c) :=
  Iff.intro (fun h => (Or.elim h (fun x => (Or.elim x (fun y => (Or.inl y)) (fun y => (Or.inr (Or.inl y)))))
      (fun x => (Or.inr (Or.inr x)))))
    (fun h => (Or.elim h (fun x => (Or.inl (Or.inl x))) (fun x => (Or.elim x (fun y => (Or.inl (Or.inr y)))
        (fun y => (Or.inr y))))))
theorem or_early {a b c : Prop} : a ∨ (b ∨ c) ↔ (a ∨ b) ∨ c :=
  Iff.intro (fun h => (Or.elim h (fun x => (Or.inl (Or.inl x))) (fun x => (Or.elim x (fun y => (Or.inl (Or.inr y)))
      (fun y => (Or.inr y))))))
    (fun h => (Or.elim h (fun x => (Or.elim x (fun y => (Or.inl y)) (fun y => (Or.inr (Or.inl y)))))
        (fun x => (Or.inr (Or.inr x)))))
theorem or_slide {a b c : Prop} : a ∨ (b ∨ c) ↔ b ∨ (a ∨ c) :=
  Iff.intro (fun h => (Or.elim h (fun x => (Or.inr (Or.inl x))) (fun x => (Or.elim x (fun y => (Or.inl y))
      (fun y => (Or.inr (Or.inr y)))))))
    (fun h => (Or.elim h (fun x => (Or.inr (Or.inl x))) (fun x => (Or.elim x (fun y => (Or.inl y))
        (fun y => (Or.inr (Or.inr y)))))))
theorem or_turn {a b : Prop} : a ∨ b ↔ b ∨ a :=
  Iff.intro (fun h => (Or.elim h (fun x => (Or.inr x)) (fun x => (Or.inl x))))
    (fun h => (Or.elim h (fun x => (Or.inr x)) (fun x => (Or.inl x))))
