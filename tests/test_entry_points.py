"""verl's other programs, and programs of somebody's own: what surely holds there is judged, and what is judged is said. The answers of
Hydra are recorded (`conformance/verl/entry_verdicts.py`)."""

import gzip
import json
from pathlib import Path

import pytest

from conftest import lint_text, names, plan_of, said
from grpo_lint.checker.contexts import Around
from grpo_lint.cli.main import main
from grpo_lint.engine import lint_path
from grpo_lint.frameworks.registry import commands, framework as framework_named
from grpo_lint.launch.context import Context
from grpo_lint.launch.files import Files
from grpo_lint.launch.repository import Repository
from grpo_lint.report.messages import message

RECORDED = Path(__file__).parent / "entered" / "verl.jsonl.gz"
CASES = [json.loads(line) for line in gzip.decompress(RECORDED.read_bytes()).splitlines()]
ENTRY_POINTS = {entry.name: entry for own in commands() for entry in own.entry_points if not entry.fork}
MEANT = {
    "dapo": "recipe.dapo.main_dapo",
    "fully_async": "verl.experimental.fully_async_policy.fully_async_main",
    "one_step_off": "verl.experimental.one_step_off_policy.main_ppo",
}
BASE = {
    "algorithm.adv_estimator": "grpo",
    "data.train_batch_size": 64,
    "actor_rollout_ref.actor.ppo_mini_batch_size": 32,
    "actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu": 4,
    "actor_rollout_ref.rollout.log_prob_micro_batch_size_per_gpu": 8,
    "actor_rollout_ref.ref.log_prob_micro_batch_size_per_gpu": 8,
    "actor_rollout_ref.rollout.name": "vllm",
    "actor_rollout_ref.rollout.n": 8,
    "trainer.n_gpus_per_node": 8,
}
SEPARATE = {"actor_rollout_ref.hybrid_engine": False, "actor_rollout_ref.rollout.calculate_log_probs": True}


def command(program, *words, **changes):
    settings = {path: changes.get(path.rpartition(".")[2], value) for path, value in BASE.items()}
    told = [f"{path}={value}" for path, value in settings.items() if value is not None]
    return " \\\n    ".join([f"python3 -m {program}", *told, *words]) + "\n"


def separate(program, *words, **changes):
    return command(program, *(f"{path}={value}" for path, value in SEPARATE.items()), *words, **changes)


def judged(text, version, **more):
    first = f"# grpo-lint: version={version}\n" if version else ""
    return lint_text(first + text, path="run.sh", **more)


# --- keys -----------------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['file']}-{case['release']}")
def test_keys_are_taken_and_refused_as_by_hydra(case):
    start = f"python3 -m {MEANT[case['entry']]} --config-name={case['file']} trainer.nnodes=1"
    if "experimental" in start and case["release"] < "0.7.1":
        start = start.replace("verl.experimental", "recipe")
    for word in (*case["taken"], *case["refused"]):
        told = names(judged(f"{start} {word}\n", case["release"]), "error", "warning")
        is_refused = not {
            "key-is-known",
            "key-is-of-this-version",
            "appended-key-is-new",
            "field-outside-the-tree-is-appended",
        }.isdisjoint(told)
        follows_another = word.startswith("+")  # Hydra takes it where the other setting is null, which is not looked up
        assert is_refused == (word in case["refused"]) or (follows_another and not is_refused), (word, told)


def test_a_misspelt_key_of_a_program_is_told_with_its_place():
    text = separate(MEANT["fully_async"], "async_training.require_batch=2", train_batch_size=0)
    finding = said(judged(text, "0.9.0"), "key-is-known")
    assert finding.severity == "error" and "async_training.require_batches" in message(finding)


def test_the_files_of_a_recipe_that_are_not_here_may_hold_other_keys():
    told = said(judged(command(MEANT["dapo"], "reward.mine=1"), "0.9.0"), "key-is-known")
    assert told.severity == "warning" and "not here" in told.note


# --- what holds in which release ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("program", "version", "is_refused"),
    [
        ("recipe.dapo.main_dapo", "0.5.0", True),
        ("recipe.dapo.main_dapo", "0.6.1", False),
        ("recipe.dapo.main_dapo", "0.7.0", False),
        ("recipe.dapo.main_dapo", "0.7.1", True),
        ("recipe.one_step_off_policy.main_ppo", "0.6.1", True),
        ("verl.experimental.fully_async_policy.fully_async_main", "0.9.0", False),
    ],
)
def test_the_checks_before_the_start_are_those_of_the_program(program, version, is_refused):
    found = names(judged(separate(program, ppo_mini_batch_size=128, ppo_micro_batch_size_per_gpu=8), version), "error")
    assert ("rollout-holds-an-update" in found) == is_refused


@pytest.mark.parametrize("program", MEANT.values())
def test_workers_are_those_of_verl(program):
    program = program.replace("verl.experimental", "recipe")
    found = names(judged(separate(program, ppo_micro_batch_size_per_gpu=5), "0.7.0"), "error")
    assert "rank-update-holds-whole-micro-batches" in found


@pytest.mark.parametrize(("version", "is_refused"), [("0.6.1", True), ("0.7.0", True), ("0.9.0", False)])
def test_generation_has_to_keep_its_log_probs(version, is_refused):
    program = (
        MEANT["fully_async"] if version == "0.9.0" else MEANT["fully_async"].replace("verl.experimental", "recipe")
    )
    text = command(program, "actor_rollout_ref.hybrid_engine=False", train_batch_size=0)
    assert ("generation-keeps-its-log-probs" in names(judged(text, version), "error")) == is_refused


# --- plans ----------------------------------------------------------------------------------------------------------


def test_with_a_filter_a_rollout_of_dapo_is_what_is_trained_on():
    words = ("data.gen_batch_size=192", "algorithm.filter_groups.enable=True")
    plan = plan_of(judged(command(MEANT["dapo"], *words), "0.7.0"))
    assert plan.value("prompts_per_rollout") == 64 and plan.value("updates_per_rollout") == 2
    assert plan.value("rollouts") is None  # of how many batches of prompts a step is made, the data says


def test_without_a_filter_dapo_trains_on_all_that_it_generates():
    plan = plan_of(judged(command(MEANT["dapo"], "data.gen_batch_size=192"), "0.7.0"))
    assert plan.value("prompts_per_rollout") == 192 and plan.value("updates_per_rollout") == 6


def test_dapo_generates_other_batches_than_it_trains_on():
    words = ("data.gen_batch_size=33", "algorithm.filter_groups.enable=True")
    text = command(MEANT["dapo"], *words, n=4)
    assert "rows-divide-over-generation" in names(judged(text, "0.7.0"), "error")
    assert "rows-divide-over-generation" not in names(judged(text.replace("=33", "=32"), "0.7.0"), "error")


def test_a_fully_asynchronous_run_has_updates_and_no_rollouts():
    text = separate(MEANT["fully_async"], "rollout.nnodes=2", "rollout.n_gpus_per_node=4", train_batch_size=0)
    plan = plan_of(judged(text, "0.9.0"))
    assert plan.value("completions_per_update") == 256 and plan.value("completions_per_rollout") is None
    assert plan.value("generation_engines") == 4  # 8 GPUs that only generate, 2 for each engine


def test_a_run_one_step_off_is_never_on_policy():
    plan = plan_of(judged(separate(MEANT["one_step_off"], ppo_mini_batch_size=64), "0.8.0"))
    assert plan.value("updates_per_rollout") == 1 and plan.value("on_policy") is False


def test_what_a_program_changes_outlives_later_changes_of_the_usual_one():
    for entry in ENTRY_POINTS.values():
        other = framework_named("verl", entry)
        assert {regime.formulas["use_v1"][0].text for regime in other.arithmetic.regimes if regime.since >= (0, 9)} == {
            "False"
        }


def test_trajectories_of_several_agents_are_no_group():
    text = command("verl.trainer.main_ppo", "actor_rollout_ref.rollout.n_agent=5", "data.max_obs_length=500", n=1)
    plan = plan_of(judged(text, ""))
    assert plan.value("group_size") is None and plan.value("prompts_per_update") is None


# --- programs of somebody's own -------------------------------------------------------------------------------------

TREE = "defaults:\n  - ppo_trainer\n  - _self_\nhydra:\n  searchpath:\n    - pkg://verl.trainer.config\nmine:\n  a: 1\n"
PROGRAM = """import hydra
from verl.trainer.main_ppo import run_ppo


@hydra.main(config_path="{folder}", config_name="{name}", version_base=None)
def main(config):
    {body}


main()
"""


def own(folder, words, body="run_ppo(config)", tree=TREE, place="config", name="mine", module="my/main_ppo.py"):
    """The report of a script that starts a program of the repository."""
    (folder / ".git").mkdir()
    for path, text in {
        module: PROGRAM.format(folder=place, name=name, body=body),
        f"my/config/{name}.yaml": tree,
    }.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    script = folder / "run.sh"
    script.write_text("# grpo-lint: version=0.9.1\n" + command("my.main_ppo", *words), encoding="utf-8")
    return lint_path(str(script), Context(files=Files(str(script)), repository=Repository()))


def test_a_program_that_hands_its_settings_on_is_judged_as_the_usual_one(tmp_path):
    report = own(tmp_path, ("mine.a=2",))
    assert "program-is-known" not in names(report) and plan_of(report).value("group_size") == 8


@pytest.mark.parametrize(
    "body", ["config.data.x = 1\n    run_ppo(config)", "run_ppo(config, task_runner_class=Mine)", "train(config)"]
)
def test_of_a_program_that_does_more_only_keys_are_judged(tmp_path, body):
    report = own(tmp_path, ("mine.a=2", "mine.b=3"), body)
    assert names(report, "error", "warning") == ["key-is-known"]
    assert said(report, "key-is-known").at.name == "mine.b"
    assert "keys are checked" in message(said(report, "program-is-known"))
    assert plan_of(report).value("completions_per_update") is None


FOLDER_NAMED = ("--config-path=config", "--config-name=mine")


def test_a_program_whose_command_names_the_folder_is_no_other_one(tmp_path):
    report = own(tmp_path, (*FOLDER_NAMED, "mine.a=2", "mine.b=3"), "train(config)", place="elsewhere")
    assert names(report, "error", "warning") == ["key-is-known"]
    assert "keys are checked" in message(said(report, "program-is-known"))
    assert plan_of(report).value("completions_per_update") is None


def test_with_a_named_folder_a_program_may_hand_its_settings_on(tmp_path):
    report = own(tmp_path, (*FOLDER_NAMED, "mine.a=2"), place="elsewhere")
    assert "program-is-known" not in names(report) and plan_of(report).value("group_size") == 8


def test_the_workers_of_a_program_with_a_named_folder_are_its_own(tmp_path):
    words = (*FOLDER_NAMED, "actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu=5")
    found = names(own(tmp_path, words, "train(config)", place="elsewhere"), "error")
    assert found == []
    (tmp_path / "my/main_ppo.py").write_text(PROGRAM.format(folder="elsewhere", name="mine", body="run_ppo(config)"))
    script = tmp_path / "run.sh"
    report = lint_path(str(script), Context(files=Files(str(script)), repository=Repository()))
    assert "rank-update-holds-whole-micro-batches" in names(report, "error")


OWN_CONFIG = """data:
  train_batch_size: 60
actor_rollout_ref:
  actor:
    ppo_mini_batch_size: 60
    ppo_micro_batch_size_per_gpu: 7
    use_dynamic_bsz: false
    strategy: fsdp
  rollout:
    n: 5
algorithm:
  adv_estimator: grpo
trainer:
  n_gpus_per_node: 8
  nnodes: 1
"""
ITS_MAIN = """import hydra
import ray
{imports}

@hydra.main({where}, version_base=None)
def main(config):
    run(config)


def run(config):
    if not ray.is_initialized():
        ray.init()
    {body}


if __name__ == "__main__":
    main()
"""
OWN_WORKERS = "from pkg.trainer import Mine", "Mine(config).fit()"
VERLS_MAIN = "from verl.trainer.main_ppo import run_ppo", "run_ppo(config)"
VERLS_RUNNER = (
    "from verl.trainer.main_ppo import TaskRunner",
    "runner = TaskRunner.remote()\n    ray.get(runner.run.remote(config))",
)
OWN_RUNNER = "class TaskRunner:\n    def run(self, config): ...\n", VERLS_RUNNER[1]
ITS_OWN_FILE = 'config_path="config", config_name="own"'
OF_VERL = 'config_path="../verl/trainer/config", config_name="ppo_trainer"'
STARTS = {
    "a folder and a name behind -m": ("python -m pkg.main --config-path=config --config-name=own", OF_VERL),
    "the same by its path": ("python3 pkg/main.py --config-path=config --config-name=own trainer.nnodes=1", OF_VERL),
    "a folder from the root": ('python -m pkg.main --config-path="$(pwd)/pkg/config" --config-name=own', OF_VERL),
    "a name": ("python -m pkg.main --config-name own", ITS_OWN_FILE),
    "from its folder": ("cd pkg\npython main.py --config-name=own", ITS_OWN_FILE),
    "short options": ("cd pkg && python main.py -cp config -cn own.yaml", OF_VERL),
    "a job of ray": ("ray job submit --working-dir . -- python -m pkg.main --config-name=own", ITS_OWN_FILE),
    "no word": ("python -m pkg.main", ITS_OWN_FILE),
    "no word, by its path": ("python pkg/main.py", ITS_OWN_FILE),
    "only others": ("python -m pkg.main trainer.nnodes=1", ITS_OWN_FILE),
}


def with_a_program(folder, how, where=ITS_OWN_FILE, command="", name="main", above=TREE.partition("mine")[0]):
    """The report of a config from which a program of the repository starts."""
    files = {
        f"pkg/{name}.py": ITS_MAIN.format(imports=how[0], body=how[1], where=where),
        "pkg/config/own.yaml": above + OWN_CONFIG,
        "requirements.txt": "verl==0.7.0\n",
        **({f"scripts/{name}.sh": f"{command}\n"} if command else {}),
    }
    (folder / ".git").mkdir(exist_ok=True)
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    config = str(folder / "pkg/config/own.yaml")
    return lint_path(config, Around(asked=[str(folder)]).of(config))


@pytest.mark.parametrize("command, where", STARTS.values(), ids=STARTS)
def test_a_config_is_judged_as_the_program_trains_that_starts_from_it(tmp_path, command, where):
    for how in (VERLS_MAIN, VERLS_RUNNER):
        found = with_a_program(tmp_path, how, where, command)
        assert "batch-divides-over-gpus" in names(found, "error")
    for how in (OWN_WORKERS, OWN_RUNNER):
        found = with_a_program(tmp_path, how, where, command)
        assert found.launches != [] and names(found, "error", "warning") == []


@pytest.mark.parametrize("above", ["", TREE.partition("mine")[0]], ids=["whole", "on the tree"])
def test_the_program_of_a_config_is_found_without_a_command(tmp_path, above):
    found = with_a_program(tmp_path, VERLS_MAIN, above=above)
    assert "batch-divides-over-gpus" in names(found, "warning")
    assert names(with_a_program(tmp_path, OWN_WORKERS, above=above), "error", "warning") == []


def test_of_two_programs_that_start_from_a_config_both_have_to_refuse(tmp_path):
    with_a_program(tmp_path, VERLS_MAIN)
    assert names(with_a_program(tmp_path, OWN_WORKERS, name="other"), "error", "warning") == []
    assert "batch-divides-over-gpus" in names(with_a_program(tmp_path, VERLS_MAIN, name="other"), "warning")


def test_a_program_that_computes_the_folder_of_its_file_is_known_by_the_name_of_that(tmp_path):
    where = 'config_path=FOLDER, config_name="own"'
    assert names(with_a_program(tmp_path, OWN_WORKERS, where), "error", "warning") == []


@pytest.mark.parametrize("word", ["trainer.nnodes=1", "actor_rollout_ref.rollout.n=5"], ids=["unmarked", "marked"])
def test_a_program_that_is_not_here_is_none_of_verl(tmp_path, word):
    command = f"python -m pkg.main --config-path=config --config-name=own {word}"
    with_a_program(tmp_path, OWN_WORKERS, command=command)
    (tmp_path / "pkg/main.py").unlink()
    for path in ("scripts/main.sh", "pkg/config/own.yaml"):
        report = lint_path(str(tmp_path / path), Around(asked=[str(tmp_path)]).of(str(tmp_path / path)))
        assert report.launches != [] and names(report, "error") == []


def test_no_section_of_a_program_of_ones_own_is_strict(tmp_path):
    words = "+actor_rollout_ref.actor.mine=1 +actor_rollout_ref.rollout.mine=2"
    command = f"python -m pkg.main --config-name=own {words}"
    for how, is_refused in ((OWN_WORKERS, False), (VERLS_MAIN, True)):
        with_a_program(tmp_path, how, command=command)
        script = str(tmp_path / "scripts/main.sh")
        found = names(lint_path(script, Around(asked=[str(tmp_path)]).of(script)), "error")
        assert ("appended-key-is-a-field" in found) == is_refused


@pytest.mark.parametrize(
    "made, word, is_refused",
    [
        ("mine.Actor", "+actor_rollout_ref.actor.mine=1", False),
        ("mine.Actor", "+actor_rollout_ref.actor.strategy=fsdp", True),  # which is there
        ("mine.Actor", "+actor_rollout_ref.rollout.mine=1", True),
        ("verl.workers.config.FSDPActorConfig", "+actor_rollout_ref.actor.mine=1", True),
    ],
)
def test_a_section_of_another_class_may_have_any_field(made, word, is_refused):
    text = command("verl.trainer.main_ppo", word, f"actor_rollout_ref.actor._target_={made}")
    assert (names(judged(text, "0.9.1"), "error") != []) == is_refused


def test_a_program_of_hydra_with_settings_of_its_own_is_none_of_a_framework(tmp_path):
    with_a_program(tmp_path, VERLS_MAIN, command="python -m pkg.main --config-name=own trainer.nodes=1")
    (tmp_path / "pkg/config/own.yaml").write_text("data:\n  train_batch_size: 60\ntrainer:\n  nnodes: 1\n")
    script = str(tmp_path / "scripts/main.sh")
    report = lint_path(script, Around(asked=[str(tmp_path)]).of(script))
    assert report.launches == [] and report.findings == []


def test_a_program_may_start_from_the_tree_itself(tmp_path):
    report = own(tmp_path, (), place="pkg://verl.trainer.config", name="ppo_trainer")
    assert "program-is-known" not in names(report) and plan_of(report).value("group_size") == 8


def test_of_a_program_with_a_tree_of_its_own_only_the_grammar_is_judged(tmp_path):
    report = own(tmp_path, ("mine.b=3", "mine.c=a=b"), "train(config)", tree="mine:\n  a: 1\n")
    assert names(report) == ["program-is-known", "override-can-be-read"] and report.launches == []


def test_a_comment_says_that_a_program_trains_as_the_usual_one(tmp_path):
    own(tmp_path, (), "train(config)")
    script = tmp_path / "run.sh"
    script.write_text("# grpo-lint: dialect=verl version=0.9.1\n" + command("my.main_ppo"), encoding="utf-8")
    report = lint_path(str(script), Context(files=Files(str(script)), repository=Repository()))
    assert "program-is-known" not in names(report) and plan_of(report).value("group_size") == 8


@pytest.mark.parametrize(
    "code",
    ["(" * 5000, "import hydra\n" + "x = " + "(" * 300, "import hydra\n@hydra.main(*a, **b)\ndef main(c): ...", ""],
)
def test_programs_that_cannot_be_read_are_not_known(tmp_path, code):
    own(tmp_path, ())
    (tmp_path / "my" / "main_ppo.py").write_text(code, encoding="utf-8")
    script = tmp_path / "run.sh"
    report = lint_path(str(script), Context(files=Files(str(script)), repository=Repository()))
    assert names(report) == ["program-is-known"]


# --- forks ----------------------------------------------------------------------------------------------------------


def test_keys_that_only_a_fork_can_know_are_named():
    text = command("verl.trainer.main_ppo", "data.max_obs_length=500", "actor_rollout_ref.rollout.n_agent=5")
    told = message(said(judged(text, ""), "program-is-known"))
    assert "data.max_obs_length and actor_rollout_ref.rollout.n_agent" in told


@pytest.mark.parametrize(
    "program, text",
    [
        ("verl/trainer/main_ppo.py", "actor_rollout_ref:\n  rollout:\n    mode: sync\n    n: 5\ndata: {}\n"),
        ("verl/trainer/main.py", "data:\n  rollout_batch_size: 5\nworker:\n  rollout:\n    n: 3\ntrainer: {}\n"),
    ],
    ids=["verl", "easyr1"],
)
def test_the_tree_of_a_copy_starts_no_run_of_its_own(tmp_path, program, text, monkeypatch, capsys):
    (tmp_path / ".git").mkdir()
    for path, content in {program: "", "verl/trainer/config/_generated_x.yaml": text, "mine/x.yaml": text}.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(content)
    monkeypatch.chdir(tmp_path)

    def skipped(*paths):
        main(["check", "--output-format", "json", *paths])
        return {file["path"]: file["skipped"] for file in json.loads(capsys.readouterr().out)["files"]}

    copied = "verl/trainer/config/_generated_x.yaml"
    met = skipped(".")
    assert "the defaults of the copy of" in met[copied] and met["mine/x.yaml"] is None
    assert skipped(copied) == {copied: None}


# --- programs of one's own that compute where their file lies, and hand a task runner on -----------------------------

OWN = """\
import os
from importlib.resources import files
from pathlib import Path
import hydra, ray, verl.trainer.main_ppo
from verl.trainer import main_ppo
from verl.trainer.main_ppo import TaskRunner, run_ppo
from verl.utils.device import auto_set_device
FOLDER = {folder}
class Mine(TaskRunner):
    "Patches what is logged."
    def run(self, config):
        import mine
        return {passed}
@hydra.main(config_path=FOLDER, config_name="ppo_trainer", version_base=None)
def main(config):
    auto_set_device(config)
    run_ppo(config, task_runner_class=ray.remote(num_cpus=1)(Mine))
main()
"""
FOLDERS = (
    'str(Path(verl.trainer.main_ppo.__file__).parent / "config")',
    'os.path.join(os.path.dirname(main_ppo.__file__), "config")',
    'str(files("verl.trainer") / "config")',
    '"pkg://verl.trainer.config"',
)


@pytest.mark.parametrize("folder", FOLDERS)
@pytest.mark.parametrize("passed", ["super().run(config)", "go(config)"])
def test_a_program_that_computes_the_folder_of_the_tree(tmp_path, folder, passed):
    (tmp_path / ".git").mkdir()
    (tmp_path / "train.py").write_text(OWN.format(folder=folder, passed=passed))
    script = tmp_path / "run.sh"
    script.write_text(command("x", train_batch_size=16).replace("-m x", "train.py"))
    report = lint_path(str(script), Around().of(str(script)))
    refused = "rollout-holds-an-update" in names(report)
    assert len(report.launches) == 1 and refused == passed.startswith("super"), names(report)


def test_a_folder_that_is_computed_from_the_place_of_the_program(tmp_path):
    (tmp_path / ".git").mkdir()
    (tmp_path / "src").mkdir()
    (tmp_path / "configs").mkdir()
    (tmp_path / "configs" / "ppo_trainer.yaml").write_text("actor_rollout_ref: {rollout: {n: 5}}\n")
    folder = 'os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "configs")'
    (tmp_path / "src" / "train.py").write_text(OWN.format(folder=folder, passed="super().run(config)"))
    script = tmp_path / "run.sh"
    script.write_text("python src/train.py actor_rollout_ref.rollout.n=8\n")
    assert len(lint_path(str(script), Around().of(str(script))).launches) == 1


@pytest.mark.parametrize(
    "text, is_usual",
    [
        ("from verl.trainer.main_ppo import main\n\nif __name__ == '__main__':\n    main()\n", True),
        ("import os\nimport sys\nfrom verl.trainer import main_ppo\nos.environ['A'] = '1'\nsys.path.insert(0, '.')\nmain_ppo.main()\n", True),
        ("import verl.trainer.main_ppo\ndef start():\n    verl.trainer.main_ppo.main()\nstart()\n", True),
        ("import runpy\nrunpy.run_module('verl.trainer.main_ppo', run_name='__main__')\n", True),
        ("import my_estimators\nfrom verl.trainer.main_ppo import main\nmain()\n", False),
        ("from verl.trainer import main_ppo\nmain_ppo.run_ppo = None\nmain_ppo.main()\n", False),
        ("from verl.trainer.main_ppo import main\n@own\ndef start():\n    main()\nstart()\n", False),
        ("from verl.trainer.main_ppo import main, main as again\nmain()\nagain()\n", None),
        ("from elsewhere.main_ppo import main\nmain()\n", None),
    ],
)  # fmt: skip
def test_a_program_that_only_calls_the_main_function_is_the_usual_one(tmp_path, text, is_usual):
    (tmp_path / ".git").mkdir()
    (tmp_path / "start.py").write_text(text, encoding="utf-8")
    words = command("X", "actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu=5", "trainer.nodes=1")
    script = tmp_path / "run.sh"
    script.write_text("# grpo-lint: version=0.9.1\n" + words.replace("-m X", "start.py"), encoding="utf-8")
    report = lint_path(str(script), Context(files=Files(str(script)), repository=Repository()))
    assert ("key-is-known" in names(report, "error", "warning")) is (is_usual is not None)
    assert ("rank-update-holds-whole-micro-batches" in names(report, "error")) is bool(is_usual)
