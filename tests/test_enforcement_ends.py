"""Each row of enforcement at its ends: the example of its rule is refused by the first and the last version of the row
in the words of the row, and in other words or not at all by the versions before and after it."""

import re
from functools import cache

import pytest
from test_enforcement import versions_of

from grpo_lint.engine import lint
from grpo_lint.frameworks.all_rules import RULES
from grpo_lint.frameworks.registry import NAMES, framework as framework_named
from grpo_lint.frameworks.versions import version_key
from grpo_lint.launch.context import Context
from grpo_lint.report.cases import Case, cases_of
from grpo_lint.source.text import Text

# What every run of ms-swift needs and an example for TRL does not have.
OF_MS_SWIFT = {
    "rlhf_type": "grpo",
    "model": "Qwen/Qwen3-8B",
    "dataset": "[AI-MO/NuminaMath-TIR#1000]",
    "reward_funcs": "[accuracy]",
    "val_dataset": "[AI-MO/aimo-validation-aime]",
}
# Framework, rule, versions at ends of its rows: the example is about another framework, or says what the version does not
# know yet. The list may only get shorter: an end that is reached all the same fails its test.
UNREACHED = {
    (framework, rule, version)
    for framework, rule, *versions in map(
        str.split,
        """\
        trl engine-holds-prompt-and-completion 0.14.0 newest
        trl iterations-are-positive 0.15.0
        trl liger-has-no-delta 0.18.0
        trl liger-has-token-ratios 0.20.0
        trl liger-kernel-is-new-enough 0.17.0
        trl liger-masks-no-tokens 0.20.0
        trl rewards-have-weights 0.15.0
        trl rollout-is-not-empty 0.15.0 0.16.99
        trl schedule-has-scores 0.14.0
        trl vllm-is-supported 0.24.0
        trl training-state-fits-the-gpu 0.14.0 newest
        swift async-generation-has-a-server 3.2.2 3.4.99
        swift async-generation-has-one-turn 3.5.0
        swift best-model-is-evaluated-when-saved 3.1.0 newest
        swift deepspeed-learning-rate-agrees 3.1.0 newest
        swift deepspeed-peak-rate-agrees 3.1.0 newest
        swift deepspeed-weight-decay-agrees 3.1.0 newest
        swift evaluation-has-steps 3.1.0 newest
        swift liger-kernel-is-new-enough 3.10.0 3.12.99
        swift logging-steps-are-whole 3.1.0 newest
        swift one-device-per-process 3.1.0
        swift one-half-precision 3.1.0
        swift packing-has-flash-attention 3.4.0
        swift prefetching-has-workers newest
        swift persistent-workers-exist 3.9.0 3.9.99
        swift processes-have-devices 3.1.0 newest
        swift rollout-is-not-empty 3.1.0 3.3.99 4.2.0 newest
        swift schedule-has-scores 3.1.0 newest
        swift scheduler-is-registered 3.2.0
        swift something-is-trained 3.9.0
        swift streams-have-steps 3.1.0 newest
        swift temperature-is-positive 3.9.0 newest
        swift training-state-fits-the-gpu 3.1.0 newest
        swift trl-is-new-enough 3.4.0
        swift warmup-is-a-part 4.2.0 4.4.99
        megatron batch-sizes-are-positive 3.11.0 3.12.99 4.0.0 newest
        megatron evaluation-divides-over-ranks 3.11.0 4.3.99
        megatron every-rank-gets-a-prompt 4.2.0 newest
        megatron reference-has-one-chunk 3.11.0
        megatron rewards-have-a-source 3.11.0 4.2.99 4.3.0 4.3.99
        megatron rollout-holds-whole-groups 4.2.0 newest
        megatron rollout-is-not-empty 3.11.0 newest
        megatron run-has-a-model 3.11.0 newest
        megatron run-has-data 3.11.0 newest
        megatron unpadded-layers-see-whole-sequences 4.2.0
        megatron virtual-pipeline-has-a-pipeline 3.11.0
        megatron training-state-fits-the-gpu 3.11.0 newest
        easyr1 rows-divide-over-ranks 0.3.0
        easyr1 training-state-fits-the-gpu 0.3.0 newest
        nemo-rl training-state-fits-the-gpu 0.2.0 newest
        openrlhf training-state-fits-the-gpu 0.5.9 newest
        slime training-state-fits-the-gpu 0.2.1 newest
        verl-agent training-state-fits-the-gpu 2025.5.31 newest
        verl-agent engine-is-hybrid 2025.5.31 newest
        verl-agent run-has-gpus 2025.5.31 newest
        verl-agent log-prob-micro-batch-reaches-each-rank 2025.5.31 newest
        verl-agent loss-aggregation-is-known 2025.8.0
        verl-agent loss-mode-is-known 2026.2.0
        verl-agent similarity-has-a-threshold 2025.9.3
        verl-agent validation-batch-is-given 2025.8.0
        """.strip().splitlines(),
    )
    for version in versions
}


def adapted(rule, name):
    """The example of a rule for a framework."""
    text = cases_of(rule)[0].config
    if f"dialect={name}" in text:
        return text
    first, *lines = text.splitlines()
    lines = [line for line in lines if name != "trl" or line.partition(":")[0] not in OF_MS_SWIFT]
    keys = {line.partition(":")[0] for line in lines}
    lines += [f"{key}: {value}" for key, value in OF_MS_SWIFT.items() if name != "trl" and key not in keys]
    return "\n".join([re.sub(r"dialect=\S+", f"dialect={name}", first), *lines, ""])


@cache
def examples(rule, name):
    """The cases that are asked: the example of a rule; for settings in sections, and for commands, all its cases that break it, for an
    era may need one of its own."""
    own = [case for case in cases_of(rule) if f"dialect={name}" in case.config and case.reported != "nothing"]
    are_asked = framework_named(name).reader.configs.nested or all(case.config.startswith("#!") for case in own)
    return own if own and are_asked else [Case(adapted(rule, name), "error", beside=cases_of(rule)[0].beside)]


def told(name, row, version):
    """The finding of the row's rule in one of its examples under a version, or None."""
    found = None
    for example in examples(RULES[row.rule], name):
        text = re.sub(r"version=\S+", f"version={version}", example.config, count=1)
        if name in ("swift", "megatron") and version_key(version) < (4,):
            text = text.replace("tuner_type:", "train_type:")
        for context in (Context(), example.context()):  # without the files beside it, and with them
            findings = lint(Text(text, example.path), context, fixes=False).findings
            found = next((finding for finding in findings if finding.rule.name == row.rule), None)
            if found or not example.beside:
                break
        if follows(found, row):
            break
    return found


def follows(finding, row):
    """Whether a finding is what the row says."""
    if finding is None or row.stage == "never":
        return finding is not None and (finding.stage, finding.severity) == ("never", row.severity)
    return finding.enforced is row and (finding.stage, finding.severity) == (row.stage, row.severity)


def ends():
    """(framework, row, version, its name here, whether the row holds there) of the versions at both ends of each row."""
    for name in NAMES:
        framework = framework_named(name)
        versions = [
            version
            for version in versions_of(framework.catalogue.releases)
            if framework.arithmetic.regime(key := version_key(version))
            and not framework.catalogue.is_newer_than_all(key)
        ]
        for row in framework.refusals.enforcement.rows:
            held = [
                framework.refusals.enforcement.at(version_key(version)).get(row.rule) is row for version in versions
            ]
            first, last = held.index(True), len(held) - 1 - held[::-1].index(True)
            for place in sorted({first - 1, first, last, last + 1}):
                if 0 <= place < len(versions):
                    version = versions[place]
                    yield name, row, version, "newest" if place == len(versions) - 1 else version, held[place]


ENDS = list(ends())
IDS = [f"{name}-{row.rule}-{row.since}-{'holds' if holds else 'ends'}-{called}" for name, row, _, called, holds in ENDS]


def test_what_is_not_reached_is_an_end_of_a_row():
    ends = {(name, row.rule, called) for name, row, _, called, holds in ENDS if holds}
    assert UNREACHED - ends == set()


@pytest.mark.parametrize(("name", "row", "version", "called", "holds"), ENDS, ids=IDS)
def test_a_row_holds_from_its_first_version_to_its_last(name, row, version, called, holds):
    found = told(name, row, version)
    if holds:
        assert follows(found, row) != ((name, row.rule, called) in UNREACHED)
    else:
        assert found is None or found.enforced is not row
        others = () if found is None else (found.candidate.enforced.get(row.rule),)
        assert row.stage != "never" or found is None or not follows(found, row) or others != (None,)
