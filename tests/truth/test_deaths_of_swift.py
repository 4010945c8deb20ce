"""Conditions of ms-swift and Megatron-SWIFT, one at a time, recorded by `conformance/deaths-swift`: what dies has an error, what goes well
none."""

import importlib.machinery
import importlib.util
from functools import cache
from pathlib import Path

import pytest

HERE = Path(__file__).parent


@cache
def program():
    path = HERE.parents[1] / "conformance" / "deaths-swift"
    loader = importlib.machinery.SourceFileLoader("deaths_swift", str(path))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("deaths_swift", loader))
    loader.exec_module(module)
    return module


RECORDED = program().kept_in(HERE)
RUNS = program().kept_in(HERE, "swift-runs")  # of a tiny model on a CPU
_LOGGED = "a warning: something of the user's may log any metric"
_PACKAGES = "it hinges on packages, or on the model"
_OWN = "a plugin may bring it"
# {condition: why a death of it is not told}
NOT_TOLD = {
    "best by accuracy": _LOGGED,
    "metric accuracy without best": _LOGGED,
    "save best by accuracy": _LOGGED,
    "optim muon": _PACKAGES,
    "lora targets none": _PACKAGES,
    "lora init unknown": _PACKAGES,
    "optimizer unknown": _OWN,
    "unknown reward": _OWN,
    "toolbench": "it hinges on the columns of the data",
    "lora target of no module": _PACKAGES,
    "attn_impl unknown": _PACKAGES,
    "resume from nowhere": "it hinges on a folder",
    "trainable none": "it hinges on the names of the parameters",
    "lr_scheduler polynomial end above": "its learning rate follows the kind of training",
    "lr_scheduler inverse sqrt timescale 0": "it hinges on the version of transformers",
    "dataset_num_proc 0": "it hinges on the version of datasets",
    "aligner_lr": _PACKAGES,
    "vit_lr": _PACKAGES,
    "experts_impl unknown": _PACKAGES,
    "optimizer multimodal": _PACKAGES,
    "lora swift": _PACKAGES,
    "freeze regex all": _PACKAGES,
    "lisa beyond": _PACKAGES,
    "template jinja": _PACKAGES,
    "tuner fourierft": _PACKAGES,
    "tuner llamapro": _PACKAGES,
    "tuner llamapro blocks 3": _PACKAGES,
    "tuner longlora": _PACKAGES,
    "rope linear": _PACKAGES,
    "rope yarn": _PACKAGES,
    "rope yarn without length": _PACKAGES,
    "teacher without gkd": _PACKAGES,
    "gradient_checkpointing kwargs unknown": _PACKAGES,
    "max_shard_size text": _PACKAGES,
    "lora target regex broken": _PACKAGES,
    "agent template unknown": _OWN,
    "callbacks unknown": _OWN,
    "custom dataset info nowhere": _OWN,
    "loss_scale unknown": _OWN,
    "model type unknown": _OWN,
    "multi turn unknown": _OWN,
    "template unknown": _OWN,
    "tuner unknown": _OWN,
    "tuner adapter act unknown": _OWN,
    "soft_overlong cache 0": _OWN,
    "soft_overlong cache above": _OWN,
    "custom register nowhere": "it hinges on a file",
    "plugin nowhere": "it hinges on a file",
    "tuner adalora": "it hinges on the number of steps: runs of three go well",
    "galore type unknown": "a release before 4.0 alone dies",
    "optimizer galore": "a release before 4.0 alone dies",
    "accelerator dispatch": "it hinges on the devices",
    "ddp_backend unknown": "it hinges on the devices",
    "device_map unknown": "it hinges on the devices",
    "fsdp preset": "it hinges on the devices",
    "fsdp unknown": "it hinges on the devices",
}


def test_the_oldest_the_newest_and_both_sides_of_the_fourth_release_are_there():
    assert {"3.8.3", "3.11.3", "3.12.6", "4.0.4", "4.6.0"} <= RECORDED.keys()
    assert sum(len(verdicts) for verdicts in RECORDED.values()) > 150


@pytest.mark.parametrize("release", RECORDED)
def test_errors_are_where_runs_die(release):
    compared = program().compare(release, RECORDED[release])
    assert [
        (verdict["dialect"], verdict["name"], verdict["text"], [each.rule.name for each in errors])
        for verdict, errors in compared
        if bool(errors) != verdict["dies"]
    ] == []


@pytest.mark.parametrize("release", RECORDED)
def test_the_wording_is_that_of_the_release(release):
    """The row that tells a death has its words: what stands around the numbers of a run."""
    for verdict, errors in program().compare(release, RECORDED[release]):
        if verdict["dies"] and errors[0].enforced is not None and "message" not in errors[0].enforced.wording:
            ways = [way.split("...") for way in errors[0].enforced.wording.split(" / ")]
            assert any(all(part in verdict["text"] for part in way) for way in ways), (
                verdict,
                errors[0].enforced.wording,
            )


@pytest.mark.parametrize("release", RUNS)
def test_runs_of_a_tiny_model(release):
    """A run that goes well has no error, and one that dies has one, unless it says above why not."""
    compared = program().compare(release, RUNS[release])
    assert len(compared) > 80
    told = {verdict["name"]: bool(errors) for verdict, errors in compared}
    dies = {verdict["name"]: verdict["dies"] for verdict, _ in compared}
    assert [name for name in told if told[name] and not dies[name]] == []
    assert [name for name in told if dies[name] and not told[name] and name not in NOT_TOLD] == []


def test_the_best_model_by_a_metric_of_nobody_is_a_warning():
    by_name = {verdict["name"]: verdict for verdict in RUNS["4.6.0"]}
    rules = [each.rule.name for each in program().said("4.6.0", by_name["best by accuracy"])]
    assert "best-metric-is-logged-by-a-reward" in rules
    rules = [each.rule.name for each in program().said("4.6.0", by_name["best by reward"])]
    assert "best-metric-is-logged-by-a-reward" not in rules
