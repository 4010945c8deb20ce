"""OpenRLHF is started with flags, which 0.10.2 put into sections; what shares the GPUs of the actor has as many."""

import pytest

from conftest import lint_text
from grpo_lint.checker.contexts import Around
from grpo_lint.engine import lint_path
from grpo_lint.planning.batches import Wish, proposals
from grpo_lint.planning.rescale import move
from grpo_lint.planning.starts import Start

START = "python3 -m openrlhf.cli.train_ppo_ray"
FLAT = f"""\
# grpo-lint: version=0.9.10
{START} \\
   --ref_num_nodes 1 --ref_num_gpus_per_node 8 --actor_num_nodes 1 --actor_num_gpus_per_node 8 \\
   --vllm_num_engines 4 --vllm_tensor_parallel_size 2 --colocate_all_models --pretrain m --remote_rm_url r.py \\
   --micro_train_batch_size 4 --train_batch_size 128 --micro_rollout_batch_size 8 --rollout_batch_size 128 \\
   --n_samples_per_prompt 8 --advantage_estimator group_norm --prompt_data d
"""


def with_flags(more):
    return FLAT.replace("--prompt_data d", f"--prompt_data d {more}")


@pytest.mark.parametrize("version", ["0.9.10", "0.11.2"])
def test_a_plan_uses_the_gpus_that_it_is_given(version):
    for shape in (proposal.shape for proposal in proposals(Wish("openrlhf", version, 16))):
        start = Start("openrlhf", version)
        words = start.written(start.settings_of(shape), 16).replace("\\\n", "").split()
        sizes = {
            words[at].lstrip("-").rpartition(".")[2].replace("vllm_", ""): words[at + 1] for at in range(len(words) - 1)
        }
        assert int(sizes["num_engines"]) == 16 and "true" not in words
        assert {"--colocate_all_models", "--train.colocate_all"} & {*words}


@pytest.mark.parametrize("more", ["", "--use_dynamic_batch"])
def test_what_shares_the_gpus_moves_with_the_actor(more):
    def lint(facts):
        return lint_text(with_flags(more), path="run.sh", outside=facts)

    found = move(lint, 16, {})
    assert found.settings == {"actor_num_nodes": 2, "ref_num_nodes": 2, "vllm_num_engines": 8} and found.kept


def test_flags_that_a_copy_declares_are_its_own(tmp_path):
    """What the changed copy of a repository reads is no mistake, and what a release refuses is only likely there."""
    parser = tmp_path / "openrlhf" / "cli" / "train_ppo_ray.py"
    parser.parent.mkdir(parents=True)
    parser.write_text('parser.add_argument(\n    "--own_flag", type=int, default=1)\n')
    (tmp_path / ".git").mkdir()
    run = tmp_path / "scripts" / "run.sh"
    run.parent.mkdir()
    flags = with_flags("--own_flag 3 --no_flag 4").replace("--train_batch_size 128", "--train_batch_size 100")
    run.write_text(flags.partition("\n")[2])
    found = lint_path(str(run), Around({}, asked=[str(run)]).of(str(run)), fixes=False).findings
    told = {finding.rule.code: (finding.severity, finding.values.get("key")) for finding in found}
    assert told["GRPO102"][1] == "no_flag" and told["GRPO857"][0] == "warning"
    assert not any(finding.values.get("key") == "own_flag" for finding in found)


def test_a_flag_that_a_copy_declares_abbreviates_no_other_one(tmp_path):
    parser = tmp_path / "openrlhf" / "cli" / "train_ppo_ray.py"
    parser.parent.mkdir(parents=True)
    (tmp_path / ".git").mkdir()
    run = tmp_path / "run.sh"
    run.write_text(with_flags("--eval_data mine").partition("\n")[2])
    for declared, is_abbreviated in (("own_flag", True), ("eval_data", False)):
        parser.write_text(f'parser.add_argument("--{declared}", type=str)\n')
        report = lint_path(str(run), Around({}, asked=[str(run)]).of(str(run)), fixes=False)
        assert ("GRPO105" in {each.rule.code for each in report.findings}) is is_abbreviated
        assert ("eval_dataset" in report.launches[0].entries) is is_abbreviated


@pytest.mark.parametrize(
    ("flag", "is_told"),
    [
        ("--save_path $TO", True),
        ("--save_path /path/to/$TO", False),
        ("--wandb_run_name $TO", False),
        ("--wandb_run_name $TO $TO", True),
    ],
)
def test_words_that_are_still_to_be_filled_in_are_no_mistake(flag, is_told):
    text = with_flags(flag).partition("\n")
    report = lint_text(f"{text[0]}\nTO='run name'\n{text[2]}", path="run.sh")
    assert ("GRPO110" in {each.rule.code for each in report.findings}) is is_told


# --- what the script may pass on, and copies that are older than any release that is known --------------------------------

SIZED = """# grpo-lint: version=0.9.10
if [ "$NODES" -eq 1 ]; then
  sizes="{others}"
elif [ "$NODES" -eq 2 ]; then
  sizes="--bf16"
fi
python3 -m openrlhf.cli.train_ppo_ray $sizes --pretrain m --prompt_data d --packing_samples --advantage_estimator group_norm \\
  --n_samples_per_prompt 8
"""


@pytest.mark.parametrize("others", ["--vllm_num_engines 4", "--bf16"])
def test_what_a_script_may_pass_on_is_not_missing(tmp_path, others):
    script = tmp_path / "run.sh"
    script.write_text(SIZED.format(others=others))
    report = lint_path(str(script), Around().of(str(script)), fixes=False)
    told = [each.rule.name for each in report.findings if each.severity != "info"]
    assert told == (["packing-has-engines"] if others == "--bf16" else [])


@pytest.mark.parametrize(("version", "release"), [("0.5.8", "0.5.9"), ("0.9.3", "0.9.3")])
def test_a_copy_that_is_older_than_any_release_is_like_the_oldest(tmp_path, version, release):
    (tmp_path / ".git").mkdir()
    (tmp_path / "openrlhf" / "cli").mkdir(parents=True)
    (tmp_path / "openrlhf" / "__init__.py").write_text("")
    (tmp_path / "version.txt").write_text(f"{version}\n")
    script = tmp_path / "run.sh"
    script.write_text(
        "python3 -m openrlhf.cli.train_ppo_ray --pretrain m --n_samples_per_prompt 8 --advantage_estimator rloo\n"
    )
    report = lint_path(str(script), Around().of(str(script)), fixes=False)
    assert report.launches[0].candidates[0].text == release


@pytest.mark.parametrize(
    "flags, severity",
    [("", "error"), ("--own_task t", "info"), ("--own_task t --advantage_estimator gae", "warning")],
)
def test_a_copy_may_set_by_a_flag_of_its_own_what_is_not_written(tmp_path, flags, severity):
    """The estimator is gae by default, and wants a critic: a copy that is handed a task of its own may give it one."""
    (tmp_path / ".git").mkdir()
    parser = tmp_path / "openrlhf" / "cli" / "train_ppo_ray.py"
    parser.parent.mkdir(parents=True)
    parser.write_text(
        'import argparse\n\nparser = argparse.ArgumentParser()\nparser.add_argument("--own_task")\nparser.add_argument("--pretrain")\n'
    )
    path = tmp_path / "run.sh"
    path.write_text(f"python -m openrlhf.cli.train_ppo_ray --pretrain m --packing_samples {flags}\n")
    report = lint_path(str(path), Around().of(str(path)))
    assert [each.severity for each in report.findings if each.rule.code == "GRPO848"] == [severity]


@pytest.mark.parametrize(
    ("declared", "flags", "told"),
    [("class_key", "--class topic", []), ("class_key", "--sort topic", ["GRPO102"])],
)
def test_the_parser_of_a_copy_completes_its_own_flags_too(tmp_path, declared, flags, told):
    report = linted_in_a_copy(tmp_path, declared, flags)
    assert [each.rule.code for each in report.findings if each.rule.code == "GRPO102"] == told


@pytest.mark.parametrize(("declared", "severity"), [("rollout_target_size", "info"), ("own_size", "warning")])
def test_a_copy_may_size_its_rollouts_by_a_flag_of_its_own(tmp_path, declared, severity):
    """How many completions are gathered before an update is then not what the two flags of a release say."""
    sizes = f"--train_batch_size 1024 --rollout_batch_size 16 --n_samples_per_prompt 8 --{declared} 1024"
    report = linted_in_a_copy(tmp_path, declared, sizes)
    assert [each.severity for each in report.findings if each.rule.code == "GRPO860"] == [severity]


def linted_in_a_copy(tmp_path, declared, flags):
    """The report of a command in a repository whose copy declares a flag of its own."""
    (tmp_path / ".git").mkdir()
    parser = tmp_path / "openrlhf" / "cli" / "train_ppo_ray.py"
    parser.parent.mkdir(parents=True)
    parser.write_text(f'parser.add_argument("--{declared}", type=str)\n')
    path = tmp_path / "run.sh"
    path.write_text(
        f"python -m openrlhf.cli.train_ppo_ray --pretrain m --prompt_data d --advantage_estimator group_norm {flags}\n"
    )
    return lint_path(str(path), Around().of(str(path)), fixes=False)


def test_a_copy_with_flags_of_later_releases_is_not_the_release_that_it_says_it_is(tmp_path):
    (tmp_path / ".git").mkdir()
    parser = tmp_path / "openrlhf" / "cli" / "train_ppo_ray.py"
    parser.parent.mkdir(parents=True)
    parser.write_text(
        'import argparse\n\nparser = argparse.ArgumentParser()\nparser.add_argument("--agent_func_path")\n'
    )
    (tmp_path / "openrlhf" / "__init__.py").write_text("")
    (tmp_path / "version.txt").write_text("0.6.0.post2\n")
    path = tmp_path / "run.sh"
    path.write_text(
        "python3 -m openrlhf.cli.train_ppo_ray --pretrain m --prompt_data d --n_samples_per_prompt 8 --advantage_estimator group_norm "
        "--agent_func_path a.py\n"
    )
    report = lint_path(str(path), Around().of(str(path)), fixes=False)
    assert "early-releases-are-told-a-reward" not in {each.rule.name for each in report.findings}


@pytest.mark.parametrize(
    ("branch", "told"),
    [("if not args.remote_rm_url:", True), ("if not args.remote_rm_url and args.reward_pretrain:", False)],
)
def test_a_copy_may_go_without_a_reward_model(tmp_path, branch, told):
    """Releases up to 0.7.0 split the names of reward models wherever no address is given; a copy may ask whether there are any."""
    (tmp_path / ".git").mkdir()
    parser = tmp_path / "openrlhf" / "cli" / "train_ppo_ray.py"
    parser.parent.mkdir(parents=True)
    parser.write_text(f'def train(args):\n    {branch}\n        reward_pretrains = args.reward_pretrain.split(",")\n')
    (tmp_path / "openrlhf" / "__init__.py").write_text("")
    (tmp_path / "version.txt").write_text("0.6.4\n")
    path = tmp_path / "run.sh"
    path.write_text(
        "python3 -m openrlhf.cli.train_ppo_ray --pretrain m --prompt_data d --n_samples_per_prompt 8 --advantage_estimator rloo\n"
    )
    report = lint_path(str(path), Around().of(str(path)), fixes=False)
    assert ("GRPO862" in [each.rule.code for each in report.findings]) is told


@pytest.mark.parametrize(
    "more, is_known",
    [
        ("--lr_scheduler magic", False),
        ("--lr_scheduler cosine", True),
        ("--attn_implementation magic", False),
        ("--attn_implementation sdpa", True),
        ("--attn_implementation kernels-community/flash-attn", True),
        ("--attn_implementation magic --packing_samples", True),  # which sets another one itself
    ],
)
def test_words_that_transformers_looks_up_are_those_that_it_knows(more, is_known):
    """OpenRLHF hands them on as they are, in each release that has the flags."""
    said = {finding.rule.name for finding in lint_text(with_flags(more), path="run.sh").findings}
    assert ("value-is-a-choice" not in said) == is_known
