"""Files that build on each other are composed as Hydra composes them: recorded with Hydra itself
(`conformance/verl/composition.py`), over the tree of verl 0.9.1."""

import gzip
import json
import shlex
from pathlib import Path

import pytest

from grpo_lint.engine import lint_path
from grpo_lint.launch.context import Context
from grpo_lint.launch.files import Files
from grpo_lint.launch.repository import Repository
from grpo_lint.report.explain.story import Story
from grpo_lint.report.messages import message
from grpo_lint.source.entry import loaded
from grpo_lint.unknown import UNKNOWN

RECORDED = Path(__file__).parent / "composed" / "verl-0.9.1.jsonl.gz"
CASES = [json.loads(line) for line in gzip.decompress(RECORDED.read_bytes()).splitlines()]
COMPOSED = [case for case in CASES if case["found"] is not None]
ABSENT, SECTION = "<absent>", "<section>"


def launched(folder, case):
    (folder / ".git").mkdir()
    for path, text in case["files"].items():
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")
    script = folder / "run.sh"
    words = " ".join(map(shlex.quote, case["overrides"]))
    variables = "".join(f"{name}={value} " for name, value in case["variables"].items())
    script.write_text(
        "# grpo-lint: version=0.9.1\n"
        f"{variables}python3 -m verl.trainer.main_ppo --config-path={folder}/conf --config-name=start {words}\n",
        encoding="utf-8",
    )
    return lint_path(str(script), Context(files=Files(str(script)))).launches[0]


def says(launch, path):
    """The value of a setting as we see it; UNKNOWN where we do not know it."""
    if getattr(launch.entries.get(path), "operator", "") == "delete":
        return ABSENT
    if path in launch.entries:
        return loaded(launch.entries[path].value)
    if any(name.startswith(f"{path}.") for name in launch.entries):
        return SECTION
    if launch.incomplete:
        return UNKNOWN
    field = launch.fields(launch.candidates[0])[path]
    if field is None:
        return ABSENT
    if field.type in ("map", "node"):
        return SECTION
    return UNKNOWN if field.type == "ref" else field.default


def compared(folder, cases):
    """(how many settings we know, those that Hydra has otherwise)."""
    known, wrong = 0, []
    for number, case in enumerate(cases):
        inner = folder / str(number)
        inner.mkdir()
        launch = launched(inner, case)
        for path, value in case["found"].items():
            ours = says(launch, path)
            known += ours is not UNKNOWN
            is_empty = value == SECTION and ours == ABSENT  # a section that holds nothing is none for us
            if ours is not UNKNOWN and ours != value and not is_empty:
                wrong.append((path, ours, value, case))
    return known, wrong


def test_what_hydra_composes(tmp_path):
    known, wrong = compared(tmp_path, COMPOSED[::12])
    assert wrong == []
    assert known > 0.5 * sum(len(case["found"]) for case in COMPOSED[::12])


@pytest.mark.slow
def test_all_that_hydra_composes(tmp_path):
    assert compared(tmp_path, COMPOSED)[1] == []


def test_what_hydra_refuses_breaks_nothing(tmp_path):
    refused = [case for case in CASES if case["found"] is None]
    for number, case in enumerate(refused[::8]):
        (tmp_path / str(number)).mkdir()
        launched(tmp_path / str(number), case)


BASE = """\
data:
  train_batch_size: 60
actor_rollout_ref:
  actor:
    ppo_mini_batch_size: 60
    ppo_micro_batch_size_per_gpu: 1
  rollout:
    name: vllm
    n: 5
    log_prob_micro_batch_size_per_gpu: 1
algorithm:
  adv_estimator: grpo
"""
WHOLE = "defaults:\n  - ppo_trainer\n  - base\n  - _self_\ntrainer:\n  nnodes: 1\n"


def checked(folder, files, path="run.sh"):
    (folder / ".git").mkdir()
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    repository = Repository()
    whole = str(folder / path)
    return lint_path(whole, Context(files=Files(whole, repository=repository), repository=repository))


def test_what_is_wrong_in_a_part_is_said_where_the_whole_names_it(tmp_path):
    script = "python3 -m verl.trainer.main_ppo --config-dir=conf --config-name=whole\n"
    report = checked(tmp_path, {"conf/base.yaml": BASE, "conf/whole.yaml": WHOLE, "run.sh": script}, "conf/whole.yaml")
    (finding,) = [finding for finding in report.findings if finding.severity == "error"]
    assert finding.rule.name == "batch-divides-over-gpus"
    assert report.text[finding.span] == "defaults"
    assert "data.train_batch_size is set in" in finding.note and "base.yaml, line 2" in finding.note
    assert checked_again(tmp_path, "run.sh").findings == []


def checked_again(folder, path):
    repository = Repository()
    whole = str(folder / path)
    return lint_path(whole, Context(files=Files(whole, repository=repository), repository=repository))


def test_of_a_whole_that_nobody_would_look_at_it_is_said_where_it_starts(tmp_path):
    files = {
        "conf/base.yaml": f"defaults:\n  - ppo_trainer\n  - _self_\n{BASE}",
        "conf/whole.yaml": "defaults:\n  - base\n",
        "run.sh": "python3 -m verl.trainer.main_ppo --config-dir=conf --config-name=whole\n",
    }
    report = checked(tmp_path, files)
    assert [finding.rule.name for finding in report.findings] == ["batch-divides-over-gpus"]
    assert report.text[report.findings[0].span].startswith("python3 -m verl")


def test_a_relative_folder_counts_from_the_program(tmp_path):
    files = {
        "verl/trainer/config/mine.yaml": WHOLE.replace("base", "own/base"),
        "verl/trainer/config/own/base.yaml": f"# @package _global_\n{BASE}",
        "config/mine.yaml": WHOLE.replace("base", "other"),
        "run.sh": "python3 -m verl.trainer.main_ppo --config-path=config --config-name=mine\n",
    }
    assert checked(tmp_path, files).launches[0].setting("data.train_batch_size").value == 60


def test_a_file_of_the_tree_that_is_chosen_leaves_its_section_unknown(tmp_path):
    words = "actor@actor_rollout_ref.actor=mine data.train_batch_size=60"
    launch = checked(tmp_path, {"run.sh": f"python3 -m verl.trainer.main_ppo {words}\n"}).launches[0]
    assert launch.incomplete


def test_a_chosen_engine_is_a_setting(tmp_path):
    whole = "defaults:\n  - ppo_trainer\n  - base\n  - _self_\n  - override /model_engine: megatron\n"
    script = "# grpo-lint: version=0.9.1\npython3 -m verl.trainer.main_ppo --config-dir=conf --config-name=whole\n"
    report = checked(tmp_path, {"conf/base.yaml": BASE, "conf/whole.yaml": whole, "run.sh": script})
    assert report.launches[0].groups == ("megatron",) and not report.launches[0].incomplete


def test_an_empty_config_is_not_the_tree(tmp_path):
    files = {"conf/none.yaml": "", "run.sh": "python3 -m verl.trainer.main_ppo --config-dir=conf --config-name=none\n"}
    assert checked(tmp_path, files).launches[0].incomplete


def test_files_that_name_each_other_end(tmp_path):
    loop = "defaults:\n  - {}\n  - _self_\ndata:\n  train_batch_size: 60\n"
    files = {
        "conf/one.yaml": loop.format("two"),
        "conf/two.yaml": loop.format("one"),
        "run.sh": "python3 -m verl.trainer.main_ppo --config-dir=conf --config-name=one\n",
    }
    assert checked(tmp_path, files).launches[0].incomplete


def test_a_file_beside_the_script_is_not_what_a_relative_folder_means(tmp_path):
    files = {
        "conf/mine.yaml": BASE,
        "run.sh": "python3 -m verl.trainer.main_ppo --config-path=conf --config-name=mine\n",
    }
    (told,) = [each for each in checked(tmp_path, files).findings if each.rule.name == "config-file-exists"]
    assert "a relative folder counts from that of verl.trainer.main_ppo" in message(told)


def test_a_name_that_nobody_knows_is_not_said_to_be_of_a_file_elsewhere(tmp_path):
    main = "import hydra\nfrom verl.trainer.ppo.ray_trainer import RayPPOTrainer\n"
    main += "@hydra.main(config_path='config', config_name='mine', version_base=None)\ndef main(config):\n    RayPPOTrainer(config).fit()\n"
    files = {
        "recipe/mine/main.py": main,
        "recipe/mine/config/mine.yaml": f"defaults:\n  - ppo_trainer\n  - _self_\n{BASE}",
        "examples/run.sh": "NAME=mine\nwhile [[ $# -gt 0 ]]; do\n  case $1 in\n    --name) NAME=$2; shift 2 ;;\n  esac\ndone\n"
        "python3 -m recipe.mine.main --config-name $NAME data.train_batch_size=64\n",
    }
    assert not [
        each for each in checked(tmp_path, files, "examples/run.sh").findings if each.rule.name == "config-file-exists"
    ]


@pytest.mark.parametrize("option", ["--config-dir=conf", "--config-path=$PWD/conf"])
def test_other_ways_to_name_a_folder_count_from_where_the_command_starts(tmp_path, option):
    files = {"conf/mine.yaml": BASE, "run.sh": f"python3 -m verl.trainer.main_ppo {option} --config-name=mine\n"}
    assert not [each for each in checked(tmp_path, files).findings if each.rule.name == "config-file-exists"]


@pytest.mark.parametrize(
    ("header", "path"),
    [("", "sub.data.seed"), ("# @package _global_\n", "data.seed"), ("# @package x\n", "x.data.seed")],
)
def test_a_config_in_a_folder_stands_in_its_package(tmp_path, header, path):
    files = {
        "conf/sub/mine.yaml": f"{header}defaults:\n  - /ppo_trainer@_global_\n  - _self_\ndata:\n  seed: 7\n",
        "run.sh": "python3 -m verl.trainer.main_ppo --config-dir=conf --config-name=sub/mine\n",
    }
    assert checked(tmp_path, files).launches[0].setting(path).value == 7


REFERRING = "defaults:\n  - ppo_trainer\n  - size: small\n  - base: {name}\n  - _self_\n{more}trainer:\n  nnodes: 1\n"


def referring(folder, name, more="", before=""):
    files = {
        "conf/base/small_one.yaml": f"# @package _global_\n{BASE}",
        "conf/size/small.yaml": "# @package _global_\ntrainer:\n  n_gpus_per_node: 8\n",
        "conf/whole.yaml": REFERRING.format(name=name, more=more),
        "run.sh": f"{before}python3 -m verl.trainer.main_ppo --config-dir=conf --config-name=whole\n",
    }
    return checked(folder, files)


@pytest.mark.parametrize(
    ("name", "before"),
    [
        ("${size}_one", ""),
        ("small_${oc.env:REST,two}", "export REST=one\n"),
        ("${oc.env:BASE}", "BASE=small_one "),
        ("small_one", ""),
    ],
)
def test_the_name_of_a_file_refers_to_a_choice_or_to_a_variable(tmp_path, name, before):
    launch = referring(tmp_path, name, before=before).launches[0]
    assert launch.setting("data.train_batch_size").value == 60 and not launch.incomplete and not launch.unknown_part


@pytest.mark.parametrize(
    ("name", "before"),
    [
        ("${oc.env:REST,small_one}", ""),
        ("${oc.env:REST}", "export REST=$(date)\n"),
        ("${oc.env:REST}", "REST=small_one ray job submit -- "),
        ("${absent}_one", ""),
        ("${oc.decode:small_one}", ""),
        ("${size", ""),
        ("???", ""),
    ],
)
def test_a_file_whose_name_is_not_known_is_told(tmp_path, name, before):
    report = referring(tmp_path, name if name != "???" else "'???'", before=before)
    launch = report.launches[0]
    assert launch.incomplete and launch.setting("data.train_batch_size") is None
    assert [finding for finding in report.findings if finding.severity != "info"] == []
    if name != "${size":  # no YAML that could be read
        assert launch.unknown_part == f"base: {name}"
        wheres = [given.where for given in Story(report, launch).given]
        assert f"defaults name a file that is not known: base: {name}" in wheres


def test_what_is_chosen_for_hydra_itself_sets_nothing_else(tmp_path):
    whole = (
        "defaults:\n  - ppo_trainer\n  - hydra/launcher: basic\n  - _self_\n  - override hydra/job_logging: disabled\n"
    )
    files = {
        "conf/mine.yaml": whole + BASE,
        "run.sh": "python3 -m verl.trainer.main_ppo --config-dir=conf --config-name=mine\n",
    }
    assert not checked(tmp_path, files).launches[0].incomplete
