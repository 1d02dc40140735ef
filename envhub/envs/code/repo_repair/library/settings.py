"""Settings of an application; the values here are replaced by drawn ones."""

from __future__ import annotations

UNIT = 60
RATE = 250
LOW_RATE = 180
FULL_UNITS = 2
MINIMUM = 150
WEEKEND_PERCENT = 20
LOYAL_AFTER = 3
LOYAL_PERCENT = 10
LARGE = 300
LARGE_PERCENT = 15
SPECIAL_FEE = 75
SPECIAL = ("alpha", "beta")
DAY_CAP = 2000
TAX_PERCENT = 7
STATUS_PERCENT = {"full": 100, "part": 50, "void": 0}
DEFAULT_STATUS = "full"
DEFAULT_TOP = 3
STREAK_LEAST = 2
COLUMNS = ("day", "client", "article", "amount", "paid", "status", "note")
