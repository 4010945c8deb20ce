"""Flags of TRL that take several words, and what one word or a number among them is taken for."""

import pytest

from conftest import lint_text, names, said
from grpo_lint.checker.contexts import Around
from grpo_lint.engine import lint, lint_path
from grpo_lint.launch.context import Context
from grpo_lint.report.messages import message
from grpo_lint.source.text import Text
from grpo_lint.unknown import UNKNOWN

COMMAND = (
    "# grpo-lint: version=1.16.0 world-size=8\n"
    "python train.py --num_generations 8 --max_completion_length 64 --learning_rate 1e-6 --reward_funcs {functions} --reward_weights {weights}\n"
)


def linted(functions, weights):
    text = COMMAND.format(functions=functions, weights=weights)
    report = lint(Text(text, "train.sh"), Context())
    return report, report.launches[0].plan(report.launches[0].candidates[0])


@pytest.mark.parametrize(
    "functions, weights, numbers", [("accuracy", "8", [8.0]), ("accuracy format", "1 0.5", [1.0, 0.5])]
)
def test_the_words_behind_a_flag_are_a_list_of_its_type(functions, weights, numbers):
    report, plan = linted(functions, weights)
    assert plan.value("reward_weights") == numbers and plan.value("reward_funcs") == functions.split()
    assert not {"value-has-the-type-of-its-key", "rewards-have-weights"} & set(names(report))


def test_a_weight_too_many_is_counted_in_words():
    report, _ = linted("accuracy", "1 2")
    assert message(said(report, "rewards-have-weights")) == "reward_weights gives 2 weights for 1 reward"
    report, _ = linted("accuracy format", "1")
    assert message(said(report, "rewards-have-weights")) == "reward_weights gives 1 weight for 2 rewards"


def test_a_word_that_is_no_number_is_refused():
    report, plan = linted("accuracy format", "1 much")
    finding = said(report, "value-has-the-type-of-its-key")
    assert (finding.severity, finding.stage) == ("error", "read") and "'much' where a number belongs" in message(
        finding
    )
    assert plan.value("reward_weights") in (UNKNOWN, None)


def test_words_that_a_flag_has_no_place_for():
    report, _plan = linted("accuracy", "1 --model_name_or_path my base model")
    finding = said(report, "value-has-the-type-of-its-key")
    assert "model_name_or_path holds 3 words where a text belongs" in message(finding) and finding.severity == "warning"


def test_a_text_that_is_still_to_be_filled_in_is_no_mistake():
    report, _plan = linted("accuracy", "1 --model_name_or_path Put your model path here")
    assert "value-has-the-type-of-its-key" not in [each.rule.name for each in report.findings]


def test_whether_to_go_on_is_true_or_false_or_a_path():
    for value in ("true", "false", "checkpoints/last"):
        text = "# grpo-lint: version=1.16.0 world-size=8 loader=cli\nmodel_name_or_path: m\ndataset_name: d\nreward_funcs: [think_format_reward]\nnum_generations: 8\nmax_completion_length: 64\nlearning_rate: 1.0e-6\n"
        findings = lint(Text(f"{text}resume_from_checkpoint: {value}\n", "a.yaml"), Context()).findings
        assert [each.rule.name for each in findings] == ["first-run-has-a-checkpoint"] * (value == "true")


@pytest.mark.parametrize(
    "command, version, severity",
    [
        ("trl grpo", "0.20.0", "error"),  # ValueError: Some specified arguments are not used by the HfArgumentParser
        ("trl grpo", "0.14.0", "error"),
        ("trl grpo", "0.24.0", "warning"),  # it has the rest returned, and drops it
        ("python -m trl.scripts.grpo", "1.0.0", "error"),
        ("python train.py", "0.20.0", "warning"),  # which may declare it
        ("python trl/scripts/grpo.py", "0.20.0", "warning"),  # a copy, which is not here and may declare it
    ],
)
def test_a_flag_that_no_class_declares(command, version, severity):
    text = f"# grpo-lint: version={version} world-size=8\n{command} --reward_funcs accuracy_reward --num_generations 8 --max_completion_lenght 4 --model_name_or_path m --dataset_name d --output_dir o\n"
    report = lint(Text(text, "train.sh"), Context())
    assert said(report, "key-is-known").severity == severity


def test_a_text_of_several_words_asks_for_quotes():
    script = "# grpo-lint: version=1.16.0\nNAME='my run'\ntrl grpo --run_name $NAME --model_name_or_path m --num_generations 8 9\n"
    told = {
        finding.values["key"]: message(finding)
        for finding in lint_text(script, path="run.sh").findings
        if finding.rule.code == "GRPO110"
    }
    assert "2 words where a text belongs" in told["run_name"] and told["run_name"].endswith("in quotes they are one")
    assert "2 words where a whole number belongs" in told["num_generations"] and "quotes" not in told["num_generations"]


# --- flags without a word ---------------------------------------------------------------------------------------------


def alone(flags, start="trl grpo", version="1.16.0", fixes=False):
    text = f"# grpo-lint: version={version}\n{start} --dataset_name d --reward_funcs accuracy_reward {flags} --max_steps 9\n"
    return lint_text(text, path="run.sh", fixes=fixes)


@pytest.mark.parametrize(
    ("flag", "version", "fix"),
    [
        ("bf16", "1.16.0", "bf16 True"),
        ("bf16", "0.18.2", None),
        ("tf32", "0.14.0", "tf32 True"),
        ("no_use_vllm", "1.16.0", "use_vllm False"),
        ("no_gradient_checkpointing", "1.16.0", None),
        ("no_gradient_checkpointing", "0.21.0", "gradient_checkpointing False"),
    ],
)
def test_a_flag_without_a_word_is_written_as_the_parser_takes_it(flag, version, fix):
    report = alone(f"--{flag}", version=version, fixes=True)
    found = [finding for finding in report.findings if finding.rule.code == "GRPO110"]
    assert [finding.severity for finding in found] == ["error"] * (fix is not None)
    if fix:
        edits = found[0].fixes[0].edits
        mended = report.text.text[: edits[0].start] + edits[0].new + report.text.text[edits[0].end :]
        assert f" --{fix} --max_steps" in mended and found[0].fixes[0].safety == "safe"


def test_where_nobody_says_which_release_runs_both_are_named():
    report = lint_text("trl grpo --dataset_name d --reward_model_name_or_path r --bf16\n", path="run.sh")
    (finding,) = (finding for finding in report.findings if finding.rule.code == "GRPO110")
    assert finding.severity == "warning" and "0.18" in message(finding) + str(finding.note)


def test_a_script_that_is_not_here_may_declare_its_flags_anew():
    report = alone("--bf16 --no_use_vllm", "torchrun --nproc_per_node 8 src/train_grpo.py")
    found = [finding for finding in report.findings if finding.rule.code == "GRPO110"]
    assert [finding.severity for finding in found] == ["warning"] * 2
    assert all("unless the training script declares it again" in message(finding) for finding in found)


@pytest.mark.parametrize(
    ("base", "declared", "severity"),
    [
        ("GRPOConfig", "", "error"),
        ("GRPOConfig", "    bf16: bool = field(default=True)\n", None),
        (
            "TrainingArguments",
            "    num_generations: int = 8\n",
            None,
        ),  # a copy of the config class, made from that of transformers
    ],
)
def test_a_script_that_is_here_is_read_for_what_it_declares(tmp_path, base, declared, severity):
    (tmp_path / ".git").mkdir()
    (tmp_path / "train.py").write_text(
        "from dataclasses import dataclass, field\n"
        f"from {'trl' if base == 'GRPOConfig' else 'transformers'} import {base}\nfrom trl import GRPOTrainer, ModelConfig, TrlParser\n\n"
        f"@dataclass\nclass Mine({base}):\n    mine: int = 3\n{declared}\n"
        "args, model = TrlParser((Mine, ModelConfig)).parse_args_and_config()\nGRPOTrainer(args=args)\n"
    )
    script = tmp_path / "run.sh"
    script.write_text("# grpo-lint: version=1.16.0\npython train.py --output_dir o --bf16 --learning_rate 1e-6\n")
    report = lint_path(str(script), Around().of(str(script)))
    found = [finding.severity for finding in report.findings if finding.rule.code == "GRPO110"]
    assert found == ([severity] if severity else [])
