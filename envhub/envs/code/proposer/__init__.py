"""proposer-v0 and proposed-v0: tasks that a policy writes."""
