"""Structured documents, read strictly and with bounds."""
