"""Databases as SQLite files, and our own queries on them."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from envhub.core.seeding import Stream
from envhub.envs.code.ehr.catalogue import SCHEMA
from envhub.envs.code.ehr.hospital import Focus, Tables, draw_hospital


def connect(tables: Tables) -> sqlite3.Connection:
    """A database in memory with these rows."""
    connection = sqlite3.connect(":memory:")
    for table, columns in SCHEMA.items():
        declared = ", ".join(f"{name} {kind}" for name, (kind, _) in columns.items())
        connection.execute(f"CREATE TABLE {table} ({declared})")
        if tables[table]:
            connection.executemany(f"INSERT INTO {table} VALUES ({', '.join('?' * len(columns))})", tables[table])
    for table, columns in SCHEMA.items():
        if "patient_id" in columns and table != "patients":
            connection.execute(f"CREATE INDEX {table}_of_patient ON {table} (patient_id)")
    connection.execute(
        "CREATE TABLE dictionary (table_name TEXT NOT NULL, column_name TEXT NOT NULL, meaning TEXT NOT NULL)"
    )
    meanings = [(table, name, meaning) for table, columns in SCHEMA.items() for name, (_, meaning) in columns.items()]
    connection.executemany("INSERT INTO dictionary VALUES (?, ?, ?)", meanings)
    connection.commit()
    return connection


def run(connection: sqlite3.Connection, query: str) -> list[list[Any]]:
    """The rows of one of our own queries."""
    return [list(row) for row in connection.execute(query).fetchall()]


def hidden(seed: str, patients: int, mixed: bool, focus: Focus) -> sqlite3.Connection:
    """A hidden database."""
    rng = Stream(bytes.fromhex(seed), "hidden")
    return connect(draw_hospital(rng, patients, mixed=mixed, focus=focus))


@lru_cache(maxsize=32)
def hidden_file(seed: str, patients: int, mixed: bool, focus: str) -> bytes:
    """A hidden database as a file.

    Args:
        seed: Its seed.
        patients: Number of patients.
        mixed: Whether results have several units.
        focus: What is frequent, as JSON.
    """
    connection = hidden(seed, patients, mixed, Focus.from_json(json.loads(focus)))
    content = bytes(connection.serialize())
    connection.close()
    return content


@lru_cache(maxsize=4)
def _visible(seed: str, patients: int, mixed: bool) -> bytes:
    connection = connect(draw_hospital(Stream(bytes.fromhex(seed), "visible"), patients, mixed=mixed))
    content = bytes(connection.serialize())
    connection.close()
    return content


def visible_file(problem: Mapping[str, Any]) -> bytes:
    """The database that the policy may query, as a file."""
    return _visible(problem["hospital"], problem["patients"], problem["mixed"])
