"""Base classes for families of environments.

A member is a page of rules and a level table.

======================= ==============================================================================================
:class:`Value`          a question with one exact value
ExpressionValue         a question whose answer is a mathematical object, compared by proof
:class:`Witness`        an object that satisfies the rules, and its value, which must be the best possible
TextConstraints         a text that reports facts and satisfies constraints (with WordTexts and ExactText)
:class:`Cells`          a grid that satisfies laws and clues, with a proof that there is only one
======================= ==============================================================================================

A family owns what its members share: parameters from the level table, staged sampling with proof, canonical form,
verdict, oracle, other right answers, usual mistakes, effort and wordings. docs/families.md shows the smallest member
of each.
"""
