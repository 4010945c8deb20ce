"""The number of processes is unknown: what is said about it must be true for every number up to 4096.

The judge solves its rules for a few counts. Here the arithmetic of the frameworks is written down a second time, as
plain
functions, tried for every count, and compared with the words of the finding.
"""

import re

import pytest
from hypothesis import currently_in_test_context, example, given, note, settings, strategies as st

from conftest import lint_config, names, told
from grpo_lint.checker.processes import same_in_all_releases, working_counts
from grpo_lint.checker.verdict import conditions, inputs_of, one_per_regime
from grpo_lint.launch.topology import PROCESSES
from grpo_lint.plan.formula import Formula, formulas
from grpo_lint.plan.plan import Plan
from grpo_lint.plan.process_counts import Sweep
from grpo_lint.report.messages import message
from grpo_lint.unknown import UNKNOWN

LARGEST = 4096
RULE = "legal-process-counts"


# --- the arithmetic, once more --------------------------------------------------------------------------------------


def runs_trl(version, config, count):
    """Whether TRL runs a config of positive numbers on so many processes."""
    value = config.get
    group, step = value("num_generations"), value("per_device_train_batch_size") * count
    rollout = (
        step if version == "0.16" else step * (value("steps_per_generation") or value("gradient_accumulation_steps"))
    )
    if value("generation_batch_size"):
        rollout = value("generation_batch_size")
        if rollout % step:
            return False
    evaluation_group = group
    if version == "1.16":
        evaluation_group = value("num_generations_eval") or group
    if value("eval_strategy") and value("per_device_eval_batch_size") * count % evaluation_group:
        return False
    if value("vllm_mode") == "colocate" and count % value("vllm_tensor_parallel_size"):
        return False
    return group >= 2 and rollout % group == 0


def runs_swift(version, config, count):
    """Whether `swift rlhf` runs a config of positive numbers on so many processes."""
    value = config.get
    group, batch = value("num_generations"), value("per_device_train_batch_size")
    step = batch * count
    accumulation = value("gradient_accumulation_steps")
    if accumulation is None:
        accumulation = max(1, -(-16 // step)) if version in ("3.3", "3.4", "3.6") else 1
    rollout = step if version == "3.3" else step * (value("steps_per_generation") or accumulation)
    if value("generation_batch_size"):
        rollout = value("generation_batch_size")
        if rollout % step:
            return False
    evaluates = value("eval_strategy") != "no" and (version in ("3.3", "3.4") or value("val_dataset"))
    evaluation_group = (value("num_generations_eval") or group) if version in ("4.2", "4.6") else group
    if evaluates and value("per_device_eval_batch_size") * count % evaluation_group:
        return False
    if value("vllm_mode") == "colocate" and count % value("vllm_tensor_parallel_size"):
        return False
    return group >= 2 and rollout % group == 0


def runs_megatron(version, config, count):
    """Whether `megatron rlhf` starts and takes its first step on so many processes."""
    value = config.get
    group, micro, update = value("num_generations"), value("micro_batch_size"), value("global_batch_size")
    replica = (
        value("tensor_model_parallel_size", 1)
        * value("pipeline_model_parallel_size", 1)
        * value("context_parallel_size", 1)
    )
    experts = value("expert_model_parallel_size", 1) * value("pipeline_model_parallel_size", 1)
    if count % replica or count % experts:
        return False
    ranks = count // replica
    rollout = value("generation_batch_size") or update * value("steps_per_generation", 1)
    prompts = rollout // group
    if rollout % update or (version >= "4.2" and rollout % group):
        return False
    if prompts % ranks or prompts // ranks < 1 or prompts // ranks % micro or rollout // count < 1:
        return False
    if update % (micro * ranks):
        return False
    if value("vllm_mode") == "colocate" and count % value("vllm_tensor_parallel_size", 1):
        return False
    passes = rollout // ranks // group // micro
    if passes < 1 or replica * (rollout // count) != passes * micro * group:
        return False  # the first rollout dies
    if value("val_dataset"):
        passes, gathered = (update // ranks // group // micro, rollout // count // (rollout // update)) if version >= "4.4" else (
            passes, rollout // count)  # fmt: skip
        return passes >= 1 and replica * gathered == passes * micro * group
    return True


RUNS = {"trl": runs_trl, "swift": runs_swift, "megatron": runs_megatron}
DEFAULTS = {
    "trl": {
        "per_device_train_batch_size": 8, "gradient_accumulation_steps": 1, "num_generations": 8,
        "per_device_eval_batch_size": 8,
    },
    "swift": {"per_device_train_batch_size": 1, "num_generations": 8, "per_device_eval_batch_size": 1},
    "megatron": {"micro_batch_size": 1, "global_batch_size": 16, "num_generations": 8},
}  # fmt: skip


# --- the words, read back -------------------------------------------------------------------------------------------


def check_words(report, legal, per_node):
    """Compare what a report says about the processes with the counts of whole nodes that are legal."""
    about = [message(finding).removeprefix("works on ") for finding in report.findings if finding.rule.name == RULE]
    if not legal:
        assert about == [] and names(report, "error")
        return
    assert names(report, "error") == []
    if not about:
        assert len(legal) == LARGEST // per_node, f"silent, but runs on {legal[:9]} ..."
        return
    (words,) = about
    step = re.fullmatch(r"multiples of (\d+) processes", words)
    if step:
        assert int(step[1]) > per_node and legal == list(range(int(step[1]), LARGEST + 1, int(step[1])))
        return
    listed = re.fullmatch(r"([\d, ]+?)(?: or (\d+))?(, \.\.\.)? process(?:es)?(?: only)?", words)
    assert listed, f"words of a new kind: {words}"
    counts = [int(each) for each in [*listed[1].split(", "), listed[2]] if each]
    assert counts == (legal[: len(counts)] if listed[3] else legal)
    assert not listed[3] or len(legal) > len(counts)


def check(framework, version, config, per_node=1):
    runs, complete = RUNS[framework], {**DEFAULTS[framework], **config}
    legal = [count for count in range(1, LARGEST + 1) if runs(version, complete, count)]
    nodes = {"processes_per_node": per_node} if per_node > 1 else {}
    report = lint_config(config, dialect=framework, version=version, **nodes)
    if currently_in_test_context():
        note(f"{told(report)}; legal are {len(legal)} counts: {legal[:12]} ...")
    whole_nodes = [count for count in legal if count % per_node == 0]
    if whole_nodes and whole_nodes[0] <= 64 * per_node:
        check_words(report, whole_nodes, per_node)
    else:  # then what is said holds for nodes of any size
        check_words(report, legal, 1)
    probed = {1, 2, 3, 8, 64, *legal[:3], *legal[-1:]}
    for count in probed:  # the second arithmetic agrees with ours where the number of processes is known
        known = lint_config(config, dialect=framework, version=version, world_size=count)
        assert bool(names(known, "error")) != (count in legal), (count, told(known))


# --- random configs -------------------------------------------------------------------------------------------------

SMALL = st.sampled_from([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 16, 18, 20, 24, 32])
GROUPS = st.sampled_from([2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 18, 21, 24, 32, 64])
ROLLOUTS = st.sampled_from([8, 12, 24, 30, 48, 56, 60, 64, 96, 120, 128, 240, 256, 360, 512, 840, 1024, 5040, 13_440])


def config(required, optional):
    return st.fixed_dictionaries(required, optional=optional)


def one_size(settings):
    """Only one of the two keys for the size of a rollout."""
    return {
        key: value
        for key, value in settings.items()
        if key != "steps_per_generation" or "generation_batch_size" not in settings
    }


def with_engine(settings):
    if "vllm_tensor_parallel_size" in settings:
        return {**settings, "use_vllm": True, "vllm_mode": "colocate"}
    return settings


HUGGING_FACE = {
    "per_device_train_batch_size": SMALL,
    "gradient_accumulation_steps": SMALL,
    "num_generations": GROUPS,
    "per_device_eval_batch_size": SMALL,
}
OWN_ROLLOUT = {
    "steps_per_generation": SMALL,
    "generation_batch_size": ROLLOUTS,
    "vllm_tensor_parallel_size": st.sampled_from([1, 2, 3, 4, 8]),
}


@given(st.sampled_from(["0.16", "0.17"]), config({}, {**HUGGING_FACE, "eval_strategy": st.just("steps")}))
@settings(max_examples=40, deadline=None)
def test_trl_of_old(version, config):
    check("trl", version, config)


@given(
    st.sampled_from(["0.19", "0.21", "0.24", "1.16"]),
    config({"loss_type": st.just("grpo")}, {**HUGGING_FACE, **OWN_ROLLOUT, "eval_strategy": st.just("steps")})
    .map(one_size)
    .map(with_engine),
    st.sampled_from([1, 1, 2, 3, 8]),
)
@settings(max_examples=60, deadline=None)
@example("1.16", {"generation_batch_size": 13_440, "per_device_train_batch_size": 1, "num_generations": 2}, 1)
@example(
    "1.16",
    {
        "eval_strategy": "steps",
        "per_device_eval_batch_size": 1,
        "num_generations": 64,
        "gradient_accumulation_steps": 64,
    },
    1,
)
@example("1.16", {"generation_batch_size": 5040, "num_generations": 7}, 9)
def test_trl(version, config, per_node):
    check("trl", version, config, per_node)


@pytest.mark.parametrize("version", ["0.22", "0.24", "1.8"])
def test_trl_with_a_scaled_loss(version):
    check("trl", version, {"per_device_train_batch_size": 5, "generation_batch_size": 240})


@given(
    st.sampled_from(["3.3", "3.4"]),
    config({"rlhf_type": st.just("grpo")}, {**HUGGING_FACE, "eval_strategy": st.just("no")}),
)
@settings(max_examples=40, deadline=None)
@example("3.4", {"rlhf_type": "grpo", "num_generations": 10, "eval_strategy": "no"})
@example("3.4", {"rlhf_type": "grpo", "num_generations": 21, "per_device_train_batch_size": 1, "eval_strategy": "no"})
def test_swift_of_old(version, config):
    check("swift", version, config)


@given(
    st.sampled_from(["3.6", "3.8", "4.2", "4.6"]),
    config({"rlhf_type": st.just("grpo")}, {**HUGGING_FACE, **OWN_ROLLOUT, "val_dataset": st.just(["held-out"])})
    .map(one_size)
    .map(with_engine),
)
@settings(max_examples=60, deadline=None)
def test_swift(version, config):
    check("swift", version, config)


PARALLEL = st.sampled_from([1, 2, 3, 4, 8])


@pytest.mark.slow
@given(
    st.sampled_from(["3.11", "4.0", "4.2", "4.4", "4.6"]),
    config(
        {"rlhf_type": st.just("grpo"), "num_generations": GROUPS, "global_batch_size": ROLLOUTS},
        {
            "micro_batch_size": st.sampled_from([1, 2, 3, 4]),
            "steps_per_generation": st.sampled_from([1, 2, 3, 4, 8]),
            "generation_batch_size": ROLLOUTS,
            "tensor_model_parallel_size": PARALLEL,
            "pipeline_model_parallel_size": PARALLEL,
            "context_parallel_size": st.sampled_from([1, 2]),
            "expert_model_parallel_size": PARALLEL,
            "val_dataset": st.just(["held-out"]),
            "vllm_tensor_parallel_size": st.sampled_from([1, 2, 3, 4, 8]),
        },
    )
    .map(one_size)
    .map(with_engine),
)
@settings(max_examples=80, deadline=None)
def test_megatron(version, config):
    check("megatron", version, config)


@pytest.mark.parametrize("version", ["3.11", "3.12", "4.0"])
def test_megatron_with_a_cut_group(version):
    check("megatron", version, {"rlhf_type": "grpo", "num_generations": 3, "global_batch_size": 8})


# --- the short way --------------------------------------------------------------------------------------------------

ODD = st.sampled_from([0, -1, None, "4", 2.5, "many"])
ANY_SIZES = st.fixed_dictionaries(
    {},
    optional={
        name: st.one_of(values, ODD)
        for name, values in {
            **HUGGING_FACE, **OWN_ROLLOUT, "micro_batch_size": SMALL, "global_batch_size": ROLLOUTS, "tensor_model_parallel_size": PARALLEL,
            "vllm_mode": st.just("colocate"), "eval_strategy": st.just("steps"), "val_dataset": st.just(["held-out"]),
        }.items()
    },
)  # fmt: skip


@given(st.sampled_from([("trl", {}), ("swift", {"rlhf_type": "grpo"}), ("megatron", {"rlhf_type": "grpo"})]), ANY_SIZES)
@settings(max_examples=60, deadline=None)
def test_a_sweep_says_what_each_plan_says(framework, config):
    """Whatever the sizes are, and whichever formulas they choose."""
    (launch,) = lint_config({**framework[1], **config}, dialect=framework[0], version="latest").launches
    for candidate in one_per_regime(launch):

        def plan_on(count):
            return launch.plan(candidate, {"world_size": count})

        rules = [
            rule.broken for rule in conditions(launch, candidate) if "world_size" in inputs_of(rule, candidate.regime)
        ]
        for some in (rules, *([rule] for rule in rules)):
            sweep = Sweep(some, plan_on, PROCESSES)
            for count in (*range(1, 20), 48, 64, 1000, 4096):
                assert sweep.holds(count) == any(plan_on(count).holds(rule) for rule in some), (
                    [rule.text for rule in some],
                    count,
                )
            assert sweep.free(range(1, 65)) == [count for count in range(1, 65) if not sweep.holds(count)]


@pytest.mark.parametrize(
    ("texts", "settings"),
    [
        (("x if world_size < 3 else y", "world_size"), {"x": None, "y": 7}),  # another choice on 3 than on 1
        (("y if world_size < 3 else x", "world_size"), {"x": None, "y": 7}),
        (("x and world_size", "y"), {"x": None, "y": 7}),
        (("z * x", "y"), {"x": None, "y": 7}),  # z fails on 2
        (("x * world_size", "y * world_size"), {"x": None, "y": 7}),
        (("y // (world_size - 2)",), {"y": 7}),
        (("x * world_size", "z"), {"x": UNKNOWN, "y": 7}),
    ],
)
def test_a_sweep_where_another_number_chooses_another_formula(texts, settings):
    table = formulas({"a": texts, "z": "6 // (world_size - 2)"})

    def plan_on(count):
        return Plan(table, settings, {}, {"world_size": count})

    for limit in range(-8, 30):
        sweep = Sweep([Formula(f"a > {limit}"), Formula(f"a == {limit}")], plan_on, PROCESSES)
        for count in (1, 2, 3, 4, 5, 1, 2, 3, 4, 5):
            assert sweep.holds(count) == (plan_on(count).value("a") is not None and plan_on(count)["a"] >= limit), (
                limit,
                count,
            )
        values = {count: plan_on(count).value("a") for count in range(1, 30)}
        free = [count for count, value in values.items() if value is None or value < limit]
        assert sweep.free(range(1, 30)) == free, limit


# --- by hand --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("config", "words"),
    [
        ({"per_device_train_batch_size": 4, "num_generations": 8}, "works on multiples of 2 processes"),
        ({"per_device_train_batch_size": 1, "num_generations": 64}, "works on multiples of 64 processes"),
        (
            {"per_device_train_batch_size": 4, "generation_batch_size": 4, "num_generations": 4},
            "works on 1 process only",
        ),
        (
            {"per_device_train_batch_size": 4, "generation_batch_size": 8, "num_generations": 4},
            "works on 1 or 2 processes",
        ),
        (
            {"per_device_train_batch_size": 1, "generation_batch_size": 24, "num_generations": 4},
            "works on 1, 2, 3, 4, 6, 8, 12 or 24 processes",
        ),
        (
            {"per_device_train_batch_size": 1, "generation_batch_size": 48, "num_generations": 4},
            "works on 1, 2, 3, 4, 6, 8, 12, ... processes",
        ),
    ],
)
def test_words(config, words):
    report = lint_config(config, dialect="trl", version="1.16")
    assert [message(finding) for finding in report.findings] == [words]
    assert names(report, "info") == [RULE]


def test_silent_when_every_count_works():
    assert (
        names(lint_config({"per_device_train_batch_size": 8, "num_generations": 8}, dialect="trl", version="1.16"))
        == []
    )


def test_error_when_no_count_works():
    impossible = {"per_device_train_batch_size": 8, "generation_batch_size": 12, "num_generations": 4}
    report = lint_config(impossible, dialect="trl", version="1.16")
    assert names(report) == ["rollout-holds-whole-steps"] and names(report, "error")
    assert "no number of processes up to 4096" in message(report.findings[0])


def test_what_does_not_hang_on_the_processes_is_still_an_error():
    report = lint_config({"per_device_train_batch_size": 4, "num_generations": 1}, dialect="trl", version="1.16")
    assert names(report) == ["group-has-two-completions"] and names(report, "error")


def test_a_known_number_ends_the_question():
    report = lint_config(
        {"per_device_train_batch_size": 4, "num_generations": 8}, dialect="trl", version="1.16", world_size=2
    )
    assert names(report) == []


@pytest.mark.parametrize("factor", [67, 96, 128, 255, LARGEST // 2])
def test_multiples_are_only_told_where_larger_ones_work_too(factor):
    """What is tried one by one works for each even number; then one of the larger ones does not."""
    working = list(range(2, 65, 2))
    assert str(working_counts(working, lambda count: True, ())) == "multiples of 2 processes"
    assert "multiples" not in str(working_counts(working, lambda count: count != 2 * factor, ()))


def test_numbers_of_processes_are_named_up_to_where_they_work():
    working = list(range(3, 65))
    assert str(working_counts(working, lambda count: True, ())) == "3 or more processes"
    assert str(working_counts(working, lambda count: count <= 100, ())) == "3 to 100 processes"
    assert str(working_counts([5], lambda count: False, ())) == "5 processes only"


RULES_BY_NUMBER = {"per_device_train_batch_size": 4, "gradient_accumulation_steps": 2, "num_generations": 16}


def same_in_all(settings, **changes):
    """The rules about numbers of processes of which all releases say what the newest says."""
    (launch,) = lint_config(settings, dialect="trl").launches
    launch = launch.but(**changes)
    newest = one_per_regime(launch)[0]
    rules = [rule for rule in conditions(launch, newest) if PROCESSES in inputs_of(rule, newest.regime)]
    return {rule.name for rule in same_in_all_releases(launch, newest, rules)}


def test_what_one_release_says_is_taken_for_all_only_where_they_read_and_compute_alike():
    recent = {
        **RULES_BY_NUMBER,
        "steps_per_generation": 2,
        "importance_sampling_level": "token",
    }  # none before 0.18 knows one
    assert "rollout-holds-whole-groups" in same_in_all(recent)
    assert "rollout-holds-whole-groups" not in same_in_all(RULES_BY_NUMBER)  # 0.16 computes it otherwise
    assert same_in_all(recent, reader="Hydra") == same_in_all(recent, incomplete=True) == set()
