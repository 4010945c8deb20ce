"""What several releases say together, when nobody says which one is meant: arithmetic, keys and values alike."""

import pytest

from conftest import config, lint_config, lint_text, names, said
from grpo_lint.checker.findings import Finding
from grpo_lint.checker.judge import Votes
from grpo_lint.checker.verdict import one_per_regime, verdict_of
from grpo_lint.frameworks.all_rules import RULES
from grpo_lint.frameworks.versions import bits_of
from grpo_lint.launch.pins import Pin

BATCH = {"per_device_train_batch_size": 8, "num_generations": 8, "learning_rate": 1e-6}
RECENT = {**BATCH, "importance_sampling_level": "token", "mask_truncated_completions": True}  # 0.20 and later


def lint(settings, **facts):
    return lint_config(settings, dialect="trl", world_size=1, **facts)


def told(report, rule):
    finding = said(report, rule)
    return finding.severity, finding.note


def bits(launch, *spans):
    """The candidates of a launch from one release to another, as bits."""
    texts = [candidate.text for candidate in reversed(launch.candidates)]
    chosen = {text for first, last in spans for text in texts[texts.index(first) : texts.index(last) + 1]}
    return bits_of(candidate.index for candidate in launch.candidates if candidate.text in chosen)


def weighed(settings, refusing, abstaining=(), note="", reader="", **facts):
    """(severity, note, what is assumed) of a refusal with these votes."""
    (launch,) = lint_config(settings, **{"dialect": "trl", "world_size": 1, **facts}).launches
    if reader:
        launch = launch.read_by(reader)
    finding = Finding(RULES["value-is-a-choice"], "error", "config", candidate=launch.candidates[0], note=note)
    finding.refusing, finding.abstaining = bits(launch, *refusing), bits(launch, *abstaining)
    votes = Votes(launch)
    votes.newest = verdict_of(launch, one_per_regime(launch)[0])
    assert votes.weigh([finding]) == [finding]
    return finding.severity, finding.note, finding.assumes


# --- values ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("key", "value", "rule"),
    [
        ("importance_sampling_level", "tokens", "value-is-a-choice"),
        ("num_generations_eval", "abc", "value-has-the-type-of-its-key"),
        ("top_entropy_quantile", "high", "value-has-the-type-of-its-key"),
        ("loss_type", "dapoo", "value-is-a-choice"),
        ("scale_rewards", "groups", "value-is-a-choice"),
    ],
)
def test_a_value_that_no_release_takes_is_an_error(key, value, rule):
    """Releases that do not know the key have no say in its value."""
    finding = said(lint({**RECENT, key: value}), rule)
    assert (finding.severity, finding.at.name) == ("error", key)


def test_a_value_that_only_some_take_chooses_these():
    report = lint({**BATCH, "loss_type": "vespo"})
    assert names(report) == []
    assert report.launches[0].candidates[-1].text == "1.0.0"


def test_a_value_that_only_older_releases_refuse_is_an_info_at_most():
    report = lint({**BATCH, "scale_rewards": "batch"})  # a switch before 0.22
    assert names(report, "error", "warning") == []


# --- keys -----------------------------------------------------------------------------------------------------------


def test_a_key_that_all_refuse_is_an_error():
    assert told(lint({**BATCH, "num_generation": 8}, loader="kwargs"), "key-is-known") == ("error", "")


def test_a_neighbour_refuses_the_key_that_it_does_not_know():
    settings = {**RECENT, "loss_type": "dapo", "vllm_importance_sampling_correction": True, "max_prompt_length": 512}
    report = lint(settings, loader="kwargs")
    assert names(report, "error", "warning") == []  # 0.23 - 0.27 know them all
    settings.update(use_bias_correction_kl=True, pad_to_multiple_of=8)  # of later ones
    assert told(lint(settings, loader="kwargs"), "key-is-of-this-version") == ("error", "")


def test_a_key_of_each_era_is_refused_by_all_where_keys_are_refused():
    """vllm_device went with 0.18, vllm_mode came with it: each release refuses one of them."""
    settings = {**BATCH, "vllm_device": "auto", "vllm_mode": "colocate"}
    finding = said(lint(settings, loader="kwargs"), "key-is-of-this-version")
    assert (finding.severity, finding.at.name) == ("error", "vllm_device")
    assert names(lint(settings), "error") == []  # a script drops them


def test_two_eras_in_one_file_are_refused_by_all():
    """The old releases refuse the new keys, the new ones the old keys: no release takes the file."""
    old = {"vllm_device": "auto", "vllm_dtype": "auto", "vllm_max_model_len": 2048}
    new = {"importance_sampling_level": "token", "mask_truncated_completions": True, "steps_per_generation": 1}
    report = lint({**BATCH, **old, **new}, loader="kwargs")
    assert "error" in {finding.severity for finding in report.findings}


# --- arithmetic -----------------------------------------------------------------------------------------------------


def test_what_only_older_releases_refuse_is_an_info():
    settings = {"per_device_train_batch_size": 4, "gradient_accumulation_steps": 2, "num_generations": 8}
    severity, note = told(lint(settings), "rollout-holds-whole-groups")
    assert (severity, note) == ("info", "refused by TRL 0.15 - 0.16, accepted by 0.14, 0.17 - 1.16")


def test_a_release_that_knows_one_key_less_makes_an_error_a_warning():
    settings = {"per_device_train_batch_size": 1, "num_generations": 8, "reward_funcs": ["accuracy"]}
    severity, note = told(lint(settings), "rollout-holds-whole-groups")
    assert severity == "warning"
    assert note.endswith(", accepted by 0.14")


def test_an_error_needs_all_of_them():
    severity, note = told(lint({**RECENT, "per_device_train_batch_size": 1}), "rollout-holds-whole-groups")
    assert (severity, note) == ("error", "")


def test_the_reason_may_be_another_one_in_each_release():
    """The batch is refused by all but 0.14, which refuses a key that it does not know."""
    settings = {"per_device_train_batch_size": 1, "num_generations": 8, "log_completions": True}
    assert told(lint(settings), "rollout-holds-whole-groups") == (
        "warning",
        "refused by TRL 0.15 - 1.16, accepted by 0.14",
    )
    assert told(lint(settings, loader="kwargs"), "rollout-holds-whole-groups") == ("error", "")


@pytest.mark.parametrize("severity", ["error", "warning", "info"])
def test_a_stated_version_is_weighed_by_nobody(severity):
    settings = {"per_device_train_batch_size": 1, "num_generations": 8, "reward_funcs": ["accuracy"]}
    report = lint(settings, version="1.16.0")
    assert [finding.note for finding in report.findings if finding.severity == severity] == [""] * (severity == "error")


def test_all_releases_are_asked_about_each_number_of_processes():
    """8 processes are in order, 7 are refused by all: what holds on the first number is asked again on the others."""
    report = lint_config({**RECENT, "per_device_train_batch_size": 1}, dialect="trl", world_size="8|7")
    assert told(report, "rollout-holds-whole-groups") == ("error", "")


def test_a_single_candidate_is_weighed_against_its_neighbours():
    """vllm_device went with 0.18, loss_type came with 0.17; 0.14, which knows one of them, takes any batch."""
    settings = {"per_device_train_batch_size": 1, "num_generations": 8, "vllm_device": "auto", "loss_type": "grpo"}
    report = lint(settings)
    assert [candidate.text for candidate in report.launches[0].candidates] == ["0.17.0"]
    severity, note = told(report, "rollout-holds-whole-groups")
    assert (severity, note) == ("warning", "refused by TRL 0.15 - 1.16, accepted by 0.14")


def test_a_candidate_that_accepts_makes_an_error_a_warning():
    finding = said(lint({"per_device_train_batch_size": 1, "num_generations": 8}), "rollout-holds-whole-groups")
    assert (finding.severity, finding.note, finding.assumes) == (
        "warning",
        "refused by TRL 0.15 - 1.16, accepted by 0.14",
        ["version"],
    )


def test_all_that_refuse_the_run_are_named_and_those_apart_that_mind_something_else():
    """0.15 and 0.16 mind the batch, those from 1.9 on another key."""
    settings = {"per_device_train_batch_size": 4, "gradient_accumulation_steps": 2, "num_generations": 8}
    severity, note = told(lint({**settings, "auto_find_batch_size": True}), "batch-size-is-fixed")
    assert (severity, note) == (
        "warning",
        "refused by TRL 1.9 - 1.16 (0.15 - 0.16 for another reason), accepted by 0.14, 0.17 - 1.8",
    )


def test_what_else_a_verdict_hinges_on_is_still_told():
    settings = {"per_device_train_batch_size": 1, "num_generations": 8}
    finding = said(lint_config(settings, dialect="swift", world_size=1), "rollout-holds-whole-groups")
    refusing = "refused by ms-swift 3.1 - 3.3, 3.7 - 4.6 (3.4 - 3.5 for another reason)"  # their evaluation
    assert finding.note.startswith(f"{refusing}, accepted by 3.6; rlhf_type is not in")
    assert finding.assumes == ["version", "trainer"]


# --- votes by themselves --------------------------------------------------------------------------------------------

ALL = ("0.14.0", "1.16.0")


def test_who_has_no_vote_neither_accepts_nor_makes_doubt():
    old, middle, new = ("0.14.0", "0.17.0"), ("0.18.2", "0.29.1"), ("1.0.0", "1.16.0")
    assert weighed(BATCH, [middle, new], [old]) == ("error", "", [])
    told = "refused by TRL 1.0 - 1.16, accepted by 0.18 - 0.29"
    assert weighed(BATCH, [new], [old]) == ("warning", told, ["version"])
    assert weighed(BATCH, [middle], [old])[0] == "info"
    assert weighed(BATCH, [new], note="more")[1] == "refused by TRL 1.0 - 1.16, accepted by 0.14 - 0.29; more"


def test_what_all_candidates_refuse_is_an_error():
    assert weighed(BATCH, [ALL]) == ("error", "", [])
    assert weighed(BATCH, [], []) == ("error", "", [])  # no vote was taken on it


def test_who_refuses_another_key_or_value_does_not_accept():
    """The older releases take the value in question, and refuse another one."""
    settings = {**BATCH, "learning_rate": "fast"}
    assert weighed(settings, [("1.0.0", "1.16.0")]) == ("error", "", [])
    assert weighed(BATCH, [("1.0.0", "1.16.0")])[0] == "warning"


def test_what_another_reader_takes_refuses_no_release():
    settings = {**BATCH, "learning_rate": "fast"}
    assert weighed(settings, [("1.0.0", "1.16.0")], reader="Hydra")[0] == "warning"


def test_a_key_of_the_launcher_is_refused_by_those_that_do_not_have_it():
    """ENV came with ms-swift 4.1."""
    settings = {"rlhf_type": "grpo", "num_generations": 8, "ENV": {"NPROC_PER_NODE": 1}}
    told = weighed(settings, [("4.3.2", "4.6.0")], dialect="swift", world_size=None)[1]
    assert told == "refused by ms-swift 4.3 - 4.6 (3.1 - 4.0 for another reason), accepted by 4.1 - 4.2"


def test_neighbours_without_a_vote_make_no_doubt():
    """0.14 - 0.19 know no importance_sampling_level: nothing that they do tells of its value."""
    assert told(lint({**RECENT, "importance_sampling_level": "tokens"}), "value-is-a-choice") == ("error", "")


# --- a commit between two releases ----------------------------------------------------------------------------------


def between(settings, *releases):
    pins = {"trl": Pin("", "requirements.txt", 1, between=releases)}
    return lint_text(config(settings, dialect="trl", world_size=1), pins=pins)


def test_what_one_of_two_releases_accepts_is_not_told():
    """The commit may be like the one that accepts it."""
    settings = {"per_device_train_batch_size": 1, "num_generations": 8, "learning_rate": 1e-6}
    assert names(between(settings, "0.14.0", "0.15.2"), "error", "warning") == []
    assert told(between(settings, "0.15.2", "0.16.1"), "rollout-holds-whole-groups") == ("error", "")


def test_what_nobody_refuses_is_told_of_two_releases_as_of_one():
    settings = {"per_device_train_batch_size": 1, "num_generations": 8, "not_a_key": 1}
    assert names(between(settings, "0.14.0", "0.15.2"), "error", "warning") == ["keys-are-read"]


# --- what is told of an older release -------------------------------------------------------------------------------


def test_of_an_older_release_only_refusals_are_told():
    """0.15 and 0.16 refuse the batch, and hold 4 completions in a rollout: the newest holds the 8 that are expected."""
    settings = "per_device_train_batch_size: 4\ngradient_accumulation_steps: 2\nnum_generations: 8\n"
    report = lint_text(
        f"# grpo-lint: dialect=trl world-size=1\n# grpo-lint: expect completions_per_rollout=8\n{settings}"
    )
    assert names(report) == ["rollout-holds-whole-groups"]
    assert said(report, "rollout-holds-whole-groups").severity == "info"


def test_numbers_of_processes_are_told_unless_something_is_refused():
    settings = {"per_device_train_batch_size": 4, "gradient_accumulation_steps": 2, "num_generations": 16}
    assert names(lint_config(settings, dialect="trl")) == ["legal-process-counts"]
    assert names(lint_config({**settings, "warmup_ratio": 1.5}, dialect="trl")) == ["warmup-ratio-is-a-share"]
