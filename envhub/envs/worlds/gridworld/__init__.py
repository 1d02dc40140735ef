"""gridworld-v0: missions in the words of BabyAI."""
