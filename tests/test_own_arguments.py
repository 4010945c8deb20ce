"""Flags of a command that the own `argparse` of a training script refuses, held against argparse itself."""

import argparse

import pytest

from conftest import names
from grpo_lint.checker.contexts import Around
from grpo_lint.engine import lint_path
from grpo_lint.launch.own_arguments import declared_in

DECLARED = """\
p.add_argument("--model", required=True)
p.add_argument("--num_generations", "-g", type=int, default=8)
p.add_argument("--batch-size", type=int, default=4)
p.add_argument("--funcs", nargs="+")
p.add_argument("--pair", nargs=2, type=float)
p.add_argument("--kind", choices=["a", "b"])
p.add_argument("--use_vllm", action="store_true")
p.add_argument("--bf16", type=bool, default=True)
"""
SCRIPT = """\
import argparse
from trl import GRPOConfig, GRPOTrainer
p = argparse.ArgumentParser(description="trains")
{declared}
args = p.{reads}
config = GRPOConfig(output_dir="o", num_generations=args.num_generations, per_device_train_batch_size=8)
GRPOTrainer(model=args.model, reward_funcs=len, args=config).train()
"""
LINES = """\
--model m
--model m --num_generations 8 --batch-size 4
--model=m -g 8 --funcs a b c --pair 1 2.5 --kind a --use_vllm
--model m --num_gen 8
--model m --num_genrations 8
--model m --batch_size 4
--model m --num_generations 8 9
--model m --num_generations
--model m --num_generations eight
--model m --pair 1
--model m --kind c
--model m --use_vllm true
--model m --funcs
--num_generations 8
--model m --bf16 False
""".splitlines()


def judged(tmp_path, line, reads="parse_args()", more=""):
    (tmp_path / ".git").mkdir(exist_ok=True)
    (tmp_path / "train_grpo.py").write_text(SCRIPT.format(declared=DECLARED + more, reads=reads))
    path = tmp_path / "run.sh"
    path.write_text(f"accelerate launch --num_processes 8 train_grpo.py {line}\n")
    return lint_path(str(path), Around().of(str(path)))


@pytest.mark.parametrize("line", LINES)
def test_what_argparse_refuses_is_told_and_nothing_else(tmp_path, line, capsys):
    parser = argparse.ArgumentParser()
    exec(DECLARED, {"p": parser})
    try:
        parser.parse_args(line.split())
        is_refused = False
    except SystemExit:
        is_refused = True
    told = names(judged(tmp_path, line), "error")
    assert ("own-script-takes-its-flags" in told) == is_refused, told


def test_a_type_of_bool_makes_true_of_false(tmp_path):
    assert names(judged(tmp_path, "--model m --bf16 False"), "warning") == ["own-script-takes-its-flags"]
    assert names(judged(tmp_path, "--model m --bf16 True"), "warning") == []


@pytest.mark.parametrize(
    ("reads", "more"),
    [
        ("parse_known_args()[0]", ""),
        ("parse_args(['--model', 'm'])", ""),
        ("parse_args()", "add_more(p)\n"),
        ("parse_args()", "for name in open('x'):\n    p.add_argument(name)\n"),
        ("parse_args()", "s = p.add_subparsers()\n"),
    ],
)
def test_where_more_may_be_declared_nothing_is_told(tmp_path, reads, more):
    assert "own-script-takes-its-flags" not in names(judged(tmp_path, "--model m --strange 1", reads, more))


def test_arguments_that_a_script_passes_on_are_not_lacking(tmp_path):
    assert "own-script-takes-its-flags" not in names(judged(tmp_path, '--num_generations 8 "$@"'))


OTHER_READERS = {
    "never called": "def get():\n    p = argparse.ArgumentParser()\n    p.add_argument('--n', type=int)\n    return p.parse_args()\n",
    "changes its words": "import sys\nsys.argv = [each for each in sys.argv if each != '--own']\np = argparse.ArgumentParser()\np.add_argument('--n')\np.parse_args()\n",
    "takes the rest": "p = argparse.ArgumentParser()\np.add_argument('--t', nargs=argparse.REMAINDER)\np.parse_args()\n",
    "a parser of its own": "class P(argparse.ArgumentParser):\n    def error(self, message):\n        pass\np = P()\np.add_argument('--n')\np.parse_args()\n",
    "another parser beside": "from trl import TrlParser\np = argparse.ArgumentParser()\np.add_argument('--n')\np.parse_args()\nTrlParser((int,)).parse_args_and_config()\n",
}


@pytest.mark.parametrize("program", OTHER_READERS.values(), ids=OTHER_READERS)
def test_nothing_is_told_of_words_that_somebody_else_may_read(program):
    assert declared_in(f"import argparse\n{program}") is None
