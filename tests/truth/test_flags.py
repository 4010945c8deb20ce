"""Which flags the real parser of TRL's script takes without a word, and which `--no_x` it has.

flags-trl.json.gz: {"release+release of transformers": {flag: how many words it takes, as argparse writes it}}, asked of `TrlParser` over the
classes of TRL's own script (`conformance/flags.py`).
"""

import gzip
import json
from pathlib import Path

import pytest

from conftest import lint_text
from grpo_lint.frameworks.registry import framework

ASKED = json.loads(gzip.decompress((Path(__file__).parent / "flags-trl.json.gz").read_bytes()))
TRL = framework("trl")
GROUPS = TRL.reader.trainer.groups("grpo", "script", lambda name: None)
# other ones by the release of transformers; and an old name, which is read as the new one
BY_COMPANION = {
    "activation_checkpointing",
    "fsdp",
    "use_liger_loss",
    "no_average_tokens_across_devices",
    "evaluation_strategy",
}
ALONE = ("?", "0")  # argparse takes the flag without a word
NEWEST = {pair.partition("+")[0]: pair for pair in ASKED}  # of each release


def refused(pair, flags):
    """Those of the flags that are an error without a word."""
    release, _, companion = pair.partition("+")
    command = f"trl grpo {' '.join(f'--{flag}' for flag in flags)}"
    report = lint_text(f"# grpo-lint: version={release} transformers={companion}\n{command}\n", path="run.sh")
    assert len(report.launches) == 1
    found = [finding for finding in report.findings if finding.rule.code == "GRPO110" and finding.severity == "error"]
    return {finding.at.entry.name for finding in found}


@pytest.mark.parametrize(
    "pair", [pair if pair in NEWEST.values() else pytest.param(pair, marks=pytest.mark.slow) for pair in ASKED]
)
def test_flags_without_a_word_are_judged_as_the_parser_does(pair):
    fields = TRL.catalogue.fields(GROUPS, TRL.catalogue.releases.index(pair.partition("+")[0]))
    flags = {flag: nargs for flag, nargs in ASKED[pair].items() if fields[flag] and flag not in BY_COMPANION}
    assert len(flags) > 100
    assert refused(pair, flags) == {flag for flag, nargs in flags.items() if nargs not in ALONE}
    switches = {f"no_{name}" for name in flags if fields[name].type.startswith("bool")} - BY_COMPANION
    assert refused(pair, switches) == switches - ASKED[pair].keys()


# --- ms-swift and Megatron-SWIFT --------------------------------------------------------------------------------------

OF_SWIFT = json.loads(gzip.decompress((Path(__file__).parent / "flags-swift.json.gz").read_bytes()))


@pytest.mark.parametrize("asked", OF_SWIFT)
def test_flags_of_swift_without_a_word_are_judged_as_the_parser_does(asked):
    """{"swift release+release of transformers": {flag: how many words it takes}}, by `conformance/flags.py ms-swift`."""
    name, release, companion = asked.replace("+", " ").split()
    catalogue, groups = (
        framework(name).catalogue,
        framework(name).reader.trainer.groups("grpo", "cli", lambda key: None),
    )
    fields = catalogue.fields(groups, catalogue.releases.index(release))
    flags = {flag: words for flag, words in OF_SWIFT[asked].items() if fields[flag] and flag != "rlhf_type"}
    assert len(flags) > 300

    def refused_by_swift(names):
        command = f"{name} rlhf --rlhf_type grpo {' '.join(f'--{flag}' for flag in names)}"
        report = lint_text(
            f"# grpo-lint: version={release} transformers={companion}\n{command}\n", path="run.sh", fixes=False
        )
        errors = [each for each in report.findings if each.rule.code == "GRPO110" and each.severity == "error"]
        assert not [each for each in report.findings if each.rule.code in ("GRPO105", "GRPO102")]
        return {each.at.entry.name for each in errors}

    assert refused_by_swift(flags) == {flag for flag, words in flags.items() if words not in ALONE}
    switches = {f"no_{flag}" for flag in flags if fields[flag].type.startswith("bool") and not fields[f"no_{flag}"]}
    assert refused_by_swift(switches) == switches - OF_SWIFT[asked].keys()
