"""The search for fixes: what is best, that nothing better is missed, and the cases it was built for."""

import sys
from pathlib import Path

import pytest

from conftest import config, lint_config, lint_text, names, said, suggestions
from grpo_lint.checker.findings import preferred
from grpo_lint.engine import lint
from grpo_lint.fixes import search as searching, state
from grpo_lint.fixes.edits import apply
from grpo_lint.fixes.ranking import CRITERIA
from grpo_lint.fixes.search import Change, Offers, Search, Work, ranked
from grpo_lint.frameworks.all_rules import RULES
from grpo_lint.launch.context import Context
from grpo_lint.launch.files import Files
from grpo_lint.report.json import document
from grpo_lint.report.text import TextPrinter
from grpo_lint.source.text import Text

BENCHMARKS = Path(__file__).parent.parent / "benchmarks"
WARNED = RULES["settings-have-an-effect"]
RUN = {
    "per_device_train_batch_size": 4,
    "gradient_accumulation_steps": 12,
    "num_generations": 8,
    "use_vllm": True,
    "vllm_mode": "colocate",
}


# --- ranking --------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def order():
    """order(change, rules that it leaves, how many others stay) of changes of RUN on 8 processes."""
    launch = lint_config(RUN, dialect="trl", version="1.16.0", world_size=8).launches[0]
    search = Search(launch)

    def ranked(values, *left):
        others = sum(rule for rule in left if type(rule) is int)
        names = {rule for rule in left if type(rule) is str}
        return search._ranking.order(values, names, launch.plan(launch.candidates[0], values), others)

    return ranked


ACCUMULATION, DEVICE, STEPS = "gradient_accumulation_steps", "per_device_train_batch_size", "steps_per_generation"
# (the criterion, the better change, the worse one): the better one loses in everything that counts less
RANKING = [
    ("doubling", ({"vllm_tensor_parallel_size": 2},), ({ACCUMULATION: 32},)),
    ("doubling", ({"num_generations": 4},), ({ACCUMULATION: 32},)),
    ("spread", ({DEVICE: 8, "num_generations": 16},), ({"vllm_tensor_parallel_size": 2},)),
    ("spread", ({DEVICE: 32, "num_generations": 32},), ({"world_size": 24},)),
    ("groups", ({STEPS: 95},), ({"num_generations": 4},)),
    ("groups", ({"num_generations": 4},), ({DEVICE: 16, ACCUMULATION: 3},)),
    ("growth", ({"num_generations": 4},), ({STEPS: 192},)),
    ("growth", ({STEPS: 24}, "a-rule"), ({STEPS: 48},)),
    ("findings", ({DEVICE: 5, ACCUMULATION: 10},), ({ACCUMULATION: 16}, "a-rule")),
    ("keys", ({DEVICE: 8},), ({ACCUMULATION: 16, STEPS: 16},)),
    ("keys", ({DEVICE: 8}, 0), ({DEVICE: 8}, 1)),
    ("keys", ({ACCUMULATION: 16, STEPS: 16}, 0), ({ACCUMULATION: 13}, 1)),
    ("keys", ({ACCUMULATION: 16}, 1), ({ACCUMULATION: 16, STEPS: 16}, 0)),
    ("memory", ({ACCUMULATION: 13},), ({DEVICE: 2},)),
    ("memory", ({DEVICE: 3},), ({DEVICE: 8},)),
    ("policy", ({ACCUMULATION: 24},), ({STEPS: 24},)),
    ("common numbers", ({ACCUMULATION: 16},), ({ACCUMULATION: 11},)),
    ("common numbers", ({ACCUMULATION: 24},), ({ACCUMULATION: 11},)),
    ("update", ({ACCUMULATION: 16},), ({ACCUMULATION: 8},)),
    ("rollout", ({STEPS: 6},), ({STEPS: 3},)),
    ("common numbers", ({"vllm_tensor_parallel_size": 2},), ({"vllm_tensor_parallel_size": 4},)),
    ("near", ({"per_device_eval_batch_size": 9},), ({"per_device_eval_batch_size": 5},)),
    ("small", ({ACCUMULATION: 6},), ({ACCUMULATION: 24},)),
]


@pytest.mark.parametrize(("point", "better", "worse"), RANKING)
def test_ranking_is_lexicographic(order, point, better, worse):
    better, worse = order(*better), order(*worse)
    assert better < worse
    place = CRITERIA.index(point)
    assert better[:place] == worse[:place] and better[place] < worse[place]


def change(keys, place, left=(), update=64):
    plan = type("Plan", (), {"value": staticmethod(lambda name: update if name == "completions_per_update" else None)})
    before = type("Plan", (), {"value": staticmethod(lambda name: 64)})
    return Change(dict.fromkeys(keys.split(), 1), set(left), (place,), before, plan)


def keys(changes):
    return [" ".join(each.values) for each in changes]


def chosen(best, refuses, holds):
    """The changes that are offered when those hold for which `holds` says so."""
    changes, taken = Offers(best, refuses, frozenset(("tensor_model_parallel_size", "world_size"))), []
    while change := changes.next():
        if holds(change):
            changes.hold()
            taken.append(change)
    return taken


def everything(change):
    return True


def test_the_best_of_each_set_of_keys_and_none_that_holds_a_better_one():
    found = [change("a", 3), change("a", 1), change("a b", 2), change("b c", 4), change("c", 5)]
    assert keys(ranked(found, set())) == ["a", "b c", "c"]


def test_three_are_chosen_of_those_that_hold():
    best = [change(each, place, update=1) for place, each in enumerate("abcde")]
    assert keys(chosen(best, frozenset(), everything)) == ["a", "b", "c"]
    assert keys(chosen(best, frozenset(), lambda change: "a" not in change.values)) == ["b", "c", "d"]


def test_third_place_is_for_the_best_change_of_one_key_that_keeps_the_update():
    best = [change("a", 1, update=1), change("b", 2, update=1), change("c", 3, update=1), change("d e", 4), change("f", 5, [WARNED]),
            change("g", 6)]  # fmt: skip
    assert keys(chosen(best, frozenset(), everything)) == ["a", "b", "f"]
    assert keys(chosen(best, frozenset([WARNED.name]), everything)) == ["a", "b", "g"]  # it would leave an error
    parallel = [*best[:3], change("tensor_model_parallel_size", 4), change("world_size", 5)]
    assert keys(chosen(parallel, frozenset(), everything)) == ["a", "b", "c"]


# --- nothing better is missed ---------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def benchmark():
    sys.path.insert(0, str(BENCHMARKS))
    import fixes

    yield fixes
    sys.path.remove(str(BENCHMARKS))


@pytest.mark.slow
def test_rank_1_is_that_of_brute_force_over_the_bounded_grid(benchmark):
    counted = benchmark.agreement(9, single=range(1, 129))
    assert counted["brute force better"] == 0
    assert counted["same order"] >= 8, counted


@pytest.mark.slow
def test_nearly_every_finding_about_sizes_is_cured(benchmark):
    cured, _, _ = benchmark.search_all(150)
    found, applicable, stopped = (sum(row[column] for row in cured.values()) for column in (1, 3, 4))
    assert found > 100 and len(cured) > 12 and stopped == 0
    assert applicable >= 0.98 * found, cured


# --- the cap --------------------------------------------------------------------------------------------------------


def test_a_search_that_is_stopped_says_so(monkeypatch):
    monkeypatch.setattr(searching.Work.__init__, "__defaults__", (5,))
    text = config(
        {"num_generations": 8, "per_device_train_batch_size": 1}, dialect="trl", version="1.16.0", world_size=7
    )
    report = lint_text(text, fixes=True)
    assert document([report])["files"][0]["diagnostics"][0]["data"]["search_stopped"] is True
    assert "search for fixes stopped early" in " ".join(TextPrinter().file(report).split())


def test_all_searches_of_a_file_share_what_may_be_tried():
    launch = lint_config({**RUN, "num_generations": 7}, dialect="trl", version="1.16.0", world_size=8).launches[0]
    work = Work(3)
    Search(launch, work).alternatives(RULES["rollout-holds-whole-groups"])
    assert work.stopped
    assert Search(launch, work).alternatives(RULES["rollout-holds-whole-groups"]) == []


# --- what is never offered, and what is only advice -------------------------------------------------------------------


def test_the_number_of_processes_is_advice():
    report = lint_config({"num_generations": 8, "per_device_train_batch_size": 8, "use_vllm": True, "vllm_mode": "colocate",
                          "vllm_tensor_parallel_size": 4}, fixes=True, dialect="trl", version="1.16.0", world_size=6)  # fmt: skip
    fixes = said(report, "vllm-tensor-parallel-divides-world").fixes
    (advice,) = [fix for fix in fixes if "processes" in fix.title]
    assert (advice.safety, advice.edits, advice.changes) == ("display", [], {"world_size": 8})
    assert fixes[0].edits


TRAINER = "--num_generations 8 --per_device_train_batch_size 8 --use_vllm True --vllm_mode colocate --vllm_tensor_parallel_size 4"


@pytest.mark.parametrize(
    "start, edited",
    [
        ("accelerate launch --num_processes 6 train_grpo.py", "accelerate launch --num_processes 8 train_grpo.py"),
        ("torchrun --nproc_per_node=6 train_grpo.py", "torchrun --nproc_per_node=8 train_grpo.py"),
        (
            "torchrun --nproc_per_node 3 --nnodes 2 train_grpo.py",
            "torchrun --nproc_per_node 4 --nnodes 2 train_grpo.py",
        ),
        (
            "accelerate launch --config_file six.yaml train_grpo.py",
            "accelerate launch --config_file six.yaml --num_processes 8 train_grpo.py",
        ),
    ],
)
def test_the_number_of_processes_is_edited_where_the_script_says_it(start, edited, tmp_path):
    (tmp_path / "six.yaml").write_text("distributed_type: MULTI_GPU\nnum_processes: 6\n")
    path = str(tmp_path / "train.sh")
    text = Text(f"# grpo-lint: version=1.16.0\n{start} {TRAINER}\n", path)
    report = lint(text, Context(files=Files(path)))
    finding = said(report, "vllm-tensor-parallel-divides-world")
    (fix,) = [fix for fix in finding.fixes if fix.title == "run on 8 processes"]
    assert apply(report.text, fix.edits).text == f"# grpo-lint: version=1.16.0\n{edited} {TRAINER}\n"
    assert "world_size" not in preferred(finding, unsafe=True).changes  # nobody knows of more devices


def test_the_number_of_processes_of_a_comment_is_no_edit():
    text = f"# grpo-lint: version=1.16.0 world-size=6\npython train_grpo.py {TRAINER}\n"
    finding = said(lint_text(text, path="train.sh", fixes=True), "vllm-tensor-parallel-divides-world")
    assert [fix.edits for fix in finding.fixes if "world_size" in fix.changes] in ([], [[]])


def test_evaluation_is_never_switched_off():
    report = lint_config({"num_generations": 8, "per_device_train_batch_size": 8, "eval_strategy": "steps", "per_device_eval_batch_size": 3},
                         fixes=True, dialect="trl", version="1.16.0", world_size=1)  # fmt: skip
    offered = suggestions(said(report, "evaluation-holds-whole-groups"))
    assert offered and all("eval_strategy" not in changes for changes in offered)


def test_a_launcher_that_counts_one_process_has_to_be_content_too():
    report = lint_config({"num_generations": 8, "per_device_train_batch_size": 2}, fixes=True, dialect="trl", version="1.16.0", world_size=8,
                         loader="cli")  # fmt: skip
    finding = said(report, "rollout-holds-whole-groups")
    assert "launcher" in finding.note
    assert {"gradient_accumulation_steps": 4} in suggestions(finding)


def test_the_number_of_processes_need_not_be_known():
    report = lint_config({"num_generations": 8, "per_device_train_batch_size": 4, "generation_batch_size": 8, "steps_per_generation": 1},
                         fixes=True, dialect="trl", version="1.16.0")  # fmt: skip
    assert {"generation_batch_size": None} in suggestions(said(report, "rollout-size-set-once"))


def test_three_keys_where_two_do_not_help():
    report = lint_config(
        {"rlhf_type": "grpo", "vllm_mode": "colocate", "num_generations": 8, "global_batch_size": 32, "micro_batch_size": 1,
         "tensor_model_parallel_size": 8, "pipeline_model_parallel_size": 2, "context_parallel_size": 3},
        fixes=True, dialect="megatron", version="4.6", world_size=1,
    )  # fmt: skip
    sizes = ("tensor_model_parallel_size", "pipeline_model_parallel_size", "context_parallel_size")
    assert dict.fromkeys(sizes, 1) in suggestions(said(report, "model-parallel-divides-world"))


def test_a_value_of_another_file_is_taken_over():
    report = lint_config({"num_generations": 8, "per_device_train_batch_size": 8, "deepspeed": '{"gradient_clipping": 0.2}'},
                         fixes=True, dialect="trl", version="1.16.0", world_size=1)  # fmt: skip
    assert suggestions(said(report, "deepspeed-clipping-agrees"))[1:] == [{"max_grad_norm": 0.2}]


OPTIONS = [
    ("batch-size-is-fixed", "trl", "1.16.0", {"num_generations": 8, "per_device_train_batch_size": 8, "auto_find_batch_size": True},
     {"auto_find_batch_size": False}),
    ("virtual-pipeline-has-a-pipeline", "megatron", "4.6.0", {"rlhf_type": "grpo", "vllm_mode": "colocate", "num_generations": 8,
     "global_batch_size": 8, "micro_batch_size": 1, "virtual_pipeline_model_parallel_size": 2}, {"virtual_pipeline_model_parallel_size": None}),
    ("uneven-pipeline-has-a-pipeline", "megatron", "4.6.0", {"rlhf_type": "grpo", "vllm_mode": "colocate", "num_generations": 8,
     "global_batch_size": 8, "micro_batch_size": 1, "decoder_first_pipeline_num_layers": 2}, {"decoder_first_pipeline_num_layers": None}),
]  # fmt: skip


@pytest.mark.parametrize(("rule", "dialect", "version", "settings", "cure"), OPTIONS, ids=[case[0] for case in OPTIONS])
def test_options_about_processes_and_sizes_are_cured(rule, dialect, version, settings, cure):
    report = lint_config(settings, fixes=True, dialect=dialect, version=version, world_size=1)
    assert suggestions(said(report, rule))[0] == cure


# --- the worked cases -----------------------------------------------------------------------------------------------


def test_seven_processes():
    """The most frequent real failure. Eight passes would make an update eight times as large: that many steps share a rollout instead."""
    report = lint_config(
        {"num_generations": 8, "per_device_train_batch_size": 1},
        fixes=True,
        dialect="trl",
        version="1.16.0",
        world_size=7,
    )
    offered = suggestions(said(report, "rollout-holds-whole-groups"))
    assert {"num_generations": 7} in offered and offered[0] == {"steps_per_generation": 8}


@pytest.mark.parametrize(
    ("version", "second"), [("3.8", {"gradient_accumulation_steps": 2}), ("3.3", {"per_device_train_batch_size": 2})]
)
def test_one_process_and_a_group_of_one(version, second):
    run = {
        "rlhf_type": "grpo",
        "per_device_train_batch_size": 1,
        "gradient_accumulation_steps": 1,
        "num_generations": 1,
        "eval_strategy": "no",
    }
    report = lint_config(run, fixes=True, dialect="swift", version=version, world_size=1)
    assert suggestions(said(report, "group-has-two-completions"))[0] == {"num_generations": 2, **second}


@pytest.mark.parametrize("version", ["3.11", "4.1", "4.3", "4.6"])
def test_megatron_examples(version):
    def offered(rule, world_size, micro, update, steps):
        run = {"rlhf_type": "grpo", "vllm_mode": "colocate", "tensor_model_parallel_size": 2 if world_size == 16 else 1,
               "micro_batch_size": micro, "global_batch_size": update, "steps_per_generation": steps, "num_generations": 4}  # fmt: skip
        return suggestions(
            said(lint_config(run, fixes=True, dialect="megatron", version=version, world_size=world_size), rule)
        )

    update = "update-gives-ranks-whole-prompts"
    assert offered(update, 16, 1, 16, 2)[:2] == [{"global_batch_size": 32}, {"num_generations": 2}]
    assert offered(update, 16, 2, 32, 2) == [{"global_batch_size": 64}, {"micro_batch_size": 1}, {"num_generations": 2}]
    assert offered("rollout-prompts-divide-over-ranks", 8, 1, 16, 1) == [
        {"global_batch_size": 32}, {"steps_per_generation": 2}, {"num_generations": 2},
    ]  # fmt: skip


def test_a_clean_file_gets_no_search():
    assert names(lint_config(RUN, fixes=True, dialect="trl", version="1.16.0", world_size=8), "error", "warning") == []


def test_a_pair_may_hold_a_knob_that_the_rule_does_not_depend_on():
    """A generation_batch_size of 63 or 72 makes whole steps, but no whole groups of 64: the group size mends that."""
    settings = {
        "per_device_train_batch_size": 3,
        "num_generations": 64,
        "gradient_accumulation_steps": 2,
        "generation_batch_size": 64,
    }
    report = lint_config(settings, fixes=True, dialect="trl", version="0.20.0", world_size=3)
    keys_of_fixes = [{*changes} for changes in suggestions(said(report, "rollout-holds-whole-steps"))]
    assert {"generation_batch_size", "num_generations"} in keys_of_fixes


def test_rollouts_that_make_an_update_together_do_so_in_whole_numbers():
    """Three steps of a rollout and eight of an update: two rollouts to an update are offered; three would not come out even."""
    settings = {
        "per_device_train_batch_size": 6,
        "num_generations": 3,
        "gradient_accumulation_steps": 8,
        "steps_per_generation": 3,
    }
    report = lint_config(settings, fixes=True, dialect="trl", version="1.16.0", world_size=2)
    (finding,) = [each for each in report.findings if each.rule.code == "GRPO689"]
    assert suggestions(finding) == [{"steps_per_generation": 4}, {"gradient_accumulation_steps": 6}]


# --- values of knobs ------------------------------------------------------------------------------------------------


def test_a_key_is_left_out_only_where_nothing_else_takes_its_place():
    """num_generations would be 8 then; the size of a rollout would follow from the others."""
    text = "# grpo-lint: dialect=trl version=1.16.0 world-size=1\ngeneration_batch_size: 12\nnum_generations: 8\n"
    (launch,) = lint_text(text).launches
    search = Search(launch)
    assert None in search._values("generation_batch_size")
    assert None not in search._values("num_generations")
    assert None not in search._values("steps_per_generation")  # it is not there
    for name, may_go in (
        ("generation_batch_size", False),
        ("num_generations", False),
        ("beta", False),
        ("top_k", False),
    ):
        search._subject = name
        assert search._removal() == ([{name: None}] if may_go else [])
    search._subject = "reward_weights"
    assert search._removal() == [{"reward_weights": None}]


@pytest.mark.parametrize(
    ("before", "after", "cuts"),
    [(1, 2, False), (2, 1.5, True), (1, 0.5, True), (0.5, 0.25, False), (0.5, 2, False), (0.5, 1.5, True), (0.5, 0.4, True), (1, 1, False)],
)  # fmt: skip
def test_a_rollout_never_newly_ends_in_the_middle_of_an_update(before, after, cuts):
    """Where an update takes several rollouts already, it may take several whole ones."""
    (launch,) = lint_text("# grpo-lint: dialect=trl version=1.16.0 world-size=1\nnum_generations: 8\n").launches
    search = Search(launch)
    search.before = {"updates_per_rollout": before}
    search.before = type("Sizes", (dict,), {"value": dict.get})(search.before)
    assert search._cuts_an_update(type(search.before)(updates_per_rollout=after)) is cuts


OF_NO_RELEASE = "NPROC_PER_NODE=7 swift rlhf --rlhf_type grpo --num_generations 8 --per_device_train_batch_size 3\n"


def test_releases_that_compute_a_rule_alike_are_asked_once(monkeypatch):
    """What is found is the same as where each is asked."""
    (launch,) = lint(Text(OF_NO_RELEASE, "run.sh"), fixes=False).launches
    rules = sorted(Search(launch).broken_before, key=lambda rule: rule.code)
    asked = []
    decided = state.decide

    def found():
        asked.clear()
        search = Search(launch)
        monkeypatch.setattr(state, "decide", lambda rules, plan: asked.append(1) or decided(rules, plan))
        changes = [(rule.name, change.values, change.order) for rule in rules for change in search.alternatives(rule)]
        monkeypatch.setattr(state, "decide", decided)
        return changes, len(asked)

    shared, few = found()
    monkeypatch.setattr(state.State, "_question", lambda each, rule: each._questions.setdefault(rule, object()))
    alone, many = found()
    assert shared and shared == alone
    assert few < 0.7 * many
