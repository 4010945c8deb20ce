"""Whatever a file holds: one clear diagnostic with a position, the other files are still checked, and never a
traceback."""

import json
import os
import subprocess
import sys

import pytest
from hypothesis import assume, given, settings, strategies as st

from conftest import comment, lint_text, names, told
from grpo_lint.cli.main import main
from grpo_lint.engine import lint, lint_path
from grpo_lint.report.json import document
from grpo_lint.report.messages import message
from grpo_lint.source.text import NotText, Text

HEAD = comment(dialect="trl", version="1.16.0", world_size=1)
GOOD = HEAD + "per_device_train_batch_size: 8\nnum_generations: 8\n"
BAD = HEAD + "per_device_train_batch_size: 4\nnum_generations: 8\n"

UNPARSABLE = {
    "unclosed list": "num_generations: [8\n",
    "unclosed mapping": "num_generations: {a: 1\n",
    "unclosed quote": 'system_prompt: "think\nnum_generations: 8\n',
    "no colon": "num_generations: 8\n3\nlearning_rate: 1\n",
    "bad indentation": "num_generations: 8\n  learning_rate: 1\n",
    "tab as indentation": "reward_funcs:\n\t- accuracy\nnum_generations: 8\n",
    "unknown alias": "num_generations: *nobody\n",
    "unknown tag": "num_generations: !mine 8\n",
    "python object": "num_generations: !!python/object/apply:os.system [ls]\n",
    "reserved character": "num_generations: @8\n",
    "two documents": "num_generations: 8\n---\nnum_generations: 4\n",
    "unhashable key": "? [a, b]\n: 1\nnum_generations: 8\n",
    "merge of a number": "<<: 8\nnum_generations: 8\n",
    "control character": "num_generations: 8\nsystem_prompt: a\x07b\n",
}
NOT_A_MAPPING = {
    "empty": "",
    "only comments": "# nothing here\n",
    "list": "- num_generations: 8\n",
    "text": "num_generations\n",
    "number": "8\n",
    "null": "~\n",
}


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def check(capsys, *words):
    """(exit status, output) of the command line; what goes to standard error must be nothing."""
    status = main(["check", *words])
    captured = capsys.readouterr()
    assert captured.err == ""
    assert "Traceback" not in captured.out
    return status, captured.out


# --- texts that are no config ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", list(UNPARSABLE))
def test_what_cannot_be_parsed_is_one_error_with_a_position(kind):
    text = HEAD + UNPARSABLE[kind]
    report = lint_text(text, fixes=True)
    assert names(report, "error", "warning") == ["file-can-be-parsed"], told(report)
    (diagnostic,) = document([report])["files"][0]["diagnostics"]
    assert (diagnostic["severity"], diagnostic["data"]["stage"]) == (1, "read")
    start, end = diagnostic["range"]["start"], diagnostic["range"]["end"]
    assert 1 <= start["line"] <= len(text.splitlines()) and (start["line"], start["character"]) <= (
        end["line"],
        end["character"],
    )
    assert 10 < len(message(report.findings[0])) < 250


@pytest.mark.parametrize("kind", NOT_A_MAPPING)
def test_what_is_no_mapping_is_one_error(kind):
    report = lint_text(HEAD + NOT_A_MAPPING[kind], fixes=True)
    assert names(report) == ["file-is-a-mapping"]


def test_without_our_comment_an_empty_file_is_none_of_ours():
    assert lint_text("").skipped and lint_text("\n# vllm\n").skipped


def test_a_duplicate_key_is_a_warning_at_the_later_one():
    report = lint_text(GOOD + "num_generations: 4\n")
    assert names(report) == ["key-stands-once"]
    assert document([report])["files"][0]["diagnostics"][0]["range"]["start"]["line"] == 3


def wrong_value(framework, value):
    key = "micro_batch_size" if framework == "megatron" else "per_device_train_batch_size"
    first = "output_dir: out" if framework == "trl" else "rlhf_type: grpo"
    return lint_text(
        comment(dialect=framework, world_size=4) + f"{first}\n{key}: {value}\nnum_generations: 8\n", fixes=True
    )


FRAMEWORKS = ("trl", "swift", "megatron")
WRONG = ("[8]", "{a: 8}", "eight", "8.5", "null", "''", "1e400", "-8", "0")
RARE = ("2020-01-01", "!!binary aGVsbG8=", "!!set {a}")  # YAML values that are neither numbers nor texts


@pytest.mark.parametrize("value", WRONG + RARE)
@pytest.mark.parametrize("framework", FRAMEWORKS)
def test_values_of_wrong_types_are_told_at_their_key(framework, value):
    report = wrong_value(framework, value)
    assert names(report), value
    lines = {diagnostic["range"]["start"]["line"] for diagnostic in document([report])["files"][0]["diagnostics"]}
    assert lines <= {2, 3}


@pytest.mark.parametrize("framework", FRAMEWORKS)
def test_a_number_of_400_digits(framework):
    assert names(wrong_value(framework, "9" * 400), "error", "warning")


@pytest.mark.parametrize("value", RARE)
def test_every_plan_can_be_written_as_json(value):
    json.dumps(document([wrong_value("trl", value)]))


class TestHuge:
    def test_nesting(self):
        for text in ("a: " + "[" * 5000, "a: " + "{a: " * 3000, "- " * 3000, "a: " + "[" * 900 + "]" * 900):
            lint_text(HEAD + "num_generations: 8\n" + text + "\n", fixes=True)

    def test_one_line_of_a_megabyte(self):
        template = "{% if messages %}" * 60_000
        assert names(lint_text(GOOD + f"chat_template: '{template}'\n")) == []

    def test_many_keys(self):
        text = GOOD + "".join(f"my_own_key_{number}: {number}\n" for number in range(5000))
        assert len(names(lint_text(text))) <= 1  # that nobody reads them is said once

    def test_laughing_aliases(self):
        levels = ["a0: &a0 [num_generations, 1]"] + [
            f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 12)
        ]
        lint_text(GOOD + "\n".join(levels) + "\n", fixes=True)

    def test_numbers(self):
        for number in ("9" * 5000, "0x" + "f" * 3000, "1" + "_000" * 500, "1:" * 500 + "1"):
            lint_text(HEAD + f"num_generations: {number}\nper_device_train_batch_size: {number}\n", fixes=True)


# --- files that cannot be read --------------------------------------------------------------------------------------


class TestFiles:
    def only(self, path):
        report = lint_path(str(path))
        assert names(report, "error") == ["file-can-be-read"] and len(report.findings) == 1
        assert document([report])["files"][0]["diagnostics"][0]["range"]["start"] == {"line": 0, "character": 0}
        return message(report.findings[0])

    def test_missing(self, tmp_path):
        assert "No such file" in self.only(tmp_path / "nobody.yaml")

    def test_directory(self, tmp_path):
        assert "cannot be read" in self.only(tmp_path)

    @pytest.mark.parametrize(
        "data", [b"\x7fELF\x00\x01", b"num_generations: 8\xff\n", b"\xff\xfeb", "num_generations: é".encode("latin-1")]
    )
    def test_binary(self, tmp_path, data):
        path = tmp_path / "weights.yaml"
        path.write_bytes(data)
        assert "is not text" in self.only(path)

    def test_a_name_with_a_nul(self):
        assert self.only("a\0b.yaml")

    @pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="nothing is forbidden to this user")
    def test_without_permission(self, tmp_path):
        path = tmp_path / "secret.yaml"
        path.write_text(GOOD)
        path.chmod(0)
        assert "Permission denied" in self.only(path)

    def test_without_permission_as_the_system_tells_it(self, tmp_path, monkeypatch):
        def refuse(*_, **__):
            raise PermissionError(13, "Permission denied")

        monkeypatch.setattr("grpo_lint.files.disk.read", refuse)
        report = lint_path(str(tmp_path / "secret.yaml"))
        monkeypatch.undo()
        assert names(report) == ["file-can-be-read"] and "Permission denied" in message(report.findings[0])

    def test_byte_order_marks_are_text(self, tmp_path):
        for encoding in ("utf-8-sig", "utf-16"):
            path = tmp_path / f"{encoding}.yaml"
            path.write_text(BAD, encoding=encoding)
            assert names(lint_path(str(path)), "error") == ["rollout-holds-whole-groups"]


# --- the command line -----------------------------------------------------------------------------------------------


class TestCommandLine:
    def test_the_other_files_are_still_checked(self, here, capsys):
        (here / "a.yaml").write_text(HEAD + UNPARSABLE["unclosed list"])
        (here / "b.yaml").write_bytes(b"\x00\x01")
        (here / "c.yaml").write_text(BAD)
        (here / "d.yaml").write_text(GOOD)
        status, output = check(capsys, ".", "missing.yaml", "--output-format", "json")
        assert status == 1
        files = {
            each["path"]: [found["data"]["rule"] for found in each["diagnostics"]]
            for each in json.loads(output)["files"]
        }
        assert files == {
            "a.yaml": ["file-can-be-parsed"],
            "b.yaml": ["file-can-be-read"],
            "c.yaml": ["rollout-holds-whole-groups"],
            "d.yaml": [],
            "missing.yaml": ["file-can-be-read"],
        }

    @pytest.mark.parametrize("kind", [*UNPARSABLE, *NOT_A_MAPPING])
    @pytest.mark.parametrize("form", ["full", "concise", "json"])
    def test_every_format_takes_every_mistake(self, here, capsys, kind, form):
        (here / "a.yaml").write_text(HEAD + {**UNPARSABLE, **NOT_A_MAPPING}[kind], encoding="utf-8")
        status, output = check(capsys, "a.yaml", "--output-format", form)
        assert status == 1 and "a.yaml" in output

    def test_a_folder_without_permission(self, here, capsys, monkeypatch):
        (here / "c.yaml").write_text(BAD)
        (here / "locked").mkdir()
        real = os.scandir

        def scandir(folder):
            if os.path.basename(folder) == "locked":
                raise PermissionError(13, "Permission denied")
            return real(folder)

        monkeypatch.setattr("grpo_lint.files.discovery.os.scandir", scandir)
        status, output = check(capsys, ".", "--output-format", "concise")
        assert status == 1
        assert "locked" in output and "Permission denied" in output and "c.yaml" in output

    def test_a_good_folder_with_foreign_files_is_clean(self, here, capsys):
        (here / "good.yaml").write_text(GOOD)
        (here / "compose.yaml").write_text("services: {web: {image: nginx}}\n")
        (here / "broken-but-foreign.yaml").write_text("services: {web\n")
        assert check(capsys, ".")[0] == 0

    def test_as_a_process(self, here):
        (here / "a.yaml").write_text(HEAD + UNPARSABLE["bad indentation"])
        (here / "c.yaml").write_text(BAD)
        result = subprocess.run(
            [sys.executable, "-m", "grpo_lint", "check", "."],
            capture_output=True,
            encoding="utf-8",
            check=False,
            cwd=here,
        )
        assert (result.returncode, result.stderr) == (1, "")
        assert "a.yaml" in result.stdout and "c.yaml" in result.stdout


# --- anything at all ------------------------------------------------------------------------------------------------

KEYS = st.sampled_from(
    """num_generations per_device_train_batch_size gradient_accumulation_steps generation_batch_size steps_per_generation
    reward_funcs rlhf_type model dataset val_dataset micro_batch_size global_batch_size tensor_model_parallel_size train rollout
    gpus ENV NPROC_PER_NODE vllm_mode use_vllm eval_strategy num_processes teacher_model loss_type <<""".split()
)
COLLECTIONS = ("[]", "{}", "[1,2]", "{a:1}", "{{y}}")
VALUES = st.sampled_from(
    """8 4 0 -1 1.5 1e-6 null ~ true no grpo rloo ${X} {{y}} <z> [] {} [1,2] {a:1} "8" '8' &a *a !!int !x | > - ? : # % @ ` colocate
    name#1000 name#x 0x10 0o7 1_0 1:30 .inf .nan 2020-01-01 steps 组 🚀 \t""".split(" ")
)
PIECES = st.one_of(
    st.tuples(st.sampled_from(["", "  ", "- ", "? "]), KEYS, st.sampled_from([": ", ":", ":\n  ", " "]), VALUES).map(
        "".join
    ),
    st.sampled_from(
        [
            "---",
            "...",
            "%YAML 1.1",
            "# grpo-lint:",
            "# grpo-lint: dialect=trl",
            "# grpo-lint: version=9 x",
            "",
            "\t",
            "{",
            "]",
            '"',
        ]
    ),
    st.text(max_size=12),
)
HEADS = st.sampled_from(
    ["", "# vllm\n", "# grpo-lint: dialect=trl\n", "# grpo-lint: dialect=trl world-size=8 version=0.18\n",
     "# grpo-lint: dialect=swift world-size=3\n", "# grpo-lint: dialect=megatron world-size=8 version=4.6 dataset-size=100\n"]
)  # fmt: skip


@pytest.mark.parametrize("key", ["eval_strategy", "save_strategy"])
def test_a_collection_where_a_choice_belongs(key):
    lint_text(GOOD + f"{key}: {{a: 1}}\n")


def is_collection_for_a_choice(line):
    key, _, value = line.partition(":")
    return key in ("eval_strategy", "vllm_mode", "loss_type") and value.strip() in COLLECTIONS


def survives(text):
    """Lint a text and print the report in the machine's way: nothing may be raised, and every position must exist."""
    report = lint_text(text, fixes=True)
    length = len(report.text.text)
    for finding, diagnostic in zip(report.findings, document([report])["files"][0]["diagnostics"], strict=True):
        assert diagnostic["message"]
        for fix in finding.fixes:
            assert all(0 <= start <= end <= length for start, end, _ in fix.edits)
    json.dumps(document([report]))


@pytest.mark.slow
@given(HEADS, st.lists(PIECES, max_size=12), st.sampled_from(["\n", "\r\n", "\r"]))
@settings(max_examples=500)
def test_random_lines_never_raise(head, pieces, breaks):
    survives(head + breaks.join(pieces))


@pytest.mark.slow
@given(HEADS, st.dictionaries(KEYS, VALUES, max_size=8))
@settings(max_examples=400)
def test_random_mappings_never_raise(head, items):
    lines = [f"{key}: {value}\n" for key, value in items.items()]
    assume(not any(is_collection_for_a_choice(line) for line in lines))
    survives(head + "".join(lines))


@given(st.text(alphabet=st.characters(codec="utf-8"), max_size=200))
@settings(max_examples=150)
def test_random_text_never_raises(text):
    survives("# grpo-lint: dialect=trl world-size=2\n" + text)


@given(st.binary(max_size=100))
@settings(max_examples=100)
def test_random_bytes_never_raise(data):
    try:
        text = Text.from_bytes(b"# grpo-lint: dialect=swift\n" + data, "any.yaml")
    except NotText:
        return
    lint(text)


@pytest.mark.parametrize(
    "line",
    [
        "model_name_or_path: {{ model }}",
        "beta: {% if long %}0.1{% else %}0.0{% endif %}",
        "{% if x %}\nbeta: 0.1\n{% endif %}",
    ],
)
def test_a_template_is_one_info(line):
    report = lint_text(GOOD + line + "\nlearning_rate: 1e-6\nmax_completion_length: 8\n" + line + "\n")
    assert [(finding.rule.name, finding.severity) for finding in report.findings] == [("file-can-be-parsed", "info")]


def test_braces_in_a_text_are_no_template():
    report = lint_text(GOOD + 'system_prompt: "{{ question }}"\nlearning_rate: [\n')
    assert "file-can-be-parsed" in names(report, "error")


def test_a_conflict_of_a_merge_is_called_one():
    text = "reward_funcs: [a]\n<<<<<<< HEAD\nnum_generations: 8\n=======\nnum_generations: 4\n>>>>>>> theirs\nper_device_train_batch_size: 4\n"
    (finding,) = lint_text(text, path="a.yaml").findings
    assert "merge conflict" in message(finding) and finding.rule.code == "GRPO001"
