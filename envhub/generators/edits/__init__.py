"""Texts with exact edits, and templates: results that are determined character by character."""
