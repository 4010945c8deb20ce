"""verl: overrides of Hydra, the scripts and files in which people write them, releases told by keys, fixes."""

import pytest

from conftest import lint_text, names, plan_of, said
from grpo_lint.checker.findings import span_of
from grpo_lint.engine import lint_path
from grpo_lint.fixes.edits import apply
from grpo_lint.frameworks.registry import framework
from grpo_lint.launch.commands import MOST_REPEATED
from grpo_lint.launch.context import Context
from grpo_lint.launch.files import Files
from grpo_lint.launch.repository import Repository
from grpo_lint.report.messages import contributions, message
from grpo_lint.source.overrides import read_value
from grpo_lint.unknown import UNKNOWN

BASE = {
    "algorithm.adv_estimator": "grpo",
    "data.train_batch_size": 64,
    "actor_rollout_ref.actor.ppo_mini_batch_size": 32,
    "actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu": 4,
    "actor_rollout_ref.rollout.log_prob_micro_batch_size_per_gpu": 8,
    "actor_rollout_ref.ref.log_prob_micro_batch_size_per_gpu": 8,
    "actor_rollout_ref.rollout.name": "vllm",
    "actor_rollout_ref.rollout.n": 8,
    "actor_rollout_ref.rollout.tensor_model_parallel_size": 2,
    "trainer.n_gpus_per_node": 8,
    "trainer.nnodes": 1,
}


def command(*words, start="python3 -m verl.trainer.main_ppo", **changes):
    """A command in order but for `words`; `changes` by the last part of a path, None leaves one out."""
    settings = {path: changes.get(path.rpartition(".")[2], value) for path, value in BASE.items()}
    told = [f"{path}={value}" for path, value in settings.items() if value is not None]
    return " \\\n    ".join([start, *told, *words]) + "\n"


def judged(text, version="0.9.1", **more):
    first = f"# grpo-lint: dialect=verl version={version}\n" if version else ""
    return lint_text(first + text, path="run.sh", **more)


# --- overrides ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("8", 8), ("8.0", 8.0), ("1_024", 1024), ("01", "01"), ("1e-6", 1e-6), ("+5", 5), ("-1", -1), ("", ""), ("null", None),
        ("True", True), ("false", False), ("inf", float("inf")), ("-inf", -float("inf")), ("info", "info"), ("no", "no"), ("yes", "yes"), ("'8'", "8"), ('"a=b"', "a=b"), ("a b", "a b"), ("x:y", "x:y"),
        ("[a,b]", ["a", "b"]), ("[1, 'b', [true]]", [1, "b", [True]]), ("{a:1,b: 2}", {"a": 1, "b": 2}), ("[]", []), ("$HOME/x", "$HOME/x"),
        ("${a.b}", "${a.b}"), (r"a\=b", "a=b"), ("'it\\'s'", "it's"), ("Qwen/Qwen2.5-7B", "Qwen/Qwen2.5-7B"),
    ],
)  # fmt: skip
def test_values_are_what_hydra_makes_of_them(text, value):
    assert read_value(text) == (value, "")
    assert type(read_value(text)[0]) is type(value)


def test_what_is_no_number_is_one_for_hydra():
    value, problem = read_value("nan")
    assert type(value) is float and value != value and not problem
    assert read_value("nano") == ("nano", "")


@pytest.mark.parametrize("text", ["a=b", "4,8", "[a", "x]", "a'b'", "'a", "a#b", "a!b", "http://x/y?z=1", "a,"])
def test_values_that_hydra_refuses(text):
    value, problem = read_value(text)
    assert value is UNKNOWN and problem


def test_calls_are_not_known():
    assert read_value("range(1,5)") == (UNKNOWN, "")


def test_a_refused_override_is_told_at_its_word():
    report = judged(command("trainer.experiment_name=a=b", "actor_rollout_ref.actor.ppo_epochs=1,2"))
    assert names(report, "error") == ["override-can-be-read"] * 2
    first, second = report.findings
    assert report.text[first.span] == "trainer.experiment_name=a=b"
    assert message(second).endswith("a list needs brackets")


def test_a_word_without_a_value_is_told_once():
    """It is no key either, and what it may be a part of is said."""
    script = command("trainer.experiment_name=$NAME").replace("python3", "NAME='my run'\npython3", 1)
    (finding,) = [finding for finding in judged(script).findings if finding.severity == "error"]
    assert (
        message(finding)
        == "run cannot be read: missing EQUAL at '<EOF>'; it is a part of a value that needs double quotes"
    )


def test_a_sweep_of_several_runs_is_none_of_a_single_one():
    assert names(judged(command("--multirun", "actor_rollout_ref.actor.ppo_epochs=1,2")), "error") == []


def test_the_last_of_two_counts():
    report = judged(command("data.train_batch_size=32"))
    assert plan_of(report).value("prompts_per_rollout") == 32
    assert said(report, "flag-stands-once").severity == "warning"


def test_of_thousands_of_repeated_keys_the_first_are_told():
    report = judged(command(*(f"data.train_batch_size={size}" for size in range(1, 1000))))
    assert names(report, "warning").count("flag-stands-once") == MOST_REPEATED
    assert plan_of(report).value("prompts_per_rollout") == 999


# --- plus signs -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("word", "version", "rule"),
    [
        ("trainer.val_before_train=false", "0.9.1", None),
        ("trainer.val_before_train=false", "0.3.0.post1", "key-is-of-this-version"),
        ("+trainer.val_before_train=false", "0.3.0.post1", None),
        ("+trainer.val_before_train=false", "0.4.0", "appended-key-is-new"),
        ("++trainer.val_before_train=false", "0.9.1", None),
        ("+data.gen_batch_size=32", "0.9.1", None),  # null there, and so appended once more
        ("+data.custom.x=1", "0.9.1", None),
        ("data.custom=1", "0.9.1", "key-is-known"),
        ("+trainer.logger=[console]", "0.9.1", None),  # a list is merged
        ("actor_rollout_ref.rollout.limit_images=2", "0.9.1", "field-outside-the-tree-is-appended"),
        ("+actor_rollout_ref.rollout.limit_images=2", "0.9.1", None),
        (
            "actor_rollout_ref.model.override_config.attn_implementation=sdpa",
            "0.9.1",
            "field-outside-the-tree-is-appended",
        ),
        ("+actor_rollout_ref.model.override_config.attn_implementation=sdpa", "0.9.1", None),
        ("+actor_rollout_ref.actor.foo=2", "0.5.0", None),
        ("+actor_rollout_ref.actor.foo=2", "0.6.0", "appended-key-is-a-field"),
        ("'~trainer.logger'", "0.9.1", None),
        ("'~trainer.foo'", "0.9.1", "key-is-known"),
        ("hydra.run.dir=out", "0.9.1", None),
    ],
)
def test_keys_by_release(word, version, rule):
    assert names(judged(command(word), version), "error") == ([rule] if rule else [])


@pytest.mark.parametrize(("section", "stage"), [("actor", "config"), ("rollout", "init")])
def test_when_an_appended_field_is_refused(section, stage):
    """The settings of the actor are made into their class when the config is checked, the others where they are used."""
    finding = said(judged(command(f"+actor_rollout_ref.{section}.foo=2")), "appended-key-is-a-field")
    assert finding.stage == stage


@pytest.mark.parametrize(
    ("words", "version", "rules"),
    [
        (("data.gen_batch_size=32", "+data.gen_batch_size=64"), "0.9.1", ["appended-key-is-new"]),  # null until then
        (("data.gen_batch_size=null", "+data.gen_batch_size=64"), "0.9.1", []),
        (("+data.mine=1", "+data.mine=2"), "0.9.1", ["appended-key-is-new"]),
        (("+data.mine=1", "data.mine=2"), "0.9.1", []),
        (("+data.mine=[1]", "+data.mine=[2]"), "0.9.1", []),  # lists are merged
        (("data.mine=1", "++data.mine=2"), "0.9.1", ["key-is-known"]),
        (("+trainer.nnodes=1", "trainer.nnodes=1"), "0.9.1", ["appended-key-is-new"]),
        (("'~trainer.logger'", "+trainer.logger=x"), "0.9.1", []),
    ],
)
def test_of_two_overrides_the_first_finds_its_key_and_the_last_sets_it(words, version, rules):
    base = [word for word in words if "nnodes" in word]
    assert names(judged(command(*words, nnodes=None if base else 1), version), "error") == rules


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("actor_rollout_ref.actor.loss_aggmode=8", "actor_rollout_ref.actor.loss_agg_mode"),
        ("actor_rollout_ref.gpu_memory_utilization=0.5", "actor_rollout_ref.rollout.gpu_memory_utilization"),
        # of several that end alike, the one that is spelt most alike
        (
            "actor_rollout_ref.log_prob_micro_batch_size_per_gpu=4",
            "ref.log_prob_micro_batch_size_per_gpu, which is set here",
        ),
        ("ray_init.num_cpus=8", "ray_kwargs.ray_init.num_cpus"),
        ("trainer.val_generations_to_log_to_wandb=3", "trainer.log_val_generations"),
    ],
)
def test_misspelt_and_moved_keys_bring_their_place(word, meant):
    report = judged(command(word), fixes=True)
    (finding,) = [finding for finding in report.findings if finding.severity == "error"]
    assert meant in message(finding)


def test_a_plus_too_many_is_taken_away():
    report = judged(command("+trainer.val_before_train=false"), fixes=True)
    (fix,) = said(report, "appended-key-is-new").fixes
    assert fix.safety == "safe"
    assert " trainer.val_before_train=false" in apply(report.text, fix.edits).text


def test_a_plus_wanting_is_put_before():
    report = judged(command("actor_rollout_ref.rollout.limit_images=2"), "0.9.1", fixes=True)
    (fix,) = said(report, "field-outside-the-tree-is-appended").fixes
    assert fix.safety == "safe"
    assert " +actor_rollout_ref.rollout.limit_images=2" in apply(report.text, fix.edits).text


# --- scripts --------------------------------------------------------------------------------------------------------

WAYS = {
    "variables": 'BATCH=60\nN=${N:-5}\n' + command(train_batch_size='"$BATCH"', ppo_mini_batch_size="$BATCH", n="$N"),
    "an array": "DATA=(\n  data.train_batch_size=60\n  actor_rollout_ref.actor.ppo_mini_batch_size=60\n)\nROLLOUT=(actor_rollout_ref.rollout.n=5)\n"
    + command('"${DATA[@]}"', '"${ROLLOUT[@]}"', train_batch_size=None, ppo_mini_batch_size=None, n=None),
    "ray": command(train_batch_size=60, ppo_mini_batch_size=60, n=5,
                   start='ray job submit --address=http://x:8265 --runtime-env=env.yaml --no-wait -- python3 -m verl.trainer.main_ppo'),
    "the path of the module": command(train_batch_size=60, ppo_mini_batch_size=60, n=5, start="python -u verl/trainer/main_ppo.py"),
    "quotes": command("'data.train_batch_size=60'", '"actor_rollout_ref.rollout.n=5"', train_batch_size=None, n=None, ppo_mini_batch_size=60),
}  # fmt: skip


@pytest.mark.parametrize("way", WAYS)
def test_settings_are_found_however_they_are_written(way):
    report = judged(WAYS[way])
    assert plan_of(report).value("completions_per_rollout") == 300
    assert names(report, "error") == ["batch-divides-over-gpus"]


@pytest.mark.parametrize("way", WAYS)
def test_fixes_are_made_where_the_settings_are_written(way):
    report = judged(WAYS[way], fixes=True)
    fix = said(report, "batch-divides-over-gpus").fixes[0]
    assert fix.edits
    mended = lint_text(apply(report.text, fix.edits).text, path="run.sh")
    assert names(mended, "error", "warning") == []
    before, after = (plan_of(each).value("completions_per_update") for each in (report, mended))
    assert 0.5 <= after / before <= 2
    assert plan_of(mended).value("group_size") == 5


def test_what_the_shell_computes_is_not_known():
    report = judged(command(train_batch_size="$(nproc)", n="${N:?}"))
    assert plan_of(report).value("prompts_per_rollout") is None
    assert names(report, "error") == []


def test_arguments_that_a_script_passes_on_may_say_otherwise():
    report = judged(command('"$@"', train_batch_size=60, ppo_mini_batch_size=60, n=5))
    assert said(report, "batch-divides-over-gpus").severity == "warning"


@pytest.mark.parametrize("words", ["$COMMON", '"${COMMON[@]}"', "$(cat words)"])
def test_words_that_another_file_sets_may_set_what_is_not_written(words):
    text = f"source common.sh\npython3 -m verl.trainer.main_ppo {words} actor_rollout_ref.rollout.n=5 data.train_batch_size=60\n"
    report = judged(text)
    assert names(report, "error", "warning") == []
    assert plan_of(report).value("completions_per_rollout") == 300
    assert report.launches[0].world_size is UNKNOWN
    with_more = judged(text.replace(words, f'{words} "$@"'))  # which is read like what the script is handed beside it
    assert names(with_more, "error", "warning") == [] and with_more.launches[0].world_size is UNKNOWN
    passed = judged(text.replace(words, '"$@"'))
    assert "rollout-engine-is-named" in names(passed, "warning")


def test_gpus_are_those_of_the_settings():
    assert plan_of(judged(command(nnodes=4))).value("world_size") == 32
    assert plan_of(judged(command(n_gpus_per_node=None, nnodes=None))).value("world_size") == 8
    assert judged(command(nnodes="$NNODES")).launches[0].world_size is UNKNOWN


def test_a_setting_that_is_not_written_has_the_default_of_the_release():
    report = judged(command(tensor_model_parallel_size=None, n_gpus_per_node=1))
    assert "engines-divide-gpus" in names(report, "error")
    assert names(judged(command(name=None), "0.5.0"), "error") == []
    assert names(judged(command(name=None), "0.6.1"), "error") == ["rollout-engine-is-named"]


def test_the_engine_chooses_the_tree():
    words = ("actor_rollout_ref.actor.megatron.tensor_model_parallel_size=2",)
    report = judged(command("--config-name=ppo_megatron_trainer", *words))
    assert plan_of(report).value("dp_size") == 4
    report = judged(command("model_engine=megatron", *words))
    assert plan_of(report).value("dp_size") == 4
    assert names(judged(command(*words)), "error") == ["key-is-known"]


@pytest.mark.parametrize("version", ["0.4.1", "0.7.0", "0.9.1"])
def test_an_engine_of_another_tree_needs_its_config(version):
    """`strategy=megatron` with keys of its tree and the usual config: one finding, whatever the number of keys."""
    words = (
        "actor_rollout_ref.actor.strategy=megatron",
        "actor_rollout_ref.actor.megatron.tensor_model_parallel_size=2",
        "actor_rollout_ref.ref.megatron.seed=1",
    )
    report = judged(command(*words), version)
    (finding,) = [each for each in report.findings if each.rule.name == "key-is-known"]
    assert "actor.strategy=megatron needs --config-name=ppo_megatron_trainer" in str(finding.note)
    assert [name for name, *_ in finding.related] == ["actor_rollout_ref.ref.megatron.seed"]
    report = judged(command("--config-name=ppo_megatron_trainer", *words), version)
    assert "key-is-known" not in names(report)


def test_the_group_of_a_fork_may_stand_elsewhere():
    assert names(judged(command("+actor_rollout_ref.rollout.n_agent=8", n=1)), "warning") == []
    assert names(judged(command(n=1)), "warning") == ["group-has-two-completions"]


@pytest.mark.parametrize("word", ["distillation.enabled=True", "trainer.val_only=True"])
def test_a_group_of_one_is_legal_with_a_teacher_and_where_nothing_is_trained(word):
    assert "group-has-two-completions" not in names(judged(command(word, n=1), "0.8.0"), "warning")
    assert "group-has-two-completions" in names(judged(command(n=1), "0.8.0"), "warning")


def test_one_setting_of_a_fork_is_enough_beside_one_that_no_release_takes_plainly():
    words = ("algorithm.gdpo_baseline_mode=x", "algorithm.gdpo_reward_keys=[a]")
    assert names(judged(command(*words), None), "error") == []
    assert names(judged(command(words[1]), None), "error") == ["field-outside-the-tree-is-appended"]


def test_of_programs_that_are_not_known_only_the_grammar_is_judged():
    report = judged(
        command("trainer.experiment_name=a=b", "data.foo=1", start="python3 -m recipe.spin.main_spin"), None
    )
    assert names(report) == ["program-is-known", "override-can-be-read"]
    assert report.launches == []


@pytest.mark.parametrize("program", ["verl.trainer.main_eval", "verl.trainer.main_generation", "mine/main_evaluate.py"])
def test_programs_that_train_nothing_are_not_judged(program):
    start = f"python3 -m {program}" if "." in program and "/" not in program else f"python3 {program}"
    report = judged(command("data.foo=a=b", train_batch_size=60, start=start))
    assert report.launches == [] and names(report) == []


@pytest.mark.parametrize(
    ("value", "told"),
    [
        (
            "my first run",
            ["first cannot be read: missing EQUAL at '<EOF>'; it is a part of a value that needs double quotes"],
        ),
        ("YOUR RUN", []),
        ("/data/YOUR_DATA FOLDER", []),
        ("your run id", []),
        ("checkpoints/Your run id", []),
        ("path/to/your run", []),
        ("{YOUR_RUN}", []),
        ("{experiment_name}", []),
        ("runs/{experiment}_1", []),
        ("{RUN}", ["trainer.experiment_name cannot be read: no viable alternative at input '{RUN}'"]),
        (
            "what your run is",
            ["your cannot be read: missing EQUAL at '<EOF>'; it is a part of a value that needs double quotes"],
        ),
    ],
)
def test_a_value_that_falls_apart_is_told_once(value, told):
    report = judged(f'NAME="{value}"\n' + command("trainer.experiment_name=$NAME"))
    found = [message(finding) for finding in report.findings if finding.rule.name == "override-can-be-read"]
    assert found == told


def test_words_without_a_value_that_follow_one_another_are_told_once():
    report = judged(command("trainer.project_name=a", "to be changed", "trainer.seed=a=b", "data"))
    found = [finding.values["key"] for finding in report.findings if finding.rule.name == "override-can-be-read"]
    assert found == ["to", "trainer.seed", "data"]


@pytest.mark.parametrize("is_started", [True, False])
def test_an_estimator_is_left_by_what_a_command_starts(tmp_path, is_started):
    base = "defaults:\n  - ppo_trainer\n  - _self_\nactor_rollout_ref:\n  rollout:\n    n: 5\n"
    (tmp_path / ".git").mkdir()
    config = tmp_path / "base.yaml"
    config.write_text("# grpo-lint: dialect=verl version=0.9.1\n" + base)
    if is_started:
        (tmp_path / "run.sh").write_text("python3 -m verl.trainer.main_ppo --config-dir=. --config-name=base\n")
    repository = Repository()
    report = lint_path(str(config), Context(files=Files(str(config), repository=repository), repository=repository))
    assert ("estimator-is-chosen" in names(report)) is is_started


def test_a_part_of_a_config_leaves_no_estimator():
    part = "# @package _global_\nactor_rollout_ref:\n  actor:\n    ppo_mini_batch_size: 64\n  rollout:\n    n: 8\ndata:\n  seed: 1\n"
    assert names(lint_text(part), "error", "warning") == []


@pytest.mark.parametrize(
    ("cut", "cause"),
    [
        (" \\\n    # actor_rollout_ref.actor.ppo_epochs=2 \\", "a comment line ends the command"),
        (" \\\n", "an empty line"),
        ("", "does not end in a backslash"),
        (" \\ ", "the backslash of the line above is followed by a space"),
    ],
)
def test_overrides_that_are_cut_off_are_told(cut, cause):
    text = command().replace(" \\\n    trainer.nnodes=1", f"{cut}\n    trainer.nnodes=1 ++trainer.mine.a=2")
    told = said(judged(text), "flags-reach-their-command")
    assert cause in message(told) and told.values["flags"] == "trainer.nnodes and ++trainer.mine.a"


def test_variables_that_a_blank_cuts_off_are_told_and_no_flags():
    report = judged("A=1 CUDA_VISIBLE_DEVICES=0,1 \\\nB= \\  \nC=1 \\\n" + command())
    told = said(report, "flags-reach-their-command")
    assert told.values["flags"] == "A, CUDA_VISIBLE_DEVICES and B" and "without these variables" in message(told)


def test_an_override_from_outside_of_the_command_is_meant_to_win():
    text = "run() {\n" + command('"$@"') + "}\nrun data.train_batch_size=128\n"
    report = judged(text)
    assert plan_of(report).value("prompts_per_rollout") == 128
    told = said(report, "flag-stands-once")
    assert told.severity == "info"


def test_what_an_array_is_given_later_is_meant_to_win_and_told_once_of_several_commands():
    launch = command("${ARGS[@]}")
    literal = "ARGS=(trainer.seed=1 trainer.seed=2)\n"
    grown = "ARGS=(trainer.seed=1)\nARGS+=(trainer.seed=2)\n"
    for array, severity in ((literal, "warning"), (grown, "info")):
        found = [each for each in judged(array + launch + launch).findings if each.rule.name == "flag-stands-once"]
        assert [each.severity for each in found] == [severity]


def test_of_two_overrides_the_one_that_counts_is_pointed_at():
    report = judged(command("data.train_batch_size=60", n=5, ppo_mini_batch_size=60))
    finding = said(report, "batch-divides-over-gpus")
    assert report.text.text[finding.at.key.start :].startswith("data.train_batch_size=60")


# --- references -----------------------------------------------------------------------------------------------------


def test_references_are_followed():
    report = judged(command(train_batch_size="'${actor_rollout_ref.actor.ppo_mini_batch_size}'"))
    assert plan_of(report).value("prompts_per_rollout") == 32
    report = judged(command("'actor_rollout_ref.actor.use_dynamic_bsz=${oc.select:a.b,false}'"))
    assert plan_of(report).value("micro_batch") == 4
    report = judged(command(train_batch_size="'${oc.env:BATCH}'"))
    assert plan_of(report).value("prompts_per_rollout") is None


# --- files of settings ----------------------------------------------------------------------------------------------

PRIMARY = """\
defaults:
  - ppo_trainer
  - _self_
data:
  train_batch_size: 60
actor_rollout_ref:
  actor:
    ppo_mini_batch_size: ${data.train_batch_size}
    ppo_micro_batch_size_per_gpu: 1
  rollout:
    name: vllm
    n: 5
    log_prob_micro_batch_size_per_gpu: 1
algorithm:
  adv_estimator: grpo
"""


def test_a_file_of_settings_stands_over_the_tree_of_the_release():
    report = lint_text("# grpo-lint: dialect=verl version=0.9.1\n" + PRIMARY, fixes=True)
    finding = said(report, "batch-divides-over-gpus")
    assert finding.severity == "error"
    assert report.text.text[slice(*finding.at.key)] == "train_batch_size"
    assert plan_of(report).value("prompts_per_update") == 60
    mended = lint_text(apply(report.text, finding.fixes[0].edits).text)
    assert names(mended, "error", "warning") == []


def test_a_file_of_settings_alone_is_not_all_of_a_run():
    assert names(lint_text(PRIMARY), "error", "warning") == []


def test_a_file_before_the_tree_has_no_say():
    text = PRIMARY.replace("  - ppo_trainer\n  - _self_\n", "  - _self_\n  - ppo_trainer\n")
    report = lint_text("# grpo-lint: dialect=verl version=0.9.1\n" + text)
    assert plan_of(report).value("prompts_per_rollout") == 1024


def test_a_script_and_its_file_are_one_run(tmp_path):
    (tmp_path / ".git").mkdir()
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "mine.yaml").write_text(PRIMARY, encoding="utf-8")
    script = tmp_path / "run.sh"
    script.write_text(
        "# grpo-lint: version=0.9.1\npython3 -m verl.trainer.main_ppo --config-path=config --config-name=mine data.train_batch_size=48\n",
        encoding="utf-8",
    )
    from grpo_lint.engine import lint_path
    from grpo_lint.launch.context import Context
    from grpo_lint.launch.files import Files

    report = lint_path(str(script), Context(files=Files(str(script))))
    assert plan_of(report).value("completions_per_rollout") == 240
    assert names(report, "error") == []


def test_of_a_file_that_is_not_there_nothing_is_guessed():
    report = judged(
        "python3 -m verl.trainer.main_ppo --config-path=config --config-name=mine data.train_batch_size=60 data.foo=1\n"
    )
    assert names(report, "error", "warning") == []
    assert plan_of(report).value("completions_per_rollout") is None


# --- releases -------------------------------------------------------------------------------------------------------


def candidates(report):
    return [candidate.text for candidate in reversed(report.launches[0].candidates)]


@pytest.mark.parametrize(
    ("words", "first", "last"),
    [
        ((), "0.2", "0.9.1"),
        (("trainer.val_before_train=false",), "0.4.0", "0.9.1"),
        (("+trainer.val_before_train=false",), "0.2", "0.3.0.post1"),
        (("trainer.val_before_train=false", "ray_init.num_cpus=8"), "0.4.0", "0.5.0"),
        (("reward.num_workers=8",), "0.7.1", "0.9.1"),
        (("trainer.use_v1=true",), "0.9.0", "0.9.1"),
    ],
)
def test_keys_tell_the_releases(words, first, last):
    found = candidates(judged(command(*words), None))
    assert (found[0], found[-1]) == (first, last)


def test_neighbouring_releases_disagree():
    """P = 40 and m = 32: a short last update up to 0.7, a crash in 0.8, dummies in 0.9."""
    text = command(train_batch_size=40, n=4, ppo_micro_batch_size_per_gpu=1, log_prob_micro_batch_size_per_gpu=1)
    told = {version: names(judged(text, version), "error", "warning") for version in ("0.7.1", "0.8.0", "0.9.1")}
    assert told == {
        "0.7.1": ["last-update-is-whole"],
        "0.8.0": ["rollout-holds-updates-without-rest"],
        "0.9.1": ["rollout-needs-no-padding"],
    }


@pytest.mark.parametrize(
    ("path", "text", "found"),
    [
        ("requirements.txt", "verl==0.5.0\n", "0.5.0"),
        ("verl/version/version", "0.6.1\n", "0.6.1"),
    ],
)
def test_a_repository_pins_its_release(tmp_path, path, text, found):
    from grpo_lint.engine import lint_path
    from grpo_lint.launch.context import Context
    from grpo_lint.launch.pins import pins_for

    (tmp_path / ".git").mkdir()
    place = tmp_path / path
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(text, encoding="utf-8")
    if "/" in path:
        (tmp_path / "verl" / "__init__.py").write_text("", encoding="utf-8")
    script = tmp_path / "run.sh"
    script.write_text(command(), encoding="utf-8")
    report = lint_path(str(script), Context(pins=pins_for(str(script))))
    assert candidates(report) == [found]


def test_a_copy_that_is_older_than_all_known_releases_gets_no_errors(tmp_path):
    from grpo_lint.engine import lint_path
    from grpo_lint.launch.context import Context
    from grpo_lint.launch.pins import pins_for

    (tmp_path / ".git").mkdir()
    (tmp_path / "verl" / "version").mkdir(parents=True)
    (tmp_path / "verl" / "version" / "version").write_text("0.1\n", encoding="utf-8")
    (tmp_path / "verl" / "__init__.py").write_text("", encoding="utf-8")
    script = tmp_path / "run.sh"
    script.write_text(
        "python3 -m verl.trainer.main_ppo data.train_batch_size=512 data.val_batch_size=128 algorithm.adv_estimator=grpo"
        " actor_rollout_ref.actor.ppo_micro_batch_size=8 actor_rollout_ref.actor.fsdp_config.grad_offload=False",
        encoding="utf-8",
    )
    told = [
        finding
        for finding in lint_path(str(script), Context(pins=pins_for(str(script)))).findings
        if finding.rule.name == "micro-batches-are-given"
    ]
    assert [finding.severity for finding in told] == ["warning"] and "says 0.1" in told[0].note


# --- the schema -----------------------------------------------------------------------------------------------------


def test_the_schema_takes_files_of_settings_and_refuses_wrong_types():
    from jsonschema import Draft202012Validator

    from grpo_lint.frameworks.schema import schema_of

    schema = Draft202012Validator(schema_of("verl", "0.9.1"))
    good = {
        "defaults": ["ppo_trainer"],
        "data": {"train_batch_size": 64, "own": 1},
        "trainer": {"nnodes": "${oc.env:N}"},
    }
    assert schema.is_valid(good)
    assert not schema.is_valid({"data": {"train_batch_size": "many"}})
    rollout = schema_of("verl", "0.5.0")["properties"]["actor_rollout_ref"]["properties"]["rollout"]["properties"]
    assert rollout["name"]["default"] == "vllm" and rollout["n"]["default"] == 1


# --- references between settings ----------------------------------------------------------------------------------------

REFERRING = """\
# grpo-lint: version=0.9.1
python3 -m verl.trainer.main_ppo \\
  algorithm.adv_estimator=grpo data.train_files=a.parquet data.val_files=b.parquet \\
  data.train_batch_size={prompts} \\
  actor_rollout_ref.model.path=Qwen/Qwen2.5-0.5B \\
  actor_rollout_ref.actor.ppo_mini_batch_size='${{{mini}}}' \\
  actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu=4 \\
  actor_rollout_ref.rollout.log_prob_micro_batch_size_per_gpu=4 \\
  actor_rollout_ref.ref.log_prob_micro_batch_size_per_gpu=4 \\
  actor_rollout_ref.rollout.name=vllm actor_rollout_ref.rollout.n=3 {more} \\
  trainer.n_gpus_per_node=8 trainer.nnodes=1
"""


def test_a_change_reaches_the_settings_that_refer_to_it():
    text = REFERRING.format(prompts=100, mini="data.train_batch_size", more="")
    fixes = said(lint_text(text, path="train.sh", fixes=True), "batch-divides-over-gpus").fixes
    assert {"data.train_batch_size": 128} in [fix.changes for fix in fixes]  # and not ppo_mini_batch_size as well


def test_a_finding_tells_both_places_of_a_reference():
    text = REFERRING.format(prompts=64, mini="data.val_batch_size", more="data.val_batch_size=128")
    report = lint_text(text, path="train.sh")
    told = [each.name for each in contributions(said(report, "rollout-holds-an-update"), report.launches[0])]
    assert {"actor_rollout_ref.actor.ppo_mini_batch_size", "data.val_batch_size"} <= set(told)


def test_references_in_a_circle_are_not_known():
    text = REFERRING.format(
        prompts="'${actor_rollout_ref.actor.ppo_mini_batch_size}'", mini="data.train_batch_size", more=""
    )
    report = lint_text(text, path="train.sh")
    assert plan_of(report).value("prompts_per_rollout") is None and "batch-divides-over-gpus" not in names(report)


def test_the_gpus_of_the_trainer_are_edited():
    text = REFERRING.format(
        prompts=64, mini="data.train_batch_size", more="actor_rollout_ref.rollout.tensor_model_parallel_size=4"
    )
    text = text.replace("n_gpus_per_node=8 trainer.nnodes=1", "n_gpus_per_node=3 trainer.nnodes=2")
    text = text.replace("Qwen2.5-0.5B", "Qwen2.5-7B")  # its heads divide by 4
    report = lint_text(text, path="train.sh", fixes=True)
    edited = [fix for finding in report.findings for fix in finding.fixes if "world_size" in fix.changes and fix.edits]
    assert edited and all(fix.changes["world_size"] % 2 == 0 for fix in edited)
    assert f"n_gpus_per_node={edited[0].changes['world_size'] // 2} " in apply(report.text, edited[0].edits).text


MEGATRON = """\
# grpo-lint: version=0.9.1
python3 -m verl.trainer.main_ppo {engine} data.train_batch_size=64 algorithm.adv_estimator=grpo \\
  actor_rollout_ref.actor.ppo_mini_batch_size=64 actor_rollout_ref.rollout.n=8 actor_rollout_ref.rollout.name=vllm \\
  actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu=4 actor_rollout_ref.rollout.log_prob_micro_batch_size_per_gpu=4 \\
  actor_rollout_ref.actor.megatron.tensor_model_parallel_size=2 actor_rollout_ref.actor.megatron.param_offload=True \\
  actor_rollout_ref.ref.megatron.tensor_model_parallel_size=2 {more}
"""


def test_an_engine_at_the_wrong_place_is_one_mistake():
    text = MEGATRON.format(engine="actor_rollout_ref.actor.model_engine=megatron", more="")
    report = lint_text(text, path="train.sh")
    refused = [finding for finding in report.findings if finding.severity == "error"]
    assert [finding.rule.name for finding in refused] == ["key-is-known"]
    assert "did you mean model_engine" in message(refused[0])


def test_the_engine_may_stand_in_arguments_that_are_not_known():
    assert "key-is-known" in names(lint_text(MEGATRON.format(engine="", more=""), path="train.sh"))
    for more in ('"${EXTRA[@]}"', '"$@"'):
        text = MEGATRON.format(engine="", more=more).replace("python3", "EXTRA=($(more))\npython3", 1)
        assert "key-is-known" not in names(lint_text(text, path="train.sh"))


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("", ""), "actor_rollout_ref.actor.kl_loss_coef, actor_rollout_ref.actor.kl_loss_type"),
        (("actor_rollout_ref.actor.use_kl_loss=true", ""), None),
        (("actor_rollout_ref.actor.kl_loss_coef=0.1", ""), "actor_rollout_ref.actor.kl_loss_type"),
    ],
)
def test_of_a_file_that_several_commands_start_only_what_is_idle_in_all_is_told(tmp_path, words, told):
    from grpo_lint.engine import lint_path
    from grpo_lint.launch.context import Context
    from grpo_lint.launch.files import Files
    from grpo_lint.launch.repository import Repository

    (tmp_path / ".git").mkdir()
    config = tmp_path / "mine.yaml"
    text = PRIMARY.replace("train_batch_size: 60", "train_batch_size: 64").replace("  n: 5", "  n: 8")
    text = text.replace("  actor:\n", "  actor:\n    kl_loss_coef: 0.05\n    kl_loss_type: mse\n")
    config.write_text(text, encoding="utf-8")
    for number, word in enumerate(words):
        start = f"python3 -m verl.trainer.main_ppo --config-dir=. --config-name=mine {word}\n"
        (tmp_path / f"run{number}.sh").write_text(start, encoding="utf-8")
    repository = Repository()
    report = lint_path(str(config), Context(files=Files(str(config), repository=repository), repository=repository))
    found = [
        finding.values["settings"] for finding in report.findings if finding.rule.name == "settings-have-an-effect"
    ]
    assert found == ([f"{told} (use_kl_loss is off)"] if told else [])


def test_a_setting_that_says_what_its_switch_says_is_not_told():
    words = ("use_kl_loss=false", "kl_loss_coef=0.0", "kl_loss_type=low_var_kl")  # off, and the kind of every release
    report = judged(command(*(f"actor_rollout_ref.actor.{each}" for each in words)))
    assert "settings-have-an-effect" not in names(report)


# --- names that a repository registers -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("code", "is_told"),
    [
        ('@register_adv_est("mine")\ndef mine(): ...', False),
        ('core_algos.register_adv_est(\n    name_or_enum="mine",\n)(mine)', False),
        ("ADV_ESTIMATOR_REGISTRY['mine'] = mine", False),
        ("@register_adv_est(NAME)\ndef mine(): ...", False),
        ("@register_adv_est(Own.MINE)\ndef mine(): ...", False),
        ('class AdvantageEstimator(str, Enum):\n    MINE = "mine"', False),
        ('class AdvantageEstimator(str, Enum):\n    OTHER = "other"', True),
        ('# @register_adv_est("mine")', True),
        ('@register_adv_est("other")\ndef other(): ...', True),
        ('@register_policy_loss("mine")\ndef mine(): ...', True),
        ("def register_adv_est(name):\n    ADV_ESTIMATOR_REGISTRY[name] = 1\n@register_adv_est(Known.GAE)", True),
    ],
)
def test_an_estimator_that_the_repository_registers_is_known(tmp_path, code, is_told):
    script = tmp_path / "run.sh"
    script.write_text("# grpo-lint: version=0.9.1\n" + command(adv_estimator="mine"))
    (tmp_path / ".git").mkdir()
    (tmp_path / "own.py").write_text(code)
    report = lint_path(str(script), Context(files=Files(str(script)), repository=Repository()))
    assert ("advantage-estimator-is-known" in names(report, "error")) is is_told


def test_a_loss_that_the_repository_registers_is_known(tmp_path):
    script = tmp_path / "run.sh"
    script.write_text("# grpo-lint: version=0.9.1\n" + command("actor_rollout_ref.actor.policy_loss.loss_mode=mine"))
    (tmp_path / ".git").mkdir()
    context = Context(files=Files(str(script)), repository=Repository())
    assert names(lint_path(str(script), context), "error") == ["loss-mode-is-known"]
    (tmp_path / "own.py").write_text('@register_policy_loss("mine")\ndef mine(): ...\n')
    context = Context(files=Files(str(script)), repository=Repository())
    assert names(lint_path(str(script), context), "error") == []


# --- what the engine takes at once ---------------------------------------------------------------------------------


TOKENS = "actor_rollout_ref.rollout.max_num_batched_tokens=1024"
LENGTHS = "data.max_prompt_length=512 data.max_response_length=1024"


@pytest.mark.parametrize(
    ("version", "words", "is_refused"),
    [
        ("0.2.0.post2", "", False),
        ("0.3.0.post1", "", True),
        ("0.4.1", "", True),
        ("0.6.1", "", True),
        ("0.7.0", "", False),
        ("0.4.1", "actor_rollout_ref.rollout.enable_chunked_prefill=False", False),
        ("0.4.1", "actor_rollout_ref.rollout.max_model_len=1024", False),
        ("0.4.1", "actor_rollout_ref.rollout.response_length=256", False),
        ("0.4.1", "actor_rollout_ref.rollout.mode=async", False),
        ("0.4.1", "data.max_response_length=512", False),
    ],
)
def test_with_chunked_prefill_a_batch_of_the_engine_holds_a_sequence(version, words, is_refused):
    report = judged(command(TOKENS, LENGTHS, words), version)
    assert ("engine-takes-a-sequence" in names(report, "error")) is is_refused


# --- sizes that a fix offers ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("prompts", "update", "forward", "group"), [(64, 32, 8, 8), (64, 32, 32, 8), (64, 64, 8, 8)])
def test_a_group_of_one_becomes_the_first_usual_size_that_fits(prompts, update, forward, group):
    text = command(n=1, train_batch_size=prompts, ppo_mini_batch_size=update, log_prob_micro_batch_size_per_gpu=forward)
    fixes = said(judged(text, fixes=True), "group-has-two-completions").fixes
    doubled = [
        {"actor_rollout_ref.rollout.n": 2}
    ]  # an update of so many prompts is made no more than twice as large by the first fix
    assert [fix.changes for fix in fixes] == doubled + [{"actor_rollout_ref.rollout.n": group}]


def test_a_group_of_one_among_wrong_sizes_waits_for_them():
    text = command(n=1, train_batch_size=100, ppo_mini_batch_size=256, log_prob_micro_batch_size_per_gpu=32)
    assert not said(judged(text, "0.8.0", fixes=True), "group-has-two-completions").fixes


@pytest.mark.parametrize(
    ("words", "changes", "rule", "cure"),
    [
        (
            ["actor_rollout_ref.actor.use_dynamic_bsz=True", "actor_rollout_ref.actor.ppo_max_token_len_per_gpu=8192", "data.max_response_length=8192"],
            {},
            "sequences-fit-the-token-budget",
            {"actor_rollout_ref.actor.ppo_max_token_len_per_gpu": 8704},
        ),
        (
            ["trainer.n_gpus_per_node=6"],
            {"tensor_model_parallel_size": 4, "n_gpus_per_node": None, "train_batch_size": 96, "ppo_mini_batch_size": 48},
            "engines-divide-gpus",
            {"actor_rollout_ref.rollout.tensor_model_parallel_size": 2},
        ),
        (["actor_rollout_ref.model.lora_rank=1024"], {}, "lora-rank-fits-the-engine", {"actor_rollout_ref.model.lora_rank": 512}),
        (
            ["algorithm.adv_estimator=gae"],
            {"adv_estimator": None, "ppo_micro_batch_size_per_gpu": 2},
            "micro-batches-are-given",
            {"critic.ppo_micro_batch_size_per_gpu": 2},
        ),
    ],
)  # fmt: skip
def test_the_first_fix_is_what_a_practitioner_would_do(words, changes, rule, cure):
    report = judged(command(*words, **changes), "0.7.1", fixes=True)
    assert said(report, rule).fixes[0].changes == cure


def test_a_setting_that_came_later_is_not_said_to_be_another_one():
    told = message(said(judged(command("data.gen_batch_size=64"), "0.5.0"), "key-is-of-this-version"))
    assert "came with verl 0.9.0" in told and "still" not in told


def test_the_name_of_an_engine_size_is_sought_in_its_own_section():
    text = command("actor_rollout_ref.rollout.tensor_parallel_size=2", tensor_model_parallel_size=None)
    told = message(said(judged(text), "key-is-known"))
    assert "did you mean actor_rollout_ref.rollout.tensor_model_parallel_size" in told


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (["critic.model.input_tokenizer=t"], ""),  # which reward_model.model has
        (
            ["reward_model.prime_model.path=p", "reward_model.prime_model.update=a", "reward_model.prime_model.beta=1"],
            "",
        ),
        (["reward_model.modl.path=p"], "reward_model.model.path"),
    ],
)
def test_a_key_is_no_other_spelling_of_that_of_another_model_or_section(words, hint):
    told = " ".join(
        message(each) for each in judged(command(*words), "0.4.1").findings if each.rule.name == "key-is-known"
    )
    assert told.partition("did you mean ")[2] == (f"{hint}?" if hint else "")


def test_a_micro_batch_that_is_missing_is_that_of_the_actor():
    report = judged(command(ppo_micro_batch_size_per_gpu=2, log_prob_micro_batch_size_per_gpu=None), fixes=True)
    fix = said(report, "micro-batches-are-given").fixes[0]
    assert {*fix.changes.values()} == {2}


@pytest.mark.parametrize(
    ("version", "words", "severity"),
    [
        ("0.8.0", "algorithm.adv_estimator=mbpo", "error"),
        ("", "algorithm.adv_estimator=mbpo", "warning"),  # who writes this has made it
        ("", "algorithm.adv_estimator=grop", "error"),
        ("", "algorithm.adv_estimator=GRPO", "error"),
        ("", "algorithm.adv_estimator=mbpo data.own_a=1 data.own_b=2 trainer.own_c=3", "info"),  # a fork reads it
    ],
)
def test_a_name_of_somebodys_own_making_is_no_misspelt_one(version, words, severity):
    comment = f"# grpo-lint: version={version}\n" if version else ""
    report = lint_text(
        f"{comment}python3 -m verl.trainer.main_ppo actor_rollout_ref.rollout.n=8 {words}\n", path="run.sh"
    )
    assert said(report, "advantage-estimator-is-known").severity == severity


# --- values that the code of a release cannot use -------------------------------------------------------------------

ROLLOUT, ACTOR = "actor_rollout_ref.rollout.", "actor_rollout_ref.actor."


@pytest.mark.parametrize(
    ("words", "version", "told"),
    [
        ((f"{ROLLOUT}name=vlm",), "0.6.1", ("value-is-a-choice", "error", "init")),
        ((f"{ROLLOUT}name=vlm",), "0.2.0.post2", ("value-is-a-choice", "warning", "never")),  # which not every engine refuses
        ((f"{ROLLOUT}mode=asnyc",), "0.6.1", ("value-is-a-choice", "error", "init")),
        ((f"{ROLLOUT}mode=sync",), "0.9.1", None),  # rollout-is-asynchronous says it
        ((f"{ACTOR}use_kl_loss=True", f"{ACTOR}kl_loss_type=lowvar"), "0.6.1", ("value-is-a-choice", "error", "run")),
        ((f"{ACTOR}kl_loss_type=lowvar",), "0.6.1", ("value-is-a-choice", "warning", "never")),  # nobody looks it up
        ((f"{ACTOR}use_kl_loss=True", f"{ACTOR}kl_loss_type=k3+"), "0.9.1", None),
        ((f"{ACTOR}use_kl_loss=True", f"{ACTOR}kl_loss_type=k3+"), "0.6.1", ("value-is-a-choice", "error", "run")),
        ((f"{ROLLOUT}gpu_memory_utilization=90",), "0.6.1", ("value-has-the-type-of-its-key", "error", "init")),
        ((f"{ROLLOUT}gpu_memory_utilization=1",), "0.6.1", None),
        ((f"{ACTOR}optim.lr=-1e-6",), "0.6.1", ("value-has-the-type-of-its-key", "error", "init")),
        (("trainer.save_freq=ten",), "0.6.1", ("value-has-the-type-of-its-key", "error", "run")),
        (("trainer.save_freq=null",), "0.6.1", ("value-has-the-type-of-its-key", "error", "run")),
        (("trainer.save_freq=True",), "0.6.1", None),  # which counts as 1
        (("'trainer.total_epochs=[1,2]'",), "0.6.1", ("value-has-the-type-of-its-key", "error", "init")),
        (("data.max_prompt_length=1k",), "0.6.1", ("value-has-the-type-of-its-key", "warning", "never")),
        (("data.max_response_length=-1",), "0.6.1", ("value-has-the-type-of-its-key", "warning", "never")),
        ((f"{ACTOR}use_kl_loss=Flase",), "0.6.1", ("truth-value-is-no-text", "warning", "never")),
        ((f"{ACTOR}use_kl_loss=yes",), "0.6.1", None),
        (("trainer.resume_from_path=checkpoints/a",), "0.3.0", None),  # a switch or a path
        (("trainer.resume_mode=resume_paht",), "0.6.1", ("value-is-a-choice", "warning", "never")),
    ],
)  # fmt: skip
def test_values_that_a_release_cannot_use_are_told(words, version, told):
    kinds = ("value-is-a-choice", "value-has-the-type-of-its-key", "truth-value-is-no-text")
    found = [
        (each.rule.name, each.severity, each.stage)
        for each in judged(command(*words), version).findings
        if each.rule.name in kinds
    ]
    assert found == ([told] if told else [])


def test_a_rate_with_an_exponent_is_a_number_in_a_file():
    """OmegaConf reads 1e-6 as a number, and YAML as a text."""
    text = "actor_rollout_ref:\n  actor:\n    optim:\n      lr: 1e-6\n  rollout:\n    n: 8\ndata:\n  train_batch_size: 64\n"
    assert "value-has-the-type-of-its-key" not in names(lint_text("# grpo-lint: dialect=verl version=0.6.1\n" + text))


def test_a_word_that_only_some_releases_look_up_tells_the_release():
    """A script for 0.6, when rollouts had two modes, is no mistake for 0.9."""
    assert "value-is-a-choice" not in names(judged(command(f"{ROLLOUT}mode=sync"), version=None))


RENAMED = [  # (key, release, what it is called there; None for nothing)
    ("reward_model.overlong_buffer.enable", "0.9.1", "+reward.reward_kwargs.overlong_buffer_cfg.enable"),
    ("reward_model.overlong_buffer.len", "0.5.0", "+reward_model.reward_kwargs.overlong_buffer_cfg.len"),
    ("reward_model.overlong_buffer.enable", "0.3.0.post1", None),
    ("reward.reward_manager.name", "0.5.0", "reward_model.reward_manager"),
    ("reward.reward_model.model_path", "0.5.0", "reward_model.model.path"),
    ("reward.reward_model.rollout.dtype", "0.5.0", None),
    ("reward_model.other_buffer.enable", "0.9.1", None),
    ("data.datagen.path", "0.9.1", None),  # data.custom_cls.path stood beside it
    ("reward_model.forward_max_token_len_per_gpu", "0.9.1", None),  # and that of the critic as well
    ("trainer.worker_nsight_options.kill", "0.9.1", "global_profiler.global_tool_config.nsys.worker_nsight_options.kill"),
    ("ray_init.timeline_json_file", "0.9.1", "ray_kwargs.timeline_json_file"),
    ("rollout.gpu_memory_utilization", "0.5.0", "actor_rollout_ref.rollout.gpu_memory_utilization"),
    ("actor.use_dynamic_bsz", "0.5.0", "actor_rollout_ref.actor.use_dynamic_bsz"),
]  # fmt: skip


@pytest.mark.parametrize(("key", "release", "meant"), RENAMED)
def test_a_key_is_renamed_only_to_one_of_the_same_meaning(key, release, meant):
    verl = framework("verl")
    index = verl.catalogue.releases.index(release)
    assert verl.reader.renames.successor(key, verl.catalogue.fields(("dp",), index))[0] == meant


EVALUATED = {"algorithm.adv_estimator": "grpo", "data.train_batch_size": 32, "actor_rollout_ref.actor.ppo_mini_batch_size": 256,
             "actor_rollout_ref.rollout.n": 8, "actor_rollout_ref.rollout.name": "vllm",
             "actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu": 4, "actor_rollout_ref.actor.use_dynamic_bsz": True,
             "actor_rollout_ref.rollout.log_prob_micro_batch_size_per_gpu": 4}  # fmt: skip
ONE = {"actor_rollout_ref.rollout.n": 1, "actor_rollout_ref.actor.ppo_mini_batch_size": 32}


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ({}, ["dynamic-rollout-holds-an-update"]),
        ({"trainer.val_only": True}, []),
        ({"trainer.val_only": True, "trainer.val_before_train": True}, []),
        ({"trainer.val_only": True, "trainer.val_before_train": False}, ["dynamic-rollout-holds-an-update"]),
        ({"trainer.val_only": True, "trainer.val_before_train": "$FIRST"}, ["dynamic-rollout-holds-an-update"]),
        ({"trainer.val_only": "$ONLY"}, ["dynamic-rollout-holds-an-update"]),
        ({"trainer.val_only": True, "actor_rollout_ref.actor.use_dynamic_bsz": False}, ["rollout-holds-an-update"]),
        (ONE, ["group-has-two-completions"]),
        ({**ONE, "trainer.val_only": True}, []),
        ({**ONE, "trainer.val_only": True, "trainer.val_before_train": False}, ["group-has-two-completions"]),
    ],
)
def test_what_only_evaluates_has_no_harm_in_training(more, told):
    """`fit` returns after the validation in front of the first step; what is checked before it is still told."""
    words = " ".join(f"{key}={value}" for key, value in {**EVALUATED, **more}.items())
    text = f"# grpo-lint: version=0.5.0\npython -m verl.trainer.main_ppo {words}\n"
    assert names(lint_text(text, path="eval.sh"), "error", "warning") == told


CUT_TWICE = """\
# grpo-lint: version=0.9.1
python3 -m verl.trainer.main_ppo \\
  algorithm.adv_estimator=grpo \\
  # data.train_batch_size=32
  data.train_batch_size=64 \\
  actor_rollout_ref.rollout.name=vllm \\

  trainer.n_gpus_per_node=8
"""
BLANK_BEHIND = """\
# grpo-lint: version=4.6.0
swift rlhf --rlhf_type grpo --reward_funcs accuracy --dataset d --num_generations 2 --per_device_train_batch_size 2 \\
  --model m \\ \n  --report_to none
"""


def test_what_a_command_loses_at_several_places_is_told_once():
    report = lint_text(CUT_TWICE, path="run.sh")
    (finding,) = [each for each in report.findings if each.rule.name == "flags-reach-their-command"]
    assert "trainer.n_gpus_per_node" in message(finding) and "data.train_batch_size" in message(finding)
    assert "in front of line 8: an empty line" in str(finding.note)


def test_the_blank_behind_a_backslash_is_no_value():
    assert names(lint_text(BLANK_BEHIND, path="run.sh")) == ["flags-reach-their-command"]


IN_SECTIONS = """\
# grpo-lint: dialect=verl version=0.9.1 world-size=8
defaults:
  - ppo_trainer
  - _self_
{}algorithm:
  adv_estimator: grpo
"""
ROLLOUT = "  rollout:\n    n: 8\n"
ACTOR = "actor_rollout_ref:\n  actor:\n    ppo_mini_batch_size: 32\n    ppo_micro_batch_size_per_gpu: 4\n"


@pytest.mark.parametrize(
    ("sections", "line", "word"),
    [
        (ACTOR + ROLLOUT, 9, "rollout"),
        ("actor_rollout_ref:\n  rollout: {n: 8}\n", 6, "rollout"),
        (ACTOR, 5, "actor_rollout_ref"),
        ("data:\n  train_batch_size: 64\n", 2, "defaults"),
    ],
)
def test_what_a_section_lacks_is_said_of_the_innermost_section_that_is_there(sections, line, word):
    report = lint_text(IN_SECTIONS.format(sections))
    (finding,) = [each for each in report.findings if each.rule.code == "GRPO740"]
    span = span_of(finding)
    assert report.text.text[span.start : span.end] == word and report.text.position(span.start)[0] + 1 == line
    assert all(span_of(each).start for each in report.findings)  # nothing is on line 1


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("data.gen_batch_size=7",), ["rollout-is-fetched-whole"]),
        (("data.gen_batch_size=abc",), ["value-has-the-type-of-its-key"]),
        (("data.gen_batch_size=-1",), ["value-has-the-type-of-its-key"]),
        # verl sets it to 1 itself, or has another trainer that takes it as the rollout
        (("data.gen_batch_size=7", "algorithm.filter_groups.enable=true", "algorithm.filter_groups.metric=acc"), []),
        (("data.gen_batch_size=abc", "trainer.v1.sampler.sync_refill_failed_groups=true"), []),
        (("data.gen_batch_size=7", "trainer.v1.trainer_mode=colocate_async"), []),
        (("data.gen_batch_size=7", "trainer.use_v1=false"), []),
    ],
)
def test_the_batch_of_the_loader_counts_where_it_is_taken_as_written(words, told):
    assert names(judged(command(*words)), "error") == told


@pytest.mark.parametrize("version", ["0.4.1", "0.9.1"])
@pytest.mark.parametrize("word", ["data.max_response_length=null", "data.max_prompt_length=null", "algorithm.adv_estimator=null",
                                  "'algorithm.adv_estimator=[grpo]'", "actor_rollout_ref.actor.loss_agg_mode=null"])  # fmt: skip
def test_null_and_lists_where_a_number_or_a_name_is_needed(word, version):
    found = judged(command(word), version)
    assert names(found, "error") == ["value-has-the-type-of-its-key"] and "estimator-is-chosen" not in names(found)


def test_a_length_of_the_data_that_the_rollout_does_not_take_may_be_null():
    words = ("data.max_response_length=null", "actor_rollout_ref.rollout.response_length=1024")
    assert names(judged(command(*words)), "error") == []


@pytest.mark.parametrize(
    ("actor", "critic", "is_told"), [("fsdp", "megatron", True), ("megatron", "megatron", False), ("own", "own", False)]
)
def test_strategies_of_actor_and_critic_that_are_the_same_go_together(actor, critic, is_told):
    text = f"# grpo-lint: version=0.3.0.post1\npython3 -m verl.trainer.main_ppo actor_rollout_ref.actor.strategy={actor} critic.strategy={critic} trainer.nnodes=1\n"
    assert ("critic-has-the-strategy-of-the-actor" in names(lint_text(text, path="run.sh"))) is is_told


@pytest.mark.parametrize(
    ("words", "is_refused"),
    [
        ("a.b=1 --config-name=ppo_megatron_trainer trainer.nnodes=1", True),
        ("a.b=1 -cn ppo_megatron_trainer trainer.nnodes=1", True),
        ("--config-name ppo_megatron_trainer a.b=1 trainer.nnodes=1", False),
        ("a.b=1 trainer.nnodes=1 --config-name ppo_megatron_trainer", False),
        ("--config-path=. --config-name=ppo_trainer trainer.nnodes=1", False),
    ],
)
def test_an_option_of_hydra_between_overrides_is_refused(words, is_refused):
    """Each was given to Hydra 1.3: `unrecognized arguments`, for its parser takes overrides in one place."""
    report = lint_text(f"# grpo-lint: version=0.9.1\npython3 -m verl.trainer.main_ppo {words}\n", path="run.sh")
    told = [each for each in report.findings if each.rule.name == "override-can-be-read"]
    assert [(each.values["key"], each.severity) for each in told] == [("trainer.nnodes", "error")] * is_refused


@pytest.mark.parametrize(
    ("words", "refused"),
    [
        ("--algorithm grpo --data.train_batch_size 8 --trainer.nnodes=1", ["--algorithm"]),
        ("trainer.nnodes=1 --local_rank 0", ["--local_rank"]),
        ("--trainer.nnodes=1 data.train_batch_size=8", ["--trainer.nnodes"]),
        ("--config run.yaml", ["--config"]),  # three options begin so
        ("--config-n ppo_trainer", []),
        ("--cfg job", []),
        ("--info all", []),
        ("--multirun trainer.seed=1,2", []),
    ],
)
def test_an_option_that_hydra_does_not_have_is_refused_once(words, refused):
    """Each was given to Hydra 1.3, which names all of them in one `unrecognized arguments`."""
    report = lint_text(f"# grpo-lint: version=0.9.1\npython3 -m verl.trainer.main_ppo {words}\n", path="run.sh")
    told = [each for each in report.findings if each.rule.name == "override-can-be-read"]
    assert [each.values["key"] for each in told] == refused
    assert all(each.severity == "error" for each in told)


def test_what_a_word_with_dashes_is_given_sets_something_still():
    script = "# grpo-lint: version=0.9.1\npython3 -m verl.trainer.main_ppo --x trainer.nnodes=2\n"
    (launch,) = lint_text(script, path="run.sh").launches
    assert launch.value("trainer.nnodes") == 2


def test_the_same_words_for_a_program_that_nobody_knows_are_its_own():
    report = lint_text("python3 train_own.py --x 1 algorithm.adv_estimator=grpo trainer.nnodes=1\n", path="run.sh")
    assert not [each for each in report.findings if each.rule.name == "override-can-be-read"]


# --- settings that verl replaces ----------------------------------------------------------------------------------------


def test_what_verl_may_replace_is_what_its_table_says():
    from grpo_lint.frameworks.verl.replaced import REPLACED

    assert framework("verl").refusals.may_replace == REPLACED.keys()
    assert not framework("verl-agent").refusals.may_replace  # whose numbers are dates


_STEPS = "actor_rollout_ref.actor.optim.total_training_steps=200"
_STRATEGY = "actor_rollout_ref.actor.fsdp_config.strategy=fsdp2"
_REWARD = ("reward.reward_model.enable=True", "reward.reward_model.n_gpus_per_node=2")


@pytest.mark.parametrize(
    ("version", "words", "because"),
    [
        ("0.6.1", (_STEPS, "trainer.total_training_steps=100"), ["trainer.total_training_steps"]),
        ("0.6.1", (_STEPS, "trainer.total_training_steps=200"), None),
        ("0.9.1", (_STEPS,), None),
        ("0.9.1", (_STEPS, "trainer.total_training_steps=100"), ["trainer.total_training_steps"]),
        ("0.7.1", (_STRATEGY,), None),
        ("0.9.1", (_STRATEGY,), []),
        ("0.9.1", (_STRATEGY, "actor_rollout_ref.actor.strategy=fsdp2"), None),
        ("0.9.1", _REWARD, ["reward.reward_model.enable", "trainer.n_gpus_per_node"]),
        ("0.9.1", (*_REWARD, "reward.reward_model.enable_resource_pool=True"), None),
        ("0.9.1", (_REWARD[1],), None),
        ("0.9.1", ("data.gen_batch_size=16",), None),
        ("0.9.1", ("data.gen_batch_size=1", "algorithm.filter_groups.enable=True"), None),
    ],
)
def test_a_setting_that_verl_replaces_is_a_warning(version, words, because):
    """By the statements of its source that `conformance/replaced` looks for in each release."""
    found = [each for each in judged(command(*words), version).findings if each.rule.name == "value-is-kept"]
    assert len(found) == (because is not None)
    assert all(each.severity == "warning" and all(name in message(each) for name in because) for each in found)
