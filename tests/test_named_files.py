"""Files that a run opens: those that its settings and its command name are there, can be read, and say what the run says."""

import json

import pytest

from conftest import names, said
from grpo_lint.checker.contexts import Around
from grpo_lint.engine import lint_path, repair
from grpo_lint.report.messages import message

CONFIG = """\
model_name_or_path: Qwen/Qwen2.5-0.5B
dataset_name: trl-lib/tldr
output_dir: out
num_generations: 8
per_device_train_batch_size: 8
gradient_accumulation_steps: 2
"""
SWIFT = "swift rlhf --rlhf_type grpo --model q --dataset d --reward_funcs accuracy --num_generations 8 --per_device_train_batch_size 8"
PROGRAM = """\
from trl import GRPOConfig, GRPOTrainer, ModelConfig, ScriptArguments, TrlParser
if __name__ == "__main__":
    parser = TrlParser((ScriptArguments, GRPOConfig, ModelConfig))
    script_args, training_args, model_args = parser.{}
    GRPOTrainer(model=model_args.model_name_or_path, args=training_args, reward_funcs=[len]).train()
"""
READS = "parse_args_and_config()"
ZERO = '{"zero_optimization": {"stage": 2}'
ACCELERATE = "distributed_type: DEEPSPEED\ndeepspeed_config:\n  zero_stage: 2\n{}num_processes: 4\n"


@pytest.fixture
def repository(tmp_path, monkeypatch):
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)

    def write(**texts):
        for name, text in texts.items():
            path = tmp_path / name.replace("__", "/").replace("_", ".")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")

    return write


def linted(path):
    return lint_path(path, Around().of(path))


def about(report, *rules):
    return [(finding.rule.name, finding.severity) for finding in report.findings if finding.rule.name in rules]


NAMED = ("named-file-exists", "named-file-is-json")


# --- what a setting names -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "problem"),
    [("", "is no JSON: it ends too early in line 1, column 1"), (ZERO + ",\n}", "is no JSON: no comma belongs before } in line 1, column 35"),
     (ZERO + "\n", "is no JSON: it ends too early in line 1"), ("zero_optimization:\n  stage: 2\n", "is no JSON: zero_optimization is not expected in line 1, column 1"),
     ('{"a": "b', "is no JSON: the text that begins here has no end in line 1, column 7"), ('{"a": "b\n"}', "is no JSON: a text has a line break in it in line 1, column 9"), ('{"a": 1 "b": 2}', 'is no JSON: " is not expected in line 1, column 9'),
     ("[1]", "holds a list"), ("null", "holds null"), ('{"bf16": {"enabled": true}}', "has no zero_optimization")],
)  # fmt: skip
@pytest.mark.parametrize("key", ["deepspeed"])
def test_a_configuration_that_cannot_be_read_ends_the_run(repository, key, text, problem):
    repository(c_yaml=f"{CONFIG}{key}: ds.json\n", ds_json=text)
    report = linted("c.yaml")
    assert about(report, *NAMED) == [("named-file-is-json", "error")]
    finding = said(report, "named-file-is-json")
    assert problem in message(finding) and finding.at.name == key


@pytest.mark.parametrize("text", [ZERO + "}", "{{ zero }}", '{"zero_optimization": ${STAGE}}'])
def test_a_configuration_that_is_read_or_filled_in_first_is_silent(repository, text):
    repository(c_yaml=f"{CONFIG}deepspeed: ds.json\n", ds_json=text)
    assert about(linted("c.yaml"), *NAMED) == []


def test_a_configuration_that_is_missing_is_a_warning(repository):
    repository(c_yaml=f"{CONFIG}deepspeed: configs/ds.json\n")
    assert about(linted("c.yaml"), *NAMED) == [("named-file-exists", "warning")]


@pytest.mark.parametrize("place, is_told", [("cd /home/me/project\n", False), ("", True)])
def test_what_lies_in_the_folder_of_one_machine_is_not_missed(repository, place, is_told):
    repository(
        run_sh=f"{place}trl grpo --deepspeed scripts/z.json --num_generations 8 --model_name_or_path m --dataset_name d\n"
    )
    assert ("named-file-exists" in {each.rule.name for each in linted("run.sh").findings}) is is_told


@pytest.mark.parametrize("value", ["/data/ds.json", "~/ds.json", "$HOME/ds.json", "null", '{"zero_optimization": {}}'])
def test_what_lies_elsewhere_or_is_no_path_is_not_missed(repository, value):
    repository(c_yaml=f"{CONFIG}deepspeed: '{value}'\n" if value != "null" else f"{CONFIG}deepspeed: null\n")
    assert about(linted("c.yaml"), *NAMED) == []


def test_a_path_that_counts_from_another_folder_is_not_missed(repository):
    repository(recipes__c_yaml=f"{CONFIG}deepspeed: configs/ds.json\n", training__configs__ds_json=ZERO + "}")
    assert about(linted("recipes/c.yaml"), *NAMED) == []


def test_a_flag_names_it_from_where_its_command_runs(repository):
    repository(a_sh=f"cd below\n{SWIFT} --deepspeed ds.json\n", below__ds_json="[]")
    assert about(linted("a.sh"), *NAMED) == [("named-file-is-json", "error")]


@pytest.mark.parametrize(
    ("value", "meant"), [("zero_3", "zero3"), ("zero2-offload", "zero2_offload"), ("Zero3", "zero3")]
)
def test_a_slip_in_a_name_of_ms_swift_is_mended(repository, value, meant):
    repository(a_sh=f"{SWIFT} --deepspeed {value}\n")
    done = repair(open("a.sh", "rb").read(), "a.sh", Around().of("a.sh"), unsafe=True)
    assert f"--deepspeed {meant}" in done.data.decode()
    assert about(done.first, *NAMED) == [("named-file-exists", "warning")] and about(done.report, *NAMED) == []


def test_a_name_of_ms_swift_is_none_of_trl(repository):
    repository(c_yaml=f"{CONFIG}deepspeed: zero3\n")
    assert "a name of ms-swift's" in message(said(linted("c.yaml"), "named-file-exists"))


def test_files_for_accelerate_and_for_fsdp_are_opened_as_well(repository):
    repository(
        c_yaml=f"{CONFIG}accelerator_config: acc.json\nfsdp: full_shard\nfsdp_config: f.json\n",
        acc_json='{"split": 1}',
        f_json="[",
    )
    assert about(linted("c.yaml"), *NAMED) == [("named-file-is-json", "error")] * 2
    repository(d_yaml=f"{CONFIG}fsdp_config: f.json\n")  # transformers 5 opens it beside fsdp only
    assert about(linted("d.yaml"), *NAMED) == []


# --- what accelerate makes of a file --------------------------------------------------------------------------------


def launched(repository, accelerate, options="", **more):
    repository(
        c_yaml=CONFIG, train_py=PROGRAM.format(READS), acc_yaml=accelerate, **more,
        run_sh=f"accelerate launch --config_file acc.yaml {options} train.py --config c.yaml\n",
    )  # fmt: skip
    found = [finding for path in ("c.yaml", "run.sh") for finding in linted(path).findings]
    return [(finding.rule.name, finding.severity) for finding in found if finding.rule.name.startswith("deepspeed-")]


@pytest.mark.parametrize(
    ("lines", "found"),
    [("", []), ("  gradient_accumulation_steps: 2\n", []), ("  gradient_accumulation_steps: auto\n", []),
     ("  gradient_accumulation_steps: 1\n", [("deepspeed-accumulation-agrees", "error")]),
     ("  gradient_clipping: 1.0\n", []), ("  gradient_clipping: 0.5\n", [("deepspeed-clipping-agrees", "error")])],
)  # fmt: skip
def test_what_accelerate_makes_of_its_file_agrees_with_the_run(repository, lines, found):
    """accelerate 1.3 - 1.15 hands these to DeepSpeed, and transformers compares them with its own."""
    assert launched(repository, ACCELERATE.format(lines)) == found


def test_a_file_that_says_no_accumulation_gets_1(repository):
    accelerate = "distributed_type: DEEPSPEED\ndeepspeed_config:\n  deepspeed_config_file: ds.json\nnum_processes: 4\n"
    found = [("deepspeed-accumulation-agrees", "error")]
    assert launched(repository, accelerate, ds_json=ZERO + "}") == found
    assert launched(repository, accelerate, ds_json=ZERO + ', "gradient_accumulation_steps": "auto"}') == []


@pytest.mark.parametrize("options", ["--gradient_accumulation_steps 2", "--multi_gpu"])
def test_options_of_the_launcher_have_the_last_word(repository, options):
    assert launched(repository, ACCELERATE.format("  gradient_accumulation_steps: 1\n"), options) == []


def test_a_run_with_a_configuration_of_its_own_reads_none_of_accelerate(repository):
    accelerate = ACCELERATE.format("  gradient_accumulation_steps: 1\n")
    repository(d_yaml=CONFIG + "deepspeed: ds.json\n", ds_json=ZERO + "}", acc_yaml=accelerate, train_py=PROGRAM.format(READS),
               run_sh="accelerate launch --config_file acc.yaml train.py --config d.yaml\n")  # fmt: skip
    assert "deepspeed-accumulation-agrees" not in names(linted("d.yaml"))


def test_auto_is_written_into_the_file_for_accelerate(repository):
    launched(repository, ACCELERATE.format("  gradient_accumulation_steps: 1  # see below\n"))
    done = repair(open("c.yaml", "rb").read(), "c.yaml", Around().of("c.yaml"), unsafe=True)
    assert [text for _, text in done.beside.values()] == [
        ACCELERATE.format("  gradient_accumulation_steps: auto  # see below\n")
    ]


def test_auto_is_added_to_a_configuration_that_lacks_the_key(repository):
    accelerate = "distributed_type: DEEPSPEED\ndeepspeed_config:\n  deepspeed_config_file: ds.json\nnum_processes: 4\n"
    launched(repository, accelerate, ds_json=ZERO + "}")
    done = repair(open("c.yaml", "rb").read(), "c.yaml", Around().of("c.yaml"), unsafe=True)
    assert [json.loads(text)["gradient_accumulation_steps"] for _, text in done.beside.values()] == ["auto"]


# --- what a command names -------------------------------------------------------------------------------------------


def test_a_config_that_is_missing_is_told_where_the_script_alone_says_what_it_trains(repository):
    repository(
        train_py=PROGRAM.format(READS), run_sh="accelerate launch --num_processes 4 train.py --config gone.yaml\n"
    )
    assert names(linted("run.sh"), "warning") == ["config-file-exists"]


@pytest.mark.parametrize(("folder", "found"), [("/root/project", []), ("..", ["config-file-exists"])])
def test_where_a_script_goes_to_a_folder_of_one_machine_nothing_is_missed(repository, folder, found):
    command = "accelerate launch --num_processes 4 train_grpo.py --config configs/c.yaml --num_generations 8 --per_device_train_batch_size 8"
    repository(scripts__run_sh=f"cd {folder}\n{command}\n")
    assert names(linted("scripts/run.sh"), "warning") == found


def test_a_file_for_accelerate_that_is_missing_is_told(repository):
    repository(
        c_yaml=CONFIG,
        train_py=PROGRAM.format(READS),
        run_sh="accelerate launch --config_file gone.yaml train.py --config c.yaml\n",
    )
    assert message(said(linted("run.sh"), "config-file-exists")).startswith("gone.yaml is not")


@pytest.mark.parametrize(
    "made", ["cat > {} <<EOF\n{}EOF\n", "python make.py > {}\n", "envsubst < a.tpl | tee {}\n", "cp other {}\n"]
)
@pytest.mark.parametrize("name", ["acc.yaml", "made.yaml"])
def test_a_file_that_the_script_makes_is_not_missed(repository, made, name):
    contents = ACCELERATE.format("") if name == "acc.yaml" else CONFIG
    option = "--config_file acc.yaml" if name == "acc.yaml" else "--num_processes 4"
    config = "c.yaml" if name == "acc.yaml" else name
    repository(c_yaml=CONFIG, train_py=PROGRAM.format(READS),
               run_sh=f"{made.format(name, contents)}accelerate launch {option} train.py --config {config}\n")  # fmt: skip
    assert names(linted("run.sh"), "warning", "error") == []


def test_a_file_for_accelerate_that_the_script_writes_tells_the_processes(repository):
    text = f"cat > acc.yaml <<EOF\n{ACCELERATE.format('')}EOF\naccelerate launch --config_file acc.yaml train.py --config c.yaml\n"
    repository(c_yaml=CONFIG, train_py=PROGRAM.format(READS), run_sh=text)
    assert [launch.world_size for launch in linted("run.sh").launches] == [4]


def test_too_many_processes_are_told_once_where_they_are_started(repository):
    repository(c_yaml=CONFIG, train_py=PROGRAM.format(READS),
               run_sh="CUDA_VISIBLE_DEVICES=0,1 accelerate launch --num_processes 4 train.py --config c.yaml\n")  # fmt: skip
    assert names(linted("run.sh"), "error") == ["processes-have-devices"]
    assert names(linted("c.yaml"), "error") == []


def test_too_many_processes_are_told_of_the_call_where_the_script_names_no_training_of_ours(repository):
    start = "CUDA_VISIBLE_DEVICES=0,1 accelerate launch --num_processes 4 train.py\n"
    program = "from trl import GRPOConfig\nargs = GRPOConfig(per_device_train_batch_size=8, num_generations=8)\n"
    repository(run_sh=start, again_sh=start, train_py=program)
    (finding,) = [each for each in linted("train.py").findings if each.severity == "error"]
    assert finding.rule.name == "processes-have-devices" and finding.at is None
    assert program[finding.span.start : finding.span.end] == "GRPOConfig"
    assert finding.note == "in the run that again.sh, line 1 starts"


# --- flags that nobody reads ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("reads", "found"),
    [("parse_yaml_file('c.yaml')", ["flags-are-read"]), ("parse_json_file('c.json')", ["flags-are-read"]), (READS, []),
     ("parse_yaml_file('c.yaml') if sys.argv[1:] else parser.parse_args_into_dataclasses()", []),
     ("parse_dict(read(sys.argv))", []), ("parse_yaml_file(parser.parse_args().config)", [])],
)  # fmt: skip
def test_flags_behind_a_parser_of_files_have_no_effect(repository, reads, found):
    command = "accelerate launch --num_processes 4 train.py --config c.yaml --num_generations 7\n"
    repository(c_yaml=CONFIG, train_py=PROGRAM.format(reads), run_sh=command)
    report = linted("run.sh")
    assert [name for name in names(report) if name == "flags-are-read"] == found
    assert report.launches[0].plan(report.launches[0].candidates[0]).value("num_generations") == (8 if found else 7)


# --- who trains -----------------------------------------------------------------------------------------------------

RLOO = PROGRAM.format(READS).replace("GRPO", "RLOO")
RUN = "accelerate launch --num_processes 1 train.py --config c.yaml\n"


@pytest.mark.parametrize(("pin", "algorithm"), [("", "rloo"), ("trl==1.16.0\n", "rloo"), ("trl==0.22.2\n", "rloo")])
def test_a_script_that_trains_with_rloo_alone_says_so(repository, pin, algorithm):
    repository(c_yaml=CONFIG, train_py=RLOO, run_sh=RUN, requirements_txt=pin)
    assert [launch.algorithm for launch in linted("c.yaml").launches] == [algorithm]


def test_rloo_before_its_trainer_of_groups_is_not_judged(repository):
    repository(
        c_yaml=CONFIG.replace("num_generations: 8", "num_generations: 7"),
        train_py=RLOO,
        run_sh=RUN,
        requirements_txt="trl==0.17.0\n",
    )
    assert names(linted("run.sh"), "error", "warning") == []


def test_the_devices_that_accelerate_is_told_are_those_that_are_seen(repository):
    command = "accelerate launch --multi_gpu --gpu_ids {} --num_processes 4 train.py --config c.yaml\n"
    for devices, found in (("0,1", ["processes-have-devices"]), ("all", []), ("0,1,2,3", [])):
        repository(c_yaml=CONFIG, train_py=PROGRAM.format(READS), run_sh=command.format(devices))
        assert names(linted("run.sh"), "error") == found


def test_a_key_of_the_config_that_asks_another_server_is_told_at_the_server(repository):
    run = "CUDA_VISIBLE_DEVICES=0 trl vllm-serve --model Qwen/Qwen2.5-0.5B &\n" + RUN
    asks = "use_vllm: true\nvllm_mode: server\nvllm_server_port: 8001\n"
    repository(c_yaml=CONFIG + asks, train_py=PROGRAM.format(READS), run_sh=run)
    finding = said(linted("run.sh"), "server-is-the-one-that-is-asked")
    assert finding.at is None and run[finding.span.start :].startswith("trl vllm-serve")


def test_a_number_that_stays_in_the_script_is_exported(repository):
    text = "#!/bin/bash\nNPROC_PER_NODE=8\n" + SWIFT + "\n"
    repository(a_sh=text)
    done = repair(text.encode(), "a.sh", Around().of("a.sh"), unsafe=True)
    assert done.data.decode() == text.replace("NPROC", "export NPROC", 1)
    assert names(done.report, "warning", "error") == []
