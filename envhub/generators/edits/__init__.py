"""Exact edits of texts, and templates."""
