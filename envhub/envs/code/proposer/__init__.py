"""proposer-v0 and proposed-v0: tasks about Python functions that a policy writes, and their solving."""
