"""Build hook: writes the registry as JSON into the package and puts the start-up line beside it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import yaml
from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class RegistryHook(BuildHookInterface):
    """Turns ``registry.yaml`` into ``envhub/registry.json`` for the wheel; a checkout reads the YAML itself."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the generated files to what the wheel holds."""
        root = Path(self.root)
        start = str(root / "envhub.pth")
        if self.target_name != "wheel":
            return
        if version == "editable":
            build_data["force_include_editable"][start] = "envhub-gymnasium.pth"
            return
        lines = yaml.safe_load((root / "registry.yaml").read_text())
        target = root / "envhub" / "registry.json"
        target.write_text(json.dumps(lines, separators=(",", ":")))
        build_data["artifacts"].append("/envhub/registry.json")
        build_data["force_include"][start] = "envhub-gymnasium.pth"
