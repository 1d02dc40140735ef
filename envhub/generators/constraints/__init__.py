"""Constraints on texts, facts to report, and texts that satisfy them.

A witness text is drawn first, and constraints are drawn that are true of it. So every set of constraints can be
satisfied, and the witness is the oracle.
"""
