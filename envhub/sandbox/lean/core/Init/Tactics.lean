/-
A TEST FIXTURE of envhub: how tactics are written.
This is NOT Lean's library. It was written for envhub from the description of the language; names that the language itself
looks up are the language's. A proof that is accepted over it is a statement about these definitions and nothing else.
-/
prelude
import Init.Notation

set_option autoImplicit false
set_option bootstrap.inductiveCheckResultingUniverse false
set_option linter.defProp false

universe u v w u₁ u₂ v₁ v₂

-- ## Tactics: the frontend knows what they do by these names; here is how they are written

syntax Lean.binderIdent := orelse(ident, hole)

syntax Lean.calcFirstStep := ppIndent(colGe term optional(" := " term))
syntax Lean.calcStep := ppIndent(colGe term " := " term)
syntax Lean.calcSteps := ppLine withPosition(Lean.calcFirstStep) withPosition(many(Lean.calcStep ppLine))
syntax:1024 (name := Lean.calc) "calc" Lean.calcSteps : term
syntax (name := Lean.calcTactic) "calc" Lean.calcSteps : tactic

namespace Lean.Parser.Tactic

syntax configItem := "(" "config" " := " term ")"
syntax optConfig := many(colGt configItem)

syntax (name := «done») "done" : tactic
syntax (name := skip) "skip" : tactic
syntax (name := intro) "intro" notFollowedBy("|") many(ppSpace colGt term:1024) : tactic
syntax (name := intros) "intros" many(ppSpace colGt orelse(ident, hole)) : tactic
syntax (name := exact) "exact " term : tactic
syntax (name := apply) "apply " term : tactic
syntax (name := refine) "refine " term : tactic
syntax (name := exfalso) "exfalso" : tactic
syntax (name := renameI) "rename_i" many1(ppSpace colGt orelse(ident, hole)) : tactic
syntax (name := assumption) "assumption" : tactic
syntax (name := contradiction) "contradiction" : tactic
syntax (name := constructor) "constructor" : tactic
syntax (name := left) "left" : tactic
syntax (name := right) "right" : tactic
syntax (name := revert) "revert" many1(ppSpace colGt term:1024) : tactic
syntax (name := clear) "clear" many1(ppSpace colGt term:1024) : tactic
syntax (name := subst) "subst" many1(ppSpace colGt term:1024) : tactic
syntax caseArg := binderIdent many(ppSpace binderIdent)
syntax (name := case) "case " sepBy1(caseArg, " | ") " => " tacticSeq : tactic
syntax (name := «first») "first " withPosition(many1(ppDedent(ppLine) colGe "| " tacticSeq)) : tactic
syntax (name := allGoals) "all_goals " tacticSeq : tactic
syntax (name := anyGoals) "any_goals " tacticSeq : tactic
syntax (name := focus) "focus " tacticSeq : tactic
syntax (name := withReducible) "with_reducible " tacticSeq : tactic
syntax (name := paren) "(" withoutPosition(tacticSeq) ")" : tactic
syntax (name := eqRefl) "eq_refl" : tactic
syntax (name := applyRfl) "apply_rfl" : tactic
syntax (name := decide) "decide" optConfig : tactic
syntax (name := injection) "injection " term optional(" with" many1(ppSpace colGt orelse(ident, hole))) : tactic
syntax (name := change) "change " term : tactic
syntax (name := «show») "show " term : tactic

syntax elimTarget := optional(atomic(binderIdent " : ")) term
syntax inductionAltLHS := "| " orelse(group(optional("@") ident), hole) many(colGt orelse(ident, hole))
syntax inductionAlt := many1(inductionAltLHS) optional(" => " orelse(hole, orelse(syntheticHole, tacticSeq)))
syntax inductionAlts := " with" optional(ppSpace colGt tactic) withPosition(many(colGe inductionAlt))
syntax (name := induction) "induction " sepBy1(elimTarget, ", ") optional(" using " term)
  optional(" generalizing" many1(ppSpace colGt term:1024)) optional(inductionAlts) : tactic
syntax (name := cases) "cases " sepBy1(elimTarget, ", ") optional(" using " term) optional(inductionAlts) : tactic

syntax locationWildcard := " *"
syntax locationType := "⊢"
syntax locationHyp := many1(ppSpace colGt orelse(term:1024, locationType))
syntax location := withPosition(" at" orelse(locationWildcard, locationHyp))

syntax simpPre := "↓"
syntax simpPost := "↑"
syntax simpStar := "*"
syntax simpErase := "-" term:1024
syntax simpLemma := optional(orelse(simpPre, simpPost)) optional("← ") term
syntax (name := simp) "simp" optConfig optional("(disch" " := " tacticSeq ")") optional(&" only")
  optional(" [" withoutPosition(sepBy(orelse(simpStar, orelse(simpErase, simpLemma)), ",")) "]") optional(location) : tactic
syntax (name := simpAll) "simp_all" optConfig optional("(disch" " := " tacticSeq ")") optional(&" only")
  optional(" [" withoutPosition(sepBy(orelse(simpErase, simpLemma), ",")) "]") : tactic
syntax rwRule := optional("← ") term
syntax rwRuleSeq := " [" withoutPosition(sepBy(rwRule, ",")) "]"
syntax (name := rewriteSeq) "rewrite" optConfig rwRuleSeq optional(location) : tactic
syntax (name := unfold) "unfold" many1(ppSpace colGt term:1024) optional(location) : tactic

end Lean.Parser.Tactic


-- ## Tactics made of others

namespace Core

syntax (name := rfl) "rfl" : tactic
syntax (name := rw) "rw" Lean.Parser.Tactic.optConfig Lean.Parser.Tactic.rwRuleSeq optional(Lean.Parser.Tactic.location) : tactic
syntax (name := haveIs) "have " ident " : " term " := " term : tactic
syntax (name := haveFrom) "have " ident " := " term : tactic
syntax (name := existsTac) "exists " term : tactic
syntax (name := bullet) "· " tacticSeq : tactic
syntax (name := tryTac) "try " tacticSeq : tactic
syntax (name := trivialTac) "trivial" : tactic

def cut {p : Sort u} {q : Sort v} (h : p) (k : p → q) : q := k h

def hole : Lean.Syntax := node1 `Lean.Parser.Term.hole (word "_")
def goal : Lean.Syntax := node2 `Lean.Parser.Term.syntheticHole (word "?") hole
def refine (t : Lean.Syntax) : Lean.Syntax := node2 `Lean.Parser.Tactic.refine (word "refine ") t
def exactly (t : Lean.Syntax) : Lean.Syntax := node2 `Lean.Parser.Tactic.exact (word "exact ") t
def seqOf (tacs : Lean.Syntax) : Lean.Syntax :=
  node1 `Lean.Parser.Tactic.tacticSeq (node1 `Lean.Parser.Tactic.tacticSeq1Indented tacs)
def seq1 (a : Lean.Syntax) : Lean.Syntax := seqOf (node1 `null a)
def seq2 (a b : Lean.Syntax) : Lean.Syntax := seqOf (node3 `null a (word ";") b)
def either (a b : Lean.Syntax) : Lean.Syntax :=
  node2 `Lean.Parser.Tactic.first (word "first ")
    (node2 `null (node2 `group (word "| ") a) (node2 `group (word "| ") b))
def skip : Lean.Syntax := node1 `Lean.Parser.Tactic.skip (word "skip")
def reflexivity : Lean.Syntax :=
  either (seq1 (node1 `Lean.Parser.Tactic.eqRefl (word "eq_refl"))) (seq1 (exactly (const `Iff.rfl)))

@[macro Lean.Parser.Tactic.exfalso] def exfalso.expand : Lean.Macro := fun _ _ s =>
  .ok (refine (apply1 (const `False.elim) goal)) s
@[macro Core.rfl] def rfl.expand : Lean.Macro := fun _ _ s => .ok reflexivity s
@[macro Core.tryTac] def tryTac.expand : Lean.Macro := fun stx _ s => .ok (either (arg stx 1) (seq1 skip)) s
@[macro Core.rw] def rw.expand : Lean.Macro := fun stx _ s =>
  .ok (node3 `Lean.Parser.Tactic.paren (word "(") (seq2
    (node4 `Lean.Parser.Tactic.rewriteSeq (word "rewrite") (arg stx 1) (arg stx 2) (arg stx 3))
    (either (seq1 (node2 `Lean.Parser.Tactic.withReducible (word "with_reducible ") (seq1 reflexivity))) (seq1 skip)))
    (word ")")) s
@[macro Core.haveIs] def haveIs.expand : Lean.Macro := fun stx _ s =>
  .ok (refine (apply2 (const `Core.cut) (arg stx 5)
    (lambda (arg stx 1) (node1 `null (node2 `Lean.Parser.Term.typeSpec (word ":") (arg stx 3))) goal))) s
@[macro Core.haveFrom] def haveFrom.expand : Lean.Macro := fun stx _ s =>
  .ok (refine (apply2 (const `Core.cut) (arg stx 3) (lambda (arg stx 1) null goal))) s
@[macro Core.existsTac] def existsTac.expand : Lean.Macro := fun stx _ s =>
  .ok (node3 `Lean.Parser.Tactic.paren (word "(") (seq2 (refine (apply2 (const `Exists.intro) (arg stx 1) goal))
    (either (seq1 reflexivity) (seq1 skip)))
    (word ")")) s
@[macro Core.bullet] def bullet.expand : Lean.Macro := fun stx _ s =>
  .ok (node2 `Lean.Parser.Tactic.focus (word "focus ") (seq2 (node3 `Lean.Parser.Tactic.paren (word "(") (arg stx 1) (word ")")) (node1 `Lean.Parser.Tactic.done (word "done")))) s
@[macro Core.trivialTac] def trivialTac.expand : Lean.Macro := fun _ _ s =>
  .ok (either (seq1 reflexivity) (seq1 (either (seq1 (node1 `Lean.Parser.Tactic.assumption (word "assumption")))
    (seq1 (exactly (const `True.intro)))))) s

end Core
