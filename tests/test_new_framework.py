"""What a newcomer does to add a framework: a folder of declarations, its name in the registry, its rules in the list of rules.

The made-up framework has settings in sections, one pool of GPUs that train and one that generate, and a command of its own. The
package is copied, the folder is written, and the command line of the copy is asked.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import grpo_lint

FOLDER = {
    "__init__.py": "",
    "recognition.py": '''\
def told_by(names, value):
    return "has learner and sampler, sections of Pools" if {"learner", "sampler"} <= names else None
''',
    "commands.py": '''\
from ..commands import Commands

COMMANDS = Commands("pools", "pools", trains={"train": None}, modules={})
''',
    "catalogue.py": '''\
RELEASES = ("1.0.0", "1.1.0")
COMPANIONS = ({}, {})
FIELDS = {
    "learner.gpus": (("pools", 0, 1, "int", 1),),
    "learner.batch_size": (("pools", 0, 1, "int", 8),),
    "sampler.gpus": (("pools", 0, 1, "int", 1),),
    "sampler.group_size": (("pools", 0, 1, "int", 8),),
    "sampler.engine.tensor_parallel": (("pools", 1, 1, "int", 1),),
}
''',
    "enforcement.py": '''\
from ..by_release import Enforcement

ENFORCEMENT = (
    Enforcement("rollout-holds-whole-groups", "1.0", None, "config", "batch_size ... is no multiple of group_size ..."),
    Enforcement("engines-fill-their-pool", "1.1", None, "init", "... GPUs cannot hold engines of ..."),
)
''',
    "framework.py": '''\
from ..base import Arithmetic, Configs, Fate, Framework, Keys, Knobs, Reader, Refusals, Releases, Trainer, whole_number
from ..by_release import Enforcements, regimes_of
from ..catalogue import Catalogue
from . import catalogue
from .enforcement import ENFORCEMENT

PLAN = {
    "1.0": {
        "group_size": "sampler.group_size",
        "completions_per_rollout": "learner.batch_size",
        "prompts_per_rollout": "completions_per_rollout // group_size",
        "completions_per_step": "completions_per_rollout // world_size",
        "sampler_gpus": "sampler.gpus",
    },
    "1.1": {"engine_ranks": "sampler.engine.tensor_parallel"},
}


class PoolsConfigs(Configs):
    nested = True

    def facts_in_file(self, value):
        gpus = whole_number(value("learner.gpus"))
        return {"world_size": (gpus, "learner.gpus")} if gpus else {}


class PoolsKeys(Keys):
    def unknown_key(self, key, launch, is_flag):
        return Fate("error", "read", "Pools refuses it when it reads the file")


FRAMEWORK = Framework(
    name="pools",
    title="Pools",
    catalogue=Catalogue(catalogue),
    reader=Reader(configs=PoolsConfigs(), trainer=Trainer(field="sampler.group_size"), keys=PoolsKeys()),
    releases=Releases(package="pools"),
    arithmetic=Arithmetic(regimes=regimes_of(PLAN, {}, {})),
    refusals=Refusals(enforcement=Enforcements(ENFORCEMENT)),
    knobs=Knobs(names=("learner.batch_size", "sampler.group_size", "sampler.engine.tensor_parallel", "sampler.gpus")),
)
''',
    "rules.py": '''\
from ...rules.base import Rule

RULES = (
    Rule(
        "GRPO290",
        "engines-fill-their-pool",
        "The engines fill the GPUs that generate",
        "sampler_gpus % engine_ranks != 0",
        message="engines of {engine_ranks} GPUs do not fill the {sampler_gpus} GPUs of the sampler",
        why="Each engine takes as many GPUs as its tensors are split over, and none may be left over.",
        instead="Set sampler.engine.tensor_parallel to a divisor of sampler.gpus.",
        at=("engine_ranks", "sampler_gpus"),
    ),
)
''',
    "cases/GRPO290.yaml": '''\
- config: |
    # grpo-lint: dialect=pools version=1.1.0
    learner: {gpus: 4}
    sampler: {gpus: 6, engine: {tensor_parallel: 4}}
  reported: error
- config: |
    # grpo-lint: dialect=pools version=1.1.0
    learner: {gpus: 4}
    sampler: {gpus: 8, engine: {tensor_parallel: 4}}
  reported: nothing
- config: |
    # grpo-lint: dialect=pools version=1.0.0
    learner: {gpus: 4}
    sampler: {gpus: 6}
  reported: nothing
''',
}  # fmt: skip
ELSEWHERE = {
    "registry.py": ('    "verl": "verl",\n', '    "verl": "verl",\n    "pools": "pools",\n'),
    "rule_sets.py": (
        "MODULES = {\n",
        'MODULES = {\n    "pools": (*_BATCH, "frameworks.pools.rules"),\n',
    ),
}
CONFIG = """\
# grpo-lint: version=1.1.0
learner:
  gpus: 4
  batch_size: 32
sampler:
  gpus: 6  # of their own
  group_size: 8
  engine:
    tensor_parallel: {tensor_parallel}
"""


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    home = tmp_path_factory.mktemp("newcomer")
    source = Path(grpo_lint.__file__).parent
    frameworks = (
        shutil.copytree(source, home / "grpo_lint", ignore=shutil.ignore_patterns("__pycache__")) / "frameworks"
    )
    for name, text in FOLDER.items():
        path = frameworks / "pools" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    for name, (old, new) in ELSEWHERE.items():
        text = (frameworks / name).read_text(encoding="utf-8")
        assert old in text
        (frameworks / name).write_text(text.replace(old, new, 1), encoding="utf-8")
    return home


@pytest.fixture
def ask(home, tmp_path):
    """A function that runs the command line of the copy in an empty repository, and gives the completed process."""
    (tmp_path / ".git").mkdir()

    def run(*words):
        environment = {**os.environ, "PYTHONPATH": str(home), "COLUMNS": "200"}
        command = [sys.executable, "-m", "grpo_lint", *words]
        return subprocess.run(
            command, capture_output=True, encoding="utf-8", cwd=tmp_path, env=environment, check=False
        )

    return run


def told(ask, *words):
    """{path: [diagnostic]} of what `check` says of some files."""
    result = ask("check", "--output-format", "json", *words)
    assert result.stderr == ""
    return {Path(file["path"]).name: file["diagnostics"] for file in json.loads(result.stdout)["files"]}


def test_a_file_of_it_is_recognised_and_both_pools_are_judged(ask, tmp_path):
    (tmp_path / "run.yaml").write_text(CONFIG.format(tensor_parallel=4))
    (found,) = told(ask, "run.yaml")["run.yaml"]
    assert (found["code"], found["severity"], found["range"]["start"]["line"]) == ("GRPO290", 1, 8)
    assert found["message"].startswith("engines of 4 GPUs do not fill the 6 GPUs")
    assert {"sampler.engine.tensor_parallel": 3} in [fix["set"] for fix in found["data"]["fixes"]]
    (tmp_path / "run.yaml").write_text(CONFIG.format(tensor_parallel=3))
    assert told(ask, "run.yaml") == {"run.yaml": []}


def test_a_shared_rule_holds_for_it(ask, tmp_path):
    (tmp_path / "run.yaml").write_text(CONFIG.format(tensor_parallel=3).replace("batch_size: 32", "batch_size: 36"))
    (found,) = told(ask, "run.yaml")["run.yaml"]
    assert (found["code"], found["severity"], found["data"]["stage"]) == ("GRPO203", 1, "config")
    assert {"learner.batch_size": 40} in [fix["set"] for fix in found["data"]["fixes"]]


def test_its_command_starts_a_run_with_the_file_and_overrides_it(ask, tmp_path):
    (tmp_path / "run.yaml").write_text(CONFIG.format(tensor_parallel=3))
    (tmp_path / "run.sh").write_text("#!/bin/bash\npools train run.yaml --sampler.gpus 8\n")
    (found,) = told(ask, "run.sh")["run.yaml"]
    assert found["message"].startswith("engines of 3 GPUs do not fill the 8 GPUs")
    assert any("run.sh" in each["message"] for each in found["relatedInformation"])


def test_a_slip_of_the_pen_and_an_older_release(ask, tmp_path):
    (tmp_path / "slip.yaml").write_text(CONFIG.format(tensor_parallel=3).replace("batch_size", "batchsize"))
    assert [each["code"] for each in told(ask, "slip.yaml")["slip.yaml"]] == ["GRPO102"]
    (tmp_path / "old.yaml").write_text(CONFIG.format(tensor_parallel=4).replace("1.1.0", "1.0.0"))
    assert [each["code"] for each in told(ask, "old.yaml")["old.yaml"]] == ["GRPO103"]


def test_fixing_explaining_and_the_page_of_its_rule(ask, tmp_path):
    (tmp_path / "run.yaml").write_text(CONFIG.format(tensor_parallel=4))
    explained = ask("explain", "run.yaml").stdout
    assert "4 processes (key learner.gpus)" in explained and "= sampler.engine.tensor_parallel" in explained
    ask("check", "--fix", "--unsafe-fixes", "run.yaml")
    assert told(ask, "run.yaml") == {"run.yaml": []}
    page = ask("rule", "engines-fill-their-pool").stdout
    assert "Pools" in page and "1.1 and later" in page and "GPUs cannot hold engines" in page


CASES = """
from grpo_lint.engine import lint
from grpo_lint.frameworks.all_rules import RULES
from grpo_lint.launch.context import Context
from grpo_lint.report.cases import cases_of
from grpo_lint.source.text import Text

for case in cases_of(RULES["engines-fill-their-pool"]):
    found = lint(Text(case.config, case.path), Context()).findings
    told = [each.severity for each in found if each.rule.code == "GRPO290"] or ["nothing"]
    print(told == [case.reported])
"""


def test_the_cases_of_its_rule_hold(home):
    result = subprocess.run([sys.executable, "-c", CASES], capture_output=True, encoding="utf-8", cwd=home, check=False)
    assert (result.stdout.split(), result.stderr) == (["True", "True", "True"], "")


def test_a_framework_takes_less_than_a_hundred_lines():
    lines = [line for text in FOLDER.values() for line in text.splitlines() if line.strip()]
    assert len(lines) < 100
