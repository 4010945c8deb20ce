"""One key at a time with odd values, as the real frameworks answered (`conformance/values`), and what is said of each.

`values/DIALECT-VERSION.json.gz` holds a letter for each kind of value of a key: `a` accepted, `-` not asked, or the stage that refuses.
"""

import sys
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path

import pytest

FILES = sorted((Path(__file__).parent / "values").glob("*.json.gz"))
CONFORMANCE = Path(__file__).parents[2] / "conformance"
SAMPLE = 25  # of each file, in the fast set
# {file: keys of which a refused value is not told}, each for the reason that stands behind it
LEFT: "dict[str, dict[str, str]]" = {
    "easyr1-0.3.0": {
        "worker.actor.micro_batch_size_per_device_for_experience": "-1 comes to chunks of a batch",
        "worker.actor.micro_batch_size_per_device_for_update": "-1 comes to chunks of a batch",
    },
    "megatron-3.12.6": {
        "megatron_extra_kwargs": "a number",
        "num_generations_eval": "of an evaluation, which the asked run has not",
    },
    "megatron-4.6.0": {
        "mrl_dims": "keys that are no numbers",
        "num_generations_eval": "of an evaluation, which the asked run has not",
    },
    "nemo-rl-0.7.0": {"policy.make_sequence_length_divisible_by": "0"},
    "slime-0.2.1": {
        "expert-model-parallel-size": "above 1 without experts",
        "pipeline-model-parallel-layout": "letters that stand for no layer",
    },
    "slime-0.3.1": {
        "expert-model-parallel-size": "above 1 without experts",
        "pipeline-model-parallel-layout": "letters that stand for no layer",
    },
    "swift-3.9.3": {"accelerator_config": "a key that accelerate does not know"},
    "swift-4.6.0": {
        "accelerator_config": "a key that accelerate does not know",
        "mrl_dims": "keys that are no numbers",
    },
    "trl-0.25.1": {"parallelism_config": "a list"},
    "trl-1.16.0": {"parallelism_config": "0 and a list", "use_cache": "0 and null"},
    "verl-0.4.1": {
        "actor_rollout_ref.ref.ulysses_sequence_parallel_size": "null",
        "critic.strategy": "null",
    },
    "verl-0.6.1": {
        "actor_rollout_ref.actor.fsdp_config.fsdp_size": "1.5 and null",
        "actor_rollout_ref.actor.megatron.tensor_model_parallel_size": "null",
        "actor_rollout_ref.actor.profiler.tool_config.npu.contents": "a list of other words",
        "actor_rollout_ref.actor.strategy": "a list",
        "actor_rollout_ref.rollout.max_num_batched_tokens": "null",
        "global_profiler.global_tool_config.torch_memory.trace_alloc_max_entries": "what others refer to",
    },
    "verl-0.7.1": {
        "actor_rollout_ref.actor.megatron.tensor_model_parallel_size": "null",
        "actor_rollout_ref.rollout.profiler.tool_config.npu.level": "words, of a setting that refers to another one",
    },
    "verl-0.9.1": {
        "actor_rollout_ref.actor.megatron.dynamic_context_parallel": "without a length",
        "+actor_rollout_ref.actor.profiler.tool_config.npu.profile_token_end": "appended",
        "+actor_rollout_ref.actor.profiler.tool_config.npu.profile_token_start": "appended",
        "actor_rollout_ref.rollout.profiler.tool_config.precision_debugger.config_path": "of a section that refers to another one",
        "actor_rollout_ref.rollout.profiler.tool_config.torch.profile_token_start": "of a section that refers to another one",
        "global_profiler.global_tool_config.torch_memory.memory_snapshot_num_steps": "what others refer to",
    },
}


# Keys by which Megatron-Core refuses to build a model, after all that was asked of slime.
OF_THE_MODEL = ("num-attention-heads", "num-query-groups")
# Words that transformers looks up when OpenRLHF loads the model or makes the schedule, after all that was asked of it.
LOOKED_UP = ("attn_implementation", "lr_scheduler")
LATE = {"slime": OF_THE_MODEL, "openrlhf": LOOKED_UP}


@pytest.fixture(scope="module")
def values():
    sys.path.insert(0, str(CONFORMANCE))
    before, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    loader = SourceFileLoader("conformance_values", str(CONFORMANCE / "values"))
    module = module_from_spec(spec_from_loader(loader.name, loader))
    try:
        loader.exec_module(module)
        yield module
    finally:
        sys.dont_write_bytecode = before
        sys.path.remove(str(CONFORMANCE))


def astray(values, path, every):
    """(how many were asked, what is told but taken, the keys of which something refused is not told) of each so-manieth answer."""
    target, answers = values.heard(path)
    asked = [each for each in answers if each[3] is not None][::every]
    wrong, untold = [], {}
    for key, _, case, theirs, _ in asked:
        kind = values.kind(target.dialect, theirs, target.ours(case))
        assert kind in values.COLUMNS, kind
        if kind == "reported but taken" and not key.endswith(LATE.get(target.dialect, ())):
            wrong.append(target.text(case))
        if kind == "not reported":
            untold.setdefault(key.rpartition(" ")[2], []).append(target.text(case))
    return len(asked), wrong, untold


def left_of(path):
    return LEFT.get(path.name.removesuffix(".json.gz"), {}).keys()


def test_of_a_sample_nothing_that_is_taken_is_told(values):
    for path in FILES:
        count = sum(each[3] is not None for each in values.heard(path)[1])
        _, wrong, untold = astray(values, path, count // SAMPLE)
        assert (wrong, {key: lines for key, lines in untold.items() if key not in left_of(path)}) == ([], {}), path.name


@pytest.mark.slow
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name.removesuffix(".json.gz"))
def test_what_is_refused_is_told_and_what_is_taken_is_not(values, path):
    count, wrong, untold = astray(values, path, 1)
    assert count > 200 and wrong == []
    assert untold.keys() == left_of(path)
    assert sum(map(len, untold.values())) <= 0.02 * count
