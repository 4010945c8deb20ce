"""Rules found by what people have: an error, a traceback, a name out of a document, a key; and what explains a crash."""

import io
import sys

import pytest

from grpo_lint.cli.main import main
from grpo_lint.frameworks.all_rules import RULES
from grpo_lint.report.rule_search import (
    LONGEST_LINE,
    MOST_LINES,
    Wording,
    cause_in,
    in_log,
    pattern_of,
    search,
    wordings,
)
from grpo_lint.rules.layers_below import CAUSES

TRL = "# grpo-lint: dialect=trl version=1.16.0 world-size=4\nper_device_train_batch_size: 6\nnum_generations: {group}\n"
CRASH = """Traceback (most recent call last):
  File "/opt/train.py", line 3, in <module>
    main()
ValueError: generation_batch_size (24) must be divisible by num_generations (5).
[rank0]: terminating
"""


def first(text):
    return search(text)[0].rule.name


# What people say of a run, and the code of the rule that they look for.
SYMPTOMS = {
    "GRPO442": ["only half of the gpus are used", "training runs on a single gpu", "the other 7 gpus sit idle", "只用了一张卡", "8张卡只用了4张",
                "GPU 1-7 利用率为0"],
    "GRPO465": ["vllm out of memory", "CUDA OOM when training starts", "it dies with OOM after the first step", "显存不足", "内存溢出"],
    "GRPO535": ["prompt longer than max model len", "prompt is too long for vllm", "prompt exceeds context length", "sequence length exceeds model limit",
                "completions are cut off", "提示词超过最大长度", "prompt 太长", "回答被截断"],
    "GRPO778": ["no checkpoints are saved", "the model never saves", "checkpoint folder is empty", "没有保存模型", "训练完没有模型"],
    "GRPO698": ["resume from checkpoint not found"],
    "GRPO416": ["job hangs after init", "nccl timeout", "训练卡住不动", "NCCL 超时"],
    "GRPO694": ["reward stays at 0", "reward doesn't increase", "advantages are all zero", "all completions in a group are identical", "temperature 0 in rollout",
                "奖励一直是0", "同一组的回答都一样"],
    "GRPO201": ["group size of 1", "每组只有一个回答"],
    "GRPO602": ["training finishes after 0 steps", "training exits immediately", "训练立即结束", "模型不学习"],
    "GRPO603": ["total steps is lower than expected", "more steps than I expected", "训练步数比预期少"],
    "GRPO205": ["some rows are dropped every epoch", "half of my prompts are skipped", "dataset is smaller than expected", "数据被丢弃"],
    "GRPO102": ["my flag is ignored", "unknown argument", "unrecognized arguments", "my yaml key does nothing", "参数不生效", "配置没有生效"],
    "GRPO103": ["key was renamed", "this option was removed in the new version"],
    "GRPO008": ["flag given twice"],
    "GRPO007": ["backslash missing at end of line", "space after backslash", "行尾反斜杠后有空格"],
    "GRPO009": ["config file not found", "配置文件不存在"],
    "GRPO203": ["batch size not divisible by number of generations", "batch must be a multiple of generations", "batch size cannot be divided by 8",
                "batch大小不能被生成数整除"],
    "GRPO731": ["micro batch does not divide the mini batch"],
    "GRPO301": ["evaluation batch not divisible", "eval fails because batch is too small", "评估batch不能整除"],
    "GRPO408": ["heads cannot be divided by 3", "tensor parallel does not divide attention heads", "注意力头数不能被TP整除"],
    "GRPO411": ["layers not divisible by pipeline stages", "层数不能被PP整除"],
    "GRPO412": ["number of experts not divisible by expert parallel"],
    "GRPO418": ["moe with tensor parallel needs sequence parallel"],
    "GRPO443": ["cannot connect to vllm server", "vLLM server cannot be reached", "连接不上vllm服务"],
    "GRPO415": ["too few gpus in slurm job", "slurm gives 8 gpus but run takes 4"],
    "GRPO452": ["deepspeed batch size mismatch", "deepspeed配置和训练参数不一致"],
    "GRPO501": ["model is loaded in float32", "模型以float32加载"],
    "GRPO514": ["evaluation never runs", "从不评估"],
    "GRPO533": ["lora is ignored", "lora没有生效"],
    "GRPO550": ["no reward function", "找不到奖励函数"],
    "GRPO686": ["learning rate stays 0", "warmup longer than training", "学习率一直为0"],
    "GRPO689": ["off-policy without wanting it"],
    "GRPO691": ["wandb shows nothing"],
    "GRPO774": ["token budget too small for sequence"],
}  # fmt: skip


@pytest.mark.parametrize(("text", "code"), [(text, code) for code, texts in SYMPTOMS.items() for text in texts])
def test_what_people_say_finds_the_rule_first(text, code):
    found = search(text)
    assert found[0].rule.code == code and len(found) <= 5


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("must be divisible by dp_size", "rollout-prompts-divide-over-ranks"),
        ("num_rollout_prompt (4) = generation_batch_size (16) // num_generations (4) must be divisible by dp_size (8)",
         "rollout-prompts-divide-over-ranks"),
        ("per_device_num_rollout_prompt (0) must be greater than 1", "every-rank-gets-a-prompt"),
        ("Per-device rollout prompt count (3) must be divisible by micro_batch_size (2)", "rank-prompts-fill-micro-batches"),
        ("num_prompts_per_dp_group (1) must be divisible by micro_batch_size (2)", "evaluation-divides-over-ranks"),
        ("'generation_batch_size' and 'steps_per_generation' cannot be both configured", "rollout-size-set-once"),
        ("The effective train batch size must be evenly divisible by the number of generations per prompt", "rollout-holds-whole-groups"),
        ("effective eval batch size evenly divisible generations per prompt", "evaluation-holds-whole-groups"),
        ("VLLM_TENSOR_PARALLEL_SIZE (3) must divide WORLD SIZE (8) evenly.", "vllm-tensor-parallel-divides-world"),
        ("constraint 4", "update-gives-ranks-whole-prompts"),
        ("Constraint #6", "group-has-two-completions"),
        ("num_prompts_per_dp_group", "update-gives-ranks-whole-prompts"),
        ("num_train_prompts", "update-gives-ranks-whole-prompts"),
        ("num_rollout_prompts", "rollout-prompts-divide-over-ranks"),
        ("auto_find_batch_size", "batch-size-is-fixed"),
        (CRASH, "rollout-holds-whole-groups"),
    ],
)  # fmt: skip
def test_found_by_what_people_have(text, rule):
    assert first(text) == rule


def test_a_key_finds_the_rules_that_compute_with_it_first():
    found = [each.rule.name for each in search("num_generations")]
    assert "rollout-holds-whole-groups" in found[:8]
    assert found.index("rollout-holds-whole-groups") < found.index("vllm-has-a-mode")


@pytest.mark.parametrize("number", range(1, 8))
def test_every_constraint_of_the_documents(number):
    (found,) = search(f"constraint {number}")
    assert f"constraint {number}" in found.rule.also_called


@pytest.mark.parametrize(
    "text",
    [
        "only some GPUs are used",
        "only one of my GPUs is used",
        "GPUs are idle",
        "只有部分GPU被使用",
        "有的GPU没有被使用",
    ],
)
def test_a_symptom_finds_its_rules(text):
    found = search(text)
    assert (
        found[0].rule.code == "GRPO442"
        and {each.rule.code for each in found} >= {"GRPO440", "GRPO445"}
        and len(found) <= 5
    )


@pytest.mark.parametrize(
    "text",
    [
        "GPU",
        "我的GPU",
        "reward hacking",
        "--foo is not recognized",
        "batch size",
        "训练",
        "",
        "   ",
        "xyzzy plugh",
        "the the the",
        "12345",
        "...",
        "()[]{}*?\\",
    ],
)
def test_what_nobody_says_finds_nothing(text):
    assert search(text) == []


@pytest.mark.slow
def test_every_wording_finds_its_rule_again():
    """With numbers in the place of the dots; what several rules say finds them all."""
    lost = []
    for wording in wordings():
        said = wording.text.replace("...", "7")
        if len(wording.words) > 1 and wording.rule not in [each.rule for each in search(f"ValueError: {said}")]:
            lost.append((wording.rule.name, said))
    assert lost == []


def test_numbers_and_spaces_do_not_count():
    pattern = pattern_of("a (...) must be divisible by b (...).")
    assert pattern.search("E  A (12) must  be divisible by b (-3)") and not pattern.search("a must be divisible")


def test_the_last_error_of_a_log_counts():
    log = "WARNING per_device_num_rollout_prompt (0) must be greater than 1\n" * 3 + CRASH
    assert {each.rule.name for each in in_log(log)} >= {"rollout-holds-whole-groups"}
    assert "every-rank-gets-a-prompt" not in {each.rule.name for each in in_log(log)}


def test_a_long_log_is_looked_at_by_its_words(monkeypatch):
    """A line is compared with the few wordings whose rarest word it holds, and what is beyond the limits with none."""
    asked = []
    stands_in = Wording.stands_in
    monkeypatch.setattr(Wording, "stands_in", lambda self, line: asked.append(line) or stands_in(self, line))
    assert in_log("step 10 loss 0.5 reward 0.1 batch done generation\n" * 1000) == []
    assert len(asked) < 100_000 and len(list(wordings())) > 300
    asked.clear()
    assert in_log(CRASH + "x\n" * MOST_LINES) == []
    assert in_log("x" * LONGEST_LINE + CRASH.replace("\n", " ")) == []
    assert not any(len(line) > LONGEST_LINE for line in asked)


# --- the commands ---------------------------------------------------------------------------------------------------


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bad.yaml").write_text(TRL.format(group=5))
    (tmp_path / "good.yaml").write_text(TRL.format(group=6))
    (tmp_path / "log.txt").write_text(CRASH)

    def run(*words, stdin=None):
        if stdin is not None:
            monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin.encode())))
        status = main(list(words))
        captured = capsys.readouterr()
        return status, captured.out, captured.err

    return run


def test_one_rule_is_shown_and_several_are_listed(run):
    status, out, _ = run("rule", "constraint 4")
    assert (status, out) == (0, run("rule", "GRPO216")[1])
    status, out, _ = run("rule", "must be divisible by dp_size")
    assert status == 0 and out.startswith("GRPO210  rollout-prompts-divide-over-ranks: ")
    assert "`grpo-lint rule CODE` shows the page of one." in out


def test_a_name_without_a_rule_is_told(run):
    status, out, _ = run("rule", "total_prompt_data_size")
    assert status == 0 and "micro_steps_of_data" in out and "num_iterations is not in it" in out


def test_a_traceback_on_standard_input(run):
    assert "GRPO203" in run("rule", "-", stdin=CRASH)[1]
    assert run("rule", "-", stdin="nothing to see")[0] == 2


def test_a_word_out_of_the_texts_of_rules(run):
    status, out, _ = run("rule", "accelerate")
    assert status == 0 and "GRPO461" in out
    assert run("rule", "the")[0] == 2, "a word that most of them hold"


def test_misspelt_names_are_still_wrong_usage(run):
    for word in ("GRPO999", "rollout-holds-whole-group", "TEAM001", "xyzzy"):
        status, out, err = run("rule", word)
        assert (status, out) == (2, "") and "unknown rule" in err


def test_the_finding_that_explains_a_crash(run):
    status, out, err = run("check", "--error", "log.txt", "bad.yaml")
    assert status == 1 and out.count("error[") == 1 and "error[GRPO203]" in out
    assert "this explains the crash" in err
    assert run("check", "--error", "-", "bad.yaml", stdin=CRASH)[:2] == (status, out)


def test_a_warning_explains_the_crash_that_it_speaks_of(run, tmp_path):
    """Also by a sentence that somebody has shortened."""
    told = "# grpo-lint: dialect=megatron version=4.4.0 world-size=8\nrlhf_type: grpo\nmicro_batch_size: 2\nglobal_batch_size: 64\n"
    (tmp_path / "bad.yaml").write_text(f"{told}num_generations: 8\nsteps_per_generation: 2\n")
    for log in (
        "num_prompts_per_dp_group (1) must be divisible by micro_batch_size (2)",
        "prompts divisible by micro_batch_size",
    ):
        (tmp_path / "log.txt").write_text(f"{log}\n")
        status, out, err = run("check", "--error", "log.txt", "bad.yaml")
        assert status == 1 and "warning[GRPO216]" in out and "this explains the crash" in err


def test_what_the_layers_below_say(run, tmp_path):
    """Each cause is found by each of its wordings, in a log that ends with what says nothing; its rules are there."""
    for cause in CAUSES:
        assert all(name in RULES for name in cause.rules)
        for wording in cause.wordings:
            log = f"[rank3]: RuntimeError: {wording} (12, 16384)\ntorch.distributed.elastic.multiprocessing.errors.ChildFailedError:\n"
            assert cause_in(log) is cause, wording
    assert cause_in(CRASH) is None and cause_in("all is well\n") is None
    (tmp_path / "log.txt").write_text("torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB\n")
    assert "A GPU is full" in run("check", "--error", "log.txt", "good.yaml")[2]
    status, out, _ = run("rule", "-", stdin="RuntimeError: CUDA error: invalid device ordinal\n")
    assert status == 0 and out.startswith("PyTorch: ") and "GRPO441" in out
    assert "GRPO" not in run("rule", "torch.distributed.elastic.multiprocessing.errors.ChildFailedError: ")[1]


def test_other_findings_are_left_out(run, tmp_path):
    (tmp_path / "bad.yaml").write_text(TRL.format(group=5) + "num_genrations: 7\n")
    assert "num_genrations" in run("check", "bad.yaml")[1]
    out = run("check", "--error", "log.txt", "bad.yaml")[1]
    assert "error[GRPO203]" in out and "GRPO101" not in out and "GRPO102" not in out


def test_a_crash_that_nothing_explains(run, tmp_path):
    status, _, err = run("check", "--error", "log.txt", "good.yaml")
    assert status == 0 and "nothing that was checked breaks it" in err and "GRPO203" in err
    (tmp_path / "log.txt").write_text("all is well\n")
    assert "no rule knows an error" in run("check", "--error", "log.txt", "bad.yaml")[2]


def test_a_finding_that_speaks_for_another_explains_its_crash(run, tmp_path):
    """A group of 0 is refused in the words of a division by it."""
    rows = [row for row in wordings() if row.rule is RULES["group-is-positive"]]
    assert rows
    (tmp_path / "bad.yaml").write_text(TRL.format(group=0))
    (tmp_path / "log.txt").write_text("ZeroDivisionError: integer modulo by zero\n")
    out = run("check", "--error", "log.txt", "bad.yaml")[1]
    assert "GRPO200" in out


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--error", "missing.txt", "bad.yaml"], "missing.txt cannot be read"),
        (["--error", "log.txt", "--fix", "bad.yaml"], "goes without --fix"),
        (["--error", "-", "-"], "standard input can be the log"),
    ],
)
def test_wrong_usage(run, words, told):
    status, out, err = run("check", *words)
    assert (status, out) == (2, "") and told in err


def test_quoted_errors_hold_the_numbers_of_the_run(run):
    out = " ".join(run("check", "-v", "bad.yaml")[1].split())
    assert '"generation_batch_size (24) must be divisible by num_generations (5)."' in out


def test_a_quoted_error_about_a_list_holds_its_length(run):
    with open("weights.yaml", "w") as file:
        file.write(
            "# grpo-lint: dialect=swift version=4.6.0 world-size=2\nrlhf_type: grpo\nmodel: m\ndataset: d\nnum_generations: 8\n"
            "per_device_train_batch_size: 8\nreward_funcs: [accuracy, format]\nreward_weights: ['1', '2', '3']\n"
        )
    out = " ".join(run("check", "-v", "weights.yaml")[1].split())
    assert "Number of reward weights (3) must match number of reward functions (2)" in out
