"""Puts the code into a wheel that a start needs (`grpo_lint/shipped.py`); an editable installation does without."""

import subprocess
import sys
import tempfile
from pathlib import Path

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Shipping(BuildHookInterface):
    def initialize(self, version, build_data):
        if version == "editable" or sys.implementation.name != "cpython":
            return
        self.folder = tempfile.TemporaryDirectory()
        subprocess.run([sys.executable, Path(self.root, "shipping", "__main__.py"), self.folder.name], check=True)
        for path in Path(self.folder.name).iterdir():
            build_data["force_include"][str(path)] = f"grpo_lint/{path.name}"

    def finalize(self, version, build_data, artifact_path):
        if version != "editable" and sys.implementation.name == "cpython":
            self.folder.cleanup()
