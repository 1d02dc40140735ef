/-
A TEST FIXTURE of envhub: operators and binders.
This is NOT Lean's library. It was written for envhub from the description of the language; names that the language itself
looks up are the language's. A proof that is accepted over it is a statement about these definitions and nothing else.
-/
prelude
import Init.Syntax

set_option autoImplicit false
set_option bootstrap.inductiveCheckResultingUniverse false
set_option linter.defProp false

universe u v w u₁ u₂ v₁ v₂

-- ## Notation

def Core.memberOf {α : Type u} {γ : Type v} [Membership α γ] (a : α) (s : γ) : Prop := Membership.mem s a

namespace Core

syntax:65 (name := addition) term:65 " + " term:66 : term
@[macro addition] def addition.expand : Lean.Macro := binaryMacro binop `HAdd.hAdd
@[app_unexpander HAdd.hAdd] def addition.show : Lean.PrettyPrinter.Unexpander := shown `Core.addition "+"
syntax:65 (name := subtraction) term:65 " - " term:66 : term
@[macro subtraction] def subtraction.expand : Lean.Macro := binaryMacro binop `HSub.hSub
@[app_unexpander HSub.hSub] def subtraction.show : Lean.PrettyPrinter.Unexpander := shown `Core.subtraction "-"
syntax:70 (name := multiplication) term:70 " * " term:71 : term
@[macro multiplication] def multiplication.expand : Lean.Macro := binaryMacro binop `HMul.hMul
@[app_unexpander HMul.hMul] def multiplication.show : Lean.PrettyPrinter.Unexpander := shown `Core.multiplication "*"
syntax:70 (name := division) term:70 " / " term:71 : term
@[macro division] def division.expand : Lean.Macro := binaryMacro binop `HDiv.hDiv
@[app_unexpander HDiv.hDiv] def division.show : Lean.PrettyPrinter.Unexpander := shown `Core.division "/"
syntax:70 (name := remainder) term:70 " % " term:71 : term
@[macro remainder] def remainder.expand : Lean.Macro := binaryMacro binop `HMod.hMod
@[app_unexpander HMod.hMod] def remainder.show : Lean.PrettyPrinter.Unexpander := shown `Core.remainder "%"
syntax:75 (name := power) term:76 " ^ " term:75 : term
@[macro power] def power.expand : Lean.Macro := binaryMacro apply2 `HPow.hPow
@[app_unexpander HPow.hPow] def power.show : Lean.PrettyPrinter.Unexpander := shown `Core.power "^"
syntax:65 (name := append) term:65 " ++ " term:66 : term
@[macro append] def append.expand : Lean.Macro := binaryMacro binop `HAppend.hAppend
@[app_unexpander HAppend.hAppend] def append.show : Lean.PrettyPrinter.Unexpander := shown `Core.append "++"
syntax:50 (name := equality) term:51 " = " term:51 : term
@[macro equality] def equality.expand : Lean.Macro := binaryMacro binrel `Eq
@[app_unexpander Eq] def equality.show : Lean.PrettyPrinter.Unexpander := shown `Core.equality "="
syntax:50 (name := atMost) term:51 " ≤ " term:51 : term
@[macro atMost] def atMost.expand : Lean.Macro := binaryMacro binrel `LE.le
@[app_unexpander LE.le] def atMost.show : Lean.PrettyPrinter.Unexpander := shown `Core.atMost "≤"
syntax:50 (name := less) term:51 " < " term:51 : term
@[macro less] def less.expand : Lean.Macro := binaryMacro binrel `LT.lt
@[app_unexpander LT.lt] def less.show : Lean.PrettyPrinter.Unexpander := shown `Core.less "<"
syntax:50 (name := atLeast) term:51 " ≥ " term:51 : term
@[macro atLeast] def atLeast.expand : Lean.Macro := binaryMacro binrel `GE.ge
@[app_unexpander GE.ge] def atLeast.show : Lean.PrettyPrinter.Unexpander := shown `Core.atLeast "≥"
syntax:50 (name := greater) term:51 " > " term:51 : term
@[macro greater] def greater.expand : Lean.Macro := binaryMacro binrel `GT.gt
@[app_unexpander GT.gt] def greater.show : Lean.PrettyPrinter.Unexpander := shown `Core.greater ">"
syntax:50 (name := unequal) term:51 " ≠ " term:51 : term
@[macro unequal] def unequal.expand : Lean.Macro := binaryMacro binrel `Ne
@[app_unexpander Ne] def unequal.show : Lean.PrettyPrinter.Unexpander := shown `Core.unequal "≠"
syntax:50 (name := divides) term:51 " ∣ " term:51 : term
@[macro divides] def divides.expand : Lean.Macro := binaryMacro apply2 `Dvd.dvd
@[app_unexpander Dvd.dvd] def divides.show : Lean.PrettyPrinter.Unexpander := shown `Core.divides "∣"
syntax:50 (name := beq) term:51 " == " term:51 : term
@[macro beq] def beq.expand : Lean.Macro := binaryMacro binrel `BEq.beq
@[app_unexpander BEq.beq] def beq.show : Lean.PrettyPrinter.Unexpander := shown `Core.beq "=="
syntax:35 (name := conjunction) term:36 " ∧ " term:35 : term
@[macro conjunction] def conjunction.expand : Lean.Macro := binaryMacro apply2 `And
@[app_unexpander And] def conjunction.show : Lean.PrettyPrinter.Unexpander := shown `Core.conjunction "∧"
syntax:30 (name := disjunction) term:31 " ∨ " term:30 : term
@[macro disjunction] def disjunction.expand : Lean.Macro := binaryMacro apply2 `Or
@[app_unexpander Or] def disjunction.show : Lean.PrettyPrinter.Unexpander := shown `Core.disjunction "∨"
syntax:20 (name := equivalence) term:21 " ↔ " term:21 : term
@[macro equivalence] def equivalence.expand : Lean.Macro := binaryMacro apply2 `Iff
@[app_unexpander Iff] def equivalence.show : Lean.PrettyPrinter.Unexpander := shown `Core.equivalence "↔"
syntax:35 (name := boolAnd) term:35 " && " term:36 : term
@[macro boolAnd] def boolAnd.expand : Lean.Macro := binaryMacro apply2 `and
@[app_unexpander and] def boolAnd.show : Lean.PrettyPrinter.Unexpander := shown `Core.boolAnd "&&"
syntax:30 (name := boolOr) term:30 " || " term:31 : term
@[macro boolOr] def boolOr.expand : Lean.Macro := binaryMacro apply2 `or
@[app_unexpander or] def boolOr.show : Lean.PrettyPrinter.Unexpander := shown `Core.boolOr "||"
syntax:35 (name := product) term:36 " × " term:35 : term
@[macro product] def product.expand : Lean.Macro := binaryMacro apply2 `Prod
@[app_unexpander Prod] def product.show : Lean.PrettyPrinter.Unexpander := shown `Core.product "×"
syntax:90 (name := composition) term:91 " ∘ " term:90 : term
@[macro composition] def composition.expand : Lean.Macro := binaryMacro apply2 `Function.comp
syntax:67 (name := consing) term:68 " :: " term:67 : term
@[macro consing] def consing.expand : Lean.Macro := binaryMacro apply2 `List.cons
@[app_unexpander List.cons] def consing.show : Lean.PrettyPrinter.Unexpander := shown `Core.consing "::"
syntax:50 (name := membership) term:51 " ∈ " term:51 : term
@[macro membership] def membership.expand : Lean.Macro := binaryMacro apply2 `Core.memberOf
@[app_unexpander Core.memberOf] def membership.show : Lean.PrettyPrinter.Unexpander := shown `Core.membership "∈"
syntax:1024 (name := negation) "¬" term:40 : term
@[macro negation] def negation.expand : Lean.Macro := unaryMacro `Not
@[app_unexpander Not] def negation.show : Lean.PrettyPrinter.Unexpander := shownBefore `Core.negation "¬"
syntax:1024 (name := boolNot) "!" term:40 : term
@[macro boolNot] def boolNot.expand : Lean.Macro := unaryMacro `not
@[app_unexpander not] def boolNot.show : Lean.PrettyPrinter.Unexpander := shownBefore `Core.boolNot "!"

end Core



-- ## Binders, conditionals, lists

namespace Core

syntax:0 (name := exists0) "∃ " many1(orelse(ident, hole)) optional(" : " term) ", " term : term
syntax:0 (name := existsIn) "∃ " "(" many1(ident) " : " term ")" ", " term : term

def existsOf (x type body : Lean.Syntax) : Lean.Syntax := apply1 (const `Exists) (lambda x type body)

def ofType (t : Lean.Syntax) : Lean.Syntax := node1 `null (node2 `Lean.Parser.Term.typeSpec (word ":") t)

-- from the last name to the first
def existsAll (names : Lean.Syntax) (type : Lean.Syntax) (body : Lean.Syntax) : Nat → Lean.Syntax
  | .zero => body
  | .succ n => existsAll names type (existsOf (arg names n) type body) n

def count : Lean.Syntax → Nat
  | .node _ _ args => Array.size args
  | _ => 0

def typeOf (opt : Lean.Syntax) : Lean.Syntax := match count opt with
  | .zero => null
  | .succ _ => ofType (arg opt 1)

@[macro exists0] def exists0.expand : Lean.Macro := fun stx _ s =>
  .ok (existsAll (arg stx 1) (typeOf (arg stx 2)) (arg stx 4) (count (arg stx 1))) s
@[macro existsIn] def existsIn.expand : Lean.Macro := fun stx _ s =>
  .ok (existsAll (arg stx 2) (ofType (arg stx 4)) (arg stx 7) (count (arg stx 2))) s

syntax:0 (name := ifThen) "if " term " then " term " else " term : term
@[macro ifThen] def ifThen.expand : Lean.Macro := fun stx _ s =>
  .ok (node2 `Lean.Parser.Term.app (const `ite) (node3 `null (arg stx 1) (arg stx 3) (arg stx 5))) s

syntax:1024 (name := listOf) "[" sepBy(term, ", ") "]" : term

-- what stands at even places, from the last to the first
def consAll (items : Lean.Syntax) (rest : Lean.Syntax) : Nat → Nat → Lean.Syntax
  | .zero, _ => rest
  | .succ fuel, n => match Nat.beq (Nat.mod n 2) 0 with
    | true => consAll items (apply2 (const `List.cons) (arg items n) rest) fuel (Nat.pred n)
    | false => consAll items rest fuel (Nat.pred n)

@[macro listOf] def listOf.expand : Lean.Macro := fun stx _ s =>
  .ok (consAll (arg stx 1) (const `List.nil) (count (arg stx 1)) (Nat.pred (count (arg stx 1)))) s

end Core
