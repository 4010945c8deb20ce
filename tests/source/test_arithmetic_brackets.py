"""Where arithmetic ends: bash counts brackets, those in `${...}` too, and what is no arithmetic is commands in brackets."""

import shutil
import subprocess
from itertools import product

import pytest

from grpo_lint.source.shell.reader import read_shell
from grpo_lint.source.text import Text

BASH = shutil.which("bash")
INSIDE = ("GPUS", "${(GPUS}", "${GPUS)}", '${GPUS:-"("}', "${GPUS%(*}", "$[ (1 ]", "$(echo 1)", "(2", "(a b) c")
AROUND = (
    "STEPS=$((TOTAL / {} * MICRO{}",
    "NNODES=$X NODE_RANK=$RANK \\\n  STEPS=$((TOTAL / {} * MICRO{}",
    'echo "$((1 + {}{}"',
    "((1 + {}{}",
    "for ((i={}; i < 2; i++{}; do :; done",
    "steps=($((x[{}] + 1{} 2)",
)
CLOSED = ("))", ")))", ") )")
SCRIPTS = [text.format(inside, end) + "\n" for text, inside, end in product(AROUND, INSIDE, CLOSED)]


@pytest.mark.skipif(BASH is None, reason="there is no bash")
@pytest.mark.parametrize("block", range(0, len(SCRIPTS), 27))
def test_what_bash_accepts_is_not_refused(block):
    for script in SCRIPTS[block : block + 27]:
        told = subprocess.run([BASH, "--norc", "-n", "-c", script], capture_output=True, text=True, check=False)
        refused = read_shell(Text(script, "run.sh")).refusals
        assert not refused or told.stderr, (script, [str(problem.message) for _, problem in refused])


def test_the_value_behind_such_arithmetic_is_read():
    script = read_shell(Text("STEPS=$((TOTAL / ${(GPUS} * MICRO)))\ntrl grpo --num_generations 8\n", "run.sh"))
    assert [[word.value for word in command.words] for command in script.commands] == [
        ["trl", "grpo", "--num_generations", "8"]
    ]
    assert not script.problems
