"""What a fix may be called, and what is never offered: a safe one trains the same, a suggestion is near in meaning, a size
fits the model, and an update is whole."""

import pytest

from conftest import comment, lint_text, message, names, said, suggestions
from grpo_lint.engine import repair
from grpo_lint.fixes.keys import _MAKERS
from grpo_lint.frameworks.registry import framework

TRL = "num_generations: 8\nper_device_train_batch_size: 8\n"
SWIFT = "rlhf_type: grpo\nmodel: m\ndataset: [d]\nreward_funcs: [accuracy]\n" + TRL
MEGATRON = (
    "rlhf_type: grpo\nmodel: m\ndataset: [d]\nreward_funcs: [accuracy]\nvllm_mode: colocate\nmicro_batch_size: 1\n"
    "global_batch_size: 32\nnum_generations: 8\n"
)
BODIES = {"trl": TRL, "swift": SWIFT, "megatron": MEGATRON}


def text_of(dialect, version, more, **facts):
    return (
        comment(dialect=dialect, version=version, world_size=facts.pop("world_size", 1), **facts)
        + BODIES[dialect]
        + more
    )


def linted(dialect, version, more, **facts):
    return lint_text(text_of(dialect, version, more, **facts), fixes=True)


def about(report, key):
    """The finding that points at a key."""
    (finding,) = [
        each
        for each in report.findings
        if each.severity != "info" and each.at is not None and each.at.entry.name == key
    ]
    return finding


def told_fixes(finding):
    return [(fix.safety, fix.title) for fix in finding.fixes]


# --- one definition of safe -----------------------------------------------------------------------------------------

# kind of fix -> (framework, version, keys, facts, key, safety, title)
KINDS = {
    "key-is-spelt-out: the release takes it for this one": ("swift", "4.6.0", "lora_r: 8\n", {}, "lora_r", "safe", "rename lora_r to lora_rank"),
    "key-is-of-this-version: refused, and given up by the framework": ("swift", "4.6.0", "train_type: lora\n", {}, "train_type", "safe", "rename train_type to tuner_type"),
    "key-is-of-this-version: the same quantity": ("megatron", "4.0.4", "num_virtual_stages_per_pipeline_rank: 1\n", {}, "num_virtual_stages_per_pipeline_rank", "safe",
                                                  "rename num_virtual_stages_per_pipeline_rank to virtual_pipeline_model_parallel_size"),
    "key-is-of-this-version: dropped, so the new name comes into force": ("trl", "1.16.0", "vllm_guided_decoding_regex: a\n", {}, "vllm_guided_decoding_regex", "unsafe",
                                                                           "rename vllm_guided_decoding_regex to vllm_structured_outputs_regex"),
    "key-is-of-this-version: refused by some parsers only": ("trl", "0.21.0", "dtype: bfloat16\n", {}, "dtype", "unsafe", "rename dtype to torch_dtype"),
    "key-is-of-this-version: dropped, and nothing took its place": ("trl", "1.16.0", "max_prompt_length: 512\n", {"loader": "script"}, "max_prompt_length", "safe", "remove max_prompt_length"),
    "key-is-of-this-version: dropped by the stated companion": ("trl", "1.16.0", "overwrite_output_dir: true\n", {"transformers": "5.23.0", "loader": "script"}, "overwrite_output_dir", "safe",
                                                                "remove overwrite_output_dir"),
    "key-is-of-this-version: refused, and the default takes over": ("swift", "3.2.2", "vllm_server_host: a\n", {}, "vllm_server_host", "unsafe", "remove vllm_server_host"),
    "dtype-is-read: dropped, so another precision comes into force": ("trl", "1.16.0", "torch_dtype: bfloat16\n", {}, "torch_dtype", "unsafe", "rename torch_dtype to dtype"),
    "key-is-known: a likeness, dropped": ("trl", "1.16.0", "loss_typ: dapo\n", {}, "loss_typ", "unsafe", "rename loss_typ to loss_type"),
    "key-is-known: a likeness, refused": ("trl", "1.16.0", "loss_typ: dapo\n", {"loader": "kwargs"}, "loss_typ", "unsafe", "rename loss_typ to loss_type"),
    "key-is-known: another name": ("swift", "4.6.0", "lora_dim: 8\n", {}, "lora_dim", "unsafe", "rename lora_dim to lora_rank"),
    "key-is-known: a second spelling, dropped": ("trl", "1.16.0", "num-generations: 4\n", {"loader": "script"}, "num-generations", "safe", "remove num-generations"),
    "key-is-not-ambiguous: a guess": ("swift", "4.6.0", "lr: 1.0e-6\n", {}, "lr", "unsafe", "rename lr to learning_rate"),
    "null-is-not-a-text: the default comes into force": ("swift", "4.6.0", "val_dataset: null\n", {}, "val_dataset", "unsafe", "remove val_dataset"),
    "value-is-a-choice: the same word": ("trl", "1.16.0", "eval_strategy: no\n", {}, "eval_strategy", "safe", 'write "no" in quotes'),
    "value-is-a-choice: nothing": ("trl", "1.16.0", "loss_type: None\n", {}, "loss_type", "unsafe", "remove loss_type"),
    "value-has-the-type-of-its-key: nothing": ("trl", "1.16.0", "beta: null\n", {}, "beta", "unsafe", "remove beta"),
    "value-is-a-choice: a likeness": ("trl", "1.16.0", "lr_scheduler_type: Cosine\n", {}, "lr_scheduler_type", "unsafe", "write cosine"),
    "value-has-the-type-of-its-key: the same number": ("swift", "4.6.0", "max_steps: 8.0\n", {}, "max_steps", "safe", "write 8"),
    "value-has-the-type-of-its-key: the same number as a text": ("trl", "1.16.0", "max_steps: 1e3\n", {}, "max_steps", "safe", "write 1000"),
    "value-has-the-type-of-its-key: taken as it is until now": ("trl", "1.16.0", "learning_rate: 1e-6\n", {"loader": "kwargs"}, "learning_rate", "unsafe", "write 1.0e-06"),
    "value-has-the-type-of-its-key: a likeness": ("trl", "1.16.0", "bf16: tru\n", {}, "bf16", "unsafe", "write true"),
    "list-holds-texts: the same numbers": ("swift", "4.0.4", "reward_weights: [1.0]\n", {}, "reward_weights", "safe", "put quotes around the items"),
}  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_safe_is_what_trains_the_same(kind):
    dialect, version, more, facts, key, safety, title = KINDS[kind]
    text = text_of(dialect, version, more, **facts)
    finding = about(lint_text(text, fixes=True), key)
    assert (finding.rule.name, told_fixes(finding)[:1]) == (kind.partition(":")[0], [(safety, title)])
    fixed = repair(text.encode(), "config.yaml", None).data.decode()
    assert (fixed == text) == (safety == "unsafe")


def test_every_kind_of_fix_of_a_key_is_held_to_the_definition():
    # held to it in test_verl.py and test_named_files.py
    elsewhere = {"appended-key-is-new", "field-outside-the-tree-is-appended", "named-file-exists"}
    assert {kind.partition(":")[0] for kind in KINDS} | elsewhere == set(_MAKERS)


@pytest.mark.parametrize("version", ["0.23.1", "0.26.2"])
def test_where_both_names_are_read_there_is_nothing_to_mend(version):
    assert names(linted("trl", version, "torch_dtype: bfloat16\n"), "error", "warning") == []


# --- what a package beside the framework declares -----------------------------------------------------------------------


@pytest.mark.parametrize("loader", ["script", "kwargs"])
@pytest.mark.parametrize(
    ("transformers", "gone"),
    [("4.57.6", []), ("5.0.0", ["overwrite_output_dir"]), ("5.14.0", ["overwrite_output_dir"]),
     ("5.15.0", ["overwrite_output_dir", "warmup_ratio"])],
)  # fmt: skip
def test_fields_of_transformers_leave_with_transformers(transformers, gone, loader):
    more = "overwrite_output_dir: true\nwarmup_ratio: 0.1\n"
    report = linted("trl", "1.16.0", more, transformers=transformers, loader=loader)
    found = [each for each in report.findings if each.rule.name == "key-is-of-this-version"]
    assert [each.at.name for each in found] == gone
    assert all("was removed in transformers 5." in message(each) for each in found)


def test_fields_of_transformers_stay_with_an_old_one_where_trl_goes_with_a_new_one():
    report = linted("trl", "0.27.2", "overwrite_output_dir: true\n", transformers="5.1.0")
    assert "was removed in transformers 5.0" in message(about(report, "overwrite_output_dir"))


@pytest.mark.parametrize("key", ["warmup_ratio: 0.1", "overwrite_output_dir: true"])
@pytest.mark.parametrize("loader", ["script", "kwargs"])
def test_where_nobody_knows_the_companion_it_is_told_without_an_edit(key, loader):
    finding = about(linted("trl", "1.16.0", f"{key}\n", loader=loader), key.partition(":")[0])
    assert (finding.severity, finding.fixes) == ("warning", [])
    assert "companion:transformers" in finding.assumes and "assuming that transformers" in finding.note


def test_what_every_possible_companion_lacks_is_certain():
    finding = about(linted("trl", "0.28.0", "evaluation_strategy: steps\n", loader="kwargs"), "evaluation_strategy")
    assert (finding.severity, finding.assumes) == ("error", [])


@pytest.mark.parametrize(
    ("more", "transformers", "fixes"),
    [
        ("warmup_ratio: 0.1\n", "5.23.0", [("unsafe", "rename warmup_ratio to warmup_steps")]),
        ("warmup_ratio: 1.0\n", "5.23.0", []),
        ("warmup_ratio: 1\n", "5.23.0", []),
        ("warmup_ratio: 0.1\nwarmup_steps: 5\n", "5.23.0", []),
    ],
)
def test_a_share_becomes_steps_only_where_steps_may_be_a_share(more, transformers, fixes):
    finding = about(linted("trl", "1.16.0", more, transformers=transformers), "warmup_ratio")
    assert told_fixes(finding) == fixes


def test_older_transformers_take_no_part_of_a_step():
    assert names(linted("trl", "1.16.0", "warmup_steps: 0.1\n", transformers="4.57.6"), "error") == [
        "value-has-the-type-of-its-key"
    ]
    assert names(linted("trl", "1.16.0", "warmup_steps: 0.1\n", transformers="5.0.0"), "error", "warning") == []


@pytest.mark.parametrize("name", ["trl", "swift"])
def test_the_catalogue_agrees_on_what_transformers_declares(name):
    own = framework(name)
    catalogue, groups = own.catalogue, own.reader.trainer.groups("grpo", "kwargs")
    from grpo_lint.frameworks.versions import version_key

    for field, (package, since, gone) in own.releases.companion_fields.items():
        for index, companions in enumerate(catalogue.companions):
            version = version_key(companions[package])
            has_it = not (since and version < since) and not (gone and version >= gone)
            known = bool(catalogue.known(field, groups) >> index & 1)
            assert known == has_it or not catalogue.known(field, groups), (field, catalogue.releases[index])


# --- names ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("version, told", [("0.21.0", True), ("0.28.0", True), ("0.29.1", False), ("1.16.0", False)])
def test_a_key_of_the_launcher_is_read_where_nobody_says_who_reads_the_file(version, told):
    """`trl grpo` of 0.29 and later hands it to accelerate."""
    report = linted("trl", version, "accelerate_config: zero3\n")
    assert any("accelerate_config" in message(each) for each in report.findings) == told


@pytest.mark.parametrize("version", ["0.18.2", "0.21.0", "1.16.0"])
@pytest.mark.parametrize("loader", ["script", "cli"])
def test_a_key_of_the_launcher_is_no_misspelling(version, loader):
    report = linted("trl", version, "accelerate_config: zero3\n", loader=loader)
    assert all("accelerator_config" not in message(each) for each in report.findings)
    assert all(each.fixes == [] for each in report.findings)


def test_layers_for_each_stage_are_no_number_of_stages():
    finding = about(
        linted("megatron", "4.0.4", "num_layers_per_virtual_pipeline_stage: 6\n"),
        "num_layers_per_virtual_pipeline_stage",
    )
    assert finding.fixes == []
    assert "layers / (pipeline_model_parallel_size x layers per stage)" in message(finding)
    back = about(
        linted("megatron", "3.12.6", "virtual_pipeline_model_parallel_size: 1\n"),
        "virtual_pipeline_model_parallel_size",
    )
    assert [title for _, title in told_fixes(back)] == [
        "rename virtual_pipeline_model_parallel_size to num_virtual_stages_per_pipeline_rank"
    ]


def test_a_second_spelling_is_named_as_one():
    finding = about(linted("trl", "1.16.0", "per-device-train-batch-size: 3\n"), "per-device-train-batch-size")
    assert "second spelling of per_device_train_batch_size, which is set here as well" in message(finding)
    assert all("eval" not in title for _, title in told_fixes(finding))


# what people write -> what is suggested; None: nothing is renamed, () whatever is said
MEANT = {
    "trl": {
        "use_lora": "use_peft", "lora_rank": "lora_r", "lora_rnak": None, "lr": "learning_rate", "model": "model_name_or_path",
        "output_path": "output_dir", "train_dataset": "dataset_name", "gradient_accumulation": "gradient_accumulation_steps",
        "batch_size": None, "num_gpus": None, "vllm_mem": "vllm_gpu_memory_utilization", "micro_batch_size": None,
        "learnig_rate": "learning_rate", "max_completion_lenght": "max_completion_length", "warmup_ration": None, "global_batch_size": None,
        "train_iters": "max_steps", "tensor_parallel_size": None, "per_device_training_batch_size": None,
    },
    "swift": {
        "use_lora": None, "use_peft": None, "lr": "learning_rate", "output_path": "output_dir", "model_name_or_path": None, "lora_dim": "lora_rank",
        "train_dataset": None, "batch_size": None, "num_gpus": None, "vllm_mem": "vllm_gpu_memory_utilization", "global_batch_size": None,
    },
    "megatron": {
        "learning_rate": "lr", "per_device_train_batch_size": None, "gradient_accumulation_steps": None, "max_steps": "train_iters",
        "use_lora": None, "batch_size": None, "num_gpus": None, "lr_scheduler_type": "lr_decay_style", "max_grad_norm": "clip_grad",
    },
}  # fmt: skip
NEWEST = {"trl": "1.16.0", "swift": "4.6.0", "megatron": "4.6.0"}


@pytest.mark.parametrize(("dialect", "name"), [(dialect, name) for dialect, found in MEANT.items() for name in found])
def test_a_suggestion_is_near_in_meaning(dialect, name):
    body = BODIES[dialect]
    text = (
        comment(dialect=dialect, version=NEWEST[dialect], world_size=1, loader="script" if dialect == "trl" else "cli")
        + body
    )
    finding = next(
        each for each in lint_text(text + f"{name}: 1\n").findings if each.at is not None and each.at.entry.name == name
    )
    assert finding.values.get("rename") == MEANT[dialect][name], message(finding)


def test_what_is_said_where_no_name_is_just_another_one():
    def hint(dialect, name):
        return message(
            about(
                linted(dialect, NEWEST[dialect], f"{name}: 1\n", **({"loader": "script"} if dialect == "trl" else {})),
                name,
            )
        )

    assert "did you mean tuner_type: lora?" in hint("swift", "use_lora")
    assert "did you mean generation_batch_size" in hint("megatron", "train_batch_size")
    assert "the launcher sets the number of processes" in hint("trl", "num_gpus")
    assert "Megatron counts completions per GPU with micro_batch_size" in hint(
        "megatron", "per_device_train_batch_size"
    )
    assert "did you mean warmup_ratio, which was removed in transformers 5.15" in hint("trl", "warmup_ration")


def test_names_that_scripts_declare_themselves_are_left_to_them():
    report = linted("trl", "1.16.0", "model: m\ndataset_path: d\n")
    assert names(report, "warning") == ["keys-are-read"]


# --- sizes ----------------------------------------------------------------------------------------------------------


def offered_for(dialect, version, more, rule, **facts):
    return said(linted(dialect, version, more, **facts), rule).fixes


def divides_the_model_still(value, stated):
    """What divides a size divides the model that the size divides; of one that is no power of two those next to it divide most models."""
    return (stated % value == 0 and value < stated) or (
        stated & (stated - 1) and value & (value - 1) == 0 and stated / 2 < value < stated * 2
    )


@pytest.mark.parametrize(("stated", "world"), [(5, 8), (6, 8), (3, 4), (16, 24)])
def test_a_parallel_size_becomes_a_divisor_of_the_stated_one_or_a_power_of_two_beside_it(stated, world):
    key = "vllm_tensor_parallel_size"
    more = f"use_vllm: true\nvllm_mode: colocate\n{key}: {stated}\n"
    values = [
        fix.changes[key]
        for fix in offered_for("trl", "1.16.0", more, "vllm-tensor-parallel-divides-world", world_size=world)
        if key in fix.changes
    ]
    assert values and all(divides_the_model_still(value, stated) for value in values)


@pytest.mark.parametrize("key", ["tensor_model_parallel_size", "pipeline_model_parallel_size", "context_parallel_size"])
def test_the_sizes_of_megatron_too(key):
    for fix in offered_for("megatron", "4.6.0", f"{key}: 6\n", "model-parallel-divides-world", world_size=16):
        sizes = {name: value for name, value in fix.changes.items() if "parallel" in name}
        assert all(name == key and divides_the_model_still(value, 6) for name, value in sizes.items()), sizes


def test_memory_is_not_said_to_be_the_same_where_the_model_is_cut_otherwise():
    more = "tensor_model_parallel_size: 6\n"
    fixes = offered_for("megatron", "4.6.0", more, "model-parallel-divides-world", world_size=16)
    assert any("tensor_model_parallel_size" in fix.changes for fix in fixes)
    assert all(
        "memory" not in fix.effect
        for fix in fixes
        if "world_size" in fix.changes or "tensor_model_parallel_size" in fix.changes
    )


def test_no_update_is_cut():
    text = comment(dialect="swift", version="3.8.3", world_size=2) + SWIFT.replace(
        "per_device_train_batch_size: 8", "per_device_train_batch_size: 1\ngradient_accumulation_steps: 3"
    )
    fixes = said(lint_text(text, fixes=True), "rollout-holds-whole-groups").fixes
    assert fixes and {"steps_per_generation": 4} not in [fix.changes for fix in fixes]
    assert all(
        "." not in fix.effect.partition(" updates per rollout")[0].rpartition(", ")[2] or "updates" not in fix.effect
        for fix in fixes
    )


# --- several mistakes, and fixes of the right size -------------------------------------------------------------------


def firsts(report):
    return {finding.rule.name: finding.fixes[0].changes for finding in report.findings if finding.fixes}


@pytest.mark.parametrize(
    ("dialect", "version", "more"),
    [("trl", "1.16.0", "eval_strategy: steps\neval_steps: 5\n"), ("swift", "3.8.3", "val_dataset: [e]\n")],
)
def test_each_finding_gets_its_own_first_fix(dialect, version, more):
    body = BODIES[dialect].replace("per_device_train_batch_size: 8", "per_device_train_batch_size: 1")
    text = (
        comment(dialect=dialect, version=version, world_size=4)
        + body
        + "gradient_accumulation_steps: 3\nper_device_eval_batch_size: 1\n"
        + more
    )
    report = lint_text(text, fixes=True)
    assert firsts(report) == {
        "evaluation-holds-whole-groups": {"per_device_eval_batch_size": 2},
        "rollout-holds-whole-groups": {"gradient_accumulation_steps": 4},
    }
    fixed = repair(text.encode(), "config.yaml", None, unsafe=True)
    assert names(fixed.report, "error", "warning") == []
    assert "gradient_accumulation_steps: 4" in fixed.data.decode() and "num_generations: 8" in fixed.data.decode()


def test_cost_comes_before_habit():
    def first(rule, settings, dialect="trl", version="1.16.0", world_size=1):
        text = comment(dialect=dialect, version=version, world_size=world_size) + settings
        return [fix.changes for fix in said(lint_text(text, fixes=True), rule).fixes]

    sizes = "num_generations: 128\nper_device_train_batch_size: 2\ngradient_accumulation_steps: 4\n"
    assert first("rollout-holds-whole-groups", sizes)[0] == {"num_generations": 8}
    assert first("rollout-holds-whole-groups", "num_generations: 5\nper_device_train_batch_size: 16\n")[0] == {
        "num_generations": 4
    }
    megatron = (
        MEGATRON.replace("micro_batch_size: 1", "micro_batch_size: 4").replace(": 32", ": 16")
        + "steps_per_generation: 16\n"
    )
    assert first("update-holds-whole-micro-batches", megatron, "megatron", "4.6.0", 8)[:2] == [
        {"global_batch_size": 32}, {"micro_batch_size": 2},
    ]  # fmt: skip


def test_a_requirement_that_nobody_enforces_and_that_waited_is_named():
    megatron = (
        MEGATRON.replace("micro_batch_size: 1", "micro_batch_size: 4").replace(": 32", ": 16")
        + "steps_per_generation: 16\n"
    )
    report = lint_text(comment(dialect="megatron", version="4.6.0", world_size=8) + megatron, fixes=True)
    assert "GRPO216 remains" in said(report, "update-holds-whole-micro-batches").fixes[0].effect


def script(prefix, command="swift rlhf", more=""):
    return (
        f"#!/bin/bash\n# grpo-lint: version=4.6.0\n{prefix}{command} --rlhf_type grpo --model m --dataset d --reward_funcs accuracy \\\n"
        f"  --num_generations 8 --per_device_train_batch_size 8 --gradient_accumulation_steps 2{more}\n"
    )


PROCESSES = {
    "too many": ("CUDA_VISIBLE_DEVICES=0,1,2,3 NPROC_PER_NODE=8 ", "devices-divide-over-processes", "NPROC_PER_NODE=4"),
    "too few": ("CUDA_VISIBLE_DEVICES=0,1,2,3 NPROC_PER_NODE=3 ", "devices-divide-over-processes", "NPROC_PER_NODE=4"),
    "not said": ("CUDA_VISIBLE_DEVICES=0,1,2,3 ", "devices-have-processes", "NPROC_PER_NODE=4"),
}


@pytest.mark.parametrize("case", PROCESSES)
def test_a_finding_about_processes_knows_the_number_and_sets_it(case):
    prefix, rule, wanted = PROCESSES[case]
    text = script(prefix)
    report = lint_text(text, path="train.sh", fixes=True)
    finding = said(report, rule)
    assert told_fixes(finding)[0] == ("unsafe", f"set {wanted}")
    start, end = finding.span
    assert text[start:end] in ("8", "3", "0,1,2,3")
    fixed = repair(text.encode(), "train.sh", None, unsafe=True).data.decode()
    assert f"{wanted} " in fixed and fixed.count("NPROC_PER_NODE") == 1
    assert names(lint_text(fixed, path="train.sh"), "error", "warning") == []


def test_several_nodes_take_a_multiple_of_their_number():
    text = script("NPROC_PER_NODE=3 NNODES=2 ").replace("size 8", "size 1").replace("steps 2", "steps 1")
    fixes = said(lint_text(text, path="train.sh", fixes=True), "rollout-holds-whole-groups").fixes
    assert all(fix.changes.get("world_size", 2) % 2 == 0 for fix in fixes)


def test_one_process_a_node_is_not_called_a_variable_that_nobody_set():
    text = script("NNODES=2 ").replace("size 8", "size 1").replace("steps 2", "steps 1")
    assert "NPROC_PER_NODE" not in "".join(
        fact.source for fact in lint_text(text, path="train.sh").launches[0].facts.values()
    )


def test_keys_that_go_together_are_removed_together():
    more = "vllm_server_host: a\nvllm_server_port: 8000\n"
    refused = linted("swift", "3.2.2", "use_vllm: true\n" + more)
    assert about(refused, "vllm_server_host").fixes[0].changes == dict.fromkeys(
        ("vllm_server_host", "vllm_server_port")
    )
    overridden = linted("swift", "3.8.3", "use_vllm: true\nvllm_mode: colocate\n" + more)
    assert suggestions(said(overridden, "vllm-mode-is-kept")) == [
        {"vllm_mode": "server"}, dict.fromkeys(("vllm_server_host", "vllm_server_port")),
    ]  # fmt: skip


CHOICES = [
    ("trl", "loss_type: dapoo", "loss_type", "dapo"),
    ("trl", "lr_scheduler_type: Cosine", "lr_scheduler_type", "cosine"),
    ("trl", "lr_scheduler_type: cosin", "lr_scheduler_type", "cosine"),
    ("trl", "eval_strategy: epochs", "eval_strategy", "epoch"),
    ("trl", "optim: adamw", "optim", "adamw_torch"),
    ("trl", "max_grad_norm: None", "max_grad_norm", None),
    ("trl", "top_k: None", "top_k", None),
    ("trl", "bf16: tru", "bf16", True),
    ("trl", "max_steps: 1e3", "max_steps", 1000),
    ("swift", "loss_type: dapoo", "loss_type", ["dapo"]),
    ("swift", "lr_scheduler_type: Cosine", "lr_scheduler_type", "cosine"),
    ("swift", "max_steps: 1e3", "max_steps", 1000),
]


@pytest.mark.parametrize(("dialect", "written", "key", "value"), CHOICES)
def test_values_and_choices_are_mended(dialect, written, key, value):
    text = text_of(dialect, NEWEST[dialect], f"{written}  # why\n")
    finding = about(lint_text(text, fixes=True), key)
    assert finding.fixes[0].changes == {key: value}
    fixed = repair(text.encode(), "config.yaml", None, unsafe=True)
    assert names(fixed.report, "error") == [] and "# why" in fixed.data.decode()


@pytest.mark.parametrize("loader", ["script", "cli"])
@pytest.mark.parametrize(
    ("version", "value"), [("1.16.0", ["accuracy_reward"]), ("0.24.0", ["accuracy_reward"]), ("0.20.0", None)]
)
def test_a_text_of_rewards_becomes_a_list_of_those_that_the_release_has(loader, version, value):
    finding = about(linted("trl", version, "reward_funcs: accuracy\n", loader=loader), "reward_funcs")
    assert (finding.severity, finding.stage) == ("error", "init")
    assert suggestions(finding) == ([{"reward_funcs": value}] if value else [])


def test_the_rewards_of_a_script_of_ones_own_stay():
    report = linted("trl", "1.16.0", "reward_funcs: accuracy\n")
    assert all(each.fixes == [] for each in report.findings)


def test_auto_is_the_first_fix_of_a_deepspeed_configuration():
    text = text_of("trl", "1.16.0", """max_grad_norm: 1.0\ndeepspeed: '{"gradient_clipping": 0.2}'\n""")
    finding = said(lint_text(text, fixes=True), "deepspeed-clipping-agrees")
    assert finding.fixes[0].title == 'write "auto" for gradient_clipping in the value of deepspeed'
    fixed = repair(text.encode(), "config.yaml", None, unsafe=True).data.decode()
    assert fixed == text.replace("0.2", '"auto"')


def test_what_is_learnt_is_kept_where_that_costs_speed_alone():
    """A smaller micro batch trains the same; twice the batch, or half the group, does not."""
    megatron = MEGATRON.replace("micro_batch_size: 1", "micro_batch_size: 4").replace(": 32", ": 128")
    report = lint_text(comment(dialect="megatron", version="4.3.0", world_size=8) + megatron, fixes=True)
    fix, *others = said(report, "update-gives-ranks-whole-prompts").fixes
    assert fix.changes == {"micro_batch_size": 2} and "same completions per update" in fix.effect
    assert {"global_batch_size": 256} in [other.changes for other in others]


def test_a_larger_device_batch_goes_with_less_accumulation():
    """Where a step has to hold a group the batch grows to one; with fewer steps an update stays as large as it was."""
    text = "num_generations: 8\nper_device_train_batch_size: 1\ngradient_accumulation_steps: {}\n"
    told = comment(dialect="trl", version="0.16.1", world_size=1)
    fixes = said(lint_text(told + text.format(16), fixes=True), "rollout-holds-whole-groups").fixes
    assert fixes[0].changes == {"per_device_train_batch_size": 8, "gradient_accumulation_steps": 2}
    assert {"per_device_train_batch_size": 8} in [fix.changes for fix in fixes]
    fixes = said(lint_text(told + text.format(4), fixes=True), "rollout-holds-whole-groups").fixes
    assert all("gradient_accumulation_steps" not in fix.changes for fix in fixes)  # 4 steps cannot be made an eighth
