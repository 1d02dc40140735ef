"""Worlds that change as the policy acts, and plans in them."""
