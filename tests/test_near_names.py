"""A key that nobody knows is never said to be meant for one that is set beside it."""

import re

import pytest

from grpo_lint.checker.contexts import of_text
from grpo_lint.engine import lint
from grpo_lint.frameworks.registry import NAMES, framework
from grpo_lint.lsp.client import read_settings
from grpo_lint.report.messages import message
from grpo_lint.source.text import Text

SUGGESTED = re.compile(r"did you mean (?:')?([\w.-]+?)(?:')?(?: or ([\w.-]+?))?[?,]")


def suggested(text, path="a.yaml"):
    """The names that findings about a text suggest, with one spelling of dashes."""
    report = lint(Text(text, path), of_text(), fixes=False)
    found = [name for finding in report.findings for names in SUGGESTED.findall(message(finding)) for name in names]
    return {name.removeprefix("--").replace("-", "_") for name in found if name}


def in_sections(settings):
    """Lines of YAML for settings by their paths."""
    tree, lines = {}, []
    for path, value in settings.items():
        *sections, name = path.split(".")
        inner = tree
        for section in sections:
            inner = inner.setdefault(section, {})
        inner[name] = value

    def write(inner, depth):
        for name, value in inner.items():
            if isinstance(value, dict):
                lines.append(f"{'  ' * depth}{name}:")
                write(value, depth + 1)
            else:
                lines.append(f"{'  ' * depth}{name}: {value}")

    write(tree, 0)
    return "\n".join(lines)


def slips(name):
    """Misspellings of a name: a letter less, one twice, two that changed their places."""
    at = len(name) - 3
    return (
        name[:at] + name[at + 1 :],
        name[:at] + name[at] + name[at:],
        name[:at] + name[at + 1] + name[at] + name[at + 2 :],
    )


@pytest.mark.parametrize("name", [each for each in NAMES if framework(each).knobs.names])
def test_what_is_set_is_not_suggested(name):
    one = framework(name)
    trainer, release = one.reader.trainer, one.catalogue.releases[-1]
    head = f"# grpo-lint: dialect={name} version={release} world-size=8\n"
    known = {trainer.key: trainer.value} if trainer.key else {}
    known.update(dict.fromkeys(one.knobs.names, 8))
    tried = misspelt = 0
    for knob in one.knobs.names:
        for slip in slips(knob):
            text = head + in_sections({**known, slip: 4})
            assert knob not in suggested(text), (knob, slip)
            tried += 1
            without = {key: value for key, value in known.items() if key != knob}
            misspelt += knob in suggested(head + in_sections({**without, slip: 4}))
    assert tried and (misspelt or not name.isalpha() or name in ("slime", "openrlhf", "verl"))  # flags are tried below


@pytest.mark.parametrize(
    ("command", "path"),
    [
        ("trl grpo --num_generations 8 --num_generatons 4", "a.sh"),
        ("python3 train.py --rollout-batch-size 32 --n-samples-per-prompt 8 --rollout-batchsize 3", "a.sh"),
        ("python3 -m openrlhf.cli.train_ppo_ray --rollout.n_samples_per_prompt 8 --rollout.n_sample_per_prompt 3", "a.sh"),
        ("accelerate launch --num_processes 4 --num_process 4 train_grpo.py --num_generations 8 --per_device_train_batch_size 8", "a.sh"),
        ("from trl import GRPOConfig\nGRPOConfig(num_generations=8, num_generation=4)", "a.py"),
        ("# grpo-lint: dialect=trl version=1.16.0\nmax_prompt_length: 8\nmax_promt_length: 4\nnum_generations: 8", "a.yaml"),
        ("# grpo-lint: dialect=trl version=1.16.0\nnum_generations: 8\nbatch_size: 4\nper_device_train_batch_size: 8", "a.yaml"),
        ("# grpo-lint: dialect=trl version=1.16.0\nnum_generations: 8\nmodel_init_kwargs: {dtyp: a, dtype: bfloat16}", "a.yaml"),
        ("# grpo-lint: versoin=1.16.0 version=1.16.0\nnum_generations: 8", "a.yaml"),
        ("# grpo-lint: dialect=verl version=0.9.1\nalgorithm: {adv_estimator: grpo}\nactor_rollout_ref: {rollout: {n: 8}, rollot: {n: 4, name: vllm}}", "a.yaml"),
    ],
)  # fmt: skip
def test_nor_is_a_flag_or_a_fact(command, path):
    given = set(re.findall(r"[\w.-]*[a-z_](?=[ :=])", command.replace("--", "")))
    given = {each.replace("-", "_") for each in given}
    assert suggested(f"{command}\n", path).isdisjoint(given), suggested(f"{command}\n", path)


@pytest.mark.parametrize(("given", "told"), [({"worldSize": 8, "worldSise": 4}, False), ({"worldSise": 4}, True)])
def test_nor_is_a_setting_of_an_editor(given, told):
    (problem,) = read_settings(given).problems
    assert ("did you mean" in problem) == told
