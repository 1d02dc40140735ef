"""repo-repair-v0: find and fix the fault in a small package."""
