"""What a wheel is built of."""

import shutil
from pathlib import Path

ROOT = Path(__file__).parents[1]
FOLDERS = ("grpo_lint", "schemas", "shipping", "benchmarks", "examples")


def copy_folders(to):
    """Copy the folders of which a wheel is built, as a repository of ours holds them."""
    for name in FOLDERS:
        shutil.copytree(ROOT / name, to / name, ignore=shutil.ignore_patterns("__pycache__"))
