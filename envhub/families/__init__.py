"""Base classes for families of environments.

A member is a page of rules and a level table.

======================= =======================================================================================A family owns what its members share: parameters from the level table, staged sampling with proof, canonical form,
verdict, oracle, other right answers, usual mistakes, effort and wordings. docs/families.md shows the smallest member
of each.
"""
