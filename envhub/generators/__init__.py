"""The problem: engines that two or more environments share. They know nothing of environments, prompts or rewards."""
