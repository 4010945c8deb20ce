"""Run the fuzzer: `python -m fuzz [TARGET...] [--seconds N] [--seed N] [--plain] [--findings FOLDER]`, or `python -m
fuzz --replay FILE`.

With atheris installed it searches for inputs that reach new code. Without it, or with `--plain`, it changes the inputs
of the corpus at random. A finding does not end the run: its input is written to the folder of findings, one for each
place in the code that failed.
"""

import argparse
import hashlib
import json
import os
import random
import subprocess
import sys
import time
import traceback
from pathlib import Path

from .generators import GENERATORS
from .limits import TooSlow, bounded
from .mutations import LONGEST, mutated


class Session:
    """One target: how many inputs were tried, and what was found."""

    def __init__(self, target, folder):
        self.target = target
        self.folder = Path(folder)
        self.runs = 0
        self.found = {}  # place -> path of the input
        self.began = time.monotonic()

    def __call__(self, data):
        from .targets import TARGETS

        self.runs += 1
        try:
            with bounded():
                TARGETS[self.target](data)
        except (Exception, TooSlow) as error:
            self.note(data, error)
        if self.runs % 200 == 0:
            self.save()

    def note(self, data, error):
        frames = [
            frame
            for frame in traceback.extract_tb(error.__traceback__)
            if "grpo_lint" in frame.filename or "fuzz" in frame.filename
        ]
        place = type(error).__name__ + "".join(
            f" {Path(frame.filename).name}:{frame.name}" for frame in frames[-1:] if not isinstance(error, TooSlow)
        )
        place += f":{frames[-1].lineno}" if frames and not isinstance(error, TooSlow) else ""
        if place in self.found and len(data) >= self.found[place].stat().st_size:
            return
        self.folder.mkdir(parents=True, exist_ok=True)
        name = f"{self.target}-{hashlib.sha256(place.encode()).hexdigest()[:8]}"
        if place not in self.found:
            print(f"\n{self.target}: {place}: {str(error)[:300]}\n  -> {self.folder / name}", flush=True)
        self.found[place] = self.folder / name
        self.found[place].write_bytes(data)
        told = "".join(traceback.format_exception(error))
        (self.folder / f"{name}.txt").write_text(told, encoding="utf-8", errors="backslashreplace")

    def save(self):
        """Write the numbers to a file, since a run may be ended at any time."""
        self.folder.mkdir(parents=True, exist_ok=True)
        told = {
            "target": self.target,
            "inputs": self.runs,
            "seconds": round(time.monotonic() - self.began),
            "found": sorted(self.found),
        }
        (self.folder / f"{self.target}.json").write_text(json.dumps(told, indent=2) + "\n")


def run_plain(session, corpus, seconds, seed, most=None):
    """Try inputs until the time is over, or `most` of them were tried."""
    chance = random.Random(seed)
    end = time.monotonic() + seconds
    while time.monotonic() < end and (most is None or session.runs < most):
        session(another(session.target, chance.choice(corpus), chance, corpus))


def another(target, data, chance, corpus, longest=LONGEST):
    """An input changed at random; for some targets mostly a newly generated one."""
    made = target in GENERATORS and chance.random() < 0.9
    return GENERATORS[target](chance)[:longest] if made else mutated(data, chance, corpus, longest)


def run_guided(session, corpus, seconds, seed):
    """Let libFuzzer choose the inputs to continue with, by the code that they reach."""
    import atheris

    def custom_mutator(data, max_size, seed):
        chance = random.Random(seed)
        if chance.random() < 0.1:
            return atheris.Mutate(data, max_size)
        return another(session.target, data, chance, corpus, max_size)

    folder = session.folder / f"corpus-{session.target}"  # inputs that reached new code
    folder.mkdir(parents=True, exist_ok=True)
    for number, data in enumerate(corpus):
        (folder / f"seed-{number}").write_bytes(data[:LONGEST])
    words = [
        f"-max_total_time={seconds}",
        f"-seed={seed + 1}",
        f"-max_len={LONGEST}",
        "-timeout=300",
        "-rss_limit_mb=2000",
        "-verbosity=0",
    ]
    atheris.Setup([sys.argv[0], *words, str(folder)], session, custom_mutator=custom_mutator)
    atheris.Fuzz()


def has_atheris():
    from importlib.util import find_spec

    return find_spec("atheris") is not None


def replay(path, target=None):
    """Run one target on the input in a file; without `target`, the file name decides which."""
    from .targets import TARGETS

    TARGETS[target or Path(path).name.split("-")[0].split(".")[0]](Path(path).read_bytes())


def main():
    reader = argparse.ArgumentParser(prog="python -m fuzz", description=__doc__)
    reader.add_argument("targets", nargs="*", metavar="TARGET")
    reader.add_argument("--seconds", type=int, default=60, help="for each target (default: 60)")
    reader.add_argument("--seed", type=int, default=0)
    reader.add_argument("--plain", action="store_true", help="without atheris")
    reader.add_argument(
        "--findings",
        default="fuzz-findings",
        help="where inputs that break something are written (default: fuzz-findings)",
    )
    reader.add_argument("--replay", metavar="FILE", help="run one input that was written so")
    given = reader.parse_args()
    if given.replay:
        return replay(given.replay, *given.targets[:1])
    if len(given.targets) != 1:  # atheris can be set up once in a process
        from .targets import TARGETS

        for target in given.targets or TARGETS:
            words = [
                sys.executable,
                "-m",
                "fuzz",
                target,
                "--seconds",
                str(given.seconds),
                "--seed",
                str(given.seed),
                "--findings",
                given.findings,
            ]
            subprocess.run([*words, *(["--plain"] if given.plain else [])], check=False)
        return summary(given.findings)
    guided = has_atheris() and not given.plain
    if guided:
        import atheris

        with atheris.instrument_imports(include=["grpo_lint"]):
            from . import targets  # noqa: F401
    from .corpus import seeds

    (target,) = given.targets
    session = Session(target, given.findings)
    corpus = seeds(target)
    for data in corpus:
        session(data)
    session.save()
    (run_guided if guided else run_plain)(session, corpus, given.seconds, given.seed)
    session.save()


def summary(folder):
    """How much was tried, and what was found."""
    total = 0
    for path in sorted(Path(folder).glob("*.json")):
        told = json.loads(path.read_text())
        total += told["inputs"]
        print(
            f"{told['target']:<12}{told['inputs']:>10,} inputs in {told['seconds']:>6,} s, {len(told['found'])} findings"
        )
    print(f"{'all':<12}{total:>10,} inputs")


if __name__ == "__main__":
    os.environ.setdefault("PYTHONHASHSEED", "0")
    main()
