"""envhub: environments and verifiers for reinforcement learning of language models."""
