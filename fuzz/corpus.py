"""The initial inputs of fuzzing: the examples of the repository, the files of its tests, and the examples of the rules.

An input of most targets is one text. An input of `lint` and `repair` may hold several files: a line `=== name` begins
each of the files that the first text may name.
"""

import random
from pathlib import Path

from grpo_lint.frameworks.all_rules import ALL

ROOT = Path(__file__).parents[1]
SCRIPT = b"#!/bin/bash\n"  # marks an input as a script
FILE = "=== "

NAMED = {
    "config.yaml": "# grpo-lint: version=1.16.0\nper_device_train_batch_size: 4\nnum_generations: 8\nlearning_rate: 1e-6\n",
    "swift.yaml": "rlhf_type: grpo\nmodel: m\ndataset: d\nnum_generations: 8\nper_device_train_batch_size: 3\n",
    "zero3.json": '{"train_micro_batch_size_per_gpu": 2, "gradient_clipping": 0.5, "optimizer": {"params": {"lr": 1e-5}}}\n',
    "accelerate.yaml": "distributed_type: DEEPSPEED\nnum_processes: 7\n",
    "train.py": "from trl import GRPOTrainer\n@dataclass\nclass Own:\n    rows: int = 1\nGRPOTrainer(args=Own())\n",
}

SETTINGS = """\
version = "1.16.0"
world-size = 8
exclude = ["vendor", "configs/old/*.yaml", "**/a?b"]
fail-on = "error"
baseline = "known-findings.json"
select = ["GRPO2", "key-stands-once"]
ignore = ["GRPO6", "settings-have-an-effect"]
known-keys = ["team_*"]
required-keys = ["seed"]
severity = { GRPO104 = "error" }

[[overrides]]
paths = ["recipes/eight-gpus/**"]
world-size = 8
ignore = ["GRPO203"]
"""

BASELINE = """\
{
  "version": 1,
  "findings": [
    {"path": "a.yaml", "rule": "GRPO203", "key": "num_generations", "value": "8"},
    {"path": "b/c.yaml", "rule": "GRPO104", "key": "", "value": "x: 1"}
  ]
}
"""

COMMENTS = (
    "# grpo-lint: dialect=trl version=1.16.0 world-size=8 algorithm=rloo dataset-size=8000",
    "# grpo-lint: ignore[GRPO203, rollout-holds-whole-groups] eight are enough",
    "# grpo-lint: ignore-file[GRPO6]",
    "# grpo-lint version='1.16.0', world_size=\"8\" # a reason",
    "# grpo-lint: ignore",
    "# grpo_lint: visible-devices=0,1,2 loader=cli transformers=4.56",
)

PINS = (
    "trl[vllm]==1.16.0 ; python_version > '3' --hash=sha256:0\nms-swift==3.8.0\ntransformers>=4.51\n-r other.txt\n",
    '[project]\ndependencies = ["trl==1.16", "vllm==0.10.1"]\n[tool.poetry.dependencies]\ntrl = {version = "1.16.0", extras = ["vllm"]}\n',
    '\n[[package]]\nname = "trl"\nversion = "1.16.0"\nsource = { registry = "https://pypi.org/simple" }\n',
    "dependencies:\n  - conda-forge::transformers=4.51.3=py_0\n  - pip:\n    - trl==1.16.0\n",
    'FROM x\nRUN pip install trl==1.16.0 "ms-swift[all]==4.6.0"\n',
    '{"default": {"trl": {"hashes": [], "version": "==1.16.0"}}}\n',
    "setup(install_requires=['trl==1.16.0'])\n__version__ = '3.8.0'\n",
)


def configs():
    """The YAML texts of the repository."""
    files = [*ROOT.glob("examples/*/*.yaml"), *ROOT.glob("tests/**/*.yaml")]
    return [path.read_bytes() for path in sorted(files)] + [
        f"{rule.example}\n".encode() for rule in ALL if rule.example
    ]


def scripts():
    """The shell scripts of the repository."""
    files = [
        path
        for ending in ("sh", "slurm")
        for top in ("examples", "tests")
        for path in ROOT.glob(f"{top}/**/*.{ending}")
    ]
    texts = [path.read_bytes() for path in sorted(files)]
    return [text if text.startswith(b"#!") else SCRIPT + text for text in texts]


def bundles():
    """Configs and scripts with the files that they may name."""
    named = "".join(f"{FILE}{name}\n{text}" for name, text in NAMED.items())
    lines = (
        "accelerate launch --config_file accelerate.yaml train.py --config config.yaml --num_generations 8 --deepspeed zero3.json",
        "NPROC_PER_NODE=8 swift rlhf swift.yaml --max_steps 3",
        "trl grpo --config config.yaml --loss_type dapo",
        "cat > run.yaml <<EOF\nnum_generations: 8\nper_device_train_batch_size: ${N:-3}\nEOF\ntorchrun --nproc_per_node 4 train.py --config run.yaml",
    )
    told = [f"#!/bin/bash\n{line}\n{named}" for line in lines]
    told.append(f"jobs:\n  - run: |\n      {lines[0]}\n{named}")
    told.append(
        f"# grpo-lint: version=1.16.0\nnum_generations: 8\nper_device_train_batch_size: 4\ndeepspeed: zero3.json\n{named}"
    )
    return [text.encode() for text in told]


def generated(target):
    """Inputs of a target that generates its own."""
    from .generators import GENERATORS, each_era

    return [
        *(each_era() if target == "values" else ()),
        *(GENERATORS[target](random.Random(number)) for number in range(20)),
    ]


def seeds(target):
    """The initial inputs of a target."""
    texts = {
        "yaml": configs,
        "shell": scripts,
        "embedded": lambda: [text for text in configs() if b"run" in text or b"command" in text] + [bundles()[4]],
        "comments": lambda: [line.encode() for line in COMMENTS] + configs()[:20],
        "settings": lambda: (
            [SETTINGS.encode(), *([line.encode() + b"\n"] for line in SETTINGS.splitlines())][:1]
            + [line.encode() + b"\n" for line in SETTINGS.splitlines() if "=" in line]
        ),
        "baseline": lambda: [BASELINE.encode()],
        "neighbours": lambda: [text.encode() for text in (*PINS, *NAMED.values())],
        "lint": lambda: configs() + scripts() + bundles(),
        "repair": lambda: configs() + scripts() + bundles(),
    }
    return texts[target]() if target in texts else generated(target)
