/-
A TEST FIXTURE of envhub: lists.
This is NOT Lean's library. It was written for envhub from the description of the language; names that the language itself
looks up are the language's. A proof that is accepted over it is a statement about these definitions and nothing else.
-/
prelude
import Init.Arithmetic

set_option autoImplicit false
set_option bootstrap.inductiveCheckResultingUniverse false
set_option linter.defProp false

universe u v w u₁ u₂ v₁ v₂

-- ## Lists

namespace List

protected def append {α : Type u} : List α → List α → List α
  | nil, bs => bs
  | cons a as, bs => cons a (List.append as bs)
instance {α : Type u} : Append (List α) := ⟨List.append⟩
def map {α : Type u} {β : Type v} (f : α → β) : List α → List β
  | nil => nil
  | cons a as => cons (f a) (map f as)
def foldr {α : Type u} {β : Type v} (f : α → β → β) (init : β) : List α → β
  | nil => init
  | cons a as => f a (foldr f init as)
def reverse {α : Type u} : List α → List α
  | nil => nil
  | cons a as => reverse as ++ [a]

def first {α : Type u} (d : α) : List α → α
  | nil => d
  | cons a _ => a
def rest {α : Type u} : List α → List α
  | nil => nil
  | cons _ as => as
def empty {α : Type u} : List α → Bool
  | nil => true
  | cons _ _ => false
protected def decEq {α : Type u} [DecidableEq α] : (as bs : List α) → Decidable (as = bs)
  | nil, nil => isTrue rfl
  | nil, cons _ _ => isFalse (fun h => Bool.noEq (congrArg empty h))
  | cons _ _, nil => isFalse (fun h => Bool.noEq (congrArg empty h).symm)
  | cons a as, cons b bs =>
    match decEq a b, List.decEq as bs with
    | isTrue h, isTrue k => isTrue (h.rec (k.rec rfl))
    | isFalse n, _ => isFalse (fun h => n (congrArg (first a) h))
    | _, isFalse n => isFalse (fun h => n (congrArg rest h))
instance instDecidableEqList {α : Type u} [DecidableEq α] : DecidableEq (List α) := List.decEq

variable {α : Type u} {β : Type v}
@[simp] theorem nil_append (as : List α) : [] ++ as = as := rfl
@[simp] theorem cons_append (a : α) (as bs : List α) : (a :: as) ++ bs = a :: (as ++ bs) := rfl
@[simp] theorem append_nil (as : List α) : as ++ [] = as := by
  induction as with
  | nil => rfl
  | cons a as ih => exact congrArg (a :: ·) ih
theorem append_assoc (as bs cs : List α) : as ++ bs ++ cs = as ++ (bs ++ cs) := by
  induction as with
  | nil => rfl
  | cons a as ih => exact congrArg (a :: ·) ih
@[simp] theorem length_nil : length ([] : List α) = 0 := rfl
@[simp] theorem length_cons (a : α) (as : List α) : length (a :: as) = length as + 1 := rfl
@[simp] theorem map_nil (f : α → β) : map f [] = [] := rfl
@[simp] theorem map_cons (f : α → β) (a : α) (as : List α) : map f (a :: as) = f a :: map f as := rfl
@[simp] theorem reverse_nil : reverse ([] : List α) = [] := rfl
@[simp] theorem reverse_cons (a : α) (as : List α) : reverse (a :: as) = reverse as ++ [a] := rfl
theorem length_append (as bs : List α) : length (as ++ bs) = length as + length bs := by
  induction as with
  | nil => exact (Nat.zero_add _).symm
  | cons a as ih => exact (congrArg Nat.succ ih).trans (Nat.succ_add _ _).symm
theorem map_append (f : α → β) (as bs : List α) : map f (as ++ bs) = map f as ++ map f bs := by
  induction as with
  | nil => rfl
  | cons a as ih => exact congrArg (f a :: ·) ih

end List
