"""Puts the code into a wheel that a start needs (`grpo_lint/shipped.py`); an editable installation does without, and so does one where
the file cannot be made: it is a matter of speed alone."""

import subprocess
import sys
import tempfile
from pathlib import Path

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Shipping(BuildHookInterface):
    def initialize(self, version, build_data):
        self.folder = tempfile.TemporaryDirectory()
        if version == "editable" or sys.implementation.name != "cpython":
            return
        try:
            subprocess.run([sys.executable, Path(self.root, "shipping", "__main__.py"), self.folder.name], check=True)
        except (OSError, subprocess.CalledProcessError) as error:
            self.app.display_warning(
                f"The wheel starts slower, since the code of typical starts could not be written: {error}"
            )
        for path in Path(self.folder.name).iterdir():
            build_data["force_include"][str(path)] = f"grpo_lint/{path.name}"

    def finalize(self, version, build_data, artifact_path):
        self.folder.cleanup()
