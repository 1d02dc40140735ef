/-
A TEST FIXTURE of envhub: numbers, the classes of operations, decisions.
This is NOT Lean's library. It was written for envhub from the description of the language; names that the language itself
looks up are the language's. A proof that is accepted over it is a statement about these definitions and nothing else.
-/
prelude
import Init.Logic

set_option autoImplicit false
set_option bootstrap.inductiveCheckResultingUniverse false
set_option linter.defProp false

universe u v w u₁ u₂ v₁ v₂

set_option genCtorIdx false in
inductive Nat : Type where
  | zero : Nat
  | succ (n : Nat) : Nat

class OfNat (α : Type u) (n : Nat) where
  ofNat : α

@[default_instance 100] instance instOfNatNat (n : Nat) : OfNat Nat n := ⟨n⟩

instance : Inhabited Nat := ⟨Nat.zero⟩
instance : Inhabited Bool := ⟨false⟩
instance : Inhabited Prop := ⟨True⟩
instance {α : Sort u} {β : Sort v} [Inhabited β] : Inhabited (α → β) := ⟨fun _ => default⟩

-- ## Classes of operations

class HAdd (α : Type u) (β : Type v) (γ : outParam (Type w)) where hAdd : α → β → γ
class HSub (α : Type u) (β : Type v) (γ : outParam (Type w)) where hSub : α → β → γ
class HMul (α : Type u) (β : Type v) (γ : outParam (Type w)) where hMul : α → β → γ
class HDiv (α : Type u) (β : Type v) (γ : outParam (Type w)) where hDiv : α → β → γ
class HMod (α : Type u) (β : Type v) (γ : outParam (Type w)) where hMod : α → β → γ
class HPow (α : Type u) (β : Type v) (γ : outParam (Type w)) where hPow : α → β → γ
class HAppend (α : Type u) (β : Type v) (γ : outParam (Type w)) where hAppend : α → β → γ
class Add (α : Type u) where add : α → α → α
class Sub (α : Type u) where sub : α → α → α
class Mul (α : Type u) where mul : α → α → α
class Div (α : Type u) where div : α → α → α
class Mod (α : Type u) where mod : α → α → α
class Dvd (α : Type u) where dvd : α → α → Prop
class Pow (α : Type u) (β : Type v) where pow : α → β → α
class NatPow (α : Type u) where pow : α → Nat → α
class Append (α : Type u) where append : α → α → α
class LE (α : Type u) where le : α → α → Prop
class LT (α : Type u) where lt : α → α → Prop
class BEq (α : Type u) where beq : α → α → Bool
class Neg (α : Type u) where neg : α → α
class Membership (α : outParam (Type u)) (γ : Type v) where mem : γ → α → Prop

export Add (add)
@[default_instance] instance instHAdd {α : Type u} [Add α] : HAdd α α α := ⟨Add.add⟩
@[default_instance] instance instHSub {α : Type u} [Sub α] : HSub α α α := ⟨Sub.sub⟩
@[default_instance] instance instHMul {α : Type u} [Mul α] : HMul α α α := ⟨Mul.mul⟩
@[default_instance] instance instHDiv {α : Type u} [Div α] : HDiv α α α := ⟨Div.div⟩
@[default_instance] instance instHMod {α : Type u} [Mod α] : HMod α α α := ⟨Mod.mod⟩
@[default_instance] instance instHAppendOfAppend {α : Type u} [Append α] : HAppend α α α := ⟨Append.append⟩
@[default_instance] instance instHPow {α : Type u} {β : Type v} [Pow α β] : HPow α β α := ⟨Pow.pow⟩
@[default_instance] instance instPowNat {α : Type u} [NatPow α] : Pow α Nat := ⟨NatPow.pow⟩

@[reducible] def GE.ge {α : Type u} [LE α] (a b : α) : Prop := LE.le b a
@[reducible] def GT.gt {α : Type u} [LT α] (a b : α) : Prop := LT.lt b a
@[reducible] def Ne {α : Sort u} (a b : α) : Prop := Not (Eq a b)

-- what the elaborator looks for where a type is not the one expected; there is no instance of any
class CoeT (α : Sort u) (_ : α) (β : Sort v) where coe : β
class CoeFun (α : Sort u) (γ : outParam (α → Sort v)) where coe : (f : α) → γ f
class CoeSort (α : Sort u) (β : outParam (Sort v)) where coe : α → β

-- ## Decisions

set_option genCtorIdx false in
class inductive Decidable (p : Prop) where
  | isFalse (h : Not p) : Decidable p
  | isTrue (h : p) : Decidable p

@[inline_if_reduce, nospecialize] def Decidable.decide (p : Prop) [h : Decidable p] : Bool :=
  h.casesOn (fun _ => false) (fun _ => true)

export Decidable (isTrue isFalse decide)

abbrev DecidablePred {α : Sort u} (r : α → Prop) := (a : α) → Decidable (r a)
abbrev DecidableRel {α : Sort u} {β : Sort v} (r : α → β → Prop) := (a : α) → (b : β) → Decidable (r a b)
abbrev DecidableEq (α : Sort u) := (a b : α) → Decidable (Eq a b)

def decEq {α : Sort u} [inst : DecidableEq α] (a b : α) : Decidable (Eq a b) := inst a b

@[macro_inline] def ite {α : Sort u} (c : Prop) [h : Decidable c] (t e : α) : α :=
  h.casesOn (fun _ => e) (fun _ => t)

@[macro_inline] def dite {α : Sort u} (c : Prop) [h : Decidable c] (t : c → α) (e : Not c → α) : α :=
  h.casesOn e t

@[macro_inline] def or (x y : Bool) : Bool := x.casesOn y true
@[macro_inline] def and (x y : Bool) : Bool := x.casesOn false y
@[inline] def not (x : Bool) : Bool := x.casesOn true false

class SizeOf (α : Sort u) where
  sizeOf : α → Nat

export SizeOf (sizeOf)

@[reducible] protected def default.sizeOf (α : Sort u) : α → Nat := fun _ => Nat.zero

@[instance 100] instance instSizeOfDefault (α : Sort u) : SizeOf α := ⟨default.sizeOf α⟩

-- ## Natural numbers. The kernel computes with these by name; each must be what the kernel takes it for.


@[extern "lean_nat_dec_eq"] def Nat.beq : Nat → Nat → Bool
  | .zero, .zero => true
  | .zero, .succ _ => false
  | .succ _, .zero => false
  | .succ n, .succ m => Nat.beq n m


def Bool.Holds (b : Bool) : Prop := Bool.casesOn (motive := fun _ => Prop) b False True

theorem Bool.noEq {P : Prop} (h : Eq true false) : P :=
  False.elim (@Eq.subst Bool Bool.Holds true false h True.intro)

theorem ne_true_of_eq_false : {b : Bool} → Eq b false → Not (Eq b true)
  | true, h, _ => Bool.noEq h
  | false, _, h => Bool.noEq h.symm

theorem ne_false_of_eq_true : {b : Bool} → Eq b true → Not (Eq b false)
  | true, _, h => Bool.noEq h
  | false, h, _ => Bool.noEq h.symm

theorem eq_false_of_ne_true : {b : Bool} → Not (Eq b true) → Eq b false
  | true, h => absurd rfl h
  | false, _ => rfl

theorem eq_true_of_ne_false : {b : Bool} → Not (Eq b false) → Eq b true
  | true, _ => rfl
  | false, h => absurd rfl h

theorem Nat.eq_of_beq_eq_true : {n m : Nat} → Eq (Nat.beq n m) true → Eq n m
  | .zero, .zero, _ => rfl
  | .zero, .succ _, h => Bool.noEq h.symm
  | .succ _, .zero, h => Bool.noEq h.symm
  | .succ n, .succ m, h => congrArg Nat.succ (Nat.eq_of_beq_eq_true (n := n) (m := m) h)

theorem Nat.beq_refl : (n : Nat) → Eq (Nat.beq n n) true
  | .zero => rfl
  | .succ n => Nat.beq_refl n

theorem noConfusion_of_Nat {α : Sort u} (f : α → Nat) {a b : α} (h : Eq a b) :
    (Nat.beq (f a) (f b)).rec (motive := fun _ => Prop) False True :=
  @Eq.subst Bool Bool.Holds true _ (Eq.symm (h.rec (Nat.beq_refl (f a)))) True.intro

theorem Nat.ne_of_beq_eq_false {n m : Nat} (h : Eq (Nat.beq n m) false) (e : Eq n m) : False :=
  ne_true_of_eq_false h (e.rec (Nat.beq_refl n))

def Bool.check (b : Bool) (P : Prop) (yes : Eq b true → P) (no : Eq b false → Not P) : Decidable P :=
  match b, yes, no with
  | true, yes, _ => isTrue (yes rfl)
  | false, _, no => isFalse (no rfl)

@[extern "lean_nat_dec_eq"] def Nat.decEq (n m : Nat) : Decidable (Eq n m) :=
  Bool.check (Nat.beq n m) _ Nat.eq_of_beq_eq_true Nat.ne_of_beq_eq_false
instance instDecidableEqNat : DecidableEq Nat := Nat.decEq

@[extern "lean_nat_add"] protected def Nat.add : Nat → Nat → Nat
  | n, .zero => n
  | n, .succ m => .succ (Nat.add n m)

@[extern "lean_nat_pred"] def Nat.pred : Nat → Nat
  | .zero => .zero
  | .succ n => n

@[extern "lean_nat_sub"] protected def Nat.sub : Nat → Nat → Nat
  | n, .zero => n
  | n, .succ m => Nat.pred (Nat.sub n m)

@[extern "lean_nat_mul"] protected def Nat.mul : Nat → Nat → Nat
  | _, .zero => 0
  | n, .succ m => Nat.add (Nat.mul n m) n

@[extern "lean_nat_pow"] protected def Nat.pow (m : Nat) : Nat → Nat
  | .zero => 1
  | .succ n => Nat.mul (Nat.pow m n) m

@[extern "lean_nat_dec_le"] def Nat.ble : Nat → Nat → Bool
  | .zero, _ => true
  | .succ _, .zero => false
  | .succ n, .succ m => Nat.ble n m

inductive Nat.le (n : Nat) : Nat → Prop where
  | refl : Nat.le n n
  | step {m : Nat} : Nat.le n m → Nat.le n (.succ m)

instance instAddNat : Add Nat := ⟨Nat.add⟩
instance instSubNat : Sub Nat := ⟨Nat.sub⟩
instance instMulNat : Mul Nat := ⟨Nat.mul⟩
instance instNatPowNat : NatPow Nat := ⟨Nat.pow⟩
instance instLENat : LE Nat := ⟨Nat.le⟩
@[reducible] protected def Nat.lt (n m : Nat) : Prop := Nat.le (Nat.succ n) m
instance instLTNat : LT Nat := ⟨Nat.lt⟩

-- division by steps: at most `n` of them are needed to take a positive number away from `n`
def Nat.divStep (m : Nat) : Nat → Nat → Nat
  | .zero, _ => 0
  | .succ fuel, n => cond (Nat.ble m n) (Nat.succ (Nat.divStep m fuel (Nat.sub n m))) 0

@[extern "lean_nat_div"] protected def Nat.div (n m : Nat) : Nat := cond (Nat.beq m 0) 0 (Nat.divStep m n n)
@[extern "lean_nat_mod"] protected def Nat.mod (n m : Nat) : Nat := Nat.sub n (Nat.mul m (Nat.div n m))

instance Nat.instDiv : Div Nat := ⟨Nat.div⟩
instance Nat.instMod : Mod Nat := ⟨Nat.mod⟩
instance Nat.instDvdNat : Dvd Nat := ⟨fun a b => Exists (fun c => Eq b (HMul.hMul a c))⟩

-- the remainder is smaller than `m`, so `m` steps are enough
def Nat.gcdStep : Nat → Nat → Nat → Nat
  | .zero, _, n => n
  | .succ fuel, m, n => cond (Nat.beq m 0) n (Nat.gcdStep fuel (Nat.mod n m) m)

@[extern "lean_nat_gcd"] def Nat.gcd (m n : Nat) : Nat := Nat.gcdStep (Nat.succ m) m n

def Nat.log2Step : Nat → Nat → Nat
  | .zero, _ => 0
  | .succ fuel, n => cond (Nat.ble 2 n) (Nat.succ (Nat.log2Step fuel (Nat.div n 2))) 0

@[extern "lean_nat_log2"] def Nat.log2 (n : Nat) : Nat := Nat.log2Step n n

def Nat.bitStep (f : Bool → Bool → Bool) : Nat → Nat → Nat → Nat
  | .zero, _, _ => 0
  | .succ fuel, m, n =>
    Nat.add (Nat.mul 2 (Nat.bitStep f fuel (Nat.div m 2) (Nat.div n 2)))
      (cond (f (Nat.beq (Nat.mod m 2) 1) (Nat.beq (Nat.mod n 2) 1)) 1 0)

def Nat.bitwise (f : Bool → Bool → Bool) (m n : Nat) : Nat := Nat.bitStep f (Nat.add m n) m n
@[extern "lean_nat_land"] def Nat.land (m n : Nat) : Nat := Nat.bitwise and m n
@[extern "lean_nat_lor"] def Nat.lor (m n : Nat) : Nat := Nat.bitwise or m n
@[extern "lean_nat_lxor"] def Nat.xor (m n : Nat) : Nat := Nat.bitwise (fun a b => cond a (not b) b) m n
@[extern "lean_nat_shiftl"] def Nat.shiftLeft (m n : Nat) : Nat := Nat.mul m (Nat.pow 2 n)
@[extern "lean_nat_shiftr"] def Nat.shiftRight (m n : Nat) : Nat := Nat.div m (Nat.pow 2 n)

@[reducible] def Nat.ctorIdx (n : Nat) : Nat := n.casesOn 0 (fun _ => 1)

-- ## What can be decided

theorem Nat.zero_le : (n : Nat) → LE.le 0 n
  | .zero => Nat.le.refl
  | .succ n => Nat.le.step (Nat.zero_le n)

theorem Nat.succ_le_succ {n m : Nat} (h : LE.le n m) : LE.le (Nat.succ n) (Nat.succ m) :=
  Nat.le.rec (motive := fun k _ => LE.le (Nat.succ n) (Nat.succ k)) Nat.le.refl (fun _ ih => Nat.le.step ih) h

theorem Nat.le_trans {n m k : Nat} (h₁ : LE.le n m) (h₂ : LE.le m k) : LE.le n k :=
  Nat.le.rec (motive := fun k _ => LE.le n k) h₁ (fun _ ih => Nat.le.step ih) h₂

theorem Nat.le_of_ble_eq_true : {n m : Nat} → Eq (Nat.ble n m) true → LE.le n m
  | .zero, m, _ => Nat.zero_le m
  | .succ _, .zero, h => Bool.noEq h.symm
  | .succ n, .succ m, h => Nat.succ_le_succ (Nat.le_of_ble_eq_true (n := n) (m := m) h)

theorem Nat.ble_self : (n : Nat) → Eq (Nat.ble n n) true
  | .zero => rfl
  | .succ n => Nat.ble_self n

theorem Nat.ble_step : (n m : Nat) → Eq (Nat.ble n m) true → Eq (Nat.ble n (Nat.succ m)) true
  | .zero, _, _ => rfl
  | .succ _, .zero, h => Bool.noEq h.symm
  | .succ n, .succ m, h => Nat.ble_step n m h

theorem Nat.ble_eq_true_of_le {n m : Nat} (h : LE.le n m) : Eq (Nat.ble n m) true :=
  Nat.le.rec (motive := fun k _ => Eq (Nat.ble n k) true) (Nat.ble_self n) (fun _ ih => Nat.ble_step _ _ ih) h

@[extern "lean_nat_dec_le"] instance Nat.decLe (n m : Nat) : Decidable (LE.le n m) :=
  Bool.check (Nat.ble n m) _ Nat.le_of_ble_eq_true (fun h e => ne_true_of_eq_false h (Nat.ble_eq_true_of_le e))

@[extern "lean_nat_dec_lt"] instance Nat.decLt (n m : Nat) : Decidable (LT.lt n m) := Nat.decLe (Nat.succ n) m

instance instDecidableEqBool : DecidableEq Bool
  | true, true => isTrue rfl
  | false, false => isTrue rfl
  | true, false => isFalse (fun h => Bool.noEq h)
  | false, true => isFalse (fun h => Bool.noEq h.symm)

theorem of_decide_eq_true {p : Prop} [inst : Decidable p] : Eq (decide p) true → p := fun h =>
  match inst, h with
  | isTrue h, _ => h
  | isFalse _, h => Bool.noEq (Eq.symm h)

theorem of_decide_eq_false {p : Prop} [inst : Decidable p] : Eq (decide p) false → Not p := fun h =>
  match inst, h with
  | isTrue _, h => Bool.noEq h
  | isFalse h, _ => h

theorem decide_eq_true {p : Prop} [inst : Decidable p] (h : p) : Eq (decide p) true :=
  match inst with
  | isTrue _ => rfl
  | isFalse h' => absurd h h'

theorem decide_eq_false {p : Prop} [inst : Decidable p] (h : Not p) : Eq (decide p) false :=
  match inst with
  | isTrue h' => absurd h' h
  | isFalse _ => rfl
