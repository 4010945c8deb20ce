"""Which release a file is judged by: who says it, what a minor means, and what happens when nobody says it."""

from itertools import pairwise

import pytest

from conftest import comment, config, lint_config, lint_text, names, plan_of, said, stated
from grpo_lint.frameworks.registry import NAMES, framework as framework_named
from grpo_lint.frameworks.versions import version_key
from grpo_lint.launch.pairs import may_stand_beside
from grpo_lint.launch.pins import Pin
from grpo_lint.report.json import document
from grpo_lint.report.messages import advice, message

TRL = {"per_device_train_batch_size": 3, "num_generations": 8, "reward_funcs": ["accuracy"]}
SWIFT = {"rlhf_type": "grpo", "per_device_train_batch_size": 3, "num_generations": 8}
MEGATRON = {"rlhf_type": "grpo", "micro_batch_size": 1, "global_batch_size": 16, "num_generations": 4}
TRL_TEXT = "per_device_train_batch_size: 3\nnum_generations: 8\nreward_funcs: [accuracy]\n"
PINS = {"trl": Pin("0.17.0", "/repository/requirements.txt", 3), "ms-swift": Pin("4.0.4", "/repository/uv.lock", 70)}


def judged_by(report):
    """('1.16.0', 'comment'): the one release that a file was judged by, and who said so."""
    launch = report.launches[0]
    assert len(launch.candidates) == 1
    return launch.candidates[0].text, launch.version_source


def candidates(report):
    return [candidate.text for candidate in report.launches[0].candidates]


def neighbours(report):
    return [candidate.text for candidate in report.launches[0].neighbours]


BATCH = {"per_device_train_batch_size": 1, "num_generations": 8}

# --- who says it ----------------------------------------------------------------------------------------------------


class TestWhoSaysIt:
    SETTINGS = {"settings": stated("settings", version="0.16.1")}
    OUTSIDE = {"outside": stated("command line", version="1.0.0")}

    def test_pin(self):
        assert judged_by(lint_text(TRL_TEXT, pins=PINS)) == ("0.17.0", "requirements.txt:3")

    def test_settings_before_a_pin(self):
        assert judged_by(lint_text(TRL_TEXT, pins=PINS, **self.SETTINGS)) == ("0.16.1", "settings")

    def test_comment_before_settings(self):
        report = lint_text(comment(version="0.21.0") + TRL_TEXT, pins=PINS, **self.SETTINGS)
        assert judged_by(report) == ("0.21.0", "comment")

    def test_command_line_before_everything(self):
        report = lint_text(comment(version="0.21.0") + TRL_TEXT, pins=PINS, **self.SETTINGS, **self.OUTSIDE)
        assert judged_by(report) == ("1.0.0", "command line")

    def test_inference_when_nobody_says_it(self):
        assert lint_text(TRL_TEXT).launches[0].version_source == "inferred"

    def test_a_pin_of_the_other_framework_says_nothing(self):
        assert judged_by(lint_text("rlhf_type: grpo\n", pins=PINS)) == ("4.0.4", "uv.lock:70")
        assert lint_text("rlhf_type: grpo\n", pins={"trl": PINS["trl"]}).launches[0].version_source == "inferred"

    def test_the_world_size_has_the_same_order_with_keys_of_the_file_last(self):
        def world(text, **surroundings):
            fact = lint_text(text, **surroundings).launches[0].facts["world_size"]
            return fact.value, fact.source

        text = TRL_TEXT + "num_processes: 2\n"
        settings = {"settings": stated("settings", world_size=3)}
        outside = {"outside": stated("command line", world_size=5)}
        assert world(text) == (2, "key num_processes")
        assert world(text, **settings) == (3, "settings")
        assert world(comment(world_size=4) + text, **settings) == (4, "comment")
        assert world(comment(world_size=4) + text, **settings, **outside) == (5, "command line")

    def test_settings_and_pins_without_the_trainer_do_not_count(self):
        """They hold for a whole repository, and may mean files of another framework."""
        assert lint_config(MEGATRON).launches[0].version_source == "inferred"
        text = "rlhf_type: grpo\nmicro_batch_size: 1\nglobal_batch_size: 16\n"
        assert lint_text(text, settings=stated("settings", version="1.16.0")).launches[0].version_source == "inferred"
        assert lint_text(text, pins={"ms-swift": Pin("3.8.3", "setup.py", 1)}).launches[0].version_source == "inferred"


# --- what a version means -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("framework", "minor", "release"),
    [
        ("trl", "0.15", "0.15.2"), ("trl", "0.26", "0.26.2"), ("trl", "1.16", "1.16.0"), ("trl", "latest", "1.16.0"),
        ("swift", "3.1", "3.1.1.post1"), ("swift", "3.4", "3.4.1.post1"), ("swift", "4.6", "4.6.0"),
        ("megatron", "3.11", "3.11.3"), ("megatron", "latest", "4.6.0"),
    ],
)  # fmt: skip
def test_a_minor_means_its_last_patch(framework, minor, release):
    settings = {"trl": TRL, "swift": SWIFT, "megatron": MEGATRON}[framework]
    assert judged_by(lint_config(settings, version=minor)) == (release, "comment")


def test_a_pinned_minor_means_its_last_patch_too():
    report = lint_text(TRL_TEXT, pins={"trl": Pin("0.26", "requirements.txt", 1)})
    assert judged_by(report) == ("0.26.2", "requirements.txt:1")


def refused(settings, **facts):
    return names(lint_config(settings, **facts), "error")


@pytest.mark.parametrize("framework", NAMES)
def test_every_version_has_a_regime_and_every_regime_a_version(framework):
    chosen = framework_named(framework)
    keys = {*map(version_key, chosen.catalogue.releases), *(regime.since for regime in chosen.arithmetic.regimes)}
    assert {id(chosen.arithmetic.regime(key)) for key in keys} == {id(regime) for regime in chosen.arithmetic.regimes}
    assert list(chosen.arithmetic.regimes) == sorted(chosen.arithmetic.regimes, key=lambda regime: regime.since)
    assert chosen.arithmetic.regime(min(keys)) is chosen.arithmetic.regimes[0]


@pytest.mark.parametrize("framework", NAMES)
def test_neighbouring_regimes_differ_in_their_arithmetic(framework):
    def arithmetic(regime):
        formulas = {name: [formula.text for formula in each] for name, each in regime.formulas.items()}
        idle = {reason: (condition.text, names) for reason, (condition, names) in regime.idle.items()}
        return formulas, idle, regime.quantities

    regimes = framework_named(framework).arithmetic.regimes
    same = [later.since for earlier, later in pairwise(regimes) if arithmetic(earlier) == arithmetic(later)]
    assert same == []


class TestPatchesThatDiffer:
    @pytest.mark.parametrize(
        ("version", "accepted"), [("0.26.0", False), ("0.26.1", True), ("0.26.2", True), ("0.26", True)]
    )
    def test_trl_0_26_0_tests_evaluation_against_the_training_group(self, version, accepted):
        settings = {
            "per_device_train_batch_size": 8, "num_generations": 8, "eval_strategy": "steps",
            "per_device_eval_batch_size": 4, "num_generations_eval": 4,
        }  # fmt: skip
        found = refused(settings, dialect="trl", version=version, world_size=1)
        assert found == ([] if accepted else ["evaluation-holds-whole-groups"])

    @pytest.mark.parametrize(
        ("version", "accepted"), [("0.18.2", True), ("0.19.0", True), ("0.19.1", False), ("0.19", False)]
    )
    def test_trl_0_19_0_forgets_the_processes(self, version, accepted):
        settings = {"per_device_train_batch_size": 4, "generation_batch_size": 12, "num_generations": 4}
        report = lint_config(settings, dialect="trl", version=version, world_size=2)
        assert names(report) == ["rollout-holds-whole-steps"]
        assert said(report, "rollout-holds-whole-steps").severity == ("warning" if accepted else "error")

    @pytest.mark.parametrize(
        ("version", "guessed"), [("3.10", True), ("3.11.0", True), ("3.11.1", False), ("3.11", False)]
    )
    def test_swift_3_11_0_still_takes_colocate_for_a_missing_mode(self, version, guessed):
        settings = {**SWIFT, "per_device_train_batch_size": 8, "use_vllm": True, "vllm_tensor_parallel_size": 4}
        found = refused(settings, dialect="swift", version=version, world_size=6)
        assert found == (["vllm-tensor-parallel-divides-world"] if guessed else ["vllm-has-a-mode"])

    @pytest.mark.parametrize(("version", "accepted"), [("3.11.0", False), ("3.11.1", True)])
    def test_megatron_3_11_0_too(self, version, accepted):
        settings = {**MEGATRON, "global_batch_size": 48, "num_generations": 4, "vllm_tensor_parallel_size": 4}
        found = refused(settings, version=version, world_size=6)
        assert found == ([] if accepted else ["vllm-tensor-parallel-divides-world"])


class TestNewerThanAllKnown:
    @pytest.mark.parametrize(
        ("settings", "version", "rule"),
        [
            (TRL, "1.99.3", "rollout-holds-whole-groups"),
            (TRL, "2.0", "rollout-holds-whole-groups"),
            (SWIFT, "9.9", "rollout-holds-whole-groups"),
            (MEGATRON, "9.9", "rollout-prompts-divide-over-ranks"),
        ],
    )
    def test_errors_become_warnings(self, settings, version, rule):
        report = lint_config(settings, version=version, world_size=8 if settings is MEGATRON else 1)
        finding = said(report, rule)
        assert (finding.severity, finding.assumes) == ("warning", ["version"])
        assert names(report, "error") == []
        assert judged_by(report) == (version, "comment")

    def test_the_message_names_the_newest_known_release(self):
        told = message(said(lint_config(TRL, version="2.0", world_size=1), "rollout-holds-whole-groups"))
        assert "1.16.0, the newest known release" in told

    def test_a_newer_patch_of_a_known_minor_is_no_assumption(self):
        finding = said(lint_config(TRL, version="1.16.7", world_size=1), "rollout-holds-whole-groups")
        assert (finding.severity, finding.assumes) == ("error", [])


class TestWithoutTheTrainer:
    @pytest.mark.parametrize(
        ("settings", "facts"),
        [
            (TRL, {"version": "0.13"}),
            (TRL, {"version": "0.21", "algorithm": "rloo"}),
            (MEGATRON, {"version": "3.10"}),
            (SWIFT, {"version": "2.6"}),
        ],
    )
    def test_is_an_error_and_nothing_else_is_said(self, settings, facts):
        report = lint_config(settings, world_size=1, **facts)
        assert names(report) == ["version-has-the-trainer"]
        assert said(report, "version-has-the-trainer").severity == "error"
        assert document([report])["files"][0]["launches"] == []

    def test_points_at_the_version_in_the_comment(self):
        report = lint_config(TRL, world_size=1, version="0.13")
        diagnostic = document([report])["files"][0]["diagnostics"][0]
        line = report.text.text.splitlines()[diagnostic["range"]["start"]["line"]]
        start, end = (diagnostic["range"][side]["character"] for side in ("start", "end"))
        assert line[start:end] == "version=0.13"

    @pytest.mark.parametrize(
        ("settings", "facts", "first"),
        [(TRL, {"version": "0.21", "algorithm": "rloo"}, "0.22"), (MEGATRON, {"version": "3.10"}, "3.11")],
    )
    def test_says_which_release_was_the_first(self, settings, facts, first):
        told = message(said(lint_config(settings, world_size=1, **facts), "version-has-the-trainer"))
        assert told.endswith((f"came with {first}", f"came with {first}.0"))


# --- nobody says it -------------------------------------------------------------------------------------------------


def releases(framework, since, until=None):
    known = list(framework_named(framework).catalogue.releases)
    return known[known.index(since) : known.index(until) + 1 if until else None]


class TestCandidates:
    def test_keys_that_all_releases_know_leave_all(self):
        assert (
            candidates(lint_config({"num_generations": 8, "learning_rate": 1e-6}, dialect="trl"))
            == releases("trl", "0.14.0")[::-1]
        )

    def test_one_key_less_is_a_neighbour(self):
        """vllm_device went with 0.18: alone it tells little, for each newer release knows one key less."""
        report = lint_config({"num_generations": 8, "learning_rate": 1e-6, "vllm_device": "auto"}, dialect="trl")
        assert candidates(report) == releases("trl", "0.14.0", "0.17.0")[::-1]
        assert neighbours(report) == releases("trl", "0.18.2")[::-1]

    def test_two_keys_less_are_not(self):
        old = {**TRL, "vllm_device": "auto", "vllm_dtype": "auto", "vllm_max_model_len": 2048}  # 0.15 - 0.17
        assert candidates(lint_config(old)) == releases("trl", "0.15.2", "0.17.0")[::-1]
        new = {**TRL, "entropy_coef": 0.1, "entropy_target": 0.3, "log_multimodal": True}  # 1.8, 1.8, 1.9
        report = lint_config(new)
        assert (candidates(report), neighbours(report)) == (releases("trl", "1.9.2")[::-1], ["1.8.0"])

    def test_a_value_that_only_some_have_counts_as_a_key(self):
        assert candidates(lint_config({**SWIFT, "loss_type": "real"}))[-1].startswith("4.1")
        assert candidates(lint_config({**SWIFT, "loss_type": "reall"})) == candidates(lint_config(SWIFT))

    def test_keys_that_nobody_knows_do_not_count(self):
        strange = {f"my_own_key_{number}": number for number in range(5)}
        assert candidates(lint_config({**TRL, **strange})) == candidates(lint_config(TRL))

    def test_error_when_every_candidate_refuses(self):
        settings = {**TRL, "vllm_mode": "colocate", "importance_sampling_level": "token", "steps_per_generation": 1}
        report = lint_config(settings, world_size=1)
        assert (candidates(report)[-1], neighbours(report)) == ("0.20.0", ["0.19.1", "0.18.2"])
        finding = said(report, "rollout-holds-whole-groups")
        assert (finding.severity, finding.assumes) == ("error", [])

    def test_warning_that_names_the_versions_when_they_disagree(self):
        settings = {**BATCH, "per_device_train_batch_size": 4, "gradient_accumulation_steps": 2}
        finding = said(lint_config(settings, dialect="trl", world_size=1), "rollout-holds-whole-groups")
        assert (finding.severity, finding.assumes) == ("info", ["version"])
        assert message(finding).endswith("[refused by TRL 0.15 - 0.16, accepted by 0.14, 0.17 - 1.16]")

    def test_an_older_release_that_does_not_know_a_key_is_hardly_the_one_that_is_used(self):
        settings = {
            **BATCH,
            "per_device_train_batch_size": 4,
            "gradient_accumulation_steps": 2,
            "loss_type": "grpo",
        }  # of 0.17
        report = lint_config(settings, dialect="trl", world_size=1)
        assert "0.16.1" in neighbours(report) and "rollout-holds-whole-groups" not in names(report)
        del settings["loss_type"]
        report = lint_config(settings, dialect="trl", world_size=1)
        assert said(report, "rollout-holds-whole-groups").severity == "info"

    def test_the_newest_fills_the_plan(self):
        settings = {**TRL, "per_device_train_batch_size": 4, "gradient_accumulation_steps": 2}
        report = lint_config(settings, world_size=1)
        assert plan_of(report).value("completions_per_rollout") == 8  # 0.16 would say 4
        launch = document([report])["files"][0]["launches"][0]
        assert (launch["framework_version"], launch["version_source"]) == ("1.16.0", "inferred")
        assert launch["plan"]["completions_per_rollout"] == 8

    def test_silent_when_every_candidate_accepts(self):
        report = lint_config({**TRL, "per_device_train_batch_size": 8}, world_size=1)
        assert len(candidates(report)) > 25 and names(report) == []

    @pytest.mark.parametrize("settings", [TRL, SWIFT, MEGATRON], ids=["trl", "swift", "megatron"])
    def test_agrees_with_judging_every_release_alone(self, settings):
        """What is said without a version: an error when all releases refuse, a warning when some do."""
        framework = {id(TRL): "trl", id(SWIFT): "swift"}.get(id(settings), "megatron")
        knob = "global_batch_size" if framework == "megatron" else "per_device_train_batch_size"
        for size in (1, 4, 8, 16, 24, 32):
            for world_size in (1, 2, 8):
                varied = {**settings, knob: size, "num_generations": 8}
                report = lint_config(varied, world_size=world_size)
                alone = [
                    bool(refused(varied, dialect=framework, version=each, world_size=world_size))
                    for each in candidates(report) + neighbours(report)
                ]
                assert bool(names(report, "error")) == all(alone), (varied, world_size)
                if not all(alone):
                    assumed = [finding for finding in report.findings if "version" in finding.assumes]
                    assert bool(assumed) == any(alone[: len(candidates(report))]), (varied, world_size)
                    expected = {"warning"} if alone[0] else {"info"}
                    assert {finding.severity for finding in assumed} <= expected, (varied, world_size)


# --- companions, and the JSON ---------------------------------------------------------------------------------------

SMALL_EVALUATION = {
    **SWIFT, "per_device_train_batch_size": 8, "per_device_eval_batch_size": 4, "num_generations_eval": 4,
    "val_dataset": ["held-out"],
}  # fmt: skip


class TestCompanions:
    RULE = "evaluation-holds-whole-training-groups"

    def report(self, pins=None, **facts):
        return lint_text(config(SMALL_EVALUATION, version="3.12.6", world_size=1, **facts), pins=pins)

    def test_that_is_taken_for_granted_makes_a_warning(self):
        finding = said(self.report(), self.RULE)
        assert (finding.severity, finding.assumes) == ("warning", ["companion:trl"])
        assert "trl 0.24.0" in message(finding)

    def test_that_is_stated_makes_an_error(self):
        finding = said(self.report(trl="0.24.0"), self.RULE)
        assert (finding.severity, finding.assumes) == ("error", [])

    def test_that_is_pinned_makes_an_error(self):
        finding = said(self.report(pins={"trl": Pin("0.25.1", "requirements.txt", 2)}), self.RULE)
        assert (finding.severity, finding.assumes) == ("error", [])

    def test_of_another_version_makes_silence(self):
        assert names(self.report(trl="0.26.2")) == []
        assert names(self.report(pins={"trl": Pin("0.26.2", "requirements.txt", 2)})) == []


# What a release asks of the packages beside it: whose rule speaks for which stated version, and whether as an error.
BESIDE = [
    ({"use_vllm": True}, {"version": "1.16.0", "vllm": "0.10.2"}, "vllm-is-supported", "warning"),
    ({"use_vllm": True}, {"version": "1.16.0", "vllm": "0.31.0"}, None, None),
    ({"use_vllm": True}, {"version": "0.25.1", "vllm": "0.11.0"}, "vllm-is-supported", "warning"),
    ({"use_vllm": True}, {"version": "0.23.1", "vllm": "0.11.0"}, None, None),
    ({"use_vllm": True}, {"version": "1.16.0"}, None, None),
    ({"use_vllm": False}, {"version": "1.16.0", "vllm": "0.10.2"}, None, None),
    ({"use_liger_kernel": True}, {"version": "1.13.0", "liger_kernel": "0.8.0"}, "liger-kernel-is-new-enough", "error"),
    ({"use_liger_kernel": True}, {"version": "1.10.0", "liger_kernel": "0.8.0"}, None, None),
    ({"use_liger_loss": True, "loss_type": "bnpo"}, {"version": "0.17.0", "liger_kernel": "0.5.5"}, "liger-kernel-is-new-enough", "error"),
    ({"use_liger_kernel": True}, {"version": "1.13.0"}, None, None),
    ({"use_transformers_continuous_batching": True}, {"version": "1.16.0", "transformers": "5.7.0"}, "continuous-batching-is-there", "error"),
    ({"use_transformers_continuous_batching": True}, {"version": "1.16.0"}, None, None),
]  # fmt: skip
ABOUT_COMPANIONS = {"vllm-is-supported", "liger-kernel-is-new-enough", "continuous-batching-is-there"}


@pytest.mark.parametrize("settings, facts, rule, severity", BESIDE)
def test_what_trl_asks_of_the_packages_beside_it(settings, facts, rule, severity):
    report = lint_config(
        {"per_device_train_batch_size": 8, "num_generations": 8, **settings}, dialect="trl", world_size=1, **facts
    )
    found = [
        (finding.rule.name, finding.severity) for finding in report.findings if finding.rule.name in ABOUT_COMPANIONS
    ]
    assert found == ([(rule, severity)] if rule else [])


def test_a_pin_of_the_repository_states_a_companion():
    pins = {"trl": Pin("1.16.0", "requirements.txt", 1), "vllm": Pin("0.10.2", "requirements.txt", 2)}
    report = lint_text(
        "use_vllm: true\nnum_generations: 8\nper_device_train_batch_size: 8\nloss_type: dapo\n", pins=pins
    )
    assert "vllm-is-supported" in names(report, "warning")


@pytest.mark.parametrize(
    ("settings", "facts", "assumes"),
    [
        (TRL, {"version": "1.16", "world_size": 1}, []),
        (TRL, {"version": "9.0", "world_size": 1}, ["version"]),
        (TRL, {"world_size": 1}, ["version"]),
        (SMALL_EVALUATION, {"version": "3.12.6", "world_size": 1}, ["companion:trl"]),
        ({**TRL, "per_device_train_batch_size": 4}, {"version": "1.16"}, ["world_size"]),
    ],
)
def test_assumptions_are_in_the_json(settings, facts, assumes):
    file = document([lint_config(settings, **facts)])["files"][0]
    assert [diagnostic["data"]["assumes"] for diagnostic in file["diagnostics"]] == [assumes]


# --- pins that are not the whole truth ------------------------------------------------------------------------------


class TestPinsInDoubt:
    """A pin says what was installed once. What the file itself says may speak against it."""

    PINS = {
        "trl": Pin("0.18.0", "/repository/setup.py", 73),
        "ms-swift": Pin("3.3.1", "/repository/swift/version.py", 2),
    }
    OLD = "per_device_train_batch_size: 3\nnum_generations: 8\nmax_completion_length: 64\nlearning_rate: 1.0e-6\n"

    def error(self, text, rule="rollout-holds-whole-groups", pins=None):
        return said(lint_text(comment(world_size=1) + text, pins=pins or self.PINS), rule)

    def test_a_pin_that_fits_the_file_is_believed(self):
        assert self.error(self.OLD).severity == "error"

    def test_a_key_of_a_later_release_speaks_against_it(self):
        finding = self.error(self.OLD + "vllm_importance_sampling_correction: true\n")
        assert (finding.severity, finding.assumes) == ("warning", ["version"])
        assert (
            "setup.py:73 pins 0.18.0, but this run is for a release that knows vllm_importance_sampling_correction"
            in message(finding)
        )

    def test_a_value_of_a_later_release_is_then_no_mistake_of_its_own(self):
        text = self.OLD + "vllm_importance_sampling_correction: true\nloss_type: {}\n"
        assert "value-is-a-choice" not in names(lint_text(text.format("cispo"), pins=self.PINS))
        assert self.error(text.format("crispo"), "value-is-a-choice").severity == "warning"
        assert self.error(self.OLD + "loss_type: cispo\n", "value-is-a-choice").severity == "error"

    def test_several_later_keys_are_one_mistake(self):
        later = "vllm_importance_sampling_correction: true\ncast_lm_head_to_fp32: true\nuse_bias_correction_kl: true\n"
        finding = self.error(self.OLD + later, "key-is-of-this-version")
        assert message(finding).startswith(
            "vllm_importance_sampling_correction, cast_lm_head_to_fp32 and use_bias_correction_kl came after TRL 0.18.0, which setup.py:73 pins: they are silently dropped"
        )

    def test_what_came_later_needs_a_newer_release(self):
        later = "vllm_importance_sampling_correction: true\ncast_lm_head_to_fp32: true\nuse_bias_correction_kl: true\n"
        assert advice(self.error(self.OLD + later, "key-is-of-this-version")) == (
            "Install TRL 0.26 or newer, or remove them."
        )
        alone = self.error(self.OLD + "use_bias_correction_kl: true\n", "key-is-of-this-version")
        assert advice(alone) == "Install TRL 0.26 or newer, or remove it."
        gone = self.error("rlhf_type: grpo\nmodel: m\ndataset: d\ntools_prompt: react_grpo\n", "key-is-of-this-version")
        assert advice(gone).startswith("Write what replaced it")

    def test_the_key_itself_is_told_with_the_pin(self):
        finding = self.error("rlhf_type: grpo\nmodel: m\ndataset: d\nvllm_mode: server\n", "key-is-of-this-version")
        assert finding.severity == "warning"
        assert message(finding).endswith("[version.py:2 pins 3.3.1]")

    def test_a_key_of_an_earlier_release_does_not(self):
        finding = self.error(
            "rlhf_type: grpo\nmodel: m\ndataset: d\ntools_prompt: react_grpo\n", "key-is-of-this-version"
        )
        assert finding.severity == "error" and "removed in ms-swift 3.3" in message(finding)

    def test_a_version_that_somebody_states_is_not_doubted(self):
        report = lint_text(
            comment(world_size=1, version="0.18.0") + self.OLD + "vllm_importance_sampling_correction: true\n"
        )
        assert said(report, "rollout-holds-whole-groups").severity == "error"


class TestPinsBetweenReleases:
    """`3.8.0.dev0` that was installed from elsewhere: some day between the first 3.7 and the first 3.8."""

    TEXT = "rlhf_type: grpo\nmodel: m\ndataset: d\nreward_funcs: accuracy\nper_device_train_batch_size: 8\nnum_generations: 8\nloss_type: {loss}\n"

    def report(self, version, loss):
        pins = {"ms-swift": Pin(version, "/repository/environment.yml", 2)}
        return lint_text(comment(world_size=8) + self.TEXT.format(loss=loss), pins=pins)

    def test_it_may_be_like_either(self):
        assert candidates(self.report("3.11.0.dev0", "grpo")) == ["3.11.0.dev0", "3.10.3", "3.9.3"]
        assert candidates(self.report("3.11.0", "grpo")) == ["3.11.0"]

    def test_what_only_one_of_them_refuses_is_not_told(self):
        assert "loss-type-is-known" in names(self.report("3.10.0", "sapo"))
        assert not {"loss-type-is-known", "value-is-a-choice"} & set(names(self.report("3.11.0.dev0", "sapo")))

    def test_a_key_that_went_with_the_release_before_may_still_be_there(self):
        text = "rlhf_type: grpo\nmodel: m\ndataset: d\ntools_prompt: react_grpo\n"
        for version, told in (("3.4.0.dev0", False), ("3.5.0.dev0", True)):
            report = lint_text(text, pins={"ms-swift": Pin(version, "/repository/environment.yml", 2)})
            assert ("key-is-of-this-version" in names(report)) is told

    def test_what_both_refuse_is_an_error(self):
        assert said(self.report("3.11.0.dev0", "sappho"), "loss-type-is-known").severity == "error"

    def test_the_next_release_is_judged_by_the_newest_rules(self):
        report = self.report("9.9.0.dev0", "grpo")
        assert len(candidates(report)) == 1 and report.launches[0].newer

    def test_of_a_copy_that_cannot_be_read_the_keys_tell(self):
        pins = {"ms-swift": Pin("3.11.0.dev0", "/repository/swift/version.py", 2)}
        report = lint_text(comment(world_size=8) + self.TEXT.format(loss="sappho"), pins=pins)
        assert report.launches[0].version_source == "inferred" and len(candidates(report)) > 3
        told = said(report, "loss-type-is-known")
        assert told.severity == "warning" and told.assumes == ["version"]


class TestCompanionsTell:
    """Where nobody says the release, what is installed beside it does."""

    TEXT = "per_device_train_batch_size: 8\nnum_generations: 8\nuse_vllm: true\nmax_completion_length: 64\nlearning_rate: 1.0e-6\n"

    def test_only_releases_that_support_the_pinned_vllm_are_meant(self):
        pins = {"vllm": Pin("0.10.2", "/repository/requirements.txt", 4)}
        several = set(candidates(lint_text(self.TEXT)))
        few = candidates(lint_text(self.TEXT, pins=pins))
        assert few and set(few) < several
        assert "vllm-is-supported" not in names(lint_text(self.TEXT, pins=pins))

    def test_unless_a_key_of_the_file_is_of_another_release(self):
        pins = {"vllm": Pin("0.7.2", "/repository/requirements.txt", 4)}
        text = (
            self.TEXT
            + "vllm_structured_outputs_regex: a\nmulti_objective_aggregation: sum_then_normalize\npad_to_multiple_of: auto\n"
        )
        assert "vllm-is-supported" in names(lint_text(text, pins=pins))


class TestHowTheConfigIsGiven:
    """`swift rlhf --config x.yaml` is read by 3.10 - 4.0, `swift rlhf x.yaml` by later releases."""

    FLAGS = "--rlhf_type grpo --model m --dataset d --reward_funcs accuracy --per_device_train_batch_size 8 --num_generations 8"

    def lint(self, command, facts=""):
        script = f"#!/bin/bash\n# grpo-lint: {facts}\nNPROC_PER_NODE=8 {command}\n"
        return lint_text(script, path="train.sh")

    @pytest.mark.parametrize(
        ("form", "first", "last"), [("--config x.yaml", "3.10.3", "4.0.4"), ("x.yaml", "4.1.3", "4.6.0")]
    )
    def test_the_form_tells_the_release(self, form, first, last):
        report = self.lint(f"swift rlhf {form} {self.FLAGS}", "world-size=8")
        found = candidates(report)
        assert (found[-1].rpartition(".")[0], found[0].rpartition(".")[0]) == (
            first.rpartition(".")[0],
            last.rpartition(".")[0],
        )
        assert "command-takes-its-config" not in names(report)

    @pytest.mark.parametrize(
        ("form", "version", "severity"),
        [
            ("--config x.yaml", "3.8.3", ["error"]),
            ("--config x.yaml", "3.12.6", []),
            ("--config x.yaml", "4.1.3", ["error"]),
            ("x.yaml", "4.0.4", ["error"]),
            ("x.yaml", "4.6.0", []),
            ("--config x.yaml --ignore_args_error true", "4.6.0", []),
            ("--use_ray true --config x.yaml", "4.6.0", []),
        ],
    )
    def test_a_release_that_does_not_read_it_so_refuses_it(self, form, version, severity):
        report = self.lint(f"swift rlhf {form} {self.FLAGS}", f"version={version}")
        assert [each.severity for each in report.findings if each.rule.name == "command-takes-its-config"] == severity


def test_a_key_that_the_newest_candidate_has_dropped_is_an_operand_all_the_same():
    """`evaluation_strategy` decides whether there is an evaluation, in releases that are not among the candidates."""
    report = lint_text(
        "# grpo-lint: dialect=trl world-size=8\nper_device_train_batch_size: 8\nnum_generations: 8\npad_to_multiple_of: 8\n"
        "use_bias_correction_kl: true\nmulti_objective_aggregation: sum_then_normalize\nevaluation_strategy: steps\n"
    )
    assert "0.14.0" not in [candidate.text for candidate in report.launches[0].candidates]
    assert names(report) == ["key-is-of-this-version"]


@pytest.mark.parametrize("release", framework_named("trl").catalogue.releases)
def test_what_a_release_of_trl_requires_goes_with_what_it_was_read_beside(release):
    trl = framework_named("trl")
    index = trl.catalogue.releases.index(release)
    assert may_stand_beside(trl, index, "transformers", trl.catalogue.companions[index]["transformers"])


def test_newer_releases_of_trl_require_newer_transformers():
    trl = framework_named("trl")
    asked = ("4.45.0", "4.46.0", "4.50.0", "4.51.0", "4.53.2", "4.55.0", "4.56.1", "4.56.2", "5.23.0")
    oldest = [
        next(each for each in asked if may_stand_beside(trl, index, "transformers", each))
        for index in range(len(trl.catalogue.releases))
    ]
    assert oldest == sorted(oldest) and oldest[0] == "4.46.0" and oldest[-1] == "4.56.2"


def test_a_value_of_an_old_name_is_told_by_this_name():
    settings = {"per_device_train_batch_size": 8, "rloo_k": "many"}
    report = lint_config(settings, dialect="trl", version="0.22.2", algorithm="rloo", world_size=8)
    assert [message(finding) for finding in report.findings] == [
        "rloo_k holds the text 'many' where a whole number belongs"
    ]


@pytest.mark.parametrize("version, vllm, is_supported", [
    ("0.26.2", "0.11.2", True), ("0.26.2", "0.12.0", False), ("0.27.2", "0.12.0", True), ("0.27.2", "0.10.1", False),
])  # fmt: skip
def test_each_release_of_trl_has_its_own_range_of_vllm(version, vllm, is_supported):
    settings = {"per_device_train_batch_size": 8, "num_generations": 8, "use_vllm": True}
    report = lint_config(settings, dialect="trl", version=version, vllm=vllm, world_size=1)
    assert ("GRPO549" not in [finding.rule.code for finding in report.findings]) is is_supported


def test_what_comes_before_a_release_and_after_it():
    order = ["1.2.0.dev0", "1.2.0.dev3", "1.2.0a1.dev1", "1.2.0a1", "1.2.0rc1", "1.2.0", "1.2.0.post1", "1.2.1.dev0"]
    keys = [version_key(each) for each in order]
    assert keys == sorted(set(keys))
    assert version_key("1.2.0.post1.dev0") < version_key("1.2.0.post1")
