"""verl, EasyR1, OpenRLHF, slime and NeMo-RL in `run` and `new-release`: programs of their own ask them, and their cases are commands.

A release of verl is a wheel that is unpacked, one of the others a tag of its repository, or a wheel where there is none; beside one of slime
lies the Megatron that its image pins, with the patch that it brings. One environment holds what all need besides.
"""

import gzip
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path
from shlex import quote

import environments

HERE = Path(__file__).resolve().parent
# {dialect: {stage of the asking program: stage of the linter}}
STAGES = {
    "verl": {"compose": "read", "validate": "config", "init": "init", "step": "run"},
    "easyr1": {"read": "read", "init": "init", "step": "run"},
    "openrlhf": {"parse": "read", "launch": "init", "init": "init"},
    "slime": {"parse": "read", "launch": "init", "init": "init", "step": "run"},
    "nemo-rl": {
        "launch": "read",
        "parse": "read",
        "setup": "init",
        "init": "init",
        **dict.fromkeys(("train-start", "logprob", "train"), "run"),
    },
}
TAKEN_IN = ("verl", "easyr1", "openrlhf", "slime", "nemo-rl")  # by `new-release`
READ_AS_A_WHOLE = ("openrlhf", "slime", "nemo-rl")  # names and values are checked in one stage
UNNAMED = (
    "-----",
    "wide-tensor-parallel-has-equal-batches",
)  # an error of NeMo-RL that names nothing, and the rule whose warning says what dies of it
BY_FLAGS = ("openrlhf", "slime")  # their cases are flags, and checks of flags and of their values are one stage
START = {
    "verl": "python3 -m verl.trainer.main_ppo",
    "easyr1": "python3 -m verl.trainer.main",
    "openrlhf": "python3 -m openrlhf.cli.train_ppo_ray",
    "slime": "python3 train.py",
    "nemo-rl": "uv run examples/run_grpo.py",
}
REPOSITORIES = {
    "easyr1": "https://github.com/hiyouga/EasyR1",
    "openrlhf": "https://github.com/OpenRLHF/OpenRLHF",
    "slime": "https://github.com/THUDM/slime",
    "nemo-rl": "https://github.com/NVIDIA-NeMo/RL",
    "megatron": "https://github.com/NVIDIA/Megatron-LM",
}
DEEPSPEED = "0.18.9"  # whose checks of batches OpenRLHF's runs are asked about
# the commit of a version between two releases, which has no tag
COMMITS = {"0.3.3.dev0": "b44b311b669bf1fd1aa2fc36f2251482ba33cb16"}
PACKAGES = ("torch==2.13.0", "tensordict", "numpy", "packaging", "pyyaml", "hydra-core", "omegaconf", "pydantic")
COLUMNS = ("release", "cases", "accepted", "false alarms", "misses", "other stage")


def python(directory):
    """The interpreter of the environment for asking, which is created if needed."""
    place = Path(directory).resolve() / "family"
    environments.build(place, [], [PACKAGES])
    return environments.python_of(place)


def source(dialect, version, directory):
    """The folder with the code of a release, which is fetched if needed."""
    place = Path(directory).resolve() / f"{dialect}-{version}"
    if place.exists():
        return place
    making = place.with_name(f"{place.name}-making")
    shutil.rmtree(making, ignore_errors=True)
    making.mkdir(parents=True)
    clone = None if dialect == "verl" else cloned(dialect, directory)
    tag = COMMITS.get(version, f"v{version}")
    if clone is None or not has_commit(clone, tag):
        unpack_wheel(wheel(version, directory, dialect), making)
    else:
        unpack(clone, tag, making)
    making.rename(place)
    return place


def cloned(name, directory):
    """A bare clone of a repository, with what is new in it."""
    clone, address = Path(directory).resolve() / f"{name}-clone", REPOSITORIES[name]
    if not clone.exists():
        subprocess.run(["git", "clone", "-q", "--bare", address, clone], check=True)
    else:
        branches = "+refs/heads/*:refs/heads/*"
        subprocess.run(["git", "-C", clone, "fetch", "-q", "--tags", address, branches], check=True)
    return clone


def has_commit(clone, name):
    told = subprocess.run(
        ["git", "-C", clone, "rev-parse", "-q", "--verify", f"{name}^{{commit}}"], stdout=subprocess.PIPE
    )
    return told.returncode == 0


def unpack(clone, commit, place, *paths):
    """Write the files of a commit into a folder."""
    command = ["git", "-C", clone, "archive", commit, *paths]
    archive = subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout
    (place / "archive.tar").write_bytes(archive)
    tarfile.open(place / "archive.tar").extractall(place, filter="data")


def unpack_wheel(path, place):
    zipfile.ZipFile(path).extractall(place)
    for data in place.glob("*.data/purelib/*"):
        data.rename(place / data.name)


def megatron(version, directory):
    """The Megatron that the image of a release of slime pins, with the patch that the release brings."""
    place = Path(directory).resolve() / f"slime-{version}-megatron"
    if not place.exists():
        own = source("slime", version, directory)
        pinned = re.search(
            r"^ARG MEGATRON_COMMIT=(\S+)", (own / "docker/Dockerfile").read_text(encoding="utf-8"), re.MULTILINE
        )
        making = place.with_name(f"{place.name}-making")
        shutil.rmtree(making, ignore_errors=True)
        making.mkdir(parents=True)
        unpack(cloned("megatron", directory), pinned[1], making, "megatron")
        patch = (own / "docker/patch/latest/megatron.patch").read_bytes()
        subprocess.run(["patch", "-s", "-p1"], cwd=making, input=patch, check=True)
        making.rename(place)
    return place


def deepspeed(directory):
    """The file of DeepSpeed that checks the sizes of a batch."""
    place = Path(directory).resolve() / f"deepspeed-{DEEPSPEED}"
    if not place.exists():
        pip = [
            sys.executable,
            "-m",
            "pip",
            "--python",
            python(directory),
            "--disable-pip-version-check",
            "download",
            "-q",
        ]
        words = ["--no-deps", "--no-build-isolation", "-d", place.parent, f"deepspeed=={DEEPSPEED}"]
        environment = {**os.environ, "DS_BUILD_OPS": "0"}
        subprocess.run([*pip, *words], check=True, stdout=sys.stderr, env=environment)
        tarfile.open(place.with_name(f"{place.name}.tar.gz")).extractall(place.parent, filter="data")
    return place / "deepspeed/runtime/config.py"


def wheel(version, directory, package="verl"):
    """The wheel of a release, which is fetched if needed."""
    wheels = Path(directory).resolve() / f"{package}-wheels"
    found = sorted(wheels.glob(f"{package}-{version}-*.whl"))
    if not found:
        pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "download", "-q", "--no-deps", "-d", wheels]
        subprocess.run([*pip, f"{package}=={version}"], check=True, stdout=sys.stderr)
        found = sorted(wheels.glob(f"{package}-{version}-*.whl"))
    return found[0]


def cases(dialect, count, seed):
    return module(dialect, "cases").drawn(count, seed)


def module(dialect, name):
    """A module of the folder of a dialect."""
    import importlib.util

    path = HERE / dialect.replace("-", "_") / f"{name}.py"
    spec = importlib.util.spec_from_file_location(f"conformance_{dialect}_{name}", path)
    found = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(found)
    return found


def ask(dialect, version, directory, drawn):
    """The verdicts of a release on cases."""
    program = [python(directory), *asking(dialect, version, directory)]
    if dialect == "nemo-rl":
        drawn = [module(dialect, "cases").request(case) for case in drawn]
    if dialect in BY_FLAGS:
        words = [case["argv"] if "argv" in case else arguments(dialect, version, case) for case in drawn]
        drawn = [{"id": case["id"], "argv": argv} for case, argv in zip(drawn, words)]
    lines = "".join(json.dumps(case) + "\n" for case in drawn)
    answer = subprocess.run(program, input=lines, capture_output=True, text=True, encoding="utf-8")
    verdicts = [json.loads(line) for line in answer.stdout.splitlines()]
    if len(verdicts) != len(drawn):
        sys.exit(f"{dialect} {version} answered {len(verdicts)} of {len(drawn)} questions:\n{answer.stderr[-2000:]}")
    return verdicts


def asking(dialect, version, directory):
    """The program that asks a release, with what it is told."""
    beside = {"openrlhf": lambda: [deepspeed(directory)], "slime": lambda: [megatron(version, directory)]}
    found = [HERE / dialect.replace("-", "_") / "ask.py", source(dialect, version, directory)]
    found += [] if dialect == "easyr1" else [version]
    return [*found, *beside.get(dialect, list)()]


def arguments(dialect, version, case):
    """The words behind the program of a case that consists of flags."""
    return [*module(dialect, "cases").words(case, version)]


def written(dialect, value):
    if type(value) is str:
        plain = all(character.isalnum() or character in "_-./~" for character in value)
        return value if plain or dialect == "easyr1" else f"'{value}'"
    return json.dumps(value)


def script(dialect, version, case):
    """A case as a script."""
    if dialect in BY_FLAGS:
        told = " ".join(map(quote, arguments(dialect, version, case)))
        return f"# grpo-lint: dialect={dialect} version={version}\n{START[dialect]} {told}\n"
    if dialect == "nemo-rl":
        start = START[dialect] if version >= "0.5" else START[dialect].replace("run_grpo", "run_grpo_math")
        asked = module(dialect, "cases").request(case)
        words = [*(["--config", asked["config"]] if "config" in asked else []), *map(quote, asked["overrides"])]
        return f"# grpo-lint: dialect={dialect} version={version}\n{start} {' '.join(words)}\n"
    words = [quote(f"{key}={written(dialect, value)}") for key, value in case["config"].items()]
    if case.get("config_name", "ppo_trainer") != "ppo_trainer":
        words.insert(0, f"--config-name={case['config_name']}")
    command = " \\\n    ".join([START[dialect], *words])
    return f"# grpo-lint: dialect={dialect} version={version}\n{command}\n"


def said(dialect, version, case):
    """(the earliest stage of the linter's errors or None, the names of the rules) of a case."""
    from grpo_lint import engine
    from grpo_lint.source.text import Text

    order = ["read", "config", "init", "run"]
    findings = engine.lint(Text(script(dialect, version, case), "run.sh"), fixes=False).findings
    errors = [finding for finding in findings if finding.severity == "error"]
    stages = ["read" if each.stage == "config" and dialect in READ_AS_A_WHOLE else each.stage for each in errors]
    told = [each.rule.name for each in findings if each in errors or each.rule.name == UNNAMED[1]]
    return min(stages, key=order.index, default=None), told


def judge(dialect, version, options):
    """(row of the table, disagreements as texts) of a release."""
    drawn = cases(dialect, options.cases, options.seed)
    verdicts = ask(dialect, version, options.environments, drawn)
    counts = dict.fromkeys(COLUMNS[3:], 0)
    listing, accepted = [], 0
    if options.record:
        record(options.record / f"{dialect}-{version}.jsonl.gz", dialect, version, zip(drawn, verdicts))
    for case, verdict in zip(drawn, verdicts):
        accepted += verdict["accepted"]
        theirs = None if verdict["accepted"] else STAGES[dialect][verdict["stage"]]
        ours, rules = said(dialect, version, case)
        if ours is None and UNNAMED[0] in str(verdict["error"]) and UNNAMED[1] in rules:
            continue
        if ours == theirs:
            continue
        kind = "false alarms" if theirs is None else "misses" if ours is None else "other stage"
        counts[kind] += 1
        listing.append(
            f"{kind}: {case['id']}: ours {ours} {rules}, theirs {theirs} {verdict['error']}\n\n"
            + "".join(f"    {line}\n" for line in script(dialect, version, case).splitlines())
        )
    return (f"{dialect} {version}", len(drawn), accepted, *counts.values()), listing


def record(path, dialect, version, judged):
    """Write what was asked and answered: a line for each script, its stage as the linter names it, and its words."""
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = [
        {
            "script": script(dialect, version, case),
            "stage": None if verdict["accepted"] else STAGES[dialect][verdict["stage"]],
            "error": None if verdict["accepted"] else " ".join(str(verdict["error"]).split())[:80],
        }
        for case, verdict in judged
    ]
    text = "".join(json.dumps(line) + "\n" for line in lines)
    path.write_bytes(gzip.compress(text.encode(), mtime=0))


def run(words, options):
    """The tables of targets such as verl:0.9.1; True when anything disagrees."""
    print("| " + " | ".join(COLUMNS) + " |\n| --- |" + " ---: |" * (len(COLUMNS) - 1), flush=True)
    listings = []
    for word in words:
        dialect, _, version = word.partition(":")
        row, listing = judge(dialect, version, options)
        print("| " + " | ".join(map(str, row)) + " |", flush=True)
        listings += listing
    if options.list:
        print("\n".join(["", *listings]))
    return bool(listings)


# --- taking in a release --------------------------------------------------------------------------------------------


def releases(dialect):
    from grpo_lint.frameworks.registry import catalogue_module

    return list(catalogue_module(dialect).RELEASES)


def newest(dialect):
    """The newest release that has a tag; no package of the name EasyR1 or slime is its own."""
    answer = subprocess.run(
        ["git", "ls-remote", "--tags", REPOSITORIES[dialect]], check=True, stdout=subprocess.PIPE, text=True
    )
    tags = re.findall(r"refs/tags/v([\d.]+)$", answer.stdout, re.MULTILINE)
    return max(tags, key=lambda tag: [*map(int, tag.split("."))])


def write_catalogue(dialect, wanted, directory, out):
    """Write the catalogue of these releases, the oldest first, to a path."""
    if dialect in BY_FLAGS:
        tables = [flags_of(dialect, wanted, directory)]
        tables += [renamed(dialect)] if dialect == "openrlhf" else []
        Path(out).write_text(module(dialect, "catalogue").catalogue(*tables), encoding="utf-8")
        return
    fetch = wheel if dialect == "verl" else lambda version, place: source(dialect, version, place)
    places = [fetch(version, directory) for version in wanted]
    command = [python(directory), HERE / dialect.replace("-", "_") / "catalogue.py", *places, "--out", out]
    subprocess.run(command, check=True, stdout=sys.stderr)
    if dialect == "nemo-rl":
        kinds = {version: kinds_of(version, place, directory) for version, place in zip(wanted, places)}
        asked = {version: found for version, found in kinds.items() if found is not None}
        Path(out).with_name("declared.py").write_text(module(dialect, "declared").module_text(asked), encoding="utf-8")


def kinds_of(version, place, directory):
    """Which values the settings of a release of NeMo-RL take; None of one that does not ask pydantic."""
    if not module("nemo-rl", "declared").asks_pydantic(place):
        return None
    command = [python(directory), HERE / "nemo_rl/declared.py", place, version]
    answer = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, encoding="utf-8").stdout
    return json.loads(answer.splitlines()[-1])


def flags_of(dialect, wanted, directory):
    """The flags of releases, as their own parsers declare them: {flag: spans of releases in which it is the same}."""
    flags, before = {}, None
    for version in wanted:
        command = [python(directory), *asking(dialect, version, directory), "--flags"]
        answer = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, encoding="utf-8").stdout
        for flag, declared in json.loads(answer).items():
            spans = flags.setdefault(flag, [])
            last = {key: value for key, value in spans[-1].items() if key not in ("from", "to")} if spans else None
            if last == declared and spans[-1]["to"] == before:
                spans[-1]["to"] = version
            else:
                spans.append({"from": version, "to": version, **declared})
        before = version
    return {"releases": wanted, "flags": flags}


def renamed(dialect):
    """The flags of a catalogue that others replaced, which no parser tells."""
    from grpo_lint.frameworks.registry import catalogue_module

    table = catalogue_module(dialect).RENAMED
    return {"map": {f"--{old}": [f"--{name}" for name in new] for old, new in table.items()}}


def fields(dialect, path, release):
    """{setting of a release: (type, default)} of a catalogue file; for verl with the tree as a group before the
    name."""
    import importlib.util

    spec = importlib.util.spec_from_file_location("catalogue_of_the_family", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    index = module.RELEASES.index(release)
    if dialect != "verl":
        found = {name: [each for each in spans if each[1] <= index <= each[2]] for name, spans in module.FIELDS.items()}
        return {name: spans[0][3:5] for name, spans in found.items() if spans}
    from grpo_lint.frameworks.verl.tree import Nodes

    nodes = Nodes(module)
    return {
        f"{group}: {name}": (type, default)
        for name in nodes.paths()
        for groups, first, last, type, default in nodes.find(name).rows
        for group in ("dp", "megatron")
        if first <= index <= last and group in groups
    }


def take_in(dialect, release, directory, changes, known=None, path=None):
    """Write the catalogue with one more release. Returns the lines of a report. `changes(old, new)`: compares two
    releases; `known`: the earlier releases, by default those of the catalogue; `path`: where the catalogue is
    written."""
    from grpo_lint.frameworks.registry import catalogue_module

    known = known or releases(dialect)
    path = path or catalogue_module(dialect).__file__
    write_catalogue(dialect, [*known, release], directory, path)
    lines = [f"## Fields of {dialect}, {known[-1]} to {release}", ""]
    for heading, items in changes(fields(dialect, path, known[-1]), fields(dialect, path, release)).items():
        if items:
            lines += [f"{heading} ({len(items)}):", "", *(f"- {item}" for item in items), ""]
    return lines if len(lines) > 2 else [*lines, "None changed.", ""]
