"""Prints the disk space of each installed distribution as JSON.

Uses only the standard library.
"""

import json
import re
from importlib.metadata import Distribution, distributions


def size(found: Distribution) -> int:
    paths = (found.locate_file(file) for file in found.files or ())
    return sum(path.stat().st_size for path in paths if path.is_file())


print(json.dumps({re.sub(r"[-_.]+", "-", found.name).lower(): size(found) for found in distributions()}))
