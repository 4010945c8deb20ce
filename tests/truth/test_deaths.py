"""Runs of TRL's own training script on a small model, one condition at a time, recorded by `conformance/deaths`: a run that dies has an
error, one that goes well has none."""

import importlib.machinery
import importlib.util
from functools import cache
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

HERE = Path(__file__).parent
# {condition: why a death of it is not told}, for those of which it is not told everywhere
_FILE = "what lies in a folder is not known"
_MODEL = "it hinges on the model"
_SET = "it hinges on the data set"
_FILLED = "a warning: something may fill the file in first"
_PACKAGE = "it hinges on a package for other devices"
_NEW = "it hinges on the version of transformers"
_LOGGED = "a warning: from TRL 1.5 on a reward may log any metric"
NOT_TOLD = {
    "a variable of the shell for the batch": _FILLED,
    "a variable of the shell with braces": _FILLED,
    "a variable of the shell for the learning rate": _FILLED,
    "a variable of the shell for the model": "a text may be the name of a folder",
    "a variable of the shell for a switch": _FILLED,
    "accelerator_config unknown key of accumulation": "a warning: transformers before 5.2 drop it",
    "best by kl without a reference": _LOGGED,
    "best by reward with its prefix twice": _LOGGED,
    "best by the reward of another function": "a reward may log any metric",
    "best by train_loss": _LOGGED,
    "best by accuracy with a reward of TRL": _LOGGED,
    "reduce_lr_on_plateau by accuracy": _LOGGED,
    "fsdp a number": "a warning: what becomes of it hinges on the version of transformers",
    "resume_from_checkpoint a number": "a warning: a script may not hand it to the trainer",
    "lora targets only of another family": _MODEL,
    "lora targets of merged projections": _MODEL,
    "lora targets of the attention in one": _MODEL,
    "completions beyond the window": _MODEL,
    "accelerator_config missing file": _FILE,
    "fsdp_config missing file": _FILE,
    "resume_from_checkpoint missing": _FILE,
    "resume_from_checkpoint true": _FILE,
    "reward_funcs missing module": _FILE,
    "reward_funcs missing function": _FILE,
    "accelerator_config num_steps": "0.16 alone dies of it, and only here",
    "adam_epsilon 0": "it hinges on gradients that are exactly 0",
    "best by accuracy": "from TRL 1.5 on a reward may log any metric",
    "best by accuracy saved when best": "from TRL 1.5 on a reward may log any metric",
    "best by accuracy without loading": "from TRL 1.5 on a reward may log any metric",
    "best by accuracy with nothing saved": "from TRL 1.5 on a reward may log any metric",
    "cache_implementation paged": "before transformers 5, which is taken to be there",
    "dataset null": "TRL before 0.18, where the key is required",
    "dataset_train_split none such": _SET,
    "dataset_test_split none such": _SET,
    "generation_kwargs temperature 0": "what generation_kwargs overrides is not judged",
    "group_by_length": "TRL 0.14 alone dies of it",
    "lora targets none such": _MODEL,
    "model_init_kwargs device_map none such": "devices have many names",
    "reward_funcs none": "TRL 0.19 to 0.21 alone die of it, with an unrelated error",
    "reward_funcs empty": "TRL 0.19 to 0.21 alone die of it, with an unrelated error",
    "reward_funcs null": "TRL 0.19 to 0.21 alone die of it, with an unrelated error",
    "temperature 0": "transformers 4.54 - 4.57: it hinges on the version that saved the model",
    "use_transformers_paged": _MODEL,
    "use_cache null": _NEW,
    "use_cache 0": _NEW,
    "optim adamw_torch_xla": _PACKAGE,
    "optim adamw_torch_npu_fused": _PACKAGE,
    "output_dir existing file": _FILE,
    "think reward": _SET,
    "accuracy reward": _SET,
    "dataset_config": _SET,
    "dataset test split none": _SET,
    "use_peft target parameters there": _MODEL,
    "model_init rope": _MODEL,
    "model_init rope misspelt": "a model may bring its own kinds",
    "model_init load_in_4bit": _NEW,
    "model_init list": "a warning: a program may hand over a model that is made",
    "model_init use_flash": _NEW,
    "model_init max_length": _NEW,
    "generation_kwargs top_h": _NEW,
    "generation_kwargs prompt lookup": "it hinges on how many prompts a device has",
    "cache mamba": _NEW,
}


@cache
def program():
    path = HERE.parents[1] / "conformance" / "deaths"
    loader = importlib.machinery.SourceFileLoader("deaths", str(path))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("deaths", loader))
    loader.exec_module(module)
    return module


RELEASES = sorted(
    path.name.removeprefix("trl-deaths-").removesuffix(".json.gz") for path in HERE.glob("trl-deaths-*.gz")
)


@cache
def compared(release):
    """[(recorded verdict, findings of grpo-lint)] of a release."""
    kept = program().kept_in(HERE)[release]
    return [
        (verdict, program().said(verdict["settings"], kept["trl"], kept["transformers"]))
        for verdict in kept["verdicts"]
    ]


def errors(findings):
    return [finding.rule.name for finding in findings if finding.severity == "error"]


def test_the_oldest_the_newest_and_both_transformers_are_there():
    assert {"0.14.0", "0.16.1", "0.20.0", "0.24.0", "1.0.0", "1.9.2", "1.16.0", "1.16.0+4.57.6"} <= set(RELEASES)
    assert all(len(compared(release)) > 200 for release in RELEASES)


@pytest.mark.parametrize("release", RELEASES)
def test_a_run_that_goes_well_has_no_error(release):
    found = {verdict["name"]: errors(said) for verdict, said in compared(release) if verdict["verdict"] == "runs"}
    assert {name: rules for name, rules in found.items() if rules} == {}


@pytest.mark.parametrize("release", RELEASES)
def test_a_run_that_dies_has_an_error(release):
    died = [(verdict, said) for verdict, said in compared(release) if verdict["verdict"] == "dies"]
    missed = [(verdict["name"], verdict["text"]) for verdict, said in died if not errors(said)]
    assert [each for each in missed if each[0] not in NOT_TOLD] == []


@pytest.mark.parametrize("release", RELEASES)
def test_weights_that_are_no_numbers_are_told(release):
    for verdict, said in compared(release):
        if verdict["verdict"] == "runs" and not verdict["finite"]:
            assert any(finding.severity in ("error", "warning") for finding in said), verdict["name"]


def test_what_is_not_told_dies_somewhere():
    missed = {
        verdict["name"]
        for release in RELEASES
        for verdict, said in compared(release)
        if verdict["verdict"] == "dies" and not errors(said)
    }
    assert missed == NOT_TOLD.keys()
