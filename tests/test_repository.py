"""Configs and the scripts that start runs with them, seen together: where a finding stands, and that each cause is
told once."""

import json

import pytest

from conftest import comment
from grpo_lint.checker.contexts import Around
from grpo_lint.cli.main import main
from grpo_lint.engine import lint_path

RECIPE = """\
model_name_or_path: Qwen/Qwen2.5-1.5B-Instruct
max_completion_length: 512
learning_rate: 1.0e-06
num_generations: {group}
per_device_train_batch_size: 2
gradient_accumulation_steps: 1
"""
LAUNCH = "#!/bin/bash\n{facts}accelerate launch --num_processes {processes} train.py --config {config} {flags}\n"


@pytest.fixture
def repository(tmp_path, monkeypatch):
    (tmp_path / ".git").mkdir()
    (tmp_path / "recipes").mkdir()
    (tmp_path / "scripts").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def recipe(repository, group=8, facts="", name="recipes/grpo.yaml"):
    (repository / name).write_text(facts + RECIPE.format(group=group))


def script(repository, name, processes, flags="", config="recipes/grpo.yaml", facts=comment(version="1.16.0")):
    (repository / "scripts" / name).write_text(
        LAUNCH.format(processes=processes, flags=flags, config=config, facts=facts)
    )


def found(capsys, *words):
    """{path: [diagnostic]} of what `check` says, and its exit status."""
    status = main(["check", "--output-format", "json", *words])
    files = json.loads(capsys.readouterr().out)["files"]
    return {file["path"]: [each for each in file["diagnostics"] if each["severity"] < 3] for file in files}, status


def test_a_key_of_the_file_is_told_in_the_file_and_the_launch_is_named(repository, capsys):
    recipe(repository, group=7)
    script(repository, "train.sh", 4)
    files, status = found(capsys, ".")
    (diagnostic,) = files["recipes/grpo.yaml"]
    assert status == 1 and not files["scripts/train.sh"]
    assert diagnostic["range"]["start"]["line"] == 3
    assert any("--num_processes in scripts/train.sh" in each["message"] for each in diagnostic["relatedInformation"])


def test_a_flag_is_told_at_the_flag_and_the_file_is_named(repository, capsys):
    recipe(repository)
    script(repository, "train.sh", 4, "--num_generations 7")
    files, _ = found(capsys, ".")
    (diagnostic,) = files["scripts/train.sh"]
    assert not files["recipes/grpo.yaml"]
    uris = [each["location"]["uri"] for each in diagnostic["relatedInformation"]]
    assert any(uri.endswith("recipes/grpo.yaml") for uri in uris)


def test_one_cause_in_three_launches_is_one_diagnostic(repository, capsys):
    recipe(repository, group=7)
    for number, processes in enumerate((2, 4, 8)):
        script(repository, f"train{number}.sh", processes)
    files, _ = found(capsys, ".")
    assert [each["code"] for each in files["recipes/grpo.yaml"]] == ["GRPO203"]


def test_a_cause_that_another_script_has_as_well_is_told_of_the_one_that_is_asked_for(repository, capsys):
    recipe(repository, group=7)
    for name in ("first.sh", "second.sh"):
        script(repository, name, 4)
    for name in ("first.sh", "second.sh"):
        files, status = found(capsys, f"scripts/{name}")
        assert status == 1 and [each["code"] for each in files["recipes/grpo.yaml"]] == ["GRPO203"]


def test_of_one_cause_the_worse_finding_is_told(repository, capsys):
    (repository / "recipes" / "grpo.yaml").write_text(
        "num_generations: 4\nper_device_train_batch_size: 4\ngeneration_batch_size: 12\nreward_funcs: [accuracy]\n"
    )
    script(repository, "a.sh", 2, facts=comment(version="0.19.0"))  # does not test it
    script(repository, "b.sh", 2, facts=comment(version="0.19.1"))
    for asked, severity in (("scripts/a.sh", 2), ("scripts/b.sh", 1), (".", 1)):
        files, _ = found(capsys, asked)
        told = [each["severity"] for each in files["recipes/grpo.yaml"] if each["code"] == "GRPO204"]
        assert told == [severity], asked


def test_the_command_of_a_framework_is_enough_to_know_its_script(repository, capsys):
    (repository / "run.yaml").write_text("rlhf_type: grpo\nnum_generations: 7\nper_device_train_batch_size: 2\n")
    (repository / "run.sh").write_text(
        "#!/bin/bash\n# grpo-lint: version=4.6.0\nNPROC_PER_NODE=2 swift rlhf run.yaml\n"
    )
    files, status = found(capsys, "run.sh")
    assert status == 1 and "GRPO203" in [each["code"] for each in files["run.yaml"]]


def test_a_file_alone_is_judged_with_the_scripts_that_name_it(repository, capsys):
    recipe(repository, group=7)
    script(repository, "train.sh", 4)
    together, _ = found(capsys, ".")
    alone, status = found(capsys, "recipes/grpo.yaml")
    assert alone["recipes/grpo.yaml"] == together["recipes/grpo.yaml"] and status == 1


def test_a_script_alone_shows_what_it_breaks_in_its_file_and_nothing_else(repository, capsys):
    recipe(repository, group=7)
    script(repository, "good.sh", 7)
    script(repository, "bad.sh", 4)
    assert [each["code"] for each in found(capsys, "scripts/bad.sh")[0]["recipes/grpo.yaml"]] == ["GRPO203"]
    files, status = found(capsys, "scripts/good.sh")
    assert files["recipes/grpo.yaml"] == [] and status == 0


def test_a_launch_beats_the_comment_and_says_so(repository, capsys):
    recipe(repository, facts=comment(world_size=3, version="1.16.0"))
    script(repository, "train.sh", 4)
    files, _ = found(capsys, ".")
    (diagnostic,) = files["recipes/grpo.yaml"]
    assert diagnostic["code"] == "GRPO005" and "starts the run with 4" in diagnostic["message"]


def test_the_command_line_beats_the_launch(repository, capsys):
    recipe(repository)
    script(repository, "train.sh", 4)
    files, status = found(capsys, "--world-size", "3", ".")
    assert status == 1 and files["recipes/grpo.yaml"][0]["code"] == "GRPO203"


@pytest.mark.parametrize(
    ("where", "config"), [("scripts", "../recipes/grpo.yaml"), ("root", "recipes/grpo.yaml"), ("cd", "grpo.yaml")]
)
def test_a_name_counts_from_the_script_the_root_or_where_the_script_goes(repository, capsys, where, config):
    recipe(repository, group=7)
    facts = comment(version="1.16.0") + ('cd "$(git rev-parse --show-toplevel)/recipes"\n' if where == "cd" else "")
    script(repository, "train.sh", 4, config=config, facts=facts)
    assert [each["code"] for each in found(capsys, ".")[0]["recipes/grpo.yaml"]] == ["GRPO203"]


@pytest.mark.parametrize(("version", "wins"), [("3.12.6", "file"), ("4.6.0", "flag")])
def test_ms_swift_has_changed_who_wins(repository, capsys, version, wins):
    settings = "rlhf_type: grpo\nmodel: Qwen/Qwen3-8B\ndataset: [a]\nreward_funcs: [accuracy]\nper_device_train_batch_size: 2\nnum_generations: 8\n"
    (repository / "recipes" / "swift.yaml").write_text(settings)
    option = "--config " if version < "4" else ""
    line = f"NPROC_PER_NODE=4 swift rlhf {option}recipes/swift.yaml --num_generations 5\n"
    (repository / "scripts" / "train.sh").write_text(f"#!/bin/bash\n{comment(version=version)}{line}")
    files, _ = found(capsys, ".")
    assert bool(files["scripts/train.sh"]) == (wins == "flag")
    assert files["recipes/swift.yaml"] == []


def test_ms_swift_reads_json_as_well(repository, capsys):
    settings = {"rlhf_type": "grpo", "model": "Qwen/Qwen3-8B", "dataset": ["a"], "reward_funcs": ["accuracy"],
                "per_device_train_batch_size": 2, "num_generations": 5}  # fmt: skip
    (repository / "recipes" / "swift.json").write_text(json.dumps(settings, indent=4))
    (repository / "scripts" / "train.sh").write_text(
        f"#!/bin/bash\n{comment(version='4.6.0')}NPROC_PER_NODE=4 swift rlhf recipes/swift.json\n"
    )
    files, _ = found(capsys, "scripts")
    assert [each["code"] for each in files["recipes/swift.json"]] == ["GRPO203"]


def test_hidden_and_generated_folders_are_not_searched(repository, capsys):
    recipe(repository, group=7)
    for folder in (".cache", "node_modules"):
        (repository / folder).mkdir()
        (repository / folder / "train.sh").write_text(
            LAUNCH.format(processes=4, flags="", config="recipes/grpo.yaml", facts=comment(version="1.16.0"))
        )
    assert found(capsys, ".")[0]["recipes/grpo.yaml"] == []


def test_an_archive_without_a_repository_is_searched_all_the_same(repository, capsys):
    (repository / ".git").rmdir()
    recipe(repository)
    script(repository, "train.sh", 3)
    files, _ = found(capsys, ".")
    assert "3 processes" in files["recipes/grpo.yaml"][0]["message"]
    (repository / "setup.py").write_text("")
    files, _ = found(capsys, "recipes/grpo.yaml")
    assert "3 processes" in files["recipes/grpo.yaml"][0]["message"]


# --- commands that stand elsewhere than in scripts ------------------------------------------------------------------

STARTS = "accelerate launch --num_processes 3 train_grpo.py --config recipes/grpo.yaml"
MAKE = f"PROCESSES ?= 3\nCONFIG = recipes/grpo.yaml\n\ntrain: data\n\t@{STARTS.replace(' 3 ', ' $(PROCESSES) ').replace('recipes/grpo.yaml', '${CONFIG}')} \\\n\t\t--seed $$SEED\n"
JUST = f'config := "recipes/grpo.yaml"\n\ntrain:\n    {STARTS.replace("recipes/grpo.yaml", "{{config}}")}\n'
WORKFLOW = f"on: push\njobs:\n  train:\n    steps:\n      - run: |\n          {STARTS}\n"
JOB = f"apiVersion: batch/v1\nkind: Job\nspec:\n  command: [{', '.join(STARTS.split())}]\n"


@pytest.mark.parametrize(
    "name, text",
    [("Makefile", MAKE), ("train.mk", MAKE), ("justfile", JUST), (".github/workflows/train.yml", WORKFLOW), ("k8s/train.yaml", JOB)],
)  # fmt: skip
def test_every_place_of_commands_starts_runs(repository, capsys, name, text):
    recipe(repository)
    (repository / name).parent.mkdir(parents=True, exist_ok=True)
    (repository / name).write_text(text)
    files, status = found(capsys, "recipes/grpo.yaml")
    (diagnostic,) = (each for each in files["recipes/grpo.yaml"] if each["code"] == "GRPO203")
    assert "3 processes" in diagnostic["message"] and status == 1


def test_commands_of_a_makefile_are_judged(repository, capsys):
    recipe(repository)
    (repository / "Makefile").write_text(
        MAKE.replace("--seed", "--num_generations $(NONE) --learning_rate 1e-6 --seed")
    )
    (repository / "other.mk").write_text("train:\n\techo accelerate\n")
    files, _ = found(capsys, ".")
    assert not files["Makefile"] and not files["recipes/grpo.yaml"]
    (repository / "Makefile").write_text(MAKE.replace("--seed", "--num_generations 7 --seed"))
    assert "GRPO203" in str(found(capsys, ".")[0]["Makefile"])


# --- files that bear on runs of others ------------------------------------------------------------------------------


def test_a_changed_file_for_accelerate_is_judged_by_the_runs_that_use_it(repository, capsys):
    recipe(repository)
    (repository / "zero3.yaml").write_text("distributed_type: DEEPSPEED\nmixed_precision: bf16\nnum_processes: 7\n")
    (repository / "scripts" / "train.sh").write_text(
        "# grpo-lint: version=1.16.0\naccelerate launch --config_file zero3.yaml train_grpo.py --config recipes/grpo.yaml\n"
    )
    script(repository, "other.sh", 3, config="recipes/other.yaml")
    recipe(repository, name="recipes/other.yaml")
    files, status = found(capsys, "zero3.yaml")
    assert (
        status == 1 and "7 processes" in files["recipes/grpo.yaml"][0]["message"] and "recipes/other.yaml" not in files
    )
    (repository / "zero3.yaml").write_text("distributed_type: DEEPSPEED\nmixed_precision: bf16\nnum_processes: 8\n")
    assert found(capsys, "zero3.yaml")[1] == 0


def test_changed_requirements_are_judged_by_the_runs_that_they_pin(repository, capsys):
    recipe(repository, group=7, facts=comment(**{"world-size": 1}))
    recipe(repository, group=7, facts=comment(version="1.16.0", **{"world-size": 1}), name="recipes/stated.yaml")
    (repository / "requirements.txt").write_text("trl==1.16.0\n")
    files, status = found(capsys, "requirements.txt")
    assert status == 1 and files["recipes/grpo.yaml"] and not files.get("recipes/stated.yaml")


def test_a_file_for_accelerate_that_no_run_of_ours_uses_is_silent(repository, capsys):
    (repository / "zero3.yaml").write_text("distributed_type: DEEPSPEED\nnum_processes: 7\n")
    assert main(["check", "zero3.yaml"]) == 0


README = "# Recipes\n\n```bash\naccelerate launch --num_processes {} train_grpo.py --config recipes/grpo.yaml\n```\n\nThen `accelerate launch --num_processes 5` is no block.\n"


def test_a_readme_tells_the_processes_where_nothing_else_does(repository, capsys):
    recipe(repository, facts=comment(version="1.16.0"))
    (repository / "README.md").write_text(README.format(3))
    (diagnostic,) = found(capsys, "recipes/grpo.yaml")[0]["recipes/grpo.yaml"]
    assert (
        diagnostic["code"] == "GRPO203" and diagnostic["severity"] == 2 and "README.md, line 4" in diagnostic["message"]
    )
    recipe(repository, facts=comment(version="1.16.0", **{"world-size": 4}))
    assert not found(capsys, "recipes/grpo.yaml")[0]["recipes/grpo.yaml"]
    recipe(repository, facts=comment(version="1.16.0"))
    (repository / "README.md").write_text(README.format(3) + README.format(4))
    assert not found(capsys, "recipes/grpo.yaml")[0]["recipes/grpo.yaml"]
    script(repository, "train.sh", 4)
    (repository / "README.md").write_text(README.format(3))
    assert not found(capsys, "recipes/grpo.yaml")[0]["recipes/grpo.yaml"]


# --- programs that read no file -------------------------------------------------------------------------------------

QUICK_START = """from datasets import load_dataset
from trl import GRPOConfig, GRPOTrainer


class MyTrainer(GRPOTrainer):
    def _get_train_sampler(self):
        return None


trainer = MyTrainer("Qwen/Qwen3-0.6B", args=GRPOConfig(output_dir="out", num_generations=4), train_dataset=load_dataset("a/b"))
trainer.train()
"""


def test_a_program_that_reads_no_file_says_nothing_of_the_files_beside_it(repository, capsys):
    recipe(repository, group=7, facts=comment(version="1.16.0", world_size=8))
    before = found(capsys, "recipes/grpo.yaml")
    assert before[1] == 1
    (repository / "quickstart.py").write_text(QUICK_START)
    assert found(capsys, "recipes/grpo.yaml") == before


@pytest.mark.parametrize(
    "reading",
    [
        "import yaml\n",
        "from omegaconf import OmegaConf\n",
        "from mine import settings\n",
    ],
)
def test_a_program_that_may_read_one_may_train_with_it(repository, capsys, reading):
    recipe(repository, group=7, facts=comment(version="1.16.0", world_size=8))
    (repository / "mine.py").write_text("import yaml\n\nsettings = yaml.safe_load(open('a.yaml'))\n")
    (repository / "train.py").write_text(reading + QUICK_START)
    files, _ = found(capsys, "recipes/grpo.yaml")
    assert [each["severity"] for each in files["recipes/grpo.yaml"]] != [1]


# --- whole paths of another machine ---------------------------------------------------------------------------------

OWN_PARSER = """\
from argparse import ArgumentParser
from trl import GRPOConfig, GRPOTrainer
parser = ArgumentParser()
parser.add_argument("--num_generations", type=int, default=8)
args = parser.parse_args()
GRPOTrainer(args=GRPOConfig(per_device_train_batch_size=8, num_generations=args.num_generations))
"""


def test_a_flag_that_a_program_declares_abbreviates_none_of_the_framework(repository):
    """`reward_func` begins `reward_funcs`, a field of a class that this parser is not given."""
    (repository / "train.py").write_text(
        "from dataclasses import dataclass\nfrom transformers import HfArgumentParser\nfrom trl import GRPOConfig, GRPOTrainer\n"
        "@dataclass\nclass Mine:\n    reward_func: str = 'em'\n"
        "mine, config = HfArgumentParser((Mine, GRPOConfig)).parse_args_into_dataclasses()\nGRPOTrainer(args=config)\n"
    )
    script = repository / "run.sh"
    script.write_text(
        f"{comment(version='1.16.0')}python train.py --reward_func em --num_generations 8 --output_dir x\n"
    )
    report = lint_path(str(script), Around().of(str(script)), fixes=False)
    assert "key-is-known" not in {each.rule.name for each in report.findings}


@pytest.mark.parametrize(
    "path",
    ["/gpfs/me/mine/src/own.py", "$BASE/src/own.py", "${WORK}_2/mine/src/own.py"],
    ids=["a whole path", "an unknown beginning", "an unknown part"],
)
def test_a_program_of_another_machine_is_the_one_whose_end_it_has(repository, capsys, path):
    (repository / "src").mkdir()
    (repository / "src/own.py").write_text(OWN_PARSER)
    (repository / "scripts/run.sh").write_text(f"{comment(version='1.16.0')}python {path} --num_generations 3\n")
    assert main(["check", "."]) == 1
    told = capsys.readouterr().out
    assert "GRPO203" in told and "src/own.py" in told
    (repository / "scripts/run.sh").write_text(f"python {path.rpartition('src')[0]}own.py --num_generations 3\n")
    assert main(["check", "src"]) == 0  # one part is too little
    (repository / "scripts/own.py").write_text(OWN_PARSER)
    assert main(["check", "scripts"]) == 1  # unless it is beside the command


def test_files_of_another_machine_are_those_whose_end_they_have_and_explain_says_so(repository, capsys):
    recipe(repository)
    script(repository, "run.sh", 1, config="/home/me/mine/recipes/grpo.yaml")
    assert main(["check", "recipes"]) == 1
    assert "started by scripts/run.sh" in " ".join(capsys.readouterr().out.split())
    main(["explain", "scripts/run.sh"])
    told = " ".join(capsys.readouterr().out.split())
    assert "recipes/grpo.yaml is taken for /home/me/mine/recipes/grpo.yaml, whose end it is" in told
