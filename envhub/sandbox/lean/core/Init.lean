/-
A TEST FIXTURE of envhub: a small core library, so that tests have a real kernel where the real library is not to be had.
This is NOT Lean's library. It was written for envhub from the description of the language; names that the language itself
looks up are the language's. A proof that is accepted over it is a statement about these definitions and nothing else.
-/
prelude
import Init.Lists
