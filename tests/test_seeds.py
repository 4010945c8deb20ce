"""What the project was founded on: formulas, constraints, worked cases and messages, by the names S0 ... S4."""

import re

import pytest

from conftest import lint_config, names, plan_of, said, suggestions, told
from grpo_lint.frameworks.all_rules import RULES, find_rule
from grpo_lint.frameworks.registry import framework as framework_named
from grpo_lint.frameworks.versions import version_key
from grpo_lint.report.messages import message
from grpo_lint.report.text import TextPrinter

SWIFT = ("3.2", "3.4", "3.5.3", "3.6", "3.8", "3.11", "3.12", "4.0", "4.2", "4.4", "4.6")
MEGATRON = ("3.11.0", "3.11", "3.12", "4.0", "4.2", "4.4", "4.6")  # one or more of each regime


def problems(report):
    return names(report, "error", "warning")


def values(report, *quantities):
    plan = plan_of(report)
    return tuple(plan.value(name) for name in quantities)


def rules_worded(framework, text):
    """The rules that a search for a framework's own message finds: numbers do not count."""
    wanted = re.sub(r"-?\d+", "...", text)
    return {
        row.rule
        for row in framework_named(framework).refusals.enforcement.rows
        if wanted in re.sub(r"-?\d+", "...", row.wording)
    }


# --- S0: how many steps an ms-swift run takes -----------------------------------------------------------------------


class TestS0:
    RUN = {
        "rlhf_type": "grpo",
        "per_device_train_batch_size": 8,
        "gradient_accumulation_steps": 2,
        "num_generations": 8,
        "num_iterations": 2,
        "num_train_epochs": 1,
        "split_dataset_ratio": 0.01,
    }

    def report(self, **settings):
        return lint_config({**self.RUN, **settings}, dialect="swift", version="3.8", world_size=6, dataset_size=8000)

    def test_worked_case_takes_1320_steps(self):
        report = self.report(per_device_eval_batch_size=4)
        assert problems(report) == []
        assert values(report, "training_rows", "steps_per_epoch", "total_steps") == (7920, 1320, 1320)

    def test_the_loader_counts_2640_micro_steps(self):
        assert values(self.report(per_device_eval_batch_size=4), "micro_steps_per_epoch") == (2640,)

    def test_prompts_become_completions_first(self):
        report = self.report(per_device_eval_batch_size=4)
        assert values(report, "completions_per_update", "prompts_per_update") == (96, 12)
        rows, ratio, group, batch, processes, accumulation, iterations = 8000, 0.99, 8, 8, 6, 2, 2
        micro_steps = rows * group / (batch * processes) * ratio
        assert micro_steps / accumulation * iterations == 1320 == plan_of(report).value("total_steps")

    def test_the_ratio_switches_evaluation_on(self):
        report = self.report()
        assert values(report, "evaluates", "eval_completions", "eval_group_size") == (True, 6, 8)
        assert said(report, "evaluation-holds-whole-groups").severity == "error"

    @pytest.mark.parametrize("batch", [1, 2, 3, 4, 6, 8, 12])
    def test_evaluation_batch_times_6_is_a_multiple_of_8(self, batch):
        found = problems(self.report(per_device_eval_batch_size=batch))
        assert found == ([] if batch * 6 % 8 == 0 else ["evaluation-holds-whole-groups"])

    def test_without_the_ratio_nothing_is_evaluated(self):
        report = self.report(split_dataset_ratio=0)
        assert problems(report) == []
        assert values(report, "evaluates", "training_rows") == (False, 8000)


# --- S1: one GPU, one completion ------------------------------------------------------------------------------------


class TestS1:
    RUN = {
        "rlhf_type": "grpo",
        "per_device_train_batch_size": 1,
        "gradient_accumulation_steps": 1,
        "num_generations": 1,
        "eval_strategy": "no",
    }

    def report(self, version, **settings):
        return lint_config({**self.RUN, **settings}, fixes=True, dialect="swift", version=version, world_size=1)

    @pytest.mark.parametrize("version", SWIFT)
    def test_the_real_reason_is_said(self, version):
        report = self.report(version)
        assert problems(report) == ["group-has-two-completions"]
        finding = said(report, "group-has-two-completions")
        assert finding.severity == "error"
        assert "no relative advantage" in message(finding) and "at least 2" in message(finding)
        assert "divis" not in message(finding)

    def test_the_page_clears_up_the_misleading_message_and_names_other_methods(self):
        rule = RULES["group-has-two-completions"]
        assert "divi" in rule.why
        assert "PPO" in rule.instead and "REINFORCE" in rule.instead

    def test_the_misleading_message_leads_to_the_rule(self):
        text = (
            "The global train batch size (1 x 1) must be evenly divisible by the number of generations per prompt (1)."
        )
        assert "group-has-two-completions" in rules_worded("swift", text[:-1])

    @pytest.mark.parametrize("version", ["3.8", "3.4", "4.6"])
    def test_2_is_offered_where_the_batch_holds_it(self, version):
        report = self.report(version, gradient_accumulation_steps=2)
        assert {"num_generations": 2} in suggestions(said(report, "group-has-two-completions"))

    @pytest.mark.parametrize("version", ["3.3", "3.8"])
    def test_2_is_offered_with_the_batch_adjusted(self, version):
        offered = suggestions(said(self.report(version), "group-has-two-completions"))
        assert {"per_device_train_batch_size": 2, "num_generations": 2} in offered

    @pytest.mark.parametrize("version", ["4.4", "4.5", "4.6"])
    def test_a_teacher_makes_it_legal_from_4_4(self, version):
        assert problems(self.report(version, teacher_model="Qwen/Qwen2.5-7B-Instruct")) == []

    def test_a_teacher_does_not_help_before(self):
        report = self.report("4.3", teacher_model="Qwen/Qwen2.5-7B-Instruct")
        assert problems(report) == ["group-has-two-completions"]


# --- S2: a 32B model ------------------------------------------------------------------------------------------------


class TestS2:
    RUN = {
        "rlhf_type": "grpo",
        "model": "Qwen/Qwen2.5-32B-Instruct",
        "use_vllm": True,
        "vllm_mode": "colocate",
        "train_type": "lora",
        "torch_dtype": "bfloat16",
        "dataset": "AI-MO/NuminaMath-TIR#1000",
        "reward_funcs": "accuracy",
        "max_completion_length": 2080,
        "num_train_epochs": 3,
        "per_device_train_batch_size": 1,
        "per_device_eval_batch_size": 8,
        "learning_rate": 5e-6,
        "gradient_accumulation_steps": 8,
        "num_generations": 8,
        "deepspeed": "zero3",
        "beta": 0.01,
    }

    def report(self, version, world_size, **settings):
        run = {**self.RUN, **settings}
        if version > "4.0":  # renamed
            run["tuner_type"] = run.pop("train_type")
        return lint_config(run, fixes=True, dialect="swift", version=version, world_size=world_size)

    @pytest.mark.parametrize("version", SWIFT[2:])
    def test_is_accepted_as_given(self, version):
        assert problems(self.report(version, 8)) == []

    @pytest.mark.parametrize("version", SWIFT[2:])
    def test_evaluation_batch_1_on_one_process_fails_in_3_5_only(self, version):
        report = self.report(version, 1, per_device_eval_batch_size=1)
        assert problems(report) == (["evaluation-holds-whole-groups"] if version == "3.5.3" else [])

    def test_its_fix_is_the_group_size(self):
        finding = said(self.report("3.5.3", 1, per_device_eval_batch_size=1), "evaluation-holds-whole-groups")
        assert suggestions(finding)[0] == {"per_device_eval_batch_size": 8}

    @pytest.mark.parametrize(
        ("batch", "accumulation", "processes"), [(1, 8, 1), (1, 4, 2), (1, 4, 1), (1, 1, 8), (3, 1, 8), (1, 3, 2)]
    )
    def test_train_batch_is_a_multiple_of_the_group(self, batch, accumulation, processes):
        report = self.report(
            "3.8", processes, per_device_train_batch_size=batch, gradient_accumulation_steps=accumulation
        )
        whole = batch * accumulation * processes % 8 == 0
        assert problems(report) == ([] if whole else ["rollout-holds-whole-groups"])

    @pytest.mark.parametrize(("engine", "fits"), [(1, True), (4, True), (8, True), (3, False), (16, False)])
    def test_vllm_engines_fit_the_gpus(self, engine, fits):
        report = self.report("3.8", 8, vllm_tensor_parallel_size=engine)
        assert problems(report) == ([] if fits else ["vllm-tensor-parallel-divides-world"])

    def test_the_number_behind_the_data_set_is_its_rows(self):
        report = self.report("3.8", 8)
        assert report.launches[0].facts["dataset_size"].value == 1000
        assert values(report, "prompts_per_rollout", "total_steps") == (8, 375)  # 1000 rows / 8 prompts x 3 epochs

    @pytest.mark.parametrize(
        ("text", "rule"),
        [
            ("The effective train batch size (1 x 1 x 4) must be evenly divisible by the number of generations per prompt",
             "rollout-holds-whole-groups"),
            ("The effective eval batch size (1 x 1) must be evenly divisible by the number of generations per prompt",
             "evaluation-holds-whole-groups"),
        ],
    )  # fmt: skip
    def test_messages_lead_to_their_rules(self, text, rule):
        assert rule in rules_worded("swift", text)


# --- S3: TRL --------------------------------------------------------------------------------------------------------


class TestS3:
    RUN = {
        "per_device_train_batch_size": 4,
        "gradient_accumulation_steps": 2,
        "num_generations": 6,
        "num_train_epochs": 2,
    }

    def report(self, version="1.16.0", **settings):
        return lint_config({**self.RUN, **settings}, dialect="trl", version=version, world_size=3, dataset_size=8000)

    @pytest.mark.parametrize("version", ["0.15", "0.16", "0.17", "0.18", "0.20", "0.24", "0.26", "1.0", "1.16"])
    def test_worked_case(self, version):
        plan = plan_of(self.report(version))
        assert plan.value("completions_per_update") == 24
        assert 8000 * plan.value("group_size") == 48000
        assert plan.value("total_steps") == 48000 / 24 * 2 == 4000

    def test_is_accepted(self):
        assert problems(self.report()) == []

    def test_groups_are_whole(self):
        assert problems(self.report(num_generations=5)) == ["rollout-holds-whole-groups"]


# --- S4: Megatron-SWIFT ---------------------------------------------------------------------------------------------


def case(tp, micro, update, steps, group, **settings):
    return {
        "rlhf_type": "grpo",
        "vllm_mode": "colocate",
        "tensor_model_parallel_size": tp,
        "micro_batch_size": micro,
        "global_batch_size": update,
        "steps_per_generation": steps,
        "num_generations": group,
        **settings,
    }


FOURTH = "update-gives-ranks-whole-prompts"
EXAMPLE_1 = case(2, 1, 16, 2, 4), 8
EXAMPLE_2 = case(2, 1, 16, 2, 4), 16
EXAMPLE_3 = case(2, 2, 32, 2, 4), 16
QUESTION_1 = case(1, 1, 16, 1, 4), 8


@pytest.mark.parametrize("version", MEGATRON)
class TestS4:
    def report(self, version, example, **changes):
        settings, world_size = example
        return lint_config(
            {**settings, **changes}, fixes=True, dialect="megatron", version=version, world_size=world_size
        )

    def test_formulas(self, version):
        report = self.report(
            version, (case(2, 1, 64, 3, 4, pipeline_model_parallel_size=2, context_parallel_size=2), 32)
        )
        expected = {
            "dp_size": 4,  # 32 / (2 x 2 x 2)
            "completions_per_update": 64,
            "accumulation": 16,  # 64 / (1 x 4)
            "completions_per_rollout": 192,  # 64 x 3
            "prompts_per_rollout": 48,  # num_rollout_prompts
            "prompts_per_update": 16,  # num_train_prompts
            "update_prompts_per_rank": 4,  # num_prompts_per_dp_group
            "rollout_prompts_per_rank": 12,  # num_rollout_prompts_per_dp_group
            "rollout_iterations": 12,  # num_iters_per_step
        }
        assert dict(zip(expected, values(report, *expected), strict=True)) == expected

    def test_example_1_holds(self, version):
        report = self.report(version, EXAMPLE_1)
        assert problems(report) == []
        quantities = (
            "dp_size",
            "completions_per_rollout",
            "prompts_per_rollout",
            "rollout_prompts_per_rank",
            "update_prompts_per_rank",
        )
        assert values(report, *quantities) == (4, 32, 8, 2, 1)

    def test_example_2_fails_the_fourth_and_wants_global_32_first(self, version):
        report = self.report(version, EXAMPLE_2)
        assert problems(report) == [FOURTH]
        assert values(report, "dp_size", "update_prompts_per_rank") == (8, 0.5)
        assert suggestions(said(report, FOURTH))[0] == {"global_batch_size": 32}

    @pytest.mark.parametrize("steps", [1, 2])
    def test_example_2_with_global_32_holds(self, version, steps):
        assert problems(self.report(version, EXAMPLE_2, global_batch_size=32, steps_per_generation=steps)) == []

    @pytest.mark.parametrize("steps", [4, 8])
    def test_example_2_is_not_mended_by_more_steps(self, version, steps):
        assert problems(self.report(version, EXAMPLE_2, steps_per_generation=steps)) == [FOURTH]
        assert all(
            "steps_per_generation" not in changes
            for changes in suggestions(said(self.report(version, EXAMPLE_2), FOURTH))
        )

    def test_the_fourth_says_what_happens_in_this_release(self, version):
        """Nothing until an evaluation, and since 4.4 the first one dies."""
        told = TextPrinter().file(self.report(version, EXAMPLE_2))
        happens = (
            "the first evaluation may die of it"
            if version_key(version) >= (4, 4)
            else "no harm, only its documentation"
        )
        assert f"starts it: {happens}" in " ".join(told.split())

    def test_example_3_fails_the_fourth_and_wants_global_64_or_groups_of_2(self, version):
        report = self.report(version, EXAMPLE_3)
        assert problems(report) == [FOURTH]
        assert values(report, "update_prompts_per_rank", "micro_batch") == (1, 2)
        first, *others = suggestions(said(report, FOURTH))
        assert first == {"global_batch_size": 64} and {"num_generations": 2} in others

    def test_question_1_fails_the_first(self, version):
        report = self.report(version, QUESTION_1)
        finding = said(report, "rollout-prompts-divide-over-ranks")
        assert (finding.severity, finding.stage) == ("error", "config")
        assert values(report, "prompts_per_rollout", "dp_size") == (4, 8)
        assert names(report, "error") == ["rollout-prompts-divide-over-ranks"]

    def test_question_1_offers_three_ways_and_more_steps_leave_the_warning(self, version):
        finding = said(self.report(version, QUESTION_1), "rollout-prompts-divide-over-ranks")
        assert suggestions(finding) == [{"global_batch_size": 32}, {"steps_per_generation": 2}, {"num_generations": 2}]
        assert problems(self.report(version, QUESTION_1, steps_per_generation=2)) == [FOURTH]
        assert problems(self.report(version, QUESTION_1, global_batch_size=32)) == []

    # -- the seven constraints, one by one

    def test_constraint_1_rollout_prompts_divide_over_the_ranks(self, version):
        assert "rollout-prompts-divide-over-ranks" in problems(self.report(version, (case(1, 1, 48, 1, 4), 8)))

    def test_constraint_2_every_rank_gets_a_prompt(self, version):
        # 8 completions are no whole group of 16: from 4.2 on this is said instead
        expected = "every-rank-gets-a-prompt" if version < "4.2" else "rollout-holds-whole-groups"
        assert expected in problems(self.report(version, (case(1, 1, 8, 1, 16), 8)))

    def test_constraint_3_rank_prompts_fill_micro_batches(self, version):
        assert "rank-prompts-fill-micro-batches" in problems(self.report(version, (case(1, 2, 96, 1, 4), 8)))

    def test_constraint_4_is_a_warning_that_says_documented_but_not_enforced(self, version):
        finding = said(self.report(version, EXAMPLE_2), FOURTH)
        assert (finding.severity, finding.stage, finding.enforced) == ("warning", "never", None)
        assert "documents this requirement, but no release checks it when a run starts" in finding.rule.why

    def test_constraint_4_is_silent_where_the_evaluation_dies(self, version):
        report = self.report(version, EXAMPLE_2, val_dataset=["held-out"])
        if version < "4.4":
            assert problems(report) == [FOURTH]
            return
        assert problems(report) == ["evaluation-divides-over-ranks"]
        finding = said(report, "evaluation-divides-over-ranks")
        assert (finding.severity, finding.stage) == ("error", "run")
        assert "first evaluation" in message(finding) and "first evaluation" in finding.enforced.moment
        assert suggestions(finding)[0] == {"global_batch_size": 32}

    def test_constraint_5_rollout_is_whole_updates(self, version):
        settings, world_size = case(1, 1, 32, None, 4, generation_batch_size=48), 8
        del settings["steps_per_generation"]
        assert "rollout-holds-whole-updates" in problems(self.report(version, (settings, world_size)))

    def test_constraint_6_a_group_of_1_is_a_warning_here(self, version):
        finding = said(self.report(version, (case(2, 1, 16, 2, 1), 8)), "group-has-two-completions")
        assert (finding.severity, finding.stage) == ("warning", "never")

    def test_constraint_7_every_process_gets_a_completion(self, version):
        assert "every-process-gets-a-completion" in problems(self.report(version, (case(8, 1, 8, 1, 4), 16)))

    def test_rollout_size_is_set_once(self, version):
        agreeing = self.report(version, EXAMPLE_1, generation_batch_size=32)
        disagreeing = self.report(version, EXAMPLE_1, generation_batch_size=64)
        if version < "4.2":
            assert problems(agreeing) == problems(disagreeing) == ["rollout-size-set-once"]
        else:
            assert problems(agreeing) == []
            assert problems(disagreeing) == ["rollout-sizes-agree"]


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("num_rollout_prompt (4) = generation_batch_size (16) // num_generations (4) must be divisible by dp_size (8)",
         "rollout-prompts-divide-over-ranks"),
        ("per_device_num_rollout_prompt (0) must be greater than 1", "every-rank-gets-a-prompt"),
        ("Per-device rollout prompt count (3) must be divisible by micro_batch_size (2)", "rank-prompts-fill-micro-batches"),
        ("num_prompts_per_dp_group (1) must be divisible by micro_batch_size (2)", "evaluation-divides-over-ranks"),
        ("'generation_batch_size' and 'steps_per_generation' cannot be both configured", "rollout-size-set-once"),
    ],
)  # fmt: skip
def test_s4_messages_lead_to_their_rules(text, rule):
    assert rule in rules_worded("megatron", text)


@pytest.mark.parametrize("number", [1, 2, 3, 4, 7])
def test_s4_constraints_are_found_by_their_numbers(number):
    rules = [rule for rule in RULES.values() if f"constraint {number}" in rule.also_called]
    assert len(rules) == 1 and find_rule(rules[0].code) is rules[0]


def test_s4_example_2_is_told_with_its_numbers():
    report = lint_config(EXAMPLE_2[0], dialect="megatron", version="4.6", world_size=16)
    assert "0.5 prompts" in message(said(report, FOURTH)), told(report)
