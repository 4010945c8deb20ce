"""Launch scripts: what is printed for each script in `scripts/`, and where each of its settings comes from.

docs/oddities.md says which script stands for which oddity of real files.
"""

import os
from pathlib import Path

import golden
import pytest

from conftest import lint_text, names
from grpo_lint.checker.contexts import Around
from grpo_lint.engine import lint_path
from grpo_lint.launch.context import Context
from grpo_lint.launch.facts import option_name
from grpo_lint.launch.files import Files
from grpo_lint.report.explain.story import where_said
from grpo_lint.report.messages import message, origin
from grpo_lint.source.entry import loaded
from grpo_lint.unknown import UNKNOWN

FOLDER = Path(__file__).parent / "scripts"
SCRIPTS = sorted(path for path in FOLDER.iterdir() if path.suffix in (".sh", ".slurm", ".yaml"))


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_what_is_printed(path, capsys, monkeypatch):
    golden.check(path, capsys, monkeypatch)


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_where_each_setting_comes_from(path, monkeypatch):
    monkeypatch.chdir(FOLDER)
    report = lint_path(path.name, Context(files=Files(path.name)), fixes=False)
    table = "\n".join(line for launch in report.launches for line in [*settings_of(launch, report.text), ""])
    expected = path.with_name(path.name + ".settings")
    if os.environ.get("UPDATE_GOLDEN"):
        expected.write_text(table, encoding="utf-8", newline="\n")
    assert table == expected.read_text(encoding="utf-8"), "run with UPDATE_GOLDEN=1 and look at what changed"


def settings_of(launch, text):
    """Lines of `name value origin`: the facts about the run, then its settings as they stand in the script and in its
    file."""
    candidate = launch.candidates[0]
    plan = launch.plan(candidate)
    for name, fact in sorted(launch.facts.items()):
        yield f"{option_name(name):<32}{fact.value!s:<40}{fact.source}"
    for name, entry in launch.entries.items():
        value = loaded(entry.value)
        place = origin(launch, candidate, plan, name)
        yield f"{name:<32}{'unknown' if value is UNKNOWN else value!s:<40}{where_said(place, text) if place else ''}".rstrip()


def test_there_are_scripts_of_every_shape():
    assert len(SCRIPTS) >= 30


@pytest.mark.parametrize(
    ("command", "found"),
    [("swift rollout --model q --vllm_tensor_parallel_size 2 --vllm_data_parallel_size 2", True), ("trl vllm-serve --model q --tensor_parallel_size 4", True),
     ("swift rollout --model q --vllm_tensor_parallel_size 2", False), ("vllm serve q --tensor-parallel-size 4", False)],
)  # fmt: skip
def test_a_server_alone_is_judged(command, found):
    report = lint_text(f"#!/bin/bash\nCUDA_VISIBLE_DEVICES=0,1 {command}\n", path="serve.sh")
    assert names(report, "error") == ["server-has-devices"] * found
    assert (report.skipped is None) is found


def test_processes_of_a_command_in_a_container(tmp_path):
    """The variables that its own command line sets count there; those of the script do not, and it may have others."""
    path = tmp_path / "run.sh"
    run = "swift rlhf --rlhf_type grpo --model m --dataset d --num_generations 8"
    path.write_text(
        f"export NPROC_PER_NODE=3\ndocker run -e NPROC_PER_NODE=8 img {run}\nkubectl exec p -- {run}\nssh host '{run}'\n"
        f"uvx --from ms-swift {run}\nparallel {run} --seed {{}} ::: 1 2\n"
    )
    report = lint_path(str(path), Context(files=Files(str(path))), fixes=False)
    assert [launch.world_size for launch in report.launches] == [8, UNKNOWN, UNKNOWN, 3, 3]


@pytest.mark.parametrize(
    "file, severity",
    [
        ("distributed_type: MULTI_GPU\nnum_process: 3\n", "error"),
        ("distributed_type: MULTI_GPU\nnum_processes: 3\nfp16: true\ndynamo_backend: NO\nfsdp_config: {whatever: 1}\n", None),
        ("distributed_type: MULTI_GPU\nnum_processes: 3\nquantum_backend: x\n", "warning"),
        ("compute_environment: AMAZON_SAGEMAKER\ndistributed_type: NO\nregion: x\n", None),
        ("", None),
    ],
)  # fmt: skip
def test_keys_of_the_file_of_accelerate(file, severity, tmp_path):
    """ValueError: The config file at acc.yaml had unknown keys."""
    (tmp_path / "acc.yaml").write_text(file)
    path = tmp_path / "run.sh"
    path.write_text("accelerate launch --config_file acc.yaml -m trl.scripts.grpo --num_generations 8\n")
    report = lint_path(str(path), Context(files=Files(str(path))), fixes=False)
    found = [each.severity for each in report.findings if each.rule.name == "launcher-knows-its-options"]
    assert found == ([severity] if severity else [])


# --- a config that is not UTF-8 -------------------------------------------------------------------------------------


def test_a_config_of_utf_16_is_found_and_refused(tmp_path):
    """TrlParser opens it as text, which is UTF-8; it stands in the repository all the same."""
    (tmp_path / ".git").mkdir()
    (tmp_path / "requirements.txt").write_text("trl==0.24.0\n")
    script, config = tmp_path / "run.sh", tmp_path / "c.yaml"
    script.write_text("accelerate launch --num_processes 8 -m trl.scripts.grpo --config c.yaml\n")
    config.write_text("num_generations: 8\nper_device_train_batch_size: 8\nlearning_rate: 1.0e-6\n", encoding="utf-16")
    assert names(lint_path(str(script), Around().of(str(script)))) == []
    report = lint_path(str(config), Around().of(str(config)))
    assert names(report, "error") == ["file-can-be-parsed"] and "UTF-16" in message(report.findings[0])
    config.write_bytes(b"num_generations: 8 # \xff\n")
    (found,) = lint_path(str(script), Around().of(str(script))).findings
    assert found.severity == "info" and message(found).startswith("c.yaml was not read")


def test_no_file_outside_of_the_checkout_is_looked_for(tmp_path):
    (tmp_path / "c.yaml").write_bytes(b"num_generations: 8 # \xff\n")
    root = tmp_path / "checkout"
    (root / ".git").mkdir(parents=True)
    (root / "linked").symlink_to(tmp_path)
    script = root / "run.sh"
    for name in ("../c.yaml", "linked/c.yaml"):
        script.write_text(f"accelerate launch --num_processes 8 -m trl.scripts.grpo --config {name}\n")
        (found,) = lint_path(str(script), Around().of(str(script))).findings
        assert found.severity == "warning" and "was not read" not in message(found)


# --- where a script stands ------------------------------------------------------------------------------------------

RUN = "swift rlhf --rlhf_type grpo --model m --dataset d --reward_funcs accuracy --num_generations 8 --per_device_train_batch_size 2"
WORDS, PROGRAM, FLAGS = (
    ", ".join(f'"{word}"' for word in words) for words in (RUN.split(), RUN.split()[:4], RUN.split()[4:])
)
OF_A_CONTAINER = f"kind: Job\nspec:\n  containers:\n  - command: [{WORDS}]\n"
OF_A_STEP = f"    steps:\n    - run: {RUN}\n"
SURROUNDED = {
    "kubernetes": (f'{OF_A_CONTAINER}    env:\n    - name: NPROC_PER_NODE\n      value: "4"\n', 4),
    "kubernetes, from a secret": (f"{OF_A_CONTAINER}    env:\n    - name: NPROC_PER_NODE\n      valueFrom: {{}}\n", UNKNOWN),
    "kubernetes, by another variable": (f'{OF_A_CONTAINER}    env: [{{name: NPROC_PER_NODE, value: "$(N)"}}]\n', UNKNOWN),
    "workflow": (f"env: {{NPROC_PER_NODE: 2}}\njobs:\n  a:\n{OF_A_STEP}", 2),
    "workflow, nearest": (f"env: {{NPROC_PER_NODE: 2}}\njobs:\n  a:\n    env: {{NPROC_PER_NODE: 4}}\n{OF_A_STEP}", 4),
    "workflow, beside it": (f"jobs:\n  b: {{env: {{NPROC_PER_NODE: 4}}}}\n  a:\n{OF_A_STEP}", 1),
    "workflow, matrix": (f"jobs:\n  a:\n    env:\n      NPROC_PER_NODE: ${{{{ matrix.n }}}}\n{OF_A_STEP}", UNKNOWN),
    "compose, list": (f"services:\n  t:\n    environment:\n    - NPROC_PER_NODE=4\n    command: {RUN}\n", 4),
    "compose, mapping": (f"services:\n  t:\n    environment: {{NPROC_PER_NODE: 4}}\n    command: {RUN}\n", 4),
    "compose, from outside": (f"services:\n  t:\n    environment: [NPROC_PER_NODE]\n    command: {RUN}\n", UNKNOWN),
    "compose, shared": (
        f"x: &x\n  NPROC_PER_NODE: 4\nservices:\n  t:\n    environment:\n      <<: *x\n      A: 1\n    command: {RUN}\n", 4
    ),
    "skypilot": (f"envs:\n  NPROC_PER_NODE: 4\nrun: {RUN}\n", 4),
    "gitlab": (f"variables: {{NPROC_PER_NODE: 4}}\ntrain:\n  script:\n  - {RUN}\n", 4),
    "ray": (f"spec:\n  entrypoint: {RUN}\n  runtimeEnvYAML: |\n    env_vars:\n      NPROC_PER_NODE: '4'\n", 4),
    "ray, mapping": (f"entrypoint: {RUN}\nruntime_env:\n  env_vars: {{NPROC_PER_NODE: '4'}}\n", 4),
}  # fmt: skip


@pytest.mark.parametrize("name", SURROUNDED)
def test_a_script_in_a_document_has_the_variables_that_the_document_sets(name):
    text, processes = SURROUNDED[name]
    (launch,) = lint_text(text, path="job.yaml").launches
    assert launch.world_size is processes or launch.world_size == processes


def test_a_variable_of_a_document_is_mended_where_it_stands():
    text = SURROUNDED["kubernetes"][0].replace(
        "env:\n", "env:\n    - {name: CUDA_VISIBLE_DEVICES, value: '0,1,2,3,4,5,6,7'}\n"
    )
    report = lint_text(text.replace('"4"', '"7"'), path="job.yaml", fixes=True)
    (fix,) = next(finding for finding in report.findings if finding.rule.code == "GRPO426").fixes
    assert fix.edits[0].new == "8" and report.text.text[fix.edits[0].start : fix.edits[0].end] == "7"


LIST_OF_IMAGE = f"ENTRYPOINT [{PROGRAM}, \\\n  {FLAGS}]\n"


@pytest.mark.parametrize(
    ("text", "processes"),
    [
        (f"FROM x\nENV NPROC_PER_NODE=4 B=2\nCMD {RUN}\n", 4),
        (f"FROM x\nENV NPROC_PER_NODE 4\nCMD [{WORDS}]\n", 4),
        (f'FROM x\nENV A=1 \\\n    NPROC_PER_NODE="4"\nENTRYPOINT [{PROGRAM}]\nCMD [{FLAGS}]\n', 4),
        (
            f"FROM x\nCMD {RUN}\nFROM y\nENV NPROC_PER_NODE=4\nCMD {RUN}\n",
            4,
        ),  # what is started is that of the last stage
        (f"FROM x\nENV NPROC_PER_NODE=4\n{LIST_OF_IMAGE}", 4),
        (f"FROM x\nCMD exec {RUN}\n", 1),
    ],
)
@pytest.mark.parametrize("name", ["Dockerfile", "train.Dockerfile", "Containerfile"])
def test_what_an_image_starts(text, processes, name):
    (launch,) = lint_text(text, path=name).launches
    assert launch.world_size == processes and launch.entries["num_generations"].value.value == "8"


def test_a_program_alone_is_told_what_to_do_where_its_image_is_started():
    module = '["python3", "-m", "verl.trainer.main_ppo"'
    for words, launches in ((f"{module}]", 0), (f'{module}, "algorithm.adv_estimator=grpo"]', 1)):
        text = f'FROM x\nENTRYPOINT ["conda", "run", "-n", "x"]\nCMD {words}\n'
        assert len(lint_text(text, path="Dockerfile").launches) == launches


@pytest.mark.parametrize("name", ["a.job", "a.pbs", "a.lsf", "a.qsub", "a.ksh", "a.sbatch", "A.SH"])
def test_a_script_is_one_by_any_name_of_job_systems(name, tmp_path):
    (tmp_path / name).write_text(f"NPROC_PER_NODE=4 {RUN}\n")
    assert [launch.world_size for launch in lint_path(str(tmp_path / name), Context()).launches] == [4]


@pytest.mark.parametrize(
    "start",
    [
        '"$PY" -u -m', '$PY -m', '"$PY" -u -B -m', 'PYTHON=("$CONDA" run -n x)\n"${PYTHON[@]}" python3 -m', '"$SIF" exec img.sif python -m',
        '$LAUNCH python3 -m', 'cd /somewhere/else\npython3 -m',
    ],
)  # fmt: skip
def test_a_program_by_a_variable_of_somebody_else_is_known_by_its_words(start):
    report = lint_text(
        f"{start} verl.trainer.main_ppo algorithm.adv_estimator=grpo data.train_batch_size=60\n", path="run.sh"
    )
    assert [launch.framework.name for launch in report.launches] == ["verl"]
