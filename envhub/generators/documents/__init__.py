"""Structured documents: JSON, JSON Schema, JSON Patch, YAML, TOML, XML, CSV and tables, read strictly and with bounds."""
