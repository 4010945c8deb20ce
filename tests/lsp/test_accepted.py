"""Whatever is accepted, wherever it is offered: the text can still be parsed, and only the token around the cursor has
changed."""

import ast
import re

import pytest
from accepting import accepted, differ, values

from grpo_lint.checker.contexts import of_text
from grpo_lint.engine import lint
from grpo_lint.lsp import beginnings
from grpo_lint.lsp.client import Client
from grpo_lint.lsp.completion import completion
from grpo_lint.lsp.python_completion import in_python
from grpo_lint.lsp.server import _as_announced
from grpo_lint.source.text import Text

YAML = """\
# grpo-lint: dialect=trl version=1.16.0 world-size=7
num_generations: 8  # of a prompt
loss_type: dapo
vllm_mode : "colocate"
reward_funcs: [accuracy, 'think']
report_to:
- wandb
model_init_kwargs: {dtype: auto}
run_name: a name
output_dir: >-
  num
"""
SECTIONS = """\
# grpo-lint: dialect=easyr1 version=0.3.2
data:
  rollout_batch_size: 128
worker:
  actor:
    optim:
      lr: 1.0e-6
  rollout:
    n: 8
algorithm:
  adv_estimator: grpo
"""
JSON = """\
{
  "rlhf_type": "grpo",
  "num_generations": 8, "beta": 0.1,
  "vllm_mode": "colocate",
  "use_vllm": true,
  "reward_funcs": ["accuracy"]
}
"""
JSON_LINE = '{"rlhf_type": "grpo", "num_generations": 8, "vllm_mode": "colocate", "reward_funcs": ["format"], "model_kwargs": {"a": "b"}}'
FLAGS = """\
#!/bin/bash
ARGS=(--beta 0.1 --vllm_mode server)
swift rlhf --rlhf_type grpo \\
    --num_generations 8 --loss_type=grpo --vllm_mode 'colocate' \\
    --reward_funcs accuracy format \\
  "${ARGS[@]}" --use_vllm true | tee log # num
"""
OVERRIDES = """\
python3 -m verl.trainer.main_ppo \\
    algorithm.adv_estimator=grpo \\
    +actor_rollout_ref.rollout.n=5 "trainer.nnodes=1" \\
    trainer.logger=['console'] $@
"""
SLIME = """\
ARGS=(
   --advantage-estimator grpo
   --rollout-batch-size 32 --n-samples-per-prompt 8
   --colocate
)
python3 train.py --actor-num-nodes 1 --global-batch-size=256 ${ARGS[@]}
"""
OPENRLHF = """\
python3 -m openrlhf.cli.train_ppo_ray \\
   --algo.advantage.estimator group_norm \\
   --rollout.n_samples_per_prompt 8 --rollout.batch_size=128 --train.colocate_all
"""
PYTHON = """\
from trl import GRPOConfig
args = GRPOConfig(
    num_generations=8, loss_type="dapo",  # why
    use_vllm=True,
    vllm_mode = 'colocate', reward_weights=[1.0], run_name=f"{name}",
    **dict(beta=0.1),
)
"""

IMAGE = """\
FROM a
ENTRYPOINT ["swift", "rlhf", \\
  "--rlhf_type", "grpo", "--num_generations=8"]
CMD ["--loss_type", "dapo", "--reward_funcs", "accuracy"]
"""
LIST = """\
import subprocess
subprocess.run([
    "swift", "rlhf", "--rlhf_type", 'grpo',  # why
    "--num_generations", "8", *more,
    "--vllm_mode=colocate", str(x),
])
"""
FLOW = """\
# grpo-lint: dialect=verl version=0.9.1
algorithm: {adv_estimator: grpo}
actor_rollout_ref: {rollout: {n: 8, "name": vllm}, actor: {ppo_mini_batch_size: 48, optim: {lr: 1.0e-6}}}
data:
  {train_batch_size: 64}
trainer: {nnodes: 1,
  logger: [console]}
"""
LISTS = """\
# grpo-lint: dialect=trl version=1.16.0
"num_generations": 8
'loss_type': "dapo"
report_to: [
  wandb,
  "mlflow"
]
reward_funcs:
  - accuracy_reward
  - think_format_reward
vllm_mode:
  colocate
"""
ROLES = """\
# grpo-lint: dialect=megatron version=4.6.0
rlhf_type: grpo
num_generations: 8
train:
  gpus: 4
  recompute_granularity: full
rollout:
  gpus: 4
  vllm_tensor_parallel_size: 2
"""
BUILT_ON = """\
# grpo-lint: dialect=nemo-rl version=0.7.0
defaults: grpo_math_1B.yaml
grpo:
  num_prompts_per_step: 64
"policy":
  train_global_batch_size: 512
  "generation":
    vllm_cfg:
      tensor_parallel_size: 2
"""
COMPUTED = """\
SIZES=(
  data.max_prompt_length=$((1024 * 2)) # ')'
  data.max_response_length=$(cat length)
  data.train_batch_size=48
)
python3 -m verl.trainer.main_ppo algorithm.adv_estimator=grpo "${SIZES[@]}" trainer.nnodes=1
"""
HANDED = """\
from trl import GRPOConfig
more = {"report_to": [
    "wandb",
    'mlflow',
], "loss_type":
    "dapo", "beta": 0.1}
args = GRPOConfig(
    report_to=["wandb", "mlflow"], loss_type=
    "dapo", beta=0.1, num_generations=8,
)
"""
JSON_LISTS = """\
{
  "rlhf_type": "grpo",
  "reward_funcs": [
    "accuracy",
    "format"
  ],
  "report_to": ["wandb"]
}
"""
FOLDED = """\
run: >-
  swift rlhf --rlhf_type grpo
  --num_generations 8 --vllm_mode colocate

  echo done
more: 1
"""
CONTAINER = """\
containers:
- command: ["swift", "rlhf"]
  args:
  - --rlhf_type
  - grpo
  - "--num_generations"
  - '8'
"""


@pytest.mark.parametrize(
    ("text", "path", "least"),
    [(YAML, "a.yaml", 50), (SECTIONS, "a.yaml", 30), (JSON, "a.json", 30), (JSON_LINE, "a.json", 40), (FLAGS, "a.sh", 60), (OVERRIDES, "a.sh", 40),
     (SLIME, "a.sh", 60), (OPENRLHF, "a.sh", 60), (PYTHON, "a.py", 40),
     (IMAGE, "Dockerfile", 40), (LIST, "a.py", 40), (FLOW, "a.yaml", 60), (FOLDED, "a.yaml", 30), (CONTAINER, "a.yaml", 20),
     (LISTS, "a.yaml", 100), (ROLES, "a.yaml", 60), (BUILT_ON, "a.yaml", 60), (COMPUTED, "a.sh", 80), (HANDED, "a.py", 60), (JSON_LISTS, "a.json", 50)],
)  # fmt: skip
def test_what_is_accepted_changes_one_token_and_can_be_parsed(text, path, least):
    known, before, places = lint(Text(text, path), of_text(), fixes=False), values(text, path), 0
    assert known.launches and before
    for offset in range(len(text) + 1):
        find = in_python if path.endswith(".py") else completion
        found = find(Text(text, path), offset, known, of_text(), "utf-16")
        places += bool(found)
        for item in (found[0], found[len(found) // 2], found[-1]) if found else ():
            new = accepted(text, path, offset, item)
            after = values(new, path)
            assert after is not None, (text[:offset], item["textEdit"], new)
            assert differ(before, after) <= 2, (text[:offset], item["textEdit"], new)
    assert places >= least, places


@pytest.mark.parametrize(
    ("marked", "path", "label", "after"),
    [
        ("num_gen|: 8\nbeta: 0.1", "a.yaml", "num_generations", "num_generations: 8\nbeta: 0.1"),
        ("loss_type: d|apo", "a.yaml", "dr_grpo", "loss_type: dr_grpo"),
        ("loss_type:|", "a.yaml", "dr_grpo", "loss_type: dr_grpo"),
        ('loss_type: |"dapo" # a', "a.yaml", "dr_grpo", "loss_type: dr_grpo # a"),
        ("--vllm_mode c|olocate", "a.sh", "server", "--vllm_mode server"),
        ("--num_gen|erations 8", "a.sh", "num_iterations", "--num_iterations 8"),
        ("--num_gen|=8", "a.sh", "num_iterations", "--num_iterations=8"),
        ("--num_iter|=8", "a.sh", "num_iterations", "--num_iterations=8"),
        ("--loss_type \"d|apo\"", "a.sh", "dr_grpo", "--loss_type \"dr_grpo\""),
        ('{"rlhf_type": "grpo", "num_iter|": 8, "top_k": 1}', "a.json", "num_iterations", '{"rlhf_type": "grpo", "num_iterations": 8, "top_k": 1}'),
        ('{"rlhf_type": "grpo", "loss_type": "d|apo", "top_k": 1}', "a.json", "dr_grpo", '{"rlhf_type": "grpo", "loss_type": "dr_grpo", "top_k": 1}'),
        ("num_iter|=8,", "a.py", "num_iterations", "num_iterations=8,"),
        ("loss_type=|'dapo')", "a.py", "dr_grpo", "loss_type=\"dr_grpo\")"),
    ],
)  # fmt: skip
def test_separators_that_are_there_are_left_out(marked, path, label, after):
    head = {
        "a.yaml": "# grpo-lint: dialect=trl version=1.16.0\nper_device_train_batch_size: 8\nuse_vllm: true\n",
        "a.json": "",
        "a.sh": "trl grpo --max_steps 8 ",
        "a.py": "from trl import GRPOConfig\nGRPOConfig(max_steps=8, ",
    }[path]
    text, offset = head + marked.replace("|", ""), len(head) + marked.index("|")
    find = in_python if path.endswith(".py") else completion
    found = {each["label"]: each for each in find(Text(text, path), offset, None, of_text(), "utf-16")}
    item = found[label]
    start, end = (
        Text(text, path).encoded_offset(place["line"], place["character"], "utf-16")
        for place in item["textEdit"]["range"].values()
    )
    assert (text[:start] + item["textEdit"]["newText"] + text[end:])[len(head) :] == after


# --- where people begin -----------------------------------------------------------------------------------------------


BEGINNINGS = [
    ("from trl import GRPOConfig\na = GRPOConfig(|)\n", "a.py", {"num_generations=", "beta="}),
    ("import trl\na = trl.GRPOConfig(|", "a.py", {"num_generations="}),
    ("from trl import GRPOConfig as C\nC(loss_type=|)", "a.py", {'"dr_grpo"'}),
    ("from trl import GRPOConfig\na = GRPOConfig(**dict(|", "a.py", {"num_generations="}),
    ("from trl import GRPOConfig\na = GRPOConfig(output_dir=x, **dict(b|))", "a.py", {"beta="}),
    ("num_generations: 8\nb|", "a.yaml", {"beta: "}),
    ("model_name_or_path: a/b\n|", "a.yaml", {"num_generations: "}),
    ("rlhf_type: grpo\n|", "a.yaml", {"num_generations: "}),
    ("algorithm:\n  adv_estimator: grpo\n|", "a.yaml", {"data:", "actor_rollout_ref:"}),
    ("algorithm:\n  adv_estimator: grpo\n  |", "a.yaml", {"gamma: "}),
    ('{"rlhf_type": "grpo", "loss_type": "|"}', "a.json", {"dr_grpo"}),
    ("swift rlhf \\\n  --|\n", "a.sh", {"rlhf_type ", "num_generations "}),
    ("swift rlhf \\\n  |\n", "a.sh", {"--rlhf_type "}),
    ("trl grpo --beta 0.1 \\\n  |\n", "a.sh", {"--num_generations "}),
    ("python3 -m verl.trainer.main_ppo \\\n  |", "a.sh", {"actor_rollout_ref.rollout.n="}),
    ("accelerate launch train.py \\\n --num_generations 8 \\\n --|\n", "a.sh", {"beta "}),
    ("swift rlhf --rlhf_type grpo --reward_funcs accuracy |", "a.sh", {"format", "soft_overlong"}),
    ("swift rlhf --rlhf_type grpo --reward_funcs \\\n  |", "a.sh", {"accuracy"}),
    ("python3 -m openrlhf.cli.train_ppo_ray --|", "a.sh", {"rollout.n_samples_per_prompt ", "train.colocate_all "}),
    ("python3 -m openrlhf.cli.train_ppo_ray --algo.advantage.estimator |", "a.sh", {"group_norm"}),
    ("python3 train.py --rollout-batch-size 32 --n-samples-per-prompt 8 --|", "a.sh", {"global-batch-size "}),
    ("python3 train.py --rollout-batch-size 32 --n-samples-per-prompt 8 --advantage-estimator |", "a.sh", {"grpo"}),
    ("uv run examples/run_grpo_math.py \\\n  |", "a.sh", {"grpo.num_prompts_per_step="}),
    ("grpo:\n  |", "a.yaml", {"num_generations_per_prompt: "}),
    ("worker:\n  rollout:\n    |", "a.yaml", {"n: "}),
    ("ARGS=(--rlhf_type grpo |)\nswift rlhf ${ARGS[@]}\n", "a.sh", {"--num_generations "}),
    ("rlhf_type: |", "a.yaml", {"grpo"}),
    ("rlhf_type: g|\n", "a.yaml", {"grpo"}),
    ("vllm_mode: |", "a.yaml", {"colocate"}),
    ("algorithm:\n  adv_estimator: |", "a.yaml", {"grpo"}),
    ("actor_rollout_ref:\n  |", "a.yaml", {"rollout:"}),
    ("defaults:\n  - ppo_trainer\n  - _self_\n|", "a.yaml", {"actor_rollout_ref:"}),
    ("defaults: grpo_math_1B.yaml\n|", "a.yaml", {"grpo:", "policy:"}),
    ("{num_generations: 8, |}", "a.yaml", {"beta: "}),
    ("{rlhf_type: grpo, loss_type: |, seed: 1}", "a.yaml", {"dr_grpo"}),
    ('{"rlhf_type": "|"}', "a.json", {"grpo"}),
    ('{"num_generations": 8, |}', "a.json", {'"beta": '}),
    ('{\n  "rlhf_type": "grpo",\n  |\n}\n', "a.json", {'"num_generations": '}),
    ('{\n  "rlhf_type": "grpo",\n  "|"\n}\n', "a.json", {'num_generations": '}),
    ('{"rlhf_type": "grpo", "reward_funcs": [\n  "|"\n]}', "a.json", {"accuracy"}),
    ("from trl import GRPOConfig\nargs = dict(num_|)\na = GRPOConfig(**args)\n", "a.py", {"num_generations="}),
    ("from trl import GRPOConfig\nargs = {'num_|': 8}\na = GRPOConfig(**args)\n", "a.py", {"num_generations"}),
    ("from trl import GRPOConfig\nargs = {\n    |\n}\na = GRPOConfig(**args)\n", "a.py", {'"num_generations": '}),
    ("from trl import GRPOConfig\nargs = {'loss_type': '|'}\nt(GRPOConfig(**args))\n", "a.py", {"dr_grpo"}),
    ("from trl import GRPOConfig\na = GRPOConfig(**{'loss_type': |})\n", "a.py", {'"dr_grpo"'}),
    ("from swift.llm import RLHFArguments\nRLHFArguments(|)", "a.py", {"rlhf_type=", "num_generations="}),
    ("!swift rlhf --rlhf_type grpo --|", "a.ipynb", {"num_generations "}),
    ("%%bash\ntrl grpo --beta 0.1 \\\n  --|", "a.ipynb", {"num_generations "}),
    ("FROM a\nRUN --mount=type=cache,target=/c swift rlhf --|\n", "Dockerfile", {"rlhf_type "}),
    ("train:\n\t@trl grpo --beta 0.1 --|\n", "Makefile", {"num_generations "}),
    ("run: |\n  swift rlhf --rlhf_type grpo \\\n    --¦\n", "a.yaml", {"num_generations "}),
    ("a:\n  command: trl grpo --|\n", "a.yaml", {"num_generations "}),
    ("#!/bin/bash\n#SBATCH -N 2\nsrun swift rlhf --|", "a.job", {"rlhf_type "}),
    ("python3 train.py --actor-num-nodes 1 --|", "a.sh", {"rollout-batch-size "}),
    ("A=(\n  --rollout-batch-size 32 --n-samples-per-prompt 8\n  --|\n)\n", "a.sh", {"global-batch-size "}),
    (
        "B=(\n  --advantage-estimator |\n)\npython3 train.py --rollout-batch-size 8 --n-samples-per-prompt 8 ${B[@]}\n",
        "a.sh",
        {"grpo"},
    ),
    ('FROM a\nCMD ["swift", "rlhf", "--|"]\n', "Dockerfile", {"rlhf_type", "num_generations"}),
    ('FROM a\nCMD ["swift", "rlhf", "--rlhf_type", "grpo", "--num|", "8"]\n', "Dockerfile", {"num_generations"}),
    ('FROM a\nENTRYPOINT ["swift", "rlhf", "--rlhf_type", "|"]\n', "Dockerfile", {"grpo"}),
    ('FROM a\nENTRYPOINT ["swift", "rlhf", "--rlhf_type", "grpo", |]\n', "Dockerfile", {'"--num_generations"'}),
    ('FROM a\nENTRYPOINT ["swift", "rlhf"]\nCMD ["--rlhf_type", "grpo", "|"]\n', "Dockerfile", {"--num_generations"}),
    ('FROM a\nCMD ["python3", "-m", "verl.trainer.main_ppo", "data.|"]\n', "Dockerfile", {"data.train_batch_size="}),
    ('import subprocess\nsubprocess.run(["swift", "rlhf", "--num_gen|"])\n', "a.py", {"num_generations"}),
    ('run(["swift", "rlhf", "--rlhf_type", "grpo", |])\n', "a.py", {'"--num_generations"'}),
    ('run(["swift", "rlhf", "--rlhf_type", "grpo", "--num|", "8"])\n', "a.py", {"num_generations"}),
    ('from swift.llm import rlhf_main\nrlhf_main(["--rlhf_type", "grpo", "|"])\n', "a.py", {"--num_generations"}),
    ("algorithm: {adv_estimator: grpo}\ndata: {train_ba|}\n", "a.yaml", {"train_batch_size: "}),
    ("algorithm:\n  adv_estimator: grpo\nactor_rollout_ref: {rollout: {n: 8, |}}\n", "a.yaml", {"name: "}),
    ("algorithm: {adv_estimator: |}\n", "a.yaml", {"grpo"}),
    ('{"algorithm": {"adv_estimator": "grpo"}, "data": {"|": 1}}', "a.json", {"train_batch_size"}),
    ("run: >\n  swift rlhf --rlhf_type grpo\n  --num_gen¦\n", "a.yaml", {"num_generations "}),
    ("run: >-\n  swift rlhf\n  --rlhf_type ¦\n", "a.yaml", {"grpo"}),
    ("run: >\n  swift rlhf --rlhf_type grpo\n  ¦\n", "a.yaml", {"--num_generations "}),
    (
        "on: push\njobs:\n  a:\n    steps:\n      - run: |\n          cd x\n          trl grpo \\\n            --¦\n",
        "a.yml",
        {"num_generations "},
    ),
    ('spec:\n- command: ["trl", "grpo", "--beta", "0.1", "--num|"]\n', "a.yaml", {"num_generations"}),
    ("spec:\n- command:\n  - trl\n  - grpo\n  - --num|\n", "a.yaml", {"num_generations"}),
    ("spec:\n- command: [swift, rlhf]\n  args:\n  - --rlhf_type\n  - |\n", "a.yaml", {"grpo"}),
    ("python3 -m recipe.dapo.main_dapo |", "a.sh", {"actor_rollout_ref.rollout.n="}),
    ("num_generations: 8\nloss_type:\n  |\n", "a.yaml", {"dapo"}),
    ("num_generations: 8\nreport_to:\n  |\n", "a.yaml", {"wandb"}),
    ("num_generations: 8\nreport_to: [\n  wandb,\n  |\n]\n", "a.yaml", {"mlflow"}),
    ("algorithm:\n  adv_estimator:\n    |\n", "a.yaml", {"grpo"}),
    ("from trl import GRPOConfig\nGRPOConfig(report_to=['wandb', |])\n", "a.py", {'"mlflow"'}),
    ("from trl import GRPOConfig\nGRPOConfig(report_to=[\n    |\n])\n", "a.py", {'"wandb"'}),
    ("uv run examples/run_grpo.py grpo.|", "Makefile", {"grpo.num_prompts_per_step="}),
    ("FROM a\nRUN uv run examples/run_grpo.py \\\n  grpo.|\n", "Dockerfile", {"grpo.num_prompts_per_step="}),
    ("run: |\n  uv run examples/run_grpo.py grpo.¦\n", "a.yaml", {"grpo.num_prompts_per_step="}),
    ('command: ["uv", "run", "examples/run_grpo.py", "grpo.|"]\n', "a.yaml", {"grpo.num_prompts_per_step="}),
    ("run: |\n  python3 train.py --rollout-batch-size¦ 8\n", "a.yaml", {"rollout-batch-size"}),
    ("cat > a.yaml <<EOF\nnum_generations: 8\n|\nEOF\n", "a.sh", {"loss_type: "}),
    ("cat > a.yaml <<EOF\nnum_generations: 8\nloss_type: |\nEOF\ntrl grpo --config a.yaml\n", "a.sh", {"dapo"}),
    ("uv run examples/run_grpo.py ++grpo.|", "a.sh", {"grpo.num_prompts_per_step="}),
    ("python3 -m verl.trainer.main config=a.yaml worker.rollout.|", "a.sh", {"worker.rollout.n="}),
]


# Texts that cannot be read before something is accepted.
BROKEN = [
    ("num_generations: 8\n'|'\n", "a.yaml", {"loss_type': "}),
    ("from trl import GRPOConfig\nGRPOConfig(loss_type=\n    |)\n", "a.py", {'"dapo"'}),
    ("from trl import GRPOConfig\nGRPOConfig(loss_type=|\n    beta=0.1)\n", "a.py", {'"dapo",'}),
    ('{"rlhf_type": "grpo", "loss_type": |\n "beta": 0.1}', "a.json", {'"dr_grpo",'}),
    ('{"rlhf_type": "grpo", "reward_funcs": [|\n "accuracy"]}', "a.json", {'"format",'}),
]


def begun_at(marked):
    """(a text, where the cursor is in it)."""
    sign = "¦" if "¦" in marked else "|"
    return marked.replace(sign, ""), marked.index(sign)


@pytest.mark.parametrize(("marked", "path", "some"), [*BEGINNINGS, *BROKEN])
def test_help_is_there_where_people_begin(marked, path, some):
    assert some <= set(_offered(marked, path))


TOKEN = re.compile(r"""["']?[\w.+-]*["']?\Z""")
WHOLE_FILE = 15  # LSP: the kind of a snippet


def beginning(text, path):
    """What a text says that has just been begun, as `values`; brackets of Python that are still open are closed, and a comma at the
    end of JSON is none of its faults."""
    if path.endswith(".json"):
        return values(text, "a.yaml")
    if not path.endswith(".py"):
        return values(text, path) if path.endswith((".sh", ".yaml")) else text.split()
    try:
        tree = ast.parse(text.rstrip("\n") + ")" * (text.count("(") - text.count(")")))
    except SyntaxError:
        return None
    said = [(each, each.arg, each.value) for each in ast.walk(tree) if isinstance(each, ast.keyword) and each.arg]
    said += [
        (key, ast.unparse(key), value)
        for each in ast.walk(tree)
        if isinstance(each, ast.Dict)
        for key, value in zip(each.keys, each.values)
    ]
    said.sort(key=lambda each: (each[0].lineno, each[0].col_offset))
    return [part for _, name, value in said for part in (name, ast.unparse(value))]


def each_accepted(text, path, offset, before, most=40):
    """(item, text after it is accepted, offset behind it) of the items at a place, each of which is held to the property: the rest
    of the text is as it was, it can be read, and says one thing more than `before`."""
    find = in_python if path.endswith((".py", ".ipynb")) else completion
    items = find(Text(text, path), offset, None, of_text(), "utf-16")
    for item in items[:: max(1, len(items) // most)]:
        assert item["kind"] != WHOLE_FILE, item["label"]
        new = accepted(text, path, offset, item)
        start, end = (
            Text(text, path).encoded_offset(place["line"], place["character"], "utf-16")
            for place in item["textEdit"]["range"].values()
        )
        assert TOKEN.match(text[start:end]), text[start:end]
        after = beginning(new, path)
        assert after is not None and differ(before, after) <= 2, (text[:offset], item["textEdit"], new)
        yield item, new, start + len(item["textEdit"]["newText"])


@pytest.mark.parametrize(("marked", "path", "some"), BEGINNINGS)
def test_what_is_accepted_where_people_begin_changes_one_token_and_can_be_parsed(marked, path, some):
    """Whatever is accepted, and then whatever value is offered right behind it."""
    text, offset = begun_at(marked)
    typed = re.search(r"[\w.-]*\Z", text[:offset])[0]
    empty = "0" if path.endswith(".py") and text[:offset].endswith(("=", ": ")) else ""  # a keyword has some value
    before = beginning(text[: offset - len(typed)] + empty + text[offset:], path)
    assert before is not None
    count = followed = 0
    for item, new, behind in each_accepted(text, path, offset, before):
        count += 1
        if item.get("goes_on") and followed < 3:
            cut = new[:behind] + new[behind:].removeprefix("0")  # the value that stood for one
            values_behind = list(each_accepted(cut, path, behind, before, most=5))
            assert values_behind, item["label"]
            followed += 1
    assert count >= min(len(some), 1) and (followed or not has_values(some, path))


def has_values(some, path):
    """Whether keys are offered, some of which have values that are known."""
    return any(each.endswith((": ", "=", " ")) for each in some)


@pytest.mark.parametrize(
    ("marked", "path"),
    [
        ("def GRPOConfig(|): pass", "a.py"),
        ("f(|)", "a.py"),
        ("name: a\nversion: 3\n|", "a.yaml"),
        ("seed: 1\n|", "a.yaml"),
        ("data:\n  path: a\n|", "a.yaml"),
        ("data:\n  |", "a.yaml"),
        ("# grpo-lint: dialect=slime\n|", "a.yaml"),
        ("python3 train.py --rollout-batch-size 32 --n-samples-per-prompt 8 --colocate |t", "a.sh"),
        ("git commit \\\n  --|\n", "a.sh"),
        ("python train.py \\\n  --|\n", "a.sh"),
        ("swift rlhf --rlhf_type grpo\n\n|", "a.sh"),
        ("swift rlhf --rlhf_type grpo # --|", "a.sh"),
        ("swift | rlhf --rlhf_type grpo", "a.sh"),
        ("swift rlhf --rlhf_type grpo --num_generations |", "a.sh"),
        ("loss_type: |", "a.yaml"),
        ("learning_rate: 0.1\n|", "a.yaml"),
        ("algorithm:\n  |", "a.yaml"),
        ("algorithm:\n  gamma: 0.99\n  |", "a.yaml"),
        ("worker:\n  |", "a.yaml"),
        ('{"name": "a", "version": "1", |}', "package.json"),
        ('[{"rlhf_type": "grpo", |}]', "a.json"),
        ('{"rlhf_type": "grpo", "model_kwargs": {"|"}}', "a.json"),
        ('{"rlhf_type": "grpo",\n  |"beta": 0.1}', "a.json"),
        ("rlhf_type: grpo\nmodel_kwargs: {|}", "a.yaml"),
        ("from trl import GRPOConfig\nargs = dict(|)\nf(**args)\n", "a.py"),
        ("from trl import GRPOConfig\nargs = {'|': 1}\n", "a.py"),
        ("from trl import GRPOConfig\nx = f(|)", "a.ipynb"),
        ("!pip install --|", "a.ipynb"),
        ("FROM a\nRUN apt-get install --|\n", "Dockerfile"),
        ("test:\n\tpython -m pytest --|\n", "Makefile"),
        ("run: |\n  python -m pytest --¦\n", "a.yaml"),
        ('FROM a\nCMD ["python", "-m", "pytest", "--|"]\n', "Dockerfile"),
        ('FROM a\nCMD ["swift", "rlhf"] |\n', "Dockerfile"),
        ('FROM a\nCMD ["swift" |"rlhf"]\n', "Dockerfile"),
        ('FROM a\nENTRYPOINT ["swift", "rlhf"]\nFROM b\nCMD ["|"]\n', "Dockerfile"),
        ('run(["python", "train.py", "--|"])\n', "a.py"),
        ('x = ["swift", ["|"]]\n', "a.py"),
        ("data: {train_ba|: 4}\n", "a.yaml"),
        ("run: >\n  swift rlhf --rlhf_type grpo\n\n  --¦\n", "a.yaml"),
        ("run: >\n  swift rlhf --rlhf_type grpo\n¦\n", "a.yaml"),
        ("spec:\n- command:\n  - python\n  - train.py\n  - --|\n", "a.yaml"),
        ("|", "Makefile"),
        ("FROM a\n|", "Dockerfile"),
        ("python -m pytest --|", "a.sh"),
        ("from trl import GRPOConfig\nGRPOConfig(betas=[\n    |\n])\n", "a.py"),
        ("cat > a.yaml <<EOF\nnum_generations: 8\nbeta: |\nEOF\ntrl grpo --config a.yaml\n", "a.sh"),
        ("python - <<EOF\nimport a\n|\nEOF\ntrl grpo --beta 0.1\n", "a.sh"),
        ("python3 -m verl.trainer.main_ppo data.max_prompt_length=$((1024 * |2)) trainer.nnodes=1\n", "a.sh"),
        ("num_generations: 8\nreport_to: [wandb\n  |]\n", "a.yaml"),
        ("num_generations: 8\nmodel_init_kwargs:\n  |\n", "a.yaml"),
        ("uv run pytest --|", "Makefile"),
        ("accelerate launch train_grpo.py --|", "a.sh"),
        ("python3 train.py --global-batch-size 8 --|", "a.sh"),
        ("A=(--lr 1 --|)\n", "a.sh"),
    ],
)
def test_nothing_is_offered_where_others_are_at_home(marked, path):
    assert _offered(marked, path) == []


def _offered(marked, path):
    text, offset = begun_at(marked)
    find = in_python if path.endswith((".py", ".ipynb")) else completion
    return [item["textEdit"]["newText"] for item in find(Text(text, path), offset, None, of_text(), "utf-16")]


def test_a_keyword_before_another_one_is_parted_from_it():
    text = "from trl import GRPOConfig\nGRPOConfig(\n    \n    beta=0.1)\n"
    found = in_python(Text(text, "a.py"), text.index("    \n") + 4, None, of_text(), "utf-16")
    assert {item["label"]: item.get("snippet") for item in found}["loss_type"] == "loss_type=$0,"


def test_a_client_is_told_what_to_replace_and_offered_values_at_once():
    text = Text("rlhf_type: grpo\nvllm_|\n".replace("|", ""), "a.yaml")
    known = lint(text, of_text(), fixes=False)
    for client, kinds in (
        (Client(), {"range", "newText"}),
        (Client(inserts_or_replaces=True, suggests="a.b"), {"insert", "replace", "newText"}),
    ):
        found = completion(text, len(text.text) - 1, known, of_text(), "utf-16")
        items = {item["label"]: _as_announced(client, item) for item in found}
        item = items["vllm_mode"]
        assert item["textEdit"].keys() == kinds and ("command" in item) == bool(client.suggests)
        assert item["textEdit"].get("insert") == item["textEdit"].get("replace")
        assert "command" not in items["vllm_server_port"]  # nobody knows its values


@pytest.mark.parametrize(("lines", "most"), [(10, 4), (1_000, 2), (10_000, 0)])
def test_a_text_that_cannot_be_read_is_read_again_as_often_as_that(lines, most, monkeypatch):
    text = Text("# grpo-lint: dialect=trl\nnum_generations: 8\nreport_to: [\n" + "  'wandb',\n" * lines, "a.yaml")
    known, read = lint(text, of_text(), fixes=False), []
    monkeypatch.setattr(beginnings, "lint", lambda *words, **named: read.append(words) or lint(*words, **named))
    completion(text, len(text.text), known, of_text(), "utf-16")
    assert len(read) == most
