"""Shared by the adapters: episodes and rewards for rows, batching, confinement."""
