"""Requests in words, and typed tools that serve them."""
