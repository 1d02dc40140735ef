"""HTTP over Episode: thin routers, one service, one journal.

The journal is the truth and memory a cache: every turn is recorded before it is answered, and an episode that is not in
memory is folded from its record.
"""
