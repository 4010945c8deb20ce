"""No English is left where Chinese is asked for: each command is run, and each answer of the editor's server made, and what is
printed is searched for words that stand behind each other as only English words do."""

import os
import re
from errno import ENOENT
from pathlib import Path

import pytest

from grpo_lint.cli.console import speak
from grpo_lint.cli.main import main
from grpo_lint.cli.options import COMMANDS
from grpo_lint.launch.context import Context
from grpo_lint.lsp.actions import actions
from grpo_lint.lsp.client import Client, read_settings
from grpo_lint.lsp.completion import completion
from grpo_lint.lsp.diagnostics import diagnostics
from grpo_lint.lsp.hover import hover
from grpo_lint.lsp.numbers import code_lenses, inlay_hints, symbols
from grpo_lint.lsp.session import Session
from grpo_lint.lsp.words import rendered
from grpo_lint.report.translation import CHINESE
from grpo_lint.settings import files as settings
from grpo_lint.source.text import Text

ROOT = Path(__file__).parent.parent
EXAMPLES = ROOT / "examples"
CODE = re.compile(
    r"grpo-lint [ -~]+|满足.*?时报告|(?<=\b)accelerate launch [ -~]+", re.DOTALL
)  # commands, and formulas of conditions
QUOTED = re.compile(r"`[^`]{,300}`|\"[^\"]{,500}\"|“[^”]*”|'[^'\n]*'|\[[^]\n]*\]\([^)]*\)")
ENGLISH = re.compile(r"[A-Za-z]?[a-z']+(?: [a-z']{2,}){2,}")


def english_in(told):
    """The pieces of a text that are English sentences of ours; lines of files and of patches, and what is quoted, are not."""
    told = re.sub(r"(^|  )# [^\n]*", "", told, flags=re.MULTILINE)  # comments in what is written to a file
    told = told.replace(os.strerror(ENOENT), "")  # the words of the system
    lines = [line for line in told.splitlines() if not re.match(r"[-+@ ] ?#|[-+@]|\s*\d* \|| {4}\S", line)]
    text = QUOTED.sub("", CODE.sub("", "\n".join(lines)))
    text = re.sub(r"\w*_\w*", "_", text)  # names of settings, in formulas
    return [each[0] for line in text.splitlines() for each in ENGLISH.finditer(line)]


def test_english_is_found():
    assert english_in("键 num_generations：it is about that") == ["it is about that"]
    assert english_in("`num generations of groups` 的“data size must be” 12 rows x 4\n+ a line of files\n") == []


# --- the command line -----------------------------------------------------------------------------------------------

# refused whatever the program is, so that `run` starts nothing
CONFIG = "# grpo-lint: dialect=trl version=0.27.2 world-size=7\nper_device_train_batch_size: 1\ngradient_accumulation_steps: 1\nsteps_per_generation: 1\nnum_generations: 8\nmax_prompt_length: 7\nvllm_device: auto\nbeta: 0\n"
GRID = "parameters:\n  num_generations: {values: [4, 8, 7]}\n  per_device_train_batch_size: {values: [2, 3]}\n"
LOG = "ValueError: The global eval batch size (7) must be divisible by the number of generations used for evaluation (8)\n"
STATE = """{"global_step": 40, "max_steps": 90, "epoch": 0.5, "log_history": [
  {"step": 20, "reward": 0.0, "frac_reward_zero_std": 0.9, "completions/clipped_ratio": 0.5, "clip_ratio/region_mean": 0.0, "kl": null, "step_time": 68.5},
  {"step": 40, "reward": 0.0, "frac_reward_zero_std": 0.9, "completions/clipped_ratio": 0.4, "clip_ratio/region_mean": 0.0, "kl": 0.1, "step_time": 4000}]}
"""
LINES = {
    "check": ["run.yaml", "-v run.yaml other.yaml start.sh", "--statistics .", "--diff .", "--show-settings run.yaml", "--error crash.log .",
              "--write-baseline .", "nowhere.yaml", "--select nonsense ."],
    "run": ["--", "--no-such", "accelerate launch train.py --config run.yaml"],
    "explain": ["run.yaml", "-v --picture run.yaml", "other.yaml", "start.sh", "nowhere.yaml"],
    "rule": ["", "GRPO203", "GRPO722", "num_generations", "group", "mini_batch_size", "total_prompt_data_size", "divisible", "grupo", "GRPO999",
             "'batch size must be divisible'"],
    "upgrade": ["run.yaml --to trl@1.16", "--pins . --to trl@1.16", "-v --pin-defaults . --to trl@0.20", "run.yaml", "run.yaml --to trl@99"],
    "diff": ["old .", "old", "--verbose old ."],
    "plan": ["--dialect trl --gpus 8", "--from run.yaml --gpus 16", "--from other.yaml --gpus 7", "--gpus x"],
    "convert": ["run.yaml --to swift", "other.yaml --to verl", "run.yaml --to nothing"],
    "sweep": ["grid.yaml --config run.yaml", "grid.yaml", "run.yaml"],
    "confirm": ["trainer_state.json run.yaml", "console.log start.sh", "--step-time 68s run.yaml", "--step-time soon run.yaml", "run.yaml", "crash.log run.yaml"],
    "schema": ["nothing", "trl@99 nothing", ""],
    "server": ["run.yaml"],
    "mcp": ["run.yaml", "--root nowhere"],
    "init": ["--dry-run", "--yes", "run.yaml", ""],
    "completion": ["fish zsh", "fsh"],
}  # fmt: skip


@pytest.fixture
def repository(tmp_path, monkeypatch):
    (tmp_path / ".git").mkdir()
    (tmp_path / "old").mkdir()
    (tmp_path / "requirements.txt").write_text("trl==0.17.0\n")
    (tmp_path / "run.yaml").write_text(CONFIG)
    (tmp_path / "old/run.yaml").write_text(
        CONFIG.replace("size: 1", "size: 8").replace("world-size=7", "version=0.20.0 world-size=8")
    )
    (tmp_path / "other.yaml").write_text("rlhf_type: grpo\nmodel: m\nnum_generations: 8\nteam_name: blue\n")
    (tmp_path / "start.sh").write_text("accelerate launch --num_processes 6 train.py --config run.yaml --beta 0.1\n")
    (tmp_path / "grid.yaml").write_text(GRID)
    (tmp_path / "crash.log").write_text(LOG)
    (tmp_path / "trainer_state.json").write_text(STATE)
    (tmp_path / "console.log").write_text("step:2 - actor/pg_clipfrac:0.0 - perf/time_per_step:9.5\n")
    monkeypatch.chdir(tmp_path)
    settings.forget()
    return tmp_path


def test_each_command_is_run():
    assert LINES.keys() == COMMANDS.keys()


@pytest.mark.parametrize("name", LINES)
def test_commands_say_nothing_in_english(name, repository, capfd):
    CHINESE.missing.clear()
    for words in LINES[name]:
        main([name, *words.split(), "--lang", "zh-CN"] if name != "run" else [name, "--lang", "zh-CN", *words.split()])
        speak("")
        printed = capfd.readouterr()
        assert english_in(printed.out + printed.err) == [], words
    assert CHINESE.missing == set()


# --- the editor -----------------------------------------------------------------------------------------------------

FILES = [
    path
    for folder in ("good", "bad")
    for path in sorted((EXAMPLES / folder).iterdir())
    if path.suffix in (".yaml", ".sh")
]
MORE = {
    "commented.yaml": "# grpo-lint: dialect=trl version=0.14.0 world-size=7|14 dataset-size=999 group_size algorithm=gspo\n# grpo-lint: expect group_size=8\n"
    "num_generations: 8\nloss_type: dapo\nnonsense: 1\nper_device_train_batch_size: 1 # grpo-lint: ignore[GRPO203]\nnum_train_epochs: 2\neval_strategy: steps\n",
    "empty.yaml": "",
    "new.yaml": "# grpo-lint: dialect=trl\n",
}


def answers(text):
    """All that an editor shows of a text, wherever the cursor stands."""
    session, client = (
        Session(),
        Client(language=CHINESE, data=True, related=True, markdown=True, explains="plan", document_changes=True),
    )
    document = session.open(f"file:///{text.path}", text.path, 1, text.text)
    report = session.report(document)
    words = [found.start() for found in re.finditer(r"(?<![\w-])[\w-]+", text.text)]
    yield diagnostics(document, report, "utf-16", client)
    yield inlay_hints(report, 0, len(text.text), "utf-16", CHINESE)
    yield code_lenses(report, document.uri, "utf-16")
    yield symbols(report, "utf-16")
    yield list(filter(None, actions(session, document, 0, len(text.text), None, client)))
    for offset in words:
        yield hover(report, offset, "utf-16", "plan", CHINESE)
    for offset in [*words[:12:3], len(text.text)]:
        yield completion(text, offset, report, Context(), "utf-16")


def texts_in(answer):
    """What of an answer people read: places, edits and what only identifies something are not."""
    if isinstance(answer, dict):
        for name, each in answer.items():
            if name not in ("textEdit", "edit", "data", "uri", "filterText", "insertTextFormat"):
                yield from texts_in(each)
        if "edit" in answer:
            yield from texts_in(answer["edit"].get("changeAnnotations"))
    elif isinstance(answer, list):
        for each in answer:
            yield from texts_in(each)
    elif isinstance(answer, str):
        yield answer


@pytest.mark.parametrize("name", [*(path.relative_to(EXAMPLES).as_posix() for path in FILES), *MORE])
def test_an_editor_is_told_nothing_in_english(name):
    CHINESE.missing.clear()
    text = Text(MORE[name] if name in MORE else (EXAMPLES / name).read_text(), name)
    for answer in answers(text):
        for told in texts_in(rendered(answer, CHINESE)):
            assert english_in(told) == []
    assert CHINESE.missing == set()


def test_wrong_settings_of_an_editor_are_told_in_chinese():
    CHINESE.missing.clear()
    found = read_settings(
        {"wrldSize": 8, "settingsPrecedence": "fileFirst", "worldSize": "many", "dialect": "tlr"}
    ).problems
    assert len(found) == 4
    assert [english_in(CHINESE.text(each)) for each in found] == [[]] * 4
    assert CHINESE.missing == set()
