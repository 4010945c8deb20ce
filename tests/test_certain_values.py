"""Values and settings that were excluded by their key until somebody asked: each is told where the real framework refused it
(`conformance/deaths`), and as a warning where something else may mend it first."""

import pytest

from grpo_lint.engine import lint
from grpo_lint.launch.context import Context
from grpo_lint.source.text import Text

NEW = "dialect=trl version=1.16.0 transformers=5.23.0"
MIDDLE = "dialect=trl version=0.25.1 transformers=4.57.1"
SWIFT = "dialect=swift version=4.6.0"
SIZES = "per_device_train_batch_size: 8\nnum_generations: 8\n"

ERRORS = [
    (NEW, "accelerator_config: 99"),
    (NEW, "accelerator_config: [1]"),
    (NEW, "accelerator_config: {gradient_accumulation_kwargs: {num_steps: 4}}\ngradient_accumulation_steps: 2"),
    (NEW, "accelerator_config: {gradient_accumulation_kwargs: 5}"),
    (NEW, "torch_compile_backend: magic"),
    (NEW, "torch_compile: false\ntorch_compile_backend: magic"),
    (NEW, "torch_compile_mode: 5"),
    (MIDDLE, "torchdynamo: magic"),
    (NEW, "parallelism_config: tp"),
    (NEW, "parallelism_config: 5"),
    (NEW, "report_to: 5"),
    (NEW, "report_to: false"),
    (NEW, "fsdp: [magic]"),
    (NEW, "generation_kwargs: {top_p: -0.5}"),
    (NEW, 'lr_scheduler_type: warmup_stable_decay\nlr_scheduler_kwargs: {num_decay_steps: "1"}'),
    (NEW, "datasets: [{path: a, fraction: -0.5}, {path: b, fraction: 0.5}]"),
]
WARNINGS = [
    (NEW, "gradient_accumulation_steps: $GAS"),
    (NEW, "learning_rate: ${LR}"),
    (NEW, "gradient_checkpointing: $GC"),
    (NEW, "accelerator_config: {gradient_accumulation_kwargs: {foo: 1}}"),
    (SWIFT, "gradient_accumulation_steps: $GAS"),
    (NEW, "use_cpu: true\nddp_timeout: null"),
]
FINE = [
    (NEW, "accelerator_config: {gradient_accumulation_kwargs: {num_steps: 4}}"),
    (NEW, "accelerator_config: {gradient_accumulation_kwargs: {sync_each_batch: true}}"),
    (NEW, "torch_compile_backend: Inductor"),
    (NEW, "fsdp_config: null"),
    (NEW, "report_to: []"),
    (NEW, "gradient_accumulation_steps: ${{ steps }}"),
    (NEW, "gradient_accumulation_steps: <steps>"),
    (NEW, "generation_kwargs: {top_p: 0.5, repetition_penalty: 1.1}"),
    (NEW, "datasets: [{path: a, fraction: 0.5}, {path: b, fraction: 0.5}]"),
]


def severities(head, body):
    text = Text(f"# grpo-lint: {head} world-size=1 loader=script\n{SIZES}{body}\n", "config.yaml")
    keys = {line.partition(":")[0] for line in body.splitlines()}
    found = lint(text, Context(), fixes=False).findings
    return {each.severity for each in found if each.at is not None and each.at.name in keys} - {"info"}


@pytest.mark.parametrize(("cases", "told"), [(ERRORS, {"error"}), (WARNINGS, {"warning"}), (FINE, set())])
def test_a_value_is_told_as_it_is_refused(cases, told):
    assert [(case, found) for case in cases if (found := severities(*case)) != told] == []


@pytest.mark.parametrize(
    ("config", "name"),
    [
        ("# grpo-lint: dialect=trl version=1.16.0\nuse_peft: true\nlora_target_modules: [{}, v_proj]\nnum_generations: 8\n", "config.yaml"),
        ("# grpo-lint: dialect=swift version=4.6.0\nrlhf_type: grpo\ntarget_modules: [{}, v_proj]\n", "config.yaml"),
        ("# grpo-lint: dialect=verl version=0.9.1\npython3 -m verl.trainer.main_ppo 'actor_rollout_ref.model.target_modules=[{},v_proj]'\n", "run.sh"),
    ],
)  # fmt: skip
@pytest.mark.parametrize(
    ("module", "is_told"), [("q_prj", True), ("qproj", True), ("q_proj", False), ("kv_b_proj", False), ("wq", False)]
)
def test_a_module_that_is_most_likely_misspelt(config, name, module, is_told):
    findings = lint(Text(config.format(module), name), Context()).findings
    found = [each for each in findings if each.rule.name == "value-has-the-type-of-its-key"]
    assert [each.severity for each in found] == (["warning"] if is_told else [])
