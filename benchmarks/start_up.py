"""What grpo-lint costs compared with other linters: CPU and wall-clock time of whole processes, run in turn.

    python benchmarks/start_up.py --write                   # measures for some minutes, and writes the tables of docs/speed.md and of both READMEs
    python benchmarks/start_up.py --files 200 --rounds 5    # a quick look

Run it with the interpreter of an environment in which `pip install '.[test]'` was done: it measures
the programs installed beside that interpreter, and actionlint where it is on the path. CPU time is the user and system
time of a child and its children, as the kernel counts them, so that other work on the machine matters little. The median
of the rounds is reported, and a ratio is that of the two medians that are shown. Only the ratios are comparable between machines.
"""

import argparse
import json
import os
import platform
import shutil
import statistics
import subprocess
import sys
import sysconfig
import tempfile
import time
from pathlib import Path

from trees import (
    NEMO_FILE,
    OPENRLHF_SCRIPT,
    SCHEMA,
    SLIME_SCRIPT,
    TRAIN,
    VERL_FILE,
    VERL_SCRIPT,
    WORKFLOW,
    clean,
    facts_unknown,
    foreign,
    foreign_program,
    tenth_fails,
    write_repository,
    write_tree,
)

PROGRAMS = Path(sysconfig.get_path("scripts"))
ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "speed.md"
BEGIN, END = "<!-- measured: begin -->\n", "<!-- measured: end -->\n"
CLEAN, FINDINGS = 0, 1
READING = "for path in open('files.txt').read().split('\\n'): open(path, 'rb').read()"


class Program:
    """A command line with the exit status that it ends with."""

    def __init__(self, name, command, status=CLEAN):
        self.name = name
        self.command = list(map(str, command))
        self.status = status


# --- measuring ------------------------------------------------------------------------------------------------------


def environment():
    """The environment of a user: bytecode is cached, and no variable of this project changes the programs."""
    return {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("PYTHON", "GRPO_LINT", "YAMLLINT", "XDG"))
    }


def spent(program, folder):
    """(CPU seconds, wall-clock seconds) of one run, which must end with the expected status: a crash is not
    measured."""
    start = time.perf_counter()
    process = subprocess.Popen(
        program.command, cwd=folder, env=environment(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    _, ended, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(ended)
    if process.returncode != program.status:
        sys.exit(f"start_up: exit status {process.returncode}, not {program.status}: {' '.join(program.command[:6])}")
    return usage.ru_utime + usage.ru_stime, wall


def measure(programs, folder, rounds):
    """{name: [(CPU seconds, wall-clock seconds) of each round]}. The programs are run in turn; a first round fills
    caches and is not counted."""
    found = {program.name: [] for program in programs}
    for counted in [False] + [True] * rounds:
        for program in programs:
            times = spent(program, folder)
            if counted:
                found[program.name].append(times)
    return found


def table(title, found, peers):
    """A table of the measurements: CPU and wall-clock milliseconds (medians), and the ratios to the peers."""
    yield f"| {title} | CPU ms | wall ms | " + " | ".join(f"x {peer}" for peer in peers) + " |"
    yield "|---|---:|---:|" + "---:|" * len(peers)
    medians = {
        name: [round(statistics.median(column) * 1000, 1) for column in zip(*times, strict=True)]
        for name, times in found.items()
    }
    for name, (cpu, wall) in medians.items():
        ratios = (shown(cpu / medians[peer][0]) for peer in peers)
        yield f"| {name} | {cpu:,.1f} | {wall:,.1f} | " + " | ".join(ratios) + " |"
    yield ""


def shown(number):
    """A ratio as the tables have it."""
    return f"{number:.3f}" if number < 0.2 else f"{number:.2f}" if number < 10 else f"{number:.1f}"


# --- the programs ---------------------------------------------------------------------------------------------------

NOTHING = "python -c pass"
YAMLLINT = "yamllint"
JSONSCHEMA = "check-jsonschema"
CLEAN_CONFIG = "grpo-lint, clean config"


def installed(name):
    path = PROGRAMS / name
    if not path.exists():
        sys.exit(f"start_up: {name} is not installed beside {sys.executable}: pip install '.[test]'")
    return path


def ours(name, *words, status=CLEAN):
    return Program(name, [installed("grpo-lint"), "check", *words], status)


def nothing():
    return Program(NOTHING, [sys.executable, "-c", "pass"])


def yamllint(*words):
    return Program(YAMLLINT, [installed("yamllint"), *words])


def other_peers(schema, words):
    yield Program("check-yaml", [installed("check-yaml"), *words])
    yield Program(JSONSCHEMA, [installed("check-jsonschema"), "--schemafile", schema, *words])


def actionlint(folder):
    """actionlint on a workflow, the only kind of file that it checks; empty where it is not installed."""
    found = shutil.which("actionlint", path=os.pathsep.join([str(PROGRAMS), os.environ.get("PATH", "")]))
    if found is None:
        print("actionlint is not installed, and not measured", file=sys.stderr)
        return
    (folder / "workflow.yml").write_text(WORKFLOW)
    yield Program("actionlint, a workflow of 15 lines", [found, "-shellcheck=", "-pyflakes=", "workflow.yml"])


# --- the tables -----------------------------------------------------------------------------------------------------


def one_file(place, schema, rounds):
    folder = write_tree(place / "one", 1, clean)
    (folder / "failing.yaml").write_text(tenth_fails(0))
    script = write_tree(place / "with-a-script", 1, clean) / "train.py"
    script.write_text(TRAIN)
    command = ("torchrun", "--nproc_per_node", "7", str(script), "--config", str(script.with_name("00000.yaml")))
    programs = [
        nothing(),
        ours("grpo-lint, failing config", "failing.yaml", status=FINDINGS),
        ours(CLEAN_CONFIG, "00000.yaml"),
        ours("grpo-lint, a command that starts a clean config", "--", *command),
        Program("grpo-lint explain, clean config", [installed("grpo-lint"), "explain", "00000.yaml"]),
        yamllint("00000.yaml"),
        *other_peers(schema, ["00000.yaml"]),
        *actionlint(folder),
    ]
    return table("one file", measure(programs, folder, rounds), (NOTHING, YAMLLINT, "check-yaml", CLEAN_CONFIG))


def one_script(place, rounds):
    folder = place / "script"
    folder.mkdir()
    (folder / "run.yaml").write_text(VERL_FILE)
    runs = {"a script for verl": VERL_SCRIPT, "a script for slime": SLIME_SCRIPT, "a script for OpenRLHF": OPENRLHF_SCRIPT,
            "a file of NeMo-RL": NEMO_FILE}  # fmt: skip
    programs = [nothing()]
    for number, (name, text) in enumerate(runs.items()):
        path = folder / f"run{number}" / ("run.sh" if text.startswith("#!") else "run.yaml")
        path.parent.mkdir()
        path.write_text(text)
        programs.append(ours(f"grpo-lint, {name}", path.relative_to(folder)))
    programs.append(yamllint("run.yaml"))
    return table("a run of 60 lines, a YAML file of that size", measure(programs, folder, rounds), (NOTHING, YAMLLINT))


TREES = {  # {title: (text of a file, status, whether all peers are measured)}
    "clean, processes and version known": (clean, CLEAN, True),
    "10 % of them fail": (tenth_fails, FINDINGS, False),
    "processes unknown, version inferred": (facts_unknown, CLEAN, False),
    "YAML that is not ours": (foreign, CLEAN, False),
}


def many_files(place, schema, count, rounds):
    for what, (text, status, all_peers) in TREES.items():
        folder = write_tree(place / text.__name__, count, text)
        names = sorted(path.name for path in folder.iterdir())
        programs = [
            nothing(),
            ours("grpo-lint", ".", status=status),
            yamllint("."),
            *(other_peers(schema, names) if all_peers else ()),
        ]
        yield from table(f"{count:,} files: {what}", measure(programs, folder, rounds), (NOTHING, YAMLLINT))


def large_repository(place, foreign_files, own_files, rounds):
    folder = place / "repository"
    paths = write_repository(folder, foreign_files, own_files)
    (folder / "files.txt").write_text("\n".join(paths))
    reading = "reading the same files in Python"
    programs = [
        Program(reading, [sys.executable, "-c", READING]),
        ours("grpo-lint", "."),
    ]
    yield from table(f"a repository: {foreign_files:,} YAML files that are not ours, {own_files} of ours",
                     measure(programs, folder, rounds), (reading,))  # fmt: skip


def a_grid(place, rounds):
    """100,000 runs of a grid whose settings all affect the batch, compared with one check of the config that it
    varies."""
    folder = write_tree(place / "grid", 1, clean)
    axes = "per_device_train_batch_size gradient_accumulation_steps num_generations steps_per_generation num_iterations".split()
    (folder / "sweep.yml").write_text("parameters:\n" + "".join(f"  {name}: {{min: 1, max: 10}}\n" for name in axes))
    words = [installed("grpo-lint"), "sweep", "sweep.yml", "--config", "00000.yaml"]
    programs = [ours(CLEAN_CONFIG, "00000.yaml"), Program("grpo-lint sweep, 100,000 runs", words, status=FINDINGS)]
    return table("a grid over one config", measure(programs, folder, rounds), (CLEAN_CONFIG,))


def foreign_programs(place, count, rounds):
    """Python that configures no training, twenty times as long as a config: each file costs about one read."""
    folder = write_tree(place / "programs", count, foreign_program, ".py")
    (folder / "files.txt").write_text("\n".join(sorted(path.name for path in folder.iterdir())))
    reading = "reading the same files in Python"
    programs = [Program(reading, [sys.executable, "-c", READING]), ours("grpo-lint", ".")]
    yield from table(f"{count:,} files: Python that is not ours", measure(programs, folder, rounds), (reading,))


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument(
        "--files", type=int, default=2000, help="files in a tree (default: 2000); a repository has ten times as many"
    )
    parser.add_argument(
        "--rounds", type=int, default=21, help="rounds over one file (default: 21); trees take a seventh of it"
    )
    parser.add_argument(
        "--write", action="store_true", help="write the tables into the pages, in the place of the old ones"
    )
    parser.add_argument("--runs", action="store_true", help="only the table of runs of 60 lines, one of each framework")
    return parser.parse_args()


def runs_alone(rounds):
    with tempfile.TemporaryDirectory() as place:
        yield from one_script(Path(place), rounds)


def all_tables(files, rounds):
    with tempfile.TemporaryDirectory() as place:
        place = Path(place)
        schema = place / "schema.json"
        schema.write_text(json.dumps(SCHEMA))
        few = max(rounds // 7, 1)
        yield from one_file(place, schema, rounds)
        yield from one_script(place, rounds)
        yield from a_grid(place, rounds)
        yield from many_files(place, schema, files, few)
        yield from foreign_programs(place, files, few)
        yield from large_repository(place, files * 10, min(files, 100), few)


# {a README: what its table is called, {a row of the first table: its name there})
READMES = {
    "README.md": (("one file", "CPU ms", "x"), {name: name for name in (NOTHING, "grpo-lint, failing config", CLEAN_CONFIG, YAMLLINT, JSONSCHEMA)}),
    "README.zh-CN.md": (("单个文件", "CPU 毫秒", "相对"), {NOTHING: NOTHING, "grpo-lint, failing config": "grpo-lint，有错误的配置",
                        CLEAN_CONFIG: "grpo-lint，无错误的配置", YAMLLINT: YAMLLINT, JSONSCHEMA: JSONSCHEMA}),
}  # fmt: skip


def excerpt(lines, titles, names):
    """The rows of the first table that a README shows: CPU time, and the ratios to nothing and to yamllint."""
    what, unit, times = titles
    yield f"| {what} | {unit} | {times} {NOTHING} | {times} {YAMLLINT} |"
    yield "|---|---:|---:|---:|"
    for line in lines[2 : lines.index("")]:
        name, cpu, _wall, nothing, peer, *_ = line.strip("| ").split(" | ")
        if name in names:
            yield f"| {names[name]} | {cpu} | {nothing} | {peer} |"


def write(lines):
    """Replace the tables on the pages."""
    day = (
        f"Measured on {time.strftime('%d %B %Y')} with Python {platform.python_version()}, {os.cpu_count()} cores.\n\n"
    )
    replace(PAGE, day + "\n".join(lines))
    for page, (titles, names) in READMES.items():
        replace(ROOT / page, "\n".join(excerpt(lines, titles, names)) + "\n")


def replace(page, measured):
    text = page.read_text(encoding="utf-8")
    page.write_text(text[: text.index(BEGIN) + len(BEGIN)] + measured + text[text.index(END) :], encoding="utf-8")


def main():
    wanted = arguments()
    lines = []
    for line in runs_alone(wanted.rounds) if wanted.runs else all_tables(wanted.files, wanted.rounds):
        print(line, flush=True)
        lines.append(line)
    if wanted.write and not wanted.runs:
        write(lines)


if __name__ == "__main__":
    main()
