"""Shared by the adapters: episodes and rewards for rows, batching, and a confined process."""
