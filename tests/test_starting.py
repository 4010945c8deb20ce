"""`check -- COMMAND` and `run COMMAND`: a command is judged as it is about to start here, and started."""

import json
import os
import signal
import subprocess
import sys

import pytest
from test_copies import SETTINGS as SETTINGS_OF_VERL

RECIPE = """\
model_name_or_path: Qwen/Qwen2.5-0.5B
dataset_name: trl-lib/tldr
per_device_train_batch_size: 2
num_generations: 8
"""
TRAIN = """\
from trl import GRPOConfig, GRPOTrainer, ModelConfig, ScriptArguments, TrlParser
if __name__ == "__main__":
    _, arguments, _ = TrlParser((ScriptArguments, GRPOConfig, ModelConfig)).parse_args_and_config()
    GRPOTrainer(args=arguments).train()
"""
LAUNCH = ("accelerate", "launch", "--num_processes", "7", "train.py", "--config", "recipe.yaml")


@pytest.fixture
def place(tmp_path, monkeypatch):
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "recipe.yaml").write_text(RECIPE)
    (folder / "train.py").write_text(TRAIN)
    return folder


def environment(tmp_path, *releases, name="venv", programs=("accelerate", "torchrun", "trl", "swift")):
    """The folder of programs of a made environment in which releases are installed."""
    prefix = tmp_path / name
    packages = prefix / "lib" / "python3.11" / "site-packages"
    packages.mkdir(parents=True)
    (prefix / "bin").mkdir()
    (prefix / "pyvenv.cfg").write_text("home = /nowhere/bin\ninclude-system-site-packages = false\n")
    (prefix / "bin" / "python").symlink_to(sys.executable)
    for program in programs:
        path = prefix / "bin" / program
        path.write_text(f"#!{prefix}/bin/python\nprint('started')\n")
        path.chmod(0o755)
    for release in releases:
        (packages / f"{release}.dist-info").mkdir()
    return prefix / "bin"


def grpo_lint(folder, *words, path=None, **variables):
    own = {name: value for name, value in os.environ.items() if not name.startswith(("CUDA", "NPROC", "WORLD", "HF_"))}
    own["PATH"] = os.pathsep.join([str(path), own["PATH"]]) if path else own["PATH"]
    own["HF_HOME"] = str(folder / "no-cache")
    return subprocess.run(
        [sys.executable, "-m", "grpo_lint", *words],
        cwd=folder,
        env={**own, **variables},
        capture_output=True,
        encoding="utf-8",
        timeout=120,
    )


def judged(folder, *words, path=None, **variables):
    """({file: codes of its findings}, [(release, its source, processes, their source)] of the launches)."""
    result = grpo_lint(folder, "check", "--output-format", "json", "--", *words, path=path, **variables)
    assert result.stdout, result.stderr
    files = json.loads(result.stdout)["files"]
    codes = {
        file["path"]: [each["code"] for each in file["diagnostics"] if each["severity"] < 3]
        for file in files
        if file["diagnostics"]
    }
    launches = [
        (each["framework_version"], each["version_source"], each["world_size"], each["world_size_source"])
        for file in files
        for each in file["launches"]
    ]
    return {path: found for path, found in codes.items() if found}, launches


# --- what is found --------------------------------------------------------------------------------------------------


def test_a_command_is_judged_with_the_release_of_the_interpreter_that_it_starts(place, tmp_path):
    programs = environment(tmp_path, "trl-1.16.0", "transformers-4.57.1")
    codes, launches = judged(place, *LAUNCH, path=programs)
    assert codes == {"recipe.yaml": ["GRPO203"]}
    assert launches[0] == ("1.16.0", f"installed in {programs.parent}", 7, "--num_processes")
    codes, launches = judged(place, *LAUNCH, path=environment(tmp_path, "trl-0.14.0", name="old"))
    assert codes == {} and launches[0][0] == "0.14.0"


@pytest.mark.parametrize(
    "words",
    [
        ("python", "train.py"),
        ("nohup", "python3", "-u", "train.py"),
        ("torchrun", "--nproc_per_node", "3", "train.py"),
        ("python", "-m", "torch.distributed.run", "--nproc_per_node=3", "train.py"),
        ("srun", "--nodes", "1", "python", "train.py"),
        ("env", "A=b", "torchrun", "train.py"),
    ],
    ids=" ".join,
)
def test_the_interpreter_is_found_behind_what_leaves_the_environment_alone(place, tmp_path, words):
    programs = environment(tmp_path, "trl-1.16.0", programs=("torchrun", "python3"))
    _, launches = judged(place, *words, "--config", "recipe.yaml", path=programs)
    assert {launch[0] for launch in launches} == {"1.16.0"}
    assert {launch[1] for launch in launches} == {f"installed in {programs.parent}"}


@pytest.mark.parametrize(
    ("first", "named"),
    [
        ('#!/bin/sh\n\'\'\'exec\' "{}/bin/python" "$0" "$@"\n', True),
        ("#!/usr/bin/env python\n", True),
        ('#!/bin/bash\nexec python "$@"\n', False),
        ("#!/nowhere/python\n", False),
        ("\x7fELF", False),
        ("", False),
    ],
    ids=["long path", "env", "wrapper", "gone", "binary", "empty"],
)
def test_a_console_script_names_its_interpreter(place, tmp_path, first, named):
    programs = environment(tmp_path, "trl-1.16.0")
    (programs / "accelerate").write_text(first.format(programs.parent))
    _, launches = judged(place, *LAUNCH, path=programs)
    assert launches[0][1].startswith("installed" if named else "inferred")


@pytest.mark.parametrize(
    "make",
    [
        lambda packages: (packages / "trl-1.15.0.dist-info").mkdir(),  # two of one package
        lambda packages: (packages / "trl-1.16.0.dist-info").rename(packages / "trl"),  # a copy
        lambda packages: (packages / "trl-1.16.0.dist-info").rename(packages / "trl-main.dist-info"),
        lambda packages: (packages.parent.parent / "python3.12").mkdir(),
    ],
    ids=["two", "copy", "no release", "two Pythons"],
)
def test_where_the_release_is_not_plain_nothing_is_said_of_it(place, tmp_path, make):
    programs = environment(tmp_path, "trl-1.16.0")
    make(programs.parent / "lib" / "python3.11" / "site-packages")
    assert judged(place, *LAUNCH, path=programs)[1][0][1].startswith("inferred")


def test_a_copy_on_the_python_path_hides_what_is_installed(place, tmp_path):
    programs = environment(tmp_path, "trl-1.16.0")
    (place / "src" / "trl").mkdir(parents=True)
    assert judged(place, *LAUNCH, path=programs, PYTHONPATH="src")[1][0][1] == "inferred"
    assert judged(place, *LAUNCH, path=programs, PYTHONPATH="other")[1][0][1].startswith("installed")


def test_an_environment_that_sees_the_packages_of_its_base(place, tmp_path):
    base = environment(tmp_path, "trl-1.16.0", name="base")
    (base.parent / "pyvenv.cfg").unlink()
    (base / "python").unlink()
    (base / "python3.11").write_bytes(b"\x7fELF")
    (base / "python3").symlink_to("python3.11")
    programs = environment(tmp_path)
    (programs.parent / "pyvenv.cfg").write_text(f"home = {base}\ninclude-system-site-packages = true\n")
    assert judged(place, *LAUNCH, path=programs)[1][0][:2] == ("1.16.0", f"installed in {base.parent}")


def test_the_environment_of_a_project_of_uv(place, tmp_path):
    (place / "pyproject.toml").write_text("[project]\nname = 'x'\n")
    environment(place, "trl-1.16.0", name=".venv")
    other = environment(tmp_path, "trl-0.14.0")
    assert judged(place, "uv", "run", *LAUNCH, path=other)[1][0][0] == "1.16.0"
    assert judged(place, "uv", "run", "--with", "trl==1.0", *LAUNCH, path=other)[1][0][1] == "inferred"


# --- processes ------------------------------------------------------------------------------------------------------


def test_the_environment_says_how_many_processes(place):
    command = ("swift", "rlhf", "--rlhf_type", "grpo", "--num_generations", "8")
    assert judged(place, *command)[1][0][2:] == (1, "no NPROC_PER_NODE")
    assert judged(place, *command, NPROC_PER_NODE="6")[1][0][2:] == (6, "NPROC_PER_NODE")
    assert judged(place, *command, NPROC_PER_NODE="6", NNODES="2")[1][0][2] == 12
    torchrun = ("torchrun", "train.py", "--config", "recipe.yaml")
    assert judged(place, *torchrun, PET_NPROC_PER_NODE="3")[1][0][2] == 3


def test_a_process_that_a_launcher_has_numbered_is_not_alone(place):
    plain = ("python", "train.py", "--config", "recipe.yaml")
    assert judged(place, *plain)[1][0][2] == 1
    assert judged(place, *plain, WORLD_SIZE="6", RANK="0", LOCAL_RANK="0")[1][0][2:] == (6, "WORLD_SIZE")
    assert judged(place, *plain, WORLD_SIZE="6", RANK="0")[1][0][2] is None
    assert judged(place, *plain, WORLD_SIZE="6")[1][0][2] == 1


def test_devices_that_are_seen_bound_the_processes(place):
    assert judged(place, *LAUNCH, CUDA_VISIBLE_DEVICES="0,1")[0] == {
        "<command>": ["GRPO441"],
        "recipe.yaml": ["GRPO203"],
    }


def test_accelerate_reads_the_defaults_of_the_user(place):
    launch = ("accelerate", "launch", "train.py", "--config", "recipe.yaml")
    assert judged(place, *launch)[1][0][2] is None
    assert judged(place, *launch, CUDA_VISIBLE_DEVICES="0,1,2")[1][0][2] == 3
    defaults = place / "home" / "accelerate"
    defaults.mkdir(parents=True)
    (defaults / "default_config.yaml").write_text("distributed_type: MULTI_GPU\nnum_processes: 5\n")
    found = judged(place, *launch, CUDA_VISIBLE_DEVICES="0,1,2,3,4,5,6,7", HF_HOME=str(place / "home"))[1][0]
    assert found[2] == 5 and "default_config.yaml" in found[3]
    assert judged(place, "sbatch", "--wrap", *launch, HF_HOME=str(place / "home"))[1] == []


# --- scripts --------------------------------------------------------------------------------------------------------


def test_scripts_are_read_with_their_arguments_and_their_environment(place):
    (place / "job.sh").write_text('#!/bin/bash\n#SBATCH -N 1\nsrun bash inner.sh "$@" $EXTRA\n')
    (place / "inner.sh").write_text('accelerate launch --num_processes $1 train.py --config "$2" $3 $4\n')
    for words in (("sbatch", "-o", "log", "job.sh"), ("bash", "-x", "job.sh"), ("srun", "-n1", "bash", "job.sh")):
        codes, launches = judged(place, *words, "7", "recipe.yaml", EXTRA="--num_generations 4")
        assert (launches[0][2], launches[0][3]) == (7, "--num_processes")
        assert codes == {"inner.sh": ["GRPO203"]}, words


@pytest.mark.parametrize("passed_on", ['"$@"', "$*", '"${@}"', '"${OVERRIDES[@]}"'])
def test_overrides_that_a_script_is_given_count_as_its_last_ones(place, passed_on):
    settings = {**SETTINGS_OF_VERL, "actor_rollout_ref.rollout.n": 8}
    words = " ".join(f"{path}={value}" for path, value in settings.items())
    (place / "run.sh").write_text(f'OVERRIDES=("$@")\npython3 -m verl.trainer.main_ppo {words} {passed_on}\n')
    assert judged(place, "bash", "run.sh")[0] == {}
    assert judged(place, "bash", "run.sh", "data.train_batch_size=63")[0] == {"run.sh": ["GRPO713"]}
    assert judged(place, "bash", "run.sh", "data.trian_batch_size=63")[0] == {"run.sh": ["GRPO102"]}


@pytest.mark.parametrize(
    ("passed_on", "given", "expected"),
    [
        ('"${@:2}"', "x data.train_batch_size=63", ["GRPO713"]),
        ("${@:1:1}", "data.train_batch_size=63 x", ["GRPO713"]),
        ('"${@: -1}"', "x y data.train_batch_size=63", ["GRPO713"]),
        ('"${@:2}"', "data.train_batch_size=63", []),  # which is not passed on
        ('"${@:$K}"', "x data.train_batch_size=63", []),  # nobody knows which are
        ('"${REST[@]:1}"', "x data.train_batch_size=63", ["GRPO713"]),
    ],
)
def test_slices_of_what_a_script_is_given(place, passed_on, given, expected):
    words = " ".join(f"{path}={value}" for path, value in SETTINGS_OF_VERL.items())
    text = f'read K\nREST=("$@")\npython3 -m verl.trainer.main_ppo {words} {passed_on}\n'
    (place / "run.sh").write_text(text)
    assert judged(place, "bash", "run.sh", *given.split())[0] == ({"run.sh": expected} if expected else {})


def test_what_is_not_known_of_given_words_may_set_anything(place):
    (place / "run.sh").write_text(
        "while [ $# -gt 0 ]; do case $1 in --n) N=$2; shift 2;; *) break;; esac; done\n"
        "python3 -m verl.trainer.main_ppo algorithm.adv_estimator=grpo trainer.n_gpus_per_node=8 "
        'actor_rollout_ref.rollout.n=$N "$@"\n'
    )
    words = ["actor_rollout_ref.actor.use_dynamic_bsz=True", "actor_rollout_ref.rollout.name=vllm"]
    assert judged(place, "bash", "run.sh", "--n", "4", "data.train_batch_size=256", *words)[0] == {}


def test_a_job_gets_what_sbatch_exports_and_what_its_options_ask_for(place):
    (place / "job.sh").write_text(
        "#SBATCH -N 1\ntorchrun --nproc_per_node $PER_NODE --nnodes $SLURM_NNODES train.py --config recipe.yaml\n"
    )
    for options, variables, expected in (
        (["-N4"], {"PER_NODE": "2"}, 8),
        (["--nodes=3"], {"PER_NODE": "2"}, 6),
        ([], {"PER_NODE": "2", "SLURM_NNODES": "9"}, 2),
        (["--export=ALL,PER_NODE=3"], {"PER_NODE": "2"}, 3),
        (["--export=NONE"], {"PER_NODE": "2"}, None),
        (["--export", "PER_NODE"], {"PER_NODE": "2"}, 2),
    ):
        launches = judged(place, "sbatch", *options, "job.sh", **variables)[1]
        assert launches[0][2] == expected, options


def test_a_script_that_enters_another_environment(place, tmp_path):
    environment(place, "trl-1.16.0", name=".venv")
    other = environment(tmp_path, "trl-0.14.0")
    train = " ".join(LAUNCH)
    for before, expected in (
        ("", "0.14.0"),
        ("source .venv/bin/activate\n", "1.16.0"),
        ("conda activate x\n", None),
        ("source $HOME/x/bin/activate\n", None),
        ("module load python\n", None),
    ):
        (place / "job.sh").write_text(before + train)
        release, source, *_ = judged(place, "bash", "job.sh", path=other)[1][0]
        assert release == expected if expected else source == "inferred", before


def test_a_file_that_stands_only_further_up_is_not_the_one_that_is_named(place):
    (place / "below").mkdir()
    assert judged(place / "below", "trl", "grpo", "--config", "recipe.yaml")[0] == {"<command>": ["GRPO009"]}
    said = grpo_lint(place / "below", "check", "--", "trl", "grpo", "--config", "recipe.yaml").stdout
    assert "recipe.yaml is not in the folder in which the command starts" in " ".join(said.split())
    outside = place.parent / "outside.yaml"
    outside.write_text(RECIPE)
    assert judged(place, "accelerate", "launch", "--num_processes", "7", "train.py", "--config", str(outside))[0] == {
        str(outside): ["GRPO203"]
    }


def test_only_the_command_counts_and_not_what_else_starts_the_file(place):
    (place / "other.sh").write_text(" ".join(LAUNCH).replace("7", "6"))
    assert [launch[2] for launch in judged(place, *LAUNCH)[1]] == [7, 7]


def test_a_config_that_cannot_be_parsed_is_told(place):
    (place / "recipe.yaml").write_text(RECIPE + "beta: [0.0\n")
    assert judged(place, *LAUNCH)[0] == {"recipe.yaml": ["GRPO001"]}


def test_secrets_of_the_environment_are_not_read(place):
    (place / "job.sh").write_text("trl grpo --num_generations 3 --num_generations $MY_API_KEY --dataset_name x\n")
    result = grpo_lint(place, "check", "--", "bash", "job.sh", MY_API_KEY="1234567890")
    assert "1234567890" not in result.stdout


def test_a_config_that_python_makes_is_judged_as_the_command_starts_it(place):
    (place / "own.py").write_text(
        "# grpo-lint: version=1.16.0\n"
        "from trl import GRPOConfig, GRPOTrainer\n"
        "config = GRPOConfig(output_dir='o', per_device_train_batch_size=1, num_generations=8)\n"
        "GRPOTrainer(model='m', reward_funcs=[], args=config).train()\n"
    )
    done = grpo_lint(place, "check", "--", "torchrun", "--nproc_per_node", "7", "own.py")
    assert done.returncode == 1 and "GRPO203" in done.stdout and "GRPO, 7 processes" in done.stdout
    assert grpo_lint(place, "check", "--", "torchrun", "--nproc_per_node", "8", "own.py").returncode == 0
    done = grpo_lint(place, "run", "--", sys.executable, "own.py")
    assert done.returncode == 1 and "not started" in done.stderr


@pytest.mark.parametrize(
    "words", [("check", "-v", "--strict"), ("check", "-v", "--output-format", "json"), ("check", "--statistics")]
)
def test_a_command_is_judged_with_options_that_tell_more(place, words):
    (place / "README.md").write_text("```sh\naccelerate launch --num_processes 5 train.py --config recipe.yaml\n```\n")
    done = grpo_lint(place, *words, "--", *LAUNCH)
    assert done.returncode == 1 and "internal error" not in done.stderr and "README" not in done.stderr


def test_files_behind_two_dashes_are_files(place):
    (place / "-odd.yaml").write_text(RECIPE)
    for words in (["-odd.yaml"], ["recipe.yaml"], ["."], ["recipe.yaml", "train.py"]):
        assert "<command>" not in grpo_lint(place, "check", "-v", "--", *words).stderr
    missing = grpo_lint(place, "check", "--", "missing.yaml")
    assert missing.returncode == 1 and "GRPO002" in missing.stdout


def test_options_for_files_are_refused(place):
    for option in ("--fix", "--diff"):
        result = grpo_lint(place, "check", option, "--", *LAUNCH)
        assert result.returncode == 2 and "goes with files" in result.stderr


# --- run ------------------------------------------------------------------------------------------------------------


def test_a_command_with_errors_is_not_started(place, tmp_path):
    programs = environment(tmp_path, "trl-1.16.0")
    result = grpo_lint(place, "run", "--", *LAUNCH, path=programs)
    assert (result.returncode, result.stdout) == (1, "")
    assert "GRPO203" in result.stderr and "not started: accelerate" in result.stderr
    result = grpo_lint(place, "run", "--anyway", *LAUNCH, path=programs)
    assert (result.returncode, result.stdout) == (0, "started\n") and "GRPO203" in result.stderr


def test_a_clean_command_runs_with_its_own_status_and_output(place, tmp_path):
    script = "import os, sys; print(sys.argv[1:], os.environ['MARK']); sys.exit(7)"
    result = grpo_lint(place, "run", sys.executable, "-c", script, "--help", "--anyway", MARK="kept")
    assert result.returncode == 7
    assert (result.stdout, result.stderr) == ("['--help', '--anyway'] kept\n", "")


def test_a_warning_starts_unless_asked_otherwise(place):
    (place / "job.sh").write_text("echo trl grpo --config recipe.yaml\ntrl grpo --config missing.yaml || true\n")
    assert grpo_lint(place, "run", "bash", "job.sh").returncode == 0
    assert grpo_lint(place, "run", "--fail-on", "warning", "bash", "job.sh").returncode == 1


def test_a_command_that_is_not_there(place):
    result = grpo_lint(place, "run", "./missing")
    assert result.returncode == 127 and "cannot be started" in result.stderr
    (place / "plain").write_text("x")
    assert grpo_lint(place, "run", "./plain").returncode == 126
    assert grpo_lint(place, "run").returncode == 2


def test_what_breaks_in_grpo_lint_keeps_nobody_from_training(place):
    (place / ".grpo-lint.toml").write_text("fail-on = 7\n")
    result = grpo_lint(place, "run", "echo", "started")
    assert (result.returncode, result.stdout) == (0, "started\n") and "fail-on" in result.stderr


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_signals_reach_the_command_itself(place):
    process = subprocess.Popen(
        [sys.executable, "-m", "grpo_lint", "run", "sh", "-c", "echo $$; exec sleep 60"],
        cwd=place,
        stdout=subprocess.PIPE,
        encoding="utf-8",
    )
    assert int(process.stdout.readline()) == process.pid
    ignored = next(
        (line.split()[1] for line in open(f"/proc/{process.pid}/status") if line.startswith("SigIgn")), "0"
    )  # fmt: skip
    assert not int(ignored, 16) >> (signal.SIGPIPE - 1) & 1
    process.send_signal(signal.SIGTERM)
    assert process.wait(timeout=30) == -signal.SIGTERM


# --- files of Python ------------------------------------------------------------------------------------------------

PROGRAM = """\
import argparse
from trl import GRPOConfig
parser = argparse.ArgumentParser()
parser.add_argument("--group", type=int, default=8)
told = parser.parse_args()
config = GRPOConfig(output_dir="out", per_device_train_batch_size=2, num_generations=told.group)
"""


@pytest.mark.parametrize(
    ("words", "processes", "codes"),
    [
        ("accelerate launch --num_processes 7 own.py", 7, ["GRPO203"]),
        ("accelerate launch --num_processes 7 own.py --group 7", 7, []),
        ("torchrun --nproc_per_node 3 own.py", 3, ["GRPO203"]),
        ("python own.py --group 2", 1, []),
        ("python -m own", 1, ["GRPO203"]),
        ("python -m package", 1, ["GRPO203"]),
        ("uv run own.py --group 2", 1, []),
        ("./own.py --group 2", 1, []),
        ("bash job.sh 4", 4, []),
    ],
)
def test_a_file_of_python_that_is_about_to_start_is_judged_with_its_processes(place, tmp_path, words, processes, codes):
    name = "package/__main__.py" if "package" in words else "own.py"
    (place / "package").mkdir()
    (place / name).write_text(PROGRAM)
    (place / name).chmod(0o755)
    (place / "job.sh").write_text("accelerate launch --num_processes $1 own.py\n")
    (place / "other.sh").write_text("accelerate launch --num_processes 5 own.py\n")  # not what is about to start
    programs = environment(tmp_path, "trl-1.16.0", "transformers-4.57.1")
    found, launches = judged(place, *words.split(), path=programs)
    expected = None if "uv" in words or "./" in words else "1.16.0"
    assert [launch[2] for launch in launches] == [processes], launches
    assert expected in (None, launches[0][0]) and (expected is None or launches[0][1].startswith("installed"))
    assert [code for each in found.values() for code in each] == codes


def test_a_file_of_python_with_an_error_keeps_its_command_back(place, tmp_path):
    (place / "own.py").write_text(PROGRAM)
    programs = environment(tmp_path, "trl-1.16.0")
    result = grpo_lint(place, "run", "--", "accelerate", "launch", "--num_processes", "7", "own.py", path=programs)
    assert (result.returncode, result.stdout) == (1, "") and "own.py:6" in result.stderr
    result = grpo_lint(place, "run", "--", "accelerate", "launch", "--num_processes", "4", "own.py", path=programs)
    assert (result.returncode, result.stdout) == (0, "started\n")
