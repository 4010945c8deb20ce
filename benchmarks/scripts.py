"""What reading launch scripts costs beside shellcheck: CPU seconds over the same 2,000 scripts, in turn, in one run.

    python benchmarks/scripts.py [--files 2000] [--rounds 3]

The scripts are those of tests/scripts, each with a line of its own so that no two are equal. Needs shellcheck on the
path.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[1] / "tests" / "scripts"
PROGRAMS = Path(sys.executable).parent


def write_scripts(target, count):
    for folder in ("recipes", "accelerate"):
        (target / folder).mkdir()
        for file in (FOLDER / folder).iterdir():
            (target / folder / file.name).write_bytes(file.read_bytes())
    sources = sorted(FOLDER.glob("*.sh"))
    for number in range(count):
        (target / f"{number:05}.sh").write_bytes(
            sources[number % len(sources)].read_bytes() + f"\n# {number}\n".encode()
        )
    return sorted(target.glob("*.sh"))


def cpu_seconds(command, folder):
    before = os.times()
    subprocess.run(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    after = os.times()
    return after.children_user - before.children_user + after.children_system - before.children_system


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--files", type=int, default=2000)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        names = [path.name for path in write_scripts(Path(folder), options.files)]
        commands = {
            "grpo-lint": [PROGRAMS / "grpo-lint", "check", "--output-format", "concise", "."],
            "shellcheck": ["shellcheck", "--format=gcc", *names],
        }
        best = dict.fromkeys(commands, float("inf"))
        for _ in range(options.rounds):
            for name, command in commands.items():
                best[name] = min(best[name], cpu_seconds(command, folder))
    print(f"| {options.files} scripts, one process | CPU s | ms per script | x shellcheck |")
    print("|---|---:|---:|---:|")
    for name, seconds in best.items():
        print(f"| {name} | {seconds:.2f} | {1000 * seconds / options.files:.2f} | {seconds / best['shellcheck']:.3f} |")


if __name__ == "__main__":
    main()
