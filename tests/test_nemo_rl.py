"""NeMo-RL: what its releases call otherwise, and what a file says together with the example on which it builds."""

import pytest

from conftest import lint_text, plan_of, said
from grpo_lint.checker.contexts import Around
from grpo_lint.engine import lint_path
from grpo_lint.report.messages import message

COMMAND = "uv run examples/run_grpo.py --config examples/configs/grpo_math_1B.yaml cluster.gpus_per_node=8"
FILE = "# grpo-lint: version={}\ndefaults: grpo_math_1B.yaml\n{}grpo: {{num_prompts_per_step: 32, max_num_steps: 9}}\npolicy: {{train_global_batch_size: 512}}\n"


def codes(report):
    return [(each.rule.code, each.severity) for each in report.findings if each.severity != "info"]


@pytest.mark.parametrize(("version", "told"), [("0.4.0", []), ("0.5.0", []), ("0.6.0", "error"), ("0.7.0", "error")])
def test_settings_of_data_have_moved(version, told):
    """0.5 is the last release with data.dataset_name; then a file's is dropped, and a plain override of it is refused."""
    file = FILE.format(version, "data: {dataset_name: squad}\n")
    assert codes(lint_text(file)) == ([("GRPO103", "warning")] if told else [])
    script = f"# grpo-lint: version={version}\n{COMMAND} data.dataset_name=squad\n".replace(
        "run_grpo", "run_grpo_math" if version < "0.5" else "run_grpo"
    )
    report = lint_text(script, path="run.sh")
    assert codes(report) == ([("GRPO103", told)] if told else [])
    if told:
        assert said(report, "key-is-of-this-version").values["rename"] == "data.train.dataset_name"


def test_a_setting_is_there_up_to_its_last_release():
    text = f"# grpo-lint: version={{}}\n{COMMAND} policy.megatron_cfg.converter_type=LlamaForCausalLM\n"
    assert [codes(lint_text(text.format(version), path="run.sh")) for version in ("0.6.0", "0.7.0")] == [
        [],
        [("GRPO103", "error")],
    ]


def test_the_processes_of_a_file_are_those_of_its_base_where_it_says_a_part():
    """Nodes are the example's; who starts it is taken to set nothing else."""
    report = lint_text(FILE.format("0.7.0", "cluster: {gpus_per_node: 8}\n").replace("512", "508"))
    assert plan_of(report).value("dp_size") == 8 and codes(report) == [("GRPO802", "warning")]


@pytest.mark.parametrize(
    ("program", "severity"),
    [
        ("import json", "info"),
        ("from nemo_rl.algorithms.grpo import setup", "warning"),
        ("PROGRAM = 'run_grpo.py'", "warning"),
    ],
)
def test_a_file_beside_a_program_that_does_not_train_weighs_less(tmp_path, program, severity):
    (tmp_path / ".git").mkdir()
    (tmp_path / "run.py").write_text(f"{program}\nif __name__ == '__main__':\n    pass\n", encoding="utf-8")
    text = (
        FILE.format("0.6.0", "")
        .replace("max_num_steps", "num_generations_per_prompt: 1, max_num_steps")
        .replace("512", "32")
    )
    (tmp_path / "config.yaml").write_text(text, encoding="utf-8")
    report = lint_path(str(tmp_path / "config.yaml"), Around().of(str(tmp_path / "config.yaml")), fixes=False)
    finding = said(report, "group-has-two-completions")
    assert finding.severity == severity and ("unless run.py beside this file" in message(finding)) is (
        severity == "info"
    )


def test_a_program_tells_the_releases_that_have_it():
    report = lint_text(COMMAND.replace("run_grpo", "run_grpo_math"), path="run.sh")
    assert [each.text for each in report.launches[0].candidates][0] == "0.5.0" and codes(report) == []


@pytest.mark.parametrize("words", ["--policy.precision=float32", "--policy.precision float32"])
def test_overrides_are_written_without_dashes(words):
    assert codes(lint_text(f"{COMMAND} {words}\n", path="run.sh")) == [("GRPO704", "error")]


@pytest.mark.parametrize("start", ["uv run", "coverage run -a", "uv run coverage run -a --source=$R/nemo_rl"])
def test_a_program_in_an_unknown_folder_is_known_by_its_end(start):
    report = lint_text(
        f"{start} $R/examples/run_grpo.py grpo.num_generations_per_prompt=1 cluster.gpus_per_node=2 $@\n", path="run.sh"
    )
    assert len(report.launches) == 1 and ("GRPO201", "warning") in codes(report)


def test_what_runs_a_program_takes_words_of_its_own():
    """`set -eou pipefail` sets no argument of the script, and `run` is one of coverage's commands."""
    text = f"set -eou pipefail\npython -m coverage run -a $ROOT/examples/run_grpo.py {COMMAND.partition('.yaml ')[2]} policy.train_global_batch_size=512 grpo.num_prompts_per_step=32 $@\n"
    assert codes(lint_text(text, path="run.sh")) == []
