"""Adapters to other libraries and trainers, one module each."""
