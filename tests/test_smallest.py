"""The example on a rule page: nothing in it can be left out, and what makes it small takes only what the finding does not need."""

import pytest

from grpo_lint.frameworks.all_rules import ALL, RULES
from grpo_lint.report.cases import cases_of
from pages.smallest import is_valid, said_of, smaller, smallest

SCRIPT = """\
#!/bin/bash
# grpo-lint: dialect=trl version=1.16.0
accelerate launch --num_processes 7 train.py \\
    --bf16 \\
    --beta 0.1
"""


@pytest.mark.slow
@pytest.mark.parametrize("rule", [rule for rule in ALL if cases_of(rule)], ids=lambda rule: rule.code)
def test_nothing_can_be_left_out_of_an_example(rule):
    assert smallest(rule) == cases_of(rule)[0].config, f"run: python -m pages.smallest {rule.code}"


def test_what_is_left_out_is_a_line_or_a_flag_with_its_values():
    without = {text.removeprefix(SCRIPT.split("accelerate")[0]) for text in smaller(SCRIPT)}
    assert "accelerate launch --num_processes 7 train.py \\\n    --bf16\n" in without  # no backslash is left at its end
    assert "accelerate launch train.py \\\n    --bf16 \\\n    --beta 0.1\n" in without
    assert not any("\n    0.1" in text or text.startswith("launch") for text in without)


def test_a_section_goes_with_what_is_in_it():
    config = "# grpo-lint: dialect=trl version=1.16.0 vllm=0.13.0\nmodel:\n  path: a\n  size: 1\nbeta: 0.1\n"
    first = config.splitlines()[0] + "\n"
    assert first + "beta: 0.1\n" in smaller(config)
    assert config.replace(" vllm=0.13.0", "") in smaller(config)
    assert all(text.startswith("# grpo-lint: dialect=trl version=1.16.0") for text in smaller(config))


def test_an_example_that_loses_its_finding_or_a_named_setting_is_another():
    rule = RULES["rollout-holds-whole-groups"]
    case = cases_of(rule)[0]
    less = [said_of(rule, case.written(text))[0] for text in smaller(case.config)]
    assert said_of(rule, case)[0] not in less and len(less) > 2
    padded = case.written(f"{case.config}logging_steps: 1\n")
    assert case.config in smaller(padded.config) and said_of(rule, padded)[0] == said_of(rule, case)[0]


def test_a_file_that_no_shell_or_reader_takes_is_no_example():
    assert is_valid("#!/bin/bash\nif true; then\n  echo\nfi\n", True) and not is_valid(
        "#!/bin/bash\nif true; then\n", True
    )
    assert is_valid("a: 1\n", False) and not is_valid("a: [1\n", False)
