"""`grpo-lint mcp`: the tools as an agent uses them, by the client of the official SDK over standard input and output."""

import asyncio
import os
import subprocess
import sys

import pytest

mcp = pytest.importorskip("mcp")
from mcp.client.stdio import StdioServerParameters  # noqa: E402

CONFIG = "# grpo-lint: dialect=trl version=1.16.0 world-size=7\nper_device_train_batch_size: 2\nnum_generations: 8\n"


def called(root, *calls, listed=False):
    """The results of calls (tool, arguments) of one session; with `listed`, its tools instead."""

    async def session():
        server = StdioServerParameters(command=sys.executable, args=["-m", "grpo_lint", "mcp", "--root", str(root)])
        async with mcp.Client(server, read_timeout_seconds=120) as client:
            if listed:
                return (await client.list_tools()).tools
            return [await client.call_tool(tool, arguments) for tool, arguments in calls]

    return asyncio.run(session())


def content(result):
    assert not result.is_error, result.content
    return result.structured_content


@pytest.fixture
def root(tmp_path):
    folder = tmp_path / "root"
    folder.mkdir()
    (folder / "recipe.yaml").write_text(CONFIG)
    (tmp_path / "outside.yaml").write_text(CONFIG)
    return folder


def test_the_tools_say_what_they_take_and_give(root):
    tools = {tool.name: tool for tool in called(root, listed=True)}
    assert sorted(tools) == ["check", "convert", "explain", "plan", "plan_from"]
    assert {"path", "text", "version", "world_size"} <= tools["check"].input_schema["properties"].keys()
    assert {"errors", "files"} <= tools["check"].output_schema["properties"].keys()
    assert "GRPO" in tools["check"].description
    for tool in (tools["check"], tools["explain"]):
        assert all("description" in each for each in tool.input_schema["properties"].values()), tool.name


def test_a_file_a_folder_and_a_text_are_checked(root):
    (root / "foreign.yaml").write_text("services: {}\n")
    arguments = {
        "text": "per_device_train_batch_size: 1\nnum_generations: 8\n",
        "framework": "trl",
        "version": "1.16",
        "world_size": 3,
    }
    file, folder, text = map(
        content,
        called(root, ("check", {"path": "recipe.yaml"}), ("check", {"path": "."}), ("check", arguments)),
    )  # fmt: skip
    (found,) = file["files"]
    assert (file["errors"], found["framework"], found["version"]) == (1, "trl", "1.16.0")
    finding = found["findings"][0]
    assert (finding["code"], finding["key"], finding["line"], finding["stage"]) == (
        "GRPO203",
        "num_generations",
        3,
        "config",
    )
    assert finding["fixes"][0]["changes"] and "title" in finding["fixes"][0]
    assert found["plan"]["completions_per_rollout"] == 14
    assert [each["path"] for each in folder["files"]] == ["recipe.yaml"]
    assert [each["code"] for each in text["files"][0]["findings"] if each["severity"] == "error"] == ["GRPO203"]


def test_a_run_is_explained(root):
    (result,) = called(root, ("explain", {"path": "recipe.yaml", "facts": {"dataset-size": 700}}))
    told = content(result)
    assert told["version"] == "1.16.0" and told["plan"]["completions_per_rollout"] == 14
    assert "num_generations" in told["text"]


def test_batches_are_proposed_and_hold(root):
    wish = {"framework": "trl", "version": "1.16", "processes": 8, "group_sizes": [8], "model": "Qwen/Qwen3-8B"}
    free, exact, near = map(
        content,
        called(
            root,
            ("plan", wish | {"dataset_size": 8000, "epochs": 2}),
            ("plan", wish | {"completions_per_update": 256, "framework": "megatron", "version": "4.6", "tensor_parallel": 2}),
            ("plan", wish | {"completions_per_update": 100}),
        ),
    )  # fmt: skip
    assert (free["version"], free["problem"]) == ("1.16.0", None)
    assert free["proposals"][0]["plan"]["total_steps"] and "Qwen/Qwen3-8B" in free["proposals"][0]["config"]
    assert {each["plan"]["completions_per_update"] for each in exact["proposals"]} == {256}
    assert "100 completions" in near["problem"] and near["proposals"]
    texts = [{"text": each["config"], "world_size": 8} for plan in (free, near) for each in plan["proposals"]]
    for checked in map(content, called(root, *(("check", text) for text in texts))):
        assert (checked["errors"], checked["warnings"]) == (0, 0)


TWO = """\
# grpo-lint: version=4.6.0
NPROC_PER_NODE=8 swift rlhf --rlhf_type grpo --model m --dataset d --num_generations 8 --per_device_train_batch_size 1
NPROC_PER_NODE=8 swift rlhf --rlhf_type grpo --model m --dataset d --num_generations 4 \\
    --per_device_train_batch_size 2
"""


def test_a_run_is_converted(root):
    (root / "two.sh").write_text(TWO)
    text = {"text": TWO, "name": "run.sh", "to": "megatron", "to_version": "4.6.0"}
    first, second, easy, other = map(
        content,
        called(
            root,
            ("convert", {"path": "two.sh", "to": "megatron", "tensor_parallel": 2}),
            ("convert", text | {"line": "4"}),
            ("convert", {"path": "two.sh", "to": "easyr1"}),
            ("convert", {"path": "recipe.yaml", "to": "swift", "world_size": 8}),
        ),
    )
    assert (first["line"], first["other_lines"], second["line"], second["other_lines"]) == ("2", [], "3", ["2"])
    assert [each["line"] for each in first["runs"]] == ["2", "3"] and second["runs"] == other["runs"] == []
    assert first["text"].count("megatron rlhf") == 2, "as the command does"
    assert [each["quantities"]["group_size"]["after"] for each in first["runs"]] == [8, 4]
    assert first["quantities"]["group_size"] == {"before": 8, "after": 8} and first["is_equal"] and first["is_command"]
    assert second["quantities"]["group_size"] == {"before": 4, "after": 4}
    assert second["text"].splitlines()[1] == TWO.splitlines()[1], "only the run that is meant is another one"
    assert easy["is_equal"] and "worker.rollout.n=8" in easy["text"] and easy["no_counterpart"]
    assert not other["is_command"] and other["line"] is None and "per_device_train_batch_size" in other["text"]
    assert all(each["why"] is None or each["why"] for each in easy["no_counterpart"])


def test_a_run_is_moved_to_other_processes(root):
    config = CONFIG.replace("=7", "=8").replace("size: 2", "size: 4")
    moved, second = map(
        content,
        called(
            root,
            ("plan_from", {"text": config, "processes": 4}),
            ("plan_from", {"text": TWO, "name": "run.sh", "line": "3", "processes": 16}),
        ),
    )
    assert moved["is_equal"] and moved["settings"] == {"gradient_accumulation_steps": 2}
    assert moved["before"]["completions_per_update"] == moved["after"]["completions_per_update"] == 32
    assert second["line"] == "3" and second["other_lines"] == ["2"]


@pytest.mark.parametrize(
    ("tool", "arguments", "words"),
    [
        ("convert", {"to": "tlr", "text": CONFIG}, "dialect"),
        ("convert", {"to": "trl"}, "a path or a text"),
        ("convert", {"to": "trl", "text": "a: 1\n"}, "nothing"),
        ("convert", {"to": "trl", "text": CONFIG, "to_version": "x"}, "release"),
        ("convert", {"to": "megatron", "text": CONFIG, "tensor_parallel": 0}, "whole numbers"),
        ("convert", {"to": "megatron", "text": TWO, "name": "run.sh", "line": "9"}, "--line 2 or 3"),
        ("convert", {"to": "megatron", "text": TWO, "name": "run.sh", "line": "9" * 5000}, "no run begins"),
        ("plan_from", {"text": CONFIG, "processes": 0}, "whole numbers"),
        ("plan_from", {"text": "a: 1\n", "processes": 8}, "nothing"),
    ],
)
def test_what_cannot_be_converted_is_refused_in_words(tool, arguments, words):
    from grpo_lint.mcp import tools

    with pytest.raises((tools.Refused, ValueError), match=words):
        asyncio.run(getattr(tools, tool)(**arguments))


@pytest.mark.parametrize(
    ("wish", "words"),
    [
        ({"framework": "tlr", "processes": 8}, "dialect"),
        ({"framework": "trl", "processes": 0}, "whole numbers"),
        ({"framework": "trl", "processes": 8, "group_sizes": [8, -1]}, "whole numbers"),
        ({"framework": "trl", "processes": 8, "micro_batches": list(range(1, 100))}, "at most 64"),
        ({"framework": "trl", "processes": 8, "version": "no"}, "release"),
        ({"framework": "trl", "processes": 8, "model": "a: b\nc: d"}, "without blanks"),
    ],
    ids=lambda each: str(each)[:40],
)
def test_a_wish_that_is_none_is_refused_in_words(wish, words):
    from grpo_lint.mcp import tools

    with pytest.raises((tools.Refused, ValueError), match=words):
        asyncio.run(tools.plan(**wish))


def test_a_file_that_changes_is_read_again(root):
    async def session():
        server = StdioServerParameters(command=sys.executable, args=["-m", "grpo_lint", "mcp"], cwd=str(root))
        async with mcp.Client(server, read_timeout_seconds=120) as client:
            first = await client.call_tool("check", {"path": "recipe.yaml"})
            (root / "recipe.yaml").write_text("dataset_name: x\nper_device_train_batch_size: 8\nnum_generations: 8\n")
            (root / "requirements.txt").write_text("trl==0.18.2\n")
            return first, await client.call_tool("check", {"path": "recipe.yaml"})

    first, second = map(content, asyncio.run(session()))
    assert (first["errors"], second["errors"]) == (1, 0)
    assert second["files"][0]["version"] == "0.18.2"


def test_nothing_outside_of_the_root_is_read(root, tmp_path):
    (root / "link.yaml").symlink_to(tmp_path / "outside.yaml")
    (tmp_path / "beyond").mkdir()
    (tmp_path / "beyond" / "run.yaml").write_text(CONFIG)
    (root / "folder").symlink_to(tmp_path / "beyond")
    paths = [
        "../outside.yaml",
        str(tmp_path / "outside.yaml"),
        "link.yaml",
        "folder/run.yaml",
        "folder",
        "/dev/stdin",
        "a\0b",
    ]
    for path, result in zip(paths, called(root, *(("check", {"path": path}) for path in paths)), strict=True):
        assert result.is_error and "below the root" in result.content[0].text, path


def test_what_a_file_names_is_not_read_outside_either(root, tmp_path):
    """Neither what a config names nor what stands above the root: pins, settings and scripts of a whole repository."""
    (tmp_path / ".git").mkdir()
    (tmp_path / "requirements.txt").write_text("trl==0.14.0\n")
    (tmp_path / ".grpo-lint.toml").write_text('ignore = ["GRPO203"]\n')
    (tmp_path / "zero.json").write_text('{"train_batch_size": 1}')
    (root / "recipe.yaml").write_text(
        "dataset_name: x\nnum_generations: 8\nper_device_train_batch_size: 1\ndeepspeed: ../zero.json\n"
    )
    (result,) = called(root, ("check", {"path": "recipe.yaml", "world_size": 3, "version": "1.16.0"}))
    codes = {each["code"] for each in content(result)["files"][0]["findings"]}
    assert "GRPO203" in codes
    (result,) = called(root, ("check", {"path": "recipe.yaml", "world_size": 3}))
    assert content(result)["files"][0]["version"] != "0.14.0"


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="names of files are text there")
def test_a_name_that_is_no_text_is_told_as_far_as_it_is(root):
    name = b"recipe-\xff.yaml"
    (root / os.fsdecode(name)).write_text(CONFIG)
    checked, refused = called(root, ("check", {"path": "."}), ("check", {"path": "recipe-?.yaml"}))
    assert sorted(file["path"] for file in content(checked)["files"]) == ["recipe-?.yaml", "recipe.yaml"]
    assert content(checked)["errors"] == 2
    assert refused.is_error and "no such file" in refused.content[0].text


def test_calls_that_cannot_be_answered_are_errors_in_words(root):
    calls = [
        ({}, "a path or a text"),
        ({"path": "recipe.yaml", "text": "x"}, "not both"),
        ({"path": "missing.yaml"}, "no such file"),
        ({"text": "a: " + "x" * 300_000}, "larger than"),
        ({"text": "a\0b"}, "NUL"),
        ({"text": "num_generations: 8", "version": "no"}, "release"),
        ({"text": "num_generations: 8", "facts": {"nodes": 3}}, "unknown fact"),
        ({"text": "num_generations: 8", "world_size": -1}, "world-size"),
    ]
    results = called(root, *(("check", arguments) for arguments, _ in calls))
    for (arguments, words), result in zip(calls, results, strict=True):
        assert result.is_error and words in result.content[0].text, arguments


@pytest.mark.parametrize(
    "text",
    [
        "[" * 100_000,
        "a: &a [x]\n" + "".join(f"b{number}: &a [*a, *a]\n" for number in range(500)),
        "num_generations: " + "9" * 5000,
        "\ud800: x",
        "---\n" * 5000,
        "num_generations: 8\nper_device_train_batch_size: !!python/object/apply:os.system ['true']\n",
    ],
    ids=["deep", "aliases", "digits", "surrogate", "documents", "tag"],
)
def test_hostile_texts_get_an_answer(text):
    from grpo_lint.mcp import tools

    result = asyncio.run(tools.check(text=text))
    assert len(result.files) == 1


def test_many_files_have_an_end(root, monkeypatch):
    from grpo_lint.mcp import tools

    for number in range(6):
        (root / f"{number}.yaml").write_text(CONFIG)
    monkeypatch.setattr(tools, "MOST_FILES", 3)
    monkeypatch.chdir(root)
    result = asyncio.run(tools.check(path="."))
    assert len(result.files) == 3 and result.left_out


def test_without_the_sdk_it_says_what_to_install(tmp_path):
    (tmp_path / "mcp").mkdir()
    (tmp_path / "mcp" / "__init__.py").write_text("raise ImportError('none', name='mcp')\n")
    code = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); from grpo_lint.cli.main import main; sys.exit(main(['mcp']))"
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, encoding="utf-8", timeout=60, stdin=subprocess.DEVNULL
    )
    assert result.returncode == 2 and "grpo-lint[mcp]" in result.stderr
