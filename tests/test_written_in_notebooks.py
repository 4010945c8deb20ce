"""What a notebook writes and starts: files of `%%writefile` cells, commands of `!` lines and their fixes; and ms-swift's Python door
with a list of flags."""

import ast
import json
import subprocess
import sys

import pytest
from test_notebooks import notebook

from conftest import lint_text, names
from grpo_lint import engine
from grpo_lint.checker.contexts import Around
from grpo_lint.fixes.edits import apply, edits_for

RECIPE = """\
# grpo-lint: version=4.6.0
rlhf_type: grpo
model: "a \\u00e9"
dataset: d
reward_funcs: accuracy
num_generations: 8
per_device_train_batch_size: 3
"""
SCRIPT = """\
# grpo-lint: version=4.6.0
NPROC_PER_NODE=3 swift rlhf \\
    --rlhf_type grpo \\
    --model "m" \\
    --dataset d \\
    --reward_funcs accuracy \\
    --num_generations 8 \\
    --gradient_accumulation_steps 1 \\
    --per_device_train_batch_size 1
"""


def lint(text, **settings):
    return lint_text(text, path="train.ipynb", **settings)


def written(report, key):
    """What stands in the file where the value of a key is said to stand."""
    return report.text.text[slice(*report.launches[0].setting(key).span)]


def sources(text):
    """The cells of a notebook, each as one text; proof that it is JSON."""
    return ["".join(cell["source"]) for cell in json.loads(text)["cells"]]


def fixed(text, number=0, **settings):
    """(what each fix that changes the notebook leaves of it, as sources of cells)."""
    report = lint(text, fixes=True, **settings)
    edits = [fix.edits for finding in report.findings for fix in finding.fixes if fix.edits]
    return [sources(apply(report.text, each).text) for each in edits]


# --- files that cells write -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("whole", [False, True])
@pytest.mark.parametrize("command", ["!swift rlhf run.yaml", "!swift rlhf ./run.yaml", "%%bash\nswift rlhf run.yaml"])
def test_a_command_is_judged_with_the_file_that_a_cell_writes(whole, command):
    report = lint(notebook("%%writefile run.yaml\n" + RECIPE, command, whole=whole))
    (launch,) = report.launches
    assert launch.framework.name == "swift" and launch.origin.has_config
    assert names(report, "error") == ["rollout-holds-whole-groups"]
    assert written(report, "num_generations") == "8"
    assert written(report, "model") == json.dumps('"a \\u00e9"')[1:-1]
    place = next(finding for finding in report.findings if finding.severity == "error").at.key
    assert report.text.text[slice(*place)] == "num_generations"


def test_a_file_that_nothing_starts_is_judged_as_it_stands():
    report = lint(notebook("%%writefile 'configs/run.yaml'\n" + RECIPE.replace("4.6.0", "4.6.0 world-size=1")))
    assert names(report, "error") == ["rollout-holds-whole-groups"] and written(report, "num_generations") == "8"
    assert not lint(notebook("%%writefile notes.yaml\na: 1\nb: 2\n# num_generations\n")).launches


@pytest.mark.parametrize("head", ["%%writefile -a run.yaml", "%%writefile {name}", "%%writefile $NAME", "%%writefile"])
def test_a_file_without_a_name_or_a_beginning_is_none(head):
    assert not lint(notebook(f"{head}\n{RECIPE}")).launches


@pytest.mark.parametrize("whole", [False, True])
def test_a_fix_changes_the_written_file(whole):
    text = notebook("%%writefile run.yaml\n" + RECIPE, "!swift rlhf run.yaml", whole=whole)
    assert [
        "%%writefile run.yaml\n" + RECIPE.replace("generations: 8", "generations: 3"),
        "!swift rlhf run.yaml",
    ] in fixed(text)


def test_a_value_of_a_written_file_is_quoted_as_json_holds_it():
    recipe = "%%writefile run.yaml\n# grpo-lint: dialect=trl version=1.16.0 world-size=8\nper_device_train_batch_size: 1\nnum_generations: 8\neval_strategy: no\n"
    assert [recipe.replace(": no", ': "no"')] in fixed(notebook(recipe))


def test_a_script_is_written_and_judged():
    report = lint(notebook("%%writefile train.sh\n#!/bin/bash\n" + SCRIPT, "!bash train.sh"))
    (launch,) = report.launches
    assert (launch.world_size, launch.candidates[0].text) == (3, "4.6.0")
    assert names(report, "error") == ["rollout-holds-whole-groups"]


def test_a_script_of_one_cell_takes_the_file_of_another():
    report = lint(
        notebook("%%writefile run.yaml\n" + RECIPE, "%%writefile go.sh\nNPROC_PER_NODE=8 swift rlhf run.yaml\n")
    )
    (launch,) = report.launches
    assert launch.world_size == 8 and names(report, "error") == []


def test_the_file_for_accelerate_is_written_too(tmp_path):
    path = tmp_path / "train.ipynb"
    command = "!accelerate launch --config_file acc.yaml grpo.py --num_generations 8 --per_device_train_batch_size 1 --learning_rate 1e-6"
    path.write_text(notebook("%%writefile acc.yaml\nnum_processes: 3\ndistributed_type: MULTI_GPU\n", command))
    report = engine.lint_path(str(path), Around({}).of(str(path)), fixes=False)
    assert [launch.world_size for launch in report.launches] == [3]


PROGRAM = "from trl import GRPOConfig\n# grpo-lint: version=1.16.0\nargs = GRPOConfig(num_generations=8, per_device_train_batch_size=1)\n"


def test_a_program_is_written_and_started():
    cells = ("N = 4\nx = 'é'\n", "%%writefile train.py\n" + PROGRAM, "!accelerate launch --num_processes 3 train.py")
    report = lint(notebook(*cells))
    assert [launch.world_size for launch in report.launches] == [3]
    assert written(report, "num_generations") == "8"
    assert "rollout-holds-whole-groups" in names(report, "error")
    place = report.code.place(report.findings[0].at.key[0])
    assert place == "cell 2:4:19"
    assert any("num_generations=3" in each[1] and each[0] == cells[0] for each in fixed(notebook(*cells)))


def test_a_program_that_is_written_is_no_part_of_the_notebook():
    """Names of the notebook mean nothing in it, and nobody knows how many processes will run it."""
    from grpo_lint.unknown import UNKNOWN

    report = lint(notebook("N = 4\n", "%%writefile train.py\n" + PROGRAM.replace("=8", "=N")))
    (launch,) = report.launches
    assert launch.world_size is UNKNOWN and launch.setting("num_generations").value is UNKNOWN
    assert lint(notebook("%%writefile train.py\n" + "x = (\n", "N = 1\n" + PROGRAM)).launches[0].world_size == 1


def test_comments_of_cells_count():
    text = "%%bash\n# grpo-lint: ignore[GRPO203]\n" + SCRIPT.partition("\n")[2]
    assert "rollout-holds-whole-groups" not in names(lint(notebook(text)), "error", "warning")
    assert "rollout-holds-whole-groups" in names(lint(notebook(text.replace("GRPO203", "GRPO204"))), "error", "warning")


# --- commands -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("whole", [False, True])
@pytest.mark.parametrize("head", ["%%bash\n", "!"])
def test_a_fix_of_a_command_keeps_the_json(whole, head):
    """A flag more on a line of its own, a flag less with its line, a value in quotes: what needs escapes gets them."""
    body = SCRIPT.partition("\n")[2] if head == "!" else SCRIPT
    first = "# grpo-lint: version=4.6.0\n" if head == "!" else ""
    cell = first + head + body.replace("    --gradient_accumulation_steps 1 \\\n", "")
    text = notebook(cell, whole=whole)
    found = fixed(text)
    assert found and all(len(each) == 1 for each in found)
    assert any("--num_generations 3 \\\n    --per_device_train_batch_size 1" in each[0] for each in found)
    report = lint(text)
    edits = edits_for(report, report.launches[0], {"gradient_accumulation_steps": 8})
    more = sources(apply(report.text, edits).text)
    assert more == [cell.replace("size 1\n", "size 1 \\\n    --gradient_accumulation_steps 8\n")]


@pytest.mark.parametrize("whole", [False, True])
def test_a_flag_goes_with_its_line(whole):
    text = notebook("%%bash\n" + SCRIPT, whole=whole)
    report = lint(text)
    for name, gone in (
        ("gradient_accumulation_steps", "    --gradient_accumulation_steps 1 \\\n"),
        ("model", '    --model "m" \\\n'),
    ):
        edits = edits_for(report, report.launches[0], {name: None})
        assert sources(apply(report.text, edits).text) == ["%%bash\n" + SCRIPT.replace(gone, "")]


def test_a_word_in_quotes_is_edited_inside_of_them():
    cell = "%%bash\n" + SCRIPT.replace("NODE=3", "NODE=8").replace("steps 1", 'steps 1 --lr_scheduler_type "Cosine"')
    assert any('"cosine"' in each[0] for each in fixed(notebook(cell)))


def test_a_notebook_of_commands_is_no_strangers(tmp_path):
    """The command line looks at the bytes first: a notebook without a call may hold a command."""
    (tmp_path / "train.ipynb").write_text(notebook("%%bash\n" + SCRIPT))
    (tmp_path / "other.ipynb").write_text(notebook("!ls\nprint('rewards')\n"))
    words = [sys.executable, "-m", "grpo_lint", "check", "--output-format", "concise", str(tmp_path)]
    ended = subprocess.run(words, capture_output=True, text=True)
    assert ended.returncode == 1 and "train.ipynb:cell 1:" in ended.stdout and "other.ipynb" not in ended.stdout


# --- lists of flags -------------------------------------------------------------------------------------------------

DOOR = """\
from swift.llm import rlhf_main
# grpo-lint: version=4.6.0 world-size=3

rlhf_main([
    "--rlhf_type", "grpo",
    "--model", "m",
    "--dataset", "d", "--reward_funcs", "accuracy",
    "--num_generations", "8",
    "--per_device_train_batch_size", "1",
])
"""


def door(text, **settings):
    return lint_text(text, path="train.py", **settings)


def test_a_list_of_flags_is_a_command():
    report = door(DOOR)
    (launch,) = report.launches
    assert (launch.framework.name, launch.loader, launch.world_size) == ("swift", "cli", 3)
    assert names(report, "error") == ["rollout-holds-whole-groups"]
    assert written(report, "num_generations") == "8"
    assert report.why == "makes swift rlhf (4:1)"


@pytest.mark.parametrize(
    "text",
    [
        "import swift.llm\nswift.llm.rlhf_main(args=['--rlhf_type', 'grpo', '--num_generations', '8'])",
        "from swift import rlhf_main as go\ngo(['--rlhf_type=grpo', '--num_generations=8'])",
        "from swift.llm import rlhf_main\nX = ['--rlhf_type', 'grpo']\nrlhf_main(X + ['--num_generations', '8'])",
        "from swift.llm import rlhf_main\nN = '8'\nX = ('--rlhf_type', 'grpo', '--num_generations', N)\nrlhf_main(X)",
        "def f():\n    from swift.pipelines import rlhf_main\n    rlhf_main(['--rlhf_type', 'grpo', '--num_generations', '8'])",
    ],
)
def test_ways_to_call_it(text):
    (launch,) = door("# grpo-lint: version=4.6.0\n" + text).launches
    assert launch.setting("num_generations").value in ("8", 8)


def test_megatron_has_a_door_as_well():
    report = door(
        "from swift.megatron import megatron_rlhf_main\n# grpo-lint: version=4.6.0 world-size=16\n"
        "megatron_rlhf_main(['--rlhf_type', 'grpo', '--micro_batch_size', '1', '--global_batch_size', '8', '--num_generations', '4'])\n"
    )
    assert [launch.framework.name for launch in report.launches] == ["megatron"] and names(report, "error")


@pytest.mark.parametrize(
    "text",
    [
        "from swift.llm import rlhf_main\nrlhf_main()",
        "from swift.llm import rlhf_main\nrlhf_main(['--rlhf_type', 'dpo', '--num_generations', '8'])",
        "from swift.llm import rlhf_main\nrlhf_main(flags)",
        "from other import rlhf_main\nrlhf_main(['--rlhf_type', 'grpo'])",
        "def rlhf_main(x): pass\nrlhf_main(['--rlhf_type', 'grpo'])",
    ],
)
def test_other_calls_are_no_commands(text):
    report = door(text)
    assert not report.launches and not report.findings and report.skipped


@pytest.mark.parametrize("more", ["+ flags", "+ [*flags]", "+ sys.argv[1:]"])
def test_what_nobody_knows_may_be_any_flag(more):
    report = door(DOOR.replace("])", f"] {more})"))
    assert report.launches[0].origin.invocation.passes_on is not None
    assert names(report, "error") == []


def test_a_list_that_others_read_may_grow():
    text = DOOR.replace("rlhf_main([", "X = [").replace(
        "])", "]\nX.append('--num_generations')\nX.append('3')\nrlhf_main(X)"
    )
    assert door(text).launches[0].origin.invocation.passes_on is not None


def test_the_command_that_starts_the_file_says_how_many_processes(tmp_path):
    (tmp_path / ".git").mkdir()
    path = tmp_path / "train.py"
    path.write_text(DOOR.replace(" world-size=3", ""))
    (tmp_path / "run.sh").write_text("torchrun --nproc_per_node 5 train.py\n")
    report = engine.lint_path(str(path), Around({}).of(str(path)), fixes=False)
    assert [launch.world_size for launch in report.launches] == [5]


@pytest.mark.parametrize("cell", [False, True])
def test_fixes_of_a_list_are_items(cell):
    text = notebook(DOOR) if cell else DOOR
    report = lint(text) if cell else door(text)
    for changes, new in (
        ({"num_generations": 3}, DOOR.replace('"8"', '"3"')),
        ({"num_generations": None}, DOOR.replace('    "--num_generations", "8",\n', "")),
        ({"per_device_train_batch_size": None}, DOOR.replace('    "--per_device_train_batch_size", "1",\n', "")),
        (
            {"gradient_accumulation_steps": 8},
            DOOR.replace('"1",\n', '"1",\n    "--gradient_accumulation_steps", "8",\n'),
        ),
    ):
        after = apply(report.text, edits_for(report, report.launches[0], changes)).text
        after = sources(after)[0] if cell else after
        assert ast.dump(ast.parse(after)) == ast.dump(ast.parse(new)), (changes, after)
        assert changes.get("num_generations", 1) is None or after == new


def test_fixes_of_a_list_are_proven():
    report = door(DOOR, fixes=True)
    titles = [fix.title for finding in report.findings for fix in finding.fixes if fix.edits]
    assert any("num_generations" in title for title in titles)
