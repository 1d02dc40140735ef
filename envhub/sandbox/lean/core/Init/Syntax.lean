/-
A TEST FIXTURE of envhub: what the frontend passes to notation.
This is NOT Lean's library. It was written for envhub from the description of the language; names that the language itself
looks up are the language's. A proof that is accepted over it is a statement about these definitions and nothing else.
-/
prelude
import Init.Nat

set_option autoImplicit false
set_option bootstrap.inductiveCheckResultingUniverse false
set_option linter.defProp false

universe u v w u₁ u₂ v₁ v₂

-- ## What the frontend passes around: the layout of these types is that of its own

axiom Char : Type
axiom String : Type
axiom String.pos : Type

inductive List (α : Type u) where
  | nil : List α
  | cons (head : α) (tail : List α) : List α

inductive Option (α : Type u) where
  | none : Option α
  | some (val : α) : Option α

structure Array (α : Type u) where
  toList : List α

@[extern "lean_mk_empty_array_with_capacity"] def Array.mkEmpty {α : Type u} (c : @& Nat) : Array α := ⟨List.nil⟩
def List.concat {α : Type u} : List α → α → List α
  | .nil, b => .cons b .nil
  | .cons a as, b => .cons a (List.concat as b)
@[extern "lean_array_push"] def Array.push {α : Type u} (a : Array α) (v : α) : Array α := ⟨List.concat a.toList v⟩
def List.lookup? {α : Type u} (d : α) : List α → Nat → α
  | .nil, _ => d
  | .cons a _, .zero => a
  | .cons _ as, .succ n => List.lookup? d as n
@[extern "lean_array_get"] def Array.get!Internal {α : Type u} [Inhabited α] (a : @& Array α) (i : @& Nat) : α :=
  List.lookup? default a.toList i
@[extern "lean_array_get_borrowed"]
def Array.get!InternalBorrowed {α : Type u} [Inhabited α] (a : @& Array α) (i : @& Nat) : α :=
  List.lookup? default a.toList i

def List.length {α : Type u} : List α → Nat
  | .nil => 0
  | .cons _ as => Nat.succ (List.length as)
@[extern "lean_array_get_size"] def Array.size {α : Type u} (a : @& Array α) : Nat := List.length a.toList

structure Substring.Raw where
  str : String
  startPos : Nat
  stopPos : Nat

namespace Lean

inductive Name where
  | anonymous : Name
  | str (pre : Name) (str : String)
  | num (pre : Name) (i : Nat)

@[extern "l_Lean_Name_str___override"] def Name.mkStr (p : Name) (s : String) : Name := Name.str p s
@[extern "l_Lean_Name_num___override"] def Name.mkNum (p : Name) (v : Nat) : Name := Name.num p v
@[extern "lean_name_eq"] opaque Name.beq (a b : @& Name) : Bool
def Name.mkSimple (s : String) : Name := Name.mkStr Name.anonymous s
def Name.mkStr1 (a : String) : Name := Name.mkStr Name.anonymous a
def Name.mkStr2 (a b : String) : Name := Name.mkStr (Name.mkStr1 a) b
def Name.mkStr3 (a b c : String) : Name := Name.mkStr (Name.mkStr2 a b) c
def Name.mkStr4 (a b c d : String) : Name := Name.mkStr (Name.mkStr3 a b c) d

inductive SourceInfo where
  | original (leading : Substring.Raw) (pos : Nat) (trailing : Substring.Raw) (endPos : Nat)
  | synthetic (pos : Nat) (endPos : Nat) (canonical : Bool)
  | protected none

abbrev SyntaxNodeKind := Name

inductive Syntax.Preresolved where
  | namespace (ns : Name)
  | decl (n : Name) (fields : List String)

inductive Syntax where
  | missing : Syntax
  | node (info : SourceInfo) (kind : SyntaxNodeKind) (args : Array Syntax)
  | atom (info : SourceInfo) (val : String)
  | ident (info : SourceInfo) (rawVal : Substring.Raw) (val : Name) (preresolved : List Syntax.Preresolved)

instance : Inhabited Syntax := ⟨Syntax.missing⟩

inductive ParserDescr where
  | const (name : Name)
  | unary (name : Name) (p : ParserDescr)
  | binary (name : Name) (p₁ p₂ : ParserDescr)
  | node (kind : SyntaxNodeKind) (prec : Nat) (p : ParserDescr)
  | trailingNode (kind : SyntaxNodeKind) (prec lhsPrec : Nat) (p : ParserDescr)
  | symbol (val : String)
  | nonReservedSymbol (val : String) (includeIdent : Bool)
  | cat (catName : Name) (rbp : Nat)
  | parser (declName : Name)
  | nodeWithAntiquot (name : String) (kind : SyntaxNodeKind) (p : ParserDescr)
  | sepBy (p : ParserDescr) (sep : String) (psep : ParserDescr) (allowTrailingSep : Bool)
  | sepBy1 (p : ParserDescr) (sep : String) (psep : ParserDescr) (allowTrailingSep : Bool)

abbrev TrailingParserDescr := ParserDescr

axiom Macro.Context : Type
axiom Macro.State : Type
axiom Macro.Exception : Type

end Lean

inductive EStateM.Result (ε σ α : Type u) : Type u where
  | ok : α → σ → EStateM.Result ε σ α
  | error : ε → σ → EStateM.Result ε σ α

def Lean.Macro : Type :=
  Lean.Syntax → Lean.Macro.Context → Lean.Macro.State → EStateM.Result Lean.Macro.Exception Lean.Macro.State Lean.Syntax

def Lean.PrettyPrinter.Unexpander : Type :=
  Lean.Syntax → Lean.Syntax → Unit → EStateM.Result Unit Unit Lean.Syntax

namespace Core

open Lean

def arg : Syntax → Nat → Syntax
  | .node _ _ args, i => cond (Nat.ble (Nat.succ i) (Array.size args)) (Array.get!Internal args i) .missing
  | _, _ => .missing

def isNode : Syntax → Bool
  | .node _ _ _ => true
  | _ => false

def node1 (k : Name) (a : Syntax) : Syntax := .node .none k (Array.push (Array.mkEmpty 1) a)
def node2 (k : Name) (a b : Syntax) : Syntax := .node .none k (Array.push (Array.push (Array.mkEmpty 2) a) b)
def node3 (k : Name) (a b c : Syntax) : Syntax :=
  .node .none k (Array.push (Array.push (Array.push (Array.mkEmpty 3) a) b) c)
def node4 (k : Name) (a b c d : Syntax) : Syntax :=
  .node .none k (Array.push (Array.push (Array.push (Array.push (Array.mkEmpty 4) a) b) c) d)
def word (s : String) : Syntax := .atom .none s

/-- A constant, whatever names stand for where it is used. -/
def const (n : Name) : Syntax :=
  .ident .none ⟨"", 0, 0⟩ n (.cons (.decl n .nil) .nil)

def apply2 (f a b : Syntax) : Syntax := node2 `Lean.Parser.Term.app f (node2 `null a b)
def apply1 (f a : Syntax) : Syntax := node2 `Lean.Parser.Term.app f (node1 `null a)
def binop (f a b : Syntax) : Syntax := node4 `Lean.Parser.Term.binop (word "binop%") f a b

def binrel (f a b : Syntax) : Syntax := node4 `Lean.Parser.Term.binrel (word "binrel%") f a b
def binaryMacro (make : Syntax → Syntax → Syntax → Syntax) (n : Name) : Macro := fun stx _ s =>
  .ok (make (const n) (arg stx 0) (arg stx 2)) s
def unaryMacro (n : Name) : Macro := fun stx _ s => .ok (apply1 (const n) (arg stx 1)) s

def name? : Syntax → Name
  | .ident _ _ n _ => n
  | _ => .anonymous

def null : Syntax := .node .none `null (Array.mkEmpty 0)

/-- `fun x : T => body`, without `: T` where there is none. -/
def lambda (x type body : Syntax) : Syntax :=
  node2 `Lean.Parser.Term.fun (word "fun") (node4 `Lean.Parser.Term.basicFun (node1 `null x) type (word "=>") body)

/-- How terms are shown: an application of `f` to two things is written with what stands between them. -/
def shown (kind : Name) (op : String) : PrettyPrinter.Unexpander := fun stx _ u =>
  let args := arg stx 1
  match isNode args with
  | true => .ok (node3 kind (arg args 0) (word op) (arg args 1)) u
  | false => .error Unit.unit u

def shownBefore (kind : Name) (op : String) : PrettyPrinter.Unexpander := fun stx _ u =>
  .ok (node2 kind (word op) (arg (arg stx 1) 0)) u

end Core
