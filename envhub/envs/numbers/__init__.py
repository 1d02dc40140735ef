"""Arithmetic and number theory: questions with one exact value."""
