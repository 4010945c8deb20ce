"""Values of TRL's settings that only one release, or only one other setting, makes a refusal, and when."""

import pytest

from conftest import comment, lint_config, lint_text, names, told
from grpo_lint.engine import repair
from grpo_lint.launch.context import Context
from grpo_lint.report.messages import message

RECIPE = {"output_dir": "out", "per_device_train_batch_size": 8, "num_generations": 4}

# settings, version, loader, what value-has-the-type-of-its-key says: (severity, stage)
TABLE = [
    # steps are compared by the config class where the strategy counts them, and by the trainer always
    ({"logging_steps": None}, "0.28.0", "script", ("error", "config")),
    ({"logging_steps": None, "logging_strategy": "no"}, "0.28.0", "script", ("warning", "never")),
    ({"logging_steps": "true", "logging_strategy": "epoch"}, "0.25.1", "kwargs", ("error", "run")),
    ({"logging_steps": "5", "logging_strategy": "no", "eval_strategy": "steps"}, "1.16.0", "kwargs", ("error", "config")),
    ({"logging_steps": "5", "logging_strategy": "no", "eval_strategy": "steps", "eval_steps": 5}, "1.16.0", "kwargs", ("error", "run")),
    ({"save_steps": {}, "save_strategy": "best"}, "0.29.1", "script", ("error", "run")),
    ({"save_steps": {}, "save_strategy": "best", "eval_strategy": "steps", "load_best_model_at_end": True}, "0.29.1", "script", ("error", "config")),
    # the config class of 0.14 looks at no batch
    ({"num_generations": "0.5"}, "0.14.0", "kwargs", ("error", "run")),
    ({"num_generations": "0.5"}, "0.18.2", "kwargs", ("error", "config")),
    ({"per_device_train_batch_size": []}, "0.14.0", "script", ("error", "run")),
    ({"per_device_eval_batch_size": "auto", "eval_strategy": "steps"}, "0.14.0", "kwargs", ("error", "run")),
    # a batch with a point: the trainer lists its divisors, then the config class does, then nobody until it is counted
    ({"per_device_train_batch_size": 2.5}, "0.14.0", "script", ("error", "run")),
    ({"per_device_train_batch_size": 2.5}, "0.16.1", "script", ("error", "init")),
    ({"per_device_train_batch_size": 2.5}, "0.18.2", "script", ("error", "config")),
    ({"per_device_train_batch_size": 2.5}, "0.20.0", "script", ("error", "run")),
    ({"gradient_accumulation_steps": 2.5}, "0.16.1", "script", ("error", "run")),
    ({"gradient_accumulation_steps": 2.5}, "0.18.2", "script", ("error", "config")),
    ({"gradient_accumulation_steps": 2.5, "steps_per_generation": 4}, "0.18.2", "script", ("error", "run")),
    # what the trainer looks at when it is made
    ({"output_dir": ""}, "1.16.0", "script", ("error", "init")),
    ({"output_dir": None}, "0.14.0", "script", ("error", "init")),
]  # fmt: skip


@pytest.mark.parametrize("settings, version, loader, expected", TABLE)
def test_a_value_is_refused_when_somebody_computes_with_it(settings, version, loader, expected):
    report = lint_config({**RECIPE, **settings}, dialect="trl", version=version, loader=loader, world_size=1)
    found = [finding for finding in report.findings if finding.rule.name == "value-has-the-type-of-its-key"]
    assert [(finding.severity, finding.stage) for finding in found] == [expected]


@pytest.mark.parametrize("settings, refused", [
    ({"eval_steps": 2.5}, True), ({"eval_steps": 0.5}, False), ({"eval_steps": 2.0}, False),
    ({"logging_steps": 1.5, "logging_strategy": "epoch"}, True),
    ({"logging_steps": 1.5, "logging_strategy": "epoch", "eval_steps": 5}, False),
    ({"logging_steps": 1.5, "logging_strategy": "epoch", "eval_strategy": "no"}, False),
    ({"logging_steps": 1.5}, False),  # logging-steps-are-whole says it
])  # fmt: skip
def test_without_steps_of_its_own_evaluation_comes_with_logging(settings, refused):
    report = lint_config(
        {**RECIPE, "eval_strategy": "steps", **settings}, dialect="trl", version="1.16.0", world_size=1
    )
    assert ("evaluation-steps-are-whole" in names(report, "error")) == refused


@pytest.mark.parametrize("value, severity", [("warning", None), ("criticals", "error"), ("WARNING", "error")])
def test_a_log_level_is_looked_up_when_the_trainer_is_made(value, severity):
    report = lint_config({**RECIPE, "log_level_replica": value}, dialect="trl", version="1.16.0", world_size=1)
    assert [
        (finding.severity, finding.stage) for finding in report.findings if finding.rule.name == "value-is-a-choice"
    ] == ([(severity, "init")] if severity else [])


@pytest.mark.parametrize("settings, refused", [
    ({}, True), ({"metric_for_best_model": None}, True), ({"metric_for_best_model": "eval_reward"}, False),
    ({"load_best_model_at_end": True}, False), ({"lr_scheduler_type": "reduce_lr_on_plateau"}, False), ({"save_strategy": "steps"}, False),
])  # fmt: skip
@pytest.mark.parametrize("version", ["0.14.0", "0.22.2", "1.16.0"])
def test_the_best_model_is_told_by_a_metric(settings, refused, version):
    report = lint_config(
        {**RECIPE, "save_strategy": "best", "eval_strategy": "steps", **settings},
        dialect="trl",
        version=version,
        world_size=1,
    )
    assert ("best-model-has-a-metric" in names(report, "error")) == refused


def test_a_mapping_is_one_value_of_its_field_and_one_finding_where_there_is_no_such_field():
    known = {"gradient_checkpointing_kwargs": {"use_reentrant": False}, "lr_scheduler_kwargs": {"num_cycles": 1}}
    unknown = {"wandb": {"project": "p", "tags": ["a", "b"], "more": {"entity": "e"}}}
    report = lint_config({**RECIPE, **known, **unknown}, version="1.16.0", dialect="trl")
    about_keys = [finding for finding in report.findings if finding.rule.name in ("key-is-known", "keys-are-read")]
    assert [finding.at.name for finding in about_keys] == ["wandb"]


VLLM = "use_vllm: true\nvllm_mode: colocate\n"


@pytest.mark.parametrize(
    ("lines", "severity", "problem"),
    [(VLLM + "generation_kwargs: {temprature: 0.7}\n", "error", "did you mean temperature?"),
     (VLLM + "generation_kwargs: {do_sample: true}\n", "error", "vLLM does not take"),
     (VLLM + "generation_kwargs: {some_new_option: true}\n", None, ""),
     (VLLM + "generation_kwargs: {stop: ['x'], top_p: 0.9}\n", None, ""),
     ("generation_kwargs: {temprature: 0.7}\n", "warning", "did you mean temperature?"),
     ("generation_kwargs: {do_sample: true, num_beams: 1}\n", None, ""),
     ("use_vllm: ${VLLM}\ngeneration_kwargs: {temprature: 0.7}\n", None, "")],
)  # fmt: skip
def test_options_of_sampling_that_nothing_takes(lines, severity, problem):
    report = lint_text(
        comment(dialect="trl", version="1.16.0") + "num_generations: 8\nper_device_train_batch_size: 8\n" + lines
    )
    found = [finding for finding in report.findings if finding.at and finding.at.name == "generation_kwargs"]
    assert [finding.severity for finding in found if finding.severity != "info"] == [severity] * bool(severity)
    assert problem in str(told(report))


@pytest.mark.parametrize("value", ["{temprature: 0.7, top_p: 0.9}", "\n  temprature: 0.7\n  top_p: 0.9"])
def test_a_key_inside_of_a_mapping_is_renamed(value):
    text = f"{comment(dialect='trl', version='1.16.0')}num_generations: 8\nper_device_train_batch_size: 8\n{VLLM}generation_kwargs: {value}\n"
    done = repair(text.encode(), "c.yaml", Context(), unsafe=True)
    assert done.data.decode() == text.replace("temprature", "temperature")


@pytest.mark.parametrize("value, told", [
    (["a"], "a list where"), ({"a": 1}, "a mapping where"), ("many", "the text 'many' where"), (None, "null where"),
])  # fmt: skip
def test_a_value_of_a_wrong_type_is_named_as_people_call_it(value, told):
    settings = {**RECIPE, "gradient_accumulation_steps": value}
    report = lint_config(settings, dialect="trl", version="1.16.0", loader="kwargs", world_size=1)
    (finding,) = [each for each in report.findings if each.rule.name == "value-has-the-type-of-its-key"]
    assert told in message(finding)


def test_null_is_as_good_as_false_where_that_is_the_default():
    for name, is_told in (("fp16", False), ("use_cpu", False), ("dataloader_pin_memory", True)):
        report = lint_config({**RECIPE, name: None}, dialect="trl", version="1.16.0", loader="kwargs", world_size=1)
        assert ("value-has-the-type-of-its-key" in [each.rule.name for each in report.findings]) is is_told, name


# Values that were once left out of the comparison by their keys: what each release says, as its script and its trainer were asked with the
# transformers of the time, and what is told here. `init`: the trainer refuses; a warning: the run starts, or a variable may yet be filled in.
REFUSED = {
    ("0.21.0", "4.55.4"): "config config init init warning init warning -",
    ("1.16.0", "5.23.0"): "- warning init init warning init warning warning",
}
ONCE_EXCLUDED = (
    {"fsdp": None},
    {"fsdp_config": -1},
    {"torch_compile_backend": "magic"},
    {"accelerator_config": {"gradient_accumulation_kwargs": {"num_steps": 4}}, "gradient_accumulation_steps": 2},
    {"adam_epsilon": 0},
    {"dataset_name": ...},
    {"per_device_train_batch_size": "$BS"},
    {"resume_from_checkpoint": True},
)


@pytest.mark.parametrize("version, transformers", REFUSED)
def test_values_that_were_excluded_by_their_keys_are_told(version, transformers):
    usual = {"model_name_or_path": "m", "dataset_name": "d", "reward_funcs": ["think_format_reward"], **RECIPE}
    for settings, expected in zip(ONCE_EXCLUDED, REFUSED[version, transformers].split(), strict=True):
        written = {name: value for name, value in {**usual, **settings}.items() if value is not ...}
        facts = {"version": version, "transformers": transformers, "loader": "script", "world_size": 2}
        report = lint_config(written, dialect="trl", **facts)
        errors = [each.stage for each in report.findings if each.severity == "error"]
        warnings = ["warning" for each in report.findings if each.severity == "warning"]
        assert (errors or warnings or ["-"])[0] == expected, (settings, told(report))
