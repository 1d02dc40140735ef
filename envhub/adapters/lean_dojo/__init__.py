"""``lean-dojo``: theorems of traced repositories as tasks, and interactive proofs."""
