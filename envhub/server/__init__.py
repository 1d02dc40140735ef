"""HTTP server for episodes: thin routers, one service, one journal.

The journal is the source of truth and memory is a cache: every turn is recorded before it is answered, and an episode
that is not in memory is folded from its record.
"""
