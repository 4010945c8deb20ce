"""Inputs generated at random: hostile repositories with the command lines to run in them. See `sandbox` for their
form."""

import shlex

from grpo_lint.cli.options import COMMANDS, FORMATS
from grpo_lint.frameworks.registry import NAMES as ALL_NAMES, framework as framework_named
from grpo_lint.frameworks.versions import version_key
from grpo_lint.launch.facts import FACTS

from .corpus import BASELINE, FILE, NAMED, PINS, SETTINGS, configs, scripts
from .mutations import ATTACKS, mutated
from .own_output import own_output
from .programs import notebook, python
from .strangers import git, names
from .values import bomb, long_text, nested, number, toml_value, word, yaml_value

_SMALLEST = {  # the keys that identify a framework, and how it is started
    "trl": (
        {"per_device_train_batch_size": "4", "num_generations": "8", "learning_rate": "1e-6"},
        "accelerate launch --num_processes 8 train.py",
    ),
    "swift": (
        {"rlhf_type": "grpo", "model": "m", "dataset": "d", "num_generations": "8"},
        "NPROC_PER_NODE=8 swift rlhf",
    ),
    "megatron": (
        {"rlhf_type": "grpo", "model": "m", "micro_batch_size": "2", "global_batch_size": "16", "num_generations": "8"},
        "megatron rlhf",
    ),
    "slime": (
        {"rollout_batch_size": "32", "n_samples_per_prompt": "8", "global_batch_size": "256", "num_rollout": "100"},
        "ray job submit -- python3 train.py",
    ),
    "openrlhf": (
        {
            "pretrain": "m",
            "prompt_data": "d",
            "rollout_batch_size": "64",
            "train_batch_size": "64",
            "n_samples_per_prompt": "8",
        },
        "python3 -m openrlhf.cli.train_ppo_ray",
    ),
}
_BY_FLAGS = ("slime", "openrlhf")  # which read no files of settings
_COMPOSED = {  # how a framework is started whose settings are overrides
    "verl": "python3 -m verl.trainer.main_ppo",
    "easyr1": "python3 -m verl.trainer.main",
    "verl-agent": "python3 -m verl.trainer.main_ppo env.env_name=sokoban",
    "nemo-rl": "uv run examples/run_grpo.py --config examples/configs/grpo_math_1B.yaml",
}
LINE = "\n"
_QUANTITIES = (
    "completions_per_update",
    "completions_per_rollout",
    "updates_per_rollout",
    "steps_per_epoch",
    "total_steps",
    "group_size",
    "dp_size",
)

NAMES = tuple(
    name for name in ALL_NAMES if not framework_named(name).reader.configs.nested
)  # those with top-level keys only
NESTED = tuple(name for name in ALL_NAMES if framework_named(name).reader.configs.nested)


def repository(commands, files):
    """An input."""
    texts = [f"{FILE}{header}\n{text.removesuffix(LINE)}\n" for header, text in files]
    return ("\n".join(commands) + "\n" + "".join(texts)).encode("utf-8", "surrogatepass")


# --- values ---------------------------------------------------------------------------------------------------------


def values(chance):
    """A hostile value for one setting of a release, for several or for all of them, at any place where a value can
    be."""
    if chance.random() < 0.25:
        return sections(chance)
    name = chance.choice(NAMES)
    return repository([], _valued(chance, name, chance.choice(framework_named(name).catalogue.releases)))


def sections(chance):
    """Hostile values and paths for settings in sections: overrides of a command, or a file."""
    name = chance.choice(NESTED)
    framework = framework_named(name)
    paths = sorted(framework.catalogue.names()) if chance.random() < 0.5 else list(framework.knobs.names)
    chosen = chance.sample(paths, min(chance.choice((1, 1, 2, 3)), len(paths)))
    release = chance.choice(framework.catalogue.releases)
    facts = f"dialect={name} version={release}"
    start = _COMPOSED[name]
    if chance.random() < 0.6:
        words = [f"{chance.choice(('', '', '', '+', '++', '~'))}{path}={word(chance)}" for path in chosen]
        return repository([], [("run.sh", f"# grpo-lint: {facts}\n{start} {' '.join(map(shlex.quote, words))}")])
    anchors, alias = bomb(chance)
    lines = [f"# grpo-lint: {facts}", *anchors.splitlines()]
    for section in dict.fromkeys(path.rpartition(".")[0] for path in chosen):
        for level, part in enumerate(section.split(".")):
            lines.append(f"{'  ' * level}{part}:")
        inside = [path.rpartition(".")[2] for path in chosen if path.rpartition(".")[0] == section]
        indentation = "  " * len(section.split("."))
        lines += [f"{indentation}{key}: {chance.choice((alias, yaml_value(chance)))}" for key in inside]
    return repository([], [("config.yaml", "\n".join(lines))])


def each_era():
    """One such input for each era of each framework, in which every setting has a bomb, a huge number or an odd
    value."""
    from random import Random

    for name in NAMES:
        framework = framework_named(name)
        if name in _BY_FLAGS:
            continue
        for regime in framework.arithmetic.regimes:
            since = ".".join(map(str, regime.since))
            releases = framework.catalogue.releases
            inside = [release for release in releases if framework.arithmetic.regime(version_key(release)) is regime]
            yield repository([], _valued(Random(f"{name} {since}"), name, (inside or [since])[-1], everything=True))


def _valued(chance, name, release, everything=False):
    catalogue = framework_named(name).catalogue
    index = catalogue.release_index(version_key(release))
    known = [
        key for key in sorted(catalogue.names()) if any(span[1] <= index <= span[2] for span in catalogue.rows[key])
    ]
    known = known if everything or chance.random() < 0.5 else sorted(framework_named(name).knobs.names)
    chosen = known if everything else chance.sample(known, min(chance.choice((1, 1, 1, 2, 3, 8, 40)), len(known)))
    settings, command = dict(_SMALLEST[name][0]), _SMALLEST[name][1]
    facts = (
        f"dialect={name} version={release} world-size={chance.choice((1, 7, 8))}"
        if chance.random() < 0.8
        else f"dialect={name}"
    )
    kind = (
        "yaml"
        if everything
        else chance.choice(("yaml", "yaml", "yaml", "script", "script", "comment", "settings", "deepspeed", "json"))
    )
    files = []
    if kind == "yaml":
        anchors, alias = bomb(chance)
        same = chance.choice((alias, alias, None))  # the same for all, or another one for each
        settings |= {key: same if same and chance.random() < 0.8 else yaml_value(chance) for key in chosen}
    elif kind == "json":
        settings |= {key: chance.choice((number, nested))(chance).lstrip("+") for key in chosen}
        files.append(("config.json", "{" + ", ".join(f'"{key}": {value}' for key, value in settings.items()) + "}"))
    elif kind == "comment":
        facts += "".join(f" {fact}={word(chance).partition(LINE)[0]}" for fact in chance.sample([*FACTS], 2))
        quantity = chance.choice(_QUANTITIES)
        facts += f"\n# grpo-lint: expect {quantity}={number(chance)} {chance.choice(chosen)}={number(chance)}\n# grpo-lint: ignore[{long_text(chance)}]"
    elif kind == "settings":
        files.append(("grpo-lint.toml", _settings(chance, chosen)))
    elif kind == "deepspeed":
        settings["deepspeed"] = "zero3.json"
        files.append(("zero3.json", _deepspeed(chance)))
        files.append(
            (
                "accelerate.yaml",
                f"distributed_type: DEEPSPEED\nnum_processes: {yaml_value(chance)}\nnum_machines: {yaml_value(chance)}\n",
            )
        )
    text = "".join(f"{key}: {value}\n" for key, value in settings.items())
    files.append(("config.yaml", f"# grpo-lint: {facts}\n{anchors if kind == 'yaml' else ''}{text}"))
    flags = {**settings, **{key: word(chance) for key in chosen}} if kind == "script" else {"config": "config.yaml"}
    flags = "".join(
        f" {chance.choice(('--{} {}', '--{} {}', '--{}={}')).format(key, shlex.quote(value))}"
        for key, value in flags.items()
    )
    number_of_processes = (
        f"NPROC_PER_NODE={shlex.quote(word(chance))} NNODES=$(({number(chance)} * 8)) " if chance.random() < 0.2 else ""
    )
    files.append(("run.sh", f"#!/bin/bash\n# grpo-lint: {facts}\n{number_of_processes}{command}{flags}\n"))
    return files


def _settings(chance, keys):
    """A settings file with a hostile value."""
    lines = [
        f"{fact} = {toml_value(chance)}"
        for fact in chance.sample([*FACTS, "exclude", "fail-on", "baseline", "select", "ignore", "known-keys"], 3)
    ]
    rules = [
        f"[rules.team-{at}]\non = {chance.choice((chr(34) + chance.choice([*keys, *_QUANTITIES]) + chr(34), toml_value(chance)))}\n"
        f"{chance.choice(('min', 'max', 'multiple-of', 'in', 'not-in', 'why', 'when'))} = {toml_value(chance)}\n"
        for at in range(chance.choice((1, 2, 5)))
    ]
    return (
        "\n".join(lines)
        + "\n"
        + "".join(rules)
        + f"[[overrides]]\npaths = ['*.yaml']\nworld-size = {toml_value(chance)}\n"
    )


def _deepspeed(chance):
    values = [
        chance.choice((number, nested, lambda chance: '"auto"', lambda chance: "NaN", lambda chance: '{"a": 1}'))(
            chance
        ).lstrip("+")
        for _ in range(6)
    ]
    names = ("train_micro_batch_size_per_gpu", "train_batch_size", "gradient_accumulation_steps", "gradient_clipping")
    return (
        "{"
        + "".join(f'"{name}": {value}, ' for name, value in zip(names, values))
        + f'"optimizer": {{"params": {{"lr": {values[-1]}}}}}}}'
    )


# --- what lies beside a config --------------------------------------------------------------------------------------

_TARGETS = ("../outside/secret.yaml", "../outside/secret.toml", "../outside/secret.json", "../outside/secret.sh", "../outside/secret.py", "../outside/secret.txt",
            "../outside", "../outside/folder", "..", ".", "itself", "is-not-there", "/dev/zero", "/proc/self/environ", "link-to-a-link.yaml", "../site")  # fmt: skip
_PLACES = ("train.yaml", "config.yaml", "run.sh", "grpo-lint.toml", ".grpo-lint.toml", "pyproject.toml", "requirements.txt", "uv.lock", "Dockerfile", "setup.py",
           "zero3.json", "accelerate.yaml", "train.py", "known.json", "report.out", ".gitignore", ".git/info/exclude", "configs", "scripts/inner", "trl/version.py",
           "swift", "link-to-a-link.yaml", ".pre-commit-config.yaml", ".git/config", ".cache", ".cache/grpo-lint")  # fmt: skip


_CONFIG = (
    "# grpo-lint: dialect=trl\nnum_generations: 8\nper_device_train_batch_size: 4\nlearning_rate: 1e-6\nown_key: 1\n"
)


def surroundings(chance):
    """Configs and scripts beside hostile files, and some command lines."""
    files = _ordinary(chance)
    for neighbour in chance.sample(_NEIGHBOURS, chance.choice((1, 1, 2, 3))):
        files += neighbour(chance)
    return repository([f"grpo-lint {_words(chance)}" for _ in range(chance.choice((1, 2, 3)))], files)


def _ordinary(chance):
    """The usual files of a repository, some of them changed at random."""
    files = {**NAMED, "config.yaml": _CONFIG, "run.sh": "#!/bin/bash\naccelerate launch --config_file accelerate.yaml train.py --config config.yaml --deepspeed zero3.json\n",
             "known.json": BASELINE, "requirements.txt": PINS[0], "grpo-lint.toml": 'version = "1.16.0"\nbaseline = "known.json"\n'}  # fmt: skip
    for name in chance.sample(sorted(files), 3):
        files.pop(name)
    if chance.random() < 0.5:
        name = chance.choice(sorted(files))
        others = [text.encode() for text in files.values()]
        files[name] = mutated(files[name].encode(), chance, others).decode("utf-8", "replace")
    if chance.random() < 0.3:
        files["other.yaml"] = chance.choice(configs()).decode("utf-8", "replace")
        files["other.sh"] = chance.choice(scripts()).decode("utf-8", "replace")
    return [(name, text) for name, text in files.items() if f"\n{FILE}" not in f"\n{text}"]


def _links(chance):
    for place in chance.sample(_PLACES, chance.choice((1, 2, 4, 8))):
        target = chance.choice(_TARGETS)
        if target.startswith("..") and "/" in place:
            target = "../" * place.count("/") + target
        yield f"{place} -> {place.rpartition('/')[2] if target == 'itself' else target}", ""
    yield (
        "linked.yaml",
        f"{_CONFIG}deepspeed: {chance.choice(('zero3.json', 'configs/secret.json', 'swift/secret.json'))}\n",
    )
    yield (
        "linked.sh",
        "#!/bin/bash\naccelerate launch train.py --config configs/secret.yaml\nswift rlhf swift/secret.yaml --num_generations 6\n",
    )


def _pipes(chance):
    return [(f"{place} |", "") for place in chance.sample(_PLACES, chance.choice((1, 3)))]


def _names_outside(chance):
    """Files that name others outside the repository, without any link."""
    outside = chance.choice(
        (
            "../outside/secret",
            "configs/../../outside/secret",
            "$PWD/../outside/secret",
            "../outside/folder/secret",
            "../outside/./secret",
        )
    )
    yield (
        "naming.yaml",
        f"{_CONFIG}deepspeed: {outside}.json\nresume_from_checkpoint: {outside}.yaml\nconfig: {outside}.yaml\n",
    )
    yield (
        "naming.sh",
        (
            f"#!/bin/bash\nsource {outside}.sh\n. {outside}.sh\neval $(cat {outside}.sh)\nN=$(< {outside}.txt)\nread M < {outside}.txt\n"
            f"accelerate launch --config_file {outside}.yaml {outside}.py --config {outside}.yaml --deepspeed {outside}.json --num_generations $N\n"
            f"cd ../outside && swift rlhf secret.yaml --num_generations 6\ntrl grpo --config {outside}.yaml\nbash {outside}.sh\n"
        ),
    )
    yield "requirements.txt", f"-r {outside}.txt\n-c {outside}.txt\n-e ../outside\ntrl @ file://{outside}.txt\n"
    yield (
        "pyproject.toml",
        f'[project]\nname = "trl"\ndynamic = ["dependencies", "version"]\n[tool.setuptools.dynamic]\ndependencies = {{file = ["{outside}.txt"]}}\n',
    )
    yield (
        "grpo-lint.toml",
        f'baseline = "{outside}.json"\nexclude = ["../**", "{outside}.yaml"]\nextend = "{outside}.toml"\npython-rules = ["{outside}.py"]\n',
    )
    yield (
        "train.py",
        f"import sys\nsys.path.insert(0, '../outside')\nfrom secret import *\nfrom ..outside.secret import Own\nfrom trl import GRPOTrainer\n{_ENTRY}",
    )
    yield "accelerate.yaml", f"deepspeed_config:\n  deepspeed_config_file: {outside}.json\nnum_processes: 7\n"


_ENTRY = "def main():\n    HfArgumentParser(GRPOConfig).parse_args_into_dataclasses()\n    GRPOTrainer()\nif __name__ == '__main__':\n    main()\n"


_LAUNCH = "swift rlhf --config config.yaml --rlhf_type grpo --num_generations 8 --per_device_train_batch_size 3 --model m --dataset d\n"


def _many_scripts(chance):
    """Scripts that each start the same runs: some hundred in all, since each costs a check."""
    copies, launches = chance.choice(((3, 100), (20, 10), (101, 3), (300, 1)))
    is_loop = copies * 8 <= 800 and chance.random() < 0.3
    text = f"for n in 1 2 3 4 5 6 7 8; do\n  {_LAUNCH}done\n" if is_loop else _LAUNCH * launches
    return [(f"scripts/run{{n}}.sh * {copies}", text)]


def _programs(chance):
    depth = chance.choice((50, 90, 200, 3000))
    odd = chance.choice((
        f"x = {'(' * depth}{')' * depth}", f"x = {'-' * depth}1", f"x = {'not ' * depth}1", f"x = {'1 + ' * depth}1", f"x = {'lambda: ' * depth}1", "x" + ".a" * depth,
        f"x = {number(chance)}", f"x = {nested(chance)}", "x" + "[0]" * depth, "x" + "()" * depth, f"x = {'[' * depth}", f"x = '{long_text(chance)}'",
        "".join("    " * row + "if x:\n" for row in range(min(depth, 99))) + "    " * 99 + "pass", "\f" * depth, "# -*- coding: utf-7 -*-", "# coding: rot13",
        f"x = f'{{x!r:{{x:{{x}}}}}}' * {number(chance)}", "match x:\n    case [*_]: pass", "import train", "from . import *", "from .... import x", "x = 1\0",
        "".join(f"class {side}{row}(L{row + 1}, R{row + 1}): pass\n" for row in range(40) for side in "LR"), f"{'@x' * 1}\n" * min(depth, 500), "\ud800", "\t x\n  y",
        f"@dataclass\nclass Own:\n    rows: int = {yaml_value(chance)}\n    more: {nested(chance)} = {number(chance)}\n", chance.choice(ATTACKS),
    ))  # fmt: skip
    copies, size = chance.choice(((1, 0), (3, 20_000), (50, 2000), (50, 250_000), (300, 500)))
    text = f"from trl import GRPOConfig, GRPOTrainer, HfArgumentParser, TrlParser\nfrom train0 import Own\nclass Own(GRPOConfig): pass\n{_ENTRY}"
    return [
        (f"train{{n}}.py * {copies}" + f" @ {size}" * bool(size), text + ("" if size else odd + "\n")),
        ("train.py", f"{text}{odd}\n"),
    ]


def _ignore_files(chance):
    glob = chance.choice(
        (
            "**/" * 30 + "x",
            "*a" * 40 + "b",
            "[a-" * 20,
            "!" * 30,
            "\\" * 31,
            "[!]a-]*" * 20,
            "**/*.yaml/**/../*.yaml",
            "/" * 40,
            "?" * 90,
            "*",
        )
    )
    text = "".join(f"{glob}{row}\n" for row in range(chance.choice((1, 60, 2000))))
    deep = "/".join("a" * chance.choice((1, 1, 30)) for _ in range(chance.choice((1, 5, 60))))
    yield chance.choice((".gitignore", ".git/info/exclude", f"{deep}/.gitignore")), text
    yield f"{deep}/{'a' * 40}{{n}}.yaml * {chance.choice((1, 40))}", _CONFIG


def _many_folders(chance):
    deep = "a/" * chance.choice((0, 3, 40))
    copies = chance.choice((5, 60, 600))
    return [(f"{deep}f{{n}}/.gitignore * {copies}", "*.log\n!x\n"), (f"{deep}f{{n}}/config.yaml * {copies}", _CONFIG),
            (f"{deep}f{{n}}/grpo-lint.toml * {copies}", "world-size = 7\n")][: chance.choice((1, 2, 3))]  # fmt: skip


def _own_files(chance):
    """Settings and baselines."""
    known = (BASELINE, f'{{"version": {number(chance)}, "findings": []}}', f'{{"version": 1, "findings": {nested(chance)}}}', "[" * 3000, "",
             f'{{"version": 1, "findings": [{{"path": "{"../" * 9}x", "rule": "GRPO203", "key": "{long_text(chance)[:500]}", "value": {number(chance)}}}]}}')  # fmt: skip
    yield "known.json", chance.choice(known)
    yield (
        chance.choice(("grpo-lint.toml", ".grpo-lint.toml", "configs/grpo-lint.toml")),
        chance.choice((SETTINGS, _settings(chance, ["max_steps"]))),
    )
    yield "configs/config.yaml", _CONFIG


def _pinned(chance):
    """Requirement and lock files."""
    release = chance.choice(
        (
            number(chance),
            "1." * 300 + "0",
            "1.16.0" + "a" * 900,
            "1.16.0+" + "x" * 300,
            "1!" + "9" * 400,
            "٨.٩",
            chance.choice(ATTACKS),
        )
    )
    yield "requirements.txt", f"trl=={release}\nms-swift==3.8.0\n" + "-r requirements.txt\n" * 3 + "-r other.txt\n"
    yield "other.txt", "-r requirements.txt\n" * chance.choice((1, 900))
    yield "uv.lock", f'[[package]]\nname = "trl"\nversion = "{release}"\n' * chance.choice((1, 400))
    yield (
        "pyproject.toml",
        f'[project]\ndependencies = ["trl=={release}"]\n'
        + chance.choice(("", "[" * 900, f"a = {toml_value(chance)}\n")),
    )
    yield f"requirements/{{n}}.txt * {chance.choice((1, 200))}", f"trl=={release}\n"


def _attached(chance):
    """Files for accelerate and DeepSpeed."""
    anchors, alias = bomb(chance)
    settings = (
        "num_processes",
        "num_machines",
        "distributed_type",
        "deepspeed_config",
        "mixed_precision",
        "gpu_ids",
        "machine_rank",
        "main_process_port",
    )
    yield (
        "accelerate.yaml",
        anchors
        + "".join(f"{name}: {chance.choice((alias, yaml_value(chance)))}\n" for name in chance.sample(settings, 4)),
    )
    yield (
        "zero3.json",
        chance.choice(
            (_deepspeed(chance), nested(chance), f'{{"train_batch_size": {number(chance)}}}', '{"a":' * 3000)
        ),
    )


_NEIGHBOURS = (
    _links,
    _links,
    _pipes,
    _names_outside,
    _many_scripts,
    _programs,
    _programs,
    _ignore_files,
    _many_folders,
    _own_files,
    _pinned,
    _attached,
)
_NEIGHBOURS = tuple((lambda made: lambda chance: [*made(chance)])(made) for made in _NEIGHBOURS)


# --- command lines --------------------------------------------------------------------------------------------------

_OPERANDS = (
    ".",
    "config.yaml",
    "run.sh",
    "train.yaml",
    "swift.yaml",
    "linked.yaml",
    "linked.sh",
    "configs",
    "scripts",
    "is-not-there.yaml",
    "other.yaml",
    "-",
    "pipe.yaml",
)
_WORTH = {"FILE": ("report.out", "new.out", "known.json", "configs/new.out", "config.yaml"), "PATTERN": ("vendor", "*.yaml", "a/**", "*a" * 30 + "b", "[", ""),
          "RULES": ("GRPO2", "GRPO203", "rollout-holds-whole-groups", "ALL", "x" * 300, "", "GRPO203,GRPO104"), "PATH": ("config.yaml", "run.sh", "x" * 300),
          "N": ("1", "7", "0", "-1", "9" * 400, "1e3", "٨"), "N,N...": ("8", "1,7", "8|16", "9" * 5000, "," * 30), "VERSION": ("latest", "1.16", "9" * 400, "x")}  # fmt: skip


def _words(chance, command=None):
    """The words after `grpo-lint`, quoted for a shell."""
    name = command or chance.choice(("check", "check", "check", "check", "check", "", "explain", "init"))
    options = [
        option
        for option in COMMANDS[name or "check"].options()
        if option.name not in ("--rules", "--cache-dir", "--help")
    ]
    words = [name] if name else []
    if name in ("check", "explain", ""):
        words += chance.choice(((".",), (".",), (chance.choice(_OPERANDS),), chance.sample(_OPERANDS, 3)))
    if name in ("check", "") and chance.random() < 0.5:
        words += chance.choice(
            (
                ("--output-format", chance.choice([*FORMATS])),
                ("--fix", "--unsafe-fixes"),
                ("--diff", "--unsafe-fixes"),
                ("--show-settings",),
            )
        )
    for option in chance.sample(options, min(len(options), chance.choice((0, 0, 1, 1, 2, 4)))):
        worth = [*option.choices] or _WORTH.get(option.metavar, ())
        words += [option.name, chance.choice(worth)] if worth else [option.name]
    return shlex.join(words)


def command(chance):
    """One command line as a process, with limits, in a hostile repository."""
    files = _ordinary(chance)
    if chance.random() < 0.5:
        name = chance.choice(NAMES)
        files += _valued(chance, name, chance.choice(framework_named(name).catalogue.releases))
    else:
        files += chance.choice(_NEIGHBOURS)(chance)
    name = chance.choice([*COMMANDS, "check", "check", "check", "check", "check", "explain"])
    words = {"rule": "rule GRPO203", "schema": "schema trl@1.16", "completion": "completion bash"}.get(name) or _words(
        chance, name
    )
    room = chance.choice(("", "", "", "ROOM=60 ", "ROOM=3000 "))
    return repository([f"{room}{chance.choice(('grpo-lint', 'isolated', 'module'))} {words}"], files)


# --- where it is started --------------------------------------------------------------------------------------------

_RUN = 'open(__import__("posix").environ[b"MARK"], "a").close()\n'
_MODULES = """yaml yaml/__init__ _yaml yaml/_yaml pygls pygls/__init__ lsprotocol/__init__ typing sitecustomize usercustomize json re enum os posixpath collections
functools logging asyncio attr attrs cattrs tomllib tomli dataclasses encodings/__init__ string signal tempfile shutil gc io contextlib ast difflib hashlib
unicodedata xml/__init__ html random shlex subprocess bisect stat itertools inspect concurrent/__init__ uuid""".split()  # fmt: skip
_LATE_MODULES = "yaml yaml/__init__ _yaml pygls pygls/__init__ lsprotocol/__init__ typing sitecustomize json logging asyncio attr attrs cattrs tomllib difflib".split()
_GIT = """
[core]
	fsmonitor = "touch $MARK"
	hooksPath = hooks
	pager = "touch $MARK"
	editor = "touch $MARK"
	sshCommand = "touch $MARK"
[diff]
	external = "touch $MARK;"
[filter "x"]
	clean = "touch $MARK"
	smudge = "touch $MARK"
[alias]
	ls-files = "!touch $MARK"
"""


def start(chance):
    """A documented start, in a folder full of what Python and git would run."""
    begun = chance.choice(("grpo-lint", "grpo-lint", "isolated", "module"))
    modules = _LATE_MODULES if begun == "module" else _MODULES
    files = _ordinary(chance) + [
        (f"{name}.py", _RUN) for name in chance.sample(modules, chance.choice((1, 4, len(modules))))
    ]
    if (
        begun != "module"
    ):  # Python imports that folder, and what `-m` itself needs, before any line of ours: nothing documented starts us so
        files += [(f"grpo_lint/{name}.py", _RUN) for name in ("__init__", "__main__", "start")]
    if chance.random() < 0.4:
        files += [
            (".git/config", f"[core]\n\trepositoryformatversion = 0\n{_GIT}"),
            (".gitattributes", "* filter=x\n"),
            ("hooks/post-index-change", "#!/bin/sh\ntouch $MARK\n"),
        ]
    if chance.random() < 0.4:
        files.append(("train.py", f"{_RUN}{_ENTRY}"))
    name = chance.choice(("server", "server", "check", "check", "check", "explain", "init"))
    return repository(
        [f"{begun} {'init --yes' if name == 'init' else name if name == 'server' else _words(chance, name)}"], files
    )


def calls(chance):
    """Many calls that take one large table of settings."""
    keys, times = chance.choice(((15_000, 6), (2_000, 60), (300, 200), (20, 20)))
    settings = "".join(f'"{chance.choice(("k", "num_generations", "own.key"))}{number}": 1, ' for number in range(keys))
    given = chance.choice(("**x", "**x, **x", "**{**x}", "x"))
    made = "".join(f"GRPOConfig({given}, seed={number})\n" for number in range(times))
    return f'from trl import GRPOConfig\nx = {{"num_generations": 8, {settings}}}\n{made}'.encode()


_ENCODINGS = (
    "utf-8",
    "utf-8-sig",
    "utf-16",
    "utf-16-le",
    "utf-16-be",
    "latin-1",
    "cp1252",
    "koi8-r",
    "gbk",
    "shift_jis",
    "utf-7",
)


def encoded(chance):
    """A program with words in another script, in one encoding and with the cookie of one."""
    written, told = chance.choice(_ENCODINGS), chance.choice((*_ENCODINGS, "no-such", ""))
    cookie = f"# -*- coding: {told} -*-\n" if chance.random() < 0.8 else ""
    words = chance.choice(("été", "Модель", "训练", "学習", "ascii"))
    settings = chance.choice(("num_generations=8, per_device_train_batch_size=3", "learning_rte=1e-6", "beta='0.04'"))
    text = f"{cookie}# {words}\nfrom trl import GRPOConfig\nx = GRPOConfig({settings}, run_name='{words}')  # {words}\n"
    return text.replace("\n", chance.choice(("\n", "\r\n"))).encode(written, "replace")


def own(chance):
    """What grpo-lint writes about a repository, put back into it."""
    scripts = [("scripts/run{n}.sh * 3", _LAUNCH * chance.choice((1, 10, 20)))]
    neighbours = chance.choice((lambda chance: scripts, _own_files, _attached, _names_outside, lambda chance: ()))
    name = chance.choice(NAMES)
    valued = _valued(chance, name, framework_named(name).catalogue.releases[-1]) if chance.random() < 0.5 else []
    lines, files = own_output(chance, [*_ordinary(chance), *neighbours(chance), *valued])
    return repository(lines, files)


GENERATORS = {
    "own": own,
    "calls": calls,
    "encoded": encoded,
    "values": values,
    "surroundings": surroundings,
    "command": command,
    "start": start,
    "python": python,
    "notebook": notebook,
    "git": git,
    "names": names,
}
