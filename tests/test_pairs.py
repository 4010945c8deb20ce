"""A release of TRL and the transformers beside it are judged as a pair, and real pairs agree (`truth/trl-pairs.json`)."""

import json
from itertools import combinations
from pathlib import Path

import pytest

from conftest import lint_config, lint_text, names, said
from grpo_lint.frameworks.registry import framework as framework_named
from grpo_lint.launch.pairs import Pairs, may_stand_beside
from grpo_lint.launch.pins import Pin, Pins, forget, pins_for
from grpo_lint.report.messages import advice, message, version_line

RECORD = json.loads((Path(__file__).parent / "truth" / "trl-pairs.json").read_text(encoding="utf-8"))
PAIRS = [(trl, beside) for trl, all_beside in RECORD["asked"].items() for beside in all_beside.split()]
CASES = RECORD["cases"]
NAMED = [", ".join(f"{name}={value}" for name, value in case["settings"].items()) for case in CASES]
BATCH = {"output_dir": "out", "per_device_train_batch_size": 8, "num_generations": 8}


def is_refused(case, trl, beside):
    return beside in case["refused"].get(trl, "").split()


def linted(settings, **facts):
    return lint_config({**BATCH, **settings}, dialect="trl", world_size=1, loader="kwargs", **facts)


# --- what real pairs say ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", CASES, ids=NAMED)
def test_a_stated_pair_refuses_what_the_real_one_refuses(case):
    for trl, beside in PAIRS:
        report = linted(case["settings"], version=trl, transformers=beside)
        assert bool(names(report, "error")) == is_refused(case, trl, beside), (trl, beside)


@pytest.mark.parametrize("case", CASES, ids=NAMED)
@pytest.mark.parametrize("trl", RECORD["asked"])
def test_what_some_transformers_takes_beside_a_stated_trl_is_no_error(trl, case):
    report = linted(case["settings"], version=trl)
    taking = [beside for other, beside in PAIRS if other == trl and not is_refused(case, trl, beside)]
    assert not (taking and names(report, "error"))
    for finding in report.findings if taking else ():
        assert finding.fixes == [] and "companion:transformers" in finding.assumes
        assert "assuming that transformers" in finding.note and finding.note.endswith(" accepts it")


@pytest.mark.parametrize("case", CASES, ids=NAMED)
def test_a_setting_of_some_pair_is_in_order_where_nobody_states_one(case):
    assert names(linted(case["settings"]), "error", "warning") == []


def test_settings_that_no_pair_takes_together_are_an_error_and_all_others_none():
    wrong = []
    for one, other in combinations(CASES, 2):
        settings = {**one["settings"], **other["settings"]}
        takes = any(not is_refused(one, *pair) and not is_refused(other, *pair) for pair in PAIRS)
        if bool(names(linted(settings), "error")) == takes and len(settings) > 1:
            wrong.append(settings)
    # by its metadata TRL 0.27 goes with transformers 5.15; what was run fails there for another reason
    assert wrong == [{"dataloader_in_order": True, "max_prompt_length": 512}]


def test_a_stated_transformers_excludes_releases_that_require_another_one():
    taken = [each.text for each in linted({}, transformers="4.49.0").launches[0].candidates]
    assert taken == ["0.17.0", "0.16.1", "0.15.2", "0.14.0"]


# --- as people write it -------------------------------------------------------------------------------------------------

CALL = """\
from trl import GRPOConfig, GRPOTrainer

args = GRPOConfig(
    output_dir="out", per_device_train_batch_size=8, num_generations=8, max_completion_length=512,
    warmup_ratio=0.1, save_safetensors=True, logging_dir="logs",{more}
)
GRPOTrainer(model="Qwen/Qwen2.5-0.5B", reward_funcs=[len], args=args, train_dataset=data).train()
"""
FILE = """\
model_name_or_path: Qwen/Qwen2.5-0.5B
output_dir: out
num_generations: 8
per_device_train_batch_size: 8
overwrite_output_dir: true
warmup_ratio: 0.1
"""


@pytest.mark.parametrize("more", ["", " pad_to_multiple_of=8, entropy_coef=0.01,", " max_prompt_length=256,"])
def test_a_call_with_old_keys_of_transformers_says_nothing_of_the_release_of_trl(more):
    assert names(lint_text(CALL.format(more=more), path="train.py"), "error", "warning") == []


def test_new_keys_of_trl_beside_old_ones_of_transformers_tell_the_pair():
    report = lint_text(FILE + "pad_to_multiple_of: 8\nentropy_coef: 0.01\n")
    (launch,) = report.launches
    assert names(report, "error", "warning") == []
    assert [each.text for each in launch.candidates][::8] == ["1.16.0", "1.8.0"]
    assert launch.companions_of(launch.candidates[0]) == {"transformers": "4.57.6"}
    told = "TRL 1.16.0 beside transformers 4.57.6 (newest of 1.8 - 1.16, which know these keys)"
    assert str(version_line(launch)) == told


def test_a_key_that_newest_pairs_refuse_is_told_with_a_pair_that_takes_it():
    finding, _ = lint_text(f"# grpo-lint: dialect=trl version=1.16.0\n{FILE}").findings
    assert (finding.severity, finding.fixes, finding.at.name) == ("warning", [], "overwrite_output_dir")
    assert (
        finding.note == "assuming that transformers 5.23.0 is installed with TRL 1.16.0; transformers 4.57.6 accepts it"
    )
    assert "transformers=4.57.6" in advice(finding)


def test_a_part_of_all_steps_is_of_transformers_5():
    assert names(linted({"warmup_steps": 0.1, "max_prompt_length": 512}), "error", "warning") == []
    finding = said(linted({"warmup_steps": 0.1}, version="0.27.2"), "value-has-the-type-of-its-key")
    assert (finding.severity, finding.assumes, finding.fixes) == ("warning", ["companion:transformers"], [])
    finding = said(linted({"warmup_steps": 0.1, "save_safetensors": True}), "key-is-of-this-version")
    told = "transformers 4.57.6, which takes it, does not take warmup_steps"
    assert (finding.severity, finding.note) == ("error", told)


# --- as repositories pin it ---------------------------------------------------------------------------------------------


def in_repository(folder, requirements, text, name="grpo.yaml"):
    (folder / ".git").mkdir(exist_ok=True)
    (folder / "requirements.txt").write_text(requirements)
    forget()
    path = str(folder / name)
    return lint_text(text, path=path, pins=pins_for(path))


@pytest.mark.parametrize(
    ("requirements", "found"),
    [
        ("", set()),
        ("transformers==4.57.1\n", set()),
        ("transformers<5\n", set()),
        ("transformers>=4.56,<5\ntrl==1.16.0\n", set()),
        ("transformers==4.57.1\ntrl==1.16.0\n", set()),
        ("transformers>=5\n", {"save_safetensors"}),
        ("transformers>=5.20\n", {"save_safetensors", "warmup_ratio", "logging_dir"}),
        ("transformers==5.23.0\n", {"save_safetensors", "warmup_ratio", "logging_dir"}),
        ("transformers==5.2.0\ntrl==1.16.0\n", {"save_safetensors"}),
    ],
)
def test_what_a_repository_says_of_transformers_is_certain(tmp_path, requirements, found):
    report = in_repository(tmp_path, requirements, CALL.format(more=""), "train.py")
    assert {each.at.name for each in report.findings if each.severity == "error"} == found
    assert names(report, "warning") == []


def test_a_pin_of_trl_alone_leaves_the_transformers_open(tmp_path):
    report = in_repository(tmp_path, "trl==1.16.0\n", CALL.format(more=""), "train.py")
    assert names(report, "error") == []
    assert {each.at.name for each in report.findings if each.severity == "warning"} == {
        "save_safetensors",
        "warmup_ratio",
        "logging_dir",
    }


def test_a_key_of_a_newer_transformers_casts_no_doubt_on_a_pin_of_trl(tmp_path):
    report = in_repository(tmp_path, "trl==0.27.2\n", CALL.format(more=" use_cache=False,"), "train.py")
    assert all("this run is for" not in message(each) + str(each.note) for each in report.findings)


@pytest.mark.parametrize("requirement", ["liger_kernel==0.5.2", "liger-kernel==0.4.0"])
def test_what_only_an_extra_requires_excludes_no_release(tmp_path, requirement):
    text = "num_generations: 8\nper_device_train_batch_size: 4\ngradient_accumulation_steps: 2\nuse_vllm: true\n"
    report = in_repository(tmp_path, f"{requirement}\n", text)
    assert "0.17.0" in [each.text for each in report.launches[0].candidates]
    assert names(report, "error", "warning") == []


def test_a_vllm_makes_releases_likelier_and_excludes_none():
    text = "num_generations: 8\nper_device_train_batch_size: 8\nuse_vllm: true\n"
    report = lint_text(text, pins={"vllm": Pin("0.10.2", "/repository/requirements.txt", 1)})
    (launch,) = report.launches
    every = {each.text for each in (*launch.candidates, *launch.neighbours)}
    assert launch.candidates[0].text == "1.0.0" and "1.16.0" in every


def test_a_required_bound_of_ms_swift_excludes_releases():
    swift = framework_named("swift")
    fitting = [
        release
        for index, release in enumerate(swift.catalogue.releases)
        if may_stand_beside(swift, index, "trl", "0.28.0") and may_stand_beside(swift, index, "transformers", "5.8.0")
    ]
    assert fitting == ["4.2.3", "4.3.2", "4.4.2", "4.5.3", "4.6.0"]


def test_ranges_of_transformers_are_no_ranges_of_packages_that_are_called_alike(tmp_path):
    (tmp_path / ".git").mkdir()
    (tmp_path / "requirements.txt").write_text("sentence-transformers>=5\ntransformers-stream-generator>=0.1\n")
    forget()
    pins = pins_for(str(tmp_path / "grpo.yaml"))
    assert isinstance(pins, Pins) and pins.ranges == {}


def test_files_with_the_same_keys_ask_once_what_transformers_knows(monkeypatch):
    """Numbers do not tell one release from another: two thousand files that differ in nothing else cost one question."""
    asked = []
    is_known = Pairs._is_known
    monkeypatch.setattr(Pairs, "_is_known", lambda *each: asked.append(each) or is_known(*each))
    monkeypatch.setattr("grpo_lint.launch.pairs._answers", {})
    settings = {**BATCH, "warmup_steps": 10, "seed": 1, "save_strategy": "steps"}
    first = lint_config(settings, dialect="trl")
    several = len(asked)
    again = lint_config({**settings, "seed": 2, "warmup_steps": 20}, dialect="trl")
    assert several and len(asked) == several
    assert again.launches[0].beside == first.launches[0].beside != {}
    lint_config({**settings, "warmup_steps": 0.5}, dialect="trl")  # a share is not taken by all of them
    assert len(asked) > several
