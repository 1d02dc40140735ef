"""Wire protocols of other trainers: thin routers over the same episodes and verdicts."""
