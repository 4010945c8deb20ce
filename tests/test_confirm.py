"""`grpo-lint confirm`: a log beside the plan of its run."""

import json
import math

import pytest

from grpo_lint.cli.main import main
from grpo_lint.frameworks.metrics import logs_of
from grpo_lint.frameworks.registry import NAMES, framework
from grpo_lint.logs.comparison import PARTS
from grpo_lint.logs.reading import NoLog, read_log, seconds_in
from grpo_lint.report.confirming import LABELS

TRL = """\
# grpo-lint: dialect=trl version=1.16.0 world-size={processes} dataset-size=8000
num_generations: 8
per_device_train_batch_size: 8
gradient_accumulation_steps: 4
num_train_epochs: 2
beta: 0.04
"""
VERL = """\
# grpo-lint: version=0.9.1 dataset-size=7473
python3 -m verl.trainer.main_ppo algorithm.adv_estimator=grpo data.train_batch_size=256 data.max_response_length=1024 \\
    actor_rollout_ref.actor.ppo_mini_batch_size=64 actor_rollout_ref.rollout.n=5 trainer.n_gpus_per_node=8 trainer.nnodes=1 trainer.total_epochs=1
"""
# Lines as verl prints them, through Ray and in colours, with a number of numpy.
CONSOLE = """\
\x1b[36m(TaskRunner pid=11)\x1b[0m Training Progress:   3%|3         | 1/29 [02:10<1:00:40, 130.0s/it]
\x1b[36m(TaskRunner pid=11)\x1b[0m step:1 - actor/entropy:0.41 - actor/pg_clipfrac:0.0 - response_length/mean:np.float64(210.5) - perf/time_per_step:130.2
(TaskRunner pid=11) step:2 - actor/entropy:nan - actor/pg_clipfrac:1e-3 - response_length/mean:np.float64(220.5) - perf/time_per_step:68.2
"""
# Lines as ms-swift writes them: a counter, and times in words.
JSONL = """\
{"loss": 0.1, "reward": 0.5, "epoch": 0.1, "global_step/max_steps": "5/100", "percentage": "5.00%", "elapsed_time": "5m 40s", "train_speed(s/it)": 68.0}
{"eval_reward": 0.5, "epoch": 0.1, "global_step/max_steps": "5/100"}
{"loss": 0.1, "reward": 0.6, "epoch": 0.2, "global_step/max_steps": "10/100", "elapsed_time": "11m 20s", "train_speed(s/it)": 68.0}
"""


def state(most=500, **metrics):
    rows = [{"step": 10 * at, "epoch": 0.04 * at, "step_time": 60.0 + at, **metrics} for at in range(1, 13)]
    return json.dumps({"global_step": 120, "max_steps": most, "epoch": 0.48, "log_history": rows})


@pytest.fixture
def confirmed(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)

    def confirm(log, run, *more):
        (tmp_path / "run.log").write_text(log, encoding="utf-8")
        (tmp_path / ("run.yaml" if run.startswith("# grpo-lint: dialect") else "run.sh")).write_text(
            run, encoding="utf-8"
        )
        name = "run.yaml" if run.startswith("# grpo-lint: dialect") else "run.sh"
        status = main(["confirm", "run.log", name, *more])
        return status, capsys.readouterr().out

    return confirm


def as_json(answer):
    status, told = answer
    return status, json.loads(told)


def test_steps_and_hours_of_trl(confirmed):
    status, told = as_json(confirmed(state(), TRL.format(processes=8), "--output-format", "json"))
    assert status == 0 and told["agrees"]
    assert told["steps"] == {"are": "updates", "done": 120, "announced": 500, "planned": 500, "left": 380}
    assert told["seconds_per_step"] == 66.5  # the median of 61 ... 72
    _, text = confirmed(state(), TRL.format(processes=8))
    assert "256 a step: 30,720 so far, 128,000 in all" in text
    assert "9 h 14 min in all, 7 h 1 min left" in text and "73.9 GPU hours on the 8 that train" in text


def test_another_number_of_processes_is_found_by_the_steps(confirmed):
    status, told = as_json(confirmed(state(most=1000), TRL.format(processes=8), "--output-format", "json"))
    assert status == 1 and not told["agrees"] and told["processes_by_the_log"] == 4
    assert told["per_step"]["completions"] == 128  # of 4 processes, as all other numbers
    _, text = confirmed(state(most=1000), TRL.format(processes=8))
    assert "TRL 1.16.0 on 8 processes" in text and "128 a step: 15,360 so far, 128,000 in all" in text
    status, told = as_json(confirmed(state(most=777), TRL.format(processes=8), "--output-format", "json"))
    assert status == 1 and told["processes_by_the_log"] is None


def test_a_log_that_the_framework_does_not_write_is_of_another_run(confirmed):
    for log, run in ((CONSOLE, TRL.format(processes=8)), (state(), VERL), (JSONL, TRL.format(processes=8))):
        status, told = as_json(confirmed(log, run, "--output-format", "json"))
        assert status == 1 and told["log_of_another_framework"]
        assert "writes no log of this kind" in told["remarks"][0]


# The console of transformers 4 and 5, whose numbers are texts; an evaluation has a bar of its own.
MAPPINGS = """\
  0%|          | 0/500 [00:00<?, ?it/s]
 20%|##        | 4/500 [00:20<40:00, 5.0s/it]
{'loss': 0.0123, 'reward': nan, 'completions/mean_length': 12.5, 'epoch': 0.02}
  1%|#         | 5/500 [00:25<40:00, 5.0s/it]
{'loss': '0.02', 'reward': '0.5', 'epoch': '0.04'}
  2%|#         | 10/500 [00:50<40:00, 5.0s/it]
 50%|#####     | 5/10 [00:10<00:10, 2.0s/it]
{'eval_loss': 0.1, 'eval_reward': 0.25, 'epoch': 0.04}
 50%|#####     | 5/10 [00:10<00:10, 2.0s/it]
  2%|#         | 10/500 [01:10<40:00, 5.0s/it]
{'train_runtime': 70.5, 'epoch': 0.04}
"""


def test_the_console_of_transformers(confirmed):
    log = read_log(MAPPINGS)
    assert (log.form, log.done, log.most, log.epoch, log.seconds) == ("mappings", 10, 500, 0.04, 70.5)
    assert [step for step, _ in log.values("reward")] == [5, 10] and math.isnan(log.values("reward")[0][1])
    assert log.values("eval_reward") == [(10, 0.25)]
    assert read_log(MAPPINGS.replace("\n", "\r")).rows[1].values == log.rows[1].values
    status, told = as_json(confirmed(MAPPINGS, TRL.format(processes=8), "--output-format", "json"))
    assert status == 0 and told["seconds_per_step"] == 7.05
    log = read_log("{'loss': 0.1, 'epoch': 0.1, 'global_step/max_steps': '5/100', 'elapsed_time': '5m 40s'}")
    assert (log.form, log.done, log.most, log.seconds) == ("counters", 5, 100, 340)


def test_a_remark_names_its_setting_and_a_rule(confirmed):
    """What is cut, what has no spread, what is never clipped, and a KL that is no number: each with what decides about it here."""
    rows = {
        "completions/clipped_ratio": 0.9,
        "frac_reward_zero_std": 1.0,
        "clip_ratio/region_mean": 0.0,
        "kl": math.nan,
        "reward": 0.0,
    }
    _, text = confirmed(state(**rows), TRL.format(processes=8) + "max_completion_length: 300\ntemperature: 0.7\n")
    told = " ".join(text.split())
    for words in (
        "judged as far as they came (max_completion_length 300, grpo-lint rule GRPO535)",
        "nothing is learned from them (num_generations 8, temperature 0.7, grpo-lint rule GRPO694)",
        "so the ratio is 1 (num_iterations 1, epsilon 0.2,",
        "kl is no number from step 10 on at the latest (beta 0.04)",
    ):
        assert words in told, words


def test_tokens_of_a_step(confirmed):
    """TRL counts all so far, from the start; verl those of each step."""
    rows = [{"step": 10 * at, "num_tokens": 1000.0 + 5000 * at} for at in range(1, 5)]
    log = json.dumps({"global_step": 40, "max_steps": 500, "log_history": rows})
    status, told = as_json(confirmed(log, TRL.format(processes=8), "--output-format", "json"))
    assert status == 0 and told["tokens_per_step"] == 500
    assert "about 500 a step, 250,000 in all" in confirmed(log, TRL.format(processes=8))[1]
    alone = json.dumps({"global_step": 10, "max_steps": 500, "log_history": rows[:1]})
    assert as_json(confirmed(alone, TRL.format(processes=8), "--output-format", "json"))[1]["tokens_per_step"] == 600
    lines = CONSOLE.replace("actor/entropy:", "perf/total_num_tokens:4096 - actor/entropy:")
    assert as_json(confirmed(lines, VERL, "--output-format", "json"))[1]["tokens_per_step"] == 4096
    assert as_json(confirmed(CONSOLE, VERL, "--output-format", "json"))[1]["tokens_per_step"] is None


def test_lines_of_easyr1():
    log = read_log('{"step": 3, "critic": {"rewards": {"mean": 0.25}}, "a": {"b": {"c": {"d": {"e": 1}}}}}\n')
    assert log.form == "records" and log.rows[0].values == {"step": 3, "critic/rewards/mean": 0.25}


def test_a_step_of_verl_is_a_rollout(confirmed):
    status, told = as_json(confirmed(CONSOLE, VERL, "--output-format", "json"))
    assert status == 0
    assert told["steps"] == {"are": "rollouts", "done": 2, "announced": 29, "planned": 29, "left": 27}
    assert told["seconds_per_step"] == 68.2  # the first step starts the engines
    assert told["metrics"]["length"] == {
        "name": "response_length/mean",
        "first": 210.5,
        "now": 220.5,
        "not_a_number_from": None,
    }
    assert told["metrics"]["entropy"]["not_a_number_from"] == 2
    assert "even" in told["not_logged"]
    _, text = confirmed(CONSOLE, VERL)
    assert "1,280 a step" in text and "4 a step: 8 so far, 116 in all" in text


def test_what_metrics_mean(confirmed):
    measured = {
        "completions/clipped_ratio": 0.4,
        "frac_reward_zero_std": 0.6,
        "clip_ratio/region_mean": 0.0,
        "reward": 0.0,
        "kl": None,
    }
    _, told = as_json(confirmed(state(**measured), TRL.format(processes=8), "--output-format", "json"))
    remarks = " ".join(told["remarks"])
    for each in (
        "40 % of the completions",
        "in 60 % of the groups",
        "0 as it has to be",
        "the reward is 0 in every row",
        "kl is no number from step 10",
    ):
        assert each in remarks, each
    _, told = as_json(
        confirmed(
            state(**{"completions/clipped_ratio": 0.01, "kl": 0.1}), TRL.format(processes=8), "--output-format", "json"
        )
    )
    assert told["remarks"] == []


def test_a_metric_that_a_release_lacks_is_not_zero(confirmed):
    run = TRL.format(processes=8).replace("1.16.0", "0.16.1")
    _, told = as_json(confirmed(state(), run, "--output-format", "json"))
    assert {"even", "cut", "entropy"} <= {*told["not_logged"]} and "cut" not in told["metrics"]


def test_a_time_in_place_of_a_log(confirmed, capsys):
    confirmed(state(), TRL.format(processes=8))
    assert main(["confirm", "--step-time", "1m 8s", "run.yaml"]) == 0
    assert "68.0 s a step, 9 h 27 min in all, 75.6 GPU hours on the 8 that train" in capsys.readouterr().out
    assert main(["confirm", "--step-time", "soon", "run.yaml"]) == 2
    assert main(["confirm", "run.yaml"]) == 2


def test_lines_of_ms_swift():
    log = read_log(JSONL)
    assert (log.done, log.most, log.epoch, log.seconds) == (10, 100, 0.2, 680)
    assert log.values("reward") == [(5, 0.5), (10, 0.6)]
    log = read_log('{"iteration": "3/40", "loss": NaN, "train_speed(s/it)": 12.5}\n')
    assert (log.done, log.most) == (3, 40) and math.isnan(log.rows[0].values["loss"])


def test_lines_of_the_logger_file_of_verl():
    log = read_log(
        '{"step": 1, "data": {"actor/kl_loss": 0.1, "x": "text"}}\n{"step": 2, "data": {"actor/kl_loss": null}}\n'
    )
    assert log.done == 2 and log.most is None and log.values("actor/kl_loss")[0] == (1, 0.1)


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "num_generations: 8", '{"log_history": 3}', '{"step": true, "data": {}}', "step:1", "x" * 100_000, "[" * 100_000,
             '{"global_step/max_steps": "9/' + "9" * 5000 + '"}', "step:1 - x " * 20_000 + "y",
             "{'loss': 0.1}", "  1%|#| 5/500 [00:25<40:00]", "{'" * 10_000, "{'a': " * 10_000, " 1%|" + "| 1/2" * 1000],
)  # fmt: skip
def test_what_is_no_log_is_said(text):
    with pytest.raises(NoLog):
        read_log(text)


def test_numbers_beyond_all_floats():
    text = (
        '{"log_history": [{"step": 1, "reward": 1'
        + "0" * 4000
        + '}, {"step": "x"}, 3], "max_steps": -1, "global_step": 1.5}'
    )
    log = read_log(text)
    assert log.done == 1 and log.most is None and log.rows[0].values == {"step": 1.0}


@pytest.mark.parametrize(
    "text, seconds", [("68", 68), ("68s", 68), ("1m 8s", 68), ("1h", 3600), ("1d 2h 3m 4s", 93784), ("0.5s", 0.5), ("", None), ("soon", None), ("1x", None)]
)  # fmt: skip
def test_times(text, seconds):
    assert seconds_in(text) == seconds


def test_the_tables_of_metrics_name_releases_and_parts():
    assert {*LABELS} == {*PARTS}
    known = {name: logs_of(name) for name in NAMES}
    assert [name for name, logs in known.items() if not logs.metrics] == []
    for name, logs in known.items():
        if not logs.metrics:
            continue
        releases = framework({"megatron": "swift"}.get(name, name)).catalogue.releases
        assert logs.steps in ("updates", "rollouts")
        assert logs.forms and {*logs.forms} <= {
            "state",
            "mappings",
            "counters",
            "records",
            "steps",
            "headed",
            "global",
            "rollouts",
        }
        assert {"reward", "length", "seconds"} <= {*logs.metrics}
        named = {release for rows in logs.metrics.values() for _, *span in rows for release in span if release}
        assert named <= {*releases}, (name, named - {*releases})


@pytest.mark.parametrize(
    "change", ['"epoch": NaN', '"epoch": 1e-320', '"max_steps": 1' + "0" * 400, '"global_step": 1' + "0" * 400, '"epoch": Infinity', '"max_steps": -3']
)  # fmt: skip
def test_numbers_that_no_run_has_are_left_out(confirmed, change):
    log = (
        '{"global_step": 5, "max_steps": 500, %s, "log_history": [{"step": 1, "reward": 0.1, "step_time": 1e308}]}'
        % change
    )
    status, told = as_json(confirmed(log, TRL.format(processes=8), "--output-format", "json"))
    assert status == 0 and told["seconds_per_step"] is None
    assert confirmed(log, TRL.format(processes=8))[0] == 0


def test_a_log_beyond_its_plan_is_none_of_it(confirmed):
    log = '{"global_step": 600, "max_steps": 500, "log_history": []}'
    status, told = as_json(confirmed(log, TRL.format(processes=8), "--output-format", "json"))
    assert status == 1 and told["steps"]["left"] == 0
    assert main(["confirm", "run.yaml", "run.yaml"]) == 2  # what is no log is no answer


def test_logs_in_the_encodings_of_windows(confirmed, tmp_path):
    confirmed(CONSOLE, VERL)
    for encoding in ("utf-16", "utf-8-sig"):
        (tmp_path / "run.log").write_text(CONSOLE, encoding=encoding)
        assert main(["confirm", "run.log", "run.sh"]) == 0


# {framework: (a run of 10 steps, its console, the metrics of its last step)}; the lines are written as these programs write theirs
NEWER = {
    "nemo-rl": (
        "# grpo-lint: dialect=nemo-rl version=0.5.0 dataset-size=320\ndefaults: grpo_math_1B.yaml\ngrpo: {num_prompts_per_step: 32, "
        "num_generations_per_prompt: 16, max_num_epochs: 1}\npolicy: {model_name: m, train_global_batch_size: 512, train_micro_batch_size: 4}\n"
        "cluster: {gpus_per_node: 8, num_nodes: 1}\n",
        "".join(
            f"(pid=7) {'=' * 25} Step {step}/10 {'=' * 25}\n  \u2022 Loss: -0.0012\n  \u2022 Avg Reward: 0.{step}000\n"
            f"  \u2022 Mean Generation Length: 210.5000\n  \u2022 Total step time: {60 + step}.25s\n  \u2022 policy_training: 20.00s (33.0%)\n"
            for step in (1, 2, 3)
        )
        + f"{'=' * 25} Step 4/10 {'=' * 25}\n",
        {"reward": 0.3, "length": 210.5},
    ),
    "openrlhf": (
        "# grpo-lint: version=0.11.2 dataset-size=320\npython3 -m openrlhf.cli.train_ppo_ray --algo.advantage.estimator group_norm "
        "--rollout.batch_size 32 --rollout.n_samples_per_prompt 8 --train.batch_size 256 --train.micro_batch_size 4 "
        "--actor.num_nodes 1 --actor.num_gpus_per_node 8 --actor.model_name_or_path m --data.prompt_dataset d --reward.remote_url f.py "
        "--train.num_episodes 1 --vllm.num_engines 8 --train.colocate_all\n",
        "".join(
            f"\x1b[36m(PPOTrainer pid=3)\x1b[0m INFO \u2728 Global step {step}: {{'policy_loss': 0.01, 'kl': 0.0, 'rollout/reward_mean': 0.{step}, "
            f"'rollout/response_length_mean': 99.5, 'rollout/truncated_rate': 0.5, 'ppo_clip_ratio': 0.0, 'timing/step_total': {40 + step}.5}}\n"
            for step in (1, 2, 3)
        ),
        {"reward": 0.3, "length": 99.5, "cut": 0.5, "ratio_clipped": 0.0},
    ),
    "slime": (
        "# grpo-lint: version=0.3.1 dataset-size=320\npython3 train.py --hf-checkpoint m --ref-load r --prompt-data d.jsonl --advantage-estimator grpo "
        "--rollout-batch-size 32 --n-samples-per-prompt 8 --global-batch-size 256 --num-rollout 10 --actor-num-nodes 1 "
        "--actor-num-gpus-per-node 8 --colocate\n",
        "".join(
            f"[x] rollout.py:1306 - perf {at}: {{'perf/rollout_time': 30.0, 'rollout/response_len/mean': 70.25, 'rollout/truncated_ratio': 0.0}}\n"
            f"[x] data.py:193 - rollout {at}: {{'rollout/raw_reward': 0.{at + 1}, 'rollout/rewards': 0.0}}\n"
            f"[x] model.py:909 - step {at}: {{'train/loss': 0.0, 'train/pg_clipfrac': 0.0, 'train/kl_loss': 0.001}}\n"
            f"[x] metrics.py:50 - perf {at}: {{'perf/step_time': {50 + at}.5}}\n"
            for at in (0, 1, 2)
        ),
        {"reward": 0.3, "length": 70.25, "cut": 0.0, "ratio_clipped": 0.0, "kl": 0.001},
    ),
}


@pytest.mark.parametrize("name", NEWER)
def test_consoles_of_newer_frameworks(name, confirmed):
    run, console, metrics = NEWER[name]
    status, told = as_json(confirmed(console, run, "--output-format", "json"))
    assert told["steps"]["done"] == 3 and told["steps"]["planned"] == 10 and status == 0, told
    last = {part: each["now"] for part, each in told["metrics"].items()}
    assert {part: last[part] for part in metrics} == pytest.approx(metrics)
    assert 40 < told["seconds_per_step"] < 65
    for other in NEWER.keys() - {name}:
        assert confirmed(NEWER[other][1], run)[0] == 1  # that of another framework
