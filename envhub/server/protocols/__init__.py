"""Wire protocols of other trainers.

Thin routers over the same episodes and verdicts.
"""
