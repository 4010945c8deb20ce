"""Launch files as people write them: each launch in them is seen, with its number of processes.

`launched/files.txt` holds them: `=== name`, a line that says which runs the file starts (framework and processes, `?` where
only its machine knows them), and the text.
"""

import contextlib
import io
import json
import re
from pathlib import Path

import pytest

from conftest import lint_text, message
from grpo_lint.checker.contexts import Around
from grpo_lint.cli.main import main
from grpo_lint.engine import lint_path

PARTS = re.split(r"^=== (\S+)\n", (Path(__file__).parent / "launched" / "files.txt").read_text(), flags=re.MULTILINE)[
    1:
]
_EXPECTED = re.compile(r"^# expect: (.*)\n", re.MULTILINE)
FILES = dict(zip(PARTS[::2], PARTS[1::2], strict=True))
EXPECTED = {name: found[1] for name, text in FILES.items() if (found := _EXPECTED.search(text))}


@pytest.fixture(scope="module")
def seen(tmp_path_factory):
    """{file: the runs that are seen in it}."""
    folder = tmp_path_factory.mktemp("launched")
    (folder / ".git").mkdir()
    for name, text in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(_EXPECTED.sub("", text, count=1))
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        told = io.StringIO()
        with contextlib.redirect_stdout(told):
            main(["check", "--output-format", "json", *EXPECTED])
    return {
        each["path"]: " ".join(f"{run['dialect']} {run.get('world_size') or '?'}" for run in each["launches"])
        for each in json.loads(told.getvalue())["files"]
    }


@pytest.mark.parametrize("name", EXPECTED)
def test_each_launch_is_seen_with_its_processes(seen, name):
    assert seen[name].replace("ms-swift", "swift") == EXPECTED[name]


# --- what a job is given, and what its run takes ----------------------------------------------------------------------

SWIFT = "NPROC_PER_NODE=8 swift rlhf --rlhf_type grpo --model m --dataset d --num_generations 8"
VERL = "python3 -m verl.trainer.main_ppo algorithm.adv_estimator=grpo trainer.n_gpus_per_node=8 trainer.nnodes=1"
OPENRLHF = "python3 -m openrlhf.cli.train_ppo_ray --actor_num_gpus_per_node 8 --vllm_num_engines 4 --vllm_tensor_parallel_size 2"
SLIME_ALONE = "python3 train.py --hf-checkpoint m --ref-load r --prompt-data d --rollout-batch-size 32 --n-samples-per-prompt 8 --num-rollout 9 --colocate"
SLIME = "python3 train.py --actor-num-gpus-per-node 4 --rollout-num-gpus 8 --hf-checkpoint m --n-samples-per-prompt 8 --rollout-batch-size 32"
POD = 'spec:\n  containers:\n    - command: [bash, -c, "{}"]\n      resources: {{limits: {{nvidia.com/gpu: {}}}}}\n'
TASK = "resources: {{accelerators: 'H100:{}'}}\nnum_nodes: {}\nrun: |\n  {}\n"
RAY = """\
kind: RayJob
spec:
  entrypoint: {}
  rayClusterSpec:
    headGroupSpec: {{template: {{spec: {{containers: [{{resources: {{limits: {{nvidia.com/gpu: 4}}}}}}]}}}}}}
    workerGroupSpecs:
      - replicas: {}
        template: {{spec: {{containers: [{{resources: {{limits: {{nvidia.com/gpu: 4}}}}}}]}}}}
"""


@pytest.mark.parametrize(
    ("path", "text", "given"),
    [
        ("pod.yaml", POD.format(SWIFT, 4), "4"),
        ("pod.yaml", POD.format(SWIFT, 8), None),
        ("pod.yaml", POD.format(VERL, 4), "4"),
        ("task.yaml", TASK.format(4, 2, SWIFT), "2 x 4"),
        ("task.yaml", TASK.format(8, 1, SWIFT), None),
        ("task.yaml", TASK.format(8, "${N}", SWIFT), None),
        ("job.yaml", RAY.format(VERL.replace("nnodes=1", "nnodes=2"), 1), "2 x 4"),
        ("job.yaml", RAY.format(VERL.replace("per_node=8", "per_node=4"), 1), None),
        ("job.yaml", RAY.format(VERL, "2\n        maxReplicas: 4"), None),
        ("run.sh", f"#!/bin/bash\n#SBATCH --gpus=4\n{SWIFT}\n", "4"),
        ("run.sh", f"#!/bin/bash\n#SBATCH --ntasks=2\n#SBATCH --gpus-per-task=2\n{SWIFT}\n", "4"),
        ("run.sh", f"#!/bin/bash\n#SBATCH --ntasks=2\n#SBATCH --gpus-per-task=4\n#SBATCH --array=0-3\n{SWIFT}\n", None),
        ("run.sh", f"#!/bin/bash\n#SBATCH --gpus-per-node=8\n{OPENRLHF}\n", "8"),
        ("run.sh", f"#!/bin/bash\n#SBATCH --gpus-per-node=8\n{OPENRLHF} --colocate_all_models\n", None),
        ("run.sh", f"#!/bin/bash\n#SBATCH --nodes=2\n#SBATCH --gpus-per-node=8\n{OPENRLHF}\n", None),
        ("run.sh", f"#!/bin/bash\n#SBATCH --gpus-per-node=8\n{SLIME}\n", "8"),
        ("run.sh", f"#!/bin/bash\n#SBATCH --gpus-per-node=8\n{SLIME} --debug-train-only\n", None),
        ("run.sh", f"#!/bin/bash\n#SBATCH --gpus-per-node=8\n{SLIME} --colocate\n", None),
        ("run.sh", f"#!/bin/bash\n#SBATCH --nodes=2\n#SBATCH --gpus-per-node=4\n{VERL}\n", "2 x 4"),
        ("job.yaml", RAY.format(OPENRLHF, 1), "2 x 4"),
        ("job.yaml", RAY.format(OPENRLHF, 3), None),
        ("job.yaml", "replicas: 2\n" + POD.format(VERL.replace("nnodes=1", "nnodes=2"), 8), None),
        ("run.sh", f"export CUDA_VISIBLE_DEVICES=0,1,2,3\n{VERL}\n", "0,1,2,3"),
        ("run.sh", f"CUDA_VISIBLE_DEVICES=0,1,2,3 {VERL}\n", "0,1,2,3"),
        ("run.sh", f"CUDA_VISIBLE_DEVICES=0,1,2,3 ray start --head\nCUDA_VISIBLE_DEVICES=0,1,2,3 {VERL}\n", None),
        ("run.sh", f"CUDA_VISIBLE_DEVICES=0,1,2,3 ray job submit -- {VERL}\n", None),
    ],
)
def test_a_run_fits_what_its_job_is_given(path, text, given):
    found = [each for each in lint_text(text, path=path).findings if each.rule.name == "run-fits-its-allocation"]
    assert [each.values.get("devices", each.values.get("given")) for each in found] == ([given] if given else [])
    assert all(("unless" in message(each)) is (path == "run.sh") for each in found)  # what is taken for granted


@pytest.mark.parametrize(
    ("head", "sizes", "told"),
    [
        ("#SBATCH --gpus-per-node=4", "--tensor-parallel-size 8", True),
        ("#SBATCH --gpus-per-node=4", "--tensor-parallel-size 2 --data-parallel-size 4", True),
        ("#SBATCH --gpus-per-node=4", "--tensor-parallel-size 4", False),
        ("#SBATCH --gpus-per-node=4\nray start --address=$HEAD", "--tensor-parallel-size 8", False),
        ("#SBATCH --gpus-per-node=$GPUS", "--tensor-parallel-size 8", False),
        ("", "--tensor-parallel-size 8", False),
    ],
)
def test_the_engines_of_a_server_fit_on_a_node_of_its_job(head, sizes, told):
    script = f"#!/bin/bash\n{head}\ntrl vllm-serve --model m {sizes} &\n{SWIFT}\n"
    found = [each for each in lint_text(script, path="run.sh").findings if each.rule.name == "server-has-devices"]
    assert [each.severity for each in found] == (["warning"] if told else [])


def test_devices_that_are_taken_away_are_not_kept():
    told = lint_text(f"unset CUDA_VISIBLE_DEVICES\n{VERL}\n", path="run.sh").findings
    assert "processes-are-handed-on" not in [each.rule.name for each in told]


def test_devices_that_are_not_exported_are_told():
    told = lint_text(f"CUDA_VISIBLE_DEVICES=0,1,2,3\n{VERL}\n", path="run.sh").findings
    assert [each.severity for each in told if each.rule.name == "processes-are-handed-on"] == ["warning"]
    for script in (
        f"#!/bin/bash\n#SBATCH -N 1\nCUDA_VISIBLE_DEVICES=0\n{VERL}\n",
        f"D=0,1\nCUDA_VISIBLE_DEVICES=$D {VERL}\n",
    ):
        told = lint_text(script, path="run.sh").findings
        assert "processes-are-handed-on" not in [each.rule.name for each in told]


# --- what a cut command lost ------------------------------------------------------------------------------------------

CUT = (
    "python3 -m verl.trainer.main_ppo algorithm.adv_estimator=grpo data.train_batch_size=512{}\n"
    " actor_rollout_ref.rollout.name=vllm actor_rollout_ref.rollout.n=8 actor_rollout_ref.actor.use_dynamic_bsz=true \\\n"
    " actor_rollout_ref.rollout.log_prob_use_dynamic_bsz=true actor_rollout_ref.ref.log_prob_use_dynamic_bsz=true\n"
)


@pytest.mark.parametrize("end", [" \\ ", "", " \\\n # why", " \\\n"])
def test_what_a_cut_command_lost_speaks_for_what_follows_from_it(end):
    report = lint_text(f"# grpo-lint: version=0.9.1\n{CUT.format(end)}", path="run.sh")
    assert [(each.rule.code, each.severity) for each in report.findings if each.severity != "info"] == [
        ("GRPO007", "error")
    ]


def test_what_is_wrong_with_the_whole_command_stays():
    script = CUT.format(" data.max_prompt_lenght=5 \\ ")
    report = lint_text(f"# grpo-lint: version=0.9.1\n{script}", path="run.sh")
    assert {"GRPO102", "GRPO007"} == {each.rule.code for each in report.findings if each.severity == "error"}


def test_a_script_that_names_no_framework_is_judged_with_the_config_of_its_program(tmp_path):
    (tmp_path / ".git").mkdir()
    for folder in ("scripts", "configs", "jobs"):
        (tmp_path / folder).mkdir()
    (tmp_path / "scripts" / "entry.py").write_text(
        "import hydra\nfrom verl.trainer.main_ppo import run_ppo\n\n"
        '@hydra.main(config_path="../configs", config_name="grpo_x")\ndef main(config):\n    run_ppo(config)\n\nmain()\n'
    )
    (tmp_path / "configs" / "grpo_x.yaml").write_text(
        "defaults: [ppo_trainer, _self_]\nactor_rollout_ref: {rollout: {name: vllm, n: 8}}\nalgorithm: {adv_estimator: grpo}\n"
    )
    script = tmp_path / "jobs" / "run.sh"
    script.write_text(
        'ROOT="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"\npython3 "${ROOT}/scripts/entry.py" data.train_batch_size=7\n'
    )
    (launch,) = lint_path(str(script), Around().of(str(script))).launches
    assert launch.value("data.train_batch_size") == 7 and launch.value("actor_rollout_ref.rollout.n") == 8


@pytest.mark.parametrize("tail", [" '", ' "'])
def test_a_quote_without_an_end_is_told_alone(tail):
    report = lint_text(f"# grpo-lint: version=4.6.0\n{FINE} --num_generations 8{tail}\n", path="run.sh")
    assert [each.rule.code for each in report.findings if each.severity != "info"] == ["GRPO010"]


# --- slips of the hand ------------------------------------------------------------------------------------------------

FINE = "NPROC_PER_NODE=8 swift rlhf --rlhf_type grpo --model m --dataset d --reward_funcs accuracy --per_device_train_batch_size 4"
MEGATRON = "NPROC_PER_NODE=8 megatron rlhf --rlhf_type grpo --model m --dataset d --reward_funcs accuracy --train_iters 9 --use_vllm true"
RAY_FLAGS = "python3 -m openrlhf.cli.train_ppo_ray --pretrain m --remote_rm_url r --advantage_estimator group_norm --n_samples_per_prompt 8"
HYDRA = (
    "python3 -m verl.trainer.main_ppo algorithm.adv_estimator=grpo actor_rollout_ref.rollout.name=vllm actor_rollout_ref.rollout.n=8 "
    "actor_rollout_ref.actor.use_dynamic_bsz=true actor_rollout_ref.rollout.log_prob_use_dynamic_bsz=true "
    "actor_rollout_ref.ref.log_prob_use_dynamic_bsz=true"
)
POD_OF_WORDS = "containers:\n  - args: [{}]\n"
CALL = "import subprocess\nsubprocess.run([{}], check=True)\n"
EN, EM = "\u2013", "\u2014"


@pytest.mark.parametrize(
    ("command", "severity", "code"),
    [
        (f"{FINE} {EN}num_generations 8", "error", "GRPO013"),
        (f"{FINE} {EN}{EN}num_generations=8", "error", "GRPO013"),
        (f"{FINE} --num_generations= 8", "error", "GRPO013"),
        (f"{MEGATRON} --vllm_mode colocate --global_batch_size 64 --num_generations 8 {EM}lr 1e-6", "error", "GRPO013"),
        (f"{MEGATRON} --vllm_mode colocate --global_batch_size 64 --num_generations 8 --lr= 1e-6", "error", "GRPO013"),
        (f"{RAY_FLAGS} --vllm_num_engines 8 {EN}train_batch_size 128", "error", "GRPO013"),
        (f"{RAY_FLAGS} --vllm_num_engines 8 --train_batch_size= 128", "error", "GRPO013"),
        (f"{SLIME_ALONE} {EN}global-batch-size 256", "warning", "GRPO013"),
        (f"{SLIME_ALONE} --global-batch-size= 256", "error", "GRPO013"),
        (
            f"accelerate launch {EN}num_processes 8 train_grpo.py --num_generations 8 --per_device_train_batch_size 2 --learning_rate 1e-6",
            "error",
            "GRPO013",
        ),
        (
            f"accelerate launch --num_processes 8 train_grpo.py {EN}num_generations 8 --per_device_train_batch_size 2 --learning_rate 1e-6",
            "warning",
            "GRPO013",
        ),
        (f"{HYDRA} data.train_batch_size= 512", "error", "GRPO013"),
        (f"{FINE} \\ --num_generations 8", "error", "GRPO013"),
        (
            f"{MEGATRON} --vllm_mode colocate --global_batch_size 64 --num_generations 8 \\ --lr 1e-6",
            "error",
            "GRPO013",
        ),
    ],
)
def test_a_slip_is_called_by_its_name_and_nothing_follows_from_it(command, severity, code):
    words = ", ".join(f"'{word}'" for word in command.replace("\\ ", "\0").split() if "NPROC" not in word).replace(
        "\0", " "
    )
    for path, text in (
        ("run.sh", f"{command}\n"),
        ("pod.yaml", POD_OF_WORDS.format(words)),
        ("run.py", CALL.format(words)),
    ):
        report = lint_text(text, path=path)
        told = [(each.rule.code, each.severity) for each in report.findings if each.severity != "info"]
        if path == "run.sh":
            assert told == [(code, severity)]
        elif report.launches:
            assert (code, severity) in told


def test_a_setting_behind_a_backslash_and_a_space_is_a_slip():
    found = lint_text(f"{HYDRA} \\ data.train_batch_size=512\n", path="run.sh", fixes=True).findings
    assert [(each.rule.code, str(each.fixes[0].title)) for each in found if each.severity != "info"] == [
        ("GRPO013", "remove the backslash in front of the space")
    ]


@pytest.mark.parametrize("slip", [f"{EN}num_generations 8", f"{EM}num_generations=8", "--num_generations= 8"])
def test_a_slip_is_mended_where_it_stands(tmp_path, slip):
    script = tmp_path / "run.sh"
    script.write_text(f"{FINE} \\\n  {slip} \\\n  --beta 0.1\n")
    assert main(["check", "--fix", "--unsafe-fixes", str(script)]) == 0
    mended = slip.replace("= ", "=").replace(EN, "--").replace(EM, "--")
    assert script.read_text() == f"{FINE} \\\n  {mended} \\\n  --beta 0.1\n"


SLIPS = [f"{EN}num_generations 8", f"{EN}{EN}num_generations=8", "--num_generations= 8"]
# forms of a script in which a slip can be mended without a doubt: (path, text with the words of a slip, and as a list)
FORMS = {
    "beside another slip": ("run.sh", FINE + " {slip} --learning_rate= 1e-6\n"),
    "on two lines": ("run.sh", FINE + " \\\n {slip_on_lines}\n"),
    "in an array": ("run.sh", "ARGS=( {slip} --beta 0.1 )\n" + FINE + ' "${{ARGS[@]}}"\n'),
    "in a variable": ("run.sh", 'ARGS="{slip} --beta 0.1"\n' + FINE + " $ARGS\n"),
    "for a function": ("run.sh", "run() {{\n" + FINE + ' "$@"\n}}\nrun {slip}\n'),
    "in a list of YAML": ("pod.yaml", POD_OF_WORDS.format(", ".join(f'"{word}"' for word in FINE.split()[1:]) + ", {words}")),
    "in a list of an image": ("Dockerfile", "FROM x\nCMD [" + ", ".join(f'"{word}"' for word in FINE.split()[1:]) + ", {words}]\n"),
}  # fmt: skip


@pytest.mark.parametrize(("path", "text"), FORMS.values(), ids=FORMS)
def test_a_slip_is_mended_in_every_form(path, text):
    for slip in SLIPS:
        words = ", ".join(f'"{word}"' for word in slip.split())
        whole = text.format(slip=slip, words=words, slip_on_lines=slip.replace(" ", " \\\n  "))
        found = [each for each in lint_text(whole, path=path, fixes=True).findings if each.rule.code == "GRPO013"]
        assert found and all(each.fixes and each.fixes[0].edits for each in found), slip
        assert {str(each.fixes[0].title).partition("=")[0] for each in found} <= {"write `--num_generations", "write `--num_generations`", "write `--learning_rate"}  # fmt: skip


@pytest.mark.parametrize("slip", [f"{EN}hub_token=hf_aBcDeFgHiJkLmNoPqR", "--hub_token= hf_aBcDeFgHiJkLmNoPqR"])
def test_a_slip_tells_no_secret(tmp_path, capsys, slip):
    script = tmp_path / "run.sh"
    script.write_text(f"{FINE} --num_generations 8 {slip}\n")
    assert main(["check", "--output-format", "json", str(script)]) == 1
    told = capsys.readouterr().out
    assert "GRPO013" in told and "message" in told
    assert not [each for each in json.loads(told)["files"][0]["diagnostics"] if "hf_aBc" in each["message"]]


FOLDED = "run: >{sign}\n  {first} \\\n{indent}{rest}\n"


@pytest.mark.parametrize("command", [FINE, HYDRA, RAY_FLAGS])
@pytest.mark.parametrize("sign", ["", "-"])
def test_lines_that_yaml_joins_behind_backslashes_are_told_once(tmp_path, command, sign):
    path = tmp_path / "pod.yaml"
    parts = re.split(
        r" (?=--rlhf|--pretrain|algorithm|--num|--model|actor)",
        f"{command} --beta 0.1" if "swift" in command else command,
    )
    folded = FOLDED.format(sign=sign, first=parts[0], rest=" \\\n  ".join(parts[1:]), indent="  ")
    path.write_text(folded)
    slips = [
        each
        for each in lint_text(folded, path="pod.yaml").findings
        if each.rule.name in ("flags-are-whole", "key-is-known")
    ]
    assert len(slips) == 1 and slips[0].rule.code == "GRPO013" and "joins" in str(slips[0].message)
    main(["check", "--fix", "--unsafe-fixes", "--select", "GRPO013", str(path)])
    assert path.read_text() == folded.replace(">", "|", 1)
    deeper = folded.replace("\n  ", "\n    ").replace("\n    ", "\n  ", 1)  # further indented lines stay lines
    assert "GRPO013" not in [each.rule.code for each in lint_text(deeper, path="pod.yaml").findings]


def test_words_of_lines_that_yaml_joins_are_told_where_they_stand():
    for header in (">", ">-", ""):
        text = f"run: {header}\n  {FINE}\n  --num_generations 7\n"
        found = [each for each in lint_text(text, path="pod.yaml").findings if each.rule.code == "GRPO203"]
        assert [text[each.at.key.start : each.at.key.end] for each in found] == ["num_generations"], header


CONFLICT = "{}{end}\n<<<<<<< HEAD\n --num_generations 8{end}\n=======\n --num_generations 7{end}\n>>>>>>> other\n --learning_rate 1e-6\n"


@pytest.mark.parametrize(
    ("path", "text", "code"),
    [
        ("run.sh", CONFLICT.format(FINE, end=" \\"), "GRPO010"),
        ("run.sh", CONFLICT.format(f"{RAY_FLAGS} --vllm_num_engines 8", end=" \\"), "GRPO010"),
        ("pod.yaml", "containers:\n  - args:\n    - " + "\n    - ".join(FINE.split()[1:]) + "\n<<<<<<< HEAD\n    - a\n=======\n    - b\n>>>>>>> b\n", "GRPO001"),
        ("run.py", CALL.format('"swift", "rlhf", "--rlhf_type", "grpo",\n<<<<<<< HEAD\n"a",\n=======\n"b",\n>>>>>>> b\n'), "GRPO010"),
    ],
)  # fmt: skip
def test_a_conflict_of_a_merge_is_told_alone(path, text, code):
    told = [each for each in lint_text(text, path=path).findings if each.severity != "info"]
    assert [(each.rule.code, each.severity) for each in told] == [(code, "error")]
    assert "merge" in str(told[0].values["problem"])


# --- texts whose names say nothing ------------------------------------------------------------------------------------

WRONG = "NPROC_PER_NODE=4 swift rlhf --rlhf_type grpo --model m --dataset d --num_generations 8 --per_device_train_batch_size 1 --reward_funcs format"
BLOCK = "# Training\n\nRun `swift rlhf`:\n\n```{}\n{}{}\n```\n\nThen (wait.\n"


@pytest.mark.parametrize(
    ("path", "text", "runs"),
    [
        ("command.txt", f"{WRONG}\n", 1),
        ("train", f"# the run\nset -x\n{WRONG}\n", 1),
        ("README.md", BLOCK.format("bash", "", WRONG), 1),
        ("README.md", BLOCK.format("console", "$ ", WRONG), 1),
        ("README.md", BLOCK.format("python", "", WRONG), 0),
        ("notes.txt", "python is not what swift users\nswift by hand, with grpo.\n", 0),
    ],
)
def test_a_named_text_is_known_by_its_commands(path, text, runs):
    report = lint_text(text, path=path)
    assert len(report.launches) == runs
    assert [each.rule.code for each in report.findings if each.severity != "info"] == ["GRPO203"] * runs


@pytest.mark.parametrize(
    "command", [f"{HYDRA} --cfg job", f"{HYDRA} --help", "accelerate launch train_grpo.py --num_generations 7 -h"]
)
def test_what_only_shows_its_settings_starts_no_run(command):
    report = lint_text(f"{command}\n", path="run.sh")
    assert report.launches == [] and report.findings == []
