"""Build hook: puts the registry as JSON into the package, and the start-up line beside it."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

import yaml
from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class RegistryHook(BuildHookInterface):
    """Turns ``registry.yaml`` into ``envhub/registry/registry.json`` for the wheel; a checkout reads the YAML itself."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add what is generated to what the wheel holds; nothing is written into the source tree."""
        if self.target_name != "wheel":
            return
        root = Path(self.root)
        start = str(root / "envhub.pth")
        if version == "editable":
            build_data["force_include_editable"][start] = "envhub-gymnasium.pth"
            return
        generated = Path(tempfile.mkdtemp()) / "registry.json"
        generated.write_text(json.dumps(yaml.safe_load((root / "registry.yaml").read_text()), separators=(",", ":")))
        build_data["force_include"][str(generated)] = "envhub/registry/registry.json"
        build_data["force_include"][start] = "envhub-gymnasium.pth"
